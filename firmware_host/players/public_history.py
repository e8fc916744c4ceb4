"""Record the public history of a game, from its first view to now. Nothing hidden ever enters it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from firmware_host.rules.actions import Action, PawnMove, Roll, RollAgain, Take
from firmware_host.rules.views import LogEntry, PublicView

SeenAction = PawnMove | Roll | RollAgain | Take
"""The public actions. Mister X's are not among them: his log shows what is known."""


@dataclass(frozen=True, slots=True)
class Appeared:
    """Mister X's pawn appeared at its destination at the end of a round, in a game without a log (JU-07)."""

    pawn: str
    station: int


SeenEvent = LogEntry | SeenAction | Appeared
"""A past event as everyone knows it: Mister X's move is the entry in his log."""


@dataclass(frozen=True, slots=True)
class PublicHistory:
    """The public history of one game. Immutable: `see` and `forget` return another history.

    Attributes:
        views: the public views: before the first action, and after each.
        done: for each view but the first, the public action just before it; None if only the views show it.
    """

    views: tuple[PublicView, ...] = field(repr=False)
    done: tuple[SeenAction | None, ...] = ()

    @classmethod
    def begin(cls, view: PublicView) -> PublicHistory:
        """Return the history of a game before its first action."""
        return cls((view,))

    @property
    def now(self) -> PublicView:
        """The current public view."""
        return self.views[-1]

    def see(self, view: PublicView, action: Action | None) -> PublicHistory:
        """Return the history after one more action. Only a public action is recorded."""
        seen = action if isinstance(action, SeenAction) else None
        return PublicHistory((*self.views, view), (*self.done, seen))

    def forget(self) -> PublicHistory:
        """Return the history without the last action, which was taken back."""
        return PublicHistory(self.views[:-1], self.done[:-1])

    @property
    def events(self) -> tuple[SeenEvent, ...]:
        """All events, in order. A log entry is as it is known now: it may have been uncovered later."""
        return tuple(self._events())

    def _events(self) -> Iterator[SeenEvent]:
        log = self.now.log
        for (before, after), action in zip(pairwise(self.views), self.done, strict=True):
            if action is not None:
                yield action
            yield from log[len(before.log) : len(after.log)]
            if not after.windows and (after.round, after.outcome) != (before.round, before.outcome):
                yield from (Appeared(pawn, after.pawns[pawn]) for pawn in after.fugitives)
