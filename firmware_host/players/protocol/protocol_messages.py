"""Define the messages of the player protocol, version 1: one JSON object a line, begun by the table.

See docs/players.md. Both sides use these records. Unknown fields are ignored, and missing optional fields take their
default, so that tables and players of other makers fit. A field that is `UNSET` is not written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from firmware_host.players.player_errors import PlayerError
from firmware_host.players.player_port import Clock, Role
from firmware_host.rules.setup import Option
from firmware_host.system.orders import plain_fault

VERSION = 1
"""The protocol version."""

LONGEST_ANSWER = 64 * 1024
"""The most bytes in a player's line."""

LONGEST_QUESTION = 1024 * 1024
"""The most bytes in a table's line: maps are long."""

T = TypeVar("T")

Record = dict[str, Any]

Milliseconds = Annotated[int, Meta(ge=0, le=3_600_000)]
Count = Annotated[int, Meta(ge=0, le=1000)]
Windows = Annotated[int, Meta(ge=1, le=1000)]
Hand = tuple[Count, Count, Count]


class BadLine(PlayerError):
    """The error that a line violates the protocol. The message quotes nothing secret from the line."""


class Rules(Struct, frozen=True, kw_only=True):
    """The rules of the game.

    Attributes:
        game: the kind of game: "pursuit", "dice" or "junior".
        edition: the box, such as "classic".
        detectives: how many detective pawns.
        pawns: the detective pawns, in playing order.
        order: "fixed", or "free" if several pawns may move in any order.
        groups: the pawns that may move in any order among each other, group after group.
        owners: pawn -> the player (from 1) who moves it.
        windows: the windows of Mister X's log.
        surfacing: the windows at which he shows himself.
        x_fares: "unlimited", or "counted" if he can spend only the tickets he has.
        last_chance: whether the detectives still move when the log is full.
        fares: "tickets", or "none" if no tickets are paid.
        rounds: the number of rounds after which the game is over; None: when the log is full.
        in_sight: whether he is visible except after hidden moves.
        hand: a detective's taxi, bus and underground tickets at the start; 0 of each if nothing is paid.
        mr_x_hand: the same for Mister X; None if he pays from an unlimited common pile.
        blacks: his black tickets at the start; None: one for each detective pawn.
        doubles: his double moves at the start.
        bobbies: the pawns that pay no tickets and have none; each of their moves has the ticket "free".
        mr_x_cards: the start cards from which Mister X draws.
        options: all options by name, with their values in this game.
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
    """The map or tiles in play.

    Attributes:
        name: the map's short name.
        stations: the numbers of the stations.
        links: the two stations and the transport of each link.
        via: each link that passes stations: its two stations, its transport, and the stations passed, from its first
            end.
        starts: pawn's colour -> its marked start; empty if none are marked.
        tiles: the layout of the tiles; only in games on tiles.
    """

    name: str = ""
    stations: tuple[int, ...]
    links: tuple[tuple[int, int, str], ...]
    via: tuple[tuple[int, int, str, tuple[int, ...]], ...] = ()
    starts: dict[str, int] = {}
    tiles: Record | UnsetType = UNSET


class Hello(Struct, frozen=True, tag_field="cmd", tag="hello"):
    """The table's request that the player identify itself."""

    protocol: int = VERSION


class NewGameMessage(Struct, frozen=True, kw_only=True, tag_field="cmd", tag="new_game"):
    """The table's message that a game starts. See `firmware_host.players.player_port.NewGame`.

    Attributes:
        role: "mr_x" or "detectives".
        seat: the pawns that the player moves.
        seed: the seed of the player's random choices.
        ms: milliseconds for each answer; 0: as many as its level has.
        clock: "cpu" for milliseconds of processor time, "wall" for wall-clock time.
        level: how well to play; "" for as well as possible.
        start: the pawns that everyone sees before the first move -> their stations.
        cards: all start cards, the detectives' and Mister X's.
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
    """Mister X's remaining tickets and, only for Mister X's player, his station and his route from the start."""

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
    """The table's message that describes a whole position.

    Attributes:
        role: "mr_x" or "detectives".
        round: counted from 1; 0 while the starts of the dice game are chosen.
        turn: who may move.
        start: pawn -> station before the first move.
        pawns: the detective pawns on the board.
        mr_x: Mister X's remaining tickets and, for his player only, his station and route.
        log: the filled windows.
        events: everything that happened, in order.
        legal: the legal answers.
        double: the half of a double move that Mister X is in: 0 none, 1 or 2.
        giving: the pawns from which he has yet to take a ticket.
        may_double: whether he may make a double move; for his player only.
        shows: whether he will be seen after his next move; for his player only.
        actor: the pawn of his that is to move; for his player only.
        view: everything that is public; for games other than pursuit games.
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
    """The table's request for an answer within `ms` milliseconds. 0 means the level's own time."""

    ms: Milliseconds = 500


class Over(Struct, frozen=True, tag_field="cmd", tag="over"):
    """The table's message that a game has ended."""

    winner: str = ""
    reason: str = ""


class Hint(Struct, frozen=True, tag_field="cmd", tag="hint"):
    """The table's question to the coach about the last position. Only yardboard's own coach receives it.

    Attributes:
        advice: whether to suggest a move, too.
    """

    advice: bool = False


class ReviewMessage(Struct, frozen=True, kw_only=True, tag_field="cmd", tag="review"):
    """The table's request to the coach to review the last position and the action after it in a finished game.

    Only our own analysis of finished games sends it, to our own program.

    Attributes:
        done: the action that followed.
        mr_x: Mister X's station before it.
        shows: whether he had announced that he will surface.
    """

    done: Record
    mr_x: int
    shows: bool = False


class Quit(Struct, frozen=True, tag_field="cmd", tag="quit"):
    """The table's request that the player end."""


class _Command(Struct, frozen=True):
    """The command of a line, even if the rest of the line is unreadable."""

    cmd: str


Question = Hello | NewGameMessage | PositionMessage | Go | Hint | ReviewMessage | Over | Quit
"""Everything that a table sends."""


class Ready(Struct, frozen=True, kw_only=True):
    """A player's answer to `hello`, `new_game` and `over`, and to each line that it refuses.

    Attributes:
        ok: whether the player goes on.
        error: why it does not go on.
        name: the player's name; only in the answer to `hello`, like the fields below.
        roles: the roles that the player knows; empty for both.
        games: the boxes that the player knows; empty for any.
        levels: the levels that the player knows.
    """

    ok: bool
    error: str | UnsetType = UNSET
    name: str | UnsetType = UNSET
    roles: tuple[str, ...] | UnsetType = UNSET
    games: tuple[str, ...] | UnsetType = UNSET
    levels: tuple[str, ...] | UnsetType = UNSET


class Move(Struct, frozen=True, kw_only=True):
    """A player's answer to `go`: an action in `move`, or both halves of a double move in `double`."""

    move: Record | UnsetType = UNSET
    double: tuple[Record, Record] | UnsetType = UNSET


class CoachAnswer(Struct, frozen=True, kw_only=True):
    """The coach's answer to `hint` or `review`, or `ok` = false and the reason in `error`.

    Attributes:
        stations: Mister X's possible stations -> their probability.
        move: the suggested move, if it was asked for and there is one; with its `kind` in the answer to `review`.
        chance: the detectives' probability of winning; only in the answer to `review`, like the next field.
        cost: how much less likely the acting side wins than with the suggested move.
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
_COACH_ANSWER = msgspec.json.Decoder(CoachAnswer)


def line(*records: Struct) -> bytes:
    """Encode records as lines, each with its line end."""
    return b"".join(_encoder.encode(record) + b"\n" for record in records)


def read_question(said: bytes) -> Question:
    """Decode a line from a table.

    Raises:
        BadLine: the line is not valid JSON, or not a message that this version knows.
    """
    try:
        return _QUESTION.decode(said)
    except msgspec.ValidationError as error:
        raise BadLine(_fault_in(said, str(error))) from None
    except msgspec.DecodeError as error:  # it names a byte, and never a value
        why = str(error).removeprefix("JSON is malformed: ")
        raise BadLine(f"the line is not valid JSON: {why}; write one JSON object on each line") from None
    except (msgspec.MsgspecError, ValueError, RecursionError):  # text that is not UTF-8 raises ValueError
        raise BadLine("the line is not valid JSON; write one JSON object on each line") from None


def _fault_in(said: bytes, error: str) -> str:
    """Return the place of a mistake in a line from the table, what is wrong, and what would be right.

    Do not use it for a player's line: an error about a double move would reveal that Mister X doubles. The message
    quotes command words, but no values.
    """
    where, what = plain_fault(error)
    command, commands = command_of(said), ", ".join(str(kind.__struct_config__.tag) for kind in get_args(Question))
    if re.fullmatch("[a-z_]{1,24}", command) and where == "cmd":
        return f'unknown command "{command}"; commands are {commands}'
    if where == "cmd" or not command:
        fault = '"cmd" is an unknown command' if command else '"cmd" is missing or not a text'
        return f"{'a line is one JSON object' if 'object' in what else fault}; commands are {commands}"
    if what.startswith("Invalid"):
        words = _words_at(command, where)
        what = f"unknown word; words are {', '.join(words)}" if words else "unknown word"
    right = ""
    if missing := re.fullmatch(r'"(\w+)" is missing', what):
        words = _words_at(command, f"{where}.{missing[1]}".lstrip("."))
        right = f"; write one of {', '.join(words)}" if words else "; docs/players.md describes every field"
    return f"{command}: {where.replace('[...]', '.NAME')}{': ' * bool(where)}{what}{right}"


def _words_at(command: str, where: str) -> list[str]:
    """Return the words that a field of a command may have, such as "role" of new_game. Empty if any are allowed."""
    kind: Any = next((kind for kind in get_args(Question) if kind.__struct_config__.tag == command), None)
    for name in where.split("."):
        kind = get_type_hints(kind).get(name) if isinstance(kind, type) else None
    literals = [part for part in (kind, *get_args(kind)) if get_origin(part) is Literal]
    return [str(word) for part in literals for word in get_args(part)]


def command_of(said: bytes) -> str:
    """Return the command of a line, such as "position", even if the rest is unreadable. "" if it has none."""
    try:
        return _read(_COMMAND, said).cmd
    except BadLine:
        return ""


def read_ready(said: bytes) -> Ready:
    """Decode a player's answer to `hello`, `new_game` or `over`.

    Raises:
        BadLine: the line is not such an answer.
    """
    return _read(_READY, said)


def read_move(said: bytes) -> Move:
    """Decode a player's answer to `go`.

    Raises:
        BadLine: the line is not such an answer, or not exactly one of a move and a double move.
    """
    answer = _read(_MOVE, said)
    if (answer.move is UNSET) == (answer.double is UNSET):
        raise BadLine('the answer must have one move; write {"move": …} or {"double": [… , …]}')
    return answer


def read_coach_answer(said: bytes) -> CoachAnswer:
    """Decode the coach's answer to `hint` or `review`.

    Raises:
        BadLine: the line is not such an answer.
    """
    return _read(_COACH_ANSWER, said)


def _read(decoder: msgspec.json.Decoder[T], said: bytes) -> T:
    try:
        return decoder.decode(said)
    except (msgspec.MsgspecError, ValueError, RecursionError):  # text that is not UTF-8 raises ValueError
        raise BadLine("the line is not a message of the protocol; write one JSON object with its fields") from None


def listed(words: Sequence[str] | UnsetType) -> tuple[str, ...]:
    """Return a tuple of the words in a list that may be UNSET."""
    return () if words is UNSET else tuple(words)
