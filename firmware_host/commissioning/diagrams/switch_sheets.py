"""Draw the sheets of the switches: a 74HC165 chain, a diode matrix, or one GPIO a station."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from firmware_host.commissioning.diagrams import svg_sheet
from firmware_host.commissioning.diagrams.pi_header import leads
from firmware_host.config.drivers.switch_drivers import MatrixSettings, ShiftRegisterSettings
from firmware_host.config.loader import Config
from firmware_host.ui.drawing.canvas import Canvas, Colour, Point
from hardware.raspberry_pi.pinout import PHYSICAL

INPUTS = "HGFEDCBA"
"""The inputs of a chip in the order in which they are shifted out."""

PINS = {
    "SH/LD": 1, "CLK": 2, "E": 3, "F": 4, "G": 5, "H": 6, "/QH": 7, "GND": 8,
    "QH": 9, "SER": 10, "A": 11, "B": 12, "C": 13, "D": 14, "INH": 15, "VCC": 16,
}  # fmt: skip
"""Pin of a 74HC165 -> its number (SN74HC165 data sheet, "Pin Configuration and Functions")."""

PICO = {"QH": ("GP16", 21), "SH/LD": ("GP17", 22), "CLK": ("GP18", 24)}
"""Pin of the chain -> the Pico's GP, as in `hardware/firmware/main.py`, and its pin on the board."""

CHIPS_A_PAGE = 28

_ACROSS, _SLOT = 7, (157.0, 172.0)
_BODY, _STEP = (62.0, 146.0), 17.0
_BLUE = svg_sheet.OWNERS["switches"]

_HOW = (
    "All chips are 74HC165 in DIP-16, at 3.3 V (never 5 V: QH would put it on the host's pin).",
    "Pin 7 (/QH) of every chip stays open.",
    "A closed reed draws 0.33 mA through its 10 kohm. Networks of 8 x 10 kohm (9 pins) serve a chip each.",
    "Let CLK, SH/LD and ground run from chip to chip in the order of the chain, not as a star.",
    "If readings are spoiled: 100 ohm in CLK and SH/LD, at the host, and a slower spi_hz.",
    "The last chip bears the sentinel: its inputs go straight to 3.3 V or ground, without resistors.",
)
_LEGEND = (
    "Each chip is seen from above, its notch up: pins 1 to 8 down the left side, 9 to 16 up the right side.",
    'A number beside an input is the station whose reed lies between that pin and ground; at "free" there is none.',
    "Every input has its 10 kohm to 3.3 V, the free one too. Only those of the last chip have none.",
)


@dataclass(frozen=True, slots=True)
class Chip:
    """One chip of the chain, with its stations.

    Attributes:
        number: from 1, counted from the host.
        inputs: pin A to H -> the station there, "free", or "3.3 V" or "GND" for the sentinel.
        last: whether it has the sentinel.
    """

    number: int
    inputs: dict[str, str]
    last: bool


def chips(config: Config) -> list[Chip]:
    """Return all chips of the chain. The first is next to the device that reads the chain."""
    stations = dict(zip(config.layout.switch_inputs, config.layout.stations, strict=True))
    wanted: ShiftRegisterSettings = config.sections["switches"]
    count, sentinel = wanted.chips, wanted.sentinel
    found = []
    for number in range(count - 1):
        inputs = {pin: str(stations.get(8 * number + place, "free")) for place, pin in enumerate(INPUTS)}
        found.append(Chip(number + 1, inputs, last=False))
    levels = {pin: "3.3 V" if sentinel >> (7 - place) & 1 else "GND" for place, pin in enumerate(INPUTS)}
    return [*found, Chip(count, levels, last=True)]


@dataclass(frozen=True, slots=True)
class Host:
    """The device that reads the chain, with its pins.

    Attributes:
        name: its name.
        bus: how it is connected.
        ends: wire of the chain -> name and number of the pin where it ends, in two lines.
        more: other notes about it.
    """

    name: str
    bus: str
    ends: dict[str, tuple[str, str]]
    more: tuple[str, ...] = ()


def host_of_chain(config: Config) -> Host:
    """Return the device that reads a configuration's chips: the Pi or a Pico."""
    return _pico() if config.devices["switches"].driver.sheets.endswith("pico_sheets") else _pi(config)


def _pi(config: Config) -> Host:
    wanted: ShiftRegisterSettings = config.sections["switches"]
    found = {lead.end: (f"GPIO {lead.gpio}", f"pin {lead.pin}") for lead in leads(config) if lead.owner == "switches"}
    ends = {
        "CLK": found["chips: CLK of all"],
        "QH": found["chips: QH of chip 1"],
        "SH/LD": found["chips: SH/LD of all"],
        "3.3 V": ("3.3 V", "pin 1 or 17"),
        "GND": ("ground", "any"),
    }
    return Host("Pi", f"SPI {wanted.spi}, mode {wanted.spi_mode}", ends)


def _pico() -> Host:
    ends = {wire: (name, f"pin {pin}") for wire, (name, pin) in PICO.items()}
    ends |= {"3.3 V": ("3V3(OUT)", "pin 36"), "GND": ("GND", "pin 23")}
    more = "The Pico gets its 5 V over the USB cable. Its GP19 (pin 25) stays open: the bus takes it along."
    return Host("Pico", "USB to the Pi", ends, (more,))


def pi_sheets(config: Config) -> dict[str, Callable[..., None]]:
    """Return the drawing functions of the sheets for a chain on the Pi's SPI."""
    return _sheets(config, _pi(config))


def pico_sheets(config: Config) -> dict[str, Callable[..., None]]:
    """Return the drawing functions of the sheets for a chain on a Pico."""
    return _sheets(config, _pico())


def _sheets(config: Config, host: Host) -> dict[str, Callable[..., None]]:
    count = math.ceil(len(chips(config)) / CHIPS_A_PAGE)
    return {"chain": partial(draw_chain, host=host), **svg_sheet.paged("chips", draw_chips, count)}


# ---- which station on which pin ----


def draw_chips(canvas: Canvas, config: Config, source: str, page: int = 0) -> None:
    """Draw a page of up to 28 chips, each from above."""
    every = chips(config)
    here = every[CHIPS_A_PAGE * page :][:CHIPS_A_PAGE]
    svg_sheet.head(canvas, f"Chips {here[0].number} to {here[-1].number} of {len(every)}: the stations", source)
    for place, chip in enumerate(here):
        row, column = divmod(place, _ACROSS)
        _draw_dip(canvas, chip, (svg_sheet.EDGE + column * _SLOT[0], 68 + row * _SLOT[1]))
    svg_sheet.lines(canvas, (svg_sheet.EDGE, svg_sheet.HEIGHT - 76), _LEGEND, size=svg_sheet.SMALL + 1)


def _draw_dip(canvas: Canvas, chip: Chip, at: Point) -> None:
    left, top = at[0] + (_SLOT[0] - _BODY[0]) / 2, at[1]
    svg_sheet.box(canvas, left, top, *_BODY, fill=svg_sheet.PALE if chip.last else svg_sheet.PAPER)
    middle = left + _BODY[0] / 2
    canvas.arc((middle, top), 7, (0, 180), svg_sheet.INK, 1.6)
    canvas.text((middle, top + _BODY[1] / 2), str(chip.number), svg_sheet.HUGE, svg_sheet.GREY)
    said = {
        **chip.inputs,
        "QH": "to host" if chip.number == 1 else f"SER {chip.number - 1}",
        "SER": "GND" if chip.last else f"QH {chip.number + 1}",
    }
    for pin, number in PINS.items():
        on_left = number <= 8
        y = top + 14 + (number - 1 if on_left else 16 - number) * _STEP
        edge = left if on_left else left + _BODY[0]
        out = -1 if on_left else 1
        canvas.text((edge - out * 4, y), pin, 8.5, svg_sheet.GREY, anchor="start" if on_left else "end")
        if pin in said:
            svg_sheet.wire(canvas, [(edge, y), (edge + out * 6, y)])
            is_station = said[pin].isdecimal()
            size, colour = (13.0, svg_sheet.INK) if is_station else (svg_sheet.SMALL, _shade(said[pin]))
            name = f"chip-{chip.number}-{pin}"
            canvas.text((edge + out * 10, y), said[pin], size, colour, anchor="end" if on_left else "start", name=name)


def _shade(said: str) -> Colour:
    return {"3.3 V": svg_sheet.VOLTS_3_3, "GND": svg_sheet.GROUND, "free": svg_sheet.GREY}.get(said, _BLUE)


# ---- connections ----

_CHIP_TOP, _CHIP_HIGH, _CHIP_WIDE = 222.0, 108.0, 226.0
_RAIL, _QH, _CLOCK, _LOAD, _GROUND = 96.0, _CHIP_TOP + 84, 388.0, 414.0, 440.0
_CHIPS_AT = (292.0, 574.0, 898.0)
_HOST = (svg_sheet.EDGE, 74.0, 150.0, 388.0)


def draw_chain(canvas: Canvas, config: Config, source: str, host: Host) -> None:
    """Draw the first two chips and the last one with their connections, and one input with its parts."""
    every = chips(config)
    svg_sheet.head(canvas, f"The chain of {len(every)} 74HC165: how the chips are joined", source)
    right = _CHIPS_AT[-1] + _CHIP_WIDE
    for y, colour in ((_RAIL, svg_sheet.VOLTS_3_3), (_CLOCK, _BLUE), (_LOAD, _BLUE), (_GROUND, svg_sheet.GROUND)):
        svg_sheet.rail(canvas, [(_HOST[0] + _HOST[2], y), (right, y)], colour)
    _draw_host(canvas, host)
    shown = [every[0], every[1], every[-1]] if len(every) > 2 else [every[0], every[-1]]
    places = [*_CHIPS_AT[: len(shown) - 1], _CHIPS_AT[-1]]
    for chip, left in zip(shown, places, strict=True):
        _draw_chip(canvas, chip, left)
    _join(canvas, shown, places)
    _draw_input(canvas)
    _draw_supply(canvas, len(every))
    svg_sheet.lines(canvas, (500, 520), (*_HOW, *host.more))


def _draw_host(canvas: Canvas, host: Host) -> None:
    left, top, wide, high = _HOST
    svg_sheet.box(canvas, left, top, wide, high, fill=svg_sheet.PALE)
    canvas.text((left + 14, 150), host.name, svg_sheet.HUGE, svg_sheet.INK, anchor="start")
    canvas.text((left + 14, 176), host.bus, svg_sheet.NORMAL, svg_sheet.GREY, anchor="start")
    levels = {"3.3 V": _RAIL, "QH": _QH, "CLK": _CLOCK, "SH/LD": _LOAD, "GND": _GROUND}
    for wire, (name, pin) in host.ends.items():
        y = levels[wire]
        canvas.text((left + 10, y), pin, svg_sheet.SMALL, svg_sheet.GREY, anchor="start")
        canvas.text((left + wide - 8, y), name, svg_sheet.NORMAL, svg_sheet.INK, anchor="end", name=f"host-{wire}")
        canvas.text((left + wide + 16, y - 11), wire, svg_sheet.SMALL, svg_sheet.GREY, anchor="start")


def _draw_chip(canvas: Canvas, chip: Chip, left: float) -> None:
    """Draw a chip: inputs at the top, clock and load below, serial output left and serial input right."""
    bottom, right = _CHIP_TOP + _CHIP_HIGH, left + _CHIP_WIDE
    svg_sheet.box(canvas, left, _CHIP_TOP, _CHIP_WIDE, _CHIP_HIGH)
    for pin, offset, level, colour in (
        ("CLK", 44, _CLOCK, _BLUE),
        ("SH/LD", 90, _LOAD, _BLUE),
        ("INH", 140, _GROUND, svg_sheet.GROUND),
        ("GND", 184, _GROUND, svg_sheet.GROUND),
    ):
        x = left + offset
        svg_sheet.wire(canvas, [(x, bottom), (x, level)], colour)
        svg_sheet.dot(canvas, (x, level), colour)
        canvas.text((x, bottom - 10), pin, svg_sheet.SMALL, svg_sheet.GREY)
        canvas.text((x - 4, bottom + 10), str(PINS[pin]), 9, svg_sheet.GREY, anchor="end")
    for place, pin in enumerate(INPUTS):
        _draw_top_pin(canvas, chip, pin, left + 46 + place * 23)
    svg_sheet.wire(canvas, [(left + 20, _CHIP_TOP), (left + 20, _RAIL)], svg_sheet.VOLTS_3_3)
    svg_sheet.dot(canvas, (left + 20, _RAIL), svg_sheet.VOLTS_3_3)
    canvas.text((left + 20, _CHIP_TOP + 10), "VCC", svg_sheet.SMALL, svg_sheet.GREY)
    canvas.text((left + 16, _CHIP_TOP - 8), str(PINS["VCC"]), 9, svg_sheet.GREY, anchor="end")
    canvas.text((left + 6, _QH), "QH", svg_sheet.SMALL, svg_sheet.GREY, anchor="start")
    canvas.text((right - 6, _QH), "SER", svg_sheet.SMALL, svg_sheet.GREY, anchor="end")
    canvas.text((left - 4, _QH - 8), str(PINS["QH"]), 9, svg_sheet.GREY, anchor="end")
    canvas.text((right + 4, _QH - 8), str(PINS["SER"]), 9, svg_sheet.GREY, anchor="start")
    canvas.text(((left + right) / 2, _CHIP_TOP + 48), f"chip {chip.number}", svg_sheet.HUGE, svg_sheet.INK)
    if chip.last:
        canvas.text(((left + right) / 2, _QH - 10), "sentinel", svg_sheet.NORMAL, svg_sheet.GREY)


def _draw_top_pin(canvas: Canvas, chip: Chip, pin: str, x: float) -> None:
    """Draw one input: with its pull-up resistor and station, or tied to a fixed level."""
    said, node = chip.inputs[pin], (x, 176.0)
    canvas.text((x, _CHIP_TOP + 10), pin, svg_sheet.SMALL, svg_sheet.GREY)
    canvas.text((x - 4, _CHIP_TOP - 8), str(PINS[pin]), 9, svg_sheet.GREY, anchor="end")
    if said == "GND":
        svg_sheet.wire(canvas, [(x, _CHIP_TOP), node], svg_sheet.GROUND)
        svg_sheet.ground(canvas, node, up=True)
        return
    if said == "3.3 V":
        svg_sheet.wire(canvas, [(x, _CHIP_TOP), (x, _RAIL)], svg_sheet.VOLTS_3_3)
        svg_sheet.dot(canvas, (x, _RAIL), svg_sheet.VOLTS_3_3)
        return
    svg_sheet.wire(canvas, [(x, _CHIP_TOP), node])
    svg_sheet.resistor(canvas, (x, _RAIL), node)
    svg_sheet.dot(canvas, (x, _RAIL), svg_sheet.VOLTS_3_3)
    canvas.disc(node, 11, svg_sheet.PAPER, edge=svg_sheet.INK, edge_width=1.2)
    if said != "free":
        canvas.text(node, said, 9.5, svg_sheet.INK)


def _join(canvas: Canvas, shown: list[Chip], places: list[float]) -> None:
    """Draw the wires from each chip's QH to the SER of the previous chip, without the chips in the middle."""
    start = _HOST[0] + _HOST[2]
    svg_sheet.wire(canvas, [(start, _QH), (places[0], _QH)], _BLUE)
    svg_sheet.arrow(canvas, (start + 12, _QH), _BLUE, left=True)
    for (one, left), (other, right) in zip(
        zip(shown, places, strict=True), zip(shown[1:], places[1:], strict=True), strict=False
    ):
        from_, to = left + _CHIP_WIDE, right
        if other.number == one.number + 1:
            svg_sheet.wire(canvas, [(from_, _QH), (to, _QH)], _BLUE)
        else:
            canvas.line([(from_, _QH), (to, _QH)], _BLUE, 1.6, dash=(4, 5))
            middle = (from_ + to) / 2
            canvas.text((middle, _QH - 42), f"chips {one.number + 1}", svg_sheet.NORMAL, svg_sheet.GREY)
            canvas.text((middle, _QH - 26), f"to {other.number - 1}", svg_sheet.NORMAL, svg_sheet.GREY)
        svg_sheet.arrow(canvas, ((from_ + to) / 2 - 5, _QH), _BLUE, left=True)
    end = places[-1] + _CHIP_WIDE
    svg_sheet.wire(canvas, [(end, _QH), (end + 12, _QH), (end + 12, _QH + 14)], svg_sheet.GROUND)
    svg_sheet.ground(canvas, (end + 12, _QH + 14))


def _draw_input(canvas: Canvas) -> None:
    x, y = 210.0, 640.0
    canvas.text(
        (svg_sheet.EDGE, 520), "Each input of all chips but the last", svg_sheet.LARGE, svg_sheet.INK, anchor="start"
    )
    svg_sheet.resistor(canvas, (x, y - 74), (x, y))
    canvas.text((x, y - 84), "3.3 V", svg_sheet.NORMAL, svg_sheet.VOLTS_3_3)
    canvas.text((x - 14, y - 37), "10 kohm", svg_sheet.NORMAL, svg_sheet.INK, anchor="end")
    svg_sheet.wire(canvas, [(x, y), (x + 90, y)])
    svg_sheet.dot(canvas, (x, y))
    canvas.text((x + 96, y), "input, pin A to H", svg_sheet.NORMAL, svg_sheet.INK, anchor="start")
    svg_sheet.contact(canvas, (x - 120, y), (x, y))
    canvas.text((x - 60, y + 24), "reed of a station", svg_sheet.NORMAL, svg_sheet.INK)
    svg_sheet.wire(canvas, [(x - 120, y), (x - 120, y + 8)], svg_sheet.GROUND)
    svg_sheet.ground(canvas, (x - 120, y + 8))
    canvas.disc((svg_sheet.EDGE + 12, 730), 11, svg_sheet.PAPER, edge=svg_sheet.INK, edge_width=1.2)
    canvas.text((svg_sheet.EDGE + 12, 730), "58", 9.5, svg_sheet.INK)
    text = "above stands for the reed of station 58; an empty one is an input without a reed"
    canvas.text((svg_sheet.EDGE + 32, 730), text, svg_sheet.NORMAL, svg_sheet.INK, anchor="start")
    canvas.text((svg_sheet.EDGE, 760), "Small numbers are the pins of the chip (DIP-16). A dot joins wires; where "
                "wires cross without a dot they are not joined.",
                svg_sheet.NORMAL, svg_sheet.INK, anchor="start")  # fmt: skip


def _draw_supply(canvas: Canvas, count: int) -> None:
    """Draw the parts between the supply pins of each chip."""
    right, wire, top, bottom = 760.0, 820.0, 658.0, 706.0
    svg_sheet.box(canvas, right - 110, top - 14, 110, bottom - top + 28)
    canvas.text((right - 100, (top + bottom) / 2), "every chip", svg_sheet.NORMAL, svg_sheet.INK, anchor="start")
    for y, pin, colour in ((top, "VCC", svg_sheet.VOLTS_3_3), (bottom, "GND", svg_sheet.GROUND)):
        canvas.text((right - 8, y), pin, svg_sheet.SMALL, svg_sheet.GREY, anchor="end")
        canvas.text((right + 5, y - 8), str(PINS[pin]), 9, svg_sheet.GREY, anchor="start")
        svg_sheet.wire(canvas, [(right, y), (wire, y)], colour)
    svg_sheet.capacitor(canvas, (wire, top), bottom - top)
    svg_sheet.ground(canvas, (wire, bottom))
    canvas.text((wire + 8, top), "3.3 V", svg_sheet.NORMAL, svg_sheet.VOLTS_3_3, anchor="start")
    words = f"100 nF, close to the chip: {count} in all"
    canvas.text(
        (wire + 22, (top + bottom) / 2), words, svg_sheet.NORMAL, svg_sheet.INK, anchor="start", name="blocking"
    )


_LEFT, _TOP = 190.0, 138.0
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
    """Return the drawing function of the sheet for a matrix."""
    return {"matrix": draw_matrix}


def reed_sheets(_: Config) -> dict[str, Callable[..., None]]:
    """Return the drawing function of the sheet for reeds on GPIOs."""
    return {"reeds": draw_reeds}


def draw_matrix(canvas: Canvas, config: Config, source: str) -> None:
    """Draw the rows and columns of a matrix, with a reed and diode at each crossing that has a station."""
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
    """Draw a reed and a diode, from the column at the left down to the row below."""
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
    """Draw each station's reed and the GPIO that it is wired to."""
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
