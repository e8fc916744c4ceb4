"""A link as a QR code that a phone reads off a terminal."""

from __future__ import annotations

from itertools import groupby

import segno

QUIET = 4
"""Light modules around the code; readers need them."""

_HALF = "▀"
"""The upper half of a character, which is twice as high as wide, in one colour; the lower half is its background."""

_COLOURS = (231, 16)
"""White for a light module, black for a dark one, whatever the terminal's own colours are: not every reader takes a
code that is light on dark."""


def printed(link: str) -> list[str]:
    """The lines to print, two rows of modules each, with the escape codes for their colours.

    The lower module is the background, which fills the space between two lines as well: no line cuts through the code.
    """
    rows = [list(row) for row in segno.make(link, error="l", micro=False).matrix_iter(border=QUIET)]
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    return [_line(list(zip(upper, lower, strict=True))) for upper, lower in zip(rows[::2], rows[1::2], strict=True)]


def width(lines: list[str]) -> int:
    """The columns that they take."""
    return lines[0].count(_HALF)


def _line(pairs: list[tuple[int, int]]) -> str:
    runs = [(pair, len(list(run))) for pair, run in groupby(pairs)]
    return "".join(f"\x1b[38;5;{_COLOURS[u]};48;5;{_COLOURS[v]}m{_HALF * n}" for (u, v), n in runs) + "\x1b[0m"
