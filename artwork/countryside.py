"""Fill the free land of the picture map: meadows, fields, trees, cottages, flowers, sheep and clouds."""

from __future__ import annotations

import math
from random import Random

import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from artwork.flat_shapes import box, disc, path
from artwork.picture_sights import sheep
from artwork.vector_path import Point, shape_path

_ROOM = {"cottage": 27.0, "tree": 15.0, "pine": 14.0, "sheep": 15.0, "bush": 10.0, "flowers": 8.0}
"""The space that each needs around its foot, in units."""


def draw_meadows(inside: Polygon, random: Random) -> str:
    """Draw lighter and darker meadows, and a few fields in stripes."""
    left, top, right, low = inside.bounds
    shades: dict[str, list[BaseGeometry]] = {"meadow-light": [], "meadow-dark": []}
    for n in range(46):
        blob = _blob(random.uniform(left, right), random.uniform(top, low), random.uniform(50, 130), random)
        shades["meadow-light" if n % 2 else "meadow-dark"].append(blob)
    return "".join(
        f'<path class="{kind}" d="{shape_path(shapely.union_all(blobs).intersection(inside))}"/>'
        for kind, blobs in shades.items()
    )


def _blob(x: float, y: float, size: float, random: Random) -> BaseGeometry:
    """Return a rounded, uneven shape."""
    waves = [(random.uniform(0.05, 0.16), random.uniform(0, math.tau)) for _ in range(3)]
    points = []
    for n in range(28):
        turn = math.tau * n / 28
        far = size * (1 + sum(much * math.sin((k + 2) * turn + shift) for k, (much, shift) in enumerate(waves)))
        points.append((x + far * 1.35 * math.cos(turn), y + far * 0.75 * math.sin(turn)))
    return shapely.make_valid(Polygon(points))


def plant(free: BaseGeometry, random: Random) -> str:
    """Draw the things on the land: villages first, then woods, then flowers. Nearer ones hide others."""
    placed: list[tuple[float, str]] = []
    for kinds, tries, spread in (
        (("cottage",), 26, 62), (("tree", "pine", "tree"), 80, 52), (("sheep",), 14, 45), (("bush",), 70, 70),
        (("flowers",), 150, 80),
    ):  # fmt: skip
        free = _scatter(free, kinds, tries, spread, placed, random)
    return "".join(text for _, text in sorted(placed))


def _scatter(
    free: BaseGeometry,
    kinds: tuple[str, ...],
    tries: int,
    spread: float,
    placed: list[tuple[float, str]],
    random: Random,
) -> BaseGeometry:
    """Place some of each kind in groups where there is space. Return the remaining space."""
    left, top, right, low = free.bounds
    for _ in range(tries):
        x, y = random.uniform(left, right), random.uniform(top, low)
        for _ in range(5):
            at = (x + random.uniform(-spread, spread), y + random.uniform(-spread, spread) * 0.7)
            kind = kinds[random.randrange(len(kinds))]
            room = _ROOM[kind]
            foot = shapely.box(at[0] - room, at[1] - room * 1.9, at[0] + room, at[1] + room * 0.3)
            if free.contains(foot):
                free = free.difference(shapely.box(at[0] - room, at[1] - room, at[0] + room, at[1] + room * 0.3))
                look = random.randrange(3)
                placed.append((at[1], f'<use href="#{kind}-{look}" x="{at[0]:.1f}" y="{at[1]:.1f}"/>'))
    return free


def definitions() -> str:
    """Return trees, cottages and other things, in three variants each, as SVG definitions."""
    drawn: list[tuple[str, str]] = []
    for n, (roof, leaf, bloom) in enumerate(
        (("red", "leaf", "pink"), ("blue", "green", "yellow"), ("orange", "lime", "white"))
    ):
        drawn += [
            (f"cottage-{n}", _cottage(roof)), (f"tree-{n}", _tree(leaf, 1 + 0.1 * n)), (f"pine-{n}", _pine(n)),
            (f"bush-{n}", disc(leaf, -5, -5, 6) + disc(leaf, 5, -5, 6) + disc(leaf, 0, -9, 7)),
            (f"flowers-{n}", _flowers(bloom)), (f"sheep-{n}", sheep()),
        ]  # fmt: skip
    return "".join(f'<g id="{name}">{text}</g>' for name, text in drawn)


def _cottage(roof: str) -> str:
    smoke = box("brown", 9, -47, 6, 14)
    walls = box("cream", -20, -24, 40, 24) + box("brown", -5, -15, 10, 15)
    windows = path("lit", "M-16-18h8v8h-8ZM8-18h8v8H8Z")
    return smoke + walls + windows + path(roof, "M-26-23-15-43H15L26-23Z")


def _tree(leaf: str, size: float) -> str:
    trunk = box("brown", -3, -10, 6, 10)
    crown = disc(leaf, 0, -24 * size, 13 * size)
    return trunk + crown


def _pine(n: int) -> str:
    leaf = ("leaf", "leaf", "green")[n]
    return box("brown", -3, -8, 6, 8) + path(leaf, "M-14-7 0-28 14-7ZM-12-19 0-37 12-19ZM-9-30 0-46 9-30Z")


def _flowers(bloom: str) -> str:
    stems = path("stem", "M-6 0v-6M1 0v-9M7 0v-5")
    return stems + "".join(
        disc(f"{bloom} bare", x, y, 3) + disc("yellow bare" if bloom != "yellow" else "orange bare", x, y, 1.2)
        for x, y in ((-6, -7), (1, -10), (7, -6))
    )


def draw_sky(x: float, y: float, radius: float) -> str:
    """Draw the sun of the day and the moon of the night around one point. The page's look shows one."""
    rays = "".join(
        f"M{math.cos(a) * radius * 1.2:.1f} {math.sin(a) * radius * 1.2:.1f}"
        f"L{math.cos(a) * radius * 1.55:.1f} {math.sin(a) * radius * 1.55:.1f}"
        for a in (math.tau * n / 12 for n in range(12))
    )
    face = disc("sun-face", -radius * 0.35, -radius * 0.15, 3) + disc("sun-face", radius * 0.35, -radius * 0.15, 3)
    smile = path(
        "sun-smile",
        f"M{-radius * 0.4:.1f} {radius * 0.25:.1f}Q0 {radius * 0.65:.1f} {radius * 0.4:.1f} {radius * 0.25:.1f}",
    )
    sun = path("sun-rays", rays) + disc("sun", 0, 0, radius) + face + smile
    moon = path(
        "moon",
        f"M{radius * 0.3:.1f}-{radius:g}A{radius:g} {radius:g} 0 1 0 {radius:g} {radius * 0.4:.1f} {radius * 0.85:.1f} {radius * 0.85:.1f} 0 0 1 {radius * 0.3:.1f}-{radius:g}Z",
    )
    return f'<g transform="translate({x:.1f} {y:.1f})">{sun}{moon}</g>'


def draw_stars(inside: Polygon, count: int, random: Random) -> str:
    """Draw fireflies over the land, which are visible only at night."""
    left, top, right, low = inside.bounds
    spots: list[Point] = [(random.uniform(left, right), random.uniform(top, low)) for _ in range(count)]
    return path("fireflies", "".join(f"M{x:.1f} {y:.1f}h0" for x, y in spots))
