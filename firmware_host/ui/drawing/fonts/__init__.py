"""Provide our own one-bit letters, drawn as text art in the files beside this one.

No font file and no font renderer takes part, so a picture is the same to the pixel wherever it is drawn. In a file, `#`
is ink and `.` is not; a block has a line of characters and below it their shapes, side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files

from PIL import Image

SPELT_OUT = {"space": " ", "missing": "\0"}
"""Characters that a file names in words: the blank, and the box that stands for every missing shape."""

_MISSING = SPELT_OUT["missing"]


@dataclass(frozen=True, slots=True)
class Shape:
    """One character: its rows from the top, each a text of `#` and `.`, all of one width."""

    rows: tuple[str, ...]

    @property
    def width(self) -> int:
        """Width in pixels, without the gap to the next character."""
        return len(self.rows[0])


@dataclass(frozen=True, slots=True, eq=False)
class Font:
    """A set of shapes of one height.

    Attributes:
        name: its name in the code and the file.
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
        """Whether every character of a text has a shape of its own."""
        return all(char in self.shapes for char in text)

    def width(self, text: str) -> int:
        """Return a text's width in columns."""
        return len(self._written(text)) // self._stride - self.gap if text else 0

    def draw(self, image: Image.Image, x: int, y: int, text: str, ink: int = 1) -> None:
        """Draw a text on an image of mode "1", its top left corner at (x, y); ink 0 erases."""
        if not text:
            return
        columns = self._written(text)
        lying = Image.frombytes("1", (self.height, len(columns) // self._stride), columns)
        image.paste(255 if ink else 0, (x, y), lying.transpose(Image.Transpose.TRANSPOSE))

    @property
    def _stride(self) -> int:
        """Bytes of one column: a bit a pixel, the top one first."""
        return (self.height + 7) // 8

    def _written(self, text: str) -> bytes:
        """Return the columns of a text from left to right, with the gap after each character."""
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
    """Parse the font of a text-art file. Rows missing at the foot of a block are blank.

    Raises:
        ValueError: a block is malformed; the message names the font and the block's first line.
    """
    shapes: dict[str, Shape] = {}
    for block in art.strip("\n").split("\n\n"):
        for char, shape in _shapes_of(name, block.strip("\n").split("\n"), height):
            if char in shapes:
                raise ValueError(f"font {name}: {char!r} is drawn twice")
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
            raise ValueError(f"font {name}: {char!r} is not drawn in even rows of # and .")
        blank = "." * len(drawn[0])
        yield char, Shape((*drawn, *[blank] * (height - len(drawn))))


def _load(name: str, *, height: int, gap: int) -> Font:
    return parse(name, (files(__name__) / f"{name}.txt").read_text(encoding="utf-8"), height=height, gap=gap)


SMALL = _load("small", height=8, gap=1)
"""Five by seven, for labels and long texts."""

TEXT = _load("text", height=11, gap=1)
"""Bold, strokes two pixels wide: readable at arm's length."""

DIGITS = _load("digits", height=26, gap=2)
"""Huge figures, strokes four pixels wide: for the one number that matters on a screen."""
