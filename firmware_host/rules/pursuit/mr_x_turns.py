"""Play Mister X's part of a round of a pursuit game: his moves, double moves, and surfacing.

All of it is secret during his turn, except his visible moves (see `visibility`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from firmware_host.rules.actions import BLACK, BOAT, FREE, TICKETS, Action, Double, MrXMove, Surface, Take
from firmware_host.rules.errors import IllegalAction
from firmware_host.rules.pursuit.end_of_game import LOG_FULL
from firmware_host.rules.pursuit.position import (
    PLACES,
    Hand,
    PursuitEntry,
    PursuitState,
    hand_over,
    spend,
)
from firmware_host.rules.pursuit.rides import BLACK_PLACE


def moves(state: PursuitState) -> tuple[Action, ...]:
    """Return Mister X's legal actions; in the first half of a double move only with a second half (CL-13)."""
    if state.taking:
        pawn = state.taking[0]
        hand = zip(TICKETS, state.hands[pawn], strict=False)
        return tuple(Take(state.terms.order[pawn], ticket) for ticket, count in hand if count)
    single = _single_moves(state)
    if state.half == 1:
        single = [move for move in single if _leaves_second_move(state, move)]
    return (*single, *_announcements(state, single))


def can_move(state: PursuitState) -> bool:
    """Return whether Mister X has a move that he can pay for."""
    terms, at, supply = state.terms, state.at, state.supply
    if terms.cut_off:
        return bool(_single_moves(state))
    free = terms.unlimited
    for to, ticket, _ in terms.mr_x_rides[state.blacks > 0][state.x].each:
        if to not in at and (free or ticket == BLACK_PLACE or supply[ticket]):
            return True
    return False


def play(state: PursuitState, action: Action) -> PursuitState:
    """Return the position after Mister X's action. When his turn ends, `turn` is the first detectives'.

    Raises:
        IllegalAction: he cannot do this now. The message never reveals where he is or may go.
    """
    if type(action) is MrXMove and not state.taking:
        if not _is_legal(state, action):
            raise IllegalAction("Mister X cannot make this move now; his choices are on the handset")
        return carry_out(state, action)
    offered = moves(state) if state.taking else _announcements(state, _single_moves(state))
    if action not in offered:
        raise IllegalAction(
            f"Mister X cannot do this now: {_REFUSED.get(type(action), 'his choices are on the handset')}"
        )
    if type(action) is Take:
        return _take(state, action)
    if type(action) is Surface:
        return state._replace(bare=True)
    return state._replace(half=1, doubles=state.doubles - 1)


def log_at_turn_start(state: PursuitState) -> tuple[PursuitEntry, ...]:
    """Return the log as Mister X's turn begins; if he is visible, his pawn returns to its place (BE-06).

    A hidden first half of a double move stays hidden because nobody has seen him there, or is revealed now (BE-08).
    """
    log, terms = state.log, state.terms
    if terms.in_sight and not log[-1].seen:
        log = (*log[:-1], log[-1]._replace(seen=True))
    if terms.uncover_half and log[-1].double == 2 and not log[-2].seen:
        log = (*log[:-2], log[-2]._replace(revealed=True), log[-1])
    return log


_REFUSED: Mapping[type, str] = {
    Double: "a double move needs a card, two free windows and two moves",
    Surface: "to surface is an option, and not for a window at which he has to surface",
    Take: "he takes one ticket from each pawn, in playing order, after surfacing of his own will",
}


def _announcements(state: PursuitState, single: Iterable[MrXMove]) -> tuple[Action, ...]:
    """Return what Mister X may announce before a single move: a double move, or surfacing."""
    windows, terms = len(state.log) + 1, state.terms
    found: tuple[Action, ...] = ()
    if state.half == 0 and state.doubles and windows < terms.windows:  # CL-13, CL-17
        for move in single:
            if _leaves_second_move(state, move):
                found = (Double(),)
                break
    if terms.voluntary and not state.bare and windows not in terms.surfacing:  # US-10
        found = (*found, Surface())
    return found


def _single_moves(state: PursuitState) -> Sequence[MrXMove]:
    """Return every move with every way to pay for it, without double moves (CL-07, CL-11, CL-12, CL-16)."""
    at, supply, terms = state.at, state.supply, state.terms
    free, rides = terms.unlimited, terms.mr_x_rides[state.blacks > 0][state.x]
    if free and not terms.cut_off and rides.ends.isdisjoint(at):
        return rides.actions
    found = [
        move for to, ticket, move in rides.each if to not in at and (free or ticket == BLACK_PLACE or supply[ticket])
    ]
    return [move for move in found if _passes_no_detective(state, move)] if terms.cut_off else found


def _passes_no_detective(state: PursuitState, move: MrXMove) -> bool:
    """Return whether a line that the ticket pays for passes no detective (US-11)."""
    network, to = state.terms.network, move.to.value
    ways = network.around(state.x).get(to, ())
    if move.ticket == FREE:
        ways = tuple(way for way in ways if way != BOAT)
    elif move.ticket != BLACK:
        ways = (move.ticket,)
    return any(not set(network.via(state.x, to, way)).intersection(state.at) for way in ways)


def _leaves_second_move(state: PursuitState, first: MrXMove) -> bool:
    """Return whether a second move can follow the first half of a double move."""
    if state.terms.unlimited and (first.ticket != BLACK or state.blacks > 1):
        return True  # back to where he came from
    supply, blacks, _ = _pay(state.supply, state.blacks, first.ticket)
    return can_move(state._replace(x=first.to.value, supply=supply, blacks=blacks))


def _pay(supply: Hand, blacks: int, ticket: str) -> tuple[Hand, int, bool]:
    """Pay with `ticket`; return Mister X's supply, his black tickets, and whether a ticket was paid.

    None is paid if he has none and needs none (CL-11, BE-03).
    """
    if ticket == BLACK:
        return supply, blacks - 1, True
    if ticket == FREE or not supply[place := PLACES[ticket]]:
        return supply, blacks, False
    return spend(supply, place), blacks, True


def _is_legal(state: PursuitState, action: MrXMove) -> bool:
    """Return whether Mister X may make this move."""
    terms, to, ticket = state.terms, action.to.value, action.ticket
    if to in state.at:
        return False
    if ticket == BLACK:
        if not state.blacks or to not in terms.network.around(state.x):
            return False
    else:
        place = terms.fares[-1][state.x].get((to, ticket), -1)
        if place < 0 or not (terms.unlimited or state.supply[place]):
            return False
    if terms.cut_off and not _passes_no_detective(state, action):
        return False
    return state.half != 1 or _leaves_second_move(state, action)


def carry_out(state: PursuitState, action: MrXMove) -> PursuitState:
    """Return the position after a legal move. If nobody may know the station, it can be 0."""
    terms, _, at, hands, supply, blacks, doubles, log, round_, _, half, _, _, _, bare, _ = state
    to, ticket = action.to.value, action.ticket
    supply, blacks, paid = _pay(supply, blacks, ticket)
    seen = len(log) + 1 in terms.surfacing and not (terms.in_sight and ticket == BLACK)  # BE-07
    log = (*log, PursuitEntry(ticket, to, half, paid, bare or seen))
    taking = tuple(pawn for pawn, hand in enumerate(hands) if any(hand)) if bare else ()
    half = 2 if half == 1 else 0
    turn = -1 if half or taking else 0
    after = tuple.__new__(
        PursuitState,
        (terms, to, at, hands, supply, blacks, doubles, log, round_, turn, half, 0, (), None, False, taking),
    )
    return _end_if_log_full(after)


def _take(state: PursuitState, action: Take) -> PursuitState:
    """Give Mister X a ticket from a pawn's pile; then the next pawn gives, or the game continues (US-10)."""
    pawn, ticket, taking = state.terms.places[action.pawn], PLACES[action.ticket], state.taking[1:]
    hands, supply = hand_over(state.hands, pawn, state.supply, ticket)
    turn = -1 if state.half or taking else 0
    return _end_if_log_full(state._replace(hands=hands, supply=supply, taking=taking, turn=turn))


def _end_if_log_full(state: PursuitState) -> PursuitState:
    """End the game after his turn if the log is full and that ends it (CL-22)."""
    if len(state.log) < state.terms.windows or state.terms.last_chance or state.turn < 0:
        return state
    return state._replace(turn=-1, outcome=LOG_FULL)
