"""Define the errors of computer players, and of requests for such players."""

from __future__ import annotations


class PlayerError(Exception):
    """Base class of computer players' errors. No message contains anything hidden."""


class CannotPlay(ValueError):
    """The error that a player does not know this game, or cannot play it at this level on this machine."""


class PlayerFailed(PlayerError):
    """The error that a player died, is late or sent nonsense.

    The message names the player, and quotes nothing that it sent.
    """
