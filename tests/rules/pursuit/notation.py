"""A short notation for the actions of the games played by tickets."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.rules.actions import Action, Double, MrXMove, PawnMove, Surface, Take
from firmware_host.rules.secret import Secret

_TICKETS = {"t": "taxi", "b": "bus", "u": "underground", "k": "black", "f": "free"}
_PAWNS = {name[0]: name for name in ("red", "yellow", "green", "blue", "purple")}


def actions(text: str) -> list[Action]:
    """Actions in short: "46t" Mister X by taxi (b, u, k for black, f for free), "r74b" red by bus, "D" a double move,
    "S" surfacing, "+rb" a bus ticket taken from red."""
    return [_action(word) for word in text.split()]


def _action(word: str) -> Action:
    if word in "DS":
        return Double() if word == "D" else Surface()
    ticket = _TICKETS[word[-1]]
    if word[0] == "+":
        return Take(_PAWNS[word[1]], ticket)
    if word[0].isdecimal():
        return MrXMove(Secret(int(word[:-1])), ticket)
    return PawnMove(_PAWNS[word[0]], int(word[1:-1]), ticket)


def short(action: Action) -> str:
    """Return an action in the notation of `actions`."""
    match action:
        case Double():
            return "D"
        case Surface():
            return "S"
        case Take(pawn, ticket):
            return f"+{pawn[0]}{ticket[0]}"
        case MrXMove(to, ticket):
            return f"{to.value}{'k' if ticket == 'black' else ticket[0]}"
        case PawnMove(pawn, to, ticket):
            return f"{pawn[0]}{to}{ticket[0]}"


def shorts(found: Iterable[Action]) -> set[str]:
    return {short(action) for action in found}
