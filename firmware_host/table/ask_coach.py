"""Ask the coach of one table for hints about the public position.

The coach receives public information only, so neither its hints nor their timing reveal a secret. Hints appear on a
fixed tick, and nothing waits for the coach: if it is not done at one tick, the table checks again at the next.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from firmware_host.players.coach.coach_port import KNOWS, Coach, can_coach
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import NewGame, PublicHistory
from firmware_host.referee.scene import CoachHints, CoachMode
from firmware_host.rules.game import Game
from firmware_host.system.event_log import log_fields
from firmware_host.system.language import gettext_noop

log = logging.getLogger("yardboard")


COACH_TICK = 1.0
"""Seconds from a change of the public position to the coach's hints, however soon the coach has them."""

FAILED = gettext_noop("The coach has failed. Ask for it again to have another.")


class TableCoach:
    """The coach of one table.

    Args:
        make: creates a coach.

    Attributes:
        hints: the coach's current hints.
    """

    def __init__(self, make: Callable[[], Coach]) -> None:
        self._make = make
        self._coach: Coach | None = None
        self._history: PublicHistory | None = None
        self._due: float | None = None
        self._stale = False
        self.hints = CoachHints()

    def choose(self, mode: CoachMode, game: Game | None) -> None:
        """Set how much the coach shows from now on."""
        if mode is self.hints.tells and not self.hints.trouble:
            return
        if mode is CoachMode.OFF:
            self.close()
        self.hints = CoachHints(mode)
        self.begin(game)

    def begin(self, game: Game | None) -> None:
        """Start to follow a game that begins or resumes, or follow none if `game` is None."""
        mode = self.hints.tells
        self._history = self._due = None
        self._stale = False
        self.hints = CoachHints(mode)
        if game is None or mode is CoachMode.OFF:
            return
        if not can_coach(game.setup.edition):
            self.close()
            self.hints = CoachHints(mode, trouble=KNOWS)
            return
        try:
            self._coach = self._coach or self._make()
            self._coach.begin(NewGame.of(game.setup, game.public.order, seed=0, level="", ms=0))
        except PlayerFailed:
            self._fail()
            return
        self._history, self._stale = PublicHistory.of(game), True

    def go_on(self, game: Game) -> None:
        """Update the coach after an action was played or undone."""
        if self._history is None:
            return
        history = self._history.follow(game)
        if history is not self._history:
            self._history, self._stale, self.hints = history, True, CoachHints(self.hints.tells)

    def update_hints(self, now: float) -> bool:
        """Ask the coach, or collect the coach's answer when it is due. Return whether the hints have changed."""
        coach, history = self._coach, self._history
        if coach is None or history is None or history.now.outcome is not None:
            return False
        try:
            if self._stale:
                self._stale, self._due = False, now + COACH_TICK
                coach.ask(history, advice=self.hints.tells is CoachMode.ADVICE)
            if self._due is None or now < self._due:
                return False
            insight = coach.insight()
        except PlayerFailed:
            self._fail()
            return True
        if insight is None:
            self._due += COACH_TICK
            return False
        self._due = None
        self.hints = CoachHints(self.hints.tells, insight.stations, insight.advice)
        return True

    def close(self) -> None:
        """Close the coach."""
        if self._coach is not None:
            self._coach.close()
        self._coach = self._history = self._due = None

    def _fail(self) -> None:
        self.close()
        self.hints = CoachHints(self.hints.tells, trouble=FAILED)
        log.warning("The coach has failed", extra=log_fields("coach"))
