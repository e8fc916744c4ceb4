"""Describe the actions of a finished game with nothing hidden. Never for a game in play. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.rules.actions import FREE, MR_X, START, STAY, Action, Commit, MrXMove, Surface
from firmware_host.rules.views import PublicView
from firmware_host.system.language import gettext
from firmware_host.ui.live_commentary import public_events
from firmware_host.ui.vocabulary import by_ticket, pawn_name, ticket_name


def start_words(view: PublicView, stand: Mapping[str, int]) -> list[str]:
    """Return the description of the start, a line each: the public part, then Mister X's station.

    Args:
        view: the public view.
        stand: each pawn's station, Mister X's own included.
    """
    hidden = [gettext("Mister X starts on {station}.", station=stand[MR_X])] if MR_X in stand else []
    return [gettext("The game begins."), *public_events(None, view), *hidden]


def step_words(
    action: Action, before: PublicView, after: PublicView, here: Mapping[str, int], there: Mapping[str, int]
) -> list[str]:
    """Return the description of an action: a line with nothing hidden, then the lines that were public.

    Args:
        action: the action.
        before: the public view before it.
        after: the public view after it.
        here: each pawn's station before it, Mister X's own included.
        there: each pawn's station after it, likewise.
    """
    return [*_hidden_part(action, here, there), *public_events(before, after)]


def _hidden_part(action: Action, here: Mapping[str, int], there: Mapping[str, int]) -> list[str]:
    """Return the description of an action's hidden part, if it had one."""
    match action:
        case MrXMove(to, ticket) if ticket == START or MR_X not in here:
            return [gettext("Mister X starts on {station}.", station=to.value)]
        case MrXMove(to, ticket) if ticket == FREE:
            return [gettext("Mister X: {origin} to {station}.", origin=here[MR_X], station=to.value)]
        case MrXMove(to, ticket):
            by, origin = by_ticket(ticket), here[MR_X]
            return [
                gettext("Mister X: {origin} to {station} {by_ticket}.", origin=origin, station=to.value, by_ticket=by)
            ]
        case Commit(pawn, ticket):
            who, at = pawn_name(pawn), there[pawn]
            if ticket.value == STAY:
                return [gettext("{pawn}, on {station}, decides to stay in secret.", pawn=who, station=at)]
            picked = ticket_name(ticket.value)
            return [gettext("{pawn}, on {station}, picks {ticket} in secret.", pawn=who, station=at, ticket=picked)]
        case Surface():
            return [gettext("Mister X announces that he will show himself.")]
    return []
