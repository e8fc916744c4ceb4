"""End a pursuit game: by capture, a full log, or detectives that will never move again (CL-20 to CL-23, BE-11)."""

from __future__ import annotations

from firmware_host.rules.actions import MR_X, PawnMove
from firmware_host.rules.pursuit.position import Hand, PursuitState
from firmware_host.rules.pursuit.rides import Rides
from firmware_host.rules.views import Outcome

# any() and all() over a generator cost three times the plain loops of this module, and they run after every move.

CAPTURED = Outcome("detectives", "captured")  # CL-20
TRAPPED = Outcome("detectives", "trapped")  # CL-23
IMMOBILISED = Outcome(MR_X, "immobilised")  # CL-21
STALLED = Outcome(MR_X, "stalled")  # CL-21: those with tickets are blocked by pawns that never move again
LOG_FULL = Outcome(MR_X, "log_full")  # CL-22
ROUNDS_OVER = Outcome(MR_X, "rounds_over")  # BE-11


def standstill_outcome(state: PursuitState) -> Outcome | None:
    """Return the outcome if no detective will ever move again, else None (CL-21).

    A blocked pawn waits for another to make way, so once none can move none ever will; Mister X blocks nobody. Where no
    tickets are paid the rounds go on (BE-11).
    """
    if not state.terms.paying:
        return None
    at = state.at
    for station, hand, rides in zip(at, state.hands, state.terms.rides, strict=True):
        if can_use(rides[station], at, hand):
            return None
    return IMMOBILISED if all(is_immobilised(state, pawn) for pawn in range(len(at))) else STALLED


def end_of_round(state: PursuitState) -> Outcome | None:
    """Return the outcome if the game ends with this round, else None (CL-22, BE-11)."""
    terms = state.terms
    if state.round == terms.rounds:
        return ROUNDS_OVER
    return LOG_FULL if len(state.log) >= terms.windows else None


def can_use(rides: Rides[PawnMove], at: tuple[int, ...], hand: Hand) -> bool:
    """Whether a pawn with these rides and tickets has any legal move."""
    for to, ticket, _ in rides.each:  # noqa: SIM110
        if hand[ticket] and to not in at:
            return True
    return False


def is_immobilised(state: PursuitState, pawn: int) -> bool:
    """Whether none of the pawn's tickets fits a link of its station (CL-19); never where nothing is paid (BE-02)."""
    hand = state.hands[pawn]
    for _, ticket, _ in state.terms.rides[pawn][state.at[pawn]].each:
        if hand[ticket]:
            return False
    return state.terms.paying
