"""Compute from data sheets how far from a station's middle a pawn closes and opens its switch.

A pawn may stand `BESIDE` millimetres beside its station's middle. There its magnet must close its own switch, and not
that of the nearest station. A pair of switch and magnet is chosen by both distances. For reeds, makers print the
distances for a magnet that moves past a horizontal reed. An upright reed has to be measured on the board. For Hall
switches the distances follow from the field of the magnet. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from firmware_host.maker.maker_errors import BoardTooSmall, UnsuitableChoice

BESIDE = 4.0
"""Millimetres by which a pawn may stand beside the middle of its station."""


class Switch(StrEnum):
    """A kind of switch under a station."""

    REED = "reed"
    HALL = "hall"


class Reach(NamedTuple):
    """The distances of a pawn from the station's middle at which switches close and open, in mm.

    Attributes:
        closes: the distance up to which every switch closes, even the least sensitive.
        opens: the distance from which on every switch is open, even the most sensitive.
    """

    closes: float
    opens: float


class ReedPair(NamedTuple):
    """A reed switch and a magnet, with the distances between them from their data sheets.

    Attributes:
        reed: the reed's class of sensitivity, in ampere-turns; a higher number is less sensitive.
        magnet: the magnet's diameter and length, in millimetres.
        closes: the distances at which the least and the most sensitive reed of this class close, in millimetres.
        opens: the distances at which these two open again.
    """

    reed: str
    magnet: tuple[float, float]
    closes: tuple[float, float]
    opens: tuple[float, float]

    def __str__(self) -> str:
        return f"{self.switch_name}, magnet {self.magnet[0]:g} × {self.magnet[1]:g} mm"

    @property
    def switch_name(self) -> str:
        """The name of the reed without the magnet, such as "Reed 10 to 20 AT"."""
        return f"Reed {self.reed}"

    @property
    def height(self) -> float:
        """The largest height of the magnet above the reed (mm) at which a pawn within `BESIDE` closes it."""
        return math.sqrt(max(0.0, self.closes[0] ** 2 - BESIDE**2))

    @property
    def worst(self) -> ReedPair:
        """The same reed and magnet in the worst case: by `TOLERANCE`, reeds close nearer and open farther away."""
        (closes, _), (_, opens) = self.closes, self.opens
        return self._replace(closes=(closes - TOLERANCE, closes), opens=(opens, opens + TOLERANCE))

    def reach(self, height: float) -> Reach:
        """Return how far away reeds close and open if the magnet is `height` mm above them."""
        return Reach(math.sqrt(max(0.0, self.closes[0] ** 2 - height**2)), self.opens[1])


class HallPair(NamedTuple):
    """A Hall switch and a magnet.

    Attributes:
        sensor: the maker's number of the switch.
        magnet: the magnet's diameter and length, in millimetres.
        operate: the field at which every switch of this number is closed, in millitesla.
        release: the field below which every switch of this number is open, in millitesla.
    """

    sensor: str
    magnet: tuple[float, float]
    operate: float
    release: float

    def __str__(self) -> str:
        return f"{self.switch_name}, magnet {self.magnet[0]:g} × {self.magnet[1]:g} mm"

    @property
    def switch_name(self) -> str:
        """The name of the switch without the magnet, such as "Hall switch DRV5032AJ"."""
        return f"Hall switch {self.sensor}"

    @property
    def height(self) -> float:
        """The largest height of the magnet above the switch (mm) at which a pawn within `BESIDE` closes it."""
        low, high = 0.0, _FAR
        for _ in range(20):
            middle = (low + high) / 2
            strong = field(self.magnet, BESIDE, middle, REMANENCE[0]) >= self.operate
            low, high = (middle, high) if strong else (low, middle)
        return low

    def reach(self, height: float) -> Reach:
        """Return how far away switches close and open if the magnet is `height` mm above them."""
        return _hall_reach(self, height)


class MeasuredPair(NamedTuple):
    """A switch and a magnet of unknown kinds, which the maker has measured on the board.

    Attributes:
        switch: the kind of switch.
        measured: where the switches closed and opened.
    """

    switch: Switch
    measured: Reach

    def __str__(self) -> str:
        return f"{self.switch_name} and magnet as measured"

    @property
    def switch_name(self) -> str:
        """The kind of switch: "Reed" or "Hall switch"."""
        return "Reed" if self.switch is Switch.REED else "Hall switch"

    @property
    def magnet(self) -> tuple[float, float]:
        """The diameter and length of the magnet in drawings, which show the smallest usual magnet."""
        return min(pair.magnet for pair in PAIRS[self.switch])

    def reach(self, height: float) -> Reach:  # noqa: ARG002 - they were measured at the board's own height
        """Return how far away the measured switches closed and opened."""
        return self.measured


SwitchPair = ReedPair | HallPair | MeasuredPair

REMANENCE = (1280.0, 1320.0)
"""The remanence of the weakest and the strongest magnet of neodymium N42, in millitesla."""

_FAR = 40.0  # millimetres beyond which no magnet of a pawn closes anything
_STEP = 0.05

PAIRS: Mapping[Switch, Sequence[ReedPair | HallPair]] = {
    Switch.REED: (
        ReedPair("10 to 20 AT", (4, 10), (11.0, 14.5), (14.0, 16.0)),
        ReedPair("20 to 30 AT", (3, 7), (5.5, 7.0), (6.5, 9.0)),
        ReedPair("30 to 40 AT", (3, 7), (4.5, 6.0), (6.0, 8.0)),
    ),
    Switch.HALL: (
        HallPair("DRV5032AJ", (6, 6), 9.5, 3.0),
        HallPair("DRV5032AJ", (5, 5), 9.5, 3.0),
        HallPair("DRV5032AJ", (4, 7), 9.5, 3.0),
    ),
}
"""The pairs of switch and magnet that suit boards, the one that reaches farthest first.

The distances of reeds are those that Reed Relays and Electronics India prints for its MM-1018 with cropped wires and
its magnets NDC-M (4 × 10) and NDC-S (3 × 7), with a tolerance of `TOLERANCE`.
"""
TOLERANCE = 0.5
"""Millimetres by which the printed distances may be wrong in either direction."""


@lru_cache(maxsize=32)
def _hall_reach(pair: HallPair, height: float) -> Reach:
    def at(step: int, remanence: float) -> float:
        return abs(field(pair.magnet, step * _STEP, height, remanence))

    steps = range(round(_FAR / _STEP))
    closes = next((step for step in steps if at(step, REMANENCE[0]) < pair.operate), 0) * _STEP
    opens = next((step for step in reversed(steps) if at(step, REMANENCE[1]) >= pair.release), 0) * _STEP
    return Reach(max(0.0, closes - _STEP), opens + _STEP)


def field(magnet: tuple[float, float], beside: float, below: float, remanence: float) -> float:
    """Return the vertical field of an upright rod magnet, in the unit of `remanence`.

    Both end faces count as discs with an even charge, which is exact for an evenly magnetised rod.

    Args:
        magnet: its diameter and length, in millimetres.
        beside: millimetres beside its axis.
        below: millimetres below its lower face.
        remanence: the magnet's remanence, such as 1300 for millitesla.
    """
    radius, rings, spokes = magnet[0] / 2, 4, 12
    found = 0.0
    for ring in range(rings):
        out = radius * (ring + 0.5) / rings
        area = math.pi * radius**2 * (2 * ring + 1) / rings**2 / spokes
        for spoke in range(spokes):
            angle = 2 * math.pi * spoke / spokes
            aside = (out * math.cos(angle) - beside) ** 2 + (out * math.sin(angle)) ** 2
            for down, sign in ((below, 1), (below + magnet[1], -1)):
                found += sign * area * down / (aside + down**2) ** 1.5
    return found * remanence / (4 * math.pi)


class BoardWidth(NamedTuple):
    """The width of a board, for messages about a board that is too narrow.

    Attributes:
        mm: its width in millimetres.
        owned: whether the maker owns this board already. Its width then cannot be changed in the configuration.
    """

    mm: float
    owned: bool = False

    def too_narrow(self, why: str, needed: float) -> BoardTooSmall:
        """Return the error that a board is too narrow.

        Args:
            why: a clause about the parts that have no room.
            needed: the width in millimetres at which these parts have room.
        """
        wide = math.ceil(needed - 1e-6)
        if self.owned:
            return BoardTooSmall(f"{why}; this board of {self.mm:g} mm is {wide - self.mm:g} mm too narrow")
        return BoardTooSmall(
            f"[board] width_mm = {self.mm:g}: {why}; make the board {wide - self.mm:g} mm wider: width_mm = {wide} or "
            "more"
        )


def choose_pair(
    switch: Switch, height: float, cover: float, nearest: float, stations: tuple[int, int], width: BoardWidth
) -> ReedPair | HallPair:
    """Return the switch and magnet that reach farthest without sensing pawns on neighbouring stations.

    Args:
        switch: the kind of switch.
        height: millimetres from the magnet down to the switch.
        cover: how many of these millimetres are the map, tile or board on the panel.
        nearest: the distance of the two nearest stations, in millimetres.
        stations: the numbers of these two.
        width: the board's width, for the message.

    Raises:
        BoardTooSmall: no pair keeps these stations apart; the message says by how much.
    """
    name = "reed" if switch is Switch.REED else "Hall switch"
    pairs = [pair for pair in PAIRS[switch] if pair.height >= height]
    keeping = [pair for pair in PAIRS[switch] if nearest >= pair.reach(height).opens + BESIDE]
    if fitting := [pair for pair in pairs if pair in keeping]:
        return fitting[0]
    most = max(pair.height for pair in keeping or PAIRS[switch])
    if not pairs or (keeping and cover > height - most):
        raise BoardTooSmall(
            f"a {name} would be {height:.1f} mm below the magnet, but may be {most:.1f} mm at most: {cover:g} mm on "
            f"the panel are {height - most:.1f} mm too much"
        )
    least = min(pair.reach(height).opens for pair in pairs) + BESIDE
    raise too_near(nearest, stations, least, width, f"no {name} keeps")


def check_measured(reach: Reach, nearest: float, stations: tuple[int, int], width: BoardWidth) -> None:
    """Check that switches with the measured `reach` suit a board. The other arguments are those of `choose_pair`.

    Raises:
        UnsuitableChoice: a switch may stay open although a pawn stands within `BESIDE` mm.
        BoardTooSmall: a switch may sense a pawn on the nearest neighbour.
    """
    if reach.closes < BESIDE:
        raise UnsuitableChoice(
            f"measured: a switch closes only up to {reach.closes:g} mm off centre, but a pawn may be {BESIDE:g} mm "
            "off; bring the switch nearer to the magnet, or take a stronger magnet, and measure again"
        )
    if nearest < reach.opens + BESIDE:
        raise too_near(nearest, stations, reach.opens + BESIDE, width, "the measured switches do not keep")


def too_near(nearest: float, stations: tuple[int, int], least: float, width: BoardWidth, what: str) -> BoardTooSmall:
    """Return the error that two stations are too near to each other for the switches.

    Args:
        nearest: the distance of the two nearest stations, in millimetres.
        stations: these two.
        least: the distance that they need.
        width: the board's width.
        what: the switch with its verb: "no reed keeps".
    """
    one, other = stations
    why = f"stations {one} and {other} are {nearest:.1f} mm apart, and {what} them apart at less than {least:.1f} mm"
    return width.too_narrow(why, width.mm * least / nearest)
