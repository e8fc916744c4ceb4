"""The illustrated tiles of the dice game: streets that meet, every number on its place, every line, small."""

from __future__ import annotations

import gzip
import re
import xml.etree.ElementTree as ET

import pytest
import shapely

from artwork import build
from artwork.lines_and_stations import FIGURES
from artwork.tile_pictures import LANDMARKS, SIZE, draw_tile_sheet, streets
from firmware_host.ui.drawing.board_map import BoardMap
from firmware_host.ui.drawing.paper import TILE_SCALE, tiles_artwork_name
from firmware_host.ui.games.tile_board import one_way
from tests.shipped_grounds import load_tiles

SVG = "{http://www.w3.org/2000/svg}"
LAYOUTS = ("ABC DEF GHI", "aBc DeF gHi", "ihg fed cba", "AcE bdF")
EDGES = {
    "top": ((0, 0), (SIZE, 0)), "bottom": ((0, SIZE), (SIZE, SIZE)),
    "left": ((0, 0), (0, SIZE)), "right": ((SIZE, 0), (SIZE, SIZE)),
}  # fmt: skip


@pytest.fixture(scope="module")
def sheet() -> str:
    build.make()
    return (build.OUT / tiles_artwork_name(load_tiles().digest)).read_text(encoding="utf-8")


def lay(sheet: str, layout: str) -> tuple[BoardMap, str]:
    board = BoardMap(load_tiles().lay_tiles(layout))
    return board, board.style.lay_artwork(sheet, board.network, board.places, board.height)


def test_every_tile_has_a_landmark_of_its_own() -> None:
    assert LANDMARKS.keys() == load_tiles().tiles.keys()
    assert len({make().name for make in LANDMARKS.values()}) == len(LANDMARKS)


def test_the_same_tiles_give_the_same_bytes(sheet: str) -> None:
    assert sheet.partition("\n")[2] == draw_tile_sheet(load_tiles())


def test_streets_meet_at_every_edge_however_tiles_are_laid() -> None:
    spans = set()
    for tile in load_tiles().tiles.values():
        for side in (tile.dark, tile.light):
            surface = streets(side)
            for edge, ends in EDGES.items():
                crossed = shapely.LineString(ends).intersection(surface)
                parts = [part for part in shapely.get_parts(crossed) if part.length > 0]
                assert len(parts) == sum(street is not None for street in side.exits[edge]), (tile, edge)
                axis = 0 if edge in ("top", "bottom") else 1
                spans |= {tuple(sorted(round(point[axis], 1) for point in part.coords)) for part in parts}
    assert len(spans) == 2, spans  # the same two stretches of every edge


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_number_lies_on_its_place_and_is_large(sheet: str, layout: str) -> None:
    board, document = lay(sheet, layout)
    root = ET.fromstring(document)  # noqa: S314 - our own
    stops = {group.get("id"): group for group in root.iter(f"{SVG}g") if (group.get("id") or "").startswith("stops-")}
    written = {}
    for use in root.iter(f"{SVG}use"):
        name = (use.get("href") or "#")[1:]
        if name not in stops:
            continue
        left, top, scale = map(float, re.findall(r"[\d.]+", use.get("transform", "")))
        numbers = next(group for group in stops[name] if group.get("class") == "numbers")
        for group in numbers.findall(f"{SVG}g"):
            number = int("".join(chr(int(figure.get("href", "")[2:])) for figure in group))
            x, y = (float(part) for part in re.findall(r"[\d.]+", group.get("transform", ""))[:2])
            written[number] = left + x * scale, top + y * scale
    assert written.keys() == board.places.keys()
    assert all(abs(written[n][0] - x) + abs(written[n][1] - y) < 1 for n, (x, y) in board.places.items())
    assert FIGURES * TILE_SCALE > 24


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_ride_of_taxis_and_buses_is_a_line_and_every_one_way_street_has_arrows(sheet: str, layout: str) -> None:
    board, document = lay(sheet, layout)
    tiling = load_tiles().lay_tiles(layout)
    for layer, transport in (("t", "taxi"), ("b", "bus")):
        drawn = re.search(rf'<path class="{layer}" d="([^"]*)"', document)
        assert drawn is not None
        assert drawn[1].count("M") == sum(link.transport == transport for link in tiling.links)
    assert document.count('class="arrow ') == len(one_way(tiling, board.tracks()))
    assert ('class="arrow ' in document) is bool(tiling.barred)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_board_is_small_and_draws_nothing_from_elsewhere(sheet: str, layout: str) -> None:
    document = lay(sheet, layout)[1]
    assert len(gzip.compress(document.encode())) <= 300_000
    assert set(re.findall(r'href="(.)', document)) == {"#"}
    assert not re.search(r"url\(|<script|<image|<text|@import", document)
    ids = re.findall(r'\bid="([\w-]+)"', document)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([\w-]+)"', document)) <= set(ids)
    grounds = {name.removeprefix("ground-") for name in ids if name.startswith("ground-")}
    assert grounds == set(layout.replace(" ", ""))  # no tile that does not lie there
