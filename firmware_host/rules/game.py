"""Play one game as a list of actions, which can be continued, taken back and replayed."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

from firmware_host.rules.actions import MR_X, Action, Double, MrXMove, PawnMove, Roll, Surface, Take
from firmware_host.rules.engines import system
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Setup
from firmware_host.rules.views import DoubleMoves, LastMove, MrXView, PublicView

_NO_HALVES = (Surface, Take)
"""Mister X's possible actions within a double move besides its two halves."""


class Game:
    """A game in play, stored as its `setup` and its `actions` so far, from which all else is computed."""

    def __init__(self, setup: Setup, actions: Iterable[Action] = ()) -> None:
        self.setup = setup
        self.system = system(setup.edition)
        self.actions: list[Action] = []
        self._states = [self.system.begin(setup)]
        # Not printed: an earlier view may show where Mister X was, and this game's repr is public.
        self._views: deque[tuple[Any, Secret[PublicView]]] = deque(maxlen=2)
        self._last_moves: list[Mapping[str, LastMove]] = [{}]  # after each action, as far as it was computed
        self._tried: tuple[Any, Action | None, Any] = (None, None, None)  # a state, an action, and the state after it
        for action in actions:
            self.play(action)

    @property
    def legal(self) -> tuple[Action, ...]:
        """All legal actions. They are secret during Mister X's turn."""
        return self.system.legal(self._states[-1])

    @property
    def public(self) -> PublicView:
        """The public view: what everyone may know."""
        return self._view(self._states[-1])

    def _view(self, state: Any) -> PublicView:
        """Return the public view of a state. The two latest views are cached."""
        for known, view in self._views:
            if known is state:
                return view.value
        view = Secret(self.system.public(state))
        self._views.append((state, view))
        return view.value

    @property
    def private(self) -> MrXView:
        """Mister X's view: what he may know."""
        return self.system.private(self._states[-1])

    @property
    def double_moves(self) -> Secret[DoubleMoves]:
        """Mister X's double moves that are legal now: each first half -> its possible second halves.

        If Mister X takes tickets after a first half, no second half is given, because it may depend on those tickets
        (US-10).
        """
        state, play = self._states[-1], self.system.play
        if Double() not in self.system.private(state).choices.value:
            return Secret({})
        announced = play(state, Double())
        return Secret(
            {
                first: tuple(
                    second for second in self.system.legal(play(announced, first)) if not isinstance(second, _NO_HALVES)
                )
                for first in self.system.legal(announced)
                if not isinstance(first, _NO_HALVES)
            }
        )

    def roll(self, rng: random.Random) -> Roll | None:
        """Return a random roll if dice have to be rolled, else None."""
        return self.system.roll(self._states[-1], rng)

    def check(self, action: Action) -> None:
        """Check that an action is legal now.

        Raises:
            IllegalAction: the action is not legal now.
        """
        self._after(action)

    def play(self, action: Action) -> None:
        """Play an action.

        Raises:
            IllegalAction: the action is not legal; nothing has changed.
        """
        self._states.append(self._after(action))
        self.actions.append(action)

    def _after(self, action: Action) -> Any:
        """Return the state after an action. The result for the last checked action is cached."""
        now = self._states[-1]
        state, tried, after = self._tried
        if state is not now or tried is not action:
            after = self.system.play(now, action)
            self._tried = now, action, after
        return after

    @property
    def last_moves(self) -> tuple[LastMove, ...]:
        """Each pawn's last visible move.

        A pawn of Mister X's has a last move only while it is visible, and only if it was visible before that move.
        """
        while (done := len(self._last_moves)) < len(self._states):
            # Only the newest two views are cached, and a resumed game's earlier ones must not replace them.
            view = self._view if done == len(self._states) - 1 else self.system.public
            before, after = map(view, self._states[done - 1 : done + 1])
            self._last_moves.append(_seen_moves(self._last_moves[-1], before, after, self.actions[done - 1]))
        return (*self._last_moves[-1].values(),)

    def branch(self) -> Game:
        """Return an independent copy of the game."""
        branch = Game(self.setup)
        branch.actions, branch._states = [*self.actions], [*self._states]
        return branch

    @property
    def returnable(self) -> PawnMove | None:
        """The last action if it is a pawn's move that can be taken back, else None.

        A move of Mister X's own visible pawn (BE-05) is returned as a `PawnMove`. A move that ended the game, or
        revealed something such as Mister X's station, cannot be taken back.
        """
        last = self.actions[-1] if self.actions else None
        if not isinstance(last, PawnMove | MrXMove):
            return None
        now, before = self.public, self._view(self._states[-2])
        if isinstance(last, MrXMove):
            made = PawnMove(MR_X, last.to.value, last.ticket)
            in_the_open = made in before.open_moves and now.pawns.get(MR_X) == made.to
            return made if in_the_open and now.outcome is None else None
        shown = any(now.pawns.get(pawn) != before.pawns.get(pawn) for pawn in now.fugitives) or now.log != before.log
        return None if shown or now.outcome is not None or now.happened_since(before) is not None else last

    @property
    def before(self) -> PublicView | None:
        """The public view before the last move if that move can be taken back, else None."""
        return None if self.returnable is None else self._view(self._states[-2])

    def take_back(self) -> None:
        """Take back the last move of a pawn.

        Raises:
            IllegalAction: the last action cannot be taken back; see `returnable`.
        """
        if self.returnable is None:
            raise IllegalAction("nothing can be taken back: only the last pawn's move can, and not after the end")
        self._states.pop()
        self.actions.pop()
        del self._last_moves[len(self._states) :]
        self._views.clear()  # later views count as new, even if they were shown before


def _seen_moves(
    moves: Mapping[str, LastMove], before: PublicView, after: PublicView, action: Action
) -> Mapping[str, LastMove]:
    """Return each pawn's last visible move, now that an action was played.

    Args:
        moves: each pawn's last visible move before the action.
        before: the public view before the action.
        after: the public view after it.
        action: the action.
    """
    entries = after.log[len(before.log) :]
    moved = action if isinstance(action, PawnMove) else None
    seen = {}
    for pawn in (*after.fugitives, *after.order):
        here, there = before.pawns.get(pawn), after.pawns.get(pawn)
        if here is not None and there is not None and here != there:
            paid = moved.ticket if moved is not None and moved.pawn == pawn else ""
            seen[pawn] = LastMove(pawn, here, there, entries[-1].ticket if entries and pawn == MR_X else paid)
        elif here == there and pawn in moves and (moved is None or moved.pawn != pawn):
            seen[pawn] = moves[pawn]
    return seen
