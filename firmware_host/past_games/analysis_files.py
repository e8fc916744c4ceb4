"""Store the analyses of finished games in a folder beside the journal, a file per game.

A file holds what was slow to compute: the coach's review of each step. The rest follows from the game. A file that is
missing, damaged or of another game is ignored, and the game analysed again.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from pathlib import Path

from firmware_host.past_games.game_analysis import AnalysedStep
from firmware_host.system.atomic_write import replace_file
from firmware_host.system.event_log import log_fields
from firmware_host.system.safe_read import read_small_file

FOLDER = "analyses"
"""The folder's name."""

KEPT = 64
"""The most files, each up to a few hundred kilobytes; the oldest go first."""

log = logging.getLogger("yardboard")


class AnalysisFiles:
    """The stored analyses of one table's finished games.

    Args:
        folder: their folder; the first file creates it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, game: bytes) -> tuple[AnalysedStep, ...] | None:
        """Return a game's stored analysis; None if there is none or it is invalid.

        Args:
            game: the game's journal entries.
        """
        import msgspec  # noqa: PLC0415 - only boards with pages have it

        try:
            return msgspec.json.decode(read_small_file(self._file(game)), type=tuple[AnalysedStep, ...])
        except (OSError, msgspec.MsgspecError, ValueError, RecursionError):
            return None

    def write(self, game: bytes, steps: Sequence[AnalysedStep]) -> None:
        """Store a game's analysis; log if that fails. May wait for the disk.

        An analysis without the search is not stored: it takes only a moment, and is better once the search is there.
        """
        import msgspec  # noqa: PLC0415 - as above

        if all(step.chance is None for step in steps):
            return
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(self._file(game), msgspec.json.encode(steps))
            files = sorted(self._folder.glob("*.json"), key=lambda file: file.stat().st_mtime)
            for file in files[:-KEPT]:
                file.unlink(missing_ok=True)
        except OSError as error:
            what = "%s: an analysis cannot be stored: %s"
            log.warning(what, self._folder, error.strerror or error, extra=log_fields("analysis"))

    def _file(self, game: bytes) -> Path:
        return self._folder / f"{hashlib.sha256(game).hexdigest()[:32]}.json"
