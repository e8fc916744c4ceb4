"""How many sequences of actions lead on from a position, counted by the engine and by a naive referee."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, Protocol, Self, TypeVar

from firmware_host.rules.actions import Action, Roll
from firmware_host.rules.engines import System
from firmware_host.rules.game import Game


class NaiveReferee(Protocol):
    """A game in play; a move is written in any form of its own."""

    def copy(self) -> Self: ...

    def moves(self) -> set[Any]: ...

    def do(self, move: Any, /) -> None: ...


AnyNaive = TypeVar("AnyNaive", bound=NaiveReferee)


def perft(game: NaiveReferee, depth: int) -> int:
    """How many sequences of that many actions there are."""
    if depth == 0:
        return 1
    total = 0
    for move in game.moves():
        later = game.copy()
        later.do(move)
        total += perft(later, depth - 1)
    return total


def play_all(game: AnyNaive, moves: Iterable[Any]) -> AnyNaive:
    """The same game after those moves, each of which must be legal here too."""
    for move in moves:
        if move not in game.moves():
            raise ValueError(f"{move} is not legal")
        game.do(move)
    return game


@dataclass(frozen=True)
class Counted:
    """A position, whose turn it is there, and how many sequences of one, two … actions lead on from it.

    Attributes:
        board: what a naive referee needs to know of the map.
        begin: makes the game.
    """

    board: Any
    begin: Callable[[], Game]
    turn: tuple[str, ...]
    counts: tuple[int, ...]

    def check(self, naive_after: Callable[[Any, Game], Any], perft: Callable[[Any, int], int] = perft) -> None:
        """Count with the engine and with a naive referee that has come as far: a slip in either shows in a number."""
        table = self.begin()
        assert table.public.turn == self.turn
        depths = range(1, len(self.counts) + 1)
        assert tuple(count_with_engine(table, table._states[-1], depth) for depth in depths) == self.counts
        naive = naive_after(self.board, table)
        assert tuple(perft(naive, depth) for depth in depths) == self.counts


def count_with_engine(table: Game, state: Any, depth: int) -> int:
    """How many sequences of that many actions there are; of dice, every outcome of a roll counts once."""
    if depth == 0:
        return 1
    system = table.system
    return sum(count_with_engine(table, system.play(state, action), depth - 1) for action in _actions(system, state))


def _actions(system: System, state: Any) -> Iterable[Action]:
    dice = system.public(state).to_roll
    if dice is None:
        return system.legal(state)
    return map(Roll, combinations_with_replacement(dice.faces, dice.count))
