"""Define what plays the games of a tournament, wherever that is."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Protocol

from firmware_host.tournament.entrants import TournamentError
from firmware_host.tournament.one_game import Result
from firmware_host.tournament.pairings import Pairing


class RunnerLost(TournamentError, RuntimeError):
    """Where games were played none can be played any more; the message says why. What has come of others counts."""


class GameRunner(Protocol):
    """Plays games somewhere: in this process, in others, or on other machines."""

    def play(self, games: Sequence[Pairing]) -> Generator[Result]:
        """Play games, and give the result of each once, as it comes.

        Who stops asking for results closes the generator: then what is still being played is given up.

        Raises:
            RunnerLost: the games that are left cannot be played.
        """
