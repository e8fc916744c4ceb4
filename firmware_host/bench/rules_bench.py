"""Measure the rule systems by whole random games on one core."""

from __future__ import annotations

import random
import statistics

from firmware_host.bench.measurements import BenchError, cpu_seconds, repeatable_rng
from firmware_host.config.loader import Config, simulator, with_rules
from firmware_host.rules.actions import TICKETS, PawnMove
from firmware_host.rules.engines import system
from firmware_host.rules.pursuit.position import PursuitState
from firmware_host.rules.setup import Wish


def random_games(config: Config, wish: Wish, games: int, rng: random.Random) -> int:
    """Play games of random legal actions, each validated by `play`. Return the number of actions."""
    rules, draw, actions = system(config.edition), rng.random, 0
    legal, play = rules.legal, rules.play
    for _ in range(games):
        state = rules.begin(rules.deal(config.ground, wish, rng))
        while state.outcome is None:
            choices = legal(state)
            action = choices[int(draw() * len(choices))] if choices else rules.roll(state, rng)
            if action is None:
                raise BenchError(
                    f"{config.edition.name}: a game goes on without a legal action or dice to roll; report this bug"
                )
            state = play(state, action)
            actions += 1
    return actions


def games_a_second(rules: str, wish: Wish, *, games: int, rounds: int) -> float:
    """Return how many random games one core plays per second, as the median of several rounds."""
    rng, config = repeatable_rng(1), with_rules(simulator(), rules)
    random_games(config, wish, 1 + games // 10, rng)
    took = [cpu_seconds(lambda: random_games(config, wish, games, rng)) for _ in range(rounds)]
    return games / statistics.median(took)


def _positions(count: int) -> list[PursuitState]:
    """Return positions of random classic games in which a detective is on turn."""
    config, rng, found = simulator(), repeatable_rng(7), list[PursuitState]()
    rules = system(config.edition)
    while len(found) < count:
        state = rules.begin(rules.deal(config.ground, Wish(detectives=4), rng))
        while state.outcome is None:
            if state.turn >= 0:
                found.append(state)
            state = rules.play(state, rng.choice(rules.legal(state)))
    return found[:count]


def _built(state: PursuitState) -> tuple[PawnMove, ...]:
    """Return a detective's legal moves, creating a new object for each move."""
    pawn, at, hand = state.terms.order[state.turn], state.at, state.hands[state.turn]
    return tuple(
        [
            PawnMove(pawn, to, transport)
            for to, transports in state.terms.network.around(at[state.turn]).items()
            if to not in at
            for transport in transports
            if transport != "boat" and hand[TICKETS.index(transport)]
        ]
    )


def ready_made_ratio(*, positions: int, rounds: int) -> float:
    """Return how many times faster it is to list legal moves from prepared objects than to create them."""
    states, legal = _positions(positions), system(simulator().edition).legal
    if any(legal(state) != _built(state) for state in states):
        raise BenchError("legal moves: prepared rides and newly built moves differ; report this bug")
    unasked = [[state._replace() for state in states] for _ in range(rounds)]  # a position finds its actions once
    picked = [cpu_seconds(lambda: [legal(state) for state in unasked.pop()]) for _ in range(rounds)]
    built = [cpu_seconds(lambda: [_built(state) for state in states]) for _ in range(rounds)]
    return statistics.median(built) / statistics.median(picked)
