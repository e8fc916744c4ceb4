"""Estimate the current of all lamps of a table, with and without the configured limit."""

from __future__ import annotations

import math
from typing import NamedTuple

from firmware_host.config.drivers.neopixel_drivers import dark_milliamps
from firmware_host.config.loader import Config
from hardware.current_limit import LimitedLamps, estimate_current


class Power(NamedTuple):
    """The estimated current of all lamps when all should be white, in milliamps.

    Attributes:
        full: at full power.
        wanted: at the configured brightness.
        limited: with the configured current limit.
        limit: the limit.
    """

    full: float
    wanted: float
    limited: float
    limit: float

    def __str__(self) -> str:
        return (
            f"{self.full:.0f} mA at full power, {self.wanted:.0f} mA with this brightness, "
            f"{self.limited:.0f} mA behind the limit of {self.limit:.0f} mA (estimated)"
        )


class _Paper:
    """Simulated lamps that store the last frame, to see a limit's effect. Implements `Lamps`."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.frame = b""

    def ready(self) -> bool:
        return True

    def show(self, frame: bytes) -> None:
        self.frame = frame

    def close(self) -> None:
        pass


def power(config: Config, count: int) -> Power:
    """Estimate the current of `count` lamps when all should be white."""
    lamps, paper = config.lamps, _Paper(count)
    dead = dark_milliamps(config.sections["lamps"], config.layout)
    white = b"\xff" * (3 * count)
    drawn = [estimate_current(white) + dead]
    for most in (math.inf, lamps.max_milliamps):
        LimitedLamps(paper, most, lamps.brightness, lamps.gamma, dead).show(white)
        drawn.append(estimate_current(paper.frame) + dead)
    full, wanted, limited = drawn
    return Power(full, wanted, limited, lamps.max_milliamps)
