"""Play by a small plain search, two moves ahead: where no compiled search is."""

from __future__ import annotations

from firmware_host.players.heuristic.game_heuristic import distances
from firmware_host.players.levels.medium_strategy import MediumStrategy, is_scarce, mean_distance
from firmware_host.rules.actions import Action, MrXMove, PawnMove
from firmware_host.rules.views import MrXView, PublicView

_FAR = 99
_CATCH = 4.0
"""What it is worth to catch him, in moves of distance."""


class HardStrategy(MediumStrategy):
    """Knows exactly where he may be, and looks at what he can do next, too."""

    def pursue(self, view: PublicView) -> Action:
        """Go where he is caught, or gets least far with his next move, wherever he may be."""
        if not self._possible.stations:
            return super().pursue(view)
        return min(view.moves, key=lambda move: (self._left(view, move), self._chance.random()))

    def _left(self, view: PublicView, move: PawnMove) -> float:
        """Return how far he gets from all detectives with his next move, on the mean of where he may be."""
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
        """Return how good a move of his is, and what can be done after it."""
        public, to = view.public, move.to.value
        away = [distances(public.network, public.pawns[pawn], boats=False) for pawn in public.order]
        stand = {public.pawns[pawn] for pawn in public.order}
        exits = [near for near in public.network.around(to) if near not in stand]
        safe = sum(min(row.get(near, _FAR) for row in away) > 2 for near in exits)
        roomy = sum(min(row.get(near, _FAR) for row in away) > 1 for near in exits)
        return super().worth(view, move) + min(safe, 3) * 0.5 + min(roomy, 3) * 0.3
