"""Create inputs by damaging good ones. The same seed gives the same inputs."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence

ONCE_MORE = 0.5
"""The probability that a damaged input is damaged again."""

EVIL = (
    b"", b"\x00", b"\xff", b"\n", b"\r", b"\x1b[2J", b"-1", b"0", b"1e999", b"NaN", b"Infinity", b"-0.0", b"true",
    b"null", b"[]", b"{}", b'""', b"99999999999999999999", b"9" * 5000, b"\xed\xa0\x80", b"\\ud800", "\u202e".encode(),
    b"[" * 2000, b'{"":' * 300, b"../../etc/passwd", b"%s%n", b"__class__", b"\xef\xbb\xbf",
)  # fmt: skip
"""Values that programs have failed on before."""


NUMBERS = (b"0", b"1", b"2", b"7", b"58", b"199", b"200", b"-1", b"1.5", b"65536", b"1e400")

Make = Callable[[random.Random], bytes]
"""Creates a well-formed input, which may have any meaning."""


def inputs(seeds: Sequence[bytes], words: Sequence[bytes], seed: int, make: Make | None = None) -> Iterator[bytes]:
    """Yield endless inputs: the good ones first, unchanged, then damaged ones.

    Args:
        seeds: good inputs, at least one.
        words: the parts of such inputs.
        seed: the seed of all random numbers.
        make: creates more good inputs; every second input is one of them, unchanged.
    """
    yield from seeds
    chance = random.Random(seed)
    hand = _Hand(seeds, (*words, *EVIL), chance)
    while True:
        data = chance.choice(seeds)
        if make is not None:
            yield make(chance)
            data = chance.choice((data, make(chance)))
        data = hand.spoil(data)
        while chance.random() < ONCE_MORE:
            data = hand.spoil(data)
        yield data


class _Hand:
    """An object that damages inputs, one place at a time."""

    def __init__(self, seeds: Sequence[bytes], words: Sequence[bytes], chance: random.Random) -> None:
        self._seeds, self._words, self._chance = seeds, words, chance
        self._ways = (
            self._flip, self._drop, self._repeat, self._put_in, self._exchange, self._exchange, self._number,
            self._number, self._mingle, self._noise,
        )  # fmt: skip

    def spoil(self, data: bytes) -> bytes:
        return self._chance.choice(self._ways)(data)

    def _cut(self, data: bytes) -> tuple[int, int]:
        first = self._chance.randint(0, len(data))
        return first, min(len(data), first + int(self._chance.expovariate(0.1)))

    def _flip(self, data: bytes) -> bytes:
        if not data:
            return data
        place = self._chance.randrange(len(data))
        return data[:place] + bytes((data[place] ^ 1 << self._chance.randrange(8),)) + data[place + 1 :]

    def _drop(self, data: bytes) -> bytes:
        first, last = self._cut(data)
        return data[:first] + data[last:]

    def _repeat(self, data: bytes) -> bytes:
        first, last = self._cut(data)
        return data[:last] + data[first:last] * self._chance.randint(1, 3) + data[last:]

    def _put_in(self, data: bytes) -> bytes:
        first, last = self._cut(data)
        return data[:first] + self._chance.choice(self._words) + data[self._chance.choice((first, last)) :]

    def _exchange(self, data: bytes) -> bytes:
        """Replace one word by another, anywhere: the result is often still well-formed."""
        old = self._chance.choice(self._words)
        if not old or old not in data:
            return self._put_in(data)
        return data.replace(old, self._chance.choice(self._words), self._chance.choice((1, -1)))

    def _number(self, data: bytes) -> bytes:
        """Replace one number by another."""
        found = [number.span() for number in re.finditer(rb"\d+", data)]
        if not found:
            return self._flip(data)
        first, last = self._chance.choice(found)
        return data[:first] + self._chance.choice(NUMBERS) + data[last:]

    def _mingle(self, data: bytes) -> bytes:
        other = self._chance.choice(self._seeds)
        return data[: self._chance.randint(0, len(data))] + other[self._chance.randint(0, len(other)) :]

    def _noise(self, data: bytes) -> bytes:
        first, last = self._cut(data)
        return data[:first] + self._chance.randbytes(last - first) + data[last:]
