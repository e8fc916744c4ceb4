"""Play like a beginner: with mistakes, but never at random.

Detectives run to the station where Mister X was last seen and forget what the log says since then. Mister X runs from
the nearest detective, ignores the others, and spends his cards as soon as they might help.
"""

from __future__ import annotations

import random

from firmware_host.players.heuristic.game_heuristic import distances
from firmware_host.rules.actions import BLACK, HELICOPTER, START, Action, Double, MrXMove, PawnMove, Surface
from firmware_host.rules.views import MrXView, PublicView

_CARDS = (BLACK, HELICOPTER)


class EasyStrategy:
    """A strategy that forgets the log and looks at one pawn only."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def see(self, view: PublicView) -> None:
        """Ignore the view: this strategy keeps no history."""

    def pursue(self, view: PublicView) -> Action:
        """Go nearer to where Mister X was last seen; before he was seen, go anywhere but back."""
        seen = _last_seen(view)
        if not seen or not view.moves or view.moves[0].ticket == START:
            return self._chance.choice([*view.moves, *view.extras.values()])

        def far(move: PawnMove) -> tuple[float, float]:
            away = distances(view.network, move.to)
            return min(away.get(station, 99) for station in seen), self._chance.random()

        return min(view.moves, key=far)

    def flee(self, view: MrXView) -> Action:
        """Flee the nearest detective: double as soon as one is near, use black whenever it is possible."""
        choices = view.choices.value
        moves = [action for action in choices if isinstance(action, MrXMove)]
        if not view.at.value:  # Mister X is not on the board yet (DI-10)
            return self._chance.choice(choices)
        near = _nearest_pawn(view)
        if not moves or not near:
            return self._chance.choice([action for action in choices if action != Surface()] or choices)
        away = distances(view.public.network, near)
        if Double() in choices and away.get(view.at.value, 99) <= 2 and self._chance.random() < 0.5:
            return Double()
        spends = self._chance.random() < 0.3
        usable = [move for move in moves if (move.ticket in _CARDS) == spends] or moves
        return max(usable, key=lambda move: (away.get(move.to.value, 99), self._chance.random()))


def _last_seen(view: PublicView) -> list[int]:
    """Return the stations of Mister X's visible pawns, or where each was last seen."""
    standing = [view.pawns[pawn] for pawn in view.fugitives if pawn in view.pawns]
    logged = [entry.station for entry in view.log if entry.station is not None]
    return standing or logged[-1:]


def _nearest_pawn(view: MrXView) -> int:
    """Return the station of the detective nearest to Mister X, or 0 if none is on the board."""
    public, away = view.public, distances(view.public.network, view.at.value)
    stand = [public.pawns[pawn] for pawn in public.order if pawn in public.pawns]
    return min(stand, key=lambda station: away.get(station, 99), default=0)
