"""Find room on the sheet for what has no place of its own: landmarks and names."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import shapely
from shapely import affinity
from shapely.geometry.base import BaseGeometry

from artwork.vector_path import Point

_STEP = 5.0

SCALES = (1.25, 1.12, 1.0, 0.92, 0.84, 0.77, 0.7, 0.64)
"""How much larger than drawn pictures may be, the best first."""


def around(wanted: Point, reach: float) -> Iterator[Point]:
    """Give points nearer and then farther from a point, up to a distance, in units."""
    yield wanted
    rings = int(reach / _STEP)
    for ring in range(1, rings + 1):
        count = 6 * ring
        for n in range(count):
            angle = 2 * math.pi * n / count
            yield wanted[0] + ring * _STEP * math.cos(angle), wanted[1] + ring * _STEP * math.sin(angle)


def find_room(
    free: BaseGeometry, wanted: Point, shape: BaseGeometry, reach: float, scales: Sequence[float] = SCALES
) -> tuple[Point, float] | None:
    """Return where a picture may stand and how large it may be, as large as can be; None if there is no room.

    Args:
        free: what may be covered.
        wanted: where the middle of the picture is wanted.
        shape: what the picture covers, in its own units around its foot.
        reach: how far from there it may be.
        scales: how much larger than drawn it may be, the best first.

    Returns:
        where its own origin lies, and how much larger than drawn it is.
    """
    shapely.prepare(free)
    left, top, right, low = shape.bounds
    for scale in scales:
        outline = affinity.scale(shape, scale, scale, origin=(0, 0))
        middle = ((left + right) / 2 * scale, (top + low) / 2 * scale)
        for x, y in around(wanted, reach):
            at = (x - middle[0], y - middle[1])
            if shapely.contains_xy(free, x, y) and free.contains(affinity.translate(outline, *at)):
                return at, scale
    return None


def find_space(taken: BaseGeometry, lines: BaseGeometry, wanted: Point, wide: float, high: float) -> Point | None:
    """Return the middle of a text that covers nothing that is taken, and as few lines as can be, near to a point.

    None where there is no such space.
    """
    shapely.prepare(taken)
    best, least = None, math.inf
    for x, y in around(wanted, 75):
        box = shapely.box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
        if taken.intersects(box):
            continue
        cost = lines.intersection(box).area / 1.1 + 0.55 * math.dist((x, y), wanted)
        if cost < least:
            best, least = (x, y), cost
    return best
