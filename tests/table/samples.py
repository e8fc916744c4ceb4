"""Short whole games of every rule system, created from the rules alone, with everything that the system has."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache

from firmware_host.config.loader import Config
from firmware_host.referee.events import TakeBack
from firmware_host.rules.actions import BLACK, MR_X, Commit, Double, PawnMove, Roll, RollAgain, Surface, Take
from firmware_host.rules.engines import system
from firmware_host.rules.game import Game
from tests.table.cases import Case, shipped
from tests.table.twins import Step, can_be_put_back, do


@dataclass(frozen=True)
class SampleGame:
    """A game to its end: its seed, and its actions."""

    case: Case
    seed: int
    steps: tuple[Step, ...]


@cache
def sample(case: Case, *, least: int = 20, most: int = 45) -> SampleGame:
    """Return a short whole game with every kind of event in its rules."""
    config, wanted = shipped(case.rules), _EVENTS[case.rules]
    for seed in range(5000):
        steps, seen = _random_game(config, case, seed, most)
        if len(steps) >= least and wanted <= seen:
            return SampleGame(case, seed, steps)
    raise AssertionError(f"no sample of {case}")


_EVENTS = {
    "us": {TakeBack, Double, Surface, Take, "shown"},
    "current": {TakeBack, Double, "shown", BLACK},
    "beginners": {TakeBack, Double, BLACK, "hidden"},
    "dice": {TakeBack, Double, RollAgain, Roll, BLACK, "shown"},
    "junior": {TakeBack, Commit, "stay"},
}


def _random_game(config: Config, case: Case, seed: int, most: int) -> tuple[tuple[Step, ...], set[object]]:
    luck, chance = random.Random(seed), random.Random(f"{seed}/moves")
    game = Game(system(config.edition).deal(config.ground, case.wish, luck))
    steps: list[Step] = []
    seen: set[object] = set()
    while game.public.outcome is None:
        if len(steps) >= most:
            return (), seen
        steps.append(_random_step(game, luck, chance))
        seen |= {type(steps[-1]), getattr(steps[-1], "ticket", None)}
        do(game, steps[-1])
        if game.public.outcome is None and game.public.log:
            seen.add("shown" if MR_X in game.public.pawns else "hidden")
    return tuple(steps), seen


def _random_step(game: Game, luck: random.Random, chance: random.Random) -> Step:
    roll = game.roll(luck)
    if roll is not None:
        return roll
    if can_be_put_back(game) and chance.random() < 0.08:
        return TakeBack()
    rare = [a for a in game.legal if isinstance(a, Double | Surface | RollAgain)]
    if rare and chance.random() < 0.15:
        return chance.choice(rare)
    moves = [a for a in game.legal if a not in rare] or rare
    near = [a for a in moves if isinstance(a, PawnMove) and a.to == game.private.at.value]
    return chance.choice(near or moves) if chance.random() < 0.5 else chance.choice(moves)
