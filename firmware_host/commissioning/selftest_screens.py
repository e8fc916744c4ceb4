"""Test the screens: a different picture on each."""

from __future__ import annotations

import math

from PIL import Image

from firmware_host.commissioning.exercise_devices import Lost
from firmware_host.commissioning.selftest_part import UNSEEN, Part
from firmware_host.ui.drawing.fonts import DIGITS, TEXT
from firmware_host.ui.drawing.layout import HEIGHT, WIDTH, Mark, Rectangle, centred, paint

SURE = 2.5
"""Seconds after which a silent screen is known to be lost: a bit more than two ticks."""


UNCONFIRMED = "not confirmed: nobody confirmed the picture"
"""The result of a screen that answers but that nobody has confirmed."""


class ScreenCheck(Part):
    """A test picture on each of the table's screens.

    Args:
        number: the number to show: the board's longest.
        handset: whether there is a handset.
        display: whether there is a public display.
    """

    def __init__(self, number: int, *, handset: bool = True, display: bool) -> None:
        super().__init__()
        self._number = number
        self._handset = test_picture("handset", number) if handset else None
        self._display = test_picture("display", number) if display else None
        self._sure_at = math.inf
        self._wanted = self._confirmed = False
        self.tries = ("handset",) * handset + ("display",) * display

    def begin(self, closed: int, lost: Lost, now: float) -> list[str]:  # noqa: ARG002
        """Say what to look for."""
        if not self.tries:
            self.done = True
            return ["Screens: this table has no screens."]
        self._sure_at = now + SURE
        who = " and ".join(self.tries) + " show" if len(self.tries) > 1 else f"the {self.tries[0]} shows"
        return [
            f"Screens: {who} a frame along all four edges, the name of the screen,",
            f"the number {self._number}, and a chequered field of single points beside one of larger squares.",
            "Enter, or the key confirm: go on; the screens are dark then.",
        ]

    def enter(self) -> list[str]:
        """Handle Enter: end this part once it is known whether the screens answer."""
        if not self._wanted:
            self._wanted = self._confirmed = True
        return []

    def stop(self) -> None:
        """Handle q like Enter, but without confirmation of the screens."""
        self._wanted = True

    def tick(self, now: float) -> list[str]:
        """End the part once that is requested and the result known."""
        self.done = self.done or (self._wanted and now >= self._sure_at)
        return []

    def fault(self) -> str:
        """Return that nobody has confirmed the screens, if so."""
        return "" if self._confirmed else UNCONFIRMED

    def good_result(self) -> str:
        """Return that only the person can see the result."""
        return UNSEEN

    def pictures(self, now: float) -> tuple[Image.Image | None, Image.Image | None]:  # noqa: ARG002
        """Return the test pictures."""
        return self._handset, self._display


def test_picture(label: str, number: int) -> Image.Image:
    """Draw a screen's test picture: frame, name, a number in huge digits, two chequered fields. Pure."""
    edges = [
        Rectangle(0, 0, WIDTH, 1),
        Rectangle(0, HEIGHT - 1, WIDTH, 1),
        Rectangle(0, 0, 1, HEIGHT),
        Rectangle(WIDTH - 1, 0, 1, HEIGHT),
    ]
    words: list[Mark] = [centred(WIDTH // 2, 4, label, TEXT), centred(32, 24, str(number), DIGITS)]
    fine = [Rectangle(x, y, 1, 1) for x in range(66, 90) for y in range(20, 56) if (x + y) % 2]
    coarse = [Rectangle(96 + 6 * x, 20 + 6 * y, 6, 6) for x in range(4) for y in range(6) if (x + y) % 2]
    return paint([*edges, *words, *fine, *coarse])
