"""Lay out the city: streets under the maps' lines, and quarters between them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import shapely
from shapely import LineString, Polygon, STRtree
from shapely.geometry.base import BaseGeometry

from artwork.vector_path import Point
from firmware_host.rules.network import Network

Segment = tuple[Point, Point]

WIDTHS = {"taxi": 6.2, "bus": 8.4, "underground": 8.4}
"""Half the width of a street by its transport, in units; the widest counts."""

_RIM = 105.0
"""The largest distance of a station from the frame for a street between them, in units."""


@dataclass(frozen=True)
class Sheet:
    """The paper of a board.

    Attributes:
        width: the whole width, in units.
        height: the whole height.
        edge: the width of the paper around the board.
    """

    width: float
    height: float
    edge: float

    @property
    def inside(self) -> Polygon:
        """The area within the frame."""
        return shapely.box(self.edge, self.edge, self.width - self.edge, self.height - self.edge)

    def spot(self, x: float, y: float) -> Point:
        """Convert fractions of the board's width and height to units."""
        return self.edge + x * (self.width - 2 * self.edge), self.edge + y * (self.height - 2 * self.edge)


@dataclass(frozen=True)
class StreetPlan:
    """The streets and the areas between them.

    Attributes:
        streets: (half its width, the street), a straight stretch each.
        faces: the areas enclosed by the streets' middle lines.
        surface: all streets in their width.
    """

    streets: tuple[tuple[float, LineString], ...]
    faces: tuple[Polygon, ...]
    surface: BaseGeometry

    def quarters(self, without: BaseGeometry) -> list[Polygon]:
        """Return the faces without the streets and a shape, in a fixed order."""
        free = shapely.difference(shapely.union_all(self.faces), shapely.union_all([self.surface, without]))
        parts = [part for part in shapely.get_parts(free) if part.area > 30]
        return sorted(parts, key=lambda part: (round(part.centroid.y), part.centroid.x))


def plan_streets(sheet: Sheet, maps: Iterable[tuple[Network, Mapping[int, Point]]]) -> StreetPlan:
    """Return the streets for the lines of all the maps, and the faces between them."""
    found: dict[tuple[Point, Point], float] = {}
    stations: set[Point] = set()
    for network, places in maps:
        stations.update(places.values())
        for link in network.links:
            if link.transport not in WIDTHS or (link.transport == "underground"):
                continue
            for a, b in pairwise((link.a, *link.via, link.b)):
                first, second = sorted((places[a], places[b]))
                found[first, second] = max(found.get((first, second), 0), WIDTHS[link.transport])
        for link in network.links:  # the underground has no streets of its own, but wider ones above it
            if link.transport == "underground":
                for a, b in pairwise((link.a, *link.via, link.b)):
                    first, second = sorted((places[a], places[b]))
                    if (first, second) in found:
                        found[first, second] = max(found[first, second], WIDTHS["underground"])
    streets = [(wide, LineString(ends)) for ends, wide in sorted(found.items())]
    streets += [(WIDTHS["taxi"], LineString(ends)) for ends in _to_the_frame(sheet, stations, streets)]
    nodes = shapely.union_all([street for _, street in streets] + [sheet.inside.exterior])
    faces = [face for face in shapely.get_parts(shapely.polygonize(shapely.get_parts(nodes))) if face.area > 60]
    faces.sort(key=lambda face: (round(face.centroid.y), face.centroid.x))
    surface = shapely.union_all([street.buffer(wide, cap_style="round") for wide, street in streets])
    return StreetPlan(tuple(streets), tuple(faces), surface)


def _to_the_frame(sheet: Sheet, stations: set[Point], streets: list[tuple[float, LineString]]) -> list[Segment]:
    """Return short streets from stations at the rim straight to the frame, if nothing is between."""
    left, top, right, low = sheet.inside.bounds
    tree = STRtree([street for _, street in streets])
    found: list[Segment] = []
    for x, y in sorted(stations):
        for end in ((left, y), (right, y), (x, top), (x, low)):
            far = math.dist((x, y), end)
            if not 8 < far < _RIM:
                continue
            way = LineString([(x + (end[0] - x) * 18 / far, y + (end[1] - y) * 18 / far), end])
            crossed = len(tree.query(way, predicate="intersects")) > 0
            close = any(LineString(other).distance(way) < 52 for other in found)
            if not crossed and not close:
                found.append(((x, y), end))
    return found
