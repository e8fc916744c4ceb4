"""Compute how colours look, also to eyes that lack one kind of cones, and how far two colours are apart."""

from __future__ import annotations

Rgb = tuple[float, float, float]

# How linear light is seen by eyes that lack one kind of cones (Machado, Oliveira and Fernandes, 2009).
EYES: dict[str, tuple[Rgb, Rgb, Rgb]] = {
    "all three": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900),
    ),
}  # fmt: skip


def linear(colour: str) -> Rgb:
    levels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in levels)
    return red, green, blue


def seen(light: Rgb, eye: str) -> Rgb:
    """Return linear light as an eye sees it."""
    red, green, blue = (min(1.0, max(0.0, sum(a * b for a, b in zip(row, light, strict=True)))) for row in EYES[eye])
    return red, green, blue


def lab(light: Rgb) -> Rgb:
    """Return CIE L*a*b* of linear sRGB, for white D65."""
    red, green, blue = light
    xyz = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
    )
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one: str, other: str, eye: str) -> float:
    pairs = zip(lab(seen(linear(one), eye)), lab(seen(linear(other), eye)), strict=True)
    return sum((a - b) ** 2 for a, b in pairs) ** 0.5


def contrast(one: str, other: str) -> float:
    low, high = sorted(lum for lum in (luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
