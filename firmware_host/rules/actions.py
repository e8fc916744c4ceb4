"""Define the actions of all games, each kind as a small frozen record.

The list of actions *is* the game: journal, replay and take-back all follow from it. Hidden stations and picks are
in a `Secret`, so printing an action does not reveal where Mister X went.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from firmware_host.rules.errors import BadRecord
from firmware_host.rules.secret import Secret

MR_X: Final = "mr_x"
MR_X_JUNIOR: Final = "mr_x_junior"
FUGITIVES = (MR_X, MR_X_JUNIOR)
"""The names of Mister X's pawn and, in the junior game, of his accomplice's pawn (JU-01)."""

DETECTIVES: Final = "detectives"
"""The name of the detectives' side in outcomes, roles and seats. The other side is `MR_X`."""

SIDES = (MR_X, DETECTIVES)
"""The two sides of a game."""

TAXI, BUS, UNDERGROUND, BLACK = TICKETS = ("taxi", "bus", "underground", "black")
"""The tickets, in the order in which a hand counts them."""

BOAT, FREE, HELICOPTER, START, STAY = ("boat", "free", "helicopter", "start", "stay")
"""Other ways to move.

A boat ticket (JU-02), no ticket at all (BE-03), the helicopter (DI-21), the choice of a start (DI-10), and staying in
place (JU-05, DI-14).
"""


@dataclass(frozen=True, slots=True)
class PawnMove:
    """A visible move: `pawn` goes to station `to` and pays with `ticket`."""

    pawn: str
    to: int
    ticket: str


@dataclass(frozen=True, slots=True)
class MrXMove:
    """Mister X's move to a secret station. The ticket is public."""

    to: Secret[int]
    ticket: str


@dataclass(frozen=True, slots=True)
class Double:
    """Mister X's announcement of a double move. Two `MrXMove` follow it (CL-13)."""


@dataclass(frozen=True, slots=True)
class Surface:
    """Mister X's announcement that he will surface voluntarily after his next move (US-10)."""


@dataclass(frozen=True, slots=True)
class Take:
    """Mister X's choice of a ticket from a detective pawn's pile, because he surfaced (US-10)."""

    pawn: str
    ticket: str


@dataclass(frozen=True, slots=True)
class Pass:
    """Mister X's pass in the dice game, because no die lets him move (DI-18)."""


@dataclass(frozen=True, slots=True)
class Commit:
    """The secret choice of a ticket, or of `STAY`, for Mister X or his accomplice (JU-04)."""

    pawn: str
    ticket: Secret[str]


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll of dice, with the face of each die (DI-13). Only this action brings chance into a game."""

    faces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RollAgain:
    """The detectives' use of a token to roll all unused dice again (DI-15)."""


Action = PawnMove | MrXMove | Double | Surface | Take | Pass | Commit | Roll | RollAgain
"""Every action that can be played."""


_PLAIN: dict[str, type[Double | Surface | Pass | RollAgain]] = {
    "double": Double,
    "surface": Surface,
    "pass": Pass,
    "roll_again": RollAgain,
}
"""The actions without fields."""


def to_record(action: Action) -> dict[str, Any]:
    """Convert an action to JSON values. Those of a `MrXMove` or `Commit` contain its secret."""
    match action:
        case PawnMove(pawn, to, ticket):
            return {"kind": "pawn", "pawn": pawn, "to": to, "ticket": ticket}
        case MrXMove(to, ticket):
            return {"kind": "move", "to": to.value, "ticket": ticket}
        case Take(pawn, ticket):
            return {"kind": "take", "pawn": pawn, "ticket": ticket}
        case Commit(pawn, chosen):
            return {"kind": "commit", "pawn": pawn, "ticket": chosen.value}
        case Roll(faces):
            return {"kind": "roll", "faces": list(faces)}
    return {"kind": next(kind for kind, plain in _PLAIN.items() if isinstance(action, plain))}


MR_X_KINDS = ("move", "double", "surface", "take", "pass", "commit")
"""The kinds of Mister X's actions, in their records."""

_FIELDS: dict[str, dict[str, type]] = {
    "pawn": {"pawn": str, "to": int, "ticket": str},
    "move": {"to": int, "ticket": str},
    "take": {"pawn": str, "ticket": str},
    "commit": {"pawn": str, "ticket": str},
    "roll": {"faces": list},
    **{kind: {} for kind in _PLAIN},
}


JSON_TYPES: Mapping[type, str] = {
    int: "a whole number",
    str: "a text",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}
"""Type -> its name in error messages about records."""

_LARGEST_SHOWN = 10**6  # a number that an error repeats is below it


def _kind_of(record: Mapping[str, Any], kinds: Collection[str]) -> str:
    """Return the kind of an action's record, which must be one of `kinds`.

    Raises:
        BadRecord: the kind is missing, not a text or not one of them.
    """
    if "kind" not in record:
        raise BadRecord(f'action: "kind" is missing; write one of {", ".join(kinds)}')
    kind = record["kind"]
    if not isinstance(kind, str):
        given = "null" if kind is None else JSON_TYPES.get(type(kind), "a number with a fraction")
        shown = kind if type(kind) is int and abs(kind) < _LARGEST_SHOWN else given
        raise BadRecord(f'action: "kind" must be a text in quotes, not {shown}; kinds are {", ".join(kinds)}')
    if kind not in kinds:
        named = f' "{kind}"' if re.fullmatch("[a-z_]{1,24}", kind) else ""
        raise BadRecord(f"action: unknown kind{named}; kinds are {', '.join(kinds)}")
    return kind


def from_record(record: Mapping[str, Any], kinds: Collection[str] = tuple(_FIELDS)) -> Action:
    """Restore the action from JSON values that `to_record` wrote. Only actions of `kinds` are allowed.

    Raises:
        BadRecord: the kind is missing or not allowed, or a field is missing, unknown or of a wrong type. The message
            names the field, but shows no value except the kind, because it may be Mister X's station.
    """
    kind = _kind_of(record, kinds)
    fields = _FIELDS[kind]
    for name, wanted in fields.items():
        if name not in record:
            raise BadRecord(f"action {kind!r}: {name} is missing; write {JSON_TYPES[wanted]}")
        if type(record[name]) is not wanted:
            raise BadRecord(f"action {kind!r}: {name} must be {JSON_TYPES[wanted]}")
    foreign = sorted(set(map(str, record)) - set(fields) - {"kind"})
    if foreign:
        raise BadRecord(f"action {kind!r}: unknown field {foreign[0]!r}; known are {', '.join(fields) or 'none'}")
    match kind:
        case "pawn":
            return PawnMove(record["pawn"], record["to"], record["ticket"])
        case "move":
            return MrXMove(Secret(record["to"]), record["ticket"])
        case "take":
            return Take(record["pawn"], record["ticket"])
        case "commit":
            return Commit(record["pawn"], Secret(record["ticket"]))
        case "roll":
            if any(type(face) is not str for face in record["faces"]):
                raise BadRecord("action 'roll': faces must be a list of texts")
            return Roll(tuple(record["faces"]))
    return _PLAIN[kind]()
