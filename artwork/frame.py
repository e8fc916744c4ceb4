"""Draw the frame around a map, its compass and its title."""

from __future__ import annotations

import math

from artwork.lettering import width, write
from artwork.street_plan import Sheet

_FIELDS = (12, 9)
"""Fields of the frame's grid, across and down."""


def draw_frame(sheet: Sheet) -> str:
    """Draw the paper's edge: a ladder of dark and pale steps, with letters across and numbers down."""
    edge = sheet.edge
    wide, high = sheet.width - 2 * edge, sheet.height - 2 * edge
    dark, marks = [], []
    across, down = _FIELDS
    for n in range(across):
        left, step = edge + wide * n / across, wide / across
        letter = "ABCDEFGHIJKLMNOP"[n]
        marks += [write(letter, left + step / 2, y, 7.2) for y in (edge * 0.38, sheet.height - edge * 0.38)]
        if n % 2 == 0:
            dark += [f"M{left:.1f} {y:.1f}h{step:.1f}v4h{-step:.1f}Z" for y in (edge - 6, sheet.height - edge + 2)]
    for n in range(down):
        top, step = edge + high * n / down, high / down
        marks += [write(str(n + 1), x, top + step / 2, 7.2) for x in (edge * 0.38, sheet.width - edge * 0.38)]
        if n % 2 == 0:
            dark += [f"M{x:.1f} {top:.1f}v{step:.1f}h4v{-step:.1f}Z" for x in (edge - 6, sheet.width - edge + 2)]
    ring = f"M0 0H{sheet.width:g}V{sheet.height:.1f}H0ZM{edge:g} {edge:g}v{high:.1f}h{wide:.1f}v{-high:.1f}Z"
    band = f'<rect class="line" x="{edge - 6:g}" y="{edge - 6:g}" width="{wide + 12:.1f}" height="{high + 12:.1f}"/>'
    inner = f'<rect class="line" x="{edge:g}" y="{edge:g}" width="{wide:.1f}" height="{high:.1f}"/>'
    rim = f'<rect class="line" x="1.5" y="1.5" width="{sheet.width - 3:.1f}" height="{sheet.height - 3:.1f}"/>'
    pale = (
        f"M{edge - 6:g} {edge - 6:g}h{wide + 12:.1f}v{high + 12:.1f}h{-wide - 12:.1f}Z"
        f"M{edge - 2:g} {edge - 2:g}v{high + 4:.1f}h{wide + 4:.1f}v{-high - 4:.1f}Z"
    )
    return (
        f'<g class="frame"><path class="sheet" d="{ring}"/><path class="pale-step" d="{pale}"/>'
        f'<path class="step" d="{"".join(dark)}"/>{band}{inner}{rim}<g class="grid">{"".join(marks)}</g></g>'
    )


def draw_compass(x: float, y: float, radius: float) -> str:
    """Draw a compass around a point."""
    points = []
    for n in range(16):
        far = radius * (1 if n % 4 == 0 else 0.66 if n % 2 == 0 else 0.42)
        angle = math.pi * n / 8
        tip = (math.sin(angle) * far, -math.cos(angle) * far)
        foot = radius * 0.2
        for side, kind in ((-1, "step"), (1, "pale-step")):
            turn = angle + side * math.pi / 8
            corner = (math.sin(turn) * foot, -math.cos(turn) * foot)
            points.append(
                (
                    n % 2 == 0,
                    f'<path class="{kind}" d="M0 0L{tip[0]:.1f} {tip[1]:.1f} {corner[0]:.1f} {corner[1]:.1f}Z"/>',
                )
            )
    points.sort(key=lambda point: point[0])
    rings = "".join(f'<circle class="line" r="{radius * share:.1f}"/>' for share in (0.52, 0.58))
    back = f'<circle class="sheet" r="{radius * 0.58:.1f}"/>'
    north = f'<g class="grid">{write("N", 0, -radius - 9, 11)}</g>'
    rose = "".join(drawn for _, drawn in points)
    return f'<g class="frame" transform="translate({x:.1f} {y:.1f})">{back}{rings}{rose}{north}</g>'


def draw_title(text: str, x: float, y: float) -> str:
    """Draw a plate with the title around a point."""
    size = 25.0
    wide = width(text, 6) * size / 10 + 44
    high = 52.0
    plates = "".join(
        f'<rect class="{kind}" x="{-wide / 2 + inset:.1f}" y="{-high / 2 + inset:.1f}" width="{wide - 2 * inset:.1f}" '
        f'height="{high - 2 * inset:.1f}" rx="{3:g}"/>'
        for inset, kind in ((0, "sheet lined"), (4.5, "line"))
    )
    return f'<g class="frame title" transform="translate({x:.1f} {y:.1f})">{plates}{write(text, 0, 0, size, 6)}</g>'
