"""What the junior game shows and says never depends on what Mister X has picked (JU-04, PB-07)."""

from __future__ import annotations

import random
import traceback
from typing import Any

import pytest

from firmware_host.rules.actions import MR_X, MR_X_JUNIOR, Action, Commit, Double, PawnMove
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.game import Game
from firmware_host.rules.secret import Secret
from tests.amount import amount
from tests.rules.junior.junior_boards import game, lanes, london, play, random_setup, small

# Mister X alone ever has a bus or an underground, so that any mention of one after his pick is a leak. Nobody else
# comes to stations of four digits.
CANARY = small("taxi 11-12, bus 7001-7002, underground 7001-7003, boat 12-7003", (11, 12, 7001, 7002))


def _complaint(table: Game, action: Any) -> str:
    with pytest.raises(IllegalAction) as complaint:
        table.play(action)
    return "".join(traceback.format_exception(complaint.value))


@pytest.mark.parametrize("picked", ["bus", "underground", "stay"])
def test_ju_04_nothing_printed_tells_what_was_picked(picked: str) -> None:
    table = game(CANARY)
    table.play(Commit(MR_X, Secret(picked)))
    state = table._states[-1]
    play(table, "wt")
    view = table.private
    things = [state, table._states[-1], *table.actions, view.at, view.route, view.choices, table.setup]
    printed = " ".join(f"{thing} {thing!r}" for thing in things)
    assert "bus" not in printed
    assert "underground" not in printed
    assert "7002" not in printed
    assert "7003" not in printed


def test_ju_04_no_refusal_tells_what_was_picked() -> None:
    wrong: list[Action] = [PawnMove("white", 12, "bus"), PawnMove(MR_X, 7002, "bus"), Commit(MR_X, Secret("bus"))]
    wrong += [Double(), Commit(MR_X_JUNIOR, Secret("taxi")), PawnMove("yellow", 5, "stay")]
    for action in wrong:
        told = set()
        for picked in ("bus", "underground", "stay"):
            table = game(CANARY)
            table.play(Commit(MR_X, Secret(picked)))
            told.add(_complaint(table, action))
        assert len(told) == 1


def test_ju_04_the_refusal_of_a_pick_tells_no_ticket() -> None:
    told = {_complaint(game(CANARY), Commit(MR_X, Secret(ticket))) for ticket in ("boat", "taxi", "7001")}
    assert len(told) == 1
    (words,) = told
    assert not any(word in words for word in ("boat", "taxi", "7001"))


def _twins(one: Game, chance: random.Random) -> Game:
    """The same game with another pick by whoever is to pick, or the same if there is no other."""
    two = Game(one.setup, one.actions)
    action = chance.choice(one.legal)
    other = chance.choice([a for a in one.legal if a != action] or [action])
    one.play(action)
    two.play(other)
    return two


def _shown(table: Game) -> tuple[object, ...]:
    return table.public, repr(table.public), table.private.at, table.private.actor, repr(table.private)


@pytest.mark.parametrize("seed", range(amount(1, 4)))
def test_ju_04_games_that_differ_in_what_was_picked_show_the_same_until_he_shows_himself(seed: int) -> None:
    compared = 0
    for number in range(200):
        chance = random.Random(1000 * seed + number)
        one = Game(random_setup(london() if number % 2 else lanes(number), chance))
        for _ in range(chance.randrange(30)):
            if one.legal:
                one.play(chance.choice(one.legal))
        if not one.public.mr_x_to_move:
            continue
        two = _twins(one, chance)
        assert _shown(one) == _shown(two)
        while one.public.mr_x_to_move:
            pick = chance.choice(one.legal)
            one.play(pick)
            two.play(pick)
            assert _shown(one) == _shown(two)
        while len(one.public.turn) > 1:
            assert one.legal == two.legal == one.public.moves
            wrong = PawnMove("white", chance.choice(list(one.public.network.stations)), "black")
            assert _complaint(one, wrong) == _complaint(two, wrong)
            move = chance.choice(one.legal)
            one.play(move)
            two.play(move)
            assert _shown(one) == _shown(two)
        compared += 1
    assert compared > 30


def test_ju_07_after_the_reveal_they_differ() -> None:
    one, two = game(london(), "xt w- y-"), game(london(), "xb w- y-")
    assert one.public != two.public
