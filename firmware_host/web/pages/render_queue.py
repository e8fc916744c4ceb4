"""Queue answers that are slow to create, so that many requests do not slow the table down.

Nothing is created on the server's loop. One thread creates one answer at a time, and then rests for longer than it
worked. Time of other processes does not count as work. The newest answers are kept.
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
"""Requests that may queue or be in work. Further ones are answered 503 with Retry-After."""

PATIENCE = 20.0
"""Seconds a request may queue before it is answered 503 with Retry-After."""

REST = 3.0
"""The pause of the thread after its work, as a multiple of the processor time that the work took."""

_T = TypeVar("_T")


class Busy(RuntimeError):
    """The error that the queue is full, or that a request has waited in it for too long."""


class RenderQueue:
    """A queue of slow work, which one thread does for the server's event loop."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._rested = 0.0
        self._kept: dict[tuple[int, str, str], bytes] = {}

    async def get(self, number: int, what: str, make: Callable[[], bytes]) -> bytes:
        """Return an answer about a finished game, from the cache if possible.

        The cache is keyed by the number, by `what` and by the current language; `make` creates an answer that is not in
        it.

        Raises:
            Busy: as for `work`.
        """
        key = number, what, language()

        def made() -> bytes:  # unless another request has created it meanwhile
            return self._kept.get(key, b"") or make()

        answer = self._kept.pop(key, b"") or await self.work(made)
        self._kept[key] = answer
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        return answer

    async def work(self, make: Callable[[], _T]) -> _T:
        """Create an answer with `make` in the queue, and return it. Nothing is cached.

        Raises:
            Busy: too many requests are queued, or this one waited too long.
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
