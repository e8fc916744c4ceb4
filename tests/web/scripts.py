"""Short games created from the rules alone, for people to play at pages."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from firmware_host.config.loader import Config
from firmware_host.players.heuristic.game_heuristic import distances
from firmware_host.rules.actions import MR_X, STAY, Action, MrXMove, PawnMove
from firmware_host.rules.dice.dice_view import DiceView
from firmware_host.rules.engines import system
from firmware_host.rules.game import Game
from firmware_host.rules.junior.junior_view import ChipWon
from firmware_host.rules.views import PublicView
from tests.table.cases import Case, shipped

Done = tuple[Action, PublicView, PublicView]
"""A step, and the public views before and after it."""


@dataclass(frozen=True)
class Script:
    """A game, or its beginning: the case, the seed of its cards and dice, and the steps."""

    case: Case
    seed: int
    steps: tuple[Action, ...]


def script(
    case: Case, *wanted: Callable[[Done], object], most: int, whole: bool = False, config: Config | None = None
) -> Script:
    """Return the first game from seed 0 on in which all wanted events happen within `most` steps.

    It ends after the last wanted event; a `whole` game ends with the game. It is played on the shipped board unless a
    configuration is given.
    """
    for seed in range(5000):
        steps = _played(config or shipped(case.rules), case, seed, wanted, most, whole=whole)
        if steps is not None:
            return Script(case, seed, steps)
    raise AssertionError(f"no such game of {case}")


def _played(
    config: Config, case: Case, seed: int, wanted: tuple[Callable[[Done], object], ...], most: int, *, whole: bool
) -> tuple[Action, ...] | None:
    luck, chance = random.Random(seed), random.Random(f"{seed}/moves")
    game = Game(system(config.edition).deal(config.ground, case.wish, luck))
    missing, steps = set(wanted), list[Action]()
    while len(steps) < most:
        before = game.public
        step = game.roll(luck) or _step(game, chance)
        game.play(step)
        steps.append(step)
        missing = {want for want in missing if not want((step, before, game.public))}
        over = game.public.outcome is not None
        if not missing and (over or not whole):
            return tuple(steps)
        if over:
            return None
    return None


def _step(game: Game, chance: random.Random) -> Action:
    """Do any action as Mister X, or close in on him as a detective. Nobody shares a station except in a capture."""
    legal = list(game.legal)
    moves = [action for action in legal if isinstance(action, PawnMove)]
    if not moves or game.public.mr_x_to_move:
        return chance.choice(legal)
    at, stations = game.private.at.value, set(game.public.pawns.values())
    apart = [move for move in moves if move.ticket != STAY and (move.to not in stations or move.to == at)] or moves
    if not at:
        return chance.choice(apart)
    away = distances(game.public.network, at)
    return min(apart, key=lambda move: (away.get(move.to, 99), chance.random()))


# ---- what can be wanted ----


def kind(wanted: type[Action]) -> Callable[[Done], object]:  # type: ignore[type-arg]
    """Return a test of whether an action is of this kind."""
    return lambda done: isinstance(done[0], wanted)


def shows_himself(done: Done) -> object:
    """Return whether a hidden Mister X becomes visible."""
    return MR_X not in done[1].pawns and MR_X in done[2].pawns


def vanishes(done: Done) -> object:
    """Return whether a visible Mister X becomes hidden."""
    return MR_X in done[1].pawns and MR_X not in done[2].pawns


def in_the_open(done: Done) -> object:
    """Return whether Mister X moves his pawn for all to see."""
    return isinstance(done[0], MrXMove) and MR_X in done[1].pawns and MR_X in done[2].pawns


def by_black(done: Done) -> object:
    """Return whether a black ticket is played."""
    return isinstance(done[0], MrXMove) and done[0].ticket == "black"


def takes_a_die(done: Done) -> object:
    """Return whether Mister X moves by one of the detectives' dice."""
    action, before, _ = done
    used = {face for _, face in before.dice.used} if isinstance(before, DiceView) else set()
    return isinstance(action, MrXMove) and action.ticket in used


def wins_a_chip(done: Done) -> object:
    """Return whether the round is over and one side has won its chip."""
    return isinstance(done[2].happened_since(done[1]), ChipWon)


def caught(done: Done) -> object:
    """Return whether the detectives have caught Mister X."""
    return done[2].outcome is not None and done[2].outcome.reason == "captured"


def walks(done: Done) -> object:
    """Return whether a detective goes to another station."""
    return isinstance(done[0], PawnMove) and done[0].ticket != STAY
