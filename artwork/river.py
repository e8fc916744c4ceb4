"""Draw the river through the boats' stations and the frame, with banks, bridges and boats."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import shapely
from shapely import LineString, Point, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from artwork.street_plan import StreetPlan
from artwork.vector_path import Point as Place
from artwork.vector_path import line_path, polygon_path, shape_path
from firmware_host.ui.drawing.line_routing import smooth

QUAY = 5.0
"""Width of the embankment on either side, in units."""


_LONGEST = 130.0
"""The longest bridge, in units; a longer one is a street beside the water."""


@dataclass(frozen=True)
class River:
    """A river on the sheet.

    Attributes:
        course: its middle line.
        water: its area.
        banks: water and embankments.
    """

    course: tuple[Place, ...]
    water: BaseGeometry
    banks: BaseGeometry


def lay_river(through: Sequence[Place], narrow: float, wide: float, inside: Polygon) -> River:
    """Return a river through points. Half its width grows from `narrow` to `wide`, in units."""
    course = smooth(through, 16)
    sides: tuple[list[Place], list[Place]] = ([], [])
    for n, (x, y) in enumerate(course):
        (ax, ay), (bx, by) = course[max(0, n - 1)], course[min(len(course) - 1, n + 1)]
        far = math.hypot(bx - ax, by - ay)
        share = n / (len(course) - 1)
        half = narrow + (wide - narrow) * share + 2.5 * math.sin(n * 0.7)
        for side, sign in zip(sides, (1, -1), strict=True):
            side.append((x - sign * (by - ay) / far * half, y + sign * (bx - ax) / far * half))
    water = shapely.make_valid(Polygon([*sides[0], *reversed(sides[1])])).buffer(6).buffer(-6)
    return River(course, water.intersection(inside), water.buffer(QUAY).intersection(inside))


def draw_water(river: River) -> str:
    """Draw banks and water: deeper in the middle, with ripples."""
    deep = shapely.intersection(river.water, river.water.buffer(-9))
    ripples = []
    for n, (a, b) in enumerate(pairwise(river.course)):
        angle = math.atan2(b[1] - a[1], b[0] - a[0])
        for k in range(3):
            aside = ((n * 37 + k * 53) % 47) - 23
            x, y = a[0] - math.sin(angle) * aside, a[1] + math.cos(angle) * aside
            long = 5 + (n * 7 + k * 5) % 7
            dx, dy = math.cos(angle) * long, math.sin(angle) * long
            lift = (math.sin(angle) * 1.6, -math.cos(angle) * 1.6)
            wave = [
                (x - dx, y - dy), (x - dx / 2 + lift[0], y - dy / 2 + lift[1]), (x, y),
                (x + dx / 2 + lift[0], y + dy / 2 + lift[1]), (x + dx, y + dy),
            ]  # fmt: skip
            if river.water.buffer(-6).contains(LineString(wave)):
                ripples.append(wave)
    return (
        f'<path class="bank" d="{shape_path(river.banks)}"/>'
        f'<path class="water" d="{shape_path(river.water)}"/>'
        f'<path class="deep" d="{shape_path(deep)}"/>'
        f'<path class="ripple" d="{line_path(ripples)}"/>'
    )


def draw_bridges(river: River, plan: StreetPlan, landings: Iterable[Place]) -> str:
    """Draw a bridge at every crossing of a street, and a landing stage at each of the boats' stations."""
    shadows: list[BaseGeometry] = []
    decks: list[BaseGeometry] = []
    rails: list[list[Place]] = []
    piers: list[list[Place]] = []
    for half, street in plan.streets:
        for part in shapely.get_parts(street.intersection(river.water)):
            if part.geom_type != "LineString" or part.length < 6:
                continue
            deck = _bridge(part, half, rails, piers)
            decks.append(deck)
            shadows.append(affinity.translate(deck, 2.5, 4))
    stages = [Point(place).buffer(25, 4) for place in landings]
    over = shapely.union_all([*decks, *stages])
    shadow = shapely.union_all([*shadows, *(affinity.translate(stage, 2.5, 4) for stage in stages)])
    return (
        f'<path class="shade" d="{shape_path(shadow.intersection(river.water))}"/>'
        f'<path class="pier" d="{polygon_path(piers)}"/>'
        f'<path class="deck" d="{shape_path(over)}"/>'
        f'<path class="rail" d="{line_path(rails)}"/>'
    )


def _bridge(part: LineString, half: float, rails: list[list[Place]], piers: list[list[Place]]) -> Polygon:
    """Return the deck over a stretch of water, and add its parapets and piers to the lists."""
    (ax, ay), (bx, by) = part.coords[0], part.coords[-1]
    far = math.dist((ax, ay), (bx, by))
    ux, uy = (bx - ax) / far, (by - ay) / far
    ax, ay, bx, by = ax - ux * 7, ay - uy * 7, bx + ux * 7, by + uy * 7
    sides = (half - 0.6, 0.6 - half)
    rails += [[(ax - uy * side, ay + ux * side), (bx - uy * side, by + ux * side)] for side in sides]
    count = max(1, round(far / 24)) if far < _LONGEST else 0
    out = half + 3.4
    shape = ((0, out), (3, half), (3, -half), (0, -out), (-3, -half), (-3, half))  # along the bridge, and across
    for n in range(count):
        at = far * (n + 0.5) / count + 7
        x, y = ax + ux * at, ay + uy * at
        piers.append([(x + ux * on - uy * off, y + uy * on + ux * off) for on, off in shape])
    return LineString([(ax, ay), (bx, by)]).buffer(half, cap_style="flat")


def draw_boats(river: River, busy: BaseGeometry) -> str:
    """Draw a few boats on free water. They keep away from `busy`."""
    free = river.water.buffer(-9).difference(busy)
    found: list[str] = []
    last: Place | None = None
    for n, (a, b) in enumerate(pairwise(river.course)):
        angle = math.atan2(b[1] - a[1], b[0] - a[0])
        aside = (-12, 10, 2)[n % 3]
        x, y = a[0] - math.sin(angle) * aside, a[1] + math.cos(angle) * aside
        hull = LineString(
            [(x - math.cos(angle) * 15, y - math.sin(angle) * 15), (x + math.cos(angle) * 15, y + math.sin(angle) * 15)]
        )
        if not free.contains(hull.buffer(4)) or (last is not None and math.dist(last, (x, y)) < 75):
            continue
        last = (x, y)
        turn = math.degrees(angle) + (180 if len(found) % 2 else 0)
        found.append(f'<use href="#boat-{len(found) % 3}" transform="translate({x:.1f} {y:.1f})rotate({turn:.0f})"/>')
    return f'<g class="mark">{"".join(found)}</g>'


BOATS = (
    '<g id="boat-0"><path class="wake" d="M-13-3-24-6M-13 3-24 6"/>'
    '<path class="pale" d="M-13-4.5H6Q13-3.5 16 0 13 3.5 6 4.5H-13Z"/>'
    '<path class="glass" d="M-9-2.5H4V2.5H-9Z"/><path class="redm" d="M6-2H9V2H6Z"/></g>'
    '<g id="boat-1"><path class="brick" d="M-15-4H10L16 0 10 4H-15Z"/><path class="stone" d="M-7-2.5H8V2.5H-7Z"/>'
    '<path class="slate" d="M-13-2.5H-9V2.5H-13Z"/></g>'
    '<g id="boat-2"><path class="wake" d="M-9-2-18-5M-9 2-18 5"/>'
    '<path class="redm" d="M-9-3.5H4Q9-2.5 11 0 9 2.5 4 3.5H-9Z"/>'
    '<path class="pale" d="M-5-2H2V2H-5Z"/></g>'
)
"""Boats seen from above, each around its middle and heading right, as SVG definitions."""
