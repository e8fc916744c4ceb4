"""Choose moves in the dice game, considering its one-way streets, helicopter, tiles and rerolls."""

from __future__ import annotations

from collections.abc import Collection

from firmware_host.players.heuristic.game_heuristic import GameHeuristic, distance
from firmware_host.rules.actions import BLACK, HELICOPTER, STAY, Action, PawnMove, RollAgain
from firmware_host.rules.dice.dice_view import DiceView
from firmware_host.rules.dice.tiles import Tiling
from firmware_host.rules.network import Network


class DiceHeuristic(GameHeuristic[DiceView]):
    """The rules of thumb for the dice game."""

    view = DiceView

    def last_seen(self, view: DiceView) -> tuple[frozenset[int], int]:
        """Return the places where Mister X was last known to be: one in the log, or the tile where he began."""
        stations, since = super().last_seen(view)
        if stations or not isinstance(view.network, Tiling):
            return stations, since
        return frozenset(place for place, letter in view.network.letters.items() if letter == view.dice.tile), 0

    def reachable(self, network: Network, station: int, ticket: str) -> Collection[int]:
        """Return the places that one move of Mister X by this die or card may lead to (DI-19, DI-21)."""
        if isinstance(network, Tiling):
            if ticket == HELICOPTER:
                return network.opposite(station)
            if ticket == BLACK:
                return {*network.around(station), *network.against(station)}
        return super().reachable(network, station, ticket)

    def instead(self, view: DiceView, best: float, there: Collection[int]) -> Action | None:
        """Return the action "roll again" if it is allowed and no die brings a pawn nearer (DI-15), else None."""
        if RollAgain() not in view.extras.values():
            return None
        return RollAgain() if view.moves[0].ticket == STAY or not _closes_in(view, best, there) else None


def _closes_in(view: DiceView, best: float, there: Collection[int]) -> bool:
    """Return whether the best move brings a pawn nearer to Mister X than the pawns are now."""
    return any(
        distance(view, PawnMove(pawn, view.pawns[pawn], STAY), there) > best for pawn in view.turn if pawn in view.pawns
    )
