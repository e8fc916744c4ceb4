"""What pawns, tickets, turns and ends are called on the screens. Public through and through."""

from __future__ import annotations

from firmware_host.rules.actions import BLACK, FREE, MR_X, MR_X_JUNIOR, STAY
from firmware_host.rules.views import Outcome, PublicView, Skipped

_NAMES = {MR_X: "Mister X", MR_X_JUNIOR: "X Junior"}

_TICKETS = {FREE: "no ticket", STAY: "no move", "pass": "no die"}

_LETTERS = {BLACK: "?", FREE: "·"}  # of all others the first letter

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
    rolls = public.dice is not None and public.dice.to_roll > 0
    return " or ".join(map(pawn_name, public.turn)) + (" rolls…" if rolls else " moves…")


def winner(outcome: Outcome) -> str:
    """Return who won, as a headline."""
    return "Mister X wins" if outcome.winner == MR_X else "Detectives win"


def ending(outcome: Outcome) -> str:
    """Return why a game is over, as a sentence that needs nothing but the outcome."""
    brief = {"chips": "Enough success chips are won.", "rounds_over": "The rounds are over."}
    return brief.get(outcome.reason) or _REASONS.get(outcome.reason) or _spoken(outcome.reason).capitalize() + "."


def reason(outcome: Outcome, public: PublicView) -> str:
    """Return why the game is over, as a sentence; of a capture it tells who and where, once the route is open."""
    if outcome.reason in ("captured", "walked_in") and public.route:
        return _met(outcome, public, public.route[-1])
    if outcome.reason == "chips" and outcome.winner in public.chips:
        won, _ = public.chips[outcome.winner]
        return f"{'Mister X has' if outcome.winner == MR_X else 'They have'} {won} success chips."
    if outcome.reason == "rounds_over":
        return f"{public.round} rounds are over."
    return ending(outcome)


def _met(outcome: Outcome, public: PublicView, station: int) -> str:
    """Who met Mister X where, and by whose move."""
    there = [pawn_name(pawn) for pawn in public.order if public.pawns.get(pawn) == station]
    if outcome.reason == "captured":
        return f"{there[0] if there else 'A detective'} caught Mister X at {station}."
    return f"Mister X had to go to {there[0] if there else 'a detective'} at {station}."


def _spoken(word: str) -> str:
    return word.replace("_", " ")
