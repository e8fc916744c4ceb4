"""Find devices that share a pin of the Raspberry Pi's header or disturb each other on a bus.

A claim is one use of pins by a device: `PinUse` of a plain pin; `SpiUse`, `I2cUse` and `PwmUse` of pins that the kernel
or a library drives. `find_conflicts` returns all complaints, a line each, and `free_gpios` the remaining pins.
`hardware.raspberry_pi.pinout` describes the header, with its sources.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from hardware.ports import BadDevice
from hardware.raspberry_pi.pinout import HAT, PCM_OUT, PHYSICAL, Model, SpiBus, model_named

SIGNALS = ("sclk", "mosi", "miso", "ce")
"""The wires of an SPI device."""


@dataclass(frozen=True, slots=True)
class PinUse:
    """A device's use of one GPIO.

    Attributes:
        pin: its BCM number.
        what: its owner, such as "[switches] load_pin".
    """

    pin: int
    what: str


@dataclass(frozen=True, slots=True)
class SpiUse:
    """A device's use of an SPI bus.

    Attributes:
        device: bus and chip select: "0.1" is /dev/spidev0.1.
        what: its owner, such as "[switches] spi".
        wants: its wires, some of `SIGNALS`. The kernel claims the other wires of the bus, too.
        mode: the SPI mode, 0 to 3.
        alone: whether it must be alone on its bus, because it has no chip select and reads every byte.
        steady: whether it tolerates no pause in a transfer, like lamps.
        selects: whether the kernel takes chip selects for it. Only SPI0 can do without (Linux, overlay `spi0-0cs`),
            which leaves their GPIOs to others.
    """

    device: str
    what: str
    wants: tuple[str, ...] = SIGNALS
    mode: int = 0
    alone: bool = False
    steady: bool = False
    selects: bool = True


@dataclass(frozen=True, slots=True)
class I2cUse:
    """A device's use of an I2C bus.

    Attributes:
        bus: number of the bus: 1 is /dev/i2c-1.
        what: its owner, such as "[handset] i2c_bus".
        address: its seven-bit address.
    """

    bus: int
    what: str
    address: int


@dataclass(frozen=True, slots=True)
class PwmUse:
    """The use of a pin by a chain of lamps, driven by pulse-width modulator, PCM or the Pi 5's PIO."""

    pin: int
    what: str


Claim = PinUse | SpiUse | I2cUse | PwmUse
"""A device's claim on the header."""


class Wire(NamedTuple):
    """One GPIO that a device uses, and its function.

    Attributes:
        pin: BCM number.
        what: the claim's owner.
        function: the pin's function: "SPI0 MOSI", "I2C1 SDA", "PWM0"; empty for a plain pin.
    """

    pin: int
    what: str
    function: str = ""


def wires(claim: Claim, model: str) -> tuple[Wire, ...]:
    """Return the GPIOs that a device uses on a model ("zero2", "3", "4" or "5").

    Raises:
        BadDevice: there is no such model, or the claim is impossible on it. The message is a complete line for people.
    """
    pi = model_named(model)
    match claim:
        case PinUse():
            return (Wire(_on_header(claim.pin, claim.what), claim.what),)
        case SpiUse():
            number, chip = _spi_device(claim, pi)
            bus = pi.spi[number]
            found = [Wire(bus.pin(signal), claim.what, f"SPI{number} {signal.upper()}") for signal in SIGNALS[:3]]
            selects = () if number == 0 and not claim.selects else _selects(number, bus, chip)
            found += [Wire(ce, claim.what, f"SPI{number} CE{n}") for n, ce in enumerate(selects)]
            return tuple(found)
        case I2cUse():
            if claim.bus not in pi.i2c:
                raise BadDevice(f"{claim.what}: the {pi.name} has no I2C bus {claim.bus}; it has {_listed(pi.i2c)}")
            i2c = pi.i2c[claim.bus]
            return (
                Wire(i2c.sda, claim.what, f"I2C{claim.bus} SDA"),
                Wire(i2c.scl, claim.what, f"I2C{claim.bus} SCL"),
            )
        case PwmUse():
            return (Wire(_on_header(claim.pin, claim.what), claim.what, _pulse_source(claim, pi)),)


def find_conflicts(claims: Sequence[Claim], model: str) -> list[str]:
    """Return a line for each problem of these devices on a model: first impossible pins, then conflicts.

    Raises:
        BadDevice: there is no such model.
    """
    pi = model_named(model)
    lines = []
    possible: list[Claim] = []
    for claim in claims:
        try:
            wires(claim, model)
        except BadDevice as complaint:
            lines.append(str(complaint))
        else:
            possible.append(claim)
    lines += [line for claim in possible for line in _unfit_claims(claim, possible, model)]
    lines += _shared_pins(possible, model)
    lines += _shared_spi([claim for claim in possible if isinstance(claim, SpiUse)], possible, model)
    lines += _shared_i2c([claim for claim in possible if isinstance(claim, I2cUse)])
    lines += _shared_pwm([claim for claim in possible if isinstance(claim, PwmUse)], pi)
    return lines


def reads_chain(claims: Iterable[Claim]) -> bool:
    """Return whether switches are read over SPI from chips that run on the Pi's 3.3 V."""
    return any("miso" in claim.wants for claim in claims if isinstance(claim, SpiUse))


def free_gpios(claims: Iterable[Claim], model: str) -> tuple[int, ...]:
    """Return the free GPIOs in rising order, without those of a HAT. Impossible uses are skipped.

    Raises:
        BadDevice: there is no such model.
    """
    model_named(model)
    taken = _taken(claims, model) | {*HAT}
    return tuple(pin for pin in sorted(PHYSICAL) if pin not in taken)


def spi_setting(number: int, claims: Sequence[Claim], model: str) -> str:
    """Return the line of config.txt for an SPI bus with the chip selects that these devices need.

    Raises:
        BadDevice: the model, or that bus of it, does not exist, or a claim is impossible.
    """
    pi = model_named(model)
    _spi_bus(number, pi)
    found = [(claim, *_spi_device(claim, pi)) for claim in claims if isinstance(claim, SpiUse)]
    devices = [(claim, chip) for claim, bus, chip in found if bus == number]
    if number == 0:
        bare = devices and not any(claim.selects for claim, _ in devices)
        return "dtoverlay=spi0-0cs" if bare else "dtparam=spi=on"
    return f"dtoverlay=spi{number}-{max((chip for _, chip in devices), default=0) + 1}cs"


def i2c_setting(number: int) -> str:
    """Return the line of config.txt for an I2C bus."""
    return {0: "dtparam=i2c_vc=on", 1: "dtparam=i2c_arm=on"}.get(number, f"dtoverlay=i2c{number}")


def possible_claims(claims: Iterable[Claim], model: str) -> list[Claim]:
    """Return the claims that this model can satisfy, because it has their pins and buses."""
    possible = []
    for claim in claims:
        with suppress(BadDevice):
            wires(claim, model)
            possible.append(claim)
    return possible


def _taken(claims: Iterable[Claim], model: str) -> set[int]:
    return {wire.pin for claim in possible_claims(claims, model) for wire in wires(claim, model)}


def _on_header(pin: int, what: str) -> int:
    if pin not in PHYSICAL:
        raise BadDevice(f"{what}: GPIO {pin} is not on the header; GPIOs 0 to 27 are (BCM numbers, not pins)")
    return pin


def _spi_bus(number: int, pi: Model) -> SpiBus:
    if number not in pi.spi:
        raise BadDevice(f"the {pi.name} has no SPI{number} on its header; it has SPI {_listed(pi.spi)}")
    return pi.spi[number]


def _spi_device(claim: SpiUse, pi: Model) -> tuple[int, int]:
    if not re.fullmatch(r"(0|[1-9]\d?)\.(0|[1-9]\d?)", claim.device, re.ASCII):
        raise BadDevice(f'{claim.what}: {claim.device!r} is not an SPI device; write bus.chip-select, such as "0.0"')
    try:
        bus, chip = map(int, claim.device.split("."))
        selects = _spi_bus(bus, pi).ce
    except BadDevice as complaint:
        raise BadDevice(f"{claim.what}: {complaint}") from None
    if chip >= len(selects):
        raise BadDevice(f"{claim.what}: SPI{bus} has chip selects 0 to {len(selects) - 1}, none of number {chip}")
    if unknown := set(claim.wants) - set(SIGNALS):
        raise BadDevice(f"{claim.what}: SPI has no {', '.join(sorted(unknown))}; its wires are {', '.join(SIGNALS)}")
    return bus, chip


def _selects(number: int, bus: SpiBus, chip: int) -> tuple[int, ...]:
    """Return the GPIOs of the chip selects that the kernel claims for a device.

    On SPI0 these are all; on other buses, those from CE0 to the device's own.
    """
    return bus.ce if number == 0 else bus.ce[: chip + 1]


def _pulse_source(claim: PwmUse, pi: Model) -> str:
    """Return which unit of the Pi creates the pulses on a pin of lamps."""
    if pi.core_freq is None:
        # The Pi 5's backend runs them in the RP1's PIO, which reaches every pin.
        return "PIO"
    if claim.pin == PCM_OUT:
        return "PCM DOUT"
    if claim.pin not in pi.pwm:
        raise BadDevice(
            f"{claim.what}: GPIO {claim.pin} has neither PWM nor PCM on the {pi.name}; "
            f"use {_listed([*pi.pwm, PCM_OUT])}, or lamps over SPI"
        )
    return f"PWM{pi.pwm[claim.pin]}"


def _unfit_claims(claim: Claim, claims: Sequence[Claim], model: str) -> Iterator[str]:
    """Yield a line for each thing that is unwise about a possible use."""
    match claim:
        case PinUse(pin) if pin in HAT:
            yield (
                f"{claim.what}: GPIO {pin} (pin {PHYSICAL[pin]}) belongs to the EEPROM of HATs, which the Pi reads at "
                f"every start; {_free_words(claims, model)}"
            )
        case I2cUse(address=address) if not 0x08 <= address <= 0x77:
            yield f"{claim.what}: {address:#04x} is not an I2C address; addresses are 0x08 to 0x77"
        case SpiUse(mode=mode) if mode not in range(4):
            yield f"{claim.what}: there is no SPI mode {mode}; modes are 0 to 3"
        case SpiUse():
            yield from _auxiliary(claim, model)
        case _:
            pass


def _auxiliary(claim: SpiUse, model: str) -> Iterator[str]:
    """Yield a line for each need of a device that its SPI bus cannot meet because it is auxiliary."""
    pi = model_named(model)
    number, chip = _spi_device(claim, pi)
    if not pi.spi[number].auxiliary:
        return
    better = "use SPI0"
    if 6 in pi.spi:
        better = (
            f"use SPI6, which has the same data pins (dtoverlay=spi6-{min(chip, 1) + 1}cs, device 6.{min(chip, 1)})"
        )
    if claim.mode in (1, 3):
        yield f"{claim.what}: SPI{number} of the {pi.name} has only modes 0 and 2; {better}, or mode 2"
    if claim.steady:
        yield f"{claim.what}: SPI{number} of the {pi.name} pauses after every third byte, fatal to lamps; {better}"


def _shared_pins(claims: Sequence[Claim], model: str) -> Iterator[str]:
    """Yield a line for each GPIO with several uses, except for the wires that all devices of a bus share."""
    at: dict[int, list[Wire]] = defaultdict(list)
    for claim in claims:
        for wire in wires(claim, model):
            at[wire.pin].append(wire)
    for pin, users in sorted(at.items()):
        functions = {wire.function for wire in users}
        common = len(functions) == 1 and functions.pop().startswith(("SPI", "I2C"))
        if len(users) > 1 and not common:
            names = " and ".join(dict.fromkeys(_owner(wire) for wire in users))
            twice = "" if len({_owner(wire) for wire in users}) > 1 else " twice"
            yield f"GPIO {pin} (pin {PHYSICAL[pin]}) is taken by {names}{twice}; {_free_words(claims, model)}"


def _shared_spi(devices: Sequence[SpiUse], claims: Sequence[Claim], model: str) -> Iterator[str]:
    pi = model_named(model)
    for one, other in combinations(devices, 2):
        bus, chip = _spi_device(one, pi)
        if _spi_device(other, pi)[0] != bus:
            continue
        move = _free_buses((one, other), claims, model)
        loner = next((device for device in (one, other) if device.alone), None)
        if loner is not None:
            rest = other if loner is one else one
            yield f"{loner.what}: must be alone on its bus, but {rest.what} is on SPI{bus}, too; {move}"
        elif _spi_device(other, pi)[1] == chip:
            yield f"{one.what} and {other.what} are both SPI device {one.device}; {move}"


def _shared_i2c(devices: Sequence[I2cUse]) -> Iterator[str]:
    for one, other in combinations(devices, 2):
        if (one.bus, one.address) == (other.bus, other.address):
            yield (
                f"{one.what} and {other.what} have the same address {one.address:#04x} on I2C bus {one.bus}; set the "
                "address jumper of one (0x3c or 0x3d on most OLEDs), or put it on another bus"
            )


def _shared_pwm(chains: Sequence[PwmUse], pi: Model) -> Iterator[str]:
    """Yield a line if two chains of lamps are on one PWM channel, so that both would show the same."""
    for one, other in combinations(chains, 2):
        function = _pulse_source(one, pi)
        if one.pin != other.pin and function != "PIO" and function == _pulse_source(other, pi):
            yield (
                f"{one.what} and {other.what}: GPIO {one.pin} and GPIO {other.pin} are one channel ({function}); "
                "put the chains one behind the other, or use SPI for one"
            )


def _owner(wire: Wire) -> str:
    return f"{wire.what} ({wire.function})" if wire.function else wire.what


def _free_words(claims: Sequence[Claim], model: str) -> str:
    left = free_gpios(claims, model)
    return f"free GPIOs: {_listed(left)}" if left else "no GPIO is free, so use a device with fewer wires"


def _free_buses(devices: Iterable[SpiUse], claims: Sequence[Claim], model: str) -> str:
    """Return the SPI buses with free pins to which one of two devices could move."""
    taken = _taken(claims, model)
    undemanding = any(device.mode in (0, 2) and not device.steady for device in devices)
    found = [
        f"SPI{number} ({spi_setting(number, (), model)})"
        for number, bus in model_named(model).spi.items()
        if (undemanding or not bus.auxiliary)
        and taken.isdisjoint({bus.sclk, bus.mosi, bus.miso, *_selects(number, bus, 0)})
    ]
    return (
        f"move one to {' or '.join(found)}" if found else "no SPI bus has all its pins free, so free those of one first"
    )


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(str(number) for number in sorted(numbers))
