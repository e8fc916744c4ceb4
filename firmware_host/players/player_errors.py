"""What can be wrong with a computer player, or with a wish for one."""

from __future__ import annotations


class PlayerError(Exception):
    """Base of the errors of computer players. No message ever holds anything hidden."""


class CannotPlay(ValueError):
    """A player does not know this game, or cannot play it so well on this machine."""


class PlayerFailed(PlayerError):
    """A player has died, is late or answers nonsense; the message says which, and quotes nothing that it said."""
