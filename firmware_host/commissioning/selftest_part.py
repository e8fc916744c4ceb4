"""Define a part of the self-test: one kind of device, what to show and ask, and how to judge it."""

from __future__ import annotations

from collections.abc import Mapping

from PIL import Image

from firmware_host.commissioning.exercise_devices import Colour, Lost

LOW = 64
"""Brightness of a colour while the lamps are tested one by one: about 5 mA a lamp."""

NEXT = "table.confirm"
"""The key that continues with the next part, like Enter; not while the keys are tested."""

UNSEEN = "all was sent; what could be seen only you know"
"""The result of a part that only people can judge."""


class Part:
    """One part of the self-test. By default it ends with Enter or the key confirm, and prints nothing.

    Attributes:
        tries: the devices that it tests.
        needs: the devices without which it waits.
        done: whether the part is over.
    """

    tries: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.done = False

    def begin(self, closed: int, lost: Lost, now: float) -> list[str]:  # noqa: ARG002
        """Begin the part with these closed inputs and lost devices."""
        return []

    def resume(self, closed: int) -> list[str]:  # noqa: ARG002
        """Continue after the needed devices came back, with these inputs closed."""
        return []

    def contacts_changed(self, closed: int, now: float) -> list[str]:  # noqa: ARG002
        """Update the closed inputs."""
        return []

    def key_changed(self, name: str, down: bool, now: float) -> list[str]:  # noqa: ARG002
        """Handle a key that went down or up."""
        return self.enter() if down and name == NEXT else []

    def enter(self) -> list[str]:
        """Handle Enter: end this part."""
        self.done = True
        return []

    def stop(self) -> None:
        """Handle q, or the end of the input: end this part without confirmation."""
        self.done = True

    def fault(self) -> str:
        """Return the device's fault or that it was not tested; "" for none."""
        return ""

    def good_result(self) -> str:
        """Return the result of a device without a fault."""
        return "good"

    def tick(self, now: float) -> list[str]:  # noqa: ARG002
        """React to the passing of time."""
        return []

    def lit_lamps(self, now: float) -> Mapping[int, Colour]:  # noqa: ARG002
        """Return the lamps that are lit: none."""
        return {}

    def pictures(self, now: float) -> tuple[Image.Image | None, Image.Image | None]:  # noqa: ARG002
        """Return the pictures for the screens: none."""
        return None, None
