"""Draw a map like a picture book: few stations, each with a picture, and paths to trace by finger."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import shapely
from shapely import LineString, affinity
from shapely.geometry.base import BaseGeometry

from artwork import countryside, junior_london
from artwork.frame import draw_compass
from artwork.label_placement import find_room
from artwork.lettering import width, write
from artwork.lines_and_stations import draw_stations
from artwork.picture_paths import HALF, courses, draw_paths, draw_vehicles, lay_paths, vehicles
from artwork.street_plan import Sheet
from artwork.svg_document import STATIONS_STYLE, document, finely
from artwork.vector_path import Point, line_path, shape_path
from firmware_host.rules.network import Network
from firmware_host.ui.drawing.line_routing import flow

STYLE = (
    """
path,circle,ellipse,rect,use{stroke-linecap:round;stroke-linejoin:round}
.meadow{fill:var(--meadow)}.meadow-light{fill:var(--meadow-light)}.meadow-dark{fill:var(--meadow-dark)}
.shore{fill:var(--sand)}.stream{fill:var(--stream)}.stream-deep{fill:var(--stream-deep)}
.foam{fill:none;stroke:var(--foam);stroke-width:9}
.path-edge{fill:none;stroke:var(--sand-edge);stroke-width:40}.path{fill:none;stroke:var(--sand);stroke-width:34}
.arch{fill:none;stroke:var(--mark-line);stroke-width:50;stroke-linecap:butt;opacity:.25}
.planks{fill:none;stroke:var(--bridge);stroke-width:40;stroke-linecap:butt}
.plank-lines{fill:none;stroke:var(--bridge-line);stroke-width:38;stroke-dasharray:2 9;stroke-linecap:butt;opacity:.55}
.rails{fill:none;stroke:var(--bridge-line);stroke-width:5}
.road-case,.road,.lane,.between,.rail-case,.rail,.boat-case,.boat-dots{fill:none}
.road-case{stroke:var(--taxi-case);stroke-width:13}.road{stroke:var(--taxi-line);stroke-width:8}
.lane{stroke:var(--bus-line);stroke-width:17}.between{stroke:var(--sand);stroke-width:5.5}
.rail-case{stroke:var(--underground-case);stroke-width:19}
.rail{stroke:var(--underground-line);stroke-width:13;stroke-dasharray:26 15;stroke-linecap:butt}
.boat-case{stroke:var(--foam);stroke-width:15;stroke-dasharray:0 26}.boat-dots{stroke:var(--boat-line);stroke-width:11;stroke-dasharray:0 26}
.mark path,.mark circle,.mark ellipse{stroke:var(--mark-line);stroke-width:1.8}
.edge path,.edge circle,.edge ellipse{fill:var(--halo);stroke:var(--halo);stroke-width:9}
.edge .line-brown,.edge .line-black,.edge .line-green,.edge .weave,.edge .smile,.edge .wave,.edge .sugar,.edge .beam,.edge .shade{display:none}
.red{fill:var(--toy-red)}.orange{fill:var(--toy-orange)}.yellow{fill:var(--toy-yellow)}.green{fill:var(--toy-green)}
.lime{fill:var(--toy-lime)}.leaf{fill:var(--toy-leaf)}.blue{fill:var(--toy-blue)}.violet{fill:var(--toy-violet)}
.pink{fill:var(--toy-pink)}.brown{fill:var(--toy-brown)}.grey{fill:var(--toy-grey)}.white,.smoke{fill:var(--toy-white)}
.cream{fill:var(--toy-cream)}.black{fill:var(--mark-line)}.glass{fill:var(--glass)}.lit{fill:var(--window-toy)}
.shade{fill:#000;opacity:.13}.mark .shade,.mark .bare,.mark .leaf-cut{stroke:none}
.leaf-cut{fill:var(--stream)}
.mark .line-brown{fill:none;stroke:var(--toy-brown);stroke-width:4}
.mark .line-black{fill:none;stroke-width:2.6}.mark .line-green{fill:none;stroke:var(--toy-leaf);stroke-width:3}
.mark .stem{fill:none;stroke:var(--toy-leaf);stroke-width:1.6}
.mark .weave{fill:none;stroke-width:1.4;opacity:.6}.mark .smile{fill:none;stroke-width:2.2}
.mark .sugar{fill:none;stroke:var(--toy-violet);stroke-width:3}
.mark .wave{fill:none;stroke:var(--foam);stroke-width:3.4}
.mark .spokes{fill:none;stroke-width:2.2}.mark .rim-big{fill:none;stroke:var(--toy-red);stroke-width:6}
.mark .leg-big{fill:none;stroke:var(--toy-blue);stroke-width:7}.edge .spokes,.edge .rim-big,.edge .leg-big{fill:none}
.mark .beam{fill:var(--beam);stroke:none}
.taxi-body{fill:var(--taxi-line)}.bus-body{fill:var(--bus-line)}.train-body{fill:var(--underground-line)}
.boat-body{fill:var(--boat-line)}
.fireflies{fill:none;stroke:var(--fireflies);stroke-width:4.5}
.sun,.mark .sun{fill:var(--sun);stroke:var(--sun-edge);stroke-width:2}.sun-rays{fill:none;stroke:var(--sun);stroke-width:7}
.sun-face{fill:var(--sun-edge)}.sun-smile{fill:none;stroke:var(--sun-edge);stroke-width:2.6}.moon{fill:var(--moon)}
.sheet{fill:var(--paper)}.frame-line,.frame .line{fill:none;stroke:var(--frame);stroke-width:1.4}
.step{fill:var(--frame)}.pale-step{fill:var(--frame-pale)}.frame .pale-step,.frame .step{stroke:var(--frame);stroke-width:.5}
.grid{fill:none;stroke:var(--frame);stroke-width:1.4}
.bead{fill:none;stroke-width:13}.bead-0{stroke:var(--toy-red)}.bead-1{stroke:var(--toy-yellow)}
.bead-2{stroke:var(--toy-blue)}.bead-3{stroke:var(--toy-green)}
.ribbon{fill:var(--ribbon)}.ribbon-end{fill:var(--ribbon-end)}
.ribbon,.ribbon-end{stroke:var(--mark-line);stroke-width:2}.title g{fill:none;stroke:var(--ribbon-name);stroke-width:1.9}
"""
    + STATIONS_STYLE
)


STATIONS = 1.976
"""The scale of its stations to London's: like their plates in the wiring look."""

_RING = 51.0  # radius of the space around a station for its lamp and the rings of pawns, in units
_PAWN = (26.0, 92.0)  # half the width, and the height, of what a pawn hides above its station


def draw_picture_map(sheet: Sheet, network: Network, places: Mapping[int, Point]) -> str:
    """Return the document of a map."""
    random = Random("small london")  # noqa: S311 - trees, no secrets
    course = flow([sheet.spot(x, y) for x, y in network.river], 60)
    water = LineString(course).buffer(junior_london.HALF_RIVER, join_style="round").intersection(sheet.inside)
    ways = lay_paths(network, places, course)
    sand = shapely.union_all([way.course.buffer(HALF + 5) for way in ways])
    discs = shapely.union_all([shapely.Point(at).buffer(_RING) for at in places.values()])
    wide, high = _PAWN
    pawns = shapely.union_all([shapely.box(x - wide, y - high, x + wide, y) for x, y in places.values()])
    free = sheet.inside.buffer(-6).difference(shapely.union_all([sand, discs, pawns]))
    furniture, free = _furniture(sheet, free.difference(water), free)
    pictures, covered = _pictures(free, places)
    land = free.difference(shapely.union_all([covered, water.buffer(10)]))
    below = "".join([
        f'<path class="meadow" d="{_box(sheet)}"/>',
        finely(countryside.draw_meadows(sheet.inside, random)),
        _water(course, water, sheet),
        draw_paths(ways, water),
        f'<g class="mark">{countryside.plant(land, random)}</g>',
        f'<g class="edge">{pictures}</g><g class="mark">{pictures}{draw_vehicles(ways, discs)}</g>',
        countryside.draw_stars(sheet.inside.buffer(-12), 90, random),
    ])  # fmt: skip
    near = {number: (x / STATIONS, y / STATIONS) for number, (x, y) in places.items()}
    stations = f'<g transform="scale({STATIONS})">{draw_stations(network, near)}</g>'
    definitions = f'<g class="mark">{countryside.definitions()}{vehicles()}</g>{courses(network, places, ways)}'
    return document(sheet.width, sheet.height, below + furniture + _frame(sheet) + stations, STYLE, definitions)


def _box(sheet: Sheet) -> str:
    edge = sheet.edge
    return f"M{edge:g} {edge:g}H{sheet.width - edge:g}V{sheet.height - edge:.1f}H{edge:g}Z"


def _water(course: tuple[Point, ...], water: BaseGeometry, sheet: Sheet) -> str:
    """Draw the river with its banks, deeper in the middle, and waves on it."""
    deep = LineString(course).buffer(junior_london.HALF_RIVER * 0.6).intersection(sheet.inside)
    waves = []
    line = LineString(course)
    for n in range(int(line.length / 34)):
        at = line.interpolate(n * 34)
        x, y = at.x, at.y + (-24, 4, 22, -8)[n % 4]
        wave = [(x - 11, y), (x - 5.5, y - 4), (x, y), (x + 5.5, y - 4), (x + 11, y)]
        if water.buffer(-6).contains(LineString(wave)):
            waves.append(wave)
    bank = water.buffer(9).intersection(sheet.inside)
    return finely(
        f'<path class="shore" d="{shape_path(bank)}"/><path class="stream" d="{shape_path(water)}"/>'
        f'<path class="stream-deep" d="{shape_path(deep)}"/><path class="foam" d="{line_path(waves)}"/>'
    )


def _pictures(free: BaseGeometry, places: Mapping[int, Point]) -> tuple[str, BaseGeometry]:
    """Draw each station's picture beside it. Return them and their area."""
    drawn: list[tuple[float, str]] = []
    covered: list[BaseGeometry] = []
    for number, (make, aside, below) in junior_london.PICTURES.items():
        picture = make()
        x, y = places[number]
        found = find_room(free, (x + aside, y + below), picture.boxes, junior_london.REACH, junior_london.SIZES)
        if found is None:
            raise ValueError(f"there is no room for the {picture.name} beside station {number}")
        (fx, fy), scale = found
        shape = shapely.union_all([shapely.box(*box) for box in picture.boxes])
        body = affinity.translate(affinity.scale(shape, scale, scale, origin=(0, 0)), fx, fy)
        covered.append(body.buffer(5))
        free = free.difference(covered[-1])
        drawn.append((fy, f'<g transform="translate({fx:.1f} {fy:.1f})scale({scale:g})">{picture.drawing}</g>'))
    return "".join(text for _, text in sorted(drawn)), shapely.union_all(covered)


def _furniture(sheet: Sheet, land: BaseGeometry, free: BaseGeometry) -> tuple[str, BaseGeometry]:
    """Draw title, sun and compass in free space. Return them and the remaining space."""
    size = 30.0
    wide = width(junior_london.NAME, 5) * size / 10 + 70
    boxes = {"title": (wide, 74.0), "sun": (100.0, 100.0), "compass": (70.0, 96.0)}
    wanted = {"title": junior_london.TITLE, "sun": junior_london.SUN, "compass": junior_london.COMPASS}
    at: dict[str, Point] = {}
    for what, (across, down) in boxes.items():
        box = (-across / 2, -down / 2, across / 2, down / 2)
        found = find_room(land, sheet.spot(*wanted[what]), [box], 320, (1.0,))
        if found is None:
            raise ValueError(f"there is no room for the {what} near {wanted[what]}")
        at[what] = found[0]
        taken = affinity.translate(shapely.box(*box).buffer(6), *found[0])
        land, free = land.difference(taken), free.difference(taken)
    (x, y), half = at["title"], wide / 2
    ribbon = (
        f'<path class="ribbon-end" d="M{-half + 8:.1f}-16H{-half - 2:.1f}l12 22-12 22H{-half + 34:.1f}ZM{half - 8:.1f}-16H{half + 2:.1f}'
        f'l-12 22 12 22H{half - 34:.1f}Z"/><path class="ribbon" d="M{-half + 18:.1f}-28H{half - 18:.1f}V24H{-half + 18:.1f}Z"/>'
    )
    title = f'<g class="title" transform="translate({x:.1f} {y:.1f})">{ribbon}{write(junior_london.NAME, 0, -2, size, 5)}</g>'
    sky = countryside.draw_sky(*at["sun"], 32)
    compass = draw_compass(at["compass"][0], at["compass"][1] + 10, 34)
    return title + sky + compass, free


def _frame(sheet: Sheet) -> str:
    """Draw the paper's edge: a row of coloured beads on cream."""
    edge, middle = sheet.edge, sheet.edge / 2
    ring = (
        f"M0 0H{sheet.width:g}V{sheet.height:.1f}H0Z"
        f"M{edge:g} {edge:g}V{sheet.height - edge:.1f}H{sheet.width - edge:g}V{edge:g}Z"
    )
    beads: list[list[Point]] = [[], [], [], []]
    across = round((sheet.width - edge) / 31)
    down = round((sheet.height - edge) / 31)
    corners = [(middle, middle), (sheet.width - middle, middle), (sheet.width - middle, sheet.height - middle), (middle, sheet.height - middle)]  # fmt: skip
    count = 0
    for n, steps in enumerate((across, down, across, down)):
        (ax, ay), (bx, by) = corners[n], corners[(n + 1) % 4]
        for step in range(steps):
            beads[count % 4].append((ax + (bx - ax) * step / steps, ay + (by - ay) * step / steps))
            count += 1
    rows = "".join(
        f'<path class="bead bead-{n}" d="{"".join(f"M{x:.1f} {y:.1f}h0" for x, y in some)}"/>'
        for n, some in enumerate(beads)
    )
    inner = f'<path class="frame-line" d="{_box(sheet)}"/>'
    rim = f'<path class="frame-line" d="M1.5 1.5H{sheet.width - 1.5:g}V{sheet.height - 1.5:.1f}H1.5Z"/>'
    return f'<path class="sheet" d="{ring}"/>{rows}{inner}{rim}'
