"""Define the fields that only the public view of a pursuit game has."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.rules.views import Happening, PublicView


@dataclass(frozen=True, slots=True)
class TicketTaken(Happening):
    """The event that Mister X has taken a ticket from a detective (US-10)."""

    ticket: str
    pawn: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PursuitView(PublicView):
    """The public view of a pursuit game.

    Attributes:
        giving: the pawns from which Mister X has yet to take a ticket after surfacing (US-10).
    """

    giving: tuple[str, ...] = ()

    def happened_since(self, before: PublicView) -> TicketTaken | None:
        """Return the ticket that Mister X has taken since an earlier view, or None."""
        if not isinstance(before, PursuitView) or self.giving == before.giving:
            return None
        for pawn in self.order:
            for ticket, count in self.tickets[pawn].items():
                if count < before.tickets[pawn][ticket]:
                    return TicketTaken(ticket, pawn)
        return None
