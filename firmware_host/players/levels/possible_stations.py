"""Track the stations where Mister X may be: exactly those that the public log allows."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from firmware_host.players.heuristic.heuristic import heuristic_of
from firmware_host.rules.actions import BLACK, BOAT, MR_X, START
from firmware_host.rules.network import Network
from firmware_host.rules.views import PublicView


class PossibleStations:
    """The stations where Mister X may be. Needs to `see` every public view of one game, in order.

    Args:
        start: the stations where he may begin.
        cut_off: whether a detective on a line blocks it (US-11).

    Attributes:
        stations: where he may be now; empty while nothing is known. Read only.
    """

    def __init__(self, start: Iterable[int] = (), *, cut_off: bool = False) -> None:
        self.stations = frozenset(start)
        self._cut_off = cut_off
        self._before: PublicView | None = None

    def see(self, view: PublicView) -> None:
        """Update the stations from the next public view."""
        before, self._before = self._before, view
        for entry in view.log[len(before.log) if before is not None else 0 :]:
            taken = _detectives(before or view)
            self.stations = self.after(view, entry.ticket, taken)
            if entry.station is not None:
                self.stations = frozenset({entry.station})
        if view.pawns.get(MR_X):
            self.stations = frozenset({view.pawns[MR_X]})
        elif not self.stations:
            self.stations = heuristic_of(view).possible_stations(view)
        caught = view.outcome is not None
        self.stations = self.stations if caught else self.stations - _detectives(view) or self.stations

    def after(self, view: PublicView, ticket: str, taken: Collection[int]) -> frozenset[int]:
        """Return where Mister X may be after one more move with a ticket.

        Args:
            view: the game.
            ticket: the ticket as everyone sees it.
            taken: where the detectives stand.
        """
        if ticket == START:
            return heuristic_of(view).possible_stations(view)
        reachable = heuristic_of(view).reachable
        return frozenset(
            to
            for station in self.stations
            for to in reachable(view.network, station, ticket)
            if to not in taken and (not self._cut_off or _is_open(view.network, station, to, ticket, taken))
        )


def _detectives(view: PublicView) -> frozenset[int]:
    return frozenset(view.pawns[pawn] for pawn in view.order if pawn in view.pawns)


def _is_open(network: Network, station: int, to: int, ticket: str, taken: Collection[int]) -> bool:
    """Return whether the ticket pays for a line that passes no detective."""
    ways = network.around(station).get(to, ())
    paid = ways if ticket == BLACK else [way for way in ways if way == ticket or (ticket not in ways and way != BOAT)]
    return any(not set(network.via(station, to, way)).intersection(taken) for way in paid)
