"""The sheets of the lamps: how they get power and data, and the order in which they follow each other."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from firmware_host import wires
from firmware_host.commission.diagrams import paper
from firmware_host.commission.diagrams.leads import leads
from firmware_host.config import Config
from firmware_host.drawing.canvas import Canvas, Colour
from hardware.power import Budget, budget

_GREEN = paper.OWNERS["lamps"]
_LOG: Colour = (214, 226, 246)
_DEAD: Colour = (206, 206, 206)
_GATES = ((2, 3, 1), (5, 6, 4), (9, 8, 10), (12, 11, 13))
"""Input, output and enable of the four gates of a 74AHCT125, by their pins."""

_NOTES = (
    "In a box: the lamp's number in the file, and its station. 5 V and ground run along with the whole strip, besides.",
    "The resistor and the capacitor lie close to the first lamp. GND on an enable opens its gate, 5 V shuts it.",
    "Supply, lamps, level shifter and Pi have one ground. Their 5 V are joined only if one supply feeds them all.",
)
_ORDER_NOTES = (
    "In a box: above, the lamp's number in the file; below, its station, or the window of the log (blue).",
    "Grey ones stay dark. Data runs from left to right, row by row.",
    "A red bar: 5 V and ground are fed in here, besides running through.",
)


@dataclass(frozen=True, slots=True)
class Lamp:
    """One lamp as it hangs in a strip.

    Attributes:
        number: in the configuration, from 0; None if it is one of the dead ones.
        kind: "station", "log", "dead", or "spare" for a lamp that belongs to nothing.
        owner: number of the station or of the window; 0 for neither.
        fed: whether 5 V and ground are fed in before it.
    """

    number: int | None
    kind: str
    owner: int
    fed: bool


def needs(config: Config) -> Budget:
    """What a table of this configuration draws."""
    panels = sum(panel.driver == "oled" for panel in (config.handset, config.display))
    used, dead = sum(config.lamps.strips) or config.sheet.lamps, sum(config.lamps.dead)
    return budget(used, config.lamps.max_milliamps, config.pi.model, panels, dead)


def strips(config: Config) -> list[list[Lamp]]:
    """All strips, lamp by lamp as they are soldered."""
    sheet = config.sheet
    owners = {lamp: ("station", station) for lamp, station in zip(sheet.station_lamps, sheet.stations, strict=True)}
    owners |= {lamp: ("log", window) for window, lamp in enumerate(sheet.log_lamps, 1)}
    lengths = wires.strips(config.lamps, sheet)
    total, feeds = sum(length for length, _ in lengths), needs(config).feeds
    found, first = [], 0
    for length, dead in lengths:
        points = max(1, math.ceil(feeds * length / total))
        fed = {round(point * length / points) for point in range(points)}
        strip = []
        for place in range(length):
            number = None if place < dead else first + place - dead
            kind, owner = ("dead", 0) if number is None else owners.get(number, ("spare", 0))
            strip.append(Lamp(number, kind, owner, place in fed))
        found.append(strip)
        first += length - dead
    return found


def _said(lamp: Lamp) -> str:
    """What is written on a lamp."""
    return {"station": str(lamp.owner), "log": f"log {lamp.owner}", "dead": "dead", "spare": "-"}[lamp.kind]


# ---- power and data ----

STRIPS_A_PAGE = 4
"""One level shifter has four gates."""

_RAIL, _GROUND = 110.0, 136.0
_FIRST, _PITCH_OF_STRIPS = 222.0, 100.0
_GATE = paper.EDGE + 220


def draw_lamps(canvas: Canvas, config: Config, source: str, page: int = 0) -> None:
    """Supply, fuse, capacitor, level shifter, and the strips on it with their feeds."""
    sums, every = needs(config), strips(config)
    paper.head(canvas, f"Power and data of the {sum(map(len, every))} lamps", source)
    _draw_supply(canvas, sums)
    found = [lead.place for lead in leads(config) if lead.owner == "lamps" and lead.end]
    here = range(STRIPS_A_PAGE * page, min(len(every), STRIPS_A_PAGE * (page + 1)))
    rails = _CAPACITOR
    for gate, strip in reversed(list(enumerate(here))):  # an upper strip covers the feeds of those below it
        y = _FIRST + gate * _PITCH_OF_STRIPS
        _draw_gate(canvas, gate, f"data-{strip + 1}", found[strip], y)
        rails = max(rails, _draw_boxes(canvas, every[strip], _GATE + 160, y))
    for level, colour in ((_RAIL, paper.VOLTS_5), (_GROUND, paper.GROUND)):
        paper.rail(canvas, [(_CAPACITOR, level), (rails, level)], colour)
    below = _FIRST + len(here) * _PITCH_OF_STRIPS - 16
    _draw_sums(canvas, config, sums, below)
    _draw_shifter(canvas, [(f"Pi: {found[strip]}", every[strip][0]) for strip in here], below)
    paper.notes(canvas, _NOTES)


_CAPACITOR = 344.0


def _draw_supply(canvas: Canvas, sums: Budget) -> None:
    right = paper.EDGE + 190
    paper.box(canvas, paper.EDGE, 88, 190, 70, fill=paper.PALE)
    canvas.text((paper.EDGE + 12, _RAIL), "5 V supply", paper.LARGE, paper.INK, anchor="start")
    words = f"{sums.lamp_supply:g} A or more"
    canvas.text((paper.EDGE + 12, _GROUND), words, paper.NORMAL, paper.INK, anchor="start", name="supply")
    canvas.text((right - 8, _RAIL), "+", paper.LARGE, paper.VOLTS_5, anchor="end")
    canvas.text((right - 8, _GROUND), "-", paper.LARGE, paper.GROUND, anchor="end")
    paper.rail(canvas, [(right, _RAIL), (_CAPACITOR, _RAIL)], paper.VOLTS_5)
    paper.rail(canvas, [(right, _GROUND), (_CAPACITOR, _GROUND)], paper.GROUND)
    paper.box(canvas, right + 24, _RAIL - 6, 44, 12)
    paper.wire(canvas, [(right + 24, _RAIL), (right + 68, _RAIL)], paper.VOLTS_5)
    canvas.text((right + 46, _RAIL - 20), "fuse", paper.NORMAL, paper.INK)
    paper.capacitor(canvas, (_CAPACITOR, _RAIL), _GROUND - _RAIL, plus=True)
    canvas.text((_CAPACITOR + 18, 88), "1000 uF, 6.3 V or more", paper.NORMAL, paper.INK, anchor="start")


def _draw_gate(canvas: Canvas, gate: int, name: str, place: str, y: float) -> None:
    """The way of the data from its GPIO through the level shifter to the first lamp."""
    entry, exit_, enable = _GATES[gate]
    paper.box(canvas, paper.EDGE, y - 22, 150, 44, fill=paper.PALE)
    canvas.text((paper.EDGE + 10, y), f"Pi: {place}", paper.NORMAL, paper.INK, anchor="start", name=name)
    paper.wire(canvas, [(paper.EDGE + 150, y), (_GATE, y)], _GREEN)
    canvas.shape([(_GATE, y - 26), (_GATE, y + 26), (_GATE + 54, y)], paper.PAPER, edge=paper.INK, edge_width=1.6)
    canvas.text((_GATE - 8, y - 9), str(entry), 9, paper.GREY, anchor="end")
    canvas.text((_GATE + 60, y - 9), str(exit_), 9, paper.GREY)
    paper.wire(canvas, [(_GATE + 26, y + 14), (_GATE + 26, y + 32)], paper.GROUND)
    paper.ground(canvas, (_GATE + 26, y + 32))
    canvas.text((_GATE + 31, y + 23), str(enable), 9, paper.GREY, anchor="start")
    canvas.text((_GATE + 20, y - 38), "74AHCT125", paper.SMALL, paper.INK)
    paper.wire(canvas, [(_GATE + 54, y), (_GATE + 84, y)], _GREEN)
    paper.resistor(canvas, (_GATE + 84, y), (_GATE + 130, y))
    canvas.text((_GATE + 107, y + 18), "330 to 470 ohm", paper.SMALL, paper.INK)


def _draw_boxes(canvas: Canvas, strip: list[Lamp], left: float, y: float) -> float:
    """The lamps that matter for the wiring: first and last, and where power is fed in. Gives where rails must end."""
    last = len(strip) - 1
    shown = sorted({0, min(1, last), last, *(place for place, lamp in enumerate(strip) if lamp.fed)})
    gaps = sum(after > before + 1 for before, after in pairwise(shown))
    wide = min(74.0, (paper.WIDTH - paper.EDGE - left - 14 * (len(shown) + gaps)) / (len(shown) + 0.6 * gaps))
    paper.wire(canvas, [(left - 30, y), (left, y)], _GREEN)
    x, before, rightmost = left, -1, left
    for place in shown:
        if place > before + 1:
            canvas.line([(x - 14, y), (x + 0.6 * wide, y)], _GREEN, 1.6, dash=(3, 5))
            x += 0.6 * wide + 14
        if place:
            paper.wire(canvas, [(x - 14, y), (x, y)], _GREEN)
        _draw_lamp(canvas, strip[place], x, y - 24, wide, 48)
        if strip[place].fed:
            for offset, level, colour in ((0.15, _RAIL, paper.VOLTS_5), (0.85, _GROUND, paper.GROUND)):
                paper.wire(canvas, [(x + offset * wide, level), (x + offset * wide, y - 24)], colour)
                paper.dot(canvas, (x + offset * wide, level), colour)
            rightmost = x + wide
        paper.arrow(canvas, (x, y), _GREEN)
        x, before = x + wide + 14, place
    return rightmost


def _draw_sums(canvas: Canvas, config: Config, sums: Budget, top: float) -> None:
    """The arithmetic of the current."""
    for number, (what, milliamps) in enumerate([*sums.lines, ("all together", sums.total)]):
        y = top + number * 20
        canvas.text((paper.EDGE, y), what.replace("×", "x"), paper.NORMAL, paper.INK, anchor="start")
        text = f"{milliamps:,.0f} mA".replace(",", " ")
        canvas.text((paper.EDGE + 290, y), text, paper.NORMAL, paper.INK, anchor="end")
    words = (
        f"max_milliamps holds the lamps to {config.lamps.max_milliamps} mA.",
        f"Not held, and all white: {sums.white / 1000:.1f} A.",
        f"A supply of {sums.lamp_supply:g} A serves the lamps alone,",
        f"one of {sums.supply:g} A lamps and Pi together.",
        f"Points to feed 5 V and ground in: {sum(lamp.fed for strip in strips(config) for lamp in strip)}.",
    )
    paper.lines(canvas, (paper.EDGE + 330, top), words)


def _draw_shifter(canvas: Canvas, used: list[tuple[str, Lamp]], top: float) -> None:
    """The level shifter as it lies on the bench, and what hangs on each of its pins."""
    said = {7: "GND", 14: "5 V, and 100 nF to GND"}
    for gate, (entry, exit_, enable) in enumerate(_GATES):
        if gate < len(used):
            place, lamp = used[gate]
            first = "the first dead lamp" if lamp.number is None else f"lamp {lamp.number}"
            said |= {entry: place, exit_: f"by the resistor to {first}", enable: "GND"}
        else:
            said |= {entry: "GND", exit_: "open", enable: "5 V"}
    left, wide = 900.0, 66.0
    paper.box(canvas, left, top, wide, 152)
    canvas.arc((left + wide / 2, top), 7, (0, 180), paper.INK, 1.6)
    canvas.text((left + wide / 2, top - 14), "74AHCT125", paper.NORMAL, paper.INK)
    for pin, text in said.items():
        on_left = pin <= 7
        y = top + 20 + (pin - 1 if on_left else 14 - pin) * 19
        edge, out = (left, -1) if on_left else (left + wide, 1)
        paper.wire(canvas, [(edge, y), (edge + out * 6, y)])
        canvas.text((edge - out * 6, y), str(pin), paper.SMALL, paper.GREY, anchor="start" if on_left else "end")
        colour = paper.VOLTS_5 if text.startswith("5 V") else paper.GREY if text == "open" else paper.INK
        anchor = "end" if on_left else "start"
        canvas.text((edge + out * 10, y), text, paper.SMALL, colour, anchor=anchor, name=f"shifter-{pin}")


# ---- the order of the lamps ----

_ACROSS, _WIDE, _HIGH, _PITCH = 20, 48.0, 40.0, 53.0
_ROW = 51.0
_ROWS_A_PAGE = 13

Row = str | list[Lamp]
"""A line of a page: a heading, or up to 20 lamps."""


def pages(config: Config) -> list[list[Row]]:
    """What stands on each page of the order of the lamps."""
    rows: list[Row] = []
    every = strips(config)
    for number, strip in enumerate(every, 1):
        if len(every) > 1:
            rows.append(f"Strip {number}")
        rows += [strip[start : start + _ACROSS] for start in range(0, len(strip), _ACROSS)]
    return [rows[start : start + _ROWS_A_PAGE] for start in range(0, len(rows), _ROWS_A_PAGE)]


def draw_order(canvas: Canvas, config: Config, source: str, page: int = 0) -> None:
    """The lamps in the order in which they follow each other in the chain."""
    paper.head(canvas, "The chain of lamps, in order", source)
    for number, row in enumerate(pages(config)[page]):
        y = 82 + number * _ROW
        if isinstance(row, str):
            canvas.text((paper.EDGE, y + _ROW / 2), row, paper.LARGE, paper.INK, anchor="start")
            continue
        for place, lamp in enumerate(row):
            x = paper.EDGE + 14 + place * _PITCH
            paper.wire(
                canvas, [(x - 14 if place == 0 else x - (_PITCH - _WIDE), y + _HIGH / 2), (x, y + _HIGH / 2)], _GREEN
            )
            _draw_lamp(canvas, lamp, x, y, _WIDE, _HIGH, name=f"lamp-{lamp.number}")
            if lamp.fed:
                canvas.line([(x + 1, y + 1), (x + 1, y + _HIGH - 1)], paper.VOLTS_5, 5)
        if len(row) == _ACROSS:
            end = paper.EDGE + 14 + (_ACROSS - 1) * _PITCH + _WIDE
            paper.wire(canvas, [(end, y + _HIGH / 2), (end + 8, y + _HIGH / 2)], _GREEN)
            paper.arrow(canvas, (end + 14, y + _HIGH / 2), _GREEN)
    paper.lines(canvas, (paper.EDGE, paper.HEIGHT - 76), _ORDER_NOTES, size=paper.SMALL + 1)


def _draw_lamp(
    canvas: Canvas, lamp: Lamp, left: float, top: float, wide: float, high: float, *, name: str = ""
) -> None:
    """One lamp as a box."""
    fill = {"station": paper.PAPER, "log": _LOG}.get(lamp.kind, _DEAD)
    paper.box(canvas, left, top, wide, high, fill=fill)
    middle = left + wide / 2
    if lamp.number is not None:
        canvas.text((middle, top + 0.25 * high), str(lamp.number), 9, paper.GREY)
    size = min(paper.LARGE if lamp.kind == "station" else paper.NORMAL, 0.3 * wide)
    canvas.text((middle, top + 0.66 * high), _said(lamp), size, paper.INK, name=name if lamp.number is not None else "")
