"""Count how many modules one pass of the table calls: `python -m tools.module_changes`.

A call from one of our modules into another is a change of modules, and so is the return from it. The report has four
trips. A trip is one pass of the table's loop, in a classic game on the simulated board. With `--pairs`, the report also
lists the calls that cross most often from one module into another.

Constructors and comparisons of data classes count, too, and so do properties, though no reader has to follow them: they
are a quarter of a settled move's changes. The rest are the steps of the way in docs/architecture.md.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from firmware_host.rules.views import PublicView
from firmware_host.simulator.simulated_table import SimulatedTable

OURS = ("firmware_host.", "hardware.")
DEAL = {"mr_x": 45, "red": 74, "yellow": 117, "green": 138, "blue": 26}


@dataclass
class Trip:
    """The modules and calls that one pass has used.

    Attributes:
        calls: how many calls of our own functions there were.
        modules: the modules that were entered.
        changes: how often a call or a return crossed from one module into another.
        crossings: (calling module, called function) -> how often.
    """

    calls: int = 0
    modules: set[str] = field(default_factory=set)
    changes: int = 0
    crossings: Counter[tuple[str, str]] = field(default_factory=Counter)

    def follow(self, frame: FrameType, event: str, _: Any) -> None:
        """Count one event that `sys.setprofile` reports."""
        if event not in ("call", "return"):
            return
        here, caller = _module(frame), _caller(frame)
        if here is None:
            return
        if event == "call":
            self.calls += 1
            self.modules.add(here)
        if caller is not None and caller != here:
            self.changes += 1
            self.crossings[caller, f"{here}.{frame.f_code.co_qualname}"] += event == "call"


def _module(frame: FrameType) -> str | None:
    name = frame.f_globals.get("__name__", "")
    return name if name.startswith(OURS) and not name.startswith("hardware.sim") else None


def _caller(frame: FrameType) -> str | None:
    """Return the nearest module of yardboard that has called this frame."""
    above = frame.f_back
    while above is not None:
        if (name := _module(above)) is not None:
            return name
        above = above.f_back
    return None


class CountedPasses:
    """A recorder of a table's passes: the calls in each pass, and the number of actions that it added."""

    def __init__(self, simulated: SimulatedTable) -> None:
        self._simulated, self.trips = simulated, list[tuple[Trip, int]]()
        self._step: Callable[[], None] = simulated.table.step
        simulated.hardware.drive(self.step, hz=simulated.config.switches.scan_hz)

    def step(self) -> None:
        """Make one pass, and count the calls in it."""
        trip, before = Trip(), self._entries()
        sys.setprofile(trip.follow)
        try:
            self._step()
        finally:
            sys.setprofile(None)
        self.trips.append((trip, self._entries() - before))

    def _entries(self) -> int:
        game = self._simulated.table.game
        return 0 if game is None else len(game.actions)

    def during(self, deed: Callable[[], None]) -> list[tuple[Trip, int]]:
        """Carry out an action, and return the passes that the table made meanwhile."""
        self.trips.clear()
        deed()
        return list(self.trips)


def trips() -> dict[str, Trip]:
    """Return the four passes to report, by name, of a table whose caches are filled."""
    _count_trips()
    return _count_trips()


def _count_trips() -> dict[str, Trip]:
    simulated = SimulatedTable(seed=1)
    try:
        simulated.new_game("classic", start=DEAL)
        simulated.set_up()
        passes = CountedPasses(simulated)
        idle = passes.during(lambda: simulated.advance(2000))
        view = simulated.private
        key = passes.during(lambda: simulated.choose(view.choices.value[0]))
        lift = passes.during(lambda: _lift(simulated))
        settle = passes.during(lambda: _set_down(simulated, simulated.public))
    finally:
        simulated.close()
    return {
        "idle pass": min((trip for trip, _ in idle), key=lambda trip: trip.calls),
        "switch edge (lift) → lamps and display": max((trip for trip, _ in lift), key=lambda trip: trip.calls),
        "settled → journalled → shown": next(trip for trip, grown in settle if grown),
        "handset key → journal → lamps": next(trip for trip, grown in key if grown),
    }


def _lift(simulated: SimulatedTable) -> None:
    simulated.hardware.lift(DEAL["red"], "red")
    simulated.advance(500)


def _set_down(simulated: SimulatedTable, view: PublicView) -> None:
    free = next(move.to for move in view.moves if move.pawn == "red")
    simulated.hardware.put(free, "red")
    simulated.advance(4000)
    if simulated.table.game is not None and len(simulated.table.game.actions) < 2:
        simulated.hardware.press("table.confirm")
        simulated.advance(1000)


def table() -> list[str]:
    """Return the report as text."""
    rows = [(name, trip.calls, len(trip.modules), trip.changes) for name, trip in trips().items()]
    lines = ["| trip | calls | modules | module changes |", "|---|---|---|---|"]
    return lines + [f"| {name} | {calls} | {modules} | {changes} |" for name, calls, modules, changes in rows]


def pairs(most: int = 25) -> list[str]:
    """Return the calls from one module to another in each pass, the most frequent first."""
    lines = []
    for name, trip in trips().items():
        lines += ["", name]
        lines += [f"{times:5} {caller} → {called}" for (caller, called), times in trip.crossings.most_common(most)]
    return lines


if __name__ == "__main__":
    print("\n".join([*table(), *(pairs() if "--pairs" in sys.argv[1:] else [])]))  # noqa: T201
