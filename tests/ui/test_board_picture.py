from __future__ import annotations

import math
import random
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from PIL import Image, ImageChops

from firmware_host.config.shipped_files import edition_names, load_edition, load_ground
from firmware_host.rules.network import Network, Station
from firmware_host.rules.views import LogEntry
from firmware_host.ui.drawing.board_map import PictureError
from firmware_host.ui.drawing.board_picture import png, svg
from firmware_host.ui.drawing.canvas import dashes, drawable_text
from firmware_host.ui.drawing.line_routing import tracks
from firmware_host.ui.drawing.paper import WIDTH
from tests.rules.boards import london
from tests.shipped_grounds import load_map

NETWORK = london().network
TILES = load_ground("yardboard").lay("FID EAc gHb")
JUNIOR = load_map("junior")
RED = (255, 40, 40)
CROWDED: dict[str, Any] = {
    "lamps": {number: (number % 12 * 20, 255 - number % 12, 80) for number in NETWORK.stations},
    "log_lamps": dict.fromkeys(range(1, 25), RED),
    "pawns": {"red": 26, "yellow": 29, "green": 197, "blue": 112, "purple": 141, "mr_x": 112},
    "routes": {"mr_x": random.Random(1).sample(sorted(NETWORK.stations), 25)},
    "surfacing": {3, 8, 13, 18},
    "caption": "Mister X has escaped",
}
RENDERINGS = pytest.mark.parametrize("draw", [svg, png])


def elements(document: str) -> dict[str, ET.Element]:
    """The named shapes of a picture; a name that stands twice is a mistake."""
    found = [element for element in ET.fromstring(document).iter() if "id" in element.attrib]  # noqa: S314
    twice = [name for name, count in Counter(element.attrib["id"] for element in found).items() if count > 1]
    assert twice == []
    return {element.attrib["id"]: element for element in found}


def names(document: str, kind: str) -> set[str]:
    return {name.removeprefix(f"{kind}-") for name in elements(document) if name.startswith(f"{kind}-")}


def spot(station: int) -> tuple[float, float]:
    shape = elements(svg(NETWORK))[f"station-{station}"]
    return float(shape.attrib["cx"]), float(shape.attrib["cy"])


def difference(one: Image.Image, other: Image.Image) -> tuple[int, int, int, int]:
    """The box around all that differs."""
    box = ImageChops.difference(one, other).getbbox()
    assert box is not None
    return box


def difference_or_none(one: Image.Image, other: Image.Image) -> object:
    return ImageChops.difference(one, other).getbbox()


def test_every_station_is_drawn_once_with_its_number() -> None:
    document = svg(NETWORK)
    numbers = {str(number) for number in NETWORK.stations}
    assert names(document, "station") == numbers
    shapes = elements(document)
    assert {shapes[f"number-{number}"].text for number in numbers} == numbers


def test_every_link_is_drawn_once() -> None:
    wanted = {f"{link.transport}-{link.a}-{link.b}" for link in NETWORK.links}
    assert len(wanted) == len(NETWORK.links)
    assert names(svg(NETWORK), "link") == wanted


def test_stations_stand_where_the_map_says() -> None:
    places = {number: spot(number) for number in (1, 94, 199)}
    for number, (x, y) in places.items():
        station, first = NETWORK.stations[number], NETWORK.stations[1]
        assert x - places[1][0] == pytest.approx((station.x - first.x) * (WIDTH - 44), abs=0.2)
        assert y - places[1][1] == pytest.approx((station.y - first.y) * (WIDTH - 44) / NETWORK.aspect, abs=0.2)


def test_no_two_plates_touch() -> None:
    shapes = elements(svg(NETWORK))
    plates = [shapes[f"station-{number}"].attrib for number in NETWORK.stations]
    spots = [(float(plate["cx"]), float(plate["cy"])) for plate in plates]
    closest = min(math.dist(one, other) for n, one in enumerate(spots) for other in spots[:n])
    assert closest > 2 * float(plates[0]["r"])


def test_every_line_ends_at_its_two_stations_and_passes_over_those_between() -> None:
    places = {number: (station.x * 1500, station.y * 1100) for number, station in NETWORK.stations.items()}
    for track in tracks(NETWORK, places, 5):
        link = track.link
        assert math.dist(track.points[0], places[link.a]) < 6
        assert math.dist(track.points[-1], places[link.b]) < 6
        for number in link.via:
            assert min(math.dist(point, places[number]) for point in track.points) < 14, (str(link), number)


def test_lines_of_different_transports_do_not_run_on_top_of_each_other() -> None:
    places = {number: (station.x * 1500, station.y * 1100) for number, station in NETWORK.stations.items()}
    middles: dict[tuple[int, int], str] = {}
    for track in tracks(NETWORK, places, 5):
        stops = (track.link.a, *track.link.via, track.link.b)
        for a, b in pairwise(stops):
            # Where the line crosses the middle between the two stations, to the pixel.
            middle = ((places[a][0] + places[b][0]) / 2, (places[a][1] + places[b][1]) / 2)
            fine = [point for dash in dashes(track.points, (0.5, 0.0001)) for point in dash]
            x, y = min(fine, key=lambda point: math.dist(point, middle))
            other = middles.setdefault((round(x), round(y)), track.link.transport)
            assert other == track.link.transport, str(track.link)


def test_lamps_pawns_log_and_surfacing_windows_are_drawn() -> None:
    document = svg(
        NETWORK, lamps={58: RED, 46: RED}, log_lamps={2: RED}, pawns={"red": 13, "mr_x": 46}, surfacing={3, 8}
    )
    assert names(document, "lamp") == {"58", "46"}
    assert names(document, "log-lamp") == {"2"}
    assert names(document, "pawn") == {"red", "mr_x"}
    assert names(document, "window") == {str(window) for window in range(1, 25)}
    shapes = elements(document)
    marked = shapes["window-3"].attrib["class"]
    assert {name for name, shape in shapes.items() if shape.attrib.get("class") == marked} == {"window-3", "window-8"}


def test_a_lit_station_takes_the_colour_of_its_lamp() -> None:
    document = svg(NETWORK, lamps={58: (18, 52, 86)})
    look = elements(document)["station-58"].attrib["class"]
    assert f".{look}{{fill:#123456;" in document


def test_a_lamp_lights_the_pixels_around_its_station_and_no_others() -> None:
    x, y = spot(58)
    left, top, right, bottom = difference(png(NETWORK), png(NETWORK, lamps={58: RED}))
    assert x - 60 < left < x < right < x + 60
    assert y - 60 < top < y < bottom < y + 60
    red, green, blue = png(NETWORK, lamps={58: RED}).getpixel((round(x), round(y) - 9))  # type: ignore[misc]
    assert red > 200
    assert max(green, blue) < 100


def test_a_pawn_stands_at_its_station_and_hides_no_number_on_the_whole_board() -> None:
    pawns = ("red", "yellow", "green", "blue", "purple", "mr_x")
    numbers = sorted(NETWORK.stations)
    for first in range(0, len(numbers), len(pawns)):
        stand = dict(zip(pawns, numbers[first:], strict=False))
        shapes = elements(svg(NETWORK, pawns=stand))
        plates = {number: shapes[f"station-{number}"].attrib for number in numbers}
        places = {number: (float(plate["cx"]), float(plate["cy"])) for number, plate in plates.items()}
        for pawn, station in stand.items():
            head = shapes[f"pawn-{pawn}"].attrib
            at = float(head["cx"]), float(head["cy"])
            assert math.dist(at, places[station]) < 50, station
            nearest = min(math.dist(at, place) for place in places.values())
            assert nearest > float(head["r"]) + 8, station  # a number is as wide as its plate, but not as high


def test_pawns_on_one_station_stand_side_by_side() -> None:
    shapes = elements(svg(NETWORK, pawns={"red": 58, "mr_x": 58}))
    red, mr_x = (float(shapes[f"pawn-{pawn}"].attrib["cx"]) for pawn in ("red", "mr_x"))
    assert abs(red - mr_x) >= 20


def test_the_route_is_drawn_as_numbered_arrows_one_for_each_way() -> None:
    document = svg(NETWORK, routes={"mr_x": [46, 58, 46, 58, 74]})
    assert names(document, "route") == {"46-58", "58-46", "58-74"}
    labels = re.findall(r">([\d, ]+)</text>", document)
    plain = re.findall(r">([\d, ]+)</text>", svg(NETWORK))
    assert Counter(labels) - Counter(plain) == Counter(["1, 3", "2", "4"])


def test_a_route_is_seen_in_the_pixels_too() -> None:
    start, end = spot(46), spot(74)
    left, top, right, bottom = difference(
        png(NETWORK, routes={"mr_x": [46]}), png(NETWORK, routes={"mr_x": [46, 58, 74]})
    )
    assert left < start[0]
    assert right > end[0]
    assert top < end[1]
    assert bottom > start[1]


@RENDERINGS
@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"lamps": {200: RED}}, "lamps: there is no station 200 on london"),
        ({"pawns": {"red": 0}}, "pawns: there is no station 0 on london"),
        ({"routes": {"mr_x": [1, 46, 777]}}, "routes: there is no station 777 on london"),
        ({"routes": {"red": [1, 46]}}, "routes: 'red' is unknown; known are mr_x, mr_x_junior"),
        ({"log": [LogEntry(25, "taxi", None)]}, "log: there is no window 25"),
        ({"pawns": {"orange": 1}}, "pawns: 'orange' is unknown; known are red, .*white, mr_x, mr_x_junior"),
        ({"log_lamps": {25: RED}}, "log_lamps: there is no window 25; they run from 1 to 24"),
        ({"log_lamps": {9: RED}, "windows": 8}, "log_lamps: there is no window 9; they run from 1 to 8"),
        ({"surfacing": [0]}, "surfacing: there is no window 0"),
        ({"windows": 25}, "windows: 25 is not from 0 to 24"),
        ({"windows": -1}, "windows: -1 is not from 0 to 24"),
        ({"log_lamps": {6: RED}, "tally": {"mr_x": (1, 5)}}, "log_lamps: there is no window 6; they run from 1 to 5"),
        ({"tally": {"mr_x": (3, 2)}}, "tally: mr_x: 3 of 2; write 0 to 24, and no more won than needed"),
        ({"lamps": {1: (0, 0, 256)}}, r"lamps: \(0, 0, 256\) is no colour"),
        ({"log_lamps": {1: (0, 0)}}, r"log_lamps: \(0, 0\) is no colour"),
    ],
)
def test_what_has_no_place_on_the_board_is_refused(
    draw: Callable[..., object], wrong: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(PictureError, match=complaint):
        draw(NETWORK, **wrong)


@pytest.mark.parametrize("width", [0, 199, 6401])
def test_a_width_out_of_bounds_is_refused(width: int) -> None:
    with pytest.raises(PictureError, match=f"width: {width} is not from 200 to 6400"):
        png(NETWORK, width=width)


@RENDERINGS
def test_two_stations_on_one_spot_are_refused(draw: Callable[..., object]) -> None:
    stations = {**NETWORK.stations, 2: Station(2, NETWORK.stations[1].x, NETWORK.stations[1].y)}
    crossed = Network("crossed", "", 1.0, (), stations, NETWORK.links)
    with pytest.raises(PictureError, match="stations 1 and 2 of crossed lie on one spot"):
        draw(crossed)


@pytest.mark.parametrize("caption", ["<b>&amp;</b>", "a\0b\x1b[0m\ud800", "]]>", "\"quoted\" 'text'", "✓ Ümläute 中"])
def test_captions_are_escaped(caption: str) -> None:
    document = svg(NETWORK, caption=caption)
    document.encode()
    shown = elements(document)["caption"].text
    assert shown == re.sub("[\0\x1b\ud800]", "\ufffd", caption)
    png(NETWORK, caption=caption, width=200)


@pytest.mark.parametrize("rules", edition_names())
def test_pixels_show_every_title_in_letters_that_their_font_has(rules: str) -> None:
    title = load_edition(rules).title
    assert drawable_text(title) == title.replace("–", "-")
    assert difference_or_none(png(TILES, caption=title), png(TILES, caption=title.replace("–", "-"))) is None


def test_pixels_show_a_letter_that_is_alike_for_one_that_their_font_has_not() -> None:
    assert drawable_text("Müller – 3 × “né” 中") == "Muller - 3 x “ne” ?"


def test_a_caption_that_is_too_long_is_cut() -> None:
    shown = elements(svg(NETWORK, caption="word " * 100))["caption"].text
    assert shown is not None
    assert len(shown) == 100
    assert shown.endswith("…")


def test_the_fullest_picture_is_small_enough_to_send() -> None:
    assert len(svg(NETWORK, **CROWDED).encode()) <= 200_000


def test_the_same_picture_is_the_same_text_and_the_same_pixels() -> None:
    assert svg(NETWORK, **CROWDED) == svg(NETWORK, **CROWDED)
    assert png(NETWORK, **CROWDED).tobytes() == png(NETWORK, **CROWDED).tobytes()


@pytest.mark.parametrize("width", [200, 801, 1600])
def test_an_image_has_the_width_asked_for_and_the_proportions_of_the_svg(width: int) -> None:
    image = png(NETWORK, width=width)
    _, _, wide, high = map(float, re.search('viewBox="([^"]+)"', svg(NETWORK))[1].split())  # type: ignore[index]
    assert image.mode == "RGB"
    assert image.width == width
    assert image.height == pytest.approx(width * high / wide, abs=1)
    assert high == pytest.approx((WIDTH - 44) / NETWORK.aspect + 44 + 148, abs=0.1)


def test_a_dashed_line_covers_dashes_and_leaves_gaps() -> None:
    assert dashes([(0, 0), (10, 0)], (4, 2)) == [[(0, 0), (4, 0)], [(6, 0), (10, 0)]]
    assert dashes([(0, 0), (3, 0), (3, 3)], (4, 1)) == [[(0, 0), (3, 0), (3, 1)], [(3, 2), (3, 3)]]


def test_the_log_shows_tickets_open_stations_and_double_moves() -> None:
    log = [
        LogEntry(1, "taxi", None), LogEntry(2, "black", 115, 1), LogEntry(3, "bus", None, 2), LogEntry(4, "free", 7, 1),
    ]  # fmt: skip
    document = svg(NETWORK, log=log)
    shapes = elements(document)
    assert [shapes[f"letter-ticket-{window}"].text for window in (1, 2, 3, 4)] == ["T", "?", "B", "·"]
    assert {name: shapes[f"open-{name}"].text for name in names(document, "open")} == {"2": "115", "4": "7"}
    assert names(document, "double") == {"2", "4"}
    both, half = (shapes[f"double-{window}"].attrib["points"].split() for window in (2, 4))
    wide = [float(points[-1].split(",")[0]) - float(points[0].split(",")[0]) for points in (both, half)]
    assert wide[0] > 1.5 * wide[1] > 0
    assert difference_or_none(png(NETWORK, log=log), png(NETWORK, log=log[:3])) is not None


# ---- the junior game ----


def test_ju_07_two_routes_lie_beside_each_other_and_can_be_told_apart() -> None:
    document = svg(JUNIOR, routes={"mr_x": [9, 8, 8, 5], "mr_x_junior": [9, 8, 8, 6]})
    assert names(document, "route") == {
        "9-8", "8-8", "8-5", "mr_x_junior-9-8", "mr_x_junior-8-8", "mr_x_junior-8-6",
    }  # fmt: skip
    shapes = elements(document)
    for way in ("9-8", "8-8"):
        one, other = (shapes[f"route-{name}{way}"].attrib for name in ("", "mr_x_junior-"))
        assert one["class"] != other["class"]
        middles = []
        for points in (one["points"].split(), other["points"].split()):
            x, y = points[len(points) // 2].split(",")
            middles.append((float(x), float(y)))
        assert math.dist(*middles) > 12


def test_ju_05_where_he_stays_the_route_makes_a_loop_beside_the_plate() -> None:
    document = svg(JUNIOR, routes={"mr_x": [9, 8, 8, 5, 5, 8, 8]})
    assert names(document, "route") == {"9-8", "8-8", "8-5", "5-5", "5-8"}
    shapes = elements(document)
    plate = shapes["station-8"].attrib
    x, y, radius = (float(plate[name]) for name in ("cx", "cy", "r"))
    points = [tuple(map(float, point.split(","))) for point in shapes["route-8-8"].attrib["points"].split()]
    away = [math.dist(point, (x, y)) for point in points]
    assert away[0] < 1.6 * radius > away[-1]
    assert max(away) > 2 * radius
    for link in JUNIOR.around(8):  # in none of the directions that lines take
        there = shapes[f"station-{link}"].attrib
        towards = math.atan2(float(there["cy"]) - y, float(there["cx"]) - x)
        outermost = max(points, key=lambda point: math.dist(point, (x, y)))
        assert abs(math.remainder(math.atan2(outermost[1] - y, outermost[0] - x) - towards, math.tau)) > 0.35
    assert Counter(re.findall(r">([\d, ]+)</text>", document))["2, 6"] == 1


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
    assert look(svg(NETWORK, pawns={"mr_x": 8}), "mr_x") != look(document, "mr_x")
    assert document.count(">X</text>") == 2


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
    tiles = load_ground("yardboard").lay(layout)
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
    assert ">one way</text>" not in svg(load_ground("yardboard").lay("ABC DEF GHI"), windows=13)


def spot_on(document: str, station: int) -> tuple[float, float]:
    shape = elements(document)[f"station-{station}"]
    return float(shape.attrib["cx"]), float(shape.attrib["cy"])


def test_di_02_six_tiles_leave_no_empty_third_below_them() -> None:
    few, every = (load_ground("yardboard").lay(layout) for layout in ("IGb hEF", "ABC DEF GHI"))
    high = [float(re.search('viewBox="([^"]+)"', svg(tiles))[1].split()[3]) for tiles in (few, every)]  # type: ignore[index]
    assert high[1] - high[0] == pytest.approx((WIDTH - 44) / 3, abs=0.2)


def test_di_21_a_flight_passes_beside_the_places_it_flies_over() -> None:
    row = TILES.rows[2]
    document = svg(TILES, windows=13, routes={"mr_x": [row[0], row[-1]]})
    points = elements(document)[f"route-{row[0]}-{row[-1]}"].attrib["points"].split()
    way = [tuple(map(float, point.split(","))) for point in points]
    for place in row[1:-1]:
        assert min(math.dist(spot_on(document, place), point) for point in way) > 40
