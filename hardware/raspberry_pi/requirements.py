"""Define a table's requirements of its machine, and the findings of checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Literal

from hardware.raspberry_pi.host_facts import HostFacts
from hardware.raspberry_pi.kernel_devices import GivenDevices
from hardware.raspberry_pi.pin_conflicts import Claim, I2cUse, PinUse, PwmUse, SpiUse, reads_chain


@dataclass(frozen=True, slots=True)
class Requirements:
    """The requirements of a table that its machine has to meet.

    Attributes:
        journal: the folder of the journal.
        model: the Raspberry Pi of the table ("zero2", "3", "4", "5"); empty without devices on its header.
        pin_factory: "rpigpio", "lgpio" or "mock"; empty without plain pins.
        claims: the devices' claims on the header.
        transfers: SPI device ("0.0") -> bytes of its longest transfer.
        serial: port of a Pico -> its program, "switches" or "handset".
        packages: Python packages that devices need, beside those that follow from the rest.
        lamps: number of lamps.
        dead: lamps of the chain that are never used.
        max_milliamps: the lamps' current limit.
        panels: the chip of each OLED, as in `hardware.raspberry_pi.power_budget.PANEL`.
        outlets: its outputs to the network: "pages" to browsers, "mqtt" to a broker.
        of_service: whether the configuration is the service's, not the current user's.
        given: the configured settings of the kernel's devices.
    """

    journal: PurePosixPath
    model: str = ""
    pin_factory: str = ""
    claims: tuple[Claim, ...] = ()
    transfers: Mapping[str, int] = field(default_factory=dict)
    serial: Mapping[str, str] = field(default_factory=dict)
    packages: tuple[str, ...] = ()
    lamps: int = 0
    dead: int = 0
    max_milliamps: float = 0
    panels: tuple[str, ...] = ()
    outlets: tuple[str, ...] = ()
    of_service: bool = False
    given: GivenDevices = field(default_factory=GivenDevices)

    @property
    def spi(self) -> tuple[SpiUse, ...]:
        """The table's devices on SPI."""
        return tuple(claim for claim in self.claims if isinstance(claim, SpiUse))

    @property
    def chain(self) -> bool:
        """Whether switches are read over SPI from chips that run on the Pi's 3.3 V."""
        return reads_chain(self.claims)

    @property
    def i2c(self) -> tuple[int, ...]:
        """The I2C buses that the table's devices use."""
        return tuple(sorted({claim.bus for claim in self.claims if isinstance(claim, I2cUse)}))

    @property
    def pwm(self) -> tuple[PwmUse, ...]:
        """The table's chains of lamps on pins of their own."""
        return tuple(claim for claim in self.claims if isinstance(claim, PwmUse))

    @property
    def pins(self) -> tuple[PinUse, ...]:
        """The pins that the table's devices use alone, without a bus."""
        return tuple(claim for claim in self.claims if isinstance(claim, PinUse))


def model_of(needs: Requirements, machine: HostFacts) -> str:
    """Return the model to check for: the board's, or the configured one if the board is unknown."""
    return machine.model or needs.model


def is_pi5(needs: Requirements, machine: HostFacts) -> bool:
    """Return whether to check for a Pi 5, which needs other packages."""
    return model_of(needs, machine) == "5"


Level = Literal["ok", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The finding of one check.

    Attributes:
        level: "ok", "warning" (it works, but not well) or "error" (it does not).
        what: the finding, in one sentence.
        advice: the remedy: the line, the file, the command. Empty if nothing needs to be done.
    """

    level: Level
    what: str
    advice: str = ""


def ok(what: str) -> Finding:
    """Return the finding that something is right."""
    return Finding("ok", what)


def warning(what: str, advice: str) -> Finding:
    """Return the finding that something works, but not well."""
    return Finding("warning", what, advice)


def error(what: str, advice: str) -> Finding:
    """Return the finding that something does not work."""
    return Finding("error", what, advice)
