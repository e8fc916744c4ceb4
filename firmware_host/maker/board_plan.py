"""Plan a board: where each hole, pocket and opening of its panel is, in mm.

The panel lies under the printed map and extends beyond it as a rail on each side. The upper rail has the log's windows,
and the lower rail has the keys and the public screen. Screws are all around. Places are millimetres from the panel's
left and top edge, seen from above. All drawings, the wires' lengths and the parts follow from one plan. Pure.

Under a station a reed stands upright in the middle. Its lamp lies beside it, on a round board in a pocket that is
milled from below; its light comes through a smaller hole. `_sides` chooses on which side of the reed each lamp is, so
that no pocket touches another pocket or a neighbour's reed. A ring of opal acrylic fits into a pocket around the reed,
milled from above. It takes up some of the light, and glows around the station. Tiles of the dice game cover the panel,
so a tray has no rings.

With Hall switches the lamp is in the middle of its station instead, and the switch below the lamp.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import NamedTuple

from firmware_host.config.loader import Config
from firmware_host.maker.board_fit import STRAIGHT, Affine, BoardFit
from firmware_host.maker.maker_errors import UnsuitableChoice
from firmware_host.maker.switch_reach import (
    BoardWidth,
    MeasuredPair,
    Reach,
    Switch,
    SwitchPair,
    check_measured,
    choose_pair,
)
from firmware_host.rules.network import Network
from firmware_host.ui.drawing.paper import EDGE, WIDTH

RAIL = 25.0
"""Width of the rails at the left and right of the printed map, in millimetres."""
LOG_RAIL = 40.0
"""Height of the rail above the map, with the windows of the log."""
SCREW_PITCH = 250.0
"""The largest distance between two screws, in millimetres."""
A3_ROOM = (392.0, 269.0)
"""Width and height of what one page of A3 shows, without its margins, in millimetres."""
WALL = 0.75
"""The least millimetres of wood between two holes."""

_FROM_EDGE = 10.0  # from a screw to the panel's edge
_KEY_PITCH = 32.0
_ABOVE_KEYS = 17.5  # of the lower rail, above and below the highest of its keys and screen
_WIDEST = 2000  # millimetres of a board: the most that [board] width_mm takes
_MOST_STEPS = 20_000  # lamps placed in a group of neighbours, those included that were taken back
_SIDES = 24  # directions in which a lamp may lie from its reed
_SCREENS = {"ssd1306": (24.0, 13.0), "sh1106": (32.0, 17.0), "ssd1309": (58.0, 30.0)}
"""A screen's chip -> width and height of the opening for its usual glass, in millimetres."""


class Cut(StrEnum):
    """The purpose of a hole. Each purpose is a layer of the drawings, because it needs its own tool."""

    REED = "reed"
    LIGHT = "light"
    LAMP = "lamp"
    RING = "ring"
    KEY = "key"
    SCREW = "screw"
    SCREEN = "screen"
    OUTLINE = "outline"


DIAMETERS = {Cut.REED: 3.0, Cut.LIGHT: 5.0, Cut.LAMP: 10.5, Cut.KEY: 12.2, Cut.SCREW: 4.5}
"""Diameters of round holes in mm, for glass of 2.5 mm, a lamp's round board of 10, buttons of 12, and M4 screws."""
FROM_BELOW = frozenset({Cut.LAMP})
"""What is milled from below as a pocket, and does not go through the panel."""
FROM_ABOVE = frozenset({Cut.RING})
"""What is milled from above as a pocket."""
PITCH = (DIAMETERS[Cut.REED] + DIAMETERS[Cut.LAMP]) / 2 + WALL
"""Millimetres from the middle of a reed to that of its lamp."""
RINGS = (2 * PITCH - DIAMETERS[Cut.LIGHT] + 1, 2 * PITCH + DIAMETERS[Cut.LIGHT])
"""The least and the largest diameter of a light ring: it covers 0.5 mm of its lamp's light, or all of it."""
_CLEAR = (RINGS[0] + DIAMETERS[Cut.LIGHT]) / 2 + WALL  # from a lamp to the reed of another station

# ---- depths, in millimetres ----

PANEL = 6.0
"""Thickness of the panel, of plywood."""
SKIN = 3.0
"""Wood that is left above a lamp's pocket."""
RING = 2.0
"""Thickness of a light ring, and depth of its pocket."""
SHEET = 0.2
"""Thickness of a printed sheet of paper."""
FOIL = 0.1
"""Thickness of the foil over the printed map."""
TILE = 1.5
"""Thickness of the card or plywood of a tile, which has a printed sheet on both sides."""
FOOT = 0.2
"""Thickness of the paint or paper over the magnet in a pawn's foot."""
BEND = 1.5
"""Length of the wire above a reed's glass that must stay straight. Its upper end is level with the panel."""
LED = 1.6
"""Height of a lamp's case above its round board."""
BOARD = 1.2
"""Thickness of a lamp's round board."""
SOLDER = 0.6
"""Height of parts and solder under a lamp's round board, above a Hall switch."""
ELEMENT = 0.75
"""Distance from the face of a Hall switch to its sensing element."""
JOINT = 5.0
"""Length of the straight wire above a reed's glass (see `BEND`) on a panel of A3: enough for a beginner's joint."""
FRAME = 40.0
"""Depth of the frame inside, from the panel down to the back."""


class Cover(NamedTuple):
    """The layer on the panel, such as the printed map: its name, its thickness, and whether light passes.

    Attributes:
        name: what it is.
        thickness: its thickness in millimetres.
        opaque: whether light needs holes in it, so that light rings below it are of no use.
    """

    name: str
    thickness: float
    opaque: bool


PRINTED = Cover("printed map", SHEET + FOIL, opaque=False)
TILED = Cover("tile", TILE + 2 * SHEET, opaque=True)


def magnet_height(switch: Switch, cover: Cover, bend: float = BEND) -> float:
    """Return the mm from a pawn's magnet down to the switch. `bend` is the wire above a reed's glass, in mm."""
    above = FOOT + cover.thickness
    return above + bend if switch is Switch.REED else above + SKIN + LED + BOARD + SOLDER + ELEMENT


@dataclass(frozen=True, slots=True)
class Hole:
    """A hole, pocket or opening in the panel.

    Attributes:
        cut: what it is for.
        name: what belongs there: "58" for a station, "log 3", "confirm", or "".
        x: its middle, in millimetres from the panel's left edge.
        y: its middle, in millimetres from the panel's top edge.
        width: its width in millimetres; the diameter of a round hole.
        height: the height of an opening with four corners; 0 for a round hole.
    """

    cut: Cut
    name: str
    x: float
    y: float
    width: float
    height: float = 0.0


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """The panel of a board, with all its holes.

    Attributes:
        title: the map's title, and the configuration's name.
        width: the panel's width in millimetres.
        height: its height.
        print_left: millimetres from the panel's left edge to the printed sheet, which is the map with its frame.
        print_top: millimetres from the panel's top edge to this sheet.
        print_width: the sheet's width in millimetres.
        print_height: the sheet's height in millimetres.
        switch: the kind of switch under the stations.
        cover: the layer on the panel.
        transform: from millimetres on the configuration's map to millimetres on the panel.
        pair: the switch and the magnet.
        reach: how far from a station's middle a pawn closes and opens the switches.
        holes: all holes, pockets and openings, without the panel's outline.
    """

    title: str
    width: float
    height: float
    print_left: float
    print_top: float
    print_width: float
    print_height: float
    switch: Switch
    cover: Cover
    transform: Affine
    pair: SwitchPair
    reach: Reach
    holes: tuple[Hole, ...]

    @property
    def on_one_a3(self) -> bool:
        """Whether the whole panel fits on one page of A3.

        Such a panel is 3 mm thick, so it has no pockets for lamps or light rings, and it is glued on its frame.
        """
        return _fits_a3(self.width, self.height)

    @property
    def thickness(self) -> float:
        """The thickness of the panel in mm."""
        return SKIN if self.on_one_a3 else PANEL

    @property
    def bend(self) -> float:
        """The mm of straight wire above a reed's glass."""
        return JOINT if self.on_one_a3 else BEND

    @property
    def magnet_height(self) -> float:
        """The mm from a pawn's magnet down to the switch."""
        return magnet_height(self.switch, self.cover, self.bend)

    def of(self, cut: Cut) -> tuple[Hole, ...]:
        """Return the holes for one purpose: first stations, then windows, then keys."""
        return tuple(hole for hole in self.holes if hole.cut is cut)

    @property
    def limit(self) -> str:
        """A sentence about the board's switch and magnet, and how far apart they may be."""
        apart = "" if isinstance(self.pair, MeasuredPair) else f", at most {self.pair.height:.1f} mm apart"
        return f"{self.pair}{apart}."

    def middles(self) -> dict[str, tuple[float, float]]:
        """Return where the middle of each station is: name -> mm from the left edge and from the top edge."""
        if self.switch is Switch.REED:
            return self.places(Cut.REED)
        return {name: at for name, at in self.places(Cut.LIGHT).items() if not name.startswith("log ")}

    def places(self, cut: Cut) -> dict[str, tuple[float, float]]:
        """Return where the named holes for one purpose are: name -> mm from the left edge and from the top edge."""
        return {hole.name: (hole.x, hole.y) for hole in self.of(cut) if hole.name}


def frame_width(width: float) -> float:
    """Return how wide the frame around the artwork is, for a map of this width (mm)."""
    return width * EDGE / (WIDTH - 2 * EDGE)


def plan_board(
    config: Config, switch: Switch = Switch.REED, fit: BoardFit | None = None, measured: Reach | None = None
) -> BoardPlan:
    """Plan the board of a configuration.

    Args:
        config: the configuration.
        switch: the kind of switch under its stations.
        fit: how the map lies on a board that the maker owns and glues on the panel; None for a printed map.
        measured: the measured distances at which switches closed and opened; None for those of data sheets.

    Raises:
        BoardTooSmall: stations are too near each other for switches or lamps, or the keys need more room.
        UnsuitableChoice: this kind of switch, or a fit, does not suit the board.
    """
    layout, width = config.layout, float(config.board.width_mm)
    # The paper has an edge around the map: a sheet as wide as the map alone would be too small for the holes.
    edge = frame_width(width)
    print_width, print_height = width + 2 * edge, width / layout.network.aspect + 2 * edge
    transform, cover = STRAIGHT.shifted(RAIL + edge, LOG_RAIL + edge), PRINTED
    if not isinstance(config.ground, Network):
        cover = TILED
    elif fit is not None:
        print_width, print_height = fit.width, fit.height
        transform, cover = fit.transform.shifted(RAIL, LOG_RAIL), Cover("board", fit.thickness, opaque=True)
    _check_choices(config, switch, cover, fit)
    panel_width, panel_height = print_width + 2 * RAIL, LOG_RAIL + print_height + _key_rail_height(config)
    middles = {station: transform.apply(at) for station, at in layout.positions_mm(width).items()}
    nearest, pair_of = min((math.dist(middles[a], middles[b]), (a, b)) for a, b in combinations(middles, 2))
    thin = _fits_a3(panel_width, panel_height)
    height = magnet_height(switch, cover, JOINT if thin else BEND)
    board = BoardWidth(width) if fit is None else BoardWidth(fit.width, owned=True)
    pair: SwitchPair
    if measured is None:
        pair = choose_pair(switch, height, cover.thickness, nearest, pair_of, board)
    else:
        check_measured(measured, nearest, pair_of, board)
        pair = MeasuredPair(switch, measured)
    holes: list[Hole] = []
    lamps, ring = _lay_out(middles, switch, board, ringed=not thin and not cover.opaque)
    if switch is Switch.REED:
        holes += [_round(Cut.REED, str(station), *at) for station, at in middles.items()]
    if ring:
        holes += [Hole(Cut.RING, str(station), *at, ring) for station, at in middles.items()]
    windows = [(f"log {n}", place) for n, place in enumerate(_log_windows(len(layout.log_lamps), print_width), 1)]
    lit = [(str(station), at) for station, at in lamps.items()] + windows
    holes += [_round(cut, name, *at) for cut in (Cut.LIGHT, Cut.LAMP)[: 1 if thin else 2] for name, at in lit]
    holes += _key_rail(config, board, panel_width, panel_height - _key_rail_height(config) / 2)
    title = f"{layout.network.title} ({config.source.rpartition('/')[2]})"
    if not thin:
        holes += [_round(Cut.SCREW, "", *at) for at in _screws(panel_width, panel_height)]
    return BoardPlan(
        title, panel_width, panel_height, RAIL, LOG_RAIL, print_width, print_height,
        switch, cover, transform, pair, pair.reach(height), tuple(holes),
    )  # fmt: skip


def _fits_a3(width: float, height: float) -> bool:
    return width <= A3_ROOM[0] and height <= A3_ROOM[1]


def _check_choices(config: Config, switch: Switch, cover: Cover, fit: BoardFit | None) -> None:
    """Check that the kind of switch and the fit to a bought board suit the configuration.

    Raises:
        UnsuitableChoice: one of the two does not suit the configuration.
    """
    if switch is Switch.HALL and cover.opaque:
        raise UnsuitableChoice(
            f"a Hall switch is below its lamp, and a pawn would cover the hole in the {cover.name}: use reeds"
        )
    if switch is Switch.HALL and config.devices["switches"].driver.name == "matrix":
        raise UnsuitableChoice('[switches] driver = "matrix": a matrix cannot read Hall switches; use reeds')
    if fit is not None and cover is TILED:
        raise UnsuitableChoice("--fit: the dice game has no board to fit, because its tiles are printed; leave it out")


def _round(cut: Cut, name: str, x: float, y: float) -> Hole:
    return Hole(cut, name, x, y, DIAMETERS[cut])


def _log_windows(count: int, print_width: float) -> list[tuple[float, float]]:
    """Return where the windows of the log are: in one row in the upper rail, from the left."""
    pitch = print_width / count
    return [(RAIL + pitch * (n + 0.5), LOG_RAIL / 2) for n in range(count)]


def _has_screen(config: Config) -> bool:
    display = config.devices["display"].driver
    return not display.absent and not display.simulated


def _key_rail_height(config: Config) -> float:
    """Return how high the rail below the map is, which has the keys and the public screen."""
    screen = _SCREENS[config.sections["display"].chip][1] if _has_screen(config) else 0.0
    return max(screen, DIAMETERS[Cut.KEY]) + 2 * _ABOVE_KEYS


def _key_rail(config: Config, board: BoardWidth, panel_width: float, y: float) -> list[Hole]:
    """Return where the table's keys are, at the right of the lower rail, and the public screen, at its left.

    Raises:
        BoardTooSmall: they do not fit beside each other.
    """
    keys = list(config.sections["keys"].table)
    right = panel_width - RAIL - _KEY_PITCH / 2
    found = [_round(Cut.KEY, key, right - _KEY_PITCH * n, y) for n, key in enumerate(reversed(keys))][::-1]
    if _has_screen(config):
        wide, high = _SCREENS[config.sections["display"].chip]
        found.append(Hole(Cut.SCREEN, "display", RAIL + _KEY_PITCH / 2 + wide / 2, y, wide, high))
        short = 2 * RAIL + _KEY_PITCH * (len(keys) + 1) + wide - panel_width
        if short > 0:
            # the frame around a printed map is wider, too, so the board needs less than its panel
            needed = board.mm + short * board.mm / (panel_width - 2 * RAIL)
            raise board.too_narrow(f"{len(keys)} keys and the screen of [display] need {short:.0f} mm more", needed)
    return found


def _screws(width: float, height: float) -> list[tuple[float, float]]:
    """Return where the screws along the edges are: one in each corner, the others evenly between."""

    def along(length: float) -> list[float]:
        gaps = math.ceil((length - 2 * _FROM_EDGE) / SCREW_PITCH)
        return [_FROM_EDGE + (length - 2 * _FROM_EDGE) * n / gaps for n in range(gaps + 1)]

    sides = [(x, y) for y in along(height) for x in (_FROM_EDGE, width - _FROM_EDGE)]
    ends = [(x, y) for y in (_FROM_EDGE, height - _FROM_EDGE) for x in along(width)[1:-1]]
    return [*sides, *ends]


# ---- lamps and their light rings ----

_Places = dict[int, tuple[float, float]]


def _lay_out(middles: _Places, switch: Switch, board: BoardWidth, *, ringed: bool) -> tuple[_Places, float]:
    """Return where each station's lamp is, and how large the light rings are (0 if there are none).

    Raises:
        BoardTooSmall: lamps or rings have no room; the message says by how much.
    """

    def try_out(middles: _Places) -> tuple[_Places, float, str]:
        lamps, crowded = _lamps(middles) if switch is Switch.REED else (middles, [])
        if crowded:
            names = ", ".join(map(str, crowded))
            size = f"{DIAMETERS[Cut.LAMP]:g} mm"
            return {}, 0.0, f"the lamps of stations {names}, on round boards of {size}, have no room beside their reeds"
        ring = _ring(middles, lamps) if ringed else 0.0
        if ring >= RINGS[0] - 1e-6 or not ringed:
            return lamps, math.floor(2 * ring + 1e-6) / 2, ""
        return {}, 0.0, f"light rings of {RINGS[0]:g} mm need {RINGS[0] - ring:.1f} mm more between stations"

    lamps, ring, why = try_out(middles)
    if not why:
        return lamps, ring
    narrow, wide = math.floor(board.mm), 2 * _WIDEST
    while wide - narrow > 1:
        middle = (narrow + wide) // 2
        scale = middle / board.mm
        fits = not try_out({station: (x * scale, y * scale) for station, (x, y) in middles.items()})[2]
        narrow, wide = (narrow, middle) if fits else (middle, wide)
    raise board.too_narrow(why, wide)


def _ring(reeds: _Places, lamps: _Places) -> float:
    """Return the largest diameter of light rings for which neighbouring rings and lamps leave room."""
    nearest = min(math.dist(one, other) for one, other in combinations(reeds.values(), 2))
    foreign = min(math.dist(reeds[one], lamps[other]) for one in reeds for other in lamps if one != other)
    return min(nearest - WALL, 2 * (foreign - WALL) - DIAMETERS[Cut.LIGHT], RINGS[1])


def _lamps(reeds: _Places) -> tuple[_Places, list[int]]:
    """Return where each station's lamp is, and the neighbouring stations that have no room for their lamps."""
    near: dict[int, list[int]] = {station: [] for station in reeds}
    within = 2 * PITCH + DIAMETERS[Cut.LAMP] + WALL
    for one, other in combinations(reeds, 2):
        if math.dist(reeds[one], reeds[other]) < within:
            near[one].append(other)
            near[other].append(one)
    lamps: _Places = {}
    for group in _groups(near):
        if not _place(group, reeds, near, lamps):
            return {}, sorted(group)
    return {station: lamps[station] for station in reeds}, []


def _groups(near: dict[int, list[int]]) -> Iterable[list[int]]:
    """Yield groups of stations whose lamps may be in each other's way, with neighbours one after another."""
    left = dict.fromkeys(near)
    while left:
        first = next(iter(left))
        del left[first]
        group = [first]
        for station in group:
            for other in near[station]:
                if other in left:
                    del left[other]
                    group.append(other)
        yield group


def _place(
    group: Sequence[int],
    reeds: _Places,
    near: dict[int, list[int]],
    lamps: _Places,
) -> bool:
    """Place the lamps of a group. If a lamp has no room, move the previous lamp to another side of its reed.

    Give up after `_MOST_STEPS` attempts, because a crowded group has too many combinations to try.
    """
    tried = [iter(_sides(reeds[station])) for station in group[:1]]
    for _ in range(_MOST_STEPS):
        if not tried:
            break
        station = group[len(tried) - 1]
        lamps.pop(station, None)
        for at in tried[-1]:
            if _has_room(at, near[station], reeds, lamps):
                lamps[station] = at
                break
        else:
            tried.pop()
            continue
        if len(tried) == len(group):
            return True
        tried.append(iter(_sides(reeds[group[len(tried)]])))
    return False


def _sides(reed: tuple[float, float]) -> list[tuple[float, float]]:
    """Return the places where a lamp can be, on a circle around its reed.

    The first is above the reed as players see it; the others follow alternately on both sides.
    """
    x, y = reed
    turns = sorted(range(_SIDES), key=lambda n: min(n, _SIDES - n))
    angles = [2 * math.pi * n / _SIDES - math.pi / 2 for n in turns]
    return [(x + PITCH * math.cos(angle), y + PITCH * math.sin(angle)) for angle in angles]


def _has_room(
    lamp: tuple[float, float],
    near: Iterable[int],
    reeds: _Places,
    lamps: _Places,
) -> bool:
    to_reed, to_lamp = _CLEAR - 1e-9, DIAMETERS[Cut.LAMP] + WALL
    return all(
        math.dist(lamp, reeds[other]) >= to_reed and (other not in lamps or math.dist(lamp, lamps[other]) >= to_lamp)
        for other in near
    )
