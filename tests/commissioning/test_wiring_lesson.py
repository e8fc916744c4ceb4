"""Wiring learned by touch: whatever the wires do, and whatever the person does, what is written is the truth."""

from __future__ import annotations

import os
import random
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.commissioning.learn_command import LearnCommand
from firmware_host.commissioning.wiring_lesson import BLINK, SETTLE
from firmware_host.config.loader import load
from tests.amount import amount
from tests.commissioning.wiring_sittings import CONFIG, Board, Sitting, learned


def test_a_scrambled_london_is_learned_by_number_and_then_by_light(tmp_path: Path) -> None:
    board = Board(tmp_path, rules="classic", seed=3)
    assert len(board.stations) == 199
    first = Sitting(board)
    first.touch_all()
    assert first.end() == ["199 of 199 stations have an input.", f"Written to {board.path}: switches."]
    assert board.wired("switches") == board.truth("switches")

    lamps = Sitting(board, "lamps")
    lamps.name_all()
    assert lamps.end()[0] == "199 of 199 stations have a lamp."
    if not board.wired("log"):  # the chain does not end with a station
        log = Sitting(board, "log")
        log.name_all()
        log.end()
    assert board.wired("lamps") == board.truth("lamps")
    assert board.wired("log") == board.truth("log")
    assert not board.path.with_suffix(".learning.toml").exists()

    again = Sitting(board, again=True)
    again.touch_all()  # by the light of the lamps that have been learned
    assert all("which shines" in line for line in again.said if line.endswith("magnet"))
    assert again.end()[-1] == f"Written to {board.path}: switches."
    assert board.wired("switches") == board.truth("switches")


@settings(max_examples=amount(4, 8), deadline=None)
@given(seed=st.integers(0, 10**6))
def test_whatever_the_person_does_the_truth_is_learned_in_the_end(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    board = Board(tmp_path_factory.mktemp("board"), seed=seed)
    chance = random.Random(seed)
    sitting = Sitting(board)
    for act in range(1000):
        board.table.advance(20)
        if not sitting.asking:
            if sitting.end()[-1].startswith("Written"):
                break
            sitting = Sitting(board)
        if act >= 80:  # after a while everyone gets it right
            touch_right(board, sitting)
        elif chance.random() < 0.07:
            sitting = Sitting(board)  # the power failed; the board stands as it was
        else:
            carelessly(board, sitting, chance)
    assert board.wired("switches") == board.truth("switches")


def touch_right(board: Board, sitting: Sitting) -> None:
    board.touch(sitting.asked)
    if sitting.said[-1].endswith("t: take it over"):
        sitting.type("t")


def carelessly(board: Board, sitting: Sitting, chance: random.Random) -> None:
    asked, learned = sitting.asked, sitting.tuition._book.notes.switches
    match chance.randrange(12):
        case 0:
            sitting.type("")
        case 1:
            sitting.type(chance.choice(["b", "hello", "58", "none"]))
        case 2:  # a wrong one: told if that station is learned, else noticed by whoever touched it
            board.touch(chance.choice(board.stations))
            if asked in learned and learned[asked] != board.inputs[asked] and sitting.asking:
                sitting.type("b")
        case 3:
            board.touch(asked, ms=chance.uniform(0, 1000 * SETTLE - 50))
        case 4:  # a wrong one that nobody notices, until the station that was touched is asked for
            unlearned = [n for n in board.stations if n not in learned and n != asked]
            if unlearned and all(board.inputs[n] == number for n, number in learned.items()):
                board.touch(chance.choice(unlearned))
        case _:
            touch_right(board, sitting)


def test_all_other_lines_of_the_configuration_stay_to_the_byte(tmp_path: Path) -> None:
    board = learned(tmp_path)
    lines = "".join(f"{station} = {board.inputs[station]}\n" for station in sorted(board.inputs))
    before = CONFIG.format(rules="dice")
    assert board.path.read_text(encoding="utf-8") == before.replace(
        "# station = input\n", f"# station = input\n{lines}"
    )


def test_a_lamp_that_is_known_shines_white_until_its_station_is_touched_and_then_green_for_a_moment(
    tmp_path: Path,
) -> None:
    board = Board(tmp_path)
    lamps = Sitting(board, "lamps")
    lamps.name_all()
    lamps.end()
    sitting = Sitting(board)
    one = sitting.asked
    assert board.white() == [one]
    board.table.put(one, "magnet")
    board.table.advance(1000 * SETTLE + 50)
    two = sitting.asked
    assert two != one
    (red, green, blue) = board.lit()[one]
    assert red == blue == 0 < green
    assert board.white() == [two]
    board.table.advance(1000 * BLINK)
    assert one not in board.lit()
    sitting.end()
    assert board.lit() == {}


def test_an_input_that_belongs_to_another_station_is_told_and_can_be_taken_over(tmp_path: Path) -> None:
    board = Board(tmp_path)
    sitting = Sitting(board)
    one, two, three = board.stations[:3]
    board.touch(two)  # by mistake
    assert sitting.asked == two
    board.touch(two)
    assert sitting.said[-2:] == [
        f"  input {board.inputs[two]} is station {one} already",
        "  answer again; Enter: skip; t: take it over",
    ]
    sitting.type("t")
    assert sitting.asked == three
    total = len(board.stations)
    assert f"  station {one} is not input {board.inputs[two]} any more" in sitting.said
    assert sitting.question.startswith(f"3 of {total}: ")
    sitting.touch_all()
    assert sitting.question == f"once more: touch station {one} with a magnet"
    sitting.end()
    assert board.wired("switches") == board.truth("switches")


def test_back_strikes_out_the_line_before_and_skip_goes_on_by_word_and_by_key(tmp_path: Path) -> None:
    board = Board(tmp_path)
    sitting = Sitting(board)
    one, two, three = board.stations[:3]
    sitting.type("b")
    assert sitting.said[-2] == "  this is the first one"
    board.touch(one)
    board.table.press("table.confirm")
    board.table.advance(50)
    assert sitting.asked == three
    board.table.press("table.back")
    board.table.advance(50)
    assert sitting.asked == two
    sitting.type("b")
    assert sitting.asked == one
    assert sitting.said[-2] == f"  station {one} is not input {board.inputs[one]} any more"
    assert sitting.tuition._book.notes.switches == {}
    assert not sitting.tuition._book.path.exists()
    board.touch(two)
    board.touch(two)
    board.table.press("table.taxi")
    board.table.advance(50)
    assert sitting.tuition._book.notes.switches == {two: board.inputs[two]}


def test_a_station_robbed_of_its_input_is_asked_for_again_though_only_another_was_to_be_learned(tmp_path: Path) -> None:
    board = learned(tmp_path)
    one, two = board.stations[3], board.stations[8]
    board.inputs[one], board.inputs[two] = board.inputs[two], board.inputs[one]  # their wires were swapped
    anew = Sitting(board, only=[one])
    board.touch(two)
    assert anew.said[-2] == f"  input {board.inputs[one]} is station {two} already"
    anew.type("t")
    assert anew.question == f"once more: touch station {two} with a magnet"
    board.touch(one)
    assert anew.end()[-1] == f"Written to {board.path}: switches."
    assert board.wired("switches") == board.truth("switches")


@pytest.mark.parametrize("which", ["configuration", "folder", "notes"])
def test_what_could_not_be_written_is_told_before_anything_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, which: str
) -> None:
    board = Board(tmp_path)
    notes = board.path.with_suffix(".learning.toml")
    refused = notes if which == "notes" else board.path
    if which == "notes":
        notes.write_text("", encoding="utf-8")
    if which == "folder":

        def full(*, prefix: str, dir: Path) -> NoReturn:  # noqa: A002 - as tempfile has it
            raise OSError(30, "Read-only file system", str(dir / prefix))

        monkeypatch.setattr(tempfile, "NamedTemporaryFile", full)
        refused = notes  # the first that is tried
    else:
        monkeypatch.setattr(os, "access", lambda path, _: path != refused)
    with pytest.raises(OSError, match=r"Permission denied|Read-only") as caught:
        LearnCommand(board.path, load(board.path), board.backend, "switches")
    assert caught.value.filename == str(refused)


def test_where_only_listed_pins_are_listened_to_that_is_said(tmp_path: Path) -> None:
    board = Board(tmp_path)
    config = load(board.path)
    pins = replace(config, switches=replace(config.switches, driver="gpio"))
    heading = LearnCommand(board.path, pins, board.backend, "switches").heading
    assert (
        heading[-1] == "Only the GPIOs in [switches.wiring] are read: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 24 more."
    )
    assert not any("GPIO" in line for line in LearnCommand(board.path, config, board.backend, "switches").heading)
    assert not any("GPIO" in line for line in LearnCommand(board.path, pins, board.backend, "lamps").heading)


def test_only_some_stations_are_learned_anew_even_if_two_were_swapped(tmp_path: Path) -> None:
    board = learned(tmp_path)
    one, two = board.stations[3], board.stations[8]
    right = board.path.read_text(encoding="utf-8")
    swapped = right.replace(f"\n{one} = {board.inputs[one]}\n", f"\n{one} = {board.inputs[two]}  # mended\n")
    swapped = swapped.replace(f"\n{two} = {board.inputs[two]}\n", f"\n{two} = {board.inputs[one]}\n")
    board.path.write_text(swapped, encoding="utf-8")
    assert board.wired("switches") != board.truth("switches")
    anew = Sitting(board, only=[one, two])
    assert anew.heading[0] == "Stations to ask for: 2."
    anew.touch_all()
    assert anew.end()[-1] == f"Written to {board.path}: switches."
    told = f"\n{one} = {board.inputs[one]}\n"
    assert board.path.read_text(encoding="utf-8") == right.replace(told, told[:-1] + "  # mended\n")


def test_what_was_learned_anew_in_part_is_gone_on_with_and_the_old_wiring_stays_until_then(tmp_path: Path) -> None:
    board = learned(tmp_path)
    before = board.path.read_bytes()
    anew = Sitting(board, again=True)
    board.touch(anew.asked)
    board.touch(anew.asked)
    assert anew.end()[0] == f"2 of {len(board.stations)} stations have an input."
    assert board.path.read_bytes() == before
    assert Sitting(board).asked == board.stations[2]
    assert Sitting(board, again=True).asked == board.stations[0]


def test_notes_that_a_power_cut_left_after_the_configuration_was_written_are_put_away(tmp_path: Path) -> None:
    board = Board(tmp_path)
    sitting = Sitting(board)
    sitting.touch_all()
    notes = board.path.with_suffix(".learning.toml")
    left = notes.read_bytes()
    sitting.end()
    notes.write_bytes(left)
    later = LearnCommand(board.path, load(board.path), board.backend, "switches")
    assert later.lesson is None
    told = f"{board.path}: stations: all 36 are wired. --again learns all of them again, --only 58,74 some of them."
    assert later.heading == [told]
    assert later.finish() == ["36 of 36 stations have an input."]
    assert not notes.exists()
