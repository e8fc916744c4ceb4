"""Everyone sees the last move of each pawn; of Mister X's only one that begins and ends in sight (CL-04, BE-05)."""

from __future__ import annotations

import random

import pytest

from firmware_host.rules.actions import FUGITIVES, PawnMove
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
