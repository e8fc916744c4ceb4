"""Switches that are known to be out of order, and when one of them is trusted again. Time is passed in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from types import MappingProxyType

TRUST = 10.0
"""Seconds for which a switch that was out of order twice has to tell the truth; twice as many each further time."""

LONGEST = 600.0
"""Seconds of telling the truth that are enough for any switch."""

ONCE = 2.0
"""Seconds of the truth that are wanted of a switch that has stuck closed once: one that sticks may let go for a moment.

One that was dead is trusted as soon as it feels a pawn: the word of one who confirmed it may have been a slip."""


@dataclass(slots=True)
class _Trial:
    """One switch that is not listened to.

    `lived` are the seconds for which it has told the truth before `since`, since when it does again. `denied` is what
    it said when it last said something else than the game: whichever of the two gives way was wrong.
    """

    closed: bool
    lived: float = 0.0
    since: float | None = None
    denied: bool | None = None

    def denies(self, felt: bool, now: float) -> None:
        """It says something else than the game: a lie, or a pawn that comes or goes."""
        self.rests(now)
        self.denied = felt

    def agrees(self, felt: bool) -> None:
        """It says what the game says. If it was the switch that came round, all it has said before is worth nothing."""
        if self.denied not in (None, felt):
            self.lived = 0.0
        self.denied = None

    def rests(self, now: float) -> None:
        """What it says now proves nothing."""
        if self.since is not None:
            self.lived, self.since = self.lived + now - self.since, None


class Masks:
    """The switches that are not listened to, by station, each with what it is stuck at."""

    def __init__(self) -> None:
        self._trials: dict[int, _Trial] = {}
        self._times: Counter[int] = Counter()

    @property
    def stuck(self) -> Mapping[int, bool]:
        """Station -> whether its switch is stuck closed; else it is dead, and stays open."""
        return MappingProxyType({station: trial.closed for station, trial in self._trials.items()})

    @property
    def times(self) -> Mapping[int, int]:
        """Station -> how many times its switch was out of order; those that never were are left out."""
        return MappingProxyType(self._times)

    @property
    def stations(self) -> frozenset[int]:
        """The stations whose switch is not listened to."""
        return frozenset(self._trials)

    @property
    def due(self) -> float:
        """When (clock seconds) a switch will be trusted again if nothing changes; infinity if none."""
        return min(map(self._due_of, self._trials), default=float("inf"))

    def take_over(self, stuck: Mapping[int, bool], times: Mapping[int, int]) -> None:
        """These switches, and no others, are or were out of order; on other stations than before, if tiles lie."""
        self._trials = {station: _Trial(closed) for station, closed in stuck.items()}
        self._times = Counter(dict.fromkeys(stuck, 1) | dict(times))

    def add(self, station: int, *, closed: bool) -> None:
        """Somebody has said that the switch under a station does not tell the truth; it is closed now, or it is not."""
        if station not in self._trials:
            self._times[station] += 1
        self._trials[station] = _Trial(closed)

    def heal(
        self, occupied: AbstractSet[int], stand: AbstractSet[int], now: float, unwell: AbstractSet[int] = frozenset()
    ) -> None:
        """Trusts the switches again that have left where they were stuck, and tell the truth.

        Args:
            occupied: the stations whose switch is closed.
            stand: the stations on which a pawn must stand.
            now: clock seconds.
            unwell: the stations whose switch chatters.
        """
        for station, trial in list(self._trials.items()):
            felt = station in occupied
            if station in unwell:
                self._trials[station] = _Trial(trial.closed)
            elif felt is not (station in stand):
                trial.denies(felt, now)
            else:
                trial.agrees(felt)
                if felt is trial.closed:
                    trial.rests(now)
                elif trial.since is None:
                    trial.since = now
        for station in [n for n in self._trials if self._due_of(n) <= now]:
            del self._trials[station]

    def _due_of(self, station: int) -> float:
        """When the switch under a station will be trusted again, in clock seconds."""
        trial = self._trials[station]
        return float("inf") if trial.since is None else trial.since + self._trial(station) - trial.lived

    def _trial(self, station: int) -> float:
        """For how many seconds a switch has to tell the truth to be trusted."""
        times = self._times[station]
        if times < 2:
            return ONCE if self._trials[station].closed else 0.0
        return min(TRUST * (1 << min(times - 2, 10)), LONGEST)
