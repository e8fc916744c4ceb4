"""Define who looks at finished games: told step by step what everyone knew and what was done, for there all is open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from firmware_host.players.player_port import NewGame
from firmware_host.players.public_history import PublicHistory
from firmware_host.rules.actions import Action


@dataclass(frozen=True, slots=True)
class NextAction:
    """What was done next in a finished game.

    Attributes:
        action: the action.
        mr_x: Mister X's station before it.
        shows: whether he had announced that he will show himself.
    """

    action: Action
    mr_x: int
    shows: bool = False


@dataclass(frozen=True, slots=True)
class Review:
    """What there is to say of a step of a finished game, and of what was done next.

    Attributes:
        stations: where Mister X may have been by what everyone knew -> how likely, 1 in all.
        advice: what the coach would have done.
        chance: how likely the detectives were to win, by what everyone knew; None if that cannot be said here.
        cost: by how much less likely whoever did it wins than by the advice; None if that cannot be said here.
    """

    stations: Mapping[int, float] = field(default_factory=dict)
    advice: Action | None = None
    chance: float | None = None
    cost: float | None = None


class Reviewer(Protocol):
    """Looks at one finished game after the other, step by step; nothing here ever waits for it."""

    def begin(self, game: NewGame) -> None:
        """Begin to look at a game. Returns at once.

        Raises:
            PlayerFailed: it cannot.
        """

    def review(self, history: PublicHistory, done: NextAction) -> None:
        """Have it look at a step, and at what was done next.

        Args:
            history: what everyone had seen by then.
            done: what was done next.

        Raises:
            PlayerFailed: it has failed.
        """

    def reviewed(self) -> Review | None:
        """Return what it says of the step; None while it thinks.

        Raises:
            PlayerFailed: it has failed.
        """

    def close(self) -> None:
        """Let it go. Raises nothing, may be called twice."""
