"""Say what a part of the self-test is: one kind of device, what to show and ask, and how to judge the result."""

from __future__ import annotations

from collections.abc import Mapping

from PIL import Image

from firmware_host.commissioning.exercise_devices import Colour, Lost

LOW = 64
"""Brightness of a colour while the lamps are tried one by one: about 5 mA a lamp."""

NEXT = "table.confirm"
"""The key that goes on to the next part, like Enter; not while the keys are tried out."""

UNSEEN = "all was sent; what could be seen only you know"
"""The result of a part in which only people can tell what came of it."""


class Part:
    """One part of the self-test. By default it ends with Enter or the key confirm, and says nothing.

    Attributes:
        tries: the devices that it tries out.
        needs: the devices without which it waits.
        done: whether the part is over.
    """

    tries: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.done = False

    def begin(self, closed: int, lost: Lost, now: float) -> list[str]:  # noqa: ARG002
        """Begin the part, with these inputs closed and these devices lost."""
        return []

    def resume(self, closed: int) -> list[str]:  # noqa: ARG002
        """Go on after the needed devices came back, with these inputs closed."""
        return []

    def contacts_changed(self, closed: int, now: float) -> list[str]:  # noqa: ARG002
        """Take the inputs that are closed from now on."""
        return []

    def key_changed(self, name: str, down: bool, now: float) -> list[str]:  # noqa: ARG002
        """Take a key that went down or up."""
        return self.enter() if down and name == NEXT else []

    def enter(self) -> list[str]:
        """Take Enter: end this part."""
        self.done = True
        return []

    def stop(self) -> None:
        """Take q, or the end of the input: end this part, which nobody has confirmed."""
        self.done = True

    def fault(self) -> str:
        """Return what is wrong with the device or was not tried; "" for nothing."""
        return ""

    def good_result(self) -> str:
        """Return what to say of a device with which nothing is wrong."""
        return "good"

    def tick(self, now: float) -> list[str]:  # noqa: ARG002
        """Act as time passes."""
        return []

    def lit_lamps(self, now: float) -> Mapping[int, Colour]:  # noqa: ARG002
        """Return the lamps that are lit: none."""
        return {}

    def pictures(self, now: float) -> tuple[Image.Image | None, Image.Image | None]:  # noqa: ARG002
        """Return the pictures for the screens: none."""
        return None, None
