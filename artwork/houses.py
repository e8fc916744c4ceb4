"""Divide quarters into blocks, and blocks into houses, always across their longer side."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from random import Random

from artwork.vector_path import Point

Ring = list[Point]

BLOCK = 1500.0
"""Area above which a quarter is divided, in square units."""

HOUSE = 175.0
"""Area above which a block is divided."""

ALLEY, GAP = 3.2, 0.9
"""The distance between blocks, and between houses of one block."""


def split(ring: Ring, largest: float, gap: float, random: Random) -> Iterator[Ring]:
    """Divide a shape across its longer side until no piece is larger than `largest`, `gap` apart."""
    pieces = [ring]
    while pieces:
        piece = pieces.pop()
        size = area(piece)
        if size < largest * 0.12:
            continue
        if size <= largest * (0.75 + 0.5 * random.random()):
            yield piece
            continue
        (ux, uy), middle = _cut(piece, random)
        for side in (1, -1):
            half = _clip(piece, side * ux, side * uy, side * middle + gap / 2)
            if len(half) > 2:
                pieces.append(half)


def area(ring: Sequence[Point]) -> float:
    """Return the area of a ring, in square units."""
    total, (px, py) = 0.0, ring[-1]
    for x, y in ring:
        total += px * y - x * py
        px, py = x, y
    return abs(total) / 2


def _cut(ring: Ring, random: Random) -> tuple[Point, float]:
    """Return the direction of the longer side, and the place of the cut: along the longest wall."""
    longest, (px, py) = (0.0, 1.0, 0.0), ring[-1]
    for x, y in ring:
        length = math.hypot(x - px, y - py)
        if length > longest[0]:
            longest = (length, (x - px) / length, (y - py) / length)
        px, py = x, y
    _, ux, uy = longest
    along = [x * ux + y * uy for x, y in ring]
    across = [y * ux - x * uy for x, y in ring]
    if max(across) - min(across) > max(along) - min(along):
        ux, uy, along = -uy, ux, across
    low, high = min(along), max(along)
    return (ux, uy), low + (high - low) * random.uniform(0.4, 0.6)


def _clip(ring: Ring, ux: float, uy: float, least: float) -> Ring:
    """Return the part of a ring beyond a line: where x·ux + y·uy is at least `least`."""
    kept: Ring = []
    px, py = ring[-1]
    before = px * ux + py * uy - least
    for x, y in ring:
        now = x * ux + y * uy - least
        if (now >= 0) != (before >= 0):
            share = before / (before - now)
            kept.append((px + (x - px) * share, py + (y - py) * share))
        if now >= 0:
            kept.append((x, y))
        px, py, before = x, y, now
    return kept
