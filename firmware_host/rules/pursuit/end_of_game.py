"""End a pursuit game: by capture, a full log, or immobile detectives (CL-20 to CL-23, BE-11)."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.rules.actions import MR_X
from firmware_host.rules.pursuit.position import Hand, PursuitEntry, PursuitState, PursuitTerms
from firmware_host.rules.views import Outcome

# any() and all() over a generator cost three times this module's plain loops, which run after every move.

CAPTURED = Outcome("detectives", "captured")  # CL-20
TRAPPED = Outcome("detectives", "trapped")  # CL-23
IMMOBILISED = Outcome(MR_X, "immobilised")  # CL-21
STALLED = Outcome(MR_X, "stalled")  # CL-21: those with tickets are blocked by pawns that never move again
LOG_FULL = Outcome(MR_X, "log_full")  # CL-22
ROUNDS_OVER = Outcome(MR_X, "rounds_over")  # BE-11


def standstill_outcome(state: PursuitState) -> Outcome | None:
    """Return the outcome if no detective will ever move again, else None (CL-21).

    A blocked pawn waits for another to make way, so once none can move none ever will; Mister X blocks nobody. If no
    tickets are paid the rounds continue (BE-11).
    """
    terms, at = state.terms, state.at
    if not terms.paying or any_can_move(terms, at, state.hands, range(len(at))):
        return None
    return IMMOBILISED if all(is_immobilised(state, pawn) for pawn in range(len(at))) else STALLED


def end_of_round(terms: PursuitTerms, round_: int, log: tuple[PursuitEntry, ...]) -> Outcome | None:
    """Return the outcome if the game ends with this round, else None (CL-22, BE-11)."""
    if round_ == terms.rounds:
        return ROUNDS_OVER
    return LOG_FULL if len(log) >= terms.windows else None


def any_can_move(
    terms: PursuitTerms, at: tuple[int, ...], hands: tuple[Hand, ...], pawns: Iterable[int], moved: int = 0
) -> bool:
    """Return whether any pawn that has not moved has a legal move; `moved` has a bit for each that has."""
    for pawn in pawns:
        if not moved >> pawn & 1:
            hand = hands[pawn]
            for to, ticket, _ in terms.rides[pawn][at[pawn]].each:
                if hand[ticket] and to not in at:
                    return True
    return False


def is_immobilised(state: PursuitState, pawn: int) -> bool:
    """Return whether no ticket of a paying pawn fits a link of its station (CL-19, BE-02)."""
    hand = state.hands[pawn]
    for _, ticket, _ in state.terms.rides[pawn][state.at[pawn]].each:
        if hand[ticket]:
            return False
    return state.terms.pays[pawn]
