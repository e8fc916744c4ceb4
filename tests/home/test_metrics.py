"""The metrics count what everyone sees, change on ticks alone, and can be read by everyone in the house."""

from __future__ import annotations

import re
from pathlib import Path

from firmware_host.daemon.health_file import HEALTH_TICK, HealthFile
from firmware_host.home.metrics import TableMetrics
from firmware_host.simulator import SimulatedTable
from firmware_host.table.commands import StartGame
from tests.table.played_table import begun, carry, confirm, fault, go, hunted, red_to_move, walk


class MeasuredTable:
    """The metrics of a table, sampled as the daemon samples them."""

    def __init__(self, p: SimulatedTable, health: HealthFile) -> None:
        self.metrics, self._p, self._health, self._known = TableMetrics(), p, health, health.values
        step = p.table.step
        p.hardware.drive(lambda: (step(), self._attend()), hz=p.config.switches.scan_hz)

    def _attend(self) -> None:
        table = self._p.table
        self._health.attend(table)
        self.metrics.follow_game(table.referee.public, table.journal.newest_begun)
        if self._health.values is not self._known:
            self._known = self._health.values
            self.metrics.add(self._known, table.scene(), table.late(), entries=table.journal.entry_count)

    def __getitem__(self, name: str) -> float:
        """The value of a series, such as `yardboard_device_state{device="lamps"}`."""
        found = re.search(rf"(?m)^{re.escape(name)} (\S+)$", self.metrics.text().decode())
        return 0.0 if found is None else float(found[1])


def measured(p: SimulatedTable) -> MeasuredTable:
    health = HealthFile(p.config, p.hardware.clock, file=Path("nowhere"), writing=lambda _: None)
    return MeasuredTable(p, health)


def tick(p: SimulatedTable) -> None:
    p.advance(1000 * HEALTH_TICK)


def test_before_the_first_tick_there_are_no_metrics() -> None:
    assert TableMetrics().text() == b""


def test_a_lost_device_and_the_entries_of_the_journal_are_there_from_the_next_tick_on() -> None:
    p = red_to_move()
    table = measured(p)
    tick(p)
    before = table["yardboard_journal_entries_total"]
    assert before == 2  # the beginning, and Mister X's move
    assert table['yardboard_device_state{device="lamps"}'] == 0
    walk(p, "red", 46)
    fault(p, "lamps", "unplug", 100)
    text = table.metrics.text()
    p.advance(1000)
    assert table.metrics.text() == text
    tick(p)
    assert table["yardboard_journal_entries_total"] == before + 1
    assert table['yardboard_device_state{device="lamps"}'] == 2


def test_passes_are_counted_in_thousands_and_lateness_in_half_seconds() -> None:
    p = red_to_move()
    table = measured(p)
    p.advance(61_000)
    assert table["yardboard_passes_total"] == 12_000
    scene = p.table.scene()
    table.metrics.add(table._known, scene, {"frames": 0.499, "journal": 1.7}, entries=1)
    assert table['yardboard_late_seconds{loop="frames"}'] == 0.0
    assert table['yardboard_late_seconds{loop="journal"}'] == 1.5


def test_thinking_is_counted_for_the_side_on_turn_at_each_tick() -> None:
    p = begun(197, red=13, yellow=26, green=29)
    table = measured(p)
    people = 'yardboard_thinking_seconds_total{player="person",side="%s"}'
    tick(p)
    assert table[people % "mr_x"] == 5.0
    p.advance(3000)
    go(p, 184)
    p.advance(60_000)
    assert table[people % "mr_x"] == 5.0
    assert table[people % "detectives"] == 60.0


def captured(p: SimulatedTable) -> None:
    carry(p, "red", 58, 2000)
    confirm(p)
    p.advance(1000)
    assert p.public.outcome is not None


def test_a_game_is_counted_once_when_it_ends_by_rules_and_winner() -> None:
    p = hunted((75, 94), (45, 58))
    table = measured(p)
    won = 'yardboard_games_total{rules="classic",winner="detectives"}'
    tick(p)
    assert table[won] == 0
    captured(p)
    for _ in range(3):
        tick(p)
    assert table[won] == 1
    p.do(StartGame(detectives=4))
    tick(p)
    tick(p)
    assert table[won] == 1


def test_a_game_is_counted_even_if_the_next_begins_before_a_tick() -> None:
    p = hunted((75, 94), (45, 58))
    table = measured(p)
    captured(p)
    text = table.metrics.text()
    p.do(StartGame(detectives=4))
    p.advance(1000)
    assert table.metrics.text() == text
    tick(p)
    assert table['yardboard_games_total{rules="classic",winner="detectives"}'] == 1


def test_a_game_that_was_over_before_the_start_is_not_counted_again() -> None:
    p = hunted((75, 94), (45, 58))
    captured(p)
    table = measured(p)
    tick(p)
    tick(p)
    assert table['yardboard_games_total{rules="classic",winner="detectives"}'] == 0


def test_closures_are_those_of_all_switches_together() -> None:
    p = red_to_move()
    table = measured(p)
    tick(p)
    assert table["yardboard_switch_closures_total"] >= 4
    assert "station" not in table.metrics.text().decode()
