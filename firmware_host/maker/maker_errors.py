"""Define the errors of `yardboard make`."""

from __future__ import annotations


class MakerError(Exception):
    """Base class of these errors: a drawing, list or file cannot be written."""


class BoardTooSmall(MakerError, ValueError):
    """The board is too small for its parts."""


class PartLeftOut(MakerError):
    """One part of `make all` cannot be written. The command says so and writes the others."""


class NoElectronics(PartLeftOut, ValueError):
    """The board has no electronics, because its devices are simulated."""


class NoArtwork(PartLeftOut, FileNotFoundError):
    """No artwork exists for a map or for tiles."""


class TilesTooLarge(PartLeftOut, ValueError):
    """The two sides of a tile do not fit on one page."""


class UnsuitableChoice(MakerError, ValueError):
    """The chosen switch, or the maker's own board, does not suit a configuration."""


class NotForAnAfternoon(PartLeftOut, ValueError):
    """The board is too large or has too much electronics to be built in an afternoon."""


class NoWay(PartLeftOut, RuntimeError):
    """The router found no way for a track of a circuit board."""


class NoHandset(PartLeftOut, LookupError):
    """The board has no handset with a screen."""


class BadScreen(MakerError, ValueError):
    """The measured sizes of a screen's board contradict each other."""
