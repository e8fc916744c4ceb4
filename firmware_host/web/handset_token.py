"""Decide who holds Mister X's handset: make one-time tokens, and exchange them for sessions.

A token opens the handset and works once. It is shown at the table's terminal, and sent in the body of a request, never
in its address. It is exchanged for a session, which the page keeps and sends when it opens its WebSocket. The session
is no cookie: a cookie goes to every server of a machine, on any port. A newer session ends the one before.

A page on the table's own machine may take Mister X's seat without a token while nobody has it: once a game, and only if
a person plays him.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from firmware_host.web.wrong_token_limit import WrongTokenLimit

LASTS = 900.0
"""Seconds that a token is valid: long enough to find a phone; others may have seen or kept it."""

AGAIN = 60.0
"""Seconds in which the page that used a token gets the same session again: the first answer may have been lost."""

_BYTES = 16
"""Random bytes in a token, and in a session: nobody guesses them, however fast."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """The last opening of the handset: by which token, for whom and when."""

    token: str
    nonce: str
    at: float
    session: str = field(default_factory=lambda: secrets.token_urlsafe(_BYTES))


class HandsetToken:
    """The newest token, and the session that the last one opened. Every method may be called from any thread.

    Args:
        now: seconds of a clock that never runs backwards.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._token: str | None = None
        self._made_at = 0.0
        self._inviting: str | None = None
        self._opened: _Opened | None = None
        self._free = False
        self._wrong_tokens = WrongTokenLimit(now)

    def new_token(self) -> str:
        """Return a new token that opens the handset once; it replaces the one before. The open handset stays open."""
        with self._lock:
            return self._new_token(None)

    def invite(self, session: str) -> str | None:
        """Return a new token with which the holder of the handset passes it on, or None for anybody else.

        It is void as soon as the handset has another holder.
        """
        with self._lock:
            return self._new_token(session) if self.holds_handset(session) else None

    def _new_token(self, inviting: str | None) -> str:
        self._token, self._made_at, self._inviting = secrets.token_urlsafe(_BYTES), self._now(), inviting
        return self._token

    def exchange(self, token: str, nonce: str) -> str | None:
        """Return the session that a token opens, or None for a token that is wrong, used or too old.

        The right token always works, however many wrong ones come: nobody keeps Mister X out.

        Args:
            token: the token that was sent.
            nonce: random text made by the page, which it repeats if it has to ask again.

        Raises:
            TooManyTries: it is wrong, as too many were of late; see `WrongTokenLimit`.
        """
        with self._lock:
            if self._opens(token):
                self._token = None
                self._opened, self._free = _Opened(token, nonce, self._now()), False
            session = self._session_of(token, nonce)
            if session is None:
                self._wrong_tokens.count()
            return session

    def offer_seat(self, *, free: bool) -> None:
        """Say whether Mister X's seat may be taken without a token: a game has begun, and a person plays him."""
        with self._lock:
            self._free = free

    def take_seat(self, nonce: str) -> str | None:
        """Return the session of whoever takes Mister X's seat, or None if it is not to be had.

        Only a page on the table's own machine may ask; whoever answers it has to see to that.

        Args:
            nonce: random text made by the page, which it repeats if it has to ask again.
        """
        with self._lock:
            by = self._opened
            if self._free:
                by = self._opened = _Opened(secrets.token_urlsafe(_BYTES), nonce, self._now())
                self._free = False
            return None if by is None else self._session_of(by.token, nonce)

    def holds_handset(self, session: str | None) -> bool:
        """Return whether this is the session of Mister X's handset."""
        opened = self._opened
        return opened is not None and session is not None and _equal(session, opened.session)

    def _opens(self, token: str) -> bool:
        if self._inviting is not None and not self.holds_handset(self._inviting):
            return False
        return self._token is not None and _equal(token, self._token) and self._now() - self._made_at < LASTS

    def _session_of(self, token: str, nonce: str) -> str | None:
        by = self._opened
        if by is None or not (_equal(token, by.token) and _equal(nonce, by.nonce)) or self._now() - by.at >= AGAIN:
            return None
        return by.session


def _equal(one: str, other: str) -> bool:
    """Compare two secrets in a time that does not depend on how much of them is equal."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))
