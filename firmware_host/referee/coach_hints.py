"""What the coach tells everyone: where Mister X may be, and what the detectives on turn could do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware_host.rules.actions import PawnMove

OFF, STATIONS, ADVICE = "off", "stations", "advice"

COACHING = (OFF, STATIONS, ADVICE)
"""How much the coach tells: nothing; where Mister X may be; what to do, too."""


@dataclass(frozen=True, slots=True)
class CoachHints:
    """What the coach tells at this moment, from what everyone knows.

    Attributes:
        tells: how much was asked for, one of `COACHING`.
        stations: where Mister X may be -> how likely, 1 in all; empty while it thinks, or knows nothing.
        advice: the move that it would make now, if it was asked for and there is one.
        trouble: why it can tell nothing in this game, or "".
    """

    tells: str = OFF
    stations: Mapping[int, float] = field(default_factory=dict)
    advice: PawnMove | None = None
    trouble: str = ""
