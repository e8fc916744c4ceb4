"""Let Mister X decide his whole turn at once: both halves of a double move, or surfacing and moving.

Mister X's player knows the whole game, so it can rebuild the game and simulate the turn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

from firmware_host.players.player_errors import CannotPlay
from firmware_host.players.player_port import NewGame, Position
from firmware_host.rules.actions import MR_X, START, Action, Double, MrXMove, Pass, Surface
from firmware_host.rules.game import Game
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import MrXView, PublicView

_PASSED = "pass"


def whole_turn(game: NewGame, position: Position, flee: Callable[[MrXView], Action]) -> tuple[Action, ...]:
    """Return all of Mister X's actions until his turn ends, each chosen by `flee`.

    Raises:
        CannotPlay: the position is not Mister X's.
    """
    if position.private is None:
        raise CannotPlay("Mister X's turn cannot be chosen without his own view")
    actions = [flee(position.private)]
    if not isinstance(actions[0], Double | Surface):
        return tuple(actions)
    played = his_game(game, position, position.private)
    while True:
        played.play(actions[-1])
        if played.public.outcome is not None or not played.public.his_turn:
            return tuple(actions)
        actions.append(flee(played.private))


def his_game(game: NewGame, position: Position, private: MrXView) -> Game:
    """Rebuild the game up to Mister X's view; not for games in which he picks tickets (JU-04)."""
    route, history = private.route.value, position.history
    began = route[0] if game.cards or MR_X in game.start else 0  # without cards he chose his start in the game (DI-10)
    played = Game(replace(game.setup, mr_x=Secret(began)))
    for (before, after), seen in zip(pairwise(history.views), history.done, strict=True):
        played.play(seen if seen is not None else _his_action(before, after, route))
    return played


def _his_action(before: PublicView, after: PublicView, route: tuple[int, ...]) -> Action:
    """Return what Mister X did between two views."""
    filled = len(after.log)
    if filled > len(before.log):
        ticket = after.log[-1].ticket
        return Pass() if ticket == _PASSED else MrXMove(Secret(route[filled]), ticket)
    if after.double != before.double:
        return Double()
    return MrXMove(Secret(route[0]), START) if after.round != before.round else Surface()
