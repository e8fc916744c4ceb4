"""Define the coach, which shows what Mister X's log reveals."""

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
        stations: Mister X's possible stations -> their probability, 1 in all.
        advice: the coach's move, if detectives are on turn.
    """

    stations: Mapping[int, float] = field(default_factory=dict)
    advice: PawnMove | None = None


class Coach(Protocol):
    """A coach that follows one game after the other, like a `Player`. No method blocks."""

    def begin(self, game: NewGame) -> None:
        """Begin to follow a game. Returns at once.

        Raises:
            PlayerFailed: the coach cannot.
        """

    def ask(self, history: PublicHistory, *, advice: bool) -> None:
        """Start work on what everyone has seen; an earlier question is void.

        Args:
            history: what everyone has seen.
            advice: whether to suggest a move, too.

        Raises:
            PlayerFailed: the coach has failed.
        """

    def insight(self) -> Insight | None:
        """Return what the coach has found out; None while it thinks.

        Raises:
            PlayerFailed: the coach has failed.
        """

    def close(self) -> None:
        """Release the coach. Raises nothing, may be called twice."""


def can_coach(box: Box) -> bool:
    """Return whether the coach knows a game: only one whose log holds all public knowledge of Mister X."""
    return is_pursuit(box)
