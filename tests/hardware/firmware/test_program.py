"""The Pico's program as it is, run by MicroPython on a bench that models the chips and the pins."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from serial import Serial

import hardware.firmware
from hardware.drivers.pico_install import PROGRAMS, SHARED, files, install
from hardware.firmware.frames import ACK, HANDSET, HELLO, PROTOCOL, REPORT, TROUBLE, WELCOME, FrameReader, encode
from tests.hardware.firmware.rig import PicoRig
from tests.waiting import until

SOURCE = Path(hardware.firmware.__file__).parent
LENGTH = 5
CHIPS = 3
SENTINEL = 0b10010110
HELLO_FRAME = encode(HELLO, 0, bytes([PROTOCOL, LENGTH]))


class ProgramBench:
    """A rig, and a plain serial port on it."""

    def __init__(self, rig: PicoRig) -> None:
        self.rig = rig
        self.port = Serial(rig.port, exclusive=True, timeout=0.05, write_timeout=5)
        self.reader = FrameReader()
        self.heard: list[tuple[int, int, bytes]] = []

    def listen(self) -> None:
        self.heard += self.reader.take(self.port.read(max(1, self.port.in_waiting)))

    def hears(self, kind: int, payload: bytes | None = None) -> bool:
        self.listen()
        return any(heard == kind and payload in {None, said} for heard, _, said in self.heard)

    def told(self, line: str) -> bool:
        return line in self.rig.said


Make = Callable[..., ProgramBench]


@pytest.fixture
def bench() -> Iterator[Make]:
    made: list[ProgramBench] = []

    def make(**settings: int) -> ProgramBench:
        made.append(ProgramBench(PicoRig(CHIPS, SENTINEL, **settings)))
        return made[-1]

    yield make
    for one in made:
        one.port.close()
        one.rig.close()


def test_a_pico_waits_for_a_host_with_a_blinking_light_and_without_a_watchdog(bench: Make) -> None:
    pico = bench()
    until(lambda: pico.told("led"), "the light")
    pico.listen()
    assert pico.heard == []
    assert pico.rig.said == ["led"]


def test_a_hello_arms_the_watchdog_and_starts_the_reports(bench: Make) -> None:
    pico = bench()
    pico.port.write(HELLO_FRAME)
    until(lambda: pico.hears(REPORT), "a report")
    assert pico.heard[0][0] == WELCOME
    assert pico.told("watchdog 2000")


def test_the_chain_is_reported_as_it_comes_off_the_wire_in_mode_1(bench: Make) -> None:
    pico = bench()
    pico.rig.set_levels(b"\x80\x01\x96")
    pico.port.write(HELLO_FRAME)
    # One bit is gone before the first is seen; behind the last chip comes the ground at its serial input.
    until(lambda: pico.hears(REPORT, b"\x00\x03\x2c\x00\x00"), "the report")


def test_a_pico_whose_host_has_gone_starts_itself_anew(bench: Make) -> None:
    pico = bench(silence=300)
    pico.port.write(HELLO_FRAME)
    until(lambda: pico.told("reset"), "the new start")


def test_a_pico_whose_host_goes_on_talking_does_not(bench: Make) -> None:
    pico = bench(silence=1000, watchdog=1000)
    pico.port.write(HELLO_FRAME)

    def acknowledged() -> bool:
        pico.listen()
        pico.port.write(encode(ACK, pico.heard[-1][1] if pico.heard else 0, b""))
        return len({number for _, number, _ in pico.heard}) > 14

    until(acknowledged, "reports of one and a half seconds")
    assert not pico.told("reset")


def test_a_program_that_breaks_says_so_and_starts_anew(bench: Make) -> None:
    pico = bench(fail=20)
    pico.port.write(HELLO_FRAME)
    until(lambda: pico.hears(TROUBLE), "the trouble")
    assert b"told to fail" in pico.heard[-1][2]
    until(lambda: pico.told("reset"), "the new start")


def test_ctrl_c_leads_to_the_prompt_and_leaves_what_follows_to_it(bench: Make) -> None:
    pico = bench()
    until(lambda: pico.told("led"), "the light")
    pico.port.write(b"\r\x03\r\x01")
    said = b""

    def at_the_prompt() -> bool:
        nonlocal said
        said += pico.port.read(max(1, pico.port.in_waiting))
        return said.endswith(b"raw REPL; CTRL-B to exit\r\n>")

    until(at_the_prompt, "the prompt")
    assert pico.told("prompt")


# ---- writing it ------------------------------------------------------------------------------------------------------


def test_another_program_is_written_by_the_real_mpremote_and_runs(bench: Make) -> None:
    pico = bench()
    until(lambda: pico.told("led"), "the light")
    pico.port.close()
    # The program runs and has read its files.
    shutil.rmtree(pico.rig.flash / "hardware")
    (pico.rig.flash / "main.py").write_text("broken(")
    said: list[str] = []
    install(pico.rig.port, said.append, program="handset")
    for name, path in files("handset").items():
        assert (pico.rig.flash / path).read_bytes() == (SOURCE / name).read_bytes()
    assert [line.split()[0] for line in said] == ["Calling", "Found", *["Copying"] * 5, "All", "Started"]
    until(lambda: pico.told("reset"), "the new start")
    pico.rig.set_levels(bytes([0b10, 0x3C, 0]))
    pico.rig.reset()
    again = ProgramBench(pico.rig)
    again.port.write(encode(HELLO, 0, bytes([PROTOCOL, 1])))
    until(lambda: again.hears(REPORT, b"\x02"), "the key that is held down")
    assert again.heard[0][2].endswith(HANDSET)
    again.port.close()


def test_the_program_asks_for_nothing_that_a_pico_lacks() -> None:
    there = {"binascii", "select", "sys", "time", "machine", "micropython"}
    files_there = {*SHARED, *PROGRAMS.values()}
    for name in files_there:
        for node in ast.walk(ast.parse((SOURCE / name).read_text())):
            if isinstance(node, ast.Import):
                assert {alias.name for alias in node.names} <= there, name
            elif isinstance(node, ast.ImportFrom):
                assert node.module in there or str(node.module).rsplit(".", 1)[1] + ".py" in SHARED, name
    assert {path.name for path in SOURCE.glob("*.py")} == {*files_there, "__init__.py"}
