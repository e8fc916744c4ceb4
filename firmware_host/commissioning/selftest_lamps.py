"""Test the lamps: each in each colour, then all as bright as the limit allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from firmware_host.commissioning.exercise_devices import Colour, Lost
from firmware_host.commissioning.lamp_current_estimate import Power
from firmware_host.commissioning.selftest_part import LOW, UNSEEN, Part

STEP = 0.15
"""Seconds per lamp and colour."""

BLAZE = 2.0
"""Seconds for all lamps at the limit's brightness."""

_WHITE: Colour = (255, 255, 255)
_COLOURS: tuple[Colour, ...] = ((LOW, 0, 0), (0, LOW, 0), (0, 0, LOW))


class LampWalk(Part):
    """A walk over the lamps in red, green and blue, then all of them at the limit.

    Args:
        names: the description of each lamp of the chain: "station 58".
        power: the estimated draw of all lamps together.
    """

    tries = needs = ("lamps",)

    def __init__(self, names: Sequence[str], power: Power) -> None:
        super().__init__()
        self._names = names
        self._power = power
        self._begun: float | None = None
        self._named = 0
        self._whole = False

    def begin(self, closed: int, lost: Lost, now: float) -> list[str]:  # noqa: ARG002
        """Begin with the first lamp."""
        self._begun = now
        count, seconds = len(self._names), len(self._names) * len(_COLOURS) * STEP
        return [
            f"Lamps: {count} lamps shine one after another, each red, then green, then blue: {seconds:.0f} s.",
            "Then all of them shine white. Look for dark lamps and wrong colours. Enter: skip.",
        ]

    def tick(self, now: float) -> list[str]:
        """Name each lamp when it lights up."""
        lines = [*(f"  lamp {lamp}: {name}" for lamp, name in enumerate(self._names)), f"  all white: {self._power}"]
        named, self._named = self._named, min(self._lamp(now) + 1, len(lines))
        self._whole = self._time(now) >= len(self._names) * len(_COLOURS) * STEP + BLAZE
        self.done = self.done or self._whole
        return lines[named : self._named]

    def fault(self) -> str:
        """Return where the part was skipped, if it was."""
        return "" if self._whole else f"skipped after {min(self._named, len(self._names))} of {len(self._names)} lamps"

    def good_result(self) -> str:
        """Return that only the person can see the result: lamps do not answer."""
        return UNSEEN

    def lit_lamps(self, now: float) -> Mapping[int, Colour]:
        """Return the lamp under test, or all of them."""
        lamp = self._lamp(now)
        if lamp >= len(self._names):
            return dict.fromkeys(range(len(self._names)), _WHITE)
        return {lamp: _COLOURS[self._colours_shown(now) % len(_COLOURS)]}

    def _lamp(self, now: float) -> int:
        return self._colours_shown(now) // len(_COLOURS)

    def _colours_shown(self, now: float) -> int:
        """Return how many colours have been shown, over all lamps together."""
        return int(self._time(now) / STEP)

    def _time(self, now: float) -> float:
        return 0.0 if self._begun is None else now - self._begun
