"""Give Mister X's seat back to the page that had it before a restart, as long as the same game goes on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import JournalError
from firmware_host.system.background_task import Task, at_once
from firmware_host.web.handset_token import HandsetToken
from firmware_host.web.seat_session_file import NAME, SeatedGame, SeatSession, SeatSessionFile


class KeptSeat:
    """The seat at one table, and the file in which it is kept.

    A page that comes back before the table has begun is let in; what it sees waits for the table.

    Args:
        token: opens the seat; whoever had it when the file was written has it again at once.
        journal: the journal's file; the seat's lies beside it.
        writing: carries out what may wait for the disk.
    """

    def __init__(self, token: HandsetToken, journal: Path, writing: Callable[[Task], None] = at_once) -> None:
        self._token, self._file, self._writing = token, SeatSessionFile(journal.with_name(NAME)), writing
        self._game: SeatedGame | None = None
        self._kept = self._file.read()
        if self._kept is not None:
            token.restore(self._kept.session)

    def is_of(self, journal: Journal) -> bool:
        """Return whether the seat is of the journal's newest game: false once, when another has begun.

        Where that cannot be known it is not: a link too many costs less than a seat in a game that is not one's own.
        """
        number = journal.newest_begun
        if self._game is not None and number == self._game.number:
            return True
        try:
            self._game = SeatedGame(number, journal.begun_at())
        except JournalError:  # the table tells of it by itself
            self._game = SeatedGame(number, 0.0)
            return False
        return self._kept is not None and self._kept.game == self._game

    def keep(self) -> None:
        """Write down who has the seat, if that is another. Costs nothing while nobody comes or goes."""
        kept = self._unsaved()
        if kept != self._kept:
            self._kept = kept
            self._writing(partial(self._file.write, kept))

    def close(self) -> None:
        """Write down who has the seat, here and now: the table ends."""
        kept = self._unsaved()
        if kept != self._kept:
            self._file.write(kept)

    def _unsaved(self) -> SeatSession | None:
        session = self._token.session
        if self._game is None:  # the table has not begun
            return self._kept
        return None if session is None else SeatSession(self._game, session)
