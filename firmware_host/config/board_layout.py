"""Map the spots of the board to stations, and to their switches and lamps.

A *spot* is a place with one switch and one lamp, counted from 0 in the order of the map's stations. The hardware side
uses only spots, inputs and lamps, the game side stations and log windows; only this module knows both. Pure: a layout
is built once from the map and the wiring.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeVar

from firmware_host.config.wiring_faults import NO_WIRING, faults, in_order, number_range
from firmware_host.rules.network import Network

T = TypeVar("T")


class BoardLayoutError(ValueError):
    """A wiring does not fit the board, or a station, spot or window does not exist on it."""


@dataclass(frozen=True)
class BoardLayout:
    """The board as wired. `lay` builds and checks it; unknown parts raise `BoardLayoutError`.

    Attributes:
        network: the map, for the places of its stations.
        stations: the station on each spot; 0 for a spot unused in this game.
        switch_inputs: the input of the scan chain that each spot's switch is wired to.
        station_lamps: each spot's lamp.
        log_lamps: the lamp of each log window, window 1 first.
    """

    network: Network = field(repr=False)
    stations: tuple[int, ...] = field(repr=False)
    switch_inputs: tuple[int, ...] = field(repr=False)
    station_lamps: tuple[int, ...] = field(repr=False)
    log_lamps: tuple[int, ...] = field(repr=False)
    _spots: Mapping[int, int] = field(init=False, repr=False, compare=False)
    _read: Callable[[int], frozenset[int]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_spots", {n: spot for spot, n in enumerate(self.stations) if n})
        # The board rests most of the time: the same few masks recur, 200 times a second.
        object.__setattr__(self, "_read", lru_cache(maxsize=64)(self._stations_of))

    def on(self, network: Network) -> BoardLayout:
        """Return the same board and wiring with a network of tiles on its first spots, in order (DI-01).

        Raises:
            BoardLayoutError: there are more stations than spots.
        """
        free = len(self.stations) - len(network.stations)
        if free < 0:
            raise BoardLayoutError(f"{network.name}: {len(network.stations)} stations on {len(self.stations)} spots")
        return replace(self, network=network, stations=(*network.stations, *(0,) * free))

    @property
    def lamps(self) -> int:
        """How many lamps the chain has, up to the last used one."""
        return 1 + max(self.station_lamps + self.log_lamps)

    @property
    def inputs(self) -> int:
        """How many inputs the scan chain has, up to the last used one."""
        return 1 + max(self.switch_inputs)

    @property
    def switches(self) -> dict[int, int]:
        """Station -> the input of the scan chain for its switch."""
        return {station: self.switch_inputs[spot] for station, spot in self._spots.items()}

    def spot(self, station: int) -> int:
        """Return the spot of a station, from 0."""
        try:
            return self._spots[station]
        except KeyError:
            known = number_range(self._spots)
            raise BoardLayoutError(f"no station {station} on this board; its stations are {known}") from None

    def stations_in(self, mask: int) -> frozenset[int]:
        """Return the stations whose spots' bits are set in a mask (bit *s* is spot *s*)."""
        return self._read(mask)

    def lamp(self, station: int) -> int:
        """Return the lamp of a station, from 0."""
        return self.station_lamps[self.spot(station)]

    def log_lamp(self, window: int) -> int:
        """Return the lamp of a log window; windows count from 1, lamps from 0."""
        if not 1 <= window <= len(self.log_lamps):
            raise BoardLayoutError(f"no log window {window}; they are 1 to {len(self.log_lamps)}")
        return self.log_lamps[window - 1]

    def by_lamp(self, stations: Mapping[int, T], log: Mapping[int, T]) -> list[tuple[int, T]]:
        """Return the values of stations and log windows by lamp; windows without a lamp are omitted.

        Raises:
            BoardLayoutError: there is no such station on the board.
        """
        found = [(self.lamp(station), thing) for station, thing in stations.items()]
        last = len(self.log_lamps)
        return found + [(self.log_lamp(window), thing) for window, thing in log.items() if window <= last]

    def input_of(self, spot: int) -> int:
        """Return the input of the scan chain for a spot's switch, from 0."""
        if not 0 <= spot < len(self.stations):
            raise BoardLayoutError(f"no spot {spot} on this board; they are 0 to {len(self.stations) - 1}")
        return self.switch_inputs[spot]

    def positions_mm(self, width_mm: float) -> dict[int, tuple[float, float]]:
        """Return each station's place on a board of this width: millimetres from the left and from the top."""
        height_mm = width_mm / self.network.aspect
        places = self.network.stations
        return {n: (places[n].x * width_mm, places[n].y * height_mm) for n in self._spots}

    def near(self, width_mm: float, within_mm: float) -> dict[int, frozenset[int]]:
        """Return the stations near each station, within some millimetres, if there are any."""
        found = defaultdict[int, set[int]](set)
        from_the_left = sorted(self.positions_mm(width_mm).items(), key=lambda one: one[1])
        for number, (station, place) in enumerate(from_the_left, 1):
            for other, there in from_the_left[number:]:
                if there[0] - place[0] > within_mm:
                    break
                if math.dist(place, there) <= within_mm:
                    found[station].add(other)
                    found[other].add(station)
        return {station: frozenset(others) for station, others in found.items()}

    def _stations_of(self, mask: int) -> frozenset[int]:
        if mask >> len(self.stations):  # a negative mask also leaves something
            raise BoardLayoutError(f"mask {mask:#x} has bits beyond the {len(self.stations)} spots of this board")
        found = []
        while mask:
            lowest = mask & -mask
            found.append(self.stations[lowest.bit_length() - 1])
            mask ^= lowest
        return frozenset(found) - {0}


def lay(
    network: Network,
    windows: int,
    *,
    inputs: Mapping[int, int] = NO_WIRING,
    lamps: Mapping[int, int] = NO_WIRING,
    log: Mapping[int, int] = NO_WIRING,
) -> BoardLayout:
    """Lay out a map on the spots of a board, in the map's order, with a log of some windows.

    Args:
        network: the map.
        windows: how many windows the log has.
        inputs: station -> input of the scan chain; empty: in the order of the spots, from 0.
        lamps: station -> lamp; empty: in the order of the spots, from 0.
        log: window -> lamp; empty: in order, after the last station's lamp.

    Raises:
        BoardLayoutError: the wiring is faulty; one line for each of `faults`.
    """
    wrong = faults(network, windows, inputs=inputs, lamps=lamps, log=log)
    if wrong:
        raise BoardLayoutError("\n".join(f"{fault.wiring}: {fault.line}: {fault.what}" for fault in wrong))
    stations = tuple(network.stations)
    station_lamps = in_order(stations, lamps)
    log_lamps = in_order(range(1, windows + 1), log, 1 + max(station_lamps))
    return BoardLayout(network, stations, in_order(stations, inputs), station_lamps, log_lamps)
