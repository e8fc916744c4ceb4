"""Define what does the work of a tournament, game after game, wherever that is."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Protocol, TypeVar

from firmware_host.tournament.entrants import TournamentError

Game = TypeVar("Game")
Outcome = TypeVar("Outcome")


class RunnerLost(TournamentError, RuntimeError):
    """Where games were played none can be played any more; the message says why. What has come of others counts."""


class GameRunner(Protocol):
    """Plays games somewhere: in this process, in others, or on other machines."""

    def play(self, play: Callable[[Game], Outcome], games: Sequence[Game]) -> Generator[Outcome]:
        """Play games, and give what comes of each once, as it comes.

        Who stops asking closes the generator: then what is still being played is given up.

        Args:
            play: what plays a game, such as `one_game.play`; other processes find it by its module and name.
            games: the games; each with a text that tells it from others.

        Raises:
            RunnerLost: the games that are left cannot be played.
        """
