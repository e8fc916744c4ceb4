"""Editions as data files (ED-01): what the shipped ones say, how strictly they are read, what they ask of a map."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.config import shipped_files
from firmware_host.config.loader import ConfigError, load, simulator, with_rules
from firmware_host.rules.actions import MR_X
from firmware_host.rules.engines import system
from firmware_host.rules.errors import BadEdition, BadSetup
from firmware_host.rules.game import Game
from firmware_host.rules.network import shorten
from firmware_host.rules.pursuit import edition
from firmware_host.rules.pursuit.edition import Edition, deal
from firmware_host.rules.setup import Wish
from firmware_host.simulator import SimulatedTable
from tests.amount import amount
from tests.rules.data.boxes import (
    NAMES,
    classic,
    complaints,
    content,
    current,
    london,
    london_us,
    random_setup,
    setup_of,
    shipped,
    us,
)
from tests.rules.data.spoilt_data import spoilt
from tests.rules.dice.dice_boards import yard
from tests.shipped_grounds import load_map

CLASSIC_CARDS = {13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 132, 138, 141, 155, 174, 197, 198}
CURRENT_CARDS = {13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 123, 138, 141, 155, 174}
CURRENT_X_CARDS = {35, 45, 51, 71, 78, 104, 106, 127, 132, 146, 166, 170, 172}


# ---- what the shipped ones say ----


def test_cl_01_classic_gives_each_detective_a_pawn_and_with_three_players_two() -> None:
    edition = classic()
    assert {players: len(edition.owners(players)) for players in edition.seats} == {3: 4, 4: 3, 5: 4, 6: 5}
    assert [list(edition.owners(3).values()), edition.order] == [[1, 1, 2, 2], "fixed"]
    assert edition.sizes == [3, 4, 5]


def test_cl_02_cl_03_classic_has_these_tickets() -> None:
    edition = classic()
    assert (edition.mr_x_hand, edition.blacks, edition.doubles) == ((4, 3, 3), None, 2)
    assert edition.hand == (10, 8, 4)
    assert edition.mr_x_hand is not None
    together = [5 * own + his for own, his in zip(edition.hand, edition.mr_x_hand, strict=True)]
    assert together == [54, 43, 23]
    for players, pawns in ((3, 4), (4, 3), (5, 4), (6, 5)):
        start = sorted(CLASSIC_CARDS)[: pawns + 1]
        table = Game(setup_of(edition, london(), *start, players=players))
        assert table.public.tickets[MR_X]["black"] == pawns


def test_cl_04_cl_14_classic_has_one_deck_and_four_surfacings() -> None:
    edition = classic()
    assert (edition.cards, edition.mr_x_cards) == ((), ())
    assert set(london().network.start_cards) == CLASSIC_CARDS
    assert (edition.windows, edition.surfacing) == (24, {3, 8, 13, 18})
    assert dict(edition.options) == {"x_fares": "unlimited", "last_chance": False, "log_windows": 24}


def test_us_01_us_02_us_03_the_american_edition_has_these_numbers() -> None:
    edition = us()
    assert {players: len(edition.owners(players)) for players in edition.seats} == {3: 5, 4: 5, 5: 5, 6: 5}
    assert (edition.hand, edition.mr_x_hand, edition.blacks, edition.doubles) == ((10, 8, 4), (4, 3, 3), 5, 2)
    assert (edition.windows, edition.surfacing) == (24, {3, 8, 13, 18, 24})
    assert (edition.order, edition.map) == ("player", "london-us")
    assert {"voluntary_surfacing", "cut_off"} <= set(edition.options)
    assert not edition.options["voluntary_surfacing"]
    assert not edition.options["cut_off"]


def test_ed_01_current_has_these_numbers() -> None:
    edition = current()
    assert (edition.hand, edition.mr_x_hand, edition.blacks, edition.doubles) == ((11, 8, 4), None, 5, 2)
    assert (set(edition.cards), set(edition.mr_x_cards)) == (CURRENT_CARDS, CURRENT_X_CARDS)
    assert (edition.windows, edition.surfacing) == (24, {3, 8, 13, 18, 24})
    assert (edition.rounds, edition.order, edition.map) == (22, "free", "london")
    assert [*map(edition.owners, edition.seats)] == [
        {"red": 1, "green": 1, "yellow": 2, "blue": 2},
        {"red": 1, "blue": 1, "yellow": 2, "green": 3},
        *map(classic().owners, (5, 6)),
    ]
    assert edition.bobbies == {3: ("green", "blue"), 4: ("blue",)}
    assert dict(edition.options) == {}


@pytest.mark.parametrize("name", NAMES)
def test_cl_04_start_stations_come_from_the_editions_own_decks(name: str) -> None:
    edition = shipped(name)
    network = load_map(edition.map)
    pawns, his = set(), set()
    for seed in range(300):
        owners = edition.owners(3 + seed % 4)
        dealt = deal(edition, network, (*owners, MR_X), random.Random(seed))
        assert len(set(dealt.values())) == len(owners) + 1
        his.add(dealt.pop(MR_X))
        pawns |= set(dealt.values())
    decks = (CURRENT_CARDS, CURRENT_X_CARDS) if name == "current" else (CLASSIC_CARDS, CLASSIC_CARDS)
    assert (pawns, his) == decks


# ---- the common pile ----


def test_ed_01_what_is_in_the_common_pile_cannot_be_counted() -> None:
    for option, value in {"x_fares": "counted", "voluntary_surfacing": True}.items():
        lines = complaints(lambda data, o=option, v=value: data["options"].update({o: v}), "current")
        assert f"[options] {option}: has no effect where Mister X pays from the common pile; leave it out" in lines
    forced = replace(current(), options={"x_fares": "unlimited"})
    with pytest.raises(
        BadSetup, match="x_fares: in current Mister X pays from the common pile, and nothing is counted"
    ):
        Game(setup_of(forced, london(), 35, 13, 26, 29, 34, 50, x_fares="counted"))


@pytest.mark.parametrize(("key", "name"), [("windows", "classic"), ("windows", "dice"), ("dice", "dice")])
def test_a_number_out_of_range_makes_no_other_number_look_wrong(key: str, name: str) -> None:
    for value in (0, 99):
        (line,) = complaints(lambda data, v=value: data.update({key: v}), name)
        assert f"{key}: {value} is not a whole number from" in line


@pytest.mark.parametrize(
    ("bobbies", "told"),
    [
        (["green", "white"], "[bobbies] 3: 'white' is not a pawn of 3 players; write some of "),
        (["white", 7], "[bobbies] 3: 'white', 7 are not pawns of 3 players; write some of "),
        (["green", "green"], "[bobbies] 3: 'green' is there twice; keep one of them"),
        ("green", "[bobbies] 3: 'green' is not a list of pawns; write some of "),
        (["red", "yellow", "green", "blue"], "are all pawns of 3 players; leave out those that pay tickets"),
    ],
)
def test_ed_01_bobbies_that_are_no_pawns_of_that_many_players_are_named(bobbies: Any, told: str) -> None:
    (line,) = complaints(lambda data: data["bobbies"].update({"3": bobbies}), "current")
    assert told in line


# ---- what a box asks of a map ----


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"cards": (13, 26, 29, 34, 777)}, "current: start card 777: there is no such station on london; correct it"),
        ({"mr_x_cards": (35, 778)}, "current: start card 778: there is no such station on london; correct it"),
        ({"posts": (41, 46, 124, 142, 779), "cards": ()}, "current: start card 779: there is no such station on"),
        ({"cards": (13, 26, 29, 34)}, "4 start cards do not suffice for 5 pawns of current"),
        ({"cards": (13, 26, 29, 34, 50), "mr_x_cards": ()}, "5 start cards do not suffice for 6 pawns of current"),
        ({"mr_x_cards": (13, 26, 29, 34, 50)}, "current: 5 detectives may draw all 5 start cards of mr_x"),
        ({"mr_x_cards": (13,)}, "current: 5 detectives may draw all 1 start cards of mr_x"),
    ],
)
def test_a_box_whose_start_cards_may_fail_on_a_map_does_not_suit_it(changed: dict[str, Any], told: str) -> None:
    with pytest.raises(BadSetup, match=told):
        system(replace(current(), **changed)).check_ground(london().network, 6)


@pytest.mark.parametrize(
    "changed", [{}, {"mr_x_cards": (13, 26, 29, 34, 50, 53)}, {"mr_x_cards": (1,)}, {"cards": (1, 2, 3, 4, 5)}]
)
def test_a_box_whose_start_cards_never_run_out_suits_a_map(changed: dict[str, Any]) -> None:
    edition = replace(current(), **changed)
    for players in edition.seats:
        system(edition).check_ground(london().network, players)
        for seed in range(20):
            system(edition).deal(london().network, Wish(players=players), random.Random(seed))


def test_a_pursuit_game_is_not_played_on_tiles() -> None:
    for asked in (
        lambda: system(classic()).check_ground(yard(), 4),
        lambda: system(classic()).deal(yard(), Wish(), random.Random(1)),
    ):
        with pytest.raises(BadSetup, match="map: yardboard is a set of tiles; classic is played on a printed map"):
            asked()


@pytest.mark.parametrize("name", ["red", MR_X])
def test_a_start_that_is_no_number_is_refused_and_not_told(name: str) -> None:
    with pytest.raises(BadSetup, match=f"^start: {name}: its station must be a whole number$"):
        system(classic()).deal(london().network, Wish(start={name: True}), random.Random(1))


# ---- how strictly a file is read ----


def test_an_unknown_key_is_named_with_the_known_ones() -> None:
    assert complaints(lambda data: data.update(colour="red"))[0].startswith("colour: unknown; known are title, map")
    assert complaints(lambda data: data["detective"].update(boat=1)) == [
        "[detective] boat: unknown; known are taxi, bus, underground, cards, posts"
    ]
    assert complaints(lambda data: data["mr_x"].update(helicopter=1))[0].startswith("[mr_x] helicopter: unknown")


@pytest.mark.parametrize("key", list(content("classic")))
def test_a_missing_key_is_named(key: str) -> None:
    (line,) = complaints(lambda data: data.pop(key))
    section = f"the section [{key}] is missing; add the line [{key}]"
    assert line.startswith(section if isinstance(content("classic")[key], dict) else f"{key}: is missing; write ")


def test_a_missing_key_is_named_with_its_meaning_and_its_bounds() -> None:
    def spoil(data: dict[str, Any]) -> None:
        for key in ("title", "map", "windows", "order", "seats", "options"):
            del data[key]

    assert complaints(spoil) == [
        "title: is missing; write the name of the box, in quotes",
        'map: is missing; write the name of a map, such as "london", or of tiles, such as "yardboard"',
        "windows: is missing; write how many windows Mister X's log has, a whole number from 3 to 24",
        'order: is missing; write "fixed", "player" or "free"',
        "the section [seats] is missing; add the line [seats] and its keys below it",
        "the section [options] is missing; add the line [options]",
    ]


@pytest.mark.parametrize("key", list(content("classic")))
def test_a_value_of_a_wrong_type_is_named_with_the_right_one(key: str) -> None:
    assert complaints(lambda data: data.update({key: 1.5}))[0].startswith(f"{key}: 1.5 is not a ")


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [("detective", "taxi", -1), ("detective", "bus", "8"), ("mr_x", "double", True), ("mr_x", "black", 25)],
)
def test_a_number_of_tickets_out_of_its_bounds_is_named(section: str, key: str, value: object) -> None:
    (line,) = complaints(lambda data: data[section].update({key: value}))
    assert line.startswith(f"[{section}] {key}: {shorten(value)} is not a whole number from 0 to ")


@pytest.mark.parametrize(
    ("players", "rows", "why"),
    [
        ("3", [["red", "yellow"], ["green", "red"]], "'red' is listed twice; list each pawn once"),
        ("3", [["red", "yellow"], ["mr_x"]], "'mr_x' is not a detectives' pawn; pawns are red, yellow"),
        (
            "3",
            [["red", "yellow", "green", "blue"]],
            "is wrong for 3 players; write 2 lists of pawns, one for each",
        ),
        ("4", [["red"], ["yellow"], []], "3 lists of pawns"),
        ("7", [["red"]], "is not a number of players; write 2 to 6"),
        ("9" * 5000, [["red"]], "is not a number of players; write 2 to 6"),
        ("٣", [["red"], ["green"]], "is not a number of players; write 2 to 6"),
    ],
)
def test_bad_seats_are_named(players: str, rows: object, why: str) -> None:
    (line,) = complaints(lambda data: data["seats"].update({players: rows}))
    assert line.startswith(f"[seats] {players}: ")
    assert why in line


def test_an_edition_for_nobody_is_refused() -> None:
    assert complaints(lambda data: data["seats"].clear())[0].startswith("[seats]: is empty")


@pytest.mark.parametrize("row", [[3, 25], [0, 3], [3, "8"], [True]])
def test_surfacing_at_what_is_no_window_is_refused(row: list[object]) -> None:
    (line,) = complaints(lambda data: data.update(surfacing=row))
    assert line == f"surfacing: {shorten(row)} is not a list of whole numbers from 1 to 24"


def test_a_number_that_stands_twice_is_refused() -> None:
    assert complaints(lambda data: data.update(surfacing=[3, 3])) == ["surfacing: 3 is there twice; keep one of them"]
    assert complaints(lambda data: data["mr_x"].update(cards=[7, 7])) == [
        "[mr_x] cards: 7 is there twice; keep one of them"
    ]


@pytest.mark.parametrize(
    ("option", "value", "why"),
    [
        ("weather", "fog", "unknown; known are x_fares"),
        ("x_fares", "free", "neither 'unlimited' nor 'counted'"),
        ("log_windows", 25, "25 is out of range; write a whole number from 3 to 24"),
        ("log_windows", True, "true is not a whole number"),
    ],
)
def test_an_option_of_unknown_name_type_or_value_is_refused(option: str, value: object, why: str) -> None:
    (line,) = complaints(lambda data: data["options"].update({option: value}))
    assert line.startswith(f"[options] {option}: ")
    assert why in line


def test_numbers_too_long_to_be_written_out_and_keys_that_would_break_the_line_are_named_all_the_same() -> None:
    long = 1 << 20_000
    assert complaints(lambda data: data.update(windows=long))[0].startswith("windows: a number of thousands of digits")
    assert complaints(lambda data: data.update(surfacing=[long]))[0].startswith("surfacing: ")
    assert complaints(lambda data: data["options"].update(log_windows=long))[0].startswith("[options] log_windows: ")
    assert complaints(lambda data: data.update({"a\nb": 1}))[0].startswith("'a\\nb': unknown")


def test_several_mistakes_are_told_together() -> None:
    def change(data: dict[str, Any]) -> None:
        data["order"] = "any"
        data["detective"]["taxi"] = 100
        data["surfacing"] = [30]
        data["options"]["weather"] = 1

    places = {line.partition(": ")[0] for line in complaints(change)}
    assert places == {"order", "[detective] taxi", "surfacing", "[options] weather"}


def test_a_file_that_is_missing_or_no_toml_is_refused_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(BadEdition, match=r"none\.toml"):
        shipped_files.load_edition("none.toml", tmp_path)
    (tmp_path / "torn.toml").write_text("title = ", encoding="utf-8")
    with pytest.raises(BadEdition, match=r"torn\.toml"):
        shipped_files.load_edition("torn.toml", tmp_path)
    with pytest.raises(BadEdition, match=r"unknown rules .*write one of .*classic, current"):
        shipped_files.load_edition("europe")


def _read(data: dict[str, Any]) -> tuple[Edition | None, list[str]]:
    """The edition, or what the reader complains of."""
    try:
        return edition.parse("mutant", data, "mutant.toml"), []
    except BadEdition as error:
        return None, str(error).splitlines()


def _play_some(table: Game, chance: random.Random) -> None:
    """Fifty actions, or to the end."""
    while table.legal and len(table.actions) < 50:
        table.play(chance.choice(table.legal))
    assert bool(table.legal) is (table.public.outcome is None)


@given(st.data())
@settings(max_examples=amount(8, 100))
def test_mutated_data_is_read_or_refused_and_nothing_else(data: st.DataObject) -> None:
    original = content(data.draw(st.sampled_from((*NAMES, "beginners"))))
    mutant = data.draw(spoilt(original, ("red", "mr_x"), ("2", "3", "7", "cards")))
    edition, lines = _read(mutant)
    assert (edition is None) is bool(lines)
    assert all(line.startswith("mutant.toml: ") for line in lines)
    if edition is None:
        return
    board, chance = london_us(), random.Random(0)
    try:
        setup = random_setup(edition, board, chance)
    except BadSetup:
        return
    if set(setup.start.values()) | {setup.mr_x.value} <= set(board.network.stations):
        _play_some(Game(setup), chance)


@pytest.mark.parametrize("ticket", ["taxi", "bus", "underground"])
def test_a_hand_that_is_not_whole_is_told(ticket: str) -> None:
    assert complaints(lambda data: data["detective"].pop(ticket)) == [
        f"[detective] {ticket}: is missing; write a whole number from 0 to 99"
    ]
    assert complaints(lambda data: data["mr_x"].pop(ticket)) == [
        f"[mr_x] {ticket}: is missing; write a whole number from 0 to 99"
    ]


def test_double_moves_must_be_told_and_black_tickets_need_not() -> None:
    missing = ["[mr_x] double: is missing; write a whole number from 0 to 12"]
    assert complaints(lambda data: data["mr_x"].pop("double")) == missing
    assert complaints(lambda data: data["mr_x"].pop("double"), "beginners") == missing
    assert classic().blacks is None


def test_title_and_map_must_not_be_empty() -> None:
    assert complaints(lambda data: data.update(title="", map=" ")) == [
        "title: is empty; write the name of the box, in quotes",
        'map: is empty; write the name of a map, such as "london", or of tiles, such as "yardboard"',
    ]


def test_whether_the_detectives_have_a_last_chance_is_told_once() -> None:
    told = "last_chance: is also under [options]; write one of the two"
    assert complaints(lambda data: data.update(last_chance=False)) == [told]
    assert complaints(lambda data: data["options"].update(last_chance=False), "us") == [told]


# ---- editions of one's own, and changed links ----


SHORT = """
title = "A short evening"
map = "london"
windows = 6
surfacing = [2, 4, 6]
order = "player"
[seats]
2 = [["green"]]
3 = [["green", "purple"], ["red"]]
[detective]
taxi = 5
bus = 5
underground = 5
cards = [13, 26, 29]
[mr_x]
black = 2
double = 1
cards = [197, 198]
[options]
cut_off = true
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    (tmp_path / "mine.toml").write_text(SHORT, encoding="utf-8")
    (tmp_path / "yard.toml").write_text('[game]\nrules = "mine.toml"\nplayers = 3\n', encoding="utf-8")
    return tmp_path / "yard.toml"


def _play_out(simulated: SimulatedTable) -> None:
    simulated.new_game(players=3, seed=1)
    assert simulated.public.rules == "mine"
    assert simulated.public.order == ("green", "purple", "red")
    assert set(simulated.public.pawns.values()) <= {13, 26, 29}
    assert simulated.private.at.value in (197, 198)
    assert (simulated.public.windows, simulated.public.surfacing) == (6, {2, 4, 6})
    simulated.close()


def test_ed_01_an_own_edition_is_played_by_a_configuration_that_names_its_file(mine: Path) -> None:
    config = load(mine)
    assert (config.edition.name, config.edition.windows, len(config.layout.log_lamps)) == ("mine", 6, 6)
    _play_out(SimulatedTable(config))


def test_ed_01_an_own_edition_of_a_shipped_ones_name_is_not_taken_for_it(tmp_path: Path) -> None:
    (tmp_path / "classic.toml").write_text(SHORT, encoding="utf-8")
    config = with_rules(simulator(), str(tmp_path / "classic.toml"))
    assert config.edition.windows == 6
    assert with_rules(simulator(), "classic") == simulator()


def test_ed_01_an_own_edition_brings_its_own_map_from_the_configurations_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(SHORT.replace('"london"', '"my-london.toml"'), encoding="utf-8")
    config = replace(simulator(), folder=tmp_path)
    with pytest.raises(ConfigError, match=r"rules: .*my-london\.toml: there is no such file"):
        with_rules(config, "mine.toml")
    text = (shipped_files.folder() / "maps" / "london.toml").read_text(encoding="utf-8")
    (tmp_path / "my-london.toml").write_text(text, encoding="utf-8")
    assert with_rules(config, "mine.toml").network.name == "my-london"


def test_ed_01_what_is_wrong_with_an_own_edition_is_told_by_the_configuration(mine: Path) -> None:
    mine.with_name("mine.toml").write_text(SHORT.replace("[2, 4, 6]", "[2, 7]"), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"(?s)\[game\] rules: .*mine\.toml: surfacing: \[2, 7\]"):
        load(mine)


@pytest.mark.parametrize("name", NAMES)
def test_ed_02_links_are_added_and_removed_with_any_edition(name: str, tmp_path: Path) -> None:
    yard = tmp_path / "yard.toml"
    text = f'[game]\nrules = "{name}"\n[map]\nadd = ["taxi 13-52"]\nremove = ["taxi 13-23"]\n'
    yard.write_text(text, encoding="utf-8")
    config = load(yard)
    links = {(link.a, link.b, link.transport) for link in config.network.links}
    assert (13, 52, "taxi") in links
    assert (13, 23, "taxi") not in links
    start = (13, 29, 34, 50, 91)
    owners = config.edition.owners(5)
    simulated = SimulatedTable(config)
    simulated.new_game(players=5, start={MR_X: 155, **dict(zip(owners, start, strict=False))})
    simulated.set_up()
    simulated.choose(simulated.private.choices.value[0])
    first = simulated.public.turn[0]
    assert {move.to for move in simulated.public.moves if move.pawn == first and move.ticket == "taxi"} == {
        "us": {4, 14, 24, 52}
    }.get(name, {4, 24, 52})
    simulated.close()


def test_a_wrong_number_of_windows_makes_no_other_key_wrong() -> None:
    assert complaints(lambda box: box.update(windows=99)) == ["windows: 99 is not a whole number from 3 to 24"]


def test_a_misspelt_section_is_reported_once_with_the_right_name() -> None:
    told = complaints(lambda box: box.update(detectiv=box.pop("detective")))
    assert told == ["detectiv: unknown; did you mean detective?"]
