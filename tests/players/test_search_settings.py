"""The numbers that the search goes by can be changed."""

from __future__ import annotations

import random

import pytest

from firmware_host.players.search.game_numbers import distances
from firmware_host.players.search.search_player import SearchPlayer
from firmware_host.players.search_settings import SearchSettings
from firmware_host.rules.actions import PawnMove
from tests.amount import amount
from tests.players.test_search_player import dealt


@pytest.mark.parametrize("seed", range(amount(3, 40)))
def test_a_strong_pull_leads_detectives_to_where_he_may_be(seed: int) -> None:
    game, chance = dealt("classic", seed), random.Random(seed)
    settings = SearchSettings(urgency=0.0, pull=10_000.0)
    player = SearchPlayer(game.setup, rng=chance, enough=lambda done, _: done >= 50, settings=settings)
    while game.public.round <= 4 and game.public.outcome is None:
        view = game.public
        player.see(view)
        if view.his_turn:
            game.play(chance.choice(game.legal))
            continue
        far = distances(game.setup.network) @ player.belief
        nearer = {move: far[view.pawns[move.pawn]] - far[move.to] for move in game.legal if isinstance(move, PawnMove)}
        action = player.pursue(view)
        assert isinstance(action, PawnMove)
        assert nearer[action] == pytest.approx(max(nearer.values()), rel=0.1, abs=0.05)
        game.play(action)
