"""Run the real neopixel library on Blinka's board for any machine, and record what it would write."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from hardware.drivers import neopixels


class Writer:
    """A substitute for `neopixel_write` that records each write and its pin."""

    def __init__(self) -> None:
        self.written: list[tuple[int, bytes]] = []
        self.buffers: set[int] = set()
        self.calls = 0
        self.error: Exception | None = None

    def __call__(self, gpio: Any, buffer: bytearray) -> None:
        self.calls += 1
        if self.error is not None:
            raise self.error
        assert gpio.direction is sys.modules["digitalio"].Direction.OUTPUT
        self.written.append((gpio._pin.id, bytes(buffer)))
        self.buffers.add(id(buffer))


@pytest.fixture(scope="module")
def blinka() -> Iterator[tuple[ModuleType, ModuleType]]:
    """Yield Blinka's modules `board` and `neopixel` for any machine, and unload them afterwards."""
    before = set(sys.modules)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BLINKA_OS_AGNOSTIC", "1")
        patch.setenv("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
        import board  # noqa: PLC0415
        import neopixel  # noqa: PLC0415

        for pin in range(28):
            patch.setattr(board, f"D{pin}", type(board.NEOPIXEL)(pin), raising=False)
        yield board, neopixel
    for name in set(sys.modules) - before:
        if name.partition(".")[0] in {
            "adafruit_blinka",
            "adafruit_platformdetect",
            "board",
            "digitalio",
            "microcontroller",
            "neopixel",
            "neopixel_write",
        }:
            del sys.modules[name]


@pytest.fixture
def writer(blinka: tuple[ModuleType, ModuleType], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Writer]:
    """Yield the recorder. Every file that the drivers open is an empty file."""
    monkeypatch.setenv("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    for name in ("_PWM", "_SPI", "_PIO"):
        file = tmp_path / name
        file.touch()
        monkeypatch.setattr(neopixels, name, replace(getattr(neopixels, name), node=str(file)))
    writer = Writer()
    monkeypatch.setattr(blinka[1], "neopixel_write", writer)
    return writer


def colours(wire: bytes, order: str) -> bytes:
    """Return each lamp's red, green and blue from the bytes on the wire, for lamps with this colour order."""
    lamps = (dict(zip(order, wire[at : at + 3], strict=True)) for at in range(0, len(wire), 3))
    return bytes(lamp[colour] for lamp in lamps for colour in "RGB")
