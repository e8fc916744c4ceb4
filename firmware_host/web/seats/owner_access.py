"""Decide which pages are the owner's: a code from the table, or a password, gives a page a session.

A code has six digits, so that people can read it across a room. That is few enough to guess, unlike the token of Mister
X's page: a code is void after five minutes, after `TRIES` wrong ones, and after its use. A new one needs somebody at
the table. Several pages may be the owner's at a time, such as a phone and a computer. Their sessions end when they log
out, after half a day, and when the program ends: no file contains them.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable

from firmware_host.system.secret_texts import is_right_password
from firmware_host.web.seats.handset_token import TRIES, WrongTokenLimit, equal_secrets

CODE_LASTS = 300.0
"""Seconds that a code is valid."""

SESSION_LASTS = 43_200.0
"""Seconds after which a page must log in again."""

SESSIONS = 8
"""The most pages of the owner that are logged in; a further one ends the oldest session."""

_DIGITS = 6
_BYTES = 16


class OwnerAccess:
    """The code, the password and the sessions of a table's owner. Any thread may call every method.

    Args:
        now: seconds of a clock that never runs backwards.
        password: the hash of the owner's password; "" if there is none. See `secret_texts.hash_password`.
    """

    def __init__(self, now: Callable[[], float], password: str = "") -> None:
        self._now, self._password = now, password
        self._lock, self._hashing = threading.Lock(), threading.Lock()
        self._code, self._void_at, self._wrong = "", 0.0, 0
        self._sessions: dict[str, float] = {}  # session -> when it ends; replaced, never changed
        self._passwords = WrongTokenLimit(now)

    @property
    def has_password(self) -> bool:
        """Whether the owner may log in with a password."""
        return bool(self._password)

    def new_code(self) -> str:
        """Return a new code in place of the previous one. Show it only to people at the table."""
        with self._lock:
            self._code = f"{secrets.randbelow(10**_DIGITS):0{_DIGITS}}"
            self._void_at, self._wrong = self._now() + CODE_LASTS, 0
            return self._code

    def exchange(self, code: str) -> str | None:
        """Return a session for the code, or None if it is wrong, used, too old, or void after too many tries."""
        with self._lock:
            right = equal_secrets(code, self._code)
            if not self._code or self._now() >= self._void_at:
                return None
            if not right:
                self._wrong += 1
                self._code = "" if self._wrong >= TRIES else self._code
                return None
            self._code = ""
            return self._new_session()

    def log_in(self, password: str) -> str | None:
        """Return a session for the password, or None if it is wrong or not set. This takes a tenth of a second.

        Raises:
            TooManyTries: there were as many tries as a minute allows, right or wrong; see `WrongTokenLimit`.
        """
        if not self._password:
            return None
        with self._lock:
            self._passwords.count()
        with self._hashing:  # one at a time: each takes 16 MiB
            right = is_right_password(password, self._password)
        with self._lock:
            return self._new_session() if right else None

    def is_owner(self, session: str | None) -> bool:
        """Return whether a session belongs to the owner and has not ended."""
        now = self._now()
        return session is not None and any(
            equal_secrets(session, one) and now < end for one, end in self._sessions.items()
        )

    def log_out(self, session: str) -> None:
        """End a session."""
        with self._lock:
            self._sessions = {one: end for one, end in self._sessions.items() if not equal_secrets(session, one)}

    def _new_session(self) -> str:
        session, now = secrets.token_urlsafe(_BYTES), self._now()
        current = [(one, end) for one, end in self._sessions.items() if now < end]
        self._sessions = dict([*current[1 - SESSIONS :], (session, now + SESSION_LASTS)])
        return session
