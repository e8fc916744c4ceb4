"""Store the results of a tournament in a CSV file, one line a game, so that it can be continued."""

from __future__ import annotations

import csv
import io
import math
import os
from pathlib import Path

from firmware_host.rules.actions import DETECTIVES, MR_X, SIDES
from firmware_host.tournament.entrants import Pairing, TournamentError, options_text
from firmware_host.tournament.one_game import Result

COLUMNS = (
    "rules", "players", "options", "seed", "deal", "mr_x", "detectives",
    "winner", "reason", "rounds", "mr_x_ms", "detectives_ms", "seconds", "version",
)  # fmt: skip
"""The columns.

The first seven identify the game, and the last is the yardboard that played it. `mr_x_ms` and `detectives_ms` are the
milliseconds of each side's longest answer: wall-clock time for programs, processor time for our own players.
"""

_WHICH = 7
_HEAD = ",".join(COLUMNS) + "\n"

_Line = tuple[int, list[str]]
"""A line's number in the file, and its columns."""


class ResultsFile:
    """A file of results. Games with a result in it are not played again.

    Args:
        path: the file; created if missing.
        games: the games of this tournament.

    Attributes:
        path: as above.
        results: the results in the file that belong to this tournament's games.

    Raises:
        TournamentError: the file does not contain results, or a line in it is wrong.
        OSError: the file cannot be read or written.
    """

    def __init__(self, path: Path, games: list[Pairing]) -> None:
        self.path = path
        wanted = {_which(pairing): pairing for pairing in games}
        found = path.read_bytes() if path.exists() else b""
        whole = found[: found.rfind(b"\n") + 1]
        torn = found[len(whole) :]
        lines = self._lines(whole, torn)
        self.results = [self._result(wanted[key], *line) for key, line in lines.items() if key in wanted]
        self._mend(whole, torn)

    def _lines(self, whole: bytes, torn: bytes) -> dict[tuple[str, ...], _Line]:
        """Return the last complete line of each game. `whole` holds the complete lines, `torn` the incomplete one."""
        try:
            text = whole.decode().replace("\r\n", "\n")
        except UnicodeDecodeError:
            raise self._foreign("it is not UTF-8 text") from None
        if not (text.startswith(_HEAD) if text else _HEAD.encode().startswith(torn)):
            raise self._foreign(f"it does not begin with {_HEAD.strip()}")
        reader = csv.reader(io.StringIO(text.removeprefix(_HEAD), newline=""), strict=True)
        try:
            lines = [(1 + reader.line_num, row) for row in reader if not _is_blank(row)]
        except csv.Error as error:
            raise self._foreign(f"line {1 + reader.line_num}: {error}") from None
        for number, row in lines:
            if len(row) != len(COLUMNS):
                what = f"{self.path}: line {number} has {len(row)} columns; it must have {len(COLUMNS)}"
                raise TournamentError(what)
        return {tuple(row[:_WHICH]): (number, row) for number, row in lines}

    def _foreign(self, why: str) -> TournamentError:
        return TournamentError(f"{self.path}: is not a file of results: {why}; name one of --csv, or a new file")

    def _mend(self, whole: bytes, torn: bytes) -> None:
        """Remove an incomplete last line, or complete the header. Do not rewrite complete lines."""
        if not whole:
            _append(self.path, _HEAD[len(torn) :])
        elif torn:
            with self.path.open("r+b") as file:
                file.truncate(len(whole))
                os.fsync(file.fileno())

    def add(self, result: Result) -> None:
        """Append a result to the file, and return when it is on the disk."""
        line = io.StringIO()
        values = (result.winner, result.reason, result.rounds, result.mr_x_ms, result.detectives_ms, result.seconds)
        csv.writer(line, lineterminator="\n").writerow([*_which(result.pairing), *values, result.version])
        _append(self.path, line.getvalue())

    def _result(self, pairing: Pairing, number: int, row: list[str]) -> Result:
        winner, reason, rounds, mr_x_ms, detectives_ms, seconds, version = row[_WHICH:]
        try:
            numbers = int(rounds), float(mr_x_ms), float(detectives_ms), float(seconds)
        except ValueError:
            numbers = None
        if numbers is None or not all(0 <= value < math.inf for value in numbers) or winner not in SIDES:
            right = f"the winner must be {MR_X} or {DETECTIVES}; rounds and times must be numbers, none below 0"
            raise TournamentError(f"{self.path}: line {number}: {pairing}: {right}")
        return Result(pairing, winner, reason, *numbers, version)


def _which(pairing: Pairing) -> tuple[str, ...]:
    """Return the values of the columns that identify a game."""
    terms = pairing.terms
    which = (terms.rules, terms.players, options_text(dict(terms.options)), terms.seed, pairing.deal)
    return (*map(str, which), pairing.mr_x.name, pairing.detectives.name)


def _is_blank(row: list[str]) -> bool:
    return len(row) < 2 and not "".join(row).strip()


def _append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
