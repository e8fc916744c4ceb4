"""The board's picture in games with more or less on their board than the classic one: chips, tiles, one-way streets."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable

import pytest

from firmware_host.config.shipped_files import load_ground
from firmware_host.ui.drawing.board_picture import svg
from firmware_host.ui.drawing.board_style import PAWNS
from firmware_host.ui.drawing.canvas import hex_colour
from firmware_host.ui.drawing.paper import WIDTH
from tests.ui.test_board_picture import JUNIOR, NETWORK, RED, RENDERINGS, TILES, elements, names

# ---- the junior game ----


def test_ju_07_two_routes_lie_beside_each_other_and_can_be_told_apart() -> None:
    document = svg(JUNIOR, routes={"mr_x": [9, 8, 8, 5], "mr_x_junior": [9, 8, 8, 12]})
    assert names(document, "route") == {"9-8", "8-5", "mr_x_junior-9-8", "mr_x_junior-8-12"}
    shapes = elements(document)
    one, other = (shapes[f"route-{name}9-8"].attrib for name in ("", "mr_x_junior-"))
    assert one["class"] != other["class"]
    middles = []
    for points in (one["points"].split(), other["points"].split()):
        x, y = points[len(points) // 2].split(",")
        middles.append((float(x), float(y)))
    assert math.dist(*middles) > 12
    alone = elements(svg(JUNIOR, routes={"mr_x_junior": [8, 12]}))["route-mr_x_junior-8-12"]
    assert shapes["route-mr_x_junior-8-12"].attrib["points"] == alone.attrib["points"]


def test_ju_05_a_round_in_which_he_stays_has_no_leg() -> None:
    document = svg(JUNIOR, routes={"mr_x": [9, 8, 8, 5, 5, 8, 8]})
    assert names(document, "route") == {"9-8", "5-8"}
    assert Counter(re.findall(r">([\d, ]+)</text>", document))["3, 5"] == 1


def test_ju_08_success_chips_stand_in_the_logs_stead() -> None:
    document = svg(JUNIOR, windows=12, tally={"mr_x": (2, 9), "detectives": (3, 3)}, log_lamps={1: RED, 12: RED})
    assert names(document, "chips") == {"mr_x", "detectives"}
    assert names(document, "chip") == {"mr_x-1", "mr_x-2", "detectives-1", "detectives-2", "detectives-3"}
    assert names(document, "log-lamp") == {"1", "12"}
    assert names(document, "window") == set()
    assert ">Mister X 2 of 9<" in document
    assert ">Detectives 3 of 3<" in document
    assert "surfaces" not in document
    shapes = elements(document)
    lit = float(shapes["log-lamp-12"].attrib["cx"])
    assert lit == pytest.approx(float(shapes["chip-detectives-3"].attrib["cx"]), abs=0.1)


def test_ju_01_black_and_white_pawns_can_be_told_from_each_other() -> None:
    def look(document: str, pawn: str) -> str:
        style = elements(document)[f"pawn-{pawn}"].attrib["class"]
        return re.search(rf"\.{style}{{fill:(#\w+)", document)[1]  # type: ignore[index]

    document = svg(JUNIOR, pawns={"white": 8, "yellow": 5, "mr_x": 8, "mr_x_junior": 11})
    assert len({look(document, pawn) for pawn in ("white", "yellow", "mr_x", "mr_x_junior")}) == 4
    assert look(document, "white") == "#ffffff"
    assert look(document, "mr_x") == look(svg(NETWORK, pawns={"mr_x": 8}), "mr_x") == hex_colour(PAWNS["mr_x"])


def test_a_board_without_a_log_shows_neither_windows_nor_their_mark() -> None:
    document = svg(JUNIOR, windows=0)
    assert names(document, "window") == set()
    assert "surfaces" not in document


@RENDERINGS
def test_be_06_the_legend_says_what_the_marked_windows_mean(draw: Callable[..., object]) -> None:
    assert draw(NETWORK, surfacing={3}, mark="Mister X vanishes") != draw(NETWORK, surfacing={3})
    assert ">Mister X vanishes<" in svg(NETWORK, surfacing={3}, mark="Mister X vanishes")


# ---- tiles ----


def test_di_01_each_tile_is_drawn_around_its_places_with_its_letter_as_it_lies() -> None:
    document = svg(TILES, windows=13)
    shapes = elements(document)
    assert names(document, "tile") == set("ABCDEFGHI")
    assert {shapes[f"letter-{letter}"].text for letter in "ABCDEFGHI"} == set("FIDEAcgHb")
    for place in TILES.stations:
        x, y = (float(shapes[f"station-{place}"].attrib[name]) for name in ("cx", "cy"))
        corners = [tuple(map(float, point.split(","))) for point in
                   shapes[f"tile-{TILES.letters[place]}"].attrib["points"].split()]  # fmt: skip
        assert min(cx for cx, _ in corners) < x < max(cx for cx, _ in corners)
        assert min(cy for _, cy in corners) < y < max(cy for _, cy in corners)


def test_di_06_a_tile_on_its_light_side_looks_brighter() -> None:
    shapes = elements(svg(TILES, windows=13))
    looks = {letter: shapes[f"tile-{letter}"].attrib["class"] for letter in "ABCDEFGHI"}
    assert looks["C"] == looks["G"] == looks["B"] != looks["A"]
    assert len(set(looks.values())) == 2


def test_di_04_undergrounds_of_tiles_have_stops_but_no_lines() -> None:
    document = svg(TILES, windows=13)
    drawn = names(document, "link")
    wanted = {f"{link.transport}-{link.a}-{link.b}" for link in TILES.links}
    assert {name for name in wanted - drawn if not name.startswith("underground-")} == set()
    assert {name for name in drawn if name.startswith("underground-")} == set()
    assert ">underground</text>" in document


@pytest.mark.parametrize("layout", ["FID EAc gHb", "IGb hEF"])
def test_di_06_one_way_streets_have_arrows_that_point_where_they_lead(layout: str) -> None:
    tiles = load_ground("yardboard").lay_tiles(layout)
    document = svg(tiles, windows=13)
    heads = [element for element in ET.fromstring(document).iter() if element.tag.endswith("polygon")]  # noqa: S314
    corners = [[tuple(map(float, point.split(","))) for point in head.attrib["points"].split()] for head in heads]
    arrows = [points for points in corners if len(points) == 3]
    bound = {(a, b, transport) for start, end, transport in tiles.barred for a, b in [sorted((start, end))]}
    one_way = [link for link in tiles.links if (link.a, link.b, link.transport) in bound]
    assert len(arrows) == sum(1 + len(link.via) for link in one_way) + 1  # one in the legend
    shapes = elements(document)
    places = {n: (float(shapes[f"station-{n}"].attrib["cx"]), float(shapes[f"station-{n}"].attrib["cy"]))
              for n in tiles.stations}  # fmt: skip
    taxis = [way for way in tiles.barred if way[2] == "taxi"]
    assert taxis
    for start, end, _ in taxis:
        (ax, ay), (bx, by) = places[end], places[start]  # the way that is open
        tip, tail, _ = min(arrows, key=lambda points: math.dist(points[0], ((ax + bx) / 2, (ay + by) / 2)))
        assert (tip[0] - tail[0]) * (bx - ax) + (tip[1] - tail[1]) * (by - ay) > 0, (start, end)
    assert ">one way</text>" in document


def test_di_06_without_one_way_streets_the_legend_does_not_speak_of_them() -> None:
    assert ">one way</text>" not in svg(load_ground("yardboard").lay_tiles("ABC DEF GHI"), windows=13)


def spot_on(document: str, station: int) -> tuple[float, float]:
    shape = elements(document)[f"station-{station}"]
    return float(shape.attrib["cx"]), float(shape.attrib["cy"])


def test_di_02_six_tiles_leave_no_empty_third_below_them() -> None:
    few, every = (load_ground("yardboard").lay_tiles(layout) for layout in ("IGb hEF", "ABC DEF GHI"))
    high = [float(re.search('viewBox="([^"]+)"', svg(tiles))[1].split()[3]) for tiles in (few, every)]  # type: ignore[index]
    assert high[1] - high[0] == pytest.approx((WIDTH - 44) / 3, abs=0.2)


def test_di_21_a_flight_passes_beside_the_places_it_flies_over() -> None:
    row = TILES.rows[2]
    document = svg(TILES, windows=13, routes={"mr_x": [row[0], row[-1]]})
    points = elements(document)[f"route-{row[0]}-{row[-1]}"].attrib["points"].split()
    way = [tuple(map(float, point.split(","))) for point in points]
    for place in row[1:-1]:
        assert min(math.dist(spot_on(document, place), point) for point in way) > 40, place
