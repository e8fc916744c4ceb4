"""Which station lies on which spot of the board, and which switch and lamps belong to it.

A *spot* is a place with one switch and one lamp, counted from 0 in the order of the map's stations. The wire
side speaks of spots, inputs and lamps alone, the game side of stations and log windows; this is the only place
that knows both. Pure: it is laid once from the map and the wiring, and asked from then on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from firmware_host.rules.network import Network

NONE: Mapping[int, int] = MappingProxyType({})
"""No wiring given: everything in the order of the map's stations."""


class BoardLayoutError(ValueError):
    """A wiring that does not fit the board, or a question about a station, spot or window it does not have."""


class WiringFault(NamedTuple):
    """One thing wrong with a wiring.

    Attributes:
        wiring: which of them: "inputs", "lamps" or "log".
        line: the station or window (or several of them) it stands at; empty for the wiring as a whole.
        what: what is wrong, and what would be right.
    """

    wiring: str
    line: str
    what: str


@dataclass(frozen=True)
class BoardLayout:
    """The board as wired. Make one with `lay`, which checks it.

    Attributes:
        network: the map, for the places of its stations.
        stations: the station on each spot; 0 where nothing lies in this game.
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
        # The board rests most of the time: the same few masks come again and again, 200 times a second.
        object.__setattr__(self, "_read", lru_cache(maxsize=64)(self._stations_of))

    def on(self, network: Network) -> BoardLayout:
        """The same board and wiring with other stations on its spots: tiles were laid (DI-01).

        The network's stations lie on the first spots, in the network's order.

        Raises:
            SheetError: there are more stations than spots.
        """
        free = len(self.stations) - len(network.stations)
        if free < 0:
            raise BoardLayoutError(f"{network.name}: {len(network.stations)} stations on {len(self.stations)} spots")
        return replace(self, network=network, stations=(*network.stations, *(0,) * free))

    @property
    def lamps(self) -> int:
        """How many lamps the chain has, up to the last that is used."""
        return 1 + max(self.station_lamps + self.log_lamps)

    @property
    def inputs(self) -> int:
        """How many inputs the scan chain has, up to the last that is used."""
        return 1 + max(self.switch_inputs)

    @property
    def switches(self) -> dict[int, int]:
        """Station -> the input of the scan chain that the switch under it is wired to."""
        return {station: self.switch_inputs[spot] for station, spot in self._spots.items()}

    def spot(self, station: int) -> int:
        """The spot on which a station lies, from 0.

        Raises:
            SheetError: there is no such station on the board.
        """
        try:
            return self._spots[station]
        except KeyError:
            known = _range(tuple(self._spots))
            raise BoardLayoutError(f"no station {station} on this board; its stations are {known}") from None

    def stations_in(self, mask: int) -> frozenset[int]:
        """The stations whose spots' bits are set in a mask (bit *s* is spot *s*).

        Raises:
            SheetError: the mask has bits that are no spots of this board.
        """
        return self._read(mask)

    def mask_of(self, stations: Iterable[int]) -> int:
        """The mask with the bits of these stations' spots set.

        Raises:
            SheetError: one of them is not on the board.
        """
        mask = 0
        for station in stations:
            mask |= 1 << self.spot(station)
        return mask

    def lamp(self, station: int) -> int:
        """The lamp of a station, from 0.

        Raises:
            SheetError: there is no such station on the board.
        """
        return self.station_lamps[self.spot(station)]

    def log_lamp(self, window: int) -> int:
        """The lamp of a log window; windows count from 1, lamps from 0.

        Raises:
            SheetError: the log has no such window.
        """
        if not 1 <= window <= len(self.log_lamps):
            raise BoardLayoutError(f"no log window {window}; they are 1 to {len(self.log_lamps)}")
        return self.log_lamps[window - 1]

    def input_of(self, spot: int) -> int:
        """The input of the scan chain that a spot's switch is wired to, from 0.

        Raises:
            SheetError: there is no such spot on the board.
        """
        if not 0 <= spot < len(self.stations):
            raise BoardLayoutError(f"no spot {spot} on this board; they are 0 to {len(self.stations) - 1}")
        return self.switch_inputs[spot]

    def positions_mm(self, width_mm: float) -> dict[int, tuple[float, float]]:
        """Where each station lies on a board of this width: millimetres from the left and from the top."""
        height_mm = width_mm / self.network.aspect
        places = self.network.stations
        return {n: (places[n].x * width_mm, places[n].y * height_mm) for n in self._spots}

    def near(self, width_mm: float, within_mm: float) -> dict[int, frozenset[int]]:
        """The stations that lie within some millimetres of each other on a board of this width; others are left out."""
        places = self.positions_mm(width_mm)
        found = {
            one: frozenset(
                other for other in places if other != one and math.dist(places[one], places[other]) <= within_mm
            )
            for one in places
        }
        return {station: others for station, others in found.items() if others}

    def _stations_of(self, mask: int) -> frozenset[int]:
        if mask >> len(self.stations):  # of a negative mask too something is left
            raise BoardLayoutError(f"mask {mask:#x} has bits beyond the {len(self.stations)} spots of this board")
        found = []
        while mask:
            lowest = mask & -mask
            found.append(self.stations[lowest.bit_length() - 1])
            mask ^= lowest
        return frozenset(found) - {0}


class InputOrder:
    """The samples of a device of switches, put in the order of the spots.

    Args:
        inputs: each spot's input, `BoardLayout.switch_inputs`.
        count: how many inputs the device has; those that serve no spot are left out.

    Raises:
        SheetError: a spot's input is none of the device's.
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
        """Return the mask of spots for a mask of inputs.

        Free where every spot has the input of its number, nearly so when `mask` is that of the last call.

        Raises:
            SheetError: `mask` is negative or has bits beyond the device's inputs.
        """
        if mask == self._seen:
            return self._seen_spots
        if mask >> self._count:
            raise BoardLayoutError(f"sample {mask:#x} has bits beyond the {self._count} inputs of the switches")
        spots = mask & self._spots
        if not self._in_order:
            spots = 0
            for table, byte in zip(self._tables, mask.to_bytes(len(self._tables), "little"), strict=True):
                spots |= table[byte]
        self._seen, self._seen_spots = mask, spots
        return spots


def _byte_tables(inputs: Sequence[int], count: int) -> tuple[list[int], ...]:
    """Return for each byte of a mask of inputs: byte -> the mask of spots that it closes."""
    spot_bit = {number: 1 << spot for spot, number in enumerate(inputs)}
    tables = []
    for first in range(0, count, 8):
        table = [0]
        for number in range(first, first + 8):
            table += [spots | spot_bit.get(number, 0) for spots in table]
        tables.append(table)
    return tuple(tables)


def lay(
    network: Network,
    windows: int,
    *,
    inputs: Mapping[int, int] = NONE,
    lamps: Mapping[int, int] = NONE,
    log: Mapping[int, int] = NONE,
) -> BoardLayout:
    """The sheet of a map with a log of some windows.

    Args:
        network: the map; its stations lie on the spots in the map's order.
        windows: how many windows the log has.
        inputs: station -> input of the scan chain; empty: in the order of the spots, from 0.
        lamps: station -> lamp; empty: in the order of the spots, from 0.
        log: window -> lamp; empty: in order, after the last station's lamp.

    Raises:
        SheetError: the wiring is faulty; one line for each of `faults`.
    """
    wrong = faults(network, windows, inputs=inputs, lamps=lamps, log=log)
    if wrong:
        raise BoardLayoutError("\n".join(f"{fault.wiring}: {fault.line}: {fault.what}" for fault in wrong))
    stations = tuple(network.stations)
    station_lamps = _in_order(stations, lamps, 0)
    log_lamps = _in_order(range(1, windows + 1), log, 1 + max(station_lamps))
    return BoardLayout(network, stations, _in_order(stations, inputs, 0), station_lamps, log_lamps)


def _in_order(rows: Iterable[int], wiring: Mapping[int, int], first: int) -> tuple[int, ...]:
    """What each row is wired to; without a wiring they follow each other from `first` on."""
    return tuple(wiring[row] if wiring else first + place for place, row in enumerate(rows))


def faults(
    network: Network,
    windows: int,
    *,
    inputs: Mapping[int, int] = NONE,
    lamps: Mapping[int, int] = NONE,
    log: Mapping[int, int] = NONE,
) -> list[WiringFault]:
    """Everything wrong with a wiring: unknown, missing and shared ends. The arguments are those of `lay`."""
    stations = tuple(network.stations)
    found = _faults_of_one("inputs", inputs, stations, "station", "input")
    found += _faults_of_one("lamps", lamps, stations, "station", "lamp")
    found += _faults_of_one("log", log, range(1, windows + 1), "window", "lamp")
    owner = {lamp: station for station, lamp in zip(stations, _known(stations, lamps), strict=True)}
    for window, lamp in log.items():
        if lamp in owner and window <= windows:
            what = f"lamp {lamp} is that of station {owner[lamp]} already; give the window a lamp of its own"
            found.append(WiringFault("log", str(window), what))
    return found


def _known(stations: tuple[int, ...], lamps: Mapping[int, int]) -> tuple[int, ...]:
    """The stations' lamps as far as they are wired; -1 for a station that is missing from the wiring."""
    return tuple(lamps.get(n, -1) for n in stations) if lamps else _in_order(stations, lamps, 0)


def _faults_of_one(
    wiring: str, lines: Mapping[int, int], rows: Collection[int], row: str, end: str
) -> list[WiringFault]:
    known = set(rows)
    found = [
        WiringFault(wiring, str(number), f"there is no such {row}; the {row}s are {_range(rows)}")
        for number in lines
        if number not in known
    ]
    sharing: dict[int, list[int]] = {}
    for number, wired_to in lines.items():
        sharing.setdefault(wired_to, []).append(number)
    for wired_to, numbers in sharing.items():
        if len(numbers) > 1:
            what = f"share {end} {wired_to}; give each {row} one of its own"
            found.append(WiringFault(wiring, _several(numbers), what))
    missing = [number for number in rows if number not in lines] if lines else []
    if missing:
        what = f"no {end} for {row} {_several(missing)}; list every {row}, or none for the usual order"
        found.append(WiringFault(wiring, "", what))
    return found


def _several(numbers: list[int]) -> str:
    """Numbers in words, shortened: "1, 2, 3, 4, 5, 6 and 190 more"."""
    head, rest = (numbers[:6], len(numbers) - 6) if len(numbers) > 7 else (numbers[:-1], 0)
    if not head:
        return str(numbers[0])
    return f"{', '.join(map(str, head))} and {f'{rest} more' if rest else numbers[-1]}"


def _range(numbers: Collection[int]) -> str:
    """What numbers there are, in short: "1 to 199", with a word where some between are not."""
    low, high = min(numbers), max(numbers)
    gaps = "" if high - low + 1 == len(numbers) else f", {len(numbers)} of them"
    return f"{low} to {high}{gaps}"
