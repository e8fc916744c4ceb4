"""Define the interface of what plays a tournament's games, wherever that is."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Protocol, TypeVar

from firmware_host.tournament.entrants import TournamentError

Game = TypeVar("Game")
Outcome = TypeVar("Outcome")


class RunnerLost(TournamentError, RuntimeError):
    """The remaining games cannot be played; the message says why. Earlier results count."""


class GameRunner(Protocol):
    """A player of games: in this process, in others, or on other machines."""

    def play(self, play: Callable[[Game], Outcome], games: Sequence[Game]) -> Generator[Outcome]:
        """Play games, and yield each result once, as it arrives.

        Closing the generator abandons the games in progress.

        Args:
            play: plays a game, such as `one_game.play`; other processes find it by its module and name.
            games: the games, each with a text that identifies it.

        Raises:
            RunnerLost: the remaining games cannot be played.
        """
