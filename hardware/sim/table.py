"""The table itself: pawns with magnets in them, on a board with reeds and lamps, with panels and keys around it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType

from hardware.backend import Backend
from hardware.current import LimitedLamps
from hardware.sim.clock import SimClock
from hardware.sim.contacts import Contacts
from hardware.sim.devices import SimKeys, SimLamps, SimPanel, SimSwitches
from hardware.sim.errors import SimError
from hardware.sim.faults import Faults, number_range
from hardware.sim.motion import Drag
from hardware.sim.physics import CAREFUL, ROUGH, Physics, Point, Reeds, nearest_on_line, off_centre


class SimTable:
    """A table in memory, deterministic: the same seed and the same calls give the same samples.

    Time stands still except in `advance` and in the `ms` of a gesture. Not for several threads.

    Args:
        positions: printed number of each station -> x, y in mm; their order gives the spots, from 0.
        lamps: number of lamps in the chain, those of the spots first; at least as many as spots.
        keys: names of the keys; those that begin with "handset." hang on the handset's cable.
        seed: what chance grows from.
        rough: whether board and hand are of the rough kind.
        panel_size: width and height of handset and display in pixels.
        display: whether the table has a public display.
        physics: how reeds and hands behave; CAREFUL, or ROUGH if `rough`, unless told.
        pace: called with the seconds that each step of time took; a demo sleeps in it.

    Raises:
        SimError: no positions, too few lamps, or two keys of one name.
    """

    def __init__(
        self,
        positions: Mapping[int, Point],
        *,
        lamps: int,
        keys: Sequence[str],
        seed: int = 0,
        rough: bool = False,
        panel_size: tuple[int, int] = (128, 64),
        display: bool = True,
        physics: Physics | None = None,
        pace: Callable[[float], None] | None = None,
    ) -> None:
        if not positions:
            raise SimError("table: no positions; a board has at least 1 station")
        if lamps < len(positions):
            raise SimError(f"table: {lamps} lamps for {len(positions)} stations; each station needs one")
        if len(set(keys)) != len(keys):
            raise SimError(f"table: two keys of one name among {', '.join(keys)}")
        self.clock = SimClock()
        self.physics = physics or (ROUGH if rough else CAREFUL)
        self._places = dict(positions)
        self._numbers = tuple(positions)
        self._spots = {number: spot for spot, number in enumerate(self._numbers)}
        self._hand = _chance(seed, "hand")
        self._reeds = Reeds(tuple(positions.values()), self.physics, _chance(seed, "reeds"))
        self._switches = SimSwitches(self._reeds.contacts, self.clock, _chance(seed, "line"))
        self._lamps = SimLamps(lamps, self.clock)
        self._handset = SimPanel("handset", panel_size, self.clock)
        self._display = SimPanel("display", panel_size, self.clock) if display else None
        key_contacts = Contacts(len(keys), self.physics.bounce, _chance(seed, "keys"))
        self._keys = SimKeys(keys, key_contacts, self.clock)
        outputs = {"lamps": self._lamps, "handset": self._handset, "display": self._display}
        self._faults = Faults(self._spots, self._reeds.contacts, self._switches, outputs, self._keys)
        # pawn -> its station; None in a hand or on the bare board. The last one touched comes last.
        self._at: dict[str, int | None] = {}
        self._pace = pace
        self._step: Callable[[], None] | None = None
        self._period = 5000
        self._next_scan = self._period
        self._advancing = False

    @property
    def backend(self) -> Backend:
        """The devices, with lamps that may draw what they like: `replace` them for a limit."""
        lamps = LimitedLamps(self._lamps, math.inf)
        return Backend(self._switches, lamps, self._handset, self._display, self._keys, self.clock)

    @property
    def places(self) -> Mapping[int, Point]:
        """Printed number of each station -> x, y in mm."""
        return MappingProxyType(self._places)

    @property
    def switches(self) -> SimSwitches:
        """The reeds' line."""
        return self._switches

    @property
    def lamps(self) -> SimLamps:
        """The chain of lamps."""
        return self._lamps

    @property
    def handset(self) -> SimPanel:
        """The private panel."""
        return self._handset

    @property
    def display(self) -> SimPanel | None:
        """The public panel, or None if the table has none."""
        return self._display

    @property
    def keys(self) -> SimKeys:
        """The push buttons."""
        return self._keys

    def leds(self) -> dict[int, tuple[int, int, int]]:
        """Number of a station -> red, green, blue (0-255), for the stations that are lit."""
        spots = len(self._numbers)
        return {self._numbers[lamp]: colour for lamp, colour in self._lamps.lit().items() if lamp < spots}

    def extra_leds(self) -> dict[int, tuple[int, int, int]]:
        """Place in the chain -> red, green, blue, for the lit lamps that stand in no station."""
        spots = len(self._numbers)
        return {lamp: colour for lamp, colour in self._lamps.lit().items() if lamp >= spots}

    def where(self) -> dict[str, int | None]:
        """Every pawn that was ever put -> its station, or None while it is in a hand or on the bare board."""
        return dict(self._at)

    def standing(self, number: int) -> tuple[str, ...]:
        """The pawns on a station, the last one put there last.

        Raises:
            SimError: there is no such station.
        """
        self._place(number)
        return tuple(pawn for pawn, at in self._at.items() if at == number)

    def between(self, start: int, end: int, within: float = 15.0) -> tuple[int, ...]:
        """The stations near the straight line from one station to another, in their order along it.

        Args:
            start: number of the first station.
            end: number of the other.
            within: how near, in mm.

        Raises:
            SimError: there is no such station.
        """
        a, b = self._place(start), self._place(end)
        found = []
        for number, place in self._places.items():
            point, share = nearest_on_line(place, a, b)
            if number not in {start, end} and 0 < share < 1 and math.dist(point, place) <= within:
                found.append((share, number))
        return tuple(number for _, number in sorted(found))

    def rename(self, numbers: Sequence[int]) -> None:
        """Other numbers are printed on the board from now on, as where tiles were laid; pawns stay where they are.

        Args:
            numbers: the new number of each station, in the order of the inputs.

        Raises:
            SimError: there are more or fewer than stations, or a number comes twice.
        """
        if len(numbers) != len(self._numbers) or len(set(numbers)) != len(numbers):
            raise SimError(
                f"rename: {len(set(numbers))} different numbers; the board has {len(self._numbers)} stations"
            )
        new = dict(zip(self._numbers, numbers, strict=True))
        self._at = {pawn: None if at is None else new[at] for pawn, at in self._at.items()}
        self._places = {new[number]: place for number, place in self._places.items()}
        self._numbers = tuple(numbers)
        self._spots.clear()  # the faults look their switches up here, too
        self._spots |= {number: spot for spot, number in enumerate(numbers)}

    def put(self, number: int, pawn: str) -> None:
        """Sets a pawn down on a station, a little off its middle; beside the one that stands there already.

        Args:
            number: the station.
            pawn: its name, for the human's eye only.

        Raises:
            SimError: there is no such station, or the pawn is on the board.
        """
        spot = self._landing(number)
        self._must_be_in_hand(pawn)
        self._reeds.move(pawn, spot, self.clock.now())
        self._touch(pawn, number)

    def put_between(self, start: int, end: int, pawn: str, share: float = 0.5) -> None:
        """Sets a pawn down on the bare board on the way from one station to another.

        Args:
            start: number of the first station.
            end: number of the other.
            pawn: its name.
            share: how far along the way, 0 to 1.

        Raises:
            SimError: there is no such station, the pawn is on the board, or `share` is out of its range.
        """
        a, b = self._place(start), self._place(end)
        if not 0 <= share <= 1:
            raise SimError(f"put_between: share {share} is not between 0 and 1")
        self._must_be_in_hand(pawn)
        point = (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))
        self._reeds.move(pawn, point, self.clock.now())
        self._touch(pawn, None)

    def lift(self, number: int, pawn: str | None = None) -> str:
        """Lifts a pawn from a station and gives its name.

        Args:
            number: the station.
            pawn: which one, where several stand; the last one put there unless told.

        Raises:
            SimError: there is no such station, or no such pawn on it.
        """
        lifted = self._standing_one(number, pawn)
        self.pick_up(lifted)
        return lifted

    def pick_up(self, pawn: str) -> None:
        """Lifts a pawn from wherever it is on the board.

        Raises:
            SimError: it is not on the board.
        """
        if pawn not in self._reeds:
            raise SimError(f"{pawn} is not on the board; on it: {self._listing(tuple(self._at))}")
        self._reeds.remove(pawn, self.clock.now())
        self._touch(pawn, None)

    def slide(self, path: Sequence[int], ms: float, pawn: str | None = None) -> None:
        """Drags the pawn that stands on the first station along straight lines through the others.

        Time goes on by `ms`; the pawn moves evenly and counts as in a hand until it stands on the last station.

        Args:
            path: numbers of at least two stations.
            ms: duration in milliseconds, at least 0.001.
            pawn: which one, where several stand; the last one put there unless told.

        Raises:
            SimError: the path is too short, has an unknown station or no such pawn at its start; `ms` is too
                short; or time is moving already.
        """
        if len(path) < 2:
            raise SimError(f"slide: a path of {len(path)} stations; it takes at least 2")
        for number in path:
            self._place(number)
        dragged = self._standing_one(path[0], pawn)
        if not 0.001 <= ms < math.inf:
            raise SimError(f"slide: {ms} ms; a slide takes at least 0.001 ms")
        self._must_not_be_advancing()
        self._touch(dragged, None)
        stops = [self._reeds.at(dragged)]
        stops += [self._near_middle(number, self.physics.error) for number in path[1:-1]]
        stops.append(self._landing(path[-1]))
        self._run(ms, Drag(self._reeds, dragged, stops, self.clock.microseconds, ms))
        self._touch(dragged, path[-1])

    def press(self, key: str, ms: float = 60) -> None:
        """Presses a key for `ms` milliseconds, in which time goes on.

        Raises:
            SimError: there is no such key, it is held down, or `ms` is not above 0.
        """
        if not 0 < ms < math.inf:
            raise SimError(f"press: {ms} ms; a press takes more than 0 ms")
        self._must_not_be_advancing()
        self._keys.hold(key)
        try:
            self._run(ms, None)
        finally:
            self._keys.release(key)

    def hold(self, key: str) -> None:
        """Holds a key down until it is released.

        Raises:
            SimError: there is no such key, or it is held down already.
        """
        self._keys.hold(key)

    def release(self, key: str) -> None:
        """Releases a key that is held down.

        Raises:
            SimError: there is no such key, or it is not held down.
        """
        self._keys.release(key)

    def drive(self, step: Callable[[], None] | None, hz: float = 200) -> None:
        """Has `step` called at every scan instant from now on while time moves; None ends it.

        Args:
            step: one pass of the daemon's loop; it must not move time itself. An error of its goes through to
                whoever moves time, and time stays where it was raised.
            hz: scans a second, up to 100000.

        Raises:
            SimError: `hz` is out of its range.
        """
        if not 0 < hz <= 100_000:
            raise SimError(f"drive: {hz} Hz; scans come above 0 and up to 100000 times a second")
        self._step = step
        self._period = round(1_000_000 / hz)
        self._next_scan = self.clock.microseconds + self._period

    def advance(self, ms: float) -> None:
        """Lets time go on.

        Args:
            ms: milliseconds, at least 0.

        Raises:
            SimError: `ms` is negative or not finite, or time is moving already.
        """
        if not 0 <= ms < math.inf:
            raise SimError(f"advance: {ms} ms; time moves on by 0 ms or more")
        self._must_not_be_advancing()
        self._run(ms, None)

    def _run(self, ms: float, drag: Drag | None) -> None:
        """Moves time on, from scan instant to scan instant while somebody wants them."""
        clock = self.clock
        end = clock.microseconds + round(ms * 1000)
        self._advancing = True
        try:
            while True:
                start = clock.microseconds
                scanning = self._step is not None or self._pace is not None
                until = min(end, self._next_scan) if scanning else end
                if drag is not None:
                    drag.follow(clock, until)
                clock.advance_to(until)
                if self._pace is not None and until > start:
                    self._pace((until - start) / 1_000_000)
                if scanning and until == self._next_scan:
                    self._next_scan += self._period
                    if self._step is not None:
                        self._step()
                if until == end:
                    return
        finally:
            self._advancing = False

    def fault(self, device: str, kind: str) -> None:
        """Breaks or mends something.

        Args:
            device: "switch:N" (N the printed number), "switches" or "serial" (the line they are read through),
                "lamps", "handset" (its panel and its keys) or "display".
            kind: as fits the device, one of `faults.SWITCH_FAULTS`, `LINE_FAULTS` or `OUTPUT_FAULTS`.

        Raises:
            SimError: there is no such device, or it takes no such kind; nothing has changed.
        """
        self._faults.apply(device, kind)

    def _place(self, number: int) -> Point:
        try:
            return self._places[number]
        except KeyError:
            raise SimError(f"there is no station {number}; stations are {number_range(self._spots)}") from None

    def _standing_one(self, number: int, pawn: str | None) -> str:
        pawns = self.standing(number)
        if not pawns:
            raise SimError(f"no pawn stands on {number}; on the board: {self._listing(tuple(self._at))}")
        if pawn is None:
            return pawns[-1]
        if pawn not in pawns:
            raise SimError(f"{pawn} does not stand on {number}; on it: {self._listing(pawns)}")
        return pawn

    def _must_be_in_hand(self, pawn: str) -> None:
        if pawn in self._reeds:
            raise SimError(f"{pawn} is on the board already ({self._said(pawn)}); lift it first")

    def _must_not_be_advancing(self) -> None:
        if self._advancing:
            raise SimError("time is moving already: a step that `drive` calls must not move it")

    def _landing(self, number: int) -> Point:
        """A point on a station for a pawn to stand on."""
        place_taken = bool(self.standing(number))
        return self._near_middle(number, self.physics.beside if place_taken else self.physics.error)

    def _near_middle(self, number: int, off: tuple[float, float]) -> Point:
        x, y = self._places[number]
        dx, dy = off_centre(self._hand, off)
        return x + dx, y + dy

    def _touch(self, pawn: str, at: int | None) -> None:
        self._at.pop(pawn, None)
        self._at[pawn] = at

    def _listing(self, pawns: tuple[str, ...]) -> str:
        return ", ".join(f"{pawn} ({self._said(pawn)})" for pawn in pawns if pawn in self._reeds) or "none"

    def _said(self, pawn: str) -> str:
        number = self._at[pawn]
        return "bare board" if number is None else str(number)


def _chance(seed: int, what: str) -> Random:
    """Chance of one kind, apart from the others: a further key bounce must not move a pawn."""
    return Random(f"{seed}/{what}")  # noqa: S311 - physics, not secrets
