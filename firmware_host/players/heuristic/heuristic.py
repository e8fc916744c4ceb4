"""Choose moves as people who play to win would, in whatever game: see `game_heuristic`.

`random_detective_action` and `random_mr_x_action` do not play to win: they pick any legal action.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from typing import Any

from firmware_host.players.heuristic.dice_heuristic import DiceHeuristic
from firmware_host.players.heuristic.game_heuristic import GameHeuristic
from firmware_host.players.heuristic.junior_heuristic import JuniorHeuristic
from firmware_host.rules.actions import BLACK, Action, MrXMove, PawnMove
from firmware_host.rules.game import Game
from firmware_host.rules.views import MrXView, PublicView

_SHARED: GameHeuristic[Any] = GameHeuristic()
_OWN: Mapping[type[PublicView], GameHeuristic[Any]] = {
    heuristic.view: heuristic for heuristic in (DiceHeuristic(), JuniorHeuristic())
}
"""The games that are played in a way of their own; all others are played by what all share."""


def heuristic_of(view: PublicView) -> GameHeuristic[Any]:
    """Return how a game is played, by its view."""
    return _OWN.get(type(view), _SHARED)


def possible_stations(view: PublicView) -> frozenset[int]:
    """Return where Mister X may be by what everyone knows; empty if nothing is known."""
    return heuristic_of(view).possible_stations(view)


def pursue(view: PublicView, chance: random.Random) -> Action:
    """Choose the detectives' action: close in on where Mister X may be."""
    return heuristic_of(view).pursue(view, chance)


def flee(view: MrXView, chance: random.Random) -> Action:
    """Choose Mister X's action: flee the detectives."""
    return heuristic_of(view.public).flee(view, chance)


def random_detective_action(view: PublicView, chance: random.Random) -> Action:
    """Pick any of the detectives' moves; now and then do something else instead, such as roll again."""
    extras = list(view.extras.values())
    if extras and chance.random() < 0.15:
        return chance.choice(extras)
    return chance.choice(view.moves)


def random_mr_x_action(view: MrXView, chance: random.Random) -> Action:
    """Pick any move of Mister X's; announce only now and then, or his cards would be spent at once."""
    choices = view.choices.value
    moves = [action for action in choices if isinstance(action, MrXMove)]
    if not moves or chance.random() < 0.1:
        return chance.choice([action for action in choices if not isinstance(action, MrXMove)] or moves)
    plain = [move for move in moves if move.ticket != BLACK]
    return chance.choice(plain if plain and chance.random() < 0.8 else moves)


def alternative_move(game: Game, move: PawnMove, masked: Collection[int]) -> PawnMove | None:
    """Return another legal move that a switch can see, with one ticket, that can be taken back; not the end.

    Args:
        game: the game.
        move: the intended move.
        masked: stations whose switches are ignored: a move there cannot be taken back by hand.
    """
    view = game.public
    here = view.pawns[move.pawn]
    taken = {move.to, *view.stale, *view.pawns.values(), *masked}
    shared = sum(at == here for at in view.pawns.values()) > 1
    if shared or here in masked:
        return None
    others = [m for m in view.moves if m.pawn == move.pawn and m.to not in taken]
    for other in others:
        if sum(m.to == other.to for m in others) == 1:
            return other if Game(game.setup, [*game.actions, other]).returnable else None
    return None
