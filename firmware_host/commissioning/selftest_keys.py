"""Try the keys: each is asked for, and pressed, and a knob is turned by a few clicks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from firmware_host.commissioning.exercise_devices import Lost
from firmware_host.commissioning.selftest_part import NEXT, Part
from hardware.drivers.encoder import TRANSITIONS

CLICKS = 4
"""How far the knob is turned: enough clicks for one press to each, to every second and to every fourth of them."""

KNOB = ("handset.up", "handset.down")
"""The keys that a knob presses."""


class KeyCheck(Part):
    """Asks for every key to be pressed once, in turn, and at last for `CLICKS` clicks of the knob, if there is one.

    Each click should have been one press. If it was not, the presses show how often the contacts change in a click.

    Args:
        names: the keys.
        hints: key -> how to press it, where it is no plain button.
        hold: seconds after which a press is a long one.
        steps: `encoder_steps` of the configuration; 0 if there is no knob.
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
        """Return the keys that were not pressed, or what is wrong with the knob."""
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
        """End the turning of the knob, and name the right `encoder_steps` if each click was not one press."""
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
    """Return whether so many presses are as many as expected: where each click is several, one in eight may be lost."""
    return abs(presses - expected) <= expected // 8
