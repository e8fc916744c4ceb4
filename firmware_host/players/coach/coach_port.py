"""Define what a coach is: told what everyone knows of a game, asked for what the log gives away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from firmware_host.players.levels.levels import is_pursuit
from firmware_host.players.player_port import NewGame
from firmware_host.players.public_history import PublicHistory
from firmware_host.rules.actions import PawnMove
from firmware_host.rules.setup import Box
from firmware_host.system.language import gettext_noop

KNOWS = gettext_noop("The coach knows the classic, current, US and beginners' games alone.")


@dataclass(frozen=True, slots=True)
class Insight:
    """What the coach has found out.

    Attributes:
        stations: where Mister X may be -> how likely, 1 in all.
        advice: what it would do, where detectives are on turn.
    """

    stations: Mapping[int, float] = field(default_factory=dict)
    advice: PawnMove | None = None


class Coach(Protocol):
    """Looks at one game after the other, like a `Player`; nothing here ever waits for it."""

    def begin(self, game: NewGame) -> None:
        """Begin to look at a game. Returns at once.

        Raises:
            PlayerFailed: it cannot.
        """

    def ask(self, history: PublicHistory, *, advice: bool) -> None:
        """Have it look at what everyone has seen; what was asked before is void.

        Args:
            history: what everyone has seen.
            advice: whether it shall say what to do, too.

        Raises:
            PlayerFailed: it has failed.
        """

    def insight(self) -> Insight | None:
        """Return what it has found out; None while it thinks.

        Raises:
            PlayerFailed: it has failed.
        """

    def close(self) -> None:
        """Let it go. Raises nothing, may be called twice."""


def can_coach(box: Box) -> bool:
    """Whether the coach knows a game: only where a log tells all that everyone knows of Mister X."""
    return is_pursuit(box)
