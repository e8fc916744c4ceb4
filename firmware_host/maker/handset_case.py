"""Plan the handset's case and build its two parts for a 3-D printer: the front with the keys, and the lid.

The screen is in the middle of the front, with keys at its left and right. The lid carries a Raspberry Pi Pico behind
the screen, with its USB socket at the upper edge, and a tongue on which a cable tie holds the cable. Four screws at the
corners close the case. A handset without a Pico leads its wires through the same opening.

Places are millimetres from the middle of the front: x to the right and y up, as Mister X sees it, z towards Mister X.
The front's face is at z = 0. `front` and `lid` return the parts as they are in the closed case, `printed` as they lie
on the printer.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from firmware_host.config.drivers.buttons_driver import keys_on_pico
from firmware_host.config.loader import Config
from firmware_host.maker.board_plan import DIAMETERS, Cut
from firmware_host.maker.maker_errors import BadScreen, NoHandset

if TYPE_CHECKING:
    from manifold3d import Manifold

WALL, FACE, LID = 2.0, 2.4, 3.0
"""Thickness of the side walls, of the front's face and of the lid."""
LEAST = 1.2
"""The least thickness of anything: three lines of a printer with a nozzle of 0.4 mm."""
PLAY = 0.2
"""The gap between the lid's lip and the walls."""
DEPTH = 24.0
"""Depth of the room behind the face, for a button with its contacts and the bend of its wires."""

COLUMN = 21.0
"""Width of the room for keys at each side of the screen."""
KEY_PITCH = 18.0
"""Distance from key to key; the nut of a button measures 16 mm."""
KNOB = 7.2
"""The hole for the threaded neck of a rotary encoder."""
KEYS = ("up", "select", "down", "peek", "back")
_RIGHT, _LEFT = ("up", "select", "down"), ("peek", "back")

PICO = (21.0, 51.0)
"""Width and length of a Raspberry Pi Pico."""
PICO_HOLES = (11.4, 47.0)
"""Distances between its holes, across and along."""
_PICO_POST = 3.0  # its height above the lid
_PICO_BESIDE = 1.0  # from the wall to its edge with the socket
USB = (12.5, 9.6)
"""The opening for a micro-USB plug with its sleeve: width, and height above the lid's inner side."""
TONGUE = (17.0, 16.0)
"""Width of the tongue, and how far it sticks out."""

SLOT = (1.8, 4.0)
"""Width and length of the slots for a cable tie of 3.6 mm."""

SCREW, HEAD, PILOT = 3.4, 6.5, 2.5
"""Diameters for the case's self-tapping screws of 3 mm: their hole, their head, and the hole that they cut into."""
SMALL_PILOT = 1.7
"""Diameter of the hole into which an M2 screw cuts: four for the screen, four for the Pico."""

_LARGEST_BOARD = 100.0  # millimetres of a screen's board; a handset with a larger one suits no hand
_CORNER = 6.0  # radius of the outer corners
_EDGE = 1.0  # chamfer of the front's outer edge and of its window
_BOSS, _BOSS_IN = 7.5, 3.0  # diameter of the pillars for the screws, and how far their middle is from both walls
_SCREEN_POST, _PICO_POST_WIDE = 4.4, 5.0
_ROUND = 48  # corners of a circle
_INTO = 1.0  # how far a post begins inside what it stands on: parts that only touch are no solid


class ScreenBoard(NamedTuple):
    """The circuit board of a small screen.

    Attributes:
        board: its width and height. All attributes are in millimetres.
        holes: the horizontal and the vertical distance between the middles of its four holes.
        window: the width and height of the case's opening for the lit area.
        offset: how far the middle of the lit area is above the middle of the board.
        glass: how far the glass stands out in front of the board.
    """

    board: tuple[float, float]
    holes: tuple[float, float]
    window: tuple[float, float]
    offset: float
    glass: float


SCREENS = {
    "ssd1306": ScreenBoard((27.3, 27.8), (23.5, 23.8), (24.0, 13.0), 1.5, 1.6),
    "sh1106": ScreenBoard((35.4, 33.5), (30.4, 28.5), (32.0, 17.0), 2.0, 1.7),
    "ssd1309": ScreenBoard((72.0, 43.0), (66.0, 38.0), (58.0, 30.0), 1.0, 2.0),
}
"""A screen's chip -> the board of the usual module of 0.96, 1.3 and 2.42 inches. Modules differ: measure yours."""


class KeyPlace(NamedTuple):
    """A key of the handset: its name, its place, and the diameter of its hole."""

    name: str
    x: float
    y: float
    hole: float


@dataclass(frozen=True, slots=True)
class CasePlan:
    """The case of one handset.

    Attributes:
        title: the configuration's name.
        screen: the screen's board.
        keys: the keys; "knob" is a rotary encoder.
        width: the inner width of the case, in millimetres.
        height: its inner height.
    """

    title: str
    screen: ScreenBoard
    keys: tuple[KeyPlace, ...]
    width: float
    height: float

    @property
    def outside(self) -> tuple[float, float, float]:
        """The case's width, height and depth, without the tongue for the cable."""
        return self.width + 2 * WALL, self.height + 2 * WALL, FACE + DEPTH + LID

    @property
    def screws(self) -> list[tuple[float, float]]:
        """The places of the case's four screws."""
        x, y = self.width / 2 - _BOSS_IN, self.height / 2 - _BOSS_IN
        return [(x, y), (-x, y), (-x, -y), (x, -y)]

    @property
    def screen_holes(self) -> list[tuple[float, float]]:
        """The places of the holes in the screen's board."""
        return _corners(*self.screen.holes)

    @property
    def pico_middle(self) -> float:
        """How far the Pico's middle is above the middle of the case."""
        return self.height / 2 - _PICO_BESIDE - PICO[1] / 2

    @property
    def pico_holes(self) -> list[tuple[float, float]]:
        """The places of the holes in the Pico's board."""
        return [(x, y + self.pico_middle) for x, y in _corners(*PICO_HOLES)]

    @property
    def slots(self) -> list[tuple[float, float]]:
        """The places of the two slots for a cable tie, in the tongue."""
        y = self.height / 2 + WALL + TONGUE[1] - 6
        return [(-5.0, y), (5.0, y)]


def plan_case(
    config: Config, board: tuple[float, float] | None = None, holes: tuple[float, float] | None = None
) -> CasePlan:
    """Plan the case of a board's handset.

    Args:
        config: the board's configuration.
        board: the width and height of its screen's board, if they are measured.
        holes: the horizontal and the vertical distance between that board's holes, if they are measured.

    Raises:
        NoHandset: the board has no handset with a screen.
        BadScreen: a board of these measures has no room for its window, its holes, or their posts.
    """
    handset, keys = config.devices["handset"], config.sections["keys"]
    if not handset.driver.real:
        set_to = f'[handset] driver = "{handset.driver.name}"'
        raise NoHandset(f'{set_to}: has no screen to build a case for; write driver = "oled" or "pico"')
    usual = SCREENS[handset.settings.chip]
    screen = usual._replace(board=board or usual.board, holes=holes or usual.holes)
    _check(screen)
    have = {*keys.handset, *(key.removeprefix("handset.") for key in keys_on_pico(config.sections))}
    named = [key for key in KEYS if key in have and not (keys.encoder and key in {"up", "down", "select"})]
    right = ["knob"] if keys.encoder else [key for key in named if key in _RIGHT]
    middle = max(screen.board[0] + 1, PICO[0] + 2)
    width = middle + 2 * COLUMN
    height = max(screen.board[1] + 4, PICO[1] + 2, 2 * KEY_PITCH + 28)
    places = []
    for x, column in ((width / 2 - COLUMN / 2, right), (COLUMN / 2 - width / 2, [k for k in named if k in _LEFT])):
        for n, key in enumerate(column):
            y = KEY_PITCH * ((len(column) - 1) / 2 - n)
            places.append(KeyPlace(key, x, y, KNOB if key == "knob" else DIAMETERS[Cut.KEY]))
    return CasePlan(config.source.rpartition("/")[2], screen, tuple(places), width, height)


def _check(screen: ScreenBoard) -> None:
    """Check that a screen's board has room for its window, and that its holes are beside the window."""
    window = f"the window of {screen.window[0]:g} × {screen.window[1]:g} mm"
    for what, length, pitch, opening in zip(("wide", "high"), screen.board, screen.holes, screen.window, strict=True):
        if not opening + 2 <= length <= _LARGEST_BOARD:
            raise BadScreen(
                f"--screen-board: {length:g} mm {what}; {window} needs a board of {opening + 2:g} to "
                f"{_LARGEST_BOARD:g} mm"
            )
        if not length / 2 <= pitch <= length - 2:
            raise BadScreen(
                f"--screen-holes: {pitch:g} mm apart on a board {length:g} mm {what}, which has room for "
                f"{length / 2:g} to {length - 2:g} mm; measure from the middle of a hole to the middle of the next"
            )
    beside = [window + _SCREEN_POST for window in screen.window]
    if screen.holes[0] < beside[0] and screen.holes[1] < beside[1] + 2 * screen.offset:
        raise BadScreen(
            f"--screen-holes: {screen.holes[0]:g} × {screen.holes[1]:g} mm apart: posts would be behind {window}; "
            f"write {beside[0]:g} mm or more sideways, or {beside[1] + 2 * screen.offset:g} mm or more upwards"
        )


def _corners(width: float, height: float) -> list[tuple[float, float]]:
    return [(x * width / 2, y * height / 2) for x in (1, -1) for y in (1, -1)]


# ---- the two solids ----


def front(plan: CasePlan) -> Manifold:
    """Build the front: its face and walls, pillars for the screws, and posts for the screen."""
    back = -FACE - DEPTH
    solid = _rounded(plan, back, 0, edge=_EDGE) - _rounded(plan, back - 1, -FACE, inset=WALL)
    screen = plan.screen
    for x, y in plan.screws:
        solid += _rod(x, y, _BOSS, back, -FACE + _INTO)
    for x, y in plan.screen_holes:
        solid += _rod(x, y, _SCREEN_POST, -FACE - screen.glass, -FACE + _INTO)
    for x, y in plan.screws:
        solid -= _rod(x, y, PILOT, back - 1, -FACE - DEPTH / 2)
    for x, y in plan.screen_holes:
        solid -= _rod(x, y, SMALL_PILOT, -FACE - screen.glass - 1, -LEAST)
    for key in plan.keys:
        solid -= _rod(key.x, key.y, key.hole, -FACE - 1, 1)
    wide, high = screen.window
    solid -= _box((wide, high, FACE + 2), (0, screen.offset, -FACE / 2))
    solid -= _bevel(wide, high).translate((0, screen.offset, -_EDGE))
    return solid - _box((USB[0], 2 * WALL + 2, USB[1]), (0, plan.height / 2 + WALL, back + USB[1] / 2))


def lid(plan: CasePlan) -> Manifold:
    """Build the lid, with the lip that holds it in place, posts for the Pico, and the tongue for the cable."""
    outer, inner = -FACE - DEPTH - LID, -FACE - DEPTH
    solid = _rounded(plan, outer, inner)
    reach, half = plan.height / 2 + WALL, TONGUE[1] / 2
    solid += _box((TONGUE[0], TONGUE[1] + 4, LID), (0, reach + half - 2, outer + LID / 2))
    solid += _lip(plan, inner)
    for x, y in plan.pico_holes:
        solid += _rod(x, y, _PICO_POST_WIDE, inner - _INTO, inner + _PICO_POST)
    for x, y in plan.pico_holes:
        solid -= _rod(x, y, SMALL_PILOT, outer + LEAST, inner + _PICO_POST + 1)
    for x, y in plan.screws:
        solid -= _rod(x, y, SCREW, outer - 1, inner + 1)
        solid -= _rod(x, y, HEAD, outer - 1, outer + LID - 1.4)
    for x, y in plan.slots:
        solid -= _box((*SLOT, LID + 2), (x, y, outer + LID / 2))
    return solid


def printed(part: Manifold) -> Manifold:
    """Return a part as it lies on the printer: with its flat outer side down at z = 0."""
    low, high = part.bounding_box()[2], part.bounding_box()[5]
    is_front = high > -FACE
    return part.rotate((0, 180, 0)) if is_front else part.translate((0, 0, -low))


def _lip(plan: CasePlan, inner: float) -> Manifold:
    """Return the lid's lip: straight bars just inside the walls, beside the pillars and the plug's opening."""
    thick, high = 1.5, 2.5
    clear = 2 * _BOSS_IN + _BOSS  # of a wall's length, at its two ends together
    x, y = plan.width / 2 - PLAY - thick / 2, plan.height / 2 - PLAY - thick / 2
    z, tall = inner + high / 2 - _INTO / 2, high + _INTO
    side = _box((thick, plan.height - clear, tall), (x, 0, z)) + _box((thick, plan.height - clear, tall), (-x, 0, z))
    below = _box((plan.width - clear, thick, tall), (0, -y, z))
    gap = PICO[0] + 3
    piece = (plan.width - clear - gap) / 2
    ends = [_box((piece, thick, tall), (sign * (gap + piece) / 2, y, z)) for sign in (1, -1)]
    return side + below + ends[0] + ends[1]


def _rounded(plan: CasePlan, low: float, high: float, *, inset: float = 0.0, edge: float = 0.0) -> Manifold:
    """Return a block like the case, smaller by `inset` mm at each side, its upper edge bevelled by `edge` mm."""
    from manifold3d import Manifold  # noqa: PLC0415 - needs the extra

    def slab(inside: float, top: float) -> list[Manifold]:
        x, y, r = plan.width / 2 + WALL - inside, plan.height / 2 + WALL - inside, _CORNER - inside
        return [_rod(sx * (x - r), sy * (y - r), 2 * r, low, top) for sx in (1, -1) for sy in (1, -1)]

    return Manifold.batch_hull([*slab(inset, high - edge), *slab(inset + edge, high)])


def _rod(x: float, y: float, diameter: float, low: float, high: float) -> Manifold:
    from manifold3d import Manifold  # noqa: PLC0415 - needs the extra

    return Manifold.cylinder(high - low, diameter / 2, circular_segments=_ROUND).translate((x, y, low))


def _box(size: tuple[float, float, float], middle: tuple[float, float, float]) -> Manifold:
    from manifold3d import Manifold  # noqa: PLC0415 - needs the extra

    return Manifold.cube(size, center=True).translate(middle)


def _bevel(wide: float, high: float) -> Manifold:
    """Return the solid to cut out so that the window's edges slope outwards by 45 degrees."""
    from manifold3d import CrossSection  # noqa: PLC0415 - needs the extra

    rise = _EDGE + 1
    scale = ((wide + 2 * rise) / wide, (high + 2 * rise) / high)
    return CrossSection.square((wide, high), center=True).extrude(rise, scale_top=scale)


def as_stl(part: Manifold) -> bytes:
    """Return a solid as a binary STL file in mm.

    The triangles are sorted, so that the same solid always gives the same bytes.
    """
    mesh = part.to_mesh()
    corners = [tuple(float(value) for value in row[:3]) for row in mesh.vert_properties]
    triangles = sorted(_from_least(*(corners[n] for n in row)) for row in mesh.tri_verts)
    head = b"yardboard: a part of the handset's case, in millimetres".ljust(80)
    return head + struct.pack("<I", len(triangles)) + b"".join(map(_facet, triangles))


_Point = tuple[float, ...]


def _from_least(*triangle: _Point) -> tuple[_Point, ...]:
    """Return the same triangle, beginning with the corner that has the smallest coordinates."""
    first = triangle.index(min(triangle))
    return triangle[first:] + triangle[:first]


def _facet(triangle: Iterable[_Point]) -> bytes:
    a, b, c = triangle
    u, v = [[end - begin for begin, end in zip(a, other, strict=True)] for other in (b, c)]
    normal = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    length = math.hypot(*normal) or 1.0
    return struct.pack("<12fH", *(each / length for each in normal), *a, *b, *c, 0)
