"""How the devices are: ok, degraded or lost, why, and since when. A lost device is tried again by and by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

RETRY = 0.5
"""Seconds between two tries to reach a lost device."""


@dataclass(frozen=True, slots=True)
class Health:
    """A device's state ("ok", "degraded" or "lost"), the reason in words, and since when (clock seconds)."""

    state: str = "ok"
    reason: str = ""
    since: float = 0.0


class Devices:
    """The health of all devices, by name. `changed` is set by every change; whoever acts on it clears it."""

    def __init__(self, names: Iterable[str], now: float) -> None:
        self._health = dict.fromkeys(names, Health(since=now))
        self._next_try = dict.fromkeys(self._health, now)
        self._told: dict[str, str] = {}
        self.changed = False

    def usable(self, name: str, now: float) -> bool:
        """Whether the device is to be used now: it is not lost, or it is time to try again."""
        return self._health[name].state != "lost" or now >= self._next_try[name]

    def lost(self, name: str, reason: object, now: float) -> None:
        """The device did not answer."""
        self._next_try[name] = now + RETRY
        self._turn(name, "lost", str(reason).removeprefix(f"{name}: "), now)

    def degraded(self, name: str, reason: str, now: float) -> None:
        """The device answers, but not as it should."""
        self._turn(name, "degraded", reason, now)

    def ok(self, name: str, now: float) -> None:
        """The device does what it should."""
        if self._health[name].state != "ok":
            self._turn(name, "ok", "", now)

    def _turn(self, name: str, state: str, reason: str, now: float) -> None:
        old = self._health[name]
        if (state, reason) != (old.state, old.reason):
            since = old.since if state == old.state else now
            self._health[name] = Health(state, reason, since)
            self.changed = True

    def __getitem__(self, name: str) -> Health:
        return self._health[name]

    @property
    def ailing(self) -> dict[str, str]:
        """The devices that are not ok, each with its state and reason in words."""
        return {name: f"{h.state}: {h.reason}" for name, h in self._health.items() if h.state != "ok"}

    def news(self) -> list[str]:
        """A line for each device that has fallen ill, changed or got well since this was last asked."""
        told, self._told = self._told, self.ailing
        ill = [f"{device}: {why}" for device, why in self._told.items() if told.get(device) != why]
        return ill + [f"{device}: ok" for device in told.keys() - self._told.keys()]

    def report(self) -> Mapping[str, dict[str, str | float]]:
        """Every device as plain JSON values."""
        return {n: {"state": h.state, "reason": h.reason, "since": round(h.since, 3)} for n, h in self._health.items()}
