"""What has just happened and the board itself does not show: told once, before what comes next. Public and pure."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.rules.views import PublicView


@dataclass(frozen=True, slots=True)
class TicketTaken:
    """Mister X has taken a ticket from a detective (US-10)."""

    ticket: str
    pawn: str


@dataclass(frozen=True, slots=True)
class ChipWon:
    """A side, "mr_x" or "detectives", has won a success chip (JU-08)."""

    side: str


@dataclass(frozen=True, slots=True)
class GameGivenUp:
    """The game was given up."""


@dataclass(frozen=True, slots=True)
class SwitchesIgnored:
    """A key has found these stations' switches out of order; they are not listened to from now on."""

    stations: tuple[int, ...]


JustHappened = TicketTaken | ChipWon | GameGivenUp | SwitchesIgnored


def just_happened(old: PublicView, new: PublicView) -> JustHappened | None:
    """Return what the step from one view to the next has brought that the board does not show; None for nothing."""
    for pawn in new.order if new.giving != old.giving else ():
        for ticket, count in new.tickets[pawn].items():
            if count < old.tickets[pawn][ticket]:
                return TicketTaken(ticket, pawn)
    won = [side for side, (count, _) in new.chips.items() if count > old.chips[side][0]]
    return ChipWon("detectives" if "detectives" in won else won[0]) if won else None
