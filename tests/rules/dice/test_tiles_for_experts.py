"""The light sides of the tiles: one-way streets, dead ends and taxi lanes (DI-06)."""

from hypothesis import given, settings

from firmware_host.rules.dice.tiles import parse
from firmware_host.rules.network import Link
from tests.amount import amount
from tests.rules.dice.tilings import (
    TILES,
    change,
    changed,
    contrary,
    layouts,
    random_layouts,
    rides,
)


def test_di_06_a_one_way_street_leads_one_way_and_a_black_ticket_back():
    tiling = changed(("A", "streets.left", "up"), ("A", "streets.bottom", "right")).lay("aBC DEF GHI")
    assert "taxi" in tiling.around(3)[1]
    assert 3 not in tiling.around(1)
    assert tiling.against(1)[3] == ("taxi",)
    assert 1 not in tiling.against(3)
    assert "taxi" in tiling.around(3)[4]
    assert tiling.against(4) == {3: ("taxi",)}
    assert Link(1, 3, "taxi") in tiling.links  # drawn once, whichever way it goes


def test_di_06_a_bus_ride_goes_only_one_way_even_if_only_a_part_of_it_is_a_one_way_street():
    tiling = changed(("B", "exits.left", ["left", "both"])).lay("AbC DEF GHI")
    assert 1 in tiling.around(5)
    assert 5 not in tiling.around(1)
    assert tiling.against(1) == {5: ("bus",)}
    assert tiling.against(2) == {5: ("taxi",)}
    assert tiling.against(5) == {}
    assert tiling.around(5)[2] == ("taxi",)


def test_di_06_an_exit_s_arrow_can_point_into_its_tile():
    tiling = changed(("E", "exits.top", ["down", "both"])).lay("ABC DeF GHI")
    assert (7, 17, "taxi") in rides(tiling)
    assert tiling.against(17) == {5: ("bus",), 7: ("taxi",)}


def test_di_06_where_two_arrows_point_at_each_other_only_a_black_ticket_leads_either_way():
    tiling = changed(("A", "exits.right", ["right", "both"]), ("B", "exits.left", ["left", "both"])).lay("abC DEF GHI")
    assert 5 not in tiling.around(2)
    assert 2 not in tiling.around(5)
    assert tiling.against(2) == {5: ("taxi",)}
    assert tiling.against(5) == {1: ("bus",), 2: ("taxi",)}


def test_di_06_other_rides_between_two_places_stay_allowed_both_ways():
    data = change("A", None, "stops", ["taxi underground", "taxi underground", "taxi", "taxi"])
    data = change("A", "light", "streets.top", "right", data)
    tiling = parse("pair", data, "pair.toml").lay("aBC DEF GHI")
    assert tiling.around(1)[2] == ("taxi", "underground")
    assert tiling.around(2)[1] == ("underground",)
    assert tiling.against(2)[1] == ("taxi",)


def test_di_06_a_dead_end_shuts_a_street_also_for_a_black_ticket():
    tiling = changed(("A", "streets.top", "none"), ("A", "exits.bottom", ["none", "both"])).lay("aBC DEF GHI")
    assert {2, 5} & (set(tiling.around(1)) | set(tiling.against(1))) == set()
    assert {13} & (set(tiling.around(3)) | set(tiling.around(1))) == set()
    assert tiling.against(1) == {}
    assert 16 in tiling.around(14)


def test_di_06_a_taxi_lane_is_a_diagonal_for_taxis_both_ways():
    tiling = changed(("A", "lanes", ["falling"]), ("B", "lanes", ["rising", "falling"])).lay("abC DEF GHI")
    assert tiling.around(1)[4] == tiling.around(4)[1] == ("taxi",)
    assert 3 not in tiling.around(2)
    assert tiling.around(6)[7] == tiling.around(5)[8] == ("taxi",)


def test_di_06_a_taxi_lane_is_of_no_use_where_no_taxi_stops():
    data = change("A", None, "stops", ["taxi bus", "taxi bus", "taxi bus", "bus"])
    tiling = parse("lane", change("A", "light", "lanes", ["falling"], data), "lane.toml").lay("aBC DEF GHI")
    assert 4 not in tiling.around(1)
    assert 1 not in tiling.around(4)


def test_di_06_on_its_dark_side_a_tile_has_none_of_this():
    for layout in random_layouts(200, 6):
        tiling = TILES.lay(layout.upper())
        assert contrary(tiling) == set()
        assert {(b, a, t) for a, b, t in rides(tiling)} == rides(tiling)


@given(layouts())
@settings(max_examples=amount(25, 100), deadline=None)
def test_di_06_what_is_against_a_one_way_street_is_no_ride_and_the_other_way_is(layout):
    tiling = TILES.lay(layout)
    allowed, barred = rides(tiling), contrary(tiling)
    assert not allowed & barred
    every = allowed | barred
    assert {(b, a, t) for a, b, t in every} == every
    assert every == {(a, b, link.transport) for link in tiling.links for a, b in ((link.a, link.b), (link.b, link.a))}
    assert {(a, b, t) for a, b, t in allowed if (b, a, t) not in allowed} == {
        (b, a, t) for a, b, t in barred if (b, a, t) not in barred
    }
    assert {t for _, _, t in barred} <= {"taxi", "bus"}
