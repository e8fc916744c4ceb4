"""Compile functions that change arrays of numbers in place and create none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

_Function = TypeVar("_Function", bound=Callable[..., object])

_OPTIONS: dict[str, Any] = {"cache": True, "_nrt": False}
"""`_nrt` is an undocumented option of numba, which refuses options that it does not know."""


def compiled(function: _Function) -> _Function:
    """Compile a function on its first call, and cache the code beside its module.

    The compiled code does not count references to its arrays: counting takes more than half of the rules' time. So it
    must not create arrays, which numba checks while compiling.
    """
    return njit(**_OPTIONS)(function)
