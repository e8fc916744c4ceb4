"""The pursuit games: Mister X flees over a map, the detectives follow. Classic is one `Edition` of it.

A state is a small tuple; `play` returns a new one and is deterministic. A round is Mister X's turn (one move, or
two after a `Double`) and then the detectives' part, in a fixed order. Detectives that cannot move are passed over
at once, so whenever a state is returned, whoever is to act can act.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware_host.rules.actions import BLACK, MR_X, TICKETS, Action, Double, MrXMove, PawnMove
from firmware_host.rules.edition import Edition, Setup, shares
from firmware_host.rules.errors import BadSetup, IllegalAction
from firmware_host.rules.fares import black_rides, mr_x_rides, pawn_rides
from firmware_host.rules.position import (
    CAPTURED,
    IMMOBILISED,
    LOG_FULL,
    STALLED,
    TRAPPED,
    Entry,
    Hand,
    Options,
    State,
    Terms,
)
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import LogEntry, MrXView, PublicView, Skipped

_PLACES = {ticket: place for place, ticket in enumerate(TICKETS[:3])}
"""Ticket -> its place in a hand."""


@dataclass(frozen=True, slots=True)
class Pursuit:
    """The rule system of one edition."""

    edition: Edition
    name: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.edition.name)

    def begin(self, setup: Setup) -> State:
        """The position before the first move.

        Raises:
            BadSetup: pawns, start stations or options that do not fit the edition or the map.
        """
        options = Options.of(setup.options)
        self._check(setup)
        terms = Terms(
            setup=setup,
            network=setup.network,
            order=setup.pawns,
            rides=tuple(pawn_rides(setup.network, pawn) for pawn in setup.pawns),
            unlimited=options.x_fares == "unlimited",
            last_chance=options.last_chance,
            windows=min(options.log_windows, self.edition.windows),
            surfacing=self.edition.surfacing,
        )
        pawns = len(setup.pawns)
        state = State(
            terms=terms,
            x=setup.mr_x.value,
            at=tuple(setup.start[pawn] for pawn in setup.pawns),
            hands=(self.edition.hand,) * pawns,
            supply=self.edition.mr_x_hand,
            blacks=pawns,
            doubles=self.edition.doubles,
            log=(),
            round=1,
            turn=-1,
            half=0,
            moved=False,
            skipped=(),
            outcome=None,
        )
        return state if _mr_x_can_move(state) else state._replace(outcome=TRAPPED)

    def _check(self, setup: Setup) -> None:
        wanted = self.edition.pawns[: len(setup.pawns)]
        sizes = {len(row) for row in self.edition.owners.values()}
        if len(setup.pawns) not in sizes or setup.pawns != wanted:
            raise BadSetup(f"pawns: {', '.join(setup.pawns)}: {self.name} wants the first {min(sizes)} to "
                           f"{max(sizes)} of {', '.join(self.edition.pawns)}")  # fmt: skip
        if shares(setup.owners.values()) not in [shares(row) for row in self.edition.owners.values()]:
            raise BadSetup(f"owners: {dict(setup.owners)} is no sharing of pawns that {self.name} knows")
        if set(setup.start) != set(setup.pawns):
            raise BadSetup(f"start: needs a station for each of {', '.join(setup.pawns)}, and for no other")
        for pawn, station in setup.start.items():
            if station not in setup.network.stations:
                raise BadSetup(f"start: {pawn}: there is no station {station} on {setup.network.name}")
        if setup.mr_x.value not in setup.network.stations:
            raise BadSetup(f"start: {MR_X}: there is no such station on {setup.network.name}")
        if len({*setup.start.values(), setup.mr_x.value}) <= len(setup.pawns):
            raise BadSetup("start: every pawn, Mister X's included, needs a station of its own")

    def legal(self, state: State) -> tuple[Action, ...]:
        """All that may be done now. While it is Mister X's turn this is secret."""
        if state.outcome is not None:
            return ()
        if state.turn >= 0:
            return _pawn_moves(state, state.turn)
        return _mr_x_moves(state)

    def play(self, state: State, action: Action) -> State:
        """The position after an action.

        Raises:
            IllegalAction: it is not legal now. The message never tells where Mister X is or may go.
        """
        if state.outcome is not None:
            raise IllegalAction(f"the game is over: {state.outcome.winner} won ({state.outcome.reason})")
        if type(action) is PawnMove:
            return _play_pawn(state, action)
        if state.turn >= 0:
            raise IllegalAction(f"it is {state.terms.order[state.turn]}'s turn, not Mister X's")
        if type(action) is MrXMove:
            return _play_mr_x(state, action)
        if type(action) is not Double or action not in _mr_x_moves(state):
            raise IllegalAction("a double move is not to be had now: it needs a card, two free windows and two moves")
        return state._replace(half=1, doubles=state.doubles - 1)

    def public(self, state: State) -> PublicView:
        """What everyone may know."""
        terms = state.terms
        over = state.outcome is not None
        shown = _shown(state)
        pawns = dict(zip(terms.order, state.at, strict=True))
        if over or shown == len(state.log) > 0:
            pawns[MR_X] = state.x
        moves = _pawn_moves(state, state.turn) if state.turn >= 0 and not over else ()
        last_seen = state.log[shown - 1].station if shown is not None else None
        return PublicView(
            rules=self.name,
            network=terms.network,
            round=state.round,
            turn=() if over else (MR_X if state.turn < 0 else terms.order[state.turn],),
            order=terms.order,
            owners=terms.setup.owners,
            pawns=pawns,
            stale=last_seen if last_seen != pawns.get(MR_X) else None,
            log=tuple(
                LogEntry(n, e.ticket, e.station if over or n in terms.surfacing else None, e.double)
                for n, e in enumerate(state.log, 1)
            ),
            windows=terms.windows,
            surfacing=frozenset(n for n in terms.surfacing if n <= terms.windows),
            tickets=_tickets(state),
            moves=moves,
            double=state.half,
            skipped=state.skipped,
            outcome=state.outcome,
            route=(terms.setup.mr_x.value, *(e.station for e in state.log)) if over else (),
        )

    def private(self, state: State) -> MrXView:
        """What Mister X may know."""
        choices = _mr_x_moves(state) if state.turn < 0 and state.outcome is None else ()
        route = (state.terms.setup.mr_x.value, *(e.station for e in state.log))
        return MrXView(self.public(state), Secret(state.x), Secret(route), Secret(choices))


# ---- detectives ------------------------------------------------------------------------------------------------


def _pawn_moves(state: State, pawn: int) -> tuple[PawnMove, ...]:
    """CL-07, CL-09: along one link, with a ticket it holds, to a station without another detective."""
    at, hand = state.at, state.hands[pawn]
    return tuple([move for to, ticket, move in state.terms.rides[pawn][at[pawn]] if hand[ticket] and to not in at])


def _can_move(state: State, pawn: int) -> bool:
    """Whether there is any legal move for the pawn; plain loops, for this is asked after every move."""
    at, hand = state.at, state.hands[pawn]
    for to, ticket, _ in state.terms.rides[pawn][at[pawn]]:
        if hand[ticket] and to not in at:
            return True
    return False


def _immobilised(state: State, pawn: int) -> bool:
    """CL-19: no ticket it still holds fits any link of its station."""
    hand = state.hands[pawn]
    for _, ticket, _ in state.terms.rides[pawn][state.at[pawn]]:
        if hand[ticket]:
            return False
    return True


def _all_immobilised(state: State) -> bool:
    """Whether no detective can ever move again."""
    for pawn in range(len(state.at)):
        if not _immobilised(state, pawn):
            return False
    return True


def _play_pawn(state: State, action: PawnMove) -> State:
    terms, x, at, hands, supply, blacks, doubles, log, round_, turn, _, _, skipped, _ = state
    if turn < 0 or action.pawn != terms.order[turn]:
        raise IllegalAction(f"{action.pawn} asked to move, but it is {terms.order[turn] if turn >= 0 else MR_X}'s turn")
    hand = hands[turn]
    ticket, to = _PLACES.get(action.ticket, -1), action.to
    rides = terms.network.around(at[turn]).get(to, ())
    if ticket < 0 or action.ticket not in rides or not hand[ticket] or to in at:
        legal = ", ".join(f"{m.to} by {m.ticket}" for m in _pawn_moves(state, turn))
        raise IllegalAction(f"{action.pawn} cannot go to {action.to} by {action.ticket}; it may go to {legal}")
    captured = CAPTURED if to == x else None
    at = (*at[:turn], to, *at[turn + 1 :])
    hands = (*hands[:turn], _spend(hand, ticket), *hands[turn + 1 :])
    supply = _gain(supply, ticket)  # CL-08
    after = State(terms, x, at, hands, supply, blacks, doubles, log, round_, turn + 1, 0, True, skipped, captured)
    return after if captured else _next_pawn(after)


def _next_pawn(state: State) -> State:
    """Pass over detectives that cannot move, and end the game or the round where that is due (CL-19, CL-21)."""
    turn, pawns = state.turn, len(state.at)
    if turn < pawns and _can_move(state, turn):
        return state
    if _all_immobilised(state):
        return state._replace(outcome=IMMOBILISED)
    skipped = state.skipped
    while turn < pawns and not _can_move(state, turn):
        why = "immobilised" if _immobilised(state, turn) else "blocked"
        skipped = (*skipped, Skipped(state.terms.order[turn], why))
        turn += 1
    if turn < pawns:
        return state._replace(turn=turn, skipped=skipped)
    return _next_round(state._replace(skipped=skipped) if skipped is not state.skipped else state)


def _next_round(state: State) -> State:
    """All detectives have had their turn: the game ends, or Mister X moves again."""
    outcome = None
    if not state.moved:
        outcome = STALLED
    elif len(state.log) >= state.terms.windows:
        outcome = LOG_FULL
    if outcome is not None:
        return state._replace(outcome=outcome)
    outcome = None if _mr_x_can_move(state) else TRAPPED
    # Once a round, and `_replace` takes twice as long.
    return State(*state[:8], state.round + 1, -1, *state[10:13], outcome)


# ---- Mister X --------------------------------------------------------------------------------------------------


def _single_moves(state: State) -> list[MrXMove]:
    """CL-07, CL-11, CL-12, CL-16: every move and way to pay it, a double move left out of account."""
    at, supply, terms = state.at, state.supply, state.terms
    free = terms.unlimited
    moves = [
        move for to, ticket, move in mr_x_rides(terms.network)[state.x] if to not in at and (free or supply[ticket])
    ]
    if state.blacks:
        moves += [move for to, move in black_rides(terms.network)[state.x] if to not in at]
    return moves


def _mr_x_moves(state: State) -> tuple[Action, ...]:
    """What Mister X may do; in the first half of a double move only what leaves him a second."""
    moves = _single_moves(state)
    if state.half == 1:
        return tuple([move for move in moves if _goes_on(state, move)])
    if state.half == 0 and state.doubles and len(state.log) + 2 <= state.terms.windows:  # CL-13, CL-17
        for move in moves:
            if _goes_on(state, move):
                return (*moves, Double())
    return tuple(moves)


def _payable(state: State, ticket: str) -> bool:
    if ticket == BLACK:
        return state.blacks > 0
    return ticket in _PLACES and (state.terms.unlimited or state.supply[_PLACES[ticket]] > 0)


def _mr_x_can_move(state: State) -> bool:
    """Whether there is a move for him to pay; where he holds a black ticket, any free neighbour will do."""
    at, supply = state.at, state.supply
    free = state.terms.unlimited
    for to, ticket, _ in mr_x_rides(state.terms.network)[state.x]:
        if to not in at and (free or supply[ticket]):
            return True
    return state.blacks > 0 and any(to not in at for to in state.terms.network.around(state.x))


def _goes_on(state: State, first: MrXMove) -> bool:
    """Whether a second move is to be had after the first half of a double move."""
    if state.terms.unlimited and first.ticket != BLACK:
        return True  # back the way he came
    supply, blacks, _ = _pay(state, first.ticket)
    return _mr_x_can_move(state._replace(x=first.to.value, supply=supply, blacks=blacks))


def _pay(state: State, ticket: str) -> tuple[Hand, int, bool]:
    """His supply, his black tickets, and whether a ticket was laid on the log, after paying with `ticket`.

    Where he has none and needs none (CL-11), none is laid.
    """
    supply, blacks = state.supply, state.blacks
    if ticket == BLACK:
        return supply, blacks - 1, True
    place = _PLACES[ticket]
    if not supply[place]:
        return supply, blacks, False
    return _spend(supply, place), blacks, True


def _play_mr_x(state: State, action: MrXMove) -> State:
    terms, to, ticket, half = state.terms, action.to.value, action.ticket, state.half
    rides = terms.network.around(state.x).get(to, ())
    if (
        not rides
        or to in state.at
        or not _payable(state, ticket)
        or (ticket != BLACK and ticket not in rides)
        or (half == 1 and not _goes_on(state, action))
    ):
        raise IllegalAction("Mister X cannot make this move now; his choices are on the handset")
    supply, blacks, paid = _pay(state, ticket)
    log = (*state.log, Entry(ticket, to, half, paid))
    full = half != 1 and len(log) >= terms.windows and not terms.last_chance
    state = State(
        terms,
        to,
        state.at,
        state.hands,
        supply,
        blacks,
        state.doubles,
        log,
        state.round,
        -1 if half == 1 or full else 0,
        2 if half == 1 else 0,
        False,
        (),
        LOG_FULL if full else None,
    )
    return state if half == 1 or full else _next_pawn(state)


def _shown(state: State) -> int | None:
    """The last window at which Mister X showed himself, or None (CL-14, CL-15)."""
    return max((n for n in state.terms.surfacing if n <= len(state.log)), default=None)


# ---- tickets ---------------------------------------------------------------------------------------------------


def _spend(hand: Hand, ticket: int) -> Hand:
    a, b, c = hand
    return (a - 1, b, c) if ticket == 0 else (a, b - 1, c) if ticket == 1 else (a, b, c - 1)


def _gain(hand: Hand, ticket: int) -> Hand:
    a, b, c = hand
    return (a + 1, b, c) if ticket == 0 else (a, b + 1, c) if ticket == 1 else (a, b, c + 1)


def _tickets(state: State) -> dict[str, dict[str, int]]:
    """CL-18: everyone's hands; Mister X's with black tickets and double cards."""
    hands: dict[str, dict[str, int]] = {
        pawn: dict(zip(TICKETS[:3], hand, strict=True))
        for pawn, hand in zip(state.terms.order, state.hands, strict=True)
    }
    hands[MR_X] = {
        **dict(zip(TICKETS[:3], state.supply, strict=True)),
        BLACK: state.blacks,
        "double": state.doubles,
    }
    return hands
