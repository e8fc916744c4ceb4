"""Find the faults in a wiring: unknown, missing or shared stations, inputs and lamps. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from firmware_host.rules.network import Network

NO_WIRING: Mapping[int, int] = MappingProxyType({})
"""No wiring is given: everything follows the order of the map's stations."""


class WiringFault(NamedTuple):
    """A fault in a wiring.

    Attributes:
        wiring: the wiring: "inputs", "lamps" or "log".
        line: the station or window (or several) of the fault; empty for the wiring as a whole.
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
) -> list[WiringFault]:
    """Return every fault of a wiring; the arguments are those of `board_layout.lay`."""
    stations = tuple(network.stations)
    found = _faults_of_one("inputs", inputs, stations, "station", "input")
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
    """Return the entry of each row; without a wiring they are numbered from `first`."""
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
        what = f"no {end} for {row} {_shorten(missing)}; list every {row}, or none for the usual order"
        found.append(WiringFault(wiring, "", what))
    return found


def _shorten(numbers: list[int]) -> str:
    """List numbers in words: "1, 2, 3, 4, 5, 6 and 190 more"."""
    head, rest = (numbers[:6], len(numbers) - 6) if len(numbers) > 7 else (numbers[:-1], 0)
    if not head:
        return str(numbers[0])
    return f"{', '.join(map(str, head))} and {f'{rest} more' if rest else numbers[-1]}"


def number_range(numbers: Collection[int]) -> str:
    """Return the range of numbers: "1 to 199", or "1 to 200, 199 of them" if some are missing."""
    low, high = min(numbers), max(numbers)
    gaps = "" if high - low + 1 == len(numbers) else f", {len(numbers)} of them"
    return f"{low} to {high}{gaps}"
