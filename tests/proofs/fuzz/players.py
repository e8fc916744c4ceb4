"""Lines of the player protocol, both ways: answers are legal or refused, and every line of a table gets an answer."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache

from firmware_host.config.loader import simulator
from firmware_host.players.player_errors import PlayerError
from firmware_host.players.player_port import NewGame, Position, PublicHistory
from firmware_host.players.protocol.player_session import PlayerSession
from firmware_host.players.protocol.protocol_decoding import actions_of
from firmware_host.players.protocol.protocol_encoding import new_game_line, position_line
from firmware_host.players.protocol.protocol_messages import (
    Go,
    Hello,
    Move,
    Over,
    Quit,
    Ready,
    line,
    read_move,
    read_ready,
)
from firmware_host.rules.actions import DETECTIVES, MR_X, MrXMove
from firmware_host.rules.engines import system
from firmware_host.rules.game import Game
from firmware_host.rules.network import Link, Network, Station
from firmware_host.rules.pursuit.edition import Edition
from firmware_host.rules.setup import Wish
from tests.proofs.fuzz.target import BrokenPromise, Target, Try


@cache
def _positions() -> tuple[tuple[NewGame, Position, Game], ...]:
    """Return a position for each side of a classic game on a small round map: Mister X's first turn, and red's."""
    edition = simulator().edition
    assert isinstance(edition, Edition)
    numbers = range(1, 13)
    links = [Link(min(a, b), max(a, b), way) for way, far in (("taxi", 1), ("bus", 3), ("boat", 5))
             for a in numbers for b in [(a + far - 1) % 12 + 1]]  # fmt: skip
    ring = Network("ring", "A ring", 1.0, (), {n: Station(n, n / 13, 0.5) for n in numbers}, tuple(sorted({*links})))
    box = replace(edition, cards=tuple(numbers))
    game = Game(system(box).deal(ring, Wish(players=3), random.Random(3)))
    history = PublicHistory.begin(game.public)
    his = NewGame.of(game.setup, (MR_X,), seed=1, level="easy", ms=5), Position(history, game.private), game
    later = Game(game.setup, [next(action for action in game.legal if isinstance(action, MrXMove))])
    history = history.see(later.public, later.actions[-1])
    return his, (NewGame.of(game.setup, game.setup.pawns, seed=1, level="easy", ms=5), Position(history), later)


def _is_answer(data: bytes) -> bool:
    """Return whether an answer is legal for either side; if so, the rules accept all of it."""
    taken = 0
    try:
        read_ready(data)
        taken += 1
    except PlayerError as error:
        _check_words(str(error))
    for new_game, position, game in _positions():
        try:
            actions = actions_of(read_move(data), new_game, position)
        except PlayerError as error:
            _check_words(str(error))
            continue
        played = Game(game.setup, game.actions)
        for action in actions:
            played.play(action)
        taken += 1
    return taken > 0


def _check_words(why: str) -> None:
    if not why or any(character.isdigit() for character in why):
        raise BrokenPromise(f"refused with {why!r}")


@contextmanager
def _answers() -> Iterator[Try]:
    yield _is_answer


class _Session:
    """One of our players, which receives any line."""

    def __init__(self) -> None:
        self._session = PlayerSession("easy")
        for record in _lines()[1:3]:
            self._session.answer(record)

    def __call__(self, data: bytes) -> bool:
        answer = self._session.answer(data)
        if answer is None:
            return True
        said = json.loads(line(answer))
        if not isinstance(answer, Ready | Move) or (said.get("ok") is False) != ("error" in said):
            raise BrokenPromise(f"answered {said!r}")
        return "error" not in said


def _lines() -> list[bytes]:
    """Return the lines of a table in two games."""
    said = [line(Hello())]
    for new_game, position, _ in _positions():
        said += [line(new_game_line(new_game)), line(position_line(new_game, position)), line(Go(5))]
    return [one.strip() for one in (*said, line(Over(DETECTIVES, "captured")), line(Quit()))]


@contextmanager
def _session() -> Iterator[Try]:
    yield _Session()


def _good_answers() -> list[bytes]:
    found = [b'{"ok": true, "name": "x", "roles": ["mr_x"], "games": [], "levels": ["easy"]}', b'{"ok": false}']
    for new_game, position, _ in _positions():
        legal = position_line(new_game, position).legal
        found += [json.dumps({"move": move, "nodes": 7}).encode() for move in legal[:5]]
        found.append(json.dumps({"double": [legal[0], legal[-1]]}).encode())
    return found


_WORDS = (
    "ok", "move", "double", "to", "ticket", "pawn", "kind", "red", "mr_x", "taxi", "bus", "black", "surface", "roll",
    "cmd", "position", "new_game", "go", "rules", "legal", "events", "map", "links", "stations", "start", "cards",
)  # fmt: skip

ANSWERS = Target("answers", seeds=_good_answers(), words=[f'"{word}"'.encode() for word in _WORDS], open=_answers)

QUESTIONS = Target("questions", seeds=_lines(), words=ANSWERS.words, open=_session, fresh=300)
