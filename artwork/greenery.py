"""Lay out parks: chosen quarters, with paths, ponds and trees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from random import Random

import shapely
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from artwork.vector_path import Point as Place
from artwork.vector_path import dots_path, line_path, shape_path
from firmware_host.ui.drawing.line_routing import smooth

_ROOM = 9.5
"""The least distance between trees, in units."""


def choose_parks(faces: Sequence[Polygon], seeds: Iterable[Place]) -> list[Polygon]:
    """Return the faces that contain the seeds."""
    wanted = [Point(seed) for seed in seeds]
    return [face for face in faces if any(face.contains(seed) for seed in wanted)]


def pond(points: Sequence[Place], half: float) -> BaseGeometry:
    """Return a winding pond along some points."""
    return LineString(smooth(points, 10)).buffer(half)


def draw_parks(green: Sequence[Polygon], ponds: BaseGeometry, clear: BaseGeometry, random: Random) -> str:
    """Draw the parks beside the streets. Trees keep off `clear`."""
    paths, trees = [], []
    for park in green:
        paths += _paths(park)
        taken = shapely.union_all([ponds.buffer(4), clear, *(LineString(path).buffer(4.5) for path in paths)])
        trees += _trees(park.buffer(-5).difference(taken), random)
    sizes: tuple[list[Place], ...] = ([], [], [])
    for n, tree in enumerate(trees):
        sizes[n % 3].append(tree)
    shade = [(x + 1.6, y + 2.2) for x, y in trees]
    whole = shapely.union_all(green)
    drawn = [
        f'<path class="park" d="{shape_path(whole)}"/>',
        f'<path class="walk" d="{line_path(paths)}"/>',
        f'<path class="water pond" d="{shape_path(ponds.intersection(whole))}"/>',
        f'<path class="tree shaded fine" d="{dots_path(shade)}"/>',
    ]
    drawn += [f'<path class="tree t{n}" d="{dots_path(size)}"/>' for n, size in enumerate(sizes)]
    return "".join(drawn)


def _paths(park: Polygon) -> list[list[Place]]:
    """Return the paths of a park: from its middle to the middles of its longer sides."""
    if park.area < 3500:
        return []
    middle = park.representative_point()
    hull = list(park.exterior.simplify(6).coords)
    sides = sorted(((Point(a).distance(Point(b)), a, b) for a, b in pairwise(hull)), reverse=True)[:4]
    walks = []
    for n, (_, a, b) in enumerate(sides):
        end = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        bend = 12 if n % 2 else -12
        over = ((middle.x + end[0]) / 2 + bend, (middle.y + end[1]) / 2 - bend)
        walks.append([(x, y) for x, y in smooth([(middle.x, middle.y), over, end], 5)])
    return walks


def _trees(room: BaseGeometry, random: Random) -> list[Place]:
    """Return the places of trees: a little irregular, never too close."""
    if room.is_empty:
        return []
    left, top, right, low = room.bounds
    shapely.prepare(room)
    found = []
    y = top
    while y < low:
        x = left + random.uniform(0, _ROOM)
        while x < right:
            spot = (x + random.uniform(-3, 3), y + random.uniform(-3, 3))
            if random.random() < 0.72 and shapely.contains_xy(room, *spot):
                found.append(spot)
            x += _ROOM
        y += _ROOM
    return found
