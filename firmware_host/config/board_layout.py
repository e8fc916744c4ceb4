"""Define a board's spots, each with its station, switch and lamps, and find faults in a wiring.

A *spot* is a place with one switch and one lamp, counted from 0 in the order of the map's stations. The hardware side
uses only spots, inputs and lamps, the game side stations and log windows; only this module knows both. Pure: a layout
is built once from the map and the wiring.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from firmware_host.rules.network import Network

NO_WIRING: Mapping[int, int] = MappingProxyType({})
"""The empty wiring: switches and lamps follow the order of the map's stations."""


class WiringFault(NamedTuple):
    """One fault of a wiring: where it is, and what is wrong.

    Attributes:
        wiring: the wiring: "inputs", "lamps" or "log".
        line: the station, the window, or the list of them that is wrong; empty for the wiring as a whole.
        what: what is wrong, and what would be right.
    """

    wiring: str
    line: str
    what: str


def faults(
    network: Network,
    windows: int,
    *,
    inputs: Mapping[int, int] = NO_WIRING,
    lamps: Mapping[int, int] = NO_WIRING,
    log: Mapping[int, int] = NO_WIRING,
    on_gpios: bool = False,
) -> list[WiringFault]:
    """Return every fault of a wiring.

    The arguments are those of `lay_out_board`, and `on_gpios`: whether each input is a GPIO, without a usual order.
    """
    stations = tuple(network.stations)
    found = _faults_of_one("inputs", inputs, stations, "station", "GPIO" if on_gpios else "input")
    found += _faults_of_one("lamps", lamps, stations, "station", "lamp")
    found += _faults_of_one("log", log, range(1, windows + 1), "window", "lamp")
    wired = {lamps[station]: station for station in stations if station in lamps}
    owner = wired if lamps else dict(zip(in_order(stations, lamps), stations, strict=True))
    for window, lamp in log.items():
        if lamp in owner and window <= windows:
            what = f"lamp {lamp} already belongs to station {owner[lamp]}; give the window another lamp"
            found.append(WiringFault("log", str(window), what))
    return found


def in_order(rows: Iterable[int], wiring: Mapping[int, int], first: int = 0) -> tuple[int, ...]:
    """Return each row's entry in a wiring. If the wiring is empty, number the entries from `first`."""
    return tuple(wiring[row] if wiring else first + place for place, row in enumerate(rows))


def _faults_of_one(
    wiring: str, lines: Mapping[int, int], rows: Collection[int], row: str, end: str
) -> list[WiringFault]:
    known = set(rows)
    found = [
        WiringFault(wiring, str(number), f"there is no such {row}; the {row}s are {number_range(rows)}")
        for number in lines
        if number not in known
    ]
    sharing: dict[int, list[int]] = {}
    for number, wired_to in lines.items():
        sharing.setdefault(wired_to, []).append(number)
    for wired_to, numbers in sharing.items():
        if len(numbers) > 1:
            what = f"share {end} {wired_to}; give each {row} one of its own"
            found.append(WiringFault(wiring, _shorten(numbers), what))
    missing = [number for number in rows if number not in lines] if lines else []
    if missing:
        usual = "" if end == "GPIO" else ", or none for the usual order"
        what = f"no {end} for {row} {_shorten(missing)}; list every {row}{usual}"
        found.append(WiringFault(wiring, "", what))
    return found


def _shorten(numbers: list[int]) -> str:
    """List numbers in words: "1, 2, 3, 4, 5, 6 and 190 more"."""
    head, rest = (numbers[:6], len(numbers) - 6) if len(numbers) > 7 else (numbers[:-1], 0)
    if not head:
        return str(numbers[0])
    return f"{', '.join(map(str, head))} and {f'{rest} more' if rest else numbers[-1]}"


def number_range(numbers: Collection[int]) -> str:
    """Return a range of numbers as text: "1 to 199", or "1 to 200, 199 of them" if some are missing."""
    low, high = min(numbers), max(numbers)
    gaps = "" if high - low + 1 == len(numbers) else f", {len(numbers)} of them"
    return f"{low} to {high}{gaps}"


T = TypeVar("T")


class BoardLayoutError(ValueError):
    """The error that a wiring does not fit the board, or the board has no such station, spot or window."""


@dataclass(frozen=True)
class BoardLayout:
    """The board as it is wired. `lay_out_board` creates and checks it.

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

    def __post_init__(self) -> None:
        object.__setattr__(self, "_spots", {n: spot for spot, n in enumerate(self.stations) if n})

    def on(self, network: Network) -> BoardLayout:
        """Return the same board with the stations of a network of tiles on its first spots (DI-01).

        Raises:
            BoardLayoutError: there are more stations than spots.
        """
        free = len(self.stations) - len(network.stations)
        if free < 0:
            count = len(self.stations)
            raise BoardLayoutError(
                f"{network.name}: needs {len(network.stations)} places for its stations; this board has {count}"
            )
        return replace(self, network=network, stations=(*network.stations, *(0,) * free))

    @property
    def lamps(self) -> int:
        """The number of lamps in the chain, up to the last used one."""
        return 1 + max(self.station_lamps + self.log_lamps)

    @property
    def inputs(self) -> int:
        """The number of inputs in the scan chain, up to the last used one."""
        return 1 + max(self.switch_inputs)

    @property
    def switches(self) -> dict[int, int]:
        """The input of the scan chain for each station's switch: station -> input."""
        return {station: self.switch_inputs[spot] for station, spot in self._spots.items()}

    def spot(self, station: int) -> int:
        """Return a station's spot, counted from 0."""
        try:
            return self._spots[station]
        except KeyError:
            known = number_range(self._spots)
            raise BoardLayoutError(f"there is no station {station} on this board; its stations are {known}") from None

    def stations_in(self, mask: int) -> frozenset[int]:
        """Return the stations on the spots whose bits are set in a mask. Bit *s* is spot *s*.

        Raises:
            BoardLayoutError: the mask is negative or has bits beyond the spots.
        """
        if mask >> len(self.stations):  # a negative mask also leaves something
            count = len(self.stations)
            raise BoardLayoutError(f"mask {mask:#x} has bits beyond the {count} spots; set only bits 0 to {count - 1}")
        found = []
        while mask:
            lowest = mask & -mask
            found.append(self.stations[lowest.bit_length() - 1])
            mask ^= lowest
        return frozenset(found) - {0}

    def lamp(self, station: int) -> int:
        """Return a station's lamp, counted from 0."""
        return self.station_lamps[self.spot(station)]

    def log_lamp(self, window: int) -> int:
        """Return the lamp of a log window. Windows are counted from 1, lamps from 0."""
        if not 1 <= window <= len(self.log_lamps):
            raise BoardLayoutError(f"there is no log window {window}; windows are 1 to {len(self.log_lamps)}")
        return self.log_lamps[window - 1]

    def by_lamp(self, stations: Mapping[int, T], log: Mapping[int, T]) -> list[tuple[int, T]]:
        """Convert values for stations and log windows to values for their lamps. Omit windows without a lamp.

        Raises:
            BoardLayoutError: a station is not on the board.
        """
        found = [(self.lamp(station), thing) for station, thing in stations.items()]
        last = len(self.log_lamps)
        return found + [(self.log_lamp(window), thing) for window, thing in log.items() if window <= last]

    def input_of(self, spot: int) -> int:
        """Return the input of the scan chain, counted from 0, for the switch of a spot."""
        if not 0 <= spot < len(self.stations):
            raise BoardLayoutError(f"there is no spot {spot} on this board; spots are 0 to {len(self.stations) - 1}")
        return self.switch_inputs[spot]

    def positions_mm(self, width_mm: float) -> dict[int, tuple[float, float]]:
        """Return each station's distance from the left and the top edge, in mm, on a board of this width."""
        height_mm = width_mm / self.network.aspect
        places = self.network.stations
        return {n: (places[n].x * width_mm, places[n].y * height_mm) for n in self._spots}

    def near(self, width_mm: float, within_mm: float) -> dict[int, frozenset[int]]:
        """Return for each station the other stations within a distance in mm, on a board of this width.

        A station without others nearby is omitted.
        """
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


def lay_out_board(
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


class InputMapping:
    """A converter of masks: from bits for the scan chain's inputs to bits for the board's spots.

    Args:
        inputs: each spot's input, `BoardLayout.switch_inputs`.
        count: the number of inputs of the device; inputs without a spot are ignored.

    Raises:
        BoardLayoutError: a spot's input does not exist on the device.
    """

    def __init__(self, inputs: Sequence[int], count: int) -> None:
        for spot, number in enumerate(inputs):
            if number >= count:
                raise BoardLayoutError(f"spot {spot} is on input {number}; the switches' inputs are 0 to {count - 1}")
        self._count = count
        self._in_order = list(inputs) == list(range(len(inputs)))
        self._spots = (1 << len(inputs)) - 1
        self._tables = () if self._in_order else _byte_tables(inputs, count)
        self._seen = self._seen_spots = 0

    def to_spots(self, mask: int) -> int:
        """Return the mask of spots that belongs to a mask of inputs.

        This costs nothing if each spot is wired to the input of the same number, and little if `mask` is the same as in
        the last call.

        Raises:
            BoardLayoutError: `mask` is negative or has bits beyond the device's inputs.
        """
        if mask == self._seen:
            return self._seen_spots
        if mask >> self._count:
            last = self._count - 1
            raise BoardLayoutError(
                f"sample {mask:#x} has bits beyond the inputs of the switches; set only bits 0 to {last}"
            )
        spots = mask & self._spots
        if not self._in_order:
            spots = 0
            for table, byte in zip(self._tables, mask.to_bytes(len(self._tables), "little"), strict=True):
                spots |= table[byte]
        self._seen, self._seen_spots = mask, spots
        return spots

    def stations(self, layout: BoardLayout, mask: int) -> frozenset[int]:
        """Return the stations whose inputs are set in a mask.

        Raises:
            BoardLayoutError: as for `to_spots`.
        """
        return layout.stations_in(self.to_spots(mask)) if mask else frozenset()


def _byte_tables(inputs: Sequence[int], count: int) -> tuple[list[int], ...]:
    """Return a table for each byte of a mask of inputs: the byte's value -> the mask of its spots."""
    spot_bit = {number: 1 << spot for spot, number in enumerate(inputs)}
    tables = []
    for first in range(0, count, 8):
        table = [0]
        for number in range(first, first + 8):
            table += [spots | spot_bit.get(number, 0) for spots in table]
        tables.append(table)
    return tuple(tables)
