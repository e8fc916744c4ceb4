"""Let the coach analyse finished games in another process, one at a time, and find their key moments.

If the cost of moves is known, key moments include the costliest moves. Moves at which Mister X slipped away then count
only if they cost the detectives something.

An analysis continues as long as pages ask for its progress, and stops soon after. A single thread runs all analyses and
ends when no game waits. A failure of the coach does not end it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from firmware_host.past_games.game_analysis import (
    AdvisedMove,
    AnalysedStep,
    Analysis,
    AnalysisFiles,
    Closest,
    Costly,
    GameRecord,
    Moment,
    Narrowed,
    ReplayedStep,
    Slipped,
)
from firmware_host.players.coach.coach_port import KNOWS, NextAction, Review, Reviewer, can_coach
from firmware_host.players.heuristic.game_heuristic import distances
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import NewGame, PublicHistory
from firmware_host.rules.actions import MR_X, Action, Double, Surface
from firmware_host.system.event_log import log_fields
from firmware_host.system.language import gettext_noop

log = logging.getLogger("yardboard")


FEW = 3
"""A number of possible stations that leaves Mister X almost no way out."""

MUCH = 0.1
"""The drop in winning probability that is worth looking at."""

COSTLY = 4
"""The greatest number of costly moves that are listed."""


def key_moments(record: GameRecord, steps: Sequence[AnalysedStep]) -> tuple[Moment, ...]:
    """Return the key moments of a game in their order.

    Args:
        record: the game.
        steps: the coach's analysis of each step but the last.
    """
    possible = [len(step.stations) for step in steps]
    found: list[Moment] = [*_narrowed(record, possible), *_closest(record)]
    found += [*_slipped(record, steps), *_costly(record, steps)]
    return tuple(sorted(found, key=lambda moment: moment.step))


def _costly(record: GameRecord, steps: Sequence[AnalysedStep]) -> list[Costly]:
    """Return the moves that made their side much less likely to win."""
    costs = [(step.cost or 0.0, number) for number, step in enumerate(steps)]
    most = sorted(costs, key=lambda one: -one[0])[:COSTLY]
    return [Costly(number, record.steps[number + 1].who, cost) for cost, number in most if cost >= MUCH]


def _narrowed(record: GameRecord, possible: Sequence[int]) -> Iterator[Narrowed]:
    """Yield the step that ruled out the most stations, among the steps at which nobody saw Mister X."""
    unseen = [step for step in range(1, len(possible)) if not record.steps[step].seen]
    step = max(unseen, key=lambda step: possible[step - 1] - possible[step], default=0)
    if step and possible[step] < possible[step - 1]:
        yield Narrowed(step, possible[step - 1], possible[step])


def _closest(record: GameRecord) -> Iterator[Closest]:
    """Yield the first step, before the last, at which a detective was nearest to Mister X."""
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
    """Yield each step at which few possible stations became many, unless Mister X had just been seen.

    If winning probabilities are known, leave out steps that cost the detectives less than `MUCH`.
    """
    for number, (before, after) in enumerate(pairwise(steps)):
        few, more = len(before.stations), len(after.stations)
        matters = before.chance is None or after.chance is None or before.chance - after.chance >= MUCH
        if few <= FEW < more and matters and not record.steps[number].seen:
            yield Slipped(number + 1, few, more)


KEPT = 16
"""The most analyses in memory, each up to a few hundred kilobytes; the least recently requested are dropped first."""

MOST = 4
"""The most games in analysis or waiting for it."""

PATIENCE = 10.0
"""Seconds without a request after which a game's analysis stops."""

FAILED = gettext_noop("The coach has failed. Load the page again to restart it.")
BUSY = gettext_noop("The coach looks at other games. Load the page again in a minute.")
CLOSED = gettext_noop("The table is being put away.")

_LOOK_AGAIN = 0.02
"""Seconds between two polls of the coach."""


class GameToAnalyse(NamedTuple):
    """A finished game for the coach to analyse, and its journal entries."""

    game: NewGame
    record: GameRecord
    written: bytes = b""


@dataclass(slots=True)
class _Task:
    source: GameToAnalyse
    asked: float
    analysis: Analysis


class GameAnalyst:
    """The analyst of finished games. Every thread may call it.

    Args:
        find: finds a finished game by its number, and raises the same errors as `begin`.
        make: creates a coach.
        now: a clock, in seconds.
        files: stores analyses beyond the program's end; None: analyses are lost then.
    """

    def __init__(
        self,
        find: Callable[[int], GameToAnalyse],
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

    def analysis_of(self, number: int) -> Analysis | None:
        """Return a game's analysis as far as it is done, and continue it. None if there is none.

        There is none before `begin`, after `PATIENCE` without a request, and after its trouble was returned once.
        """
        with self._lock:
            if number in self._kept:
                self._kept[number] = kept = self._kept.pop(number)
                return kept
            task = self._tasks.get(number)
            if task is None:
                return None
            task.asked = self._now()
            if task.analysis.trouble:
                del self._tasks[number]  # reported once: the next request starts it again
            return task.analysis

    def begin(self, number: int) -> Analysis:
        """Start to analyse a game, unless that has been done, and return the analysis as far as it is done.

        This may take a moment, to replay the game. If the game cannot be analysed now, the result's `trouble` says why.

        Raises:
            NoSuchGame: there is no finished game with that number.
            CannotReplay: the game cannot be replayed here.
        """
        found = self.analysis_of(number)
        if found is not None:
            return found
        source = self._find(number)
        if not can_coach(source.game.box):
            return Analysis(trouble=KNOWS)
        kept = self._read(source)
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
                thread.start()  # if this fails, no game waits
                self._thread = thread
            begun = _Task(source, self._now(), Analysis(total=len(source.record.steps) - 1))
            return self._tasks.setdefault(number, begun).analysis

    def close(self) -> None:
        """Stop all analyses for good. This may be called twice."""
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
        """Return the game that has waited longest, or None if the thread should end."""
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
            self._files.write(task.source.written, analysis.steps)

    def _keep(self, number: int, analysis: Analysis) -> None:
        """Keep an analysis in memory. The caller holds the lock."""
        self._kept[number] = analysis
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]

    def _read(self, source: GameToAnalyse) -> Analysis | None:
        """Return a game's stored analysis. None if there is none that belongs to the game."""
        total = len(source.record.steps) - 1
        steps = None if self._files is None else self._files.read(source.written)
        if steps is None or len(steps) != total:
            return None
        return Analysis(total, total, steps, key_moments(source.record, steps))

    def _forget_unwanted(self) -> None:
        """Drop the analyses that nobody has asked for recently. The caller holds the lock."""
        now = self._now()
        self._tasks = {number: task for number, task in self._tasks.items() if now - task.asked <= PATIENCE}

    def _goes_on(self, number: int) -> bool:
        """Return whether to continue with a game. If nobody asks for it any more, drop it."""
        with self._lock:
            self._forget_unwanted()
            return number in self._tasks and not self._closing.is_set()

    def _analysed(self, number: int, task: _Task) -> Analysis | None:
        """Analyse a game. Return None if nobody asks for it any more, or if all analyses stop.

        Raises:
            PlayerFailed: the coach has failed.
        """
        (game, record, _), reviewer = task.source, self._make()
        found: list[AnalysedStep] = []
        history: PublicHistory | None = None
        shows = False
        try:
            reviewer.begin(game)
            for step, following in pairwise(record.steps):
                history = history.see(step.view, step.action) if history else PublicHistory.begin(step.view)
                shows = _announces(step.action, shows)
                reviewer.review(history, _next_action(step, following, shows=shows))
                said = self._wait_for_review(reviewer, number)
                if said is None:
                    return None
                followed = said.advice is not None and said.advice == following.action
                advice = AdvisedMove.of(said.advice)
                found.append(AnalysedStep(dict(said.stations), advice, followed, said.chance, said.cost))
                task.analysis = replace(task.analysis, done=len(found))
        finally:
            reviewer.close()
        return replace(task.analysis, steps=tuple(found), moments=key_moments(record, found))

    def _wait_for_review(self, reviewer: Reviewer, number: int) -> Review | None:
        """Return the coach's review when it is ready. None if the game was dropped or all analyses stop."""
        while self._goes_on(number):
            said = reviewer.reviewed()
            if said is not None:
                return said
            self._closing.wait(_LOOK_AGAIN)
        return None


def _announces(action: Action | None, shows: bool) -> bool:
    """Return whether Mister X will surface after his next move, now that he has taken this action.

    An earlier announcement to surface stays in force after he has announced a double move.
    """
    return isinstance(action, Surface) or (shows and isinstance(action, Double))


def _next_action(step: ReplayedStep, following: ReplayedStep, *, shows: bool) -> NextAction:
    """Return the action that followed a step of a pursuit game.

    Raises:
        LookupError: no action follows, or Mister X has no station.
    """
    if following.action is None:
        raise LookupError("this is the last step of the game, and no action follows")
    return NextAction(following.action, step.pawns[MR_X], shows)


def _reviewer_process() -> Reviewer:
    from firmware_host.players.protocol.coach_process import ReviewerProcess  # noqa: PLC0415 - rarely needed

    return ReviewerProcess()
