"""Play the pursuit games at the level skilled: look two moves ahead, without the compiled search.

Skilled detectives know how likely Mister X is at each station, because he seldom goes beside a detective. They go where
his next move helps him least to escape. A skilled Mister X tries his next two moves against detectives who go where the
mean distance to his possible stations is least, as medium ones do.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping

from firmware_host.players.heuristic.game_heuristic import FAR, distances
from firmware_host.players.heuristic.heuristic import heuristic_of
from firmware_host.players.levels.pursuit_strategies import (
    MediumStrategy,
    PossibleStations,
    black_cost,
    can_come,
    is_scarce,
    is_seen,
)
from firmware_host.rules.actions import BLACK, TICKETS, Action, MrXMove, PawnMove
from firmware_host.rules.network import Network
from firmware_host.rules.views import MrXView, PublicView

_APPEALS = (0.0, 0.05, 0.5, 1.0)
"""The weights with which Mister X goes where the nearest detective is 0, 1, 2, and 3 or more moves away."""

_LEAST = 1e-3
"""The share of a possible station that his usual caution would rule out, before shares are scaled to a sum of one."""


class LikelyStations(PossibleStations):
    """The stations where Mister X may be, and how likely each is. `see` must get every public view of one game.

    Attributes:
        shares: the probability of each of `stations`; 1 for each before the first view. Read only.
    """

    def __init__(self, start: Iterable[int] = (), *, cut_off: bool = False) -> None:
        super().__init__(start, cut_off=cut_off)
        self.shares: Mapping[int, float] = dict.fromkeys(self.stations, 1.0)

    def see(self, view: PublicView) -> None:
        """Update the stations and their shares from the next public view."""
        before, shares = self._before, self.shares
        super().see(view)
        for entry in view.log[len(before.log) :] if before is not None else ():
            shares = _carried_on(before or view, shares, entry.ticket)
        shares = {station: shares.get(station, 0.0) + _LEAST for station in self.stations}
        total = sum(shares.values())
        self.shares = {station: share / total for station, share in shares.items()}


def _carried_on(view: PublicView, shares: Mapping[int, float], ticket: str) -> dict[int, float]:
    """Return the shares of the stations after Mister X's move with a ticket.

    The share of each station is divided among the stations that he can reach from there. Stations far from detectives
    get more.
    """
    near = _nearest(view.network, [view.pawns[pawn] for pawn in view.order if pawn in view.pawns])
    after: dict[int, float] = {}
    for station, share in shares.items():
        appeals = {to: _APPEALS[min(3, near.get(to, FAR))] for to in view.network.around(station)}
        together = sum(appeals.values())
        for to in heuristic_of(view).reachable(view.network, station, ticket):
            after[to] = after.get(to, 0.0) + share * (appeals.get(to, 1.0) / together if together else 1.0)
    return after


def _nearest(network: Network, stand: Iterable[int]) -> dict[int, int]:
    """Return how many moves the nearest of some detectives needs to each station."""
    near: dict[int, int] = {}
    for place in stand:
        for station, moves in distances(network, place, boats=False).items():
            near[station] = min(moves, near.get(station, FAR))
    return near


_CATCH = 4.0
"""The value of a capture, in moves of distance."""

_FURTHEST = 4
"""The largest distance that counts for an escape, in moves."""


class SkilledStrategy(MediumStrategy):
    """The skilled strategy: it knows how likely Mister X is at each station, and looks two moves ahead."""

    def __init__(self, rng: random.Random, likely: LikelyStations) -> None:
        super().__init__(rng, likely)
        self._likely = likely
        self._chase: _Chase | None = None

    def pursue(self, view: PublicView) -> Action:
        """Return the move after which Mister X's next move helps him least to escape, on average."""
        if not self._likely.shares or not view.moves:
            return super().pursue(view)
        stand = {pawn: view.pawns[pawn] for pawn in view.order if pawn in view.pawns}
        others = {
            mover: _nearest(view.network, [place for pawn, place in stand.items() if pawn != mover])
            for mover in {move.pawn for move in view.moves}
        }
        taken = {pawn: {*stand.values()} - {stand.get(pawn, 0)} for pawn in others}

        def escape(move: PawnMove) -> tuple[float, float]:
            worth = self._escape(view.network, move.to, others[move.pawn], taken[move.pawn] | {move.to})
            return worth + 0.2 * is_scarce(view, move), self._rng.random()

        return min(view.moves, key=escape)

    def _escape(self, network: Network, own: int, others: Mapping[int, int], taken: set[int]) -> float:
        """Return how far Mister X gets from the detectives with his next move, on average.

        Args:
            network: the map.
            own: where the detective goes.
            others: station -> how many moves the nearest of the other detectives needs.
            taken: where detectives stand after that move.
        """
        mine, shares = distances(network, own, boats=False), self._likely.shares
        far = 0.0
        for station, share in shares.items():
            far += share * mine.get(station, FAR) / 2
            if station == own:
                far -= share * _CATCH
                continue
            ways = [to for to in network.around(station) if to not in taken]
            far += share * max((min(_FURTHEST, others.get(to, FAR), mine.get(to, FAR)) for to in ways), default=0)
        return far

    def worth(self, view: MrXView, move: MrXMove) -> float:
        """Score Mister X's move by how good his position is after his next move."""
        public, to = view.public, move.to.value
        if self._chase is None or self._chase.view is not public:
            self._chase = _Chase(public)  # all moves of one question share what detectives would do
        chase = self._chase
        stand = tuple(public.pawns[pawn] for pawn in chase.order)
        there = frozenset({to} if is_seen(view, move.ticket) else self._possible.after(public, move.ticket, stand))
        cost = black_cost(view) if move.ticket == BLACK else 0.0
        return chase.worth(stand, there or frozenset({to}), to, _MOVES) - cost


_MOVES = 2
"""How many moves of his own a skilled Mister X considers."""

_RISK, _CAUGHT = 6.0, 2.0
"""The costs of a station that detectives may enter next (times the probability), and that medium ones will enter."""

_ROOM, _ROOM_WITHIN, _FEW = 0.03, 3, 4
"""The value of each station that Mister X can reach before any detective, and within how many moves. Such stations
count only if he may be at `_FEW` stations at most: then he has to outrun detectives who almost know where he is."""

Stand = tuple[int, ...]
"""The stations of the detectives, in playing order."""

There = frozenset[int]
"""The stations where Mister X may be."""


class _Chase:
    """A prediction of the detectives' moves from a position on.

    Each detective goes where Mister X is nearest on average. The prediction ignores that he may have to surface later,
    because considering this made him win fewer games.

    Args:
        view: the position.

    Attributes:
        view: as above.
        order: the detectives' pawns in playing order.
    """

    def __init__(self, view: PublicView) -> None:
        self.order = [pawn for pawn in view.order if pawn in view.pawns]
        self.view, self._network = view, view.network
        self._answers: dict[tuple[Stand, There], tuple[set[int], Stand, There]] = {}

    def worth(self, stand: Stand, there: There, at: int, moves: int) -> float:
        """Return how good it is for Mister X to have moved to a station.

        Args:
            stand: where the detectives stand, in playing order.
            there: where he may be, as everyone knows.
            at: where he is.
            moves: how many moves to consider, this one included.
        """
        able = sum(can_come(self.view, pawn, place, at) for pawn, place in zip(self.order, stand, strict=True))
        risk = -_RISK * min(1.0, 2 * able / (1 + len(there)))
        visited, after, left = self._answer(stand, there)
        if at in visited:
            return risk - _CAUGHT + self._room(stand, there, at)
        if moves == 1:
            return risk + self._room(after, left, at)
        best = -_RISK
        for ticket in TICKETS:
            ways = [to for to, paid in self._network.around(at).items() if ticket in paid and to not in after]
            likely = frozenset(self._ways(left, ticket, after)) if ways else left
            for to in ways:
                best = max(best, self.worth(after, likely, to, moves - 1))
        return risk + best

    def _ways(self, there: There, ticket: str, stand: Stand) -> Iterable[int]:
        """Yield where Mister X may go from any of his possible stations with a ticket."""
        for station in there:
            for to, paid in self._network.around(station).items():
                if ticket in paid and to not in stand:
                    yield to

    def _answer(self, stand: Stand, there: There) -> tuple[set[int], Stand, There]:
        """Return the stations that the detectives go to, where they stand then, and where Mister X may be then."""
        if (stand, there) not in self._answers:
            places, left, visited = [*stand], there, set[int]()
            for n, pawn in enumerate(self.order):
                ways = [to for to in self._network.around(places[n]) if to not in places]
                able = [to for to in ways if can_come(self.view, pawn, places[n], to)]
                if able:
                    places[n] = min(able, key=lambda to: _total_distance(self._network, to, left))
                    visited.add(places[n])
                    left = left - {places[n]} or left
            self._answers[stand, there] = visited, tuple(places), left
        return self._answers[stand, there]

    def _room(self, stand: Stand, there: There, at: int) -> float:
        """Score Mister X's station by its distance from detectives, safe ways on, and how well it is hidden."""
        away = [distances(self._network, place, boats=False) for place in stand]
        near = sorted(row.get(at, FAR) for row in away)
        ways = [min(row.get(to, FAR) for row in away) for to in self._network.around(at) if to not in stand]
        safe, roomy = sum(moves > 2 for moves in ways), sum(moves > 1 for moves in ways)
        hidden = math.log(max(1, len(there))) / 2
        if len(there) <= _FEW:
            near_by = {to: moves for to, moves in distances(self._network, at).items() if moves <= _ROOM_WITHIN}
            hidden += _ROOM * sum(min(row.get(to, FAR) for row in away) > moves for to, moves in near_by.items())
        return min(near[0], 4) / 2 + sum(near) / len(near) / 8 + hidden + min(safe, 3) / 2 + min(roomy, 3) * 0.3


def _total_distance(network: Network, station: int, there: There) -> int:
    """Return the sum of the distances from a station to some others, in moves."""
    away = distances(network, station, boats=False)
    return sum(away.get(to, FAR) for to in there)
