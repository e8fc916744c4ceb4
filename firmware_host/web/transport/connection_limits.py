"""Limit how many connections, pages and orders browsers may have or send."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firmware_host.system.rate_limit import RateLimit
from firmware_host.web.transport.host_names import is_loopback

RATE = 240.0
"""Orders a second from one page: a dragged pawn sends one at every frame of the fastest screens."""

BURST = 2 * RATE
"""Orders that a page may send at once, as after a delay of its line."""

ARRIVALS = 200
"""New connections a second from one address. A browser opens six for a page, and keeps them."""


def order_limit(now: float, times: int = 1) -> RateLimit:
    """Return a limit on a page's messages per second, given that an order has up to `times` messages."""
    return RateLimit(times * BURST, 1 / (times * RATE), now)


@dataclass(frozen=True, slots=True)
class CountLimit:
    """A limit on how many connections or pages may be open at once.

    Attributes:
        most: the limit for all addresses together.
        of_one: the limit for one address; this machine's own address has no such limit.
    """

    most: int
    of_one: int

    def is_reached(self, others: Sequence[str]) -> bool:
        """Return whether the total limit is reached. `others` has the address of each open connection or page."""
        return len(others) >= self.most

    def is_reached_by(self, sender: str, others: Sequence[str]) -> bool:
        """Return whether an address has reached the limit for one address."""
        return not is_loopback(sender) and others.count(sender) >= self.of_one


class ArrivalLimit:
    """A limit on how often an address may connect: `ARRIVALS` times a second.

    Args:
        now: seconds of a clock that never runs backwards.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._began = now()
        self._came = Counter[str]()

    def exceeded_by(self, sender: str) -> bool:
        """Count a connection, and return whether its address has connected too often."""
        now = self._now()
        if now - self._began >= 1:
            self._began = now
            self._came.clear()
        self._came[sender] += 1
        return self._came[sender] > ARRIVALS
