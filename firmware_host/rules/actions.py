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

MR_X, MR_X_JUNIOR = FUGITIVES = ("mr_x", "mr_x_junior")
"""The names of Mister X's pawn, and of his accomplice's in the junior game (JU-01)."""

TAXI, BUS, UNDERGROUND, BLACK = TICKETS = ("taxi", "bus", "underground", "black")
"""The tickets, in the order in which hands are counted."""

BOAT, FREE, HELICOPTER, START, STAY = ("boat", "free", "helicopter", "start", "stay")
"""What else a move can be made by: a boat ticket (JU-02), no ticket at all (BE-03), the helicopter (DI-21), the choice
of a start (DI-10), and no move: the pawn stays where it is (JU-05, DI-14)."""


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


@dataclass(frozen=True, slots=True)
class Pass:
    """Mister X can use none of the dice, and passes (DI-18)."""


@dataclass(frozen=True, slots=True)
class Commit:
    """Mister X, or his accomplice, picks a ticket in secret, or `STAY` (JU-04)."""

    pawn: str
    ticket: Secret[str]


@dataclass(frozen=True, slots=True)
class Roll:
    """Dice were rolled; a face each (DI-13). This is how chance comes into a game."""

    faces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RollAgain:
    """The detectives spend a token: all dice not yet used are to be rolled anew (DI-15)."""


Action = PawnMove | MrXMove | Double | Surface | Take | Pass | Commit | Roll | RollAgain
"""Everything that can be played."""


_PLAIN: dict[str, type[Double | Surface | Pass | RollAgain]] = {
    "double": Double,
    "surface": Surface,
    "pass": Pass,
    "roll_again": RollAgain,
}
"""The actions that hold nothing."""


def to_record(action: Action) -> dict[str, Any]:
    """The action as plain JSON values, secrets included: for the journal and the private view alone."""
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


_FIELDS: dict[str, dict[str, type]] = {
    "pawn": {"pawn": str, "to": int, "ticket": str},
    "move": {"to": int, "ticket": str},
    "take": {"pawn": str, "ticket": str},
    "commit": {"pawn": str, "ticket": str},
    "roll": {"faces": list},
    **{kind: {} for kind in _PLAIN},
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
