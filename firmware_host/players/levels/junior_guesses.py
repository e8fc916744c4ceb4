"""Predict what people do in a round of the junior game if they think one step ahead.

Mister X avoids the stations that detectives can reach and seldom stays. Detectives put themselves in Mister X's place
and each go to a different one of his likely stations.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from firmware_host.players.heuristic.game_heuristic import distances
from firmware_host.players.levels.junior_prospects import options
from firmware_host.rules.network import Network
from firmware_host.rules.views import PublicView

_DARING = 0.3
"""The factor on the probability of a station for each detective that can reach it."""

_STAYING = 0.5
"""The factor on the probability that Mister X stays."""

_NEARER = 0.05
"""What coming nearer to Mister X is worth to a detective, beside the probability of meeting him."""

_SURENESS = 2.0
"""The exponent with which detectives prefer likely stations: 0 not at all, 1 in proportion."""

_FAR = 99

Joint = tuple[int, ...]
"""The destinations of several pawns, chosen together."""


@dataclass(frozen=True, slots=True)
class JuniorRound:
    """Where all pawns stand as a round begins, and where each can go.

    Attributes:
        network: the map.
        detectives: the detectives' stations, in playing order.
        fugitives: the stations of Mister X's pawns.
    """

    network: Network
    detectives: Joint
    fugitives: Joint

    @classmethod
    def of(cls, view: PublicView) -> JuniorRound:
        """Return the round that begins with this view."""
        detectives = tuple(view.pawns[pawn] for pawn in view.order)
        return cls(view.network, detectives, tuple(view.pawns[pawn] for pawn in view.fugitives))

    def joints(self, stations: Joint) -> list[Joint]:
        """Return every combination of destinations for the pawns at these stations."""
        return list(product(*(options(self.network, station) for station in stations)))

    def guess_fugitive(self, station: int) -> Mapping[int, float]:
        """Return the probability of each destination for Mister X's pawn at a station."""
        reached = [options(self.network, detective) for detective in self.detectives]
        weights = {
            to: _DARING ** sum(to in near for near in reached) * (_STAYING if to == station else 1.0)
            for to in options(self.network, station)
        }
        return _shares(weights)

    def guess_detective(self, station: int, taken: Joint = ()) -> Mapping[int, float]:
        """Return the probability of each destination for a detective; others go to `taken`."""
        likely = [self.guess_fugitive(fugitive) for fugitive in self.fugitives]
        away = [distances(self.network, fugitive) for fugitive in self.fugitives]

        def weight(to: int) -> float:
            meets = 0.0 if to in taken else sum(shares.get(to, 0.0) for shares in likely)
            return float((meets + _NEARER / (1 + min(row.get(to, _FAR) for row in away))) ** _SURENESS)

        return _shares({to: weight(to) for to in options(self.network, station)})

    def guess_fugitives(self, joints: Sequence[Joint]) -> list[float]:
        """Return the probability of each joint choice of Mister X's pawns, which choose independently."""
        likely = [self.guess_fugitive(station) for station in self.fugitives]
        return [math.prod(shares[to] for shares, to in zip(likely, joint, strict=True)) for joint in joints]

    def guess_detectives(self, joints: Sequence[Joint]) -> list[float]:
        """Return the probability of each joint choice of the detectives, who choose one after the other."""
        return [
            math.prod(
                self.guess_detective(station, joint[:place])[joint[place]]
                for place, station in enumerate(self.detectives)
            )
            for joint in joints
        ]


def _shares(weights: Mapping[int, float]) -> Mapping[int, float]:
    total = sum(weights.values())
    return {to: weight / total for to, weight in weights.items()}
