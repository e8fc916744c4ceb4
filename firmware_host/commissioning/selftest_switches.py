"""Test the switches under the stations: each has to be touched once."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firmware_host.commissioning.exercise_devices import Colour, Lost, abbreviate, held_closed, set_bits
from firmware_host.commissioning.selftest_part import LOW, Part

_TOUCHED: Colour = (0, LOW, 0)


class SwitchCheck(Part):
    """The request to touch every switch once; lamps of touched stations turn green if there are any.

    Args:
        inputs: input -> its station.
        lamps: station -> its lamp.
        name: returns an input's description: "input 12 (chip 2, pin E)".
    """

    tries = needs = ("switches",)

    def __init__(self, inputs: Mapping[int, int], lamps: Mapping[int, int], name: Callable[[int], str]) -> None:
        super().__init__()
        self._inputs = inputs
        self._lamps = lamps
        self._name = name
        self._closed = 0
        self._stuck = 0
        self._touched: set[int] = set()

    def begin(self, closed: int, lost: Lost, now: float) -> list[str]:  # noqa: ARG002
        """Begin; inputs that are already closed do not count."""
        lamps = "" if "lamps" in lost else "; its lamp shines green then"
        return [
            f"Switches: touch each of the {len(self._inputs)} stations with a magnet{lamps}.",
            "It ends when all were touched, or with Enter, or with the key confirm.",
            *self.resume(closed),
        ]

    def resume(self, closed: int) -> list[str]:
        """Continue after the switches came back; inputs that are already closed do not count."""
        self._closed = self._stuck = closed
        return held_closed(closed, self._name)

    def contacts_changed(self, closed: int, now: float) -> list[str]:  # noqa: ARG002
        """Name the inputs that close."""
        fresh, self._closed = closed & ~self._closed & ~self._stuck, closed
        self._stuck &= closed
        lines = [self._line(number) for number in set_bits(fresh)]
        if len(self._touched) == len(self._inputs) and not self.done:
            self.done = True
            lines.append(f"  all {len(self._inputs)} stations were touched")
        return lines

    def enter(self) -> list[str]:
        """End the part and list the switches that never closed."""
        self.done = True
        lines = [f"  station {station} never closed: {self._name(number)}" for station, number in self._untouched()]
        return [*lines, f"  touched: {len(self._touched)} of {len(self._inputs)} stations"]

    def fault(self) -> str:
        """Return the stations that were not touched."""
        untouched = [station for station, _ in self._untouched()]
        return f"not touched: {abbreviate(untouched)}" if untouched else ""

    def _untouched(self) -> list[tuple[int, int]]:
        return sorted((station, number) for number, station in self._inputs.items() if station not in self._touched)

    def lit_lamps(self, now: float) -> Mapping[int, Colour]:  # noqa: ARG002
        """Return the lamps of the touched stations."""
        return {self._lamps[station]: _TOUCHED for station in self._touched}

    def _line(self, number: int) -> str:
        station = self._inputs.get(number)
        if station is None:
            return f"  no station: {self._name(number)}"
        self._touched.add(station)
        return f"  station {station}: {self._name(number)}; {len(self._touched)} of {len(self._inputs)}"
