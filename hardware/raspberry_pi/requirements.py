"""What a table needs of the machine that it is built on, and what is found when the machine is looked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Literal

from hardware.raspberry_pi.host_facts import HostFacts
from hardware.raspberry_pi.pin_conflicts import Claim, I2cUse, PwmUse, SpiUse, Use, reads_chain

Level = Literal["ok", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found.

    Attributes:
        level: "ok", "warning" (it works, but not well) or "error" (it does not).
        what: what was found, in one sentence.
        advice: what to do about it: the line, the file, the command. Empty where nothing is to be done.
    """

    level: Level
    what: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Requirements:
    """What a table needs of its machine.

    Attributes:
        journal: the folder in which the game is kept.
        model: the Raspberry Pi that it is made for ("zero2", "3", "4", "5"); empty if no device hangs on its header.
        pin_factory: "rpigpio", "lgpio" or "mock"; empty if nobody uses plain pins.
        claims: what the devices take of the header.
        transfers: SPI device ("0.0") -> bytes of its longest transfer.
        serial: the port of a microcontroller; empty without one.
        packages: Python packages that devices need, beside those that follow from the rest of the plan.
        lamps: number of lamps.
        dead: lamps of the chain that are never used.
        max_milliamps: what the lamps may draw.
        panels: the chip of each OLED, as in `hardware.raspberry_pi.power_budget.PANEL`.
        pages: whether it is shown in browsers.
        of_service: whether the configuration is the service's, not that of whoever asks.
    """

    journal: PurePosixPath
    model: str = ""
    pin_factory: str = ""
    claims: tuple[Claim, ...] = ()
    transfers: Mapping[str, int] = field(default_factory=dict)
    serial: str = ""
    packages: tuple[str, ...] = ()
    lamps: int = 0
    dead: int = 0
    max_milliamps: float = 0
    panels: tuple[str, ...] = ()
    pages: bool = False
    of_service: bool = False

    @property
    def spi(self) -> tuple[SpiUse, ...]:
        """The devices on SPI."""
        return tuple(claim for claim in self.claims if isinstance(claim, SpiUse))

    @property
    def chain(self) -> bool:
        """Whether switches are read over SPI, from chips that get the Pi's 3.3 V."""
        return reads_chain(self.claims)

    @property
    def i2c(self) -> tuple[int, ...]:
        """The I2C buses in use."""
        return tuple(sorted({claim.bus for claim in self.claims if isinstance(claim, I2cUse)}))

    @property
    def pwm(self) -> tuple[PwmUse, ...]:
        """The chains of lamps on pins of their own."""
        return tuple(claim for claim in self.claims if isinstance(claim, PwmUse))

    @property
    def pins(self) -> tuple[Use, ...]:
        """The plain pins."""
        return tuple(claim for claim in self.claims if isinstance(claim, Use))


def model_of(plan: Requirements, machine: HostFacts) -> str:
    """The model to judge by: the board's, or the configured one where the board is not known."""
    return machine.model or plan.model


def is_pi5(plan: Requirements, machine: HostFacts) -> bool:
    """Whether the model to judge by is the Pi 5, which other packages drive."""
    return model_of(plan, machine) == "5"


def in_groups(groups: Sequence[str], machine: HostFacts) -> Iterator[Finding]:
    """Whether the user is in groups, which own device files. Root needs none."""
    user = machine.user
    if user.uid == 0:
        return
    missing = [group for group in groups if group not in user.groups]
    if missing:
        yield Finding(
            "error",
            f"user: {user.name} is not in {' and '.join(missing)}",
            f"sudo usermod -aG {','.join(missing)} {user.name}, then log in again (the service has them already)",
        )
    elif groups:
        yield Finding("ok", f"user: {user.name} is in {', '.join(groups)}")
