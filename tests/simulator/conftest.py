"""What the tests of the simulator share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from firmware_host.simulator.scripting import ScriptSession


@pytest.fixture
def table() -> Iterator[ScriptSession]:
    """A simulated table that scripts talk to."""
    with ScriptSession() as session:
        yield session
