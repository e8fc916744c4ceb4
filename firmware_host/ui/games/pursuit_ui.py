"""The words that only the pursuit games need, for tickets that Mister X takes after surfacing (US-10)."""

from __future__ import annotations

from typing import Any

from firmware_host.rules.pursuit.pursuit_view import PursuitView, TicketTaken
from firmware_host.rules.views import Happening
from firmware_host.system.language import gettext
from firmware_host.ui.games.game_ui import GameUi
from firmware_host.ui.vocabulary import pawn_name, ticket_name


class PursuitUi(GameUi[PursuitView]):
    """The presentation of the pursuit games, where it differs from other games."""

    view = PursuitView

    def mr_x_acts(self, view: PursuitView) -> str:
        """Return a sentence which says that Mister X has to move, or has to take a ticket."""
        if view.giving:
            return gettext("Mister X takes a ticket from {pawn}", pawn=pawn_name(view.giving[0]))
        return super().mr_x_acts(view)

    def happened(self, what: Happening) -> str:
        """Return which ticket Mister X has just taken, in a few words."""
        match what:
            case TicketTaken(ticket, pawn):
                return gettext("Mister X took {ticket} from {pawn}", ticket=ticket_name(ticket), pawn=pawn_name(pawn))
        return super().happened(what)

    def events(self, old: PursuitView, new: PursuitView) -> list[str]:
        """Return lines of news about the tickets that Mister X has taken."""
        taken = new.happened_since(old)
        if taken is None:
            return []
        pawn, ticket = pawn_name(taken.pawn), ticket_name(taken.ticket)
        return [gettext("Mister X takes a ticket from {pawn}: {ticket}.", pawn=pawn, ticket=ticket)]

    def scene_values(self, view: PursuitView, entered: tuple[str, ...]) -> dict[str, Any]:
        """Return the pawns from which Mister X has yet to take a ticket, as JSON values for a scene."""
        return {"giving": list(view.giving)}


GAME = PursuitUi()
