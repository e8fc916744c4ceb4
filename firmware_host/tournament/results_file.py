"""Keep the results of a tournament in a CSV file, a line a game, so that it can be gone on with."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path

from firmware_host.players.seats import DETECTIVES
from firmware_host.rules.actions import MR_X
from firmware_host.tournament.entrants import TournamentError
from firmware_host.tournament.one_game import Result
from firmware_host.tournament.pairings import Pairing, options_text

COLUMNS = (
    "rules", "players", "options", "seed", "deal", "mr_x", "detectives",
    "winner", "reason", "rounds", "mr_x_ms", "detectives_ms", "seconds", "version",
)  # fmt: skip
"""The columns. The first seven tell which game it was, the last by which yardboard it was played; times are of the
processor, the longest answer's of each side in milliseconds, a program's by the clock on the wall."""

_WHICH = 7
_HEAD = ",".join(COLUMNS) + "\n"


class ResultsFile:
    """A file of results. What is in it already is not played again.

    Args:
        path: the file; it is made if there is none.

    Attributes:
        results: the games of this tournament that were in the file.

    Raises:
        TournamentError: it is no file of results.
        OSError: it cannot be read or written.
    """

    def __init__(self, path: Path, games: list[Pairing]) -> None:
        self._path = path
        wanted = {_which(pairing): pairing for pairing in games}
        self.results = [
            self._result(wanted[key], row) for row in self._rows() if (key := tuple(row[:_WHICH])) in wanted
        ]  # fmt: skip

    def _rows(self) -> list[list[str]]:
        """Return the lines of the file, after mending it: a last line that is not whole is taken off."""
        try:
            text = self._path.read_text(encoding="utf-8") if self._path.exists() else ""
        except UnicodeDecodeError:
            raise TournamentError(f"{self._path}: is no file of results: it is not in UTF-8") from None
        whole = text[: text.rfind("\n") + 1]
        if whole and not whole.startswith(_HEAD):
            raise TournamentError(f"{self._path}: is no file of results: it does not begin with {_HEAD.strip()}")
        if not whole or whole != text:
            _write(self._path, whole or _HEAD, "w")
        try:
            rows = {tuple(row[:_WHICH]): row for row in list(csv.reader(io.StringIO(whole), strict=True))[1:]}
        except csv.Error as error:
            raise TournamentError(f"{self._path}: is no file of results: {error}") from None
        for row in rows.values():
            if len(row) != len(COLUMNS):
                raise TournamentError(f"{self._path}: a line has {len(row)} columns instead of {len(COLUMNS)}")
        return list(rows.values())

    def add(self, result: Result) -> None:
        """Write one more result; it is on the disk when this returns."""
        line = io.StringIO()
        values = (result.winner, result.reason, result.rounds, result.mr_x_ms, result.detectives_ms, result.seconds)
        csv.writer(line, lineterminator="\n").writerow([*_which(result.pairing), *values, result.version])
        _write(self._path, line.getvalue(), "a")

    def _result(self, pairing: Pairing, row: list[str]) -> Result:
        winner, reason, rounds, mr_x_ms, detectives_ms, seconds, version = row[_WHICH:]
        try:
            numbers = int(rounds), float(mr_x_ms), float(detectives_ms), float(seconds)
        except ValueError:
            numbers = None
        if numbers is None or winner not in (MR_X, DETECTIVES):
            right = f"a winner is {MR_X} or {DETECTIVES}, rounds are a whole number, and times are numbers"
            raise TournamentError(f"{self._path}: the line of {pairing}: {right}")
        return Result(pairing, winner, reason, *numbers, version)


def _which(pairing: Pairing) -> tuple[str, ...]:
    """Return the columns that tell games apart."""
    terms = pairing.terms
    which = (terms.rules, terms.players, options_text(dict(terms.options)), terms.seed, pairing.deal)
    return (*map(str, which), pairing.mr_x.name, pairing.detectives.name)


def _write(path: Path, text: str, mode: str) -> None:
    with path.open(mode, encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
