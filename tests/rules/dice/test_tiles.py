"""The tiles of the dice game: how they lie, and what leads where, also on their light sides (DI-01 to DI-06)."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings

from firmware_host.rules.dice.tiles import parse
from firmware_host.rules.errors import BadMap, BadSetup
from firmware_host.rules.network import TRANSPORTS, Link
from tests.amount import amount
from tests.rules.dice.naive_tiles import NaiveTiles
from tests.rules.dice.tilings import (
    LETTERS,
    PLAIN,
    SHIPPED,
    TILES,
    cells,
    change,
    changed,
    layouts,
    random_layouts,
)

# --- how tiles lie -------------------------------------------------------------------------------------------------


def test_di_01_each_tile_has_four_places_numbered_by_its_letter():
    tiling = TILES.lay_tiles("ABC DEF GHI")
    assert tiling.rows == (
        (1, 2, 5, 6, 9, 10),
        (3, 4, 7, 8, 11, 12),
        (13, 14, 17, 18, 21, 22),
        (15, 16, 19, 20, 23, 24),
        (25, 26, 29, 30, 33, 34),
        (27, 28, 31, 32, 35, 36),
    )
    assert {place: tiling.letters[place] for place in (1, 4, 5, 16, 17, 36)} == {
        1: "A", 4: "A", 5: "B", 16: "D", 17: "E", 36: "I",
    }  # fmt: skip
    assert TILES.to_lay == LETTERS


@given(layouts())
@settings(max_examples=amount(12, 50), deadline=None)
def test_di_01_a_tile_lies_upright_wherever_it_lies_and_on_whichever_side(layout):
    tiling = TILES.lay_tiles(layout)
    for i, row in enumerate(layout.split()):
        for j, letter in enumerate(row):
            first = 4 * LETTERS.index(letter.upper()) + 1
            assert tiling.rows[2 * i][2 * j : 2 * j + 2] == (first, first + 1)
            assert tiling.rows[2 * i + 1][2 * j : 2 * j + 2] == (first + 2, first + 3)
            assert {tiling.letters[first + k] for k in range(4)} == {letter.upper()}


@pytest.mark.parametrize("layout", ["HcA FBe gID", "HcA FBi"])
def test_di_01_places_lie_on_the_trays_fields_row_by_row(layout):
    tiling, board = TILES.lay_tiles(layout), TILES.board
    assert list(tiling.stations) == [place for row in tiling.rows for place in row]
    for field, station in enumerate(tiling.stations.values(), 1):
        assert (station.x, station.y) == (board.stations[field].x, board.stations[field].y)
    assert len(tiling.stations) == 4 * len(layout.replace(" ", ""))


def test_di_01_the_tray_has_thirty_six_fields_and_no_links():
    board = TILES.board
    assert list(board.stations) == list(range(1, 37))
    assert (board.links, board.aspect) == ((), 1.0)
    assert {round(station.x * 12) for station in board.stations.values()} == {1, 3, 5, 7, 9, 11}
    assert (board.stations[6].x, board.stations[6].y) == (board.stations[12].x, board.stations[1].y)
    assert TILES.board is board


def test_di_02_three_detective_players_play_on_all_nine_tiles():
    for seed in range(300):
        rows = TILES.draw(3, False, random.Random(seed)).split(" ")
        assert [len(row) for row in rows] == [3, 3, 3]
        assert sorted("".join(rows)) == list(LETTERS)


@pytest.mark.parametrize("players", [1, 2])
def test_di_02_one_or_two_play_on_six_tiles_three_of_them_with_an_underground(players):
    seen = Counter()
    for seed in range(300):
        rows = TILES.draw(players, False, random.Random(seed)).split(" ")
        assert [len(row) for row in rows] == [3, 3]
        letters = "".join(rows)
        assert len(set(letters)) == 6
        assert len(TILES.undergrounds & set(letters)) == 3
        seen.update(letters)
    assert set(seen) == set(LETTERS)


def test_di_02_every_tile_can_come_to_lie_on_every_spot():
    chance = random.Random(5)
    for players, spots in ((3, 9), (2, 6)):
        drawn = [TILES.draw(players, False, chance).replace(" ", "") for _ in range(500)]
        assert all({layout[spot] for layout in drawn} == set(LETTERS) for spot in range(spots))


def test_di_02_other_numbers_of_players_are_refused():
    for players in (0, 4):
        with pytest.raises(BadSetup, match=f"detectives: {players} players; the dice game is for 1 to 3"):
            TILES.draw(players, False, random.Random(1))


def test_di_06_three_of_nine_and_two_of_six_tiles_are_turned_for_experts():
    turned = Counter()
    for seed in range(300):
        for players, count in ((3, 3), (2, 2), (1, 2)):
            light = [letter for letter in TILES.draw(players, True, random.Random(seed)) if letter.islower()]
            assert len(light) == count
            turned.update(light)
    assert set(turned) == set(LETTERS.lower())


@pytest.mark.parametrize(
    ("layout", "reason"),
    [
        ("", "write three rows, or two, of three tiles, such as 'ABC DEF GHI'"),
        ("ABX DEF GHI", "no tile is called 'X'; they are A to I, or a to i"),
        ("ABC\tDEF GHI", r"no tile is called '\t'"),
        ("ABC DEF GHı", "no tile is called 'ı'"),
        ("ABC DEF GHA", "tile A lies twice"),
        ("ABCDEFGHI", "write three rows"),
        ("ABC  DEF GHI", "write three rows"),
        ("AB CD EF", "write three rows"),
        ("ACe GBD", "must have an underground place, not 4; those are A, C, E, G, H"),
        ("ABD FIC", "must have an underground place, not 2"),
    ],
)
def test_di_02_tiles_that_cannot_lie_like_that_are_refused(layout, reason):
    with pytest.raises(BadSetup) as caught:
        TILES.lay_tiles(layout)
    assert str(caught.value).startswith("layout ")
    assert reason in str(caught.value)


def test_a_layout_that_lies_already_is_the_same_network():
    assert TILES.lay_tiles("ABC DEF GHI") is TILES.lay_tiles("ABC DEF GHI")
    assert TILES.lay_tiles("ABC DEF GHI") is not TILES.lay_tiles("ABC DEF GIH")
    assert parse("other", SHIPPED, "other.toml").lay_tiles("ABC DEF GHI") is not TILES.lay_tiles("ABC DEF GHI")


# --- what leads where ----------------------------------------------------------------------------------------------


def test_di_03_the_transports_of_a_place_are_those_that_stop_there_even_if_none_leads_on():
    tiling = parse("plain", PLAIN, "plain.toml").lay_tiles("ADB EFG CHI")
    assert tiling.transports(25) == ("taxi", "bus", "underground")
    assert tiling.transports(2) == ("taxi",)
    lonely = change("A", None, "stops", ["taxi", "taxi", "taxi", "taxi bus"])
    tiling = parse("lonely", lonely, "lonely.toml").lay_tiles("ADB EFG CHI")
    assert tiling.transports(4) == ("taxi", "bus")
    assert {way for ways in tiling.around(4).values() for way in ways} == {"taxi"}


def test_di_04_a_bus_does_not_go_where_a_street_is_missing_on_the_way():
    tiling = changed(("D", "streets.top", "none")).lay_tiles("ABC dEF GHI")
    assert tiling.around(13) == {1: ("bus",), 3: ("taxi",), 15: ("taxi",), 25: ("bus",)}
    assert 13 not in tiling.around(17)
    tiling = changed(("E", "exits.left", ["none", "both"])).lay_tiles("ABC DeF GHI")
    assert tiling.around(13) == {1: ("bus",), 3: ("taxi",), 14: ("taxi",), 15: ("taxi",), 25: ("bus",)}


def test_di_04_a_bus_goes_straight_to_the_next_bus_stop_over_the_places_between():
    tiling = parse("plain", PLAIN, "plain.toml").lay_tiles("ABC DEF GHI")
    assert {end for end, ways in tiling.around(17).items() if "taxi" in ways} == {7, 14, 18, 19}
    assert {end for end, ways in tiling.around(17).items() if "bus" in ways} == {5, 13, 21, 29}
    assert (tiling.via(17, 29, "bus"), tiling.via(13, 17, "bus")) == ((19,), (14,))
    assert Link(17, 21, "bus", (18,)) in tiling.links
    swapped = parse("plain", PLAIN, "plain.toml").lay_tiles("ABC FED GHI")
    assert Link(13, 17, "bus", (18,)) in swapped.links  # from a to b: from tile D, on the right, to tile E


@given(layouts())
@settings(max_examples=amount(12, 50), deadline=None)
def test_the_ways_around_a_place_are_told_like_any_map_s(layout):
    tiling = TILES.lay_tiles(layout)
    for place in tiling.stations:
        for table in (tiling.around(place), tiling.against(place)):
            assert place not in table
            assert list(table) == sorted(table)
            for ways in table.values():
                assert ways
                assert list(ways) == [t for t in TRANSPORTS if t in ways]


@given(layouts())
@settings(max_examples=amount(12, 50), deadline=None)
def test_di_21_the_helicopter_lands_at_the_opposite_edge_and_the_way_back_is_the_same(layout):
    tiling = TILES.lay_tiles(layout)
    at = cells(tiling)
    height, width = len(tiling.rows), len(tiling.rows[0])
    for place, (i, j) in at.items():
        edges = (i in (0, height - 1)) + (j in (0, width - 1))
        assert len(tiling.opposite(place)) == edges
        for end in tiling.opposite(place):
            assert place in tiling.opposite(end)
            assert at[end] in ((i, width - 1 - j), (height - 1 - i, j))


@pytest.mark.parametrize("seed", range(3))
def test_every_ride_is_what_a_plain_walk_over_the_file_finds(seed):
    chance = random.Random(seed)
    for drawn in random_layouts(80, seed):
        layout = "".join(chance.choice((letter, letter.lower())) for letter in drawn) if seed else drawn
        tiling, naive = TILES.lay_tiles(layout), NaiveTiles(SHIPPED, layout)
        assert set(tiling.stations) == set(naive.places)
        for place in tiling.stations:
            found = naive.rides(place)
            assert {(end, t) for end, ways in tiling.around(place).items() for t in ways} == {
                ride for ride, (_, allowed) in found.items() if allowed
            }
            assert {(end, t) for end, ways in tiling.against(place).items() for t in ways} == {
                ride for ride, (_, allowed) in found.items() if not allowed
            }
            for (end, transport), (over, _) in found.items():
                assert tiling.via(place, end, transport) == (over if place < end else over[::-1])
            assert set(tiling.opposite(place)) == naive.flights(place)
            assert tiling.stops[place] == naive.stops(place)


# --- telling networks apart ----------------------------------------------------------------------------------------


def test_the_digest_tells_layouts_sides_streets_stops_and_arrows_apart():
    networks = [
        TILES.lay_tiles("ABC DEF GHI"),
        TILES.lay_tiles("BAC DEF GHI"),
        TILES.lay_tiles("aBC DEF GHI"),
        TILES.lay_tiles("ABC DEF"),
        parse("plain", PLAIN, "").lay_tiles("ABC DEF GHI"),
        parse("plain", PLAIN, "").lay_tiles("aBC DEF GHI"),
        changed(("A", "streets.top", "right")).lay_tiles("aBC DEF GHI"),
        changed(("A", "streets.top", "left")).lay_tiles("aBC DEF GHI"),
        changed(("A", "streets.top", "none")).lay_tiles("aBC DEF GHI"),
        parse("plain", change("A", None, "stops", ["taxi bus", "taxi", "taxi", "taxi bus"]), "").lay_tiles(
            "aBC DEF GHI"
        ),
        parse("plain", change("I", None, "stops", ["taxi bus underground", "taxi", "bus", "taxi"]), "").lay_tiles(
            "aBC DEF GHI"
        ),
    ]
    assert len({network.digest for network in networks}) == len(networks)
    again = parse("other name", SHIPPED, "elsewhere.toml").lay_tiles("ABC DEF GHI")
    assert again.digest == networks[0].digest
    assert len(again.digest) == 16


def test_a_networks_tile_set_is_told_by_its_tiles_alone():
    sets = [
        TILES,
        parse("plain", PLAIN, ""),
        changed(("A", "streets.top", "right")),
        changed(("A", "exits.top", ["both", "none"])),
        parse("plain", change("A", None, "stops", ["taxi bus", "taxi", "taxi", "taxi bus"]), ""),
    ]
    assert len({tiles.digest for tiles in sets}) == len(sets)
    assert parse("other name", SHIPPED, "elsewhere.toml").digest == TILES.digest
    assert {TILES.lay_tiles(layout).tile_set for layout in ("ABC DEF GHI", "aBC DEF")} == {TILES.digest}


def test_ed_02_links_of_tiles_are_not_changed_one_by_one():
    tiling = TILES.lay_tiles("ABC DEF GHI")
    assert tiling.changed() is tiling
    with pytest.raises(BadMap, match="yardboard: links of tiles cannot be changed one by one"):
        tiling.changed(add=[Link(1, 36, "taxi")])
    with pytest.raises(BadMap, match="change the tiles in their file"):
        tiling.changed(remove=[Link(1, 2, "taxi")])


# ---- the light sides (DI-06) ----


def test_di_06_a_one_way_street_leads_one_way_and_a_black_ticket_back():
    tiling = changed(("A", "streets.left", "up"), ("A", "streets.bottom", "right")).lay_tiles("aBC DEF GHI")
    assert "taxi" in tiling.around(3)[1]
    assert 3 not in tiling.around(1)
    assert tiling.against(1)[3] == ("taxi",)
    assert 1 not in tiling.against(3)
    assert "taxi" in tiling.around(3)[4]
    assert tiling.against(4) == {3: ("taxi",)}
    assert Link(1, 3, "taxi") in tiling.links  # drawn once, whichever way it goes


def test_di_06_a_bus_ride_goes_only_one_way_even_if_only_a_part_of_it_is_a_one_way_street():
    tiling = changed(("B", "exits.left", ["left", "both"])).lay_tiles("AbC DEF GHI")
    assert 1 in tiling.around(5)
    assert 5 not in tiling.around(1)
    assert tiling.against(1) == {5: ("bus",)}
    assert tiling.against(2) == {5: ("taxi",)}
    assert tiling.against(5) == {}
    assert tiling.around(5)[2] == ("taxi",)


def test_di_06_where_two_arrows_point_at_each_other_only_a_black_ticket_leads_either_way():
    tiling = changed(("A", "exits.right", ["right", "both"]), ("B", "exits.left", ["left", "both"])).lay_tiles(
        "abC DEF GHI"
    )
    assert 5 not in tiling.around(2)
    assert 2 not in tiling.around(5)
    assert tiling.against(2) == {5: ("taxi",)}
    assert tiling.against(5) == {1: ("bus",), 2: ("taxi",)}


def test_di_06_a_dead_end_shuts_a_street_also_for_a_black_ticket():
    tiling = changed(("A", "streets.top", "none"), ("A", "exits.bottom", ["none", "both"])).lay_tiles("aBC DEF GHI")
    assert {2, 5} & (set(tiling.around(1)) | set(tiling.against(1))) == set()
    assert {13} & (set(tiling.around(3)) | set(tiling.around(1))) == set()
    assert tiling.against(1) == {}
    assert 16 in tiling.around(14)


def test_di_06_a_taxi_lane_is_of_no_use_where_no_taxi_stops():
    data = change("A", None, "stops", ["taxi bus", "taxi bus", "taxi bus", "bus"])
    tiling = parse("lane", change("A", "light", "lanes", ["falling"], data), "lane.toml").lay_tiles("aBC DEF GHI")
    assert 4 not in tiling.around(1)
    assert 1 not in tiling.around(4)
