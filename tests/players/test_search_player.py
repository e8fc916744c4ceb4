"""Players that search know what everyone knows, do what is legal, and win more than those that do not."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from firmware_host.config.loader import simulator, with_rules
from firmware_host.players.heuristic import heuristic
from firmware_host.players.player_errors import CannotPlay
from firmware_host.players.search.game_numbers import distances
from firmware_host.players.search.search_player import SearchPlayer
from firmware_host.players.search.tree import MOST_EDGES
from firmware_host.players.search_settings import SearchSettings
from firmware_host.rules.actions import MR_X, Action, MrXMove, PawnMove
from firmware_host.rules.engines import system
from firmware_host.rules.game import Game
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Wish
from firmware_host.rules.views import MrXView, PublicView
from tests.amount import amount
from tests.players.too_large import game_of_six_pawns, game_with_high_numbers

RULES = ("classic", "current", "us", "beginners")


def dealt(rules: str, seed: int, **options: bool) -> Game:
    config = with_rules(simulator(), rules)
    return Game(system(config.edition).deal(config.ground, Wish(options=options), random.Random(seed)))


def searcher(game: Game, iterations: int = 250) -> SearchPlayer:
    return SearchPlayer(game.setup, rng=random.Random(1), enough=lambda done, _: done >= iterations)


def play(
    game: Game,
    detectives: Callable[[PublicView], Action],
    mr_x: Callable[[MrXView], Action],
    *watching: SearchPlayer,
) -> str:
    """Play a game to its end, and return who has won."""
    while True:
        view = game.public
        for player in watching:
            player.see(view)
        if view.outcome is not None:
            return view.outcome.winner
        game.play(mr_x(game.private) if view.mr_x_to_move else detectives(view))


@pytest.mark.parametrize("seed", range(amount(1, 100)))
@pytest.mark.parametrize("rules", RULES)
def test_he_is_always_where_the_belief_holds_him_possible(rules: str, seed: int) -> None:
    game, chance = dealt(rules, seed), random.Random(seed)
    player = searcher(game)
    while game.public.outcome is None:
        player.see(game.public)
        assert player.belief[game.private.at.value] > 0
        assert player.belief.sum() == pytest.approx(1)
        game.play(chance.choice(game.legal))


@pytest.mark.parametrize("mr_x", [150, 82])
def test_be_01_who_begins_in_the_open_is_known_from_the_first_view_on_wherever_a_script_sets_pawns(mr_x: int) -> None:
    config = with_rules(simulator(), "beginners")
    start = {MR_X: mr_x, "red": 82 if mr_x != 82 else 150, "yellow": 13, "green": 26, "blue": 50}
    deal = system(config.edition).deal(config.ground, Wish(start=start), random.Random(1))
    game, chance = Game(deal), random.Random(1)
    player = searcher(game)
    player.see(game.public)
    assert np.flatnonzero(player.belief).tolist() == [mr_x]
    while game.public.outcome is None:
        game.play(chance.choice(game.legal))
        player.see(game.public)
        assert game.public.outcome is not None or player.belief[game.private.at.value] > 0


@pytest.mark.parametrize("rules", RULES)
def test_what_a_player_chooses_is_legal_on_both_sides_to_the_end(rules: str) -> None:
    options = {"voluntary_surfacing": True, "cut_off": True} if rules == "us" else {}
    game = dealt(rules, 5, **options)
    player, other = searcher(game), searcher(game)
    assert play(game, player.pursue, other.flee, player, other) in ("detectives", MR_X)


@pytest.mark.long
def test_detectives_that_search_catch_whoever_flees_by_habit() -> None:
    won = 0
    for seed in range(amount(5, 60)):
        game, chance = dealt("classic", seed), random.Random(seed)
        player = searcher(game, 1000)
        won += play(game, player.pursue, partial(heuristic.flee, rng=chance), player) == "detectives"
    assert won >= amount(2, 42)


def test_mister_x_who_searches_escapes_whoever_chases_by_habit() -> None:
    won = 0
    for seed in range(amount(4, 60)):
        game, chance = dealt("classic", seed), random.Random(seed)
        player = searcher(game, 1500)
        won += play(game, partial(heuristic.pursue, rng=chance), player.flee, player) == MR_X
    assert won >= amount(3, 45)


def test_two_games_that_differ_in_his_hidden_place_alone_are_played_alike_by_the_detectives() -> None:
    game = dealt("classic", 1)
    elsewhere = next(card for card in game.setup.network.start_cards if card not in game.setup.start.values())
    twin = Game(replace(game.setup, mr_x=Secret(elsewhere)))
    chosen = []
    for table in (game, twin):
        player = searcher(table)
        player.see(table.public)
        table.play(next(move for move in table.legal if isinstance(move, MrXMove) and move.ticket == "taxi"))
        player.see(table.public)
        chosen.append((player.pursue(table.public), player.belief.tolist()))
    assert chosen[0] == chosen[1]


@pytest.mark.long
def test_a_tree_that_is_full_takes_no_more_than_it_has_room_for_and_the_search_goes_on() -> None:
    game = dealt("classic", 1)
    player = searcher(game, 300_000)
    player.see(game.public)
    game.play(next(move for move in game.legal if isinstance(move, MrXMove) and move.ticket == "taxi"))
    player.see(game.public)
    assert player.pursue(game.public) in game.legal
    used = player._table.used
    assert MOST_EDGES <= used[0] < len(used)


def test_what_other_threads_do_meanwhile_takes_nothing_of_its_time() -> None:
    game = dealt("classic", 1)
    told: list[float] = []

    def enough(done: int, used: float) -> bool:
        told.append(used)
        if done == 0:
            other = threading.Thread(target=_work_for, args=(0.5,))
            other.start()
            other.join()
        return done >= 100

    player = SearchPlayer(game.setup, rng=random.Random(1), enough=enough)
    player.see(game.public)
    game.play(player.flee(game.private))
    player.see(game.public)
    told.clear()
    began = time.thread_time()
    player.pursue(game.public)
    assert max(told) <= 2 * (time.thread_time() - began)  # twice: half of the time is there to announce something


def _work_for(seconds: float) -> None:
    """Keep a processor busy, by the clock of this thread."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def hurried(seed: int, *, elsewhere: bool) -> tuple[Action, Action]:
    """What the second detective of a round does without any time, and the first of what it might do.

    The first one had plenty. With `elsewhere` it has gone somewhere else than its player has said.
    """
    game, iterations = dealt("classic", seed), [3000]
    player = SearchPlayer(game.setup, rng=random.Random(1), enough=lambda done, _: done >= iterations[0])
    player.see(game.public)
    game.play(next(move for move in game.legal if isinstance(move, MrXMove) and move.ticket == "taxi"))
    player.see(game.public)
    first = player.pursue(game.public)
    game.play(next(move for move in game.legal if (move != first) == elsewhere))
    player.see(game.public)
    iterations[0] = 0
    return player.pursue(game.public), game.legal[0]


def test_detectives_of_one_seat_go_on_with_what_was_searched_for_those_before() -> None:
    games = [hurried(seed, elsewhere=False) for seed in range(10)]
    assert sum(answer != first for answer, first in games) >= 7


def test_what_was_searched_for_another_position_is_forgotten() -> None:
    games = [hurried(seed, elsewhere=True) for seed in range(10)]
    assert all(answer == first for answer, first in games)  # where nothing is known, any is as good


# ---- the numbers that it goes by ----


@pytest.mark.parametrize("seed", range(amount(3, 40)))
def test_a_strong_pull_leads_detectives_to_where_he_may_be(seed: int) -> None:
    game, chance = dealt("classic", seed), random.Random(seed)
    settings = SearchSettings(urgency=0.0, pull=10_000.0)
    player = SearchPlayer(game.setup, rng=chance, enough=lambda done, _: done >= 50, settings=settings)
    while game.public.round <= 4 and game.public.outcome is None:
        view = game.public
        player.see(view)
        if view.mr_x_to_move:
            game.play(chance.choice(game.legal))
            continue
        far = distances(game.setup.network) @ player.belief
        nearer = {move: far[view.pawns[move.pawn]] - far[move.to] for move in game.legal if isinstance(move, PawnMove)}
        action = player.pursue(view)
        assert isinstance(action, PawnMove)
        assert nearer[action] == pytest.approx(max(nearer.values()), rel=0.1, abs=0.05)
        game.play(action)


@pytest.mark.parametrize(
    ("begun", "why"),
    [
        (game_of_six_pawns, "at most 5 detectives' pawns, not 6"),
        (game_with_high_numbers, "up to 1021; london has 1199"),
    ],
)
def test_a_game_that_is_too_large_for_the_search_is_refused(begun: Callable[[], Game], why: str) -> None:
    with pytest.raises(CannotPlay, match=why):
        searcher(begun())
