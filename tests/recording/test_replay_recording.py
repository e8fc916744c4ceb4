"""A recorded game is the same game again, and the first thing that is not is found."""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops

from firmware_host.recording.recorded_session import device_facts
from firmware_host.recording.recording_wording import describe, save_pictures
from firmware_host.recording.tape import BadTape, Lost, Note, Now, Sample, Shown, Wall
from firmware_host.recording.tape_file import Tape
from firmware_host.referee.scene import CoachMode
from firmware_host.simulator import SimulatedTable
from firmware_host.table import handset as handsets
from firmware_host.table.player_maker import LevelMaker, ProcessMaker
from firmware_host.ui import lamp_rhythms
from firmware_host.ui.drawing import public_display
from tests.recording.recorded_tables import alike, config_of, entries, play, recorded, replayed
from tools.soak import UnreliablePlayers

SEEDS = {"classic": 3, "current": 2, "us": 1, "beginners": 8, "dice": 6, "junior": 5}
"""Of short games."""


@pytest.mark.parametrize("rules", SEEDS)
@pytest.mark.long_but_first
def test_a_whole_game_recorded_is_alike_to_the_last_pixel(rules: str, tmp_path: Path) -> None:
    tape, seed = tmp_path / "a.tape", SEEDS[rules]
    with recorded(config_of(tmp_path, rules), tape, seed=seed) as simulated:
        play(simulated, seed)
        assert simulated.public.outcome is not None
        seconds = simulated.hardware.clock.now()
    went = replayed(tape)
    assert alike(went), went
    assert went.passes == int(200 * seconds) + 1
    assert went.counts["frames"] > 10 * seconds
    assert went.counts["pictures"] > seconds
    shown = [entry for entry in entries(tape) if isinstance(entry, Shown)]
    assert went.counts["frames"] + went.counts["pictures"] == len(shown)


@pytest.mark.parametrize("mr_x", ["medium", "person"])
@pytest.mark.long_but_first
def test_players_that_nobody_could_ask_again_are_played_back_and_none_is_started(
    mr_x: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    happened = Counter[str]()
    players = UnreliablePlayers(random.Random(2), happened, often=0.2)
    table = partial(SimulatedTable, players=players, patient=False)
    seats = f'[game.seats]\nmr_x = "{mr_x}"\n1 = "easy"\n2 = "easy"\n'
    tape = tmp_path / "a.tape"
    with recorded(config_of(tmp_path, "classic", seats), tape, seed=1, kind=table) as simulated:
        play(simulated, 1, moves=25)
        actions = list(simulated.actions)
    assert happened
    assert len(actions) > 10
    monkeypatch.setattr(ProcessMaker, "make", lambda *_: pytest.fail("a player was started"))
    monkeypatch.setattr(LevelMaker, "make", lambda *_: pytest.fail("a player was started"))
    went = replayed(tape)
    assert alike(went), went


def test_what_the_coach_found_out_is_played_back_and_none_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tape, config = tmp_path / "a.tape", config_of(tmp_path, "classic", 'coach = "stations"\n')
    with recorded(config, tape, seed=1) as simulated:
        play(simulated, 1, moves=4)
        simulated.advance(1500)
        assert simulated.table.scene().coach.stations
        simulated.coach(CoachMode.ADVICE)
        play(simulated, 1, moves=6)
        simulated.advance(1500)
        assert simulated.table.scene().coach.stations
        simulated.coach(CoachMode.OFF)
        play(simulated, 1, moves=2)
    for maker in (ProcessMaker, LevelMaker):
        monkeypatch.setattr(maker, "coach", lambda *_: pytest.fail("a coach was started"))
    went = replayed(tape)
    assert alike(went), went


def record_note(simulated: SimulatedTable, note: Note) -> None:
    """Record a pass with nothing but a note."""
    recorder = simulated._taping._recorder  # type: ignore[attr-defined]
    with recorder.one_pass():
        recorder.put(note)


def test_what_no_version_has_told_a_coach_is_refused(tmp_path: Path) -> None:
    tape, config = tmp_path / "a.tape", config_of(tmp_path)
    with recorded(config, tape, seed=1) as simulated:
        record_note(simulated, Note("coach", "loudly"))
    with pytest.raises(
        BadTape,
        match=r"^the tape has a setting of the coach that this version does not know; ",
    ):
        replayed(tape)


@pytest.mark.parametrize("code", ["", "{}", "[1]", '["01", "0"]', '["2"]', json.dumps(["0" * 30] * 30)])
def test_what_is_no_code_for_mister_xs_phone_is_refused(tmp_path: Path, code: str) -> None:
    tape, config = tmp_path / "a.tape", config_of(tmp_path)
    with recorded(config, tape, seed=1) as simulated:
        record_note(simulated, Note("invitation", code))
    with pytest.raises(BadTape, match=r"^a QR code on the tape is not a square of 0 and 1 with at most 29 rows$"):
        replayed(tape)


@pytest.mark.parametrize("address", ["", "nul", "{}", "1"])
def test_what_is_no_address_of_the_pages_is_refused(tmp_path: Path, address: str) -> None:
    tape, config = tmp_path / "a.tape", config_of(tmp_path)
    with recorded(config, tape, seed=1) as simulated:
        record_note(simulated, Note("address", address))
    with pytest.raises(BadTape, match=r"^the tape has an address of the table's pages that this version "):
        replayed(tape)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tape of a few moves."""
    folder = tmp_path_factory.mktemp("tape")
    with recorded(config_of(folder), folder / "a.tape") as simulated:
        play(simulated, moves=3)
    return folder / "a.tape"


def told(tape: Path, *, secret: bool = False, **rest: float) -> list[str]:
    went = replayed(tape, **rest)
    assert went.difference is not None
    with tape.open("rb") as file:
        devices = device_facts(Tape(file, tape.name), tape.name)
    return list(describe(went.difference, went.layout, devices, secret=secret))


def test_other_colours_are_found_in_the_first_frame_that_has_them(begun: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paint = lamp_rhythms.paint

    def greener(glow: Any, now: float) -> bytes:
        return bytes(paint(glow, now)[:1]) + b"\xff" + bytes(paint(glow, now)[2:])

    monkeypatch.setattr(lamp_rhythms, "paint", greener)
    first, lamps, *each = told(begun)
    number = next(n for n, entry in enumerate(entries(begun)) if isinstance(entry, Shown) and entry.track == "lamps")
    passes = sum(type(entry).__name__ == "LoopPass" for entry in entries(begun)[:number])
    assert first.startswith(f"The first difference is in pass {passes}, ")
    assert lamps.endswith(" differ")
    assert all(": recorded #" in line and ", now #" in line for line in each)


def test_another_word_on_the_display_is_found_and_both_pictures_kept(
    begun: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    layout = public_display.layout
    monkeypatch.setattr(public_display, "layout", lambda said: layout(said)[1:])
    went = replayed(begun)
    assert went.difference is not None
    assert went.passes == went.difference.number - 1
    first, display = told(begun)
    assert display.startswith("  display: ")
    assert display.endswith(" pixels differ")
    with begun.open("rb") as file:
        devices = device_facts(Tape(file, begun.name), begun.name)
    kept = save_pictures(went.difference, devices, tmp_path / "pictures", secret=False)
    assert [path.name.rpartition("-")[2] for path in kept] == ["recorded.png", "now.png"]
    assert all(path.stat().st_mode & 0o777 == 0o600 and path.read_bytes()[:4] == b"\x89PNG" for path in kept)
    assert first.startswith("The first difference is in pass ")


def test_what_was_on_mister_xs_screen_is_told_to_those_alone_who_ask(
    begun: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(handsets, "picture", lambda *_: None)
    assert told(begun)[1] == "  handset: another picture; --secret shows more of Mister X's screen"
    assert told(begun, secret=True)[1].endswith(" pixels differ; dark: now")
    difference = replayed(begun).difference
    assert difference is not None
    with begun.open("rb") as file:
        devices = device_facts(Tape(file, begun.name), begun.name)
    assert save_pictures(difference, devices, tmp_path / "no", secret=False) == []
    assert not (tmp_path / "no").exists()
    assert len(save_pictures(difference, devices, tmp_path / "yes", secret=True)) == 2


def test_what_is_not_looked_for_yet_is_passed_over(begun: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = handsets.picture

    def inverted(*seen: Any) -> Image.Image | None:
        drawn = picture(*seen)
        return None if drawn is None else ImageChops.invert(drawn)

    monkeypatch.setattr(handsets, "picture", inverted)
    early, late = replayed(begun).difference, replayed(begun, since=3.0).difference
    assert early is not None
    assert late is not None
    assert early.seconds < 3.0 <= late.seconds
    everything = replayed(begun, since=1e9)
    assert everything.difference is None
    assert everything.passed_over > 10
    assert replayed(begun, until=0.0).difference is None


def test_software_that_does_something_else_parts_from_the_tape_where_it_does(
    begun: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It never takes a move: where one was made durable, nothing is."""
    monkeypatch.setattr("firmware_host.referee.transition_steps.entry_of", lambda _: None)
    first, recorded_, now = told(begun)
    wall = next(n for n, entry in enumerate(entries(begun)) if isinstance(entry, Wall))
    assert wall > 0
    assert recorded_ == "  recorded: the wall clock was read"
    assert now.startswith("  now:      ")
    assert first.startswith("The first difference is in pass ")


def test_software_that_fails_is_told_with_the_place(begun: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ZeroDivisionError("nobody foresaw this")

    monkeypatch.setattr("firmware_host.referee.transition_steps.entry_of", fails)
    went = replayed(begun)
    assert went.failure.startswith("ZeroDivisionError in test_replay_recording.py, line ")
    assert went.words == "nobody foresaw this"
    assert not went.ends_there


def test_times_come_back_to_the_last_bit(tmp_path: Path) -> None:
    tape, seen = tmp_path / "a.tape", []
    with recorded(config_of(tmp_path), tape) as simulated:
        simulated.advance(2345.6789)
        simulated.hardware.press("table.confirm", 33.333)
        seen.append(round(simulated.hardware.clock.now() * 1_000_000))
    times = [entry.microseconds for entry in entries(tape) if isinstance(entry, Now)]
    assert times == sorted(times)
    assert {*times} == {*range(0, times[-1] + 1, 5000)}, "every pass is there, at the microsecond at which it was"
    assert times[-1] <= seen[-1]
    assert alike(replayed(tape))


def test_devices_that_come_and_go_are_on_the_tape(tmp_path: Path) -> None:
    tape = tmp_path / "a.tape"
    with recorded(config_of(tmp_path), tape) as simulated:
        play(simulated, moves=2)
        for device in ("lamps", "handset", "display", "switches"):
            for _ in range(4):
                simulated.hardware.fault(device, "unplug")
                simulated.advance(700)
                simulated.hardware.fault(device, "replug")
                simulated.advance(400)
        for _ in range(2):
            simulated.hardware.fault("switches", "garbage")
            simulated.hardware.fault("lamps", "slow")
            simulated.hardware.fault("handset", "slow")
            simulated.advance(900)
    lost = {entry.track for entry in entries(tape) if isinstance(entry, Lost)}
    assert lost == {"lamps", "handset", "display", "switches"}
    went = replayed(tape)
    assert alike(went), went


def test_keys_pressed_without_end_and_bouncing_are_on_the_tape(tmp_path: Path) -> None:
    tape = tmp_path / "a.tape"
    with recorded(config_of(tmp_path, "junior"), tape, seed=5) as simulated:
        play(simulated, 5, moves=2, rough=True)
        for key in ("handset.select", "table.back", "handset.down", "table.confirm", "handset.peek") * 4:
            simulated.hardware.press(key, 31)
    assert sum(isinstance(entry, Sample) and entry.track == "keys" for entry in entries(tape)) > 100
    assert alike(replayed(tape))
