"""Lamps and a panel that wait at gates, and senders that send to them in the background."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from PIL import Image

from hardware.background_output import BackgroundLamps, BackgroundPanel
from hardware.sim.physics import SimClock
from tests.waiting import until

LONG = 30.0
"""Seconds after which a test gives up: no test ever waits that long unless it fails."""


class Gate:
    """A gate at which a device waits. Open unless shut; a shut gate lets through as many as the test allows."""

    def __init__(self) -> None:
        self._open = True
        self._allowed = 0
        self._changed = threading.Condition()
        self._waiting = 0

    def shut(self) -> None:
        self._open = False

    def pass_through(self) -> None:
        with self._changed:
            self._waiting += 1
            self._changed.notify_all()
            assert self._changed.wait_for(lambda: self._open or self._allowed, LONG)
            self._allowed -= not self._open
            self._waiting -= 1

    def let(self, number: int = 1) -> None:
        with self._changed:
            self._allowed += number
            self._changed.notify_all()

    def open(self) -> None:
        with self._changed:
            self._open = True
            self._changed.notify_all()

    def reached(self) -> None:
        """Wait until a device is at the gate."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._waiting, LONG)


class SlowLamps:
    """Lamps that finish a frame when the gate lets them through."""

    count = 1

    def __init__(self) -> None:
        self.gate = Gate()
        self.frames: list[bytes] = []
        self.error: Exception | None = None
        self.free = True
        self.closed_after: list[int] = []

    def ready(self) -> bool:
        return self.free

    def show(self, frame: bytes) -> None:
        self.gate.pass_through()
        if self.error is not None:
            raise self.error
        self.frames.append(frame)

    def close(self) -> None:
        self.closed_after.append(len(self.frames))


class SlowPanel:
    size = (4, 2)

    def __init__(self) -> None:
        self.gate = Gate()
        self.pictures: list[bytes | None] = []
        self.error: Exception | None = None
        self.closed = 0

    def ready(self) -> bool:
        return True

    def show(self, picture: Image.Image | None) -> None:
        self.gate.pass_through()
        if self.error is not None:
            raise self.error
        self.pictures.append(None if picture is None else picture.tobytes())

    def close(self) -> None:
        self.closed += 1


A, B, C, D = b"\x01\0\0", b"\x02\0\0", b"\x03\0\0", b"\x04\0\0"


@contextmanager
def lamps_with(stuck: float = 2.0) -> Iterator[tuple[SlowLamps, SimClock, BackgroundLamps]]:
    device, clock = SlowLamps(), SimClock()
    lamps = BackgroundLamps(device, clock, stuck=stuck)
    yield device, clock, lamps
    device.gate.open()
    device.error = None
    lamps.close()


@contextmanager
def panel_with() -> Iterator[tuple[SlowPanel, SimClock, BackgroundPanel]]:
    device, clock = SlowPanel(), SimClock()
    panel = BackgroundPanel(device, clock, what="handset")
    yield device, clock, panel
    device.gate.open()
    device.error = None
    panel.close()


def picture(pixel: int = 0) -> Image.Image:
    image = Image.new("1", SlowPanel.size)
    image.putpixel((pixel % 4, pixel // 4), 1)
    return image


def settled(panel: BackgroundPanel) -> None:
    until(panel._sender.idle)


def show_settled(panel: BackgroundPanel, image: Image.Image | None) -> None:
    panel.show(image)
    settled(panel)


def send(lamps: BackgroundLamps, frame: bytes) -> None:
    """Show a frame, and wait until it was sent."""
    lamps.show(frame)
    until(lamps.ready)


def hold_up(device: SlowLamps | SlowPanel, output: BackgroundLamps | BackgroundPanel, content: Any) -> None:
    """Show content at a shut gate, and wait until the device is at the gate."""
    device.gate.shut()
    output.show(content)
    device.gate.reached()
