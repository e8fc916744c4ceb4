"""How often tests repeat a trial: enough for a proof by default, and far more with LONG=1, as in `make test-all`.

A test that always takes long is marked `long`, and `make test` leaves it out.
"""

from __future__ import annotations

import os
from typing import TypeVar

T = TypeVar("T")


def amount(usual: T, long: T) -> T:
    """Return one of the two: the usual amount, or that of the long tests."""
    return long if os.environ.get("LONG") else usual
