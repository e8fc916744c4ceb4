"""Put in words what the coach tells everyone. Pure."""

from __future__ import annotations

from firmware_host.referee.coach_hints import CoachHints
from firmware_host.rules.actions import FREE
from firmware_host.ui.vocabulary import pawn_name, ticket_name


def coach_line(hints: CoachHints) -> str:
    """Return where Mister X may be, as short as a small screen needs it; "" where the coach says nothing."""
    count = len(hints.stations)
    if count == 1:
        return f"X is on {next(iter(hints.stations))}"
    return f"X on {count} stations" if count else ""


def coach_sentences(hints: CoachHints) -> list[str]:
    """Return what the coach tells, a sentence each: where Mister X may be, and what it would do."""
    if hints.trouble:
        return [hints.trouble]
    count = len(hints.stations)
    told = []
    if count == 1:
        told.append(f"Mister X is on {next(iter(hints.stations))}.")
    elif count:
        told.append(f"Mister X may be on {count} stations.")
    if (move := hints.advice) is not None:
        ticket = "" if move.ticket == FREE else f" by {ticket_name(move.ticket)}"
        told.append(f"{pawn_name(move.pawn)} could best go to {move.to}{ticket}.")
    return told
