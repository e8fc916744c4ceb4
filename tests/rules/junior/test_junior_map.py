"""The map of the junior game (JU-03): what is asked of one, how its marks are read, and the small London's drawing."""

from __future__ import annotations

import math
import random
import re
import xml.etree.ElementTree as ET
from copy import deepcopy
from typing import Any

import pytest

from firmware_host.config.shipped_files import load_edition
from firmware_host.rules.data.map_file import parse
from firmware_host.rules.engines import system
from firmware_host.rules.errors import BadMap, BadSetup
from firmware_host.rules.junior.junior_box import check_map
from firmware_host.rules.network import TRANSPORTS, Network, parse_link
from firmware_host.rules.pursuit.position import without_closed
from firmware_host.rules.setup import Wish
from firmware_host.ui.drawing.board_picture import svg
from firmware_host.ui.drawing.paper import WIDTH
from tests.rules.junior.junior_boards import content, london, small
from tests.shipped_grounds import load_map

SIDES = ("white", "yellow", "mr_x", "mr_x_junior")
Spot = tuple[float, float]


def changed(**parts: Any) -> dict[str, Any]:
    return deepcopy(content("junior")) | parts


def complaint(**parts: Any) -> str:
    with pytest.raises(BadMap) as caught:
        parse("junior", changed(**parts), "junior.toml")
    return str(caught.value)


# ---- what is asked of a map ----


def test_ju_03_the_shipped_map_is_one_of_a_junior_game() -> None:
    check_map(london().network, SIDES)


def test_ju_03_a_map_on_which_a_ticket_leaves_open_where_to_is_refused_with_station_and_transport() -> None:
    network = small("taxi 1-2 2-3 4-5, bus 3-4 4-1", (1, 2, 3, 4)).network
    with pytest.raises(BadSetup) as caught:
        check_map(network, SIDES)
    assert str(caught.value).splitlines() == [
        "small: station 2: taxi leads to 1, 3; on a junior map it may lead to one station",
        "small: station 4: bus leads to 1, 3; on a junior map it may lead to one station",
    ]


def test_ju_03_the_big_london_is_no_map_of_a_junior_game() -> None:
    with pytest.raises(
        BadSetup, match="london: station 1: taxi leads to 8, 9; on a junior map it may lead to one station"
    ) as e:
        check_map(load_map("london"), SIDES)
    lines = str(e.value).splitlines()
    assert len(lines) == 11
    assert all(line.startswith("london: ") for line in lines)
    assert re.fullmatch("london: and [0-9]+ more", lines[-1])


def test_ju_01_a_map_suits_the_box_only_if_all_its_pawns_have_a_start() -> None:
    rules = system(load_edition("junior"))
    rules.check_ground(london().network, 4)
    bare = {name: station for name, station in london().network.starts.items() if name != "blue"}
    with pytest.raises(BadSetup, match="starts: the start of blue is not marked"):
        rules.check_ground(parse("mine", changed(starts=bare), "mine.toml"), 4)


def test_ju_03_a_start_that_is_no_number_is_refused() -> None:
    with pytest.raises(BadSetup, match=r"^start: white: its station must be a whole number$"):
        system(load_edition("junior")).deal(london().network, Wish(start={"white": True}), random.Random(1))


@pytest.mark.parametrize(("pawn", "colour"), [("mr_x", "black"), ("mr_x_junior", "blue"), ("white", "white")])
def test_ju_03_a_map_without_a_mark_for_a_pawn_that_plays_is_refused(pawn: str, colour: str) -> None:
    marks = {name: station for name, station in london().network.starts.items() if name != colour}
    network = parse("mine", changed(starts=marks), "mine.toml")
    others = [name for name in SIDES if name != pawn]
    check_map(network, others)
    with pytest.raises(BadSetup) as caught:
        check_map(network, SIDES)
    assert str(caught.value) == f"mine: starts: the start of {colour} is not marked; marked are {', '.join(marks)}"


# ---- how marks and river are read ----


def test_ju_03_starts_are_read_by_colour() -> None:
    assert london().network.starts == {"white": 1, "yellow": 4, "black": 13, "blue": 10}
    assert load_map("london").starts == {}


@pytest.mark.parametrize(
    ("starts", "told"),
    [
        (5, "starts: 5 is not like { white = 3, yellow = 9 }"),
        ({"pink": 3}, "starts: unknown colour 'pink'; known are red, yellow, green, blue, purple, white, black"),
        ({"white": 99}, "starts: white: 99: there is no such station; name one of this map"),
        ({"white": True}, "starts: white: true: there is no such station; name one of this map"),
        ({"white": 3, "black": 3}, "starts: black: 3 is the start of white already; name another station"),
    ],
)
def test_ju_03_a_wrong_start_is_told_with_its_colour(starts: Any, told: str) -> None:
    assert complaint(starts=starts) == f"junior.toml: {told}"


@pytest.mark.parametrize(
    "river", [3, [[0.1, 0.2]], [[0, 0], [1, 2]], [[0, 0], [1]], [[0, 0], "ab"], [[0, 0], [True, 1]]]
)
def test_a_river_is_a_list_of_points_on_the_board(river: Any) -> None:
    assert "is not a list of two or more [x, y] with both from 0 to 1" in complaint(river=river)


def test_no_point_of_a_river_stands_twice_in_a_row() -> None:
    assert complaint(river=[[0, 0], [1, 0.5], [1, 0.5]]) == "junior.toml: river: [1, 0.5] is listed twice in a row"


def test_starts_make_another_map_and_a_river_does_not() -> None:
    network = london().network
    elsewhere = parse("junior", changed(starts={"white": 2}), "")
    bare = parse("junior", changed(starts={}), "")
    assert len({network.digest, elsewhere.digest, bare.digest}) == 3
    assert parse("junior", changed(river=[]), "").digest == network.digest


def test_a_map_without_starts_has_the_digest_it_always_had() -> None:
    assert load_map("london").digest == DIGESTS["london"]
    assert load_map("london-us").digest == DIGESTS["london-us"]


DIGESTS = {"london": "6f2d6ffdd836c378", "london-us": "220a69531b31ffdb"}


def test_ed_02_a_changed_map_keeps_its_starts_and_its_river() -> None:
    network = london().network.changed(remove=[parse_link("boat 8-9")])
    assert (network.starts, network.river) == (london().network.starts, london().network.river)
    assert len(network.links) == len(london().network.links) - 1


def test_be_03_a_map_whose_boats_are_closed_keeps_its_starts_and_its_river() -> None:
    network = without_closed(london().network, ("boat",))
    assert (network.starts, network.river) == (london().network.starts, london().network.river)
    assert {link.transport for link in network.links} == {"taxi", "bus", "underground"}


# ---- the small London ----


def test_ju_03_the_small_london_has_fourteen_stations_and_a_board_of_seven_to_five() -> None:
    network = london().network
    assert sorted(network.stations) == list(range(1, 15))
    assert network.aspect == 1.4
    assert network.start_cards == ()


def test_ju_03_each_of_its_stations_has_a_taxi_a_bus_and_an_underground_and_those_on_the_river_a_boat() -> None:
    network = london().network
    for number in network.stations:
        stops = network.transports(number)
        assert stops[:3] == TRANSPORTS[:3]
        assert len(network.around(number)) == len(stops)  # each to a station of its own
    assert {number for number in network.stations if "boat" in network.transports(number)} == {6, 8, 9, 10, 11, 14}


def test_ju_03_its_pawns_start_more_than_a_ride_from_the_other_side() -> None:
    network = london().network
    starts = network.starts
    for hunter in ("white", "yellow"):
        for fled in ("black", "blue"):
            assert starts[fled] not in network.around(starts[hunter])


# ---- its picture ----


def water(network: Network) -> list[list[Spot]]:
    """The lines that come from beyond the paper: no other does."""
    lines = []
    for element in ET.fromstring(svg(network, windows=12)).iter():  # noqa: S314
        if element.tag.endswith("polyline"):
            points = element.attrib["points"].split()
            lines.append([(float(x), float(y)) for x, y in (point.split(",") for point in points)])
    return [line for line in lines if min(line[0]) < 0 or line[0][0] > WIDTH]


def test_the_picture_shows_the_river_where_the_map_says() -> None:
    network = london().network
    board = WIDTH - 44  # within the paper's edges
    wanted = [(22 + x * board, 22 + y * board / network.aspect) for x, y in network.river]
    lines = water(network)
    assert len(lines) == 6
    for line in lines:
        for point in wanted:
            assert min(math.dist(point, spot) for spot in line) < 0.2
        assert line[0][0] < 0
        assert line[-1][0] > WIDTH


def test_without_a_river_of_its_own_it_flows_where_the_boats_go() -> None:
    assert len(water(parse("junior", changed(river=[]), ""))) == 18  # three boats, each for itself
    assert len(water(load_map("london"))) == 6
