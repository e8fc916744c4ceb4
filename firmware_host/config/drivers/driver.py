"""What a driver is to the rest of the program: one record, from its keys in a file to the sheets of its wires."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from firmware_host.config.board_layout import BoardLayout
from hardware.drivers.pi_access import PiAccess
from hardware.ports import BadDevice, Clock
from hardware.raspberry_pi.pin_conflicts import Claim

Sections = Mapping[str, Any]
"""Section name -> its object."""


class DeviceFault(NamedTuple):
    """One thing wrong with what a configuration asks for.

    Attributes:
        section: the section it stands in.
        key: the key; empty for the section as a whole.
        what: what is wrong, and what would be right.
    """

    section: str
    key: str
    what: str


@dataclass(frozen=True, slots=True)
class Needs:
    """What a device needs of its machine beside the header.

    Attributes:
        transfers: SPI device -> bytes of its longest transfer.
        serial: the serial port that it hangs on; empty without one.
        screen: the chip of its screen, as in `hardware.raspberry_pi.power_budget.PANEL`; empty if it is none.
        packages: the Python packages that it imports, if the doctor does not know them from its claims.
    """

    transfers: Mapping[str, int] = field(default_factory=dict)
    serial: str = ""
    screen: str = ""
    packages: tuple[str, ...] = ()


class UsedPin(NamedTuple):
    """A GPIO that a device takes.

    Attributes:
        gpio: its BCM number.
        section: the section that it follows from: "switches.wiring".
        key: the key: "load_pin", or a station's number in a wiring.
        function: what the pin is for the kernel: "SPI0 MOSI"; empty for a plain pin.
    """

    gpio: int
    section: str
    key: str
    function: str

    @property
    def signal(self) -> str:
        """The wire of its bus, without the number of a chip select: "MOSI", "CE"; empty for a plain pin."""
        return self.function.partition(" ")[2].rstrip("0123456789")


@dataclass(frozen=True, slots=True)
class ConfiguredDevice:
    """One device of a configuration.

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
    """No keys of a driver's own."""


def _nothing(_: ConfiguredDevice) -> tuple[()]:
    return ()


def _needs_nothing(_: ConfiguredDevice) -> Needs:
    return Needs()


def _as_many_as_spots(device: ConfiguredDevice) -> range:
    return range(len(device.layout.stations))


def _unnamed(device: ConfiguredDevice, pin: UsedPin) -> str:
    return f"{device.name}: {pin.key}"


def _no_device_on_wires(device: ConfiguredDevice, _pi: PiAccess, _clock: Clock) -> Any:
    raise BadDevice(f'[{device.name}] driver = "{device.driver.name}": no device on wires, so there is none to make')


@dataclass(frozen=True, slots=True, kw_only=True)
class Driver:
    """All that is to be known of a driver. Whoever needs something of it asks here; nobody compares its name.

    Attributes:
        name: what stands under `driver`.
        of: the sections under which it can stand.
        settings: a dataclass of the keys that are read for it (`firmware_host.config.allowed_values`); `as_in` takes
            a key over from another driver.
        without: those of them that are not read for it, where a family of drivers has one class.
        simulated: whether it is there on a simulated board alone.
        absent: whether it stands for no device at all.
        claims: what it takes of the Pi's header.
        faults: what is wrong with its settings.
        needs: what it needs of the machine beside that.
        inputs: for switches: the inputs that a station can be wired to.
        learns: for switches: whether it hears inputs that no station is wired to, so that the wiring can be learned.
        make: makes the device of the port that its section stands for; imports the driver itself only then. Raises
            `BadDevice` where the driver is simulated or absent.
        lead: what a wire leads to, in words for the diagrams: "handset: SDA".
        sheets: "module:function" of its wiring diagrams: called with the configuration, it gives name -> drawer, as
            `firmware_host.commissioning.diagram_command.sheets` lists them. A path, for no diagram is needed to play.
    """

    name: str
    of: tuple[str, ...]
    settings: type = NoSettings
    without: tuple[str, ...] = ()
    simulated: bool = False
    absent: bool = False
    claims: Callable[[ConfiguredDevice], Iterable[Claim]] = _nothing
    faults: Callable[[ConfiguredDevice], Iterable[DeviceFault]] = _nothing
    needs: Callable[[ConfiguredDevice], Needs] = _needs_nothing
    inputs: Callable[[ConfiguredDevice], range] = _as_many_as_spots
    learns: bool = True
    make: Callable[[ConfiguredDevice, PiAccess, Clock], Any] = _no_device_on_wires
    lead: Callable[[ConfiguredDevice, UsedPin], str] = _unnamed
    sheets: str = ""

    @property
    def real(self) -> bool:
        """Whether a device of it hangs on wires."""
        return not (self.simulated or self.absent)
