"""Whoever looks at finished games, as a process of its own: the coach's program, asked for reviews."""

from __future__ import annotations

from msgspec import UnsetType

from firmware_host.players.coach.review_port import NextAction, Review
from firmware_host.players.protocol.coach_process import CoachProcess
from firmware_host.players.protocol.protocol_messages import BadLine, ReviewMessage, Told
from firmware_host.players.public_history import PublicHistory
from firmware_host.rules.actions import Action, from_record, to_record
from firmware_host.rules.errors import BadRecord


class ReviewerProcess(CoachProcess):
    """Looks at finished games in a process of its own. Implements `Reviewer`; once it has failed it has for good."""

    _review: Review | None = None

    def review(self, history: PublicHistory, done: NextAction) -> None:
        """Have it look at a step, and at what was done next."""
        self._review = None
        self._ask(history, ReviewMessage(done=to_record(done.action), mr_x=done.mr_x, shows=done.shows))

    def reviewed(self) -> Review | None:
        """Return what it says of the step; None while it thinks."""
        self._listen()
        return self._review

    def _take(self, told: Told, _: PublicHistory) -> None:
        known = tuple(None if isinstance(one, UnsetType) else one for one in (told.chance, told.cost))
        self._review = Review(told.stations, _action(told), *known)


def _action(told: Told) -> Action | None:
    if isinstance(told.move, UnsetType):
        return None
    try:
        return from_record(told.move)
    except BadRecord:
        raise BadLine("it advises what nobody can do") from None
