"""Keep who has Mister X's seat beside the journal: after a restart of the program the same page has it again.

The file is its owner's alone (0600), as the journal is. It is no invitation: it holds what a page was given for one.
"""

from __future__ import annotations

import json
import logging
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from firmware_host.system import safe_read
from firmware_host.system.atomic_write import replace_file
from firmware_host.system.event_log import log_fields

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
