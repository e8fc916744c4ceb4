"""Define the errors of computer players, and of requests for such players."""

from __future__ import annotations

from firmware_host.rules.secret import Secret

NO_GAME = "it was asked for a move before its game began; begin one first"
"""The reason for the failure of a player that is asked before `begin`."""


class PlayerError(Exception):
    """Base class of computer players' errors. No message contains anything hidden."""


class CannotPlay(ValueError):
    """The error that a player does not know this game, or cannot play it at this level on this machine."""


class PlayerFailed(PlayerError):
    """The error that a player cannot go on, for example because it died, is late or sent nonsense.

    The message says what happened, and quotes nothing that the player sent.

    Attributes:
        last_line: the last line of its program's standard error; "" if there is none. Mister X's program may have
            written secrets there.
        reason: the reason that its program gave for not playing; "" if it gave none. Mister X's program may have
            written secrets there.
    """

    def __init__(self, why: str, last_line: Secret[str] | None = None, reason: Secret[str] | None = None) -> None:
        super().__init__(why)
        self.last_line = last_line or Secret("")
        self.reason = reason or Secret("")
