"""Test the board's switches: touch each one, or go from station to station with magnet and lamp.

Both tests are parts of the self-test (`firmware_host.commissioning.selftest`). On a board under construction they test
the stations of the chips that are fitted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import NamedTuple

from firmware_host.commissioning.exercise_devices import LOW, Colour, Lost, Part, abbreviate, held_closed, set_bits
from hardware.contacts.wear import Wear
from hardware.drivers.shift_register import ShiftRegisterSwitches
from hardware.ports import Switches

_TOUCHED: Colour = (0, LOW, 0)


class Wires(NamedTuple):
    """The wiring of the stations: the input of each switch, and its lamp.

    Attributes:
        switches: the device that reads the switches.
        inputs: input -> its station.
        lamps: station -> its lamp.
        name: returns an input's description: "input 12 (chip 2, pin E)".
    """

    switches: Switches
    inputs: Mapping[int, int]
    lamps: Mapping[int, int]
    name: Callable[[int], str]

    def fitted(self) -> tuple[dict[int, int], list[str]]:
        """Return the station of each input of the fitted chips, and lines that list these chips.

        Call it after a reading, because only a reading shows whether the last chip holds the sentinel.
        """
        switches = self.switches
        if not isinstance(switches, ShiftRegisterSwitches) or not switches.partial:
            return dict(self.inputs), []
        end = 8 * (switches.chips - switches.has_sentinel)
        inputs = {number: station for number, station in self.inputs.items() if number < end}
        read = "1 chip is read" if switches.chips == 1 else f"{switches.chips} chips are read"
        last = "the last one with the sentinel" if switches.has_sentinel else "without a sentinel"
        return inputs, [f"{read}, {last}. Stations there: {abbreviate(sorted(inputs.values())) or 'none'}."]


class SwitchCheck(Part):
    """The test of all switches: the person touches each station once. The lamps of touched stations turn green."""

    tries = needs = ("switches",)

    def __init__(self, wires: Wires) -> None:
        self._wires = wires
        self._inputs = dict(wires.inputs)
        self._closed = 0
        self._stuck = 0
        self._touched: set[int] = set()

    def begin(self, closed: int, lost: Lost, now: float) -> list[str]:  # noqa: ARG002
        """Ask for each switch. An input that is closed already counts only once it has opened and closed again."""
        self._inputs, chips = self._wires.fitted()
        lamps = "" if "lamps" in lost else "; its lamp shines green then"
        return [
            *chips,
            f"Switches: touch each of the {len(self._inputs)} stations with a magnet{lamps}.",
            "It ends when all were touched, or with Enter, or with the key confirm.",
            *self._restart(closed),
        ]

    def resume(self, closed: int) -> list[str]:
        """Continue after the switches came back. An input that is closed then must open and close again."""
        self._inputs, chips = self._wires.fitted()
        return [*chips, *self._restart(closed)]

    def contacts_changed(self, closed: int, now: float) -> list[str]:  # noqa: ARG002
        """Return a line for each input that closes. End this part once all stations were touched."""
        fresh, self._closed = closed & ~self._closed & ~self._stuck, closed
        self._stuck &= closed
        lines = []
        for number in set_bits(fresh):
            station = self._inputs.get(number)
            if station is None:
                lines.append(f"  no station: {self._wires.name(number)}")
            else:
                self._touched.add(station)
                done = f"{len(self._touched)} of {len(self._inputs)}"
                lines.append(f"  station {station}: {self._wires.name(number)}; {done}")
        if self._inputs and not self._untouched() and not self.done:
            self.done = True
            lines.append(f"  all {len(self._inputs)} stations were touched")
        return lines

    def enter(self) -> list[str]:
        """End this part, and list the switches that never closed."""
        self.done = True
        lines = [
            f"  station {station} never closed: {self._wires.name(number)}" for station, number in self._untouched()
        ]
        return [*lines, f"  touched: {len(self._touched)} of {len(self._inputs)} stations"]

    def fault(self, device: str) -> str:  # noqa: ARG002
        """Return a text with the stations that were not touched, or "" if all were touched.

        If no station is on the fitted chips, the text says so.
        """
        untouched = [station for station, _ in self._untouched()]
        if not self._inputs:
            return "no station is on the fitted chips"
        return f"not touched: {abbreviate(untouched)}" if untouched else ""

    def _restart(self, closed: int) -> list[str]:
        self._closed = self._stuck = closed
        return held_closed(closed, self._wires.name)

    def _untouched(self) -> list[tuple[int, int]]:
        return sorted((station, number) for number, station in self._inputs.items() if station not in self._touched)

    def lit_lamps(self, now: float) -> Mapping[int, Colour]:  # noqa: ARG002
        """Return the lamps of the touched stations."""
        return {self._wires.lamps[station]: _TOUCHED for station in self._touched}


class _Step(Enum):
    MAGNET = auto()  # the magnet is to come
    LIFT = auto()  # the magnet is to go
    CALM = auto()  # the reed is to stay open
    LAMP = auto()  # the colours are to be named


_SHOWN: tuple[tuple[str, Colour], ...] = (("R", (LOW, 0, 0)), ("G", (0, LOW, 0)), ("B", (0, 0, LOW)))
_COLOUR_NAMES = {"R": "red", "G": "green", "B": "blue"}
_SEARCHED: Colour = (LOW // 4, LOW // 4, LOW // 4)

CALM = 0.5
"""Seconds that a reed must stay open without the magnet. A chattering reed does not."""

SHOW = 0.7
"""Seconds for each colour of a lamp, and for the pause before its first colour."""

_DARK, _SKIP, _REPEAT = "0", "s", "a"


class StationCheck(Part):
    """The test of single stations, before anything is glued: the magnet, reed and lamp of each.

    A reed must close under the magnet and open without it. It must not bounce longer than debouncing hides, and no
    other reed may close with it. The lamp shows three colours, one after another. Only the person can see whether they
    are right.

    Args:
        wires: the stations' wires.
        wanted: the stations to test; all that are fitted if empty.
        hidden: the longest bounce that debouncing hides, in seconds.
        order: the configured order of the lamps' colours, such as "GRB".
    """

    tries = ("switches", "lamps")
    needs = ("switches",)

    def __init__(self, wires: Wires, wanted: tuple[int, ...], hidden: float, order: str) -> None:
        self._wires = wires
        self._wanted = wanted
        self._hidden = hidden
        self._order = order
        self._asked: list[tuple[int, int]] = []  # station and input
        self._at = 0
        self._step = _Step.MAGNET
        self._closed = self._last_raw = self._chattering = 0
        self._before = 0  # inputs that were closed before the magnet came
        self._others = 0  # inputs of other stations that the magnet closed
        self._wear = Wear(wires.switches.count, hidden)
        self._works = False  # whether the magnet has closed the reed of any tested station
        self._lampless = False
        self._now = self._calm_at = self._shown_from = 0.0
        self._faults: dict[str, dict[int, str]] = {"switches": {}, "lamps": {}}

    def begin(self, closed: int, lost: Lost, now: float) -> list[str]:
        """Ask for the first station."""
        inputs, chips = self._wires.fitted()
        number_of = {station: number for number, station in inputs.items()}
        absent = [station for station in self._wanted if station not in number_of]
        self._asked = [
            (station, number_of[station]) for station in self._wanted or sorted(number_of) if station in number_of
        ]
        self._lampless = "lamps" in lost
        self._closed, self._now = closed, now
        if absent:
            self._faults["switches"] |= dict.fromkeys(absent, "is not on the fitted chips")
        return [
            *chips,
            f"Stations: test {len(self._asked)} of them one by one: magnet, reed and lamp.",
            f"If the magnet does nothing, press Enter. {_REPEAT}: test it again. {_SKIP}: skip it.",
            *self._ask(),
        ]

    def resume(self, closed: int) -> list[str]:
        """Ask for the same station again after the switches came back."""
        self._closed = closed
        return self._ask()

    def samples_changed(self, raw: int, chattering: int, now: float) -> list[str]:
        """Measure how long contacts bounce, and stop testing a reed that chatters."""
        changed, self._last_raw, self._chattering = raw ^ self._last_raw, raw, chattering
        self._wear.note_changes(changed, now)
        if self.done or self._step is _Step.LAMP:
            return []
        if changed >> self._input & 1:
            self._calm_at = now + CALM
        if chattering >> self._input & 1:
            return self._judge_reed("chatters: it closes and opens without end; solder its joints again")
        return []

    def contacts_changed(self, closed: int, now: float) -> list[str]:
        """Record which reeds the magnet closes, and when the tested reed opens again."""
        self._now = now
        fresh, self._closed = closed & ~self._closed, closed
        if self.done:
            return []
        own = 1 << self._input
        if self._step is _Step.MAGNET:
            self._before &= closed
            if not fresh & own:
                self._others |= fresh
                return [f"  {self._describe(number)} closed" for number in set_bits(fresh)]
            self._works = True
            self._others = closed & ~own & ~self._before
            self._step = _Step.LIFT
            return ["  closed; take the magnet away"]
        if self._step is not _Step.LAMP:
            self._others |= fresh & ~own
            self._step = _Step.LIFT if closed & own else _Step.CALM
        return []

    def enter(self) -> list[str]:
        """React to Enter: judge the reed as it is now, or accept the lamp's colours."""
        if self.done:
            return []
        if self._step is _Step.LAMP:
            return self._judge_lamp("")
        if self._step is _Step.CALM:
            return self._judge_reed(self._fault_of_reed())
        if self._step is _Step.LIFT or self._before >> self._input & 1:
            return self._judge_reed("never opens; look for a short circuit, a magnet nearby, or glass that is stuck")
        if self._others:
            names = ", ".join(self._describe(number) for number in set_bits(self._others))
            return self._judge_reed(f"never closes; {names} closed instead; learn the wires: yardboard wiring learn")
        if self._works:
            return self._judge_reed("never closes; the magnet is good, so look at the reed, its joints and its wire")
        return self._judge_reed("never closes; no other reed has: try the magnet on one that works")

    def answer(self, word: str) -> list[str] | None:
        """React to the letters of the colours that were seen, or to the word for dark, skip or repeat."""
        if word == _REPEAT:
            return self._ask()
        if word == _SKIP:
            station = self._asked[self._at][0]
            for faults in self._faults.values():
                faults.setdefault(station, "not tried")
            return self._next()
        if self._step is _Step.LAMP and word == _DARK:
            return self._judge_lamp("stays dark; look at its joints, and at those of the lamp before it")
        if self._step is _Step.LAMP and sorted(word.upper()) == sorted(_COLOUR_NAMES):
            return self._judge_lamp(self._fault_of_colours(word.upper()))
        return None

    def stop(self) -> None:
        """End this part without testing the remaining stations."""
        super().stop()
        for station, _ in self._asked[self._at :]:
            for faults in self._faults.values():
                faults.setdefault(station, "not tried")

    def fault(self, device: str) -> str:
        """Return the stations whose reed or lamp is faulty or was not tested, or "" if there are none."""
        if not self._asked and not self._faults[device]:
            return "no station is on the fitted chips"
        found = self._faults[device]
        untried = sorted(station for station, what in found.items() if what == "not tried")
        said = [
            f"{station} {what.partition(';')[0]}" for station, what in sorted(found.items()) if station not in untried
        ]
        return "; ".join([*said, f"not tried: {abbreviate(untried)}"] if untried else said)

    def lit_lamps(self, now: float) -> Mapping[int, Colour]:
        """Return the station's lamp: dim white to find it, green under the magnet, then three colours."""
        if self._at >= len(self._asked):
            return {}
        lamp = self._wires.lamps[self._asked[self._at][0]]
        if self._step is not _Step.LAMP:
            return {lamp: _SEARCHED if self._step is _Step.MAGNET else _TOUCHED}
        turn = int((now - self._shown_from) / SHOW) % (len(_SHOWN) + 1)
        return {lamp: _SHOWN[turn - 1][1]} if turn else {}

    def tick(self, now: float) -> list[str]:
        """Judge the reed once it has stayed open for `CALM` seconds, then start the test of the lamp."""
        self._now = now
        calm = not self.done and self._step is _Step.CALM and now >= self._calm_at
        return self._judge_reed(self._fault_of_reed()) if calm else []

    @property
    def _input(self) -> int:
        return self._asked[self._at][1]

    def _describe(self, number: int) -> str:
        station = self._wires.inputs.get(number)
        return f"{self._wires.name(number)}, station {station}," if station else f"{self._wires.name(number)}"

    def _ask(self) -> list[str]:
        if self._at >= len(self._asked):
            self.done = True
            return []
        station, number = self._asked[self._at]
        self._step, self._others = _Step.MAGNET, 0
        self._before = self._closed
        self._wear = Wear(self._wires.switches.count, self._hidden)
        for faults in self._faults.values():
            faults.pop(station, None)
        where = f"{self._at + 1} of {len(self._asked)}: station {station}, {self._wires.name(number)}"
        if self._chattering >> number & 1:
            return [where, *self._judge_reed("chatters: it closes and opens without end; solder its joints again")]
        if self._closed >> number & 1:
            return [f"{where}: it is closed; take every magnet away"]
        return [f"{where}: put the magnet on it"]

    def _fault_of_reed(self) -> str:
        bounce = self._wear.longest[self._input]
        if neighbours := set_bits(self._others):
            names = ", ".join(self._describe(number) for number in neighbours)
            return f"closes with its neighbour: {names} closed, too; use a weaker magnet or move the reeds apart"
        if bounce > self._hidden:
            return (
                f"bounces for {1000 * bounce:.0f} ms; debouncing hides {1000 * self._hidden:.0f} ms; replace the reed"
            )
        return ""

    def _fault_of_colours(self, seen: str) -> str:
        """Return the lamp's fault, given which colours were seen for red, green and blue."""
        right = list(self._order)
        for (sent, _), colour in zip(_SHOWN, seen, strict=True):
            right[self._order.index(sent)] = colour
        if "".join(right) == self._order:
            return ""
        names = ", ".join(_COLOUR_NAMES[colour] for colour in seen)
        return (
            f"shows {names} instead of red, green, blue; if all do, write order = "
            f'"{"".join(right)}" in [lamps], else replace it'
        )

    def _judge_reed(self, fault: str) -> list[str]:
        """Report whether the reed works, and continue with the lamp."""
        station = self._asked[self._at][0]
        if fault:
            self._faults["switches"][station] = fault
        lines = [f"  reed: {fault or 'good'}"]
        if self._lampless:
            return [*lines, *self._next()]
        self._step, self._shown_from = _Step.LAMP, self._now
        return [
            *lines,
            "  Its lamp shows red, green and blue, then a pause, over and over. Enter: so it does.",
            f"  Otherwise type the colours in their order, such as grb, or {_DARK} if it stays dark.",
        ]

    def _judge_lamp(self, fault: str) -> list[str]:
        if fault:
            self._faults["lamps"][self._asked[self._at][0]] = fault
        return [f"  lamp: {fault or 'good'}", *self._next()]

    def _next(self) -> list[str]:
        self._at += 1
        return self._ask()
