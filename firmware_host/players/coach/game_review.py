"""Review each step of a finished game and the cost of the action that followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_host.players.coach.coach import CoachMind, enough
from firmware_host.players.coach.review_port import NextAction, Review
from firmware_host.players.public_history import PublicHistory

if TYPE_CHECKING:
    from firmware_host.players.search.search_reviewer import SearchReviewer


class ReviewingMind(CoachMind):
    """A reviewer of one finished game, step after step.

    Args:
        game: the game as detectives know it.
    """

    _reviewer: SearchReviewer | None = None

    def _make_search(self) -> SearchReviewer:
        from firmware_host.players.search.search_reviewer import SearchReviewer  # noqa: PLC0415 - an extra

        self._reviewer = SearchReviewer(self._game.setup, chance=self._chance, enough=enough)
        return self._reviewer

    def review(self, history: PublicHistory, done: NextAction) -> Review:
        """Return the review of a step and of the next action; without the extra `players` it holds less."""
        insight = self.look(history, advice=self._reviewer is None)
        if self._reviewer is None:
            return Review(insight.stations, insight.advice)
        self._seed(history)
        verdict = self._reviewer.review(history.now, done.action, mr_x=done.mr_x, shows=done.shows)
        return Review(insight.stations, verdict.advice, verdict.chance, verdict.cost)
