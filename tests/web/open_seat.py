"""Mister X's page in a real browser, at a table on which he stands where tests know it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from firmware_host.config.loader import Config
from firmware_host.rules.actions import MR_X, MrXMove
from firmware_host.simulator import SimulatedTable
from tests.table.cases import shipped
from tests.web.chromium import Visit, Visitor
from tests.web.open_table import OpenTable

STATION = 94
SHOTS = os.environ.get("SEAT_SHOTS")
"""A folder for pictures of what the tests see, if somebody wants to look at them."""


def soon_quiet(privacy: str = "open") -> Config:
    """A classic table whose private screens are dark after twenty seconds."""
    config = shipped("classic")
    return replace(config, handset=replace(config.handset, privacy=privacy, blank_after_s=20))


def begin(p: SimulatedTable) -> None:
    """A classic game with all pawns in place and Mister X on a station that is known here."""
    p.new_game(players=4, start={MR_X: STATION, "red": 13, "yellow": 26, "green": 174})
    p.set_up()


def seat_table() -> OpenTable:
    """A table in that game."""
    return OpenTable(shipped("classic"), seed=5, begin=begin)


def opened(table: OpenTable, visit: Visit, **kind: object) -> Visitor:
    """His page, still covered."""
    page = visit(table.url, f"seat#{table.server.handset_token.new_token()}", **kind)
    page.wait("() => document.querySelector('#line').textContent === ''")
    page.see("[data-station='94']")
    return page


def looking(table: OpenTable, visit: Visit, **kind: object) -> Visitor:
    """His page, looked at."""
    page = opened(table, visit, **kind)
    page.page.click("#look")
    page.wait("() => document.querySelector('#prompt').textContent.includes('94')")
    return page


def shot(page: Visitor, name: str) -> None:
    if SHOTS:
        page.page.screenshot(path=Path(SHOTS, f"{name}.png"))


def tap(page: Visitor, station: int) -> None:
    x, y = page.centre(f"[data-station='{station}']")
    page.page.touchscreen.tap(x, y) if page.touch else page.page.mouse.click(x, y)


def moves(table: OpenTable) -> list[tuple[int, str]]:
    """What Mister X has moved so far."""
    return table.look(lambda p: [(a.to.value, a.ticket) for a in p.actions if isinstance(a, MrXMove)])


def covered(page: Visitor) -> bool:
    """Whether nothing secret is in the page at all, not even in what nobody sees."""
    told: str = page.page.evaluate(
        "['choose', 'prompt', 'side', 'turn', 'marks', 'targets', 'last-moves', 'by-ticket']"
        ".map(part => document.getElementById(part).innerHTML).join()"
    )
    words: list[str] = page.page.evaluate("[...document.querySelectorAll('[aria-label]')].map(e => e.ariaLabel)")
    return str(STATION) not in told and not any("Mister X stands" in one or "reached" in one for one in words)
