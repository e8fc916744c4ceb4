"""Shared fixtures of the tests of the doctor."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hardware.raspberry_pi.fake_pi import FakePi


@pytest.fixture
def pi(tmp_path: Path) -> FakePi:
    return FakePi(tmp_path)
