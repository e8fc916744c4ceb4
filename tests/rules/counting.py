"""What is asked of the naive referees whatever they referee: a game begun by given moves, and perft."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, Self, TypeVar


class Referee(Protocol):
    """A game in play; a move is written in any form of its own."""

    def copy(self) -> Self: ...

    def moves(self) -> set[Any]: ...

    def do(self, move: Any, /) -> None: ...


AnyReferee = TypeVar("AnyReferee", bound=Referee)


def perft(game: Referee, depth: int) -> int:
    """How many sequences of that many actions there are."""
    if depth == 0:
        return 1
    total = 0
    for move in game.moves():
        later = game.copy()
        later.do(move)
        total += perft(later, depth - 1)
    return total


def play_all(game: AnyReferee, moves: Iterable[Any]) -> AnyReferee:
    """The same game after those moves, each of which must be legal here too."""
    for move in moves:
        if move not in game.moves():
            raise ValueError(f"{move} is not legal")
        game.do(move)
    return game
