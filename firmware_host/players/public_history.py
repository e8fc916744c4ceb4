"""Keep what everyone has seen of a game, from its first view to this moment. Nothing hidden ever goes in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from firmware_host.rules.actions import Action, PawnMove, Roll, RollAgain, Take
from firmware_host.rules.views import LogEntry, PublicView

SeenAction = PawnMove | Roll | RollAgain | Take
"""The actions that are done for all to see. Those of Mister X's are not among them: his log tells what is known."""


@dataclass(frozen=True, slots=True)
class Appeared:
    """A pawn of Mister X's appeared at the end of a round where it went, or stayed: in a game without a log (JU-07)."""

    pawn: str
    station: int


SeenEvent = LogEntry | SeenAction | Appeared
"""What has happened, as everyone knows it: a move of Mister X's is the entry of his log."""


@dataclass(frozen=True, slots=True)
class PublicHistory:
    """What everyone has seen of one game. Never changes: `see` and `forget` return another.

    Attributes:
        views: what everyone could see: before the first action, and after each.
        done: for each view but the first, what was done for all to see just before it; None where only the views tell.
    """

    views: tuple[PublicView, ...] = field(repr=False)
    done: tuple[SeenAction | None, ...] = ()

    @classmethod
    def begin(cls, view: PublicView) -> PublicHistory:
        """Return the history of a game in which nothing has been done yet."""
        return cls((view,))

    @property
    def now(self) -> PublicView:
        """What everyone may know at this moment."""
        return self.views[-1]

    def see(self, view: PublicView, action: Action | None) -> PublicHistory:
        """Return the history after one more action. Of an action that is not done for all to see, nothing is kept."""
        seen = action if isinstance(action, SeenAction) else None
        return PublicHistory((*self.views, view), (*self.done, seen))

    def forget(self) -> PublicHistory:
        """Return the history before the last action, which was taken back."""
        return PublicHistory(self.views[:-1], self.done[:-1])

    @property
    def events(self) -> tuple[SeenEvent, ...]:
        """All that has happened, in order. A log entry is as it is known now: it may have been uncovered since."""
        return tuple(self._events())

    def _events(self) -> Iterator[SeenEvent]:
        log = self.now.log
        for (before, after), action in zip(pairwise(self.views), self.done, strict=True):
            if action is not None:
                yield action
            yield from log[len(before.log) : len(after.log)]
            if not after.windows and (after.round, after.outcome) != (before.round, before.outcome):
                yield from (Appeared(pawn, after.pawns[pawn]) for pawn in after.fugitives)
