"""What pawns, turns and ends are called on the screens. Public through and through."""

from __future__ import annotations

from firmware_host.rules.actions import MR_X
from firmware_host.rules.views import Outcome, PublicView

_REASONS = {
    "captured": "Mister X was caught.",
    "immobilised": "No detective can move any more.",
    "stalled": "No detective could move in this round.",
    "log_full": "The log is full.",
    "trapped": "Mister X had nowhere to go.",
}


def pawn_name(pawn: str) -> str:
    """A pawn's name for people: "Mister X", "Red"."""
    return "Mister X" if pawn == MR_X else pawn.replace("_", " ").capitalize()


def moving(public: PublicView) -> str:
    """Who moves now, as a short sentence."""
    if not public.turn:
        return "Please wait…"
    if len(public.turn) > 2:
        return "Detectives move…"
    return " or ".join(pawn_name(pawn) for pawn in public.turn) + " moves…"


def winner(outcome: Outcome) -> str:
    """Who won, as a headline."""
    return "Mister X wins" if outcome.winner == MR_X else "Detectives win"


def reason(outcome: Outcome, public: PublicView) -> str:
    """Why the game is over, as a sentence; of a capture it tells who and where, once the route is open."""
    if outcome.reason == "captured" and public.route:
        station = public.route[-1]
        who = [pawn for pawn in public.order if public.pawns.get(pawn) == station]
        return f"{pawn_name(who[0]) if who else 'A detective'} caught Mister X at {station}."
    return _REASONS.get(outcome.reason, outcome.reason.replace("_", " ").capitalize() + ".")
