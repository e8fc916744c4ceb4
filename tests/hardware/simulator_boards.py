"""Boards for tests of the simulated table."""

from __future__ import annotations

import tomllib
from pathlib import Path

from hardware.sim import SimulatedHardware
from hardware.sim.physics import Point

WIDTH = 680.0
"""Width of the London board in mm."""

KEYS = ("table.confirm", "table.back", "handset.up", "handset.peek")


def london() -> dict[int, Point]:
    """Return the 199 stations of London, in mm."""
    path = Path(__file__).parents[2] / "config" / "maps" / "london.toml"
    drawn = tomllib.loads(path.read_text(encoding="utf-8"))
    height = WIDTH / drawn["aspect"]
    return {
        int(number): (station["at"][0] * WIDTH, station["at"][1] * height)
        for number, station in drawn["stations"].items()
    }


def row(count: int = 6, pitch: float = 40.0) -> dict[int, Point]:
    """Return stations 11, 12, ... in a row, far enough apart not to affect each other."""
    return {11 + place: (50.0 + place * pitch, 50.0) for place in range(count)}


def table_of(seed: int = 0, *, rough: bool = False, display: bool = True) -> SimulatedHardware:
    return SimulatedHardware(row(), lamps=8, keys=KEYS, seed=seed, rough=rough, display=display)


def closed_stations(table: SimulatedHardware) -> set[int]:
    """Return the stations whose reeds are closed once everything has settled."""
    table.advance(5)
    mask = table.switches.read()
    return {number for spot, number in enumerate(table.places) if mask >> spot & 1}
