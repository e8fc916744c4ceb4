"""Move an OLED's picture around and sometimes invert it, against burn-in. Pure."""

from __future__ import annotations

from PIL import Image, ImageChops

CIRCLE = ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1), (0, 1))
"""The picture's offset at each step of its walk, in pixels to the right and down.

Strokes are two pixels wide, so a circle three wide rests every one. Broader shapes, such as a lit bar, rest in the last
step: it has the offset of the step before, inverted. A pixel that is lit in the one is dark in the other.
"""


def move_picture(picture: Image.Image, now: float, every: float) -> Image.Image:
    """Return a picture of mode "1" as it should be shown now, of the same size.

    Pixels that leave at an edge reappear at the opposite one.

    Args:
        picture: the original.
        now: clock seconds.
        every: seconds between two steps of the walk; `math.inf` to stay at the first one.
    """
    step = int(now // every) % len(CIRCLE)
    moved = ImageChops.offset(picture, *CIRCLE[step])
    return ImageChops.invert(moved) if step == len(CIRCLE) - 1 else moved
