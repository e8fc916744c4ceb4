"""Say what the coach makes of each step of a finished game, and what the next action cost whoever did it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_host.players.coach.coach import CoachMind, enough
from firmware_host.players.coach.review_port import NextAction, Review
from firmware_host.players.player_port import NewGame
from firmware_host.players.public_history import PublicHistory

if TYPE_CHECKING:
    from firmware_host.players.search.search_reviewer import SearchReviewer


class ReviewingMind(CoachMind):
    """Looks at one finished game, step after step.

    Args:
        game: the game, as detectives are told of it.
    """

    _reviewer: SearchReviewer | None = None

    def _make_search(self) -> SearchReviewer:
        from firmware_host.players.search.search_reviewer import SearchReviewer  # noqa: PLC0415 - an extra

        self._reviewer = SearchReviewer(self._game.setup, chance=self._chance, enough=enough)
        return self._reviewer

    def review(self, history: PublicHistory, done: NextAction) -> Review:
        """Return what there is to say of a step and of what was done next; less without the extra `players`."""
        insight = self.look(history, advice=self._reviewer is None)
        if self._reviewer is None:
            return Review(insight.stations, insight.advice)
        self._seed(history)
        verdict = self._reviewer.review(history.now, done.action, mr_x=done.mr_x, shows=done.shows)
        return Review(insight.stations, verdict.advice, verdict.chance, verdict.cost)


class OwnReviewer:
    """Looks at games in this process while it is asked. Implements `Reviewer`."""

    def __init__(self) -> None:
        self._mind: ReviewingMind | None = None
        self._review: Review | None = None

    def begin(self, game: NewGame) -> None:
        """Begin to look at a game."""
        self._mind, self._review = ReviewingMind(game), None

    def review(self, history: PublicHistory, done: NextAction) -> None:
        """Look at a step, and at what was done next."""
        if self._mind is not None:
            self._review = self._mind.review(history, done)

    def reviewed(self) -> Review | None:
        """Return what it says of the step; None before it was asked."""
        return self._review

    def close(self) -> None:
        """Do nothing: it holds nothing."""
