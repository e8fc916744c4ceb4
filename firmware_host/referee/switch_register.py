"""Record which switches are or were out of order, and decide when to trust each again.

The register is kept by switch, because switches break and stations do not: where tiles are laid, other stations are on
the same switches (DI-01). A game looks switches up by station. The register is frozen; time is passed in.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

TRUST = 10.0
"""Seconds that a switch which failed twice must report the truth to be trusted. Each further failure doubles them."""

LONGEST = 600.0
"""The most seconds that any switch must report the truth to be trusted."""

ONCE = 2.0
"""Seconds that a switch which stuck closed once must report the truth, because it may open only for a moment.

A switch that was dead once is trusted as soon as it senses a pawn: the key that declared it dead may be a mistake.
"""


@dataclass(frozen=True, slots=True)
class Trial:
    """The trial of one ignored switch: what it has reported since it was ignored.

    Attributes:
        closed: whether it is stuck closed; else it is dead, and stays open.
        truthful: seconds for which it has reported the truth before `since`.
        since: since when (clock seconds) it reports the truth; None while its reports prove nothing.
        denied: its report while that contradicts the game; None while they agree.
    """

    closed: bool
    truthful: float = 0.0
    since: float | None = None
    denied: bool | None = None

    def judged(self, *, sensed: bool, stands: bool, now: float) -> Trial:
        """Return the trial updated with what the switch reports now, and whether a pawn stands on it.

        Args:
            sensed: whether the switch is closed.
            stands: whether the game has a pawn there.
            now: clock seconds.
        """
        uncounted = 0.0 if self.since is None else now - self.since
        if sensed is not stands:  # the switch is wrong, or a pawn comes or goes
            return Trial(self.closed, self.truthful + uncounted, None, sensed)
        truthful = self.truthful if self.denied in (None, sensed) else 0.0  # it gave way, so it was wrong all the time
        if sensed is self.closed:  # a stuck switch would report the same
            return Trial(self.closed, truthful + uncounted)
        return Trial(self.closed, truthful, now if self.since is None else self.since)


@dataclass(frozen=True, slots=True)
class SwitchRegister:
    """The register of the switches that are or were out of order.

    Attributes:
        trials: switch -> its trial, for each that is ignored.
        times: switch -> how often it was out of order, for each that ever was.
        switches: station -> the switch under it. If empty, each station has the switch of its own number.
        stuck: station -> whether its switch is stuck closed, for each that is ignored; else it is dead.
        stations: the stations whose switch is ignored.
        due: when (clock seconds) the next switch is trusted again if nothing changes; infinity if none is.
    """

    trials: Mapping[int, Trial] = field(default_factory=dict, hash=False)
    times: Mapping[int, int] = field(default_factory=dict, hash=False)
    switches: Mapping[int, int] = field(default_factory=dict, hash=False, repr=False)
    stuck: Mapping[int, bool] = field(init=False, hash=False, repr=False)
    stations: frozenset[int] = field(init=False, repr=False)
    due: float = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Find which stations are on ignored switches, and when the next ignored switch may be trusted again."""
        assigned = self.switches.items() if self.switches else ((n, n) for n in self.trials)
        stuck = {station: self.trials[n].closed for station, n in assigned if n in self.trials} if self.trials else {}
        object.__setattr__(self, "stuck", stuck)
        object.__setattr__(self, "stations", frozenset(stuck))
        due = min([self._due_of(n, trial) for n, trial in self.trials.items()], default=float("inf"))
        object.__setattr__(self, "due", due)

    @classmethod
    def of(cls, stuck: Mapping[int, bool], times: Mapping[int, int] | None = None) -> SwitchRegister:
        """Return a register of bad switches, given which are stuck closed and how often each was bad."""
        trials = {switch: Trial(closed) for switch, closed in stuck.items()}
        return cls(trials, {**dict.fromkeys(stuck, 1), **(times or {})})

    def laid(self, switches: Mapping[int, int]) -> SwitchRegister:
        """Return the register after other stations were laid on the switches. Every trial restarts."""
        return replace(SwitchRegister.of(self.levels, self.times), switches=switches)

    @property
    def levels(self) -> dict[int, bool]:
        """The ignored switches: switch -> whether it is stuck closed."""
        return {switch: trial.closed for switch, trial in self.trials.items()}

    def add(self, *stations: int, occupied: AbstractSet[int]) -> SwitchRegister:
        """Return the register with the switches of more stations ignored, each as stuck in its present state."""
        trials, times = dict(self.trials), dict(self.times)
        for station in stations:
            switch = self.switches.get(station, station)
            times[switch] = times.get(switch, 0) + (switch not in trials)
            trials[switch] = Trial(station in occupied)
        return replace(self, trials=trials, times=times)

    def trust_again(
        self,
        occupied: AbstractSet[int],
        stand: AbstractSet[int],
        now: float,
        chattering: AbstractSet[int] = frozenset(),
    ) -> SwitchRegister:
        """Return the register without the switches that have reported the truth for long enough.

        Args:
            occupied: the stations whose switch is closed.
            stand: the stations on which a pawn must stand.
            now: clock seconds.
            chattering: the stations whose switch chatters.
        """
        if not self.stuck:
            return self
        trials = dict(self.trials)
        for station in self.stuck:
            switch = self.switches.get(station, station)
            trial = trials[switch]
            if station in chattering:
                trials[switch] = Trial(trial.closed)
            else:
                trials[switch] = trial.judged(sensed=station in occupied, stands=station in stand, now=now)
        return replace(self, trials={n: trial for n, trial in trials.items() if self._due_of(n, trial) > now})

    def _due_of(self, switch: int, trial: Trial) -> float:
        """Return the clock seconds at which to trust a switch again, or infinity if its reports prove nothing."""
        return float("inf") if trial.since is None else trial.since + self._wanted(switch, trial) - trial.truthful

    def _wanted(self, switch: int, trial: Trial) -> float:
        """Return how many seconds a switch must report the truth to be trusted again."""
        times = self.times.get(switch, 0)
        if times < 2:
            return ONCE if trial.closed else 0.0
        return min(TRUST * (1 << min(times - 2, 10)), LONGEST)
