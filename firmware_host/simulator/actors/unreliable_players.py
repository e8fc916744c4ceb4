"""Computer players that fail as programs do: they die, hang or answer nonsense, once or for good."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection

from firmware_host.players.coach.coach import OwnCoach
from firmware_host.players.coach.coach_port import Coach
from firmware_host.players.heuristic.heuristic_player import HeuristicPlayer
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import NewGame, Position
from firmware_host.players.seats import PlayerName
from firmware_host.rules.actions import MR_X, Action, MrXMove, PawnMove
from firmware_host.rules.secret import Secret
from firmware_host.table.player_maker import ThinkingTime

OFTEN = 0.02
"""The probability that a player fails at a move."""

NOWHERE = 10_000
"""A station that no map has."""


class UnreliablePlayers:
    """A source of heuristic players that sometimes fail. Implements `PlayerMaker`.

    Args:
        chance: the random source of the failures.
        happened: a counter of the failures of each kind.
        often: the probability of a failure at a move; 0: never.
    """

    programs: Collection[str] = ()

    def __init__(self, chance: random.Random, happened: Counter[str], *, often: float = OFTEN) -> None:
        self._chance, self._happened, self._often = chance, happened, often

    def pace(self, name: PlayerName) -> ThinkingTime:  # noqa: ARG002 - equal for all
        """Return a player's thinking time."""
        return ThinkingTime(ms=1, think_s=1.5, first_s=15.0, late_s=10.0)

    def make(self, name: PlayerName) -> _Unreliable:  # noqa: ARG002 - equal for all
        """Create a player.

        Raises:
            PlayerFailed: the player cannot be created.
        """
        if self._chance.random() < self._often:
            self._happened["player cannot start"] += 1
            raise PlayerFailed("it cannot be started")
        return _Unreliable(self._fault)

    def coach(self) -> Coach:
        """Create a coach; it never fails."""
        return OwnCoach()

    def _fault(self) -> str:
        """Return the kind of failure that happens now, or ""."""
        if self._chance.random() >= self._often:
            return ""
        kind = self._chance.choice(("dies at once", "dies", "hangs", "answers nothing", "answers nonsense", "cheats"))
        self._happened[f"player {kind}"] += 1
        return kind


class _Unreliable:
    """A heuristic player that sometimes fails. Implements `Player`."""

    def __init__(self, fault: Callable[[], str]) -> None:
        self._fault, self._now = fault, ""
        self._player = HeuristicPlayer()
        self._pawns: tuple[str, ...] = ()

    def begin(self, game: NewGame) -> None:
        self._pawns = game.pawns
        self._player.begin(game)

    def ask(self, position: Position) -> None:
        self._now = self._fault()
        if self._now == "dies at once":
            raise PlayerFailed("it has died")
        self._player.ask(position)

    def answer(self) -> tuple[Action, ...] | None:
        match self._now:
            case "dies":
                raise PlayerFailed("it has died")
            case "hangs":
                return None
            case "answers nothing":
                return ()
            case "answers nonsense":
                return (MrXMove(Secret(NOWHERE), "taxi"),)
            case "cheats":
                return (PawnMove(MR_X if MR_X not in self._pawns else "red", 1, "taxi"),)
        return self._player.answer()

    def over(self, winner: str, reason: str) -> None:
        self._player.over(winner, reason)

    def close(self) -> None:
        self._player.close()
