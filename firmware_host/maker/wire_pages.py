"""Draw the list of wires for the workbench: where each wire runs below the panel, and tables to tick off.

The pictures show the panel from below, as it lies while it is wired, at a scale that fits on a page. Two tables follow:
the wires to buy, and all wires in the order of assembly. Wires that run beside each other share a line.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from io import BytesIO
from itertools import groupby, pairwise
from typing import NamedTuple

from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from firmware_host.maker.board_plan import BoardPlan, Cut
from firmware_host.maker.paper_pages import MARGIN, PAPERS, write
from firmware_host.maker.wire_list import AWG, RAILS, SIGNALS, CutWire, pi_place, totals
from firmware_host.maker.wire_order import Place

_INKS = {
    "black": "#000000", "red": "#d01818", "orange": "#f08000", "brown": "#7a4a1e", "yellow": "#d8b400",
    "green": "#1a8a3a", "blue": "#1e5ad0", "violet": "#8a3ab0", "grey": "#8a8a8a", "white": "#c9c9c9",
    "pink": "#f080b0",
}  # fmt: skip
"""The colour of a wire -> the colour of its line on white paper."""
_CABLE = "#34506a"
_PALE = "#e9eef2"
_HEAD = 26.0  # millimetres at the top of a picture for its title
_ROW = 4.6  # a list's pitch beside a picture
_FARTHEST = 20  # millimetres from a label to what it names, each way
_LINE, _SIZE = 3.7, 6.4  # a table's pitch in millimetres, and its type


def draw_wires_pdf(plan: BoardPlan, wires: Sequence[CutWire], paper: str) -> bytes:
    """Return the pages as a PDF: the switches' wires, the lamps' wires, and the tables.

    Args:
        plan: the board.
        wires: its wires, in the order of assembly.
        paper: one of `PAPERS`; pages of "sheet" have the panel's size, and tables are on A4.
    """
    file = BytesIO()
    canvas = Canvas(file, invariant=1)
    canvas.setTitle(f"Wires: {plan.title}")
    to_reeds = [wire for wire in wires if wire.module.startswith(("chip", "cable", "row", "column", "reeds"))]
    to_lamps = [wire for wire in wires if wire.module.startswith("lamps")]
    shown = [wire for wire in to_reeds if not (wire.end.startswith("Hall switch") and wire.colour == "orange")]
    _draw_picture(canvas, plan, paper, "Wires to the switches", shown, plan.middles())
    if to_lamps:
        _draw_picture(canvas, plan, paper, "Wires to the lamps", to_lamps, plan.places(Cut.LIGHT))
    _draw_tables(canvas, plan, wires, paper)
    canvas.save()
    return file.getvalue()


# ---- pictures ----

Covered = tuple[float, float, float, float]
"""A rectangle that is already drawn on a page: x and y of its middle, half its width and half its height, in mm."""


class PanelPicture(NamedTuple):
    """The layout of a page, in mm: the panel seen from below, and the list of its modules.

    Attributes:
        plan: the panel.
        page: width and height of the page.
        left: the panel's left edge.
        foot: its lower edge.
        scale: the scale of the picture.
        listed: where the list begins.
        room: the list's width.
    """

    plan: BoardPlan
    page: tuple[float, float]
    left: float
    foot: float
    scale: float
    listed: Place
    room: float

    def at(self, place: Place) -> Place:
        """Return where a place of the panel is on the page."""
        x, y = place
        return self.left + (self.plan.width - x) * self.scale, self.foot + (self.plan.height - y) * self.scale


def picture_of(plan: BoardPlan, paper: str, modules: int) -> PanelPicture:
    """Return where to draw the whole panel on a page of this paper, as large as possible.

    Args:
        plan: the panel.
        paper: one of `PAPERS`.
        modules: how many modules are listed: beside the panel on a page across, or below it on an upright one.
    """
    beside, below = (77.0, _ROW * (modules + 2)) if modules else (0.0, 0.0)
    size = PAPERS[paper]
    if size is None:
        whole = plan.width + 2 * MARGIN + beside, plan.height + 2 * MARGIN + _HEAD
        return _placed(plan, whole, beside, 0.0)
    upright = size[0] / mm, size[1] / mm
    choices = _placed(plan, upright[::-1], beside, 0.0), _placed(plan, upright, 0.0, below)
    return max(choices, key=lambda picture: picture.scale)


def _placed(plan: BoardPlan, page: tuple[float, float], beside: float, below: float) -> PanelPicture:
    wide, high = page[0] - 2 * MARGIN - beside, page[1] - 2 * MARGIN - _HEAD - below
    scale = min(wide / plan.width, high / plan.height)
    top = page[1] - MARGIN - _HEAD
    foot, right = top - plan.height * scale, MARGIN + plan.width * scale
    if below:
        return PanelPicture(plan, page, MARGIN, foot, scale, (MARGIN, foot - _ROW), wide)
    return PanelPicture(plan, page, MARGIN, foot, scale, (right + 5, top - 2), page[0] - MARGIN - right - 5)


def _draw_picture(
    canvas: Canvas, plan: BoardPlan, paper: str, title: str, wires: Sequence[CutWire], ends: Mapping[str, Place]
) -> None:
    """Draw the panel from below with these wires, the parts at their ends, and a list of modules."""
    modules = list(_modules(wires))
    picture = picture_of(plan, paper, len(modules))
    wide, high = picture.page
    canvas.setPageSize((wide * mm, high * mm))
    write(canvas, MARGIN, high - MARGIN - 5, f"{title}, seen from below", 14, bold=True)
    write(canvas, MARGIN, high - MARGIN - 11, plan.title, 9)
    write(canvas, MARGIN, high - MARGIN - 16, f"Scale 1 : {1 / picture.scale:.2f}. {_explain(wires)}", 9)
    _draw_panel(canvas, picture)
    seen = [wire for wire in wires if wire.module == "reeds, ground" or wire.colour not in {"black", "orange"}]
    for way, wire in {wire.way: wire for wire in seen}.items():
        is_cable = wire.module.startswith("cable")
        canvas.setStrokeColor(_CABLE if is_cable else _INKS[wire.colour.partition(",")[0]])
        canvas.setLineWidth(1.4 if is_cable else 0.7)
        _draw_line(canvas, [picture.at(place) for place in way])
        if wire.end.endswith(", 5 V") and "cut here" in wire.note:
            to_lamp = wire.module, wire.end.replace("5 V", "DIN")
            (before,) = [other.way for other in wires if (other.module, other.end) == to_lamp]
            _draw_cut(canvas, picture.at(before[0]), picture.at(before[-1]))
    for _, place in modules:
        x, y = picture.at(place)
        canvas.setFillColor(_CABLE)
        canvas.circle(x * mm, y * mm, 0.8 * mm, stroke=0, fill=1)
    radius = min(2.0, 5.6 * picture.scale)
    drawn = [(*picture.at(place), radius, radius) for place in ends.values()]
    for end, (x, y, *_) in zip(ends, drawn, strict=True):
        canvas.setStrokeColor("#000000")
        canvas.setFillColor("#dfeaff" if end.startswith("log") else "#ffffff")
        canvas.setLineWidth(0.3)
        canvas.circle(x * mm, y * mm, radius * mm, stroke=1, fill=1)
        canvas.setFillColor("#000000")
        name = end.removeprefix("log ")
        size = radius * (2.9 if len(name) > 2 else 3.4)
        write(canvas, x, y - size * 0.125, name, size, centred=True)
    drawn += _along([picture.at(place) for place in way] for way in dict.fromkeys(wire.way for wire in wires))
    for name, place in modules:
        _draw_label(canvas, picture.at(place), name.rpartition(" ")[2], 5.0, drawn)
    _draw_label(canvas, picture.at(pi_place(plan)), "Pi", 7.0, drawn)
    if modules:
        _draw_list(canvas, picture, wires, modules)
    canvas.showPage()


def _explain(wires: Sequence[CutWire]) -> str:
    if all(wire.module == "lamps, feed 1" and wire.end.startswith(wires[0].end.partition(",")[0]) for wire in wires):
        return "Red: 5 V, ground and data to the first lamp of a ready string, which has the wires of the others."
    if any(wire.module.startswith("lamps") for wire in wires):
        return "Red: 5 V, ground and data. At a bar 5 V is cut; the feed behind it comes from a fuse at the rails."
    if any(wire.module.startswith("cable") for wire in wires):
        return "A dot: the place of a chip, in the middle of its switches. Thick: cables in ducts, from chip to chip."
    if any(wire.module.startswith("row") for wire in wires):
        return "Brown: rows, to the diode of each reed. Grey: columns, white wires."
    if any(wire.end.startswith("Hall switch") for wire in wires):
        return "Each Hall switch has a wire to its pin of the Pi, and ground and 3.3 V beside it."
    if any(wire.module == "reeds, ground" for wire in wires):
        return "Each reed has a wire to its pin of the Pi. Black: one wire of ground, from reed to reed."
    return "Each reed has a wire to its pin of the Pi, and one to ground beside it."


def _draw_line(canvas: Canvas, points: Sequence[Place]) -> None:
    path = canvas.beginPath()
    for n, (x, y) in enumerate(points):
        (path.lineTo if n else path.moveTo)(x * mm, y * mm)
    canvas.drawPath(path)


def _draw_cut(canvas: Canvas, one: Place, other: Place) -> None:
    """Draw a bar half-way between two lamps, where 5 V is cut."""
    long = math.dist(one, other) or 1.0  # lamps that have no hole are all at the Pi
    x, y = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
    across_x, across_y = 1.8 * (other[1] - one[1]) / long, 1.8 * (one[0] - other[0]) / long
    canvas.setStrokeColor(_INKS["red"])
    canvas.setLineWidth(1.8)
    _draw_line(canvas, [(x - across_x, y - across_y), (x + across_x, y + across_y)])


def _draw_panel(canvas: Canvas, picture: PanelPicture) -> None:
    plan = picture.plan
    canvas.setLineWidth(0.4)
    canvas.setFillColor("#ffffff")
    canvas.rect(picture.left * mm, picture.foot * mm, plan.width * picture.scale * mm, plan.height * picture.scale * mm)
    x, y = picture.at((plan.print_left + plan.print_width, plan.print_top + plan.print_height))
    canvas.setStrokeColor("#b0b0b0")
    canvas.rect(x * mm, y * mm, plan.print_width * picture.scale * mm, plan.print_height * picture.scale * mm)


def _modules(wires: Iterable[CutWire]) -> Iterator[tuple[str, Place]]:
    """Yield the parts to mount: each chip with its place, and each place where wires leave the rails."""
    for module, group in groupby(wires, key=lambda wire: wire.module):
        first = next(iter(group))
        if module.startswith("cable to "):
            yield module.removeprefix("cable to "), first.way[-1]
        elif module.startswith("lamps"):
            yield module, first.way[0]


def _along(ways: Iterable[Sequence[Place]]) -> Iterator[Covered]:
    """Yield small squares along lines, at most 1 mm apart, which mark the area that the lines cover."""
    for one, other in (pair for way in ways for pair in pairwise(way)):
        steps = math.ceil(math.dist(one, other))
        for step in range(1, steps):
            part = step / steps
            yield one[0] + part * (other[0] - one[0]), one[1] + part * (other[1] - one[1]), 0.3, 0.3


@cache
def _nearby() -> list[Place]:
    """Return steps in all directions in units of half a mm, the shortest first, up to 20 mm each way."""
    halves = [half / 2 for half in range(-2 * _FARTHEST, 2 * _FARTHEST + 1)]
    steps = ((x, y) for x in halves for y in halves)
    return sorted(steps, key=lambda step: math.hypot(*step))


def _draw_label(canvas: Canvas, at: Place, text: str, wide: float, drawn: list[Covered]) -> None:
    """Draw a label near a place where it covers nothing that is drawn already, and record it as drawn."""
    high = 0.62 * wide
    apart = [(x, y, wide / 2 + half + 0.2, high / 2 + tall + 0.2) for x, y, half, tall in drawn]
    near = [
        one for one in apart if abs(at[0] - one[0]) < _FARTHEST + one[2] and abs(at[1] - one[1]) < _FARTHEST + one[3]
    ]

    def is_free(x: float, y: float) -> bool:
        return all(abs(x - left) >= across or abs(y - foot) >= up for left, foot, across, up in near)

    x, y = next((here for dx, dy in _nearby() if is_free(*(here := (at[0] + dx, at[1] + dy)))), at)
    drawn.append((x, y, wide / 2, high / 2))
    canvas.setFillColor(_CABLE)
    canvas.setStrokeColor("#ffffff")
    canvas.setLineWidth(0.5)
    canvas.roundRect((x - wide / 2) * mm, (y - high / 2) * mm, wide * mm, high * mm, 0.6 * mm, stroke=1, fill=1)
    canvas.setFillColor("#ffffff")
    size = 2.0 * high
    write(canvas, x, y - size * 0.125, text, size, bold=True, centred=True)


def _draw_list(
    canvas: Canvas, picture: PanelPicture, wires: Sequence[CutWire], modules: Sequence[tuple[str, Place]]
) -> None:
    """List the modules beside the picture: where each is, and what is connected to it."""
    x, y = picture.listed
    canvas.setFillColor("#000000")
    is_chips = modules[0][0].startswith("chip")
    words = ("Chip", "its stations, inputs H to A") if is_chips else ("Feed", "its lamps")
    _write_within(canvas, x, y, f"{words[0]}: mm from the right and the upper edge here: {words[1]}", 7, picture.room)
    for name, place in modules:
        y -= _ROW
        if is_chips:
            inputs = [wire for wire in wires if wire.module == name and wire.colour in SIGNALS]
            what = " ".join(wire.end.rpartition(" ")[2] for wire in inputs) or "sentinel, no stations"
        else:
            feed = [wire for wire in wires if wire.module == name]
            ends = [wire.end.removesuffix(", DIN") for wire in feed if wire.end.endswith(", DIN")]
            what = f"{ends[0]} to {ends[-1]}, {len(ends)} lamps" if ends[1:] else f"{ends[0]}, the first of the string"
        text = f"{name.rpartition(' ')[2]}:  {place[0]:.0f}, {place[1]:.0f}:  {what}"
        _write_within(canvas, x, y, text, 7, picture.room)


def _write_within(canvas: Canvas, x: float, y: float, text: str, size: float, room: float) -> None:
    """Write a line of text, in smaller letters if it would be wider than `room` (mm)."""
    width = stringWidth(text, "Helvetica", size) / mm
    write(canvas, x, y, text, size * min(1.0, room / width))


# ---- tables ----


class TableRow(NamedTuple):
    """A row of the tables: a heading, a total to buy, wires that run beside each other, or more words about them."""

    heading: str = ""
    words: str = ""
    length: str = ""


def table_rows(wires: Iterable[CutWire]) -> Iterator[TableRow]:
    """Yield the rows of the tables: a heading for each module, then its wires."""
    for module, of_module in groupby(wires, key=lambda wire: wire.module):
        yield TableRow(heading=module)
        for (start, end, length), group in groupby(
            of_module, key=lambda wire: (wire.start.partition(",")[0], wire.end.partition(",")[0], wire.length)
        ):
            together = list(group)
            parts = [f"{_pins(wire)} {wire.colour} {wire.mm2:g}".strip() for wire in together]
            yield TableRow(words=f"{start} – {end}:  {'; '.join(parts[:3])}", length=f"{length}")
            if parts[3:]:
                yield TableRow(words=f"        {'; '.join(parts[3:])}")
            for wire in together:
                if wire.note:
                    yield TableRow(words=f"        {wire.note.replace('Ω', 'ohm')}")


def _pins(wire: CutWire) -> str:
    """Return the pins at both ends of a wire, without the names of the parts."""
    one, other = (end.partition(", ")[2] for end in (wire.start, wire.end))
    return one if one == other or not other else f"{one} to {other}" if one else other


def _draw_tables(canvas: Canvas, plan: BoardPlan, wires: Sequence[CutWire], paper: str) -> None:
    wide, high = (side / mm for side in PAPERS[paper] or A4)
    to_buy = [TableRow(heading="to buy, with 10 % to spare: colour, mm² (AWG), metres")]
    to_buy += [
        TableRow(words=f"{colour}, {mm2:g} ({AWG[mm2]})", length=f"{1.1 * metres:.1f} m")
        for (colour, mm2), metres in totals(wires).items()
    ]
    rows = [*to_buy, *table_rows(wires)]
    column = (wide - 2 * MARGIN - 6) / 2
    columns = _columns(rows, int((high - 2 * MARGIN - 14) / _LINE))
    pages = [columns[n : n + 2] for n in range(0, len(columns), 2)]
    for number, page in enumerate(pages, 1):
        canvas.setPageSize((wide * mm, high * mm))
        head = f"Wires, page {number} of {len(pages)}: {plan.title}"
        write(canvas, MARGIN, high - MARGIN - 4, head, 10, bold=True)
        write(
            canvas,
            MARGIN,
            high - MARGIN - 9,
            "Tick each line. From – to: pins, colour, mm²; then millimetres to cut",
            8,
        )
        if not plan.on_one_a3:
            write(canvas, MARGIN, high - MARGIN - 12.5, RAILS, 8)
        for place, of_column in enumerate(page):
            for n, row in enumerate(of_column):
                _draw_row(canvas, row, MARGIN + place * (column + 6), high - MARGIN - 16 - n * _LINE, column)
        canvas.showPage()


def _columns(rows: Sequence[TableRow], most: int) -> list[list[TableRow]]:
    """Divide rows into columns of one length, two a page. No heading is the last row of a column."""
    pages = math.ceil(len(rows) / (2 * most - 2))
    lines = min(most, math.ceil(len(rows) / (2 * pages)) + 1)
    columns: list[list[TableRow]] = [[]]
    for row in rows:
        if len(columns[-1]) >= lines - bool(row.heading):
            columns.append([])
        columns[-1].append(row)
    return columns


def _draw_row(canvas: Canvas, row: TableRow, x: float, y: float, wide: float) -> None:
    if row.heading:
        canvas.setFillColor(_PALE)
        canvas.rect(x * mm, (y - 1) * mm, wide * mm, (_LINE - 0.2) * mm, stroke=0, fill=1)
        canvas.setFillColor("#000000")
        write(canvas, x + 1, y, row.heading, _SIZE + 0.6, bold=True)
        return
    if row.length:
        canvas.setStrokeColor("#000000")
        canvas.setLineWidth(0.25)
        canvas.rect((x + 0.5) * mm, (y - 0.3) * mm, 2.1 * mm, 2.1 * mm)
        canvas.setFont("Helvetica", _SIZE)
        canvas.drawRightString((x + wide) * mm, y * mm, row.length)
    _write_within(canvas, x + 4, y, row.words, _SIZE, wide - 4 - (9 if row.length else 0))
