"""List all rule systems. Each has a folder beside this file, and a row in this module's table."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from firmware_host.rules.actions import Action, Roll
from firmware_host.rules.dice import dice_box, dice_game
from firmware_host.rules.dice.dice_view import DiceView
from firmware_host.rules.errors import BadEdition, BadSetup
from firmware_host.rules.junior import junior_box, junior_game
from firmware_host.rules.junior.junior_view import JuniorView
from firmware_host.rules.network import shorten
from firmware_host.rules.pursuit import edition, pursuit_game
from firmware_host.rules.pursuit.pursuit_view import PursuitView
from firmware_host.rules.setup import Box, Ground, Option, Setup, Wish
from firmware_host.rules.views import MrXView, PublicView


class System(Protocol):
    """The interface of a rule system.

    States are immutable. `play` is deterministic, because a roll of dice is an action.
    """

    @property
    def name(self) -> str:
        """The name with which a configuration chooses these rules: `rules = "…"`."""

    def check(self, options: Mapping[str, Option]) -> None:
        """Check that the box allows these options.

        Raises:
            BadSetup: an option that the box does not have, a wrong type, or a value out of range.
        """

    def check_ground(self, ground: Ground, players: int) -> None:
        """Check that a game for this many players can begin on this board, whatever cards or tiles are drawn.

        Raises:
            BadSetup: no such game can begin; the message says why.
        """

    def deal(self, ground: Ground, wish: Wish, rng: random.Random) -> Setup:
        """Set up a new game: as the players wish, else as the box prescribes, else at random with `rng`.

        Raises:
            BadSetup: the wishes contradict the box, the board or each other.
        """

    def begin(self, setup: Setup) -> Any:
        """Return the state before the first move.

        Raises:
            BadSetup: the setup contradicts the rules.
        """

    def legal(self, state: Any) -> tuple[Action, ...]:
        """Return all legal actions; none while dice have to be rolled (see `roll`), or once the game is over."""

    def play(self, state: Any, action: Action) -> Any:
        """Return the state after an action.

        Raises:
            IllegalAction: the action is not legal now.
        """

    def public(self, state: Any) -> PublicView:
        """Return the public view, which has only what everyone may know."""

    def private(self, state: Any) -> MrXView:
        """Return Mister X's view: the public view and his secrets."""

    def roll(self, state: Any, rng: random.Random) -> Roll | None:
        """Return a random roll if dice have to be rolled, else None."""


class Engine(NamedTuple):
    """One kind of game: the class of its boxes, their parser, its rule system, and its public view."""

    box: type[Box]
    parse: Callable[[str, Mapping[str, Any], str], Box]
    system: Callable[[Any], System]
    view: type[PublicView]


ENGINES: Mapping[str, Engine] = {
    "pursuit": Engine(edition.Edition, edition.parse, pursuit_game.Pursuit, PursuitView),
    "junior": Engine(junior_box.JuniorBox, junior_box.parse, junior_game.Junior, JuniorView),
    "dice": Engine(dice_box.DiceBox, dice_box.parse, dice_game.DiceGame, DiceView),
}
"""The value of `game` in a box's file -> its engine."""


def parse(name: str, data: Mapping[str, Any], source: str) -> Box:
    """Read a box from a file's `data`. `source` names the file in messages.

    The key `game` names the engine; without it, the box is a pursuit game.

    Raises:
        BadEdition: the file is wrong; the message names the file, each entry, and what would be right.
    """
    game = data.get("game", "pursuit")
    if not isinstance(game, str) or game not in ENGINES:
        raise BadEdition(f"{source}: game: {shorten(game)} is none of {', '.join(ENGINES)}")
    return ENGINES[game].parse(name, {key: value for key, value in data.items() if key != "game"}, source)


def system(box: Box) -> System:
    """Return the rule system for a box.

    Raises:
        TypeError: no rule system plays this box.
    """
    for engine in ENGINES.values():
        if isinstance(box, engine.box):
            return engine.system(box)
    raise TypeError(f"no rule system plays a {type(box).__name__}")


def player_counts(box: Box, ground: Ground) -> list[int]:
    """Return the numbers of players with which a game can begin on a board, ascending."""
    found = []
    for players in sorted(box.seats):
        try:
            system(box).check_ground(ground, players)
        except BadSetup:
            continue
        found.append(players)
    return found
