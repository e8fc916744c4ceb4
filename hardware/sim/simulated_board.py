"""Simulate the board: reeds, pawns with magnets on them, and hands that lift, set down and slide pawns."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from random import Random
from types import MappingProxyType

from hardware.sim.faults import list_numbers
from hardware.sim.physics import (
    MOTION_STEP,
    Drag,
    Physics,
    Point,
    Reeds,
    SimClock,
    SimError,
    nearest_on_line,
    off_centre,
)

FALLING = 0.12
"""The share of pawns that fall over when someone bumps into the table."""

HOP = (1.0, 36.0)
"""The distances in mm that other pawns hop, mostly short: London's stations are 14 to 60 mm apart."""


class SimulatedBoard:
    """A simulated board: pawns with magnets on stations with reeds.

    The subclass advances time with `_advance_to`, which also moves pulled pawns.

    An impossible call raises `SimError` and changes nothing: an unknown station, an absent pawn, a number out of its
    range.

    Args:
        positions: printed number of each station -> x, y in mm; their order defines the spots, from 0.
        clock: the table's clock.
        physics: the behaviour of reeds and hands.
        seed: the seed of all random events.
    """

    def __init__(self, positions: Mapping[int, Point], clock: SimClock, physics: Physics, seed: int) -> None:
        self.clock = clock
        self.physics = physics
        self._places = dict(positions)
        self._numbers = tuple(positions)
        self._spots = {number: spot for spot, number in enumerate(self._numbers)}
        self._hand = rng_for(seed, "hand")
        self._jolts = rng_for(seed, "jolts")
        self._reeds = Reeds(tuple(positions.values()), physics, rng_for(seed, "reeds"))
        # pawn -> its station; None in a hand or on the bare board. In the order in which they were last touched.
        self._at: dict[str, int | None] = {}
        self._ways: dict[str, Drag] = {}

    @property
    def places(self) -> Mapping[int, Point]:
        """Each station's place: its printed number -> x, y in mm."""
        return MappingProxyType(self._places)

    def where(self) -> dict[str, int | None]:
        """Return where each pawn is: pawn -> station. None for a held pawn and for one on the bare board."""
        return dict(self._at)

    def stations(self) -> dict[str, int]:
        """Return where each pawn on a station is: pawn -> station."""
        return {pawn: at for pawn, at in self._at.items() if at is not None}

    def standing(self, number: int) -> tuple[str, ...]:
        """Return the pawns on a station in the order in which they came."""
        self._place(number)
        return tuple(pawn for pawn, at in self._at.items() if at == number)

    def between(self, start: int, end: int, within: float = 15.0) -> tuple[int, ...]:
        """Return the stations at most `within` mm from the line between two stations, in order along it."""
        a, b = self._place(start), self._place(end)
        found = []
        for number, place in self._places.items():
            point, share = nearest_on_line(place, a, b)
            if number not in {start, end} and 0 < share < 1 and math.dist(point, place) <= within:
                found.append((share, number))
        return tuple(number for _, number in sorted(found))

    def rename(self, numbers: Sequence[int]) -> None:
        """Print other numbers on the stations, in the order of the inputs. Pawns stay where they are."""
        if len(numbers) != len(self._numbers) or len(set(numbers)) != len(numbers):
            raise SimError(
                f"rename: {len(numbers)} numbers, {len(set(numbers))} of them different; give one different number for "
                f"each of the {len(self._numbers)} stations"
            )
        new = dict(zip(self._numbers, numbers, strict=True))
        self._at = {pawn: None if at is None else new[at] for pawn, at in self._at.items()}
        self._places = {new[number]: place for number, place in self._places.items()}
        self._numbers = tuple(numbers)
        self._spots.clear()  # the faults share this object
        self._spots |= {number: spot for spot, number in enumerate(numbers)}

    def put(self, number: int, pawn: str) -> None:
        """Set a pawn down on a station, a little beside its middle, or beside a pawn that is there."""
        self._must_be_in_hand(pawn)
        spot = self._landing(number)
        self._reeds.move(pawn, spot, self.clock.now())
        self._touch(pawn, number)

    def put_between(self, start: int, end: int, pawn: str, share: float = 0.5) -> None:
        """Set a pawn down on the bare board, at a share (0 to 1) of the way between two stations."""
        a, b = self._place(start), self._place(end)
        if not 0 <= share <= 1:
            raise SimError(f"put_between: share {share} is not between 0 and 1")
        self._must_be_in_hand(pawn)
        point = (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))
        self._reeds.move(pawn, point, self.clock.now())
        self._touch(pawn, None)

    def lift(self, number: int, pawn: str | None = None) -> str:
        """Lift a pawn, by default the last one put there, from a station, and return its name."""
        lifted = self._standing_pawn(number, pawn)
        self.pick_up(lifted)
        return lifted

    def pick_up(self, pawn: str) -> None:
        """Lift a pawn from the board, wherever on it the pawn is."""
        self._must_be_on_board(pawn)
        self._ways.pop(pawn, None)
        self._reeds.remove(pawn, self.clock.now())
        self._touch(pawn, None)

    def points(self) -> dict[str, Point]:
        """Return where each pawn on the board is, even while it slides: pawn -> x, y in mm."""
        return {pawn: self._reeds.at(pawn) for pawn in self._at if pawn in self._reeds}

    def pull(self, pawn: str, to: Point, ms: float) -> None:
        """Start to slide a pawn to a point at constant speed, from anywhere on the board.

        The pawn moves as time advances, and counts as held until it is released. If it is pulled again on its way, it
        turns at that place. A pawn that is not on the board is set down at the point at once.

        Args:
            pawn: its name.
            to: the point, in mm; it may be beside the stations.
            ms: the duration, in milliseconds, at least 0.001.
        """
        if not all(map(math.isfinite, to)):
            raise SimError(f"pull: {to} is not a point; give x and y in mm")
        self._must_take_time("pull", ms)
        self._touch(pawn, None)
        if pawn in self._reeds:
            self._ways[pawn] = self._drag(pawn, [self._reeds.at(pawn), to], ms)
        else:
            self._reeds.move(pawn, to, self.clock.now())

    def let_go(self, pawn: str, on: int | None = None, ms: float = 40.0) -> None:
        """Release a sliding pawn: it slides onto the station `on`, or stays where its way ends.

        If its way ends within reach of a reed, the pawn stands on that station.

        Args:
            pawn: its name.
            on: number of the station onto which it slides; None to leave it where its way ends.
            ms: the duration of the way to the station, in milliseconds, at least 0.001.
        """
        self._must_be_on_board(pawn)
        self._must_take_time("let_go", ms)
        if on is not None:
            self._place(on)
            self._touch(pawn, None)
            stops = [self._reeds.at(pawn), self._landing(on)]
            self._ways[pawn] = self._drag(pawn, stops, ms, self._spots[on])
        elif pawn in self._ways:
            way = self._ways[pawn]
            way.spot = self._spot_at(way.end)
        else:
            spot = self._spot_at(self._reeds.at(pawn))
            self._touch(pawn, None if spot is None else self._numbers[spot])

    def jolt(self, held: Collection[str] = ()) -> None:
        """Bump into the table. Pawns that neither are `held` nor slide hop a little, or fall over and roll off."""
        for pawn, here in self.points().items():
            if pawn in held or pawn in self._ways:
                continue
            falls, far = self._jolts.random() < FALLING, self._jolts.triangular(*HOP, HOP[0])
            dx, dy = off_centre(self._jolts, (far, far))
            if falls:
                self.pick_up(pawn)
            else:
                self._reeds.move(pawn, (here[0] + dx, here[1] + dy), self.clock.now())
                self.let_go(pawn)

    def _advance_to(self, until: int) -> None:
        """Let time pass until a moment (microseconds), while sliding pawns move."""
        clock = self.clock
        while self._ways and clock.microseconds < until:
            clock.advance_to(min(until, clock.microseconds + MOTION_STEP))
            for pawn, way in list(self._ways.items()):
                if way.follow(clock):
                    del self._ways[pawn]
                    if way.spot is not None:
                        self._touch(pawn, self._numbers[way.spot])
        clock.advance_to(until)

    def _drag(self, pawn: str, stops: Sequence[Point], ms: float, spot: int | None = None) -> Drag:
        return Drag(self._reeds, pawn, stops, self.clock.microseconds, ms, spot)

    def _spot_at(self, point: Point) -> int | None:
        """Return the spot nearest to a point, or None if its reed is out of the reach of a magnet there."""
        near = [(math.dist(place, point), self._spots[number]) for number, place in self._places.items()]
        distance, spot = min(near)
        return spot if distance <= self.physics.reach else None

    def _place(self, number: int) -> Point:
        try:
            return self._places[number]
        except (KeyError, TypeError):
            if type(number) is not int:
                known = list_numbers(self._spots)
                raise SimError(f"{number!r:.40} is not a station; write a whole number, {known}") from None
            raise SimError(f"there is no station {number}; stations are {list_numbers(self._spots)}") from None

    def _standing_pawn(self, number: int, pawn: str | None) -> str:
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
            raise SimError(f"{pawn} is on the board already ({self._station_name(pawn)}); lift it first")

    def _must_be_on_board(self, pawn: str) -> None:
        if pawn not in self._reeds:
            raise SimError(f"{pawn} is not on the board; on it: {self._listing(tuple(self._at))}")

    @staticmethod
    def _must_take_time(gesture: str, ms: float) -> None:
        if not 0.001 <= ms < math.inf:
            raise SimError(f"{gesture}: {ms} ms; a {gesture} takes at least 0.001 ms")

    def _landing(self, number: int) -> Point:
        """Return the point on a station where the next pawn lands."""
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
        return ", ".join(f"{pawn} ({self._station_name(pawn)})" for pawn in pawns if pawn in self._reeds) or "none"

    def _station_name(self, pawn: str) -> str:
        number = self._at[pawn]
        return "bare board" if number is None else str(number)


def rng_for(seed: int, what: str) -> Random:
    """Return a separate rng for one purpose. Numbers drawn for other purposes do not change its numbers."""
    return Random(f"{seed}/{what}")  # noqa: S311 - physics, not secrets
