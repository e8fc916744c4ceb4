"""Run the reviewer of finished games as a process: the coach's program, asked for reviews."""

from __future__ import annotations

from msgspec import UnsetType

from firmware_host.players.coach.review_port import NextAction, Review
from firmware_host.players.protocol.coach_process import CoachProcess
from firmware_host.players.protocol.protocol_messages import BadLine, CoachAnswer, ReviewMessage
from firmware_host.players.public_history import PublicHistory
from firmware_host.rules.actions import Action, from_record, to_record
from firmware_host.rules.errors import BadRecord


class ReviewerProcess(CoachProcess):
    """The reviewer of finished games in a process of its own. Implements `Reviewer`. A failure is final."""

    _review: Review | None = None

    def review(self, history: PublicHistory, done: NextAction) -> None:
        """Start the review of a step and of the action that followed."""
        self._review = None
        self._ask(history, ReviewMessage(done=to_record(done.action), mr_x=done.mr_x, shows=done.shows))

    def reviewed(self) -> Review | None:
        """Return the review of the step; None while the program thinks."""
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
