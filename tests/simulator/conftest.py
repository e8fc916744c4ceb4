"""Shared fixtures of the tests of the simulator."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from firmware_host.simulator.scripting import ScriptSession


@pytest.fixture
def table() -> Iterator[ScriptSession]:
    """Yield a simulated table for scripts."""
    with ScriptSession() as session:
        yield session
