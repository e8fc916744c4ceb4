"""A computer player that needs no process and no time: it answers by rules of thumb, at once."""

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
    """Plays any seat of any game by `heuristic`. Implements `Player`.

    The same seed and the same position bring about the same answer, whatever was asked before.
    """

    def __init__(self) -> None:
        self._game: NewGame | None = None
        self._answer: tuple[Action, ...] | None = None

    def begin(self, game: NewGame) -> None:
        """Begin to play a game."""
        self._game, self._answer = game, None

    def ask(self, position: Position) -> None:
        """Find the answer.

        Raises:
            PlayerFailed: no game was begun, or nobody of this seat can do anything now.
        """
        if self._game is None:
            raise PlayerFailed("it was asked for a move before a game was begun")
        history = position.history
        chance = random.Random(f"{self._game.seed} {len(history.views)}")  # noqa: S311 - a game has to repeat itself
        if position.private is not None:
            self._answer = (heuristic.flee(position.private, chance),)
            return
        own = of_pawns(history.now, self._game.pawns)
        if not own.moves and not own.extras:
            raise PlayerFailed("it was asked for a move where it has none")
        self._answer = (heuristic.pursue(own, chance),)

    def answer(self) -> tuple[Action, ...] | None:
        """Return what it will do; None before it was asked."""
        return self._answer

    def over(self, winner: str, reason: str) -> None:
        """Do nothing: it learns nothing from games."""

    def close(self) -> None:
        """Do nothing: it holds nothing."""


def of_pawns(view: PublicView, pawns: Sequence[str]) -> PublicView:
    """Return a view in which nobody but these pawns may move: where the order is free, others may, too (BE-02)."""
    moves = tuple(move for move in view.moves if move.pawn in pawns)
    return replace(view, moves=moves, turn=tuple(pawn for pawn in view.turn if pawn in pawns))
