"""Two games that look alike to everyone but Mister X: the same public history from different hidden stations."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from firmware_host.rules.actions import BLACK, MR_X, Action, Double, MrXMove, PawnMove
from firmware_host.rules.edition import Setup, deal, owners_of
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.game import Game
from firmware_host.rules.network import Network
from firmware_host.rules.secret import Secret
from tests.rules.boards import CLASSIC

PAWNS = ("red", "yellow", "green", "blue")


class _NoTwins(Exception):
    """These choices lead nowhere."""


@dataclass(frozen=True)
class Twins:
    """One public history, and two hidden ones that fit it.

    Attributes:
        start: where the detectives begin.
        hidden: where Mister X begins, in the one game and in the other.
        script: what is done, in the one game and in the other; a pawn's move is the same in both.
        apart: in how many windows the two Mister Xs stood on different stations.
    """

    start: dict[str, int]
    hidden: tuple[int, int]
    script: tuple[tuple[Action, Action], ...]
    apart: int


def twins(network: Network, seed: int, windows: int = 10) -> Twins:
    """Twins to be had from a seed, with Mister X shown twice and a double move or two on the way."""
    for attempt in range(500):
        try:
            return _Pair(network, random.Random(f"{seed}/{attempt}")).play(windows)
        except (_NoTwins, IllegalAction):
            continue
    raise AssertionError(f"no twins from seed {seed}")


class _Pair:
    def __init__(self, network: Network, chance: random.Random) -> None:
        self.network, self.chance = network, chance
        self.start = deal(CLASSIC, network, PAWNS, chance)
        self.script: list[tuple[Action, Action]] = []

    def play(self, windows: int) -> Twins:
        one = self.chance.choice(sorted(set(self.network.stations) - set(self.start.values())))
        tickets, ways = self._segment(one, None, 3)
        for length in (5, windows - 8):
            more, (a, b) = self._segment(ways[0][-1], ways[1][-1], length, meet=length == 5)
            tickets += more
            ways = (ways[0] + a[1:], ways[1] + b[1:])
        if {ways[0][0], ways[1][0]} & set(self.start.values()):
            raise _NoTwins
        hidden = (ways[0][0], ways[1][0])
        owners = owners_of(CLASSIC, detectives=len(PAWNS))
        games = [Game(Setup(CLASSIC, self.network, owners, self.start, Secret(at))) for at in hidden]
        doubles = self._doubles(windows)
        window = 0
        while window < windows:
            halves = 2 if window in doubles else 1
            if halves == 2:
                self._do(games, (Double(), Double()))
            for _ in range(halves):
                ticket = tickets[window]
                window += 1
                self._do(games, (MrXMove(Secret(ways[0][window]), ticket), MrXMove(Secret(ways[1][window]), ticket)))
            shy = {way[n] for way in ways for n in (window, window + 1, window + 2) if n < len(way)}
            while games[0].public.turn != (MR_X,):
                moves = [m for m in games[0].legal if isinstance(m, PawnMove) and m.to not in shy]
                if not moves:
                    raise _NoTwins
                move = self.chance.choice(moves)
                self._do(games, (move, move))
        apart = sum(a != b for a, b in zip(*ways, strict=True))
        return Twins(self.start, hidden, tuple(self.script), apart)

    def _do(self, games: list[Game], actions: tuple[Action, Action]) -> None:
        for game, action in zip(games, actions, strict=True):
            game.play(action)
        if games[0].public != games[1].public or games[0].public.outcome is not None:
            raise _NoTwins
        self.script.append(actions)

    def _doubles(self, windows: int) -> set[int]:
        """The windows before which a double move is announced."""
        first = self.chance.randrange(windows - 4)
        return {first, self.chance.randrange(first + 2, windows - 1)}

    def _rides(self, station: int, ticket: str) -> list[int]:
        around = self.network.around(station)
        return [to for to, by in around.items() if ticket == BLACK or ticket in by]

    def _segment(
        self, a: int, b: int | None, length: int, *, meet: bool = True
    ) -> tuple[list[str], tuple[list[int], list[int]]]:
        """A walk from `a` and another from `b` (from anywhere if None) by the same tickets."""
        tickets, one = [], [a]
        for _ in range(length):
            ticket = BLACK if self.chance.random() < 0.15 else self.chance.choice(self._tickets(one[-1]))
            tickets.append(ticket)
            one.append(self.chance.choice(self._rides(one[-1], ticket)))
        good = [{one[-1]} if meet else set(self.network.stations)]
        for ticket in reversed(tickets):
            good.insert(0, {s for s in self.network.stations if good[0] & set(self._rides(s, ticket))})
        other = [self._pick(good[0] if b is None else good[0] & {b}, one[0])]
        for n, ticket in enumerate(tickets, 1):
            other.append(self._pick(set(self._rides(other[-1], ticket)) & good[n], one[n]))
        return tickets, (one, other)

    def _tickets(self, station: int) -> list[str]:
        return [t for t in self.network.transports(station) if t != "boat"]

    def _pick(self, stations: set[int], unlike: int) -> int:
        if not stations:
            raise _NoTwins
        return self.chance.choice(sorted(stations - {unlike}) or sorted(stations))


def sides(pair: Twins) -> Iterator[tuple[int, tuple[Action, ...]]]:
    """Mister X's start and all actions, of the one game and of the other."""
    for side in (0, 1):
        yield pair.hidden[side], tuple(both[side] for both in pair.script)
