"""Draw a QR code for a screen of 128 by 64, with an explanation at its right. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from firmware_host.ui.drawing.layout import HEIGHT, WIDTH, Mark, Rectangle, centred, centred_text
from firmware_host.ui.drawing.screen_text import TEXT, fit_line

_MODULE = 2  # pixels per module of a code: a phone's camera needs that many
_TITLE_HEIGHT = 13


def layout(code: Sequence[str], title: str, text: str) -> Iterator[Mark]:
    """Return the rectangles of a code, dark on a lit square, and of the words beside it.

    Args:
        code: its rows, at most `handset_page_kinds.LARGEST_CODE`, a character per module: "1" for a dark one.
        title: a word above the text.
        text: the effect of scanning it.
    """
    margin = (HEIGHT - _MODULE * len(code)) // 2
    yield Rectangle(0, 0, HEIGHT, HEIGHT)
    for row, modules in enumerate(code):
        for run in re.finditer("1+", modules):
            x, y = margin + _MODULE * run.start(), margin + _MODULE * row
            yield Rectangle(x, y, _MODULE * len(run[0]), _MODULE, ink=0)
    left, width = HEIGHT + 2, WIDTH - HEIGHT - 2
    yield Rectangle(left, 0, width, _TITLE_HEIGHT)
    font, title = fit_line(title, width - 4)
    yield centred(left + width // 2, 2 if font is TEXT else 3, title, font, ink=0)
    yield from centred_text(text, left, _TITLE_HEIGHT + 1, width, HEIGHT - _TITLE_HEIGHT - 1)
