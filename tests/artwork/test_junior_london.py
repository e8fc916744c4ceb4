"""The picture map of the junior game: something to know at each station, small, and with every number on it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
import shapely

from artwork import build
from artwork.junior_london import PICTURES
from artwork.lines_and_stations import FIGURES
from artwork.picture_map import STATIONS
from artwork.picture_paths import lay_paths
from firmware_host.rules.network import Network
from firmware_host.ui.drawing.board_map import BoardMap
from firmware_host.ui.drawing.line_routing import flow
from firmware_host.ui.drawing.paper import artwork_name, places_on_paper, spot
from firmware_host.web.feeds.board_outline import bends
from tests.shipped_grounds import load_map

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def network() -> Network:
    return load_map("junior")


@pytest.fixture(scope="module")
def text(network: Network) -> str:
    build.make()
    return (build.OUT / artwork_name(network)).read_text(encoding="utf-8")


def test_every_station_has_a_picture_of_its_own(network: Network) -> None:
    assert PICTURES.keys() == network.stations.keys()
    names = [make().name for make, _, _ in PICTURES.values()]
    assert len(set(names)) == len(names)


def test_every_number_lies_on_its_station_and_is_large(network: Network, text: str) -> None:
    root = ET.fromstring(text)  # noqa: S314 - our own
    numbers = next(group for group in root.iter(f"{SVG}g") if group.get("class") == "numbers")
    written = {}
    for group in numbers.findall(f"{SVG}g"):
        number = int("".join(chr(int(use.get("href", "")[2:])) for use in group))
        x, y = (float(part) * STATIONS for part in re.findall(r"[\d.]+", group.get("transform", ""))[:2])
        written[number] = x, y
    places = places_on_paper(network)
    assert written.keys() == places.keys()
    assert all(abs(written[n][0] - x) + abs(written[n][1] - y) < 1 for n, (x, y) in places.items())
    assert FIGURES * STATIONS > 24


def test_paths_meet_only_in_stations_and_pass_no_other(network: Network) -> None:
    places = places_on_paper(network)
    river = flow([spot(x, y, network.aspect) for x, y in network.river], 60)
    ways = [way for way in lay_paths(network, places, river) if way.link.transport != "boat"]
    for n, way in enumerate(ways):
        ends = shapely.MultiPoint([places[way.link.a], places[way.link.b]]).buffer(60)
        rest = way.course.difference(ends)
        assert not any(rest.intersects(other.course) for other in ways[:n]), way.link
        strangers = [at for number, at in places.items() if number not in (way.link.a, way.link.b)]
        assert rest.distance(shapely.MultiPoint(strangers)) > 60, way.link


@pytest.mark.usefixtures("text")
def test_what_glides_on_the_map_is_told_where_its_ways_run_from_the_lower_station_to_the_higher(
    network: Network,
) -> None:
    places = places_on_paper(network)
    river = flow([spot(x, y, network.aspect) for x, y in network.river], 60)
    drawn = {way.link: way.course for way in lay_paths(network, places, river)}
    for link, values in zip(network.links, bends(BoardMap(network)), strict=True):
        points = list(zip(values[::2], values[1::2], strict=True))
        assert shapely.LineString(points).hausdorff_distance(drawn[link]) < 100, link
        assert all(drawn[link].distance(shapely.Point(at)) <= 1 for at in points), link
        start = shapely.Point(places[link.a])
        assert start.distance(shapely.Point(points[0])) < start.distance(shapely.Point(points[-1])), link
