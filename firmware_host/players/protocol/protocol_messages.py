"""Define the player protocol, version 1: one JSON object a line; the table speaks first (docs/players.md).

Both sides use these records. What is unknown in a line is passed over, what is left out has its default, so that tables
and players of other makers fit. What is `UNSET` does not stand in a line at all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, TypeVar, get_args

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from firmware_host.players.player_errors import PlayerError
from firmware_host.players.player_port import Clock, Role
from firmware_host.rules.setup import Option
from firmware_host.system.orders import plain_fault

VERSION = 1
"""The version of the protocol."""

LONGEST_ANSWER = 64 * 1024
"""Bytes that a player's line may have."""

LONGEST_QUESTION = 1024 * 1024
"""Bytes that a table's line may have: maps are long."""

T = TypeVar("T")

Record = dict[str, Any]

Milliseconds = Annotated[int, Meta(ge=0, le=3_600_000)]
Count = Annotated[int, Meta(ge=0, le=1000)]
Windows = Annotated[int, Meta(ge=1, le=1000)]
Hand = tuple[Count, Count, Count]


class BadLine(PlayerError):
    """A line is none of the protocol; the message quotes nothing of it."""


class Rules(Struct, frozen=True, kw_only=True):
    """What is played.

    Attributes:
        game: the kind of game: "pursuit", "dice" or "junior".
        edition: the box, such as "classic".
        detectives: how many detective pawns.
        pawns: the detective pawns, in playing order.
        order: "fixed", or "free" if several pawns may move in any order.
        groups: the pawns that may move in any order among each other, group after group.
        owners: pawn -> the player (from 1) who moves it.
        windows: the windows of Mister X's log.
        surfacing: those at which he shows himself.
        x_fares: "unlimited", or "counted" if he can spend what he has alone.
        last_chance: whether the detectives still move when the log is full.
        fares: "tickets", or "none" if no tickets are paid.
        rounds: after how many rounds the game is over; None: when the log is full.
        in_sight: whether he is in the open but for single moves.
        hand: taxi, bus and underground tickets that a detective begins with; none where nothing is paid.
        mr_x_hand: the same of Mister X; None if he pays from a common pile, uncounted.
        blacks: the black tickets that he begins with; None: one for each detective pawn.
        doubles: the double moves that he begins with.
        bobbies: the pawns that pay no tickets and have none; each of their moves has the ticket "free".
        mr_x_cards: the start cards that Mister X's is one of.
        options: what the players have chosen, the rest as the box says.
        box: the whole box as JSON; for games other than pursuit games.
    """

    game: str = "pursuit"
    edition: str
    detectives: Count = 0
    pawns: tuple[str, ...]
    order: str = "fixed"
    groups: tuple[tuple[str, ...], ...] = ()
    owners: dict[str, int] = {}
    windows: Windows = 24
    surfacing: tuple[int, ...] = (3, 8, 13, 18)
    x_fares: str = "unlimited"
    last_chance: bool = False
    fares: str = "tickets"
    rounds: Windows | None = None
    in_sight: bool = False
    voluntary_surfacing: bool = False
    cut_off: bool = False
    uncover_half: bool = False
    hand: Hand = (10, 8, 4)
    mr_x_hand: Hand | None = (4, 3, 3)
    blacks: Count | None = None
    doubles: Count = 2
    bobbies: tuple[str, ...] = ()
    mr_x_cards: tuple[int, ...] = ()
    options: dict[str, Option] = {}
    box: Record | UnsetType = UNSET


class Map(Struct, frozen=True, kw_only=True):
    """What is played on.

    Attributes:
        name: its short name.
        stations: their numbers.
        links: the two stations and the transport of each.
        via: the same, and the stations that the line passes, from the first on; only links that pass any.
        starts: pawn's colour -> its marked start; empty where none are marked.
        tiles: how tiles lie; only where tiles are played on.
    """

    name: str = ""
    stations: tuple[int, ...]
    links: tuple[tuple[int, int, str], ...]
    via: tuple[tuple[int, int, str, tuple[int, ...]], ...] = ()
    starts: dict[str, int] = {}
    tiles: Record | UnsetType = UNSET


class Hello(Struct, frozen=True, tag_field="cmd", tag="hello"):
    """The table asks who is there."""

    protocol: int = VERSION


class NewGameMessage(Struct, frozen=True, kw_only=True, tag_field="cmd", tag="new_game"):
    """A game begins; see `firmware_host.players.player_port.NewGame`.

    Attributes:
        role: "mr_x" or "detectives".
        seat: the pawns that the player moves.
        seed: of all its chance.
        ms: milliseconds for each answer; 0: as many as its level has.
        clock: "cpu" if they are milliseconds of processor time, "wall" if they are those of the clock on the wall.
        level: how well it shall play; "" for as well as it can.
        start: the pawns that everyone sees before the first move -> their stations.
        cards: the start cards of all.
    """

    role: Role
    seat: tuple[str, ...] = ()
    seed: int = 0
    ms: Milliseconds = 500
    clock: Clock = "cpu"
    level: str = ""
    rules: Rules
    start: dict[str, int] = {}
    cards: tuple[int, ...] = ()
    map: Map


class Pawn(Struct, frozen=True):
    """A detective pawn: its station, and its tickets if any are paid."""

    at: int
    taxi: int | UnsetType = UNSET
    bus: int | UnsetType = UNSET
    underground: int | UnsetType = UNSET


class MrX(Struct, frozen=True, kw_only=True):
    """What Mister X has left; and, for his player alone, his station and his route, the start first."""

    taxi: int | UnsetType = UNSET
    bus: int | UnsetType = UNSET
    underground: int | UnsetType = UNSET
    black: int = 0
    double: int = 0
    at: int | UnsetType | None = UNSET
    route: tuple[int, ...] | UnsetType = UNSET


class Window(Struct, frozen=True):
    """One window of the log."""

    ticket: str
    station: int | None = None
    double: int = 0


class PositionMessage(Struct, frozen=True, kw_only=True, tag_field="cmd", tag="position"):
    """Where a game stands, whole.

    Attributes:
        role: "mr_x" or "detectives".
        round: counted from 1.
        turn: who may move.
        start: pawn -> station before the first move.
        pawns: the detective pawns on the board.
        mr_x: what Mister X has left.
        log: the windows filled.
        events: all that happened, in order.
        legal: what may be answered.
        double: the half of a double move that Mister X is in: 0 none, 1 or 2.
        giving: the pawns from which he has yet to take a ticket.
        may_double: whether he may make a double move; for his player alone.
        shows: whether he will be seen after his next move; for his player alone.
        actor: the pawn of his that is to move; for his player alone.
        view: all that everyone may know; for games other than pursuit games.
    """

    role: Role
    round: int = 1
    turn: tuple[str, ...] = ()
    start: dict[str, int] = {}
    pawns: dict[str, Pawn]
    mr_x: MrX = MrX()
    log: tuple[Window, ...] = ()
    events: tuple[Record, ...] = ()
    legal: tuple[Record, ...] = ()
    double: int = 0
    giving: tuple[str, ...] = ()
    may_double: bool | UnsetType = UNSET
    shows: bool | UnsetType = UNSET
    actor: str | UnsetType = UNSET
    view: Record | UnsetType = UNSET


class Go(Struct, frozen=True, tag_field="cmd", tag="go"):
    """The player is to answer the last position within so many milliseconds; 0: as many as its level has."""

    ms: Milliseconds = 500


class Over(Struct, frozen=True, tag_field="cmd", tag="over"):
    """A game is over."""

    winner: str = ""
    reason: str = ""


class Hint(Struct, frozen=True, tag_field="cmd", tag="hint"):
    """The coach is to say what it knows of the last position: our own table asks our own program alone.

    Attributes:
        advice: whether it shall say what to do, too.
    """

    advice: bool = False


class ReviewMessage(Struct, frozen=True, kw_only=True, tag_field="cmd", tag="review"):
    """The coach is to say what it makes of the last position and of what was done next, in a game that is over.

    Our own analysis of finished games asks our own program alone.

    Attributes:
        done: the action that was done next.
        mr_x: Mister X's station before it.
        shows: whether he had announced that he will show himself.
    """

    done: Record
    mr_x: int
    shows: bool = False


class Quit(Struct, frozen=True, tag_field="cmd", tag="quit"):
    """The player is to end."""


class _Command(Struct, frozen=True):
    """What a line is meant to be."""

    cmd: str


Question = Hello | NewGameMessage | PositionMessage | Go | Hint | ReviewMessage | Over | Quit
"""All that a table says."""


class Ready(Struct, frozen=True, kw_only=True):
    """A player's answer to `hello`, `new_game` and `over`.

    Attributes:
        ok: whether it plays on.
        error: why not.
        name: what it is called; to `hello` alone, as are the rest.
        roles: the roles that it plays; empty: both.
        games: the boxes that it plays; empty: any.
        levels: the levels that it knows.
    """

    ok: bool
    error: str | UnsetType = UNSET
    name: str | UnsetType = UNSET
    roles: tuple[str, ...] | UnsetType = UNSET
    games: tuple[str, ...] | UnsetType = UNSET
    levels: tuple[str, ...] | UnsetType = UNSET


class Move(Struct, frozen=True, kw_only=True):
    """A player's answer to `go`: one of these, or `ok` and why there is none."""

    move: Record | UnsetType = UNSET
    double: tuple[Record, Record] | UnsetType = UNSET
    ok: bool | UnsetType = UNSET
    error: str | UnsetType = UNSET


class Told(Struct, frozen=True, kw_only=True):
    """The coach's answer to `hint` or `review`, or `ok` and why there is none.

    Attributes:
        stations: where Mister X may be -> how likely.
        move: what it would do, if that was asked and there is something; to `review` with its `kind`.
        chance: how likely the detectives were to win; to `review` alone, as is the next.
        cost: by how much less likely whoever acted wins than by the move.
    """

    stations: dict[int, float] = {}
    move: Record | UnsetType = UNSET
    chance: float | UnsetType = UNSET
    cost: float | UnsetType = UNSET
    ok: bool = True
    error: str = ""


_encoder = msgspec.json.Encoder()
_QUESTION: msgspec.json.Decoder[Question] = msgspec.json.Decoder(Question)
_COMMAND = msgspec.json.Decoder(_Command)
_READY, _MOVE = msgspec.json.Decoder(Ready), msgspec.json.Decoder(Move)
_TOLD = msgspec.json.Decoder(Told)


def line(*records: Struct) -> bytes:
    """Return records as lines, each with its end."""
    return b"".join(_encoder.encode(record) + b"\n" for record in records)


def read_question(said: bytes) -> Question:
    """Return what a table says in a line.

    Raises:
        BadLine: nothing that this version knows.
    """
    try:
        return _QUESTION.decode(said)
    except msgspec.ValidationError as error:
        raise BadLine(_fault_in(said, str(error))) from None
    except (msgspec.MsgspecError, ValueError, RecursionError):  # a text that is no UTF-8 is a ValueError
        raise BadLine("a line is one JSON object, and this is not valid JSON") from None


def _fault_in(said: bytes, error: str) -> str:
    """Say where a table's line is wrong, what is wrong there, and what would be right.

    Never of a player's line: that Mister X's answer is wrong as a double move would show that he doubles. No value is
    repeated; the words of commands are none.
    """
    where, what = plain_fault(error)
    command, commands = command_of(said), ", ".join(str(kind.__struct_config__.tag) for kind in get_args(Question))
    if re.fullmatch("[a-z_]{1,24}", command) and where == "cmd":
        return f'unknown command "{command}"; commands are {commands}'
    if where == "cmd" or not command:
        fault = "a line is one JSON object" if "object" in what else '"cmd" is missing or no word'
        return f"{fault}; commands are {commands}"
    return f"{command}: {where}{': ' * bool(where)}{'unknown word' if what.startswith('Invalid') else what}"


def command_of(said: bytes) -> str:
    """Return what a line is meant to be, such as "position", whether or not it can be read as one; else ""."""
    try:
        return _read(_COMMAND, said).cmd
    except BadLine:
        return ""


def read_ready(said: bytes) -> Ready:
    """Return a player's answer to `hello`, `new_game` or `over`.

    Raises:
        BadLine: it is none.
    """
    return _read(_READY, said)


def read_move(said: bytes) -> Move:
    """Return a player's answer to `go`.

    Raises:
        BadLine: it is none, or not exactly one of a move and a double move.
    """
    answer = _read(_MOVE, said)
    if (answer.move is UNSET) == (answer.double is UNSET):
        raise BadLine('a move is {"move": …} or {"double": [… , …]}')
    return answer


def read_told(said: bytes) -> Told:
    """Return the coach's answer to `hint` or `review`.

    Raises:
        BadLine: it is none.
    """
    return _read(_TOLD, said)


def _read(decoder: msgspec.json.Decoder[T], said: bytes) -> T:
    try:
        return decoder.decode(said)
    except (msgspec.MsgspecError, ValueError, RecursionError):  # a text that is no UTF-8 is a ValueError
        raise BadLine("a line is one JSON object with the fields of the protocol") from None


def listed(words: Sequence[str] | UnsetType) -> tuple[str, ...]:
    """Return a list of words that may have been left out."""
    return () if words is UNSET else tuple(words)
