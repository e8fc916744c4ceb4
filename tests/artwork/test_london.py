"""The artwork of London: made of its map alone, small, the same each time, and with every station on it."""

from __future__ import annotations

import gzip
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from shapely import LineString

from artwork import build
from artwork.lettering import FIGURE, TALL
from artwork.lines_and_stations import FIGURES, PLATES
from firmware_host.rules.network import Network
from firmware_host.ui.drawing.board_map import BoardMap
from firmware_host.ui.drawing.paper import artwork_name, places_on_paper, tiles_artwork_name
from firmware_host.web.feeds.board_outline import bends
from tests.shipped_grounds import load_map, load_tiles

SVG = "{http://www.w3.org/2000/svg}"
MAPS = ("london", "london-us")
MOST = 140_000
"""Bytes that a map may have, compressed."""


@pytest.fixture(scope="module")
def made() -> Path:
    """The folder in which the artwork of this checkout lies."""
    build.make()
    return build.OUT


def drawing(made: Path, network: Network) -> str:
    return (made / artwork_name(network)).read_text(encoding="utf-8")


@pytest.mark.long
def test_artwork_is_the_same_each_time_and_made_only_of_sources_that_differ(made: Path, tmp_path: Path) -> None:
    (tmp_path / "london-of-old.svg").write_text("old")
    (tmp_path / artwork_name(load_map("london"))).write_text("<!-- made from something else -->\n")
    again = build.make(tmp_path)
    maps = [artwork_name(load_map(name)) for name in (*MAPS, "junior")]
    tiles = tiles_artwork_name(load_tiles().digest)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*maps, tiles])
    assert all(path.read_bytes() == (made / path.name).read_bytes() for path in again)
    before = [path.stat().st_mtime_ns for path in again]
    assert build.make(tmp_path) == again
    assert [path.stat().st_mtime_ns for path in again] == before


@pytest.mark.parametrize("name", [*MAPS, "junior"])
def test_a_map_is_small_and_draws_nothing_from_elsewhere(made: Path, name: str) -> None:
    text = drawing(made, load_map(name))
    assert len(gzip.compress(text.encode())) <= MOST
    assert set(re.findall(r'href="(.)', text)) == {"#"}
    assert not re.search(r"url\(|<script|<image|<text|@import", text)
    ids = re.findall(r'\bid="([\w-]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([\w-]+)"', text)) <= set(ids)


@pytest.mark.parametrize("name", MAPS)
def test_every_station_has_its_disc_and_its_number(made: Path, name: str) -> None:
    network = load_map(name)
    root = ET.fromstring(drawing(made, network))  # noqa: S314 - our own
    numbers = next(group for group in root.iter(f"{SVG}g") if group.get("class") == "numbers")
    written = {}
    for group in numbers.findall(f"{SVG}g"):
        number = int("".join(chr(int(use.get("href", "")[2:])) for use in group))
        x, y = re.findall(r"[\d.]+", group.get("transform", ""))[:2]
        written[number] = float(x), float(y)
    places = places_on_paper(network)
    assert written.keys() == places.keys()
    for number, (x, y) in places.items():
        assert abs(written[number][0] - x) + abs(written[number][1] - y) < 6, number
    discs = next(group for group in root.iter(f"{SVG}g") if group.get("class") == "discs")
    assert len(discs) == len(places)


@pytest.mark.parametrize("name", MAPS)
def test_the_plates_of_no_two_numbers_overlap(made: Path, name: str) -> None:
    root = ET.fromstring(drawing(made, load_map(name)))  # noqa: S314 - our own
    numbers = next(group for group in root.iter(f"{SVG}g") if group.get("class") == "numbers")
    plates = [
        [float(one.get(key, "")) for key in ("x", "y", "width", "height")]
        for one in numbers.findall(f"{SVG}rect")
        if one.get("class") == "np"
    ]
    for n, (x, y, wide, high) in enumerate(plates):
        for left, top, w, h in plates[:n]:
            assert x >= left + w or left >= x + wide or y >= top + h or top >= y + high


@pytest.mark.parametrize("name", MAPS)
def test_pawns_glide_along_the_drawn_lines(name: str) -> None:
    board = BoardMap(load_map(name))
    for track, values in zip(board.tracks(), bends(board), strict=True):
        glided = [track.points[0], *zip(values[::2], values[1::2], strict=True), track.points[-1]]
        assert LineString(glided).hausdorff_distance(LineString(track.points)) < 1.3, track.link


def test_numbers_fit_their_plates() -> None:
    for figures, wide in PLATES.items():
        assert (FIGURE * (figures - 1) + 6.2 + 1.75) * FIGURES / TALL < wide


def test_a_map_that_was_changed_has_no_artwork_of_another() -> None:
    london = load_map("london")
    fewer = london.changed(remove=[london.links[0]])
    assert len({artwork_name(one) for one in (london, load_map("london-us"), fewer)}) == 3
