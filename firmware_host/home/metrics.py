"""Count how a table works and how its games go, for monitoring systems such as Prometheus.

Everyone who can open the pages can read the metrics. So they are computed from public facts only: the scene, and the
table's health with its rounded counts. They change only when the health is published, on a fixed tick, however often
somebody reads them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from firmware_host.referee.scene import Phase, Scene
from firmware_host.rules.views import PublicView

LATENESS = 0.5
"""Lateness is rounded down to a multiple of this many seconds: Mister X's keys delay a pass by milliseconds, a fault by
seconds."""

_DEVICE_STATES = {"ok": 0, "degraded": 1, "lost": 2}


class TableMetrics(Collector):
    """The metrics of one table in a registry of its own, without metrics of the process."""

    def __init__(self) -> None:
        self._game: int | None = None
        self._is_counted = False
        self._games: Counter[tuple[str, ...]] = Counter()
        self._thinking: Counter[tuple[str, ...]] = Counter()
        self._metrics: tuple[Metric, ...] = ()
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def follow_game(self, view: PublicView | None, game: int) -> None:
        """Count the game once it has ended. Call this on the table's thread after each pass.

        Args:
            view: the public view.
            game: the number of the newest game.
        """
        outcome = None if view is None else view.outcome
        if game != self._game:  # a game that was over when the table started was counted before
            self._is_counted = self._game is None and outcome is not None
            self._game = game
        if view is not None and outcome is not None and not self._is_counted:
            self._is_counted = True
            self._games[view.rules, outcome.winner] += 1

    def add(self, health: Mapping[str, Any], scene: Scene, late: Mapping[str, float], *, entries: int) -> None:
        """Replace the metrics by those of a new tick. Call this on the table's thread.

        Args:
            health: the content of the table's health file.
            scene: what the table shows.
            late: loop -> how many seconds it is overdue.
            entries: the number of entries ever written to the journal.
        """
        if self._metrics:
            self._count_seconds(scene, health["beat_s"])
        games = _family(CounterMetricFamily, "yardboard_games", "Games played to the end.", "rules winner", self._games)
        waited = "Seconds that the table waited for a side's moves."
        thinking = _family(CounterMetricFamily, "yardboard_thinking_seconds", waited, "side player", self._thinking)
        self._metrics = (*_metrics(health, late, entries), games, thinking)

    def collect(self) -> Iterable[Metric]:
        """Return the metrics of the newest tick. Any thread may call it."""
        return self._metrics

    def text(self) -> bytes:
        """Return the metrics in Prometheus's text format. Any thread may call it."""
        return generate_latest(self._registry)

    def _count_seconds(self, scene: Scene, seconds: float) -> None:
        """Add the time since the last tick to the side on turn."""
        view = scene.view
        if view is not None and view.turn and scene.phase is Phase.PLAY:
            side = "mr_x" if view.mr_x_to_move else "detectives"
            self._thinking[side, "computer" if scene.thinking else "person"] += int(seconds)


_Family = type[CounterMetricFamily] | type[GaugeMetricFamily]


def _family(kind: _Family, name: str, text: str, labels: str, values: Mapping[Any, float]) -> Metric:
    """Create a metric with a value for each combination of labels."""
    found = kind(name, text, labels=labels.split())
    for key, value in values.items():
        found.add_metric(key, value)
    return found


def _metrics(health: Mapping[str, Any], late: Mapping[str, float], entries: int) -> Iterator[Metric]:
    """Yield the metrics of one tick that do not depend on earlier ticks."""
    states = {(name,): _DEVICE_STATES[device["state"]] for name, device in health["devices"].items()}
    overdue = {(loop,): seconds // LATENESS * LATENESS for loop, seconds in late.items()}
    switches = health["switches"].values()
    faulty = sum(switch["state"] != "ok" for switch in switches)
    longest = max((switch["longest_ms"] for switch in switches), default=0.0) / 1000
    closures, bounces = (sum(switch[key] for switch in switches) for key in ("closures", "bounces"))
    gauge, counter = GaugeMetricFamily, CounterMetricFamily
    yield InfoMetricFamily("yardboard", "The software.", {"version": health["yardboard"], "python": health["python"]})
    yield gauge("yardboard_up_seconds", "Seconds since the start.", health["up_s"])
    yield counter("yardboard_passes", "Passes of the loop, counted in thousands.", health["passes"])
    yield _family(gauge, "yardboard_late_seconds", "Seconds that a loop is overdue.", "loop", overdue)
    yield counter("yardboard_journal_entries", "Entries that the journal has saved.", entries)
    yield _family(gauge, "yardboard_device_state", "0: ok, 1: degraded, 2: lost.", "device", states)
    yield gauge("yardboard_faulty_switches", "Switches that do not work as they should.", faulty)
    yield counter("yardboard_switch_closures", "Closures of all switches.", closures)
    yield counter("yardboard_switch_bounces", "Bounces of all switches.", bounces)
    yield gauge("yardboard_switch_longest_bounce_seconds", "The longest bounce of any switch.", longest)
