"""The dice game's box, its options, and how a game of it comes about (DI-01, DI-02, DI-06 to DI-11)."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from firmware_host.config import shipped_files
from firmware_host.rules.actions import MR_X
from firmware_host.rules.dice.dice_box import DiceBox
from firmware_host.rules.dice.tiles import Tiling
from firmware_host.rules.engines import system
from firmware_host.rules.errors import BadEdition, BadSetup
from firmware_host.rules.game import Game
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Setup, Wish
from tests.rules.dice.dice_boards import NINE, SIX, box, deal, dice, game, legal, other_box, play, refusal, unset, yard
from tests.shipped_grounds import load_map

SETTLED = {"red": 1, "yellow": 16, "green": 36, MR_X: 10}


# ---- tiles


@pytest.mark.parametrize(("players", "size"), [(2, 6), (3, 6), (4, 9)])
def test_di_02_three_detective_players_play_on_nine_tiles_and_fewer_on_six(players: int, size: int) -> None:
    for seed in range(20):
        setup = deal(players, seed)
        assert isinstance(setup.network, Tiling)
        assert len(set(setup.network.letters.values())) == size
        assert len(setup.network.stations) == 4 * size
        assert setup.layout == setup.network.layout


def test_di_02_tiles_can_be_laid_as_players_like() -> None:
    setup = deal(4, layout="CFI HBe gaD", experts=True)
    assert setup.layout == "CFI HBe gaD"
    assert setup.network is yard().lay_tiles("CFI HBe gaD")


@pytest.mark.parametrize(("players", "layout"), [(2, NINE), (3, NINE), (4, SIX)])
def test_di_02_no_more_and_no_fewer_tiles_can_be_laid_than_are_played_with(players: int, layout: str) -> None:
    with pytest.raises(BadSetup, match="players, Mister X among them, need"):
        deal(players, layout=layout)
    good = deal(players)
    with pytest.raises(BadSetup, match=r"has [69] tiles; [234] players, Mister X among them, need [69]"):
        system(box()).begin(replace(good, network=yard().lay_tiles(layout), layout=layout))


@pytest.mark.parametrize(
    ("players", "layout", "experts", "told"),
    [
        (4, "ABC DEF GHI", True, "0 tiles .* with experts = true it must be 3 of them"),
        (4, "ABc DEf GHi", False, "3 tiles .* with experts = false it must be none"),
        (2, "ACe BDF", True, "1 tiles .* with experts = true it must be 2 of them"),
        (3, "aCe bDF", True, "3 tiles .* with experts = true it must be 2 of them"),
        (3, "aCE BDF", False, "1 tiles .* with experts = false it must be none"),
    ],
)
def test_di_06_as_many_light_sides_lie_as_experts_play_with(
    players: int, layout: str, experts: bool, told: str
) -> None:
    with pytest.raises(BadSetup, match=f"^layout: {told}"):
        deal(players, layout=layout, experts=experts)
    good = deal(players)
    laid = replace(good, network=yard().lay_tiles(layout), layout=layout, options={"experts": experts})
    with pytest.raises(BadSetup, match=f"^layout: {told}"):
        system(box()).begin(laid)


def test_di_02_a_layout_of_the_box_is_for_games_of_its_size_and_the_others_can_still_be_laid_by_hand() -> None:
    own = other_box(options={"layout": NINE})
    system(own).check_ground(yard(), 4)
    assert deal(4, of=own).layout == NINE
    assert deal(2, of=own, layout=SIX).layout == SIX


def test_di_07_the_dice_game_is_not_played_on_a_printed_map() -> None:
    london = load_map("london")
    with pytest.raises(BadSetup, match="map: london is a printed map; dice is played on tiles, so name no map"):
        system(box()).deal(london, Wish(), random.Random(1))
    with pytest.raises(BadSetup, match="map: london is a printed map; dice is played on tiles, so name no map"):
        system(box()).begin(replace(deal(4), network=london))


# ---- dice


def test_di_08_a_die_shows_taxi_on_three_sides_and_everything_else_on_one() -> None:
    rules = system(box())
    state, chance = rules.begin(deal(4, start=SETTLED, layout=NINE)), random.Random(1)
    shown: Counter[str] = Counter()
    for _ in range(10_000):
        roll = rules.roll(state, chance)
        assert roll is not None
        assert len(roll.faces) == 4
        shown.update(roll.faces)
    shares = {face: round(6 * count / 40_000, 1) for face, count in shown.items()}
    assert shares == {"taxi": 3.0, "bus": 1.0, "underground": 1.0, "x": 1.0}


def test_di_08_the_mix_of_faces_is_data() -> None:
    other = other_box(faces={"taxi": 0, "bus": 5, "underground": 1, "x": 0})
    table = game(10, of=other)
    roll = table.roll(random.Random(2))
    assert roll is not None
    assert set(roll.faces) <= {"bus", "underground"}
    assert dice(table).faces == ("bus", "underground")
    assert "each of which shows one of bus, underground" in refusal(table, "!bbbx")


def test_di_08_nothing_is_rolled_while_somebody_is_to_act() -> None:
    chance = random.Random(1)
    assert unset().roll(chance) is None
    assert game(10, "!tbux").roll(chance) is None
    assert game(10, "!tttt r3t !ttt y14t !tt g35t").roll(chance) is None


def test_di_08_dice_can_be_rolled_by_hand_and_entered() -> None:
    assert dice(Game(deal(4, start=SETTLED, layout=NINE, dice="entered"))).by_hand is True
    assert dice(Game(deal(4, start=SETTLED, layout=NINE))).by_hand is False


@pytest.mark.parametrize(("players", "blacks", "hand"), [(2, 2, 3), (3, 2, 3), (4, 3, 4)])
def test_di_09_everyone_has_what_the_box_gives_to_so_many_players(players: int, blacks: int, hand: int) -> None:
    table = game(10, players=players)
    pawns = {pawn: {} for pawn in table.public.order}
    assert table.public.tickets == {**pawns, MR_X: {"black": blacks, "double": 1, "helicopter": 1}}
    assert (dice(table).to_roll, dice(table).tokens) == (hand, 3)


# ---- starts


def test_di_10_detectives_choose_taxi_only_places_one_after_the_other() -> None:
    table = unset()
    taxi_only = {place for place, stops in table.setup.network.stops.items() if stops == {"taxi"}}  # type: ignore[attr-defined]
    assert table.public.turn == ("red",)
    assert table.public.pawns == {}
    assert (table.public.round, table.public.log, dice(table).to_roll) == (0, (), 0)
    assert legal(table) == {f"r{place}s" for place in taxi_only}
    play(table, "r1s")
    assert table.public.turn == ("yellow",)
    assert table.public.pawns == {"red": 1}
    assert legal(table) == {f"y{place}s" for place in taxi_only - {1}}


@pytest.mark.parametrize("word", ["y1s", "y2s", "y10s", "y77s", "r4s", "g4s", "y4t", "4s", "P", "D", "R", "!tttt"])
def test_di_10_no_other_start_can_be_chosen(word: str) -> None:
    assert "yellow" in refusal(unset(4, "r1s"), word)


def test_di_10_mister_x_then_hides_on_any_free_place() -> None:
    table = unset(4, "r1s y16s g36s")
    assert table.public.turn == (MR_X,)
    assert table.public.mr_x_to_move
    assert table.public.moves == ()
    assert legal(table) == {f"{place}s" for place in range(1, 37) if place not in (1, 16, 36)}
    assert set(table.private.choices.value) == set(table.legal)
    assert (table.private.at.value, table.private.route.value) == (0, ())


@pytest.mark.parametrize("word", ["1s", "77s", "10t", "10k", "P", "D", "R", "r2t", "!tttt"])
def test_di_10_mister_x_can_do_nothing_else(word: str) -> None:
    assert refusal(unset(4, "r1s y16s g36s"), word).startswith("it is Mister X's turn, and he cannot do this now: ")


def test_di_10_his_start_is_covered_and_only_its_tile_told() -> None:
    table = unset(4, "r1s y16s g36s")
    assert dice(table).tile == ""
    play(table, "10s")
    public, lying = table.public, dice(table)
    assert (lying.tile, lying.covers) == ("C", ("x",))
    assert (lying.to_roll, lying.supply) == (4, 2)
    assert MR_X not in public.pawns
    assert (public.round, public.turn, public.log, public.route, public.stale) == (1, ("red",), (), (), frozenset())
    assert (table.private.at.value, table.private.route.value) == (10, (10,))


def test_di_10_starts_can_be_settled_beforehand_all_of_them() -> None:
    settled, chosen = game(10), unset(4, "r1s y16s g36s 10s")
    assert settled.public == chosen.public
    assert settled.private == chosen.private
    assert repr(settled.setup.mr_x) == "Secret(…)"


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({MR_X: None}, "write a start for each of red, yellow, green, mr_x, or none"),
        ({"green": None}, "write a start for each of"),
        ({"red": 2}, "start: red: 2 is not a place where only taxis stop"),
        ({"red": 16}, "have the same place"),
        ({"red": 13, MR_X: 13}, "have the same place"),
        ({"red": True}, "^start: red: its station must be a whole number$"),
        ({MR_X: True}, "^start: mr_x: its station must be a whole number$"),
        ({MR_X: 77}, "start: mr_x: there is no such place on these tiles"),
    ],
)
def test_di_10_no_other_starts_can_be_settled(changed: dict[str, int | None], complaint: str) -> None:
    start = {name: place for name, place in {**SETTLED, **changed}.items() if place is not None}
    with pytest.raises(BadSetup, match=complaint):
        deal(4, start=start, layout=NINE)


def test_di_10_tiles_without_a_start_for_every_detective_are_refused() -> None:
    good = deal(4, layout=NINE)
    full = dict.fromkeys(good.network.stations, frozenset({"taxi", "bus"}))
    assert isinstance(good.network, Tiling)
    crowded = replace(good.network, stops={**full, 1: frozenset({"taxi"}), 4: frozenset({"taxi"})})
    with pytest.raises(BadSetup, match="has 2 places where only taxis stop; 3 pawns need as many"):
        system(box()).begin(replace(good, network=crowded))


def test_di_11_a_detective_player_alone_moves_two_pawns() -> None:
    assert deal(2).owners == {"red": 1, "yellow": 1}
    assert deal(3).owners == {"red": 1, "yellow": 2}
    assert deal(4).owners == {"red": 1, "yellow": 2, "green": 3}


@pytest.mark.parametrize(
    ("owners", "complaint"),
    [
        ({"red": 1}, "pawns: red: dice is played with"),
        ({"red": 1, "yellow": 1, "green": 2}, "the players must move"),
    ],
)
def test_di_11_nobody_else_plays(owners: dict[str, int], complaint: str) -> None:
    with pytest.raises(BadSetup, match=complaint):
        system(box()).begin(replace(deal(4), owners=owners))


# ---- what is written down


@pytest.mark.parametrize("start", [None, SETTLED])
def test_di_a_setup_that_was_written_down_is_read_back(start: dict[str, int] | None) -> None:
    setup = deal(4, 3, start=start, layout="ABc DEf GHi", experts=True, dice="entered")
    read = Setup.from_record(setup.to_record(), box(), yard())
    assert read.to_record() == setup.to_record()
    assert (Game(read).legal, dice(Game(read))) == (Game(setup).legal, dice(Game(setup)))


def test_di_the_box_is_what_its_file_says() -> None:
    shipped = shipped_files.load_edition("dice")
    assert shipped == box()
    assert isinstance(shipped, DiceBox)
    assert (shipped.dice, shipped.windows, shipped.surfacing) == (7, 13, {3, 7, 11})
    assert shipped.map == "yardboard"
    assert system(shipped).name == "dice"


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        (
            {"dice": 4, "surfacing": [4, 8, 12]},
            "dice.toml: dice: 4 dice are too few: with this surfacing up to 5 are on the log",
        ),
        ({"surfacing": [3, 14]}, "dice.toml: surfacing: [3, 14] is not a list of whole numbers from 1 to 13"),
        ({"faces": {"taxi": 4}}, "dice.toml: [faces] taxi, bus, underground, x: are 7 sides together; a die has six"),
        ({"faces": {"boat": 1}}, "dice.toml: [faces] boat: unknown; known are taxi, bus, underground, x"),
        ({"detectives": {"hand": 8}}, "dice.toml: [detectives] hand: 8 is not a whole number from 1 to 7"),
        ({"detectives": {"black": 1}}, "dice.toml: [detectives] black: unknown; known are hand, small_hand, tokens"),
        (
            {"detectives": {"tokens": None}},
            "dice.toml: [detectives] tokens: is missing; write a whole number from 0 to 24",
        ),
        ({"mr_x": {"tokens": 1}}, "dice.toml: [mr_x] tokens: unknown; known are black, small_black, double"),
        ({"options": {"dice": "thrown"}}, "dice.toml: [options] dice: 'thrown' is neither 'rolled' nor 'entered'"),
        ({"options": {"layout": "ABC"}}, "dice.toml: [options] layout: 'ABC' is not three rows, or two, of three"),
        ({"options": {"layout": 3}}, "dice.toml: [options] layout: 3 is not a text"),
        ({"options": {"experts": 1}}, "dice.toml: [options] experts: 1 is not true or false"),
        ({"options": {"speed": 1}}, "dice.toml: [options] speed: unknown; known are experts, dice, layout"),
        (
            {"seats": {"2": [["red"]]}},
            "is wrong for 2 players; write two pawns for a single player of detectives, or one",
        ),
        ({"mr_x": {"helicopter": None}}, "dice.toml: [mr_x] helicopter: is missing; write a whole number from 0 to 24"),
        ({"order": "fixed"}, "dice.toml: order: unknown; known are title, map"),
    ],
)
def test_di_a_box_that_contradicts_itself_is_refused(changed: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadEdition) as refused:
        other_box(**changed)
    assert complaint in str(refused.value)


# ---- options


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"speed": 1}, "unknown option 'speed' of dice; known are experts, dice, layout"),
        ({"experts": 1}, "experts: 1 is not true or false"),
        ({"dice": True}, "dice: true is not a text"),
        ({"dice": "thrown"}, "dice: 'thrown' is neither 'rolled' nor 'entered'"),
        ({"layout": 3}, "layout: 3 is not a text"),
    ],
)
def test_di_no_other_options_can_be_played_with(options: dict[str, Any], complaint: str) -> None:
    for attempt in (
        lambda: system(box()).check(options),
        lambda: deal(4, **options),
        lambda: system(box()).begin(replace(deal(4), options=options)),
    ):
        with pytest.raises(BadSetup) as refused:
            attempt()
        assert complaint in str(refused.value)


def test_di_mister_x_s_start_is_never_told_by_a_complaint() -> None:
    for setup in (replace(deal(4), mr_x=Secret(7777)), replace(deal(4, start=SETTLED, layout=NINE), mr_x=Secret(7777))):
        with pytest.raises(BadSetup) as refused:
            system(box()).begin(setup)
        assert "7777" not in str(refused.value)
