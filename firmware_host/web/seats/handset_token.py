"""Decide which page has Mister X's handset: one-time tokens open it, and wrong ones are limited.

A token opens the handset and works once. The table or Mister X's page shows it. A page sends it in the body of a
request, never in its address. The page exchanges it for a session and sends that when it opens its WebSocket. The
session is no cookie, because a cookie goes to every server of a machine, on any port. A newer session ends the previous
one.

Token and session end with the game, because the previous Mister X must not see the next one's secrets. At a simulated
table they survive if the same person plays Mister X again, as after the order "Again". A session survives a restart
(`web.seats.kept_seat`).

A page on the table's own machine may take Mister X's seat without a token while nobody has it and a person plays Mister
X. If that page has closed, another page on this machine may take the seat. If computers play all detectives, a page on
another machine may take a free seat, and a page on this machine may take the seat of any closed page. Otherwise a page
that opened the handset with a token keeps the seat even while it is closed.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from firmware_host.system.language import gettext_noop

TRIES, WITHIN = 5, 60.0
"""Number of wrong tokens that are answered at once, and the seconds in which they are counted."""

FROM_ALL = 60
"""The number of wrong tokens that are answered for all senders together: at most one guess a second."""


class TooManyTries(Exception):
    """The error that a wrong token came after too many other wrong tokens.

    Args:
        wait: seconds until a wrong token is answered again.
    """

    def __init__(self, wait: float) -> None:
        super().__init__(f"too many wrong tokens; wait {wait:.0f} s")
        self.wait = wait


class WrongTokenLimit:
    """A limit on wrong tokens within `WITHIN` seconds.

    Each sender may send `TRIES` wrong tokens, and all senders together `FROM_ALL`.

    Wrong tokens over the limit are not counted, so trying again does not lengthen the wait.

    Args:
        now: seconds of a clock that never runs backwards.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._recent: list[tuple[str, float]] = []  # sender and time, the oldest first

    def count(self, sender: str = "") -> None:
        """Count a wrong token.

        Raises:
            TooManyTries: too many wrong tokens came before.
        """
        now = self._now()
        self._recent = [(one, at) for one, at in self._recent if at > now - WITHIN]
        times = [at for _, at in self._recent], [at for one, at in self._recent if one == sender]
        if full := [of[0] for of, most in zip(times, (FROM_ALL, TRIES), strict=True) if len(of) >= most]:
            raise TooManyTries(max(full) + WITHIN - now)
        self._recent.append((sender, now))


LASTS = 900.0
"""Seconds that a token is valid: long enough to find a phone, but others may have seen the token."""

AGAIN = 60.0
"""Seconds in which the page that used a token can get its session again, if the answer was lost."""


@dataclass(frozen=True, slots=True)
class TokenTerms:
    """The lifetime of tokens at one kind of table, and the messages for pages without a valid token.

    Attributes:
        lasts: seconds that a token is valid; infinity if it is valid until the game ends.
        wrong: the answer to a wrong token; `{minutes}` is how long a token is valid.
        no_session: the advice for a page without a session. A closing WebSocket sends it, so it is short in every
            language.
    """

    lasts: float
    wrong: str
    no_session: str


AT_TERMINAL = TokenTerms(
    LASTS,
    gettext_noop(
        "This code is wrong, was used already, is of an earlier game, or is older than {minutes} minutes; "
        "Enter in the table's terminal shows a new one"
    ),
    gettext_noop(
        "This is not, or no longer, Mister X's screen; scan the code that his page or the table's terminal shows"
    ),
)
"""The terms of a simulated table, whose program has a terminal."""

AT_BOARD = TokenTerms(
    float("inf"),
    gettext_noop(
        "This code is wrong, was used already, or is of an earlier game; "
        "“My phone” on his handset shows a new one, or yardboard handset-link"
    ),
    gettext_noop(
        "Scan a new code (“My phone” on his handset, or yardboard handset-link): this is not Mister X's any more"
    ),
)
"""The terms of a real board that runs as a service and has a handset."""

BY_COMMAND = TokenTerms(
    float("inf"),
    gettext_noop(
        "This code is wrong, was used already, or is of an earlier game; yardboard handset-link shows a new one"
    ),
    gettext_noop("Scan a new code (yardboard handset-link shows it): this is not Mister X's any more"),
)
"""The terms of a real board without a handset."""

_BYTES = 16
"""Random bytes in a token and in a session, too many to guess."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """A record of how the handset was last opened.

    Attributes:
        token: with which token.
        nonce: by which page.
        at: when.
        at_table: whether a page on the table's own machine took it without a token.
        restored: whether that was before the program restarted.
        session: the session of the page.
    """

    token: str
    nonce: str
    at: float
    at_table: bool = False
    restored: bool = False
    session: str = field(default_factory=lambda: secrets.token_urlsafe(_BYTES))


class HandsetToken:
    """The right to Mister X's handset: its newest token and its session. Any thread may call every method.

    Args:
        now: seconds of a clock that never runs backwards.
        terms: the texts and times for tokens at this table.
    """

    def __init__(self, now: Callable[[], float], terms: TokenTerms = AT_TERMINAL) -> None:
        self._now, self.terms = now, terms
        self._lock = threading.Lock()
        self._token: str | None = None
        self._void_at = 0.0
        self._inviting: str | None = None
        self._opened: _Opened | None = None
        self._free = self._offered = self._alone = False
        self._wrong_tokens = WrongTokenLimit(now)

    def new_token(self) -> str:
        """Return a new token in place of the previous one. A page that has the handset keeps it."""
        with self._lock:
            return self._new_token(None, self.terms.lasts)

    @property
    def waiting(self) -> str | None:
        """The token that would open the handset now, or None if there is none."""
        with self._lock:
            return self._token if self._is_good() else None

    @property
    def session(self) -> str | None:
        """The session that has the handset, or None if no page has it."""
        opened = self._opened
        return None if opened is None else opened.session

    @property
    def at_table(self) -> bool:
        """Whether a page on the table's own machine has the handset, which it took without a token."""
        opened = self._opened
        return opened is not None and opened.at_table

    @property
    def is_restored(self) -> bool:
        """Whether the page that has the handset got it before the program restarted."""
        opened = self._opened
        return opened is not None and opened.restored

    def restore(self, session: str, *, at_table: bool) -> None:
        """Give the handset back to the page that had it before the program restarted."""
        with self._lock:
            never = float("-inf")
            self._opened = _Opened(secrets.token_urlsafe(_BYTES), "", never, at_table, restored=True, session=session)

    def end(self) -> None:
        """End token and session, so that nobody has the handset."""
        with self._lock:
            self._token = self._opened = None

    def invite(self, session: str) -> str | None:
        """Return a token with which the handset's page can pass the handset on. None for other sessions.

        The token is void as soon as the handset has another holder.
        """
        with self._lock:
            return self._new_token(session, LASTS) if self.holds_handset(session) else None

    def _new_token(self, inviting: str | None, lasts: float) -> str:
        self._token, self._void_at, self._inviting = secrets.token_urlsafe(_BYTES), self._now() + lasts, inviting
        return self._token

    def exchange(self, token: str, nonce: str) -> str | None:
        """Return the session that a token opens, or None if the token is wrong, used or too old.

        The right token always works, however many wrong ones arrive, so that nobody can lock Mister X out.

        Args:
            token: the token that the page sent.
            nonce: random text of the page, which it repeats if it asks again.

        Raises:
            TooManyTries: the token is wrong, and so were too many others; see `WrongTokenLimit`.
        """
        with self._lock:
            if self._token is not None and equal_secrets(token, self._token) and self._is_good():
                self._token = None
                self._opened, self._free = _Opened(token, nonce, self._now()), False
            session = self._session_of(token, nonce)
            if session is None:
                self._wrong_tokens.count()
            return session

    def offer_seat(self, *, free: bool, alone: bool = False, ends: bool = False) -> None:
        """Set whether a page may take Mister X's seat without a token. Call this when a game starts.

        A page that has the seat keeps it unless `ends` is set.

        Args:
            free: whether the seat is free.
            alone: whether computers play all detectives. Then the seat is free again once Mister X's page has closed.
            ends: whether token, session and invitations end, because another person may play Mister X now.
        """
        with self._lock:
            if ends:
                self._token = self._opened = None
            self._free, self._offered, self._alone = free and self._opened is None, free, alone

    def take_seat(self, nonce: str, *, here: bool = True, page_closed: bool = False) -> str | None:
        """Give Mister X's seat to a page without a token. Return its session, or None if refused.

        Args:
            nonce: random text of the page, which it repeats if it asks again.
            here: whether the page is on the table's own machine. Other pages may only take a seat that nobody has had
                yet, and only if computers play all detectives.
            page_closed: whether Mister X's page was open and has closed.
        """
        with self._lock:
            by = self._opened
            free = self._free and (here or self._alone)
            if free or (here and page_closed and self._may_follow(by, nonce)):
                by = self._opened = _Opened(secrets.token_urlsafe(_BYTES), nonce, self._now(), at_table=here)
                self._free = False
            return None if by is None else self._session_of(by.token, nonce)

    def holds_handset(self, session: str | None) -> bool:
        """Return whether a session has Mister X's handset."""
        opened = self._opened
        return opened is not None and session is not None and equal_secrets(session, opened.session)

    def _may_follow(self, by: _Opened | None, nonce: str) -> bool:
        """Return whether a page on this machine may take the seat of another page, which has closed."""
        again = by is not None and equal_secrets(nonce, by.nonce)
        return self._offered and not again and (self._alone or (by is not None and by.at_table))

    def _is_good(self) -> bool:
        if self._inviting is not None and not self.holds_handset(self._inviting):
            return False
        return self._now() < self._void_at

    def _session_of(self, token: str, nonce: str) -> str | None:
        by = self._opened
        if (
            by is None
            or not (equal_secrets(token, by.token) and equal_secrets(nonce, by.nonce))
            or self._now() - by.at >= AGAIN
        ):
            return None
        return by.session


def equal_secrets(one: str, other: str) -> bool:
    """Return whether two secrets are equal. The time taken does not reveal how much of them is equal."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))
