"""The junior box as a data file (ED-01, JU-01, JU-10): what the shipped one says, and how strictly a file is read."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.rules import engines
from firmware_host.rules.actions import MR_X
from firmware_host.rules.engines import system
from firmware_host.rules.errors import BadEdition, BadSetup
from firmware_host.rules.game import Game
from firmware_host.rules.junior.junior_box import JuniorBox
from firmware_host.rules.junior.junior_game import Junior
from firmware_host.rules.setup import Wish
from tests.rules.data import boxes
from tests.rules.junior.junior_boards import content, junior, london, play


def complaints(change: Callable[[dict[str, Any]], object]) -> list[str]:
    """What the reader says of the box after it has been changed, each line without the file's name."""
    return boxes.complaints(change, "junior")


def mine(**changes: Any) -> JuniorBox:
    found = engines.parse("mine", content("junior", "editions") | changes, "mine.toml")
    assert isinstance(found, JuniorBox)
    return found


def test_ju_01_the_shipped_box_is_for_two_to_four_players_with_a_white_and_a_yellow_pawn() -> None:
    assert {players: tuple(junior().owners(players)) for players in junior().seats} == {
        2: ("white", "yellow"),
        3: ("white", "yellow"),
        4: ("white", "yellow"),
    }
    assert junior().order == "free"
    assert (junior().name, junior().map, junior().options) == ("junior", "junior", {"x_colour": "black"})


def test_ju_10_the_shipped_box_has_three_chips_for_the_detectives_and_nine_for_mister_x() -> None:
    assert (junior().detectives_chips, junior().mr_x_chips) == (3, 9)


def test_ju_10_the_log_has_a_window_for_each_chip() -> None:
    assert junior().windows == 12
    assert mine(detectives_chips=2, mr_x_chips=5).windows == 7


def test_a_junior_box_is_played_by_the_junior_engine() -> None:
    assert isinstance(system(junior()), Junior)
    assert system(mine()).name == "mine"


def test_ju_10_another_number_of_chips_is_played_for() -> None:
    rules = system(mine(detectives_chips=1, mr_x_chips=2))
    table = Game(rules.deal(london().network, Wish(players=2), random.Random(0)))
    play(table, "x- w- y-")
    assert table.public.outcome is None
    play(table, "x- w- y-")
    assert table.public.outcome is not None
    assert table.public.chips == {MR_X: (2, 2), "detectives": (0, 1)}


def test_ju_01_without_seats_for_four_the_usual_game_has_no_accomplice() -> None:
    rules = system(mine(seats={"2": [["white", "yellow"]], "3": [["white"], ["yellow"]]}))
    setup = rules.deal(london().network, Wish(), random.Random(0))
    assert Game(setup).public.fugitives == (MR_X,)
    with pytest.raises(BadSetup, match="players: 4; mine is for 2 to 3"):
        rules.deal(london().network, Wish(players=4), random.Random(0))


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda d: d.pop("title"), "title: is missing"),
        (lambda d: d.pop("mr_x_chips"), "mr_x_chips: is missing"),
        (lambda d: d.update(map=3), "map: must be a text"),
        (
            lambda d: d.update(windows=12),
            "windows: unknown; known are title, map, detectives_chips, mr_x_chips, seats, options",
        ),
        (lambda d: d.update(detectives_chips=0), "detectives_chips: 0 is not a whole number from 1 to 12"),
        (lambda d: d.update(mr_x_chips=13), "mr_x_chips: 13 is not a whole number from 1 to 12"),
        (lambda d: d.update(mr_x_chips=True), "mr_x_chips: must be a whole number"),
        (lambda d: d.update(seats={}), "[seats]: nobody can play; write for a number of players who moves which pawns"),
        (lambda d: d["seats"].update({"5": []}), "[seats] 5: a number of players, 2 to 4, Mister X among them"),
        (
            lambda d: d["seats"].update({"4": [["white"], ["yellow"], ["red"]]}),
            "[seats] 4: 2 lists of pawns, one for each player but Mister X",
        ),
        (lambda d: d["seats"].update({"2": [["white"]]}), "[seats] 2: 1 pawns; the detectives have two"),
        (
            lambda d: d["seats"].update({"3": [["white"], ["yellow", "red"]]}),
            "[seats] 3: 3 pawns; the detectives have two",
        ),
        (
            lambda d: d["seats"].update({"3": [["white"], ["blue"]]}),
            "[seats] 3: blue is the colour of Mister X Junior",
        ),
    ],
)
def test_ed_01_each_mistake_is_told_with_its_place(change: Callable[[dict[str, Any]], object], line: str) -> None:
    assert complaints(change) == [line]


def test_ed_01_all_mistakes_are_told_at_once() -> None:
    def spoil(data: dict[str, Any]) -> None:
        data["seats"] = {"2": [["white"]]}
        data["mr_x_chips"] = data["detectives_chips"] = 99

    assert len(complaints(spoil)) == 3


SEATS = st.dictionaries(
    st.sampled_from("1234x"), st.lists(st.lists(st.sampled_from(["white", "blue", "red", 1]))), max_size=3
)


@given(
    st.sampled_from(["title", "map", "detectives_chips", "mr_x_chips", "seats", "more"]),
    st.none() | st.integers(-1, 14) | st.text(max_size=3) | st.booleans() | SEATS,
)
def test_ed_01_whatever_a_file_says_is_read_or_refused_with_its_name(key: str, value: Any) -> None:
    data = content("junior", "editions") | {key: value}
    try:
        found = engines.parse("mine", data, "mine.toml")
    except BadEdition as error:
        assert str(error).startswith("mine.toml: ")  # noqa: PT017 - most of what is tried is wrong
        return
    assert isinstance(found, JuniorBox)
    assert all(len(found.owners(players)) == 2 for players in found.seats)
