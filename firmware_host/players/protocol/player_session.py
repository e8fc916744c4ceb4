"""Answer a table's lines with yardboard's own players, and define the command `player` that does so.

A level is prepared before its first answer counts: it is compiled and chooses once. The garbage collector runs between
answers only.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import BinaryIO

import click
from msgspec import UNSET, Struct

from firmware_host.players.coach.coach import CoachMind, ReviewingMind
from firmware_host.players.coach.coach_port import NextAction
from firmware_host.players.heuristic.heuristic import HeuristicPlayer
from firmware_host.players.levels.level_player import Chooser, chooser_at, player_of
from firmware_host.players.levels.levels import (
    CLOCKS,
    INSTALL,
    LEVELS,
    SEARCHING,
    can_search,
    is_pursuit,
    leave_loaded_alone,
    levels_of,
    no_collection,
)
from firmware_host.players.player_errors import CannotPlay, PlayerError
from firmware_host.players.player_port import NewGame, Position, PublicHistory
from firmware_host.players.protocol.limited_process import ends_with_us, own_command, own_environment
from firmware_host.players.protocol.protocol_decoding import PositionReader, actions_of, answer_of, game_of
from firmware_host.players.protocol.protocol_encoding import short_record
from firmware_host.players.protocol.protocol_messages import (
    LONGEST_QUESTION,
    VERSION,
    BadLine,
    CoachAnswer,
    Go,
    Hello,
    Hint,
    Move,
    NewGameMessage,
    Over,
    PositionMessage,
    Question,
    Quit,
    Ready,
    ReviewMessage,
    command_of,
    line,
    read_question,
)
from firmware_host.rules.actions import DETECTIVES, MR_X, Action, Commit, Double, MrXMove, from_record, to_record
from firmware_host.rules.errors import RulesError
from firmware_host.rules.game import Game
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Box
from firmware_host.system.files import bounded_lines
from firmware_host.system.process import keep_memory_to_itself

_IF_WANTED = '[ "$PPID" = "$1" ] || exit; shift; exec "$@"'
"""A shell line that runs a command unless the parent process is already gone."""

_COMPILED_BY = 90.0
"""Seconds that `new_game` waits for compiled code. After 120 s without an answer the player would lose the game."""


def warm_up(game: NewGame) -> None:
    """Let a player choose once in a similar game, so that everything is loaded beforehand.

    Raises:
        CannotPlay: this machine cannot play the game at this level.
    """
    game = replace(game, start=_some_start(game), ms=1)
    free = [station for station in game.cards if station not in game.start.values()]
    his_station = game.start.get(MR_X, free[0] if free else 0)
    try:
        played = Game(replace(game.setup, mr_x=Secret(his_station)))
        history = PublicHistory.begin(played.public)
        if played.public.mr_x_to_move:
            his = replace(game, role=MR_X, pawns=played.public.fugitives)
            player_of(game.level, his).choose(Position(history, played.private))
            played.play(next(action for action in played.legal if isinstance(action, MrXMove | Commit)))
            history = history.see(played.public, played.actions[-1])
        if played.legal and not played.public.mr_x_to_move:
            theirs = replace(game, role=DETECTIVES, pawns=played.public.order)
            player_of(game.level, theirs).choose(Position(history))
    except (RulesError, StopIteration):  # a foreign kind of game: its first answer takes longer
        return


def _some_start(game: NewGame) -> Mapping[str, int]:
    """Return where the pawns start. If that is unknown, choose stations.

    In pursuit games they are no start cards of Mister X's, as far as possible. In other games they are start cards.
    """
    cards = sorted({*game.network.start_cards, *game.cards})
    others = [station for station in game.network.stations if station not in game.cards]
    places = [*others, *cards] if is_pursuit(game.box) else cards
    return game.start or dict(zip(game.owners, places, strict=False))


class _Compilation:
    """A run of the compiler for the search in another process, whose memory is free again afterwards."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, timeout: float) -> bool:
        """Start compiling if necessary, wait for at most `timeout` seconds, and return whether it has ended.

        Return True also if the other process has failed. The search then compiles its code in this process.
        """
        from firmware_host.players.search.search_player import is_compiled  # noqa: PLC0415 - an extra that others lack

        if self._process is None:
            if is_compiled():
                return True
            silent, environ = subprocess.DEVNULL, {**os.environ, **own_environment()}
            command = [*ends_with_us(), "/bin/sh", "-c", _IF_WANTED, "compiling", str(os.getpid())]
            command += own_command("player", "--compile")
            self._process = subprocess.Popen(  # noqa: S603 - a fixed command
                command, env=environ, stdin=silent, stdout=silent, stderr=silent
            )
        try:
            self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            return False
        self._process = None
        return True


NAME = "yardboard"
"""The name of our own players."""

_MISFIT = "its values do not fit each other, or not the game of new_game; docs/players.md describes every field"

NO_POSITION = "there is no position yet; send new_game and position first"


@dataclass(frozen=True, slots=True)
class _Seat:
    """The parts that play one game: the decoder of positions, the chooser, and the chooser to fall back on."""

    game: NewGame
    reader: PositionReader
    chooser: Chooser
    habit: Chooser

    @classmethod
    def of(cls, game: NewGame, *, compiled: bool = True) -> _Seat:
        chooser = player_of(game.level, game) if compiled else chooser_at(LEVELS["skilled"], game)
        return cls(game, PositionReader(game), chooser, _Habit(game))


class PlayerSession:
    """The player's side of the protocol for one table.

    Args:
        level: how well to play; "": as the table asks.

    Attributes:
        ended: whether the table has ended the session.
    """

    def __init__(self, level: str = "") -> None:
        self.ended = False
        self._level = level
        self._clock = time.thread_time
        self._game: NewGame | None = None
        self._seat: _Seat | None = None
        self._compilation, self._compiled = _Compilation(), True
        self._reading = 0.0  # seconds that the last position took to read; they count as the answer's
        self._position: PositionMessage | None = None
        self._refused = ""  # why the last position was refused
        self._coach: CoachMind | None = None
        self._reviewer: ReviewingMind | None = None
        self._warm: set[tuple[str, type[Box]]] = set()

    def answer(self, said: bytes) -> Struct | None:
        """Return the answer to a line, or None if the line needs none. Raise no error for any line."""
        asked = self._clock()
        try:
            question = read_question(said)
        except BadLine as error:
            return self._refuse(command_of(said), str(error))
        try:
            return self._do(question, asked)
        except (PlayerError, CannotPlay, RulesError) as error:
            return Ready(ok=False, error=str(error))
        except Exception:  # noqa: BLE001 - no line of a foreign table may end the session
            return Ready(ok=False, error=f"{command_of(said)}: {_MISFIT}")

    def _do(self, question: Question, asked: float) -> Struct | None:
        match question:
            case Hello(protocol):
                return _hello(protocol)
            case NewGameMessage():
                return self._begin(question)
            case PositionMessage():
                self._see(question)
                self._reading = self._clock() - asked
            case Go(ms):
                return self._choose(ms, asked)
            case Hint() | ReviewMessage():
                return self._answer_coach_question(question)
            case Over():
                return Ready(ok=True)
            case Quit():
                self.ended = True
        return None

    def _refuse(self, command: str, why: str) -> Ready | None:
        """Refuse an unreadable line, and drop the game or position that it should have replaced."""
        if command == "position":  # no answer yet: the answer to `go` reports it
            self._position, self._refused = None, why
            return None
        if command == "new_game":
            self._forget()
        return Ready(ok=False, error=why)

    def _forget(self) -> None:
        """Drop the game."""
        self._game = self._seat = self._position = self._coach = self._reviewer = None
        self._refused = ""

    def _begin(self, message: NewGameMessage) -> Ready:
        self._forget()  # if it is refused, there is no game
        game = game_of(message)
        game = replace(game, level=self._level or game.level or levels_of(game.box)[-1])
        self._clock = CLOCKS[game.clock]
        kind = game.level, type(game.box)
        self._compiled = game.level not in SEARCHING or self._compile_for(game)
        if self._compiled and kind not in self._warm:
            warm_up(game)
            self._warm.add(kind)
        if game.start or not is_pursuit(game.box):
            self._seat = _Seat.of(game, compiled=self._compiled)
        else:  # prepare what does not depend on the start, which takes longest
            with suppress(RulesError):
                _Seat.of(replace(game, start=_some_start(game)), compiled=self._compiled)
        self._game = game
        leave_loaded_alone()
        return Ready(ok=True)

    def _compile_for(self, game: NewGame) -> bool:
        """Compile what a game needs, for at most `_COMPILED_BY` seconds. Return whether nothing is left to compile."""
        return not (is_pursuit(game.box) and can_search()) or self._compilation.run(_COMPILED_BY)

    def _see(self, said: PositionMessage) -> None:
        self._position, self._refused = said, ""
        with suppress(Exception):  # the answer to `go` reports it
            self._sit_down(said)

    def _sit_down(self, said: PositionMessage) -> _Seat:
        """Set up the game from a position if `new_game` did not say where the pawns start."""
        if self._game is None:
            raise BadLine("there is no game yet; send new_game and position first")
        if self._seat is None:
            self._seat = _Seat.of(replace(self._game, start=said.start), compiled=self._compiled)
        return self._seat

    def _choose(self, ms: int, asked: float) -> Move:
        said = self._position
        if said is None:
            raise BadLine(self._refused or f"go: {NO_POSITION}")
        seat = self._sit_down(said)
        position = seat.reader.position(said)
        asked, self._reading = asked - self._reading, 0.0
        for chooser in (seat.chooser, seat.habit):
            answer = _answer(chooser, seat.game, position, ms, self._clock() - asked)
            if answer is not None:
                return answer
        if not said.legal:
            raise BadLine("go: position.legal is empty; send go only if it has an action")
        return Move(move=said.legal[0])

    def _answer_coach_question(self, asked: Hint | ReviewMessage) -> CoachAnswer:
        game, history = self._game_and_history("hint" if isinstance(asked, Hint) else "review")
        if isinstance(asked, Hint):
            self._coach = self._coach or CoachMind(game, compiled=self._compile_for(game))
            insight = self._coach.find_insight(history, advice=asked.advice)
            move = UNSET if insight.advice is None else short_record(insight.advice)
            return CoachAnswer(stations=dict(insight.stations), move=move)
        self._reviewer = self._reviewer or ReviewingMind(game, compiled=self._compile_for(game))
        said = self._reviewer.review(history, NextAction(from_record(asked.done), asked.mr_x, asked.shows))
        return CoachAnswer(
            stations=dict(said.stations),
            move=UNSET if said.advice is None else to_record(said.advice),
            chance=UNSET if said.chance is None else said.chance,
            cost=UNSET if said.cost is None else said.cost,
        )

    def _game_and_history(self, command: str) -> tuple[NewGame, PublicHistory]:
        if self._position is None:
            raise BadLine(self._refused or f"{command}: {NO_POSITION}")
        seat = self._sit_down(self._position)
        return seat.game, seat.reader.position(self._position).history


def _answer(chooser: Chooser, game: NewGame, position: Position, ms: int, used: float) -> Move | None:
    """Return the chooser's answer, or None if the chooser fails or the table would not accept it as legal."""
    try:
        answer = answer_of(chooser.choose(position, ms=ms, used=used), game)
        actions_of(answer, game, position)
    except Exception:  # noqa: BLE001 - a foreign table's rules may differ from ours
        return None
    return answer


class _Habit:
    """A `Chooser` that follows rules of thumb, one action at a time, in place of a failed chooser."""

    def __init__(self, game: NewGame) -> None:
        self._player = HeuristicPlayer()
        self._player.begin(game)

    def choose(self, position: Position, *, ms: int = 0, used: float = 0.0) -> tuple[Action, ...]:  # noqa: ARG002 - it takes none
        """Return one action. It is never a double move, because that would need a second action."""
        if (private := position.private) is not None:
            single = tuple(action for action in private.choices.value if not isinstance(action, Double))
            position = replace(position, private=replace(private, choices=Secret(single)))
        self._player.ask(position)
        return self._player.answer() or ()


def _hello(protocol: int) -> Ready:
    if protocol < VERSION:
        raise BadLine(f"hello: protocol {protocol} is not supported; this player speaks {VERSION}")
    return Ready(ok=True, name=NAME, roles=(MR_X, DETECTIVES), games=(), levels=tuple(LEVELS))


@click.command()
@click.option("--level", type=click.Choice(tuple(LEVELS)), help="How well it plays; by default as the table says.")
@click.option("--compile", "compiles", is_flag=True, help="Only compile what searching levels run, for later.")
def player(level: str | None, compiles: bool) -> None:
    """Play a seat for another program over standard input and output.

    This runs one of yardboard's own players behind the player protocol: see docs/players.md.
    """
    keep_memory_to_itself()
    if compiles:
        _compile()
        return
    serve(PlayerSession(level or ""), sys.stdin.buffer, sys.stdout.buffer)


COMMANDS = (player,)


def _compile() -> None:
    if not can_search():
        raise click.ClickException(
            f"player --compile needs the search; install it with: {sys.executable} -m {INSTALL} in yardboard's folder; "
            "where memory that was written may not be run, see systemd/players.conf"
        )
    try:
        from firmware_host.players.search.search_player import compile_search  # noqa: PLC0415 - an optional extra

        compile_search()
    except (RuntimeError, OSError) as error:  # numba raises RuntimeError if it finds no writable folder
        where = "$NUMBA_CACHE_DIR names one; the service's belongs to its own user"
        raise click.ClickException(
            f"player --compile: no folder for the compiled code can be written: {where}"
        ) from error


def serve(session: PlayerSession, lines: BinaryIO, out: BinaryIO) -> None:
    """Answer every non-blank line until the input ends or the table ends the session."""
    with no_collection() as collect:
        for said in bounded_lines(lines, LONGEST_QUESTION):
            if not said.strip():
                continue
            answer = session.answer(said)
            if session.ended:
                return
            if answer is not None:
                out.write(line(answer))
                out.flush()
                collect()
