"""Define what a driver's record contains: its keys, checks, device and wiring sheets."""

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
        section: its section.
        key: the key; empty for the section as a whole.
        what: what is wrong, and what would be right.
    """

    section: str
    key: str
    what: str


@dataclass(frozen=True, slots=True)
class Needs:
    """The needs of a device, besides pins of the header, that its machine has to meet.

    Attributes:
        transfers: SPI device -> bytes of its longest transfer.
        serial: its serial port -> the program of the Pico there, as in `hardware.drivers.pico.PROGRAMS`.
        screen: the chip of its screen, as in `hardware.raspberry_pi.power_budget.PANEL`; empty for other devices.
        packages: the Python packages that it imports, if the doctor does not know them from its claims.
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
        name: its section: "switches", "lamps", "handset", "display" or "keys".
        driver: its driver.
        settings: the section's object; it has the keys of the driver's `settings`, and those of all drivers.
        sections: all sections.
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
        name: its name under `driver`.
        of: the sections in which it may be named.
        settings: a dataclass of the keys that are read for it (`firmware_host.config.allowed_values`); `as_in` shares a
            key with another driver.
        without: the keys of that class that are not read for it, if a family of drivers shares a class.
        simulated: whether it exists only on a simulated board.
        absent: whether it means that there is no device.
        claims: returns its claims on the Pi's header.
        faults: returns the faults in its settings.
        needs: returns its other needs of the machine.
        inputs: for switches: returns the inputs that a station can be wired to.
        few_inputs: for switches: the advice if stations are wired to inputs that the device does not have.
        with_chips: for switches on a chain of chips: returns the section's object with another number of chips.
        learns: for switches: whether it also reads inputs without a station, so that the wiring can be learned.
        make: creates the device for its section's port; imports the driver itself only then. Raises `BadDevice` if the
            driver is simulated or absent.
        lead: returns the other end of a wire, in the diagrams' words: "handset: SDA".
        sheets: "module:function" of its wiring diagrams: called with the configuration, it returns name -> drawer, as
            `firmware_host.commissioning.diagram_command.sheets` lists them. A path, so that play imports none.
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
