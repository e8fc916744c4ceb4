"""All that an answer takes counts, from the line that asks for it, the first of a game like every other."""

from __future__ import annotations

import gc
import io
import json
import random
import subprocess
import weakref
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from msgspec import Struct

from firmware_host.players.levels import level_player
from firmware_host.players.levels.level_player import player_of
from firmware_host.players.levels.levels import CLOCKS, AnswerTime
from firmware_host.players.player_port import NewGame, Position, PublicHistory
from firmware_host.players.protocol import player_session
from firmware_host.players.protocol.player_session import PlayerSession, serve
from firmware_host.players.protocol.protocol_decoding import actions_of
from firmware_host.players.protocol.protocol_encoding import new_game_line, position_line
from firmware_host.players.protocol.protocol_messages import CoachAnswer, Go, Hint, Move, Ready, ReviewMessage, line
from firmware_host.players.search import search_player
from firmware_host.players.search.game_numbers import Row
from firmware_host.players.search.search_player import SearchReviewer
from firmware_host.rules.actions import MR_X, Action, Double, MrXMove, Surface, Take, to_record
from firmware_host.rules.game import Game
from firmware_host.rules.network import Network
from firmware_host.rules.secret import Secret
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


class Announcing(SearchReviewer):
    """A Mister X who announces whatever he may, and notes how long he took for each of his actions."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.took = list[tuple[str, float]]()
        super().__init__(*args, **kwargs)

    def _choose(self, row: Row, **rest: Any) -> Action:
        before = self._clock()
        action = super()._choose(row, **rest)
        self.took.append((type(action).__name__, 1000 * (self._clock() - before)))
        return action

    def _best(self, row: Row, share: float, actions: list[Action], *rest: Any) -> int:
        surfacing, doubling = ([n for n, each in enumerate(actions) if isinstance(each, k)] for k in (Surface, Double))
        self._announced = surfacing or doubling
        return super()._best(row, share, actions, *rest)

    def _most_visited(self, own: list[int], edges: Any) -> int:
        return super()._most_visited([n for n in own if n in self._announced] or own, edges)


@pytest.mark.parametrize(
    ("name", "turn"),
    [("classic", "Double MrXMove MrXMove"), ("us advanced", "Surface Double MrXMove Surface MrXMove")],
)
def test_the_last_move_of_the_longest_turn_has_a_tenth_of_the_time(
    name: str, turn: str, clock: Ticking, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Announcing] = []

    def announcing(_: Any, game: NewGame, rng: random.Random, limit: AnswerTime) -> Announcing:
        made.append(Announcing(game.setup, rng=rng, enough=limit.is_over, clock=limit.clock))
        return made[-1]

    monkeypatch.setattr(level_player, "_strategy", announcing)
    game = dealt(name, 1)
    chooser = player_of("expert", told(game, MR_X))
    before = clock.ms
    chooser.choose(Position(PublicHistory.begin(game.public), game.private), ms=100)
    assert clock.ms - before <= 105  # what is looked at last
    assert [action for action, _ in made[0].took if action != "Take"] == turn.split()
    assert [took for action, took in made[0].took if action == "MrXMove"][-1] >= 10


def without_start(game: Game, role: str) -> bytes:
    """The line of a new game that does not say where the pawns start."""
    record = json.loads(line(new_game_line(replace(told(game, role), ms=MS))))
    del record["start"]
    return json.dumps(record).encode()


def first_position(game: Game) -> bytes:
    """The line of a game's first position, for Mister X."""
    position = Position(PublicHistory.begin(game.public), game.private)
    return line(position_line(told(game, MR_X), position)).strip()


def test_without_a_start_too_the_first_answer_keeps_its_time(clock: Ticking, monkeypatch: pytest.MonkeyPatch) -> None:
    """A strategy takes 100 ms on a map that was not prepared, and 10 ms on one that was."""
    prepared: list[Network] = []
    make = level_player._strategy

    def take_time(level: Any, game: Any, *rest: Any) -> Any:
        clock.ms += 10 if game.network in prepared else 100
        prepared.append(game.network)
        return make(level, game, *rest)

    monkeypatch.setattr(level_player, "_strategy", take_time)
    for level in ("medium", "expert"):
        game, player = dealt("classic", 1), PlayerSession(level)
        assert player.answer(without_start(game, MR_X)) == Ready(ok=True)
        before = clock.ms
        assert player.answer(first_position(game)) is None
        assert isinstance(player.answer(line(Go(MS)).strip()), Move)
        assert clock.ms - before <= MS + 5


@pytest.mark.parametrize("rules", ["classic", "current", "us", "beginners"])
def test_without_a_start_a_game_is_prepared_with_one_that_leaves_mister_x_a_card(rules: str) -> None:
    player = PlayerSession("medium")
    assert player.answer(without_start(dealt(rules, 1), MR_X)) == Ready(ok=True)
    assert player._game is not None
    start = player_session._some_start(player._game)
    assert set(start) == set(player._game.owners)
    assert not {*start.values()} >= {*player._game.cards}
    Game(replace(replace(player._game, start=start).setup, mr_x=Secret(min({*player._game.cards} - {*start.values()}))))


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


class Busy(PlayerSession):
    """A session that creates more than the garbage collector leaves alone while it answers."""

    answering = False

    def answer(self, said: bytes) -> Struct | None:
        self.answering = True
        litter = [[said] for _ in range(5000)]
        self.answering = False
        return Ready(ok=bool(litter))


def test_garbage_is_collected_between_answers_only() -> None:
    session, collected = Busy("easy"), list[bool]()
    note = lambda phase, _: collected.append(session.answering) if phase == "start" else None  # noqa: E731
    gc.callbacks.append(note)
    try:
        serve(session, io.BytesIO(b"{}\n{}\n{}\n"), io.BytesIO())
    finally:
        gc.callbacks.remove(note)
    assert collected == [False, False, False]
    assert gc.isenabled()


def test_a_game_leaves_nothing_to_collect_that_the_collector_leaves_alone() -> None:
    session = PlayerSession("expert")
    gc.disable()
    try:
        for level in ("first", "second"):
            before = weakref.ref(session._seat.chooser._strategy) if session._seat else lambda: None  # type: ignore[attr-defined]
            assert session.answer(line(new_game_line(told(dealt("classic", 1), MR_X))).strip()) == Ready(ok=True), level
            assert before() is None
    finally:
        gc.enable()


class Compiling:
    """The compiling of the search by a session, which lasts until a test ends it; nobody waits for it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._is_done = False
        monkeypatch.setattr(search_player, "is_compiled", lambda: self._is_done)
        monkeypatch.setattr(player_session, "_COMPILED_BY", 0.0)
        monkeypatch.setattr(player_session, "own_command", lambda *_: ("cat",))  # until its input ends
        monkeypatch.setattr(subprocess, "DEVNULL", subprocess.PIPE)

    def end(self, session: PlayerSession) -> None:
        process, self._is_done = session._compilation._process, True
        assert process is not None
        process.communicate()


@pytest.fixture
def compiling(monkeypatch: pytest.MonkeyPatch) -> Compiling:
    return Compiling(monkeypatch)


def test_a_game_begins_in_time_though_compiling_lasts_and_the_next_is_searched(
    compiling: Compiling, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    make = level_player._strategy

    def note(*of: Any) -> Any:
        strategy = make(*of)
        made.append(type(strategy).__name__)
        return strategy

    monkeypatch.setattr(level_player, "_strategy", note)
    session, game = PlayerSession("expert"), dealt("classic", 1)
    new_game = line(new_game_line(told(game, MR_X))).strip()
    assert session.answer(new_game) == Ready(ok=True)
    session.answer(first_position(game))
    assert isinstance(session.answer(line(Go(MS)).strip()), Move)
    assert {*made} == {"SkilledStrategy"}
    compiling.end(session)
    made.clear()
    assert session.answer(new_game) == Ready(ok=True)
    assert {*made} == {"SearchPlayer"}


@pytest.mark.parametrize("level", ["hard", "easy"])
def test_the_coach_advises_by_rule_while_compiling_lasts_and_searches_in_the_next_game(
    level: str, compiling: Compiling
) -> None:
    session, game = PlayerSession(level), dealt("classic", 1)
    record, done = told(game, "detectives"), next(move for move in game.legal if isinstance(move, MrXMove))
    position = line(position_line(record, Position(PublicHistory.begin(game.public)))).strip()
    questions = (
        line(Hint(advice=True)),
        line(ReviewMessage(done=to_record(done), mr_x=game.private.at.value, shows=False)),
    )
    for searches in (False, True):
        assert session.answer(line(new_game_line(record)).strip()) == Ready(ok=True)
        session.answer(position)
        for question in questions:
            answer = session.answer(question.strip())
            assert isinstance(answer, CoachAnswer)
            assert answer.ok
        for mind in (session._coach, session._reviewer):
            assert mind is not None
            assert (mind._search is not None) == searches
        if not searches:
            compiling.end(session)
