"""Define what the coach found out of a finished game: step by step, and its key moments. No words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware_host.rules.actions import MR_X, Action, Double, MrXMove, PawnMove


@dataclass(frozen=True, slots=True)
class AdvisedMove:
    """What the coach would have done, open: the game is over.

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
        """Return an action as a move; None if it is none: that Mister X shows himself, or takes a ticket."""
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
    """What the coach says of one step: of detectives from what everyone knew then, of Mister X from where he was.

    Attributes:
        stations: where Mister X may have been by what everyone knew -> how likely, 1 in all.
        advice: what it would have done next.
        followed: whether just that was done next.
        chance: how likely the detectives were to win by what everyone knew; None without the extra `players`.
        cost: by how much what was done next made it less likely that whoever did it wins; None without that extra.
    """

    stations: Mapping[int, float]
    advice: AdvisedMove | None = None
    followed: bool = False
    chance: float | None = None
    cost: float | None = None


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


@dataclass(frozen=True, slots=True)
class Costly:
    """A step after which somebody lowered his chance to win by much.

    Attributes:
        step: its number; what was done next was costly.
        pawn: whose move it was.
        cost: by how much, from 0 to 1.
    """

    step: int
    pawn: str
    cost: float


Moment = Narrowed | Closest | Slipped | Costly
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
