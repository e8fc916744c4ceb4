"""Check in three dimensions that the parts under each station fit, and cut one station open for a drawing.

Depths are millimetres below the panel's upper face. Layers on the panel have negative depths. A station's holes are the
board plan's, so the section shows the same board as the drill template. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, product
from typing import NamedTuple

from firmware_host.maker.board_plan import (
    BOARD,
    DIAMETERS,
    ELEMENT,
    FOIL,
    FOOT,
    FRAME,
    LED,
    PANEL,
    RING,
    RINGS,
    SHEET,
    SKIN,
    SOLDER,
    TILE,
    TILED,
    WALL,
    BoardPlan,
    Cut,
)
from firmware_host.maker.maker_errors import BoardTooSmall
from firmware_host.maker.switch_reach import BESIDE, TOLERANCE, ReedPair, Switch

GLASS = (2.2, 14.0)
"""Diameter and length of a reed's glass, in millimetres."""
WIRE = 0.5
"""Diameter of a reed's wires. The upper one turns back and goes down beside the glass."""
BELOW_GLASS = 5.0
"""Length of the wire below a reed's glass, to which its cable is soldered."""
LED_WIDTH = 5.0
"""Width of a lamp's case."""
LAMP_BOARD = 10.0
"""Diameter of a lamp's round board."""
HALL = (4.0, 1.52, 3.15)
"""Width, thickness and length of a Hall switch in a flat TO-92 case, which lies under the lamp's board."""
PAWN_FOOT = 10.0
"""The largest diameter of a pawn's foot."""
CLEARANCE = 5.0
"""The least millimetres between the deepest part and the back of the frame."""

_DEPTHS = {Cut.REED: (0.0, PANEL), Cut.LIGHT: (0.0, SKIN), Cut.LAMP: (SKIN, PANEL), Cut.RING: (0.0, RING)}
"""The upper and lower end of each hole in the panel."""
_NAMES = {Cut.REED: "reed's hole", Cut.LIGHT: "light", Cut.LAMP: "lamp's pocket", Cut.RING: "light ring"}
_JOINED = ({Cut.RING, Cut.REED}, {Cut.RING, Cut.LIGHT}, {Cut.LIGHT, Cut.LAMP})
"""Pairs of holes of one station that may open into each other."""
_FAR = 45.0  # millimetres beyond which nothing of two stations can meet


class Space(NamedTuple):
    """A round hole or part under a station: its axis, its radius, its upper and lower end, in mm."""

    cut: Cut
    x: float
    y: float
    radius: float
    top: float
    bottom: float


class Fault(NamedTuple):
    """A part or hole under a station that does not fit, and how many mm it is short of."""

    what: str
    short: float

    def __str__(self) -> str:
        return f"{self.what}: {self.short:.2f} mm short"


class Margins(NamedTuple):
    """The mm that a board has to spare.

    Attributes:
        pairs: how many pairs of stations were compared.
        nearest: the two nearest stations.
        apart: their distance.
        wood: the least wood between two holes of any stations.
        closes: how much farther than `BESIDE` from the middle of its station a pawn still closes every switch.
        opens: how much farther from a switch a pawn on the nearest neighbour is than it must be for the switch to open.
    """

    pairs: int
    nearest: tuple[str, str]
    apart: float
    wood: float
    closes: float
    opens: float


def check_layout(plan: BoardPlan) -> None:
    """Check that nothing under the stations overlaps, and that no switch senses a pawn on a neighbour.

    Raises:
        BoardTooSmall: something does not fit; the message says what and by how much.
    """
    if faults := find_faults(plan):
        raise BoardTooSmall(f"{plan.title}: {'; '.join(map(str, faults[:3]))}")


def find_faults(plan: BoardPlan) -> list[Fault]:
    """Return a board's faults: parts that overlap or do not work, with the missing mm.

    Without faults the list is empty.
    """
    stations = _spaces(plan)
    found = [*_faults_of_parts(plan), *_faults_of_reach(plan)]
    for name, spaces in stations.items():
        found += _faults_of_wood(f"station {name}", spaces)
    for one, other in _near(stations):
        for mine, theirs in product(stations[one], stations[other]):
            found += _thin_wood(f"stations {one} and {other}", mine, theirs)
    return [fault for fault in found if fault.short > 1e-6]


def measure_margins(plan: BoardPlan) -> Margins:
    """Return how much a board has to spare: distances of stations, thickness of wood, and reach of switches."""
    middles = plan.middles()
    apart, nearest = min((math.dist(middles[a], middles[b]), (a, b)) for a, b in combinations(middles, 2))
    stations = _spaces(plan)
    wood = min(
        (
            _wood(mine, theirs)
            for one, other in _near(stations)
            for mine, theirs in product(stations[one], stations[other])
            if _meet(mine, theirs)
        ),
        default=apart,
    )
    pairs = len(middles) * (len(middles) - 1) // 2
    return Margins(pairs, nearest, apart, wood, plan.reach.closes - BESIDE, apart - BESIDE - plan.reach.opens)


MEASURE_FIRST = (
    f"The makers allow {TOLERANCE:g} mm more or less, and this board has no room for that: measure a few reeds in "
    "place (yardboard measure) before you glue any."
)
"""The advice for a board that `needs_measuring`."""


def needs_measuring(plan: BoardPlan) -> bool:
    """Return whether reeds must be measured, because reeds at the edge of their tolerance would not work."""
    if not isinstance(plan.pair, ReedPair):
        return False
    closes, opens = plan.pair.worst.reach(plan.magnet_height)
    return closes < BESIDE or measure_margins(plan).apart < opens + BESIDE


def _spaces(plan: BoardPlan) -> dict[str, list[Space]]:
    """Return the holes in the panel, and the room for lamps, under each station and log window."""
    found: dict[str, list[Space]] = {}
    for hole in plan.holes:
        if hole.cut in _DEPTHS:
            space = Space(hole.cut, hole.x, hole.y, hole.width / 2, *_DEPTHS[hole.cut])
            found.setdefault(hole.name, []).append(space)
        if hole.cut is Cut.LIGHT and plan.on_one_a3:  # lamps without pockets need the same room, below the panel
            space = Space(Cut.LAMP, hole.x, hole.y, DIAMETERS[Cut.LAMP] / 2, SKIN, PANEL)
            found[hole.name].append(space)
    return found


def _near(stations: dict[str, list[Space]]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of stations whose holes could meet."""
    for one, other in combinations(stations, 2):
        a, b = stations[one][0], stations[other][0]
        if abs(a.x - b.x) < _FAR and abs(a.y - b.y) < _FAR:
            yield one, other


def _meet(one: Space, other: Space) -> bool:
    """Return whether two holes overlap in depth, or have less than `WALL` of wood between them."""
    return max(one.top, other.top) - min(one.bottom, other.bottom) < WALL


def _wood(one: Space, other: Space) -> float:
    return math.dist((one.x, one.y), (other.x, other.y)) - one.radius - other.radius


def _thin_wood(where: str, one: Space, other: Space) -> Iterator[Fault]:
    if _meet(one, other):
        yield Fault(f"{where}: wood between {_NAMES[one.cut]} and {_NAMES[other.cut]}", WALL - _wood(one, other))


def _faults_of_wood(where: str, spaces: list[Space]) -> Iterator[Fault]:
    """Yield the holes of one station that are too near to each other."""
    for one, other in combinations(spaces, 2):
        if {one.cut, other.cut} not in _JOINED:
            yield from _thin_wood(where, one, other)


def _faults_of_parts(plan: BoardPlan) -> Iterator[Fault]:
    """Yield the parts that do not fit into their holes."""
    yield Fault("lamp's board in its pocket", LAMP_BOARD - DIAMETERS[Cut.LAMP])
    if plan.thickness > SKIN:
        yield Fault("lamp in the depth of its pocket", LED + BOARD - (plan.thickness - SKIN))
    yield Fault("wood between light ring and lamp's pocket", WALL - (SKIN - RING))
    for ring in plan.of(Cut.RING)[:1]:
        yield Fault("light ring over the light of its lamp, or beside a pawn", RINGS[0] - ring.width)
    if plan.switch is Switch.REED:
        yield Fault("reed with the wire beside it in its hole", GLASS[0] + WIRE - DIAMETERS[Cut.REED])
    yield Fault("depth of the frame", deepest(plan) + CLEARANCE - (plan.thickness + FRAME))


def _faults_of_reach(plan: BoardPlan) -> Iterator[Fault]:
    """Yield the switches that close too late, or open too late for a neighbour."""
    yield Fault(f"{plan.pair}: closing {BESIDE:g} mm beside the middle", BESIDE - plan.reach.closes)
    for (one, here), (other, there) in combinations(plan.middles().items(), 2):
        apart = math.dist(here, there)
        yield Fault(f"stations {one} and {other}: opening before the neighbour", plan.reach.opens - (apart - BESIDE))


def deepest(plan: BoardPlan) -> float:
    """Return how deep the lowest part under a station is."""
    if plan.switch is Switch.REED:
        return plan.bend + GLASS[1] + BELOW_GLASS
    return SKIN + LED + BOARD + SOLDER + HALL[1]


# ---- one station, cut open ----


class CutPart(NamedTuple):
    """A part of a cross-section, drawn as a rectangle.

    Attributes:
        name: what it is: "magnet".
        material: what it is made of, which chooses its colour.
        left: its left edge, in millimetres right of the station's middle; the lamp is at the right.
        right: its right edge, measured in the same way.
        top: depth of its upper end, below the panel's upper face.
        bottom: depth of its lower end.
    """

    name: str
    material: str
    left: float
    right: float
    top: float
    bottom: float


def cut_station(plan: BoardPlan, half: float = 15.0) -> list[CutPart]:
    """Return the parts of a station that is cut open, from back to front.

    The station is one of the two that are nearest to each other.

    Args:
        plan: the board.
        half: millimetres of the panel on each side of the station's middle.
    """
    name = measure_margins(plan).nearest[0]
    middle, lamp = plan.middles()[name], plan.places(Cut.LIGHT)[name]
    aside = math.dist(middle, lamp)
    pocket, light = DIAMETERS[Cut.LAMP] / 2, DIAMETERS[Cut.LIGHT] / 2
    diameter, length = plan.pair.magnet
    above = plan.cover.thickness
    boxes = [
        CutPart("panel", "wood", -half, half, 0.0, plan.thickness),
        CutPart("light", "air", aside - light, aside + light, 0.0, SKIN),
        *_cover_boxes(plan, half, aside),
    ]
    if plan.thickness > SKIN:
        boxes.append(CutPart("lamp's pocket", "air", aside - pocket, aside + pocket, SKIN, plan.thickness))
    boxes += [
        CutPart("light ring", "opal", -ring.width / 2, ring.width / 2, 0.0, RING) for ring in plan.of(Cut.RING)[:1]
    ]
    if plan.switch is Switch.REED:
        hole = DIAMETERS[Cut.REED] / 2
        right = (GLASS[0] + WIRE) / 2  # the glass and the wire beside it share the hole
        boxes += [
            CutPart("reed's hole", "air", -hole, hole, 0.0, plan.thickness),
            CutPart("reed", "glass", right - GLASS[0], right, plan.bend, plan.bend + GLASS[1]),
        ]
    boxes += [
        CutPart("lamp", "lamp", aside - LED_WIDTH / 2, aside + LED_WIDTH / 2, SKIN, SKIN + LED),
        CutPart(
            "lamp's board", "board", aside - LAMP_BOARD / 2, aside + LAMP_BOARD / 2,
            SKIN + LED, SKIN + LED + BOARD,
        ),
    ]  # fmt: skip
    if plan.switch is Switch.HALL:
        face = SKIN + LED + BOARD + SOLDER
        boxes += [
            CutPart("Hall switch", "case", -HALL[0] / 2, HALL[0] / 2, face, face + HALL[1]),
            CutPart("sensing element", "metal", -0.3, 0.3, face + ELEMENT - 0.1, face + ELEMENT + 0.1),
        ]
    boxes += [
        CutPart("pawn", "pawn", -PAWN_FOOT / 2, PAWN_FOOT / 2, -above - FOOT - length - 2.0, -above),
        CutPart("magnet", "metal", -diameter / 2, diameter / 2, -above - FOOT - length, -above - FOOT),
    ]
    return boxes


def _cover_boxes(plan: BoardPlan, half: float, lamp: float) -> Iterator[CutPart]:
    """Yield the layers on the panel: the printed map and its foil, or a tile or board with a hole for light."""
    thick = plan.cover.thickness
    if not plan.cover.opaque:
        yield CutPart("printed map", "paper", -half, half, -SHEET, 0.0)
        yield CutPart("foil", "foil", -half, half, -SHEET - FOIL, -SHEET)
        return
    if plan.cover is TILED:
        yield CutPart("tile's lower print", "paper", -half, half, -SHEET, 0.0)
        yield CutPart("tile", "card", -half, half, -SHEET - TILE, -SHEET)
        yield CutPart("tile's upper print", "paper", -half, half, -thick, -SHEET - TILE)
    else:
        yield CutPart("board", "card", -half, half, -thick, 0.0)
    light = DIAMETERS[Cut.LIGHT] / 2
    yield CutPart("hole for the light", "air", lamp - light, lamp + light, -thick, 0.0)
