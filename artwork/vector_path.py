"""Write shapes as compact SVG paths, in quarters of a unit and relative to the previous point."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise

from shapely import LinearRing, LineString
from shapely.geometry.base import BaseGeometry

Point = tuple[float, float]

FINE = 4
"""Steps per unit; the element of such a path is scaled by one FINE-th."""


def polygon_path(rings: Iterable[Sequence[Point]]) -> str:
    """Return a path of closed rings, each a sequence of points of which the last is not the first."""
    return _path(map(LinearRing, rings), closed=True)


def line_path(lines: Iterable[Sequence[Point]]) -> str:
    """Return a path of open lines."""
    return _path(map(LineString, lines), closed=False)


def dots_path(points: Iterable[Point]) -> str:
    """Return a path of dots. Strokes with round ends make discs of them, those with square ends squares."""
    parts, before = [], (0, 0)
    for n, (x, y) in enumerate(sorted(points, key=lambda p: (round(p[1] / 40), p[0]))):
        at = round(x * FINE), round(y * FINE)
        parts.append(f"{'m' if n else 'M'}{at[0] - before[0]} {at[1] - before[1]}h0")
        before = at
    return "".join(parts).replace(" -", "-")


def rings_of(shape: BaseGeometry) -> list[list[Point]]:
    """Return the rings of all polygons of a shape, holes too."""
    found: list[list[Point]] = []
    for part in getattr(shape, "geoms", [shape]):
        if part.geom_type == "Polygon" and not part.is_empty:
            found += [list(ring.coords)[:-1] for ring in (part.exterior, *part.interiors)]
        elif part.geom_type in ("MultiPolygon", "GeometryCollection"):
            found += rings_of(part)
    return found


def shape_path(shape: BaseGeometry) -> str:
    """Return the path of all polygons of a shape."""
    return polygon_path(rings_of(shape))


def _path(lines: Iterable[LineString], *, closed: bool) -> str:
    """Return a path without the points that are less than a step beside the line."""
    parts: list[str] = []
    pen = 0, 0
    for line in lines:
        points = [(round(x * FINE), round(y * FINE)) for x, y in line.simplify(1 / FINE).coords]
        points = [point for point, _ in groupby(points)]
        if len(points) == 1:
            continue
        steps = [f"{x - px} {y - py}" for (px, py), (x, y) in pairwise([pen, *points])]
        parts.append(f"m{' '.join(steps[:-1])}z" if closed else f"m{' '.join(steps)}")
        pen = points[-1]  # of a ring the first, too
    return "".join(parts).replace(" -", "-")
