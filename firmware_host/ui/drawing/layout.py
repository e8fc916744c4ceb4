"""Lay words and boxes out on a one-bit screen of 128 by 64, and fit texts into them.

A screen is laid out as a list of marks first and painted afterwards, so tests can check that no word crosses an edge or
another word.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image

from firmware_host.ui.drawing.fonts import SMALL, TEXT, Font

WIDTH, HEIGHT = 128, 64

ELLIPSIS = "…"


@dataclass(frozen=True, slots=True, repr=False)
class Word:
    """A text in one line, its top left corner at (x, y); with `ink` 0 it is dark on light."""

    x: int
    y: int
    text: str
    font: Font
    ink: int = 1


@dataclass(frozen=True, slots=True)
class Box:
    """A lit rectangle."""

    x: int
    y: int
    width: int
    height: int


Mark = Word | Box


def paint(marks: Iterable[Mark]) -> Image.Image:
    """Paint marks as a picture of mode "1", later ones over earlier ones."""
    image = Image.new("1", (WIDTH, HEIGHT), 0)
    for mark in marks:
        match mark:
            case Word(x, y, text, font, ink):
                font.draw(image, x, y, text, ink)
            case Box(x, y, width, height):
                image.paste(255, (x, y, x + width, y + height))
    return image


def left_aligned(x: int, y: int, text: str, font: Font, ink: int = 1) -> Word:
    """Return a word that begins at x."""
    return Word(x, y, text, font, ink)


def right_aligned(x: int, y: int, text: str, font: Font, ink: int = 1) -> Word:
    """Return a word that ends just before x."""
    return Word(x - font.width(text), y, text, font, ink)


def centred(middle: int, y: int, text: str, font: Font, ink: int = 1) -> Word:
    """Return a word centred on a column."""
    return Word(middle - font.width(text) // 2, y, text, font, ink)


def truncate(text: str, font: Font, width: int) -> str:
    """Return the text if it fits into a width, else its beginning and an ellipsis."""
    if font.width(text) <= width:
        return text
    for end in range(len(text) - 1, 0, -1):
        cut = text[:end].rstrip() + ELLIPSIS
        if font.width(cut) <= width:
            return cut
    return ""


def fit_line(text: str, width: int) -> tuple[Font, str]:
    """Return the larger font if a text fits a width in it, else the small one; and the text, cut to fit."""
    if TEXT.covers(text) and TEXT.width(text) <= width:
        return TEXT, text
    return SMALL, truncate(text, SMALL, width)


def wrap(text: str, font: Font, width: int) -> list[str]:
    """Break a text into lines no wider than a width; a single wider word is broken."""
    done: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}" if line else word
            if font.width(longer) <= width:
                line = longer
                continue
            if line:
                done.append(line)
            *whole, line = _break_word(word, font, width)
            done.extend(whole)
        done.append(line)
    return done


def text_height(count: int, font: Font) -> int:
    """Return the height of that many lines, with a blank row between two."""
    return count * (font.height + 1) - 1


@lru_cache(maxsize=512)
def fits(text: str, font: Font, width: int, height: int) -> bool:
    """Whether a text fits into a box in a font, with no word broken and no character missing."""
    words = text.split()
    return (
        all(font.covers(word) and font.width(word) <= width for word in words)
        and text_height(len(wrap(text, font, width)), font) <= height
    )


def fit(text: str, width: int, height: int) -> tuple[Font, list[str]]:
    """Return the largest font in which a text fits into a box, and its lines; a text too long for all is cut."""
    if fits(text, TEXT, width, height):
        return TEXT, wrap(text, TEXT, width)
    lines = wrap(text, SMALL, width)
    most = (height + 1) // (SMALL.height + 1)
    if len(lines) > most:
        lines = [*lines[: most - 1], _cut_off(lines[most - 1], width)]
    return SMALL, lines


def centred_text(text: str, x: int, y: int, width: int, height: int) -> list[Mark]:
    """Return the marks of a text in the middle of a box, in the largest font that fits."""
    font, lines = fit(text, width, height)
    y += (height - text_height(len(lines), font)) // 2
    return [centred(x + width // 2, y + i * (font.height + 1), line, font) for i, line in enumerate(lines) if line]


def _cut_off(line: str, width: int) -> str:
    """Cut a line to show that more text follows."""
    while SMALL.width(line + ELLIPSIS) > width:
        line = line[:-1].rstrip()
    return line + ELLIPSIS


def _break_word(word: str, font: Font, width: int) -> list[str]:
    """Break a word into pieces no wider than a width, at least one character each."""
    pieces = [""]
    for char in word:
        if pieces[-1] and font.width(pieces[-1] + char) > width:
            pieces.append("")
        pieces[-1] += char
    return pieces
