"""What the coach tells everyone: where Mister X may be, and what the detectives on turn could do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from firmware_host.rules.actions import PawnMove


class CoachMode(StrEnum):
    """How much the coach tells.

    Attributes:
        OFF: nothing.
        STATIONS: where Mister X may be.
        ADVICE: what to do, too.
    """

    OFF = "off"
    STATIONS = "stations"
    ADVICE = "advice"


@dataclass(frozen=True, slots=True)
class CoachHints:
    """What the coach tells at this moment, from what everyone knows.

    Attributes:
        tells: how much was asked for.
        stations: where Mister X may be -> how likely, 1 in all; empty while it thinks, or knows nothing.
        advice: the move that it would make now, if it was asked for and there is one.
        trouble: why it can tell nothing in this game, or "".
    """

    tells: CoachMode = CoachMode.OFF
    stations: Mapping[int, float] = field(default_factory=dict)
    advice: PawnMove | None = None
    trouble: str = ""
