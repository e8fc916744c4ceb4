"""What can be done in a game: one small frozen record for each kind of action.

The list of actions *is* the game: journal, replay and take-back all follow from it. What Mister X does holds a
`Secret`, so an action can be printed anywhere without telling where he went.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from firmware_host.rules.errors import BadRecord
from firmware_host.rules.secret import Secret

MR_X = "mr_x"
"""The name of Mister X's pawn."""

TAXI, BUS, UNDERGROUND, BLACK = TICKETS = ("taxi", "bus", "underground", "black")
"""The tickets, in the order in which hands are counted."""


@dataclass(frozen=True, slots=True)
class PawnMove:
    """A pawn moves on the board, in the open: `pawn` goes to station `to` and pays with `ticket`."""

    pawn: str
    to: int
    ticket: str


@dataclass(frozen=True, slots=True)
class MrXMove:
    """Mister X moves: to a station that stays his secret, paying with a ticket that all may see."""

    to: Secret[int]
    ticket: str


@dataclass(frozen=True, slots=True)
class Double:
    """Mister X announces a double move; his two moves follow (CL-13)."""


@dataclass(frozen=True, slots=True)
class Surface:
    """Mister X announces that he will show himself after his next move, of his own will (US-10)."""


@dataclass(frozen=True, slots=True)
class Take:
    """Mister X takes a ticket from a detective pawn's pile, for having shown himself (US-10)."""

    pawn: str
    ticket: str


Action = PawnMove | MrXMove | Double | Surface | Take
"""Everything that can be played."""


def to_record(action: Action) -> dict[str, Any]:
    """The action as plain JSON values, secrets included: for the journal and the private view alone."""
    match action:
        case PawnMove(pawn, to, ticket):
            return {"kind": "pawn", "pawn": pawn, "to": to, "ticket": ticket}
        case MrXMove(to, ticket):
            return {"kind": "move", "to": to.value, "ticket": ticket}
        case Double():
            return {"kind": "double"}
        case Surface():
            return {"kind": "surface"}
        case Take(pawn, ticket):
            return {"kind": "take", "pawn": pawn, "ticket": ticket}


_FIELDS: dict[str, dict[str, type]] = {
    "pawn": {"pawn": str, "to": int, "ticket": str},
    "move": {"to": int, "ticket": str},
    "double": {},
    "surface": {},
    "take": {"pawn": str, "ticket": str},
}


def from_record(record: Mapping[str, Any]) -> Action:
    """The action that `to_record` wrote.

    Raises:
        BadRecord: unknown kind, missing, foreign or wrongly typed fields. It names the field, never its value,
            which may be Mister X's station.
    """
    kind = record.get("kind")
    if not isinstance(kind, str) or kind not in _FIELDS:
        raise BadRecord(f"action: kind must be one of {', '.join(_FIELDS)}")
    fields = _FIELDS[kind]
    for name, wanted in fields.items():
        if type(record.get(name)) is not wanted:
            raise BadRecord(f"action {kind!r}: {name} must be {wanted.__name__}")
    foreign = sorted(set(map(str, record)) - set(fields) - {"kind"})
    if foreign:
        raise BadRecord(f"action {kind!r}: unknown field {foreign[0]!r}; known are {', '.join(fields) or 'none'}")
    if kind == "pawn":
        return PawnMove(record["pawn"], record["to"], record["ticket"])
    if kind == "move":
        return MrXMove(Secret(record["to"]), record["ticket"])
    if kind == "take":
        return Take(record["pawn"], record["ticket"])
    return Double() if kind == "double" else Surface()
