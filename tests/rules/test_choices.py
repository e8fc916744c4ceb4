"""What players may choose at the new game in the beginners', the dice and the junior game, and what it shows."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from firmware_host.config import shipped_files
from firmware_host.rules import engines
from firmware_host.rules.actions import MR_X, MR_X_JUNIOR, PawnMove
from firmware_host.rules.dice.dice_view import DiceView
from firmware_host.rules.errors import BadSetup, IllegalAction
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Setup, Wish
from firmware_host.rules.views import PublicView
from firmware_host.table.playable_games import offer
from tests.rules.data.boxes import BEGINNERS_AWAY, beginners, content, game, play, small, turns


def setup_of(rules: str, players: int, **options: Any) -> Setup:
    edition = shipped_files.load_edition(rules)
    return engines.system(edition).deal(
        shipped_files.load_ground(edition.map), Wish(players=players, options=options), random.Random(4)
    )


# ---- what is offered, and journals of before ----

CHOICES = {
    "beginners": {"uncover_half": (False, True)},
    "dice": {"log_windows": (13, 12), "reveal_route": (False, True)},
    "junior": {"x_colour": ("black", "blue")},
}
DIGESTS = {"beginners": "99893d9a9d7dd85c", "dice": "b7cc53d7f569f16b", "junior": "88e6a3908fa16117"}


@pytest.mark.parametrize("rules", CHOICES)
def test_ed_01_each_choice_is_offered_with_all_its_values_the_box_s_own_first(rules: str) -> None:
    edition = shipped_files.load_edition(rules)
    offered = offer(edition, shipped_files.load_ground(edition.map)).options
    assert {name: offered[name] for name in CHOICES[rules]} == CHOICES[rules]


def test_cl_22_more_windows_than_the_configuration_says_are_offered_too() -> None:
    edition = shipped_files.load_edition("classic")
    offered = offer(edition, shipped_files.load_ground("london"), {"log_windows": 22}).options["log_windows"]
    assert offered == (*range(22, 2, -1), 24, 23)


@pytest.mark.parametrize("rules", CHOICES)
def test_ed_01_a_journal_of_before_the_choices_still_opens(rules: str) -> None:
    edition = shipped_files.load_edition(rules)
    assert edition.digest == DIGESTS[rules]
    record = setup_of(rules, 4).to_record()
    assert record["options"] == {}
    assert Setup.from_record(record, edition, shipped_files.load_ground(edition.map)).options == {}


@pytest.mark.parametrize("rules", CHOICES)
def test_ed_01_a_box_of_ones_own_without_the_choices_is_what_it_was_and_offers_none(rules: str) -> None:
    data = content(rules)
    for name in CHOICES[rules]:
        del data["options"][name]
    own = engines.parse(rules, data, "own.toml")
    assert own.digest == DIGESTS[rules]
    for name, (_, other) in CHOICES[rules].items():
        with pytest.raises(BadSetup, match=f"unknown option '{name}'"):
            engines.system(own).check({name: other})


@pytest.mark.parametrize("rules", CHOICES)
def test_ed_01_what_a_box_says_is_what_is_played_and_another_box_is_another(rules: str) -> None:
    data = content(rules)
    for name, (_, other) in CHOICES[rules].items():
        data["options"][name] = other
    own = engines.parse(rules, data, "own.toml")
    assert own.digest != DIGESTS[rules]
    assert {name: own.options[name] for name in CHOICES[rules]} == {n: v[1] for n, v in CHOICES[rules].items()}


# ---- JU-01 ----


@pytest.mark.parametrize(("colour", "start"), [("black", 13), ("blue", 10)])
@pytest.mark.parametrize("players", [2, 3])
def test_ju_01_mister_x_is_black_or_blue_as_the_players_choose(colour: str, start: int, players: int) -> None:
    table = Game(setup_of("junior", players, x_colour=colour))
    assert table.public.pawns == {"white": 1, "yellow": 4, MR_X: start}
    again = Setup.from_record(table.setup.to_record(), table.setup.edition, shipped_files.load_ground("junior"))
    assert Game(again).public.pawns == table.public.pawns


def test_ju_01_with_four_players_his_accomplice_has_the_other_colour() -> None:
    pawns = Game(setup_of("junior", 4, x_colour="blue")).public.pawns
    assert (pawns[MR_X], pawns[MR_X_JUNIOR]) == (10, 13)


@pytest.mark.parametrize("colour", ["red", "", True, 3])
def test_ju_01_there_is_no_other_colour(colour: Any) -> None:
    with pytest.raises(BadSetup, match=r"x_colour: .* is neither 'black' nor 'blue'"):
        setup_of("junior", 2, x_colour=colour)


# ---- BE-08 ----


def away(words: str, **options: Any) -> Game:
    table = game(beginners(), small(BEGINNERS_AWAY), 1, 11, 13, 15, players=4, **options)
    return turns(table, words)


def stations(view: PublicView) -> list[int | None]:
    return [entry.station for entry in view.log]


@pytest.mark.parametrize("words", ["2f 3f D 4f 1f", "D 2k 3f"])
def test_be_08_a_hidden_first_half_is_told_when_his_next_turn_begins_or_never(words: str) -> None:
    never, told = away(words), away(words, uncover_half=True)
    half = len(told.public.log) - 2
    assert stations(never.public)[half] is None
    assert stations(told.public) == [entry.station for entry in told._states[-1].log]
    assert told.public.stale == never.public.stale  # his pawn has never stood there


def test_be_08_not_before_the_last_detective_has_moved() -> None:
    table = game(beginners(), small(BEGINNERS_AWAY), 1, 11, 13, 15, players=4, uncover_half=True)
    play(table, "D 2k 3f")
    while table.public.turn != (MR_X,):
        assert stations(table.public) == [None, 3]
        table.play(table.public.moves[0])
    assert stations(table.public) == [2, 3]


def test_be_08_the_move_that_brought_it_to_light_is_not_taken_back() -> None:
    assert away("D 2k 3f").returnable is not None
    told = away("D 2k 3f", uncover_half=True)
    assert told.returnable is None
    with pytest.raises(IllegalAction):
        told.take_back()


def test_pb_07_until_then_nobody_can_tell_where_the_first_half_led() -> None:
    one, two = (game(beginners(), small(BEGINNERS_AWAY), 1, 11, 13, 15, players=4, uncover_half=True) for _ in "12")
    play(one, "D 2k 3f")
    play(two, "D 4k 3f")
    while one.public.turn != (MR_X,):
        assert one.public == two.public
        one.play(one.public.moves[0])
        two.play(two.public.moves[0])
    assert stations(one.public) != stations(two.public)


def test_be_08_it_is_a_choice_only_where_he_is_in_sight() -> None:
    data = content("classic")
    data["options"]["uncover_half"] = True
    with pytest.raises(Exception, match="uncover_half: has no effect where Mister X is out of sight"):
        engines.parse("mine", data, "mine.toml")


# ---- DI-23, DI-26 ----


def dice_games(seed: int, **options: Any) -> Game:
    """A game of dice played at random, by the same chance with any options, until it is over."""
    chance = random.Random(seed)
    table = Game(setup_of("dice", 4, **options))
    while table.public.outcome is None:
        rolled = table.roll(chance)
        if rolled is not None:
            table.play(rolled)
            continue
        at = table._states[-1].x
        wary = [a for a in table.legal if not (isinstance(a, PawnMove) and a.to == at)]
        table.play(chance.choice(wary or table.legal))
    return table


def test_di_23_a_sighting_reveals_the_way_since_the_start_and_nothing_after_it() -> None:
    for seed in range(20):
        played = dice_games(seed)
        hidden, told = Game(played.setup), Game(setup_of("dice", 4, reveal_route=True))
        for action in played.actions:
            hidden.play(action)
            told.play(action)
            if told.public.outcome is not None:
                break
            log = told.public.log
            seen = max((n for n in (3, 7, 11) if n <= len(log)), default=0)
            route = told._states[-1].log
            assert stations(told.public) == [e.station if n <= seen else None for n, e in enumerate(route, 1)]
            assert [n for n, to in enumerate(stations(hidden.public), 1) if to] == [
                n for n in (3, 7, 11) if n <= len(log)
            ]
            assert isinstance(told.public, DiceView)
            assert told.public.dice.start == (told._states[-1].start if seen else 0)
            if not seen:
                assert replace(told.public, network=hidden.public.network) == hidden.public


def test_di_26_the_log_has_thirteen_windows_or_twelve_as_the_players_choose() -> None:
    lengths = {
        windows: {
            len(g.public.log)
            for g in (dice_games(seed, log_windows=windows) for seed in range(12))
            if g.public.outcome and g.public.outcome.reason == "escaped"
        }
        for windows in (12, 13)
    }
    assert lengths == {12: {12}, 13: {13}}
    assert Game(setup_of("dice", 4, log_windows=12)).public.windows == 12


@pytest.mark.parametrize("windows", [11, 14, True, "12"])
def test_di_26_no_other_number_will_do(windows: Any) -> None:
    with pytest.raises(BadSetup, match="log_windows"):
        setup_of("dice", 4, log_windows=windows)
