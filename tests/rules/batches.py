"""How many random games of a system are played: one batch of them, all of them with LONG=1."""

from __future__ import annotations

import pytest

from tests.amount import amount


def in_batches(most: int) -> pytest.MarkDecorator:
    """Plays a test with the numbers of its batches of games, of `most` at the most."""
    return pytest.mark.parametrize("batch", range(amount(1, most)))
