"""Where answers that take a moment are worked out, so that the table keeps its pace however many are asked for.

Nothing is worked out on the server's loop: it is done on a thread beside it, one thing at a time, and after each the
thread rests for longer than it worked. What another process does for it is no work. What was made last is kept.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

KEPT = 16
"""How many answers are kept; a picture takes up to a megabyte."""

MOST = 8
"""How many requests may wait; more are told to come again."""

PATIENCE = 20.0
"""Seconds that a request may wait until its turn comes; then it, too, is told to come again."""

REST = 3.0
"""For how many times as long as it has worked the thread rests; only what the processor did for it counts."""

_T = TypeVar("_T")


class Busy(RuntimeError):
    """Too many ask for too much at once, or it takes too long."""


class Desk:
    """One thread's worth of work, to be asked for on the server's loop."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._rested = 0.0
        self._kept: dict[tuple[int, str], bytes] = {}

    async def get(self, number: int, what: str, make: Callable[[], bytes]) -> bytes:
        """Something of a finished game, which never changes: as it was kept, or made now.

        Raises:
            Busy: as for `work`.
        """

        def made() -> bytes:  # unless somebody has made it while this one waited
            return self._kept.get((number, what), b"") or make()

        answer = self._kept.pop((number, what), b"") or await self.work(made)
        self._kept[number, what] = answer
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        return answer

    async def work(self, make: Callable[[], _T]) -> _T:
        """Something that is made anew each time.

        Raises:
            Busy: too many wait already, or it was not its turn in time.
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
