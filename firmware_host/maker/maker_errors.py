"""Define the errors of this room."""

from __future__ import annotations


class MakerError(Exception):
    """Something for a maker cannot be written."""


class BoardTooSmall(MakerError, ValueError):
    """The parts of a board do not fit at its width."""


class NoArtwork(MakerError, FileNotFoundError):
    """There is no artwork for a map."""


class UnsuitableChoice(MakerError, ValueError):
    """A kind of switch, or a board that the maker owns, does not suit a configuration."""


class NotForAnAfternoon(MakerError, ValueError):
    """A board is too large, or has too much electronics, for the guide to a board in an afternoon."""


class NoWay(MakerError):
    """Tracks of a circuit find no way on its board."""
