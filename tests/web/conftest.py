"""Shared fixtures of the tests of the pages."""

from __future__ import annotations

from asyncio import AbstractEventLoop, _get_running_loop, _set_running_loop
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser

from firmware_host.config.loader import Config, simulator
from firmware_host.simulator import SimulatedTable
from firmware_host.web.server import Server
from tests.web.chromium import LARGE, SMALL, Visit, chromium, visits
from tests.web.open_table import OpenTable
from tests.web.pictures import a_whole_game, some_moves
from tests.web.pictures import served as served_table
from tests.web.served import put, served


@pytest.fixture(scope="session")
def shared_browser() -> Iterator[tuple[Browser, AbstractEventLoop | None]]:
    """Yield a Chromium for all modules, and its event loop, which is hidden from other code meanwhile."""
    with chromium() as started:
        loop = _get_running_loop()
        _set_running_loop(None)
        yield started, loop
        _set_running_loop(loop)


@pytest.fixture(scope="module")
def browser(shared_browser: tuple[Browser, AbstractEventLoop | None]) -> Iterator[Browser]:
    """Yield the Chromium for one module. Its event loop would disturb tests that have their own loops."""
    started, loop = shared_browser
    _set_running_loop(loop)
    yield started
    _set_running_loop(None)


@pytest.fixture(scope="module")
def playing() -> Iterator[Server]:
    """Yield a table in the middle of a classic game."""
    with served_table(some_moves("classic", 2, 34)) as server:
        yield server


@pytest.fixture(scope="module")
def ended() -> Iterator[Server]:
    """Yield a table at the end of a classic game."""
    with served_table(a_whole_game("classic", 4)) as server:
        yield server


@pytest.fixture
def lay() -> Iterator[Callable[..., OpenTable]]:
    """Yield a function that opens tables; see `OpenTable`. They are closed after all pages."""
    with ExitStack() as tables:

        def opened(config: Config, **told: Any) -> OpenTable:
            return tables.enter_context(OpenTable(config, **told))

        yield opened


@pytest.fixture
def visit(
    browser: Browser,
    lay: object,  # noqa: ARG001 - tables close after pages
    request: pytest.FixtureRequest,
) -> Iterator[Visit]:
    """Yield a function that opens pages; see `Visitor`. Any error of a page fails the test."""
    with visits(browser, LARGE if request.node.get_closest_marker("long") else SMALL) as go:
        yield go


@pytest.fixture
def real_board() -> Iterator[tuple[str, SimulatedTable]]:
    """Yield the address and the table of a board whose pawns only hands move."""
    with served() as table:
        put(table, "table", simulated=False, devices=["lamps"])
        simulated = SimulatedTable(simulator(), seed=1, audience=table.server.spectators)
        try:
            yield table.server.url, simulated
        finally:
            simulated.close()
