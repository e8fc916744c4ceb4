"""Keep what the coach found out of finished games in a folder beside the journal, a file a game.

A file holds what looking at the game has cost: what the coach says of each step. The rest follows from the game. One
that is missing, damaged or another game's is none: the game is looked at anew.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from pathlib import Path

from firmware_host.journal.game_analysis import AnalysedStep
from firmware_host.system.atomic_write import replace_file
from firmware_host.system.event_log import log_fields
from firmware_host.system.safe_read import read_small_file

FOLDER = "analyses"
"""The folder's name."""

KEPT = 64
"""How many are kept, each up to a few hundred kilobytes; the oldest go first."""

log = logging.getLogger("yardboard")


class AnalysisFiles:
    """The analyses of one table's finished games.

    Args:
        folder: where they lie; it is made when the first is kept.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, game: bytes) -> tuple[AnalysedStep, ...] | None:
        """Return what was kept of a game; None if nothing was, or nothing that makes sense.

        Args:
            game: all that was written down of it.
        """
        import msgspec  # noqa: PLC0415 - a board without pages does without

        try:
            return msgspec.json.decode(read_small_file(self._file(game)), type=tuple[AnalysedStep, ...])
        except (OSError, msgspec.MsgspecError, ValueError, RecursionError):
            return None

    def write(self, game: bytes, steps: Sequence[AnalysedStep]) -> None:
        """Keep what was found out of a game. Where it cannot be kept that is logged; may wait for the disk.

        What was found without the search is not kept: it is found again in a moment, and better once there is one.
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
            what = "%s: an analysis cannot be kept: %s"
            log.warning(what, self._folder, error.strerror or error, extra=log_fields("analysis"))

    def _file(self, game: bytes) -> Path:
        return self._folder / f"{hashlib.sha256(game).hexdigest()[:32]}.json"
