"""Save which page has Mister X's seat, so that the page has it again after a restart.

The file is beside the journal and readable by its owner only (0600). It contains the session of the page and its game,
but no invitation.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from firmware_host.journal.store_port import JournalError
from firmware_host.system.event_log import log_fields
from firmware_host.system.files import Task, at_once, read_small_file, replace_file
from firmware_host.system.plain_faults import writing_fault
from firmware_host.web.seats.handset_token import HandsetToken

log = logging.getLogger("yardboard")


NAME = "seat-session.json"
"""The file's name, in the journal's folder."""


@dataclass(frozen=True, slots=True)
class SeatedGame:
    """The game in which a page has Mister X's seat: its number in the journal, and when it started."""

    number: int
    begun: float


@dataclass(frozen=True, slots=True)
class SeatSession:
    """The session that has Mister X's seat, and in which game.

    Attributes:
        game: the game.
        session: the session.
        at_table: whether its page is on the table's own machine and took the seat without a token.
    """

    game: SeatedGame
    session: str
    at_table: bool = False


class SeatSessionFile:
    """The file that stores who has Mister X's seat at one table.

    Args:
        path: the file's path.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._complained = False

    def read(self) -> SeatSession | None:
        """Return the saved session, or None if there is no valid one."""
        try:
            values = json.loads(read_small_file(self._path))
            number, begun, session = values["game"]["number"], values["game"]["begun"], values["session"]
            at_table = values.get("at_table", False)  # an earlier version of the program wrote none
        except (OSError, ValueError, RecursionError, KeyError, TypeError):
            return None
        if type(number) is not int or type(begun) is not float or not isinstance(session, str) or not session:
            return None
        return SeatSession(SeatedGame(number, begun), session, at_table is True)

    def write(self, kept: SeatSession | None) -> None:
        """Save which session has the seat, or that none has it. This may wait for the disk.

        A failure is logged once and the old file is deleted. A restart then frees the seat, because its previous owner
        must not get it back.
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
                why, values = writing_fault(self._path, error, ""), log_fields("seat", file=str(self._path))
                log.warning("%s; after a restart Mister X's page needs a new link", why, extra=values)
            self._complained = True
        else:
            self._complained = False


class KeptSeat:
    """Mister X's seat at one table, with the file that stores who has it.

    A page that returns before the table has started is let in, but sees nothing until then.

    Args:
        token: opens the seat; the page that had it when the file was written gets it back at once.
        journal: the journal's path; the seat's file is beside it.
        writing: runs slow file tasks.
    """

    def __init__(self, token: HandsetToken, journal: Path, writing: Callable[[Task], None] = at_once) -> None:
        self._token, self._file, self._writing = token, SeatSessionFile(journal.with_name(NAME)), writing
        self._game: SeatedGame | None = None
        self._kept = self._file.read()
        if self._kept is not None:
            token.restore(self._kept.session, at_table=self._kept.at_table)

    def follow_game(self, number: int, begun_at: Callable[[], float]) -> bool:
        """Switch to the journal's newest game. Return whether the page with Mister X's seat keeps it.

        If the number is new, the page keeps the seat only if the saved seat belongs to that game. If the journal cannot
        be read, the page loses the seat: scanning a new link is better than a seat in the wrong game.

        Args:
            number: the game's number in the journal.
            begun_at: returns when the game was started; may raise `JournalError`.
        """
        if self._game is not None and number == self._game.number:
            return True
        try:
            self._game = SeatedGame(number, begun_at())
        except JournalError:  # the table reports this error
            self._game = SeatedGame(number, 0.0)
            return False
        return self._kept is not None and self._kept.game == self._game

    def keep(self) -> None:
        """Save which session has the seat if that has changed. Otherwise do nothing."""
        kept = self._unsaved()
        if kept != self._kept:
            self._kept = kept
            self._writing(partial(self._file.write, kept))

    def _unsaved(self) -> SeatSession | None:
        session = self._token.session
        if self._game is None:  # the table has not started
            return self._kept
        return None if session is None else SeatSession(self._game, session, self._token.at_table)
