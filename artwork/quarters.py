"""Build quarters: blocks in them, houses and gardens in these, and the lights of the night."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from random import Random

from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from artwork.houses import ALLEY, BLOCK, GAP, HOUSE, Ring, area, split
from artwork.vector_path import Point, dots_path, polygon_path, rings_of


def draw_quarters(name: str, quarters: Sequence[Polygon], free: BaseGeometry, random: Random) -> str:
    """Draw what is built in some quarters, in steps of a FINE-th.

    Args:
        name: the id of their outlines in the document.
        quarters: what lies between the streets.
        free: where no house may stand.
        random: the random generator, which is advanced.
    """
    blocks: list[Ring] = []
    for quarter in quarters:
        for room in rings_of(quarter.buffer(-2.2).difference(free)):
            if area(room) > 60:
                blocks += split(room, BLOCK, ALLEY, random)
    houses: tuple[list[Ring], ...] = ([], [], [], [], [])
    gardens: list[Ring] = []
    windows: list[Point] = []
    for block in blocks:
        tone = random.randrange(5)
        for house in split(block, HOUSE, GAP, random):
            if random.random() < 0.07:
                gardens.append(house)
                continue
            houses[tone if random.random() < 0.45 else random.randrange(5)].append(house)
            if random.random() < 0.5:
                windows.append(_inner(house, random))
    drawn = "".join(f'<path class="h{n}" d="{polygon_path(some)}"/>' for n, some in enumerate(houses))
    outlines = polygon_path(chain.from_iterable(rings_of(quarter) for quarter in quarters))
    return (
        f'<defs><path id="{name}" d="{outlines}"/></defs><use href="#{name}" class="quarter"/>'
        f'<path class="block" d="{polygon_path(blocks)}"/>'
        f'<g class="houses fine">{drawn}<path class="garden" d="{polygon_path(gardens)}"/></g>'
        f'<path class="windows" d="{dots_path(windows[::2])}"/>'
        f'<path class="windows late" d="{dots_path(windows[1::2])}"/>'
        f'<use href="#{name}" class="lights fine"/>'
    )


def _inner(ring: Ring, random: Random) -> Point:
    """Return a point within a house, where a window may be lit."""
    x, y = (sum(p[k] for p in ring) / len(ring) for k in (0, 1))
    return x + random.uniform(-2.5, 2.5), y + random.uniform(-2.5, 2.5)
