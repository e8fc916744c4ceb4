"""Draw a city for several maps: the ground once, and each map's lines and stations on it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random

import shapely
from shapely import LineString, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from artwork import london
from artwork.city_quarters import STONE, Style, draw_quarters
from artwork.frame import draw_compass, draw_frame, draw_title
from artwork.greenery import choose_parks, draw_parks, pond
from artwork.label_placement import find_room
from artwork.landmarks import bridge_tower
from artwork.lettering import width
from artwork.lines_and_stations import LANE, RING, draw_lines, draw_stations
from artwork.map_names import write_names, write_river_name
from artwork.river import BOATS, River, draw_boats, draw_bridges, draw_water, lay_river
from artwork.street_plan import Sheet, StreetPlan, plan_streets
from artwork.svg_document import CITY_STYLE, document, finely
from artwork.vector_path import Point, shape_path
from firmware_host.rules.network import Network
from firmware_host.ui.drawing.line_routing import tracks

Places = Mapping[int, Point]
Map = tuple[Network, Places]


@dataclass(frozen=True)
class MapGround:
    """The layers below lines and stations.

    Attributes:
        sheet: the paper.
        below: streets, houses, parks, water and landmarks, as SVG in units.
        names: names, frame and compass, as SVG in units.
    """

    sheet: Sheet
    below: str
    names: str


def draw_ground(sheet: Sheet, maps: Sequence[Map]) -> MapGround:
    """Draw London with streets under the lines of all the maps."""
    random = Random("london")  # noqa: S311 - houses, no secrets
    first = maps[0][1]
    stops = [sheet.spot(*at) for at in london.RIVER_ENTERS] + [first[n] for n in london.RIVER_THROUGH]
    river = lay_river(
        [*stops, *(sheet.spot(*at) for at in london.RIVER_LEAVES)], london.NARROW, london.WIDE, sheet.inside
    )
    plan = plan_streets(sheet, maps)
    discs = shapely.union_all([shapely.Point(at).buffer(RING) for _, places in maps for at in places.values()])
    lines = _lines(maps)
    frame, boxes = _furniture(sheet, lines, discs)
    built = shapely.union_all([plan.surface.buffer(1), lines.buffer(2), discs, *boxes])
    marks, plazas = _landmarks(sheet, sheet.inside.buffer(-2).difference(built), river.banks)
    towers, over = _bridge_towers(first, river)
    parks = choose_parks(plan.faces, [sheet.spot(*at) for at in london.PARKS])
    free = sheet.inside.buffer(-5).difference(shapely.union_all([lines.buffer(2), discs, *plazas, *boxes, over]))
    green = shapely.union_all(parks).buffer(6)
    names = write_names(sheet, free.difference(shapely.union_all([river.banks, green])), free.intersection(green))
    waters = write_river_name(river, free.intersection(river.water))
    below = "".join([
        finely(f'<path class="street" d="{shape_path(sheet.inside)}"/>'),
        finely(_quarters(sheet, plan, parks, river, plazas, random)),
        finely(draw_parks(*_green(sheet, plan, parks, river), shapely.union_all([*plazas, discs]), random)),
        finely(draw_water(river)),
        finely(draw_bridges(river, plan, [first[n] for n in london.RIVER_THROUGH])),
        draw_boats(river, shapely.union_all([plan.surface, discs, *plazas])),
        *(f'<g class="{kind}">{marks}{towers}</g>' for kind in ("edge", "mark")),
    ])  # fmt: skip
    return MapGround(sheet, below, names + waters + frame)


def draw_map(ground: MapGround, network: Network, places: Places) -> str:
    """Return the document of one map on its ground."""
    sheet = ground.sheet
    lines = finely(draw_lines(network, places)) + draw_stations(network, places)
    return document(sheet.width, sheet.height, ground.below + ground.names + lines, CITY_STYLE, BOATS)


def _lines(maps: Sequence[Map]) -> BaseGeometry:
    """Return the area of all lines of all maps."""
    found = chain.from_iterable(tracks(network, places, LANE) for network, places in maps)
    return shapely.union_all([LineString(track.points).buffer(3) for track in found])


def _quarters(
    sheet: Sheet,
    plan: StreetPlan,
    parks: Sequence[Polygon],
    river: River,
    plazas: Sequence[BaseGeometry],
    random: Random,
) -> str:
    """Draw the buildings: quarters, blocks, houses and gardens, and the lights of the night."""
    around = shapely.union_all([river.banks.buffer(3), *parks])
    districts = [(sheet.spot(*at), london.BUILT.get(name, STONE)) for name, at in london.NAMES]

    def style(quarter: Polygon) -> Style:
        middle = quarter.centroid.coords[0]
        return min(districts, key=lambda district: math.dist(district[0], middle))[1]

    return draw_quarters("quarters", plan.quarters(around), shapely.union_all(list(plazas)), random, style)


def _green(
    sheet: Sheet, plan: StreetPlan, parks: Sequence[Polygon], river: River
) -> tuple[list[Polygon], BaseGeometry]:
    """Return the parks without streets and water, and their ponds."""
    left = shapely.union_all(list(parks)).difference(shapely.union_all([plan.surface, river.banks.buffer(2)]))
    green = [part for part in shapely.get_parts(left) if part.area > 80]
    ponds = [pond([sheet.spot(*at) for at in points], half) for points, half in london.PONDS]
    return green, shapely.union_all(ponds)


def _landmarks(sheet: Sheet, free: BaseGeometry, water: BaseGeometry) -> tuple[str, list[BaseGeometry]]:
    """Draw the landmarks where there is space. Return them and their areas."""
    drawn: list[tuple[float, str]] = []
    covered: list[BaseGeometry] = []
    for make, wanted, reach in london.LANDMARKS:
        mark = make()
        shape = shapely.union_all([shapely.box(*box) for box in mark.boxes])
        x, y = sheet.spot(*wanted)
        room = free if make in london.BY_THE_WATER else free.difference(water)
        found = find_room(room, (x, y), mark.boxes, reach)
        if found is None:
            raise ValueError(f"there is no room for the {mark.name} within {reach} units of {x:.0f}, {y:.0f}")
        (fx, fy), scale = found
        body = affinity.translate(affinity.scale(shape, scale, scale, origin=(0, 0)), fx, fy)
        covered.append(body.buffer(5).buffer(-1.5))
        free = free.difference(body.buffer(5))
        drawn.append((fy, f'<g transform="translate({fx:.1f} {fy:.1f})scale({scale:g})">{mark.drawing}</g>'))
    return "".join(text for _, text in sorted(drawn)), covered


def _bridge_towers(places: Places, river: River) -> tuple[str, BaseGeometry]:
    """Draw the two towers at either end of their bridge. Return them and their area."""
    a, b = (places[number] for number in london.BRIDGE_TOWERS)
    over = max(shapely.get_parts(LineString([a, b]).intersection(river.water)), key=lambda part: part.length)
    ends = sorted(over.coords, key=lambda at: at[1])
    tower, size = bridge_tower(), 0.82
    towers, covered = [], []
    for x, y in (ends[0], ends[-1]):
        towers.append(f'<g transform="translate({x:.1f} {y + 9:.1f})scale({size:g})">{tower.drawing}</g>')
        shape = affinity.scale(shapely.box(*tower.boxes[0]), size, size, origin=(0, 0))
        covered.append(affinity.translate(shape, x, y + 9))
    (ax, ay), (bx, by) = ends[0], ends[-1]
    walk = "".join(
        f'<path class="leg" d="M{ax + dx:.1f} {ay - 22:.1f}L{bx + dx:.1f} {by - 22:.1f}"/>' for dx in (-5, 5)
    )
    return towers[0] + walk + towers[1], shapely.union_all(covered).convex_hull


def _furniture(sheet: Sheet, lines: BaseGeometry, discs: BaseGeometry) -> tuple[str, list[Polygon]]:
    """Draw frame, compass and title. Return them and the boxes of compass and title."""
    free = sheet.inside.buffer(-8).difference(shapely.union_all([lines.buffer(6), discs]))
    compass = _box_near(free, sheet.spot(*london.COMPASS), 64, 86)
    title = _box_near(free, sheet.spot(*london.TITLE), width("LONDON", 6) * 2.5 + 44, 52)
    (x, y), (tx, ty) = compass.centroid.coords[0], title.centroid.coords[0]
    return draw_frame(sheet) + draw_compass(x, y + 9, 32) + draw_title("LONDON", tx, ty), [compass, title]


def _box_near(free: BaseGeometry, wanted: Point, wide: float, high: float) -> Polygon:
    """Return a box of a given size in free space near a point.

    Raises:
        ValueError: there is no space.
    """
    box = (-wide / 2, -high / 2, wide / 2, high / 2)
    found = find_room(free, wanted, [box], 160, (1.0,))
    if found is None:
        raise ValueError(f"there is no room for a box of {wide:.0f} by {high:.0f} units near {wanted}")
    return affinity.translate(shapely.box(*box), *found[0])
