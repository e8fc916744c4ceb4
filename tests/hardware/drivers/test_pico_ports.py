"""The driver for a Pico: what it says when there is none, how it finds and tries its port, and wrong values."""

from __future__ import annotations

import os
import select
import threading
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from serial import Serial

from hardware.drivers import pico
from hardware.drivers.pico import Counters, PicoLine, PicoSession, back_off, find_port
from hardware.firmware.frames import HELLO, PROTOCOL, FrameReader
from tests.hardware.drivers.pico_bench import (
    CHIPS,
    Open,
    Plug,
    StillClock,
    complaint,
    denied,
    ends_fixture,  # noqa: F401
    opened_fixture,  # noqa: F401
    plugged_fixture,  # noqa: F401
    wait_to_read,
)
from tests.waiting import until

# ---- ports on which there is no such Pico ----------------------------------------------------------------------------


def test_a_silent_port_is_told_from_a_missing_one(opened: Open, ends: tuple[int, str]) -> None:
    switches = opened(ends[1])
    until(lambda: "it is silent" in complaint(switches), "the reason")
    assert "yardboard firmware install" in complaint(switches)
    assert FrameReader().take(os.read(ends[0], 100))[0] == (HELLO, 0, bytes([PROTOCOL, CHIPS + 2]))


def test_a_prompt_is_told_from_yardboards_program(opened: Open, ends: tuple[int, str]) -> None:
    switches = opened(ends[1])

    def answered() -> bool:
        if select.select([ends[0]], [], [], 0)[0]:
            os.read(ends[0], 100)
            os.write(ends[0], b"\r\nSyntaxError: invalid syntax\r\n>>> ")
        return "it sends something else" in complaint(switches)

    until(answered, "the reason")


def test_a_port_that_another_program_has_is_named(opened: Open, ends: tuple[int, str]) -> None:
    with Serial(ends[1], exclusive=True):
        switches = opened(ends[1])
        until(lambda: "another program has the port open" in complaint(switches), "the reason")


def test_a_port_that_is_not_allowed_says_which_group_is(
    opened: Open, ends: tuple[int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("serial.Serial", denied)
    switches = opened(ends[1])
    until(lambda: "group dialout" in complaint(switches), "the reason")


def test_a_port_is_found_by_the_serial_number_of_its_pico(
    opened: Open, plugged: Plug, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = plugged()
    by_id = tmp_path / "usb-MicroPython_Board_in_FS_mode_e66100030d030001-if00"
    by_id.symlink_to(rig.port)
    monkeypatch.setattr(pico, "BY_ID", tmp_path)
    assert find_port("E66100030D030001") == by_id
    assert find_port("/dev/ttyACM0") == Path("/dev/ttyACM0")
    wait_to_read(opened("E66100030D030001"), 0)
    other = opened("e661999")
    until(lambda: by_id.name in complaint(other), "what there is")


@pytest.mark.parametrize("part", ["e66100", "030d030001", "FS_mode", "mode_e66100030d030001-if0", "usb", "if00"])
def test_a_part_of_a_serial_number_finds_nothing(part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "usb-MicroPython_Board_in_FS_mode_e66100030d030001-if00").touch()
    monkeypatch.setattr(pico, "BY_ID", tmp_path)
    with pytest.raises(FileNotFoundError):
        find_port(part)


def test_several_ports_of_one_serial_number_are_all_named(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["usb-MicroPython_Board_in_FS_mode_e661-if00", "usb-MicroPython_Board_in_FS_mode_e661-if02"]
    for name in (*names, "usb-MicroPython_Board_in_FS_mode_e6612-if00"):
        (tmp_path / name).touch()
    monkeypatch.setattr(pico, "BY_ID", tmp_path)
    switches = opened("e661")
    until(lambda: "several ports have the serial number e661" in complaint(switches), "the reason")
    assert complaint(switches).endswith(f"give the path of one: {tmp_path / names[0]}, {tmp_path / names[1]}")


def test_a_fault_of_the_thread_s_own_is_told_and_does_not_end_it(
    opened: Open, plugged: Plug, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, broken = PicoSession.receive, threading.Event()

    def failing(session: PicoSession, data: bytes, now: float) -> bytes:
        if broken.is_set():
            raise ZeroDivisionError("by nothing")
        return whole(session, data, now)

    monkeypatch.setattr(PicoSession, "receive", failing)
    switches = opened(plugged().port, clock=StillClock())
    wait_to_read(switches, 0)
    broken.set()
    until(lambda: "yardboard's own: ZeroDivisionError('by nothing')" in complaint(switches), "the fault")
    broken.clear()
    wait_to_read(switches, 0)


class ForgetfulSession(PicoSession):
    """A session whose report is gone at the second look: trouble has come in between."""

    looks = 0

    @property
    def report(self) -> bytes:
        self.looks += 1
        return b"report" if self.looks == 1 else b""

    @report.setter
    def report(self, report: bytes) -> None:
        assert report == b""


def test_a_report_that_is_taken_away_while_it_is_read_is_read_as_it_was(tmp_path: Path) -> None:
    line = PicoLine(str(tmp_path / "none"), 4, StillClock())
    line._session, line._trouble = ForgetfulSession(4, 0.0, Counters()), ""
    assert line.transfer(bytes(4)) == b"repo"


def test_pauses_grow_until_reports_have_come_again(
    opened: Open, plugged: Plug, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[int] = []

    def short() -> Iterator[float]:
        pauses.append(0)
        while True:
            pauses[-1] += 1
            yield 0.001

    monkeypatch.setattr(pico, "back_off", short)
    rig = plugged()
    switches = opened(rig.port)
    wait_to_read(switches, 0)
    rig.unplug()
    until(lambda: len(pauses) == 1 and pauses[0] >= 5, "five pauses of one sequence")
    rig.replug()
    wait_to_read(switches, 0)
    rig.unplug()
    until(lambda: len(pauses) == 2 and pauses[1] >= 5, "another sequence")


def test_pauses_double_up_to_four_seconds() -> None:
    assert list(islice(back_off(), 7)) == [0.25, 0.5, 1.0, 2.0, 4.0, 4.0, 4.0]


# ---- wrong values ----------------------------------------------------------------------------------------------------


def test_a_thread_that_hangs_in_its_port_says_for_how_long_and_one_that_looks_for_it_goes_on(
    monkeypatch: pytest.MonkeyPatch, opened: Open
) -> None:
    reached, gate = threading.Event(), threading.Event()

    def stuck(*_: object, **__: object) -> Serial:
        reached.set()
        gate.wait(60)
        raise OSError("gone")

    monkeypatch.setattr(pico, "pyserial", lambda _: stuck)
    clock = StillClock()
    switches = opened("/dev/none", clock=clock)
    assert reached.wait(60)
    clock.time = 7.5
    assert switches.late() == 7.5
    gate.set()
    until(lambda: switches.late() == 0.0, "the thread goes on")
    until(lambda: "the connection broke" in complaint(switches), "the reason")
