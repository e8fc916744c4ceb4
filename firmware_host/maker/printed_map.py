"""Draw the artwork of a map as a vector PDF at its true size, for a printer or a print shop.

The pages' artwork is an SVG that takes its colours from variables, by day and by night. Here the
day's colours replace its variables, and copies of the drawings replace the references to them. So svglib can read it,
and no browser is needed. The sheet is as wide as the map and the frame on both sides of it.
"""

from __future__ import annotations

import copy
import re
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from xml.etree import ElementTree as ET

from reportlab.graphics import renderPDF
from reportlab.graphics.shapes import Drawing
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from svglib.svglib import svg2rlg

from firmware_host.config.loader import Config
from firmware_host.maker.board_plan import BoardPlan, frame_width
from firmware_host.maker.maker_errors import NoArtwork
from firmware_host.maker.paper_pages import MARGIN, PagePart, Paging, divide_sheet, draw_bar, draw_marks
from firmware_host.rules.network import Network
from firmware_host.ui.drawing.paper import artwork_name

BLEED = 3.0
"""Millimetres of paper's colour around the sheet, so that a cut beside the mark leaves no white edge."""

_SVG = "{http://www.w3.org/2000/svg}"
_VARIABLE = re.compile(r"var\((--[\w-]+)\)")
_DAY = re.compile(r"#city\{([^}]*)\}")
_REFERENCES = re.compile(r"\buse([,{])")
"""A pattern of the element `use` in a style, which styles references."""
_OPACITY = re.compile(r"(?<!-)\bopacity:([\d.]+)")
_UNSEEN = re.compile(r"#[0-9a-f]{6}00")
"""A pattern of fully transparent colours, such as that of windows by day."""
_NIGHT = re.compile(r"#night:target #city\{[^}]*\}")


def artwork_of(network: Network) -> str:
    """Return the artwork of a map as it is on the pages.

    Raises:
        NoArtwork: this map has no artwork, because it was changed or drawn by somebody else.
    """
    name = artwork_name(network)
    file = files("firmware_host.web").joinpath("static", "maps", name)
    if not file.is_file():
        raise NoArtwork(
            f"{network.title}: there is no artwork for this map; only the maps as shipped have one, without [map] add, "
            "remove or a file of your own"
        )
    return file.read_text(encoding="utf-8")


def plain_svg(artwork: str) -> str:
    """Return the artwork's look by day as an SVG without variables or references, for any program."""
    colours = _day(artwork)
    text = _DAY.sub("", _NIGHT.sub("", artwork))
    text = _VARIABLE.sub(lambda found: colours.get(found[1], "none"), text)
    text = _REFERENCES.sub(r".used\1", text)
    text = _OPACITY.sub(r"fill-opacity:\1;stroke-opacity:\1", text)  # svglib knows these two alone
    root = ET.fromstring(text)  # noqa: S314 - it is the package's own file
    known = {one.get("id"): one for one in root.iter() if one.get("id")}
    _expand(root, known)
    for defs in root.findall(f"{_SVG}defs"):
        root.remove(defs)
    ET.register_namespace("", _SVG[1:-1])
    return ET.tostring(root, encoding="unicode")


def _day(artwork: str) -> dict[str, str]:
    """Return the artwork's colours by day: variable -> value."""
    found = _DAY.search(artwork)
    pairs = found[1].split(";") if found else []
    values = {name.strip(): value.strip() for name, _, value in (pair.partition(":") for pair in pairs)}
    return {name: "none" if _UNSEEN.fullmatch(value) else value for name, value in values.items()}


def _expand(element: ET.Element, known: dict[str | None, ET.Element]) -> None:
    """Replace each reference in an element by a copy of its target."""
    for number, child in enumerate(element):
        if child.tag == f"{_SVG}use":
            group = ET.Element(f"{_SVG}g", {k: v for k, v in child.attrib.items() if k not in ("href", "x", "y")})
            group.set("class", f"used {child.get('class', '')}")
            x, y = child.get("x", "0"), child.get("y", "0")
            if (x, y) != ("0", "0"):
                group.set("transform", f"{child.get('transform', '')}translate({x} {y})")
            copied = copy.deepcopy(known[child.get("href", "")[1:]])
            copied.attrib.pop("id", None)
            group.append(copied)
            element[number] = group
        _expand(element[number], known)


def draw_map_pdf(config: Config, plan: BoardPlan, paper: str) -> bytes:
    """Return the printed map as a PDF at its true size: a sheet with bleed and crop marks, or pages to glue.

    Args:
        config: the board.
        plan: its plan.
        paper: one of `paper_pages.PAPERS`.

    Raises:
        NoArtwork: the map has none.
    """
    paging = divide_sheet(plan.print_width, plan.print_height, paper)
    file = BytesIO()
    wide, high = paging.page
    canvas = Canvas(file, pagesize=(wide * mm, high * mm), invariant=1)
    canvas.setTitle(f"Printed map: {plan.title}")
    for part in paging.parts:
        draw_part(canvas, config, plan, paging, part)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def map_drawing(config: Config, plan: BoardPlan) -> tuple[Drawing, Color]:
    """Return the artwork of a map, ready to draw, and the colour of its paper.

    Raises:
        NoArtwork: the map has none.
    """
    artwork = artwork_of(config.layout.network)
    drawing = _read_drawing(artwork)
    if drawing is None:
        raise NoArtwork(f"{plan.title}: svglib cannot read the installed artwork; install yardboard again")
    return drawing, HexColor(_day(artwork)["--paper"])


@lru_cache(maxsize=1)  # every page of a paper has the whole drawing, and reading it takes most of the time
def _read_drawing(artwork: str) -> Drawing | None:
    return svg2rlg(BytesIO(plain_svg(artwork).encode()))


def draw_part(canvas: Canvas, config: Config, plan: BoardPlan, paging: Paging, part: PagePart) -> None:
    """Draw the part of the printed map that is on one page.

    Raises:
        NoArtwork: the map has none.
    """
    drawing, colour = map_drawing(config, plan)
    wide, high = paging.page
    left, foot = (wide - part.width) / 2, (high - part.height) / 2
    bleed = BLEED if len(paging.parts) == 1 else 0.0
    canvas.saveState()
    edge = canvas.beginPath()
    edge.rect((left - bleed) * mm, (foot - bleed) * mm, (part.width + 2 * bleed) * mm, (part.height + 2 * bleed) * mm)
    canvas.clipPath(edge, stroke=0, fill=0)
    canvas.setFillColor(colour)
    canvas.rect(0, 0, wide * mm, high * mm, stroke=0, fill=1)
    corner = left - part.left - plan.print_left, foot + part.height + part.top + plan.print_top
    canvas.transform(*page_matrix(config, plan, drawing, corner))
    renderPDF.draw(drawing, canvas, 0, 0)  # a form would be shorter, but ReportLab's have no transparency
    canvas.restoreState()
    draw_marks(canvas, left, foot, part)
    draw_bar(canvas, wide)
    canvas.setFont("Helvetica", 8)
    name = plan.title if len(paging.parts) == 1 else f"{part.name}: {plan.title}"
    canvas.drawCentredString(wide / 2 * mm, (high - MARGIN / 2 - 1) * mm, name)


def page_matrix(
    config: Config, plan: BoardPlan, drawing: Drawing, corner: tuple[float, float]
) -> tuple[float, float, float, float, float, float]:
    """Return the matrix from the artwork to the points of a page, as `Canvas.transform` needs it.

    Args:
        config: the board.
        plan: its plan.
        drawing: the artwork.
        corner: where the panel's left upper corner would be, in millimetres from the page's lower left corner.
    """
    edge = frame_width(config.board.width_mm)
    unit = (config.board.width_mm + 2 * edge) / drawing.width

    def at(x: float, y: float) -> tuple[float, float]:
        right, down = plan.transform.apply((x * unit - edge, (drawing.height - y) * unit - edge))
        return (corner[0] + right) * mm, (corner[1] - down) * mm

    (x0, y0), (x1, y1), (x2, y2) = at(0, 0), at(1, 0), at(0, 1)
    return x1 - x0, y1 - y0, x2 - x0, y2 - y0, x0, y0
