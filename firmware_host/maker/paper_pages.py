"""Divide a sheet at its true size into pages of paper, with cutting marks and a bar to measure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from reportlab.lib.pagesizes import A3, A4, LETTER
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

PAPERS: dict[str, tuple[float, float] | None] = {"A4": A4, "A3": A3, "Letter": LETTER, "sheet": None}
"""The papers of a template, upright, in points; "sheet" is one page of the panel's size."""

MARGIN = 14.0
"""Millimetres at each edge of a page that drawings leave free, because most printers cannot print there."""
OVERLAP = 10.0
"""The least width, in millimetres, of the strip that two neighbouring pages both show."""
BAR = 100.0
"""Length of the bar on each page that shows whether it was printed at its true size, in millimetres."""


class PagePart(NamedTuple):
    """The part of a sheet that is on one page: its name, such as "B3", and its edges on the sheet in mm."""

    name: str
    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Paging:
    """The division of a sheet into pages.

    Attributes:
        page: width and height of a page, in millimetres.
        parts: the parts of the sheet, row by row.
        columns: how many parts are side by side.
    """

    page: tuple[float, float]
    parts: tuple[PagePart, ...]
    columns: int


def divide_sheet(width: float, height: float, paper: str) -> Paging:
    """Divide a sheet of this size (mm) into pages of `paper`, one of `PAPERS`.

    The pages are upright or across, whichever takes fewer pages. Neighbouring pages overlap, and all parts are of one
    size, so that no page is nearly empty.
    """
    size = PAPERS[paper]
    if size is None:
        page = width + 2 * MARGIN, height + 2 * MARGIN
        return Paging(page, (PagePart("A1", 0.0, 0.0, width, height),), 1)
    upright = size[0] / mm, size[1] / mm
    return min(
        (_paging(width, height, page) for page in (upright, upright[::-1])), key=lambda paging: len(paging.parts)
    )


def _paging(width: float, height: float, page: tuple[float, float]) -> Paging:
    across, down = (_parts(long, side - 2 * MARGIN) for long, side in zip((width, height), page, strict=True))
    parts = tuple(
        PagePart(f"{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[row]}{column}", left, top, across.size, down.size)
        for row, top in enumerate(down.starts)
        for column, left in enumerate(across.starts, 1)
    )
    return Paging(page, parts, len(across.starts))


class _Parts(NamedTuple):
    size: float
    starts: tuple[float, ...]


def _parts(length: float, room: float) -> _Parts:
    """Divide a length into equal parts that fit into `room` and overlap evenly."""
    count = max(1, math.ceil((length - OVERLAP) / (room - OVERLAP)))
    size = min(length, room)
    step = (length - size) / (count - 1) if count > 1 else 0.0
    return _Parts(size, tuple(step * n for n in range(count)))


def draw_marks(canvas: Canvas, left: float, foot: float, part: PagePart) -> None:
    """Draw the marks at a part's corners along which the page is cut."""
    canvas.setLineWidth(0.3)
    for x, outward in ((left, -1), (left + part.width, 1)):
        for y, upward in ((foot, -1), (foot + part.height, 1)):
            canvas.line((x + outward) * mm, y * mm, (x + 6 * outward) * mm, y * mm)
            canvas.line(x * mm, (y + upward) * mm, x * mm, (y + 6 * upward) * mm)


def draw_bar(canvas: Canvas, page_width: float) -> None:
    """Draw a bar of 100 mm at the foot of a page, to check the print's scale."""
    start, y = (page_width - BAR) / 2, MARGIN / 2
    canvas.setLineWidth(0.4)
    canvas.line(start * mm, y * mm, (start + BAR) * mm, y * mm)
    for x in (start, start + BAR):
        canvas.line(x * mm, (y - 1.5) * mm, x * mm, (y + 1.5) * mm)
    write(canvas, page_width / 2, y + 1, "100 mm", 7, centred=True)


def write(
    canvas: Canvas, x: float, y: float, text: str, size: float, *, bold: bool = False, centred: bool = False
) -> None:
    """Write a line of text, at a place in mm from the page's lower left corner."""
    canvas.setFont("Helvetica-Bold" if bold else "Helvetica", size)
    (canvas.drawCentredString if centred else canvas.drawString)(x * mm, y * mm, text)
