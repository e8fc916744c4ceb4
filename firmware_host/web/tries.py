"""Wrong tokens of late, and how long whoever sent them has to wait."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

TRIES, WITHIN = 5, 60.0
"""So many wrong tokens from one address in so many seconds, and it has to wait until that long is over."""

CROWD = 50
"""So many wrong ones from all addresses together in that time, and an address that had one wrong has to wait."""


class Tries:
    """The wrong tokens of the last minute.

    Each address is counted by itself, so that nobody can use up the tries of Mister X. When wrong ones come from
    everywhere each address has a single one; so even then his first is looked at. A token that comes while its
    sender has to wait counts for nothing, and whoever stops is let in again after a minute at the latest.

    Args:
        now: seconds of a clock that never runs backwards.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._wrong: deque[tuple[float, str]] = deque(maxlen=4 * CROWD)

    def wrong(self, sender: str) -> None:
        """A wrong token came from that address."""
        self._wrong.append((self._now(), sender))

    def wait(self, sender: str) -> float:
        """Seconds until a token from that address is looked at; 0 if it is at once."""
        now = self._now()
        while self._wrong and now - self._wrong[0][0] >= WITHIN:
            self._wrong.popleft()
        allowed = TRIES if len(self._wrong) < CROWD else 1
        own = [at for at, address in self._wrong if address == sender]
        return own[-allowed] + WITHIN - now if len(own) >= allowed else 0.0
