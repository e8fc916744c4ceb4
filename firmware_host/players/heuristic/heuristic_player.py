"""A computer player that answers by rules of thumb, without a process or delay."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from firmware_host.players.heuristic import heuristic
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import NewGame, Position
from firmware_host.rules.actions import Action
from firmware_host.rules.views import PublicView


class HeuristicPlayer:
    """A player of any seat in any game by `heuristic`. Implements `Player`.

    The same seed and position give the same answer, whatever was asked before.
    """

    def __init__(self) -> None:
        self._game: NewGame | None = None
        self._answer: tuple[Action, ...] | None = None

    def begin(self, game: NewGame) -> None:
        """Begin a game."""
        self._game, self._answer = game, None

    def ask(self, position: Position) -> None:
        """Find the answer.

        Raises:
            PlayerFailed: no game was begun, or this seat has no action now.
        """
        if self._game is None:
            raise PlayerFailed("it was asked for a move before its game began")
        history = position.history
        chance = random.Random(f"{self._game.seed} {len(history.views)}")  # noqa: S311 - a game has to repeat itself
        if position.private is not None:
            self._answer = (heuristic.flee(position.private, chance),)
            return
        own = of_pawns(history.now, self._game.pawns)
        if not own.moves and not own.extras:
            raise PlayerFailed("it was asked for a move but has none")
        self._answer = (heuristic.pursue(own, chance),)

    def answer(self) -> tuple[Action, ...] | None:
        """Return the action that was found; None before `ask`."""
        return self._answer

    def over(self, winner: str, reason: str) -> None:
        """Do nothing: this player learns nothing from results."""

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


def of_pawns(view: PublicView, pawns: Sequence[str]) -> PublicView:
    """Return the view with only these pawns allowed to move, even if the order is free (BE-02)."""
    moves = tuple(move for move in view.moves if move.pawn in pawns)
    return replace(view, moves=moves, turn=tuple(pawn for pawn in view.turn if pawn in pawns))
