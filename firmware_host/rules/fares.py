"""Every ride a map offers, with its action ready made: what legal moves are picked from.

Actions are immutable, so one object for each ride serves all games on a map; picking a legal move is then
no more than looking at hands and at who stands where.
"""

from __future__ import annotations

from functools import cache

from firmware_host.rules.actions import BLACK, TICKETS, MrXMove, PawnMove
from firmware_host.rules.network import TRANSPORTS, Network
from firmware_host.rules.secret import Secret

PawnRides = dict[int, tuple[tuple[int, int, PawnMove], ...]]
"""Station -> (destination, ticket's place in a hand, the action): no boats."""

MrXRides = dict[int, tuple[tuple[int, int, MrXMove], ...]]
"""Station -> (destination, ticket's place in a hand, the action): no boats."""

BlackRides = dict[int, tuple[tuple[int, MrXMove], ...]]
"""Station -> (destination, the action paid with a black ticket), each destination once."""


@cache
def pawn_rides(network: Network, pawn: str) -> PawnRides:
    """The rides of a detective pawn from every station."""
    return {
        station: tuple(
            (to, TRANSPORTS.index(transport), PawnMove(pawn, to, transport))
            for to, transports in network.around(station).items()
            for transport in transports
            if transport != "boat"
        )
        for station in network.stations
    }


@cache
def mr_x_rides(network: Network) -> MrXRides:
    """The rides of Mister X from every station but for those he covers with a black ticket by choice."""
    return {
        station: tuple(
            (to, TRANSPORTS.index(transport), MrXMove(Secret(to), transport))
            for to, transports in network.around(station).items()
            for transport in transports
            if transport in TICKETS
        )
        for station in network.stations
    }


@cache
def black_rides(network: Network) -> BlackRides:
    """The rides of Mister X from every station for a black ticket, boats among them (CL-12)."""
    return {
        station: tuple((to, MrXMove(Secret(to), BLACK)) for to in network.around(station))
        for station in network.stations
    }
