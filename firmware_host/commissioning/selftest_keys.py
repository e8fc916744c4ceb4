"""Test the keys: each has to be pressed once, and a knob turned by a few clicks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from firmware_host.commissioning.exercise_devices import Lost
from firmware_host.commissioning.selftest_part import NEXT, Part
from hardware.drivers.encoder import TRANSITIONS

CLICKS = 4
"""Clicks of the knob: enough for one press at each, every second and every fourth of them."""

KNOB = ("handset.up", "handset.down")
"""The keys that a knob presses."""


class KeyCheck(Part):
    """The request to press every key once, in turn, and then to turn the knob by `CLICKS` clicks.

    Each click should be one press. Otherwise the presses show how often the contacts change in a click.

    Args:
        names: the keys.
        hints: key -> how to press it, unless it is a plain button.
        hold: seconds after which a press is a long one.
        steps: the configured `encoder_steps`; 0 without a knob.
    """

    tries = needs = ("keys",)

    def __init__(self, names: Sequence[str], hints: Mapping[str, str], hold: float, steps: int = 0) -> None:
        super().__init__()
        self._names = names
        self._hints = hints
        self._hold = hold
        self._steps = steps
        self._turns: int | None = None  # presses of the knob since its clicks were asked for
        self._knob_fault = ""
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
        if self._turns is not None:
            if name in KNOB:
                self._turns += 1
            return self._judge(self._turns) if name == NEXT else []
        if name != self._names[self._at]:
            return [f"  that was {name}"]
        self._pressed.append(name)
        return [f"  {name}: good", *self._next()]

    def enter(self) -> list[str]:
        """Skip the key, or end the turning of the knob."""
        return self._next() if self._turns is None else self._judge(self._turns)

    def resume(self, closed: int) -> list[str]:  # noqa: ARG002
        """Ask again."""
        return self._ask()

    def fault(self) -> str:
        """Return the keys that were not pressed, or the knob's fault."""
        skipped = [name for name in self._names if name not in self._pressed]
        return f"not pressed: {', '.join(skipped)}" if skipped else self._knob_fault

    def _ask(self) -> list[str]:
        if self._at < len(self._names):
            name = self._names[self._at]
            hint = f" ({self._hints[name]})" if name in self._hints else ""
            return [f"{self._at + 1} of {len(self._names)}: press {name}{hint}"]
        if not self._steps or not set(KNOB) & set(self._pressed):
            self.done = True
            return []
        self._turns = 0
        return [f"Turn the knob by {CLICKS} clicks the same way, a second apart. Then Enter, or {NEXT}."]

    def _judge(self, presses: int) -> list[str]:
        """End the turning of the knob, and suggest other `encoder_steps` if each click was not one press."""
        self.done = True
        right = next((steps for steps in TRANSITIONS if _fits(presses, CLICKS * steps / self._steps)), 0)
        if not right:
            self._knob_fault = f"{CLICKS} clicks of the knob were {presses} presses"
            return [f"  {self._knob_fault}; try again, slowly: yardboard selftest --keys"]
        if right == self._steps:
            return [f"  {CLICKS} clicks were {presses} presses: good"]
        self._knob_fault = (
            f"{CLICKS} clicks of the knob were {presses} presses; write encoder_steps = {right} in [keys]"
        )
        return [f"  {self._knob_fault}"]

    def _next(self) -> list[str]:
        self._at += 1
        return self._ask()


def _fits(presses: int, expected: float) -> bool:
    """Return whether the presses fit; if each click is several presses, one in eight may be lost."""
    return abs(presses - expected) <= expected // 8
