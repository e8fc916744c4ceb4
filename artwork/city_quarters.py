"""Build quarters: blocks, their houses and gardens, and the lights of the night."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from random import Random

import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from artwork.houses import ALLEY, BLOCK, GAP, HOUSE, Ring, area, split
from artwork.vector_path import Point, dots_path, polygon_path, rings_of


@dataclass(frozen=True, slots=True)
class Style:
    """The building style of a district.

    Attributes:
        tones: its roof tones; repeated ones are more frequent.
        house: area above which a block is divided into more houses, in square units.
        courts: the share of its blocks with a court.
        green: the share of courts with a garden.
    """

    tones: tuple[int, ...]
    house: float = HOUSE
    courts: float = 0.35
    green: float = 0.4


STONE = Style((0, 0, 1, 4))
BRICK = Style((2, 5, 5, 3), house=105, courts=0.6, green=0.8)
STUCCO = Style((4, 4, 0, 2), house=150, courts=0.5, green=0.7)
OFFICES = Style((3, 6, 6, 1), house=430, courts=0.25, green=0.1)
ROOFS = 7
"""The number of roof tones; the colour sheet names them from 1 on."""


@dataclass(slots=True)
class _Built:
    """The shapes built so far."""

    blocks: list[Ring]
    houses: tuple[list[Ring], ...]
    gardens: list[Ring]
    trees: list[Point]
    windows: list[Point]


def draw_quarters(
    name: str,
    quarters: Sequence[Polygon],
    free: BaseGeometry,
    random: Random,
    style: Callable[[Polygon], Style] = lambda _: STONE,
) -> str:
    """Draw the buildings of some quarters, in steps of a FINE-th.

    Args:
        name: the id of their outlines in the document.
        quarters: the areas between the streets.
        free: the area without houses.
        random: the random generator, which is advanced.
        style: the style of each quarter.
    """
    built = _Built([], tuple([] for _ in range(ROOFS)), [], [], [])
    for quarter in quarters:
        for room in rings_of(quarter.buffer(-2.2).difference(free)):
            if area(room) > 60:
                for block in split(room, BLOCK, ALLEY, random):
                    _build(block, style(quarter), built, random)
    drawn = "".join(f'<path class="h{n}" d="{polygon_path(some)}"/>' for n, some in enumerate(built.houses))
    outlines = polygon_path(chain.from_iterable(rings_of(quarter) for quarter in quarters))
    return (
        f'<defs><path id="{name}" d="{outlines}"/></defs><use href="#{name}" class="quarter"/>'
        f'<path class="block" d="{polygon_path(built.blocks)}"/>'
        f'<g class="houses fine">{drawn}<path class="garden" d="{polygon_path(built.gardens)}"/></g>'
        f'<path class="tree t2 fine" d="{dots_path(built.trees)}"/>'
        f'<path class="windows" d="{dots_path(built.windows[::2])}"/>'
        f'<path class="windows late" d="{dots_path(built.windows[1::2])}"/>'
        f'<use href="#{name}" class="lights fine"/>'
    )


def _build(block: Ring, style: Style, built: _Built, random: Random) -> None:
    """Fill a block: houses of mostly one tone, around a court or with a garden here and there."""
    built.blocks.append(block)
    tone = random.choice(style.tones)
    court = _court(block) if random.random() < style.courts else None
    if court is not None and random.random() < style.green:
        built.gardens += rings_of(court)
        built.trees += _rows(court, random)
    for house in split(block, style.house, GAP, random):
        if random.random() < 0.05:
            built.gardens.append(house)
            built.trees.append(_inner(house, random))
            continue
        roofs = [house] if court is None else rings_of(Polygon(house).buffer(0).difference(court.buffer(1)))
        of_tone = built.houses[tone if random.random() < 0.7 else random.choice(style.tones)]
        of_tone += [roof for roof in roofs if area(roof) > 14]
        if random.random() < 0.5:
            built.windows.append(_inner(roofs[0] if roofs else house, random))


def _court(block: Ring) -> Polygon | None:
    """Return the court behind the houses of a block, or None if it is too narrow."""
    court = Polygon(block).buffer(-10.5, join_style="mitre")
    return court if isinstance(court, Polygon) and court.area > 90 else None


def _rows(court: Polygon, random: Random) -> list[Point]:
    """Return the places of trees in a court: along its middle."""
    corners = shapely.get_coordinates(court.minimum_rotated_rectangle).tolist()
    (ax, ay), (bx, by) = max(pairwise(corners), key=lambda side: math.dist(*side))
    x, y = court.centroid.coords[0]
    long = math.dist((ax, ay), (bx, by))
    number = max(1, round(long / 8))
    steps = [(n + 0.5) / number - 0.5 + random.uniform(-0.02, 0.02) for n in range(number)]
    return [(x + (bx - ax) * step * 0.9, y + (by - ay) * step * 0.9) for step in steps]


def _inner(ring: Ring, random: Random) -> Point:
    """Return a point within a house for a lit window."""
    x, y = (sum(p[k] for p in ring) / len(ring) for k in (0, 1))
    return x + random.uniform(-2.5, 2.5), y + random.uniform(-2.5, 2.5)
