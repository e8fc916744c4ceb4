"""Decide which pages are the owner's: a code from the table, or a password, gives a page a session.

A code has six digits, so that people can read it across a room. Six digits can be guessed, unlike the token of Mister
X's page. So a code is void after five minutes, after `FROM_ALL` wrong tries, and after its use. Only a person at the
table can get a new code. Several pages may be the owner's at a time, such as a phone and a computer.

The tries of each address are limited separately, so that nobody in the house locks the owner out.

Sessions end when their pages log out, after half a day, with another password, and when the machine restarts. The
oldest ends if there are too many. Sessions survive a restart of the program, because a change of settings restarts the
program. The sessions' file contains only their digests.
"""

from __future__ import annotations

import hashlib
import logging
import math
import secrets
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec

from firmware_host.system.boot_clock import boot_id
from firmware_host.system.event_log import log_fields
from firmware_host.system.files import Task, at_once, read_small_file, replace_file
from firmware_host.system.plain_faults import writing_fault
from firmware_host.system.process import return_freed_memory
from firmware_host.system.secret_texts import is_right_password
from firmware_host.web.seats.handset_token import FROM_ALL, TRIES, TooManyTries, WrongTokenLimit, equal_secrets

log = logging.getLogger("yardboard")


NAME = "owner-sessions.json"
"""The sessions' file, in the journal's folder."""

CODE_LASTS = 300.0
"""Seconds that a code is valid."""

SESSION_LASTS = 43_200.0
"""Seconds after which a page must log in again."""

SESSIONS = 8
"""The most pages of the owner that are logged in; a further one ends the oldest session."""

AT_ONCE = 4
"""How many passwords may be checked, or wait for it, at once: each takes a thread, and 16 MiB while it is checked."""

_DIGITS = 6
_BYTES = 16


class _KeptSessions(msgspec.Struct):
    """The content of the sessions' file."""

    valid_for: str
    sessions: dict[str, float]


class OwnerAccess:
    """The code, the password and the sessions of a table's owner. Any thread may call every method.

    Args:
        now: seconds since the machine started.
        password: the hash of the owner's password; "" if there is none. See `secret_texts.hash_password`.
        file: the file of the sessions; None to save none.
        writing: runs slow file tasks.
    """

    def __init__(
        self,
        now: Callable[[], float],
        password: str = "",
        file: Path | None = None,
        writing: Callable[[Task], None] = at_once,
    ) -> None:
        self._now, self._password, self._file, self._writing = now, password, file, writing
        self._lock, self._hashing, self._waiting = threading.Lock(), threading.Lock(), threading.Semaphore(AT_ONCE)
        self._code, self._void_at, self._wrong = "", 0.0, Counter[str]()
        self._passwords = WrongTokenLimit(now)
        self._valid_for = _digest(f"{boot_id()} {password}")
        self._sessions = self._read()  # digest -> when the session ends; replaced, never changed

    @property
    def has_password(self) -> bool:
        """Whether the owner may log in with a password."""
        return bool(self._password)

    def new_code(self) -> str:
        """Return a new code in place of the previous one. Show it only to people at the table."""
        with self._lock:
            self._code = f"{secrets.randbelow(10**_DIGITS):0{_DIGITS}}"
            self._void_at = self._now() + CODE_LASTS
            self._wrong.clear()
            return self._code

    def exchange(self, code: str, sender: str) -> str | None:
        """Return a session for the code, or None if the code is invalid.

        A code is invalid if it is wrong, used or too old, or if this address or all together have tried too often.

        Args:
            code: the code that the page sent.
            sender: the page's address.
        """
        with self._lock:
            right = equal_secrets(code, self._code)
            if not self._code or self._now() >= self._void_at or self._wrong[sender] >= TRIES:
                return None
            if not right:
                self._wrong[sender] += 1
                self._code = "" if self._wrong.total() >= FROM_ALL else self._code
                return None
            self._code = ""
            return self._new_session()

    def log_in(self, password: str, sender: str) -> str | None:
        """Return a session for the password, or None if the password is wrong or none is set.

        This takes a tenth of a second.

        Args:
            password: the password that the page sent.
            sender: the page's address.

        Raises:
            TooManyTries: too many passwords were tried within a minute, right or wrong (see `WrongTokenLimit`), or are
                being checked now.
        """
        if not self._password:
            return None
        if not self._waiting.acquire(blocking=False):
            raise TooManyTries(1.0)
        try:
            with self._lock:
                self._passwords.count(sender)
            with self._hashing:
                right = is_right_password(password, self._password)
                return_freed_memory()
            with self._lock:
                return self._new_session() if right else None
        finally:
            self._waiting.release()

    def is_owner(self, session: str | None) -> bool:
        """Return whether a session belongs to the owner and has not ended."""
        return session is not None and self._now() < self._sessions.get(_digest(session), -math.inf)

    def log_out(self, session: str) -> None:
        """End a session."""
        ended = _digest(session)
        with self._lock:
            self._keep({one: end for one, end in self._sessions.items() if one != ended})

    def _new_session(self) -> str:
        session, now = secrets.token_urlsafe(_BYTES), self._now()
        current = [(one, end) for one, end in self._sessions.items() if now < end]
        self._keep(dict([*current[1 - SESSIONS :], (_digest(session), now + SESSION_LASTS)]))
        return session

    # ---- the sessions' file ----

    def _keep(self, sessions: Mapping[str, float]) -> None:
        self._sessions = sessions
        if self._file is not None:
            kept = _KeptSessions(self._valid_for, dict(sessions))
            self._writing(partial(_write, self._file, msgspec.json.encode(kept)))

    def _read(self) -> Mapping[str, float]:
        """Return the saved sessions that are still valid.

        None are valid if the machine has been restarted or the password changed since.
        """
        if self._file is None:
            return {}
        try:
            kept = msgspec.json.decode(read_small_file(self._file), type=_KeptSessions)
        except (OSError, msgspec.MsgspecError):
            return {}
        if kept.valid_for != self._valid_for:
            return {}
        return {one: min(end, self._now() + SESSION_LASTS) for one, end in kept.sessions.items()}


def _digest(session: str) -> str:
    return hashlib.sha256(session.encode("utf-8", "replace")).hexdigest()


def _write(file: Path, content: bytes) -> None:
    """Write the sessions to the file. If this fails, log it and remove the file, if that is possible.

    A restart of the program then logs the owner out.
    """
    try:
        replace_file(file, content, durable=False)
    except OSError as error:
        with suppress(OSError):
            file.unlink(missing_ok=True)
        what = "%s; the owner has to log in again after a restart"
        log.warning(what, writing_fault(file, error, ""), extra=log_fields("seat", file=str(file)))
