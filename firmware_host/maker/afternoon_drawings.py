"""Draw a board that can be built in an afternoon: from above, from below, cut open, and its electric parts.

Each function draws at a canvas's origin. A constant gives the size of each drawing, in millimetres.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise

from reportlab.graphics import renderPDF
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from firmware_host.commissioning.diagrams import lamp_chain
from firmware_host.commissioning.diagrams.pi_header import leads
from firmware_host.config.loader import Config
from firmware_host.maker.board_plan import DIAMETERS, PITCH, BoardPlan, Cut
from firmware_host.maker.cross_section import PAWN_FOOT
from firmware_host.maker.printed_map import map_drawing
from firmware_host.maker.reading_pages import BOLD, FONT, GREY, INK, PALE
from firmware_host.maker.wire_list import pi_place
from firmware_host.maker.wire_order import Place, short_way
from hardware.raspberry_pi.pinout import VOLTS_5

RED, BLUE, GREEN, ORANGE = HexColor("#c0202a"), HexColor("#1f57c3"), HexColor("#1c8a4a"), HexColor("#c65d00")
WOOD, GLASS, METAL, WHITE = HexColor("#e6cfa6"), HexColor("#cfe6f2"), HexColor("#8d949e"), HexColor("#ffffff")

WIDTH = 167.0
"""Width of the drawing of the panel from below, in millimetres."""
ABOVE = 132.0
"""Width of the drawing of the panel from above, in millimetres."""
HOLES = (178.0, 92.0)
"""Width and height of the two drawings of the holes together."""
STATION = (178.0, 124.0)
"""Width and height of the drawing of a station that is cut open."""
BREADBOARD = (178.0, 68.0)
"""Size of the drawing of the breadboard."""
SUPPLY = (178.0, 66.0)
"""Size of the drawing of the power supply."""
SCREEN = (178.0, 46.0)
"""Size of the drawing of the screen under its opening."""
HEADER = (178.0, 66.0)
"""Size of the drawing of the Pi's pins."""


class _Pen:
    """A canvas with coordinates in millimetres, y downwards, and a scale.

    It can mirror a drawing, to show the panel from below.
    """

    def __init__(self, canvas: Canvas, height: float, scale: float = 1.0, mirrored_in: float = 0.0) -> None:
        self.canvas, self._height, self._scale, self._mirror = canvas, height, scale, mirrored_in

    def at(self, place: Place) -> Place:
        x = self._mirror - place[0] if self._mirror else place[0]
        return x * self._scale * mm, (self._height - place[1] * self._scale) * mm

    def box(self, place: Place, size: Place, fill: Color | None = None, edge: Color | None = INK, thick: float = 0.5,
            round_: float = 0.0) -> None:  # fmt: skip
        x, y = self.at(place)
        wide, high = size[0] * self._scale * mm, size[1] * self._scale * mm
        self._use(fill, edge, thick)
        self.canvas.roundRect(
            x - (wide if self._mirror else 0), y - high, wide, high, round_ * mm,
            stroke=int(edge is not None), fill=int(fill is not None),
        )  # fmt: skip

    def dot(self, place: Place, diameter: float, fill: Color | None = None, edge: Color | None = INK) -> None:
        x, y = self.at(place)
        self._use(fill, edge, 0.5)
        radius = diameter / 2 * self._scale * mm
        self.canvas.circle(x, y, radius, stroke=int(edge is not None), fill=int(fill is not None))

    def way(self, places: Sequence[Place], colour: Color, thick: float = 0.8, *, arrow: bool = False) -> None:
        self._use(None, colour, thick)
        for one, other in pairwise(map(self.at, places)):
            self.canvas.line(*one, *other)
        if arrow:
            (x1, y1), (x2, y2) = map(self.at, places[-2:])
            angle = math.atan2(y2 - y1, x2 - x1)
            for turn in (2.7, -2.7):
                self.canvas.line(x2, y2, x2 + 1.8 * mm * math.cos(angle + turn), y2 + 1.8 * mm * math.sin(angle + turn))

    def write(self, place: Place, text: str, size: float = 7.0, colour: Color = INK, *, bold: bool = False,
              align: str = "left") -> None:  # fmt: skip
        x, y = self.at(place)
        self.canvas.setFont(BOLD if bold else FONT, size)
        self.canvas.setFillColor(colour)
        draw = {"left": self.canvas.drawString, "right": self.canvas.drawRightString}
        draw.get(align, self.canvas.drawCentredString)(x, y - size * 0.36, text)

    def lines(self, place: Place, texts: Iterable[str], size: float = 7.0, colour: Color = INK) -> None:
        for number, text in enumerate(texts):
            self.write((place[0], place[1] + number * size * 0.47 / self._scale), text, size, colour)

    def _use(self, fill: Color | None, edge: Color | None, thick: float) -> None:
        self.canvas.setLineWidth(thick)
        if fill is not None:
            self.canvas.setFillColor(fill)
        if edge is not None:
            self.canvas.setStrokeColor(edge)


# ---- the whole panel ----


def panel_height(plan: BoardPlan, width: float) -> float:
    """Return the height of a drawing of the panel with this width, both in mm."""
    return width * plan.height / plan.width


_CABLES = 4.0
"""Room below the panel for the cables, in millimetres of the drawing from below."""


def below_size(plan: BoardPlan) -> tuple[float, float]:
    """Return the width and height of the drawing from below, in mm."""
    return WIDTH, panel_height(plan, WIDTH) + _CABLES


def draw_from_above(canvas: Canvas, config: Config, plan: BoardPlan) -> None:
    """Draw the finished board as its players see it."""
    scale = ABOVE / plan.width
    pen = _Pen(canvas, panel_height(plan, ABOVE), scale)
    pen.box((0, 0), (plan.width, plan.height), WOOD)
    drawing, paper = map_drawing(config, plan)
    pen.box((plan.print_left, plan.print_top), (plan.print_width, plan.print_height), paper, None)
    x, y = pen.at((plan.print_left, plan.print_top + plan.print_height))
    canvas.saveState()
    canvas.translate(x, y)
    canvas.scale(plan.print_width * scale * mm / drawing.width, plan.print_width * scale * mm / drawing.width)
    renderPDF.draw(drawing, canvas, 0, 0)
    canvas.restoreState()
    for hole in plan.of(Cut.LIGHT):
        pen.dot((hole.x, hole.y), hole.width, HexColor("#fff3b0"))
        if hole.name.startswith("log"):
            pen.write((hole.x, hole.y + 9), hole.name[4:], 6, align="middle")
    for hole in plan.of(Cut.KEY):
        pen.dot((hole.x, hole.y), 14, HexColor("#3a3f4a"))
        pen.write((hole.x, hole.y + 13), hole.name.upper(), 6, bold=True, align="middle")
    for hole in plan.of(Cut.SCREEN):
        pen.box((hole.x - hole.width / 2, hole.y - hole.height / 2), (hole.width, hole.height), HexColor("#10141c"))
        pen.write((hole.x, hole.y), "Put White on 1", 3.6, HexColor("#9fd3ff"), align="middle")


_DRILLS = {Cut.REED: RED, Cut.LIGHT: ORANGE, Cut.KEY: BLUE, Cut.SCREEN: GREEN}
_DRILLED = {Cut.REED: "a reed", Cut.LIGHT: "a light", Cut.KEY: "a key", Cut.SCREEN: "saw out for the screen"}


def draw_holes(canvas: Canvas, plan: BoardPlan) -> None:
    """Draw the panel from above with each kind of hole in its colour, and from below with station numbers."""
    scale = 87.0 / plan.width
    _draw_side(_Pen(canvas, HOLES[1] - 5, scale), plan)
    canvas.saveState()
    canvas.translate(91 * mm, 0)
    _draw_side(_Pen(canvas, HOLES[1] - 5, scale, mirrored_in=plan.width), plan)
    canvas.restoreState()
    pen = _Pen(canvas, HOLES[1])
    pen.write((0, 2), "from above, keys at your side", 7.2, bold=True)
    pen.write((91, 2), "from below, keys at your side", 7.2, bold=True)
    x, y = 1.5, 7.5 + plan.height * scale
    for cut, colour in _DRILLS.items():
        hole = plan.of(cut)[0]
        words = _DRILLED[cut] if hole.height else f"{hole.width:.0f} mm, for {_DRILLED[cut]}"
        pen.dot((x, y), 2.4, colour)
        pen.write((x + 2.2, y), words, 6.8)
        x += 32
    pen.write((x + 6, y), "thin line: the edge of the map", 6.8, GREY)


def _draw_side(pen: _Pen, plan: BoardPlan) -> None:
    """Draw one side of the panel: all holes, and the numbers of the stations."""
    pen.box((0, 0), (plan.width, plan.height), WOOD)
    pen.box((plan.print_left, plan.print_top), (plan.print_width, plan.print_height), None, GREY, 0.3)
    for cut, colour in _DRILLS.items():
        for hole in plan.of(cut):
            if hole.height:
                pen.box((hole.x - hole.width / 2, hole.y - hole.height / 2), (hole.width, hole.height), colour)
            else:
                pen.dot((hole.x, hole.y), max(hole.width, 4), colour)
            if cut is Cut.REED:
                pen.write((hole.x, hole.y + 7.5), hole.name, 6.5, bold=True, align="middle")
            if cut is Cut.KEY:
                pen.write((hole.x, hole.y + 12), hole.name.upper(), 4.6, align="middle")


Spot = tuple[float, float, float, float]
"""Where a part is under the panel, seen from above: left, top, width and height in millimetres."""


def spots(plan: BoardPlan) -> dict[str, Spot]:
    """Return the place and size of each part under the panel: name -> spot."""
    (x, y), corridor = pi_place(plan), pi_place(plan)[0] + 45
    (screen,) = plan.of(Cut.SCREEN)
    return {
        "Pi": (x - 32.5, y - 17, 65, 30),
        "memory card, pulled out": (x - 48.5, y - 8, 16, 11),
        "plug of the Pi's supply": (x + 16, y - 43.5, 11, 25),
        "screen": (screen.x - 13.5, screen.y - 15.7, 27, 27.5),
        "DC jack": (corridor - 7, y - 64, 14, 34),
        "plug of the lamps' supply": (corridor - 5, y - 30, 10, 30),
        "breadboard": (corridor + 9, y - 21.5, 47, 35),
        "capacitor": (corridor + 11, y - 63, 20, 10),
        "fuse holder": (x - 29, y - 57, 40, 9),
        "data connector": (x - 49, y - 42, 19, 18.5),
        "red connector": (x - 28, y - 42, 19, 18.5),
        "black connector 1": (x - 7, y - 42, 19, 18.5),
        "black connector 2": (corridor + 11, y - 42, 19, 18.5),
        "notch": (corridor - 11.5, plan.height - STRIP, 15, STRIP),
    }


STRIP = 10.0
"""Thickness of the strip of wood that the frame is made of, in millimetres."""


_AROUND = ((Cut.LIGHT, DIAMETERS[Cut.LAMP], "lamp"), (Cut.REED, 4.4, "reed"), (Cut.KEY, 15.0, "key"))
"""Holes that other parts must leave free: the kind, the diameter in mm of the part in it, and its name."""


def find_overlap(plan: BoardPlan) -> str:
    """Return a text about a part under the panel that overlaps another or the frame, or "" if none does."""
    where = spots(plan)
    for (name, one), (other_name, other) in combinations(where.items(), 2):
        short = min(_overlap(one[n], one[n + 2], other[n], other[n + 2]) for n in (0, 1))
        if short > 0:
            return f"{name} and {other_name} overlap by {short:.0f} mm"
    for name, (left, top, wide, high) in where.items():
        short = max(STRIP - left, left + wide - plan.width + STRIP, STRIP - top)
        if name != "notch":
            short = max(short, top + high - plan.height + STRIP)
        if short > 1e-6:
            return f"{name} needs {short:.0f} mm more beside the frame"
        for cut, diameter, what in _AROUND:
            for hole in plan.of(cut):
                beside = max(left - hole.x, hole.x - left - wide, 0), max(top - hole.y, hole.y - top - high, 0)
                if math.hypot(*beside) < diameter / 2:
                    short = diameter / 2 - math.hypot(*beside)
                    return f"{name} and the {what} of {hole.name} overlap by {short:.0f} mm"
    return ""


def _overlap(one: float, long: float, other: float, other_long: float) -> float:
    """Return by how much two stretches of a line overlap, or a negative number if they do not."""
    return min(one + long, other + other_long) - max(one, other)


def draw_from_below(canvas: Canvas, config: Config, plan: BoardPlan) -> None:
    """Draw the panel from below: where each part is, how the string of lamps runs, and the reeds' common wire."""
    pen = _Pen(canvas, below_size(plan)[1], WIDTH / plan.width, mirrored_in=plan.width)
    pen.box((0, 0), (plan.width, plan.height), WOOD)
    pen.box((STRIP, STRIP), (plan.width - 2 * STRIP, plan.height - 2 * STRIP), HexColor("#f4e8d2"), GREY)
    home = pi_place(plan)
    reeds, lights = plan.places(Cut.REED), plan.places(Cut.LIGHT)
    pins = {str(station): pin for station, pin in reed_pins(config).items()}
    for name, at in reeds.items():
        pen.way([pin_place(plan, pins[name]), at], HexColor("#7fa3e0"), 0.5)
    chain = [lights[name] for name in lamp_names(config)]
    where = spots(plan)
    left, top, wide, _ = where["data connector"]
    pen.way([(left + wide / 2, top), chain[0]], ORANGE, 1.2, arrow=True)
    for one, other in pairwise(chain):
        pen.way([one, other], ORANGE, 1.2)
    ground = [reeds[name] for name in short_way(reeds, home)]
    lines = [*pairwise(chain), *pairwise(ground)]
    for at in chain:
        pen.dot(at, DIAMETERS[Cut.LAMP], WHITE, ORANGE)
    for one, other in pairwise([pin_place(plan, GROUND_OF_REEDS), *ground]):
        pen.way([one, other], INK, 0.7)
    for number, at in enumerate(chain, 1):
        pen.dot(at, 7, WHITE, None)
        pen.write(at, str(number), 6.5, ORANGE, bold=True, align="middle")
    for at in reeds.values():
        pen.dot(at, 4.4, GLASS, INK)
    _draw_parts_below(pen, plan, where)
    for name, at in reeds.items():
        x, y = _free_place(at, lines, [*lights.values()], [*where.values()])
        pen.box((x - 8, y - 5), (16, 10), HexColor("#f4e8d2"), None)
        pen.write((x, y - 2.4), f"reed {name}", 6.2, bold=True, align="middle")
        pen.write((x, y + 2.4), f"pin {pins[name]}", 6.2, BLUE, align="middle")


GROUND_OF_REEDS = 39
"""The pin of the header for the wire that joins all reeds."""


def pin_place(plan: BoardPlan, pin: int) -> Place:
    """Return where a pin of the Pi is under the panel, as seen from above."""
    x, y = pi_place(plan)
    column, even = divmod(pin - 1, 2)
    return x - 24.13 + 2.54 * column, y + 8.2 + 2.54 * even


def _free_place(at: Place, lines: Sequence[tuple[Place, Place]], dots: Sequence[Place], parts: Sequence[Spot]) -> Place:
    """Return a place near `at` where two short lines of text cover as little as possible."""

    def free(place: Place) -> float:
        corners = [(place[0] + x, place[1] + y) for x in (-8, 0, 8) for y in (-4, 4)]
        to_lines = [_to_line(corner, *line) for corner in corners for line in lines]
        to_parts = [_to_spot(corner, part) for corner in corners for part in parts]
        return min(*to_lines, *to_parts, *(math.dist(corner, dot) - 5 for corner in corners for dot in dots))

    beside = [(at[0] + x, at[1] + y) for y in (8.5, 0, -8.5, 13) for x in (0, 12, -12, 16, -16)]
    return max(beside, key=lambda place: min(free(place), 2.5))


def _to_spot(place: Place, spot: Spot) -> float:
    """Return the distance from a place to a part."""
    (x, y), (left, top, wide, high) = place, spot
    return math.hypot(max(left - x, 0, x - left - wide), max(top - y, 0, y - top - high))


def _to_line(place: Place, one: Place, other: Place) -> float:
    """Return the distance from a place to the straight line between two other places."""
    (x, y), length = (other[0] - one[0], other[1] - one[1]), math.dist(one, other)
    along = max(0.0, min(1.0, ((place[0] - one[0]) * x + (place[1] - one[1]) * y) / (length * length or 1)))
    return math.dist(place, (one[0] + along * x, one[1] + along * y))


def _draw_parts_below(pen: _Pen, plan: BoardPlan, where: dict[str, Spot]) -> None:
    def box(name: str, fill: Color, *texts: str, size: float = 5.4, colour: Color = INK) -> None:
        left, top, wide, high = where[name]
        pen.box((left, top), (wide, high), fill, round_=0.6)
        for number, text in enumerate(texts):
            line = top + high / 2 + (number - (len(texts) - 1) / 2) * size * 0.8
            pen.write((left + wide / 2, line), text, size, colour, bold=not number, align="middle")

    home, black = pi_place(plan), HexColor("#3a3f4a")
    left, top, wide, high = where["notch"]
    pen.box((left, top), (wide, high), WHITE)
    out = plan.height + 6
    usb, lamps = where["plug of the Pi's supply"], where["plug of the lamps' supply"]
    gap, tail = where["Pi"][0] + where["Pi"][2] + 1.6, usb[0] + usb[2] / 2
    pen.way([(tail, usb[1]), (tail, usb[1] - 6), (gap, usb[1] - 6), (gap, top), (left + 4, out)], GREY, 2.4)
    middle = lamps[0] + lamps[2] / 2
    pen.way([(middle, lamps[1] + lamps[3]), (left + 11, out)], GREY, 2.4)
    box("plug of the Pi's supply", black, "USB", "plug", size=4.6, colour=WHITE)
    box("plug of the lamps' supply", black, "DC", "plug", size=4.6, colour=WHITE)
    box("DC jack", METAL, "DC", "jack")
    box("capacitor", HexColor("#b9cdf2"), "1000 µF")
    box("fuse holder", WHITE, "fuse holder")
    box("data connector", HexColor("#d3eedd"), "data", "connector", size=4.8)
    box("red connector", HexColor("#f7d9d9"), "red", "connector", size=4.8)
    for number in "12":
        box(f"black connector {number}", HexColor("#d9dbe0"), f"black {number}", "connector", size=4.8)
    box("breadboard", PALE, "breadboard", "74AHCT125", size=6.5)
    box("screen", HexColor("#d6e4f7"), "screen", "pins here", size=5.4)
    box("memory card, pulled out", HexColor("#f4e8d2"), "card", size=5.4)
    box("Pi", HexColor("#cfe8d4"))
    pen.write((home[0] + 2, home[1] - 6), "Raspberry Pi Zero 2", 6.5, bold=True, align="middle")
    pen.write((home[0] + 2, home[1] + 0.5), "its pins are at your side", 5.4, align="middle")
    for x, name in ((21.5, "PWR"), (9, ""), (-20, "")):
        pen.box((home[0] + x - 4, home[1] - 18.5), (8, 4.5), METAL)
        pen.write((home[0] + x, home[1] - 11.5), name, 5, align="middle")
    for pin in range(1, 41):
        pen.dot(pin_place(plan, pin), 1.8, black, None)
    pen.write((home[0] - 27.6, home[1] + 4.6), "pin 1", 5, align="middle")
    for hole in plan.of(Cut.KEY):
        pen.dot((hole.x, hole.y), 15, HexColor("#d9dbe0"))
        pen.write((hole.x, hole.y - 10.5), hole.name.upper(), 4.4, bold=True, align="middle")


def lamp_names(config: Config) -> list[str]:
    """Return the name of the place that each lamp lights, from the first lamp: "12" or "log 3"."""
    (strip,) = lamp_chain.strips(config)
    return [str(lamp.owner) if lamp.kind == "station" else f"{lamp.kind} {lamp.owner}" for lamp in strip]


def reed_pins(config: Config) -> dict[int, int]:
    """Return the pin of the header to which each station's reed is connected."""
    stations = dict(zip(config.layout.switch_inputs, config.layout.stations, strict=True))
    return {stations[lead.gpio]: lead.pin for lead in leads(config) if lead.owner == "switches"}


# ---- a station ----


def draw_station(canvas: Canvas) -> None:
    """Draw a station cut open through its reed and its lamp, at three times its size."""
    pen = _Pen(canvas, STATION[1], 3.0)
    top, middle = 13.2, 24.0
    lamp = middle - PITCH
    glue, solder = HexColor("#f3efe2"), HexColor("#b8bcc4")
    pen.box((0, top), (lamp - 2.5, 3), WOOD)
    pen.box((lamp + 2.5, top), (middle - 1.5 - lamp - 2.5, 3), WOOD)
    pen.box((middle + 1.5, top), (34.6 - middle - 1.5, 3), WOOD)
    pen.box((0, top - 0.4), (34.6, 0.4), HexColor("#fffdf2"), GREY, 0.4)
    pen.box((middle - PAWN_FOOT / 2, top - 12.6), (PAWN_FOOT, 12.2), HexColor("#d8d8e6"))
    pen.box((middle - 2, top - 10.6), (4, 10), METAL)
    pen.write((middle, top - 6.4), "magnet", 6, WHITE, align="middle")
    pen.dot((middle, top - 1.2), 0.9, WHITE)
    pen.box((middle - 2.6, top + 3.05), (1.7, 4.6), glue, GREY, 0.4, round_=1.5)
    pen.way([(middle, top + 0.2), (middle, top + 22.6)], METAL, 1.6)  # the reed
    pen.box((middle - 1.1, top + 5), (2.2, 14), GLASS, INK, round_=2.5)
    pen.box((middle - 0.45, top + 0.2), (1.6, 3), solder, GREY, 0.4, round_=1)
    pen.way([(middle, top + 0.2), (middle, top + 5)], METAL, 1.6)
    jumper = [(0.7, 0.3), (0.7, 3.4), (3.2, 5), (3.2, 26)]
    pen.way([(middle + x, top + y) for x, y in jumper], BLUE, 2.2)
    pen.way([(middle + 0.7, top + 22.4), (middle + 1.2, top + 28)], INK, 2.2)
    pen.way([(middle - 0.7, top + 22.4), (middle - 1.2, top + 28)], INK, 2.2)
    pen.box((middle - 1.2, top + 22), (2.4, 5), solder, GREY, 0.4, round_=1.5)
    pen.way([(middle, top + 19), (middle, top + 27)], METAL, 1.6)
    pen.box((lamp - 2.5, top + 3.05), (5, 1.6), HexColor("#fff3b0"))
    pen.box((lamp - 5, top + 4.65), (10, 1.2), GREEN)
    for side in (-4.2, 4.2):
        pen.way([(lamp + side, top + 5.85), (lamp + side, top + 9)], ORANGE, 1.8)
    pen.box((lamp - 6.4, top + 3.05), (1.9, 3.4), glue, GREY, 0.4, round_=0.8)
    _label_station(pen, top, middle, lamp)


_LAMP_TEXTS = (
    "lamp of the string, its light",
    "towards a hole of 5 mm;",
    "hot glue on the side away",
    "from the 3 mm hole",
)


def _label_station(pen: _Pen, top: float, middle: float, lamp: float) -> None:
    def label(to: Place, y: float, *texts: str) -> None:
        pen.way([(35.4, y), to], GREY, 0.4)
        pen.lines((36, y), texts, 7.2)

    label((middle + 4, top - 9), top - 11, f"lower part of a pawn, Ø {PAWN_FOOT:g} mm at most, over the reed")
    label(
        (middle, top - 1.2), top - 7.8,
        "magnet, level with the foot;", "dot on the end that the first pawn pushes away",
    )  # fmt: skip
    label((34.0, top - 0.2), top - 3.8, "printed map, glued on when all works")
    label((33.0, top + 1.5), top + 0.2, "plywood, 3 mm")
    label(
        (middle + 1.1, top + 1.8), top + 4.4,
        "upper wire of the reed, 5 mm long, in a hole of 3 mm;", "soldered joint of its last 3 mm and the jumper wire",
    )  # fmt: skip
    label((middle + 1.1, top + 12), top + 11.4, "glass of the reed switch")
    label((middle + 3.2, top + 17), top + 16, "jumper wire, on to its pin of the Pi")
    label((middle + 1.2, top + 24.4), top + 21, "soldered joint of the lower wire, 8 mm long")
    label((middle + 1.1, top + 27.7), top + 25.6, "two black wires: ground, from reed to reed")
    pen.lines((0.4, top + 11.4), _LAMP_TEXTS, 7.2)
    pen.way([(lamp - 5.4, top + 10.4), (lamp - 5.4, top + 6.4)], GREY, 0.4)
    pen.lines((10.4, top + 20), ("hot glue between glass", "and wood, on the side", "of the lamp"), 7.2)
    pen.way([(18, top + 19), (middle - 1.9, top + 7)], GREY, 0.4)


# ---- the breadboard ----

Hole = tuple[str, int]
"""A hole of the breadboard: its row, "a" to "j", and its column."""

CHIP_COLUMN = 3
"""The column of pins 1 and 14 of the 74AHCT125: pin 1 in row e, pin 14 in row f."""

LINKS: tuple[tuple[str, Hole, Hole, str], ...] = (
    ("5 V", ("i", 3), ("i", 4), "pin 14 to pin 13"),
    ("5 V", ("h", 4), ("h", 7), "pin 13 to pin 10"),
    ("5 V", ("g", 7), ("d", 6), "pin 10 to pin 4, across the middle"),
    ("ground", ("g", 1), ("c", 3), "ground to pin 1, across the middle"),
    ("ground", ("b", 3), ("b", 7), "pin 1 to pin 5"),
    ("ground", ("a", 7), ("a", 9), "pin 5 to pin 7"),
    ("ground", ("d", 9), ("g", 8), "pin 7 to pin 9, across the middle"),
    ("ground", ("j", 8), ("j", 5), "pin 9 to pin 12"),
)
"""The jumper wires of the breadboard: what each carries, both its holes, and what it connects."""

PARTS: tuple[tuple[str, Hole, Hole], ...] = (("100 nF", ("h", 1), ("h", 3)), ("390 Ω", ("c", 5), ("c", 11)))
"""Capacitor and resistor on the breadboard."""

ENDS: tuple[tuple[str, Hole], ...] = (
    ("5 V", ("j", 3)), ("ground", ("j", 1)), ("data in", ("a", 4)), ("data out", ("a", 11)),
)  # fmt: skip
"""The wires that leave the breadboard."""

_COLOUR_OF = {"5 V": RED, "ground": INK, "data in": GREEN, "data out": GREEN}
_COLUMNS, _ROWS = 17, "jihgf edcba"


def draw_breadboard(canvas: Canvas) -> None:
    """Draw the breadboard with everything on it, enlarged."""
    pitch = 6.4
    pen = _Pen(canvas, BREADBOARD[1], 0.83)

    def place(hole: Hole) -> Place:
        return 33 + (hole[1] - 1) * pitch, 9 + _ROWS.index(hole[0]) * pitch

    pen.box((27, 2), (12 + 16 * pitch, 14 + 10 * pitch), PALE, GREY, round_=2)
    for column in range(1, _COLUMNS + 1):
        for row in "abcdefghij":
            pen.dot(place((row, column)), 1.3, HexColor("#9aa1ad"), None)
        for row, y in (("j", 5), ("a", 76.6)):
            beside = 2.2 if any(hole == (row, column) for _, hole in ENDS) else 0  # a wire covers the middle
            pen.write((33 + (column - 1) * pitch - beside, y), str(column), 5.5, GREY, align="middle")
    for row in "abcdefghij":
        pen.write((29.2, place((row, 1))[1]), row, 5.5, GREY, align="middle")
    left, top = place(("f", CHIP_COLUMN))
    pen.box((left - 2.6, top + 1.6), (6 * pitch + 5.2, 2 * pitch - 3.2), HexColor("#3a3f4a"), round_=1)
    pen.dot((left - 2.6, top + pitch), 4, PALE, None)
    pen.write((left + 1.75 * pitch, top + pitch), "74AHCT125", 6.4, WHITE, bold=True, align="middle")
    for number in range(7):
        for row, pin in (("e", 1 + number), ("f", 14 - number)):
            x, y = place((row, CHIP_COLUMN + number))
            pen.box((x - 0.9, y - 0.9), (1.8, 1.8), METAL)
            pen.write((x, y + (-3.0 if row == "e" else 3.0)), str(pin), 5.2, WHITE, align="middle")
    for what, one, other, _ in LINKS:
        pen.way([place(one), place(other)], _COLOUR_OF[what], 2.2)
        for end in (one, other):
            pen.dot(place(end), 2.0, _COLOUR_OF[what])
    for name, one, other in PARTS:
        (x1, y), (x2, _) = place(one), place(other)
        pen.way([(x1, y), (x2, y)], METAL, 1.2)
        pen.box(((x1 + x2) / 2 - 5.2, y - 1.9), (10.4, 3.8), HexColor("#f1d9a8"), INK, round_=1)
        pen.write(((x1 + x2) / 2, y), name, 6.2, bold=True, align="middle")
    for what, hole in ENDS:
        _draw_end(pen, place(hole), what)


def _draw_end(pen: _Pen, at: Place, what: str) -> None:
    x, y = at
    pen.dot(at, 2.0, _COLOUR_OF[what])
    if what == "ground":
        pen.way([at, (x, 1.5), (25, 1.5)], _COLOUR_OF[what], 2.2)
        pen.lines((0, 2.5), ("ground, from", "black", "connector 2"), 6.6)
    elif what == "5 V":
        pen.way([at, (x, 1.5), (142, 1.5)], _COLOUR_OF[what], 2.2)
        pen.lines((143.5, 2.5), ("5 V, from the red", "connector"), 6.6, RED)
    elif what == "data in":
        pen.way([at, (x, y + 7), (25, y + 7)], _COLOUR_OF[what], 2.2)
        pen.lines((0, y + 4.5), ("data, from", "pin 19 of the Pi"), 6.6, GREEN)
    else:
        pen.way([at, (x, y + 7), (142, y + 7)], _COLOUR_OF[what], 2.2, arrow=True)
        pen.lines((143.5, y + 4.5), ("data, to the", "data connector"), 6.6, GREEN)


# ---- the power ----


def draw_supply(canvas: Canvas, config: Config) -> None:
    """Draw how the power flows: supply, jack, fuse, lever connectors, lamps, breadboard and Pi."""
    pen = _Pen(canvas, SUPPLY[1])

    def box(at: Place, size: Place, *texts: str, fill: Color = PALE) -> None:
        pen.box(at, size, fill, round_=1)
        pen.lines((at[0] + 2, at[1] + size[1] / 2 - 1.6 * (len(texts) - 1)), texts, 6.8)

    box((0, 18), (30, 18), "5 V supply of", f"the lamps, {lamp_chain.supply(config):g} A,", "in a mains socket")
    pen.way([(30, 27), (38, 27)], GREY, 3)
    box((38, 14), (26, 26), "DC jack")
    pen.write((62, 19), "+", 10, RED, bold=True, align="right")
    pen.write((62, 35), "-", 10, bold=True, align="right")
    pen.way([(64, 19), (76, 19)], RED, 1.8)
    box((76, 15), (24, 8), f"fuse {lamp_chain.fuse(config):g} A", fill=WHITE)
    pen.way([(100, 19), (112, 19)], RED, 1.8)
    box((112, 12), (16, 14), "red", "connector", fill=HexColor("#f7d9d9"))
    pen.way([(64, 35), (112, 35)], INK, 1.8)
    box((112, 30), (16, 12), "black 1", "connector", fill=HexColor("#d9dbe0"))
    box((112, 50), (16, 12), "black 2", "connector", fill=HexColor("#d9dbe0"))
    pen.way([(118, 42), (118, 50)], INK, 1.8)
    box((66, 44), (32, 14), "capacitor 1000 µF in", "the jack's two screws:", "stripe to -")
    pen.way([(66, 51), (58, 51), (58, 40)], GREY, 0.6)
    box((150, 2), (28, 10), "5 V of the", "first lamp", fill=HexColor("#ffe9d2"))
    box((150, 15), (28, 8), "breadboard j3")
    pen.way([(128, 15), (138, 15), (138, 7), (150, 7)], RED, 1.8)
    pen.way([(128, 20), (150, 20)], RED, 1.8)
    box((150, 30), (28, 10), "GND of the", "first lamp", fill=HexColor("#ffe9d2"))
    pen.way([(128, 35), (150, 35)], INK, 1.8)
    box((150, 45), (28, 8), "breadboard j1")
    box((150, 56), (28, 8), "Pi, pin 6: ground", fill=HexColor("#cfe8d4"))
    pen.way([(128, 53), (138, 53), (138, 49), (150, 49)], INK, 1.8)
    pen.way([(128, 58), (138, 58), (138, 60), (150, 60)], INK, 1.8)


# ---- the screen and the pins of the Pi ----


def draw_screen(canvas: Canvas, plan: BoardPlan) -> None:
    """Draw the screen under its opening, seen from below, at one and a half times its size."""
    pen = _Pen(canvas, SCREEN[1], 1.45)
    (hole,) = plan.of(Cut.SCREEN)
    left, top, wide, high = spots(plan)["screen"]
    x, y = 6.0, 1.0
    pen.box((x - 6, 0), (39, y + high + 1.6), HexColor("#f4e8d2"), None)
    pen.box((x - 6, y + high + 1.1), (39, 1.2), WOOD)
    pen.box((x, y), (wide, high), HexColor("#d6e4f7"))
    pen.box((x + 0.3, y + 4.2), (wide - 0.6, 19.3), GLASS, GREY)
    shown = x + hole.x - hole.width / 2 - left, y + hole.y - hole.height / 2 - top
    pen.box(shown, (hole.width, hole.height), None, GREEN, 1.2)
    pen.box((shown[0] + 1.1, shown[1] + 1.1), (hole.width - 2.2, hole.height - 2.2), HexColor("#10141c"))
    for number in range(4):
        pen.dot((x + wide / 2 + 2.54 * (number - 1.5), y + high - 1.6), 1.4, HexColor("#c9a227"))
    for to, line, text in (
        ((x + wide, y + 1), 2, f"board of the screen, about {wide:g} × {high:g} mm; its flat back shows to you"),
        ((x + wide - 0.4, y + 5.5), 7, "glass, towards the wood, larger than the opening"),
        ((shown[0] + hole.width, shown[1] + 3), 12, f"opening, {hole.width:g} × {hole.height:g} mm"),
        ((shown[0] + hole.width - 2, shown[1] + 8), 17, "picture: all of it must show through the opening"),
        ((x + wide / 2 + 4.4, y + high - 1.6), 22, "four pins, at the side of the frame"),
        ((x + 32, y + high + 1.7), 27, "frame"),
    ):
        pen.way([(44, line), to], GREY, 0.4)
        pen.write((44.8, line), text, 7.2)


def draw_header(canvas: Canvas, wired: Mapping[int, str]) -> None:
    """Draw the Pi's pins as the builder sees them, with the wire on each."""
    pen = _Pen(canvas, HEADER[1])
    pitch, right = 8.2, 168.0

    def turned(place: Place, text: str, *, down: bool) -> None:
        x, y = pen.at(place)
        canvas.saveState()
        canvas.translate(x, y)
        canvas.rotate(90)
        canvas.setFont(FONT, 6.8)
        canvas.setFillColor(INK)
        (canvas.drawRightString if down else canvas.drawString)(0, -2.4, text)
        canvas.restoreState()

    pen.box((right - 19.5 * pitch - 2.4, 24), (20 * pitch + 0.8, 18), HexColor("#cfe8d4"), round_=1)
    for pin in range(1, 41):
        column, even = divmod(pin - 1, 2)
        x, y = right - 2 - column * pitch, 28.8 + 8.4 * even
        what = wired.get(pin, "")
        fill = _pin_colour(what) if what else (HexColor("#f4b6b6") if pin in VOLTS_5 else WHITE)
        pen.dot((x, y), 6.2, fill, INK if what else GREY)
        pen.write((x, y), str(pin), 6.4, WHITE if what else GREY, bold=bool(what), align="middle")
        words = what or ("5 V: never" if pin in VOLTS_5 else "")
        if words:
            turned((x, 43.5 if even else 22.5), words, down=bool(even))
    for y, words in ((28.8, "odd"), (33, "card"), (37.2, "even")):
        pen.write((172, y), words, 6.6, GREY)


def _pin_colour(what: str) -> Color:
    for word, colour in (("GND", INK), ("GROUND", INK), ("VCC", RED), ("reed", BLUE), ("key", ORANGE)):
        if word in what:
            return colour
    return GREEN
