"""Find the steps of a finished game that are worth looking at. Pure.

If the cost of moves is known, these are the costly ones, and slips count only if they cost the detectives something.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from firmware_host.past_games.game_analysis import AnalysedStep, Closest, Costly, Moment, Narrowed, Slipped
from firmware_host.past_games.game_record import GameRecord
from firmware_host.players.heuristic.game_heuristic import distances
from firmware_host.rules.actions import MR_X

FEW = 3
"""A number of possible stations that leaves Mister X almost no way out."""

MUCH = 0.1
"""The drop in winning probability that is worth looking at."""

COSTLY = 4
"""The most costly moves listed."""


def key_moments(record: GameRecord, steps: Sequence[AnalysedStep]) -> tuple[Moment, ...]:
    """Return the key moments of a game, in order.

    Args:
        record: the game.
        steps: the coach's analysis of each step but the last.
    """
    possible = [len(step.stations) for step in steps]
    found: list[Moment] = [*_narrowed(record, possible), *_closest(record)]
    found += [*_slipped(record, steps), *_costly(record, steps)]
    return tuple(sorted(found, key=lambda moment: moment.step))


def _costly(record: GameRecord, steps: Sequence[AnalysedStep]) -> list[Costly]:
    """Return the costliest moves."""
    costs = [(step.cost or 0.0, number) for number, step in enumerate(steps)]
    most = sorted(costs, key=lambda one: -one[0])[:COSTLY]
    return [Costly(number, record.steps[number + 1].who, cost) for cost, number in most if cost >= MUCH]


def _narrowed(record: GameRecord, possible: Sequence[int]) -> Iterator[Narrowed]:
    """Yield the largest drop in possible stations that Mister X's surfacing did not cause, if any."""
    unseen = [step for step in range(1, len(possible)) if not record.steps[step].seen]
    step = max(unseen, key=lambda step: possible[step - 1] - possible[step], default=0)
    if step and possible[step] < possible[step - 1]:
        yield Narrowed(step, possible[step - 1], possible[step])


def _closest(record: GameRecord) -> Iterator[Closest]:
    """Yield the first step, before the end, with the game's smallest distance of a detective."""
    near: list[tuple[int, int, str]] = []
    for number, step in enumerate(record.steps[:-1]):
        at = step.pawns.get(MR_X)
        if at is None:
            continue
        away = distances(record.network, at, boats=False)
        near += [(away[step.pawns[pawn]], number, pawn) for pawn in step.view.order if step.pawns.get(pawn) in away]
    if near:
        moves, number, pawn = min(near, key=lambda one: one[:2])
        yield Closest(number, pawn, moves)


def _slipped(record: GameRecord, steps: Sequence[AnalysedStep]) -> Iterator[Slipped]:
    """Yield each step where few possible stations became many, unless he had just been seen."""
    for number, (before, after) in enumerate(pairwise(steps)):
        few, more = len(before.stations), len(after.stations)
        matters = before.chance is None or after.chance is None or before.chance - after.chance >= MUCH
        if few <= FEW < more and matters and not record.steps[number].seen:
            yield Slipped(number + 1, few, more)
