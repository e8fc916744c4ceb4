"""Everyone sees the last move of each pawn, and which detectives have moved in a round.

Of Mister X's moves only one that begins and ends in sight is seen (CL-04, BE-05).
"""

from __future__ import annotations

import random

import pytest

from firmware_host.rules.actions import FUGITIVES, START, PawnMove
from firmware_host.rules.engines import system
from firmware_host.rules.game import Game
from firmware_host.rules.views import LastMove
from tests.rules.boards import game, london
from tests.table.cases import CASES, Case, shipped


def test_the_last_move_of_each_detective_stays_until_its_next_one() -> None:
    table = game(london(), 197, 29, 26, 50, played="184t r41b y15t")
    assert table.last_moves == (LastMove("red", 29, 41, "bus"), LastMove("yellow", 26, 15, "taxi"))


def test_a_move_that_is_taken_back_is_no_last_move() -> None:
    table = game(london(), 197, 29, 26, 50, played="184t r41b y15t")
    assert len(table.last_moves) == 2
    table.take_back()
    assert [move.pawn for move in table.last_moves] == ["red"]


@pytest.mark.parametrize("case", [Case("classic", 3), *CASES], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_cl_04_last_moves_follow_from_what_everyone_has_seen(case: Case, seed: int) -> None:
    """Mister X's last move appears only where two views in a row show his pawn, at two stations."""
    config, rng = shipped(case.rules), random.Random(seed)
    table = Game(system(config.edition).deal(config.ground, case.wish, rng))
    counted = 0
    while table.public.outcome is None:
        before, action = table.public, table.roll(rng) or rng.choice(table.legal)
        earlier = {move.pawn: move for move in table.last_moves}
        table.play(action)
        after = table.public
        for move in table.last_moves:
            assert move.to == after.pawns[move.pawn]
            if move != earlier.get(move.pawn):
                assert move.origin == before.pawns[move.pawn]
                counted += 1
        if isinstance(action, PawnMove) and action.pawn not in FUGITIVES:
            moved = [move for move in table.last_moves if move.pawn == action.pawn]
            came = before.pawns.get(action.pawn, action.to)
            assert moved == ([] if came == action.to else [LastMove(action.pawn, came, action.to, action.ticket)])
        for pawn in after.fugitives:
            if pawn not in before.pawns or pawn not in after.pawns:
                assert pawn not in {move.pawn for move in table.last_moves}
    assert counted > 1


# ---- who has moved in a round ----


CLASSIC = Case("classic", 3)


def _game(case: Case, chance: random.Random) -> Game:
    config = shipped(case.rules)
    return Game(system(config.edition).deal(config.ground, case.wish, chance))


@pytest.mark.parametrize("case", [CLASSIC, *CASES], ids=str)
@pytest.mark.parametrize("seed", range(5))
def test_a_detective_that_moves_is_told_of_as_moved_until_the_round_is_over(case: Case, seed: int) -> None:
    chance = random.Random(seed)
    game = _game(case, chance)
    moved: set[str] = set()
    round_, counted = game.public.round, 0
    while game.public.outcome is None:
        action = game.roll(chance) or chance.choice(game.legal)
        game.play(action)
        view = game.public
        if view.round != round_:
            round_, moved = view.round, set()
        elif isinstance(action, PawnMove) and action.pawn not in FUGITIVES and action.ticket != START:
            moved.add(action.pawn)
            counted += 1
        if view.outcome is None:
            assert set(view.moved) == moved
            assert not moved & set(view.turn)
            assert not moved & {skip.pawn for skip in view.skipped}
    assert counted > 1
