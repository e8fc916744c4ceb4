"""The board's picture, as drawing and as pixels: every station, line, lamp and pawn in its place."""

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
from firmware_host.ui.drawing.board_map import BoardMap, PictureError
from firmware_host.ui.drawing.board_picture import png, svg
from firmware_host.ui.drawing.canvas import dashes, drawable_text
from firmware_host.ui.drawing.line_routing import tracks
from firmware_host.ui.drawing.paper import WIDTH
from firmware_host.ui.drawing.route_lines import legs_of, rounds_of
from tests.rules.boards import london
from tests.shipped_grounds import load_map

NETWORK = london().network
TILES = load_ground("yardboard").lay_tiles("FID EAc gHb")
JUNIOR = load_map("junior")
RED = (255, 40, 40)
DETECTIVE = 33.0
"""How high a detective's pawn is, in units."""

RENDERINGS = pytest.mark.parametrize("draw", [svg, png])


def elements(document: str) -> dict[str, ET.Element]:
    """The named shapes of a picture; a name that stands twice is a mistake."""
    found = [element for element in ET.fromstring(document).iter() if "id" in element.attrib]  # noqa: S314
    twice = [name for name, count in Counter(element.attrib["id"] for element in found).items() if count > 1]
    assert twice == []
    return {element.attrib["id"]: element for element in found}


def points(line: ET.Element) -> list[str]:
    """The points of a line, from its end of the lower x."""
    found = line.attrib["points"].split()
    return min((found, found[::-1]), key=lambda one: float(one[0].split(",")[0]))


def corners(shape: ET.Element) -> list[tuple[float, float]]:
    """The corners of a polygon."""
    points = (point.split(",") for point in shape.attrib["points"].split())
    return [(float(x), float(y)) for x, y in points]


def head(pawn: ET.Element) -> tuple[tuple[float, float], float]:
    """The middle of a pawn's head, and how far it reaches from there: of Mister X his hat."""
    if "cx" in pawn.attrib:
        return (float(pawn.attrib["cx"]), float(pawn.attrib["cy"])), float(pawn.attrib["r"])
    hat = sorted(corners(pawn), key=lambda corner: corner[1])[:16]
    (left, right), (top, low) = ((min(values), max(values)) for values in zip(*hat, strict=True))
    return ((left + right) / 2, (top + low) / 2), max(right - left, low - top) / 2


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
            (x, y), radius = head(shapes[f"pawn-{pawn}"])
            assert math.dist((x, y), places[station]) < (70 if pawn == "mr_x" else 50), station
            nearest = min(math.dist((x, y), place) for place in places.values())
            assert nearest > radius + 8, station  # a number is as wide as its plate, but not as high


@pytest.mark.parametrize("network", [NETWORK, TILES, JUNIOR], ids=["london", "tiles", "junior"])
def test_mister_xs_pawn_is_half_as_large_again_and_black_in_a_white_outline(network: Network) -> None:
    document = svg(network, pawns={"white": 4, "mr_x": 2})
    drawn = document[: document.index("<polyline", document.index('id="pawn-mr_x"'))]
    outline, coat = re.findall(r'<polygon[^>]*class="(\w+)"', drawn)[-2:]
    looks = dict(re.findall(r"\.(\w+)\{([^}]*)\}", document))
    assert looks[coat] == "fill:#15121d"
    assert looks[outline].startswith("fill:#ffffff;stroke:#ffffff")
    shapes = elements(document)
    ys = [y for _, y in corners(shapes["pawn-mr_x"])]
    assert (max(ys) - min(ys)) / DETECTIVE == pytest.approx(1.5, rel=0.08)


def test_mister_x_never_leans_so_far_that_he_seems_to_fall() -> None:
    for station in range(1, 200, 6):
        coat = corners(elements(svg(NETWORK, pawns={"red": station, "blue": station, "mr_x": station}))["pawn-mr_x"])
        (x1, y1), (x2, y2) = coat[0], coat[16]  # the middle of his foot and of his hat
        assert abs(math.degrees(math.atan2(x2 - x1, y1 - y2))) <= 12.5, station


def test_pawns_on_one_station_stand_side_by_side() -> None:
    shapes = elements(svg(NETWORK, pawns={"red": 58, "mr_x": 58}))
    (red, _), radius = head(shapes["pawn-red"])
    coat = [x for x, _ in corners(shapes["pawn-mr_x"])]
    assert red + radius <= min(coat) or red - radius >= max(coat)


def badges(document: str) -> list[str]:
    """The rounds on each badge of a route; what else is written with commas or so small is none."""
    return re.findall(r'<text class="(?:l\d+)" x="[^"]+" y="[^"]+">([\d, ]+)</text>', document)


def test_the_route_is_a_bold_line_along_the_maps_lines_with_the_rounds_of_each_way() -> None:
    document = svg(NETWORK, routes={"mr_x": [46, 58, 46, 58, 74]})
    assert names(document, "route") == {"46-58", "58-74"}
    plain = Counter(badges(svg(NETWORK)))
    stations = Counter(["46", "58", "74"])
    assert Counter(badges(document)) - plain - stations == Counter(["1, 2, 3", "4"])
    shapes = elements(document)
    assert points(shapes["route-46-58"])[1:-1] == points(shapes["link-bus-46-58"])[1:-1]


def box(element: ET.Element, looks: dict[str, str]) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a shape, with half of its edge."""
    edge = float((re.findall(r"stroke-width:([\d.]+)", looks[element.attrib["class"]]) or ["0"])[0]) / 2
    if "cx" in element.attrib:
        x, y, radius = (float(element.attrib[name]) for name in ("cx", "cy", "r"))
        return x - radius - edge, y - radius - edge, x + radius + edge, y + radius + edge
    xs, ys = zip(*corners(element), strict=True)
    return min(xs) - edge, min(ys) - edge, max(xs) + edge, max(ys) + edge


@pytest.mark.parametrize("network", [NETWORK, TILES, JUNIOR], ids=["london", "tiles", "junior"])
def test_no_badge_of_a_route_is_under_a_pawn_or_its_ring(network: Network) -> None:
    shown = 0
    for seed in range(12):
        rng = random.Random(seed)
        route = [rng.choice(sorted(network.stations))]
        for _ in range(10):
            route.append(rng.choice(sorted(network.around(route[-1]))))
        near = [*route[-6:-1], *rng.sample(sorted(network.stations), 5)]
        pawns = dict(zip(("red", "yellow", "green", "blue", "purple"), near, strict=False)) | {"mr_x": route[-1]}
        log = [LogEntry(n, "taxi", None) for n in range(1, len(route))]
        document = svg(network, pawns=pawns, routes={"mr_x": route}, log=log)
        looks = dict(re.findall(r"\.(\w+)\{([^}]*)\}", document))
        drawn = list(ET.fromstring(document).iter())  # noqa: S314
        plates = [n for n, one in enumerate(drawn) if one.attrib.get("id", "").startswith("badge-")]
        shown += len(plates)
        above = [one for one in drawn[plates[-1] :] if one.tag.endswith(("circle", "polygon"))]
        for number in plates:
            left, top, right, bottom = box(drawn[number], looks)
            hidden = [
                one.attrib
                for one in above
                if "stroke:" in looks[one.attrib["class"]]
                for x1, y1, x2, y2 in [box(one, looks)]
                if x1 < right - 0.2 and x2 > left + 0.2 and y1 < bottom - 0.2 and y2 > top + 0.2
            ]
            assert hidden == [], (seed, drawn[number].attrib["id"])
    assert shown > 40


def test_cl_13_both_halves_of_a_double_move_bear_one_round_and_their_tickets() -> None:
    log = [
        LogEntry(1, "taxi", None), LogEntry(2, "bus", None, 1),
        LogEntry(3, "black", None, 2), LogEntry(4, "taxi", None),
    ]  # fmt: skip
    assert rounds_of(log) == [1, 2, 2, 3]
    legs = legs_of(BoardMap(NETWORK), {"mr_x": [45, 46, 58, 74, 92]}, log)
    assert [(leg.ends, leg.ticket, leg.rounds) for leg in legs] == [
        ((45, 46), "taxi", (1,)), ((46, 58), "bus", (2,)), ((58, 74), "black", (2,)), ((74, 92), "taxi", (3,)),
    ]  # fmt: skip


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"lamps": {200: RED}}, "lamps: there is no station 200 on london"),
    ({"pawns": {"red": 0}}, "pawns: there is no station 0 on london"),
    ({"routes": {"mr_x": [1, 46, 777]}}, "routes: there is no station 777 on london"),
    ({"routes": {"red": [1, 46]}}, "routes: 'red' is unknown; known are mr_x, mr_x_junior"),
    ({"log": [LogEntry(25, "taxi", None)]}, "log: there is no window 25"),
    ({"pawns": {"orange": 1}}, "pawns: 'orange' is unknown; known are red, .*white, mr_x, mr_x_junior"),
    ({"log_lamps": {25: RED}}, "log_lamps: there is no window 25; they run from 1 to 24"),
    ({"surfacing": [0]}, "surfacing: there is no window 0"),
    ({"windows": 25}, "windows: 25 is not from 0 to 24"),
    ({"log_lamps": {6: RED}, "tally": {"mr_x": (1, 5)}}, "log_lamps: there is no window 6; they run from 1 to 5"),
    ({"tally": {"mr_x": (3, 2)}}, "tally: mr_x: 3 of 2; write 0 to 24, and no more won than needed"),
    ({"lamps": {1: (0, 0, 256)}}, r"lamps: \(0, 0, 256\) is no colour"),
]


@RENDERINGS
def test_what_has_no_place_on_the_board_is_refused(draw: Callable[..., object]) -> None:
    for wrong, complaint in REFUSED:
        with pytest.raises(PictureError, match=complaint):
            draw(NETWORK, **wrong)


@RENDERINGS
def test_two_stations_on_one_spot_are_refused(draw: Callable[..., object]) -> None:
    stations = {**NETWORK.stations, 2: Station(2, NETWORK.stations[1].x, NETWORK.stations[1].y)}
    crossed = Network("crossed", "", 1.0, (), stations, NETWORK.links)
    with pytest.raises(PictureError, match="stations 1 and 2 of crossed are at the same place; change"):
        draw(crossed)


def test_captions_are_escaped() -> None:
    for caption in ("<b>&amp;</b>", "a\0b\x1b[0m\ud800", "]]>", "\"quoted\" 'text'", "✓ Ümläute 中"):
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


@pytest.mark.parametrize("width", [200, 801, 1600])
def test_an_image_has_the_width_asked_for_and_the_proportions_of_the_svg(width: int) -> None:
    image = png(NETWORK, width=width)
    _, _, wide, high = map(float, re.search('viewBox="([^"]+)"', svg(NETWORK))[1].split())  # type: ignore[index]
    assert image.mode == "RGB"
    assert image.width == width
    assert image.height == pytest.approx(width * high / wide, abs=1)
    assert high == pytest.approx((WIDTH - 44) / NETWORK.aspect + 44 + 148, abs=0.1)


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
