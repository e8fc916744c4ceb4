"""What hangs on each pin of the header, in the words that the diagrams use."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.config import pin_assignment
from firmware_host.config.loader import Config
from firmware_host.config.schema import Switches
from hardware.raspberry_pi import pin_conflicts
from hardware.raspberry_pi.pinout import PHYSICAL

_CHAIN = {"SCLK": "CLK of all", "MISO": "QH of chip 1", "load_pin": "SH/LD of all"}
_SCREEN = {
    "SCLK": "D0 (clock)", "MOSI": "D1 (data)", "CE": "CS", "SDA": "SDA", "SCL": "SCL",
    "dc_pin": "D/C", "reset_pin": "RES",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lead:
    """One GPIO of the header that is in use.

    Attributes:
        gpio: its BCM number.
        function: what the pin is for the kernel: "SPI0 MOSI"; empty for a plain pin.
        key: section and key of the configuration that it follows from: "[handset] bus".
        owner: the section, as in `paper.OWNERS`.
        end: what its wire leads to, such as "handset: SDA"; empty if the bus takes the pin and no wire hangs on it.
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
        """Where to find it: "GPIO 21, pin 40"."""
        return f"GPIO {self.gpio}, pin {self.pin}"


def leads(config: Config) -> tuple[Lead, ...]:
    """Every GPIO that the devices of a configuration take, in the order of its sections."""
    found = []
    for claim in pin_assignment.claims(config.sections, config.sheet):
        wanted = claim.wants if isinstance(claim, pin_conflicts.SpiUse) else ()
        for wire in pin_conflicts.wires(claim, config.pi.model):
            signal = wire.function.partition(" ")[2]
            missing = wanted and signal.rstrip("0123456789").lower() not in wanted
            owner = wire.what.strip("[").partition("]")[0].partition(".")[0]
            end = "" if missing or _is_other_chip(claim, signal) else _end(config, wire, signal)
            found.append(Lead(wire.pin, wire.function, wire.what, owner, end))
    return tuple(found)


def _is_other_chip(claim: pin_conflicts.Claim, signal: str) -> bool:
    """Whether this is another chip select than that of the device, which the kernel takes along."""
    return isinstance(claim, pin_conflicts.SpiUse) and signal.startswith("CE") and signal[2:] != claim.device[-1]


def _end(config: Config, wire: pin_conflicts.Wire, signal: str) -> str:
    """What a wire leads to."""
    section, _, key = wire.what.strip("[").partition("] ")
    bare = signal.rstrip("0123456789")
    match section:
        case "switches":
            return _end_at_switches(config.switches, key, bare, wire.pin)
        case "switches.wiring":
            return f"reed of station {key}"
        case "lamps":
            strip = f" {_strip(config, wire) + 1}" if len(config.lamps.strips) > 1 else ""
            return f"lamps: data{strip}, by level shifter"
        case "handset" | "display":
            return f"{section}: {_SCREEN[bare or key]}"
        case "keys":
            return f"encoder: {'CLK' if wire.pin == config.keys.encoder[0] else 'DT'}"
    return f"key {key.upper()}, {section.partition('.')[2]}"


def _end_at_switches(switches: Switches, key: str, signal: str, gpio: int) -> str:
    """What a wire of a chain or a matrix leads to."""
    if key == "rows":
        return f"matrix: row {switches.rows.index(gpio) + 1}"
    if key == "columns":
        return f"matrix: column {switches.columns.index(gpio) + 1}"
    return f"chips: {_CHAIN[signal or key]}"


def _strip(config: Config, wire: pin_conflicts.Wire) -> int:
    """Which strip of lamps a data pin belongs to, from 0."""
    lamps = config.lamps
    if lamps.driver == "neopixel-pwm":
        return lamps.pins.index(wire.pin)
    number = wire.function.removeprefix("SPI").partition(" ")[0]
    return next(strip for strip, device in enumerate(lamps.spi) if device.partition(".")[0] == number)
