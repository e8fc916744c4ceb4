"""Draw the cross-section of a board as a PDF to scale: one station cut open, and the frame.

All sizes come from the board plan and `cross_section`, so this drawing, the drill template and the list of parts
agree. A second page has the nearest two stations from above, the frame in its true size, and the checks with results.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from io import BytesIO
from typing import NamedTuple

from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from firmware_host.maker.board_plan import (
    BOARD,
    DIAMETERS,
    FOIL,
    FOOT,
    FRAME,
    LED,
    PITCH,
    RING,
    SHEET,
    SKIN,
    TILE,
    TILED,
    BoardPlan,
    Cut,
    Hole,
)
from firmware_host.maker.cross_section import (
    BELOW_GLASS,
    GLASS,
    HALL,
    LAMP_BOARD,
    LED_WIDTH,
    MEASURE_FIRST,
    WIRE,
    CutPart,
    Margins,
    check_layout,
    cut_station,
    deepest,
    measure_margins,
    needs_measuring,
)
from firmware_host.maker.paper_pages import MARGIN, PAPERS, draw_bar, write
from firmware_host.maker.switch_reach import BESIDE, MeasuredPair, Switch

_AROUND = (98.0, 47.0)  # millimetres of a page beside a drawn station, for the labels, and above and below it
_HALF = 15.0  # millimetres of the panel that are shown on each side of the station's middle
_FRAME = 131.0  # millimetres of a page for the frame at its true size
_TEXT = 8.0
_LINE = 4.2  # millimetres from label to label
_BACK = 3.0  # thickness of the frame's back
_COLOURS = {
    "wood": (0.87, 0.76, 0.58), "air": (1.0, 1.0, 1.0), "opal": (0.80, 0.90, 1.0), "glass": (0.72, 0.87, 0.76),
    "lamp": (1.0, 0.93, 0.55), "board": (0.45, 0.62, 0.45), "case": (0.3, 0.3, 0.33), "metal": (0.55, 0.58, 0.64),
    "pawn": (0.93, 0.62, 0.55), "paper": (0.98, 0.95, 0.86), "foil": (0.75, 0.85, 0.95), "card": (0.80, 0.72, 0.62),
}  # fmt: skip


class Label(NamedTuple):
    """Words beside a drawing, and the place on the drawn thing to which they point, in mm."""

    text: str
    x: float
    z: float


class _View(NamedTuple):
    """A drawing on a page: its origin in mm from the page's lower left corner, and its scale."""

    canvas: Canvas
    left: float
    top: float
    scale: float

    def at(self, x: float, z: float) -> tuple[float, float]:
        """Return where a place of the drawing is on the page, in points. z goes downwards."""
        return (self.left + x * self.scale) * mm, (self.top - z * self.scale) * mm

    def box(self, box: CutPart) -> None:
        """Draw a part as a filled box with a thin outline."""
        x, y = self.at(box.left, box.bottom)
        self.canvas.setFillColorRGB(*_COLOURS[box.material])
        wide, high = (box.right - box.left) * self.scale * mm, (box.bottom - box.top) * self.scale * mm
        self.canvas.rect(x, y, wide, high, stroke=1, fill=1)
        self.canvas.setFillGray(0)

    def line(self, *places: tuple[float, float]) -> None:
        """Draw a line through these places."""
        path = self.canvas.beginPath()
        path.moveTo(*self.at(*places[0]))
        for place in places[1:]:
            path.lineTo(*self.at(*place))
        self.canvas.drawPath(path)

    def words(self, x: float, z: float, text: str, *, aside: float = 0.0, down: float = 0.0) -> None:
        """Write the text of a dimension line at a place, moved by some mm of the page."""
        left, y = (place / mm for place in self.at(x, z))
        wide = stringWidth(text, "Helvetica", _TEXT - 1) / mm + 0.6
        self.canvas.setFillGray(1)
        self.canvas.rect((left + aside - wide / 2) * mm, (y - down - 0.5) * mm, wide * mm, 2.7 * mm, stroke=0, fill=1)
        self.canvas.setFillGray(0)
        write(self.canvas, left + aside, y - down, text, _TEXT - 1, centred=True)

    def measure(self, one: tuple[float, float], other: tuple[float, float], text: str) -> None:
        """Draw a dimension line in any direction, with arrows, and its text in the middle."""
        self._arrows(one, other)
        if text:
            self.words((one[0] + other[0]) / 2, (one[1] + other[1]) / 2, text, down=0.9)

    def across(self, left: float, right: float, z: float, text: str) -> None:
        """Draw a horizontal dimension line with arrows, and its text above."""
        self._arrows((left, z), (right, z))
        self.words((left + right) / 2, z, text, down=-0.9)

    def upright(self, top: float, bottom: float, x: float, text: str) -> None:
        """Draw a vertical dimension line with arrows, and its text at the left."""
        self._arrows((x, top), (x, bottom))
        self.words(x, (top + bottom) / 2, text, aside=-1.5 - 0.75 * len(text), down=0.9)

    def _arrows(self, one: tuple[float, float], other: tuple[float, float]) -> None:
        self.canvas.setLineWidth(0.35)
        self.line(one, other)
        angle = math.atan2(other[1] - one[1], other[0] - one[0])
        size = min(1.4 / self.scale, math.dist(one, other) / 2)
        for (x, z), sign in ((one, 1), (other, -1)):
            for turn in (-0.35, 0.35):
                dx, dz = sign * size * math.cos(angle + turn), sign * size * math.sin(angle + turn)
                self.line((x, z), (x + dx, z + dz))


def scale_of(plan: BoardPlan, page: tuple[float, float]) -> float:
    """Return the scale at which a station fills a page of this width and height."""
    tall = deepest(plan) - min(part.top for part in cut_station(plan))
    wide, high = page[0] - 2 * MARGIN - _AROUND[0], page[1] - _AROUND[1]
    return float(math.floor(min(wide / (2 * _HALF), high / tall)))


def draw_section_pdf(plan: BoardPlan, paper: str) -> bytes:
    """Return the cross-section of a board as a PDF of two pages.

    Args:
        plan: the board.
        paper: one of `PAPERS`; "sheet" is drawn on A4.

    Raises:
        BoardTooSmall: something under a station does not fit; the message says what and by how much.
    """
    check_layout(plan)
    size = landscape(PAPERS[paper] or A4)
    file = BytesIO()
    canvas = Canvas(file, pagesize=size, invariant=1)
    canvas.setTitle(f"Cross-section: {plan.title}")
    page = size[0] / mm, size[1] / mm
    _draw_station(canvas, plan, page)
    _draw_frame(canvas, plan, page)
    canvas.save()
    return file.getvalue()


def _head(canvas: Canvas, page: tuple[float, float], title: str, *words: str) -> None:
    write(canvas, MARGIN, page[1] - MARGIN - 1, title, 13, bold=True)
    for number, line in enumerate(words):
        write(canvas, MARGIN, page[1] - MARGIN - 6 - 4.2 * number, line, 9)
    draw_bar(canvas, page[0])


# ---- the first page ----


def _draw_station(canvas: Canvas, plan: BoardPlan, page: tuple[float, float]) -> None:
    """Draw a station cut open through its switch and its lamp, with all its measures."""
    kind = "reed upright in the middle, lamp beside it" if plan.switch is Switch.REED else "Hall switch under the lamp"
    ring = f", under a {plan.cover.name}" if plan.cover.opaque else ", under a light ring" if plan.of(Cut.RING) else ""
    scale = scale_of(plan, page)
    _head(
        canvas,
        page,
        f"Cross-section of a station, {scale:g} : 1",
        f"{plan.title}: {kind}{ring}",
        "All measures are in millimetres. The bar below is 100.0 mm long if the page has its true size.",
    )
    boxes = cut_station(plan, _HALF)
    above = -min(box.top for box in boxes)
    view = _View(canvas, MARGIN + 10 + _HALF * scale, page[1] - MARGIN - 17 - above * scale, scale)
    canvas.setLineWidth(0.3)
    for box in boxes:
        view.box(box)
    if plan.switch is Switch.REED:
        _draw_reed_wires(view, plan.bend)
    _draw_measures(view, plan)
    _draw_labels(view, _labels(plan), MARGIN + 16 + 2 * _HALF * scale, page[1] - MARGIN - 20)
    canvas.showPage()


def _draw_reed_wires(view: _View, bend: float) -> None:
    """Draw both wires of a reed. The upper one turns back and goes down beside the glass."""
    aside, axis, end = -GLASS[0] / 2, WIRE / 2, bend + GLASS[1]  # together in the middle of the hole
    view.canvas.setLineWidth(WIRE * view.scale * mm)
    view.canvas.setStrokeColorRGB(*_COLOURS["metal"])
    view.line((axis, bend), (axis, WIRE / 2), (aside, WIRE / 2), (aside, end + BELOW_GLASS))
    view.line((axis, end), (axis, end + BELOW_GLASS))
    view.canvas.setStrokeGray(0)


def _draw_measures(view: _View, plan: BoardPlan) -> None:
    """Draw the dimension lines: vertical ones at the left of the switch, horizontal ones below the panel."""
    canvas, top = view.canvas, -plan.cover.thickness
    reed = plan.switch is Switch.REED
    canvas.setDash(0.8 * mm, 0.8 * mm)
    canvas.setLineWidth(0.25)
    pawn = top - FOOT - plan.pair.magnet[1]
    for x in (-BESIDE, BESIDE):
        view.line((x, pawn - 2), (x, top))
    canvas.setDash()
    view.across(0, BESIDE, pawn - 0.6, f"{BESIDE:g}")
    view.upright(0, plan.thickness, -11.5, f"{plan.thickness:g}")
    if plan.thickness > SKIN:
        view.upright(0, SKIN, 13.9, f"{SKIN:g}")
    lamp = PITCH if reed else 0.0
    rows: list[tuple[float, float, str]] = []
    light, pocket = DIAMETERS[Cut.LIGHT] / 2, DIAMETERS[Cut.LAMP] / 2
    if reed:
        rows.append((0.0, lamp, f"{PITCH:g}"))
    rows.append((lamp - light, lamp + light, f"Ø {2 * light:g}"))
    if plan.of(Cut.LAMP):
        rows.append((lamp - pocket, lamp + pocket, f"Ø {2 * pocket:g}"))
    start = max(plan.thickness, SKIN + LED + BOARD) + 2.4 if reed else deepest(plan) + 2.4
    for number, (left, right, text) in enumerate(rows):
        z = start + 2.0 * number
        canvas.setLineWidth(0.15)
        for x in (left, right):
            view.line((x, plan.thickness if x else start - 1.4), (x, z + 0.3))
        view.across(left, right, z, text)
    for ring in plan.of(Cut.RING)[:1]:
        z = -plan.cover.thickness - 1.6
        canvas.setLineWidth(0.15)
        for x in (-ring.width / 2, ring.width / 2):
            view.line((x, 0), (x, z - 0.3))
        view.measure((-ring.width / 2, z), (ring.width / 2, z), "")
        view.words(-ring.width / 2, z, f"Ø {ring.width:g}", aside=-6, down=0.9)
    height = plan.magnet_height
    magnet, switch = top - FOOT, top - FOOT + height
    x = -7.6
    canvas.setLineWidth(0.15)
    for z, inner in ((magnet, -plan.pair.magnet[0] / 2), (switch, -GLASS[0] / 2 + 0.2 if reed else -HALL[0] / 2)):
        view.line((x - 0.3, z), (inner, z))
    if reed:
        view.upright(plan.bend, plan.bend + GLASS[1], -4.6, f"{GLASS[1]:g}")
        view.line((-4.9, plan.bend + GLASS[1]), (-GLASS[0] / 2, plan.bend + GLASS[1]))
    view.upright(magnet, switch, x, f"{height:.2f}".rstrip("0").rstrip("."))


def _labels(plan: BoardPlan) -> list[Label]:
    """Return a label for each part: what it is, its material, and its thickness."""
    diameter, length = plan.pair.magnet
    size = f"Ø {diameter:g} × {length:g}"
    measured = isinstance(plan.pair, MeasuredPair)
    magnet = f"your magnet, drawn with {size}" if measured else f"magnet, neodymium, {size}"
    top = -plan.cover.thickness
    height = plan.magnet_height
    lamp = PITCH if plan.switch is Switch.REED else 0.0
    left = f"; {SKIN:g} are left above the lamp" if plan.thickness > SKIN else ""
    panel = f"panel, plywood, {plan.thickness:g}{left}"
    found = [
        Label(f"pawn, its foot at most Ø 10; {FOOT:g} of paint or paper under the magnet", 4.5, top - 3.5),
        Label(f"{magnet}, upright, all with the same pole down",
              diameter / 2 - 0.2, top - FOOT - 0.75 * length),
    ]  # fmt: skip
    if plan.cover.opaque:
        sheets = f"tile: card or plywood of {TILE:g} with a print of {SHEET:g} on both sides"
        words = sheets if plan.cover is TILED else f"your board, {plan.cover.thickness:g}, glued on"
        hole = f"hole in the {plan.cover.name}, Ø {DIAMETERS[Cut.LIGHT]:g}: no light guide"
        found += [Label(words, 13.0, top / 2), Label(hole, lamp + 1, top + 0.4)]
    else:
        found.append(Label(f"printed map: paper {SHEET:g} and foil {FOIL:g}, glued on", 13.0, top / 2))
    for ring in plan.of(Cut.RING)[:1]:
        hole = f", with the reed's hole Ø {DIAMETERS[Cut.REED]:g}" if plan.switch is Switch.REED else ""
        found.append(
            Label(f"light ring, opal acrylic, Ø {ring.width:g} × {RING:g}{hole}", ring.width / 2 - 0.8, RING / 2)
        )
    found += [
        Label(panel, 14.3, plan.thickness - 1.4),
        Label(f"lamp WS2812B, {LED_WIDTH:g} × {LED_WIDTH:g} × {LED:g}", lamp + 2, SKIN + LED / 2),
        Label(f"its round board, Ø {LAMP_BOARD:g} × {BOARD:g}, glued on", lamp + 4.5, SKIN + LED + BOARD / 2),
    ]
    if plan.switch is Switch.REED:
        found += [
            Label(f"{plan.pair.switch_name}, glass Ø {GLASS[0]:g} × {GLASS[1]:g}",
                  GLASS[0] / 2 - 0.2, plan.bend + GLASS[1] - 2.5),
            Label(f"its wires, Ø {WIRE:g}: the upper one is straight for {plan.bend:g}, then goes back",
                  0.2, plan.bend + GLASS[1] + BELOW_GLASS - 1),
        ]  # fmt: skip
    else:
        found += [
            Label(f"{plan.pair.switch_name}, flat TO-92, glued under the board", HALL[0] / 2 - 0.3,
                  SKIN + LED + BOARD + 0.6 + HALL[1] - 0.3),
        ]  # fmt: skip
    name = "reed" if plan.switch is Switch.REED else "Hall switch"
    most = "as measured" if isinstance(plan.pair, MeasuredPair) else f"at most {plan.pair.height:.2f}"
    return [*found, Label(f"from the magnet to the {name}: {height:.2f}, {most}", math.nan, 99)]


def _draw_labels(view: _View, labels: Sequence[Label], left: float, top: float) -> None:
    """Write labels in a column, from top to bottom, each with a line to the place that it explains."""
    canvas = view.canvas
    y = top
    for label in sorted(labels, key=lambda one: one.z):
        if math.isnan(label.x):
            write(canvas, left, y - 2, label.text, _TEXT, bold=True)
            break
        x, place = view.at(label.x, label.z)
        y = min(y, place / mm)
        write(canvas, left, y - 1, label.text, _TEXT)
        canvas.setLineWidth(0.25)
        canvas.line((left - 1) * mm, y * mm, x, place)
        canvas.circle(x, place, 0.4 * mm, stroke=0, fill=1)
        y -= _LINE
    canvas.setFillGray(0)


# ---- the second page ----


def _draw_frame(canvas: Canvas, plan: BoardPlan, page: tuple[float, float]) -> None:
    """Draw the second page: the two nearest stations from above, the frame at its true size, and the checks."""
    margins = measure_margins(plan)
    shown = "one tile" if plan.cover is TILED else f"the nearest stations, {' and '.join(margins.nearest)},"
    _head(
        canvas,
        page,
        "From above, and the frame",
        f"{plan.title}: {shown} from above, and the frame cut open",
    )
    head = page[1] - MARGIN - 16
    room = page[0] - 2 * MARGIN - _FRAME, page[1] - 98
    (_draw_tile if plan.cover is TILED else _draw_nearest)(canvas, plan, margins, (MARGIN, head), room)
    left, top = page[0] - MARGIN - _FRAME + 12, page[1] - MARGIN - 44
    _draw_depth(_View(canvas, left, top, 1.0), plan, head)
    y = MARGIN + 27
    for line in _checked(plan, margins):
        write(canvas, MARGIN, y, line, 9)
        y -= 5
    canvas.showPage()


def _draw_nearest(
    canvas: Canvas, plan: BoardPlan, margins: Margins, corner: tuple[float, float], room: tuple[float, float]
) -> None:
    """Draw the holes of the two nearest stations from above, as large as the room allows."""
    holes = [hole for hole in plan.holes if hole.name in margins.nearest and hole.cut is not Cut.KEY]
    left = min(hole.x - hole.width / 2 for hole in holes)
    top = min(hole.y - hole.width / 2 for hole in holes)
    right = max(hole.x + hole.width / 2 for hole in holes)
    bottom = max(hole.y + hole.width / 2 for hole in holes)
    most = min(room[0] / (right - left), room[1] / (bottom - top), 10.0)
    scale = float(math.floor(most)) if most >= 1 else next(n for n in (0.5, 0.25, 0.1) if n < most)
    size = f"{scale:g} : 1" if scale >= 1 else f"1 : {1 / scale:g}"
    rings = "rings, and inside them the reeds' holes" if plan.switch is Switch.REED else "rings over the lamps"
    rings = rings if plan.of(Cut.RING) else "reeds' holes"
    pockets = "; dashed the lamps' pockets" if plan.of(Cut.LAMP) else ""
    write(canvas, corner[0], corner[1], f"From above, {size}: {rings}; lights{pockets}", 9)
    view = _View(canvas, corner[0] - left * scale, corner[1] - 6 + top * scale, scale)
    _draw_holes(view, holes)
    one, other = (plan.middles()[name] for name in margins.nearest)
    view.measure(one, other, f"{margins.apart:.1f}")
    for name, place in zip(margins.nearest, (one, other), strict=True):
        view.words(*place, name, down=DIAMETERS[Cut.REED] / 2 * scale + 3.2)


def _draw_tile(
    canvas: Canvas, plan: BoardPlan, margins: Margins, corner: tuple[float, float], room: tuple[float, float]
) -> None:
    """Draw a tile from above, over its four reeds and lamps."""
    side = 2 * margins.apart
    scale, size = (1.0, "1 : 1") if side < min(room) else (0.75, "3 : 4")
    write(canvas, *corner, f"A tile from above, {size}, over four reeds and, dashed, the pockets of their lamps", 9)
    left, top = (min(at[axis] for at in plan.middles().values()) - margins.apart / 2 for axis in (0, 1))
    view = _View(canvas, corner[0] - left * scale, corner[1] - 6 + top * scale, scale)
    canvas.setLineWidth(0.6)
    view.line((left, top), (left + side, top), (left + side, top + side), (left, top + side), (left, top))
    cuts = (Cut.REED, Cut.LIGHT, Cut.LAMP)
    middles = plan.middles()
    mine = [name for name, (x, y) in middles.items() if x < left + side and y < top + side]
    _draw_holes(view, [hole for hole in plan.holes if hole.name in mine and hole.cut in cuts])
    for name in mine:
        view.words(*middles[name], name, down=4.6)
    view.measure(middles[mine[0]], middles[mine[1]], f"{margins.apart:.1f}")


def _draw_holes(view: _View, holes: Sequence[Hole]) -> None:
    """Draw round holes from above, with the pockets of lamps dashed."""
    view.canvas.setLineWidth(0.4)
    for hole in sorted(holes, key=lambda one: -one.width):
        view.canvas.setDash(*((0.8 * mm, 0.8 * mm) if hole.cut is Cut.LAMP else ()))
        view.canvas.circle(*view.at(hole.x, hole.y), hole.width / 2 * view.scale * mm)
    view.canvas.setDash()


def _draw_depth(view: _View, plan: BoardPlan, head: float) -> None:
    """Draw the frame from the side at its true size: panel, one station, room for boards and wires, and back."""
    half, inside = 40.0, plan.thickness + FRAME
    canvas = view.canvas
    view = view._replace(left=view.left + half + 4)
    write(canvas, view.left - half, head, "The frame, 1 : 1", 9)
    canvas.setLineWidth(0.3)
    for box in (
        CutPart("left side", "wood", -half - 4, -half, 0.0, inside + (0.0 if plan.on_one_a3 else _BACK)),
        *cut_station(plan, half),
    ):
        view.box(box)
    if not plan.on_one_a3:  # a small board is open below
        view.box(CutPart("back", "wood", -half, half, inside, inside + _BACK))
        view.words(0, inside + _BACK, f"back, plywood of {_BACK:g}, screwed on; no steel near a switch", down=4)
    if plan.switch is Switch.REED:
        _draw_reed_wires(view, plan.bend)
    canvas.setLineWidth(0.35)
    view.upright(plan.thickness, inside, -28.0, f"{FRAME:g}")
    view.upright(0, deepest(plan), 28.0, f"{deepest(plan):.1f}")
    view.line((-1, deepest(plan)), (28.5, deepest(plan)))
    view.words(0, inside, "modules on standoffs, ducts, wires" if not plan.on_one_a3 else "wires", down=-8)


def _checked(plan: BoardPlan, margins: Margins) -> list[str]:
    """Return sentences about the checks of `find_faults`, and about how much the board has to spare."""
    (one, other), spare = margins.nearest, margins.apart - BESIDE
    measured = isinstance(plan.pair, MeasuredPair)
    closes, opens = ("closed", "had opened") if measured else ("closes", "has opened")
    source = "These distances are from data sheets; measure yours: yardboard measure."
    if measured:
        source = "These distances were measured in place."
    elif needs_measuring(plan):
        source = MEASURE_FIRST
    return [
        f"Checked for all {margins.pairs} pairs of stations: no hole or part meets another.",
        f"The least wood between holes of two stations: {margins.wood:.2f} mm.",
        f"{plan.pair}: {closes} up to {plan.reach.closes:.1f} mm beside the middle; {BESIDE:g} mm are needed.",
        f"It {opens} at {plan.reach.opens:.1f} mm; a pawn on station {other} is at least {spare:.1f} mm from {one}.",
        source,
    ]
