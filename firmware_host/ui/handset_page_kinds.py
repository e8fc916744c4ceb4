"""Define the kinds of handset pages as data. `handset_pages` builds most of them.

Pages may hold Mister X's stations; those that may have a `repr` without content.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, repr=False)
class ChoicePage:
    """A huge number at the left, a list to choose from at the right.

    Attributes:
        header: a few words above the number.
        number: the station.
        note: a few words below the number.
        hint: fewer words, below the note.
        warned: whether the hint is a warning.
        status: a sentence above the rows, or "".
        rows: the list: a name, or a name and a count.
        cursor: the row under the cursor, or None in a list to read.
    """

    header: str
    number: str
    note: str
    hint: str
    warned: bool
    status: str
    rows: tuple[tuple[str, ...], ...]
    cursor: int | None


@dataclass(frozen=True, slots=True, repr=False)
class Columns:
    """Rows of cells under a title. `name` is the page's name, `heads` name the columns."""

    name: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    cursor: int


@dataclass(frozen=True, slots=True, repr=False)
class Ending:
    """The winner and the reason, and the pages that can be read now."""

    title: str
    text: str
    rows: tuple[tuple[str, ...], ...]
    cursor: int


@dataclass(frozen=True, slots=True, repr=False)
class Notice:
    """A title, or "", and a text, without a choice."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Listing:
    """A full-width list: a title, a text, or "", and rows. With `across` the rows are cells of a grid."""

    title: str
    text: str
    rows: tuple[tuple[str, ...], ...]
    cursor: int
    across: int = 0


LARGEST_CODE = 29
"""Rows of the largest code that fits 64 pixels, at two pixels per module."""


@dataclass(frozen=True, slots=True, repr=False)
class ScanPage:
    """A QR code to scan, and what it does.

    Attributes:
        code: its rows, at most `LARGEST_CODE`, a character per module: "1" for a dark one. As secret as its link.
        title: a word above the text.
        text: the effect of scanning it.
    """

    code: tuple[str, ...]
    title: str
    text: str


Page = ChoicePage | Columns | Ending | Notice | Listing | ScanPage
