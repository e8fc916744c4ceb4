"""Boards whose diagrams are tested, the shipped ones and extremes, and the texts of their sheets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from firmware_host.commissioning.diagram_command import draw, sheets
from firmware_host.config import board_layout
from firmware_host.config.loader import Config, load
from tests.docs.pages import ROOT

BUILDS = ("london-spi", "london-pico", "dice-matrix", "junior-gpio")


def build(name: str) -> Config:
    return load(ROOT / "config" / f"{name}.toml")


def rewired(config: Config, **changes: dict[str, Any]) -> Config:
    """Return the configuration with other values in its sections."""
    parts = {name: replace(getattr(config, name), **values) for name, values in changes.items()}
    config = replace(config, **parts)
    laid = board_layout.lay_out_board(
        config.network,
        config.edition.windows,
        inputs=config.switches.wiring,
        lamps=config.lamps.wiring,
        log=config.lamps.log,
    )
    return replace(config, layout=laid)


def readable() -> list[Any]:
    """Return the shipped boards and extreme ones, each with all its sheets."""
    boards = {name: build(name) for name in BUILDS}
    pins = tuple(range(2, 28))
    boards["long"] = rewired(
        build("london-pico"), switches={"chips": 64}, lamps={"dead": (90,), "max_milliamps": 20000}
    )
    boards["short"] = rewired(build("london-pico"), switches={"chips": 2, "wiring": {}})
    boards["square"] = rewired(build("dice-matrix"), switches={"rows": pins[:13], "columns": pins[13:]})
    boards["flat"] = rewired(build("dice-matrix"), switches={"rows": pins[:2], "columns": pins[2:]})
    boards["strips"] = rewired(
        build("london-spi"), lamps={"spi": ("0.0", "3.0", "4.0", "5.0"), "strips": (60,) * 4, "dead": (1,) * 4}
    )
    every_key = {"up": 14, "down": 15, "select": 12, "back": 13, "peek": 7}
    boards["keys"] = rewired(
        build("dice-matrix"), keys={"handset": every_key, "long": {"handset.peek": "table.underground"}}
    )
    return [pytest.param(board, what, id=f"{name}-{what}") for name, board in boards.items() for what in sheets(board)]


def shown(config: Config, what: str) -> dict[str, str]:
    """Return the texts of a sheet by their ids, after checking that no id occurs twice."""
    texts = [(node.get("id"), node.text or "") for node in ET.fromstring(draw(config, what)).iter()]  # noqa: S314 - our own
    named = [(name, text) for name, text in texts if name]
    assert len(dict(named)) == len(named)
    return dict(named)


def every(config: Config, what: str) -> dict[str, str]:
    """Return the texts of all pages of a sheet by their ids."""
    found: dict[str, str] = {}
    for name in sheets(config):
        if name.partition("-")[0] == what:
            page = shown(config, name)
            assert not found.keys() & page.keys()
            found |= page
    return found


def stations(texts: dict[str, str], prefix: str) -> dict[str, int]:
    """Return the station numbers among the texts of a sheet whose id begins with `prefix`: id -> station."""
    return {name: int(text) for name, text in texts.items() if name.startswith(prefix) and text.isdecimal()}


def corners(text: str) -> list[tuple[float, float]]:
    """Return the points of a line or a shape in SVG."""
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in text.split())]
