"""Maps are read strictly: every contradiction is found and named; the shipped ones are what they should be."""

import copy
import hashlib
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.config import shipped_files
from firmware_host.rules.data.map_file import parse
from firmware_host.rules.errors import BadMap
from firmware_host.rules.network import Link, Network, parse_link
from tests.rules.data.spoilt_data import spoilt
from tests.shipped_grounds import load_map

SQUARE = {
    "title": "Four corners",
    "aspect": 1.5,
    "start_cards": [1, 3],
    "stations": {
        "1": {"at": [0.1, 0.1], "taxi": [2, 4], "bus": [3]},
        "2": {"at": [0.9, 0.1], "taxi": [1, 3]},
        "3": {"at": [0.9, 0.9], "taxi": [2, 4], "bus": [1]},
        "4": {"at": [0.1, 0.9], "taxi": [3, 1]},
    },
    "via": [{"link": "bus 1-3", "over": [2]}],
}


def square(**changes):
    return copy.deepcopy(SQUARE) | changes


def with_station(number, **row):
    data = square()
    data["stations"][number] = data["stations"].get(number, {"at": [0.5, 0.5]}) | row
    return data


def complaint(data):
    with pytest.raises(BadMap) as caught:
        parse("square", data, "square.toml")
    return str(caught.value)


def test_a_good_map_knows_its_links_and_the_ways_around_a_station():
    network = parse("square", square(), "square.toml")
    assert network.links == (
        Link(1, 2, "taxi"),
        Link(1, 3, "bus", (2,)),
        Link(1, 4, "taxi"),
        Link(2, 3, "taxi"),
        Link(3, 4, "taxi"),
    )
    assert network.around(1) == {2: ("taxi",), 3: ("bus",), 4: ("taxi",)}
    assert network.transports(1) == ("taxi", "bus")
    assert (network.stations[3].x, network.stations[3].y, network.aspect) == (0.9, 0.9, 1.5)


@pytest.mark.parametrize(
    ("data", "entry", "reason"),
    [
        (with_station("1", taxi=[2, 4, 77]), "station 1: taxi to 77", "there is no such station"),
        (with_station("1", taxi=[2, 4, 2]), "station 1: taxi to 2", "is listed twice"),
        (with_station("1", taxi=[2, 4, 3]), "station 1: taxi to 3", "one-sided: station 3 does not list 1"),
        (with_station("1", taxi=[1, 2, 4]), "station 1: taxi", "leads to itself"),
        (with_station("1", taxi=2), "station 1: taxi: 2", "not a list of stations"),
        (with_station("1", rocket=[2]), "station 1: unknown transport 'rocket'", "taxi, bus, underground, boat"),
        (with_station("5"), "station 5", "no link leads there"),
        (with_station("01"), "station 01", "number from 1 to 99999"),
        (with_station("1" * 5000), "station '111111", "number from 1 to 99999"),
        (with_station("1", at=[-0.5, 0.5]), "station 1: at: [-0.5, 0.5]", "both from 0 to 1"),
        (with_station("1", at=[0.5, 1.5]), "station 1: at: [0.5, 1.5]", "both from 0 to 1"),
        (with_station("1", at=[0.5, True]), "station 1: at: [0.5, true]", "both from 0 to 1"),
        (square(stations={"1": 5}), "station 1: 5", "not a table"),
        (square(stations=[]), "stations: []", "not a section [stations] with a line for each station"),
        (square(stations={}, start_cards=[], via=[]), "stations", "there are none"),
        (square(title=3), "title: 3", "not a text"),
        (square(aspect="wide"), "aspect: 'wide'", "not a number"),
        (square(aspect=0), "aspect: 0", "out of range; write a number from 0.2 to 5"),
        (square(aspect=0.19), "aspect: 0.19", "out of range; write a number from 0.2 to 5"),
        (square(aspect=5.1), "aspect: 5.1", "out of range; write a number from 0.2 to 5"),
        (square(aspect=10**400), "aspect: 1", "out of range; write a number from 0.2 to 5"),
        (
            square(aspect=16**9000),
            "aspect: a number of thousands of digits",
            "out of range; write a number from 0.2 to 5",
        ),
        (square(start_cards=[1, 9]), "start_cards: 9", "there is no such station"),
        (square(start_cards=[1, 1]), "start_cards: card 1", "is listed twice"),
        (square(colour="red"), "unknown entry 'colour'", "known are title, aspect"),
        (square(via=3), "via: 3", "not a list"),
        (square(via=[{"link": "bus 2-4", "over": [1]}]), "via", "there is no bus link 2-4"),
        (square(via=[{"link": "bus 1-3", "over": []}]), "via: bus 1-3: []", "not a list of other stations"),
        (square(via=[{"link": "bus 1-3", "over": [3]}]), "via: bus 1-3: [3]", "not a list of other stations"),
        (square(via=[{"link": "bus 2-4", "over": [True]}]), "via: bus 2-4: [true]", "not a list of other"),
        (square(via=[{"link": "bus 1-3", "over": [2, 2]}]), "via: bus 1-3: [2, 2]", "names a station twice"),
        (square(via=[{"link": "bus 3-1", "over": [2]}]), "via: bus 3-1: write it as bus 1-3", "lower number"),
        (square(via=SQUARE["via"] * 2), "via: bus 1-3", "is listed twice"),
        (square(via=[{"link": "bus 1-3"}]), "via: {'link': 'bus 1-3'}", "is not like"),
        (square(via=[{"link": "rail 1-3", "over": [2]}]), "via: link 'rail 1-3'", "unknown transport"),
    ],
)
def test_each_contradiction_is_told_with_file_entry_and_reason(data, entry, reason):
    told = complaint(data)
    assert any(
        line.startswith(f"square.toml: {entry}") and reason in line.removeprefix(f"square.toml: {entry}")
        for line in told.splitlines()
    ), told


@pytest.mark.parametrize("aspect", [0.2, 5])
def test_a_map_may_be_five_times_as_wide_as_high_or_as_high_as_wide(aspect):
    assert parse("square", square(aspect=aspect), "square.toml").aspect == aspect


@pytest.mark.parametrize("entry", ["title", "aspect", "start_cards", "stations"])
def test_a_missing_entry_is_told(entry):
    data = square()
    del data[entry]
    assert f"square.toml: {entry}: is missing" in complaint(data)


@pytest.mark.parametrize(
    ("at", "between"),
    [([0.5, 0.5], True), ([0.52, 0.5], True), ([0.56, 0.5], False), ([0.98, 0.98], False), ([0.04, 0.04], False)],
)
def test_a_station_lies_between_two_others_if_a_pawn_pushed_straight_runs_over_it(at, between):
    data = with_station("5", at=at, taxi=[1])
    data["stations"]["1"]["taxi"].append(5)
    network = parse("square", data, "square.toml")
    assert network.lies_between(5, 1, 3) is network.lies_between(5, 3, 1) is between


def test_a_map_in_pieces_is_told():
    data = square()
    data["stations"]["5"] = {"at": [0, 0], "boat": [6]}
    data["stations"]["6"] = {"at": [1, 1], "boat": [5]}
    assert complaint(data) == "square.toml: station 5: no way leads there from station 1; add a link that joins them"


def test_ten_contradictions_are_told_and_the_others_counted():
    data = square(start_cards=list(range(100, 113)))
    lines = complaint(data).splitlines()
    assert len(lines) == 11
    assert lines[-1] == "square.toml: and 3 more"


@pytest.mark.parametrize(
    "written", ["", "taxi", "taxi 13", "taxi 13-", "taxi13-14", "taxi 0-4", "taxi 1-2-3", "taxi ²-3"]
)
def test_a_link_that_is_not_written_as_one_is_refused_with_an_example(written):
    with pytest.raises(BadMap, match="such as 'taxi 13-14'"):
        parse_link(written)


@pytest.mark.parametrize("at", [[7, 15], "x", [0, 1, 0, 1]])
def test_a_station_at_a_wrong_place_makes_no_link_to_it_wrong(at):
    assert complaint(with_station("1", at=at)).count("\n") == 0


@pytest.mark.parametrize("written", [" taxi 13-14", "taxi  13-14", "taxi 13 - 14", "taxi 13\u201314"])
def test_a_link_with_wrong_spaces_or_a_dash_is_refused_with_the_right_spelling(written):
    with pytest.raises(BadMap, match="write it as 'taxi 13-14', with one space and a hyphen"):
        parse_link(written)


def test_a_link_is_the_same_from_either_end():
    assert parse_link("boat 194-157") == parse_link("boat 157-194") == Link(157, 194, "boat")


# What the two boards have, computed once from the material that the maps were written from.
LINKS = {
    "london": (467, {"taxi": 345, "bus": 99, "underground": 20, "boat": 3}, 78),
    "london-us": (469, {"taxi": 345, "bus": 101, "underground": 20, "boat": 3}, 80),
}
CHECKSUMS = {
    "london": (
        "e31f19dbb509f3ab8416dfdb1efc7d9867c014fb61bb517c6cafd1ff9afdb75b",
        "68d70b3f5b7688967e134c3aac1d704672ff2ea1d48d3774f49282279eb540ba",
    ),
    "london-us": (
        "e06b25f0de47edc30b9657c3996138994ed3f38eeaa791619684c6c80cfbe170",
        "e81670841706440237403ac35c3c3f9b3fef993f7024a4dac292fa0e171625ae",
    ),
}


def checksum(lines):
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@pytest.mark.parametrize("name", ["london", "london-us"])
def test_a_shipped_map_has_its_199_stations_and_the_right_number_of_each_link(name):
    network = load_map(name)
    assert len(network.stations) == 199
    with_via = sum(bool(link.via) for link in network.links)
    counted = Counter(link.transport for link in network.links)
    assert (len(network.links), counted, with_via) == LINKS[name]


@pytest.mark.parametrize("name", ["london", "london-us"])
def test_a_shipped_map_is_as_printed_link_by_link_with_the_stations_each_runs_over(name):
    links = sorted((n.a, n.b, n.transport, n.via) for n in load_map(name).links)
    lines = [f"{transport} {a}-{b} {' '.join(map(str, via))}".rstrip() for a, b, transport, via in links]
    assert checksum(lines) == CHECKSUMS[name][0]


@pytest.mark.parametrize("name", ["london", "london-us"])
def test_every_station_of_a_shipped_map_is_where_it_is_printed(name):
    stations = sorted((s.number, s.x, s.y) for s in load_map(name).stations.values())
    assert checksum(f"{number} {x} {y}" for number, x, y in stations) == CHECKSUMS[name][1]


@pytest.mark.parametrize("name", ["london", "london-us"])
def test_cl_04_the_start_cards_are_the_eighteen_of_the_deck(name):
    deck = (13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 132, 138, 141, 155, 174, 197, 198)
    assert load_map(name).start_cards == deck


def test_us_08_the_american_board_has_no_108_but_a_200_and_a_boat_to_118():
    london, american = load_map("london"), load_map("london-us")
    assert set(london.stations) - set(american.stations) == {108}
    assert set(american.stations) - set(london.stations) == {200}
    assert "boat" in american.around(115)[118]
    assert "boat" in london.around(115)[108]


def test_ed_02_a_link_can_be_added_and_removed_again():
    plain = load_map("london")
    added = plain.changed(add=[parse_link("taxi 13-14")])
    assert plain.around(13)[14] == ("bus",)
    assert added.around(13)[14] == added.around(14)[13] == ("taxi", "bus")
    assert added.changed(remove=[parse_link("taxi 13-14")]).links == plain.links


def test_ed_02_a_link_can_be_replaced_by_one_with_another_course():
    network = parse("square", square(), "square.toml")
    straight = network.changed(remove=[parse_link("bus 1-3")], add=[Link(1, 3, "bus")])
    assert Link(1, 3, "bus", ()) in straight.links


@pytest.mark.parametrize(
    ("add", "remove", "reason"),
    [
        (["taxi 1-2"], [], "square: cannot add taxi 1-2: it exists already; take it out of add"),
        (["taxi 2-4", "taxi 2-4"], [], "square: cannot add taxi 2-4: it exists already; take it out of add"),
        (
            [],
            ["bus 1-2"],
            "square: cannot remove bus 1-2: there is no such link; links at station 1 are taxi 1-2, bus 1-3",
        ),
        (["boat 1-9"], [], "square: boat 1-9: there is no station 9"),
        (["boat 1-1"], [], "square: boat 1-1: leads to itself; a link joins two different stations"),
        ([], ["taxi 1-2", "taxi 2-3"], "square: station 2: no link leads there; each station needs"),
        ([], ["taxi 1-2", "taxi 3-4", "bus 1-3"], "square: station 2: no way leads there from station 1"),
    ],
)
def test_ed_02_a_change_that_makes_no_good_map_is_refused(add, remove, reason):
    network = parse("square", square(), "square.toml")
    with pytest.raises(BadMap) as caught:
        network.changed(add=map(parse_link, add), remove=map(parse_link, remove))
    assert str(caught.value).startswith(reason)


def test_ed_02_all_that_is_wrong_with_a_change_is_told_at_once():
    network = parse("square", square(), "square.toml")
    with pytest.raises(BadMap) as caught:
        network.changed(add=[Link(1, 2, "taxi"), Link(1, 9, "boat")], remove=[Link(1, 2, "bus")])
    assert len(str(caught.value).splitlines()) == 3


@given(spoilt(SQUARE, ("taxi 1-2", "bus 1-3", "taxi 1"), ("1", "9", "boat", "river", "starts")))
def test_a_map_changed_anywhere_is_read_or_refused_with_its_files_name(mutant):
    try:
        network = parse("square", mutant, "square.toml")
    except BadMap as error:
        told = str(error)
    else:
        assert all(link in network.links for link in network.changed().links)
        return
    assert told.startswith("square.toml: ")


@given(st.text(max_size=20) | st.from_regex(r"[a-z]{1,11} [0-9]{1,7}-[0-9]{1,7}", fullmatch=True))
def test_any_text_is_a_link_or_refused(written):
    try:
        link = parse_link(written)
    except BadMap:
        return
    assert parse_link(str(link)) == link


# ---- the head of the American map ----


Line = tuple[str, int, int]


def lines(network: Network, numbers: dict[int, int]) -> set[Line]:
    """Transport and both stations of every link, the stations numbered anew."""
    ends = ((link.transport, *sorted(numbers.get(n, n) for n in (link.a, link.b))) for link in network.links)
    return {(transport, a, b) for transport, a, b in ends}


def named(text: str) -> set[Line]:
    return {(t, int(a), int(b)) for t, a, b in re.findall(r"(taxi|bus|underground|boat) (\d+)-(\d+)", text)}


def test_us_08_the_head_of_the_map_tells_all_that_differs() -> None:
    source = (shipped_files.folder() / "maps" / "london-us.toml").read_text(encoding="utf-8")
    head = " ".join(line.removeprefix("# ") for line in source.splitlines() if line.startswith("#"))
    numbers = {int(a): int(b) for a, b in re.findall(r"(\d+) is (\d+)", head)}
    europe, here = load_map("london"), load_map("london-us")
    assert {numbers.get(n, n) for n in europe.stations} == set(here.stations)
    ours, theirs = lines(here, {}), lines(europe, numbers)
    told = re.search(r"Four lines differ, too: (.*) are only on this board, and (.*) is only on the European", head)
    assert told is not None
    assert (named(told[1]), named(told[2])) == (ours - theirs, theirs - ours)
    assert len(ours ^ theirs) == 4
