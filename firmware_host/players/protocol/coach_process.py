"""Run the coach, and the reviewer of finished games, each in a process of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import UnsetType

from firmware_host.players.coach.coach_port import Insight, NextAction, Review
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import NewGame, Position, PublicHistory
from firmware_host.players.protocol.limited_process import LineProcess, ProgramClient, own_command, own_environment
from firmware_host.players.protocol.protocol_encoding import new_game_line, position_line
from firmware_host.players.protocol.protocol_messages import (
    LONGEST_ANSWER,
    BadLine,
    CoachAnswer,
    Hint,
    Question,
    ReviewMessage,
    line,
    read_coach_answer,
    read_ready,
)
from firmware_host.rules.actions import Action, PawnMove, from_record, to_record
from firmware_host.rules.errors import BadRecord, BadSetup

MEMORY = 512
"""Megabytes of data that the coach's process may have."""

PATIENCE = 120.0
"""Seconds after which an overdue coach has failed; it may have to compile first."""

LEVEL = "easy"
"""The level at which the coach's program begins a game. It never plays, so any level that every machine can play."""


class CoachProcess(ProgramClient):
    """The coach in a process of its own. Implements `Coach`.

    Args:
        command: the program and its arguments; our own player's by default.
        now: a clock, in seconds.
    """

    def __init__(self, *, command: Sequence[str] | None = None, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._command, self._now = command or own_command("player", "--level", LEVEL), now
        self._game: NewGame | None = None
        self._awaited: list[PublicHistory | None] = []
        self._wanted: PublicHistory | None = None
        self._since = 0.0
        self._insight: Insight | None = None

    def begin(self, game: NewGame) -> None:
        """Start to follow a game: start the program if it is not running, and send it the game."""
        self._check()
        try:
            message = line(new_game_line(game))
        except BadSetup:
            raise PlayerFailed("its game cannot be sent") from None
        self._game, self._insight, self._wanted = game, None, None
        self._say(message, None)

    def ask(self, history: PublicHistory, *, advice: bool) -> None:
        """Send the program a question about the present position. Ignore answers to earlier questions from now on."""
        self._ask(history, Hint(advice=advice))

    def _ask(self, history: PublicHistory, question: Question) -> None:
        """Send a position and a question about it."""
        self._check()
        if self._game is None:
            raise PlayerFailed("it was asked before its game began")
        self._insight, self._wanted = None, history
        self._say(line(position_line(self._game, Position(history)), question), history)

    def insight(self) -> Insight | None:
        """Return the answer to the last question, or None while the coach is thinking."""
        self._read_answers()
        return self._insight

    def _read_answers(self) -> None:
        """Read the program's new answers and store the one to the last question."""
        self._check()
        process = self._process
        if process is None:
            return
        try:
            while (said := process.receive()) is not None:
                self._accept(said)
        except (PlayerFailed, BadLine) as error:
            self._fail(str(error))
        if self._awaited and self._now() - self._since > PATIENCE:
            self._fail("it does not answer")

    def _say(self, lines: bytes, awaited: PublicHistory | None) -> None:
        """Send lines to the program. Start it first if it is not running.

        `awaited`: the history that the lines ask about, or None for the answer to `new_game`.
        """
        if not self._awaited:
            self._since = self._now()
        self._awaited.append(awaited)
        try:
            self._process = self._process or LineProcess(
                self._command, folder=Path("/"), environment=own_environment(), memory_mb=MEMORY, longest=LONGEST_ANSWER
            )
            self._process.send(lines)
        except PlayerFailed as error:
            self._fail(str(error))

    def _accept(self, said: bytes) -> None:
        if not self._awaited:
            raise PlayerFailed("it sent lines that nobody asked for")
        history = self._awaited.pop(0)
        self._since = self._now()
        if history is None:
            if not read_ready(said).ok:
                raise PlayerFailed("it does not know the game")
            return
        answer = read_coach_answer(said)
        if not answer.ok:
            raise PlayerFailed("it could not answer about this position")
        if history is self._wanted:
            self._keep(answer, history)

    def _keep(self, answer: CoachAnswer, history: PublicHistory) -> None:
        """Store an answer of the program."""
        self._insight = Insight(answer.stations, _advice(answer, history))


def _advice(answer: CoachAnswer, history: PublicHistory) -> PawnMove | None:
    """Return the move that an answer advises if it is legal, else None."""
    record = answer.move
    if not isinstance(record, dict):
        return None
    said = (record.get("pawn"), record.get("to"), record.get("ticket"))
    return next((move for move in history.now.moves if (move.pawn, move.to, move.ticket) == said), None)


class ReviewerProcess(CoachProcess):
    """The reviewer of finished games in a process of its own. Implements `Reviewer`."""

    _review: Review | None = None

    def review(self, history: PublicHistory, done: NextAction) -> None:
        """Start to review a step and the action that followed it."""
        self._review = None
        self._ask(history, ReviewMessage(done=to_record(done.action), mr_x=done.mr_x, shows=done.shows))

    def reviewed(self) -> Review | None:
        """Return the review of the last step, or None while the program is thinking."""
        self._read_answers()
        return self._review

    def _keep(self, answer: CoachAnswer, _: PublicHistory) -> None:
        known = tuple(None if isinstance(one, UnsetType) else one for one in (answer.chance, answer.cost))
        self._review = Review(answer.stations, _action(answer), *known)


def _action(answer: CoachAnswer) -> Action | None:
    if isinstance(answer.move, UnsetType):
        return None
    try:
        return from_record(answer.move)
    except BadRecord:
        raise BadLine("it suggests an action that is not legal") from None
