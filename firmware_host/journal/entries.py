"""Read one entry of a journal strictly, and bring a game one entry further. Nothing is quoted but names.

A seal says that an entry is as it was written, not that it makes sense. Whatever it is, it is good or a `BadEntry`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from firmware_host.players.person_names import BadNames, read_name
from firmware_host.rules.actions import from_record
from firmware_host.rules.errors import BadRecord, RulesError
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Box, Ground, Setup

BEGIN, PLAY, TAKE_BACK, FINISH, ABANDON = "begin", "play", "take_back", "finish", "abandon"
"""The kinds of entries."""

HOME: Mapping[str, Any] = {"home": True}
"""What an entry of `TAKE_BACK` may tell: pawns may still stand where moves that were taken back have brought them."""

LET_GO = "let_go"
"""One more kind, only ever the first of a file: games that are here no more."""

_KINDS = {BEGIN, PLAY, TAKE_BACK, FINISH, ABANDON}

LATEST = 253_402_300_800.0
"""Seconds of the Unix epoch up to which there are dates: the end of the year 9999."""

_MOST = 1 << 53  # entries; whoever adds one comes nowhere near what SQLite can count


class BadEntry(ValueError):
    """An entry that makes no sense; the message goes on from "entry 7 …" and quotes nothing secret."""


@dataclass(frozen=True, slots=True)
class LetGo:
    """What a file says of games that are here no more.

    Attributes:
        games: how many there were.
        seal: that of the last of their entries.
    """

    games: int
    seal: str


def check_entry(at: float, kind: str, text: str) -> None:
    """Check the time, kind and record of an entry; what is wrong with them is a `BadEntry`."""
    check_time(at)
    if kind not in _KINDS:
        raise BadEntry("is of no kind that is known")
    parse_record(text)


def check_time(at: float) -> None:
    """Check that a time is between the years 1970 and 9999; if not, it is a `BadEntry`."""
    if not 0 <= at < LATEST:
        raise BadEntry("has a time that is not between the years 1970 and 9999")


def parse_record(text: str) -> dict[str, Any]:
    """Parse an entry's record.

    Raises:
        BadEntry: it is no JSON object, or holds what is no text or no number.
    """
    try:
        record = json.loads(text, parse_constant=_refuse)
        if "\\" in text:
            json.dumps(record, ensure_ascii=False).encode()  # half of a pair of surrogates is no text
    except (ValueError, RecursionError):
        raise BadEntry("holds no record that can be read") from None
    if not isinstance(record, dict):
        raise BadEntry("holds no record")
    return record


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def parse_let_go(seq: int, at: float, text: str) -> LetGo:
    """Parse what the first entry of a file says of those that are here no more; `seq` is its own number.

    Raises:
        BadEntry: it makes no sense.
    """
    check_time(at)
    record = parse_record(text)
    games, seal = record.get("games"), record.get("seal")
    if type(games) is not int or type(seal) is not str or not 0 <= games <= seq < _MOST:
        raise BadEntry("does not tell how many games are here no more")
    return LetGo(games, seal)


def seal_entry(before: str, seq: int, at: float, kind: str, text: str) -> str:
    """Seal an entry: return a hash of everything in it and of the seal before it."""
    return hashlib.sha256("\n".join((before, str(seq), repr(at), kind, text)).encode()).hexdigest()


def setup_record(setup: Setup, seats: Mapping[str, str], names: Mapping[str, str]) -> dict[str, Any]:
    """Return the record with which a game begins. It says nothing of seats or names where there are none."""
    further = {"seats": dict(seats), "names": dict(names)}
    return {**setup.to_record(), **{key: said for key, said in further.items() if said}}


def seats_of(record: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the seats that computers play in the game that begins with a record -> who plays there.

    Raises:
        BadEntry: that is no such thing.
    """
    seats = record.get("seats", {})
    if not isinstance(seats, dict) or any(type(player) is not str for player in seats.values()):
        raise BadEntry("does not tell who sits where")
    return seats


def names_of(record: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the seats of people with a name in the game that begins with a record -> what they are called.

    What is no name is left out: no game is lost for it. Which letters are known depends on Python's version.
    """
    names = record.get("names")
    return {seat: name for seat, name in names.items() if _is_name(seat, name)} if isinstance(names, dict) else {}


def _is_name(seat: str, name: object) -> bool:
    try:
        return name != "" and read_name(seat, name) == name
    except BadNames:
        return False


def begin_game(record: Mapping[str, Any], box: Box, ground: Ground) -> Game:
    """Begin the game that a setup was written of.

    Raises:
        BadEntry: it was played by other rules or on another map, or no game can begin like that.
    """
    try:
        return Game(Setup.from_record(record, box, ground))
    except BadRecord as error:
        raise BadEntry(f"does not replay: {error}") from None
    except RulesError:
        raise BadEntry("does not replay: no game begins like that here") from None


def apply_entry(game: Game, kind: str, record: Mapping[str, Any]) -> None:
    """Play or take back as one entry says.

    Raises:
        BadEntry: that cannot be done now; nothing has changed.
    """
    if kind == TAKE_BACK and record not in ({}, HOME):
        raise BadEntry("does not replay: it says more than that a move is taken back")
    try:
        if kind == TAKE_BACK:
            game.take_back()
        else:
            game.play(from_record(record))
    except BadRecord:
        raise BadEntry("does not replay: it is no action") from None
    except RulesError as error:
        why = str(error) if kind == TAKE_BACK else "its action is not legal there"
        raise BadEntry(f"does not replay: {why}") from None


def replay_entry(game: Game | None, kind: str, text: str, boxes: Sequence[Box], ground: Ground) -> Game:
    """Return the game one entry later; the first entry is its setup.

    Raises:
        BadEntry: it makes no sense there.
    """
    record = parse_record(text)
    if game is None:
        named = [box for box in boxes if box.name == record.get("rules")] or boxes
        box = next((box for box in named if box.digest == record.get("box")), named[0])
        return begin_game(record, box, ground)
    apply_entry(game, kind, record)
    return game
