"""Find space on the sheet for things without a fixed place: landmarks and names."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from artwork.flat_shapes import Box
from artwork.vector_path import Point

_STEP = 5.0

SCALES = (1.25, 1.12, 1.0, 0.92, 0.84, 0.77, 0.7, 0.64)
"""The scales for drawn pictures, the best first."""


def around(wanted: Point, reach: float) -> Iterator[Point]:
    """Yield points at growing distances from a point, up to `reach`, in units."""
    yield wanted
    rings = int(reach / _STEP)
    for ring in range(1, rings + 1):
        count = 6 * ring
        for n in range(count):
            angle = 2 * math.pi * n / count
            yield wanted[0] + ring * _STEP * math.cos(angle), wanted[1] + ring * _STEP * math.sin(angle)


def find_room(
    free: BaseGeometry, wanted: Point, boxes: Sequence[Box], reach: float, scales: Sequence[float] = SCALES
) -> tuple[Point, float] | None:
    """Return the best place and scale of a picture, or None if there is no space.

    Args:
        free: the area that may be covered.
        wanted: the wanted middle of the picture.
        boxes: the picture's area, in its own units around its foot.
        reach: the largest distance from `wanted`.
        scales: the possible scales, the best first.

    Returns:
        the place of its origin, and its scale.
    """
    shapely.prepare(free)
    points = np.array(list(around(wanted, reach)))
    left, top, right, low = shapely.union_all([shapely.box(*box) for box in boxes]).bounds
    for scale in scales:
        x, y = points[:, 0] - (left + right) / 2 * scale, points[:, 1] - (top + low) / 2 * scale
        fits = np.ones(len(points), dtype=bool)
        for begin, above, end, below in boxes:
            fits[fits] = shapely.contains(
                free,
                shapely.box(
                    x[fits] + begin * scale, y[fits] + above * scale, x[fits] + end * scale, y[fits] + below * scale
                ),
            )
        if fits.any():
            best = int(np.argmax(fits))
            return (float(x[best]), float(y[best])), scale
    return None
