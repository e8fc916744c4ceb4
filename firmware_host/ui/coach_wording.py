"""Word the coach's public hints. Pure."""

from __future__ import annotations

from firmware_host.referee.scene import CoachHints
from firmware_host.rules.actions import FREE, PawnMove
from firmware_host.system.language import gettext, ngettext
from firmware_host.system.translatable_text import say
from firmware_host.ui.vocabulary import by_ticket, pawn_name


def coach_line(hints: CoachHints) -> str:
    """Return Mister X's likely stations in a line for a small screen; "" without a hint."""
    count = len(hints.stations)
    if count == 1:
        return gettext("X is on {station}", station=next(iter(hints.stations)))
    return ngettext("X on {count} station", "X on {count} stations", count) if count else ""


def coach_sentences(hints: CoachHints) -> list[str]:
    """Return the coach's hints, a sentence each: Mister X's likely stations, and its advice."""
    if hints.trouble:
        return [say(hints.trouble)]
    count = len(hints.stations)
    sentences = []
    if count == 1:
        sentences.append(gettext("Mister X is on {station}.", station=next(iter(hints.stations))))
    elif count:
        sentences.append(ngettext("Mister X may be on {count} station.", "Mister X may be on {count} stations.", count))
    if (move := hints.advice) is not None:
        sentences.append(_advice(move))
    return sentences


def _advice(move: PawnMove) -> str:
    pawn, by = pawn_name(move.pawn), by_ticket(move.ticket)
    if move.ticket == FREE:
        return gettext("{pawn} could best go to {station}.", pawn=pawn, station=move.to)
    return gettext("{pawn} could best go to {station} {by_ticket}.", pawn=pawn, station=move.to, by_ticket=by)
