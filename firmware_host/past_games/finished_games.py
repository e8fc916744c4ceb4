"""Keep a table's finished games for the pages.

The table's thread hands over the compressed entries of a finished game. The thread of the page that asks replays the
game and counts games. The analyst's thread analyses games.
"""

from __future__ import annotations

import json
import logging
import threading
import zlib
from collections.abc import Callable
from functools import cached_property

from firmware_host.config import shipped_files
from firmware_host.config.loader import Config
from firmware_host.journal.journal import Finished, Journal
from firmware_host.journal.store_port import JournalError
from firmware_host.past_games.game_analysis import Analysis, AnalysisFiles, GameRecord, NoSuchGame, Summary
from firmware_host.past_games.game_analyst import GameAnalyst, GameToAnalyse
from firmware_host.past_games.game_statistics import Statistics, count_games
from firmware_host.past_games.replay_finished_game import as_begun, replay, summary
from firmware_host.players.coach.coach_port import Reviewer
from firmware_host.rules.setup import Box, Ground
from firmware_host.system.event_log import log_fields
from firmware_host.system.language import gettext_noop, translatable

log = logging.getLogger("yardboard")


_NO_GAME = gettext_noop("There is no finished game {number} at this table.")

KEPT = 200
"""The most games, packed to one or two kilobytes each; the oldest are dropped first."""

REPLAYED = 4
"""The most replayed games in memory. A viewer requests the same game several times: as a page, as JSON, as pictures."""


class Archive:
    """The newest finished games of a table.

    Args:
        config: the table's configuration. A game with other rules is replayed on the board of those rules.
        make_reviewer: creates the coach that reviews finished games; by default in a process of its own.
        files: stores reviews beyond the program's end; None: reviews are lost then.
    """

    def __init__(
        self,
        config: Config,
        *,
        make_reviewer: Callable[[], Reviewer] | None = None,
        files: AnalysisFiles | None = None,
    ) -> None:
        self._config = config
        self._seen = -1
        self._games: dict[int, bytes] = {}  # packed; replaced as a whole, never modified
        self._summaries: dict[int, Summary] = {}
        self._records: dict[int, GameRecord] = {}
        self._replaying = threading.Lock()
        self._analyst = GameAnalyst(self._game_to_analyse, make=make_reviewer, files=files)

    # ---- for the table's thread ----

    def follow(self, journal: Journal) -> bool:
        """Read the games that have finished since the last call from the journal.

        Games that cannot be read are tried again with the next finished game.

        Returns:
            Whether there may be something new, as at the first call. False while the journal writes.
        """
        newest = journal.newest_finished
        if newest == self._seen or journal.writing:
            return False
        try:
            found = journal.finished(self.newest or 0, KEPT)  # with those that could not be read before
        except JournalError as error:
            log.warning("Past games cannot be shown: %s", error, extra=log_fields("past-games"))
            found = []
        games = [*self._games.items(), *((game.number, _packed(game)) for game in found)]
        self._seen, self._games = newest, dict(games[-KEPT:])
        return True

    # ---- for all other threads ----

    @property
    def newest(self) -> int | None:
        """The number of the newest finished game, or None if there is none."""
        return max(self._games, default=None)

    def summaries(self) -> list[Summary]:
        """Return a summary of each game in this archive, the newest first. This may take a moment."""
        games = self._games
        with self._replaying:
            self._summaries = {
                number: self._summaries.get(number) or summary(_unpacked(number, packed), self._known)
                for number, packed in reversed(games.items())
            }
            return list(self._summaries.values())

    def statistics(self) -> Statistics:
        """Return who won how often, over the games in this archive. This may take a moment."""
        return count_games(self.summaries())

    def record(self, number: int) -> GameRecord:
        """Return a finished game, replayed. This may take a moment.

        Raises:
            NoSuchGame: this archive has no game with that number.
            CannotReplay: it cannot be replayed here; the message says why.
        """
        packed = self._packed_game(number)
        with self._replaying:
            record = self._records.pop(number, None) or replay(_unpacked(number, packed), self._known)
            self._records[number] = record
            while len(self._records) > REPLAYED:
                del self._records[next(iter(self._records))]
            return record

    def analysis(self, number: int) -> Analysis | None:
        """Return the analysis of a finished game as far as it is done, or None if there is none.

        The analysis continues as long as this is called every few seconds. Otherwise it is dropped. An analysis with
        trouble is returned once.
        """
        return self._analyst.analysis_of(number)

    def analyse(self, number: int) -> Analysis:
        """Start the analysis of a finished game if there is none, and return it as far as it is done.

        This may take a moment, to replay the game.

        Raises:
            NoSuchGame, CannotReplay: as for `record`.
        """
        return self._analyst.begin(number)

    def close(self) -> None:
        """Stop all analyses. May be called twice."""
        self._analyst.close()

    def _game_to_analyse(self, number: int) -> GameToAnalyse:
        record, packed = self.record(number), self._packed_game(number)
        return GameToAnalyse(as_begun(_unpacked(number, packed), self._known), record, zlib.decompress(packed))

    def _packed_game(self, number: int) -> bytes:
        """Return a game's compressed entries.

        Raises:
            NoSuchGame: there is no finished game with that number.
        """
        packed = self._games.get(number)
        if packed is None:
            raise NoSuchGame(translatable(_NO_GAME, number=number))
        return packed

    @cached_property
    def _known(self) -> tuple[tuple[Box, Ground], ...]:
        """The rules of any finished game, each with its board: configured, shipped, or of earlier versions."""
        shipped = [shipped_files.load_edition(name) for name in shipped_files.edition_names()]
        former = shipped_files.former_editions()
        own = [(box, self._config.ground) for box in (*self._config.boxes, *former)]
        return (*own, *((box, shipped_files.load_ground(box.map)) for box in (*shipped, *former)))


def _packed(game: Finished) -> bytes:
    """Compress a game's entries, quickly enough for one pass of the loop."""
    return zlib.compress(json.dumps(game.entries, separators=(",", ":")).encode(), 1)


def _unpacked(number: int, packed: bytes) -> Finished:
    return Finished(number, tuple((at, kind, text) for at, kind, text in json.loads(zlib.decompress(packed))))
