"""Decide who holds Mister X's handset: make one-time tokens, exchange them for sessions, and slow down wrong ones.

A token opens the handset and works once. It is shown at the table's terminal, and sent in the body of a request, never
in its address. It is exchanged for a session, which the page keeps and sends when it opens its WebSocket. The session
is no cookie: a cookie goes to every server of a machine, on any port. A newer session ends the one before.

Both end with the game: whoever was Mister X must not look into the next one. At a simulated table they outlast it if
the holder of the seat plays him again, as after "Again". A session is kept over a restart (`table.kept_seat`).

A page on the table's own machine may take Mister X's seat without a token while nobody has it, and only if a person
plays him; one that has closed its page may be followed by another there. Where he plays against computers alone, a page
of another machine may take a free seat, too. A seat that another machine has stays its holder's.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from firmware_host.system.language import gettext_noop

TRIES, WITHIN = 5, 60.0
"""Wrong tokens that are answered at once, and the seconds in which they are counted."""


class TooManyTries(Exception):
    """This token is wrong, and so were too many before it.

    Args:
        wait: seconds after which another wrong one may come.
    """

    def __init__(self, wait: float) -> None:
        super().__init__(f"too many wrong tokens; wait {wait:.0f} s")
        self.wait = wait


class WrongTokenLimit:
    """Limits the wrong tokens, whoever sends them, to `TRIES` within any `WITHIN` seconds.

    A right token is never held up. Wrong ones that are told to wait do not count: whoever goes on trying does not wait
    longer.

    Args:
        now: seconds of a clock that never runs backwards.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._wrong: deque[float] = deque(maxlen=TRIES)

    def count(self) -> None:
        """Count a wrong token.

        Raises:
            TooManyTries: too many came before it.
        """
        now = self._now()
        if len(self._wrong) == TRIES and (wait := self._wrong[0] + WITHIN - now) > 0:
            raise TooManyTries(wait)
        self._wrong.append(now)


LASTS = 900.0
"""Seconds that a token is valid: long enough to find a phone; others may have seen or kept it."""

AGAIN = 60.0
"""Seconds in which the page that used a token gets the same session again: the first answer may have been lost."""


@dataclass(frozen=True, slots=True)
class TokenTerms:
    """How tokens are shown at a table.

    Attributes:
        lasts: seconds that one is valid; infinity for as long as the game.
        wrong: the answer to a token that opens nothing; `{minutes}` says how long one is valid.
        not_his: what to do at a page without a session; it closes a WebSocket, so it is short in every language.
    """

    lasts: float
    wrong: str
    not_his: str


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
"""Of a simulated table, whose program has a terminal."""

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
"""Of a real board, which runs as a service, and whose Mister X has a handset."""

BY_COMMAND = TokenTerms(
    float("inf"),
    gettext_noop(
        "This code is wrong, was used already, or is of an earlier game; yardboard handset-link shows a new one"
    ),
    gettext_noop("Scan a new code (yardboard handset-link shows it): this is not Mister X's any more"),
)
"""Of a real board without a handset."""

_BYTES = 16
"""Random bytes in a token, and in a session: nobody guesses them, however fast."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """The last opening of the handset: by which token, for whom and when; and whether at the table, without one."""

    token: str
    nonce: str
    at: float
    at_table: bool = False
    session: str = field(default_factory=lambda: secrets.token_urlsafe(_BYTES))


class HandsetToken:
    """The newest token, and the session that the last one opened. Every method may be called from any thread.

    Args:
        now: seconds of a clock that never runs backwards.
        terms: how tokens are shown at this table.
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
        """Return a new token that opens the handset once; it replaces the one before. The open handset stays open."""
        with self._lock:
            return self._new_token(None, self.terms.lasts)

    @property
    def waiting(self) -> str | None:
        """Return the token that would open the handset now, if there is one."""
        with self._lock:
            return self._token if self._is_good() else None

    @property
    def session(self) -> str | None:
        """Return the session of whoever has the handset, if anybody does."""
        opened = self._opened
        return None if opened is None else opened.session

    def restore(self, session: str) -> None:
        """Give the handset back to the page that had it before the program was started anew."""
        with self._lock:
            self._opened = _Opened(secrets.token_urlsafe(_BYTES), "", float("-inf"), session=session)

    def end(self) -> None:
        """Void the token and the session: nobody has the handset any more."""
        with self._lock:
            self._token = self._opened = None

    def invite(self, session: str) -> str | None:
        """Return a new token with which the holder of the handset passes it on, or None for anybody else.

        It is void as soon as the handset has another holder.
        """
        with self._lock:
            return self._new_token(session, LASTS) if self.holds_handset(session) else None

    def _new_token(self, inviting: str | None, lasts: float) -> str:
        self._token, self._void_at, self._inviting = secrets.token_urlsafe(_BYTES), self._now() + lasts, inviting
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

    def offer_seat(self, *, free: bool, alone: bool = False, ends: bool = False) -> None:
        """Say whether Mister X's seat may be taken without a token: a game has begun, and a person plays him.

        A page that has the seat keeps it, unless it ends.

        Args:
            free: whether it may.
            alone: whether all others are computers: then it may be taken again once his page is closed.
            ends: whether token, session and invitations end: another person than before may play him.
        """
        with self._lock:
            if ends:
                self._token = self._opened = None
            self._free, self._offered, self._alone = free and self._opened is None, free, alone

    def take_seat(self, nonce: str, *, here: bool = True, left: bool = False) -> str | None:
        """Return the session of whoever takes Mister X's seat, or None if it is not to be had.

        Args:
            nonce: random text made by the page, which it repeats if it has to ask again.
            here: whether that is a page on the table's own machine; another may take a seat that nobody has had yet,
                where all others are computers.
            left: whether his page was open, and is closed.
        """
        with self._lock:
            by = self._opened
            free = self._free and (here or self._alone)
            if free or (here and left and self._may_follow(by, nonce)):
                by = self._opened = _Opened(secrets.token_urlsafe(_BYTES), nonce, self._now(), at_table=here)
                self._free = False
            return None if by is None else self._session_of(by.token, nonce)

    def holds_handset(self, session: str | None) -> bool:
        """Return whether this is the session of Mister X's handset."""
        opened = self._opened
        return opened is not None and session is not None and _equal(session, opened.session)

    def _may_follow(self, by: _Opened | None, nonce: str) -> bool:
        """Return whether a page on this machine may have the seat after the one that has closed its page."""
        again = by is not None and _equal(nonce, by.nonce)
        return self._offered and not again and (self._alone or (by is not None and by.at_table))

    def _opens(self, token: str) -> bool:
        return self._token is not None and _equal(token, self._token) and self._is_good()

    def _is_good(self) -> bool:
        if self._inviting is not None and not self.holds_handset(self._inviting):
            return False
        return self._now() < self._void_at

    def _session_of(self, token: str, nonce: str) -> str | None:
        by = self._opened
        if by is None or not (_equal(token, by.token) and _equal(nonce, by.nonce)) or self._now() - by.at >= AGAIN:
            return None
        return by.session


def _equal(one: str, other: str) -> bool:
    """Compare two secrets in a time that does not depend on how much of them is equal."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))
