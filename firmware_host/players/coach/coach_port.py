"""Define the interfaces of a coach, which has only public knowledge, and of a reviewer of finished games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from firmware_host.players.levels.levels import is_pursuit
from firmware_host.players.player_port import NewGame, PublicHistory
from firmware_host.rules.actions import Action, PawnMove
from firmware_host.rules.setup import Box
from firmware_host.system.language import gettext_noop

KNOWS = gettext_noop("The coach knows the classic, current, US and beginners' games alone.")


@dataclass(frozen=True, slots=True)
class Insight:
    """The coach's result: where Mister X may be, and its advice.

    Attributes:
        stations: Mister X's possible stations -> their probabilities, which add up to 1.
        advice: the move that the coach suggests, if detectives are on turn.
    """

    stations: Mapping[int, float] = field(default_factory=dict)
    advice: PawnMove | None = None


class Coach(Protocol):
    """The interface of a coach for one game after another. No method blocks, but `OwnCoach` thinks in `ask`."""

    def begin(self, game: NewGame) -> None:
        """Start to follow a game. Return at once.

        Raises:
            PlayerFailed: the coach cannot follow it.
        """

    def ask(self, history: PublicHistory, *, advice: bool) -> None:
        """Start to think about the present position. An earlier question no longer counts.

        Args:
            history: the public history up to the present.
            advice: whether to suggest a move, too.

        Raises:
            PlayerFailed: the coach has failed.
        """

    def insight(self) -> Insight | None:
        """Return the answer to the last question, or None while the coach is thinking.

        Raises:
            PlayerFailed: the coach has failed.
        """

    def close(self) -> None:
        """Release the coach. This raises nothing and may be called twice."""


def can_coach(box: Box) -> bool:
    """Return whether the coach can help in a game. It can if the log contains all public knowledge of Mister X."""
    return is_pursuit(box)


@dataclass(frozen=True, slots=True)
class NextAction:
    """The next action of a finished game.

    Attributes:
        action: the action.
        mr_x: Mister X's station before it.
        shows: whether he had announced that he will surface.
    """

    action: Action
    mr_x: int
    shows: bool = False


@dataclass(frozen=True, slots=True)
class Review:
    """The review of one step of a finished game and of the action that followed.

    Attributes:
        stations: Mister X's possible stations by public knowledge -> their probabilities, which add up to 1.
        advice: the action that the coach would have chosen.
        chance: the detectives' probability of winning by public knowledge; None if it cannot be computed here.
        cost: how much less likely the acting side wins than with the advice; None if it cannot be computed here.
    """

    stations: Mapping[int, float] = field(default_factory=dict)
    advice: Action | None = None
    chance: float | None = None
    cost: float | None = None


class Reviewer(Protocol):
    """The interface of a reviewer of finished games, step by step. No method blocks."""

    def begin(self, game: NewGame) -> None:
        """Start to review a game. Return at once.

        Raises:
            PlayerFailed: the reviewer cannot review it.
        """

    def review(self, history: PublicHistory, done: NextAction) -> None:
        """Start to review a step and the action that followed it.

        Args:
            history: the public history up to that step.
            done: the action that followed.

        Raises:
            PlayerFailed: the reviewer has failed.
        """

    def reviewed(self) -> Review | None:
        """Return the review of the last step, or None while the reviewer is thinking.

        Raises:
            PlayerFailed: the reviewer has failed.
        """

    def close(self) -> None:
        """Release the reviewer. This raises nothing and may be called twice."""
