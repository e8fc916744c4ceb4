"""Mister X's search knows what detectives can know, expects the answers that they would give, and cannot be read."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from firmware_host.players.levels.pursuit_strategies import is_seen
from firmware_host.players.search import belief, random_numbers, reply_model
from firmware_host.players.search.game_numbers import (
    AT,
    BLACK_TICKET,
    MOVE,
    PAWN,
    PAWN_SHIFT,
    SEEN,
    Row,
    X,
    distances,
    game_numbers,
    row_of_view,
)
from firmware_host.players.search.playout_policy import sensible
from firmware_host.players.search.reply_model import STYLES, Suspicion
from firmware_host.players.search.rules_kernel import MOST_ACTIONS, legal
from firmware_host.players.search.search_player import SearchPlayer
from firmware_host.players.search_settings import DEFAULT
from firmware_host.rules.actions import BLACK, FREE, MR_X, TICKETS, Action, MrXMove
from firmware_host.rules.game import Game
from firmware_host.rules.pursuit.pursuit_game import Pursuit
from firmware_host.rules.pursuit.pursuit_view import PursuitView
from tests.amount import amount
from tests.players.test_search_player import RULES, dealt, play


class Watcher:
    """What the simulated detectives believe, along the public views of a real game."""

    def __init__(self, game: Game, believed: np.ndarray) -> None:
        self.terms = Pursuit(game.setup.edition).begin(game.setup).terms
        self.game, self.distances = game_numbers(self.terms), distances(self.terms.network)
        self.suspicion, self.count = Suspicion.empty(len(believed)), 0
        self.count = reply_model.believe(self.suspicion, 0, believed, False)

    def see(self, before: PursuitView, view: PursuitView) -> None:
        row = row_of_view(before, self.terms)
        for entry in view.log[len(before.log) :]:
            ticket = TICKETS.index(entry.ticket) if entry.ticket != FREE else 0
            self.count = reply_model.carry_on(self.game, row, self.distances, self.suspicion, self.count, ticket)
            if entry.station is not None:
                self.count = reply_model.know(self.suspicion, self.count, entry.station)
        if view.pawns.get(MR_X):
            self.count = reply_model.know(self.suspicion, self.count, view.pawns[MR_X])
        for pawn in view.order:
            if view.outcome is None:
                self.count = reply_model.rule_out(self.suspicion, self.count, view.pawns[pawn])

    @property
    def places(self) -> set[int]:
        return set(map(int, self.suspicion.places[: self.count]))

    def actions(self, row: Row) -> list[int]:
        found = np.empty(MOST_ACTIONS, np.int32)
        return list(map(int, found[: legal(self.game, row, found)]))

    def reply(self, row: Row, style: int, noise: float = 0.0) -> int:
        found = np.empty(MOST_ACTIONS, np.int32)
        count, rng = legal(self.game, row, found), random_numbers.begin(1)
        return reply_model.likely_reply(
            self.game, row, self.distances, self.suspicion, self.count, style, noise, found, count, rng
        )


def watched(rules: str, seed: int) -> tuple[Game, list[PursuitView], SearchPlayer]:
    """Return a game played at random, its public views, and a player that has seen the first of them."""
    game, chance = dealt(rules, seed), random.Random(seed)
    player, views = SearchPlayer(game.setup, rng=chance, enough=lambda *_: True), [game.public]
    player.see(game.public)
    while game.public.outcome is None:
        game.play(chance.choice(game.legal))
        views.append(game.public)
    return game, views, player


@pytest.mark.parametrize("seed", range(amount(2, 100)))
@pytest.mark.parametrize("rules", RULES)
def test_simulated_detectives_hold_possible_what_the_public_record_allows(rules: str, seed: int) -> None:
    game, views, player = watched(rules, seed)
    watcher = Watcher(game, player.belief)
    for before, view in pairwise(views):
        player.see(view)
        watcher.see(before, view)
        if view.outcome is None:
            assert watcher.places == set(np.flatnonzero(player.belief))
            assert watcher.suspicion.weights.sum() == pytest.approx(1)


def _worth(watcher: Watcher, row: Row, action: int, style: int) -> float:
    """Compute what an action is worth to detectives of a style, straight from the definition."""
    weights, pawns = watcher.suspicion.weights, len(watcher.terms.order)
    pawn, to = (action >> PAWN_SHIFT) - 1, ((action & (PAWN - 1)) - MOVE) >> 2
    away = np.minimum(watcher.distances, 12).astype(float)
    at = [int(row[AT + each]) for each in range(pawns)]
    moved = [to if each == pawn else place for each, place in enumerate(at)]
    worth = reply_model._APPROACH[style] * float((away[at[pawn]] - away[to]) @ weights)
    worth += reply_model._CATCH[style] * float(weights[to])
    return worth - reply_model._COVER[style] * float(np.min([away[place] for place in moved], axis=0) @ weights)


@pytest.mark.parametrize("style", range(STYLES))
@pytest.mark.parametrize("rules", RULES)
def test_a_simulated_detective_makes_the_move_that_is_worth_most_to_its_style(rules: str, style: int) -> None:
    game, views, player = watched(rules, 3)
    watcher, compared = Watcher(game, player.belief), 0
    for before, view in pairwise(views):
        watcher.see(before, view)
        if view.outcome is not None or view.mr_x_to_move:
            continue
        row = row_of_view(view, watcher.terms)
        worths = {action: _worth(watcher, row, action, style) for action in watcher.actions(row)}
        assert worths[watcher.reply(row, style)] == pytest.approx(max(worths.values()))
        compared += len(worths) > 1
    assert compared > 10


@pytest.mark.parametrize("style", [0, 3])
def test_a_simulated_detective_beside_a_seen_mister_x_catches_him(style: int) -> None:
    game, views, player = watched("classic", 4)
    watcher = Watcher(game, player.belief)
    view = next(view for view in views if not view.mr_x_to_move)
    row = row_of_view(view, watcher.terms)
    target = ((watcher.actions(row)[-1] & (PAWN - 1)) - MOVE) >> 2
    row[SEEN], watcher.count = target, reply_model.know(watcher.suspicion, watcher.count, target)
    assert ((watcher.reply(row, style, 0.1) & (PAWN - 1)) - MOVE) >> 2 == target


class Covering:
    """Detectives that look one move ahead: the nearest of them shall be near every station where he may be."""

    def __init__(self, game: Game) -> None:
        self._watching = SearchPlayer(game.setup, rng=random.Random(1), enough=lambda *_: True)
        self._terms = Pursuit(game.setup.edition).begin(game.setup).terms
        self._away = np.minimum(distances(self._terms.network), 12).astype(float)

    def pursue(self, view: PursuitView) -> Action:
        self._watching.see(view)
        possible = self._watching.belief > 0

        def worth(move: Action) -> float:
            places = [move.to if pawn == move.pawn else view.pawns[pawn] for pawn in view.order]
            here = 2.0 * possible[move.to] / possible.sum()
            return here - float(np.min(self._away[places], axis=0)[possible].mean())

        return max(view.moves, key=worth)

    def flee(self, search: SearchPlayer) -> object:
        def flee(view: object) -> Action:
            self._watching.see(view.public)
            return search.flee(view)

        return flee


def test_he_escapes_from_detectives_that_look_one_move_ahead() -> None:
    won, games = 0, amount(6, 60)
    for seed in range(games):
        game = dealt("classic", seed)
        detectives = Covering(game)
        search = SearchPlayer(game.setup, rng=random.Random(seed), enough=lambda done, _: done >= 600)
        won += play(game, detectives.pursue, detectives.flee(search), search) == MR_X
    assert won >= 0.8 * games


@pytest.mark.parametrize("deal", range(6))
def test_he_tries_first_what_the_model_of_his_choices_expects(deal: int) -> None:
    game, eager = dealt("classic", deal), replace(DEFAULT, his_pull=100.0)
    player = SearchPlayer(game.setup, rng=random.Random(1), enough=lambda done, _: done >= 10, settings=eager)
    player.see(game.public)
    terms = Pursuit(game.setup.edition).begin(game.setup).terms
    numbers, away, row = game_numbers(terms), distances(terms.network), row_of_view(game.public, terms)
    features = np.zeros(len(belief.FEATURES))

    def appeal(move: MrXMove) -> float:
        at, to, ticket = game.private.at.value, move.to.value, TICKETS.index(move.ticket)
        belief.describe(numbers, row, away, at, to, ticket, features)
        return float(belief.learned() @ features)

    expected = max((action for action in game.legal if isinstance(action, MrXMove)), key=appeal)
    assert player.flee(game.private) == expected


@pytest.mark.parametrize(("window", "useful"), [(1, True), (2, True), (3, False), (4, True), (8, False)])
def test_be_07_a_black_ticket_is_useful_exactly_where_his_pawn_would_be_seen(window: int, useful: bool) -> None:
    game, chance = dealt("beginners", 2), random.Random(5)
    while not (game.public.mr_x_to_move and len(game.public.log) == window - 1):
        game.play(chance.choice([action for action in game.legal if getattr(action, "ticket", "") != BLACK]))
    SearchPlayer(game.setup, rng=chance, enough=lambda *_: True)  # drops what was compiled from other code
    terms = Pursuit(game.setup.edition).begin(game.setup).terms
    numbers, row, found = game_numbers(terms), row_of_view(game.public, terms), np.empty(MOST_ACTIONS, np.int32)
    row[X] = game.private.at.value
    left = found[: sensible(numbers, row, found, legal(numbers, row, found))]
    assert any(action >= MOVE and (action - MOVE) & BLACK_TICKET == BLACK_TICKET for action in left) is useful
    assert is_seen(game.private, FREE) is useful
    assert not is_seen(game.private, BLACK)


def test_among_moves_that_are_nearly_as_good_he_plays_now_one_and_now_another() -> None:
    differ = 0
    for deal in range(6):
        game, chosen = dealt("classic", deal), set[int]()
        for seed in range(6):
            player = SearchPlayer(game.setup, rng=random.Random(seed), enough=lambda done, _: done >= 300)
            player.see(game.public)
            chosen.add(player.flee(game.private).to.value)
        differ += len(chosen) > 1
    assert differ > 0
