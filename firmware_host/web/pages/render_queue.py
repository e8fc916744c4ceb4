"""Queue answers that take a moment to make, so that the table keeps its pace however many are asked for.

Nothing is made on the server's loop: one thread beside it makes one answer at a time, and rests after each for longer
than it worked. Work that another process does for it does not count. The newest answers are kept.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

from firmware_host.system.language import language

KEPT = 16
"""How many answers are kept; a picture takes up to a megabyte."""

MOST = 8
"""How many requests may wait; others are told to come again."""

PATIENCE = 20.0
"""Seconds that a request may wait for its turn; then it is told to come again."""

REST = 3.0
"""The rest of the thread after its work, as a multiple of the processor time that it used."""

_T = TypeVar("_T")


class Busy(RuntimeError):
    """Too many requests wait, or this one waited too long."""


class RenderQueue:
    """Runs work on one thread, one piece at a time, for callers on the server's loop."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._rested = 0.0
        self._kept: dict[tuple[int, str, str], bytes] = {}

    async def get(self, number: int, what: str, make: Callable[[], bytes]) -> bytes:
        """Return something of a finished game, which never changes in one language: kept, or made now.

        Raises:
            Busy: as for `work`.
        """
        key = number, what, language()

        def made() -> bytes:  # unless another request made it while this one waited
            return self._kept.get(key, b"") or make()

        answer = self._kept.pop(key, b"") or await self.work(made)
        self._kept[key] = answer
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        return answer

    async def work(self, make: Callable[[], _T]) -> _T:
        """Return something that is made anew each time.

        Raises:
            Busy: too many requests wait already, or this one waited too long.
        """
        if self._waiting >= MOST:
            raise Busy
        self._waiting += 1
        try:
            await self._take_turn()
            try:
                await asyncio.sleep(self._rested - time.monotonic())
                return await asyncio.to_thread(self._timed, make)
            finally:
                self._turn.release()
        finally:
            self._waiting -= 1

    async def _take_turn(self) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                await self._turn.acquire()
        except TimeoutError:
            raise Busy from None

    def _timed(self, make: Callable[[], _T]) -> _T:
        began = time.thread_time()
        try:
            return make()
        finally:
            self._rested = time.monotonic() + REST * (time.thread_time() - began)
