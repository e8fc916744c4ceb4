"""List the wire on each pin of the header, in the diagrams' words."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.config import device_checks
from firmware_host.config.drivers.driver import UsedPin
from firmware_host.config.loader import Config
from hardware.raspberry_pi.pin_conflicts import Claim, SpiUse, Wire, wires
from hardware.raspberry_pi.pinout import PHYSICAL


@dataclass(frozen=True, slots=True)
class Lead:
    """One GPIO of the header that is in use.

    Attributes:
        gpio: its BCM number.
        function: the kernel's function of the pin: "SPI0 MOSI"; empty for a plain pin.
        key: section and key of the configuration that uses it: "[handset] bus".
        owner: the section, as in `svg_sheet.OWNERS`.
        end: the other end of its wire, such as "handset: SDA"; empty if the bus takes the pin but no wire is on it.
    """

    gpio: int
    function: str
    key: str
    owner: str
    end: str

    @property
    def pin(self) -> int:
        """The pin of the header."""
        return PHYSICAL[self.gpio]

    @property
    def place(self) -> str:
        """The pin's description: "GPIO 21, pin 40"."""
        return f"GPIO {self.gpio}, pin {self.pin}"


def leads(config: Config) -> tuple[Lead, ...]:
    """Return every GPIO that the devices of a configuration use, in the order of its sections."""
    devices, found = config.devices, []
    for claim in device_checks.claims(config.sections, config.layout):
        for wire in wires(claim, config.pi.model):
            section, _, key = wire.what.strip("[").partition("] ")
            pin = UsedPin(wire.pin, section, key, wire.function)
            owner = section.partition(".")[0]
            end = "" if _is_idle(claim, wire) else devices[owner].driver.lead(devices[owner], pin)
            found.append(Lead(wire.pin, wire.function, wire.what, owner, end))
    return tuple(found)


def _is_idle(claim: Claim, wire: Wire) -> bool:
    """Return whether the kernel takes a pin with the bus although the device has no wire on it."""
    if not isinstance(claim, SpiUse):
        return False
    signal = wire.function.partition(" ")[2]
    other_chip = signal.startswith("CE") and signal[2:] != claim.device[-1]
    return other_chip or signal.rstrip("0123456789").lower() not in claim.wants
