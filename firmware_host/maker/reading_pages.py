"""Lay out pages of A4 to read: headings, text, lists, tables and drawings, one after another.

Their font comes with ReportLab and is embedded, so that every reader shows the same lines. Sheets of other sizes may
follow, each drawn by its own function. The same content always gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    KeepTogether,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    TableStyle,
)
from reportlab.platypus import Table as GuideTable

FONT, BOLD = "Vera", "VeraBd"
INK, GREY, PALE = HexColor("#181c24"), HexColor("#5b6270"), HexColor("#eef0f3")

_EDGE = 16 * mm
_BASE = ParagraphStyle("base", fontName=FONT, fontSize=9, leading=12.6, textColor=INK, spaceAfter=4)
# fmt: off
_STYLES = {
    "title": ParagraphStyle("title", _BASE, fontName=BOLD, fontSize=19, leading=24, spaceAfter=6),
    "head": ParagraphStyle(
        "head", _BASE, fontName=BOLD, fontSize=13, leading=17, spaceBefore=9, spaceAfter=5, keepWithNext=1
    ),
    "text": _BASE,
    "step": ParagraphStyle(
        "step", _BASE, leftIndent=20, bulletIndent=0, bulletFontName=FONT, bulletFontSize=9, spaceAfter=3
    ),
    "code": ParagraphStyle(
        "code", _BASE, fontName="Courier", fontSize=8.6, leading=12, leftIndent=4, rightIndent=4,
        backColor=PALE, borderPadding=4, spaceBefore=5, spaceAfter=9,
    ),
    "cell": ParagraphStyle("cell", _BASE, fontSize=7.4, leading=9.4, spaceAfter=0),
    "head cell": ParagraphStyle("head cell", _BASE, fontName=BOLD, fontSize=7.4, leading=9.4, spaceAfter=0),
}
# fmt: on


_KEPT = 16  # rows of a table that is never divided among pages


class _Head(Paragraph):
    """The heading of a section."""


class _Announcement(Paragraph):
    """A paragraph that ends with a colon, and therefore stays on one page with the command lines after it."""


class SizedDrawing(Flowable):
    """A drawing of a fixed size, in mm from its lower left corner."""

    def __init__(self, width: float, height: float, draw: Callable[[Canvas], None]) -> None:
        super().__init__()
        self.width, self.height = width * mm, height * mm
        self._draw_on = draw

    def draw(self) -> None:
        """Draw the drawing at the canvas's origin."""
        self._draw_on(self.canv)


class ReadingPages:
    """A document to which headings, text, tables and drawings are added in order.

    Args:
        title: its title, which is also at the foot of each page.
        across: whether its pages are in landscape format.
    """

    def __init__(self, title: str, *, across: bool = False) -> None:
        for name in (FONT, BOLD):
            pdfmetrics.registerFont(TTFont(name, f"{name}.ttf"))
        pdfmetrics.registerFontFamily(FONT, normal=FONT, bold=BOLD, italic=FONT, boldItalic=BOLD)
        self._title = title
        self._size = landscape(A4) if across else A4
        self._story: list[Flowable] = [Paragraph(title, _STYLES["title"])]
        self._sheets: list[PageTemplate] = []

    @property
    def width(self) -> float:
        """The width between the margins, in millimetres."""
        return float((self._size[0] - 2 * _EDGE) / mm)

    def head(self, text: str) -> None:
        """Begin a section with this heading."""
        self._story.append(_Head(text, _STYLES["head"]))

    def say(self, *texts: str) -> None:
        """Add paragraphs of text, in which <b> marks bold words."""
        self._story += [_paragraph(text, "text") for text in texts]

    def step(self, number: int, text: str) -> None:
        """Add a numbered step."""
        self._story.append(_paragraph(text, "step", f"{number}."))

    def code(self, *lines: str) -> None:
        """Add command lines in a box, in a font in which no two letters look alike."""
        before = [self._story.pop()] if isinstance(self._story[-1], _Announcement) else []
        code = Paragraph("<br/>".join(map(_plain, lines)), _STYLES["code"])
        self._story.append(KeepTogether([*before, code]))

    def table(self, head: Sequence[str], rows: Iterable[Sequence[str]], widths: Sequence[float]) -> None:
        """Add a table with columns of these widths (mm). Its head is repeated on each page."""
        cells = [[Paragraph(text, _STYLES["head cell"]) for text in head]]
        cells += [[Paragraph(_plain(text), _STYLES["cell"]) for text in row] for row in rows]
        style: list[Any] = [
            ("VALIGN", (0, 0), (-1, -1), "TOP"), ("BACKGROUND", (0, 0), (-1, 0), PALE),
            ("LINEBELOW", (0, 0), (-1, -1), 0.3, GREY), ("LEFTPADDING", (0, 0), (-1, -1), 3),
            ("RIGHTPADDING", (0, 0), (-1, -1), 3), ("TOPPADDING", (0, 0), (-1, -1), 2),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
        ]  # fmt: skip
        table = GuideTable(
            cells, [width * mm for width in widths], repeatRows=1, hAlign="LEFT", style=TableStyle(style)
        )
        shown: list[Flowable] = [table, Spacer(1, 6)]
        self._story += [KeepTogether(shown)] if len(cells) <= _KEPT else shown

    def drawing(self, width: float, height: float, draw: Callable[[Canvas], None], caption: str = "") -> None:
        """Add a drawing of this size (mm) with a caption."""
        shown: list[Flowable] = [SizedDrawing(width, height, draw)]
        if caption:
            shown.append(Paragraph(caption, _STYLES["cell"]))
        head = [self._story.pop()] if isinstance(self._story[-1], _Head) else []  # so that both are on one page
        self._story.append(KeepTogether([*head, *shown, Spacer(1, 6)]))

    def sheet(self, width: float, height: float, draw: Callable[[Canvas], None]) -> None:
        """Add a page of this size (mm) that contains only a drawing."""
        name, size = f"sheet {len(self._sheets) + 1}", (width * mm, height * mm)
        frame = Frame(0, 0, *size, id=name)

        def on_page(canvas: Canvas, _doc: BaseDocTemplate) -> None:
            draw(canvas)

        self._sheets.append(PageTemplate(name, [frame], onPage=on_page, pagesize=size))
        self._story += [NextPageTemplate(name), PageBreak(), Spacer(1, 1)]

    def new_page(self) -> None:
        """Begin a page."""
        self._story.append(PageBreak())

    def finish(self) -> bytes:
        """Return the document as a PDF."""
        file = BytesIO()
        wide, high = self._size
        doc = BaseDocTemplate(file, pagesize=self._size, title=self._title, invariant=1)
        frame = Frame(
            _EDGE, _EDGE, wide - 2 * _EDGE, high - 2 * _EDGE, id="text",
            leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0,
        )  # fmt: skip

        def foot(canvas: Canvas, doc: BaseDocTemplate) -> None:
            canvas.setFont(FONT, 7)
            canvas.setFillColor(GREY)
            canvas.drawString(_EDGE, 9 * mm, self._title)
            canvas.drawRightString(wide - _EDGE, 9 * mm, str(doc.page))
            canvas.setFillColor(INK)

        doc.addPageTemplates([PageTemplate("text", [frame], onPage=foot, pagesize=self._size), *self._sheets])
        doc.build(list(self._story))
        return file.getvalue()


def _paragraph(text: str, style: str, bullet: str | None = None) -> Paragraph:
    """Return a paragraph. If it ends with a colon, it stays with the lines after it."""
    return (_Announcement if text.endswith(":") else Paragraph)(text, _STYLES[style], bulletText=bullet)


def _plain(text: str) -> str:
    """Return a text with the characters escaped that ReportLab's markup uses."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace(" ", " ")
