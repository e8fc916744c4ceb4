"""Draw a board's drill template at its true size, as pages to glue on wood or as a drawing for a machine.

The PDF begins with a page that shows where each other page belongs. Each further page shows a part of the panel,
overlaps its neighbours, and has cutting marks and a bar to check the scale. The DXF has the same holes. Each kind of
hole has its own layer, because it needs its own tool. The same plan always gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import replace
from io import BytesIO, StringIO

import ezdxf
from ezdxf.document import Drawing
from ezdxf.enums import TextEntityAlignment
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from firmware_host.maker.board_plan import DIAMETERS, FROM_ABOVE, FROM_BELOW, BoardPlan, Cut, Hole
from firmware_host.maker.paper_pages import MARGIN, PagePart, Paging, divide_sheet, draw_bar, draw_marks, write
from firmware_host.maker.switch_reach import Switch

_GREY, _BLACK = 0.55, 0.0
_NAMED = frozenset({Cut.REED, Cut.KEY, Cut.SCREEN})
_WORDS = {
    Cut.REED: "reed, upright: drill through",
    Cut.LIGHT: "light of a lamp: drill through",
    Cut.LAMP: "lamp's board: pocket from below, as deep as leaves 3 mm",
    Cut.RING: "light ring: pocket from above, 2 mm deep",
    Cut.KEY: "key of the table: drill through",
    Cut.SCREW: "screw M4: drill through",
    Cut.SCREEN: "public screen: saw through",
    Cut.OUTLINE: "edge of the panel",
}
_COLOURS = {
    Cut.REED: 1, Cut.LIGHT: 30, Cut.LAMP: 5, Cut.RING: 2, Cut.KEY: 3, Cut.SCREW: 6, Cut.SCREEN: 4, Cut.OUTLINE: 7,
}  # fmt: skip
"""The colour of each layer, in AutoCAD's numbers."""


def mirrored(plan: BoardPlan) -> BoardPlan:
    """Return a plan as seen from below, for drilling from below."""
    holes = tuple(replace(hole, x=plan.width - hole.x) for hole in plan.holes)
    return replace(plan, holes=holes, print_left=plan.width - plan.print_left - plan.print_width)


# ---- PDF ----


def draw_pdf(plan: BoardPlan, paper: str, *, below: bool = False) -> bytes:
    """Return the template as a PDF at its true size.

    Args:
        plan: the board.
        paper: one of `PAPERS`.
        below: whether to draw the panel as seen from below, for drilling from there.
    """
    shown = mirrored(plan) if below else plan
    paging = divide_sheet(plan.width, plan.height, paper)
    file = BytesIO()
    canvas = Canvas(file, pagesize=_points(paging.page), invariant=1)
    canvas.setTitle(f"Drill template: {plan.title}")
    side = "seen from below" if below else "seen from above"
    hidden = FROM_ABOVE if below else FROM_BELOW
    if len(paging.parts) > 1:
        _draw_overview(canvas, shown, paging, side, hidden)
    for part in paging.parts:
        draw_part(canvas, shown, paging, part, side, hidden)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def _points(size: tuple[float, float]) -> tuple[float, float]:
    return size[0] * mm, size[1] * mm


def _draw_overview(canvas: Canvas, plan: BoardPlan, paging: Paging, side: str, hidden: AbstractSet[Cut]) -> None:
    """Draw the first page: how to use the template, what each line means, and a small map of the pages."""
    wide, high = paging.page
    y = high - MARGIN - 6
    write(canvas, MARGIN, y, plan.title, 15, bold=True)
    lines = [
        f"Drill template, {side}: panel {plan.width:.1f} × {plan.height:.1f} mm, {len(paging.parts)} pages",
        "Print at 100 %, not fitted to the page. The bar on each page must be 100.0 mm long: measure it first.",
        "Cut each page along two of its marks and lay it over its neighbours: all crosses must meet.",
        plan.limit,
    ]
    for line in lines:
        y -= 6
        write(canvas, MARGIN, y, line, 9)
    y -= 5
    for cut in Cut:
        count = len(plan.of(cut))
        if not count and cut is not Cut.OUTLINE:
            continue
        y -= 6.5
        sample = next(iter(plan.of(cut)), None)
        if sample is not None:
            size = min(1.0, 5.5 / max(sample.width, sample.height))
            small = replace(sample, width=sample.width * size, height=sample.height * size)
            _draw_hole(canvas, small, MARGIN + 4, y + 1, hidden, named=False)
        else:
            canvas.line((MARGIN + 1) * mm, (y + 1) * mm, (MARGIN + 7) * mm, (y + 1) * mm)
        measure = "" if sample is None else f" ({_measure(sample)}, {count})"
        write(canvas, MARGIN + 11, y, f"{_WORDS[cut]}{measure}", 9)
    if wide > high:
        _draw_page_map(canvas, plan, paging, MARGIN + 130, high - MARGIN - 36)
    else:
        _draw_page_map(canvas, plan, paging, MARGIN, y - 6)
    draw_bar(canvas, wide)
    canvas.showPage()


def _measure(hole: Hole) -> str:
    return f"{hole.width:g} × {hole.height:g} mm" if hole.height else f"Ø {hole.width:g} mm"


def _draw_page_map(canvas: Canvas, plan: BoardPlan, paging: Paging, start: float, top: float) -> None:
    """Draw a small map that shows where each page is on the panel."""
    wide, bottom = paging.page[0] - MARGIN - start, MARGIN + 10
    scale = min(wide / plan.width, (top - bottom) / plan.height)
    left = start + (wide - plan.width * scale) / 2
    canvas.setLineWidth(0.6)
    canvas.rect(left * mm, (top - plan.height * scale) * mm, plan.width * scale * mm, plan.height * scale * mm)
    canvas.setLineWidth(0.25)
    for x, y in plan.middles().values():
        canvas.circle((left + x * scale) * mm, (top - y * scale) * mm, 0.4 * mm, stroke=0, fill=1)
    for part in paging.parts:
        x, y = left + part.left * scale, top - part.top * scale
        canvas.setStrokeGray(_GREY)
        canvas.rect(x * mm, (y - part.height * scale) * mm, part.width * scale * mm, part.height * scale * mm)
        middle = x + part.width * scale / 2, y - part.height * scale / 2
        canvas.setStrokeGray(_BLACK)
        canvas.setFillGray(1)
        canvas.circle(middle[0] * mm, middle[1] * mm, 5 * mm, stroke=1, fill=1)
        canvas.setFillGray(_BLACK)
        write(canvas, middle[0], middle[1] - 1.6, part.name, 12, bold=True, centred=True)


def draw_part(
    canvas: Canvas, plan: BoardPlan, paging: Paging, part: PagePart, side: str, hidden: AbstractSet[Cut]
) -> None:
    """Draw the part of the template that is on one page.

    Args:
        canvas: where to draw.
        plan: the board, mirrored if it is seen from below.
        paging: the pages.
        part: the part of this page.
        side: the side from which the panel is seen, in words.
        hidden: the cuts from the other side, which are dashed.
    """
    wide, high = paging.page
    left, foot = (wide - part.width) / 2, (high - part.height) / 2

    def at(x: float, y: float) -> tuple[float, float]:
        return left + x - part.left, foot + part.height - (y - part.top)

    canvas.saveState()
    edge = canvas.beginPath()
    edge.rect(left * mm, foot * mm, part.width * mm, part.height * mm)
    canvas.clipPath(edge, stroke=0, fill=0)
    canvas.setLineWidth(0.4)
    x, y = at(0, plan.height)
    canvas.rect(x * mm, y * mm, plan.width * mm, plan.height * mm)
    x, y = at(plan.print_left, plan.print_top + plan.print_height)
    canvas.setDash(1.5 * mm, 1.5 * mm)
    canvas.setStrokeGray(_GREY)
    canvas.rect(x * mm, y * mm, plan.print_width * mm, plan.print_height * mm)
    canvas.setDash()
    canvas.setStrokeGray(_BLACK)
    for hole in _on(plan, part):
        _draw_hole(canvas, hole, *at(hole.x, hole.y), hidden, named=_is_named(plan, hole))
    canvas.restoreState()
    draw_marks(canvas, left, foot, part)
    draw_bar(canvas, wide)
    name = f"{part.name}: {plan.title}, {side}" if len(paging.parts) > 1 else f"{plan.title}, {side}"
    write(canvas, wide / 2, high - MARGIN / 2 - 1, name, 8, centred=True)


def _on(plan: BoardPlan, part: PagePart) -> Iterable[Hole]:
    """Yield the holes of which a part is on a page."""
    for hole in plan.holes:
        wide, high = hole.width / 2, (hole.height or hole.width) / 2
        beside = hole.x + wide < part.left or hole.x - wide > part.left + part.width
        if not beside and hole.y + high >= part.top and hole.y - high <= part.top + part.height:
            yield hole


def _draw_hole(canvas: Canvas, hole: Hole, x: float, y: float, hidden: AbstractSet[Cut], *, named: bool) -> None:
    """Draw a hole with a cross in its middle, around a place on the page in mm.

    Pockets have no cross. Those that are milled from the other side are dashed.
    """
    canvas.setLineWidth(0.3)
    if hole.cut in hidden:
        canvas.setDash(0.8 * mm, 0.8 * mm)
    if hole.height:
        canvas.rect((x - hole.width / 2) * mm, (y - hole.height / 2) * mm, hole.width * mm, hole.height * mm)
    else:
        canvas.circle(x * mm, y * mm, hole.width / 2 * mm)
    canvas.setDash()
    if hole.cut not in FROM_BELOW | FROM_ABOVE:
        arm = min(1.0, hole.width / 3)
        canvas.setLineWidth(0.15)
        canvas.line((x - arm) * mm, y * mm, (x + arm) * mm, y * mm)
        canvas.line(x * mm, (y - arm) * mm, x * mm, (y + arm) * mm)
    if named:
        window = hole.name.startswith("log")
        size = DIAMETERS[Cut.LAMP] if window else hole.height or hole.width
        below = 2.2 if hole.cut is Cut.LIGHT and not window else 2.8  # inside the pocket of the lamp
        write(canvas, x, y - size / 2 - below, hole.name, 6.5, centred=True)


def _is_named(plan: BoardPlan, hole: Hole) -> bool:
    """Return whether a hole's name is written below it. Only one hole of a station has its name."""
    lights = plan.switch is Switch.HALL or hole.name.startswith("log")
    return hole.cut in _NAMED or (hole.cut is Cut.LIGHT and lights)


# ---- DXF ----


def draw_dxf(plan: BoardPlan, *, below: bool = False) -> str:
    """Return the template as a DXF file for mills and lasers, in mm from the panel's lower left corner.

    Each `Cut` is a layer; "names" has the stations' numbers and the names of keys, which no tool follows.

    Args:
        plan: the board.
        below: whether to draw the panel as seen from below.
    """
    fixed, ezdxf.options.write_fixed_meta_data_for_testing = ezdxf.options.write_fixed_meta_data_for_testing, True
    try:  # with this option it writes no times and no random names
        file = StringIO()
        _dxf_of(mirrored(plan) if below else plan).write(file)
    finally:
        ezdxf.options.write_fixed_meta_data_for_testing = fixed
    return file.getvalue()


def _dxf_of(plan: BoardPlan) -> Drawing:
    drawing = ezdxf.new("R2010", units=ezdxf.units.MM)
    for name in ("ACDBPLACEHOLDER", "LAYOUT"):  # ezdxf adds these in the order of a set: the bytes would not repeat
        drawing.classes.add_class(name)
    for cut in Cut:
        drawing.layers.add(cut, color=_COLOURS[cut])
    drawing.layers.add("names", color=8)
    space = drawing.modelspace()

    def rectangle(cut: Cut, left: float, top: float, wide: float, high: float) -> None:
        corners = [(left, top), (left + wide, top), (left + wide, top + high), (left, top + high)]
        space.add_lwpolyline([(x, plan.height - y) for x, y in corners], close=True, dxfattribs={"layer": cut})

    rectangle(Cut.OUTLINE, 0, 0, plan.width, plan.height)
    for hole in plan.holes:
        at = hole.x, plan.height - hole.y
        if hole.height:
            rectangle(hole.cut, hole.x - hole.width / 2, hole.y - hole.height / 2, hole.width, hole.height)
        else:
            space.add_circle(at, hole.width / 2, dxfattribs={"layer": hole.cut})
        if _is_named(plan, hole):
            text = space.add_text(hole.name, height=2, dxfattribs={"layer": "names"})
            text.set_placement(
                (at[0], at[1] - (hole.height or hole.width) / 2 - 2.5), align=TextEntityAlignment.MIDDLE_CENTER
            )
    return drawing
