"""Draw the sheets of reeds without chips: a diode matrix, or one GPIO per station."""

from __future__ import annotations

import math
from collections.abc import Callable

from firmware_host.commissioning.diagrams import svg_sheet
from firmware_host.commissioning.diagrams.pi_header import leads
from firmware_host.config.drivers.diode_matrix_driver import MatrixSettings
from firmware_host.config.loader import Config
from firmware_host.ui.drawing.canvas import Canvas, Point
from hardware.raspberry_pi.pinout import PHYSICAL

_LEFT, _TOP = 190.0, 138.0
_BLUE = svg_sheet.OWNERS["switches"]
_MATRIX_NOTES = (
    "At every crossing a reed and a diode (1N4148) lie in series, the diode's ring on the side of the row.",
    "A dot joins wires; where wires cross without a dot they are not joined. The number is the reed's station.",
    "The Pi pulls the columns up. If one is longer than 2 m: 4.7 kohm to 3.3 V, and Schottky diodes (BAT85).",
)
_REED_NOTES = (
    "Each reed lies between its GPIO and ground, nothing else; the Pi pulls the pin up.",
    "Any ground pin of the header does: 6, 9, 14, 20, 25, 30, 34, 39.",
)


def matrix_sheets(_: Config) -> dict[str, Callable[..., None]]:
    """Return the sheet of a matrix."""
    return {"matrix": draw_matrix}


def reed_sheets(_: Config) -> dict[str, Callable[..., None]]:
    """Return the sheet of reeds on pins of their own."""
    return {"reeds": draw_reeds}


def draw_matrix(canvas: Canvas, config: Config, source: str) -> None:
    """Draw rows and columns, with a station's reed and diode at each crossing."""
    wanted: MatrixSettings = config.sections["switches"]
    rows, columns = wanted.rows, wanted.columns
    svg_sheet.head(canvas, f"Matrix of {len(rows)} rows and {len(columns)} columns", source)
    stations = dict(zip(config.layout.switch_inputs, config.layout.stations, strict=True))
    wide = min(160.0, (svg_sheet.WIDTH - svg_sheet.EDGE - _LEFT) / len(columns))
    high = min(104.0, (svg_sheet.HEIGHT - 130 - _TOP) / len(rows))
    for line, (word, colour) in enumerate((("column", svg_sheet.INK), ("GPIO", _BLUE), ("pin", svg_sheet.GREY))):
        canvas.text((_LEFT - 10, _TOP - 52 + 16 * line), word, svg_sheet.NORMAL, colour, anchor="end")
    for column, gpio in enumerate(columns):
        x = _LEFT + (column + 0.16) * wide
        name = f"column-{column + 1}"
        canvas.text((x, _TOP - 52), str(column + 1), svg_sheet.NORMAL, svg_sheet.INK)
        canvas.text((x, _TOP - 36), str(gpio), svg_sheet.NORMAL, _BLUE, name=name)
        canvas.text((x, _TOP - 20), str(PHYSICAL[gpio]), svg_sheet.NORMAL, svg_sheet.GREY)
        svg_sheet.rail(canvas, [(x, _TOP - 8), (x, _TOP + (len(rows) - 1) * high + 0.3 * high)], _BLUE)
    for row, gpio in enumerate(rows):
        y = _TOP + (row + 0.9) * high
        text = f"row {row + 1}: GPIO {gpio}, pin {PHYSICAL[gpio]}"
        canvas.text((_LEFT - 10, y), text, svg_sheet.SMALL, svg_sheet.INK, anchor="end")
        svg_sheet.rail(canvas, [(_LEFT - 4, y), (_LEFT + len(columns) * wide, y)], svg_sheet.INK)
        for column in range(len(columns)):
            station = stations.get(row * len(columns) + column)
            if station is not None:
                name = f"row-{row + 1}-column-{column + 1}"
                _draw_crossing(canvas, (_LEFT + column * wide, _TOP + row * high), (wide, high), str(station), name)
    svg_sheet.notes(canvas, _MATRIX_NOTES)


def _draw_crossing(canvas: Canvas, at: Point, size: tuple[float, float], station: str, name: str) -> None:
    """Draw a reed and a diode from the column on the left down to the row below."""
    (left, top), (wide, high) = at, size
    column, corner, level = left + 0.16 * wide, left + 0.8 * wide, top + 0.3 * high
    svg_sheet.dot(canvas, (column, level), _BLUE)
    svg_sheet.contact(canvas, (column, level), (corner, level))
    svg_sheet.diode(canvas, (corner, level), (corner, top + 0.9 * high))
    svg_sheet.dot(canvas, (corner, top + 0.9 * high))
    # Between the column and the diode, which is 7 to either side of its wire.
    middle = ((column + corner - 8) / 2, top + 0.6 * high)
    canvas.text(middle, station, min(svg_sheet.LARGE, 0.3 * high, 0.28 * wide), svg_sheet.INK, name=name)


def draw_reeds(canvas: Canvas, config: Config, source: str) -> None:
    """Draw each station's reed with its own GPIO."""
    svg_sheet.head(canvas, "Reeds on the Pi's own pins", source)
    found = [lead for lead in leads(config) if lead.owner == "switches"]
    a_column = math.ceil(len(found) / 2)
    pitch = min(58.0, 620.0 / a_column)
    for column in range(2):
        here = found[column * a_column : (column + 1) * a_column]
        left = svg_sheet.EDGE + 20 + column * 560
        ground, bottom = left + 440, 110 + (len(here) - 1) * pitch
        if here:
            svg_sheet.rail(canvas, [(ground, 110), (ground, bottom + 14)], svg_sheet.GROUND)
            svg_sheet.ground(canvas, (ground, bottom + 14))
            canvas.text((ground, 92), "ground", svg_sheet.NORMAL, svg_sheet.GROUND)
        for place, lead in enumerate(here):
            y = 110 + place * pitch
            canvas.text((left, y), lead.place, svg_sheet.LARGE, _BLUE, anchor="start")
            svg_sheet.contact(canvas, (left + 150, y), (ground, y))
            svg_sheet.dot(canvas, (ground, y), svg_sheet.GROUND)
            canvas.text((left + 160, y - 10), "station", svg_sheet.SMALL, svg_sheet.GREY, anchor="start")
            station = lead.key.rpartition(" ")[2]
            canvas.text(
                (left + 200, y - 11), station, svg_sheet.LARGE, svg_sheet.INK, anchor="start", name=f"reed-{lead.gpio}"
            )
    svg_sheet.notes(canvas, _REED_NOTES)
