"""Write shapes as compact SVG paths, in quarters of a unit and relative to the previous point."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shapely.geometry.base import BaseGeometry

Point = tuple[float, float]

FINE = 4
"""Steps per unit; the element of such a path is scaled by one FINE-th."""

_LEAD = ("M", "l", " ")  # before a path's first point, its second, and any other


def polygon_path(rings: Iterable[Sequence[Point]]) -> str:
    """Return a path of closed rings, each a sequence of points of which the last is not the first."""
    return "".join(_ring(points, closed=True) for points in rings)


def line_path(lines: Iterable[Sequence[Point]]) -> str:
    """Return a path of open lines."""
    return "".join(_ring(points, closed=False) for points in lines)


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


def _ring(points: Sequence[Point], *, closed: bool) -> str:
    steps: list[str] = []
    before = (0, 0)
    for x, y in points:
        at = round(x * FINE), round(y * FINE)
        if steps and at == before:
            continue
        steps.append(f"{_LEAD[min(len(steps), 2)]}{at[0] - before[0]} {at[1] - before[1]}")
        before = at
    return "".join(steps).replace(" -", "-") + ("z" if closed else "")
