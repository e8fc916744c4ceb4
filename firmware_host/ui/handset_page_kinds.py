"""Define the kinds of handset pages as data.

`handset_pages` creates most pages. The `repr` of a page that may hold Mister X's stations shows no content.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, repr=False)
class ChoicePage:
    """A page with a huge number at the left and a list to choose from at the right.

    Attributes:
        header: a few words above the number.
        number: the station, or the name of the pawn from which Mister X takes a ticket.
        note: a few words below the number.
        hint: a shorter text below the note.
        warned: whether the hint is a warning.
        status: a sentence above the rows, or "".
        rows: the rows of the list: a name or a station, or a name and a count or a destination.
        cursor: the row under the cursor; None if the list is only for reading.
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
    """A page with a table under a title. `name` identifies the page, `heads` are the columns' headings."""

    name: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    cursor: int


@dataclass(frozen=True, slots=True, repr=False)
class Ending:
    """The page at the end of a game: who won and why, and which pages can be read."""

    title: str
    text: str
    rows: tuple[tuple[str, ...], ...]
    cursor: int


@dataclass(frozen=True, slots=True, repr=False)
class Notice:
    """A page with a text and perhaps a title, on which there is nothing to choose."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Listing:
    """A page with rows, and perhaps a title and a text. With `across`, the rows are cells of a grid."""

    title: str
    text: str
    rows: tuple[tuple[str, ...], ...]
    cursor: int
    across: int = 0


LARGEST_CODE = 29
"""Rows of the largest code that fits 64 pixels, at two pixels per module."""


@dataclass(frozen=True, slots=True, repr=False)
class ScanPage:
    """A page with a QR code and a text about it.

    Attributes:
        code: the rows of the QR code, at most `LARGEST_CODE`, a character per module: "1" for a dark one. It is as
            secret as its link.
        title: a word above the text.
        text: the effect of scanning the code.
    """

    code: tuple[str, ...]
    title: str
    text: str


Page = ChoicePage | Columns | Ending | Notice | Listing | ScanPage
