"""Tables with a configuration's real drivers, and the same tables without drivers, to compare them with.

The same hands play on both: a `SimulatedHardware` has the magnets and the fingers. At a wired table its raw samples
are put on the wires. At a plain table they go straight to the table, and the outputs of the table are recorded before
any driver.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PIL import Image, ImageChops

from firmware_host.config.drivers.buttons_driver import KEYS
from firmware_host.config.drivers.neopixel_drivers import NeopixelSettings
from firmware_host.config.drivers.oled_driver import OledSettings
from firmware_host.config.loader import Config, load
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.table import device_factory
from firmware_host.table.compose import compose
from firmware_host.table.table import Table
from hardware.backend import Backend
from hardware.current_limit import LimitedLamps
from hardware.drivers.pico import ASK, STALE, PicoLine, PicoSwitches
from hardware.drivers.pico_handset import PicoKeys
from hardware.ports import Keys, Switches
from hardware.sim import SimulatedHardware
from tests.hardware.drivers.panel_bench import DARK
from tests.waiting import until
from tests.wired.wired_boards import PiBoard

CONFIGS = Path(__file__).parents[2] / "config"
BUILDS = ("london-spi", "london-pico", "dice-matrix", "junior-gpio")

SECONDS = 20.0
"""Seconds of real time after which an awaited thread counts as hung."""

KEYS_ON_PICO = PicoKeys.names

DROPPED = 5.0
"""Seconds of real time after which a request to the Pico counts as dropped."""


def build(name: str) -> Config:
    return load(CONFIGS / f"{name}.toml")


class HandsAtKnob(SimulatedHardware):
    """Magnets and fingers at a board whose handset may have a knob, and buttons with a second meaning when held."""

    config: Config
    board: PiBoard | None = None

    def press(self, key: str, ms: float = 60) -> None:
        wanted = self.config.keys
        held = {also: key for key, also in wanted.long.items()}
        if key in held:
            super().press(held[key], wanted.hold_ms + 100)
            self.advance(150)
        elif key in wanted.long:
            super().press(key, ms)
            self.advance(150)
        elif wanted.encoder and key in {"handset.up", "handset.down"}:
            self._click(clockwise=key == "handset.down")
        else:
            super().press(key, ms)

    def _click(self, *, clockwise: bool) -> None:
        """Close the leading contact and the other one, then open them in the same order."""
        assert self.board is not None
        lead, follow = (0, 1) if clockwise else (1, 0)
        for contact, closes in ((lead, True), (follow, True), (lead, False), (follow, False)):
            self.board.turn(contact, closed=closes)
            self.advance(7)
        self.advance(150)


class Spread:
    """The table's contacts on the inputs of the configured wiring. Implements the `Switches` port."""

    def __init__(self, config: Config, hardware: SimulatedHardware) -> None:
        self._inputs = sorted(config.layout.switch_inputs)
        self._hardware = hardware
        self._sample, self._spread = 0, 0
        self.count = config.layout.inputs

    def read(self) -> int:
        sample = self._hardware.switches.read()
        if sample != self._sample:
            bits = (1 << number for spot, number in enumerate(self._inputs) if sample >> spot & 1)
            self._sample, self._spread = sample, sum(bits)
        return self._spread

    def place(self, number: int) -> str:
        return f"input {number}"

    def close(self) -> None:
        pass


class AtBoard(SimulatedTable):
    """A simulated table whose board is that of a real configuration."""

    hardware: HandsAtKnob
    contacts: Spread

    def _create_hardware(self) -> SimulatedHardware:
        config, layout = self.config, self.config.layout
        places = layout.positions_mm(config.board.width_mm)
        by_input = sorted(zip(layout.switch_inputs, layout.stations, strict=True))
        hardware = HandsAtKnob(
            {station: places[station] for _, station in by_input},
            lamps=layout.lamps,
            keys=KEYS,
            seed=self.seed,
            rough=self._rough,
            display=config.display.driver != "none",
            pace=self._pace,
        )
        hardware.config = config
        self.contacts = Spread(config, hardware)
        return hardware

    def _run(self, backend: Backend, step: Callable[[Table], None]) -> Table:
        """Run the table on these devices, with a step at every scan."""
        table = compose(
            self.config,
            backend,
            self._journal,
            rng=self._rng,
            wall_clock=self._wall_clock,
            resume=self._resume,
            audience=self._audience,
            taping=self._taping,
        )
        self.hardware.drive(lambda: step(table), hz=self.config.switches.scan_hz)
        self._lay_tiles(table)
        return table


class Wired(AtBoard):
    """A table on its real drivers.

    Attributes:
        board: the wires and what hangs on them.
        real: the devices, as `assembled` puts them together.
    """

    board: PiBoard
    real: Backend

    def _start(self) -> Table:
        self.board = self.hardware.board = PiBoard(self.config, lambda: self.hardware.clock.microseconds)
        self._doors = pytest.MonkeyPatch()
        self.board.solder(self._doors)
        self.pi = self.board.pi
        self.real = device_factory.make_devices(self.board.at_ports(), self.hardware.clock, self.pi)
        devices: tuple[Any, ...] = self.real.lamps._lamps, self.real.handset, self.real.display
        self._senders = [device._sender for device in devices]
        return self._run(self.real, self._scan)

    def _scan(self, table: Table) -> None:
        self.touch()
        if isinstance(self.real.switches, PicoSwitches):
            self._hear(self.real.switches._line)
        for line in self.pi.shared_devices.values():
            self._hear(line)
            self._sense_fingers(line)
        table.step()
        self.settle()
        self.board.look()

    def _hear(self, line: PicoLine) -> None:
        """Wait for the Pico's next report if the last is getting old, so that a busy machine does not look like a loss.

        The driver lives by the table's time, which stands still meanwhile; so it has had time to ask by then, once.
        What it asks is dropped where a pause cuts it in two: then it is to ask anew.
        """
        old = self.hardware.clock.now() - (ASK + STALE) / 2
        anew = time.monotonic() + DROPPED

        def is_fresh() -> bool:
            nonlocal anew
            if time.monotonic() > anew:
                line._session._asked, anew = -math.inf, time.monotonic() + DROPPED
            return bool(line._trouble) or not line._session.report or line._session.reported_at >= old

        until(is_fresh, "the Pico's next report", every=0.001)

    def _sense_fingers(self, line: PicoLine) -> None:
        """Wait, while the table's time stands still, until the handset's Pico has reported the keys that are down."""
        keys, held = self.hardware.keys, self.hardware.keys.read()
        fingers = sum(
            1 << KEYS_ON_PICO.index(name)
            for bit, name in enumerate(keys.names)
            if name in KEYS_ON_PICO and held >> bit & 1
        )
        until(lambda: bool(line._trouble) or line._session.report in {b"", bytes([fingers])}, "the keys", every=0.001)

    def touch(self) -> None:
        """Put the present contacts on the wires."""
        keys = self.hardware.keys
        held = keys.read()
        self.board.touch(self.contacts.read())
        self.board.press(frozenset(name for bit, name in enumerate(keys.names) if held >> bit & 1))

    def settle(self) -> None:
        """Wait, while the table's time stands still, until everything on its way has arrived."""
        until(lambda: all(sender.idle() for sender in self._senders), "what is on its way", every=0)

    def shines_as_meant(self) -> bool:
        """Return whether the lamps shine as the table last asked."""
        _, shown = self.board.lamps.frames[-1]
        return shown == shining(self.table._outputs._frame, self.config.lamps)

    def shows_as_meant(self, name: str) -> bool:
        """Return whether a screen shows the table's last picture, in its first minute, when pictures do not move."""
        screen = getattr(self.table._outputs, f"_{name}")
        return self.board.screens[name].pixels() == (screen._wanted or DARK).tobytes()

    def close(self) -> None:
        try:
            super().close()
            self.settle()
            self.board.look()
            self.real.close()
        finally:
            self.board.close()
            self._doors.undo()


class Plain(AtBoard):
    """The same table without drivers.

    Attributes:
        frames: every frame that the lamps got, not dimmed: its time in microseconds, and its bytes.
        pictures: name of a screen -> every picture that it got: its time, and its pixels at their places.
    """

    def _start(self) -> Table:
        now = lambda: self.hardware.clock.microseconds  # noqa: E731
        lamps = _AskedLamps(self.config.layout.lamps, now)
        self.frames = lamps.frames
        wanted = {"handset": self.config.handset, "display": self.config.display}
        screens = {name: _AskedPanel(oled, now) for name, oled in wanted.items()}
        self.pictures = {name: screen.pictures for name, screen in screens.items()}
        switches: Switches = self.contacts
        backend = Backend(
            switches,
            LimitedLamps(lamps, float("inf")),
            screens["handset"],
            screens["display"],
            self._buttons(),
            self.hardware.clock,
        )
        return self._run(backend, self._scan)

    def _buttons(self) -> Keys:
        """Return the fingers themselves; or a knob, or held keys, which only a driver understands."""
        if not self.config.keys.encoder and not self.config.keys.long:
            return self.hardware.keys
        self.hardware.board = PiBoard(self.config, lambda: 0)
        keys = self.config.devices["keys"]
        return keys.driver.make(keys, self.hardware.board.pi, self.hardware.clock)

    def _scan(self, table: Table) -> None:
        board, keys = self.hardware.board, self.hardware.keys
        if board is not None:
            held = keys.read()
            board.press(frozenset(name for bit, name in enumerate(keys.names) if held >> bit & 1))
        table.step()


class _AskedLamps:
    """Lamps that take frames at any time and record them."""

    def __init__(self, count: int, now: Callable[[], int]) -> None:
        self.count, self._now = count, now
        self.frames: list[tuple[int, bytes]] = []

    def ready(self) -> bool:
        return True

    def show(self, frame: bytes) -> None:
        self.frames.append((self._now(), frame))

    def close(self) -> None:
        pass


class _AskedPanel:
    """A panel that takes pictures at any time and records them at their places, which move with time."""

    size = (128, 64)

    def __init__(self, wanted: OledSettings, now: Callable[[], int]) -> None:
        self._wanted, self._now = wanted, now
        self.pictures: list[tuple[int, bytes]] = []

    def ready(self) -> bool:
        return True

    def show(self, picture: Image.Image | None) -> None:
        self.pictures.append((self._now(), wandered(picture, self._wanted, self._now()).tobytes()))

    def close(self) -> None:
        pass


def wandered(picture: Image.Image | None, wanted: OledSettings, now: int) -> Image.Image:
    """Return a picture at its place at a moment: it moves clockwise in a circle three dots wide, against burn-in."""
    if picture is None:
        return DARK
    step = now // (wanted.shift_s * 1_000_000) % 9
    walk = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)]
    if step == len(walk):
        return ImageChops.invert(ImageChops.offset(picture, *walk[-1]))
    return ImageChops.offset(picture, *walk[step])


def shining(frame: bytes, wanted: NeopixelSettings) -> bytes:
    """Return a frame after brightness and gamma, if the limit on the lamps' current allows it."""
    return bytes(byte and max(1, round(255 * (wanted.brightness * byte / 255) ** wanted.gamma)) for byte in frame)


def milliamps(frame: bytes) -> float:
    """Return the current of WS2812 lamps: 1 mA each, and 20 mA for each colour at its brightest."""
    return len(frame) / 3 + 20 * sum(frame) / 255


def changes(history: list[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """Return a history without entries that equal the one before."""
    return [now for before, now in zip([(0, None), *history], history, strict=False) if now[1] != before[1]]


@contextmanager
def seated(
    kind: type[AtBoard], config: Config, seed: int = 0, *, start: Mapping[str, int] | None = None, **rest: Any
) -> Iterator[tuple[Any, SimulatedPeople]]:
    """Yield a table with a game begun, at certain stations if given, and its players; close it at the end."""
    simulated = kind(config, seed=seed, **rest)
    try:
        simulated.new_game(detectives=len(start) - 1 if start else None, start=start)
        yield simulated, SimulatedPeople(simulated, Random(seed))
    finally:
        simulated.close()
