"""The one register of switches that are or were out of order, and when one of them is trusted again.

It is kept by switch, since switches break and stations do not: where tiles are laid, other stations lie on the same
switches (DI-01). Whoever plays asks it by station. Frozen; time is passed in.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

TRUST = 10.0
"""Seconds for which a switch that was out of order twice has to tell the truth; twice as many each further time."""

LONGEST = 600.0
"""Seconds of telling the truth that are enough for any switch."""

ONCE = 2.0
"""Seconds of the truth that are wanted of a switch that has stuck closed once: one that sticks may let go for a moment.

One that was dead is trusted as soon as it feels a pawn: the word of one who confirmed it may have been a slip."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One switch that is not listened to.

    Attributes:
        closed: whether it is stuck closed; else it is dead, and stays open.
        lived: the seconds for which it has told the truth before `since`.
        since: since when it tells the truth again; None while it proves nothing.
        denied: what it said when it last said something else than the game: whichever of the two gives way was wrong.
    """

    closed: bool
    lived: float = 0.0
    since: float | None = None
    denied: bool | None = None

    def judged(self, *, felt: bool, stands: bool, now: float) -> Trial:
        """Return the trial after the switch has said `felt` while the game says that a pawn `stands` there."""
        since = self.since
        told = 0.0 if since is None else now - since  # seconds of truth that are not counted yet
        if felt is not stands:  # a lie, or a pawn that comes or goes
            return Trial(self.closed, self.lived + told, None, felt)
        lived = self.lived if self.denied in (None, felt) else 0.0  # it came round: all before is worth nothing
        if felt is self.closed:  # what it says now proves nothing
            return Trial(self.closed, lived + told)
        return Trial(self.closed, lived, now if since is None else since)


@dataclass(frozen=True, slots=True)
class SwitchRegister:
    """What is known of the switches that are or were out of order.

    Attributes:
        trials: switch -> its trial, for each that is not listened to.
        times: switch -> how many times it was out of order; those that never were are left out.
        switches: station -> the switch under it; of a station that is not named, the switch has its number.
        stuck: station -> whether its switch is stuck closed; else it is dead, and stays open.
        stations: the stations whose switch is not listened to.
        due: when (clock seconds) a switch will be trusted again if nothing changes; infinity if none.
    """

    trials: Mapping[int, Trial] = field(default_factory=dict, hash=False)
    times: Mapping[int, int] = field(default_factory=dict, hash=False)
    switches: Mapping[int, int] = field(default_factory=dict, hash=False, repr=False)
    stuck: Mapping[int, bool] = field(init=False, hash=False, repr=False)
    stations: frozenset[int] = field(init=False, repr=False)
    due: float = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Find the stations that lie on the switches that are not listened to, and when the first is due."""
        laid = self.switches.items() if self.switches else ((n, n) for n in self.trials)
        stuck = {station: self.trials[n].closed for station, n in laid if n in self.trials} if self.trials else {}
        object.__setattr__(self, "stuck", stuck)
        object.__setattr__(self, "stations", frozenset(stuck))
        due = min([self._due_of(n, trial) for n, trial in self.trials.items()], default=float("inf"))
        object.__setattr__(self, "due", due)

    @classmethod
    def of(cls, stuck: Mapping[int, bool], times: Mapping[int, int] | None = None) -> SwitchRegister:
        """Return a register of switches that are stuck closed, or dead, and of how often each was out of order."""
        trials = {switch: Trial(closed) for switch, closed in stuck.items()}
        return cls(trials, {**dict.fromkeys(stuck, 1), **(times or {})})

    def laid(self, switches: Mapping[int, int]) -> SwitchRegister:
        """Return the register with other stations on the switches; each has to tell the truth anew."""
        return replace(SwitchRegister.of(self.levels, self.times), switches=switches)

    @property
    def levels(self) -> dict[int, bool]:
        """Switch -> whether it is stuck closed, for each that is not listened to, whatever lies on it."""
        return {switch: trial.closed for switch, trial in self.trials.items()}

    def add(self, *stations: int, occupied: AbstractSet[int]) -> SwitchRegister:
        """Return the register once the switches under some stations are known to lie, stuck as they are now."""
        trials, times = dict(self.trials), dict(self.times)
        for station in stations:
            switch = self._switch(station)
            times[switch] = times.get(switch, 0) + (switch not in trials)
            trials[switch] = Trial(station in occupied)
        return replace(self, trials=trials, times=times)

    def heal(
        self, occupied: AbstractSet[int], stand: AbstractSet[int], now: float, unwell: AbstractSet[int] = frozenset()
    ) -> SwitchRegister:
        """Return the register without the switches that have left where they were stuck, and tell the truth.

        Args:
            occupied: the stations whose switch is closed.
            stand: the stations on which a pawn must stand.
            now: clock seconds.
            unwell: the stations whose switch chatters.
        """
        if not self.stuck:
            return self
        trials = dict(self.trials)
        for station in self.stuck:
            switch = self._switch(station)
            trial = trials[switch]
            well = station not in unwell
            felt, stands = station in occupied, station in stand
            trials[switch] = trial.judged(felt=felt, stands=stands, now=now) if well else Trial(trial.closed)
        return replace(self, trials={n: trial for n, trial in trials.items() if self._due_of(n, trial) > now})

    def _switch(self, station: int) -> int:
        return self.switches.get(station, station)

    def _due_of(self, switch: int, trial: Trial) -> float:
        """Return when a switch will be trusted again, in clock seconds."""
        return float("inf") if trial.since is None else trial.since + self._wanted(switch, trial) - trial.lived

    def _wanted(self, switch: int, trial: Trial) -> float:
        """Return for how many seconds a switch has to tell the truth to be trusted."""
        times = self.times.get(switch, 0)
        if times < 2:
            return ONCE if trial.closed else 0.0
        return min(TRUST * (1 << min(times - 2, 10)), LONGEST)
