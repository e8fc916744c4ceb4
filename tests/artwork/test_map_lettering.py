"""What is written on a map can be read: no line crosses it, no station, ring, landmark or other text covers it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, combinations

import pytest
import shapely
from shapely import affinity
from shapely.geometry.base import BaseGeometry

from artwork import build, junior_london, london, tile_pictures
from artwork.lettering import FIGURE, TALL, width
from artwork.lines_and_stations import LANE, RING
from artwork.picture_paths import HALF, lay_paths
from artwork.shared_colours import LOOKS, read_tokens
from artwork.svg_document import CITY_STYLE, STATIONS_STYLE
from firmware_host.ui.drawing.board_map import BoardMap
from firmware_host.ui.drawing.line_routing import flow, tracks
from firmware_host.ui.drawing.paper import WIDTH, spot
from firmware_host.ui.games import tile_board
from tests.colour_vision import contrast
from tests.shipped_grounds import load_map, load_tiles
from tests.web.palettes import STATIC

SVG = "{http://www.w3.org/2000/svg}"
GLYPHS = {f"#c{n}": chr(n) for n in range(32, 127)}
HALF_LINE = 3.5
"""Half the width of the widest line with its casing, on London's map in units."""
STROKE = 0.9
"""Half the width of a letter's stroke, in units of the glyphs."""
PAWN_RING = 3.5
"""Width of the ring around a station with a pawn, in units."""

LAPTOP = 1105 / WIDTH
"""Pixels that a unit of a map has in a window of 1440 by 900."""
CAPITAL = 0.7
"""How tall a capital of the pages' type is, in sizes of it."""

LAID = ("ABC DEF GHI", "aBc DeF gHi", "ihg fed cba")
MAPS = ("london", "london-us", "junior", *LAID)

Matrix = tuple[float, float, float, float, float, float]
Walked = tuple[ET.Element, Matrix, frozenset[str]]
"""A group that is drawn, its transform, and the classes of the groups that hold it."""


@dataclass(frozen=True)
class Written:
    """A text as it is drawn: its letters, the classes of the groups that hold it, and what it covers."""

    text: str
    classes: frozenset[str]
    shape: BaseGeometry


@dataclass(frozen=True)
class DrawnMap:
    """What lies on a map, in units: its lines, the rings around its stations, its texts and its landmarks."""

    lines: tuple[BaseGeometry, ...]
    rings: Mapping[int, BaseGeometry]
    texts: tuple[Written, ...]
    landmarks: Mapping[str, BaseGeometry]

    @property
    def names(self) -> list[Written]:
        """All that is written but the numbers of stations."""
        return [one for one in self.texts if "numbers" not in one.classes]


@pytest.fixture(scope="module", params=MAPS)
def drawn(request: pytest.FixtureRequest) -> DrawnMap:
    """A map that is shipped, or tiles as they may lie."""
    build.make()
    name: str = request.param
    board = BoardMap(load_tiles().lay_tiles(name) if name in LAID else load_map(name))
    file = (build.OUT / board.style.artwork(board.network)).read_text(encoding="utf-8")
    root = ET.fromstring(board.style.lay_artwork(file, board.network, board.places, board.height))  # noqa: S314 - our own
    far = _rings_of_pawns() * board.radius + PAWN_RING / 2
    rings = {number: shapely.Point(at).buffer(far) for number, at in board.places.items()}
    return DrawnMap(tuple(_lines(board, name)), rings, tuple(_texts(root)), dict(_landmarks(root, name)))


def test_no_line_crosses_a_name(drawn: DrawnMap) -> None:
    lines = shapely.union_all(drawn.lines)
    assert [name.text for name in drawn.names if name.shape.intersects(lines)] == []


def test_no_station_and_no_ring_around_one_covers_a_name(drawn: DrawnMap) -> None:
    found = [(name.text, n) for name in drawn.names for n, ring in drawn.rings.items() if name.shape.intersects(ring)]
    assert found == []


def test_no_two_texts_overlap(drawn: DrawnMap) -> None:
    found = [(a.text, b.text) for a, b in combinations(drawn.texts, 2) if a.shape.intersects(b.shape)]
    assert found == []


def test_no_landmark_is_crossed_or_covered_and_none_covers_a_name(drawn: DrawnMap) -> None:
    others = shapely.union_all([*drawn.lines, *drawn.rings.values(), *(name.shape for name in drawn.names)])
    assert drawn.landmarks
    assert [mark for mark, shape in drawn.landmarks.items() if shape.intersects(others)] == []
    assert [pair for pair in combinations(drawn.landmarks, 2) if _overlap(*(drawn.landmarks[n] for n in pair))] == []


@pytest.mark.parametrize("name", ["london", "london-us"])
def test_every_name_of_a_map_is_written_once_with_a_halo_below_it(name: str) -> None:
    build.make()
    board = BoardMap(load_map(name))
    root = ET.fromstring((build.OUT / board.style.artwork(board.network)).read_text(encoding="utf-8"))  # noqa: S314
    written = list(_texts(root, halos=True))
    names = [one.text for one in written if "names" in one.classes and "halo" not in one.classes]
    rows = chain.from_iterable(text.split("\n") for text, _ in (*london.NAMES, *london.PARK_NAMES))
    assert sorted(names) == sorted([*rows, *london.RIVER_NAME[0]])
    places = {kind: _spots(written, kind) for kind in ("halo", "")}
    assert places["halo"] == places[""]


@pytest.mark.parametrize("name", ["london", "london-us"])
def test_every_name_is_as_tall_as_text_of_12_pixels_in_a_window_of_1440(name: str) -> None:
    build.make()
    board = BoardMap(load_map(name))
    root = ET.fromstring((build.OUT / board.style.artwork(board.network)).read_text(encoding="utf-8"))  # noqa: S314
    stroke = re.search(r"\.names\{[^}]*stroke-width:([\d.]+)", CITY_STYLE)
    assert stroke is not None
    upright = [one for one in _texts(root) if "names" in one.classes and "water" not in one.classes]
    tall = {one.text: ink_height(one, float(stroke[1])) for one in upright}
    assert len(tall) > 30
    assert {text: high for text, high in tall.items() if high * LAPTOP < CAPITAL * 12} == {}


@pytest.mark.parametrize("look", LOOKS)
def test_a_halo_has_the_colour_of_the_ground_and_names_can_be_read_on_it(look: str) -> None:
    tokens = read_tokens()[look]
    for kind, ground, name in (
        (r"\.names\.halo", "pavement", "name"),
        (r"\.halo \.green", "park", "name-park"),
        (r"\.halo \.water", "water-deep", "name-water"),
    ):
        assert re.search(rf"{kind}\{{stroke:var\(--{ground}\)", CITY_STYLE), kind
        assert contrast(tokens[name], tokens[ground]) > 4.5, name


def test_artwork_leaves_room_for_the_rings_that_pages_draw_around_stations() -> None:
    assert _rings_of_pawns() * BoardMap(load_map("london")).radius + PAWN_RING / 2 <= RING


def _rings_of_pawns() -> float:
    """The radius of a pawn's ring on artwork, in radii of a board, as pages draw it."""
    found = re.search(r"const RING = ([\d.]+)", (STATIC / "board" / "pawns.js").read_text(encoding="utf-8"))
    assert found is not None
    return float(found[1])


def _lines(board: BoardMap, name: str) -> Iterator[BaseGeometry]:
    network, places = board.network, board.places
    if name == "junior":
        river = flow([spot(x, y, network.aspect) for x, y in network.river], 60)
        yield from (way.course.buffer(HALF + 5) for way in lay_paths(network, places, river))
        return
    laid = name in LAID
    gap, half = (tile_board._LANE, HALF_LINE * tile_board.TILE_SCALE) if laid else (LANE, HALF_LINE)
    drawn = [track for track in tracks(network, places, gap) if not (laid and track.link.transport == "underground")]
    yield from (shapely.LineString(track.points).buffer(half) for track in drawn)


def _landmarks(root: ET.Element, name: str) -> Iterator[tuple[str, BaseGeometry]]:
    makers: list[Callable[..., object]] = (
        [make for make, _, _ in junior_london.PICTURES.values()] if name == "junior"
        else list(tile_pictures.LANDMARKS.values()) if name in LAID
        else [make for make, _, _ in london.LANDMARKS]
    )  # fmt: skip
    known = {}
    for make in makers:
        mark = make()
        whole = ET.fromstring(f'<g xmlns="http://www.w3.org/2000/svg">{mark.drawing}</g>')  # type: ignore[attr-defined]  # noqa: S314
        known[_signature(whole)] = mark
    for group, matrix, classes in _walk(root):
        mark = known.get(_signature(group)) if "mark" in classes else None
        if mark is not None:
            boxes = [shapely.box(*box) for box in mark.boxes]  # type: ignore[attr-defined]
            yield mark.name, affinity.affine_transform(shapely.union_all(boxes), matrix)  # type: ignore[attr-defined]


def _signature(group: ET.Element) -> tuple[tuple[str, ...], ...]:
    """What a drawing consists of, wherever it stands."""
    return tuple((one.tag, *(f"{key}={value}" for key, value in sorted(one.attrib.items()))) for one in group)


def _texts(root: ET.Element, *, halos: bool = False) -> Iterator[Written]:
    for group, matrix, classes in _walk(root):
        letters = [GLYPHS.get(one.get("href", "")) for one in group if one.tag == f"{SVG}use"]
        if not letters or None in letters or ("halo" in classes and not halos):
            continue
        text = "".join(letter for letter in letters if letter)
        left = min(float(one.get("x", "0")) for one in group)
        right = max(float(one.get("x", "0")) + _wide(letter or "") for one, letter in zip(group, letters, strict=True))
        shape = shapely.box(left - STROKE, -TALL / 2 - STROKE, right + STROKE, TALL / 2 + STROKE)
        yield Written(_with_space(text), classes, affinity.affine_transform(shape, matrix))


def ink_height(written: Written, stroke: float) -> float:
    """How tall a text that stands upright is with its strokes, in units."""
    _, top, _, low = written.shape.bounds
    return float(low - top) / (TALL + 2 * STROKE) * (TALL + stroke)


def heights_of_numbers(name: str) -> dict[str, float]:
    """How tall each station's number is on a map, with its strokes, in units."""
    build.make()
    board = BoardMap(load_map(name))
    root = ET.fromstring((build.OUT / board.style.artwork(board.network)).read_text(encoding="utf-8"))  # noqa: S314
    stroke = re.search(r"\.numbers g\{[^}]*stroke-width:([\d.]+)", STATIONS_STYLE)
    assert stroke is not None
    return {one.text: ink_height(one, float(stroke[1])) for one in _texts(root) if "numbers" in one.classes}


def _with_space(text: str) -> str:
    """Return a name with the space that has no strokes, and so is not drawn."""
    rows = chain.from_iterable(name.split("\n") for name, _ in (*london.NAMES, *london.PARK_NAMES))
    return next((row for row in rows if row.replace(" ", "") == text), text)


def _wide(letter: str) -> float:
    return FIGURE if letter.isdigit() else width(letter)


def _walk(root: ET.Element) -> Iterator[Walked]:
    """Give every group that is drawn, used ones where they are used."""
    ids = {one.get("id"): one for one in root.iter() if one.get("id")}

    def go(one: ET.Element, matrix: Matrix, classes: frozenset[str]) -> Iterator[Walked]:
        if one.tag in (f"{SVG}defs", f"{SVG}metadata"):
            return
        matrix = _times(matrix, one.get("transform", ""))
        classes = classes | frozenset(one.get("class", "").split())
        if one.tag == f"{SVG}use":
            used = ids.get(one.get("href", "")[1:])
            if used is not None and used.tag == f"{SVG}g":
                yield from go(used, matrix, classes)
            return
        if one.tag == f"{SVG}g":
            yield one, matrix, classes
        for child in one:
            yield from go(child, matrix, classes)

    yield from go(root, (1, 0, 0, 1, 0, 0), frozenset())


def _times(matrix: Matrix, transform: str) -> Matrix:
    """Return a matrix, in the order that shapely wants, after one more transform of a group."""
    a, b, d, e, x, y = matrix
    for kind, values in re.findall(r"(\w+)\(([^)]*)\)", transform):
        numbers = [float(value) for value in values.replace(",", " ").split()]
        if kind == "translate":
            tx, ty = numbers[0], numbers[1] if len(numbers) > 1 else 0
            x, y = a * tx + b * ty + x, d * tx + e * ty + y
        elif kind == "scale":
            sx, sy = numbers[0], numbers[-1]
            a, b, d, e = a * sx, b * sy, d * sx, e * sy
        else:
            assert kind == "rotate", kind
            turn = affinity.rotate(shapely.LineString([(0, 0), (1, 0)]), numbers[0], origin=(0, 0)).coords[1]
            cos, sin = turn
            a, b, d, e = a * cos + b * sin, b * cos - a * sin, d * cos + e * sin, e * cos - d * sin
    return a, b, d, e, x, y


def _spots(written: list[Written], halo: str) -> set[tuple[str, float, float]]:
    """Where names stand: their halos, or the names themselves."""
    found = [one for one in written if "names" in one.classes and ("halo" in one.classes) == bool(halo)]
    return {(one.text, round(one.shape.centroid.x, 1), round(one.shape.centroid.y, 1)) for one in found}


def _overlap(one: BaseGeometry, other: BaseGeometry) -> bool:
    return bool(one.intersection(other).area > 0)
