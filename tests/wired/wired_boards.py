"""Whole boards of real drivers: the configuration's wires, from the Pi's header to models of the devices.

`PiBoard` solders what the configuration names; the drivers get its pins and buses through `pi` and the patched doors of
the libraries, and nothing else of it. What goes over the wires to lamps and screens is decoded as they would.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
import smbus2
from gpiozero.pins.mock import MockFactory, MockPin

from firmware_host.config.drivers.oled_driver import NO_PIN, PICO, OledSettings
from firmware_host.config.loader import Config
from hardware.drivers.pins import PiAccess
from hardware.drivers.spi import Spi
from hardware.ports import DeviceLost
from tests.hardware.drivers.blinka_lamps import colours
from tests.hardware.drivers.handset_bench import HandsetRig
from tests.hardware.drivers.oled_model import Glass
from tests.hardware.drivers.panel_bench import CHIPS, I2cWires, PanelCable
from tests.hardware.drivers.reed_model import GroundedContacts, Matrix
from tests.hardware.drivers.shift_register_model import EdgeSpi, ShiftRegisterChain, WirePin
from tests.hardware.firmware.rig import PicoRig

_FRAME = re.compile(r"0{70,}([8e]*)0{70,}")
"""A transfer in hexadecimal: a reset, a digit for each bit of a lamp, and a reset."""


def colours_on_spi(transfer: bytes) -> bytes:
    """The bytes that lamps take from a transfer, which a `LampChain` would decode pulse by pulse, but slower."""
    frame = _FRAME.fullmatch(transfer.hex())
    assert frame, "no frame between two resets"
    bits = frame[1].replace("8", "0").replace("e", "1")
    return int(bits, 2).to_bytes(len(bits) // 8)


class PatientChain(EdgeSpi):
    """A chain of chips that is read edge by edge, but only once for each content of its registers.

    A game has thousands of scans, but few states of the contacts.
    """

    def __init__(self, chain: ShiftRegisterChain, mode: int) -> None:
        super().__init__(chain, mode)
        self._known: dict[object, tuple[bytes, list[list[int]]]] = {}

    def transfer(self, data: bytes) -> bytes:
        chain, chips = self.chain, self.chain.chips
        wires = chain.miso_stuck, frozenset(chain.deaf_edges), frozenset(chain.spikes)
        state = len(data), wires, tuple((tuple(chip.register), chip.powered) for chip in chips)
        if state not in self._known:
            self._known[state] = super().transfer(data), [chip.register.copy() for chip in chips]
        answer, after = self._known[state]
        for chip, register in zip(chips, after, strict=True):
            chip.register[:] = register
        return answer


class WiredLamps:
    """A chain of lamps, on SPI or on a pin.

    Attributes:
        frames: every frame that was sent: its time in microseconds, and its colours.
        transfers: the same frames as they came over SPI.
        plugged: whether the bus is there.
        opened: how many buses to it are open.
    """

    def __init__(self, order: str, now: Callable[[], int]) -> None:
        self._order, self._now = order, now
        self.frames: list[tuple[int, bytes]] = []
        self.transfers: list[bytes] = []
        self.plugged = True
        self.opened = 0

    def transfer(self, data: bytes) -> bytes:
        raise AssertionError(f"nothing comes back from lamps, yet {len(data)} bytes were asked for")

    def write(self, data: bytes) -> None:
        if not self.plugged:
            raise DeviceLost("lamps: /dev/spidev0.0 does not answer")
        assert len(data) <= 4096, "spidev's buffer"
        self.transfers.append(data)
        self.take(colours_on_spi(data))

    def take(self, wire: bytes) -> None:
        self.frames.append((self._now(), colours(wire, self._order)))

    def close(self) -> None:
        self.opened -= 1


class Screen:
    """A panel on I2C or SPI, and its observer.

    Attributes:
        glass: the panel.
        wire: the cable to it.
        seen: the picture after each transfer: its time in microseconds, and its pixels.
    """

    def __init__(self, wanted: OledSettings, now: Callable[[], int]) -> None:
        self.glass: Glass = CHIPS[wanted.chip](seed=1)  # type: ignore[index]
        self.wire = PanelCable(self.glass)
        self.seen: list[tuple[int, bytes]] = []
        self._now = now
        self._looked = 0
        self._known: dict[object, bytes] = {}

    def look(self) -> None:
        """Record the picture if anything was sent since the last call."""
        if self.wire.carried != self._looked:
            self._looked = self.wire.carried
            self.seen.append((self._now(), self.pixels()))

    def pixels(self) -> bytes:
        """Return the visible picture, line by line."""
        state = bytes(self.glass.memory), tuple(self.glass.registers().values())
        if state not in self._known:
            self._known[state] = self.glass.seen().tobytes()
        return self._known[state]

    def reset_line(self, level: int) -> None:
        if not level:
            self.glass.reset()

    def unplug(self) -> None:
        self.wire.plugged = False
        self.glass.power_up(seed=2)

    def replug(self) -> None:
        self.wire.plugged = True


class ScreenOnSpi:
    """A substitute for the SPI device of a screen. The level of D/C decides whether a byte is a command or data."""

    def __init__(self, screen: Screen, dc: Callable[[], int]) -> None:
        self._screen, self._dc = screen, dc
        screen.wire.open += 1

    def transfer(self, data: bytes) -> bytes:
        raise AssertionError(f"{len(data)} bytes to be read from a panel on SPI, which gives none")

    def write(self, data: bytes) -> None:
        glass = self._screen.glass
        for byte in data:
            self._screen.wire.carry(byte, glass.data if self._dc() else glass.command, OSError(5, "SPI failed"))

    def close(self) -> None:
        self._screen.wire.open -= 1


class PiBoard:
    """All devices of one Pi: on its header, and on USB.

    Args:
        config: the board's configuration.
        now: returns the time in microseconds for records.

    Attributes:
        factory: the pins.
        chain: the chips, if there are any.
        matrix: the matrix, if there is one.
        pico: the Pico under the board, if there is one.
        handset: the Pico in the handset, if there is one.
        lamps: the lamps.
        screens: the screens, by name.
        asked_for: every SPI device that was opened: name, bits a second, mode, and its user.
        buses: every I2C bus that was opened.
    """

    def __init__(self, config: Config, now: Callable[[], int]) -> None:
        self.config = config
        self._contacts = GroundedContacts()
        self._fingers: frozenset[int] = frozenset()
        self._reeds: frozenset[int] = frozenset()
        self.factory: MockFactory = self._contacts.factory
        self.chain: ShiftRegisterChain | None = None
        self.matrix: Matrix | None = None
        self.pico: PicoRig | None = None
        self.handset: HandsetRig | None = None
        self._touched = -1
        self._switches()
        self.lamps = WiredLamps(config.lamps.order, now)
        panels = {"handset": config.handset, "display": config.display}
        self.screens = {name: Screen(wanted, now) for name, wanted in panels.items() if wanted.driver != "none"}
        self._levels: dict[int, int] = {}
        for name, screen in self.screens.items():
            if panels[name].driver == PICO:
                self.handset = HandsetRig(glass=screen.glass, wire=screen.wire)
            else:
                self._solder_screen(panels[name], screen)
        for pin in config.keys.encoder:
            self.factory.pin(pin, pin_class=MockPin)
        self.asked_for: list[tuple[str, int, int, str]] = []
        self.buses: list[int] = []

    @property
    def pi(self) -> PiAccess:
        """Return the drivers' access to all of it."""
        return PiAccess(lambda: self.factory, self._open_spi)

    def at_ports(self) -> Config:
        """Return the configuration, with the ports that the Picos have here."""
        config = self.config
        if self.pico is not None:
            config = replace(config, switches=replace(config.switches, port=self.pico.port))
        if self.handset is not None:
            config = replace(config, handset=replace(config.handset, port=self.handset.port))
        return config

    def solder(self, patch: pytest.MonkeyPatch) -> None:
        """Put I2C and PWM behind the interfaces of the libraries."""
        patch.setattr(smbus2, "SMBus", self._open_i2c)
        if self.config.lamps.driver == "neopixel-pwm":
            import neopixel  # noqa: PLC0415 - only on Blinka's board for any machine

            patch.setattr(neopixel, "neopixel_write", self._write_pwm)

    # ---- hands ----

    def touch(self, closed: int) -> None:
        """Set the contacts under the board, bit *n* for input *n*."""
        if closed == self._touched:
            return
        self._touched = closed
        inputs = [n for n in range(closed.bit_length()) if closed >> n & 1]
        if self.chain is not None:
            self.chain.touch(closed)
        elif self.pico is not None:
            self.pico.set_contacts(closed)
        elif self.matrix is not None:
            self.matrix.closed = {divmod(n, len(self.config.switches.columns)) for n in inputs}
        else:
            self._reeds = frozenset(inputs)
            self._contacts.closed = set(self._reeds | self._fingers)

    def press(self, keys: frozenset[str]) -> None:
        """Set the names of the buttons that are down."""
        wired = {f"table.{key}": pin for key, pin in self.config.keys.table.items()}
        wired |= {f"handset.{key}": pin for key, pin in self.config.keys.handset.items()}
        if self.handset is not None:
            self.handset.hold(*(key.removeprefix("handset.") for key in keys - wired.keys()))
        self._fingers = frozenset(wired[key] for key in keys & wired.keys())
        self._contacts.closed = set(self._reeds | self._fingers)

    def turn(self, contact: int, *, closed: bool) -> None:
        """Open or close one of the two contacts of the knob: 0 is CLK, 1 is DT."""
        pin = self.factory.pin(self.config.keys.encoder[contact])
        (pin.drive_low if closed else pin.drive_high)()

    def look(self) -> None:
        """Record the pictures of the screens."""
        for screen in self.screens.values():
            screen.look()

    def close(self) -> None:
        """Stop everything that runs on its own."""
        for rig in (self.pico, self.handset):
            if rig is not None:
                rig.close()

    # ---- wires ----

    def _switches(self) -> None:
        wanted = self.config.switches
        match wanted.driver:
            case "shift-register":
                self.chain = ShiftRegisterChain(wanted.chips, sentinel=wanted.sentinel)
                self.factory.pin(wanted.load_pin, pin_class=WirePin, drives=self.chain.set_load)
            case "serial":
                self.pico = PicoRig(wanted.chips, wanted.sentinel)
            case "matrix":
                self.matrix = Matrix(list(wanted.rows), list(wanted.columns), "right")
                self.factory = self.matrix.factory
                self.factory.pin_class = self._contacts.factory.pin_class

    def _solder_screen(self, wanted: OledSettings, screen: Screen) -> None:
        if wanted.bus.startswith("spi"):
            dc = wanted.dc_pin
            self.factory.pin(dc, pin_class=WirePin, drives=partial(self._levels.__setitem__, dc))
        if wanted.reset_pin != NO_PIN:
            self.factory.pin(wanted.reset_pin, pin_class=WirePin, drives=screen.reset_line)

    def _open_spi(self, device: str, hz: int, mode: int, what: str) -> Spi:
        self.asked_for.append((device, hz, mode, what))
        if what == "switches":
            assert self.chain is not None
            return PatientChain(self.chain, mode)
        if what == "lamps":
            self.lamps.opened += 1
            return self.lamps
        wanted = self.config.handset if what == "handset" else self.config.display
        return ScreenOnSpi(self.screens[what], lambda: self._levels[wanted.dc_pin])

    def _open_i2c(self, number: int) -> I2cWires:
        self.buses.append(number)
        for name, wanted in (("handset", self.config.handset), ("display", self.config.display)):
            if wanted.bus == f"i2c-{number}":
                return I2cWires(self.screens[name].wire, wanted.address)
        raise AssertionError(f"nothing hangs on I2C bus {number}")

    def _write_pwm(self, gpio: Any, buffer: bytearray) -> None:
        assert gpio._pin.id == self.config.lamps.pins[0]
        self.lamps.take(bytes(buffer))
