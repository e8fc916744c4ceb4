"""Shared fixtures of the tests in a separate kernel."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from hardware.drivers.pin_factory import pin_factory
from tests.proofs.kernel.guest.machine import Bus, plug_panel


@pytest.fixture(params=["lgpio", "rpigpio"])
def factory(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Yield each pin factory that moves real pins, started as the daemon starts it."""
    started = pin_factory(request.param)
    yield started
    started.close()


@pytest.fixture
def i2c() -> Iterator[Bus]:
    """Yield the far end of /dev/i2c-1, with its cable plugged in."""
    plug_panel(plugged=True)
    with closing(Bus("i2c1")) as bus:
        yield bus


@pytest.fixture
def spi() -> Iterator[Bus]:
    """Yield the far end of /dev/spidev0.0."""
    with closing(Bus("spi0")) as bus:
        yield bus
