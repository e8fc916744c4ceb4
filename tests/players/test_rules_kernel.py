"""The compiled kernel and the rules engine play the same game: legal actions, tickets, positions and ends."""

from __future__ import annotations

import random

import numpy as np
import pytest

from firmware_host.config.loader import Config, simulator, with_rules
from firmware_host.players.search import rules_kernel
from firmware_host.players.search.game_numbers import (
    AT,
    BARE,
    BLACK_TICKET,
    BLACKS,
    DOUBLE,
    DOUBLES,
    HALF,
    HANDS,
    MOVE,
    MOVED,
    OCCUPIED,
    OUTCOME,
    OUTCOMES,
    PAWN,
    ROUND,
    SEEN,
    SUPPLY,
    SURFACE,
    TAKE,
    TAKING,
    TURN,
    WINDOWS_FILLED,
    Row,
    X,
    action_of,
    game_numbers,
)
from firmware_host.rules.actions import BLACK, FREE, TICKETS, Action, MrXMove, PawnMove, Surface, Take
from firmware_host.rules.pursuit.edition import Edition
from firmware_host.rules.pursuit.position import PursuitState, PursuitTerms
from firmware_host.rules.pursuit.pursuit_game import Pursuit
from firmware_host.rules.setup import Option, Wish
from tests.amount import amount

GAMES = 25
"""Random games of each box in a block. All blocks of the long tests are 100,000 games."""

RULES = ("classic", "current", "us", "beginners")


def some_options(edition: Edition, chance: random.Random) -> dict[str, Option]:
    """Any values of all options that a box has."""
    values: dict[str, list[Option]] = {
        "log_windows": [edition.windows, chance.randint(3, edition.windows)],
        "x_fares": ["unlimited", "counted"],
    }
    return {name: chance.choice(values.get(name, [False, True])) for name in edition.options}


@pytest.mark.parametrize("block", range(amount(1, 1000)))
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.long_but_first
def test_engine_and_kernel_agree_on_every_action_and_position_of_random_games(rules: str, block: int) -> None:
    for seed in range(GAMES * block, GAMES * (block + 1)):
        agree(with_rules(simulator(), rules), random.Random(seed))


def agree(config: Config, chance: random.Random) -> None:
    """Play a random game with random options, by both, to its end."""
    edition = config.edition
    assert isinstance(edition, Edition)
    wish = Wish(players=chance.choice([*edition.seats]), options=some_options(edition, chance))
    engine = Pursuit(edition)
    state = engine.begin(engine.deal(config.ground, wish, chance))
    game, row, found = game_numbers(state.terms), row_of(state), np.empty(rules_kernel.MOST_ACTIONS, np.int32)
    while state.outcome is None:
        legal = engine.legal(state)
        count = rules_kernel.legal(game, row, found)
        assert sorted(found[:count]) == sorted(number_of(action, state.terms) for action in legal)
        action = chance.choice(legal)
        number = number_of(action, state.terms)
        assert action_of(number, state.terms, state.terms.order[state.taking[0]] if state.taking else "") == action
        state = engine.play(state, action)
        rules_kernel.play(game, row, number)
        assert row.tolist() == row_of(state).tolist()
    assert rules_kernel.legal(game, row, found) == 0


def row_of(state: PursuitState) -> Row:
    """Return a position as a row."""
    row = np.zeros(OCCUPIED + max(state.terms.network.stations) + 1, np.int16)
    row[X], row[TURN], row[HALF], row[MOVED] = state.x, state.turn, state.half, state.moved
    row[ROUND], row[BLACKS], row[DOUBLES] = state.round, state.blacks, state.doubles
    row[SUPPLY : SUPPLY + 3] = state.supply
    row[WINDOWS_FILLED], row[OUTCOME] = len(state.log), OUTCOMES.index(state.outcome)
    row[BARE], row[TAKING] = state.bare, sum(1 << pawn for pawn in state.taking)
    seen = state.log[-1].seen if state.log else state.terms.in_sight
    row[SEEN] = state.x if seen else 0
    row[AT : AT + len(state.at)] = state.at
    row[[OCCUPIED + station for station in state.at]] = 1
    row[HANDS : HANDS + 3 * len(state.hands)] = [count for hand in state.hands for count in hand]
    return row


def number_of(action: Action, terms: PursuitTerms) -> int:
    """Return the number that stands for an action."""
    match action:
        case PawnMove(pawn, to, fare):
            ticket = 0 if fare == FREE else TICKETS.index(fare)
            return PAWN * (terms.places[pawn] + 1) + MOVE + 4 * to + ticket
        case MrXMove(to, fare):
            ticket = BLACK_TICKET if fare == BLACK else 0 if fare == FREE else TICKETS.index(fare)
            return MOVE + 4 * to.value + ticket
        case Take(_, ticket):
            return TAKE + TICKETS.index(ticket)
    return SURFACE if isinstance(action, Surface) else DOUBLE
