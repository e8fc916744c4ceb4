"""One game as the list of what was done in it: played on, taken back, replayed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from firmware_host.rules.actions import Action, PawnMove
from firmware_host.rules.edition import Edition, Setup
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.pursuit import Pursuit
from firmware_host.rules.views import MrXView, PublicView


class System(Protocol):
    """What every rule system offers. States are immutable; `play` is deterministic."""

    @property
    def name(self) -> str:
        """What `rules = "…"` calls it."""

    @property
    def edition(self) -> Edition:
        """The pawns, hands and windows it is played with."""

    def begin(self, setup: Setup) -> Any:
        """The state before the first move."""

    def legal(self, state: Any) -> tuple[Action, ...]:
        """All that may be done now."""

    def play(self, state: Any, action: Action) -> Any:
        """The state after an action."""

    def public(self, state: Any) -> PublicView:
        """What everyone may know."""

    def private(self, state: Any) -> MrXView:
        """What Mister X may know."""


def system(edition: Edition) -> System:
    """The rule system that an edition is played by."""
    return Pursuit(edition)


class Game:
    """A game in play. Its past is `setup` and `actions`; everything else follows from them."""

    def __init__(self, setup: Setup, actions: Iterable[Action] = ()) -> None:
        self.setup = setup
        self.system = system(setup.edition)
        self.actions: list[Action] = []
        self._states = [self.system.begin(setup)]
        for action in actions:
            self.play(action)

    @property
    def legal(self) -> tuple[Action, ...]:
        """All that may be done now; secret while it is Mister X's turn."""
        return self.system.legal(self._states[-1])

    @property
    def public(self) -> PublicView:
        """What everyone may know."""
        return self.system.public(self._states[-1])

    @property
    def private(self) -> MrXView:
        """What Mister X may know."""
        return self.system.private(self._states[-1])

    def check(self, action: Action) -> None:
        """Does nothing if the action is legal now.

        Raises:
            IllegalAction: it is not.
        """
        self.system.play(self._states[-1], action)

    def play(self, action: Action) -> None:
        """Do it.

        Raises:
            IllegalAction: it is not legal; nothing has changed.
        """
        self._states.append(self.system.play(self._states[-1], action))
        self.actions.append(action)

    @property
    def returnable(self) -> PawnMove | None:
        """The pawn's move that may still be taken back: the last thing done, and the game goes on."""
        last = self.actions[-1] if self.actions else None
        over = self.public.outcome is not None
        return last if isinstance(last, PawnMove) and not over else None

    @property
    def before(self) -> PublicView | None:
        """The public view before the move that may still be taken back, or None."""
        return None if self.returnable is None else self.system.public(self._states[-2])

    def take_back(self) -> None:
        """Undo the last pawn's move.

        Raises:
            IllegalAction: the last action was none, or it ended the game.
        """
        if self.returnable is None:
            raise IllegalAction("nothing can be taken back: only the last pawn's move can, and not after the end")
        self._states.pop()
        self.actions.pop()
