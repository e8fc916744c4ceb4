"""Mister X's page in a real browser, at a table where tests know his station."""

from __future__ import annotations

from dataclasses import replace

from firmware_host.config.loader import Config
from firmware_host.rules.actions import MR_X, MrXMove
from firmware_host.simulator import SimulatedTable
from tests.table.cases import shipped
from tests.web.chromium import Visit, Visitor
from tests.web.open_table import OpenTable

STATION = 94


def soon_quiet(privacy: str = "open") -> Config:
    """Return a classic table whose private screens go dark after twenty seconds."""
    config = shipped("classic")
    return replace(config, handset=replace(config.handset, privacy=privacy, blank_after_s=20))


def begin(p: SimulatedTable) -> None:
    """Begin a classic game with all pawns in place and Mister X on a known station."""
    p.new_game(players=4, start={MR_X: STATION, "red": 13, "yellow": 26, "green": 174})
    p.set_up()


def seat_table() -> OpenTable:
    """Return a table in that game."""
    return OpenTable(shipped("classic"), seed=5, begin=begin)


def opened(table: OpenTable, visit: Visit, **kind: object) -> Visitor:
    """Open Mister X's page, still covered."""
    page = visit(table.url, f"seat#{table.server.handset_token.new_token()}", **kind)
    page.connected()
    page.see("[data-station='94']")
    return page


def looking(table: OpenTable, visit: Visit, **kind: object) -> Visitor:
    """Open Mister X's page, and uncover it."""
    page = opened(table, visit, **kind)
    page.page.click("#look")
    page.says("#prompt", "94")
    return page


def moves(table: OpenTable) -> list[tuple[int, str]]:
    """Return Mister X's moves so far."""
    return table.look(lambda p: [(a.to.value, a.ticket) for a in p.actions if isinstance(a, MrXMove)])


def covered(page: Visitor) -> bool:
    """Return whether the page contains nothing secret at all, not even in hidden elements."""
    told: str = page.page.evaluate(
        "['choose', 'prompt', 'side', 'turn', 'marks', 'targets', 'last-moves', 'by-ticket']"
        ".map(part => document.getElementById(part).innerHTML).join()"
    )
    words: list[str] = page.page.evaluate("[...document.querySelectorAll('[aria-label]')].map(e => e.ariaLabel)")
    return str(STATION) not in told and not any("Mister X stands" in one or "reached" in one for one in words)
