"""Define the one-bit fonts, and place words, boxes and QR codes on a screen of 128 by 64 pixels.

Because the fonts are our own, a picture is the same to the pixel on every machine. A font's text file consists of
blocks: a line of characters, and below it their shapes side by side. In a shape `#` is ink and `.` is background.

A screen is first described as a list of words and rectangles, then painted. So tests can check that no word crosses an
edge or another word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from PIL import Image

FOLDER = Path(__file__).resolve().parent / "fonts"
"""The folder of the font files, such as `text.txt`."""

SPELT_OUT = {"space": " ", "nbsp": "\u00a0", "nnbsp": "\u202f", "missing": "\0"}
"""Characters that a file spells as words: the blanks, and the box for missing shapes.

Lines do not break at the blanks "nbsp" and "nnbsp".
"""

_MISSING = SPELT_OUT["missing"]

ELLIPSIS = "…"

_BREAKS = re.compile("[ \t]+")
"""Where a line may break: not at blanks that bind words, as French has before its question marks."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of one character: its rows from the top, as texts of `#` and `.` of equal length."""

    rows: tuple[str, ...]

    @property
    def width(self) -> int:
        """The width in pixels, without the gap after the character."""
        return len(self.rows[0])


@dataclass(frozen=True, slots=True, eq=False)
class Font:
    """The shapes of a font, all of one height.

    Attributes:
        name: the name of the font in the code, and of its file.
        height: pixels from the top of a capital to the foot of a descender.
        gap: blank columns between two characters.
        shapes: character -> shape.
    """

    name: str
    height: int
    gap: int
    shapes: Mapping[str, Shape] = field(repr=False)
    _columns: dict[str, bytes] = field(default_factory=dict, repr=False)

    def covers(self, text: str) -> bool:
        """Return whether every character of a text has a shape."""
        return all(char in self.shapes for char in text)

    def width(self, text: str) -> int:
        """Return a text's width in columns."""
        return len(self._written(text)) // self._stride - self.gap if text else 0

    def draw(self, image: Image.Image, x: int, y: int, text: str, ink: int = 1) -> None:
        """Draw a text on a picture of mode "1", with its top left corner at (x, y).

        With `ink` 1 the text is lit, with 0 it is dark.
        """
        if not text:
            return
        columns = self._written(text)
        lying = Image.frombytes("1", (self.height, len(columns) // self._stride), columns)
        image.paste(255 if ink else 0, (x, y), lying.transpose(Image.Transpose.TRANSPOSE))

    @property
    def _stride(self) -> int:
        """The number of bytes in a column of pixels, at one bit per pixel."""
        return (self.height + 7) // 8

    def _written(self, text: str) -> bytes:
        """Return the columns of a text from left to right, with a gap after each character."""
        known = self._columns
        return b"".join([known[char] if char in known else self._columns_of(char) for char in text])

    def _columns_of(self, char: str) -> bytes:
        if char not in self.shapes:
            char = _MISSING
        if char not in self._columns:
            drawn = ("".join(column) for column in zip(*self.shapes[char].rows, strict=True))
            bits = (column.replace("#", "1").replace(".", "0").ljust(8 * self._stride, "0") for column in drawn)
            ink = b"".join(int(column, 2).to_bytes(self._stride, "big") for column in bits)
            self._columns[char] = ink + bytes(self.gap * self._stride)
        return self._columns[char]


def parse(name: str, art: str, *, height: int, gap: int) -> Font:
    """Read a font from a text file of drawn characters. Rows missing at the bottom of a character are blank.

    Raises:
        ValueError: a block or character is malformed, or a character is drawn twice; the message names the font, and
            the block's first line or the character.
    """
    shapes: dict[str, Shape] = {}
    for block in art.strip("\n").split("\n\n"):
        for char, shape in _shapes_of(name, block.strip("\n").split("\n"), height):
            if char in shapes:
                raise ValueError(f"font {name}: {char!r} is drawn twice; draw it once")
            shapes[char] = shape
    if _MISSING not in shapes:
        shapes[_MISSING] = Shape(("#" * max(s.width for s in shapes.values()),) * height)
    return Font(name, height, gap, shapes)


def _shapes_of(name: str, block: list[str], height: int) -> Iterator[tuple[str, Shape]]:
    heading, *lines = block
    chars = [SPELT_OUT.get(word, word) for word in heading.split()]
    rows = [line.split() for line in lines]
    if len(rows) > height or any(len(row) != len(chars) for row in rows):
        raise ValueError(f"font {name}: block {heading!r} needs {len(chars)} shapes in at most {height} rows")
    for column, char in enumerate(chars):
        drawn = [row[column] for row in rows]
        if len(char) != 1 or len({len(row) for row in drawn}) != 1 or set("".join(drawn)) - set("#."):
            raise ValueError(f"font {name}: {char!r} must be drawn in rows of one length, of # and . alone")
        blank = "." * len(drawn[0])
        yield char, Shape((*drawn, *[blank] * (height - len(drawn))))


def _load(name: str, *, height: int, gap: int) -> Font:
    return parse(name, (FOLDER / f"{name}.txt").read_text(encoding="utf-8"), height=height, gap=gap)


SMALL = _load("small", height=8, gap=1)
"""A font of 5 by 7 pixels, for labels and long texts."""

TEXT = _load("text", height=11, gap=1)
"""A bold font with strokes two pixels wide, readable at arm's length."""

DIGITS = _load("digits", height=26, gap=2)
"""A font of huge digits with strokes four pixels wide, for the most important number on a screen."""


def truncate(text: str, font: Font, width: int) -> str:
    """Return the text if it fits the width, else as much as fits before an ellipsis, or "" if nothing does."""
    if font.width(text) <= width:
        return text
    for end in range(len(text) - 1, 0, -1):
        cut = text[:end].rstrip() + ELLIPSIS
        if font.width(cut) <= width:
            return cut
    return ""


def fit_line(text: str, width: int) -> tuple[Font, str]:
    """Return the font for a text in one line, and the text. Prefer the larger font.

    If the text is too wide even in the small font, it is shortened.
    """
    if TEXT.covers(text) and TEXT.width(text) <= width:
        return TEXT, text
    return SMALL, truncate(text, SMALL, width)


def wrap(text: str, font: Font, width: int) -> list[str]:
    """Break a text into lines no wider than the width. A word that is wider than the width is broken, too."""
    done: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in filter(None, _BREAKS.split(paragraph)):
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
    """Return the height of this many lines of text, with a blank row between two."""
    return count * (font.height + 1) - 1


@lru_cache(maxsize=512)
def fits(text: str, font: Font, width: int, height: int) -> bool:
    """Return whether a text fits a box in a font without breaking a word or lacking a character."""
    words = re.split(r"[ \t\n]+", text)
    return (
        all(font.covers(word) and font.width(word) <= width for word in words)
        and text_height(len(wrap(text, font, width)), font) <= height
    )


def fit(text: str, width: int, height: int) -> tuple[Font, list[str]]:
    """Return the largest font in which a text fits a box, and its lines. A longer text is shortened."""
    if fits(text, TEXT, width, height):
        return TEXT, wrap(text, TEXT, width)
    lines = wrap(text, SMALL, width)
    most = (height + 1) // (SMALL.height + 1)
    if len(lines) > most:
        lines = [*lines[: most - 1], _cut_off(lines[most - 1], width)]
    return SMALL, lines


def _cut_off(line: str, width: int) -> str:
    """Return a line with an ellipsis that shows that more text follows."""
    while SMALL.width(line + ELLIPSIS) > width:
        line = line[:-1].rstrip()
    return line + ELLIPSIS


def _break_word(word: str, font: Font, width: int) -> list[str]:
    """Break a word into pieces no wider than the width, of at least one character each."""
    pieces = [""]
    for char in word:
        if pieces[-1] and font.width(pieces[-1] + char) > width:
            pieces.append("")
        pieces[-1] += char
    return pieces


WIDTH, HEIGHT = 128, 64


@dataclass(frozen=True, slots=True, repr=False)
class Word:
    """A line of text with its top left corner at (x, y).

    With `ink` 0 the line is dark on a lit background.
    """

    x: int
    y: int
    text: str
    font: Font
    ink: int = 1


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A lit rectangle, or with `ink` 0 a dark one on a lit background."""

    x: int
    y: int
    width: int
    height: int
    ink: int = 1


Mark = Word | Rectangle


def paint(marks: Iterable[Mark]) -> Image.Image:
    """Draw words and rectangles as a picture of mode "1", later ones over earlier ones."""
    image = Image.new("1", (WIDTH, HEIGHT), 0)
    for mark in marks:
        match mark:
            case Word(x, y, text, font, ink):
                font.draw(image, x, y, text, ink)
            case Rectangle(x, y, width, height, ink):
                image.paste(255 * ink, (x, y, x + width, y + height))
    return image


def left_aligned(x: int, y: int, text: str, font: Font, ink: int = 1) -> Word:
    """Return a word that starts at x."""
    return Word(x, y, text, font, ink)


def right_aligned(x: int, y: int, text: str, font: Font, ink: int = 1) -> Word:
    """Return a word that ends just before x."""
    return Word(x - font.width(text), y, text, font, ink)


def centred(middle: int, y: int, text: str, font: Font, ink: int = 1) -> Word:
    """Return a word centred at a column."""
    return Word(middle - font.width(text) // 2, y, text, font, ink)


def centred_text(text: str, x: int, y: int, width: int, height: int) -> list[Mark]:
    """Return the words of a text in the middle of a box, in the largest font that fits."""
    font, lines = fit(text, width, height)
    y += (height - text_height(len(lines), font)) // 2
    return [centred(x + width // 2, y + i * (font.height + 1), line, font) for i, line in enumerate(lines) if line]


_MODULE = 2  # pixels per module of a code: a phone's camera needs that many

BAR_HEIGHT, TITLE_HEIGHT = 9, 13
"""The heights of a bar with small words, and of one with a title, in pixels."""


def small_bar(text: str, since: str = "", y: int = 0) -> Iterator[Mark]:
    """Yield the parts of a lit bar with small dark words, and perhaps a time at its right end.

    The words are shortened to leave room for the time.
    """
    yield Rectangle(0, y, WIDTH, BAR_HEIGHT)
    room = WIDTH - 4
    if since:
        yield right_aligned(WIDTH - 2, y + 1, since, SMALL, ink=0)
        room -= SMALL.width(since) + 4
    yield left_aligned(2, y + 1, truncate(text, SMALL, room), SMALL, ink=0)


def title_bar(title: str, left: int, width: int) -> Iterator[Mark]:
    """Yield the parts of a title bar: dark words on a lit bar at the upper edge."""
    font, text = fit_line(title, width - 4)
    yield Rectangle(left, 0, width, TITLE_HEIGHT)
    yield centred(left + width // 2, 2 if font is TEXT else 3, text, font, ink=0)


def code_marks(code: Sequence[str], title: str, text: str) -> Iterator[Mark]:
    """Yield the parts of a QR code, dark on a lit square, and the words beside it.

    Args:
        code: the rows of the QR code, at most `handset_page_kinds.LARGEST_CODE`, a character per module: "1" for a dark
            one.
        title: a word above the text.
        text: the effect of scanning the code.
    """
    margin = (HEIGHT - _MODULE * len(code)) // 2
    yield Rectangle(0, 0, HEIGHT, HEIGHT)
    for row, modules in enumerate(code):
        for run in re.finditer("1+", modules):
            x, y = margin + _MODULE * run.start(), margin + _MODULE * row
            yield Rectangle(x, y, _MODULE * len(run[0]), _MODULE, ink=0)
    left, width = HEIGHT + 2, WIDTH - HEIGHT - 2
    yield from title_bar(title, left, width)
    yield from centred_text(text, left, TITLE_HEIGHT + 1, width, HEIGHT - TITLE_HEIGHT - 1)
