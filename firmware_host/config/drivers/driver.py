"""Define the record of a driver: its keys, checks and wiring sheets, and how to create its device."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from firmware_host.config.board_layout import BoardLayout
from hardware.drivers.pins import PiAccess
from hardware.ports import BadDevice, Clock
from hardware.raspberry_pi.pin_conflicts import Claim

Sections = Mapping[str, Any]
"""Section name -> its object."""

NONE, SIMULATED = "none", "sim"
"""The names of the drivers for no device and for simulated devices."""


class DeviceFault(NamedTuple):
    """One fault of a device's configuration.

    Attributes:
        section: the section of the fault.
        key: the key; empty for the section as a whole.
        what: what is wrong, and what would be right.
    """

    section: str
    key: str
    what: str


@dataclass(frozen=True, slots=True)
class Needs:
    """The things that a device needs of its machine, besides pins of the header.

    Attributes:
        transfers: SPI device -> length of its longest transfer, in bytes.
        serial: its serial port -> the program of the Pico there, as in `hardware.drivers.pico.PROGRAMS`.
        screen: the chip of its screen, as in `hardware.raspberry_pi.power_budget.PANEL`; empty for other devices.
        packages: Python packages that the driver imports, unless its claims on the header imply them.
    """

    transfers: Mapping[str, int] = field(default_factory=dict)
    serial: Mapping[str, str] = field(default_factory=dict)
    screen: str = ""
    packages: tuple[str, ...] = ()


class UsedPin(NamedTuple):
    """A GPIO that a device uses.

    Attributes:
        gpio: its BCM number.
        section: the section that uses it: "switches.wiring".
        key: the key: "load_pin", or a station's number in a wiring.
        function: the kernel's function of the pin: "SPI0 MOSI"; empty for a plain pin.
    """

    gpio: int
    section: str
    key: str
    function: str

    @property
    def signal(self) -> str:
        """The name of the pin's signal on its bus, such as "MOSI" or "CE". "" for a pin without a bus."""
        return self.function.partition(" ")[2].rstrip("0123456789")


@dataclass(frozen=True, slots=True)
class ConfiguredDevice:
    """One device of a configuration, with its driver and its settings.

    Attributes:
        name: the name of its section: "switches", "lamps", "handset", "display" or "keys".
        driver: the driver of the device.
        settings: the section's object, with the keys of this driver, and those that all drivers share.
        sections: all sections of the configuration.
        layout: the board as it is wired.
    """

    name: str
    driver: Driver
    settings: Any
    sections: Sections
    layout: BoardLayout


@dataclass(frozen=True, slots=True)
class NoSettings:
    """The settings of a driver that has no keys of its own."""


def _no_device_on_wires(device: ConfiguredDevice, _pi: PiAccess, _clock: Clock) -> Any:
    raise BadDevice(f'[{device.name}] driver = "{device.driver.name}": names no real device, so name another driver')


@dataclass(frozen=True, slots=True, kw_only=True)
class Driver:
    """The record of one driver. Other code asks this record instead of comparing the names of drivers.

    Attributes:
        name: the value of the key `driver` that chooses this driver.
        of: the sections whose key `driver` may name it.
        settings: a dataclass of the keys that this driver reads (`firmware_host.config.allowed_values`); `as_in` shares
            a key with another driver.
        without: keys of `settings` that this driver does not read, if several drivers share the class.
        simulated: whether the driver exists only on a simulated board.
        absent: whether the driver means that there is no device.
        claims: returns the pins and buses of the Pi's header that the device uses.
        faults: returns the faults in its settings.
        needs: returns the other things that the device needs of the machine.
        inputs: for switches: returns the inputs that a station can be wired to.
        few_inputs: for switches: the advice if stations are wired to inputs that the device does not have.
        with_chips: for switches on a chain of chips: returns a copy of the settings with another number of chips.
        learns: for switches: whether the device also reads inputs without a station, so that the wiring can be learned.
        make: imports the code of the driver and creates the device. Raises `BadDevice` if the driver is simulated or
            absent.
        lead: returns the other end of a wire, as diagrams name it: "handset: SDA".
        sheets: "module:function" for its wiring diagrams. Called with the configuration, the function returns name ->
            function that draws the diagram. It is a text, so that playing does not import the diagrams.
    """

    name: str
    of: tuple[str, ...]
    settings: type = NoSettings
    without: tuple[str, ...] = ()
    simulated: bool = False
    absent: bool = False
    claims: Callable[[ConfiguredDevice], Iterable[Claim]] = lambda _: ()
    faults: Callable[[ConfiguredDevice], Iterable[DeviceFault]] = lambda _: ()
    needs: Callable[[ConfiguredDevice], Needs] = lambda _: Needs()
    inputs: Callable[[ConfiguredDevice], range] = lambda device: range(len(device.layout.stations))
    few_inputs: str = ""
    with_chips: Callable[[Any, int], Any] | None = None
    learns: bool = True
    make: Callable[[ConfiguredDevice, PiAccess, Clock], Any] = _no_device_on_wires
    lead: Callable[[ConfiguredDevice, UsedPin], str] = lambda device, pin: f"{device.name}: {pin.key}"
    sheets: str = ""

    @property
    def real(self) -> bool:
        """Whether the driver's device is real hardware."""
        return not (self.simulated or self.absent)
