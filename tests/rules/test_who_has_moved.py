"""Everyone sees which detectives have moved in a round (CL-06, US-01, BE-02, DI-12, JU-05)."""

from __future__ import annotations

import random

import pytest

from firmware_host.rules.actions import FUGITIVES, START, PawnMove
from firmware_host.rules.engines import system
from firmware_host.rules.game import Game
from tests.table.cases import CASES, Case, shipped

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
