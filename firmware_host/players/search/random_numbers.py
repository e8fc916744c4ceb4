"""Draw random numbers in compiled code from an explicit state (xorshift64*, Vigna 2016)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from firmware_host.players.search.compiling import compiled

RngState = NDArray[np.uint64]
"""The state of the generator: one number, never 0."""


def begin(seed: int) -> RngState:
    """Return the generator's state for a seed."""
    return np.array([seed % (1 << 63) * 0x9E3779B97F4A7C15 % (1 << 64) | 1], np.uint64)


@compiled
def bits(rng: RngState) -> np.uint64:
    """Return 64 random bits. The high bits are the most random."""
    x = rng[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    rng[0] = x
    return x * np.uint64(0x2545F4914F6CDD1D)


@compiled
def below(rng: RngState, limit: int) -> int:
    """Return a random whole number from 0 to below `limit`, which is at most 2^31."""
    return int(((bits(rng) >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))


@compiled
def share(rng: RngState) -> float:
    """Return a random number from 0 to below 1."""
    return np.float64(bits(rng) >> np.uint64(11)) * (1.0 / 9007199254740992.0)
