"""The pursuit games: Mister X flees over a map, the detectives follow. Classic is one `Edition` of it.

A state is a small tuple; `play` returns a new one and is deterministic. A round is Mister X's turn (one move, or
two after a `Double`) and then the detectives' part, in a fixed order. Detectives that cannot move are passed over
at once, so whenever a state is returned, whoever is to act can act.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware_host.rules.actions import BLACK, MR_X, TICKETS, Action, Double, MrXMove, PawnMove, Surface, Take
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
        options = Options.of(self.edition, setup.options)
        self._check(setup)
        terms = Terms(
            setup=setup,
            network=setup.network,
            order=setup.pawns,
            places={pawn: place for place, pawn in enumerate(setup.pawns)},
            rides=tuple(pawn_rides(setup.network, pawn) for pawn in setup.pawns),
            groups=_groups(self.edition, setup),
            unlimited=options.x_fares == "unlimited",
            last_chance=options.last_chance,
            windows=options.log_windows,
            surfacing=self.edition.surfacing,
            voluntary=options.voluntary_surfacing,
            cut_off=options.cut_off,
        )
        pawns = len(setup.pawns)
        state = State(
            terms=terms,
            x=setup.mr_x.value,
            at=tuple(setup.start[pawn] for pawn in setup.pawns),
            hands=(self.edition.hand,) * pawns,
            supply=self.edition.mr_x_hand,
            blacks=pawns if self.edition.blacks is None else self.edition.blacks,
            doubles=self.edition.doubles,
            log=(),
            round=1,
            turn=-1,
            half=0,
            moved=0,
            skipped=(),
            outcome=None,
        )
        return state if _mr_x_can_move(state) else state._replace(outcome=TRAPPED)

    def _check(self, setup: Setup) -> None:
        seats = [self.edition.owners(players) for players in self.edition.seats]
        if setup.pawns not in [tuple(seat) for seat in seats]:
            known = " or ".join(sorted({", ".join(seat) for seat in seats}))
            raise BadSetup(f"pawns: {', '.join(setup.pawns)}: {self.name} is played with {known}")
        if shares(setup.owners.values()) not in [shares(s.values()) for s in seats if tuple(s) == setup.pawns]:
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
        if state.turn < 0:
            return _mr_x_moves(state)
        group = state.terms.groups[state.turn]
        return _pawn_moves(state, group[0]) if len(group) == 1 else _group_moves(state)

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
            raise IllegalAction(f"it is {' or '.join(_turn(state))}'s turn, not Mister X's")
        if type(action) is MrXMove and not state.taking:
            return _play_mr_x(state, action)
        if type(action) is MrXMove or action not in _mr_x_moves(state):
            raise IllegalAction(
                f"Mister X cannot do this now: {_REFUSED.get(type(action), 'his choices are on the handset')}"
            )
        if type(action) is Take:
            return _take(state, action)
        if type(action) is Surface:
            return state._replace(bare=True)
        return state._replace(half=1, doubles=state.doubles - 1)

    def public(self, state: State) -> PublicView:
        """What everyone may know."""
        terms = state.terms
        over = state.outcome is not None
        shown = _shown(state)
        pawns = dict(zip(terms.order, state.at, strict=True))
        if over or shown == len(state.log) > 0:
            pawns[MR_X] = state.x
        moves = _group_moves(state) if state.turn >= 0 and not over else ()
        last_seen = state.log[shown - 1].station if shown is not None else None
        return PublicView(
            rules=self.name,
            network=terms.network,
            round=state.round,
            turn=() if over else _turn(state),
            order=terms.order,
            owners=terms.setup.owners,
            pawns=pawns,
            stale=last_seen if last_seen != pawns.get(MR_X) else None,
            log=tuple(
                LogEntry(n, e.ticket, e.station if over or e.seen else None, e.double)
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
            giving=tuple(terms.order[pawn] for pawn in state.taking),
        )

    def private(self, state: State) -> MrXView:
        """What Mister X may know."""
        choices = _mr_x_moves(state) if state.turn < 0 and state.outcome is None else ()
        route = (state.terms.setup.mr_x.value, *(e.station for e in state.log))
        shows = state.bare or len(state.log) + 1 in state.terms.surfacing
        return MrXView(self.public(state), Secret(state.x), Secret(route), Secret(choices), shows)


def _groups(edition: Edition, setup: Setup) -> tuple[tuple[int, ...], ...]:
    """The pawns that may move in any order among each other: each alone, or all of one player's (US-01)."""
    if edition.order == "fixed":
        return tuple((pawn,) for pawn in range(len(setup.pawns)))
    places = range(len(setup.pawns))
    owners = list(setup.owners.values())
    return tuple(tuple(p for p in places if owners[p] == player) for player in dict.fromkeys(owners))


def _turn(state: State) -> tuple[str, ...]:
    """Who may act now."""
    if state.turn < 0:
        return (MR_X,)
    idle = [pawn for pawn in state.terms.groups[state.turn] if not state.moved >> pawn & 1]
    return tuple(state.terms.order[pawn] for pawn in idle if _can_move(state, pawn))


# ---- detectives ------------------------------------------------------------------------------------------------


def _pawn_moves(state: State, pawn: int) -> tuple[PawnMove, ...]:
    """CL-07, CL-09: along one link, with a ticket it holds, to a station without another detective."""
    at, hand = state.at, state.hands[pawn]
    return tuple([move for to, ticket, move in state.terms.rides[pawn][at[pawn]] if hand[ticket] and to not in at])


def _group_moves(state: State) -> tuple[PawnMove, ...]:
    """The moves of all pawns that may move now."""
    group = state.terms.groups[state.turn]
    return tuple(move for pawn in group if not state.moved >> pawn & 1 for move in _pawn_moves(state, pawn))


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
    terms, x, at, hands, supply, blacks, doubles, log, round_, turn, _, moved, skipped, _, _, _ = state
    pawn = terms.places.get(action.pawn, -1)
    if turn < 0 or pawn not in terms.groups[turn] or moved >> pawn & 1:
        raise IllegalAction(f"{action.pawn} asked to move, but it is {' or '.join(_turn(state))}'s turn")
    hand = hands[pawn]
    ticket, to = _PLACES.get(action.ticket, -1), action.to
    rides = terms.network.around(at[pawn]).get(to, ())
    if ticket < 0 or action.ticket not in rides or not hand[ticket] or to in at:
        legal = ", ".join(f"{m.to} by {m.ticket}" for m in _pawn_moves(state, pawn))
        raise IllegalAction(f"{action.pawn} cannot go to {action.to} by {action.ticket}; it may go to {legal}")
    captured = CAPTURED if to == x else None
    at = (*at[:pawn], to, *at[pawn + 1 :])
    hands = (*hands[:pawn], _spend(hand, ticket), *hands[pawn + 1 :])
    supply = _gain(supply, ticket)  # CL-08
    moved |= 1 << pawn
    turn += len(terms.groups[turn]) == 1  # nobody else is left in a group of one
    after = State(terms, x, at, hands, supply, blacks, doubles, log, round_, turn, 0, moved, skipped, captured)
    return after if captured else _next_pawn(after)


def _next_pawn(state: State) -> State:
    """Pass over detectives that cannot move, and end the game or the round where that is due (CL-19, CL-21)."""
    groups, moved, skipped, turn = state.terms.groups, state.moved, state.skipped, state.turn
    while turn < len(groups):
        for pawn in groups[turn]:
            if not moved >> pawn & 1 and _can_move(state, pawn):
                return state if turn == state.turn else state._replace(turn=turn, skipped=skipped)
        for pawn in groups[turn]:
            if not moved >> pawn & 1:
                why = "immobilised" if _immobilised(state, pawn) else "blocked"
                skipped = (*skipped, Skipped(state.terms.order[pawn], why))
        turn += 1
    if _all_immobilised(state):
        return state._replace(outcome=IMMOBILISED)
    return _next_round(state if skipped is state.skipped else state._replace(skipped=skipped))


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
    return [move for move in moves if _open(state, move)] if terms.cut_off else moves


def _open(state: State, move: MrXMove) -> bool:
    """US-11: whether some line that the ticket pays for runs over no detective."""
    network, to = state.terms.network, move.to.value
    ways = network.around(state.x).get(to, ())
    lines = ways if move.ticket == BLACK else (move.ticket,)
    return any(not set(network.via(state.x, to, line)).intersection(state.at) for line in lines)


def _mr_x_moves(state: State) -> tuple[Action, ...]:
    """What Mister X may do; in the first half of a double move only what leaves him a second."""
    if state.taking:
        pawn = state.taking[0]
        hand = zip(TICKETS, state.hands[pawn], strict=False)
        return tuple(Take(state.terms.order[pawn], ticket) for ticket, count in hand if count)
    moves = _single_moves(state)
    more: tuple[Action, ...] = ()
    if state.terms.voluntary and not state.bare and len(state.log) + 1 not in state.terms.surfacing:  # US-10
        more = (Surface(),)
    if state.half == 1:
        return (*[move for move in moves if _goes_on(state, move)], *more)
    if state.half == 0 and state.doubles and len(state.log) + 2 <= state.terms.windows:  # CL-13, CL-17
        for move in moves:
            if _goes_on(state, move):
                return (*moves, Double(), *more)
    return (*moves, *more)


def _payable(state: State, ticket: str) -> bool:
    if ticket == BLACK:
        return state.blacks > 0
    return ticket in _PLACES and (state.terms.unlimited or state.supply[_PLACES[ticket]] > 0)


def _mr_x_can_move(state: State) -> bool:
    """Whether there is a move for him to pay; where he holds a black ticket, any free neighbour will do."""
    if state.terms.cut_off:
        return bool(_single_moves(state))
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
        or (terms.cut_off and not _open(state, action))
        or (half == 1 and not _goes_on(state, action))
    ):
        raise IllegalAction("Mister X cannot make this move now; his choices are on the handset")
    supply, blacks, paid = _pay(state, ticket)
    bare = state.bare
    log = (*state.log, Entry(ticket, to, half, paid, bare or len(state.log) + 1 in terms.surfacing))
    taking = tuple(pawn for pawn, hand in enumerate(state.hands) if any(hand)) if bare else ()
    half = 2 if half == 1 else 0
    turn = -1 if half or taking else 0
    state = State(
        terms, to, state.at, state.hands, supply, blacks, state.doubles, log, state.round, turn, half, 0, (), None,
        False, taking,
    )  # fmt: skip
    return state if turn else _mr_x_has_moved(state)


def _mr_x_has_moved(state: State) -> State:
    """The log may be full (CL-22); else the detectives' part begins."""
    if len(state.log) >= state.terms.windows and not state.terms.last_chance:
        return state._replace(turn=-1, outcome=LOG_FULL)
    return _next_pawn(state)


def _take(state: State, action: Take) -> State:
    """US-10: one ticket from a pawn's pile goes to Mister X; then the next pawn's turn to give, or the game goes on."""
    pawn, ticket = state.terms.places[action.pawn], _PLACES[action.ticket]
    hands = (*state.hands[:pawn], _spend(state.hands[pawn], ticket), *state.hands[pawn + 1 :])
    taking = state.taking[1:]
    turn = -1 if state.half or taking else 0
    state = state._replace(hands=hands, supply=_gain(state.supply, ticket), taking=taking, turn=turn)
    return state if turn else _mr_x_has_moved(state)


_REFUSED: Mapping[type, str] = {
    Double: "a double move needs a card, two free windows and two moves",
    Surface: "to surface is an option, and not for a window at which he has to surface",
    Take: "he takes one ticket from each pawn, in playing order, after surfacing of his own will",
}


def _shown(state: State) -> int | None:
    """The last window at which Mister X showed himself, or None (CL-14, CL-15, US-10)."""
    return next((n for n in range(len(state.log), 0, -1) if state.log[n - 1].seen), None)


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
