"""Read a journal's entries strictly, apply them to a game, and find where each game begins and ends.

A seal proves that an entry is unchanged, not that it is valid. Reading an invalid entry raises `BadEntry`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from firmware_host.config.person_names import BadNames, read_name
from firmware_host.journal.store_port import DamagedJournal, Row, Store
from firmware_host.rules.actions import from_record
from firmware_host.rules.errors import BadRecord, RulesError
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Box, Ground, Setup

BEGIN, PLAY, TAKE_BACK, FINISH, ABANDON = "begin", "play", "take_back", "finish", "abandon"
"""The kinds of entries."""

HOME: Mapping[str, Any] = {"home": True}
"""The record of a `TAKE_BACK` entry after which pawns may still be at the undone moves' destinations."""

LET_GO = "let_go"
"""A further kind of entry, always the first of its file. It stands for games that were removed."""

_KINDS = {BEGIN, PLAY, TAKE_BACK, FINISH, ABANDON}

LATEST = 253_402_300_800.0
"""The end of the year 9999, the latest possible date, in seconds of the Unix epoch."""

_MOST = 1 << 53  # entries; adding one stays far below what SQLite can count


class BadEntry(ValueError):
    """An invalid entry. The message continues "entry 7 …" and quotes nothing secret."""


@dataclass(frozen=True, slots=True)
class LetGo:
    """A journal's record of the games that were removed from it.

    Attributes:
        games: how many games were removed.
        seal: the seal of their last entry.
    """

    games: int
    seal: str


def check_entry(at: float, kind: str, text: str) -> None:
    """Check an entry's time, kind and record."""
    check_time(at)
    if kind not in _KINDS:
        raise BadEntry(f"is of an unknown kind; kinds are {', '.join(sorted(_KINDS))}")
    parse_record(text)


def check_time(at: float) -> None:
    """Check that a time is between the years 1970 and 9999."""
    if not 0 <= at < LATEST:
        raise BadEntry("has a time that is not between the years 1970 and 9999")


def parse_record(text: str) -> dict[str, Any]:
    """Parse the JSON record of an entry.

    Raises:
        BadEntry: it is not a JSON object, or contains invalid text or numbers.
    """
    try:
        record = json.loads(text, parse_constant=_refuse)
        if "\\" in text:
            json.dumps(record, ensure_ascii=False).encode()  # half of a surrogate pair is not valid text
    except (ValueError, RecursionError):
        raise BadEntry("has a record that is not valid JSON") from None
    if not isinstance(record, dict):
        raise BadEntry("has a record that is not a JSON object")
    return record


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def parse_let_go(seq: int, at: float, text: str) -> LetGo:
    """Parse the entry that a journal keeps in place of removed games. `seq` is the entry's number.

    Raises:
        BadEntry: the entry is invalid.
    """
    check_time(at)
    record = parse_record(text)
    games, seal = record.get("games"), record.get("seal")
    if type(games) is not int or type(seal) is not str or not 0 <= games <= seq < _MOST:
        raise BadEntry("must have the number of removed games and their last seal")
    return LetGo(games, seal)


def seal_entry(before: str, seq: int, at: float, kind: str, text: str) -> str:
    """Return an entry's seal: a hash of its content and of the seal before it."""
    return hashlib.sha256("\n".join((before, str(seq), repr(at), kind, text)).encode()).hexdigest()


def setup_record(setup: Setup, seats: Mapping[str, str], names: Mapping[str, str]) -> dict[str, Any]:
    """Return the record of a game's start. `seats` and `names` are omitted if they are empty."""
    further = {"seats": dict(seats), "names": dict(names)}
    return {**setup.to_record(), **{key: said for key, said in further.items() if said}}


def seats_of(record: Mapping[str, Any]) -> Mapping[str, str]:
    """Return which computer plays each seat, from the record of a game's start.

    Raises:
        BadEntry: the record has no valid seats.
    """
    seats = record.get("seats", {})
    if not isinstance(seats, dict) or any(type(player) is not str for player in seats.values()):
        raise BadEntry("has seats that are not an object of texts")
    return seats


def names_of(record: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the name of the person in each seat, from the record of a game's start.

    Invalid names are omitted, so that the game stays readable: which letters are valid depends on Python's version.
    """
    names = record.get("names")
    return {seat: name for seat, name in names.items() if _is_name(seat, name)} if isinstance(names, dict) else {}


def _is_name(seat: str, name: object) -> bool:
    try:
        return name != "" and read_name(seat, name) == name
    except BadNames:
        return False


def begin_game(record: Mapping[str, Any], box: Box, ground: Ground) -> Game:
    """Begin a game as recorded.

    Raises:
        BadEntry: the game was played by other rules or on another map, or no game can begin like that.
    """
    try:
        return Game(Setup.from_record(record, box, ground))
    except BadRecord as error:
        raise BadEntry(f"cannot be replayed: {error}") from None
    except RulesError:
        raise BadEntry("cannot be replayed: these rules on this map allow no such start") from None


def apply_entry(game: Game, kind: str, record: Mapping[str, Any]) -> None:
    """Apply an entry to a game: play its action, or take one back.

    Raises:
        BadEntry: the record is invalid, or the action is not possible now; nothing has changed.
    """
    if kind == TAKE_BACK and record not in ({}, HOME):
        raise BadEntry('cannot be replayed: the record of a move taken back must be {} or {"home": true}')
    try:
        if kind == TAKE_BACK:
            game.take_back()
        else:
            game.play(from_record(record))
    except BadRecord:
        raise BadEntry("cannot be replayed: its record is not an action") from None
    except RulesError as error:
        why = str(error) if kind == TAKE_BACK else "its action is not legal at that point of the game"
        raise BadEntry(f"cannot be replayed: {why}") from None


def replay_entry(game: Game | None, kind: str, text: str, boxes: Sequence[Box], ground: Ground) -> Game:
    """Return the game after one more entry. A game's first entry is its setup.

    Raises:
        BadEntry: the entry is invalid at this point.
    """
    record = parse_record(text)
    if game is None:
        named = [box for box in boxes if box.name == record.get("rules")] or boxes
        box = next((box for box in named if box.digest == record.get("box")), named[0])
        return begin_game(record, box, ground)
    apply_entry(game, kind, record)
    return game


Beginning = tuple[int, str]
"""The number of a game's first entry, and the seal before it."""


class EntryChain:
    """An index of a journal's entries: their last seal, and where each game begins and ends.

    Attributes:
        seq: the number of the last entry; 0 if there is none.
        seal: the last entry's seal.
        let_go: how many of the oldest games were removed.
        begun: the beginning of each stored game, the oldest first.
        finished: number of a finished game -> its first and last entry.
        in_play: whether the newest game is neither finished nor given up.
    """

    def __init__(self) -> None:
        self.seq = 0
        self.seal = ""
        self.let_go = 0
        self.begun: list[Beginning] = []
        self.finished: dict[int, tuple[int, int]] = {}
        self.in_play = False

    @classmethod
    def of(cls, store: Store) -> EntryChain:
        """Read all entries of a store.

        Raises:
            DamagedJournal: an entry is missing, invalid, or was changed after it was written.
            JournalError: the entries cannot be read.
        """
        chain = cls()
        for row in store.rows():
            chain._verify(row, store.name)
        return chain

    @property
    def newest(self) -> int:
        """The number of the newest game, counted from 1, or 0 if there is no game."""
        return self.let_go + len(self.begun)

    @property
    def newest_span(self) -> tuple[int, int] | None:
        """The first and the last entry of the newest game, or None if there is no game."""
        return (self.begun[-1][0], self.seq) if self.begun else None

    def take_in(self, seq: int, kind: str, seal: str) -> None:
        """Add a newly stored entry."""
        if kind == BEGIN:
            self.begun.append((seq, self.seal))
            self.in_play = True
        elif kind in (FINISH, ABANDON):
            if kind == FINISH and self.in_play:
                self.finished[self.newest] = (self.begun[-1][0], seq)
            self.in_play = False
        self.seq, self.seal = seq, seal

    def oldest_to_keep(self, keep_games: int | None) -> Beginning | None:
        """Return the first entry of the oldest game to keep when another begins, or None to keep all games."""
        return None if keep_games is None or len(self.begun) < keep_games else self.begun[1 - keep_games]

    def entry_before(self, oldest: Beginning, at: float) -> Row:
        """Create the entry that replaces all entries before a game's first entry."""
        seq, seal = oldest[0] - 1, oldest[1]
        text = json.dumps({"games": self.let_go + self.begun.index(oldest), "seal": seal}, separators=(",", ":"))
        return seq, at, LET_GO, text, seal_entry("", seq, at, LET_GO, text)

    def forget_before(self, oldest: Beginning) -> None:
        """Forget the games before a game's first entry."""
        gone = self.begun.index(oldest)
        self.let_go += gone
        del self.begun[:gone]
        self.finished = {number: span for number, span in self.finished.items() if number > self.let_go}

    def _verify(self, row: Row, name: str) -> None:
        """Check that an entry follows the one before it, and add it."""
        seq, at, kind, text, seal = row
        is_let_go = kind == LET_GO and self.seq == 0
        if seq != self.seq + 1 and not is_let_go:
            raise DamagedJournal(f"journal {name}: is damaged: entry {self.seq + 1} is missing")
        if seal != seal_entry(self.seal, seq, at, kind, text):
            raise DamagedJournal(f"journal {name}: is damaged: entry {seq} was changed after it was written")
        try:
            if is_let_go:
                gone = parse_let_go(seq, at, text)
                self.seq, self.seal, self.let_go = seq, gone.seal, gone.games
            else:
                check_entry(at, kind, text)
                self.take_in(seq, kind, seal)
        except BadEntry as error:
            raise DamagedJournal(f"journal {name}: is damaged: entry {seq} {error}") from error
