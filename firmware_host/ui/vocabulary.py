"""What pawns, tickets, turns and ends are called on the screens. Public through and through."""

from __future__ import annotations

from firmware_host.rules.actions import BLACK, FREE, MR_X, MR_X_JUNIOR, STAY
from firmware_host.rules.views import Outcome, PublicView, Skipped

_NAMES = {MR_X: "Mister X", MR_X_JUNIOR: "X Junior"}

_TICKETS = {FREE: "no ticket", STAY: "no move", "pass": "no die"}

_LETTERS = {BLACK: "?", FREE: "·"}  # of all others the first letter

_LABELS = {
    "underground": "Undergr",  # as much as fits beside a huge station number
    FREE: "Move",
    "double": "2× move",
    "supply": "My tickets",
    "new": "New game",
}  # of all others the word itself

_SIDES = {MR_X: "Mister X", "detectives": "Detectives"}

_REASONS = {
    "captured": "Mister X was caught.",
    "immobilised": "No detective can move any more.",
    "stalled": "The detectives block each other for good.",
    "log_full": "The log is full.",
    "trapped": "Mister X had nowhere to go.",
    "escaped": "Mister X got away.",
    "walked_in": "Mister X had to go to a detective.",
}


def pawn_name(pawn: str) -> str:
    """Return a pawn's name for people: "Mister X", "X Junior", "Red"."""
    return _NAMES.get(pawn) or _spoken(pawn).capitalize()


def ticket_name(ticket: str) -> str:
    """Return what a move is made by, for people, within a sentence: "taxi", "no ticket"."""
    return _TICKETS.get(ticket) or _spoken(ticket)


def ticket_letter(ticket: str) -> str:
    """Return what stands for a ticket where there is no room for its name: "T", "·"."""
    return _LETTERS.get(ticket) or ticket[:1].upper() or "?"


def label(word: str) -> str:
    """Return the handset's word for a ticket, a face or a page, in few letters: "Undergr", "2× move"."""
    return _LABELS.get(word) or word.capitalize()


def side_name(side: str) -> str:
    """Return what a side is called, "mr_x" or "detectives"."""
    return _SIDES.get(side, side)


def rules_name(rules: str) -> str:
    """Return a rule system's name for people: "Classic", "US"."""
    name = _spoken(rules)
    return name.upper() if len(name) <= 2 else name.capitalize()


def skipped(skip: Skipped) -> str:
    """Return why a pawn does not move in this round, as a sentence without its full stop."""
    why = "has no die" if skip.why == "no_die" else f"is {_spoken(skip.why)}"
    return f"{pawn_name(skip.pawn)} {why} and stays"


def moving(public: PublicView) -> str:
    """Return who moves now, as a short sentence."""
    if not public.turn:
        return "Please wait…"
    if len(public.turn) > 2:
        return "Detectives move…"
    return " or ".join(map(pawn_name, public.turn)) + (" moves…" if public.to_roll is None else " rolls…")


def winner(outcome: Outcome) -> str:
    """Return who won, as a headline."""
    return "Mister X wins" if outcome.winner == MR_X else "Detectives win"


def ending(outcome: Outcome) -> str:
    """Return why a game is over, as a sentence that needs nothing but the outcome."""
    brief = {"chips": "Enough success chips are won.", "rounds_over": "The rounds are over."}
    return brief.get(outcome.reason) or _REASONS.get(outcome.reason) or _spoken(outcome.reason).capitalize() + "."


def _spoken(word: str) -> str:
    return word.replace("_", " ")
