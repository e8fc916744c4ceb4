"""Write a table's entries in its journal, one after another; each may take its time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import JournalError
from firmware_host.referee.events import Abandon, Begin, Entry, Play, TakeBack
from firmware_host.rules.views import Outcome, PublicView
from firmware_host.table.lost_devices import Devices

AGAIN = 1.0
"""Seconds after which what could not be written down is tried again: what stands on the board, or an end."""


@dataclass(slots=True)
class PendingEntry:
    """What is being written.

    Attributes:
        entry: what becomes true once it is durable; None for the end of a game, or nothing at all.
        since: clock seconds at which it was decided.
        chosen: whether it was chosen on the handset.
    """

    entry: Entry | None
    since: float
    chosen: bool = False


class JournalWriter:
    """Write in a table's journal.

    Args:
        journal: the journal.
        devices: told whether it can be written.
        wall: the wall clock, for its times.

    Attributes:
        writing: what is being written and not durable yet.
    """

    def __init__(self, journal: Journal, devices: Devices, wall: Callable[[], float]) -> None:
        self._journal, self._devices, self._wall = journal, devices, wall
        self.writing: PendingEntry | None = None
        self._again_at = 0.0

    def write(self, entry: Entry, now: float, over: Outcome | None) -> bool:
        """Begin to make an entry durable; return whether it is already.

        Args:
            entry: what is written.
            now: clock seconds.
            over: how the game in play has ended, if it has: a new one may begin before that is noted.

        Raises:
            JournalError: it is refused at once; nothing has changed.
        """
        at, journal = self._wall(), self._journal
        match entry:
            case Begin(setup, seats, names):
                durable = journal.begin(setup, at, over, seats, names)
            case Play(action):
                durable = journal.play(action, at)
            case TakeBack(count, by_hand):
                durable = journal.take_back(at, count, home=not by_hand)
            case Abandon():
                durable = journal.abandon(at)
        if not durable:
            self.writing = PendingEntry(entry, now)
        return durable

    def try_again(self, view: PublicView | None, now: float) -> None:
        """Settle a journal that was refused, unless that was tried just now."""
        if now >= self._again_at and self._devices.away("journal"):
            self._again_at = now + AGAIN
            self.settle(view, now)

    def settle(self, view: PublicView | None, now: float) -> None:
        """Note the end of a game, which is over even if that fails; or see whether a refused journal can be written."""
        over = None if view is None or not self._journal.in_play else view.outcome
        away = self._devices.away("journal")
        if over is None and not away:
            return
        try:
            durable = self._journal.probe() if over is None else self._journal.finish(over, self._wall())
        except JournalError as error:
            self._devices.lost("journal", error, now)
        else:
            if not durable:
                self.writing = PendingEntry(None, now)
            elif away:
                self._devices.ok("journal", now)

    def done(self, *, wait: bool = False) -> PendingEntry | None:
        """Return what was being written and has just become durable; None while it has not.

        Raises:
            JournalError: it was refused; nothing has changed.
        """
        writing = self.writing
        try:
            if not (self._journal.wait() if wait else self._journal.poll()):
                return None
        except JournalError:
            self.writing = None
            raise
        self.writing = None
        return writing

    def late(self, now: float) -> float:
        """Return for how many seconds something has been being written."""
        return 0.0 if self.writing is None else now - self.writing.since
