"""Choose moves by rules of thumb, and play a seat with them.

`random_detective_action` and `random_mr_x_action` do not play to win: they pick any legal action.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from firmware_host.players.heuristic.dice_heuristic import DiceHeuristic
from firmware_host.players.heuristic.game_heuristic import GameHeuristic
from firmware_host.players.heuristic.junior_heuristic import JuniorHeuristic
from firmware_host.players.player_errors import NO_GAME, PlayerFailed
from firmware_host.players.player_port import InstantPlayer, NewGame, Position
from firmware_host.rules.actions import BLACK, Action, MrXMove, PawnMove
from firmware_host.rules.game import Game
from firmware_host.rules.views import MrXView, PublicView

_SHARED: GameHeuristic[Any] = GameHeuristic()
_OWN: Mapping[type[PublicView], GameHeuristic[Any]] = {
    heuristic.view: heuristic for heuristic in (DiceHeuristic(), JuniorHeuristic())
}
"""The games with their own heuristic; all others share `GameHeuristic`."""


def heuristic_of(view: PublicView) -> GameHeuristic[Any]:
    """Return the rules of thumb for a view's game."""
    return _OWN.get(type(view), _SHARED)


def possible_stations(view: PublicView) -> frozenset[int]:
    """Return the stations where Mister X may be, judging by public knowledge, or none if nothing is known."""
    return heuristic_of(view).possible_stations(view)


def pursue(view: PublicView, rng: random.Random) -> Action:
    """Choose an action that brings a detective nearer to where Mister X may be."""
    return heuristic_of(view).pursue(view, rng)


def flee(view: MrXView, rng: random.Random) -> Action:
    """Choose an action by which Mister X flees the detectives."""
    return heuristic_of(view.public).flee(view, rng)


def random_detective_action(view: PublicView, rng: random.Random) -> Action:
    """Choose a random move of the detectives, or rarely another action such as rolling again."""
    extras = list(view.extras.values())
    if extras and rng.random() < 0.15:
        return rng.choice(extras)
    return rng.choice(view.moves)


def random_mr_x_action(view: MrXView, rng: random.Random) -> Action:
    """Choose a random move of Mister X. He rarely announces anything, because he would soon have no cards left."""
    choices = view.choices.value
    moves = [action for action in choices if isinstance(action, MrXMove)]
    if not moves or rng.random() < 0.1:
        return rng.choice([action for action in choices if not isinstance(action, MrXMove)] or moves)
    plain = [move for move in moves if move.ticket != BLACK]
    return rng.choice(plain if plain and rng.random() < 0.8 else moves)


def alternative_move(game: Game, move: PawnMove, ignored: Collection[int]) -> PawnMove | None:
    """Return another legal move that people can undo and whose switches work, or None.

    The move does not end the game.

    Args:
        game: the game.
        move: the intended move.
        ignored: stations whose switches are ignored: people cannot undo a move there.
    """
    view = game.public
    here = view.pawns[move.pawn]
    taken = {move.to, *view.stale, *view.pawns.values(), *ignored}
    shared = sum(at == here for at in view.pawns.values()) > 1
    if shared or here in ignored:
        return None
    others = [m for m in view.moves if m.pawn == move.pawn and m.to not in taken]
    for other in others:
        if sum(m.to == other.to for m in others) == 1:
            return other if Game(game.setup, [*game.actions, other]).returnable else None
    return None


class HeuristicPlayer(InstantPlayer):
    """A player of any seat in any game by rules of thumb. Implements `Player`.

    The same seed and position give the same answer. Earlier questions make no difference.
    """

    def __init__(self) -> None:
        super().__init__()
        self._game: NewGame | None = None

    def begin(self, game: NewGame) -> None:
        """Start a game."""
        self._game, self._answer = game, None

    def ask(self, position: Position) -> None:
        """Find the answer before returning.

        Raises:
            PlayerFailed: no game was begun, or this seat has no action now.
        """
        if self._game is None:
            raise PlayerFailed(NO_GAME)
        history = position.history
        rng = random.Random(f"{self._game.seed} {len(history.views)}")  # noqa: S311 - a game has to repeat itself
        private, own = position.private, of_pawns(history.now, self._game.pawns)
        if not (private.choices.value if private is not None else own.moves or own.extras):
            raise PlayerFailed("it was asked for a move but has no legal one; ask only a player on turn")
        self._answer = (pursue(own, rng) if private is None else flee(private, rng),)


def of_pawns(view: PublicView, pawns: Sequence[str]) -> PublicView:
    """Return a copy of the view in which only these pawns may move, even if the order is free (BE-02)."""
    moves = tuple(move for move in view.moves if move.pawn in pawns)
    return replace(view, moves=moves, turn=tuple(pawn for pawn in view.turn if pawn in pawns))
