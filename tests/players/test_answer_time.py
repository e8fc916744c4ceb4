"""All that an answer takes counts, from the line that asks for it, the first of a game like every other."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import replace

import pytest

from firmware_host.players.levels import level_player
from firmware_host.players.levels.levels import CLOCKS
from firmware_host.players.player_port import Position, PublicHistory
from firmware_host.players.protocol.player_session import PlayerSession
from firmware_host.players.protocol.protocol_decoding import actions_of
from firmware_host.players.protocol.protocol_encoding import new_game_line, position_line
from firmware_host.players.protocol.protocol_messages import Go, Move, Ready, line
from firmware_host.rules.actions import MR_X, Take
from firmware_host.rules.game import Game
from tests.amount import amount
from tests.players.test_protocol import dealt, told

MS = 30


class Ticking:
    """A clock that is a fifth of a millisecond later whenever somebody looks."""

    def __init__(self) -> None:
        self.ms = 0.0

    def __call__(self) -> float:
        self.ms += 0.2
        return self.ms / 1000


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Ticking:
    """The clock of the processor; whoever looks at the other one fails."""
    ticking = Ticking()
    monkeypatch.setitem(CLOCKS, "cpu", ticking)  # type: ignore[arg-type]
    monkeypatch.setitem(CLOCKS, "wall", lambda: pytest.fail("the clock on the wall was looked at"))  # type: ignore[arg-type]
    return ticking


def answers(game: Game, clock: Ticking, *, clock_named: str = "cpu", actions: int = 40) -> Iterator[float]:
    """Play a game by two players; give for each answer the milliseconds that it took from being asked."""
    players = {}
    for role in (MR_X, "detectives"):
        new_game = replace(told(game, role), clock=clock_named, ms=MS)
        players[role] = (new_game, PlayerSession("expert"))
        players[role][1].answer(line(new_game_line(new_game)).strip())
    history = PublicHistory.begin(game.public)
    while game.public.outcome is None and len(game.actions) < actions:
        his = game.public.mr_x_to_move
        new_game, player = players[MR_X if his else "detectives"]
        position = Position(history, game.private if his else None)
        assert player.answer(line(position_line(new_game, position)).strip()) is None
        before = clock.ms
        move = player.answer(line(Go(MS)).strip())
        yield clock.ms - before
        assert isinstance(move, Move)
        for action in actions_of(move, new_game, position):
            game.play(action)
            history = history.see(game.public, action)


@pytest.mark.parametrize("name", ["classic", "us advanced"])
@pytest.mark.long_but_first
def test_every_answer_keeps_its_time_from_the_line_that_asks_for_it_the_first_too(name: str, clock: Ticking) -> None:
    for seed in range(amount(1, 3)):
        took = [*answers(dealt(name, seed), clock)]
        assert max(took) <= MS + 5  # what is looked at last
        assert max(took) > MS / 2


def test_a_table_that_counts_by_the_clock_on_the_wall_is_answered_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    wall = Ticking()
    monkeypatch.setitem(CLOCKS, "wall", wall)  # type: ignore[arg-type]
    took = [*answers(dealt("classic", 1), wall, clock_named="wall", actions=8)]
    assert MS / 2 < max(took) <= MS + 5


@pytest.mark.long
def test_nobody_begins_anew_while_nothing_is_taken_back_not_where_tickets_are_taken(
    clock: Ticking, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    make = level_player._strategy
    monkeypatch.setattr(level_player, "_strategy", lambda level, *rest: made.append(level.name) or make(level, *rest))
    taken = 0
    for seed in range(4):
        game = dealt("us advanced", seed)
        players = answers(game, clock)
        next(players)
        made.clear()
        for _ in players:
            pass
        taken += sum(isinstance(action, Take) for action in game.actions)
        assert made == []
    assert taken


def test_the_garbage_collector_has_next_to_nothing_to_look_through_once_a_game_is_ready() -> None:
    """What is loaded took it 40 to 80 ms, in the midst of an answer."""
    gc.unfreeze()
    answer = PlayerSession("expert").answer(line(new_game_line(told(dealt("classic", 1), MR_X))).strip())
    assert isinstance(answer, Ready)
    assert answer.ok
    assert len(gc.get_objects()) < 10_000
