"""What the rules show and say never depends on where Mister X hides (CL-18, PB-07)."""

from __future__ import annotations

import random
import traceback
from collections import defaultdict
from dataclasses import fields

import pytest

from firmware_host.rules.actions import MR_X, Action, Double, MrXMove, PawnMove
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.game import Game
from firmware_host.rules.pursuit.pursuit_game import TRAPPED
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Setup
from tests.amount import amount
from tests.rules.boards import game, london, random_setup, small
from tests.rules.pursuit.notation import actions
from tests.rules.refusals import refused_alike

# Mister X alone ever has to do with stations of four digits, so that any mention of one is a leak.
CANARY = small("taxi 7001-7002 7002-7003 7003-7001 7003-7004, boat 7004-11, taxi 11-12 12-13 13-14 14-15 15-16 16-11")


def _canary(played: str = "") -> Game:
    return game(CANARY, 7001, 11, 13, 15, played=played)


def _printed(table: Game) -> str:
    """All that a careless line of log could print."""
    state = table._states[-1]
    shown = [table.public, table.private, table.setup, *table.actions, table.legal, state, state.log, state.log[-1:]]
    return " ".join(f"{thing} {thing!r}" for thing in shown)


@pytest.mark.parametrize(
    "played",
    ["", "D", "D 7002t", "D 7002t 7003k", "7002t", "7002t r12t y14t g16t", "7002t r12t y14t g16t 7003t"],
)
def test_nothing_printed_tells_a_hidden_station(played: str) -> None:
    assert "700" not in _printed(_canary(played))


def test_a_station_is_printed_where_he_surfaces_and_his_others_are_not() -> None:
    table = _canary("7002t r12t y14t g16t 7003t r11t y13t g15t 7001t")
    assert "7001" in repr(table.public)
    assert not {"7002", "7003"} & set(_words(_printed(table)))
    for action in actions("r12t y14t g16t 7002t"):
        table.play(action)
    assert {word for word in _words(_printed(table)) if word.startswith("700")} == {"7001"}


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in text).split()


@pytest.mark.parametrize("played", ["", "D", "D 7002t", "7002t", "7002t r12t", "7002t r12t y14t g16t"])
def test_no_refusal_tells_a_station_of_mister_x(played: str) -> None:
    table = _canary(played)
    legal = set(table.legal)
    tried = [MrXMove(Secret(n), t) for n in (7001, 7002, 7003, 7004, 11) for t in ("taxi", "bus", "black", "boat", "")]
    refused = 0
    for action in (*tried, Double(), *(PawnMove(p, 12, "bus") for p in ("red", "yellow", "green", "purple", MR_X))):
        if action in legal:
            continue
        with pytest.raises(IllegalAction) as complaint:
            table.play(action)
        refused += 1
        assert "700" not in str(complaint.value)
        assert "700" not in "".join(traceback.format_exception(complaint.value))
    assert refused > 20


def test_the_refusal_of_a_hidden_move_is_the_same_wherever_he_is() -> None:
    complaints = set()
    for station in (7001, 7002, 7003, 7004):
        table = game(CANARY, station, 11, 13, 15)
        for to in (12, 7777):
            with pytest.raises(IllegalAction) as complaint:
                table.play(MrXMove(Secret(to), "taxi"))
            complaints.add(str(complaint.value))
    assert len(complaints) == 1


def test_the_public_view_has_these_fields_and_each_is_looked_at_here() -> None:
    """A field that is added has to be thought about in test_classic_random_games.py as well."""
    assert {f.name for f in fields(_canary().public)} == {
        *("rules", "network", "round", "turn", "order", "owners", "pawns", "stale", "log", "windows", "surfacing"),
        *("tickets", "moves", "double", "skipped", "moved", "outcome", "route", "giving", "fugitives", "in_sight"),
        *("open_moves", "extras", "layout", "rounds"),
    }


# ---- non-interference: two games that differ in nothing but what is hidden ----


def _same_for_all(action: Action) -> object:
    """What the table sees of an action: of Mister X's move the ticket alone."""
    return action.ticket if isinstance(action, MrXMove) else action


def _twin(setup: Setup, chance: random.Random) -> Setup:
    free = sorted(set(setup.network.start_cards) - set(setup.start.values()) - {setup.mr_x.value})
    return Setup(setup.edition, setup.network, setup.owners, setup.start, Secret(chance.choice(free)), setup.options)


def _choose(one: Game, two: Game, chance: random.Random) -> tuple[Action, Action] | None:
    """One thing for each game to do that looks the same from outside and ends neither."""
    twins = defaultdict[object, list[Action]](list)
    for action in two.legal:
        twins[_same_for_all(action)].append(action)
    pairs = [(a, b) for a in one.legal for b in twins[_same_for_all(a)]]
    window = len(one.public.log) + 1
    if window in one.public.surfacing:
        # They surface at one station or not at all: what is seen must be the same.
        pairs = [(a, b) for a, b in pairs if not isinstance(a, MrXMove) or a == b]
    last = window == one.public.windows and not one.setup.options.get("last_chance")
    caught = {one.private.at.value, two.private.at.value}
    pairs = [
        (a, b)
        for a, b in pairs
        if not (isinstance(a, PawnMove) and a.to in caught) and not (isinstance(a, MrXMove) and last)
    ]
    return chance.choice(pairs) if pairs else None


@pytest.mark.parametrize("seed", range(amount(1, 4)))
def test_games_that_look_the_same_to_the_table_show_the_same_to_the_table(seed: int) -> None:
    compared = apart = refusals = 0
    for number in range(60):
        chance = random.Random(1000 * seed + number)
        setup = random_setup(london(), chance)
        one, two = Game(setup), Game(_twin(setup, chance))
        while (pair := _choose(one, two, chance)) is not None:
            one.play(pair[0])
            two.play(pair[1])
            if _over(one, two):
                break
            compared += 1
            apart += one.private.at != two.private.at
            assert one.public == two.public
            assert repr(one.public) == repr(two.public)
            refusals += _refuse_alike(one, two, chance)
    assert compared > 500
    assert apart > 400
    assert refusals > 200


@pytest.mark.parametrize("seed", range(amount(1, 4)))
def test_games_that_part_after_he_was_seen_show_the_same_until_he_is_seen_again(seed: int) -> None:
    compared = 0
    for number in range(60):
        chance = random.Random(7000 + 1000 * seed + number)
        one = Game(random_setup(london(), chance))
        while one.legal and MR_X not in one.public.pawns:
            here = one.private.at.value
            one.play(
                chance.choice([a for a in one.legal if not (isinstance(a, PawnMove) and a.to == here)] or one.legal)
            )
        two = Game(one.setup, one.actions)
        while (pair := _choose(one, two, chance)) is not None:
            one.play(pair[0])
            two.play(pair[1])
            if _over(one, two):
                break
            compared += one.private.at != two.private.at
            assert one.public == two.public
            _refuse_alike(one, two, chance)
    assert compared > 300


def _over(one: Game, two: Game) -> bool:
    """Whether they are over; only by being trapped may one end without the other."""
    ends = one.public.outcome, two.public.outcome
    assert ends[0] == ends[1] or TRAPPED in ends
    return ends != (None, None)


def _refuse_alike(one: Game, two: Game, chance: random.Random) -> int:
    """Both games refuse one wrong action in the same words."""
    station = chance.randrange(1, 200)
    wrong = chance.choice([PawnMove("red", station, "taxi"), MrXMove(Secret(station), "boat"), Double()])
    return refused_alike(one, two, wrong)
