"""The errors of computer players, and of requests for them."""

from __future__ import annotations


class PlayerError(Exception):
    """The base of computer players' errors. No message ever contains anything hidden."""


class CannotPlay(ValueError):
    """A player does not know this game, or cannot play it at this level on this machine."""


class PlayerFailed(PlayerError):
    """A player has died, is late or has sent nonsense. The message says which, and quotes nothing it sent."""
