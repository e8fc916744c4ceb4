"""Move an OLED's picture by a pixel now and then, so that nothing burns in. Pure."""

from __future__ import annotations

from PIL import Image, ImageChops

CIRCLE = ((0, 0), (1, 0), (1, 1), (0, 1))
"""Where the picture is moved to, step by step, in pixels to the right and down."""


def move_picture(picture: Image.Image, now: float, every: float) -> Image.Image:
    """Return a picture of mode "1" as it lies now, of the same size.

    What is moved out at an edge comes in at the opposite one.

    Args:
        picture: as it was drawn.
        now: clock seconds.
        every: seconds between two moves; `math.inf` for none.
    """
    return ImageChops.offset(picture, *CIRCLE[int(now // every) % len(CIRCLE)])
