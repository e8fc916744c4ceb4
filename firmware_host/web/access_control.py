"""Who may come in: which hosts and origins are answered, and who holds Mister X's handset.

The handset is opened by a token that works once. It is shown at the table's terminal, comes in the body of a request
and never in one's address, and is changed for a session that the page keeps and says when it opens its line. It is no
cookie: a cookie goes to every server of a machine, on whatever port. A newer session ends the one before.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from firmware_host.web.token_limit import Tries

LASTS = 900.0
"""Seconds that a token waits for its scan: long enough to find a phone; it may have been seen, or kept, by others."""

AGAIN = 60.0
"""Seconds in which whoever used a token gets the same session again: the first answer may have been lost."""

_BYTES = 16
"""Of chance in a token, and in a session: nobody guesses them, however fast."""

_HTTP = 80
"""The port that a browser leaves out."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """That the handset was opened: by which token, for whom and when."""

    token: str
    nonce: str
    at: float
    session: str = field(default_factory=lambda: secrets.token_urlsafe(_BYTES))


class Door:
    """The one who lets pages in. Every method may be called from any thread.

    Args:
        names: what this machine is called by whoever means it, besides its addresses.
        port: where the server listens.
        now: seconds of a clock that never runs backwards.
    """

    def __init__(self, names: Iterable[str], port: int, now: Callable[[], float]) -> None:
        self._names = frozenset(name.lower() for name in names)
        self._port = port
        self._now = now
        self._lock = threading.Lock()
        self._token: str | None = None
        self._made_at = 0.0
        self._opened: _Opened | None = None
        self._tries = Tries(now)

    def knows_host(self, host: str | None) -> bool:
        """Whether a request means this server by its name.

        A page elsewhere can give its own name our address, and is then, for the browser, one page with ours. So names
        are answered only if they are known to be ours; addresses cannot be given away like that.

        Args:
            host: the request's header `Host`, None if there is none.
        """
        name, port = _split(host or "")
        return port == self._port and (name in self._names or _is_address(name))

    def knows_origin(self, origin: str | None, host: str | None) -> bool:
        """Whether a request was made by a page of this server's own.

        Args:
            origin: its header `Origin`, None if there is none.
            host: its header `Host`, None if there is none.
        """
        scheme, _, where = (origin or "").partition("://")
        return scheme.lower() == "http" and self.knows_host(host) and _split(where) == _split(host or "")

    def new_token(self) -> str:
        """A token that opens the handset once, in the place of the one before. The open handset stays open."""
        with self._lock:
            self._token, self._made_at = secrets.token_urlsafe(_BYTES), self._now()
            return self._token

    def exchange(self, token: str, nonce: str) -> str | None:
        """The session that a token opens, or None for a token that is wrong, used or too old.

        The right one always opens, however many wrong ones come: nobody keeps Mister X out.

        Args:
            token: what was sent.
            nonce: what the page made up for it by chance, and says again if it has to ask again.

        Raises:
            TooManyTries: it is wrong, as too many were of late; see `Tries`.
        """
        with self._lock:
            if self._opens(token):
                self._token = None
                self._opened = _Opened(token, nonce, self._now())
            session = self._session_of(token, nonce)
            if session is None:
                self._tries.wrong()
            return session

    def holds_handset(self, session: str | None) -> bool:
        """Whether that is the session of Mister X's handset."""
        opened = self._opened
        return opened is not None and session is not None and _same(session, opened.session)

    def _opens(self, token: str) -> bool:
        return self._token is not None and _same(token, self._token) and self._now() - self._made_at < LASTS

    def _session_of(self, token: str, nonce: str) -> str | None:
        by = self._opened
        if by is None or not (_same(token, by.token) and _same(nonce, by.nonce)) or self._now() - by.at >= AGAIN:
            return None
        return by.session


def _same(one: str, other: str) -> bool:
    """Whether two secrets are one; how long that takes does not tell how much of them is the same."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


def _split(host: str) -> tuple[str, int]:
    """The name and the port of a header; ("", 0) if it makes no sense."""
    name, colon, port = host.rpartition(":")
    if not colon or host.endswith("]"):
        name, port = host, str(_HTTP)
    if ":" in name and not (name.startswith("[") and name.endswith("]")):
        return "", 0
    if not (port.isascii() and port.isdigit() and len(port) <= 5):
        return "", 0
    return name.lower(), int(port)


def _is_address(name: str) -> bool:
    try:
        if name.startswith("["):
            ipaddress.IPv6Address(name[1:-1])
        else:
            ipaddress.IPv4Address(name)
    except ValueError:
        return False
    return True
