"""What the tests of the driver for a Pico share: clocks, fixtures, a spoiled line and a port without a Pico."""

from __future__ import annotations

import errno
import os
import pty
import random
import threading
import time
import tty
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from serial import SerialException

from hardware.drivers.pico import PicoSwitches
from hardware.ports import Clock, DeviceLost
from tests.hardware.firmware.rig import PicoRig
from tests.waiting import until

SENTINEL = 0b10010110
CHIPS = 26
COUNT = 200


class BenchClock:
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


@pytest.fixture(name="opened")
def opened_fixture() -> Iterator[Open]:
    """Makes drivers, and closes them in the end."""
    made: list[PicoSwitches] = []

    def make(port: str, count: int = COUNT, clock: Clock | None = None) -> PicoSwitches:
        made.append(PicoSwitches(port, count, chips=CHIPS, sentinel=SENTINEL, clock=clock or BenchClock()))
        return made[-1]

    yield make
    for switches in made:
        switches.close()


@pytest.fixture(name="plugged")
def plugged_fixture() -> Iterator[Plug]:
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


def listens(port: str) -> bool:
    """Whether a driver's thread is at that port. How many threads there are in all is other tests' doing, too."""
    return f"switches on {port}" in [thread.name for thread in threading.enumerate()]


def seen(switches: PicoSwitches) -> int | None:
    """What the driver reads, or None while it cannot."""
    try:
        return switches.read()
    except DeviceLost:
        return None


def wait_to_read(switches: PicoSwitches, mask: int) -> None:
    until(lambda: seen(switches) == mask, f"{mask:#x}")


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


@pytest.fixture(name="ends")
def ends_fixture() -> Iterator[tuple[int, str]]:
    """A port, and the end of it that is held by nobody."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    yield master, os.ttyname(slave)
    os.close(master)
    os.close(slave)


def denied(*_: object, **__: object) -> Any:
    raise SerialException(errno.EACCES, "could not open port")
