"""Define what the coach found out of a finished game: step by step, and its key moments. No words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware_host.rules.actions import PawnMove


@dataclass(frozen=True, slots=True)
class AnalysedStep:
    """What the coach says of one step, from what everyone knew then.

    Attributes:
        stations: where Mister X may have been -> how likely, 1 in all.
        advice: what it would have done next, where detectives were on turn.
        followed: whether just that was done next.
    """

    stations: Mapping[int, float]
    advice: PawnMove | None = None
    followed: bool = False


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The step at which most possible stations went without Mister X being seen.

    Attributes:
        step: its number; 0 is the start of the game.
        before: how many stations were possible just before.
        after: how many were possible then.
    """

    step: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Closest:
    """The first step at which a detective was as near to Mister X as ever.

    Attributes:
        step: its number.
        pawn: the detective.
        moves: the distance.
    """

    step: int
    pawn: str
    moves: int


@dataclass(frozen=True, slots=True)
class Slipped:
    """A step at which Mister X slipped away: the log had left few stations, and then more.

    Attributes:
        step: its number.
        before: how many stations were possible just before.
        after: how many were possible then.
    """

    step: int
    before: int
    after: int


Moment = Narrowed | Closest | Slipped
"""A step worth looking at."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """How far the coach has looked at a game, and once it is through, what it found.

    Attributes:
        done: how many steps it has looked at.
        total: how many there are: all but the last, at which everything is open.
        steps: what it says of each; empty until it has looked at all.
        moments: the key moments in the order of the game; empty until then.
        trouble: why there will be none, a sentence, or "".
    """

    done: int = 0
    total: int = 0
    steps: tuple[AnalysedStep, ...] = field(default=(), repr=False)
    moments: tuple[Moment, ...] = ()
    trouble: str = ""

    @property
    def complete(self) -> bool:
        """Whether it has looked at all of the game."""
        return bool(self.steps)
