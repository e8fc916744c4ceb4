"""A computer player in this process that thinks inside `ask`."""

from __future__ import annotations

from firmware_host.players.levels.level_chooser import Chooser, chooser_at
from firmware_host.players.levels.levels import Level
from firmware_host.players.player_errors import CannotPlay, PlayerFailed
from firmware_host.players.player_port import NewGame, Position
from firmware_host.rules.actions import Action


class LevelPlayer:
    """A player at one level. Implements `Player`, but `ask` returns only when the answer is found.

    Args:
        level: how well it plays; the level that a game asks for is ignored.
    """

    def __init__(self, level: Level) -> None:
        self._level = level
        self._chooser: Chooser | None = None
        self._answer: tuple[Action, ...] | None = None

    def begin(self, game: NewGame) -> None:
        """Begin a game.

        Raises:
            PlayerFailed: the game cannot be played at this level.
        """
        try:
            self._chooser, self._answer = chooser_at(self._level, game), None
        except CannotPlay as error:
            raise PlayerFailed(str(error)) from None

    def ask(self, position: Position) -> None:
        """Find the answer.

        Raises:
            PlayerFailed: no game was begun, or this side has no action now.
        """
        if self._chooser is None:
            raise PlayerFailed("it was asked for a move before its game began")
        try:
            self._answer = self._chooser.choose(position)
        except CannotPlay as error:
            raise PlayerFailed(str(error)) from None

    def answer(self) -> tuple[Action, ...] | None:
        """Return the actions that were found; None before `ask`."""
        return self._answer

    def over(self, winner: str, reason: str) -> None:
        """Do nothing: this player learns nothing from results."""

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
