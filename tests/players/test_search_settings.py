"""The numbers that the search goes by can be changed, and those of formerly play as they did."""

from __future__ import annotations

import random

import pytest

from firmware_host.players.search.game_numbers import distances
from firmware_host.players.search.search_player import SearchPlayer
from firmware_host.players.search.search_settings import SearchSettings
from firmware_host.rules.actions import MrXMove, PawnMove
from tests.amount import amount
from tests.players.test_search_player import dealt

EACH_FIRST = SearchSettings(urgency=1e6, pull=0.0, noise=1.5)
"""Detectives try each action before any is tried again, as they did before `urgency` and `pull`."""

# Recorded before any of these numbers became settings.
FORMERLY = {
    "classic": (
        3,
        """100t r93t y38t g114t b167t 63b r79u y51t g113t b153t 65b r78t y67t g100t b180b 35t r77b y66t g82b b165b 48t
        r58b y67t g65t b123b 34t r1b y68t g22b b137t""",
        0.09011910162909009,
    ),
    "us": (
        5,
        """124t y114t p102t r14t g134t b93t 153b p103t y126t r13t g142t b94t 111u y115t p86t r89u g159t b93t 112b p103t
        y126t r67u g172t b94b 100t y140t p85t r23b g171t b93t""",
        0.058630361031294806,
    ),
}


@pytest.mark.parametrize("rules", FORMERLY)
def test_the_settings_of_formerly_play_as_before_there_were_settings_to_the_last_bit(rules: str) -> None:
    seed, moves, spread = FORMERLY[rules]
    game = dealt(rules, seed)
    detectives, mr_x = (
        SearchPlayer(game.setup, chance=random.Random(n), enough=lambda done, _: done >= 400, settings=EACH_FIRST)
        for n in (1, 2)
    )
    told = []
    for _ in moves.split():
        view = game.public
        for player in (detectives, mr_x):
            player.see(view)
        action = mr_x.flee(game.private) if view.his_turn else detectives.pursue(view)
        assert isinstance(action, MrXMove | PawnMove)
        who, to = ("", action.to.value) if isinstance(action, MrXMove) else (action.pawn[0], action.to)
        told.append(f"{who}{to}{action.ticket[0]}")
        game.play(action)
    detectives.see(game.public)
    assert told == moves.split()
    assert float((detectives.belief**2).sum()) == spread


@pytest.mark.parametrize("seed", range(amount(3, 40)))
def test_a_strong_pull_leads_detectives_to_where_he_may_be(seed: int) -> None:
    game, chance = dealt("classic", seed), random.Random(seed)
    settings = SearchSettings(urgency=0.0, pull=10_000.0)
    player = SearchPlayer(game.setup, chance=chance, enough=lambda done, _: done >= 50, settings=settings)
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
