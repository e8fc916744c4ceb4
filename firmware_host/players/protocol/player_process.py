"""Run a player's program and check everything that it sends."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from firmware_host.players.player_errors import NO_GAME, PlayerFailed
from firmware_host.players.player_port import NewGame, Position
from firmware_host.players.protocol.limited_process import LineProcess, LineStream, ProgramClient, ServedProgram
from firmware_host.players.protocol.program_sandbox import SERVICE_SOCKET, Sandbox, in_bubblewrap, sandbox_here
from firmware_host.players.protocol.protocol_decoding import actions_of
from firmware_host.players.protocol.protocol_encoding import new_game_line, position_line
from firmware_host.players.protocol.protocol_messages import (
    LONGEST_ANSWER,
    BadLine,
    Go,
    Hello,
    Over,
    Ready,
    line,
    listed,
    read_move,
    read_ready,
)
from firmware_host.rules.actions import Action
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.secret import Secret


@dataclass(frozen=True, slots=True)
class Command:
    """The command that runs a player's program: its words and its folder.

    Attributes:
        words: the program and its arguments.
        folder: the working folder.
        environment: environment variables beside those of every player.
        memory_mb: megabytes of data that each of its processes may have.
        program: its name in the configuration, if it is foreign: such a program is confined if possible.
        kept: folders that a confined program must not see.
    """

    words: Sequence[str]
    folder: Path
    environment: Mapping[str, str]
    memory_mb: int
    program: str = ""
    kept: Sequence[Path] = ()


@dataclass(frozen=True, slots=True)
class PlayerPatience:
    """The seconds that a player may take to answer before it counts as failed.

    Attributes:
        hello: for its identification: an interpreter may have to start first.
        new_game: for its readiness: it may have to compile first.
        move: for a move, beyond its thinking time.
        share: the factor on its thinking time, because other programs share the processor.
    """

    hello: float = 60.0
    new_game: float = 120.0
    move: float = 15.0
    share: float = 10.0


class _Wanted(NamedTuple):
    """An answer that the table awaits. `asked` is the position, or None if any answer will do."""

    kind: str
    patience: float
    asked: tuple[NewGame, Position] | None = None


_HELLO, _READY, _OVER, _MOVE = "hello", "new_game", "over", "go"

_SPARE_CPU = 180
"""Processor seconds that a player may use between two questions, beyond its thinking time."""


class PlayerProcess(ProgramClient):
    """A player's program, with which the table speaks the protocol. Implements `Player`.

    Args:
        command: how to run the program; it starts when its first game begins.
        patience: how long to wait for it.
        now: a clock, in seconds.
    """

    def __init__(
        self,
        command: Command,
        *,
        patience: PlayerPatience | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._command, self._patience, self._now = command, patience or PlayerPatience(), now
        self._wanted: deque[_Wanted] = deque()
        self._since = 0.0
        self._game: NewGame | None = None
        self._who: Ready | None = None
        self._answer: tuple[Action, ...] | None = None

    @property
    def last_words(self) -> Secret[str]:
        """The last lines of the program's standard error, for debugging."""
        return Secret("") if self._process is None else self._process.last_words

    def begin(self, game: NewGame) -> None:
        """Start a game: start the program if it is not running, and send it the game.

        Raises:
            PlayerFailed: the program cannot be started, has failed or does not play this game, or the game cannot be
                sent.
        """
        self._check()
        try:
            message = new_game_line(game)
        except BadSetup:
            raise PlayerFailed("its game cannot be sent") from None
        if self._process is None:
            self._start()
        else:
            self._process.forget_last_words()
        self._void()
        self._game = game
        self._compare()
        self._allow_time(game.ms / 1000)
        self._say(line(message), _Wanted(_READY, self._patience.new_game))

    def ask(self, position: Position) -> None:
        """Ask for a move. From now on, ignore answers to earlier questions.

        Raises:
            PlayerFailed: the program has failed or no longer reads, or no game was begun.
        """
        self._check()
        game = self._game
        if game is None:
            raise PlayerFailed(NO_GAME)
        self._void()
        self._allow_time(game.ms / 1000)
        patience = self._patience.move + self._patience.share * game.ms / 1000
        question = line(position_line(game, position), Go(game.ms))
        self._say(question, _Wanted(_MOVE, patience, (game, position)))

    def answer(self) -> tuple[Action, ...] | None:
        """Return the player's actions. None while it is thinking, and if nothing was asked.

        Raises:
            PlayerFailed: the program has ended, is late, refuses to play, or has sent an invalid answer.
        """
        self._check()
        if self._answer is None and self._process is not None:
            try:
                self._read_answers(self._process)
            except PlayerFailed as error:
                self._fail(str(error), error.reason)
            except BadLine as error:
                self._fail(f"it sent an invalid answer: {error}")
        return self._answer

    def wait(self, timeout: float) -> None:
        """Wait until the program sends something, reads on or ends, or `timeout` seconds pass."""
        if self._process is not None and self._wanted:
            self._process.wait(timeout)

    def over(self, winner: str, reason: str) -> None:
        """Report the end of the game to the program."""
        if self._process is None or self._failure:
            return
        self._void()
        try:
            self._say(line(Over(winner, reason)), _Wanted(_OVER, self._patience.move))
        except PlayerFailed:
            return  # the next question reports the failure

    def _start(self) -> None:
        try:
            self._process = _start_program(self._command)
        except PlayerFailed as error:
            self._fail(str(error))
        self._say(line(Hello()), _Wanted(_HELLO, self._patience.hello))

    def _say(self, lines: bytes, wanted: _Wanted) -> None:
        """Send lines and expect an answer to them. Answers to earlier questions may come first."""
        if not self._wanted:
            self._since = self._now()
        self._wanted.append(wanted)
        try:
            if self._process is not None:
                self._process.send(lines)
        except PlayerFailed as error:
            self._fail(str(error))

    def _void(self) -> None:
        """Ignore answers to earlier questions from now on."""
        self._answer = None
        self._wanted = deque(one._replace(asked=None) for one in self._wanted)

    def _read_answers(self, process: LineStream) -> None:
        while (said := process.receive()) is not None:
            if not self._wanted:
                raise PlayerFailed("it sent lines that nobody asked for")
            wanted = self._wanted.popleft()
            self._since = self._now()
            if wanted.kind != _MOVE:
                self._accept(wanted.kind, read_ready(said))
            elif wanted.asked is not None:
                self._answer = actions_of(read_move(said), *wanted.asked)
        if self._wanted and self._now() - self._since > self._wanted[0].patience:
            raise PlayerFailed(f"it did not answer {self._wanted[0].kind} within {self._wanted[0].patience:g} s")

    def _accept(self, kind: str, ready: Ready) -> None:
        if not ready.ok:
            raise PlayerFailed("it refused to play", reason=Secret(ready.error or ""))
        if kind == _HELLO:
            self._who = ready
            self._compare()

    def _compare(self) -> None:
        """Check that the player plays this side, these rules and this level, as far as it has said so."""
        who, game = self._who, self._game
        if who is None or game is None:
            return
        for word, known in ((game.role, who.roles), (game.box.name, who.games), (game.level, who.levels)):
            if word and listed(known) and word not in listed(known):
                self._fail(f"it does not play {word}")

    def _allow_time(self, seconds: float) -> None:
        """Allow the program processor time for an answer that takes `seconds`, with a large reserve."""
        if self._process is not None:
            self._process.allow_cpu(self._patience.share * seconds + _SPARE_CPU)


def _start_program(command: Command) -> LineStream:
    """Start a player's program. Confine a user's program as well as this machine can."""
    sandbox = sandbox_here() if command.program else Sandbox.NONE
    if sandbox is Sandbox.SERVICE:
        return ServedProgram(os.environ[SERVICE_SOCKET], command.program, longest=LONGEST_ANSWER)
    words = command.words
    if sandbox is Sandbox.BUBBLEWRAP:
        words = in_bubblewrap(words, command.folder, command.kept)
    return LineProcess(
        words,
        folder=command.folder,
        environment=command.environment,
        memory_mb=command.memory_mb,
        longest=LONGEST_ANSWER,
    )
