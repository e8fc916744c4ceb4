"""A reviewer in the tests' own process, instead of in a separate one."""

from __future__ import annotations

from firmware_host.players.coach.coach import ReviewingMind
from firmware_host.players.coach.coach_port import NextAction, Review
from firmware_host.players.player_port import NewGame, PublicHistory


class OwnReviewer:
    """A reviewer that analyses games in this process when asked. Implements `Reviewer`."""

    def __init__(self) -> None:
        self._mind: ReviewingMind | None = None
        self._review: Review | None = None

    def begin(self, game: NewGame) -> None:
        """Begin to review a game."""
        self._mind, self._review = ReviewingMind(game), None

    def review(self, history: PublicHistory, done: NextAction) -> None:
        """Review a step and the action after it."""
        if self._mind is not None:
            self._review = self._mind.review(history, done)

    def reviewed(self) -> Review | None:
        """Return the review of the step; None before it was asked."""
        return self._review

    def close(self) -> None:
        """Do nothing, because there is nothing to close."""
