"""Define the coach's analysis of a finished game: its steps and key moments. No words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware_host.rules.actions import MR_X, Action, Double, MrXMove, PawnMove


@dataclass(frozen=True, slots=True)
class AdvisedMove:
    """The coach's move, which may be public because the game is over.

    Attributes:
        pawn: the pawn, Mister X's included.
        to: the station; None for his double move, which is announced first.
        ticket: the ticket.
    """

    pawn: str
    to: int | None
    ticket: str

    @classmethod
    def of(cls, action: Action | None) -> AdvisedMove | None:
        """Return an action as a move; None for surfacing and taking tickets."""
        match action:
            case PawnMove(pawn, to, ticket):
                return cls(pawn, to, ticket)
            case MrXMove(hidden, ticket):
                return cls(MR_X, hidden.value, ticket)
            case Double():
                return cls(MR_X, None, "double")
        return None


@dataclass(frozen=True, slots=True)
class AnalysedStep:
    """The coach's analysis of one step, with detectives' public knowledge or Mister X's own.

    Attributes:
        stations: Mister X's possible stations by public knowledge -> their probability, 1 in all.
        advice: the coach's next action.
        followed: whether the next action was the same.
        chance: the detectives' probability of winning by public knowledge; None without the extra `players`.
        cost: by how much the next action lowered the acting side's winning probability; None without that extra.
    """

    stations: Mapping[int, float]
    advice: AdvisedMove | None = None
    followed: bool = False
    chance: float | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The step that excluded the most possible stations without Mister X being seen.

    Attributes:
        step: its number; 0 is the start of the game.
        before: the number of possible stations just before.
        after: the number afterwards.
    """

    step: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Closest:
    """The first step with the smallest distance between a detective and Mister X.

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
    """A step at which Mister X slipped away: few stations were possible, then more.

    Attributes:
        step: its number.
        before: the number of possible stations just before.
        after: the number afterwards.
    """

    step: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Costly:
    """A step before an action that lowered the acting side's winning probability by much.

    Attributes:
        step: its number; the next action was costly.
        pawn: the pawn that acted.
        cost: by how much, from 0 to 1.
    """

    step: int
    pawn: str
    cost: float


Moment = Narrowed | Closest | Slipped | Costly
"""A step worth looking at."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """The progress of a game's analysis, and its result once complete.

    Attributes:
        done: the number of analysed steps.
        total: the number of steps: all but the last, at which everything is open.
        steps: the analysis of each; empty until complete.
        moments: the key moments in the order of the game; empty until complete.
        trouble: why there will be no analysis, a sentence, or "".
    """

    done: int = 0
    total: int = 0
    steps: tuple[AnalysedStep, ...] = field(default=(), repr=False)
    moments: tuple[Moment, ...] = ()
    trouble: str = ""

    @property
    def complete(self) -> bool:
        """Whether the analysis is complete."""
        return bool(self.steps)
