"""Create two games that look alike to everyone but Mister X: one public history from different hidden stations."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from firmware_host.referee.events import TakeBack
from firmware_host.rules.actions import BLACK, MR_X, STAY, Action, Double, MrXMove, PawnMove, Surface, Take
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.game import Game
from firmware_host.rules.network import Network
from firmware_host.rules.pursuit.edition import Edition, deal
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Setup, owners_of
from tests.rules.boards import CLASSIC

Step = Action | TakeBack
"""A step at a table."""


class _NoTwins(Exception):
    """The error that these choices lead nowhere."""


@dataclass(frozen=True)
class Twins:
    """One public history, and two hidden ones that fit it.

    Attributes:
        start: where the detectives begin.
        hidden: where Mister X begins, in each of both games.
        script: the steps of each of both games; a pawn's move is the same in both.
        apart: in how many windows the two Mister Xs were on different stations.
    """

    start: dict[str, int]
    hidden: tuple[int, int]
    script: tuple[tuple[Step, Step], ...]
    apart: int


def twins(
    network: Network,
    seed: int,
    windows: int = 10,
    *,
    edition: Edition = CLASSIC,
    players: int = 5,
    voluntary: int = 0,
    undone: float = 0,
) -> Twins:
    """Return twins from a seed. Mister X surfaces twice, and makes a double move or two on the way.

    Args:
        network: the map.
        seed: the seed of everything.
        windows: how many windows are filled.
        edition: the box, one of those with surfacing windows 3 and 8.
        players: how many play.
        voluntary: the window at which Mister X surfaces voluntarily (US-10), from 4 to 7; 0: never.
        undone: the share of detectives' moves that are taken back, 0 to 1.
    """
    for attempt in range(500):
        try:
            pair = _Pair(network, random.Random(f"{seed}/{attempt}"), edition, players, voluntary, undone)
            return pair.play(windows)
        except (_NoTwins, IllegalAction):
            continue
    raise AssertionError(f"no twins from seed {seed}")


class _Pair:
    def __init__(
        self, network: Network, chance: random.Random, edition: Edition, players: int, voluntary: int, undone: float
    ) -> None:
        self.network, self.chance, self.edition = network, chance, edition
        self.voluntary, self.undone = voluntary, undone
        self.owners = owners_of(edition, players=players)
        self.start = deal(edition, network, tuple(self.owners), chance)
        self.script: list[tuple[Step, Step]] = []

    def play(self, windows: int) -> Twins:
        one = self.chance.choice(sorted(set(self.network.stations) - set(self.start.values())))
        tickets, ways = self._segment(one, None, 3)
        shown = [window for window in (3, self.voluntary, 8) if 3 <= window <= windows]
        lengths = [after - before for before, after in pairwise((*shown, windows))]
        for number, length in enumerate(lengths, 1):
            more, (a, b) = self._segment(ways[0][-1], ways[1][-1], length, meet=number < len(lengths))
            tickets += more
            ways = (ways[0] + a[1:], ways[1] + b[1:])
        if {ways[0][0], ways[1][0]} & set(self.start.values()):
            raise _NoTwins
        hidden = (ways[0][0], ways[1][0])
        setup = Setup(self.edition, self.network, self.owners, self.start, Secret(hidden[0]), self._options())
        games = [Game(replace(setup, mr_x=Secret(at))) for at in hidden]
        doubles = self._doubles(windows)
        window = 0
        while window < windows:
            halves = 2 if window in doubles else 1
            if halves == 2:
                self._do(games, (Double(), Double()))
            for _ in range(halves):
                ticket = tickets[window]
                window += 1
                if window == self.voluntary:
                    self._do(games, (Surface(), Surface()))
                self._do(games, (MrXMove(Secret(ways[0][window]), ticket), MrXMove(Secret(ways[1][window]), ticket)))
                while any(type(action) is Take for action in games[0].legal):
                    given = self.chance.choice(games[0].legal)
                    self._do(games, (given, given))
            shy = {way[n] for way in ways for n in (window, window + 1, window + 2) if n < len(way)}
            while games[0].public.turn != (MR_X,):
                moves = [m for m in games[0].legal if isinstance(m, PawnMove) and m.to not in shy]
                if not moves:
                    raise _NoTwins
                move = self.chance.choice(moves)
                self._do(games, (move, move))
                if self.undone and self.chance.random() < self.undone and games[0].returnable == move:
                    self._do(games, (TakeBack(), TakeBack()))
        apart = sum(a != b for a, b in zip(*ways, strict=True))
        return Twins(self.start, hidden, tuple(self.script), apart)

    def _options(self) -> dict[str, bool]:
        return {"voluntary_surfacing": True} if self.voluntary else {}

    def _do(self, games: list[Game], steps: tuple[Step, Step]) -> None:
        for game, step in zip(games, steps, strict=True):
            do(game, step)
        if any(game.public.outcome is not None for game in games):
            raise _NoTwins
        assert games[0].public == games[1].public, f"{steps}: the rules show what is hidden"
        self.script.append(steps)

    def _doubles(self, windows: int) -> set[int]:
        """Return the windows before which a double move is announced."""
        first = self.chance.randrange(max(1, windows - 4))
        return {first, self.chance.randrange(first + 2, windows - 1)}

    def _rides(self, station: int, ticket: str) -> list[int]:
        around = self.network.around(station)
        return [to for to, by in around.items() if ticket == BLACK or ticket in by]

    def _segment(
        self, a: int, b: int | None, length: int, *, meet: bool = True
    ) -> tuple[list[str], tuple[list[int], list[int]]]:
        """Return a walk from `a` and another from `b` (from anywhere if None) by the same tickets."""
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


def do(game: Game, step: Step) -> None:
    """Do a step in the game itself."""
    if isinstance(step, TakeBack):
        game.take_back()
    else:
        game.play(step)


def can_be_put_back(game: Game) -> bool:
    """Return whether hands can take the last move back: a pawn that stayed cannot be put back."""
    return game.returnable is not None and game.returnable.ticket != STAY


def sides(pair: Twins) -> Iterator[tuple[int, tuple[Step, ...]]]:
    """Yield Mister X's start and all steps, for each of the two games."""
    for side in (0, 1):
        yield pair.hidden[side], tuple(both[side] for both in pair.script)
