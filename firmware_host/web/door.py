"""Who may come in: which hosts and origins are answered, and who holds Mister X's handset.

The handset is opened by a token that works once. It is shown at the table's terminal, comes in the body of a request
and never in an address, and is changed for a session that lives in a cookie no script can read. A newer session ends
the one before: there is one handset.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from collections import deque
from collections.abc import Callable

COOKIE = "yardboard-handset"

TRIES, WITHIN = 5, 60.0
"""So many wrong tokens in so many seconds, from whomever, and no further one is looked at."""

_TOKEN_BYTES = 16


class TooManyTries(Exception):
    """Wrong tokens came too fast; nothing is compared for a while."""


class Door:
    """The one who lets pages in.

    Args:
        host: where the server listens.
        port: on which port.
        now: seconds of a clock that never runs backwards.
    """

    def __init__(self, host: str, port: int, now: Callable[[], float]) -> None:
        self._names = {host, "localhost", "127.0.0.1", "::1"}
        self._port = port
        self._now = now
        self._token: str | None = None
        self._session: str | None = None
        self._wrong: deque[float] = deque(maxlen=TRIES)

    def knows_host(self, host: str | None) -> bool:
        """Whether a request means this server by its name: a foreign name may be a page elsewhere that found us."""
        if not host:
            return False
        name, _, port = host.rpartition(":") if not host.endswith("]") and ":" in host else (host, "", "80")
        return port == str(self._port) and (name.strip("[]") in self._names or _is_address(name.strip("[]")))

    def knows_origin(self, origin: str | None, host: str | None) -> bool:
        """Whether a WebSocket was opened by a page of this server's own."""
        return origin is not None and self.knows_host(host) and origin in (f"http://{host}", f"https://{host}")

    def new_token(self) -> str:
        """A token that opens the handset once, in the place of the one before."""
        self._token = secrets.token_urlsafe(_TOKEN_BYTES)
        return self._token

    def exchange(self, token: str) -> str | None:
        """The session that a token opens, or None for a wrong one.

        Raises:
            TooManyTries: too many were wrong of late.
        """
        now = self._now()
        if len(self._wrong) == TRIES and now - self._wrong[0] < WITHIN:
            raise TooManyTries
        if self._token is None or not hmac.compare_digest(token.encode(), self._token.encode()):
            self._wrong.append(now)
            return None
        self._token = None
        self._session = secrets.token_urlsafe(_TOKEN_BYTES)
        return self._session

    def holds_handset(self, session: str | None) -> bool:
        """Whether that is the session of Mister X's handset."""
        if session is None or self._session is None:
            return False
        return hmac.compare_digest(session.encode(), self._session.encode())


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
