"""What the referee keeps in mind of the table beyond the game itself, and for how long things have to last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware_host.figures import Figures
from firmware_host.questions import NO_QUESTIONS, Questions


@dataclass(frozen=True, slots=True)
class Patience:
    """How long things have to last, in seconds.

    Attributes:
        settle: a reading, before it counts.
        slide: the same where the pawn could legally be on its way to the next station (PB-03).
        wrong: a mismatch, before it is shown.
        insist: a mismatch, before it is shown insistently and a switch may be declared out of order.
    """

    settle: float = 0.3
    slide: float = 0.6
    wrong: float = 1.0
    insist: float = 4.0


@dataclass(slots=True)
class Memory:
    """What the referee remembers of the board beyond the game itself."""

    occupied: frozenset[int] = frozenset()
    unwell: frozenset[int] = frozenset()
    masked: frozenset[int] = frozenset()
    stirred: frozenset[int] = frozenset()  # masked ones that have moved since
    quiet_since: float = 0.0
    wrong_since: float | None = None  # some mismatch
    same_since: float = 0.0  # this very mismatch
    figures: Figures = field(default_factory=Figures)
    questions: Questions = NO_QUESTIONS
    entered: tuple[str, ...] = ()  # dice rolled by hand
    ailing: Mapping[str, str] = field(default_factory=dict)
    paused: str = ""
