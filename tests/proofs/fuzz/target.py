"""Define a target: an input from outside, good examples of it, and what must hold whatever comes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import islice

from tests.proofs.fuzz.mutations import Make, inputs

LONGEST = 5.0
"""Processor seconds that no input may exceed: more counts as a hang."""


class BrokenPromise(AssertionError):
    """A broken promise. The message says which."""


Try = Callable[[bytes], bool]
"""Tries one input. True: it was accepted, False: it was refused. Any exception is a find."""


@dataclass(frozen=True)
class Target:
    """One input from outside.

    Attributes:
        name: its name on the command line.
        seeds: good inputs.
        words: the parts of such inputs.
        open: returns a function that tries an input; called again now and then, to repair what was broken.
        fresh: after how many inputs `open` is called again.
        make: creates a well-formed input, if good ones alone are not enough.
    """

    name: str
    seeds: Sequence[bytes]
    words: Sequence[bytes]
    open: Callable[[], AbstractContextManager[Try]]
    fresh: int = 100_000
    make: Make | None = None


@dataclass
class Tally:
    """The results of a target's inputs. `slowest` is the most processor seconds of one of them."""

    inputs: int = 0
    taken: int = 0
    slowest: float = 0.0
    seconds: float = 0.0


class Found(Exception):
    """An input that broke a promise, and its number."""

    def __init__(self, target: str, number: int, data: bytes, why: BaseException) -> None:
        super().__init__(f"{target}: input {number}: {type(why).__name__}: {why}\n  {data!r}")
        self.data = data


def tried(target: Target, count: int, seed: int) -> Tally:
    """Try `count` inputs, the same ones for the same seed.

    Raises:
        Found: one of them broke a promise.
    """
    tally, began = Tally(), time.process_time()
    coming = islice(inputs(target.seeds, target.words, seed, target.make), count)
    while some := list(islice(coming, target.fresh)):
        with target.open() as one:
            for data in some:
                _try(target, one, data, tally)
    tally.seconds = time.process_time() - began
    return tally


def _try(target: Target, one: Try, data: bytes, tally: Tally) -> None:
    start = time.process_time()
    try:
        taken = one(data)
    except Exception as error:
        raise Found(target.name, tally.inputs, data, error) from error
    took = time.process_time() - start
    if took > LONGEST:
        raise Found(target.name, tally.inputs, data, BrokenPromise(f"took {took:.1f} s"))
    tally.inputs += 1
    tally.taken += taken
    tally.slowest = max(tally.slowest, took)
