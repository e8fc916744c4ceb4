"""Draw lines and stations so that they are recognisable by form as well as by colour.

A taxi line is thin and single, a bus line wide and pale-edged, the underground dashed and cased with its tunnel around
it, a boat dots. A station is a disc: its upper half for taxis, its lower half for buses, a bar for the underground.
"""

from __future__ import annotations

from collections.abc import Mapping

from artwork.lettering import write
from artwork.vector_path import Point, line_path
from firmware_host.rules.network import TRANSPORTS, Network
from firmware_host.ui.drawing.line_routing import tracks

LANE = 5.2
"""The distance between lines in one street, in units."""

DISC = 17.0
"""Radius of a station's disc, in units."""

RING = 27.0
"""Radius of the space around a station for its lamp and the rings of pawns, in units."""

FIGURES = 14.8
"""Height of a station's figures, in units: a font of 12 pixels where a unit is 0.6 of them."""

PLATES = {1: 17.5, 2: 27.0, 3: 37.0}
"""Width of a number's plate by its number of digits, in units."""

PLATE_HIGH = 19.0
"""Height of a number's plate, in units."""

_LAYERS = (
    ("boat", "boat"), ("tunnel", "underground"), ("bc", "bus"), ("tc", "taxi"), ("b", "bus"), ("t", "taxi"),
    ("uc", "underground"), ("u", "underground"),
)  # fmt: skip
"""The layers of each line, the lowest first, with its transport."""


def draw_lines(network: Network, places: Mapping[int, Point]) -> str:
    """Draw all lines, the underground lowest."""
    found = tracks(network, places, LANE)
    paths = {
        transport: line_path(track.points for track in found if track.link.transport == transport)
        for transport in TRANSPORTS
    }
    shapes = "".join(f'<path id="l-{transport}" d="{path}"/>' for transport, path in paths.items() if path)
    layers = "".join(f'<use href="#l-{transport}" class="{name}"/>' for name, transport in _LAYERS if paths[transport])
    return f'<defs>{shapes}</defs><g class="q">{layers}</g>'


def draw_stations(network: Network, places: Mapping[int, Point]) -> str:
    """Draw every station, and its number on a plate."""
    discs, plates = [], []
    moved = _plates_apart(places)
    for number, (x, y) in places.items():
        stops = network.transports(number)
        upper = "taxi" if "taxi" in stops else stops[0]
        lower = "bus" if "bus" in stops else upper
        discs.append(f'<g transform="translate({x:.1f} {y:.1f})">{_disc(upper, lower, stops)}</g>')
        px, py = moved[number]
        wide = PLATES[len(str(number))]
        red = "underground" in stops
        if red:
            plates.append(
                f'<rect class="bar" x="{px - 22.5:.1f}" y="{py - 11.8:.1f}" width="45" height="23.6" rx="3"/>'
            )
        plates.append(
            f'<rect class="np" x="{px - wide / 2:.1f}" y="{py - PLATE_HIGH / 2:.1f}" width="{wide:g}" '
            f'height="{PLATE_HIGH:g}" rx="{4.5 if not red else 2:g}"/>{write(str(number), px, py, FIGURES)}'
        )
    return f'<g class="discs">{"".join(discs)}</g><g class="numbers">{"".join(plates)}</g>'


def _disc(upper: str, lower: str, stops: tuple[str, ...]) -> str:
    """Return a disc around the origin."""
    parts = [f'<circle class="rim" r="{DISC + 1.3:g}"/>']
    if "boat" in stops:
        parts.append(f'<circle class="mooring" r="{DISC + 4.5:g}"/>')
    parts.append(f'<circle class="d {upper}" r="{DISC:g}"/>')
    if lower != upper:
        parts.append(f'<path class="{lower}" d="M-{DISC:g} 0A{DISC:g} {DISC:g} 0 0 0 {DISC:g} 0Z"/>')
    return "".join(parts)


def _plates_apart(places: Mapping[int, Point]) -> dict[int, Point]:
    """Return the middle of each plate: on its station, or a little aside if two would touch."""
    at = dict(places)
    numbers = sorted(at)
    for n, a in enumerate(numbers):
        for b in numbers[n + 1 :]:
            (ax, ay), (bx, by) = at[a], at[b]
            wide = (PLATES[len(str(a))] + PLATES[len(str(b))]) / 2 + 1.5
            lack_x, lack_y = wide - abs(bx - ax), PLATE_HIGH + 1.5 - abs(by - ay)
            if lack_x <= 0 or lack_y <= 0:
                continue
            if lack_y <= lack_x:
                push = lack_y / 2 * (1 if by >= ay else -1)
                at[a], at[b] = (ax, ay - push), (bx, by + push)
            else:
                push = lack_x / 2 * (1 if bx >= ax else -1)
                at[a], at[b] = (ax - push, ay), (bx + push, by)
    return at
