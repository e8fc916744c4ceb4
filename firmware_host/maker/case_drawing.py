"""Draw the handset's case at its true size on a page of A4, to check its dimensions before it is printed."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.commissioning.diagrams import svg_sheet
from firmware_host.maker import handset_case
from firmware_host.maker.handset_case import CasePlan
from firmware_host.ui.drawing.canvas import Point, Svg

_MM = svg_sheet.WIDTH / svg_sheet.MILLIMETRES[0]  # units of a millimetre
_PART = svg_sheet.OWNERS["handset"]


class _CaseView:
    """A view of the case on the sheet. Places are in mm from the view's middle, with y upwards."""

    def __init__(self, canvas: Svg, x: float, y: float, title: str, down: float) -> None:
        self._canvas, self._x, self._y = canvas, x, y
        canvas.text(self.at(0, -down), title, svg_sheet.LARGE, svg_sheet.INK)

    def at(self, x: float, y: float) -> Point:
        return self._x + x * _MM, self._y - y * _MM

    def box(self, x: float, y: float, wide: float, high: float, name: str = "", *, hidden: bool = False) -> None:
        x0, x1, y0, y1 = x - wide / 2, x + wide / 2, y - high / 2, y + high / 2
        corners = [self.at(*at) for at in ((x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0))]
        self._canvas.line(corners, _PART if hidden else svg_sheet.INK, 1.2, dash=(6, 4) if hidden else None, name=name)

    def ring(self, x: float, y: float, diameter: float, name: str = "", *, hidden: bool = False) -> None:
        colour = _PART if hidden else svg_sheet.INK
        self._canvas.disc(self.at(x, y), diameter / 2 * _MM, svg_sheet.PAPER, edge=colour, edge_width=1.2, name=name)

    def label(self, x: float, y: float, text: str, *, hidden: bool = False) -> None:
        self._canvas.text(self.at(x, y), text, svg_sheet.SMALL, _PART if hidden else svg_sheet.INK)

    def across(self, x0: float, x1: float, y: float, text: str = "", *, hidden: bool = False) -> None:
        """Draw a dimension line with the distance from one x to another."""
        self._measure((x0, y), (x1, y), (0, 1.5), hidden=hidden)
        self.label((x0 + x1) / 2, y + 2, text or f"{abs(x1 - x0):g}", hidden=hidden)

    def along(self, y0: float, y1: float, x: float, text: str = "", *, hidden: bool = False) -> None:
        """Draw a dimension line with the distance from one y to another."""
        self._measure((x, y0), (x, y1), (1.5, 0), hidden=hidden)
        self._canvas.text(
            self.at(x + 1, (y0 + y1) / 2), text or f"{abs(y1 - y0):g}", svg_sheet.SMALL,
            _PART if hidden else svg_sheet.INK, anchor="start",
        )  # fmt: skip

    def _measure(self, start: Point, end: Point, tick: Point, *, hidden: bool) -> None:
        colour = _PART if hidden else svg_sheet.GREY
        self._canvas.line([self.at(*start), self.at(*end)], colour, 0.8)
        for x, y in (start, end):
            self._canvas.line([self.at(x - tick[0], y - tick[1]), self.at(x + tick[0], y + tick[1])], colour, 0.8)


def draw_case(plan: CasePlan) -> str:
    """Draw the front as Mister X sees it, and the lid from inside, as an SVG document of A4."""
    canvas = Svg(
        svg_sheet.WIDTH, svg_sheet.HEIGHT, svg_sheet.PAPER, millimetres=svg_sheet.MILLIMETRES, fixed=True
    )  # fmt: skip
    svg_sheet.head(canvas, "The handset's case at 1:1", plan.title)
    wide, high, deep = plan.outside
    middle, half = svg_sheet.HEIGHT / 2 - 30, wide / 2 * _MM
    left, right = svg_sheet.EDGE + 16 * _MM + half, svg_sheet.WIDTH - svg_sheet.EDGE - 9 * _MM - half
    _draw_front(_CaseView(canvas, left, middle, "Front, from outside", high / 2 + 20), plan)
    _draw_lid(_CaseView(canvas, right, middle, "Lid, from inside", high / 2 + 20), plan)
    svg_sheet.notes(canvas, _notes(plan, deep))
    return canvas.finish()


def _notes(plan: CasePlan, deep: float) -> Sequence[str]:
    board, holes = (" × ".join(f"{each:g}" for each in pair) for pair in (plan.screen.board, plan.screen.holes))
    thick = f"walls {handset_case.WALL:g} mm, front {handset_case.FACE:g} mm, lid {handset_case.LID:g} mm"
    return [
        f"Dashed: your screen's board, {board} mm, with holes {holes} mm apart, behind the front. Its lit area",
        f"is {plan.screen.offset:g} mm above its middle, its pins are at the top. Measure yours; name other sizes with",
        "--screen-board and --screen-holes.",
        f"The case is {deep:g} mm deep; {handset_case.DEPTH:g} mm behind the front are for the buttons; {thick}.",
        "Screws: 4 of 3 × 10 mm for plastic through the lid, 4 of M2 × 4 mm for the screen, 4 of M2 × 5 mm for a Pico.",
        "A cable tie through the two slots of the tongue holds the cable.",
    ]


def _draw_front(view: _CaseView, plan: CasePlan) -> None:
    wide, high, _ = plan.outside
    screen = plan.screen
    view.box(0, 0, wide, high, "front")
    view.box(0, screen.offset, *screen.window, "window")
    view.box(0, 0, *screen.board, "screen-board", hidden=True)
    for n, (x, y) in enumerate(plan.screen_holes):
        view.ring(x, y, handset_case.SMALL_PILOT, f"screen-hole-{n}", hidden=True)
    for key in plan.keys:
        view.ring(key.x, key.y, key.hole, f"key-{key.name}")
        view.label(key.x, key.y - 0.9, key.name)
    view.label(0, screen.offset - 0.9, "screen")
    view.across(-wide / 2, wide / 2, high / 2 + 8)
    view.along(-high / 2, high / 2, wide / 2 + 6)
    board, holes = screen.board, screen.holes
    view.across(-board[0] / 2, board[0] / 2, -high / 2 - 11, hidden=True)
    view.across(-holes[0] / 2, holes[0] / 2, -high / 2 - 5, hidden=True)
    view.along(-board[1] / 2, board[1] / 2, -wide / 2 - 15, hidden=True)
    view.along(-holes[1] / 2, holes[1] / 2, -wide / 2 - 7.5, hidden=True)
    if plan.keys:
        hole = plan.keys[0].hole
        view.label(plan.keys[0].x, plan.keys[0].y + hole / 2 + 2, f"Ø {hole:g}")


def _draw_lid(view: _CaseView, plan: CasePlan) -> None:
    """Draw the lid from inside, where left and right are exchanged."""
    wide, high, _ = plan.outside
    tongue = handset_case.TONGUE
    view.box(0, 0, wide, high, "lid")
    view.box(0, high / 2 + tongue[1] / 2, *tongue, "tongue")
    for n, (x, y) in enumerate(plan.screws):
        view.ring(x, y, handset_case.SCREW, f"screw-{n}")
    pico = handset_case.PICO
    view.box(0, plan.pico_middle, *pico, "pico", hidden=True)
    view.label(0, plan.pico_middle, "Pico", hidden=True)
    for n, (x, y) in enumerate(plan.pico_holes):
        view.ring(x, y, handset_case.SMALL_PILOT, f"pico-hole-{n}", hidden=True)
    (right, top), (left, _), (_, bottom), _ = plan.screws
    view.across(left, right, -high / 2 - 5)
    view.along(bottom, top, wide / 2 + 4)
    view.along(plan.pico_holes[1][1], plan.pico_holes[0][1], pico[0] / 2 + 3, hidden=True)
    view.across(plan.pico_holes[2][0], plan.pico_holes[0][0], plan.pico_middle + 8, hidden=True)
    for x, y in plan.slots:
        view.box(x, y, *handset_case.SLOT, f"slot-{x:g}")
    view.label(0, high / 2 + 2.5, "cable")
