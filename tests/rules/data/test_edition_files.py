"""Editions as data files (ED-01): how strictly a file is read."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.config import shipped_files
from firmware_host.rules.errors import BadEdition, BadSetup
from firmware_host.rules.game import Game
from firmware_host.rules.pursuit import edition
from firmware_host.rules.pursuit.edition import Edition
from tests.rules.data.boxes import NAMES, classic, complaints, content, london_us, random_setup
from tests.rules.data.spoilt_data import spoilt


def test_an_unknown_key_is_named_with_the_known_ones() -> None:
    assert complaints(lambda data: data.update(colour="red"))[0].startswith("colour: unknown; known are title, map")
    assert complaints(lambda data: data["detective"].update(boat=1)) == [
        "[detective] boat: unknown; known are taxi, bus, underground, cards, posts"
    ]
    assert complaints(lambda data: data["mr_x"].update(helicopter=1))[0].startswith("[mr_x] helicopter: unknown")


@pytest.mark.parametrize("key", list(content("classic")))
def test_a_missing_key_is_named(key: str) -> None:
    (line,) = complaints(lambda data: data.pop(key))
    assert line.startswith(f"{key}: is missing")


@pytest.mark.parametrize("key", list(content("classic")))
def test_a_value_of_a_wrong_type_is_named_with_the_right_one(key: str) -> None:
    assert complaints(lambda data: data.update({key: 1.5}))[0].startswith(f"{key}: must be a ")


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [("detective", "taxi", -1), ("detective", "bus", "8"), ("mr_x", "double", True), ("mr_x", "black", 25)],
)
def test_a_number_of_tickets_out_of_its_bounds_is_named(section: str, key: str, value: object) -> None:
    (line,) = complaints(lambda data: data[section].update({key: value}))
    assert line.startswith(f"[{section}] {key}: {value!r} is not a whole number from 0 to ")


@pytest.mark.parametrize(
    ("players", "rows", "why"),
    [
        ("3", [["red", "yellow"], ["green", "red"]], "each pawn once"),
        ("3", [["red", "yellow"], ["green", "pink"]], "each pawn once, of red, yellow"),
        ("3", [["red", "yellow"], ["mr_x"]], "mr_x is nobody's"),
        ("3", [["red", "yellow", "green", "blue"]], "2 lists of pawns, one for each player but Mister X"),
        ("4", [["red"], ["yellow"], []], "3 lists of pawns"),
        ("4", "red", "3 lists of pawns"),
        ("7", [["red"]], "a number of players, 2 to 6"),
        ("many", [["red"]], "a number of players, 2 to 6"),
        ("9" * 5000, [["red"]], "a number of players, 2 to 6"),
        ("٣", [["red"], ["green"]], "a number of players, 2 to 6"),
    ],
)
def test_bad_seats_are_named(players: str, rows: object, why: str) -> None:
    (line,) = complaints(lambda data: data["seats"].update({players: rows}))
    assert line.startswith(f"[seats] {players}: ")
    assert why in line


def test_an_edition_for_nobody_is_refused() -> None:
    assert complaints(lambda data: data["seats"].clear())[0].startswith("[seats]: nobody can play")


@pytest.mark.parametrize("row", [[3, 25], [0, 3], [3, "8"], [True]])
def test_surfacing_at_what_is_no_window_is_refused(row: list[object]) -> None:
    (line,) = complaints(lambda data: data.update(surfacing=row))
    assert line == f"surfacing: {row!r} is not a list of whole numbers from 1 to 24"


def test_a_number_that_stands_twice_is_refused() -> None:
    assert complaints(lambda data: data.update(surfacing=[3, 3])) == ["surfacing: a number is listed twice"]
    assert complaints(lambda data: data["mr_x"].update(cards=[7, 7])) == ["[mr_x] cards: a number is listed twice"]


@pytest.mark.parametrize(
    ("option", "value", "why"),
    [
        ("weather", "fog", "unknown; known are x_fares"),
        ("last_chance", "yes", "'yes' is not true or false"),
        ("x_fares", "free", "neither 'unlimited' nor 'counted'"),
        ("log_windows", 25, "25 is not from 3 to 24"),
        ("log_windows", True, "True is not a whole number"),
    ],
)
def test_an_option_of_unknown_name_type_or_value_is_refused(option: str, value: object, why: str) -> None:
    (line,) = complaints(lambda data: data["options"].update({option: value}))
    assert line.startswith(f"[options] {option}: ")
    assert why in line


def test_numbers_too_long_to_be_written_out_and_keys_that_would_break_the_line_are_named_all_the_same() -> None:
    long = 1 << 20_000
    assert complaints(lambda data: data.update(windows=long))[0].startswith("windows: a number of thousands of digits")
    assert complaints(lambda data: data.update(surfacing=[long]))[0].startswith("surfacing: ")
    assert complaints(lambda data: data["options"].update(log_windows=long))[0].startswith("[options] log_windows: ")
    assert complaints(lambda data: data.update({"a\nb": 1}))[0].startswith("'a\\nb': unknown")


def test_several_mistakes_are_told_together() -> None:
    def change(data: dict[str, Any]) -> None:
        data["order"] = "any"
        data["detective"]["taxi"] = 100
        data["surfacing"] = [30]
        data["options"]["weather"] = 1

    places = {line.partition(": ")[0] for line in complaints(change)}
    assert places == {"order", "[detective] taxi", "surfacing", "[options] weather"}


def test_a_file_that_is_missing_or_no_toml_is_refused_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(BadEdition, match=r"none\.toml"):
        shipped_files.load_edition("none.toml", tmp_path)
    (tmp_path / "torn.toml").write_text("title = ", encoding="utf-8")
    with pytest.raises(BadEdition, match=r"torn\.toml"):
        shipped_files.load_edition("torn.toml", tmp_path)
    with pytest.raises(BadEdition, match=r"unknown rules .*shipped are .*classic, current"):
        shipped_files.load_edition("europe")


def _read(data: dict[str, Any]) -> tuple[Edition | None, list[str]]:
    """The edition, or what the reader complains of."""
    try:
        return edition.parse("mutant", data, "mutant.toml"), []
    except BadEdition as error:
        return None, str(error).splitlines()


def _play_some(table: Game, chance: random.Random) -> None:
    """Fifty actions, or to the end."""
    while table.legal and len(table.actions) < 50:
        table.play(chance.choice(table.legal))
    assert bool(table.legal) is (table.public.outcome is None)


@given(st.data())
def test_mutated_data_is_read_or_refused_and_nothing_else(data: st.DataObject) -> None:
    original = content(data.draw(st.sampled_from((*NAMES, "beginners"))))
    mutant = data.draw(spoilt(original, ("red", "mr_x"), ("2", "3", "7", "cards")))
    edition, lines = _read(mutant)
    assert (edition is None) is bool(lines)
    assert all(line.startswith("mutant.toml: ") for line in lines)
    if edition is None:
        return
    board, chance = london_us(), random.Random(0)
    try:
        setup = random_setup(edition, board, chance)
    except BadSetup:
        return
    if set(setup.start.values()) | {setup.mr_x.value} <= set(board.network.stations):
        _play_some(Game(setup), chance)


@pytest.mark.parametrize("ticket", ["taxi", "bus", "underground"])
def test_a_hand_that_is_not_whole_is_told(ticket: str) -> None:
    assert complaints(lambda data: data["detective"].pop(ticket)) == [f"[detective] {ticket}: is missing"]
    assert complaints(lambda data: data["mr_x"].pop(ticket)) == [f"[mr_x] {ticket}: is missing"]


def test_double_moves_must_be_told_and_black_tickets_need_not() -> None:
    assert complaints(lambda data: data["mr_x"].pop("double")) == ["[mr_x] double: is missing"]
    assert complaints(lambda data: data["mr_x"].pop("double"), "beginners") == ["[mr_x] double: is missing"]
    assert classic().blacks is None


def test_title_and_map_must_not_be_empty() -> None:
    assert complaints(lambda data: data.update(title="", map=" ")) == [
        "title: must not be empty",
        "map: must not be empty",
    ]


def test_whether_the_detectives_have_a_last_chance_is_told_once() -> None:
    told = "last_chance: is also under [options]; write one of the two"
    assert complaints(lambda data: data.update(last_chance=False)) == [told]
    assert complaints(lambda data: data["options"].update(last_chance=False), "us") == [told]
