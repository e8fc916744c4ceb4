"""How much of the same is tried: enough to prove it by default, and far more with LONG=1, as `make test-all` says.

What takes long however little of it is tried is marked `long`, and `make test` leaves it out.
"""

from __future__ import annotations

import os
from typing import TypeVar

T = TypeVar("T")


def amount(usual: T, long: T) -> T:
    """One of the two: the usual amount, or that of the long tests."""
    return long if os.environ.get("LONG") else usual
