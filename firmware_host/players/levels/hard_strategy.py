"""Play by a small search two moves ahead, for machines without the compiled search."""

from __future__ import annotations

from firmware_host.players.heuristic.game_heuristic import distances
from firmware_host.players.levels.medium_strategy import MediumStrategy, is_scarce, mean_distance
from firmware_host.rules.actions import Action, MrXMove, PawnMove
from firmware_host.rules.views import MrXView, PublicView

_FAR = 99
_CATCH = 4.0
"""The value of a capture, in moves of distance."""


class HardStrategy(MediumStrategy):
    """A strategy that tracks Mister X's possible stations and also considers his next move."""

    def pursue(self, view: PublicView) -> Action:
        """Capture Mister X, or leave him the least distance after his next move, averaged over his stations."""
        if not self._possible.stations:
            return super().pursue(view)
        return min(view.moves, key=lambda move: (self._escape_distance(view, move), self._chance.random()))

    def _escape_distance(self, view: PublicView, move: PawnMove) -> float:
        """Return how far Mister X gets from the detectives with his next move, on average."""
        there = self._possible.stations
        stand = [view.pawns[pawn] for pawn in view.order if pawn in view.pawns and pawn != move.pawn] + [move.to]
        away = [distances(view.network, station, boats=False) for station in stand]
        far = 0.0
        for station in there:
            if station == move.to:
                far -= _CATCH
                continue
            free = [to for to in view.network.around(station) if to not in stand]
            far += max((min(4, *(row.get(to, _FAR) for row in away)) for to in free), default=0)
        return far / len(there) + mean_distance(view, move.to, there) / 2 + 0.2 * is_scarce(view, move)

    def worth(self, view: MrXView, move: MrXMove) -> float:
        """Score Mister X's move, including what he can do after it."""
        public, to = view.public, move.to.value
        away = [distances(public.network, public.pawns[pawn], boats=False) for pawn in public.order]
        stand = {public.pawns[pawn] for pawn in public.order}
        exits = [near for near in public.network.around(to) if near not in stand]
        safe = sum(min(row.get(near, _FAR) for row in away) > 2 for near in exits)
        roomy = sum(min(row.get(near, _FAR) for row in away) > 1 for near in exits)
        return super().worth(view, move) + min(safe, 3) * 0.5 + min(roomy, 3) * 0.3
