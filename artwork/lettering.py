"""Write with our own letters of single strokes, so that a map looks the same on every machine."""

from __future__ import annotations

TALL = 10.0
"""Height of a capital letter and of a figure, in units of the glyphs."""

FIGURE = 8.2
"""The distance from one digit to the next, in units of the glyphs."""

_GLYPHS = {
    "0": (6.2, "M3.1 0C.6 0 0 2.3 0 5s.6 5 3.1 5 3.1-2.3 3.1-5S5.6 0 3.1 0Z"),
    "1": (6.2, "M1 2.1 3.6 0V10"),
    "2": (6.2, "M.3 2.7C.4 1 1.6 0 3.2 0 4.9 0 6 1 6 2.6 6 4.6 4.3 5.7 2.5 7.2 1.4 8.2.6 9 .2 10H6.3"),
    "3": (6.2, "M.3 1.9C.8.7 1.7 0 3.1 0 4.7 0 5.8 1 5.8 2.4 5.8 3.8 4.7 4.7 3 4.7 4.9 4.7 6.2 5.7 6.2 7.3 6.2 9 4.9 10 3.1 10 1.5 10 .4 9.2 0 7.9"),
    "4": (6.2, "M4.6 10V0L0 7.1H6.4"),
    "5": (6.2, "M5.7 0H1L.5 4.5C1.2 4 2.1 3.7 3 3.7 4.9 3.7 6.2 4.9 6.2 6.8 6.2 8.7 4.9 10 3 10 1.6 10 .5 9.3 0 8.2"),
    "6": (6.2, "M4.9 0C2.5 1.1 0 3.7 0 6.7 0 8.7 1.2 10 3.1 10 4.9 10 6.2 8.7 6.2 6.8 6.2 5 4.9 3.7 3.2 3.7 1.5 3.7.1 4.9 0 6.7"),
    "7": (6.2, "M0 0H6.2L2.1 10"),
    "8": (6.2, "M3.1 4.6C1.5 4.6.5 3.7.5 2.3.5.9 1.6 0 3.1 0S5.7.9 5.7 2.3C5.7 3.7 4.7 4.6 3.1 4.6 1.2 4.6 0 5.7 0 7.3 0 8.9 1.2 10 3.1 10S6.2 8.9 6.2 7.3C6.2 5.7 5 4.6 3.1 4.6Z"),
    "9": (6.2, "M1.3 10C3.7 8.9 6.2 6.3 6.2 3.3 6.2 1.3 5 0 3.1 0 1.3 0 0 1.3 0 3.2 0 5 1.3 6.3 3 6.3 4.7 6.3 6.1 5.1 6.2 3.3"),
    "A": (7.6, "M0 10 3.8 0 7.6 10M1.3 6.7H6.3"),
    "B": (6.2, "M0 0V10H3.4C5.2 10 6.2 9 6.2 7.4S5.1 4.8 3.4 4.8H0 3.1C4.7 4.8 5.6 3.9 5.6 2.4S4.7 0 3.1 0H0"),
    "C": (7.6, "M7.6 2.1C6.9.8 5.6 0 4.1 0 1.7 0 0 2 0 5S1.7 10 4.1 10C5.6 10 6.9 9.2 7.6 7.9"),
    "D": (7.2, "M0 0V10H2.6C5.4 10 7.2 8.1 7.2 5S5.4 0 2.6 0H0"),
    "E": (5.4, "M5.4 0H0V10H5.4M0 4.8H4.6"),
    "F": (5.2, "M5.2 0H0V10M0 4.9H4.4"),
    "G": (7.8, "M7.4 2C6.7.8 5.5 0 4.1 0 1.7 0 0 2 0 5S1.7 10 4.1 10C6.3 10 7.8 8.6 7.8 6.2V5.4H4.6"),
    "H": (7.0, "M0 0V10M7 0V10M0 4.9H7"),
    "I": (0.0, "M0 0V10"),
    "J": (4.6, "M4.6 0V7C4.6 8.9 3.8 10 2.3 10 1.1 10 .3 9.3 0 8.2"),
    "K": (6.4, "M0 0V10M6.2 0 0 5.9M2.2 3.9 6.4 10"),
    "L": (5.0, "M0 0V10H5"),
    "M": (8.4, "M0 10V0L4.2 6.6 8.4 0V10"),
    "N": (7.2, "M0 10V0L7.2 10V0"),
    "O": (8.4, "M4.2 0C1.7 0 0 2 0 5S1.7 10 4.2 10 8.4 8 8.4 5 6.7 0 4.2 0Z"),
    "P": (5.8, "M0 10V0H3C4.8 0 5.8 1.1 5.8 2.8S4.8 5.6 3 5.6H0"),
    "Q": (8.4, "M4.2 0C1.7 0 0 2 0 5S1.7 10 4.2 10 8.4 8 8.4 5 6.7 0 4.2 0ZM5.2 7.5 8.3 10.7"),
    "R": (6.2, "M0 10V0H3C4.8 0 5.8 1 5.8 2.6S4.8 5.2 3 5.2H0M3.2 5.2 6.2 10"),
    "S": (6.2, "M5.7 1.9C5.3.7 4.3 0 3.1 0 1.5 0 .4.9.4 2.4.4 5.6 6.2 4 6.2 7.3 6.2 9 4.9 10 3.2 10 1.6 10 .4 9.2 0 7.8"),
    "T": (6.6, "M0 0H6.6M3.3 0V10"),
    "U": (6.8, "M0 0V6.5C0 8.7 1.3 10 3.4 10S6.8 8.7 6.8 6.5V0"),
    "V": (7.4, "M0 0 3.7 10 7.4 0"),
    "W": (10.4, "M0 0 2.7 10 5.2 1.6 7.7 10 10.4 0"),
    "X": (6.8, "M0 0 6.8 10M6.8 0 0 10"),
    "Y": (7.0, "M0 0 3.5 5.1 7 0M3.5 5.1V10"),
    "Z": (6.4, "M0 0H6.4L0 10H6.4"),
    "'": (0.0, "M0 0V2.4"),
    " ": (3.2, ""),
}  # fmt: skip
"""Character -> its width, and its strokes with the top of a capital at y = 0."""


def width(text: str, spread: float = 2.6) -> float:
    """Return the width of a text in units of the glyphs. `spread` is the gap between letters."""
    if text.isdigit():
        return FIGURE * (len(text) - 1) + _GLYPHS["0"][0]
    return sum(_GLYPHS[letter][0] for letter in text) + spread * (len(text) - 1)


def write(text: str, x: float, y: float, size: float, spread: float = 2.6) -> str:
    """Return SVG that writes a text centred on a point. `size` is the height of a capital in units.

    The document must contain the `definitions`.
    """
    scale = size / TALL
    left, uses = -width(text, spread) / 2, []
    for letter in text:
        if letter != " ":
            uses.append(f'<use href="#c{ord(letter)}" x="{left:.2f}" y="-5"/>')
        left += FIGURE if text.isdigit() else _GLYPHS[letter][0] + spread
    return f'<g transform="translate({x:.1f} {y:.1f})scale({scale:.3f})">{"".join(uses)}</g>'


def definitions() -> str:
    """Return the glyphs as SVG definitions."""
    return "".join(f'<path id="c{ord(letter)}" d="{strokes}"/>' for letter, (_, strokes) in _GLYPHS.items() if strokes)
