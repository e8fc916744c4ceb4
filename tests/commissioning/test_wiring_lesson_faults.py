"""Wiring learned by touch: contacts that stick, chatter or close together, and devices that are lost, are no answer."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from firmware_host.commissioning.wiring_lesson import PATIENCE, SETTLE
from hardware.sim.physics import Physics
from tests.commissioning.wiring_sittings import Board, Sitting


def test_a_stuck_contact_is_told_by_name_and_not_listened_to_until_it_opens(tmp_path: Path) -> None:
    board = Board(tmp_path)
    stuck = board.stations[4]
    board.table.fault(f"switch:{stuck}", "stuck_closed")
    board.table.advance(50)
    sitting = Sitting(board)
    assert sitting.said[0] == f"  input {board.inputs[stuck]} stays closed; it is ignored until it opens"
    board.touch(sitting.asked)
    assert sitting.asked == board.stations[1]  # the stuck one is in nobody's way
    sitting.touch_all(but=[stuck])
    said = sitting.end()
    assert said[:2] == [
        f"{len(board.stations) - 1} of {len(board.stations)} stations have an input.",
        f"Missing: {stuck}.",
    ]
    assert (
        said[-1] == f"Kept in {board.path.with_suffix('.learning.toml')}. "
        f"Go on with: yardboard wiring learn {board.path}"
    )
    assert board.wired("switches") == {}

    later = Sitting(board)
    assert later.heading[0] == "Stations to ask for: 1."
    board.touch(stuck)
    assert not later.done  # it was closed all the time
    board.table.fault(f"switch:{stuck}", "ok")
    board.table.advance(100)
    board.touch(stuck)
    assert later.end()[-1] == f"Written to {board.path}: switches."
    assert board.wired("switches") == board.truth("switches")


def test_two_contacts_that_close_at_once_are_told_and_the_only_free_one_can_be_taken(tmp_path: Path) -> None:
    physics = Physics(reach=17.0, release=17.5, error=(0.0, 1.0))  # 111 and 112 lie 14 mm apart
    board = Board(tmp_path, rules="classic", physics=physics)
    sitting = Sitting(board, only=[111, 112])
    board.touch(111)
    told, again = sitting.said[-2:]
    numbers = sorted(board.inputs[station] for station in (111, 112))
    assert told == f"  2 contacts closed at once: input {numbers[0]}, input {numbers[1]}"
    assert again == "  touch it again, a little off to the side; Enter: skip"
    assert sitting.asked == 111
    sitting.type("t")
    assert sitting.said[-2] == "  there is nothing to take over"
    board.table.put_between(111, beyond(board, 111, 112), "magnet", share=0.4)
    board.table.advance(500)
    board.table.pick_up("magnet")
    board.table.advance(50)
    assert sitting.asked == 112
    board.touch(112)
    assert sitting.said[-1].endswith(f"; t: take input {board.inputs[112]}, the only one that is free")
    sitting.type("t")
    board.table.advance(1000)
    notes = sitting.tuition._book.notes.switches
    assert notes == {111: board.inputs[111], 112: board.inputs[112]}


def beyond(board: Board, station: int, other: int) -> int:
    """The station that lies most nearly straight away from another."""
    places = board.table.places
    (x, y), (ox, oy) = places[station], places[other]
    near = [n for n, place in places.items() if n not in (station, other) and math.dist(place, (x, y)) < 42]
    return min(near, key=lambda n: (places[n][0] - x) * (ox - x) + (places[n][1] - y) * (oy - y))


def test_a_magnet_in_passing_is_no_answer(tmp_path: Path) -> None:
    board = Board(tmp_path)
    sitting = Sitting(board)
    one, two = board.stations[:2]
    board.touch(two, ms=1000 * SETTLE - 60)
    assert sitting.asked == one
    board.touch(one)
    assert sitting.asked == two
    assert sitting.tuition._book.notes.switches == {one: board.inputs[one]}


def test_what_closes_before_the_magnet_is_lifted_belongs_to_it_and_is_no_answer(tmp_path: Path) -> None:
    board = Board(tmp_path)
    sitting = Sitting(board)
    one, two, three = board.stations[:3]
    board.table.put(one, "magnet")
    board.table.advance(500)
    board.touch(three, ms=700, magnet="another")  # the neighbour feels it later
    assert sitting.asked == two
    assert len(sitting.tuition._book.notes.switches) == 1
    assert not any("at once" in line for line in sitting.said)
    board.table.pick_up("magnet")
    board.table.advance(50)
    board.touch(two)
    assert sitting.asked == three


def test_a_magnet_left_lying_is_told_and_does_not_stop_the_lesson(tmp_path: Path) -> None:
    board = Board(tmp_path)
    sitting = Sitting(board)
    one, two = board.stations[:2]
    board.table.put(one, "a pawn")
    board.table.advance(500 + 1000 * PATIENCE)
    assert sitting.said[-1] == f"  input {board.inputs[one]} stays closed; it is ignored until it opens"
    board.touch(two)
    assert sitting.tuition._book.notes.switches == {n: board.inputs[n] for n in (one, two)}


def test_a_contact_that_chatters_is_told_once_and_the_others_are_learned(tmp_path: Path) -> None:
    board = Board(tmp_path)
    wild = board.stations[-1]
    board.table.fault(f"switch:{wild}", "chatter")
    sitting = Sitting(board)
    board.table.advance(2000)
    board.touch(board.stations[0])
    told = f"  input {board.inputs[wild]} chatters; it is ignored until it is quiet"
    assert sitting.said.count(told) == 1
    assert sitting.tuition._book.notes.switches == {board.stations[0]: board.inputs[board.stations[0]]}


@pytest.mark.parametrize("when", ["before it began", "meanwhile"])
def test_the_question_waits_for_switches_that_are_lost_and_what_is_closed_when_they_are_back_is_no_answer(
    tmp_path: Path, when: str
) -> None:
    board = Board(tmp_path)
    one, two, three = board.stations[:3]
    if when == "before it began":
        board.table.fault("switches", "unplug")
    sitting = Sitting(board)
    board.table.fault("switches", "unplug")
    board.table.advance(100)
    waits = "  The question waits for the switches. q and Enter: end."
    assert sitting.said[-2:] == ["switches: lost: the cable is unplugged", waits]
    for word in ("", "b", "hello"):
        sitting.type(word)
        assert sitting.said[-1] == waits
    board.table.put(three, "a pawn")
    board.table.fault("switches", "replug")
    board.table.advance(1500)
    asked = f"1 of 36: touch station {one} with a magnet"
    held = f"  input {board.inputs[three]} stays closed; it is ignored until it opens"
    assert sitting.said[-3:] == ["switches: ok", held, asked]
    assert sitting.said.count(asked) == (1 if when == "before it began" else 2)
    board.touch(one)
    assert sitting.asked == two
    board.table.fault("switches", "unplug")
    board.table.advance(100)
    assert sitting.end()[0] == "1 of 36 stations have an input."


def test_lamps_that_are_lost_do_not_stop_the_lesson_and_are_not_said_to_shine(tmp_path: Path) -> None:
    board = Board(tmp_path)
    lamps = Sitting(board, "lamps")
    lamps.name_all()
    lamps.end()
    board.table.fault("lamps", "unplug")
    sitting = Sitting(board)
    one, two = board.stations[:2]
    assert sitting.said == [
        "lamps: lost: the cable is unplugged",
        f"1 of 36: touch station {one} with a magnet",
    ]
    board.touch(one)
    assert sitting.question == f"2 of 36: touch station {two} with a magnet"
    board.table.fault("lamps", "replug")
    board.table.advance(1000)
    assert sitting.said[-2:] == ["lamps: ok", f"2 of 36: touch station {two}, which shines, with a magnet"]


def test_other_devices_that_are_lost_are_not_told(tmp_path: Path) -> None:
    board = Board(tmp_path)
    sitting = Sitting(board)
    before = list(sitting.said)
    board.table.fault("handset", "unplug")
    board.table.fault("display", "unplug")
    board.table.advance(3000)
    assert sitting.said == before


def test_noise_on_the_line_is_no_answer(tmp_path: Path) -> None:
    board = Board(tmp_path)
    sitting = Sitting(board)
    for _ in range(20):
        board.table.fault("switches", "garbage")
        board.table.advance(60)
    board.table.advance(1000)
    assert sitting.asked == board.stations[0]
    board.touch(board.stations[0])
    assert sitting.tuition._book.notes.switches == {board.stations[0]: board.inputs[board.stations[0]]}
