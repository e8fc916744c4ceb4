"""The file of a tile set is read strictly, and the shipped one holds what the rules need (DI-02, DI-06, DI-07)."""

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.rules.dice.tiles import parse
from firmware_host.rules.errors import BadMap
from tests.amount import amount
from tests.rules.dice.tilings import LETTERS, PLAIN, SHIPPED, TILES, change, drawn, layouts, random_layouts


def complaint(data):
    with pytest.raises(BadMap) as caught:
        parse("mine", data, "mine.toml")
    return str(caught.value)


@pytest.mark.parametrize(
    ("data", "entry", "reason"),
    [
        (change("A", None, "stops", ["taxi"] * 3), "tile A: stops: ['taxi', 'taxi', 'taxi']", "a list of four texts"),
        (change("A", None, "stops", "taxi"), "tile A: stops: 'taxi'", "top left, top right, bottom left, bottom right"),
        (
            change("A", None, "stops", ["taxi", "tram", "taxi", "taxi"]),
            "tile A: stops: top right: 'tram'",
            "one or more of taxi, bus, underground",
        ),
        (
            change("A", None, "stops", ["taxi", "taxi", "taxi", "bus bus"]),
            "tile A: stops: bottom right: 'bus bus'",
            "each once",
        ),
        (change("A", None, "stops", ["taxi", "taxi", "taxi", 5]), "tile A: stops: bottom right: 5", "one or more of"),
        (change("A", None, "stops"), "tile A: stops", "is missing"),
        (change("A", None, "dark", 7), "tile A, dark: 7", "is not a table"),
        (change("A", None, "back", {}), "tile A: unknown entry 'back'", "known are stops, dark, light"),
        (change("B", "dark", "streets", "both"), "tile B, dark: streets: 'both'", "is not a table"),
        (change("B", "dark", "streets.top"), "tile B, dark: streets: top", "is missing"),
        (
            change("B", "dark", "streets.middle", "both"),
            "tile B, dark: streets: unknown entry 'middle'",
            "top, bottom, left, right",
        ),
        (
            change("B", "dark", "streets.top", "right"),
            "tile B, dark: streets: top: ",
            '"right" must be "both" or "none"; one-way streets are on light sides',
        ),
        (
            change("B", "light", "streets.top", "up"),
            'tile B, light: streets: top: "up"',
            'must be "both", "none", "left" or "right"',
        ),
        (change("B", "light", "streets.left", ["up"]), "tile B, light: streets: left: ['up']", 'must be "both", "'),
        (
            change("C", "light", "exits.left", "both"),
            "tile C, light: exits: left: is not a list; ",
            'write two, upper then lower, each "both", "none", "left" or "right"',
        ),
        (
            change("C", "light", "exits.left", ["both"]),
            "tile C, light: exits: left: has 1 entry; ",
            'write two, upper then lower, each "both", "none", "left" or "right"',
        ),
        (
            change("A", "dark", "exits.top", ["both", "both", "none"]),
            "tile A, dark: exits: top: has 3 entries; ",
            'write two, left then right, each "both" or "none"',
        ),
        (
            change("C", "light", "exits.left", ["both", "up"]),
            'tile C, light: exits: left: "up"',
            'must be "both", "none", "left" or "right"',
        ),
        (
            change("C", "dark", "exits.top", ["up", "both"]),
            'tile C, dark: exits: top: "up" must be "both" or "none"; ',
            "one-way streets are on light",
        ),
        (change("D", "light", "lanes", ["up"]), "tile D, light: lanes: ['up']", "not a list of 'falling' and 'rising'"),
        (change("D", "light", "lanes", "falling"), "tile D, light: lanes: 'falling'", "not a list of 'falling'"),
        (change("D", "light", "lanes", [[]]), "tile D, light: lanes: [[]]", "not a list of 'falling'"),
        (
            change("D", "light", "lanes", ["rising"] * 2),
            "tile D, light: lanes: ['rising', 'rising']",
            "names a lane twice",
        ),
        (change("D", "dark", "lanes", ["rising"]), "tile D, dark: unknown entry 'lanes'", "known are streets, exits"),
        (PLAIN | {"title": 5}, "title: 5", "is not a text"),
        (PLAIN | {"colour": "red"}, "unknown entry 'colour'", "known are title, tiles"),
        (PLAIN | {"tiles": ["A"]}, "tiles: ['A']", "is not a table"),
        (PLAIN | {"tiles": PLAIN["tiles"] | {"J": {}}}, "tiles: unknown entry 'J'", "A, B, C, D, E, F, G, H, I"),
    ],
)
def test_di_07_what_is_wrong_with_a_file_is_told_with_file_tile_side_and_what_would_be_right(data, entry, reason):
    told = complaint(data)
    start = f"mine.toml: {entry}"
    assert any(line.startswith(start) and reason in line.removeprefix(start) for line in told.splitlines()), told
    assert len(told.splitlines()) == 1


EXAMPLE = "write it as in config/tiles/yardboard.toml"


def test_di_07_a_file_without_anything_is_told_what_is_missing():
    assert complaint({}).splitlines() == [f"mine.toml: {key}: is missing; {EXAMPLE}" for key in ("title", "tiles")]
    lines = complaint(
        {"title": "Two tiles", "tiles": {"A": PLAIN["tiles"]["A"], "I": PLAIN["tiles"]["I"]}}
    ).splitlines()
    assert lines == [f"mine.toml: tiles: {letter}: is missing; {EXAMPLE}" for letter in "BCDEFGH"]


def test_di_07_ten_mistakes_are_told_and_the_rest_counted():
    data = PLAIN | {"tiles": PLAIN["tiles"] | {letter: dict.fromkeys(("stops", "dark"), 5) for letter in "ABCDE"}}
    lines = complaint(data).splitlines()
    assert len(lines) == 11
    assert lines[0] == f"mine.toml: tile A: light: is missing; {EXAMPLE}"
    assert lines[-1] == "mine.toml: and 5 more"


def test_di_02_a_set_needs_three_tiles_with_an_underground_and_three_without():
    told = complaint(change("G", None, "stops", ["taxi"] * 4))
    assert "mine.toml: tiles: 2 have an underground place and 7 have none; there must be three or more of each" in told
    data = PLAIN
    for letter in "ABCD":
        data = change(letter, None, "stops", ["taxi underground", "taxi", "taxi", "taxi"], data)
    assert "tiles: 7 have an underground place and 2 have none" in complaint(data)


def test_di_10_a_set_needs_three_taxi_only_places_on_any_six_tiles():
    data = PLAIN
    for letter in LETTERS:
        stops = ["taxi underground" if letter in "GHI" else "taxi bus", *["taxi bus"] * 3]
        data = change(letter, None, "stops", stops, data)
    told = "tiles: six can lie so that only 0 of their places are taxi-only; detectives start there"
    assert told in complaint(data)
    for letter in "ABCD":
        data = change(letter, None, "stops", ["taxi", *["taxi bus"] * 3], data)
    assert "only 1 of their places" in complaint(data)
    for letter in "EF":
        data = change(letter, None, "stops", ["taxi", *["taxi bus"] * 3], data)
    assert parse("mine", data, "mine.toml").undergrounds == {"G", "H", "I"}


@pytest.mark.parametrize(
    ("changes", "traps"),
    [
        ([("streets.top", "none"), ("streets.left", "none")], [1]),
        ([("streets.top", "left"), ("streets.left", "up")], [1]),
        ([("streets.top", "none"), ("streets.bottom", "none"), ("streets.left", "up")], [1]),
        ([("streets.right", "none"), ("streets.bottom", "none")], [4]),
        ([("streets.top", "right"), ("streets.right", "none")], [2]),
        ([("streets.top", "none"), ("streets.left", "none"), ("lanes", ["falling"])], []),
        ([("streets.top", "left"), ("streets.bottom", "right"), ("streets.left", "down"), ("streets.right", "up")], []),
        ([(f"streets.{key}", "none") for key in ("top", "bottom", "left", "right")], [1, 2, 3, 4]),
        ([(f"streets.{key}", "none") for key in ("top", "bottom", "left", "right")] + [("lanes", ["rising"])], [1, 4]),
    ],
)
def test_di_07_a_place_that_is_a_trap_in_a_corner_of_the_board_is_told(changes, traps):
    data = PLAIN
    for key, value in changes:
        data = change("A", "light", key, value, data)
    if not traps:
        assert parse("mine", data, "mine.toml")
        return
    lines = complaint(data).splitlines()
    assert [int(line.partition("place ")[2].split()[0]) for line in lines] == traps
    assert all(line.startswith("mine.toml: tile A, light: streets: place ") for line in lines)


def test_di_07_a_place_without_taxis_is_no_trap_where_buses_stop_beside_it():
    bus = change("A", None, "stops", ["bus", "taxi bus", "taxi", "taxi"])
    bus["tiles"]["A"]["light"]["streets"]["left"] = "none"
    assert parse("mine", bus, "mine.toml").lay_tiles("aBC DEF GHI").around(1)[2] == ("bus",)
    alone = change("A", None, "stops", ["bus", "taxi", "taxi", "taxi"])
    assert "place 1 (top left) cannot be left inside the tile" in complaint(alone)
    for side in ("dark", "light"):
        alone["tiles"]["A"][side]["streets"]["top"] = "none"
    alone["tiles"]["A"]["light"]["lanes"] = ["falling"]
    assert "tile A, light: streets: place 1 (top left) cannot be left" in complaint(alone)


def test_di_07_a_place_with_an_underground_is_no_trap_without_streets():
    data = change("A", None, "stops", ["taxi underground", "taxi", "taxi", "taxi"])
    for street in ("top", "left"):
        data = change("A", "light", f"streets.{street}", "none", data)
    assert "A" in parse("mine", data, "mine.toml").undergrounds


def reached(tiling, start):
    """Every place that taxis lead to."""
    found, edge = {start}, [start]
    while edge:
        for end, ways in tiling.around(edge.pop()).items():
            if "taxi" in ways and end not in found:
                found.add(end)
                edge.append(end)
    return found


def test_di_07_the_shipped_tiles_have_stops_to_play_with():
    stops = {
        place: stops for tile in TILES.tiles.values() for place, stops in zip(tile.places, tile.stops, strict=True)
    }
    assert all("taxi" in there for there in stops.values())
    assert sum("bus" in there for there in stops.values()) == 15
    assert sum(len(there) == 3 for there in stops.values()) >= 1
    assert sorted(TILES.undergrounds) == ["A", "C", "E", "G", "H"]
    assert all(tile.taxi_only >= 1 for tile in TILES.tiles.values())


def test_di_07_on_dark_sides_taxis_lead_everywhere_and_both_ways_though_some_streets_are_missing():
    missing = [
        street for tile in SHIPPED["tiles"].values() for street in tile["dark"]["streets"].values() if street == "none"
    ]
    assert 3 <= len(missing) <= 8
    for layout in random_layouts(200, 7):
        tiling = TILES.lay_tiles(layout.upper())
        assert len(reached(tiling, next(iter(tiling.stations)))) == len(tiling.stations)


@given(layouts())
@settings(max_examples=amount(50, 200), deadline=None)
def test_di_07_with_light_sides_no_place_is_a_trap_and_taxis_still_lead_from_everywhere_to_everywhere(layout):
    tiling = TILES.lay_tiles(layout)
    for place in tiling.stations:
        assert len(reached(tiling, place)) == len(tiling.stations)


def test_di_07_every_rule_for_experts_occurs_on_several_light_sides_and_one_at_least_on_each():
    found = Counter()
    for tile in SHIPPED["tiles"].values():
        dark, light = tile["dark"], tile["light"]
        rules = set()
        for key, word in light["streets"].items():
            if word in ("left", "right", "up", "down"):
                rules.add("one-way street inside")
            if word == "none" and dark["streets"][key] == "both":
                rules.add("dead end inside")
        for word in (word for row in light["exits"].values() for word in row):
            if word in ("left", "right", "up", "down"):
                rules.add("one-way exit")
            if word == "none":
                rules.add("dead end at an exit")
        if light.get("lanes"):
            rules.add("taxi lane")
        assert rules
        found.update(rules)
    assert len(found) == 5
    assert min(found.values()) >= 3


DARK = """
 1-- 2-- 5-- 6-- 9--10
 |   |   |       |   |
 3-- 4-- 7-- 8--11--12
 |   |   |   |   |   |
13--14--17  18--21--22
     |   |   |   |   |
15--16--19--20--23--24
 |   |   |   |   |   |
25--26--29--30--33--34
 |   |       |   |   |
27  28--31--32--35--36
"""

LIGHT = """
 1-> 2-- 5-- 6<- 9--10
 |   |   v       |   |
 3-- 4   7-- 8--11  12
 |   |   |       |   |
13--14--17  18--21->22
 v   ^       |   ^   v
15--16--19--20--23<-24
 v   |   |   |       |
25--26  29--30--33--34
 |   ^       v       |
27--28->31--32--35--36
"""


@pytest.mark.parametrize(("layout", "picture"), [("ABC DEF GHI", DARK), ("abc def ghi", LIGHT)])
def test_di_07_the_shipped_tiles_lie_as_they_look(layout, picture):
    assert drawn(TILES.lay_tiles(layout)) == picture.strip("\n").splitlines()


@st.composite
def spoilt(draw):
    """The plain tiles with junk in one place, at any depth."""
    data = {"data": json.loads(json.dumps(PLAIN))}
    table, key = data, "data"
    while isinstance(table[key], dict | list) and table[key] and draw(st.integers(0, 5)):
        table = table[key]
        key = draw(st.sampled_from(sorted(table) if isinstance(table, dict) else range(len(table))))
    junk = st.one_of(st.integers(), st.text(max_size=3), st.lists(st.text(max_size=3), max_size=3), st.just({}))
    table[key] = draw(junk | st.dictionaries(st.text(max_size=3), st.booleans(), max_size=2))
    return data["data"]


@given(spoilt())
@settings(max_examples=amount(50, 200), deadline=None)
def test_di_07_whatever_stands_in_a_file_it_is_read_or_refused_by_name(data):
    try:
        assert parse("mine", data, "mine.toml").lay_tiles("ABC DEF GHI")
        told = "mine.toml: "
    except BadMap as error:
        told = str(error)
    assert all(line.startswith("mine.toml: ") for line in told.split("\n"))
