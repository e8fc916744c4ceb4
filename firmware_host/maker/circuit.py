"""Describe a circuit once, both for its schematic and for its board.

Places on a sheet are in steps of 2.54 mm. Places on a board are in millimetres from the left and top, seen from above.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

STEP = 2.54
"""Millimetres from pin to pin, in symbols and in most parts."""

VIA, VIA_HOLE = 0.8, 0.4
"""Diameter of a via and of its hole, in millimetres."""

LETTER, SMALL_LETTER = 1.0, 0.8
"""Height of letters on a board in millimetres, and of letters with less room. Their width is about the same."""

NOTCH = 2.0
"""How wide the notch of a part is drawn, in millimetres; it is half as deep."""

_BESIDE, _ABOVE = 0.7, 0.9  # millimetres from a body's edge to the middle of a "1" at its left, or above it

SUPPLIES = ("GND", "+3V3", "+5V")
"""Nets that are drawn with a symbol of their own at each pin."""


class CircuitPin(NamedTuple):
    """A pin of a component's symbol.

    Attributes:
        number: as on the part.
        name: what it is for.
        kind: KiCad's electrical type: "input", "output", "passive", "power_in" or "power_out".
        side: the side of the box: "left", "right", "top" or "bottom".
        slot: its place on that side, from 1; 0 for the pin of a supply's symbol, which has no box.
    """

    number: str
    name: str
    kind: str
    side: str
    slot: int


@dataclass(frozen=True, slots=True)
class CircuitSymbol:
    """The drawing of a kind of component on a schematic: a box with pins. Lengths are in grid steps."""

    name: str
    pins: tuple[CircuitPin, ...]
    width: int
    height: int

    def end(self, pin: CircuitPin) -> tuple[int, int]:
        """Return where a wire joins a pin, in grid steps from the box's upper left corner."""
        match pin.side:
            case "left":
                return -1, pin.slot
            case "right":
                return self.width + 1, pin.slot
            case "top":
                return pin.slot, -1
        return pin.slot, self.height + 1


def draw_box(name: str, width: int = 2, kinds: Mapping[str, str] | None = None, **sides: str) -> CircuitSymbol:
    """Return a symbol that is a box with pins at its sides.

    Args:
        name: the symbol's name.
        width: the least width of the box, in grid steps.
        kinds: pin number -> electrical type; pins that are missing here are passive.
        sides: side -> its pins from the left or the top, "1:QH 2:CLK"; "." leaves a place free.
    """
    pins, size = [], {"top": 0, "bottom": 0, "left": 0, "right": 0}
    for side, words in sides.items():
        for slot, word in enumerate(words.split(), 1):
            size[side] = slot
            number, _, pin = word.partition(":")
            if number != ".":
                pins.append(CircuitPin(number, pin or number, (kinds or {}).get(number, "passive"), side, slot))
    across, down = max(size["top"], size["bottom"]), max(size["left"], size["right"])
    return CircuitSymbol(name, tuple(pins), max(width, across + 1), down + 1)


class Pad(NamedTuple):
    """A pad of a footprint: its pin's number, its middle, its size and its hole, in millimetres.

    A pad without a number is a hole without copper. A pad without a hole is only on the upper side.
    """

    number: str
    x: float
    y: float
    width: float = 1.6
    height: float = 1.6
    drill: float = 0.8

    @property
    def is_square(self) -> bool:
        """Whether the pad has corners, as first pins and flat pads have."""
        return self.number == "1" or not self.drill


@dataclass(frozen=True, slots=True)
class Footprint:
    """The pads of a component and the size of its body, in mm from its origin.

    Attributes:
        name: the footprint's name.
        pads: its pads.
        body: the edges of its body: left, top, right, bottom.
        notch: the middle of the notch in one of these edges, for a part that fits in one way only.
        first: where a "1" is printed for pin 1, beside the body, so that the part does not cover it.
    """

    name: str
    pads: tuple[Pad, ...]
    body: tuple[float, float, float, float]
    notch: tuple[float, float] | None = None
    first: tuple[float, float] | None = None

    def outline(self) -> tuple[tuple[float, float], ...]:
        """Return the corners of the body clockwise, with its notch."""
        left, top, right, bottom = self.body
        corners = ((left, top), (right, top), (right, bottom), (left, bottom))
        if self.notch is None:
            return corners
        points: list[tuple[float, float]] = []
        (x, y), half = self.notch, NOTCH / 2
        for (x1, y1), (x2, y2) in zip(corners, (*corners[1:], corners[0]), strict=True):
            dx, dy = (x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1)
            points.append((x1, y1))
            if (x == x1 == x2) or (y == y1 == y2):
                begin, end = (x - half * dx, y - half * dy), (x + half * dx, y + half * dy)
                points += [begin, *((px - half * dy, py + half * dx) for px, py in (begin, end)), end]
        return tuple(points)

    def extent(self) -> tuple[float, float, float, float]:
        """Return the edges of body and pads together: left, top, right, bottom."""
        left, top, right, bottom = self.body
        return (
            min(left, *(pad.x - pad.width / 2 for pad in self.pads)),
            min(top, *(pad.y - pad.height / 2 for pad in self.pads)),
            max(right, *(pad.x + pad.width / 2 for pad in self.pads)),
            max(bottom, *(pad.y + pad.height / 2 for pad in self.pads)),
        )

    def turned(self) -> Footprint:
        """Return the footprint turned clockwise by 90 degrees."""
        left, top, right, bottom = self.body
        pads = tuple(pad._replace(x=-pad.y, y=pad.x, width=pad.height, height=pad.width) for pad in self.pads)
        notch, first = (at and (-at[1], at[0]) for at in (self.notch, self.first))
        return Footprint(f"{self.name}_turned", pads, (-bottom, left, -top, right), notch, first)


def in_rows(
    name: str, columns: int, rows: int, body: tuple[float, float], drill: float = 1.0, pad: float = 1.6
) -> Footprint:
    """Return a footprint with pins in rows at `STEP`, numbered across and then down as on a ribbon's plug.

    Two columns of several rows are a header with a wall around it, which has its notch at the odd pins.
    """
    across, down = (columns - 1) * STEP, (rows - 1) * STEP
    pads = tuple(
        Pad(str(1 + row * columns + column), column * STEP - across / 2, row * STEP - down / 2, pad, pad, drill)
        for row in range(rows)
        for column in range(columns)
    )
    wide, high = body
    edges = -wide / 2, -high / 2, wide / 2, high / 2
    if columns == 2 and rows > 1:
        return Footprint(name, pads, edges, (-wide / 2, 0.0), (-across / 2, -high / 2 - _ABOVE))
    return Footprint(name, pads, edges, first=(-wide / 2 - _BESIDE, -down / 2))


def dual_in_line(pins: int, span: float = 7.62, drill: float = 0.8) -> Footprint:
    """Return the footprint of a dual in-line chip, with its notch and pin 1 at the left."""
    half = pins // 2
    along = [STEP * (n - (half - 1) / 2) for n in range(half)]
    lower = [Pad(str(n + 1), x, span / 2, drill=drill) for n, x in enumerate(along)]
    upper = [Pad(str(pins - n), x, -span / 2, drill=drill) for n, x in enumerate(along)]
    long = half * STEP / 2
    edges = -long, 1.3 - span / 2, long, span / 2 - 1.3
    return Footprint(f"DIP-{pins}", (*lower, *upper), edges, (-long, 0.0), (-long - _BESIDE, span / 2))


def two_pads(name: str, pitch: float, body: tuple[float, float], pad: float = 1.6, drill: float = 0.8) -> Footprint:
    """Return the footprint of a component with two wires. `body` is its size."""
    wide, high = body
    pads = (Pad("1", -pitch / 2, 0, pad, pad, drill), Pad("2", pitch / 2, 0, pad, pad, drill))
    return Footprint(name, pads, (-wide / 2, -high / 2, wide / 2, high / 2))


RESISTOR = draw_box("R", left="1", right="2")
CAPACITOR = draw_box("C", left="1", right="2")
AXIAL = two_pads("R_axial_7.62", 7.62, (5.6, 2.4))
DISC = two_pads("C_disc_5.08", 5.08, (3.0, 2.4))
HOLE_SYMBOL = draw_box("Hole")
HOLE = Footprint("Hole_M3", (Pad("", 0, 0, 3.2, 3.2, 3.2),), (-3.0, -3.0, 3.0, 3.0))


@dataclass(frozen=True, slots=True)
class Component:
    """One component of a circuit.

    Attributes:
        ref: its name: "U1".
        value: what it is: "74HC165".
        symbol: how it is drawn.
        footprint: its pads on the board.
        nets: pin number -> net; pins that are not in it stay open.
        drawn: the upper left corner of its box on the sheet, in steps.
        placed: its origin on the board, in millimetres.
    """

    ref: str
    value: str
    symbol: CircuitSymbol
    footprint: Footprint
    nets: Mapping[str, str]
    drawn: tuple[int, int]
    placed: tuple[float, float]

    def net_name(self, pin: CircuitPin) -> str:
        """Return the net of a pin. An open pin has a net of its own, named as in KiCad."""
        name = "" if pin.name == pin.number else f"{pin.name.replace('/', '{slash}')}-"
        return self.nets.get(pin.number, f"unconnected-({self.ref}-{name}Pad{pin.number})")


class CopperTrack(NamedTuple):
    """A straight piece of copper on a board, or a via if both its ends are the same point."""

    net_name: str
    start: tuple[float, float]
    end: tuple[float, float]
    width: float
    layer: str

    @property
    def is_via(self) -> bool:
        """Whether this is a via, which joins both layers."""
        return self.layer == ""


class Lettering(NamedTuple):
    """A text on a board's upper side, at x and y.

    These are the middle of the text. If it is `upright`, it reads from bottom to top, and they are its upper end.
    """

    words: str
    x: float
    y: float
    upright: bool = False
    size: float = LETTER


@dataclass(frozen=True, slots=True)
class Circuit:
    """A circuit on a board.

    Attributes:
        name: the name of its files.
        title: what it is.
        components: its components.
        size: the board's width and height in millimetres.
        rows: net -> y of a wire across the sheet, in steps. The pins of all other nets only show the net's name.
        notes: sentences on the sheet.
        notes_at: the place of the notes on the sheet, in steps.
        widths: nets with wider tracks -> millimetres.
        tracks: the tracks that are given and not routed.
        letterings: the texts printed on the board.
        paper: the size of the sheet's paper.
    """

    name: str
    title: str
    components: Sequence[Component]
    size: tuple[float, float]
    rows: Mapping[str, int] = field(default_factory=dict)
    notes: Sequence[str] = ()
    notes_at: tuple[int, int] = (5, 65)
    widths: Mapping[str, float] = field(default_factory=dict)
    tracks: Sequence[CopperTrack] = ()
    letterings: Sequence[Lettering] = ()
    paper: str = "A4"

    def pads(self) -> Iterator[tuple[str, Pad]]:
        """Yield every pad with its net and its place on the board. The net is "" for a hole without copper."""
        for component in self.components:
            nets = {pin.number: component.net_name(pin) for pin in component.symbol.pins}
            x, y = component.placed
            for pad in component.footprint.pads:
                yield nets.get(pad.number, ""), pad._replace(x=x + pad.x, y=y + pad.y)

    def printed(self) -> Iterator[Lettering]:
        """Yield all words on the board: letterings, and names of components with room for them."""
        yield from self.letterings
        for component in self.components:
            left, top, right, bottom = component.footprint.body
            x, y = (left + right) / 2, (top + bottom) / 2
            if any(abs(pad.y - y) < 1.3 and left < pad.x < right for pad in component.footprint.pads):
                continue
            long = f"{component.ref} {component.value}"
            tries = [(words, size) for words in (long, component.ref) for size in (LETTER, SMALL_LETTER)]
            fitting = [(words, size) for words, size in tries if len(words) * size <= right - left]
            words, size = fitting[0] if fitting else tries[-1]
            yield Lettering(words, component.placed[0] + x, component.placed[1] + y, size=size)
