"""PB-07 with computers: where a computer Mister X hides shows nowhere, the handset's screen included, at no time."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from firmware_host.players.player_port import Player, Position
from firmware_host.referee.events import TakeBack
from firmware_host.referee.scene import Phase
from firmware_host.rules.actions import MR_X, Action, Double, PawnMove
from firmware_host.simulator.simulated_table import IN_MEMORY
from firmware_host.table.commands import StartGame
from tests.amount import amount
from tests.rules.boards import london
from tests.table.computers import Makers, Scripted, carry_out
from tests.table.onlooker import seen_by_all
from tests.table.played_table import Watched, config, step, tidy
from tests.table.test_table_secrecy import assert_alike, listening
from tests.table.twins import Twins, sides, twins

LONDON = london().network
SEEDS = range(amount(2, 10))
PATIENCE = 400


def answers(script: list[Action]) -> list[list[Action]]:
    """What Mister X's player answers, turn by turn: a double move is one answer."""
    his: list[list[Action]] = []
    open_half = 0
    for action in script:
        if isinstance(action, PawnMove):
            continue
        if open_half:
            his[-1].append(action)
            open_half -= 1
        else:
            his.append([action])
            open_half = 2 * isinstance(action, Double)
    return his


class Late(Scripted):
    """Plays what it is told, each answer so many looks after the table has begun to look for it."""

    def __init__(self, answers: list[list[Action]], looks: int) -> None:
        super().__init__(answers)
        self._looks, self._left = looks, 0

    def ask(self, position: Position) -> None:
        super().ask(position)
        self._left = self._looks

    def answer(self) -> tuple[Action, ...] | None:
        self._left -= 1
        return super().answer() if self._left < 0 else None


def outwardly(pair: Twins, side: int, *, alone: bool, late: int = 0) -> tuple[Any, ...]:
    """All that can be perceived of one of the two games.

    Args:
        pair: the games.
        side: which.
        alone: whether the detectives are computers, too.
        late: how often the table has looked in vain for each answer of Mister X's player.
    """
    hidden, script = list(sides(pair))[side]
    assert not any(isinstance(action, TakeBack) for action in script)
    actions = [action for action in script if not isinstance(action, TakeBack)]
    moves = {pawn: [[a] for a in actions if isinstance(a, PawnMove) and a.pawn == pawn] for pawn in pair.start}
    theirs: dict[str, Player] = {level: Scripted(moves[pawn]) for level, pawn in zip(LEVELS, pair.start, strict=False)}
    him = Late(answers(actions), late)
    makers = Makers({"expert": lambda: him, **{level: (lambda p=player: p) for level, player in theirs.items()}})
    p = Watched(config(), journal=IN_MEMORY, players=makers, patient=False)
    seats: Mapping[str, str] = {"mr_x": "expert"}
    if alone:
        seats = {**seats, **{str(n): level for n, level in zip(range(1, 1 + len(pair.start)), LEVELS, strict=False)}}
    with listening(p.hardware.clock.now) as ears:
        p.do(StartGame(detectives=len(pair.start), start={MR_X: hidden, **pair.start}, seats=seats))
        p.set_up()
        moments = []
        for number, action in enumerate(actions):
            if isinstance(action, PawnMove) and not alone:
                tidy(p)
                step(p, action)
            else:
                for _ in range(PATIENCE):
                    if len(p.actions) > number:
                        break
                    p.advance(25)
                if p.table.scene().phase is Phase.CARRY_OUT:
                    carry_out(p)
            assert p.actions == actions[: number + 1]
            moments.append(json.dumps(seen_by_all(p)))
    return p.lamps.frames, p.display.pictures, moments, ears.heard, p.handset.pictures


LEVELS = ("easy", "medium", "hard")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.long_but_first
def test_pb_07_where_a_computer_mister_x_hides_shows_nowhere(seed: int) -> None:
    pair = twins(LONDON, seed)
    one, other = outwardly(pair, 0, alone=False), outwardly(pair, 1, alone=False)
    assert len(one[0]) > 500
    assert_alike(one[:4], other[:4])
    assert one[4] == other[4]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.long_but_first
def test_pb_07_nor_where_computers_alone_play(seed: int) -> None:
    pair = twins(LONDON, seed, players=4)
    one, other = outwardly(pair, 0, alone=True), outwardly(pair, 1, alone=True)
    assert_alike(one[:4], other[:4])
    assert one[4] == other[4]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.long_but_first
def test_pb_07_an_answer_that_is_late_is_shown_at_a_beat_and_tells_no_more(seed: int) -> None:
    pair = twins(LONDON, seed)
    one, other = outwardly(pair, 0, alone=False, late=1), outwardly(pair, 1, alone=False, late=1)
    assert_alike(one[:4], other[:4])
    assert one[4] == other[4]
    assert len(outwardly(pair, 0, alone=False)[0]) < len(one[0])  # it was late
