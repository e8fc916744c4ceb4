"""Define what the coach found out of a finished game: step by step, and its key moments. No words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware_host.rules.actions import PawnMove

NARROWED, CLOSEST, SLIPPED = "narrowed", "closest", "slipped"


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
class Moment:
    """A step worth looking at.

    Attributes:
        step: its number; 0 is the start of the game.
        kind: `NARROWED`: at no other step did so many possible stations go without his being seen. `CLOSEST`: the first
            at which a detective was as near to him as ever. `SLIPPED`: the log had left few stations, and then more.
        before: how many stations were possible just before, or, if `CLOSEST`, the distance in moves.
        after: how many stations were possible then; 0 if `CLOSEST`.
        pawn: the detective who was that near, or "".
    """

    step: int
    kind: str
    before: int
    after: int = 0
    pawn: str = ""


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
