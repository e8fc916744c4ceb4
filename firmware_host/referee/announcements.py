"""Events that the board itself does not show: told once, before what comes next. Public and pure."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.referee.undo_result import Why
from firmware_host.rules.views import Happening


@dataclass(frozen=True, slots=True)
class GameGivenUp:
    """The game was given up."""


@dataclass(frozen=True, slots=True)
class SwitchesIgnored:
    """A key has found these stations' switches out of order; they are not listened to from now on."""

    stations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NotTakenBack:
    """Somebody has asked for a move to be taken back, and it stands."""

    why: Why


Announcement = Happening | GameGivenUp | SwitchesIgnored | NotTakenBack
"""What a game has brought, or what else has happened at the table."""
