"""Compile functions that change numbers in arrays, and make no arrays of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

_Function = TypeVar("_Function", bound=Callable[..., object])

_OPTIONS: dict[str, Any] = {"cache": True, "_nrt": False}
"""The second is numba's own and in none of its signatures; it refuses what it does not know."""


def compiled(function: _Function) -> _Function:
    """Have a function compiled when it is first called, and keep its code beside its module.

    The code does not count who holds the arrays that it is given: whoever calls it does. Counting takes more than half
    of the time of the rules. So it must not make an array, which numba refuses when it compiles.
    """
    return njit(**_OPTIONS)(function)
