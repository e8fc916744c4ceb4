"""Draw the sheets of the lamps: power, data, and the order of the lamps in the chain.

A quick-acting fuse carries 1.5 times its rating for an hour and blows within two seconds at 2.75 times it (IEC 60127-2,
standard sheet 2). So each feed has a fuse of its own, as small as the feed's lamps allow, and the supply gives 2.75
times the rating of this fuse. 5 V is cut before each feed, while data and ground go on. Without the cuts, the fuses of
several feeds would share a short circuit's current, and no fuse would get 2.75 times its rating.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from firmware_host.commissioning.diagrams import svg_sheet
from firmware_host.commissioning.diagrams.pi_header import leads
from firmware_host.config import section_conflicts
from firmware_host.config.drivers import neopixel_drivers
from firmware_host.config.drivers.neopixel_drivers import NeopixelSettings
from firmware_host.config.loader import Config
from firmware_host.ui.drawing.canvas import Canvas, Colour
from hardware.current_limit import CHANNEL, IDLE
from hardware.raspberry_pi.pin_conflicts import reads_chain
from hardware.raspberry_pi.power_budget import SIZES, Budget, budget, wire_for

FUSES = (0.5, 0.63, 0.8, 1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0, 10.0)
"""Ratings of available fuses, in amps."""

BLOWS = 2.75
"""The multiple of its rating that blows a quick-acting fuse within two seconds."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """One lamp in a strip: the station or window that it lights, and whether a feed of 5 V is there.

    Attributes:
        number: its number in the configuration, from 0; None for a dead lamp.
        kind: "station", "log", "dead", or "spare" for an unused lamp.
        owner: number of the station or of the window; 0 for neither.
        fed: whether the 5 V wire from the lamp before ends here, and 5 V and ground are fed in.
    """

    number: int | None
    kind: str
    owner: int
    fed: bool


def needs(config: Config) -> Budget:
    """Return the power budget of a configured table."""
    sections, layout = config.sections, config.layout
    lamps: NeopixelSettings = sections["lamps"]
    panels = section_conflicts.screen_chips(sections, layout)
    used, dead = sum(lamps.strips) or layout.lamps, sum(lamps.dead)
    pull_ups = reads_chain(section_conflicts.claims(sections, layout))
    return budget(used, config.lamps.max_milliamps, config.pi.model, panels, dead, pull_ups=pull_ups)


def strips(config: Config) -> list[list[Lamp]]:
    """Return all strips, each with its lamps in the order of soldering."""
    layout = config.layout
    owners = {lamp: ("station", station) for lamp, station in zip(layout.station_lamps, layout.stations, strict=True)}
    owners |= {lamp: ("log", window) for window, lamp in enumerate(layout.log_lamps, 1)}
    lengths = neopixel_drivers.strips(config.sections["lamps"], layout)
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


def fed_with(config: Config) -> float:
    """Return the most milliamps that one power feed carries: those of its lamps in white, or the limit if less."""
    most = 0
    for strip in strips(config):
        fed = [place for place, lamp in enumerate(strip) if lamp.fed]
        most = max(most, *(after - before for before, after in pairwise([*fed, len(strip)])))
    return min(needs(config).lamps, most * (IDLE + 3 * CHANNEL))


def fuse(config: Config) -> float:
    """Return the amps of each feed's fuse: the smallest on the market that carries the feed's current."""
    return next(amps for amps in FUSES if 1000 * amps >= fed_with(config))


def feed_wire(config: Config) -> float:
    """Return the cross-section in mm² for the wires of one feed of up to 1 m."""
    return wire_for(1000 * fuse(config), 1)


def supply(config: Config) -> float:
    """Return the amps of the smallest power supply for the lamps that can blow a feed's fuse."""
    least = max(needs(config).lamp_supply, BLOWS * fuse(config))
    return next(amps for amps in SIZES if amps >= least)


def rail_fuse(config: Config) -> float | None:
    """Return the amps of the rails' fuse: the smallest that carries all lamps and blows after a feed's fuse.

    None if there is only one feed, whose fuse is enough, or if no available fuse carries all lamps. A fuse before the
    rails blows only if the supply is larger than `supply`; a supply of that size switches off instead.
    """
    if needs(config).feeds == 1:
        return None
    least = max(needs(config).lamps / 1000, fuse(config) + 0.01)
    return next((amps for amps in FUSES if amps >= least), None)


def rail_wire(config: Config) -> float:
    """Return the cross-section in mm² for the wires from the supply to the fuses, up to 1 m long."""
    return wire_for(1000 * supply(config), 1)


_GREEN = svg_sheet.OWNERS["lamps"]
_LOG: Colour = (214, 226, 246)
_DEAD: Colour = (206, 206, 206)
GATES = ((2, 3, 1), (5, 6, 4), (9, 8, 10), (12, 11, 13))
"""Input, output and enable pins of the four gates of a 74AHCT125."""

_NOTES = (
    "In a box: the lamp's number and its station. Ground runs on through the whole strip; 5 V is cut before each feed.",
    "The resistor lies close to the first lamp. A dot joins wires; where they cross without a dot they are not joined.",
    "Supply, lamps, level shifter and Pi have one ground. Their 5 V are joined only if one supply feeds them all.",
)
_ORDER_NOTES = (
    "In a box: above, the lamp's number in the file; below, its station, or the window of the log (blue).",
    "Grey ones stay dark. Data runs from left to right, row by row.",
    "A red bar: 5 V is cut before this lamp, and comes in through a fuse. Ground comes in, too, and runs on.",
)


def _said(lamp: Lamp) -> str:
    return {"station": str(lamp.owner), "log": f"log {lamp.owner}", "dead": "dead", "spare": "-"}[lamp.kind]


# ---- power and data ----

STRIPS_A_PAGE = 4
"""The strips on a page: one level shifter has four gates."""

_RAIL, _GROUND = 110.0, 136.0
_FIRST, _PITCH_OF_STRIPS = 222.0, 100.0
_GATE = svg_sheet.EDGE + 220
_COMMON = _GATE - 50
_CAPACITOR = 344.0
_BOXES = (_GATE + 160, 1120.0)
_DOWN = (1154.0, 1140.0)
"""The x of the 5 V and ground wires from the rails down to the strips, right of all lamps."""

_FEEDS_SHOWN = 10
_NEXT = 14.0
"""The drawn length of the wires from a lamp to the next one."""
_LISTED = 16


def lamp_sheets(config: Config) -> dict[str, Callable[..., None]]:
    """Return the drawing function of each sheet about the lamps, by its name."""
    count = math.ceil(len(strips(config)) / STRIPS_A_PAGE)
    lamps = svg_sheet.paged("lamps", draw_lamps, count)
    return lamps | svg_sheet.paged("order", draw_order, len(pages(config)))


def draw_lamps(canvas: Canvas, config: Config, source: str, page: int = 0) -> None:
    """Draw the lamps' supply, fuses, capacitor, level shifter and strips with their feeds."""
    sums, every = needs(config), strips(config)
    svg_sheet.head(canvas, f"Power and data of the {sum(map(len, every))} lamps", source)
    _draw_supply(canvas, config)
    found = [lead.place for lead in leads(config) if lead.owner == "lamps" and lead.end]
    here = range(STRIPS_A_PAGE * page, min(len(every), STRIPS_A_PAGE * (page + 1)))
    levels = [_FIRST + gate * _PITCH_OF_STRIPS for gate in range(len(here))]
    _draw_common_ground(canvas, levels)
    for gate, (strip, y) in enumerate(zip(here, levels, strict=True)):
        _draw_gate(canvas, gate, f"data-{strip + 1}", found[strip], y)
        _draw_boxes(canvas, every[strip], y)
    for level, x, above, colour in (
        (_RAIL, _DOWN[0], _ABOVE[0], svg_sheet.VOLTS_5),
        (_GROUND, _DOWN[1], _ABOVE[1], svg_sheet.GROUND),
    ):
        svg_sheet.rail(canvas, [(_CAPACITOR, level), (x, level), (x, levels[-1] - above)], colour)
    below = levels[-1] + 84
    _draw_sums(canvas, config, sums, below)
    _draw_shifter(canvas, [(f"Pi: {found[strip]}", every[strip][0]) for strip in here], below)
    svg_sheet.notes(canvas, _NOTES)


def _draw_supply(canvas: Canvas, config: Config) -> None:
    right = svg_sheet.EDGE + 190
    svg_sheet.box(canvas, svg_sheet.EDGE, 88, 190, 70, fill=svg_sheet.PALE)
    canvas.text((svg_sheet.EDGE + 12, _RAIL), "5 V supply", svg_sheet.LARGE, svg_sheet.INK, anchor="start")
    words = f"{supply(config):g} A or more"
    canvas.text((svg_sheet.EDGE + 12, _GROUND), words, svg_sheet.NORMAL, svg_sheet.INK, anchor="start", name="supply")
    canvas.text((right - 8, _RAIL), "+", svg_sheet.LARGE, svg_sheet.VOLTS_5, anchor="end")
    canvas.text((right - 8, _GROUND), "-", svg_sheet.LARGE, svg_sheet.GROUND, anchor="end")
    svg_sheet.rail(canvas, [(right, _RAIL), (_CAPACITOR, _RAIL)], svg_sheet.VOLTS_5)
    svg_sheet.rail(canvas, [(right, _GROUND), (_CAPACITOR, _GROUND)], svg_sheet.GROUND)
    if rating := rail_fuse(config):
        svg_sheet.box(canvas, right + 40, _RAIL - 4, 22, 8)
        canvas.text((right + 51, _RAIL - 14), f"{rating:g} A", svg_sheet.SMALL, svg_sheet.INK, name="rail-fuse")
    svg_sheet.capacitor(canvas, (_CAPACITOR, _RAIL), _GROUND - _RAIL, plus=True)
    canvas.text((_CAPACITOR + 18, 94), "1000 uF, 6.3 V or more", svg_sheet.NORMAL, svg_sheet.INK, anchor="start")
    words = f"rails: {rail_wire(config):g} mm2 for 1 m. At each feed a quick-acting fuse of"
    words += f" {fuse(config):g} A, its wires {feed_wire(config):g} mm2 for 1 m"
    canvas.text((_DOWN[0], 94), words, svg_sheet.NORMAL, svg_sheet.INK, anchor="end", name="fuse")


def _draw_common_ground(canvas: Canvas, levels: Sequence[float]) -> None:
    """Draw the wire that joins the supply's minus, the Pi's ground and the level shifter's ground."""
    start = svg_sheet.EDGE + 202
    svg_sheet.dot(canvas, (start, _GROUND), svg_sheet.GROUND)
    points = [(start, _GROUND), (start, 172.0), (_COMMON, 172.0), (_COMMON, levels[-1] + 42)]
    svg_sheet.wire(canvas, points, svg_sheet.GROUND, name="common-ground")
    for y in levels:
        for level, x in ((y + 24, svg_sheet.EDGE + 150), (y + 42, _GATE + 26)):
            svg_sheet.wire(canvas, [(_COMMON, level), (x, level)], svg_sheet.GROUND)
            svg_sheet.dot(canvas, (_COMMON, level), svg_sheet.GROUND)


def _draw_gate(canvas: Canvas, gate: int, name: str, place: str, y: float) -> None:
    """Draw a data wire from its GPIO through a gate of the level shifter to a strip's first lamp."""
    entry, exit_, enable = GATES[gate]
    svg_sheet.box(canvas, svg_sheet.EDGE, y - 20, 150, 60, fill=svg_sheet.PALE)
    canvas.text((svg_sheet.EDGE + 10, y), f"Pi: {place}", svg_sheet.NORMAL, svg_sheet.INK, anchor="start", name=name)
    canvas.text((svg_sheet.EDGE + 142, y + 24), "any ground pin", svg_sheet.NORMAL, svg_sheet.INK, anchor="end")
    svg_sheet.wire(canvas, [(svg_sheet.EDGE + 150, y), (_GATE, y)], _GREEN)
    canvas.shape(
        [(_GATE, y - 26), (_GATE, y + 26), (_GATE + 54, y)], svg_sheet.PAPER, edge=svg_sheet.INK, edge_width=1.6
    )
    canvas.text((_GATE - 8, y - 9), str(entry), 9, svg_sheet.GREY, anchor="end")
    canvas.text((_GATE + 60, y - 9), str(exit_), 9, svg_sheet.GREY)
    svg_sheet.wire(canvas, [(_GATE + 26, y + 14), (_GATE + 26, y + 42)], svg_sheet.GROUND)
    canvas.text((_GATE + 31, y + 23), str(enable), 9, svg_sheet.GREY, anchor="start")
    canvas.text((_GATE + 32, y + 42), "and pin 7", svg_sheet.SMALL, svg_sheet.INK, anchor="start")
    canvas.text((_GATE + 20, y - 38), "74AHCT125", svg_sheet.SMALL, svg_sheet.INK)
    svg_sheet.wire(canvas, [(_GATE + 54, y), (_GATE + 84, y)], _GREEN)
    svg_sheet.resistor(canvas, (_GATE + 84, y), (_GATE + 130, y))
    canvas.text((_GATE + 107, y + 18), "330 to 470 ohm", svg_sheet.SMALL, svg_sheet.INK)


_ABOVE = (56.0, 34.0)
"""The distance of the 5 V and ground wires above their strip."""


def _draw_boxes(canvas: Canvas, strip: list[Lamp], y: float) -> None:
    """Draw some lamps of a strip: the first two, the last, and up to ten with a power feed and its fuse."""
    (left, right), last = _BOXES, len(strip) - 1
    fed = [place for place, lamp in enumerate(strip) if lamp.fed]
    drawn = fed if len(fed) <= _FEEDS_SHOWN else [*fed[: _FEEDS_SHOWN // 2], *fed[-_FEEDS_SHOWN // 2 :]]
    shown = sorted({0, min(1, last), last, *drawn})
    ways = [_NEXT if after == before + 1 else 24.0 for before, after in pairwise(shown)]
    wide = min(74.0, (right - left - sum(ways)) / len(shown))
    svg_sheet.wire(canvas, [(left - 30, y), (left, y)], _GREEN)
    x = left
    for place, way, following in zip(shown, [*ways, 0.0], [*shown[1:], None], strict=True):
        if strip[place].fed:
            _draw_feed(canvas, x + 0.22 * wide, x + 0.78 * wide, y)
        _draw_lamp(canvas, strip[place], x, y - 24, wide, 48)
        svg_sheet.arrow(canvas, (x, y), _GREEN)
        x += wide
        if following is not None:
            _draw_way(canvas, x, y, way, strip[following])
        x += way
    for down, above, at, colour in zip(_DOWN, _ABOVE, (0.22, 0.78), (svg_sheet.VOLTS_5, svg_sheet.GROUND), strict=True):
        svg_sheet.wire(canvas, [(left + at * wide, y - above), (down, y - above)], colour)
        svg_sheet.dot(canvas, (down, y - above), colour)
    numbers = [strip[place].number for place in fed]
    places = [
        f"dead {place + 1}" if number is None else str(number) for place, number in zip(fed, numbers, strict=True)
    ]
    more = f" and {len(places) - _LISTED} more, see the order" if len(places) > _LISTED else ""
    words = f"5 V is cut, and 5 V and ground are fed in before these: {', '.join(places[:_LISTED])}{more}"
    canvas.text((left, y + 34), words, svg_sheet.SMALL, svg_sheet.INK, anchor="start")


def _draw_way(canvas: Canvas, x: float, y: float, way: float, to: Lamp) -> None:
    """Draw the wires for 5 V, data and ground to a lamp. They are dashed across omitted lamps."""
    dash = None if way == _NEXT else (3.0, 5.0)
    for level, colour in ((y, _GREEN), (y + 16, svg_sheet.GROUND)):
        canvas.line([(x, level), (x + way, level)], colour, 1.6, dash=dash)
    if to.fed:
        canvas.line([(x, y - 16), (x + 0.4 * way, y - 16)], svg_sheet.VOLTS_5, 1.6, dash=dash)
        bar = [(x + 0.4 * way, y - 21), (x + 0.4 * way, y - 11)]
        svg_sheet.wire(canvas, bar, svg_sheet.VOLTS_5, name=f"cut-{to.number}")
    else:
        canvas.line([(x, y - 16), (x + way, y - 16)], svg_sheet.VOLTS_5, 1.6, dash=dash)


def _draw_feed(canvas: Canvas, plus: float, minus: float, y: float) -> None:
    """Draw a power feed: a fuse from the strip's 5 V to a lamp, and a wire from the lamp's ground."""
    svg_sheet.wire(canvas, [(plus, y - _ABOVE[0]), (plus, y - 24)], svg_sheet.VOLTS_5)
    svg_sheet.box(canvas, plus - 4, y - 53, 8, 16)
    svg_sheet.wire(canvas, [(plus, y - 53), (plus, y - 37)], svg_sheet.VOLTS_5)
    svg_sheet.wire(canvas, [(minus, y - _ABOVE[1]), (minus, y - 24)], svg_sheet.GROUND)
    svg_sheet.dot(canvas, (plus, y - _ABOVE[0]), svg_sheet.VOLTS_5)
    svg_sheet.dot(canvas, (minus, y - _ABOVE[1]), svg_sheet.GROUND)


def _draw_sums(canvas: Canvas, config: Config, sums: Budget, top: float) -> None:
    for number, (what, milliamps) in enumerate([*sums.lines, ("all together", sums.total)]):
        y = top + number * 20
        canvas.text((svg_sheet.EDGE, y), what.replace("×", "x"), svg_sheet.NORMAL, svg_sheet.INK, anchor="start")
        text = f"{milliamps:,.0f} mA".replace(",", " ")
        canvas.text((svg_sheet.EDGE + 290, y), text, svg_sheet.NORMAL, svg_sheet.INK, anchor="end")
    words = (
        f"max_milliamps holds the lamps to {config.lamps.max_milliamps} mA.",
        f"Not held, and all white: {sums.white / 1000:.1f} A.",
        f"A supply of {supply(config):g} A serves the lamps alone and blows their fuses,",
        f"one of {max(sums.supply, supply(config)):g} A lamps and Pi together.",
        f"Points to feed 5 V and ground in: {sum(lamp.fed for strip in strips(config) for lamp in strip)}.",
    )
    svg_sheet.lines(canvas, (svg_sheet.EDGE + 330, top), words)


def _draw_shifter(canvas: Canvas, used: list[tuple[str, Lamp]], top: float) -> None:
    """Draw the level shifter from above, with the wire on each of its pins."""
    said = {7: "GND", 14: "5 V, and 100 nF to GND"}
    for gate, (entry, exit_, enable) in enumerate(GATES):
        if gate < len(used):
            place, lamp = used[gate]
            first = "the first dead lamp" if lamp.number is None else f"lamp {lamp.number}"
            said |= {entry: place, exit_: f"by the resistor to {first}", enable: "GND"}
        else:
            said |= {entry: "GND", exit_: "open", enable: "5 V"}
    left, wide = 900.0, 66.0
    svg_sheet.box(canvas, left, top, wide, 152)
    canvas.arc((left + wide / 2, top), 7, (0, 180), svg_sheet.INK, 1.6)
    canvas.text((left + wide / 2, top - 14), "74AHCT125", svg_sheet.NORMAL, svg_sheet.INK)
    for pin, text in said.items():
        on_left = pin <= 7
        y = top + 20 + (pin - 1 if on_left else 14 - pin) * 19
        edge, out = (left, -1) if on_left else (left + wide, 1)
        svg_sheet.wire(canvas, [(edge, y), (edge + out * 6, y)])
        canvas.text(
            (edge - out * 6, y), str(pin), svg_sheet.SMALL, svg_sheet.GREY, anchor="start" if on_left else "end"
        )
        colour = svg_sheet.VOLTS_5 if text.startswith("5 V") else svg_sheet.GREY if text == "open" else svg_sheet.INK
        anchor = "end" if on_left else "start"
        canvas.text((edge + out * 10, y), text, svg_sheet.SMALL, colour, anchor=anchor, name=f"shifter-{pin}")


# ---- the order of the lamps ----

_ACROSS, _WIDE, _HIGH, _PITCH = 20, 48.0, 40.0, 53.0
_ROW = 51.0
_ROWS_A_PAGE = 13

Row = str | list[Lamp]
"""A line of a page: a heading, or up to 20 lamps."""


def pages(config: Config) -> list[list[Row]]:
    """Return which rows of the lamps' order are on each page."""
    rows: list[Row] = []
    every = strips(config)
    for number, strip in enumerate(every, 1):
        if len(every) > 1:
            rows.append(f"Strip {number}")
        rows += [strip[start : start + _ACROSS] for start in range(0, len(strip), _ACROSS)]
    return [rows[start : start + _ROWS_A_PAGE] for start in range(0, len(rows), _ROWS_A_PAGE)]


def draw_order(canvas: Canvas, config: Config, source: str, page: int = 0) -> None:
    """Draw a table of the lamps in their order in the chain."""
    svg_sheet.head(canvas, "The chain of lamps, in order", source)
    for number, row in enumerate(pages(config)[page]):
        y = 82 + number * _ROW
        if isinstance(row, str):
            canvas.text((svg_sheet.EDGE, y + _ROW / 2), row, svg_sheet.LARGE, svg_sheet.INK, anchor="start")
            continue
        for place, lamp in enumerate(row):
            x = svg_sheet.EDGE + 14 + place * _PITCH
            svg_sheet.wire(
                canvas, [(x - 14 if place == 0 else x - (_PITCH - _WIDE), y + _HIGH / 2), (x, y + _HIGH / 2)], _GREEN
            )
            _draw_lamp(canvas, lamp, x, y, _WIDE, _HIGH, name=f"lamp-{lamp.number}")
            if lamp.fed:
                canvas.line([(x + 1, y + 1), (x + 1, y + _HIGH - 1)], svg_sheet.VOLTS_5, 5)
        if len(row) == _ACROSS:
            end = svg_sheet.EDGE + 14 + (_ACROSS - 1) * _PITCH + _WIDE
            svg_sheet.wire(canvas, [(end, y + _HIGH / 2), (end + 8, y + _HIGH / 2)], _GREEN)
            svg_sheet.arrow(canvas, (end + 14, y + _HIGH / 2), _GREEN)
    svg_sheet.lines(canvas, (svg_sheet.EDGE, svg_sheet.HEIGHT - 76), _ORDER_NOTES, size=svg_sheet.SMALL + 1)


def _draw_lamp(
    canvas: Canvas, lamp: Lamp, left: float, top: float, wide: float, high: float, *, name: str = ""
) -> None:
    fill = {"station": svg_sheet.PAPER, "log": _LOG}.get(lamp.kind, _DEAD)
    svg_sheet.box(canvas, left, top, wide, high, fill=fill)
    middle = left + wide / 2
    if lamp.number is not None:
        canvas.text((middle, top + 0.25 * high), str(lamp.number), 9, svg_sheet.GREY)
    size = min(svg_sheet.LARGE, 0.3 * wide) if lamp.kind == "station" else min(svg_sheet.NORMAL, 0.24 * wide)
    canvas.text(
        (middle, top + 0.66 * high), _said(lamp), size, svg_sheet.INK, name=name if lamp.number is not None else ""
    )
