"""Play one game as the list of its actions: play on, take back, replay."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from firmware_host.rules.actions import MR_X, Action, MrXMove, PawnMove, Roll
from firmware_host.rules.dice.dice_box import DiceBox
from firmware_host.rules.dice.dice_game import DiceGame
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.junior.junior_box import JuniorBox
from firmware_host.rules.junior.junior_game import Junior
from firmware_host.rules.pursuit.edition import Edition
from firmware_host.rules.pursuit.pursuit_game import Pursuit
from firmware_host.rules.setup import Box, Ground, Option, Setup, Wish
from firmware_host.rules.views import MrXView, PublicView


class System(Protocol):
    """What every rule system offers. States are immutable; `play` is deterministic: chance comes in as an action."""

    @property
    def name(self) -> str:
        """The name in `rules = "…"`."""

    def check(self, options: Mapping[str, Option]) -> None:
        """Check that these options can be played with.

        Raises:
            BadSetup: an option that the box does not have, a wrong type, or a value out of range.
        """

    def check_ground(self, ground: Ground) -> None:
        """Check that each number of players of the box can begin on this ground, whatever is drawn.

        Raises:
            BadSetup: some cannot; a line for each reason.
        """

    def deal(self, ground: Ground, wish: Wish, chance: random.Random) -> Setup:
        """Set up a new game as the players wish, the rest by the box and by chance. Pure but for `chance`.

        Raises:
            BadSetup: the wishes contradict the box, the ground or each other.
        """

    def begin(self, setup: Setup) -> Any:
        """Return the state before the first move.

        Raises:
            BadSetup: the setup contradicts the rules.
        """

    def legal(self, state: Any) -> tuple[Action, ...]:
        """Return all legal actions; none while dice are to be rolled (see `roll`)."""

    def play(self, state: Any, action: Action) -> Any:
        """Return the state after an action."""

    def public(self, state: Any) -> PublicView:
        """Return what everyone may know."""

    def private(self, state: Any) -> MrXView:
        """Return what Mister X may know."""

    def roll(self, state: Any, chance: random.Random) -> Roll | None:
        """Return the roll if it is chance's turn, else None. Pure but for `chance`."""


def system(box: Box) -> System:
    """Return the rule system that plays a box.

    Raises:
        TypeError: no rule system plays it.
    """
    match box:
        case Edition():
            return Pursuit(box)
        case JuniorBox():
            return Junior(box)
        case DiceBox():
            return DiceGame(box)
    raise TypeError(f"no rule system plays a {type(box).__name__}")


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
        """All legal actions; secret during Mister X's turn."""
        return self.system.legal(self._states[-1])

    @property
    def public(self) -> PublicView:
        """What everyone may know."""
        return self.system.public(self._states[-1])

    @property
    def private(self) -> MrXView:
        """What Mister X may know."""
        return self.system.private(self._states[-1])

    def roll(self, chance: random.Random) -> Roll | None:
        """Return the roll if it is chance's turn, else None."""
        return self.system.roll(self._states[-1], chance)

    def check(self, action: Action) -> None:
        """Check that an action is legal now.

        Raises:
            IllegalAction: it is not.
        """
        self.system.play(self._states[-1], action)

    def play(self, action: Action) -> None:
        """Play an action.

        Raises:
            IllegalAction: it is not legal; nothing has changed.
        """
        self._states.append(self.system.play(self._states[-1], action))
        self.actions.append(action)

    @property
    def returnable(self) -> PawnMove | None:
        """The pawn's move that can be taken back: the last action, if it revealed nothing.

        That includes a move of Mister X's own pawn in the open (BE-05). A move that ended the game or made Mister X
        show himself stands.
        """
        last = self.actions[-1] if self.actions else None
        if not isinstance(last, PawnMove | MrXMove):
            return None
        now, before = self.public, self.system.public(self._states[-2])
        if isinstance(last, MrXMove):
            made = PawnMove(MR_X, last.to.value, last.ticket)
            in_the_open = made in before.open_moves and now.pawns.get(MR_X) == made.to
            return made if in_the_open and now.outcome is None else None
        shown = any(now.pawns.get(pawn) != before.pawns.get(pawn) for pawn in now.fugitives) or now.log != before.log
        return None if shown or now.outcome is not None or now.chips != before.chips else last

    @property
    def before(self) -> PublicView | None:
        """The public view before the move that can be taken back, or None."""
        return None if self.returnable is None else self.system.public(self._states[-2])

    def take_back(self) -> None:
        """Undo the last pawn's move.

        Raises:
            IllegalAction: the last action was not a pawn's move, or it ended the game.
        """
        if self.returnable is None:
            raise IllegalAction("nothing can be taken back: only the last pawn's move can, and not after the end")
        self._states.pop()
        self.actions.pop()
