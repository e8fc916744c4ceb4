"""Track the probability of Mister X's places in the dice game, assuming that he plays carefully."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from firmware_host.players.heuristic.dice_heuristic import DiceHeuristic
from firmware_host.players.heuristic.game_heuristic import distances
from firmware_host.players.player_errors import CannotPlay
from firmware_host.rules.actions import BLACK, HELICOPTER, MR_X
from firmware_host.rules.dice.dice_view import DiceView
from firmware_host.rules.dice.tiles import Tiling
from firmware_host.rules.views import PublicView

_CAUTION = (0.02, 0.35, 1.0, 1.3)
"""The weight of a place by its distance from the nearest detective; the last is for all further ones."""

_CARD = 0.3
"""The weight of playing a card, relative to a die."""

_CARDS = (BLACK, HELICOPTER)
_TACTICS = DiceHeuristic()


class DiceBelief:
    """The probability of each place of Mister X. Needs to `see` every public view of one game, in order.

    Attributes:
        likely: place -> its probability; they add up to 1. Empty while he is not on the board. Read only.
    """

    def __init__(self) -> None:
        self.likely: Mapping[int, float] = {}
        self._before: DiceView | None = None

    def see(self, view: DiceView) -> None:
        """Update the probabilities from the next public view."""
        before, self._before = self._before, view
        if view.dice.tile and not self.likely:
            self.likely = on_tile(view, view.dice.tile)
        elif before is not None:
            for entry in view.log[len(before.log) :]:
                self.likely = {entry.station: 1.0} if entry.station is not None else self.after(before, entry.ticket)
        if view.outcome is None:
            taken = _detectives(view)
            left = _scaled({place: share for place, share in self.likely.items() if place not in taken})
            self.likely = left or self.likely

    def after(self, view: DiceView, ticket: str) -> Mapping[int, float]:
        """Return the probability of each place after one more move with a die or a card."""
        cards = [card for card in _CARDS if view.tickets[MR_X].get(card)]
        faces = dict.fromkeys((ticket, *(face for _, face in view.dice.used), *cards))
        found: dict[int, float] = {}
        for place, share in self.likely.items():
            ways = {face: _ways(view, place, face) for face in faces}
            total = sum(sum(row.values()) for row in ways.values())
            for to, weight in ways[ticket].items():
                found[to] = found.get(to, 0.0) + share * weight / total
        return _scaled(found) or _scaled(dict.fromkeys(view.network.stations, 1.0))


def tiling(view: DiceView) -> Tiling:
    """Return the tiles of a game in their layout.

    Raises:
        CannotPlay: the game is not played on tiles.
    """
    if not isinstance(view.network, Tiling):
        raise CannotPlay("a player of the dice game needs a game on tiles")
    return view.network


def on_tile(view: DiceView, letter: str) -> Mapping[int, float]:
    """Return the probability of each starting place on a tile."""
    taken = _detectives(view)
    free = [place for place, on in tiling(view).letters.items() if on == letter and place not in taken]
    return _scaled({place: _caution(view, place) for place in free})


def _detectives(view: PublicView) -> Collection[int]:
    return [view.pawns[pawn] for pawn in view.order if pawn in view.pawns]


def _caution(view: PublicView, place: int) -> float:
    away = (distances(view.network, station).get(place, len(_CAUTION)) for station in _detectives(view))
    return _CAUTION[min(*away, len(_CAUTION) - 1)]


def _ways(view: DiceView, place: int, face: str) -> Mapping[int, float]:
    """Return the weight of each destination that a die or a card reaches from a place."""
    taken, share = _detectives(view), _CARD if face in _CARDS else 1.0
    reached = sorted(_TACTICS.reachable(view.network, place, face))
    return {to: share * _caution(view, to) for to in reached if to not in taken}


def _scaled(weights: Mapping[int, float]) -> Mapping[int, float]:
    total = sum(weights.values())
    return {place: weight / total for place, weight in weights.items()} if total else {}
