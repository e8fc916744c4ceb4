"""Play one move ahead from the exact set of Mister X's possible stations.

A detective goes where the mean distance to all possible stations falls most. Mister X goes where few detectives can
follow and where his move leaves many possible stations.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Collection

from firmware_host.players.heuristic.game_heuristic import distances
from firmware_host.players.heuristic.heuristic import heuristic_of
from firmware_host.players.levels.possible_stations import PossibleStations
from firmware_host.rules.actions import (
    BLACK,
    BOAT,
    START,
    TICKETS,
    Action,
    Double,
    MrXMove,
    PawnMove,
    Surface,
    Take,
)
from firmware_host.rules.views import MrXView, PublicView

_FAR = 99
_SCARCE = 0.15
"""The extra distance, in moves, of a ride that spends one of the last two bus or underground tickets."""


class MediumStrategy:
    """A strategy that tracks Mister X's possible stations and looks one move ahead."""

    def __init__(self, chance: random.Random, possible: PossibleStations) -> None:
        self._chance, self._possible = chance, possible

    def see(self, view: PublicView) -> None:
        """Update Mister X's possible stations."""
        self._possible.see(view)

    def pursue(self, view: PublicView) -> Action:
        """Make the move that most reduces the mean distance to Mister X's possible stations."""
        there = self._possible.stations
        if not there or not view.moves or view.moves[0].ticket == START:
            return self._chance.choice([*view.moves, *view.extras.values()])
        here = {pawn: mean_distance(view, view.pawns[pawn], there) for pawn in {move.pawn for move in view.moves}}

        def gain(move: PawnMove) -> tuple[float, float]:
            fall = here[move.pawn] - mean_distance(view, move.to, there)
            return fall - _SCARCE * is_scarce(view, move), self._chance.random()

        best = max(view.moves, key=gain)
        other = heuristic_of(view).instead(view, mean_distance(view, best.to, there), there)
        return other if other is not None else best

    def flee(self, view: MrXView) -> Action:
        """Make the safest move; double if no single move is safe."""
        choices = view.choices.value
        moves = [action for action in choices if isinstance(action, MrXMove)]
        if not moves or not view.at.value:  # Mister X is not on the board yet (DI-10)
            return self._without_a_move(view)
        worth = {move: self.worth(view, move) + 1e-6 * self._chance.random() for move in moves}
        best = max(moves, key=worth.__getitem__)
        if Double() in choices and self.risk(view, best.to.value, best.ticket) > 0.3:
            return Double()
        return best

    def _without_a_move(self, view: MrXView) -> Action:
        choices = view.choices.value
        takes = [action for action in choices if isinstance(action, Take)]
        if takes:  # the ticket of which the pawn has fewest hurts it most
            return min(takes, key=lambda take: (view.public.tickets[take.pawn][take.ticket], self._chance.random()))
        return self._chance.choice([action for action in choices if action != Surface()] or choices)

    def worth(self, view: MrXView, move: MrXMove) -> float:
        """Score Mister X's move by safety, distance from the detectives, and the stations it leaves possible."""
        public, to = view.public, move.to.value
        near = sorted(distances(public.network, public.pawns[pawn]).get(to, _FAR) for pawn in public.order)
        spread = math.log(self._spread(view, move.ticket))
        cost = 0.0 if move.ticket != BLACK else 1.5 if view.shows or len(public.log) < 2 else 0.5
        exits = len(public.network.around(to))
        return (
            -6 * self.risk(view, to, move.ticket) + min(near[0], 4) / 2 + sum(near) / len(near) / 8 + spread / 2
            + exits / 40 - cost
        )  # fmt: skip

    def risk(self, view: MrXView, to: int, ticket: str) -> float:
        """Return the probability that a detective captures Mister X there with the next move."""
        able = sum(can_come(view.public, pawn, to) for pawn in view.public.order)
        return min(1.0, 2 * able / (1 + self._spread(view, ticket)))

    def _spread(self, view: MrXView, ticket: str) -> int:
        """Return how many stations are possible after a move with this ticket."""
        if view.shows or view.public.in_sight:
            return 1
        taken = {view.public.pawns[pawn] for pawn in view.public.order}
        return max(1, len(self._possible.after(view.public, ticket, taken)))


def mean_distance(view: PublicView, station: int, there: Collection[int]) -> float:
    """Return a detective's mean distance from a station to others, in moves without boats."""
    away = distances(view.network, station, boats=False)
    return sum(away.get(to, _FAR) for to in there) / len(there)


def is_scarce(view: PublicView, move: PawnMove) -> bool:
    """Return whether the move spends one of the last two tickets of a kind other than taxi."""
    return move.ticket in TICKETS[1:] and view.tickets.get(move.pawn, {}).get(move.ticket, _FAR) <= 2


def can_come(view: PublicView, pawn: str, to: int) -> bool:
    """Return whether a detective can reach a station with a single move."""
    ways = view.network.around(view.pawns[pawn]).get(to, ())
    hand = Counter(view.tickets.get(pawn, {}))
    return any(way != BOAT and (not hand or hand[way] > 0) for way in ways)
