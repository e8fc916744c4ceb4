"""What the drivers of WS2812 lamps have in common: colour orders, frames, and a whole frame put into a PixelBuf."""

from __future__ import annotations

from typing import Any

from hardware.ports import BadDevice

ORDERS = ("RGB", "RBG", "GRB", "GBR", "BRG", "BGR")
"""The orders in which a lamp may take its colours. Lamps with a white channel as well are not served."""


def check_chain(count: int, order: str) -> None:
    """Refuses a chain that cannot be.

    Raises:
        BadDevice: fewer than one lamp, or an order that is none of `ORDERS`.
    """
    if count < 1:
        raise BadDevice(f"lamps: a chain of {count} lamps; there must be at least 1")
    if order not in ORDERS:
        raise BadDevice(f"lamps: colour order {order!r}; it must be one of {', '.join(ORDERS)}")


def check_frame(frame: bytes, count: int) -> None:
    """Refuses a frame that does not fit.

    Raises:
        BadDevice: the frame has not three bytes for each of the `count` lamps.
    """
    if len(frame) != 3 * count:
        raise BadDevice(f"lamps: a frame of {len(frame)} bytes; {count} lamps take {3 * count}, three bytes a lamp")


def paint(pixels: Any, frame: bytes) -> None:
    """Gives every pixel its colour, colour by colour: for 223 lamps 1.5 µs, pixel by pixel 140.

    Args:
        pixels: an `adafruit_pixelbuf.PixelBuf` of three colours and full brightness.
        frame: three bytes (red, green, blue) a pixel, as many as it has.
    """
    buffer = pixels._post_brightness_buffer  # noqa: SLF001 - what it hands to _transmit; it has no public way in bulk
    for place, colour in enumerate(pixels.byteorder):
        buffer[place::3] = frame["RGB".index(colour) :: 3]
