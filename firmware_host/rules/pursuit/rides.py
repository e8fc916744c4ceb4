"""List every ride of a map as a prepared action, from which legal moves are picked.

Actions are immutable, so one object per ride serves all games on a map; picking a legal move then only compares hands
and positions. If no tickets are paid, a destination is offered once, however many lines lead there (BE-03).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

from firmware_host.rules.actions import BLACK, BOAT, FREE, TICKETS, MrXMove, PawnMove
from firmware_host.rules.network import TRANSPORTS, Network
from firmware_host.rules.secret import Secret

M = TypeVar("M", PawnMove, MrXMove)


# Not a named tuple, whose attributes take several times as long to read.
@dataclass(frozen=True, slots=True, eq=False)
class Rides(Generic[M]):
    """The rides from one station.

    Attributes:
        each: destination, ticket's place in a hand (or `BLACK_PLACE`), and action of each ride.
        ends: the destinations.
        actions: only the actions: all legal if no ticket is missing and no destination taken, as is usual.
    """

    each: tuple[tuple[int, int, M], ...]
    ends: frozenset[int]
    actions: tuple[M, ...]

    @classmethod
    def of(cls, each: Iterable[tuple[int, int, M]]) -> Rides[M]:
        """Compute a station's `Rides` from its rides."""
        each = tuple(each)
        return cls(each, _one_of(frozenset(to for to, _, _ in each)), tuple(action for _, _, action in each))


@lru_cache(maxsize=1024)
def _one_of(stations: frozenset[int]) -> frozenset[int]:
    """Return the first of equal sets that was passed in, to share memory between the pawns."""
    return stations


PawnRides = dict[int, Rides[PawnMove]]
"""Station -> a detective's rides without boats. Built all at once: memory stays constant."""

MrXRides = dict[int, Rides[MrXMove]]
"""Station -> Mister X's rides."""

BLACK_PLACE = TICKETS.index(BLACK)
"""The place that stands for a black ticket in rides; it is not counted with the hand."""

Fares = dict[int, dict[tuple[int, str], int]]
"""Station -> (destination, ticket) -> the ticket's place in a hand: the same rides, for look-up."""

_KEPT = 32
"""Cached results of each kind: enough for several maps, and bounded for callers that load many."""


@lru_cache(maxsize=_KEPT)
def without_closed(network: Network, closed: tuple[str, ...]) -> Network:
    """Return the network without the closed transports (BE-03), or the same object if none is closed."""
    if not closed:
        return network
    links = tuple(link for link in network.links if link.transport not in closed)
    return Network(network.name, network.title, network.aspect, network.start_cards, network.stations, links)


@lru_cache(maxsize=_KEPT)
def pawn_rides(network: Network, pawn: str, paying: bool) -> PawnRides:
    """Return the rides that a detective pawn can take from each station. Games on one map share the result."""
    return {
        station: Rides.of((to, place, PawnMove(pawn, to, fare)) for to, place, fare in _rides(network, station, paying))
        for station in network.stations
    }


@lru_cache(maxsize=_KEPT)
def mr_x_rides(network: Network, paying: bool) -> tuple[MrXRides, MrXRides]:
    """Return Mister X's rides: without those for a black ticket, and with them, by boat too (CL-12)."""
    plain, with_black = MrXRides(), MrXRides()
    for station in network.stations:
        found = _rides(network, station, paying)
        rides = [(to, place, MrXMove(Secret(to), fare)) for to, place, fare in found]
        black = [(to, BLACK_PLACE, MrXMove(Secret(to), BLACK)) for to in network.around(station)]
        plain[station], with_black[station] = Rides.of(rides), Rides.of(rides + black)
    return plain, with_black


@lru_cache(maxsize=_KEPT)
def fares(network: Network, paying: bool) -> Fares:
    """Return which tickets pay for which ride, black ones aside."""
    return {
        station: {(to, fare): place for to, place, fare in _rides(network, station, paying)}
        for station in network.stations
    }


def _rides(network: Network, station: int, paying: bool) -> Iterator[tuple[int, int, str]]:
    """Yield destination, ticket's place in a hand, and ticket, without fares a free ride first."""
    for to, transports in network.around(station).items():
        lines = [transport for transport in transports if transport != BOAT]
        if paying:
            yield from ((to, TRANSPORTS.index(transport), transport) for transport in lines)
        elif lines:
            yield to, 0, FREE
