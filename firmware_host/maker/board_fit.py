"""Fit the map to a board that the maker owns, from the places of a few stations measured on that board.

The file of measurements is TOML. Places count from the board's left and top edge, in millimetres, or they are pixels of
a photograph taken straight from above, together with the board's edges in that photograph:

    unit = "px"                        # or "mm"
    width_mm = 712                     # the board, from edge to edge
    height_mm = 520
    thickness_mm = 2.0
    photo = [120, 84, 3320, 2420]      # only with "px": the board's left, top, right and bottom edge

    [stations]
    1 = [512, 327]

An affine transform fits a map that was printed larger, stretched, turned or slanted. It has six numbers, and three
stations determine them. A fourth station shows that something is wrong, but not which station.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from firmware_host.config import toml_file
from firmware_host.config.allowed_values import as_toml
from firmware_host.config.toml_file import ConfigError

Place = tuple[float, float]

LEAST = 4
"""The least number of measured stations."""
NAMING = 6
"""The least number of measured stations with which the program can name a mistyped one."""
MOST_OFF = 2.0
"""Millimetres by which a measured station may differ from its computed place: half the tolerance for a pawn."""

_KEYS = ("unit", "width_mm", "height_mm", "thickness_mm", "photo", "stations")
_LARGEST = 5000.0  # millimetres of a board, or pixels and more of a photograph
_PIXELS = 100_000.0


class Affine(NamedTuple):
    """A transform of places: x' = a·x + b·y + c, y' = d·x + e·y + f."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def apply(self, place: Place) -> Place:
        """Return the transformed place."""
        x, y = place
        return self.a * x + self.b * y + self.c, self.d * x + self.e * y + self.f

    def shifted(self, x: float, y: float) -> Affine:
        """Return this transform followed by a shift in millimetres."""
        return self._replace(c=self.c + x, f=self.f + y)

    @property
    def area(self) -> float:
        """The factor by which the transform enlarges areas. It is negative if the transform mirrors."""
        return self.a * self.e - self.b * self.d


STRAIGHT = Affine(1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
"""The transform that leaves every place where it is."""


@dataclass(frozen=True, slots=True)
class BoardFit:
    """The transformation that lays the map on the maker's board.

    Attributes:
        width: the board's width in millimetres.
        height: its height.
        thickness: its thickness.
        transform: from millimetres on the configuration's map to millimetres on the board.
        off: measured station -> millimetres between its measured and its computed place.
    """

    width: float
    height: float
    thickness: float
    transform: Affine
    off: Mapping[int, float]

    def describe(self) -> str:
        """Return how well the map fits, in a sentence or two."""
        worst = max(self.off, key=lambda station: self.off[station])
        text = f"Fit of {len(self.off)} stations: at most {self.off[worst]:.1f} mm off (station {worst})."
        if len(self.off) < NAMING:
            text += f" With fewer than {NAMING} no mistyped station can be named: measure more."
        return text


def read_fit(path: Path, places: Mapping[int, Place]) -> BoardFit:
    """Read a file of measured stations, and fit the map to them.

    Args:
        path: the file.
        places: station -> its place on the configuration's map, in millimetres.

    Raises:
        ConfigError: the file cannot be used, or the stations do not fit; the message says which, and by how much.
    """
    data = toml_file.toml(toml_file.contents(path), str(path))
    mistakes = [f"{path}: {line}" for line in _mistakes(data, places)]
    if mistakes:
        raise ConfigError(*mistakes)
    width, height = float(data["width_mm"]), float(data["height_mm"])
    left, top, right, bottom = data.get("photo", (0.0, 0.0, width, height))
    measured = {
        int(station): ((x - left) * width / (right - left), (y - top) * height / (bottom - top))
        for station, (x, y) in data["stations"].items()
    }
    transform = fit_places(places, measured)
    found = BoardFit(
        width, height, float(data.get("thickness_mm", 2.0)), transform, _off(transform, places, measured)
    )  # fmt: skip
    mistakes = [f"{path}: {line}" for line in (*_faults(places, measured, found), *_outside(places, found))]
    if mistakes:
        raise ConfigError(*mistakes)
    return found


def fit_places(places: Mapping[int, Place], measured: Mapping[int, Place]) -> Affine:
    """Return the affine transform that moves places as near as possible to measured ones, by least squares.

    Raises:
        ZeroDivisionError: the places lie on one line.
    """
    count = len(measured)
    x0, y0 = (sum(places[station][axis] for station in measured) / count for axis in (0, 1))
    rows = [(places[station][0] - x0, places[station][1] - y0, *measured[station]) for station in measured]
    uu, uv, vv = (sum(row[i] * row[j] for row in rows) for i, j in ((0, 0), (0, 1), (1, 1)))
    spread = uu * vv - uv * uv
    numbers: list[float] = []
    for axis in (2, 3):
        mean = sum(row[axis] for row in rows) / count
        us, vs = (sum(row[side] * row[axis] for row in rows) for side in (0, 1))
        along, across = (us * vv - vs * uv) / spread, (vs * uu - us * uv) / spread
        numbers += [along, across, mean - along * x0 - across * y0]
    return Affine(*numbers)


def name_outliers(places: Mapping[int, Place], measured: Mapping[int, Place]) -> dict[int, float]:
    """Return the stations whose measurement contradicts the others: station -> mm from where it should be.

    While at least `NAMING` stations are left and fit badly, the function looks for the station without which the others
    fit best. If no other omission improves the fit nearly as much, it names this station and drops it. Otherwise it
    stops. If the remaining stations still fit badly, it returns no station.
    """
    kept, named = dict(measured), dict[int, float]()
    while len(kept) >= NAMING and _worst(places, kept) > MOST_OFF:
        without = {one: _worst(places, {k: at for k, at in kept.items() if k != one}) for one in kept}
        best, second = sorted(kept, key=lambda one: without[one])[:2]
        if without[best] > without[second] / 2:
            break
        del kept[best]
        named[best] = math.dist(fit_places(places, kept).apply(places[best]), measured[best])
    return named if _worst(places, kept) <= MOST_OFF else {}


def _worst(places: Mapping[int, Place], measured: Mapping[int, Place]) -> float:
    if not _spread(places, measured):
        return math.inf
    return max(_off(fit_places(places, measured), places, measured).values())


def _off(transform: Affine, places: Mapping[int, Place], measured: Mapping[int, Place]) -> dict[int, float]:
    return {station: math.dist(transform.apply(places[station]), at) for station, at in measured.items()}


def _spread(places: Mapping[int, Place], stations: Collection[int]) -> bool:
    """Return whether the stations are clearly not all on one line."""
    x0, y0 = (sum(places[station][axis] for station in stations) / len(stations) for axis in (0, 1))
    rows = [(places[station][0] - x0, places[station][1] - y0) for station in stations]
    uu, uv, vv = sum(u * u for u, _ in rows), sum(u * v for u, v in rows), sum(v * v for _, v in rows)
    return uu * vv - uv * uv > 0.01 * (uu + vv) ** 2 / 4


# ---- what may be wrong ----


def _is_number(value: Any, most: float, least: float = 0.0) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most


def _mistakes(data: Mapping[str, Any], places: Mapping[int, Place]) -> Iterator[str]:
    """Yield a line for each mistake in a file of measurements, before the map is fitted to them."""
    for key in data:
        if key not in _KEYS:
            yield f"{key}: unknown; the keys are {', '.join(_KEYS)}"
    unit = data.get("unit")
    if unit not in ("mm", "px"):
        right = 'write "mm" for millimetres, or "px" for pixels of a photograph'
        yield _wrong(data, "unit", 'neither "mm" nor "px"', right)
    for key in ("width_mm", "height_mm"):
        if not _is_number(data.get(key), _LARGEST, 50.0):
            right = "write the board's size from edge to edge in mm"
            yield _wrong(data, key, f"not a number from 50 to {_LARGEST:g}", right)
    if not _is_number(data.get("thickness_mm", 2.0), 10.0):
        yield _wrong(data, "thickness_mm", "not a number from 0 to 10", "write the board's thickness in mm")
    yield from _mistakes_of_photo(unit, data.get("photo"))
    stations = data.get("stations")
    if isinstance(stations, dict):
        yield from _mistakes_of_stations(stations, places)
    else:
        yield "[stations]: is missing; it has a line for each measured station, such as 58 = [233.5, 101.0]"


def _wrong(data: Mapping[str, Any], key: str, what: str, right: str) -> str:
    """Return a line that says that a key is missing, or what its value is: "not a number", for example."""
    return f"{key}: {f'{as_toml(data[key])} is {what}' if key in data else 'is missing'}; {right}"


def _mistakes_of_stations(stations: Mapping[str, Any], places: Mapping[int, Place]) -> Iterator[str]:
    known = {str(station) for station in places}
    strange = [name for name in stations if name not in known]
    for name in strange:
        yield f"[stations] {name}: there is no such station on this map; correct the number, or delete the line"
    for name, at in stations.items():
        if not isinstance(at, list) or len(at) != 2 or not all(_is_number(one, _PIXELS, -_PIXELS) for one in at):
            right = "write the distances from the left and from the top, such as [233.5, 101.0]"
            yield f"[stations] {name}: {as_toml(at)} is not two numbers; {right}"
    if len(stations) < LEAST:
        yield f"[stations]: a fit needs {LEAST} stations or more, near all corners; these are {len(stations)}"
    elif not strange and not _spread(places, [int(name) for name in stations]):
        yield "[stations]: these stations are nearly on one line; measure others, near all corners"


def _mistakes_of_photo(unit: Any, photo: Any) -> Iterator[str]:
    if unit == "px":
        good = isinstance(photo, list) and len(photo) == 4 and all(_is_number(one, _PIXELS) for one in photo)
        if not good or photo[0] >= photo[2] or photo[1] >= photo[3]:
            what = "not four numbers of pixels, the third above the first and the fourth above the second"
            right = "write the board's left, top, right and bottom edge, such as [120, 84, 3320, 2420]"
            yield _wrong({} if photo is None else {"photo": photo}, "photo", what, right)
    elif photo is not None:
        yield 'photo: goes with unit = "px" only; leave it out'


def _faults(places: Mapping[int, Place], measured: Mapping[int, Place], found: BoardFit) -> Iterator[str]:
    """Yield a line for each fault of the measured stations that the fit reveals."""
    off = max(found.off.values())
    if off <= MOST_OFF:
        if found.transform.area <= 0:
            yield "[stations]: the map would be mirrored; x counts from the left, y from the top"
        return
    named = name_outliers(places, measured)
    for station, far in named.items():
        yield (
            f"[stations] {station}: is {far:.1f} mm from where the other stations put it; measure it again, or delete "
            "its line"
        )
    if named:
        return
    stations = ", ".join(map(str, measured))
    if len(measured) < NAMING:
        yield (
            f"[stations]: they are up to {off:.1f} mm off, and {MOST_OFF:g} mm are the most; one of {stations} may be "
            f"mistyped; {len(measured)} stations cannot show which: measure {NAMING} or more"
        )
    else:
        yield (
            f"[stations]: they are up to {off:.1f} mm off, and {MOST_OFF:g} mm are the most; several may be mistyped, "
            "or this board has another map"
        )


def _outside(places: Mapping[int, Place], found: BoardFit) -> Iterator[str]:
    """Yield the station that would be farthest outside the board, if any is outside."""
    far = {}
    for station, place in places.items():
        x, y = found.transform.apply(place)
        far[station] = max(-x, x - found.width, -y, y - found.height)
    station = max(far, key=lambda one: far[one])
    if far[station] > 0 and max(found.off.values()) <= MOST_OFF:
        yield (
            f"station {station} would be {far[station]:.1f} mm outside the board; measure width_mm and height_mm from "
            "edge to edge, and the stations from the left and the top edge"
        )
