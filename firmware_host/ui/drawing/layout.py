"""Lay words and boxes out on a one-bit screen of 128 by 64.

A screen is first a list of marks and painted afterwards, so tests can check that no word crosses an edge or another
word.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PIL import Image

from firmware_host.ui.drawing.screen_text import Font, fit, text_height

WIDTH, HEIGHT = 128, 64


@dataclass(frozen=True, slots=True, repr=False)
class Word:
    """A text in one line, its top left corner at (x, y). With `ink` 0 it is dark on light."""

    x: int
    y: int
    text: str
    font: Font
    ink: int = 1


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A lit rectangle. With `ink` 0 it is dark on light."""

    x: int
    y: int
    width: int
    height: int
    ink: int = 1


Mark = Word | Rectangle


def paint(marks: Iterable[Mark]) -> Image.Image:
    """Paint marks as a picture of mode "1", later ones over earlier ones."""
    image = Image.new("1", (WIDTH, HEIGHT), 0)
    for mark in marks:
        match mark:
            case Word(x, y, text, font, ink):
                font.draw(image, x, y, text, ink)
            case Rectangle(x, y, width, height, ink):
                image.paste(255 * ink, (x, y, x + width, y + height))
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


def centred_text(text: str, x: int, y: int, width: int, height: int) -> list[Mark]:
    """Return the marks of a text centred in a box, in the largest font that fits."""
    font, lines = fit(text, width, height)
    y += (height - text_height(len(lines), font)) // 2
    return [centred(x + width // 2, y + i * (font.height + 1), line, font) for i, line in enumerate(lines) if line]
