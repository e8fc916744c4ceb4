"""Write the names of districts, parks and the river in free space."""

from __future__ import annotations

import math
from collections.abc import Iterator

import shapely
from shapely import LineString, affinity
from shapely.geometry.base import BaseGeometry

from artwork import london
from artwork.flat_shapes import Box
from artwork.label_placement import find_room
from artwork.lettering import TALL, width, write
from artwork.river import River
from artwork.street_plan import Sheet
from artwork.vector_path import Point

SPREADS = (1.9, 1.1)
"""Gaps between the letters of a name, in units of the glyphs, the best first."""

_SCALES = tuple(size / TALL for size in (12.5, 11.6, 10.8))
"""The scales of names, the best first: at 1440 pixels the least is as tall as text of 12 pixels."""

_LEADING = 16.0  # from one row of a name to the next, in units of the glyphs
_MARGIN = 2.5  # how far other things stay from a name, in units of the glyphs
_APART = 8.0  # how far names stay from each other, in units
_REACHES = (55.0, 100.0, 150.0)  # how far from where it is wanted a name may stand, in units: nearby, or else farther

_RIVER_SIZE = 12.5  # height of the river's letters, in units
_RIVER_STEPS = (24.0, 21.0, 18.5)  # from one of its letters to the next, in units, the best first
_ASIDE = (17.0, -17.0, 14.0, -14.0, 20.0, -20.0)  # possible distances from the middle of the river, in units


def write_names(sheet: Sheet, land: BaseGeometry, parks: BaseGeometry) -> str:
    """Write the names of districts and parks, each with a halo in the colour of its ground.

    Args:
        sheet: the paper.
        land: the area for names of districts.
        parks: the area for names of parks.

    Raises:
        ValueError: there is no space for a name.
    """
    written = []
    taken: BaseGeometry = shapely.Polygon()
    for kind, ground, names in (("", land, london.NAMES), ("green", parks, london.PARK_NAMES)):
        for text, wanted in names:
            free = ground.difference(taken)
            tries = (
                (spread, find_room(free, sheet.spot(*wanted), _row_boxes(text, spread), reach, _SCALES))
                for reach in _REACHES
                for spread in SPREADS
            )
            spread, found = next((one for one in tries if one[1] is not None), (0.0, None))
            if found is None:
                raise ValueError(f"there is no room for the name {text} within {_REACHES[-1]:g} units of {wanted}")
            (x, y), scale = found
            boxes = _row_boxes(text, spread)
            shape = shapely.union_all([shapely.box(*box) for box in boxes])
            covered = affinity.translate(affinity.scale(shape, scale, scale, origin=(0, 0)), x, y)
            taken = taken.union(covered.buffer(_APART))
            rows = "".join(write(row, x, y + middle * scale, TALL * scale, spread) for row, middle in _rows(text))
            written.append(f'<g class="{kind}">{rows}</g>' if kind else rows)
    return _with_halo("".join(written))


def write_river_name(river: River, free: BaseGeometry) -> str:
    """Write the river's name along its course, letter by letter, on open water.

    Args:
        river: the river.
        free: the water for letters.

    Raises:
        ValueError: there is no such stretch.
    """
    text, wanted = london.RIVER_NAME
    course = LineString(river.course)
    shapely.prepare(free)
    reach = int(course.length / 2)
    for step in _RIVER_STEPS:
        for aside in _ASIDE:
            for away in range(0, reach, 4):
                for middle in {course.length * wanted + away, course.length * wanted - away}:
                    spots = [
                        _beside(course, middle + (n - (len(text) - 1) / 2) * step, aside) for n in range(len(text))
                    ]
                    if all(free.contains(_letter_shape(*spot)) for spot in spots):
                        return _with_halo(f'<g class="water">{_letters(text, spots)}</g>')
    raise ValueError(f"there is no open water for the name {text}")


def _rows(text: str) -> Iterator[tuple[str, float]]:
    """Yield the rows of a name and the middle of each, in units of the glyphs around the whole's middle."""
    rows = text.split("\n")
    for n, row in enumerate(rows):
        yield row, (n - (len(rows) - 1) / 2) * _LEADING


def _row_boxes(text: str, spread: float) -> list[Box]:
    """Return what a name takes up, in units of the glyphs around its middle."""
    boxes = []
    for row, middle in _rows(text):
        across, down = width(row, spread) / 2 + _MARGIN, TALL / 2 + _MARGIN
        boxes.append((-across, middle - down, across, middle + down))
    return boxes


def _with_halo(names: str) -> str:
    return f'<g class="names halo">{names}</g><g class="names">{names}</g>'


def _beside(course: LineString, along: float, aside: float) -> tuple[Point, float]:
    """Return a point beside the course, and the course's direction there in degrees."""
    here, ahead = course.interpolate(along), course.interpolate(along + 5)
    angle = math.atan2(ahead.y - here.y, ahead.x - here.x)
    return (here.x - math.sin(angle) * aside, here.y + math.cos(angle) * aside), math.degrees(angle)


def _letter_shape(at: Point, angle: float) -> BaseGeometry:
    half = _RIVER_SIZE / 2 + 1.5
    return affinity.translate(affinity.rotate(shapely.box(-half, -half, half, half), angle), *at)


def _letters(text: str, spots: list[tuple[Point, float]]) -> str:
    return "".join(
        f'<g transform="translate({x:.1f} {y:.1f})rotate({angle:.0f})">{write(letter, 0, 0, _RIVER_SIZE)}</g>'
        for letter, ((x, y), angle) in zip(text, spots, strict=True)
    )
