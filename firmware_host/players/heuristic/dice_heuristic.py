"""Play the dice game, with its one-way streets, helicopter, tiles and rerolls."""

from __future__ import annotations

from collections.abc import Collection

from firmware_host.players.heuristic.game_heuristic import GameHeuristic, distance
from firmware_host.rules.actions import BLACK, HELICOPTER, STAY, Action, PawnMove, RollAgain
from firmware_host.rules.dice.dice_view import DiceView
from firmware_host.rules.dice.tiles import Tiling
from firmware_host.rules.network import Network


class DiceHeuristic(GameHeuristic[DiceView]):
    """The heuristic of the dice game."""

    view = DiceView

    def last_seen(self, view: DiceView) -> tuple[frozenset[int], int]:
        """Return Mister X's last known places: from the log, or the tile where he began."""
        stations, since = super().last_seen(view)
        if stations or not isinstance(view.network, Tiling):
            return stations, since
        return frozenset(place for place, letter in view.network.letters.items() if letter == view.dice.tile), 0

    def reachable(self, network: Network, station: int, ticket: str) -> Collection[int]:
        """Return where one move of Mister X may lead (DI-19, DI-21)."""
        if isinstance(network, Tiling):
            if ticket == HELICOPTER:
                return network.opposite(station)
            if ticket == BLACK:
                return {*network.around(station), *network.against(station)}
        return super().reachable(network, station, ticket)

    def instead(self, view: DiceView, best: float, there: Collection[int]) -> Action | None:
        """Roll again if that is allowed and no die helps (DI-15)."""
        if RollAgain() not in view.extras.values():
            return None
        return RollAgain() if view.moves[0].ticket == STAY or not _closes_in(view, best, there) else None


def _closes_in(view: DiceView, best: float, there: Collection[int]) -> bool:
    """Return whether the best move gets nearer than the pawns stand now."""
    return any(
        distance(view, PawnMove(pawn, view.pawns[pawn], STAY), there) > best for pawn in view.turn if pawn in view.pawns
    )
