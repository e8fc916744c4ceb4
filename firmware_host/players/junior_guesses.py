"""Guess what people do in a round of the junior game who think one step ahead.

Mister X avoids where detectives can come, and seldom stays. Detectives put themselves in his place, and go where that
would take him, each to another station.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from firmware_host.players.junior_prospects import options
from firmware_host.players.tactics import distances
from firmware_host.rules.network import Network
from firmware_host.rules.views import PublicView

_DARING = 0.3
"""How much less likely he goes to a station for each detective that can come there."""

_STAYING = 0.5
"""How much less likely he stays than goes."""

_NEARER = 0.05
"""What it counts for a detective to come nearer to him, beside the chance to meet him."""

_SURENESS = 2.0
"""How far detectives prefer the likeliest stations: 0 not at all, 1 in proportion, more: further."""

_FAR = 99

Joint = tuple[int, ...]
"""Where some pawns go, all together."""


@dataclass(frozen=True, slots=True)
class JuniorRound:
    """Where everyone stands as a round begins, and where each can go.

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
        """Return the round that begins at a view."""
        detectives = tuple(view.pawns[pawn] for pawn in view.order)
        return cls(view.network, detectives, tuple(view.pawns[pawn] for pawn in view.fugitives))

    def joints(self, stations: Joint) -> list[Joint]:
        """Return all that pawns at some stations can do together."""
        return list(product(*(options(self.network, station) for station in stations)))

    def guess_fugitive(self, station: int) -> Mapping[int, float]:
        """Return how likely a pawn of Mister X's goes where from a station."""
        reached = [options(self.network, detective) for detective in self.detectives]
        weights = {
            to: _DARING ** sum(to in near for near in reached) * (_STAYING if to == station else 1.0)
            for to in options(self.network, station)
        }
        return _shares(weights)

    def guess_detective(self, station: int, taken: Joint = ()) -> Mapping[int, float]:
        """Return how likely a detective goes where from a station; `taken` is where others go already."""
        likely = [self.guess_fugitive(fugitive) for fugitive in self.fugitives]
        away = [distances(self.network, fugitive) for fugitive in self.fugitives]

        def weight(to: int) -> float:
            meets = 0.0 if to in taken else sum(shares.get(to, 0.0) for shares in likely)
            return float((meets + _NEARER / (1 + min(row.get(to, _FAR) for row in away))) ** _SURENESS)

        return _shares({to: weight(to) for to in options(self.network, station)})

    def guess_fugitives(self, joints: Sequence[Joint]) -> list[float]:
        """Return how likely Mister X's pawns do each of what they can do together: each by itself."""
        likely = [self.guess_fugitive(station) for station in self.fugitives]
        return [math.prod(shares[to] for shares, to in zip(likely, joint, strict=True)) for joint in joints]

    def guess_detectives(self, joints: Sequence[Joint]) -> list[float]:
        """Return how likely the detectives do each of what they can do together: one after the other."""
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
