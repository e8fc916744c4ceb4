"""Have the coach look at finished games, one at a time, in a process of its own; keep what it found.

It goes on for as long as somebody asks how far it is, and lets the game be soon after nobody does. One thread does it,
which ends where no game waits. Whatever a coach does, that thread goes on with the next game.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from firmware_host.journal.analysis_files import AnalysisFiles
from firmware_host.journal.game_analysis import AdvisedMove, AnalysedStep, Analysis
from firmware_host.journal.game_record import GameRecord, ReplayedStep
from firmware_host.journal.key_moments import key_moments
from firmware_host.players.coach.coach_port import KNOWS, can_coach
from firmware_host.players.coach.review_port import NextAction, Review, Reviewer
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import NewGame
from firmware_host.players.public_history import PublicHistory
from firmware_host.rules.actions import MR_X, Surface
from firmware_host.system.event_log import log_fields
from firmware_host.system.language import gettext_noop

KEPT = 16
"""How many analyses are kept in memory, each up to a few hundred kilobytes; those asked for longest ago go first."""

MOST = 4
"""How many games may be looked at or wait for it."""

PATIENCE = 10.0
"""Seconds after which a game that nobody asks about is let be."""

FAILED = gettext_noop("The coach has failed. Load the page again and have it begin anew.")
BUSY = gettext_noop("The coach looks at other games. Load the page again in a minute.")
CLOSED = gettext_noop("The table is being put away.")

_LOOK_AGAIN = 0.02
"""Seconds between two looks at what the coach has found out."""

log = logging.getLogger("yardboard")


class ToldGame(NamedTuple):
    """A finished game as the coach is told of it, as it is told to everyone, and all that was written down of it."""

    game: NewGame
    record: GameRecord
    written: bytes = b""


@dataclass(slots=True)
class _Task:
    told: ToldGame
    asked: float
    analysis: Analysis


class GameAnalyst:
    """Looks at finished games. Any thread may call it.

    Args:
        find: finds a finished game by its number; raises what `begin` raises.
        make: makes a coach.
        now: a clock, in seconds.
        files: where analyses are kept when the program ends; None: nowhere.
    """

    def __init__(
        self,
        find: Callable[[int], ToldGame],
        *,
        make: Callable[[], Reviewer] | None = None,
        now: Callable[[], float] = time.monotonic,
        files: AnalysisFiles | None = None,
    ) -> None:
        self._find, self._make, self._now, self._files = find, make or _reviewer_process, now, files
        self._lock = threading.Lock()
        self._tasks: dict[int, _Task] = {}
        self._kept: dict[int, Analysis] = {}
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()

    def look(self, number: int) -> Analysis | None:
        """Return how far the analysis of a game is, and have it go on; None if none was begun. Costs nothing."""
        with self._lock:
            if number in self._kept:
                self._kept[number] = kept = self._kept.pop(number)
                return kept
            task = self._tasks.get(number)
            if task is None:
                return None
            task.asked = self._now()
            if task.analysis.trouble:
                del self._tasks[number]  # told once: who asks again has it begin anew
            return task.analysis

    def begin(self, number: int) -> Analysis:
        """Begin to look at a game, unless that was done. May take a moment: the game is replayed.

        Raises:
            NoSuchGame: there is no finished game of that number.
            Untellable: it cannot be told here.
        """
        found = self.look(number)
        if found is not None:
            return found
        told = self._find(number)
        if not can_coach(told.game.box):
            return Analysis(trouble=KNOWS)
        kept = self._read(told)
        with self._lock:
            if kept is not None:
                self._keep(number, kept)
                return kept
            if self._closing.is_set():
                return Analysis(trouble=CLOSED)
            self._forget_unwanted()
            if number not in self._tasks and len(self._tasks) >= MOST:
                return Analysis(trouble=BUSY)
            if self._thread is None:
                thread = threading.Thread(target=self._work, name="analyst", daemon=True)
                thread.start()  # where none can be had nothing waits for it
                self._thread = thread
            begun = _Task(told, self._now(), Analysis(total=len(told.record.steps) - 1))
            return self._tasks.setdefault(number, begun).analysis

    def close(self) -> None:
        """Let all games be. May be called twice; nothing is looked at afterwards."""
        self._closing.set()
        thread = self._thread
        if thread is not None:
            thread.join(PATIENCE)

    # ---- on the thread ----

    def _work(self) -> None:
        while (found := self._next()) is not None:
            number, task = found
            try:
                analysis = self._analysed(number, task)
            except PlayerFailed as error:
                log.warning("The coach of past games has failed: %s", error, extra=log_fields("analysis", game=number))
                analysis = Analysis(trouble=FAILED)
            except Exception:
                log.exception("A past game cannot be analysed", extra=log_fields("analysis", game=number))
                analysis = Analysis(trouble=FAILED)
            if analysis is not None:
                self._finish(number, task, analysis)

    def _next(self) -> tuple[int, _Task] | None:
        """Return the game that has waited longest; None ends the thread."""
        with self._lock:
            self._forget_unwanted()
            for number, task in self._tasks.items():
                if not task.analysis.trouble and not self._closing.is_set():
                    return number, task
            self._thread = None
            return None

    def _finish(self, number: int, task: _Task, analysis: Analysis) -> None:
        with self._lock:
            if analysis.trouble:
                task.analysis = analysis
                return
            self._tasks.pop(number, None)
            self._keep(number, analysis)
        if self._files is not None:
            self._files.write(task.told.written, analysis.steps)

    def _keep(self, number: int, analysis: Analysis) -> None:
        """Keep an analysis in memory; to be called with the lock."""
        self._kept[number] = analysis
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]

    def _read(self, told: ToldGame) -> Analysis | None:
        """Return what was kept of a game when the program ended; None if nothing was that fits it."""
        total = len(told.record.steps) - 1
        steps = None if self._files is None else self._files.read(told.written)
        if steps is None or len(steps) != total:
            return None
        return Analysis(total, total, steps, key_moments(told.record, steps))

    def _forget_unwanted(self) -> None:
        """Forget the games that nobody asks about any more; to be called with the lock."""
        now = self._now()
        self._tasks = {number: task for number, task in self._tasks.items() if now - task.asked <= PATIENCE}

    def _goes_on(self, number: int) -> bool:
        """Return whether to go on with a game; where nobody asks about it any more it is forgotten at once."""
        with self._lock:
            self._forget_unwanted()
            return number in self._tasks and not self._closing.is_set()

    def _analysed(self, number: int, task: _Task) -> Analysis | None:
        """Return all that the coach says of a game; None if it is forgotten: nobody wants to know any more.

        Raises:
            PlayerFailed: it has failed.
        """
        (game, record, _), reviewer = task.told, self._make()
        found: list[AnalysedStep] = []
        history: PublicHistory | None = None
        try:
            reviewer.begin(game)
            for step, following in zip(record.steps, record.steps[1:], strict=False):
                history = history.see(step.view, step.action) if history else PublicHistory.begin(step.view)
                reviewer.review(history, _next_action(step, following))
                said = self._heard(reviewer, number)
                if said is None:
                    return None
                followed = said.advice is not None and said.advice == following.action
                advice = AdvisedMove.of(said.advice)
                found.append(AnalysedStep(dict(said.stations), advice, followed, said.chance, said.cost))
                task.analysis = replace(task.analysis, done=len(found))
        finally:
            reviewer.close()
        return replace(task.analysis, steps=tuple(found), moments=key_moments(record, found))

    def _heard(self, reviewer: Reviewer, number: int) -> Review | None:
        """Wait for what the coach has found out; None if the game is forgotten."""
        while self._goes_on(number):
            said = reviewer.reviewed()
            if said is not None:
                return said
            self._closing.wait(_LOOK_AGAIN)
        return None


def _next_action(step: ReplayedStep, following: ReplayedStep) -> NextAction:
    """Return what was done after a step of a pursuit game, where Mister X always is somewhere.

    Raises:
        LookupError: nothing was done, or he is nowhere.
    """
    if following.action is None:
        raise LookupError("nothing was done")
    return NextAction(following.action, step.pawns[MR_X], isinstance(step.action, Surface))


def _reviewer_process() -> Reviewer:
    from firmware_host.players.protocol.reviewer_process import ReviewerProcess  # noqa: PLC0415 - few ask

    return ReviewerProcess()
