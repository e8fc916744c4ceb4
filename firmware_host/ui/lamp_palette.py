"""Define the colours of lamps, with palettes of tickets and pawns for colour-blind people."""

from __future__ import annotations

from firmware_host.rules.actions import MR_X, MR_X_JUNIOR

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255 each."""

WHITE: Colour = (255, 255, 255)

OUT_OF_ORDER: Colour = (255, 0, 160)
"""The pink of stations with a broken switch, in all palettes."""

HUNCHES: tuple[Colour, ...] = ((89, 89, 89), (153, 153, 153), WHITE)
"""The coach's lamp brightnesses: unlikely stations, likelier ones, the likeliest."""

PALETTES: dict[str, dict[str, Colour]] = {
    "standard": {
        "taxi": (255, 190, 0),
        "bus": (0, 190, 110),
        "underground": (255, 20, 10),
        "black": (130, 40, 255),
        "boat": (0, 120, 255),
        "free": (160, 220, 255),
        "helicopter": (255, 90, 160),
        "pass": (90, 90, 90),
        "red": (255, 0, 40),
        "yellow": (255, 215, 40),
        "green": (40, 255, 0),
        "blue": (0, 60, 255),
        "purple": (190, 0, 255),
        "white": (255, 225, 180),
        MR_X: WHITE,
        MR_X_JUNIOR: (150, 190, 255),
    },
    # After Okabe and Ito, except black and helicopter tickets, so that tickets differ under any colour blindness.
    "colour-blind": {
        "taxi": (240, 228, 66),
        "bus": (86, 180, 233),
        "underground": (213, 70, 0),
        "black": (60, 0, 210),
        "boat": (0, 90, 178),
        "free": (190, 215, 235),
        "helicopter": (210, 120, 160),
        "pass": (90, 90, 90),
        "red": (213, 70, 0),
        "yellow": (240, 228, 66),
        "green": (0, 158, 115),
        "blue": (0, 90, 178),
        "purple": (204, 121, 167),
        "white": (255, 235, 205),
        MR_X: WHITE,
        MR_X_JUNIOR: (170, 190, 255),
    },
}
"""The colours of tickets and pawns, by the configuration's `palette`."""
