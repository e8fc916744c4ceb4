"""Build the public view and Mister X's view of a pursuit game, field by field."""

from __future__ import annotations

from firmware_host.rules.actions import BLACK, MR_X, TICKETS, MrXMove, PawnMove
from firmware_host.rules.pursuit import detective_turns, mr_x_turns
from firmware_host.rules.pursuit.position import PursuitState
from firmware_host.rules.pursuit.pursuit_view import PursuitView
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import LogEntry, MrXView


def public(state: PursuitState) -> PursuitView:
    """Return the public view."""
    terms = state.terms
    over = state.outcome is not None
    pawns = dict(zip(terms.order, state.at, strict=True))
    if over or _is_visible(state):
        pawns[MR_X] = state.x
    return PursuitView(
        rules=terms.setup.edition.name,
        network=terms.network,
        round=state.round,
        turn=_pawns_on_turn(state),
        order=terms.order,
        owners=terms.setup.owners,
        pawns=pawns,
        stale=_stale_stations(state) - {pawns.get(MR_X, 0)},
        log=tuple(
            LogEntry(n, e.ticket, e.station if over or e.seen or e.revealed else None, e.double)
            for n, e in enumerate(state.log, 1)
        ),
        windows=terms.windows,
        surfacing=frozenset(n for n in terms.surfacing if n <= terms.windows),
        tickets=_tickets(state),
        moves=detective_turns.moves(state) if state.turn >= 0 and not over else (),
        double=state.half,
        skipped=state.skipped,
        moved=tuple(p for n, p in enumerate(terms.order) if state.turn >= 0 and state.moved >> n & 1),
        outcome=state.outcome,
        route=(terms.setup.mr_x.value, *(e.station for e in state.log)) if over else (),
        giving=tuple(terms.order[pawn] for pawn in state.taking),
        in_sight=terms.in_sight,
        open_moves=_open_moves(state),
        rounds=terms.rounds or 0,
    )


def private(state: PursuitState) -> MrXView:
    """Return Mister X's view."""
    choices = mr_x_turns.moves(state) if state.turn < 0 and state.outcome is None else ()
    route = (state.terms.setup.mr_x.value, *(e.station for e in state.log))
    shows = state.bare or len(state.log) + 1 in state.terms.surfacing
    return MrXView(public(state), Secret(state.x), Secret(route), Secret(choices), shows)


def _pawns_on_turn(state: PursuitState) -> tuple[str, ...]:
    """Return the pawns that may act now."""
    if state.outcome is not None:
        return ()
    return (MR_X,) if state.turn < 0 else detective_turns.movers(state)


def _is_visible(state: PursuitState) -> bool:
    """Return whether everyone sees Mister X's station (CL-14, CL-15, US-10, BE-05)."""
    return state.log[-1].seen if state.log else state.terms.in_sight


def _stale_stations(state: PursuitState) -> frozenset[int]:
    """Return the stations where Mister X's pawn may still stand after he moved on unseen (PB-06).

    If he was seen there between the halves of a double move, his pawn may not have followed yet, and may stand where he
    was seen before that. If he surfaces again after unseen moves, his pawn was taken off long ago, unless he was unseen
    for one turn only, as when he is visible by default (BE-06).
    """
    terms, log = state.terms, state.log
    seen = (terms.in_sight, *(entry.seen for entry in log))  # the start, and each window
    earlier = [n for n in range(len(log)) if seen[n]]
    last = earlier[-1] if earlier else -1
    if last < 0 or (seen[-1] and not terms.in_sight and last < len(log) - 1):
        return frozenset()
    stations = (terms.setup.mr_x.value, *(entry.station for entry in log))
    between = last > 0 and log[last - 1].double == 1
    return frozenset(stations[n] for n in earlier if n == last or (between and n == last - 1))


def _open_moves(state: PursuitState) -> tuple[PawnMove, ...]:
    """Return Mister X's moves with his pawn on the board that start and end visibly (BE-05)."""
    terms = state.terms
    hides = len(state.log) + 1 not in terms.surfacing
    if not terms.in_sight or hides or state.turn >= 0 or state.outcome is not None or not _is_visible(state):
        return ()
    single = [move for move in mr_x_turns.moves(state) if type(move) is MrXMove]
    return tuple(PawnMove(MR_X, move.to.value, move.ticket) for move in single if move.ticket != BLACK)


def _tickets(state: PursuitState) -> dict[str, dict[str, int]]:
    """Return everyone's hands; Mister X's with black tickets and double cards, or only these (CL-18)."""
    terms = state.terms
    hands: dict[str, dict[str, int]] = {
        pawn: dict(zip(TICKETS, hand, strict=False)) if pays else {}
        for pawn, hand, pays in zip(terms.order, state.hands, terms.pays, strict=True)
    }
    his = dict(zip(TICKETS, state.supply, strict=False)) if terms.paying and not terms.common else {}
    return {**hands, MR_X: {**his, BLACK: state.blacks, "double": state.doubles}}
