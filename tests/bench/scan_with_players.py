"""Measure how late scans come while a computer player thinks: `python -m tests.bench.scan_with_players [SECONDS]`.

A simulated table at 200 Hz in real time, at a detective's turn: alone, while an expert thinks about it without end, and
with the coach on as well. Player and coach are processes, as at a real board. For people: no test uses it.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from firmware_host.bench.measurements import MachineLoad, percentile
from firmware_host.config.loader import simulator
from firmware_host.players.seats import PlayerName
from firmware_host.referee.scene import CoachMode
from firmware_host.rules.actions import Double
from firmware_host.simulator.simulated_table import SimulatedTable
from firmware_host.table.commands import Choose
from firmware_host.table.player_maker import ProcessMaker, ThinkingTime
from tests.table.scan_lateness import Beat

STARTED = 5.0
"""Processor seconds after which a player has started and thinks."""

GOAL = 2.0
"""Milliseconds that the 99th percentile must not exceed."""


class Tireless(ProcessMaker):
    """A maker of players that think as long as they may."""

    def pace(self, name: PlayerName) -> ThinkingTime:
        """Return a time that is longer than any measurement."""
        del name
        return ThinkingTime(ms=600_000, think_s=600.0, first_s=1200.0, late_s=1200.0)


def processor_seconds_of_children() -> float:
    """Return the processor seconds of this process's living children and of their children."""
    parents, seconds = dict[int, int](), dict[int, float]()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        parents[int(folder.name)] = int(words[1])
        seconds[int(folder.name)] = (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
    return sum(seconds[pid] for pid in parents if _descends(pid, parents))


def _descends(pid: int, parents: dict[int, int]) -> bool:
    while (pid := parents.get(pid, 0)) not in (0, os.getpid()):
        pass
    return pid == os.getpid()


def measured(seconds: float, *, player: bool, coach: bool) -> tuple[list[float], float]:
    """Return the seconds by which each scan came late, and the cores that the player and the coach used."""
    beat, config = Beat(), simulator()
    p = SimulatedTable(config, seed=1, pace=beat, players=Tireless(config), patient=False)
    try:
        p.new_game(detectives=4, seats={"detectives": "expert"} if player else None)
        p.set_up()
        if coach:
            p.coach(CoachMode.ADVICE)
        p.do(Choose(next(move for move in p.private.choices.value if not isinstance(move, Double))))
        beat.due = time.monotonic()
        while player and processor_seconds_of_children() < STARTED:
            p.advance(1000)
        before, beat.late, beat.due = processor_seconds_of_children(), [], time.monotonic()
        p.advance(1000 * seconds)
        return beat.late, (processor_seconds_of_children() - before) / seconds
    finally:
        p.close()


def main(seconds: float) -> None:
    """Print how late scans come."""
    for what, player, coach in (
        ("nobody thinks", False, False),
        ("an expert thinks", True, False),
        ("an expert thinks, the coach is on", True, True),
    ):
        others = MachineLoad()
        late, cores = measured(seconds, player=player, coach=coach)
        p50, p99 = (1000 * percentile(late, q) for q in (50, 99))
        verdict = "met" if p99 <= GOAL else "missed"
        print(  # noqa: T201
            f"{what:<34}{len(late)} scans late by p50 {p50:.2f} ms  p99 {p99:.2f} ms  (≤ {GOAL:g} ms {verdict})  "
            f"most {1000 * max(late):.2f} ms; player and coach {cores:.2f} cores, "
            f"others {max(0.0, others.others() - cores):.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 20.0)
