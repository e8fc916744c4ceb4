"""Count the sequences of actions from a position, by the engine and by a naive referee."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, Protocol, Self, TypeVar

from firmware_host.rules.actions import Action, Roll
from firmware_host.rules.engines import System
from firmware_host.rules.game import Game


class NaiveReferee(Protocol):
    """A game in play. Each naive referee has its own form of moves."""

    def copy(self) -> Self: ...

    def moves(self) -> set[Any]: ...

    def do(self, move: Any, /) -> None: ...


AnyNaive = TypeVar("AnyNaive", bound=NaiveReferee)


def perft(game: NaiveReferee, depth: int) -> int:
    """Return how many sequences of `depth` actions there are."""
    if depth == 0:
        return 1
    total = 0
    for move in game.moves():
        later = game.copy()
        later.do(move)
        total += perft(later, depth - 1)
    return total


def play_all(game: AnyNaive, moves: Iterable[Any]) -> AnyNaive:
    """Return the game after these moves, each of which must be legal here too."""
    for move in moves:
        if move not in game.moves():
            raise ValueError(f"{move} is not legal")
        game.do(move)
    return game


@dataclass(frozen=True)
class Counted:
    """A position, who is on turn, and how many sequences of one, two … actions follow.

    Attributes:
        board: the map in the form of a naive referee.
        begin: creates the game.
    """

    board: Any
    begin: Callable[[], Game]
    turn: tuple[str, ...]
    counts: tuple[int, ...]

    def check(self, naive_after: Callable[[Any, Game], Any], perft: Callable[[Any, int], int] = perft) -> None:
        """Count by the engine and by a naive referee at the same position. A mistake in either shows in a number."""
        table = self.begin()
        assert table.public.turn == self.turn
        depths = range(1, len(self.counts) + 1)
        assert tuple(count_with_engine(table, table._states[-1], depth) for depth in depths) == self.counts
        naive = naive_after(self.board, table)
        assert tuple(perft(naive, depth) for depth in depths) == self.counts


def count_with_engine(table: Game, state: Any, depth: int) -> int:
    """Return how many sequences of `depth` actions there are. Every outcome of a roll counts once."""
    if depth == 0:
        return 1
    system = table.system
    return sum(count_with_engine(table, system.play(state, action), depth - 1) for action in _actions(system, state))


def _actions(system: System, state: Any) -> Iterable[Action]:
    dice = system.public(state).to_roll
    if dice is None:
        return system.legal(state)
    return map(Roll, combinations_with_replacement(dice.faces, dice.count))
