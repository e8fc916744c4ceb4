"""Try the keys: each is asked for, and pressed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from firmware_host.commissioning.exercise_devices import Lost
from firmware_host.commissioning.selftest_part import Part


class KeyCheck(Part):
    """Asks for every key to be pressed once, in turn.

    Args:
        names: the keys.
        hints: key -> how to press it, where it is no plain button.
        hold: seconds after which a press is a long one.
    """

    tries = needs = ("keys",)

    def __init__(self, names: Sequence[str], hints: Mapping[str, str], hold: float) -> None:
        super().__init__()
        self._names = names
        self._hints = hints
        self._hold = hold
        self._at = 0
        self._pressed: list[str] = []
        self._down: dict[str, float] = {}

    def begin(self, closed: int, lost: Lost, now: float) -> list[str]:  # noqa: ARG002
        """Ask for the first key."""
        return ["Keys: press each as it is named. Enter: skip it.", *self._ask()]

    def key_changed(self, name: str, down: bool, now: float) -> list[str]:
        """Name the key that was pressed, and report a long press when it ends."""
        if not down:
            held = now - self._down.pop(name, now)
            return [f"  {name} was held for {held:.1f} s: a long press"] if held >= self._hold else []
        self._down[name] = now
        if name != self._names[self._at]:
            return [f"  that was {name}"]
        self._pressed.append(name)
        return [f"  {name}: good", *self._next()]

    def enter(self) -> list[str]:
        """Skip the key."""
        return self._next()

    def resume(self, closed: int) -> list[str]:  # noqa: ARG002
        """Ask again."""
        return self._ask()

    def fault(self) -> str:
        """Return the keys that were not pressed."""
        skipped = [name for name in self._names if name not in self._pressed]
        return f"not pressed: {', '.join(skipped)}" if skipped else ""

    def _ask(self) -> list[str]:
        self.done = self._at == len(self._names)
        if not self.done:
            name = self._names[self._at]
            hint = f" ({self._hints[name]})" if name in self._hints else ""
            return [f"{self._at + 1} of {len(self._names)}: press {name}{hint}"]
        return []

    def _next(self) -> list[str]:
        self._at += 1
        return self._ask()
