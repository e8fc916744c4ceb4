"""Measure the files of `yardboard make`: places of circles in a PDF and in a DXF, in millimetres."""

from __future__ import annotations

import ctypes
import io
from collections.abc import Iterator
from typing import NamedTuple

import ezdxf
import pypdfium2
from pypdfium2 import raw

MM = 25.4 / 72


class Circle(NamedTuple):
    x: float
    y: float
    diameter: float


def pages(pdf: bytes) -> list[pypdfium2.PdfPage]:
    document = pypdfium2.PdfDocument(pdf)
    return [document[n] for n in range(len(document))]


def circles(page: pypdfium2.PdfPage) -> Iterator[Circle]:
    """Yield every round path of a page: its middle from the left and the top, in millimetres."""
    high = page.get_height()
    for thing in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=4):
        points = list(_points(thing))
        if len(points) < 5:
            continue
        xs, ys = zip(*points, strict=True)
        wide, tall = max(xs) - min(xs), max(ys) - min(ys)
        if wide > 1 and abs(wide - tall) < 0.02:
            yield Circle((max(xs) + min(xs)) / 2 * MM, (high - (max(ys) + min(ys)) / 2) * MM, wide * MM)


def rectangles(page: pypdfium2.PdfPage) -> Iterator[tuple[float, float, float, float]]:
    """Yield every level rectangle of a page: left, top, width and height, in millimetres from the left and the top."""
    high = page.get_height()
    for thing in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=4):
        points = {(round(x, 2), round(y, 2)) for x, y in _points(thing)}
        xs, ys = sorted({x for x, _ in points}), sorted({y for _, y in points})
        if len(points) == 4 and len(xs) == len(ys) == 2:
            yield xs[0] * MM, (high - ys[1]) * MM, (xs[1] - xs[0]) * MM, (ys[1] - ys[0]) * MM


def texts(page: pypdfium2.PdfPage) -> Iterator[tuple[float, float, float, float, str]]:
    """Yield every piece of text of a page: left, bottom, right and top in points, and its words."""
    text = page.get_textpage()
    for n in range(text.count_rects()):
        rectangle = text.get_rect(n)
        yield (*rectangle, text.get_text_bounded(*rectangle))


def bars(page: pypdfium2.PdfPage) -> Iterator[float]:
    """Yield the lengths of a page's level lines, in millimetres."""
    for thing in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=4):
        (x, y), *others = _points(thing)
        if len(others) == 1 and abs(others[0][1] - y) < 0.01:
            yield abs(others[0][0] - x) * MM


def _points(thing: pypdfium2.PdfObject) -> Iterator[tuple[float, float]]:
    """Yield the points of a path on its page, with the control points of its curves."""
    matrix = thing.get_matrix()
    for n in range(raw.FPDFPath_CountSegments(thing.raw)):
        x, y = ctypes.c_float(), ctypes.c_float()
        raw.FPDFPathSegment_GetPoint(raw.FPDFPath_GetPathSegment(thing.raw, n), x, y)
        yield matrix.on_point(x.value, y.value)


def layers(dxf: str) -> dict[str, list[Circle]]:
    """Return the circles of a DXF by layer; y upwards."""
    drawing = ezdxf.read(io.StringIO(dxf))
    assert not drawing.audit().has_errors
    found: dict[str, list[Circle]] = {}
    for circle in drawing.modelspace().query("CIRCLE"):
        at = circle.dxf.center
        found.setdefault(circle.dxf.layer, []).append(Circle(at.x, at.y, 2 * circle.dxf.radius))
    return found
