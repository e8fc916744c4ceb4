"""Shared parts of the tests of a Pico's driver: clocks, fixtures, a disturbed line, and a port without a Pico."""

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
    """A clock that advances only when the test says so."""

    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time


Open = Callable[..., PicoSwitches]
Plug = Callable[..., PicoRig]


@pytest.fixture(name="opened")
def opened_fixture() -> Iterator[Open]:
    """Yield a function that creates drivers, and close them at the end."""
    made: list[PicoSwitches] = []

    def make(port: str, count: int = COUNT, clock: Clock | None = None) -> PicoSwitches:
        made.append(PicoSwitches(port, count, chips=CHIPS, sentinel=SENTINEL, clock=clock or BenchClock()))
        return made[-1]

    yield make
    for switches in made:
        switches.close()


@pytest.fixture(name="plugged")
def plugged_fixture() -> Iterator[Plug]:
    """Yield a function that creates Picos, and remove them at the end."""
    made: list[PicoRig] = []

    def make(**words: int) -> PicoRig:
        made.append(PicoRig(CHIPS, SENTINEL, **words))
        return made[-1]

    yield make
    for rig in made:
        rig.close()


def complaint(switches: PicoSwitches) -> str:
    """Return the complaint of the driver, or ""."""
    try:
        switches.read()
    except DeviceLost as lost:
        return str(lost)
    return ""


def listens(port: str) -> bool:
    """Return whether a driver's thread is at this port. The number of all threads depends on other tests, too."""
    return f"switches on {port}" in [thread.name for thread in threading.enumerate()]


def seen(switches: PicoSwitches) -> int | None:
    """Return what the driver reads, or None while it cannot read."""
    try:
        return switches.read()
    except DeviceLost:
        return None


def wait_to_read(switches: PicoSwitches, mask: int) -> None:
    until(lambda: seen(switches) == mask, f"{mask:#x}")


class Spoiler:
    """A disturbance that changes, drops and invents bytes, about one in `often`, until it is stopped."""

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
    """Yield a port, and its other end, which nobody holds."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    yield master, os.ttyname(slave)
    os.close(master)
    os.close(slave)


def denied(*_: object, **__: object) -> Any:
    raise SerialException(errno.EACCES, "could not open port")
