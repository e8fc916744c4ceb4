"""Keep who has Mister X's seat beside the journal: after a restart the same page has it again, in the same game.

The file is its owner's alone (0600), as the journal is. It is no invitation: it holds what a page was given for one.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import JournalError
from firmware_host.system import safe_read
from firmware_host.system.atomic_write import replace_file
from firmware_host.system.background_task import Task, at_once
from firmware_host.system.event_log import log_fields
from firmware_host.web.seats.handset_token import HandsetToken

NAME = "seat-session.json"
"""The file's name."""

log = logging.getLogger("yardboard")


@dataclass(frozen=True, slots=True)
class SeatedGame:
    """The game in which somebody has the seat: its number in the journal, and when it was begun."""

    number: int
    begun: float


@dataclass(frozen=True, slots=True)
class SeatSession:
    """Who has Mister X's seat, and in which game."""

    game: SeatedGame
    session: str


class SeatSessionFile:
    """The file of one table.

    Args:
        path: its place.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._complained = False

    def read(self) -> SeatSession | None:
        """Return what was kept; None if nothing was, or nothing that makes sense."""
        try:
            values = json.loads(safe_read.read_small_file(self._path))
            number, begun, session = values["game"]["number"], values["game"]["begun"], values["session"]
        except (OSError, ValueError, RecursionError, KeyError, TypeError):
            return None
        if type(number) is not int or type(begun) is not float or not isinstance(session, str) or not session:
            return None
        return SeatSession(SeatedGame(number, begun), session)

    def write(self, kept: SeatSession | None) -> None:
        """Keep who has the seat now, or that nobody has.

        A failure is logged once, and what was kept before is deleted: then a restart frees the seat, for whoever had it
        earlier must not have it again. May wait for the disk.
        """
        try:
            if kept is None:
                self._path.unlink(missing_ok=True)
            else:
                replace_file(self._path, json.dumps(asdict(kept)).encode())
        except OSError as error:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
            if not self._complained:
                why = error.strerror or error
                what = "%s: cannot be written: %s; after a restart Mister X's page needs a new link"
                log.warning(what, self._path, why, extra=log_fields("seat", file=str(self._path)))
            self._complained = True
        else:
            self._complained = False


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
