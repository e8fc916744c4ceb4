"""Simulate a table's physics: time, magnets that move over reeds, and imperfect contacts.

The defaults fit London on a board 680 mm wide, whose closest stations (111 and 112) are 14.0 mm apart: a pawn set down
with care closes only the reed of its own station, even if another pawn is there already.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Literal

from hardware.ports import HardwareError


class SimError(HardwareError, ValueError):
    """The error of a call for something that no hand can do. The message says what is possible.

    Nothing has changed.
    """


class SimClock:
    """A virtual clock that starts at 0. Implements `Clock`.

    It counts whole microseconds, so that a scan every 5 ms stays exact after hours.
    """

    __slots__ = ("_microseconds",)

    def __init__(self) -> None:
        self._microseconds = 0

    @property
    def microseconds(self) -> int:
        """The time since the start in whole microseconds."""
        return self._microseconds

    def now(self) -> float:
        """Return the seconds since the start."""
        return self._microseconds / 1_000_000

    def advance(self, seconds: float) -> None:
        """Let some seconds pass.

        Args:
            seconds: at least 0; rounded to microseconds.
        """
        if not 0 <= seconds < math.inf:
            raise SimError(f"clock: cannot advance by {seconds} s; time moves on by 0 s or more")
        self._microseconds += round(seconds * 1_000_000)

    def advance_to(self, microseconds: int) -> None:
        """Let time pass until a moment.

        Args:
            microseconds: the moment on this clock, not before its current time.
        """
        if microseconds < self._microseconds:
            raise SimError(f"clock: {microseconds} us is in the past; it is {self._microseconds} us")
        self._microseconds = microseconds


ContactFault = Literal["stuck_open", "stuck_closed", "chatter", "worn", "ok"]
"""The possible faults of one contact; "ok" means none."""

WORN_BOUNCE = (0.025, 0.04)
"""Shortest and longest bounce of a worn contact in seconds: too long for debouncing to hide."""

CHATTER_SLOT = 0.004
"""Seconds per value of a chattering contact: shorter than a scan, so that each scan gets a new one."""

_MOST_TOGGLES = 7
_WORD = (1 << 64) - 1


class Contacts:
    """Contacts as bits of an int. Each bounces and may be faulty.

    Every change bounces for a random time. All random numbers are drawn when a contact changes, none when it is
    sampled: sampling more often shows more of the same history, not another one.

    Args:
        count: number of contacts.
        bounce: shortest and longest bounce in seconds.
        rng: the source of random numbers.

    Attributes:
        count: number of contacts.
        still: whether nothing bounces or chatters, so that a sample shows `settled`. Read only.
        settled: mask of the contacts after they have stopped bouncing. Read only.
    """

    __slots__ = ("_bounce", "_bounces", "_chatter", "_intended", "_rng", "_salt", "_stuck_closed", "_stuck_open",
                 "_worn", "count", "settled", "still")  # fmt: skip

    def __init__(self, count: int, bounce: tuple[float, float], rng: Random) -> None:
        self.count = count
        self.still = True
        self.settled = 0
        self._bounce = bounce
        self._rng = rng
        self._salt = rng.getrandbits(64)
        self._intended = 0
        self._stuck_open = 0
        self._stuck_closed = 0
        self._chatter = 0
        self._worn = 0
        # contact -> times at which it still flips; after the last one it is in its intended state
        self._bounces: dict[int, list[float]] = {}

    @property
    def intended(self) -> int:
        """The mask of contacts that magnets or fingers hold closed, regardless of faults and bounces."""
        return self._intended

    def set(self, intended: int, now: float) -> None:
        """Set which contacts magnets or fingers hold closed from `now` on. Changed ones start to bounce."""
        changed = intended ^ self._intended
        if not changed:
            return
        self._intended = intended
        while changed:
            low = changed & -changed
            changed ^= low
            self._bounces[low.bit_length() - 1] = self._worn_toggles(now) if low & self._worn else self._toggles(now)
        self._refresh()

    def sample(self, now: float) -> int:
        """Return the sample at `now`. While contacts are `still`, it is `settled`, which costs nothing."""
        if self.still:
            return self.settled
        shown = self._intended
        for contact, toggles in list(self._bounces.items()):
            to_come = sum(moment > now for moment in toggles)
            if to_come:
                shown ^= (to_come & 1) << contact
            else:
                del self._bounces[contact]
        if self._chatter:
            shown = shown & ~self._chatter | self._noise(now) & self._chatter
        self._refresh()
        return shown & ~self._stuck_open | self._stuck_closed

    def fault(self, contact: int, kind: ContactFault) -> None:
        """Give a contact a fault in place of any that it had."""
        if not 0 <= contact < self.count:
            raise SimError(f"contacts: there is no contact {contact}; they are 0 to {self.count - 1}")
        bit = 1 << contact
        self._stuck_open = self._stuck_open & ~bit | (bit if kind == "stuck_open" else 0)
        self._stuck_closed = self._stuck_closed & ~bit | (bit if kind == "stuck_closed" else 0)
        self._chatter = self._chatter & ~bit | (bit if kind == "chatter" else 0)
        self._worn = self._worn & ~bit | (bit if kind == "worn" else 0)
        self._refresh()

    def _toggles(self, now: float) -> list[float]:
        rng = self._rng
        length = rng.uniform(*self._bounce)
        return [now + length, *(now + rng.uniform(0, length) for _ in range(rng.randrange(_MOST_TOGGLES)))]

    def _worn_toggles(self, now: float) -> list[float]:
        """Return when a worn contact flips: in equal steps, so that a scan reads each of its states."""
        length = self._rng.uniform(*WORN_BOUNCE)
        return [now + length * share for share in (0.25, 0.5, 0.75, 1.0)]

    def _noise(self, now: float) -> int:
        """Return random bits for chattering contacts, computed from the time alone, so that none are stored."""
        slot = int(now / CHATTER_SLOT)
        bits = 0
        for word in range(0, self.count, 64):
            # splitmix64: neighbouring slots give unrelated words
            z = (self._salt + (slot * 1024 + word + 1) * 0x9E3779B97F4A7C15) & _WORD
            z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _WORD
            z = (z ^ z >> 27) * 0x94D049BB133111EB & _WORD
            bits |= (z ^ z >> 31) << word
        return bits

    def _refresh(self) -> None:
        self.settled = self._intended & ~self._stuck_open | self._stuck_closed
        self.still = not (self._bounces or self._chatter)


Point = tuple[float, float]
"""x and y in millimetres, y downwards."""


@dataclass(frozen=True, slots=True)
class Physics:
    """The physical properties of reeds, magnets and fingers. Lengths are in mm, times in seconds.

    Attributes:
        reach: distance within which a magnet closes a reed (pull-in).
        release: distance beyond which the reed opens again (drop-out); at least `reach`.
        spread: greatest deviation of each reed's reach and release from these, as a share from 0 to below 1.
        dead: radius of the zone over a reed in which the magnet opens it again.
        dead_chance: share of the reeds that have such a zone, 0 to 1.
        dead_offset: how far from the reed's middle the middle of that zone may lie.
        error: smallest and largest distance from the middle of a place at which a hand sets a pawn.
        beside: the same two distances for a pawn set on a place where another pawn stands.
        bounce: shortest and longest bounce of a contact.

    Raises:
        SimError: a value is out of its range.
    """

    reach: float = 8.0
    release: float = 9.5
    spread: float = 0.0
    dead: float = 0.0
    dead_chance: float = 0.0
    dead_offset: float = 0.0
    error: tuple[float, float] = (0.5, 2.0)
    beside: tuple[float, float] = (3.0, 4.0)
    bounce: tuple[float, float] = (0.0005, 0.003)

    def __post_init__(self) -> None:
        if not 0 < self.reach <= self.release:
            raise SimError(f"physics: reach {self.reach} mm must be above 0 and at most release {self.release} mm")
        if not 0 <= self.spread < 1 or not 0 <= self.dead_chance <= 1:
            raise SimError(f"physics: spread {self.spread} and dead_chance {self.dead_chance} are shares, 0 to 1")
        if self.dead_offset < 0:
            raise SimError(f"physics: dead_offset {self.dead_offset} mm must be at least 0")
        if not 0 <= self.dead < self.reach:
            raise SimError(f"physics: dead {self.dead} mm must be at least 0 and below reach {self.reach} mm")
        for name in ("error", "beside", "bounce"):
            least, most = getattr(self, name)
            if not 0 <= least <= most:
                raise SimError(
                    f"physics: {name} is {least} to {most}; write two numbers of 0 or more, the smaller first"
                )


CAREFUL = Physics()
"""A well-built board and a careful hand: each standing pawn closes only its own reed."""

ROUGH = Physics(
    reach=11.0, release=12.5, spread=0.2, dead=1.2, dead_chance=0.25, dead_offset=1.0,
    error=(0.0, 6.0), beside=(4.0, 7.0),
)  # fmt: skip
"""A cheap board and a careless hand: dead zones, uneven reeds, neighbours that react as well."""


class Reeds:
    """The reeds under the board, spot 0 first, and the magnets on it."""

    def __init__(self, places: Sequence[Point], physics: Physics, rng: Random) -> None:
        self.contacts = Contacts(len(places), physics.bounce, rng)
        self._places = tuple(places)
        self._farthest = physics.release * (1 + physics.spread)
        self._reach: list[float] = []
        self._release: list[float] = []
        self._dead: list[tuple[Point, float]] = []
        for x, y in places:
            factor = 1 + rng.uniform(-physics.spread, physics.spread)
            self._reach.append(physics.reach * factor)
            self._release.append(physics.release * factor)
            dx, dy = off_centre(rng, (0.0, physics.dead_offset))
            radius = physics.dead if rng.random() < physics.dead_chance else 0.0
            self._dead.append(((x + dx, y + dy), radius))
        # magnet -> mask of the reeds that it holds closed
        self._held: dict[str, int] = {}
        self._at: dict[str, Point] = {}

    def __contains__(self, magnet: str) -> bool:
        return magnet in self._held

    def at(self, magnet: str) -> Point:
        """Return where a magnet is on the board."""
        try:
            return self._at[magnet]
        except KeyError:
            raise SimError(f"reeds: {magnet} is not on the board") from None

    def move(self, magnet: str, to: Point, now: float, near: Iterable[int] | None = None) -> None:
        """Move a magnet to a point at `now`, from another point or from the hand.

        Args:
            magnet: its name.
            to: the point.
            now: seconds.
            near: the only spots to check, as `near` returns them for the line it moves on; by default all.
        """
        before = self._held.get(magnet, 0)
        held = 0
        for spot in range(len(self._places)) if near is None else near:
            if self._reacts(spot, to, held=bool(before >> spot & 1)):
                held |= 1 << spot
        self._at[magnet] = to
        if held != before or magnet not in self._held:
            self._held[magnet] = held
            self._set_contacts(now)

    def remove(self, magnet: str, now: float) -> None:
        """Take a magnet off the board."""
        self.at(magnet)
        del self._held[magnet], self._at[magnet]
        self._set_contacts(now)

    def near(self, start: Point, end: Point) -> tuple[int, ...]:
        """Return the spots whose reeds may react to a magnet that moves straight from `start` to `end`."""
        return tuple(
            spot
            for spot, place in enumerate(self._places)
            if math.dist(place, nearest_on_line(place, start, end)[0]) <= self._farthest
        )

    def _reacts(self, spot: int, magnet: Point, *, held: bool) -> bool:
        middle, radius = self._dead[spot]
        if radius and math.dist(middle, magnet) < radius:
            return False
        distance = math.dist(self._places[spot], magnet)
        return distance <= (self._release[spot] if held else self._reach[spot])

    def _set_contacts(self, now: float) -> None:
        closed = 0
        for held in self._held.values():
            closed |= held
        self.contacts.set(closed, now)


def off_centre(rng: Random, radius: tuple[float, float]) -> Point:
    """Return a step in a random direction, whose length is between the two radii (mm)."""
    length = rng.uniform(*radius)
    angle = rng.uniform(0, math.tau)
    return length * math.cos(angle), length * math.sin(angle)


def nearest_on_line(point: Point, start: Point, end: Point) -> tuple[Point, float]:
    """Return the point of a line nearest to `point`, and at what fraction of the line it is. Pure."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    square = dx * dx + dy * dy
    if square == 0:
        return start, 0.0
    share = ((point[0] - start[0]) * dx + (point[1] - start[1]) * dy) / square
    share = min(1.0, max(0.0, share))
    return (start[0] + share * dx, start[1] + share * dy), share


MOTION_STEP = 1000
"""Microseconds between two positions of a moving magnet: at a hand's speed, less than a millimetre."""


class Drag:
    """A pawn that is dragged along straight lines from point to point at constant speed.

    Args:
        reeds: the reeds under it; the pawn must be on the board.
        pawn: its name.
        stops: the points, at least two, the first being its position.
        start: the start time, in microseconds.
        ms: the duration, in milliseconds.
        spot: the spot on which it stands afterwards, or None while a hand holds it or for the bare board.

    Attributes:
        end: the last point.
        spot: as above; may be set during the movement.
    """

    def __init__(
        self, reeds: Reeds, pawn: str, stops: Sequence[Point], start: int, ms: float, spot: int | None = None
    ) -> None:
        self.end, self.spot = stops[-1], spot
        self._reeds = reeds
        self._pawn = pawn
        lengths = [math.dist(a, b) for a, b in pairwise(stops)]
        whole = sum(lengths)
        # Each leg: when it ends (microseconds), how long it takes, its two ends, the spots along it.
        self._legs: list[tuple[float, float, Point, Point, tuple[int, ...]]] = []
        end = float(start)
        for length, (a, b) in zip(lengths, pairwise(stops), strict=True):
            duration = ms * 1000 * (length / whole if whole else 1 / len(lengths))
            end += duration
            self._legs.append((end, duration, a, b, reeds.near(a, b)))
        self._ends = start + round(ms * 1000)

    def follow(self, clock: SimClock) -> bool:
        """Move the pawn to its place at the current time. Return whether it has arrived at the last point."""
        now = clock.microseconds
        while len(self._legs) > 1 and self._legs[0][0] <= now:
            del self._legs[0]
        end, duration, a, b, near = self._legs[0]
        left = 0.0 if now >= self._ends or not duration else max(0.0, end - now) / duration
        point = (b[0] - left * (b[0] - a[0]), b[1] - left * (b[1] - a[1]))
        self._reeds.move(self._pawn, point, clock.now(), near)
        return now >= self._ends
