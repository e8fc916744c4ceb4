"""What the table asks where presence cannot tell, and what an answer means. Pure.

A question is one pawn and one station, with all the tickets that lead there. They are asked one after the other: the
back key goes on to the next, the confirm key or a ticket's key answers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from firmware_host.events import Entry, Play, TakeBack
from firmware_host.rules.actions import FUGITIVES, STAY, MrXMove, PawnMove
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import PublicView
from firmware_host.scene import RETURN


@dataclass(frozen=True, slots=True)
class Questions:
    """A round of questions. `at` is the one being asked; -1: none before the back key has gone to one."""

    each: tuple[tuple[PawnMove, ...], ...] = ()
    at: int = 0

    def __bool__(self) -> bool:
        return bool(self.each)

    @property
    def asked(self) -> tuple[PawnMove, ...]:
        """The moves between which the table asks now."""
        return self.each[self.at] if self.each and self.at >= 0 else ()

    @property
    def more(self) -> bool:
        """Whether the back key goes on to another question."""
        return len(self.each) > 1 or self.at < 0

    def next(self) -> Questions:
        """The next question, round and round."""
        return replace(self, at=(self.at + 1) % len(self.each)) if self.each and self.more else self


NO_QUESTIONS = Questions()


def about(moves: Iterable[PawnMove], at: int = 0) -> Questions:
    """Moves as questions: one for each pawn and station, in the order of the moves; to put one back is its own."""
    groups: dict[tuple[str, int, bool], dict[PawnMove, None]] = {}
    for move in moves:
        groups.setdefault((move.pawn, move.to, move.ticket == RETURN), {})[move] = None
    return Questions(tuple(tuple(group) for group in groups.values()), at)


def about_hands(view: PublicView, pawns: tuple[str, ...], first: tuple[PawnMove, ...] = ()) -> Questions:
    """Where pawns in hand may stand unfelt: the likeliest stations first, then all their others.

    Where none is likelier than the others, no station is meant until the back key has gone to one.
    """
    away = (move for move in view.moves if move.pawn in pawns and move.ticket != STAY)
    theirs = sorted(away, key=lambda move: move.to)
    likely = (move for one in first for move in theirs if (move.pawn, move.to) == (one.pawn, one.to))
    found = about((*likely, *theirs), 0 if first else -1)
    return found if found.each else NO_QUESTIONS


def entry(move: PawnMove) -> Entry:
    """What a move on the board means: a detective's, one to be taken back, or Mister X's own in the open (BE-05)."""
    if move.ticket == RETURN:
        return TakeBack()
    return Play(MrXMove(Secret(move.to), move.ticket) if move.pawn in FUGITIVES else move)
