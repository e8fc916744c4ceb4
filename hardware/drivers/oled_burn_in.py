"""Walk an OLED's picture about and show it in negative now and then, so that nothing burns in. Pure."""

from __future__ import annotations

from PIL import Image, ImageChops

CIRCLE = ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1), (0, 1))
"""Where the picture is at each step of its walk, in pixels to the right and down.

Strokes are two pixels wide, so a circle three wide rests every one. What is broader, such as a bar of light, rests in
the last step: it is in the place of the step before, in negative. A point that is lit in the one is dark in the other.
"""


def move_picture(picture: Image.Image, now: float, every: float) -> Image.Image:
    """Return a picture of mode "1" as it is to be seen now, of the same size.

    What is moved out at an edge comes in at the opposite one.

    Args:
        picture: as it was drawn.
        now: clock seconds.
        every: seconds between two steps of the walk; `math.inf` to stay at the first one.
    """
    step = int(now // every) % len(CIRCLE)
    moved = ImageChops.offset(picture, *CIRCLE[step])
    return ImageChops.invert(moved) if step == len(CIRCLE) - 1 else moved
