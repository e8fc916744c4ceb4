"""How many random games of a system are played: a tenth of them, one batch at least; all with `make test LONG=1`."""

from __future__ import annotations

import os

import pytest


def in_batches(most: int) -> pytest.MarkDecorator:
    """Plays a test with the numbers of its batches of games, of `most` at the most."""
    return pytest.mark.parametrize("batch", range(most if os.environ.get("LONG") else max(1, most // 10)))
