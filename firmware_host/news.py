"""What happened, in plain words, from one public view to the next: for logs and for a running commentary. Pure."""

from __future__ import annotations

from firmware_host.rules.views import PublicView
from firmware_host.words import pawn_name, reason, winner


def news(old: PublicView | None, new: PublicView) -> list[str]:
    """One line for each thing that everyone may know has happened since the old view."""
    if old is None:
        stand = ", ".join(f"{pawn_name(pawn)} on {new.pawns[pawn]}" for pawn in new.order)
        return [f"A new game: {new.rules}, on the map {new.network.name}. {stand}."]
    lines = _pawns(old, new) + _mr_x(old, new)
    lines += [f"{pawn_name(s.pawn)} is {s.why} and stays." for s in new.skipped if s not in old.skipped]
    if new.double == 1 and not old.double:
        lines.append("Mister X announces a double move.")
    if new.outcome is not None and old.outcome is None:
        lines.append(f"{winner(new.outcome)}. {reason(new.outcome, new)}")
        lines.append(f"His route: {' '.join(map(str, new.route))}.")
    return lines


def _pawns(old: PublicView, new: PublicView) -> list[str]:
    """What became of the detectives: a ticket fewer is a move or a gift, a ticket more a move taken back."""
    lines = []
    for pawn in new.order:
        paid = [t for t, n in new.tickets[pawn].items() if n < old.tickets[pawn][t]]
        if new.pawns[pawn] == old.pawns[pawn]:
            lines += [f"Mister X takes a {ticket} ticket from {pawn_name(pawn)}." for ticket in paid]
        elif paid:
            lines.append(f"{pawn_name(pawn)}: {old.pawns[pawn]} to {new.pawns[pawn]} by {paid[0]}.")
        else:
            lines.append(f"{pawn_name(pawn)} takes the move back to {new.pawns[pawn]}.")
    return lines


def _mr_x(old: PublicView, new: PublicView) -> list[str]:
    lines = []
    for entry in new.log[len(old.log) :]:
        half = {1: " (double move, 1st)", 2: " (double move, 2nd)"}.get(entry.double, "")
        lines.append(f"Round {new.round}, window {entry.window}: Mister X moves by {entry.ticket}{half}.")
        if entry.station is not None and new.outcome is None:
            lines.append(f"Mister X shows himself on {entry.station}!")
    return lines
