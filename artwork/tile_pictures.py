"""Draw the dice game's tiles: streets with houses, a landmark in the middle, and four stations each.

The streets leave a tile at the same two points of each edge, so that they meet in every layout.
"""

from __future__ import annotations

from random import Random

import shapely
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from artwork import landmarks
from artwork.city_quarters import draw_quarters
from artwork.greenery import draw_parks
from artwork.label_placement import find_room
from artwork.lettering import write
from artwork.lines_and_stations import draw_stations
from artwork.svg_document import CITY_STYLE, document, finely
from artwork.vector_path import Point, shape_path
from firmware_host.rules.data.tile_file import INNER, LANES, LETTERS, Side
from firmware_host.rules.dice.tiles import TRAY, TileSet, Tiling
from firmware_host.ui.drawing.paper import TILE_SCALE, WIDTH, tile_size

LANDMARKS = {
    "A": landmarks.clock_tower, "B": landmarks.wheel, "C": landmarks.station_halls,
    "D": landmarks.cathedral, "E": landmarks.keep, "F": landmarks.palace,
    "G": landmarks.observatory, "H": landmarks.pagoda, "I": landmarks.zoo,
}  # fmt: skip
"""The landmark of each tile."""

SIZE = tile_size(TRAY) / TILE_SCALE
"""Width and height of a tile, in units of the city's drawing."""

PLACES: tuple[Point, ...] = tuple((SIZE * x / 4, SIZE * y / 4) for y in (1, 3) for x in (1, 3))
"""The middles of a tile's four places: top left, top right, bottom left, bottom right."""

_STREET, _LANE = 13.0, 8.0  # half the width of a street, and of a taxi lane
_RING = 28.0  # radius of the space around a station for its lamp and the rings of pawns, in units
_SIZES = (1.5, 1.35, 1.2, 1.1, 1.0, 0.9, 0.8, 0.72, 0.64, 0.57, 0.5)
_STYLE = (
    CITY_STYLE
    + """
.seam{fill:none;stroke:var(--frame);stroke-width:1.1;opacity:.6}
.dark-side{fill:var(--dark-glass)}.light-side{fill:var(--pale-mark)}.dark-side,.light-side{stroke:var(--frame);stroke-width:1.6}
.letter g{fill:none;stroke:var(--mark-line);stroke-width:1.6}.letter.on-dark g{stroke:var(--pale-mark)}
.arrow{stroke:var(--taxi-case);stroke-width:.8}
"""
)


def draw_tile_sheet(tiles: TileSet) -> str:
    """Return the document of both sides of all tiles, two definitions a side, each on a line of its own.

    "ground-a" is the ground of tile A's light side, "stops-A" the stations of its dark one.
    """
    plan = tiles.lay_tiles(" ".join(LETTERS[n : n + 3] for n in (0, 3, 6)))
    lines = []
    for letter, tile in sorted(tiles.tiles.items()):
        stops = _stations(plan, tile.places)
        for name, side in ((letter, tile.dark), (letter.lower(), tile.light)):
            lines += [f'<g id="ground-{name}">{_ground(name, side)}</g>', f'<g id="stops-{name}">{stops}</g>']
    definitions = "\n" + "\n".join(lines) + "\n"
    return document(WIDTH, WIDTH, '<g id="board"/>', _STYLE, definitions)


def _stations(plan: Tiling, numbers: tuple[int, ...]) -> str:
    return draw_stations(plan, dict(zip(numbers, PLACES, strict=True)))


def _ground(name: str, side: Side) -> str:
    """Draw one side of a tile below its lines."""
    random = Random(f"tile {name}")  # noqa: S311 - houses, no secrets
    tile = shapely.box(0, 0, SIZE, SIZE)
    surface = streets(side).intersection(tile)
    discs = shapely.union_all([shapely.Point(at).buffer(_RING) for at in PLACES])
    free = tile.buffer(-2, join_style="mitre").difference(shapely.union_all([surface, discs]))
    low, high = SIZE / 4 + _STREET, SIZE * 3 / 4 - _STREET
    green = [part for part in shapely.get_parts(free.intersection(shapely.box(low, low, high, high))) if part.area > 80]
    park = shapely.union_all(green)
    quarters = [part for part in shapely.get_parts(free.difference(park.buffer(0.5))) if part.area > 30]
    quarters.sort(key=lambda part: (round(part.centroid.y), part.centroid.x))
    letter, taken = _letter(name, park)
    mark, covered = _landmark(name, park.difference(taken))
    clear = shapely.union_all([taken, covered.buffer(4)])
    return "".join([
        finely(f'<path class="street" d="{shape_path(tile)}"/>'),
        finely(draw_quarters(f"quarters-{name}", quarters, shapely.Polygon(), random)),
        finely(draw_parks(green, shapely.Polygon(), clear, random)),
        f'<path class="seam" d="M0 0H{SIZE:.2f}V{SIZE:.2f}H0Z"/>',
        f'<g class="mark">{mark}</g>{letter}',
    ])  # fmt: skip


def streets(side: Side) -> BaseGeometry:
    """Return a side's streets in their width. Those that leave the tile extend beyond its edge."""
    ends = [INNER[key] for key, street in side.streets.items() if street is not None]
    inner = [LineString([PLACES[a], PLACES[b]]).buffer(_STREET) for a, b in ends]
    lanes = [LineString([PLACES[n] for n in LANES[lane]]).buffer(_LANE) for lane in side.lanes]
    return shapely.union_all([*inner, *lanes, *(way.buffer(_STREET) for way in _exits(side))])


def _exits(side: Side) -> list[LineString]:
    """Return the middle lines of the streets that leave a tile."""
    out, found = 30.0, []
    for edge, halves in side.exits.items():
        for half, street in enumerate(halves):
            along = PLACES[half][0]
            near, far = (SIZE / 4, -out) if edge in ("top", "left") else (SIZE * 3 / 4, SIZE + out)
            way = [(along, near), (along, far)] if edge in ("top", "bottom") else [(near, along), (far, along)]
            if street is not None:
                found.append(LineString(way))
    return found


def _letter(name: str, park: BaseGeometry) -> tuple[str, BaseGeometry]:
    """Draw a tile's letter on a plate, dark or light like its side. Return it and its area."""
    found = find_room(park, (SIZE * 0.34, SIZE * 0.67), [(-12, -12, 12, 12)], SIZE / 2, (1.0,))
    if found is None:
        raise ValueError(f"there is no room for the letter of tile {name}")
    (x, y), _ = found
    kind, on = ("dark-side", "on-dark") if name.isupper() else ("light-side", "on-light")
    plate = f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="10"/>'
    return f'{plate}<g class="letter {on}">{write(name.upper(), x, y, 10)}</g>', shapely.Point(x, y).buffer(12)


def _landmark(name: str, free: BaseGeometry) -> tuple[str, BaseGeometry]:
    """Draw a tile's landmark where there is space. Return it and its area."""
    mark = LANDMARKS[name.upper()]()
    found = find_room(free.buffer(-1), (SIZE / 2, SIZE * 0.46), mark.boxes, SIZE / 3, _SIZES)
    if found is None:
        raise ValueError(f"there is no room for the {mark.name} on tile {name}")
    (x, y), scale = found
    boxes = [tuple(part * scale for part in box) for box in mark.boxes]
    covered = shapely.union_all([shapely.box(x + a, y + b, x + c, y + d) for a, b, c, d in boxes])
    return f'<g transform="translate({x:.1f} {y:.1f})scale({scale:g})">{mark.drawing}</g>', covered
