"""The driver for a Pico: what it understands, what it makes of a spoiled line, and what it says when there is none."""

from __future__ import annotations

import builtins
import errno
import os
import pty
import random
import select
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from serial import Serial, SerialException

from hardware.drivers import pico, pico_install
from hardware.drivers.pico import ASK, STALE, Counters, PicoLine, PicoSwitches, Talk, back_off, find_port
from hardware.drivers.pico_install import install
from hardware.firmware.frames import ACK, HELLO, PROTOCOL, REPORT, TROUBLE, WELCOME, Reader, encode
from hardware.firmware.link import Link
from hardware.ports import BadDevice, Clock, DeviceLost, NotInstalled, Switches
from tests.hardware.firmware.rig import PicoRig, levels, wait_for

SENTINEL = 0b10010110
CHIPS = 26
COUNT = 200
IDENTITY = bytes(8)


class RealClock:
    def now(self) -> float:
        return time.monotonic()


class StillClock:
    """A clock on which time passes only when the test says so."""

    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time


Open = Callable[..., PicoSwitches]
Plug = Callable[..., PicoRig]


@pytest.fixture
def opened() -> Iterator[Open]:
    """Makes drivers, and closes them in the end."""
    made: list[PicoSwitches] = []

    def make(port: str, count: int = COUNT, clock: Clock | None = None) -> PicoSwitches:
        made.append(PicoSwitches(port, count, chips=CHIPS, sentinel=SENTINEL, clock=clock or RealClock()))
        return made[-1]

    yield make
    for switches in made:
        switches.close()


@pytest.fixture
def plugged() -> Iterator[Plug]:
    """Makes Picos, and puts them away in the end."""
    made: list[PicoRig] = []

    def make(**words: int) -> PicoRig:
        made.append(PicoRig(CHIPS, SENTINEL, **words))
        return made[-1]

    yield make
    for rig in made:
        rig.close()


def complaint(switches: PicoSwitches) -> str:
    """What the driver complains of, or nothing."""
    try:
        switches.read()
    except DeviceLost as lost:
        return str(lost)
    return ""


def seen(switches: PicoSwitches) -> int | None:
    """What the driver reads, or None while it cannot."""
    try:
        return switches.read()
    except DeviceLost:
        return None


def wait_to_read(switches: PicoSwitches, mask: int) -> None:
    wait_for(lambda: seen(switches) == mask, f"{mask:#x}")


# ---- through a sound line --------------------------------------------------------------------------------------------


def test_contacts_that_close_are_read(opened: Open, plugged: Plug) -> None:
    rig = plugged()
    rig.set_contacts(1 << 58)
    switches = opened(rig.port)
    assert isinstance(switches, Switches)
    wait_to_read(switches, 1 << 58)
    for mask in (0, 1 << 1, 1 << 199, (1 << 200) - 2, random.Random(7).getrandbits(199) << 1):
        rig.set_contacts(mask)
        wait_to_read(switches, mask)
    counters = switches.counters
    assert counters.connects == 1
    assert (counters.crc_errors, counters.missed) == (0, 0)
    assert counters.frames >= 7


def test_input_0_has_gone_by_before_the_pico_looks(opened: Open, plugged: Plug) -> None:
    rig = plugged()
    rig.set_contacts(0b11)
    switches = opened(rig.port)
    wait_to_read(switches, 0b10)


def test_inputs_beyond_the_count_are_left_out(opened: Open, plugged: Plug) -> None:
    rig = plugged()
    rig.set_contacts((1 << 200) - 1)
    wait_to_read(opened(rig.port, count=9), 0x1FE)


def test_places_are_those_of_the_chain(opened: Open, tmp_path: Path) -> None:
    switches = opened(str(tmp_path / "none"))
    assert switches.count == COUNT
    assert switches.place(58) == "chip 8, pin F"
    with pytest.raises(BadDevice, match="no input 200"):
        switches.place(200)


def test_a_reading_never_waits_for_the_line(opened: Open, plugged: Plug) -> None:
    rig = plugged()
    switches = opened(rig.port)
    wait_to_read(switches, 0)
    rig.freeze()
    frames = switches.counters.frames
    for _ in range(1000):
        switches.read()
    # A Pico that is out of time sends nothing, and still a thousand readings were answered from what it sent before.
    assert switches.counters.frames <= frames + 1


# ---- a chain that is not whole ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (levels(0, CHIPS - 1, SENTINEL), "the chain is one chip short of 26"),
        (bytes(CHIPS + 2), "every bit of the chain is 0"),
        (b"\xff" * 60, "every bit of the chain is 1"),
        (b"\xff" * 10, "does not end in its sentinel"),
    ],
)
def test_a_broken_chain_is_diagnosed_as_on_the_pi_itself(opened: Open, plugged: Plug, broken: bytes, why: str) -> None:
    rig = plugged()
    switches = opened(rig.port)
    wait_to_read(switches, 0)
    rig.set_levels(broken.ljust(64, b"\0"))
    wait_for(lambda: why in complaint(switches), why)
    rig.set_contacts(2)
    wait_to_read(switches, 2)


# ---- a line that is not sound ----------------------------------------------------------------------------------------


class Spoiler:
    """Changes, drops and invents bytes, about one in `often`, until told to stop."""

    def __init__(self, seed: int, often: int) -> None:
        self.random = random.Random(seed)
        self.often = often
        self.spoiled = 0

    def __call__(self, data: bytes) -> bytes:
        out = bytearray()
        for byte in data:
            if self.random.randrange(self.often):
                out.append(byte)
            else:
                self.spoiled += 1
                out += self.random.choice([b"", bytes([self.random.randrange(256)]), bytes([byte, 0]), b"\x03\xff" * 9])
        return bytes(out)


def test_noise_and_lost_bytes_delay_what_is_read_but_never_change_it(opened: Open, plugged: Plug) -> None:
    rig = plugged()
    to_host, to_pico = Spoiler(1, 60), Spoiler(2, 20)
    rig.to_host, rig.to_pico = to_host, to_pico
    switches = opened(rig.port)
    chance = random.Random(3)
    old = 0
    for _ in range(12):
        new = chance.getrandbits(199) << 1
        rig.set_contacts(new)

        def settled(old: int = old, new: int = new) -> bool:
            mask = seen(switches)
            # A contact that has not moved reads as ever.
            assert mask is None or (mask ^ new) & ~(old ^ new) == 0
            return mask == new

        wait_for(settled, f"{new:#x} through the noise")
        old = new
    wait_for(lambda: switches.counters.resends, "a lost acknowledgement")
    assert to_host.spoiled
    assert to_pico.spoiled
    assert switches.counters.crc_errors


def test_a_pico_that_starts_anew_in_the_midst_of_a_frame_is_asked_again(opened: Open, plugged: Plug) -> None:
    rig = plugged()
    cut = threading.Event()

    def half(data: bytes) -> bytes:
        if cut.is_set():
            return b""
        cut.set()
        return data[: len(data) // 2]

    switches = opened(rig.port)
    wait_to_read(switches, 0)
    rig.to_host = half
    wait_for(cut.is_set, "half a frame")
    rig.reset()
    rig.set_contacts(1 << 77)
    rig.to_host = bytes
    wait_to_read(switches, 1 << 77)
    assert switches.counters.connects >= 2
    assert switches.counters.crc_errors


def test_a_pulled_cable_is_noticed_at_once_and_comes_back_by_itself(opened: Open, plugged: Plug) -> None:
    rig = plugged()
    # No report grows old here: it is the port's going that is noticed.
    switches = opened(rig.port, clock=StillClock())
    wait_to_read(switches, 0)
    for _ in range(2):
        rig.unplug()
        wait_for(lambda: "cable" in complaint(switches), "the loss")
        wait_for(lambda: "there is no such port" in complaint(switches), "the reason")
        assert rig.port in complaint(switches)
        rig.set_contacts(1 << 5)
        rig.replug()
        wait_to_read(switches, 1 << 5)
    assert switches.counters.connects == 3


def test_a_pico_that_is_plugged_in_late_is_found(opened: Open, plugged: Plug) -> None:
    rig = plugged()
    rig.unplug()
    switches = opened(rig.port)
    wait_for(lambda: "there is no such port" in complaint(switches), "the reason")
    rig.replug()
    wait_to_read(switches, 0)


def test_a_pico_that_hangs_is_lost_after_half_a_second(opened: Open, plugged: Plug) -> None:
    rig, clock = plugged(), StillClock()
    switches = opened(rig.port, clock=clock)
    wait_to_read(switches, 0)
    rig.freeze()
    clock.time += STALE - 0.01
    assert complaint(switches) == ""
    clock.time += 0.02
    assert "its reports have stopped" in complaint(switches)
    rig.reset()
    clock.time += ASK
    wait_to_read(switches, 0)


def test_a_program_of_another_protocol_is_named(opened: Open, plugged: Plug) -> None:
    switches = opened(plugged(protocol=2).port)
    wait_for(lambda: "speaks another protocol" in complaint(switches), "the reason")
    assert "(version 1.0.0)" in complaint(switches)
    assert "yardboard firmware install" in complaint(switches)


def test_a_program_for_fewer_inputs_is_named(opened: Open, plugged: Plug) -> None:
    switches = opened(plugged(longest=16).port)
    wait_for(lambda: "reads 128 inputs, and 224 are asked for" in complaint(switches), "the reason")


def test_a_program_that_breaks_is_quoted(opened: Open, plugged: Plug) -> None:
    rig = plugged(fail=30)
    switches = opened(rig.port, clock=StillClock())
    wait_for(lambda: "the bench was told to fail" in complaint(switches), "the reason")
    # A Pico that starts anew takes its port away, but not the reason.
    rig.unplug()
    wait_for(lambda: "there is no such port" in complaint(switches), "the loss")
    assert "the bench was told to fail" in complaint(switches)
    rig.replug()
    wait_for(lambda: switches.counters.connects == 2, "another answer")


def test_closing_lets_go_of_the_port_and_ends_the_thread(opened: Open, plugged: Plug) -> None:
    rig = plugged()
    before = threading.active_count()
    switches = opened(rig.port)
    wait_to_read(switches, 0)
    switches.close()
    switches.close()
    assert threading.active_count() == before
    with Serial(rig.port, exclusive=True):
        pass


# ---- ports on which there is no such Pico ----------------------------------------------------------------------------


@pytest.fixture
def ends() -> Iterator[tuple[int, str]]:
    """A port, and the end of it that is held by nobody."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    yield master, os.ttyname(slave)
    os.close(master)
    os.close(slave)


def test_a_silent_port_is_told_from_a_missing_one(opened: Open, ends: tuple[int, str]) -> None:
    switches = opened(ends[1])
    wait_for(lambda: "it is silent" in complaint(switches), "the reason")
    assert "yardboard firmware install" in complaint(switches)
    assert Reader().take(os.read(ends[0], 100))[0] == (HELLO, 0, bytes([PROTOCOL, CHIPS + 2]))


def test_a_prompt_is_told_from_yardboards_program(opened: Open, ends: tuple[int, str]) -> None:
    switches = opened(ends[1])

    def answered() -> bool:
        if select.select([ends[0]], [], [], 0)[0]:
            os.read(ends[0], 100)
            os.write(ends[0], b"\r\nSyntaxError: invalid syntax\r\n>>> ")
        return "it sends something else" in complaint(switches)

    wait_for(answered, "the reason")


def test_a_port_that_another_program_has_is_named(opened: Open, ends: tuple[int, str]) -> None:
    with Serial(ends[1], exclusive=True):
        switches = opened(ends[1])
        wait_for(lambda: "another program has the port open" in complaint(switches), "the reason")


def denied(*_: object, **__: object) -> Any:
    raise SerialException(errno.EACCES, "could not open port")


def test_a_port_that_is_not_allowed_says_which_group_is(
    opened: Open, ends: tuple[int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("serial.Serial", denied)
    switches = opened(ends[1])
    wait_for(lambda: "group dialout" in complaint(switches), "the reason")


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
    wait_for(lambda: by_id.name in complaint(other), "what there is")


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
    wait_for(lambda: "several ports have the serial number e661" in complaint(switches), "the reason")
    assert complaint(switches).endswith(f"give the path of one: {tmp_path / names[0]}, {tmp_path / names[1]}")


def test_a_fault_of_the_thread_s_own_is_told_and_does_not_end_it(
    opened: Open, plugged: Plug, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, broken = Talk.receive, threading.Event()

    def failing(talk: Talk, data: bytes, now: float) -> bytes:
        if broken.is_set():
            raise ZeroDivisionError("by nothing")
        return whole(talk, data, now)

    monkeypatch.setattr(Talk, "receive", failing)
    switches = opened(plugged().port, clock=StillClock())
    wait_to_read(switches, 0)
    broken.set()
    wait_for(lambda: "yardboard's own: ZeroDivisionError('by nothing')" in complaint(switches), "the fault")
    broken.clear()
    wait_to_read(switches, 0)


class ForgetfulTalk(Talk):
    """A talk whose report is gone at the second look: trouble has come in between."""

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
    line._talk, line._trouble = ForgetfulTalk(4, 0.0, Counters()), ""
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
    wait_for(lambda: len(pauses) == 1 and pauses[0] >= 5, "five pauses of one sequence")
    rig.replug()
    wait_to_read(switches, 0)
    rig.unplug()
    wait_for(lambda: len(pauses) == 2 and pauses[1] >= 5, "another sequence")


def test_pauses_double_up_to_four_seconds() -> None:
    assert list(islice(back_off(), 7)) == [0.25, 0.5, 1.0, 2.0, 4.0, 4.0, 4.0]


# ---- wrong values ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("port", "count", "chips", "why"),
    [
        ("", 8, 2, "no port is named"),
        ("/dev/x", 8, 65, "a Pico reads 64 at the most"),
        ("/dev/x", 9, 2, "there can be 1 to 8"),
        ("/dev/x", 1, 1, "1 chips"),
    ],
)
def test_wrong_values_are_refused_before_any_thread_starts(port: str, count: int, chips: int, why: str) -> None:
    before = threading.active_count()
    with pytest.raises(BadDevice, match=why):
        PicoSwitches(port, count, chips=chips, sentinel=SENTINEL, clock=RealClock())
    assert threading.active_count() == before


def test_without_pyserial_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "serial", None)
    with pytest.raises(NotInstalled, match=r"pip install '\.\[pi\]'"):
        PicoSwitches("/dev/x", 8, chips=2, sentinel=SENTINEL, clock=RealClock())


# ---- the talk, on a clock of the test's own --------------------------------------------------------------------------


def welcome(protocol: int = PROTOCOL, length: int = 4) -> bytes:
    return encode(WELCOME, 0, bytes([protocol, 1, 2, 3]) + (8 * length).to_bytes(2, "big") + IDENTITY)


def test_a_hello_is_said_at_once_and_again_while_nothing_comes() -> None:
    talk = Talk(4, 10.0, Counters())
    hello = encode(HELLO, 0, bytes([PROTOCOL, 4]))
    assert [talk.ask(10.0), talk.ask(10.0 + ASK - 0.01), talk.ask(10.0 + ASK)] == [hello, b"", hello]


def test_every_report_is_acknowledged_and_counted_for_what_it_is() -> None:
    talk = Talk(4, 0.0, Counters(frames=5))
    talk.ask(0.0)
    assert talk.receive(welcome(), 0.1) == b""
    for number in (1, 1, 4):
        assert talk.receive(encode(REPORT, number, b"abc" + bytes([number])), 0.2) == encode(ACK, number, b"")
    assert talk.receive(b"\0noise\0", 0.3) == b""
    assert talk.report == b"abc\x04"
    assert talk.heard == 0.2
    assert talk.counters == Counters(frames=9, crc_errors=1, resends=1, missed=2, connects=1)
    assert talk.ask(0.2 + ASK) != b""
    assert talk.ask(0.2 + ASK + 0.1) == b""


def test_reports_count_only_after_a_welcome_and_at_their_right_length() -> None:
    talk = Talk(4, 0.0, Counters())
    talk.ask(0.0)
    assert talk.receive(encode(REPORT, 1, b"abcd"), 0.1) == b""
    talk.receive(welcome(), 0.1)
    assert talk.receive(encode(REPORT, 1, b"abc"), 0.1) == b""
    assert talk.report == b""


def test_a_pico_that_begins_anew_is_not_heard_before_it_has_said_so() -> None:
    talk = Talk(4, 0.0, Counters())
    talk.ask(0.0)
    talk.receive(welcome() + encode(REPORT, 1, b"abcd") + encode(REPORT, 2, b"abcd"), 0.1)
    assert talk.ask(0.5) != b""
    # The welcome was lost; by its number this report would be the 65536th.
    assert talk.receive(encode(REPORT, 1, b"efgh"), 0.6) == b""
    assert talk.receive(welcome() + encode(REPORT, 1, b"efgh"), 0.9) == encode(ACK, 1, b"")
    assert (talk.counters.missed, talk.counters.resends, talk.report) == (0, 0, b"efgh")


@pytest.mark.parametrize("answer", [welcome(protocol=2), welcome(length=3), encode(WELCOME, 0, b"")])
def test_reports_of_a_pico_that_does_not_fit_are_not_taken(answer: bytes) -> None:
    talk = Talk(4, 0.0, Counters())
    talk.ask(0.0)
    assert talk.receive(answer + encode(REPORT, 1, b"abcd"), 0.1) == b""
    assert talk.report == b""
    assert "yardboard firmware install" in talk.problem


def test_trouble_is_forgotten_when_reports_come_again() -> None:
    talk = Talk(4, 0.0, Counters())
    talk.ask(0.0)
    talk.receive(welcome() + encode(REPORT, 1, b"abcd") + encode(TROUBLE, 0, "kaputt \xe4".encode()), 0.1)
    assert talk.report == b""
    assert "kaputt \xe4" in talk.problem
    talk.receive(welcome() + encode(REPORT, 1, b"abcd"), 0.2)
    assert "kaputt" not in talk.problem


@settings(deadline=None)
@given(st.integers(0, 2**32), st.integers(5, 60), st.lists(st.integers(0, 255), min_size=1, max_size=5))
def test_once_the_line_is_sound_again_the_host_knows_what_the_pico_sees(
    seed: int, often: int, contacts: list[int]
) -> None:
    spoiler = Spoiler(seed, often)
    talk, link = Talk(4, 0.0, Counters()), Link(IDENTITY)
    seen = {bytes([byte]) * 4 for byte in contacts}
    milliseconds = 0

    def pass_on(spoil: Callable[[bytes], bytes], chain: bytes) -> None:
        nonlocal milliseconds
        milliseconds += 1
        now = milliseconds / 1000
        link.receive(spoil(talk.ask(now)), milliseconds)
        answer = talk.receive(spoil(link.send(chain, milliseconds)), now)
        if answer:
            link.receive(spoil(answer), milliseconds)
        assert talk.report in {b"", *seen}

    for byte in contacts:
        for _ in range(150):
            pass_on(spoiler, bytes([byte]) * 4)
    for _ in range(400):
        pass_on(bytes, bytes([contacts[-1]]) * 4)
    assert talk.report == bytes([contacts[-1]]) * 4
    assert milliseconds / 1000 - talk.heard <= 0.1


# ---- writing the program ---------------------------------------------------------------------------------------------


class Remote:
    """In the place of `subprocess.run`: an mpremote that fails as often as told.

    Attributes:
        words: the commands.
        patience: seconds that each was given.
    """

    def __init__(self, failures: int = 0, sums: str = "", *, hangs: bool = False) -> None:
        self.failures = failures
        self.sums = sums
        self.hangs = hangs
        self.words: list[list[str]] = []
        self.patience: list[float] = []

    def __call__(self, command: list[str], *, timeout: float, **_: Any) -> Any:
        self.words.append(command)
        self.patience.append(timeout)
        if self.failures and self.hangs:
            raise subprocess.TimeoutExpired(command, timeout)
        if self.failures:
            self.failures -= 1
            raise subprocess.CalledProcessError(
                1, command, "", "Traceback:\nTransportError: could not enter raw repl\n"
            )
        return subprocess.CompletedProcess(command, 0, f"{self.sums}\n", "")


def test_a_pico_that_is_just_starting_is_called_again(ends: tuple[int, str]) -> None:
    remote, said, pauses = Remote(failures=2, sums="1"), [], []
    with pytest.raises(DeviceLost, match="is not what was copied"):
        install(ends[1], said.append, run=remote, pause=pauses.append)
    assert said[:3] == [
        f"Calling the Pico on {ends[1]}: 3 times at most, 5 seconds each",
        "No answer to call 1 of 3; trying again in 2 seconds",
        "No answer to call 2 of 3; trying again in 2 seconds",
    ]
    assert pauses == [2.0, 2.0]
    assert remote.words[0][1:5] == ["-m", "mpremote", "connect", ends[1]]


def test_a_pico_that_never_answers_is_lost(ends: tuple[int, str]) -> None:
    with pytest.raises(DeviceLost, match=rf"on {ends[1]} .*could not enter raw repl.*end yardboard"):
        install(ends[1], str, run=Remote(failures=99), pause=abs)


def test_what_never_says_anything_is_given_up_in_less_than_20_seconds(ends: tuple[int, str]) -> None:
    remote, pauses = Remote(failures=1, hangs=True), []
    with pytest.raises(DeviceLost, match=rf"on {ends[1]} .*nothing for 5 seconds"):
        install(ends[1], str, run=remote, pause=pauses.append)
    assert len(remote.patience) == 3
    assert sum(remote.patience) + sum(pauses) < 20


def test_what_is_no_serial_port_is_not_called(
    tmp_path: Path, ends: tuple[int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "fifo")
    remote = Remote()
    for name in ("", "file", "fifo"):
        with pytest.raises(
            DeviceLost, match=rf"^pico: {tmp_path / name} is no serial port; a Pico's is in /dev/serial"
        ):
            install(str(tmp_path / name), str, run=remote)
    with pytest.raises(DeviceLost, match=rf"^pico: {tmp_path / 'none'}: there is no such port; .*ports in"):
        install(str(tmp_path / "none"), str, run=remote)
    monkeypatch.setattr(pico_install.os, "open", denied)
    with pytest.raises(DeviceLost, match=rf"^pico: {ends[1]}: permission denied; .*dialout"):
        install(ends[1], str, run=remote)
    assert remote.words == []


@pytest.mark.parametrize(
    ("names", "why"),
    [
        ([], "hold BOOTSEL"),
        (["usb-FTDI_cable-if00"], "hold BOOTSEL"),
        (["usb-MicroPython_Board_1", "usb-MicroPython_Board_2"], "there are several"),
    ],
)
def test_a_pico_is_taken_unasked_only_if_there_is_one(
    names: list[str], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pico_install, "BY_ID", tmp_path)
    for name in names:
        (tmp_path / name).touch()
    with pytest.raises(DeviceLost, match=why):
        install(None, str, run=Remote())
    (tmp_path / "usb-MicroPython_Board_1").touch()
    (tmp_path / "usb-MicroPython_Board_2").unlink(missing_ok=True)
    remote = Remote(sums="1")
    with pytest.raises(DeviceLost, match="is not what was copied"):
        install(None, str, run=remote)
    assert remote.words[0][4] == str(tmp_path / "usb-MicroPython_Board_1")


def test_an_unknown_serial_number_is_lost_and_of_one_that_several_have_all_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(DeviceLost, match=r"^pico: e661: there is no such port"):
        install("e661", str, run=Remote())
    monkeypatch.setattr(pico, "BY_ID", tmp_path)
    for name in ("usb-Pico_e661-if00", "usb-Pico_e661-if02"):
        (tmp_path / name).touch()
    with pytest.raises(DeviceLost, match=r"^pico: e661: several ports .*e661-if00, .*e661-if02$"):
        install("e661", str, run=Remote())


def test_without_mpremote_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pico_install, "find_spec", lambda name: None if name == "mpremote" else builtins.object())
    with pytest.raises(NotInstalled, match=r"pip install '\.\[pico\]'"):
        install("/dev/x", str, run=Remote())
