"""Seat a program of its own: the table's side of the player protocol. Nothing that comes from a player is trusted."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import NewGame, Position
from firmware_host.players.protocol.limited_process import LineProcess, LineStream, ServedProgram
from firmware_host.players.protocol.program_sandbox import SERVICE_SOCKET, Sandbox, in_bubblewrap, sandbox_here
from firmware_host.players.protocol.protocol_answers import actions_of
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
    """How a player's program is run.

    Attributes:
        words: the program and its arguments.
        folder: where it runs.
        environment: what it finds in its environment beside what every player does.
        memory_mb: megabytes of data that each of its processes may have.
        program: its name in the configuration, if it is not one of ours: such a program is shut in where that can be.
        kept: folders that a program which is shut in must not see.
    """

    words: Sequence[str]
    folder: Path
    environment: Mapping[str, str]
    memory_mb: int
    program: str = ""
    kept: Sequence[Path] = ()


@dataclass(frozen=True, slots=True)
class PlayerPatience:
    """Seconds after which a player that has not answered has failed.

    Attributes:
        hello: for who it is: an interpreter may have to start first.
        new_game: for that it is ready: it may have to compile first.
        move: for a move, beyond the time that it is given.
        share: how many times the time that it is given passes, if others have the processor.
    """

    hello: float = 60.0
    new_game: float = 120.0
    move: float = 15.0
    share: float = 10.0


class _Wanted(NamedTuple):
    """A line that the player owes us: `asked` is what was asked, None where it is a sign of life that is wanted."""

    kind: str
    patience: float
    asked: tuple[NewGame, Position] | None = None


_HELLO, _READY, _OVER, _MOVE = "who it is", "that it is ready", "that it has heard of the end", "its move"

_SPARE_CPU = 180
"""Seconds of the processor that a player may use between two questions, beyond the time it is given."""


class PlayerProcess:
    """Plays by a program behind the protocol. Implements `Player`; it has failed for good once it has failed.

    Args:
        command: how the program is run; it is started when its first game begins.
        patience: how long it is waited for.
        now: a clock, in seconds.
    """

    def __init__(
        self,
        command: Command,
        *,
        patience: PlayerPatience | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._command, self._patience, self._now = command, patience or PlayerPatience(), now
        self._process: LineStream | None = None
        self._wanted: deque[_Wanted] = deque()
        self._since = 0.0
        self._game: NewGame | None = None
        self._who: Ready | None = None
        self._answer: tuple[Action, ...] | None = None
        self._failure = ""

    @property
    def last_words(self) -> Secret[str]:
        """What the program has written to its standard error last, for whoever is to mend it."""
        return Secret("") if self._process is None else self._process.last_words

    def begin(self, game: NewGame) -> None:
        """Begin to play a game: start the program if it does not run yet, and tell it of the game.

        Raises:
            PlayerFailed: it cannot be started, or has failed.
        """
        self._check()
        try:
            told = new_game_line(game)
        except BadSetup:
            raise PlayerFailed("the game cannot be told") from None
        if self._process is None:
            self._start()
        self._void()
        self._game = game
        self._compare()
        self._allow_time(game.ms / 1000)
        self._say(line(told), _Wanted(_READY, self._patience.new_game))

    def ask(self, position: Position) -> None:
        """Ask for a move; an answer to what was asked before is not listened to any more.

        Raises:
            PlayerFailed: it does not read any more, or no game was begun.
        """
        self._check()
        game = self._game
        if game is None:
            raise PlayerFailed("it was asked for a move before a game was begun")
        self._void()
        self._allow_time(game.ms / 1000)
        patience = self._patience.move + self._patience.share * game.ms / 1000
        question = line(position_line(game, position), Go(game.ms))
        self._say(question, _Wanted(_MOVE, patience, (game, position)))

    def answer(self) -> tuple[Action, ...] | None:
        """Return what it will do, once it has said so; None while it thinks, and where it was not asked.

        Raises:
            PlayerFailed: it has ended, is late, or has said what is no answer.
        """
        self._check()
        if self._answer is None and self._process is not None:
            try:
                self._listen(self._process)
            except (PlayerFailed, BadLine) as error:
                self._fail(str(error))
        return self._answer

    def wait(self, timeout: float) -> None:
        """Wait until it has said something or ended, at most so many seconds: for whoever keeps no beat."""
        if self._process is not None and self._wanted:
            self._process.wait(timeout)

    def over(self, winner: str, reason: str) -> None:
        """Tell it how the game has ended."""
        if self._process is None or self._failure:
            return
        self._void()
        try:
            self._say(line(Over(winner, reason)), _Wanted(_OVER, self._patience.move))
        except PlayerFailed:
            return  # whoever asks it next is told

    def close(self) -> None:
        """End the program and whatever it has started."""
        self._failure = self._failure or "it was let go"
        if self._process is not None:
            self._process.close()

    def _start(self) -> None:
        try:
            self._process = _start(self._command)
        except PlayerFailed as error:
            self._fail(str(error))
        self._say(line(Hello()), _Wanted(_HELLO, self._patience.hello))

    def _say(self, lines: bytes, wanted: _Wanted) -> None:
        """Say something, and wait for the answer to it from now on, or from the answer before."""
        if not self._wanted:
            self._since = self._now()
        self._wanted.append(wanted)
        try:
            if self._process is not None:
                self._process.send(lines)
        except PlayerFailed as error:
            self._fail(str(error))

    def _void(self) -> None:
        """Listen no more to answers to what was asked before."""
        self._answer = None
        self._wanted = deque(one._replace(asked=None) for one in self._wanted)

    def _listen(self, process: LineStream) -> None:
        while (said := process.receive()) is not None:
            if not self._wanted:
                raise PlayerFailed("it talks without being asked")
            wanted = self._wanted.popleft()
            self._since = self._now()
            if wanted.kind != _MOVE:
                self._hear(wanted.kind, read_ready(said))
            elif wanted.asked is not None:
                self._answer = actions_of(read_move(said), *wanted.asked)
        if self._wanted and self._now() - self._since > self._wanted[0].patience:
            raise PlayerFailed(f"it does not say {self._wanted[0].kind}")

    def _hear(self, kind: str, ready: Ready) -> None:
        if not ready.ok:
            raise PlayerFailed("it does not want to play")
        if kind == _HELLO:
            self._who = ready
            self._compare()

    def _compare(self) -> None:
        """Compare the game with what the player says that it plays."""
        who, game = self._who, self._game
        if who is None or game is None:
            return
        for word, known in ((game.role, who.roles), (game.box.name, who.games), (game.level, who.levels)):
            if word and listed(known) and word not in listed(known):
                self._fail(f"it does not play {word}")

    def _allow_time(self, seconds: float) -> None:
        """Let the program use the processor for a while: one that has run wild meanwhile is ended by the kernel."""
        if self._process is not None:
            self._process.allow_cpu(self._patience.share * seconds + _SPARE_CPU)

    def _check(self) -> None:
        if self._failure:
            raise PlayerFailed(self._failure)

    def _fail(self, why: str) -> None:
        self._failure = why
        self.close()
        raise PlayerFailed(why)


def _start(command: Command) -> LineStream:
    """Start a player's program; if it is not one of ours, shut in as far as this machine can."""
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
