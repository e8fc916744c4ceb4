"""Define what is taken back of a game with computers if somebody asks, or why nothing is. Public; no words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


class Why(Enum):
    """Why nothing can be taken back.

    Attributes:
        NOBODY: no person has moved yet.
        MR_X: Mister X has moved last, or since: all have seen what he gave away by that.
        SHOWN: a move has made him show himself.
        DICE: dice have been rolled since.
    """

    NOBODY = auto()
    MR_X = auto()
    SHOWN = auto()
    DICE = auto()


@dataclass(frozen=True, slots=True)
class Undo:
    """What is taken back if somebody asks for it.

    Attributes:
        count: how many actions, from the last one on; 0 for none.
        pawn: the pawn that the person has moved; "" for none.
        to: the station to which it goes back; None for off the board.
        why: why nothing can be taken back, or None.
        cancels: whether the move of `pawn` has not been played yet: it is dropped, and nothing is taken back.
    """

    count: int = 0
    pawn: str = ""
    to: int | None = None
    why: Why | None = None
    cancels: bool = False
