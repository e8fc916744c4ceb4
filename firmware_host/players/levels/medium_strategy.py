"""Play by the exact set of stations at which Mister X may be, one move ahead: the rule that good groups play by.

A detective goes where the mean distance to all possible stations falls most. Mister X goes where few detectives can
come next, weighed by how many stations he may be at for all that they know.
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
"""How much further, in moves, a detective goes to keep a bus or an underground ticket of his last two."""


class MediumStrategy:
    """Knows exactly where he may be, and looks one move ahead."""

    def __init__(self, chance: random.Random, possible: PossibleStations) -> None:
        self._chance, self._possible = chance, possible

    def see(self, view: PublicView) -> None:
        """Learn where Mister X may be."""
        self._possible.see(view)

    def pursue(self, view: PublicView) -> Action:
        """Go where the mean distance to all stations falls most at which he may be."""
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
        """Go where he is safest; double where no single move is safe."""
        choices = view.choices.value
        moves = [action for action in choices if isinstance(action, MrXMove)]
        if not moves or not view.at.value:  # not on the board yet (DI-10)
            return self._without_a_move(view)
        worth = {move: self.worth(view, move) + 1e-6 * self._chance.random() for move in moves}
        best = max(moves, key=worth.__getitem__)
        if Double() in choices and self.risk(view, best.to.value, best.ticket) > 0.3:
            return Double()
        return best

    def _without_a_move(self, view: MrXView) -> Action:
        choices = view.choices.value
        takes = [action for action in choices if isinstance(action, Take)]
        if takes:  # what the pawn has least of hurts it most
            return min(takes, key=lambda take: (view.public.tickets[take.pawn][take.ticket], self._chance.random()))
        return self._chance.choice([action for action in choices if action != Surface()] or choices)

    def worth(self, view: MrXView, move: MrXMove) -> float:
        """Return how good a move of his is: safe, far from the detectives, and one of many possible."""
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
        """Return how likely he is caught there by the detectives' next moves, from 0 to 1."""
        able = sum(can_come(view.public, pawn, to) for pawn in view.public.order)
        return min(1.0, 2 * able / (1 + self._spread(view, ticket)))

    def _spread(self, view: MrXView, ticket: str) -> int:
        """Return the number of stations at which he may be after a move by a ticket, as everyone sees it."""
        if view.shows or view.public.in_sight:
            return 1
        taken = {view.public.pawns[pawn] for pawn in view.public.order}
        return max(1, len(self._possible.after(view.public, ticket, taken)))


def mean_distance(view: PublicView, station: int, there: Collection[int]) -> float:
    """Return a detective's mean distance from a station to others, in moves without boats."""
    away = distances(view.network, station, boats=False)
    return sum(away.get(to, _FAR) for to in there) / len(there)


def is_scarce(view: PublicView, move: PawnMove) -> bool:
    """Whether a move is paid by one of the last two tickets of a kind other than taxi."""
    return move.ticket in TICKETS[1:] and view.tickets.get(move.pawn, {}).get(move.ticket, _FAR) <= 2


def can_come(view: PublicView, pawn: str, to: int) -> bool:
    """Whether a detective can go to a station with one of its next tickets."""
    ways = view.network.around(view.pawns[pawn]).get(to, ())
    hand = Counter(view.tickets.get(pawn, {}))
    return any(way != BOAT and (not hand or hand[way] > 0) for way in ways)
