"""Boards put together from their configurations: the right drivers on the right wires, and all or nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import smbus2
from gpiozero import InputDevice, OutputDevice
from gpiozero.pins.mock import MockFactory
from PIL import Image

from firmware_host.config.drivers.oled_driver import OLED_HZ
from firmware_host.config.loader import Config, parse, simulator
from firmware_host.table.device_factory import make_devices
from hardware.backend import Backend
from hardware.background_output import BackgroundLamps, BackgroundPanel
from hardware.contacts.debounce import LongPresses
from hardware.current_limit import LimitedLamps
from hardware.drivers.buttons import ButtonKeys, JoinedKeys
from hardware.drivers.neopixels import HZ, SpiLamps
from hardware.drivers.pico import PicoSwitches
from hardware.drivers.pins import GpioSwitches, MatrixSwitches, PiAccess
from hardware.drivers.shift_register import ShiftRegisterSwitches
from hardware.ports import BadDevice, DeviceLost, NotInstalled
from hardware.sim.physics import SimClock
from tests.hardware.drivers.blinka_lamps import Writer, blinka, writer
from tests.hardware.drivers.lamp_line import LampWire
from tests.uninstalled import uninstall
from tests.wired.wired_boards import colours_on_spi

__all__ = ["blinka", "uninstall", "writer"]  # fixtures

CONFIGS = Path(__file__).parents[2] / "config"
LONDON_SPI, LONDON_PICO, DICE, JUNIOR = BUILDS = ("london-spi", "london-pico", "dice-matrix", "junior-gpio")
WHITE = Image.new("1", (128, 64), 1)

KEYS = {f"table.{key}" for key in ("taxi", "bus", "underground", "confirm", "back")} | {
    f"handset.{key}" for key in ("up", "down", "select", "back")
}


def build(name: str, **instead: str) -> Config:
    """A shipped build, with some words of it replaced: old -> new."""
    text = (CONFIGS / f"{name}.toml").read_text(encoding="utf-8")
    for old, new in instead.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return parse(text, f"{name}.toml")


class Header:
    """The header of a Pi to which nothing is soldered; whoever takes something of it is written down.

    Attributes:
        factory: its pins.
        spi: every SPI device that was asked for, by name, bits a second, mode and what for; with its wire.
        i2c: bus and address of every transfer on I2C.
        buses: the I2C buses that are open.
    """

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.factory = MockFactory()
        self.spi: list[tuple[tuple[str, int, int, str], LampWire]] = []
        self.i2c: set[tuple[int, int]] = set()
        self.buses: list[int] = []
        header = self

        class Bus:
            def __init__(self, number: int) -> None:
                self.number = number
                header.buses.append(number)

            def write_i2c_block_data(self, address: int, _: int, data: list[int]) -> None:
                assert data
                header.i2c.add((self.number, address))

            def close(self) -> None:
                header.buses.remove(self.number)

        patch.setattr(smbus2, "SMBus", Bus)

    def open_spi(self, device: str, hz: int, mode: int, what: str) -> LampWire:
        wire = LampWire()
        self.spi.append(((device, hz, mode, what), wire))
        return wire

    def assembled(self, config: Config) -> Backend:
        return make_devices(config, SimClock(), PiAccess(lambda: self.factory, self.open_spi))

    def wire(self, what: str) -> LampWire:
        """The last wire that was asked for by a device."""
        return [wire for asked, wire in self.spi if asked[3] == what][-1]

    def uses(self) -> dict[int, str]:
        """GPIO -> what a device holds it as, now."""
        taken = [info for info, owners in self.factory._reservations.items() if any(owner() for owner in owners)]
        return {int(info.name.removeprefix("GPIO")): self.factory.pins[info].function for info in taken}

    def shown(self, backend: Backend) -> None:
        """Something is shown on everything, and has arrived when this returns: closing a courier waits for it."""
        backend.lamps.show(bytes([250, 120, 10]) * backend.lamps.count)
        backend.handset.show(WHITE)
        assert backend.display is not None
        backend.display.show(WHITE)
        backend.close()


@pytest.fixture
def header(monkeypatch: pytest.MonkeyPatch) -> Header:
    return Header(monkeypatch)


def inner(device: Any) -> Any:
    """What a limit, or a thread, or a chain of one strip, was put around."""
    while True:
        match device:
            case LimitedLamps() | BackgroundLamps():
                device = device._lamps
            case BackgroundPanel():
                device = device._sender._deliver.__self__
            case _:
                return device


def couriers() -> set[str]:
    """The threads that carry frames and pictures."""
    return {thread.name for thread in threading.enumerate()} & {"lamps", "handset", "display"}


def test_london_on_its_own_pins(header: Header) -> None:
    config = build(LONDON_SPI)
    backend = header.assembled(config)
    switches = backend.switches
    assert isinstance(switches, ShiftRegisterSwitches)
    assert switches.count == 200
    assert switches.place(min(config.layout.switch_inputs)) == "chip 1, pin G"
    assert switches.place(max(config.layout.switch_inputs)) == "chip 25, pin A"
    assert header.uses() == {
        16: "output",
        **dict.fromkeys((17, 27, 22, 23, 24), "input"),
        **dict.fromkeys((12, 13, 25, 26, 6), "input"),
    }
    assert isinstance(backend.keys, ButtonKeys)
    assert set(backend.keys.names) == KEYS | {"handset.peek"}
    assert backend.lamps.count == 223
    assert backend.lamps.max_milliamps == 3000
    assert [asked for asked, _ in header.spi] == [("6.0", 1_000_000, 1, "switches"), ("0.0", HZ, 0, "lamps")]
    with pytest.raises(DeviceLost, match=r"switches: .*every bit of the chain is 0"):
        _read_zeros(header, switches)
    header.shown(backend)
    assert header.i2c == {(1, 0x3C), (3, 0x3C)}


def _read_zeros(header: Header, switches: ShiftRegisterSwitches) -> None:
    header.wire("switches").transfer = lambda data: bytes(len(data))  # type: ignore[method-assign]
    switches.read()


def test_the_chain_is_read_with_its_own_number_of_chips_and_sentinel(header: Header) -> None:
    read = []

    def answer(data: bytes) -> bytes:
        read.append(len(data))
        chain = 0xFF << 8 * 26 | ((1 << 8 * 25) - 1) << 8 | 0x17
        return (chain << 1 & (1 << 8 * 26) - 1).to_bytes(26)  # mode 1: the first bit has gone by

    backend = header.assembled(build(LONDON_SPI, **{"sentinel = 0x96 ": "sentinel = 0x17 "}))
    header.wire("switches").transfer = answer  # type: ignore[method-assign]
    assert backend.switches.read() == 0
    assert read == [26]
    backend.close()


def test_london_on_a_pico(header: Header) -> None:
    config = build(LONDON_PICO)
    backend = header.assembled(config)
    assert isinstance(backend.switches, PicoSwitches)
    assert backend.switches.count == 200
    with pytest.raises(DeviceLost, match=config.switches.port):
        backend.switches.read()
    assert backend.lamps.count == 223
    assert header.uses() == dict.fromkeys((17, 27, 22, 23, 24), "input")
    assert set(backend.keys.names) == KEYS | {"handset.peek"}
    assert backend.keys.read() == 0
    with pytest.raises(DeviceLost, match=f"handset: no answer from the Pico on {config.handset.port}"):
        inner(backend.handset).show(WHITE)
    assert {"switches", "handset", "the handset's Pico"} <= set(backend.threads)
    header.shown(backend)
    assert {asked for asked, _ in header.spi} == {("0.0", HZ, 0, "lamps"), ("1.0", OLED_HZ, 0, "display")}
    assert not header.i2c
    assert not [thread.name for thread in threading.enumerate() if " on /dev/serial" in thread.name]
    assert header.wire("display").transfers


def test_dice_on_a_matrix_with_a_knob(header: Header, writer: Writer) -> None:
    config = build(DICE)
    backend = header.assembled(config)
    assert isinstance(backend.switches, MatrixSwitches)
    assert backend.switches.count == 36
    assert backend.switches.place(35) == "row 6, column 6 (GPIO 11, GPIO 20)"
    assert header.uses() == {
        **dict.fromkeys((6, 7, 8, 9, 10, 11), "output"),
        **dict.fromkeys((12, 13, 16, 17, 19, 20), "input"),
        **dict.fromkeys((21, 22, 23, 24, 25, 15), "input"),
        **dict.fromkeys((26, 27), "input"),
    }
    assert isinstance(backend.keys, LongPresses)
    assert isinstance(backend.keys._keys, JoinedKeys)
    assert set(backend.keys.names) == KEYS
    header.shown(backend)
    ((pin, frame),) = writer.written
    assert pin == 18
    assert len(frame) == 3 * (36 + 13)
    assert frame[0] < frame[1] > 0 == frame[2] - min(frame)  # green, red, blue
    assert not header.spi


def test_a_knob_of_another_make_presses_a_key_with_each_of_its_shorter_clicks(header: Header) -> None:
    backend = header.assembled(build(DICE, **{"encoder = [26, 27]": "encoder = [26, 27]\nencoder_steps = 2"}))
    clk, dt = header.factory.pin(26), header.factory.pin(27)
    clk.drive_low()
    dt.drive_low()
    assert backend.keys.read() == 1 << backend.keys.names.index("handset.down")
    backend.close()


def test_junior_on_a_pin_a_station(header: Header, uninstall: Callable[[str], None]) -> None:
    uninstall("neopixel")
    uninstall("board")
    config = build(JUNIOR)
    backend = header.assembled(config)
    assert isinstance(backend.switches, GpioSwitches)
    stations = [config.layout.input_of(config.layout.spot(station)) for station in range(1, 15)]
    assert stations == [6, 7, 8, 12, 13, 16, 17, 18, 19, 20, 21, 22, 26, 27]
    assert backend.switches.place(stations[5]) == "GPIO 16"
    assert header.uses() == dict.fromkeys((*stations, 23, 24, 25, 15, 14), "input")
    assert isinstance(backend.keys, LongPresses)
    assert set(backend.keys.names) == KEYS - {"table.taxi", "table.bus", "table.underground"}
    assert backend.lamps.count == 14 + 12
    assert isinstance(inner(backend.lamps)._strips[0].lamps, SpiLamps)
    header.shown(backend)
    (transfer,) = header.wire("lamps").transfers
    assert len(colours_on_spi(transfer)) == 3 * (14 + 12)
    assert header.i2c == {(1, 0x3C), (3, 0x3C)}


@pytest.mark.parametrize("pin", [15, -1])
def test_a_screen_on_i2c_is_reset_by_its_line_if_it_has_one(header: Header, pin: int) -> None:
    backend = header.assembled(build(LONDON_SPI, **{"reset_pin = 15": f"reset_pin = {pin}"}))
    line = header.factory.pin(15)
    line.clear_states()
    header.shown(backend)
    levels = [change.state for change in line.states]
    assert levels[1:] == ([False, True] if pin == 15 else [])


@pytest.mark.parametrize(("order", "first"), [("GRB", "GRB"), ("RGB", "RGB"), ("BRG", "BRG")])
def test_lamps_take_colours_in_their_order_dimmed_and_limited(header: Header, order: str, first: str) -> None:
    backend = header.assembled(build(LONDON_SPI, **{'order = "GRB"': f'order = "{order}"'}))
    assert isinstance(inner(backend.lamps)._strips[0].lamps, SpiLamps)
    backend.lamps.show(bytes([200, 0, 0, 0, 100, 0, 0, 0, 50]) + bytes(3 * 220))
    backend.close()
    (transfer,) = header.wire("lamps").transfers
    red, green, blue = (round(255 * (0.8 * byte / 255) ** 2.2) for byte in (200, 100, 50))
    lamps = [{"R": red}, {"G": green}, {"B": blue}]
    assert colours_on_spi(transfer)[:9] == bytes(lamp.get(colour, 0) for lamp in lamps for colour in first)


def test_two_strips_with_dead_lamps_are_one_chain_and_the_dead_ones_count_for_the_limit(header: Header) -> None:
    config = build(LONDON_SPI)
    lamps = replace(config.lamps, spi=("0.0", "5.0"), strips=(100, 123), dead=(1, 2), max_milliamps=1500)
    backend = header.assembled(replace(config, lamps=lamps))
    assert backend.lamps.count == 223
    backend.lamps.show(b"\xff" * 669)
    backend.close()
    assert [asked[0] for asked, _ in header.spi[1:]] == ["0.0", "5.0"]
    first, second = (colours_on_spi(wire.transfers[0]) for asked, wire in header.spi if asked[3] == "lamps")
    assert (len(first), len(second)) == (3 * 101, 3 * 125)
    assert first[:3] + second[:6] == bytes(9)
    assert 1400 < 226 + 20 * (sum(first) + sum(second)) / 255 <= 1500

    with pytest.raises(BadDevice, match=r"3 mA for spare ones; allow at least 226 mA"):
        header.assembled(replace(config, lamps=replace(lamps, max_milliamps=225)))


def test_a_screen_may_hang_upside_down_and_need_not_be_there(header: Header) -> None:
    backend = header.assembled(
        build(LONDON_SPI, **{'bus = "i2c-1" ': 'upside_down = true\nshift_s = 0\nbus = "i2c-1" '})
    )
    assert inner(backend.handset)._luma.rotate == 2
    assert inner(backend.handset)._shift_every == float("inf")
    assert inner(backend.display)._luma.rotate == 0
    backend.close()
    text = (CONFIGS / f"{LONDON_SPI}.toml").read_text(encoding="utf-8")
    start, end = text.index("[display]"), text.index("[keys]")
    backend = header.assembled(parse(f'{text[:start]}[display]\ndriver = "none"\n{text[end:]}', "test.toml"))
    assert backend.display is None
    backend.close()


MOCK = {'pin_factory = "lgpio"': 'pin_factory = "mock"'}


@pytest.mark.usefixtures("writer")
def test_unless_told_the_pins_are_those_of_the_configured_factory() -> None:
    backend = make_devices(build(JUNIOR, **MOCK), SimClock())
    assert backend.switches.read() == 0
    assert type(inner(backend.switches)._group._devices[0].pin_factory) is MockFactory
    backend.close()


@pytest.mark.parametrize("config", [simulator(), parse('[game]\nrules = "dice"', "dice.toml")])
def test_a_simulated_board_is_refused(config: Config, header: Header) -> None:
    with pytest.raises(BadDevice, match=rf"{config.source}: .*; write its drivers, such as"):
        header.assembled(config)
    assert not header.spi


@pytest.mark.parametrize(
    ("name", "package", "said"),
    [
        (LONDON_SPI, "luma", r"ssd1306 \(handset\)|OLED \(I2C\) needs luma.*'\.\[pi\]'"),
        (LONDON_SPI, "smbus2", r"OLED \(I2C\) needs smbus2; .*'\.\[pi\]'"),
        (LONDON_PICO, "serial", r"^switches: pico needs pyserial; .*'\.\[pi\]'"),
        (DICE, "board", r"^lamps: neopixel-pwm needs .*'\.\[pwm\]'"),
        (DICE, "neopixel", r"^lamps: neopixel-pwm needs .*'\.\[pwm\]'"),
    ],
)
@pytest.mark.usefixtures("writer")
def test_a_missing_package_is_named_and_what_was_made_before_is_closed(
    header: Header, uninstall: Callable[[str], None], name: str, package: str, said: str
) -> None:
    uninstall(package)
    with pytest.raises(NotInstalled, match=said):
        header.assembled(build(name))
    _nothing_is_held(header)


def _nothing_is_held(header: Header) -> None:
    assert header.uses() == {}
    assert {pin.function for pin in header.factory.pins.values()} <= {"input"}
    assert all(wire.closed or not wire.transfers for _, wire in header.spi)  # a wire is opened by its first transfer
    assert all(wire.closed for asked, wire in header.spi if asked[3] == "switches")
    assert not header.buses
    assert not couriers()


@pytest.mark.parametrize("name", BUILDS)
def test_without_gpiozero_no_board_can_be_made(uninstall: Callable[[str], None], name: str) -> None:
    uninstall("gpiozero")
    with pytest.raises(NotInstalled, match=r"^pins: .*gpiozero; install with: pip install '\.\[pi\]'"):
        make_devices(build(name, **MOCK), SimClock())


def test_spi_needs_no_package(uninstall: Callable[[str], None]) -> None:
    uninstall("lgpio")
    backend = make_devices(build(LONDON_SPI, **MOCK), SimClock())
    with pytest.raises(DeviceLost, match=r"^switches: /dev/spidev"):
        backend.switches.read()
    backend.close()


@pytest.mark.parametrize(
    ("name", "pin"),
    [
        (LONDON_SPI, 17),  # a key of the table, made last of all
        (LONDON_SPI, 6),  # the last key
        (LONDON_PICO, 16),  # D/C of the display
        (DICE, 26),  # the knob, made after the buttons
        (DICE, 20),  # the last column
        (JUNIOR, 22),  # the last station
    ],
)
@pytest.mark.usefixtures("writer")
def test_a_pin_that_is_taken_is_named_and_what_was_made_before_is_closed(header: Header, name: str, pin: int) -> None:
    with InputDevice(pin, pull_up=True, pin_factory=header.factory) as other:
        with pytest.raises(BadDevice, match=rf"GPIO {pin}\b"):
            header.assembled(build(name))
        assert not other.closed
    _nothing_is_held(header)


@pytest.mark.parametrize("name", BUILDS)
@pytest.mark.usefixtures("writer")
def test_a_board_that_is_closed_holds_nothing_and_can_be_made_again(header: Header, name: str) -> None:
    for _ in range(2):
        backend = header.assembled(build(name))
        assert couriers() == {"lamps", "handset", "display"}
        header.shown(backend)
        backend.close()
        _nothing_is_held(header)


def test_a_screen_that_is_not_there_is_lost_and_no_error(header: Header, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(number: int) -> None:
        raise FileNotFoundError(2, "No such file or directory", f"/dev/i2c-{number}")

    monkeypatch.setattr(smbus2, "SMBus", absent)
    backend = header.assembled(build(LONDON_SPI))
    with pytest.raises(DeviceLost, match="handset: the ssd1306 does not answer"):
        inner(backend.handset).show(WHITE)
    backend.close()
    OutputDevice(16, pin_factory=header.factory).close()
