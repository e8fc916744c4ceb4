"""What has just happened and the board itself does not show: told once, before what comes next. Public and pure."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.rules.views import Happening


@dataclass(frozen=True, slots=True)
class GameGivenUp:
    """The game was given up."""


@dataclass(frozen=True, slots=True)
class SwitchesIgnored:
    """A key has found these stations' switches out of order; they are not listened to from now on."""

    stations: tuple[int, ...]


JustHappened = Happening | GameGivenUp | SwitchesIgnored
"""What a game has brought, or what else has happened at the table."""
