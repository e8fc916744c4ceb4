"""A canvas that remembers where everything was drawn, to find shapes that overlap."""

# ruff: noqa: ARG002 - where something lies is all that counts here

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Any

from firmware_host.ui.drawing.canvas import Colour, Point, text_width

Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""


@dataclass
class Traced:
    """A canvas that keeps texts and lines: `lines` are the visible ones, `drawn` all of them. Implements `Canvas`."""

    texts: list[tuple[str, float, Box]] = field(default_factory=list)
    lines: list[tuple[Point, Point]] = field(default_factory=list)
    drawn: list[tuple[Point, Point]] = field(default_factory=list)
    inks: list[tuple[Colour, float]] = field(default_factory=list)
    points: list[Point] = field(default_factory=list)
    hidden: list[Box] = field(default_factory=list)
    discs: list[Colour] = field(default_factory=list)

    def line(self, points: Sequence[Point], colour: Colour, width: float, **_: Any) -> None:
        self.lines += pairwise(points)
        self.drawn += pairwise(points)
        self.inks.append((colour, width))
        self.points += points

    def disc(self, centre: Point, radius: float, fill: Colour, **_: Any) -> None:
        self.discs.append(fill)
        (x, y), r = centre, radius
        self._hide((x - r, y - r, x + r, y + r))

    def arc(self, centre: Point, radius: float, span: tuple[float, float], colour: Colour, width: float) -> None:
        self.points.append(centre)

    def shape(self, points: Sequence[Point], fill: Colour, **_: Any) -> None:
        xs, ys = zip(*points, strict=True)
        self._hide((min(xs), min(ys), max(xs), max(ys)))
        self.lines += pairwise([*points, points[0]])

    def glow(self, centre: Point, radius: float, colour: Colour, *, name: str = "") -> None:
        raise AssertionError("a wiring diagram does not glow")

    def text(
        self, at: Point, text: str, size: float, colour: Colour, *, anchor: str = "middle", name: str = ""
    ) -> None:
        wide = text_width(text, size)
        left = at[0] - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
        self.texts.append((text, size, (left, at[1] - 0.36 * size, left + wide, at[1] + 0.36 * size)))

    def _hide(self, box: Box) -> None:
        """Remove what a new shape covers, because it can overlap nothing any more."""
        self.points += [box[:2], box[2:]]
        self.lines = [line for line in self.lines if not all(_inside(point, box) for point in line)]
        self.hidden.append(box)

    def collisions(self) -> Iterator[str]:
        """Yield texts that overlap texts, and lines that run through texts."""
        for (one, _, box), (other, _, its) in combinations(self.texts, 2):
            if _overlap(box, its):
                yield f"{one!r} on {other!r}"
        spans = [(min(x, u), min(y, v), max(x, u), max(y, v), ((x, y), (u, v))) for (x, y), (u, v) in self.lines]
        for text, _, (left, top, right, bottom) in self.texts:
            near = [
                line
                for low, up, high, down, line in spans
                if low < right and left < high and up < bottom and top < down
            ]
            box = left, top, right, bottom
            if text and any(_crosses(*line, box) for line in near) and not self._on_own_ground(box):
                yield f"a line through {text!r}"

    def _on_own_ground(self, box: Box) -> bool:
        """Return whether a text is on a small part, such as a disc, that was drawn over the wires below it."""
        small = [part for part in self.hidden if part[2] - part[0] < 30]
        middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        return any(_inside(middle, part) for part in small)


def _inside(point: Point, box: Box) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _crosses(start: Point, end: Point, box: Box) -> bool:
    """Return whether part of a line is in a box, by cutting the line at each of the four sides."""
    first, last = 0.0, 1.0
    for axis in (0, 1):
        low, high, way = box[axis], box[axis + 2], end[axis] - start[axis]
        if way == 0:
            if not low < start[axis] < high:
                return False
            continue
        one, other = sorted(((low - start[axis]) / way, (high - start[axis]) / way))
        first, last = max(first, one), min(last, other)
    return first < last
