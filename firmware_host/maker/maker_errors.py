"""Define the errors of the maker's drawings and lists."""

from __future__ import annotations


class MakerError(Exception):
    """The base of all errors here: a drawing, list or file cannot be written."""


class BoardTooSmall(MakerError, ValueError):
    """The parts of a board do not fit at its width."""


class PartLeftOut(MakerError):
    """`make all` must leave out one of its parts, and says so; the others are written."""


class NoElectronics(PartLeftOut, ValueError):
    """A board has no electronics, because its devices are simulated."""

    def __init__(self, what: str) -> None:
        super().__init__(f"a simulated board has no {what}; name the drivers of a real board")


class NoArtwork(PartLeftOut, FileNotFoundError):
    """There is no artwork for a map."""


class TilesTooLarge(PartLeftOut, ValueError):
    """The two sides of a tile do not fit on a page."""


class UnsuitableChoice(MakerError, ValueError):
    """A kind of switch, or a board that the maker owns, does not suit a configuration."""


class NotForAnAfternoon(PartLeftOut, ValueError):
    """A board is too large, or has too much electronics, for the guide to a board in an afternoon."""


class NoWay(PartLeftOut, RuntimeError):
    """The router found no way for a track of a circuit board."""


class NoHandset(PartLeftOut, LookupError):
    """A board has no handset with a screen."""


class BadScreen(MakerError, ValueError):
    """The measured sizes of a screen's board contradict each other."""
