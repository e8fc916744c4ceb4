"""Choose how many random games of a system tests play: one batch, or all batches with LONG=1."""

from __future__ import annotations

import pytest

from tests.amount import amount


def in_batches(most: int) -> pytest.MarkDecorator:
    """Return a mark that runs a test for each batch of games, of `most` games in total."""
    return pytest.mark.parametrize("batch", range(amount(1, most)))
