"""A computer player in this process: one of our own levels, which thinks while it is asked."""

from __future__ import annotations

from firmware_host.players.levels.level_chooser import Chooser, chooser_at
from firmware_host.players.levels.levels import Level
from firmware_host.players.player_errors import CannotPlay, PlayerFailed
from firmware_host.players.player_port import NewGame, Position
from firmware_host.rules.actions import Action


class LevelPlayer:
    """Plays at a level. Implements `Player`, but `ask` returns only when the answer is found.

    Args:
        level: how well it plays; what a game says of levels is not looked at.
    """

    def __init__(self, level: Level) -> None:
        self._level = level
        self._chooser: Chooser | None = None
        self._answer: tuple[Action, ...] | None = None

    def begin(self, game: NewGame) -> None:
        """Begin to play a game.

        Raises:
            PlayerFailed: it cannot be played at this level.
        """
        try:
            self._chooser, self._answer = chooser_at(self._level, game), None
        except CannotPlay as error:
            raise PlayerFailed(str(error)) from None

    def ask(self, position: Position) -> None:
        """Find the answer.

        Raises:
            PlayerFailed: no game was begun, or nobody of this side can do anything now.
        """
        if self._chooser is None:
            raise PlayerFailed("it was asked for a move before a game was begun")
        try:
            self._answer = self._chooser.choose(position)
        except CannotPlay as error:
            raise PlayerFailed(str(error)) from None

    def answer(self) -> tuple[Action, ...] | None:
        """Return what it will do; None before it was asked."""
        return self._answer

    def over(self, winner: str, reason: str) -> None:
        """Do nothing: it learns nothing from games."""

    def close(self) -> None:
        """Do nothing: it holds nothing."""
