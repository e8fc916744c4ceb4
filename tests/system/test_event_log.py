"""The log: one line an event, in a steady form, without a flood and without what unexpected exceptions quote."""

from __future__ import annotations

import io
import json
import logging
import os
import select
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_host.config.loader import Config
from firmware_host.journal.store_port import UnwritableJournal
from firmware_host.rules.secret import Secret
from firmware_host.simulator import SimulatedTable
from firmware_host.system import event_log
from firmware_host.system.event_log import (
    Limit,
    LineHandler,
    describe_error,
    leads_to_journal,
    line,
    log_fields,
)
from tests.table.played_table import config

NASTY = "no\r\n<0>answer\t\x1b[31m\x85\u2028\u202eevent=crash\x00" + chr(0xDC80)


def record(text: str, level: int = logging.WARNING, **values: Any) -> logging.LogRecord:
    extra = log_fields(values.pop("event"), **values) if values else None
    return logging.getLogger("yardboard").makeRecord("yardboard", level, "", 0, text, (), None, extra=extra)


# ---- a line ----


def test_a_line_is_told_to_people_first_and_to_programs_after_a_tab() -> None:
    lost = record("lamps: lost: unplugged", event="device", device="lamps", state="lost")
    assert line(lost) == "WARNING lamps: lost: unplugged\tevent=device device=lamps state=lost"
    assert line(lost, journal=True) == "<4>lamps: lost: unplugged\tevent=device device=lamps state=lost"
    said = line(lost, form="json", journal=True).removeprefix("<4>")
    assert json.loads(said) == {
        "level": "warning", "text": "lamps: lost: unplugged", "event": "device", "device": "lamps", "state": "lost",
    }  # fmt: skip
    assert json.loads(line(lost, form="json"))["time"].endswith("+00:00")


@pytest.mark.parametrize(("level", "priority"), [(5, 7), (10, 7), (20, 6), (25, 6), (30, 4), (40, 3), (50, 2), (60, 2)])
def test_priorities_are_those_of_journald(level: int, priority: int) -> None:
    assert line(record("x", level), journal=True).startswith(f"<{priority}>x\t")


def test_nothing_can_be_smuggled_into_a_line() -> None:
    for form in ("text", "json"):
        said = line(record(NASTY, event="device", device=NASTY, state="a b=c"), form=form)
        assert len(said.splitlines()) == 1
        assert said.replace("\t", "", 1 if form == "text" else 0).isprintable()
        said.encode()
    text, _, fields = line(record(NASTY, event="device", device=NASTY, state="a b=c")).partition("\t")
    assert "event=crash" in text
    assert fields.startswith('event=device device="no\\\\r')
    assert fields.endswith(' state="a b=c"')
    assert json.loads(line(record(NASTY), form="json"))["text"].startswith("no\\r\\n<0>answer\\t\\x1b")


def test_a_line_has_an_end_however_much_a_driver_has_to_say() -> None:
    for said in ("x" * 10**6, "\U0001f575" * 10**5, "\n" * 10**5):
        assert len(line(record(said, event="device", device="lamps")).encode()) < event_log.LONGEST + 60
    for form in ("text", "json"):
        assert (
            len(line(record("x", event="device", device="\u20ac" * 10**5), form=form).encode()) < 3 * event_log.LONGEST
        )


def test_a_librarys_slip_in_its_own_log_call_is_told_and_raises_nothing() -> None:
    wrong = logging.getLogger("theirs").makeRecord("theirs", logging.WARNING, "", 0, "%d of %s", ("one",), None)
    assert line(wrong) == "WARNING %d of %s\tevent=theirs"


# ---- exceptions ----


def raised(error: Exception) -> Exception:
    def fail() -> None:
        raise error

    with pytest.raises(type(error)) as caught:
        fail()
    return caught.value


def test_of_an_unexpected_exception_is_told_where_it_was_made_and_not_what_it_quotes() -> None:
    for quotes in (KeyError(184), ValueError("184"), IndexError("station 184"), AssertionError({184})):
        said = describe_error(raised(quotes))
        assert said.startswith(f"{type(quotes).__name__} (test_event_log.py:")
        assert ":" in said.partition(" < ")[0]
        assert "184" not in said


def test_what_this_program_and_the_system_say_is_told() -> None:
    assert (
        describe_error(UnwritableJournal("journal: the disk is full"))
        == "UnwritableJournal: journal: the disk is full ()"
    )
    full = raised(OSError(28, "No space left on device", "/secret/184"))
    assert describe_error(full).startswith("OSError: No space left on device (test_event_log.py:")


def test_a_deep_fall_is_told_from_its_innermost_call() -> None:
    def fall(depth: int) -> None:
        if not depth:
            raise ValueError
        fall(depth - 1)

    with pytest.raises(ValueError, match=r"^$") as caught:
        fall(100)
    assert describe_error(caught.value).count(" fall") == event_log.PLACES


def test_a_mistake_that_a_library_logs_is_one_line_without_what_it_quotes() -> None:
    try:
        _ = {}[Secret(184).value]
    except KeyError as error:
        told = (type(error), error, error.__traceback__)
        said = logging.getLogger("uvicorn.error").makeRecord("uvicorn.error", 40, "", 0, "In ASGI\n", (), told)
    assert line(said).startswith("ERROR In ASGI: KeyError (test_event_log.py:")
    assert "184" not in line(said)


# ---- floods ----


class FullStream(io.StringIO):
    """A stream that can be full."""

    full = False

    def write(self, text: str) -> int:
        if self.full:
            raise OSError(28, "No space left on device")
        return super().write(text)


class Log:
    """A log on a clock of its own."""

    def __init__(self) -> None:
        self.stream, self.time = FullStream(), 0.0
        self.lines = LineHandler(self.stream, now=lambda: self.time)

    def tell(self, text: str, **values: Any) -> None:
        self.lines.handle(record(text, **values))

    def told(self) -> list[str]:
        self.stream.seek(0)
        said = self.stream.read().splitlines()
        self.stream.seek(0)
        self.stream.truncate()
        return said


def test_ten_lines_are_told_at_once_and_then_one_a_minute_with_how_many_were_left_out() -> None:
    kept = Log()
    for n in range(100):
        kept.tell(f"lamps: {n}", event="device", device="lamps")
    assert [said.partition("\t")[0] for said in kept.told()] == [f"WARNING lamps: {n}" for n in range(10)]
    kept.time = 59
    kept.lines.catch_up()
    assert kept.told() == []
    kept.time = 60.5
    kept.lines.catch_up()
    last = "WARNING lamps: 99 (89 more of this kind left out)\tevent=device device=lamps left_out=89"
    assert kept.told() == [last]
    kept.time = 100_000
    kept.lines.catch_up()
    assert kept.told() == []
    kept.tell("lamps: ok", event="device", device="lamps")
    assert kept.told() == ["WARNING lamps: ok\tevent=device device=lamps"]


def test_the_devices_do_not_take_each_others_lines_nor_the_games() -> None:
    kept = Log()
    for _ in range(100):
        kept.tell("lamps", event="device", device="lamps")
    kept.told()
    for n in range(8):
        kept.tell("handset", event="device", device="handset")
        kept.tell(f"Red: {n}", event="game")
    assert len(kept.told()) == 16


def test_a_whole_game_is_told_however_fast_it_is_played() -> None:
    kept = Log()
    for n in range(event_log.LIMITS["game"].at_once):
        kept.tell(f"Red: {n}", event="game")
    assert len(kept.told()) == event_log.LIMITS["game"].at_once > 150


def test_what_was_kept_back_is_told_at_the_end() -> None:
    kept = Log()
    for n in range(30):
        kept.tell(f"lamps: {n}", event="device", device="lamps")
    kept.told()
    kept.lines.close()
    assert [said.partition(" (")[0] for said in kept.told()] == ["WARNING lamps: 29"]


def test_a_log_that_cannot_be_written_holds_up_nothing() -> None:
    kept = Log()
    kept.stream.full = True
    kept.tell("lost", event="ready")
    kept.stream.full = False
    kept.tell("told", event="ready")
    assert kept.told() == ["WARNING told\tevent=ready"]


def test_a_reader_who_does_not_read_holds_up_nothing_and_is_told_how_many_lines_he_has_missed() -> None:
    reading, writing = os.pipe()
    with open(reading, "rb") as reader, open(writing, "w", encoding="utf-8") as stream:  # noqa: PTH123 - descriptors
        os.set_blocking(writing, False)
        with suppress(BlockingIOError):
            while True:
                os.write(writing, b"x" * 4096)
        os.set_blocking(writing, True)
        held = LineHandler(stream)
        for n in range(3):
            held.handle(record(f"lamps: {n}", event="device", device="lamps"))
        held.catch_up()
        while reader.read1(65536).endswith(b"x" * 4096) and select.select([reader], [], [], 0)[0]:
            pass
        held.catch_up()
        told = reader.read1(65536)
    assert told.startswith(b"WARNING lamps: 2 (2 more of this kind left out)\t")


DAY = 86_400.0


def most_a_day(limit: Limit) -> int:
    """How many lines of one kind there can be in a day."""
    return int(limit.at_once + DAY / limit.every) + 1


@pytest.mark.long
def test_the_worst_day_of_everything_at_once_stays_small() -> None:
    kinds = [("device", device) for device in ("switches", "keys", "lamps", "handset", "display", "journal", "serial")]
    kinds += [("game", None), ("pages", None), ("uvicorn.error", None)]
    kept = Log()
    written = lines = 0
    for second in range(0, int(DAY), 20):
        kept.time = float(second)
        for event, device in kinds:
            for n in range(3):
                values = {"event": event} if device is None else {"event": event, "device": device}
                kept.tell(f"{second}.{n} " + "x" * 100 if second % 3600 else "y" * 5000, **values)
        kept.lines.catch_up()
        told = kept.told()
        lines, written = lines + len(told), written + sum(len(said.encode()) + 1 for said in told)
    allowed = sum(most_a_day(event_log.LIMITS.get(event, Limit())) for event, _ in kinds)
    assert 0.9 * allowed < lines <= allowed < 25_000
    assert written < 6_000_000


# ---- a table that flaps ----


@contextmanager
def logged(clock: Any) -> Iterator[Log]:
    kept = Log()
    kept.lines = LineHandler(kept.stream, now=clock)
    root, ours = logging.getLogger(), logging.getLogger("yardboard")
    level = ours.level
    root.addHandler(kept.lines)
    ours.setLevel(logging.INFO)
    try:
        yield kept
    finally:
        root.removeHandler(kept.lines)
        ours.setLevel(level)


def at_rest() -> Config:
    """A table that is read and shown seldom: a day of it has to pass here."""
    sections = config(switches={"scan_hz": 50}, lamps={"frames_per_second": 10})
    return replace(sections, display=replace(sections.display, driver="none"))


def test_an_hour_of_a_device_that_comes_and_goes_is_seventy_lines_and_the_last_says_how_it_is() -> None:
    simulated = SimulatedTable(at_rest())
    with logged(simulated.hardware.clock.now) as kept:
        simulated.new_game(detectives=4)
        simulated.set_up()
        kept.told()
        said: list[str] = []
        for _ in range(300):
            simulated.hardware.fault("lamps", "unplug")
            simulated.advance(6_000)
            simulated.hardware.fault("lamps", "replug")
            simulated.advance(6_000)
            kept.lines.catch_up()
            said += kept.told()
        simulated.advance(61_000)
        kept.lines.catch_up()
        said += kept.told()
    simulated.close()
    assert 60 < len(said) <= 10 + 62
    assert "lamps: ok" in said[-1]
    left_out = sum(int(one.rpartition("left_out=")[2]) for one in said if "left_out=" in one)
    assert len(said) + left_out == 600


# ---- keeping it ----


def test_the_systems_journal_is_told_by_what_systemd_says_of_it(tmp_path: Path) -> None:
    with (tmp_path / "stream").open("w") as stream:
        file = os.fstat(stream.fileno())
        assert leads_to_journal(stream, {"JOURNAL_STREAM": f"{file.st_dev}:{file.st_ino}"})
        assert not leads_to_journal(stream, {"JOURNAL_STREAM": f"{file.st_dev}:{file.st_ino + 1}"})
        assert not leads_to_journal(stream, {})
    assert not leads_to_journal(io.StringIO(), {"JOURNAL_STREAM": "1:2"})


PROGRAM = """
import logging, os, sys, threading, warnings
file = os.fstat(2)
if sys.argv[1] == "journal":
    os.environ["JOURNAL_STREAM"] = f"{file.st_dev}:{file.st_ino}"
from firmware_host.system.event_log import log_fields, log_to_stderr
with log_to_stderr("debug", "text"):
    logging.getLogger("yardboard").debug("ours", extra=log_fields("ready"))
    logging.getLogger("websockets.server").debug("> TEXT 184")
    logging.getLogger("theirs").info("184")
    warnings.warn("a pin\\nfactory")
    thread = threading.Thread(target=lambda: {}[184], name="web")
    thread.start()
    thread.join()
    [][184]
"""


@pytest.mark.parametrize("where", ["journal", "terminal"])
def test_a_program_keeps_it_on_standard_error_to_its_last_breath(where: str) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        done = subprocess.run([sys.executable, "-c", PROGRAM, where], check=False, stderr=theirs, timeout=60)
        theirs.close()
        told = ours.makefile().read().splitlines()
    assert done.returncode == 1
    prefixes = ("<7>", "<4>", "<3>", "<2>") if where == "journal" else ("DEBUG ", "WARNING ", "ERROR ", "CRITICAL ")
    assert len(told) == 4, told
    assert all(said.startswith(prefix) for said, prefix in zip(told, prefixes, strict=True)), told
    assert told[0].endswith("ours\tevent=ready")
    assert told[1].endswith("\tevent=py.warnings")
    assert "A mistake in the thread web: KeyError (<string>:" in told[2]
    assert "A mistake of this program's own ends it: IndexError (<string>:" in told[3]
    assert told[3].endswith("\tevent=crash")
    assert "184" not in "".join(told)
