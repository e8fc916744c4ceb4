"""What is compiled without counting who holds arrays changes them in place, and can make none."""

from __future__ import annotations

import numpy as np
import pytest
from numba.core.errors import NumbaError
from numpy.typing import NDArray

from firmware_host.players.search.compiling import compiled


def _double(numbers: NDArray[np.int16]) -> int:
    numbers *= 2
    return len(numbers)


def _more(numbers: NDArray[np.int16]) -> int:
    return len(np.zeros(len(numbers) + 1))


def test_a_compiled_function_changes_an_array_in_place() -> None:
    numbers = np.array([1, 2, 3], np.int16)
    assert compiled(_double)(numbers) == 3
    assert numbers.tolist() == [2, 4, 6]


def test_a_function_that_makes_an_array_is_refused() -> None:
    with pytest.raises(NumbaError, match="No implementation of function"):
        compiled(_more)(np.array([1, 2, 3], np.int16))
