"""The junior game before its first round: who plays, with what, from where (JU-01 to JU-03), and its box as a file."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.rules import engines
from firmware_host.rules.actions import MR_X, MR_X_JUNIOR
from firmware_host.rules.engines import system
from firmware_host.rules.errors import BadEdition, BadSetup
from firmware_host.rules.game import Game
from firmware_host.rules.junior.junior_box import JuniorBox
from firmware_host.rules.network import Network
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Setup, Wish
from tests.rules.data import boxes
from tests.rules.junior.junior_boards import content, game, junior, london, play, setup_of


def deal(**wish: Any) -> Setup:
    return system(junior()).deal(london().network, Wish(**wish), random.Random(0))


# ---- JU-01: who plays ----


@pytest.mark.parametrize(("players", "owners"), [(2, {"white": 1, "yellow": 1}), (3, {"white": 1, "yellow": 2})])
def test_ju_01_two_or_three_play_one_mister_x_against_a_white_and_a_yellow_pawn(
    players: int, owners: dict[str, int]
) -> None:
    view = game(london(), players=players).public
    assert view.owners == owners
    assert view.order == ("white", "yellow")
    assert view.fugitives == (MR_X,)
    assert view.pawns == {"white": 1, "yellow": 4, MR_X: 13}


def test_ju_01_of_four_players_two_are_mister_x_and_his_accomplice_with_one_chip_board() -> None:
    view = game(london(), players=4).public
    assert view.owners == {"white": 1, "yellow": 2}
    assert view.fugitives == (MR_X, MR_X_JUNIOR)
    assert view.pawns == {"white": 1, "yellow": 4, MR_X: 13, MR_X_JUNIOR: 10}
    assert set(view.chips) == {MR_X, "detectives"}


@pytest.mark.parametrize("players", [0, 1, 5])
def test_ju_01_no_fewer_than_two_and_no_more_than_four_play(players: int) -> None:
    with pytest.raises(BadSetup, match=f"players: {players} is out of range; junior is for 2 to 4"):
        deal(players=players)


def test_ju_01_as_many_as_can_play_if_nobody_says_how_many() -> None:
    assert set(deal().start) == {"white", "yellow", MR_X_JUNIOR}
    assert set(deal(detectives=2).start) == {"white", "yellow", MR_X_JUNIOR}


def test_ju_01_the_players_may_say_who_moves_which_pawn() -> None:
    assert deal(players=3, owners=(2, 1)).owners == {"white": 2, "yellow": 1}
    with pytest.raises(BadSetup, match="owners"):
        deal(players=2, owners=(1, 2))


# ---- JU-02: tickets ----


def test_ju_02_everyone_has_one_ticket_each_of_taxi_bus_underground_and_boat() -> None:
    view = game(london(), players=4).public
    assert set(view.tickets) == {"white", "yellow", MR_X, MR_X_JUNIOR}
    assert all(hand == {"taxi": 1, "bus": 1, "underground": 1, "boat": 1} for hand in view.tickets.values())


def test_ju_02_the_ticket_laid_down_is_gone_for_the_round_and_all_come_back() -> None:
    table = game(london(), "x- wu")
    assert table.public.tickets["white"] == {"taxi": 1, "bus": 1, "underground": 0, "boat": 1}
    assert table.public.tickets["yellow"] == {"taxi": 1, "bus": 1, "underground": 1, "boat": 1}
    play(table, "yt")
    assert all(set(hand.values()) == {1} for hand in table.public.tickets.values())


# ---- JU-03: starts, and the map (see also test_junior_map.py) ----


def test_ju_03_every_pawn_starts_on_its_marked_station() -> None:
    setup = deal(players=4)
    marks = london().network.starts
    assert setup.start == {"white": marks["white"], "yellow": marks["yellow"], MR_X_JUNIOR: marks["blue"]}
    assert setup.mr_x == Secret(marks["black"])


def test_ju_03_a_pawn_can_be_told_to_start_elsewhere() -> None:
    setup = deal(players=4, start={"white": 9, MR_X: 2, MR_X_JUNIOR: 2})
    assert setup.start == {"white": 9, "yellow": 4, MR_X_JUNIOR: 2}
    assert setup.mr_x == Secret(2)


@pytest.mark.parametrize(("players", "pawn"), [(3, MR_X_JUNIOR), (4, "red"), (2, "black")])
def test_ju_03_a_start_for_a_pawn_that_does_not_play_is_refused(players: int, pawn: str) -> None:
    with pytest.raises(BadSetup, match=f"start: there is no pawn '{pawn}' in this game; there are white, yellow, mr_x"):
        deal(players=players, start={pawn: 3})


# ---- what all systems offer ----


def test_nothing_is_rolled() -> None:
    assert game(london()).roll(random.Random(0)) is None


def test_there_are_no_other_options_than_the_colour() -> None:
    system(junior()).check({})
    with pytest.raises(BadSetup, match="options: unknown option 'last_chance' of junior, which has x_colour"):
        deal(options={"last_chance": True})
    setup = deal()
    with pytest.raises(BadSetup, match="options"):
        Game(Setup(setup.edition, setup.network, setup.owners, setup.start, setup.mr_x, {"windows": 3}))


def changed(**parts: Any) -> Setup:
    setup = deal(players=4)
    whole = {"owners": setup.owners, "start": setup.start, "mr_x": setup.mr_x} | parts
    return Setup(setup.edition, setup.network, **whole)


@pytest.mark.parametrize(
    ("parts", "complaint"),
    [
        ({"owners": {"white": 1}}, "pawns: white: junior is played with white, yellow against mr_x and mr_x_junior"),
        ({"owners": {"white": 1, "yellow": 1}}, "in junior the players must move 1, 1 pawns"),
        ({"start": {"white": 1, MR_X_JUNIOR: 3}}, ": write a station for each of white, yellow, and for no other"),
        ({"start": {"white": 1, "yellow": 99}}, "start: yellow: there is no such station on junior"),
        ({"start": {"white": 1, "yellow": 2, MR_X_JUNIOR: 0}}, "start: mr_x_junior: there is no such station"),
        ({"mr_x": Secret(77)}, "start: mr_x: there is no such station on junior"),
    ],
)
def test_what_is_settled_must_fit_the_box_and_the_map(parts: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadSetup) as caught:
        Game(changed(**parts))
    assert complaint in str(caught.value)
    assert "77" not in str(caught.value)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_setup_and_its_actions_can_be_written_down_and_read_back(players: int) -> None:
    setup = setup_of(london(), players, mr_x=3)
    again = Setup.from_record(setup.to_record(), junior(), london().network)
    assert again == setup
    table = play(Game(again), "x- w- y-" if players < 4 else "x- j- w- y-")
    assert Game(setup, table.actions).public == table.public


def test_a_map_that_is_none_for_juniors_is_refused_at_the_deal_and_at_the_beginning() -> None:
    net = london().network
    bare = Network(net.name, net.title, net.aspect, (), net.stations, net.links)
    with pytest.raises(BadSetup, match="junior: starts: the start of white is not marked; marked are none"):
        system(junior()).deal(bare, Wish(), random.Random(0))
    setup = deal()
    with pytest.raises(BadSetup, match="the start of black is not marked"):
        Game(Setup(setup.edition, bare, setup.owners, setup.start, setup.mr_x))


# ---- the box as a file (ED-01) ----


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
    with pytest.raises(BadSetup, match="players: 4 is out of range; mine is for 2 to 3"):
        rules.deal(london().network, Wish(players=4), random.Random(0))


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda d: d.pop("title"), "title: is missing; write the name of the box, in quotes"),
        (
            lambda d: d.update(map=3),
            'map: 3 is not a text; write the name of a map, such as "london", or of tiles, such as "yardboard"',
        ),
        (
            lambda d: d.update(windows=12),
            "windows: unknown; known are title, map, detectives_chips, mr_x_chips, seats, options",
        ),
        (lambda d: d.update(detectives_chips=0), "detectives_chips: 0 is not a whole number from 1 to 12"),
        (
            lambda d: d.update(mr_x_chips=True),
            (
                "mr_x_chips: true is not a whole number; "
                "write how many chips Mister X needs to win, a whole number from 1 to 12"
            ),
        ),
        (lambda d: d.update(seats={}), "[seats]: is empty; write for a number of players who moves which pawns"),
        (
            lambda d: d["seats"].update({"5": []}),
            "[seats] 5: is not a number of players; write 2 to 4, Mister X included",
        ),
        (
            lambda d: d["seats"].update({"4": [["white"], ["yellow"], ["red"]]}),
            (
                "[seats] 4: [['white'], ['yellow'], ['red']] is wrong for 4 players; "
                "write 2 lists of pawns, one for each player except Mister X"
            ),
        ),
        (
            lambda d: d["seats"].update({"3": [["white"], ["yellow", "red"]]}),
            "[seats] 3: 3 pawns; the detectives have two",
        ),
        (
            lambda d: d["seats"].update({"3": [["white"], ["blue"]]}),
            "[seats] 3: blue is the colour of Mister X Junior; choose another",
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
