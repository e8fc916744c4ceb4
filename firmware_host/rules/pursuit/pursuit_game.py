"""The rules of the pursuit games: the turns of both sides, the end, and what each side may see. Pure.

Each box, such as classic, is one `Edition`. `play` returns a new state and is deterministic. A round is Mister X's turn
(one move, or two after a `Double`) and then the detectives' part, in the edition's order. Detectives that cannot move
are skipped at once, so in every returned state the player on turn can act, or the game is over. Mister X's turn is
secret, except for his visible moves.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from typing import Any

from firmware_host.rules.actions import (
    BLACK,
    BOAT,
    BUS,
    DETECTIVES,
    FREE,
    MR_X,
    TAXI,
    TICKETS,
    UNDERGROUND,
    Action,
    Double,
    MrXMove,
    PawnMove,
    Surface,
    Take,
)
from firmware_host.rules.errors import BadSetup, IllegalAction
from firmware_host.rules.network import Network
from firmware_host.rules.pursuit.edition import Edition, check_decks, deal
from firmware_host.rules.pursuit.position import (
    ALL_LEFT,
    BLACK_PLACE,
    KEPT,
    PASS,
    PLACES,
    Hand,
    Options,
    PursuitEntry,
    PursuitState,
    PursuitTerms,
    hand_over,
    mr_x_rides,
    pawn_rides,
    replaced,
    spend,
    tickets_left,
    without_closed,
)
from firmware_host.rules.pursuit.pursuit_view import PursuitView
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import (
    Ground,
    Option,
    Setup,
    Wish,
    check_owners,
    check_pawn_names,
    owners_of,
    printed_map,
)
from firmware_host.rules.views import LogEntry, MrXView, Outcome, Skipped

# any() and all() over a generator cost three times this module's plain loops, which run after every move.

CAPTURED = Outcome(DETECTIVES, "captured")  # CL-20
TRAPPED = Outcome(DETECTIVES, "trapped")  # CL-23
IMMOBILISED = Outcome(MR_X, "immobilised")  # CL-21
STALLED = Outcome(MR_X, "stalled")  # CL-21: those with tickets are blocked by pawns that never move again
LOG_FULL = Outcome(MR_X, "log_full")  # CL-22
ROUNDS_OVER = Outcome(MR_X, "rounds_over")  # BE-11


def standstill_outcome(terms: PursuitTerms, at: tuple[int, ...], hands: tuple[Hand, ...]) -> Outcome | None:
    """Return the outcome if no detective can ever move again, else None (CL-21).

    A blocked pawn can only wait until another pawn moves away. So if none can move, none ever will. Mister X blocks
    nobody. If no tickets are paid, the rounds continue (BE-11).
    """
    if not terms.paying:
        return None
    for pawn in range(len(at)):
        if _moves_of(terms, at, hands, pawn):
            return None
    for pawn in range(len(at)):
        if not is_immobilised(terms, at, hands, pawn):
            return STALLED
    return IMMOBILISED


def end_of_round(terms: PursuitTerms, round_: int, log: tuple[PursuitEntry, ...]) -> Outcome | None:
    """Return the outcome if the game ends with this round, else None (CL-22, BE-11)."""
    if round_ == terms.rounds:
        return ROUNDS_OVER
    return LOG_FULL if len(log) >= terms.windows else None


def is_immobilised(terms: PursuitTerms, at: tuple[int, ...], hands: tuple[Hand, ...], pawn: int) -> bool:
    """Return whether none of a paying pawn's tickets fits a link of its station (CL-19, BE-02)."""
    return terms.pays[pawn] and not terms.rides[pawn][at[pawn]].actions[tickets_left(hands[pawn])]


def legal_actions(state: PursuitState) -> tuple[Any, ...]:
    """Return all legal actions. A position computes them only once. They are secret during Mister X's turn."""
    if state.legal is None:
        if state.outcome is not None:
            state.legal = ()
        elif state.turn < 0:
            state.legal = _mr_x_actions(state)
        else:
            state.legal = _moves_of_group(state.terms, state.at, state.hands, state.turn, state.moved)
    return state.legal


def _mr_x_actions(state: PursuitState) -> tuple[Action, ...]:
    """Return Mister X's legal actions. A double move is offered only if its second half is possible (CL-13)."""
    if state.taking:
        return _tickets_to_take(state, state.taking[0])
    single = _single_moves(state)
    if state.half == 1:
        single = _first_halves(state, single)
    return single + _announcements(state, single) if single else ()


def _tickets_to_take(state: PursuitState, pawn: int) -> tuple[Take, ...]:
    hand = zip(TICKETS, state.hands[pawn], strict=False)
    return tuple(Take(state.terms.order[pawn], ticket) for ticket, count in hand if count)


def _first_halves(state: PursuitState, single: Iterable[MrXMove]) -> tuple[MrXMove, ...]:
    return tuple([move for move in single if _leaves_second_move(state, move)])


def play_mr_x(state: PursuitState, action: Action) -> PursuitState:
    """Return the position after Mister X's action. The side on turn may then be unable to act.

    Raises:
        IllegalAction: he cannot do this now. The message never reveals where he is or may go.
    """
    if state.turn >= 0:
        raise IllegalAction(f"it is {whose_turn(state)}'s turn, not Mister X's")
    if type(action) is MrXMove and not state.taking:
        if not _is_legal(state, action):
            raise IllegalAction("Mister X cannot make this move now; his choices are on the handset")
        return carry_out(state, action)
    if action not in (legal_actions(state) if state.taking else _announcements(state, _single_moves(state))):
        raise IllegalAction(
            f"Mister X cannot do this now: {_REFUSED.get(type(action), 'his choices are on the handset')}"
        )
    if type(action) is Take:
        return _take(state, action)
    if type(action) is Surface:
        return state._replace(bare=True)
    return state._replace(half=1, doubles=state.doubles - 1)


def log_at_turn_start(terms: PursuitTerms, log: tuple[PursuitEntry, ...]) -> tuple[PursuitEntry, ...]:
    """Return the log at the start of Mister X's turn. If he is visible by default, he reappears now (BE-06).

    If the option `uncover_half` is set, the station of a hidden first half of a double move becomes public now (BE-08).
    """
    if terms.in_sight and not log[-1].seen:
        log = (*log[:-1], log[-1]._replace(seen=True))
    if terms.uncover_half and log[-1].double == 2 and not log[-2].seen:
        log = (*log[:-2], log[-2]._replace(revealed=True), log[-1])
    return log


_DOUBLE = (Double(),)
_SURFACE = (Surface(),)

_REFUSED: Mapping[type, str] = {
    Double: "a double move needs a card, two free windows and two moves",
    Surface: "he may surface only with the option voluntary_surfacing, and not where he has to anyway",
    Take: "he takes one ticket from each pawn, in playing order, after surfacing of his own will",
}


def _announcements(state: PursuitState, single: Iterable[MrXMove]) -> tuple[Action, ...]:
    """Return the announcements that Mister X may make before a move: a double move, or surfacing."""
    terms = state.terms
    found: tuple[Action, ...] = ()
    if state.doubles and state.half == 0 and len(state.log) + 1 < terms.windows:  # CL-13, CL-17
        for move in single:
            if _leaves_second_move(state, move):
                found = _DOUBLE
                break
    if terms.voluntary and not state.bare and len(state.log) + 1 not in terms.surfacing:  # US-10
        found += _SURFACE
    return found


# Frequent functions avoid comprehensions: a variable used inside one is slower in the whole function.
def _single_moves(state: PursuitState) -> tuple[MrXMove, ...]:
    """Return every single move of Mister X, once for each way to pay (CL-07, CL-11, CL-12, CL-16)."""
    terms = state.terms
    rides = terms.mr_x_rides[state.blacks > 0][state.x]
    moves = rides.actions[ALL_LEFT if terms.unlimited else tickets_left(state.supply)]
    return moves if not terms.cut_off and rides.ends.isdisjoint(state.at) else _unhindered(state, moves)


def _unhindered(state: PursuitState, moves: Iterable[MrXMove]) -> tuple[MrXMove, ...]:
    """Return the moves that lead to no detective and, if Mister X can be cut off, pass none (US-11)."""
    at, cut_off = state.at, state.terms.cut_off
    free = [move for move in moves if move.to.value not in at]
    return tuple([move for move in free if _passes_no_detective(state, move)] if cut_off else free)


def _passes_no_detective(state: PursuitState, move: MrXMove) -> bool:
    """Return whether the ticket pays for a line that passes no detective (US-11)."""
    network, to = state.terms.network, move.to.value
    ways = network.around(state.x).get(to, ())
    if move.ticket == FREE:
        ways = tuple(way for way in ways if way != BOAT)
    elif move.ticket != BLACK:
        ways = (move.ticket,)
    return any(not set(network.via(state.x, to, way)).intersection(state.at) for way in ways)


def _leaves_second_move(state: PursuitState, first: MrXMove) -> bool:
    """Return whether a second half can follow this first half of a double move."""
    if state.terms.unlimited and (first.ticket != BLACK or state.blacks > 1):
        return True  # back to where he came from
    supply, blacks = _pay(state.supply, state.blacks, first.ticket)
    return bool(_single_moves(state._replace(x=first.to.value, supply=supply, blacks=blacks)))


def _pay(supply: Hand, blacks: int, ticket: str) -> tuple[Hand, int]:
    """Return Mister X's hand and his number of black tickets after he has paid with `ticket` (CL-11, BE-03).

    A free ride changes neither. Nor does a ticket of which his hand has none, because his pile is then unlimited.
    """
    if ticket == BLACK:
        return supply, blacks - 1
    if ticket == FREE or not supply[place := PLACES[ticket]]:
        return supply, blacks
    return spend(supply, place), blacks


def _is_legal(state: PursuitState, action: MrXMove) -> bool:
    """Return whether Mister X may make this move."""
    terms, to = state.terms, action.to.value
    place = terms.mr_x_rides[state.blacks > 0][state.x].fares.get((to, action.ticket), -1)
    if place < 0 or to in state.at or not (terms.unlimited or place == BLACK_PLACE or state.supply[place]):
        return False
    if terms.cut_off and not _passes_no_detective(state, action):
        return False
    return state.half != 1 or _leaves_second_move(state, action)


def carry_out(state: PursuitState, action: MrXMove) -> PursuitState:
    """Return the position after a legal move of Mister X's. Its station may be 0 if it must stay unknown."""
    terms, at, hands, log, half, bare = state.terms, state.at, state.hands, state.log, state.half, state.bare
    start, doubles, round_, to, ticket = state.start, state.doubles, state.round, action.to.value, action.ticket
    supply, blacks = _pay(state.supply, state.blacks, ticket)
    seen = len(log) + 1 in terms.surfacing and not (terms.in_sight and ticket == BLACK)  # BE-07
    log += (tuple.__new__(PursuitEntry, (ticket, to, half, bare or seen, False)),)
    taking = tuple(pawn for pawn, hand in enumerate(hands) if any(hand)) if bare else ()
    half = 2 if half == 1 else 0
    turn, outcome = (-1, None) if half or taking else _after_his_turn(terms, log)
    return PursuitState(
        terms, start, to, at, hands, supply, blacks, doubles, log, round_, turn, 0, (), outcome, half, False, taking
    )


def _take(state: PursuitState, action: Take) -> PursuitState:
    """Give Mister X a ticket from a pawn's pile. Then the next pawn gives one, or the game goes on (US-10)."""
    pawn, ticket, taking = state.terms.places[action.pawn], PLACES[action.ticket], state.taking[1:]
    hands, supply = hand_over(state.hands, pawn, state.supply, ticket)
    turn, outcome = (-1, None) if state.half or taking else _after_his_turn(state.terms, state.log)
    return state._replace(hands=hands, supply=supply, taking=taking, turn=turn, outcome=outcome)


def _after_his_turn(terms: PursuitTerms, log: tuple[PursuitEntry, ...]) -> tuple[int, Outcome | None]:
    """Return who is on turn after Mister X, and the outcome if the log is full and the rules end the game (CL-22)."""
    return (0, None) if len(log) < terms.windows or terms.last_chance else (-1, LOG_FULL)


_skipped = lru_cache(maxsize=64)(Skipped)
_log_entry = lru_cache(maxsize=1024)(LogEntry)
"""Cache the records: a pawn is skipped round after round, and each view repeats the whole log."""

_NOWHERE: frozenset[int] = frozenset()


def _moves_of_group(
    terms: PursuitTerms, at: tuple[int, ...], hands: tuple[Hand, ...], turn: int, moved: int
) -> tuple[PawnMove, ...]:
    """Return the legal moves of all pawns on turn: a single pawn, or a group in any order (US-01, BE-02)."""
    moves: tuple[PawnMove, ...] = ()
    for pawn in terms.groups[turn]:
        if not moved >> pawn & 1:
            moves += _moves_of(terms, at, hands, pawn)
    return moves


def movers(state: PursuitState) -> tuple[str, ...]:
    """Return the pawns that are on turn and can move."""
    return _pawns_of(legal_actions(state))


def _pawns_of(moves: Iterable[PawnMove]) -> tuple[str, ...]:
    """Return the pawns that have these moves, in playing order."""
    return tuple(dict.fromkeys([move.pawn for move in moves]))


def play_detective(state: PursuitState, action: PawnMove) -> PursuitState:
    """Return the position after a detective's move. The side on turn may then be unable to act.

    Raises:
        IllegalAction: it is not the pawn's turn, or it may not go there with this ticket.
    """
    terms, at, hands, supply, turn, moved = state.terms, state.at, state.hands, state.supply, state.turn, state.moved
    groups, pawn = terms.groups, terms.places.get(action.pawn, -1)
    if turn < 0 or pawn not in groups[turn] or moved >> pawn & 1:
        raise IllegalAction(f"{action.pawn} asked to move, but it is {whose_turn(state)}'s turn")
    to = action.to
    ticket = terms.rides[pawn][at[pawn]].fares.get((to, action.ticket), -1)
    if ticket < 0 or not hands[pawn][ticket] or to in at:
        legal = ", ".join([f"{m.to} by {m.ticket}" for m in _moves_of(terms, at, hands, pawn)])
        raise IllegalAction(f"{action.pawn} cannot go to {to} by {action.ticket}; it may go to {legal}")
    at = replaced(at, pawn, to)
    if terms.pays[pawn]:
        hands, supply = hand_over(hands, pawn, supply, ticket)  # CL-08
    moved |= 1 << pawn
    if len(groups[turn]) == 1:
        turn += 1
    start, x, blacks, doubles, log = state.start, state.x, state.blacks, state.doubles, state.log
    round_, skipped, outcome = state.round, state.skipped, CAPTURED if to == x else None
    if turn == len(groups) and outcome is None:
        turn, round_, log, outcome = _end_round(state, at, hands, turn)
    return PursuitState(terms, start, x, at, hands, supply, blacks, doubles, log, round_, turn, moved, skipped, outcome)


def whose_turn(state: PursuitState) -> str:
    """Name the pawns that may act now, for an error message."""
    return " or ".join(movers(state)) if state.turn >= 0 else "Mister X"


def _moves_of(terms: PursuitTerms, at: tuple[int, ...], hands: tuple[Hand, ...], pawn: int) -> tuple[PawnMove, ...]:
    """Return a pawn's legal moves: it has a ticket for the link, and no detective is there (CL-07, CL-09)."""
    rides, hand = terms.rides[pawn][at[pawn]], hands[pawn]
    moves = rides.actions[tickets_left(hand) if 0 in hand else ALL_LEFT]
    return moves if rides.ends.isdisjoint(at) else _free_of(moves, at)


def _free_of(moves: Iterable[PawnMove], at: tuple[int, ...]) -> tuple[PawnMove, ...]:
    """Return the moves that lead to no detective."""
    return tuple([move for move in moves if move.to not in at])


def _pass_over(state: PursuitState) -> PursuitState:
    """Return the position after a turn in which nobody can act: Mister X is trapped, or detectives are skipped."""
    terms, at, hands, log, round_, turn = state.terms, state.at, state.hands, state.log, state.round, state.turn
    if turn < 0:
        return state._replace(outcome=TRAPPED)
    groups, moved, skipped, outcome = terms.groups, state.moved, state.skipped, None
    while turn < len(groups):
        for pawn in groups[turn]:
            if not moved >> pawn & 1:
                why = "immobilised" if is_immobilised(terms, at, hands, pawn) else "blocked"
                skipped += (_skipped(terms.order[pawn], why),)
        turn += 1
        if turn < len(groups) and _moves_of_group(terms, at, hands, turn, moved):
            break
    else:
        turn, round_, log, outcome = _end_round(state, at, hands, state.turn)
        if outcome is IMMOBILISED:  # as soon as one has moved, so nobody is skipped
            skipped = state.skipped
    start, x, supply, blacks, doubles = state.start, state.x, state.supply, state.blacks, state.doubles
    after = PursuitState(
        terms, start, x, at, hands, supply, blacks, doubles, log, round_, turn, moved, skipped, outcome
    )
    return after if outcome is not None or legal_actions(after) else _pass_over(after)


def _end_round(
    state: PursuitState, at: tuple[int, ...], hands: tuple[Hand, ...], turn: int
) -> tuple[int, int, tuple[PursuitEntry, ...], Outcome | None]:
    """Return turn, round, log and outcome after the detectives' part: the game is over, or Mister X is on turn."""
    terms, log, round_ = state.terms, state.log, state.round
    outcome = standstill_outcome(terms, at, hands) or end_of_round(terms, round_, log)
    if outcome is not None:
        return turn, round_, log, outcome
    if terms.in_sight or terms.uncover_half:
        log = log_at_turn_start(terms, log)
    return -1, round_ + 1, log, None


def _is_visible(state: PursuitState) -> bool:
    """Return whether everyone sees Mister X's station (CL-14, CL-15, US-10, BE-05)."""
    return state.log[-1].seen if state.log else state.terms.in_sight


def _stale_stations(state: PursuitState) -> frozenset[int]:
    """Return the stations where Mister X's pawn may still stand although he has moved on (PB-06).

    If he was seen between the halves of a double move, his pawn may not have followed him there yet. Then it may still
    stand where he was seen before that. If he surfaces again after unseen moves, players took his pawn off long ago.
    The exception is a single unseen turn in a game in which he is visible by default (BE-06).
    """
    terms, log = state.terms, state.log
    seen = [terms.in_sight, *[entry.seen for entry in log]]  # the start, and each window
    last = len(log) - 1
    while last >= 0 and not seen[last]:
        last -= 1
    if last < 0 or (seen[-1] and not terms.in_sight and last < len(log) - 1):
        return _NOWHERE
    between = last > 0 and log[last - 1].double == 1 and seen[last - 1]
    return frozenset([_station_after(state, window) for window in ((last - 1, last) if between else (last,))])


def _station_after(state: PursuitState, window: int) -> int:
    """Return Mister X's station after a window of the log. Window 0 means his start."""
    return state.log[window - 1].station if window else state.start


def _shown_log(log: tuple[PursuitEntry, ...], over: bool) -> tuple[LogEntry, ...]:
    """Return the log as everyone sees it. After the end it shows all stations (CL-24)."""
    return tuple(
        [
            _log_entry(window, ticket, station if over or seen or revealed else None, double)
            for window, (ticket, station, double, seen, revealed) in enumerate(log, 1)
        ]
    )


def _route(state: PursuitState) -> tuple[int, ...]:
    """Return Mister X's stations, his start first."""
    return (state.start, *[entry.station for entry in state.log])


def _open_moves(state: PursuitState) -> tuple[PawnMove, ...]:
    """Return Mister X's visible moves, which start and end where everyone sees him (BE-05)."""
    terms = state.terms
    hides = len(state.log) + 1 not in terms.surfacing
    if not terms.in_sight or hides or state.turn >= 0 or state.outcome is not None or not _is_visible(state):
        return ()
    single = [move for move in legal_actions(state) if type(move) is MrXMove]
    return tuple(PawnMove(MR_X, move.to.value, move.ticket) for move in single if move.ticket != BLACK)


def _tickets(state: PursuitState) -> dict[str, dict[str, int]]:
    """Return everyone's tickets: pawn -> ticket -> how many are left (CL-18).

    Mister X always has black tickets and double cards, but other tickets only if he pays from his own hand.
    """
    terms = state.terms
    shown = {
        pawn: _counted(hand) if pays else {}
        for pawn, hand, pays in zip(terms.order, state.hands, terms.pays, strict=True)
    }
    his = _counted(state.supply) if terms.paying and not terms.common else {}
    shown[MR_X] = {**his, BLACK: state.blacks, "double": state.doubles}
    return shown


def _counted(hand: Hand) -> dict[str, int]:
    taxi, bus, underground = hand
    return {TAXI: taxi, BUS: bus, UNDERGROUND: underground}


@dataclass(frozen=True, slots=True)
class Pursuit:
    """The rule system of one edition of the pursuit game. Implements `System`."""

    edition: Edition

    @property
    def name(self) -> str:
        """The name with which a configuration chooses these rules: `rules = "…"`."""
        return self.edition.name

    def check(self, options: Mapping[str, Option]) -> None:
        """Check that the edition allows these options."""
        Options.of(self.edition, options)

    def check_ground(self, ground: Ground, players: int) -> None:
        """Check that a game for this many players can begin on this board, whichever start cards are drawn."""
        check_decks(self.edition, printed_map(ground, self.name), len(self.edition.pawns(players)))

    def deal(self, ground: Ground, wish: Wish, rng: random.Random) -> Setup:
        """Set up a game as the players wish. Pawns without a wish draw a start card (CL-04, BE-01)."""
        network = printed_map(ground, self.name)
        pawns = owners_of(self.edition, players=wish.players, detectives=wish.detectives, owners=wish.owners)
        names = (*pawns, MR_X)
        check_pawn_names(wish.start, names)
        if not wish.start:
            check_decks(self.edition, network, len(pawns))
        start = deal(self.edition, network, names, rng, wish.start)
        mr_x = Secret(start.pop(MR_X))
        return Setup(self.edition, network, pawns, start, mr_x, dict(wish.options))

    def roll(self, state: PursuitState, rng: random.Random) -> None:
        """Return None, because this game has no dice."""

    def begin(self, setup: Setup) -> PursuitState:
        """Return the position before the first move."""
        edition, pawns = self.edition, len(setup.owners)
        options = Options.of(edition, setup.options)
        terms = _terms(edition, setup.network, tuple(setup.owners.items()), options)
        _check_start(setup)
        state = PursuitState(
            terms=terms,
            start=setup.mr_x.value,
            x=setup.mr_x.value,
            at=tuple([setup.start[pawn] for pawn in terms.order]),
            hands=tuple([edition.hand if pays else PASS for pays in terms.pays]),
            supply=edition.mr_x_hand or (0, 0, 0),
            blacks=pawns if edition.blacks is None else edition.blacks,
            doubles=edition.doubles,
            log=(),
            round=1,
            turn=-1,
        )
        if legal_actions(state):
            return state
        return state._replace(outcome=standstill_outcome(terms, state.at, state.hands) or TRAPPED)

    legal = staticmethod(legal_actions)

    def play(self, state: PursuitState, action: Action) -> PursuitState:
        """Return the position after an action.

        Raises:
            IllegalAction: the action is not legal now. The message never reveals where Mister X is or may go.
        """
        if state.outcome is not None:
            raise IllegalAction(f"the game is over: {state.outcome.winner} won ({state.outcome.reason})")
        after = play_detective(state, action) if type(action) is PawnMove else play_mr_x(state, action)
        return after if after.outcome is not None or legal_actions(after) else _pass_over(after)

    @staticmethod
    def public(state: PursuitState) -> PursuitView:
        """Return the public view, which has only what everyone may know."""
        terms = state.terms
        over, his_turn = state.outcome is not None, state.turn < 0
        pawns = dict(zip(terms.order, state.at, strict=True))
        if over or _is_visible(state):
            pawns[MR_X] = state.x
        moves = () if over or his_turn else legal_actions(state)
        return PursuitView(
            rules=terms.rules,
            network=terms.network,
            round=state.round,
            turn=() if over else (MR_X,) if his_turn else _pawns_of(moves),
            order=terms.order,
            owners=terms.owners,
            pawns=pawns,
            stale=_stale_stations(state) - {pawns.get(MR_X, 0)},
            log=_shown_log(state.log, over),
            windows=terms.windows,
            surfacing=terms.surfacing,
            tickets=_tickets(state),
            moves=moves,
            double=state.half,
            skipped=state.skipped,
            moved=() if his_turn else tuple([p for n, p in enumerate(terms.order) if state.moved >> n & 1]),
            outcome=state.outcome,
            route=_route(state) if over else (),
            giving=tuple([terms.order[pawn] for pawn in state.taking]),
            in_sight=terms.in_sight,
            open_moves=_open_moves(state),
            rounds=terms.rounds or 0,
        )

    @staticmethod
    def private(state: PursuitState) -> MrXView:
        """Return Mister X's view: the public view and his secrets."""
        choices = legal_actions(state) if state.turn < 0 and state.outcome is None else ()
        shows = state.bare or len(state.log) + 1 in state.terms.surfacing
        return MrXView(Pursuit.public(state), Secret(state.x), Secret(_route(state)), Secret(choices), shows)


def _check_start(setup: Setup) -> None:
    """Check that every pawn has a start, on a station of its own.

    Raises:
        BadSetup: a start is missing, shared or not on the map, or its pawn is unknown. The message never names Mister
            X's station.
    """
    pawns = setup.pawns
    if setup.start.keys() != {*pawns}:
        given = ", ".join(setup.start) or "no pawn"
        raise BadSetup(f"start: {given}: write a station for each of {', '.join(pawns)}, and for no other")
    stations = setup.network.stations
    for pawn, station in (*setup.start.items(), (MR_X, setup.mr_x.value)):
        if station not in stations:
            which = "such station" if pawn == MR_X else f"station {station}"  # his is secret
            where = f"on {setup.network.name}; its stations go up to {max(stations)}"
            raise BadSetup(f"start: {pawn}: there is no {which} {where}")
    if len({*setup.start.values(), setup.mr_x.value}) <= len(pawns):
        raise BadSetup("start: two pawns, Mister X's included, have the same station; give each another one")


@lru_cache(maxsize=KEPT)
def _terms(edition: Edition, network: Network, owned: tuple[tuple[str, int], ...], options: Options) -> PursuitTerms:
    """Return the settings of a game. `owned` has each pawn in playing order, with its player.

    Raises:
        BadSetup: the edition is not played with these pawns and owners.
    """
    owners = dict(owned)
    check_owners(edition, owners, edition.seats)
    network, pawns, paying = without_closed(network, edition.closed), tuple(owners), edition.fares == "tickets"
    bobbies = edition.bobbies_among(owners)
    pays = tuple(paying and pawn not in bobbies for pawn in pawns)
    return PursuitTerms(
        rules=edition.name,
        owners=owners,
        network=network,
        order=pawns,
        places={pawn: place for place, pawn in enumerate(pawns)},
        rides=tuple(map(pawn_rides, repeat(network), pawns, pays)),
        mr_x_rides=mr_x_rides(network, paying),
        pays=pays,
        groups=_groups(edition, owners),
        paying=paying,
        common=edition.mr_x_hand is None,
        unlimited=options.x_fares == "unlimited",
        last_chance=options.last_chance or edition.rounds is not None,
        windows=options.log_windows,
        rounds=edition.rounds,
        surfacing=edition.surfacing & {*range(1, options.log_windows + 1)},
        in_sight=edition.in_sight,
        voluntary=options.voluntary_surfacing,
        cut_off=options.cut_off,
        uncover_half=options.uncover_half,
    )


def _groups(edition: Edition, owners: Mapping[str, int]) -> tuple[tuple[int, ...], ...]:
    """Return the groups of pawns that may move in any order: each alone, each player's (US-01), or all (BE-02)."""
    places, players = range(len(owners)), [*owners.values()]
    if edition.order == "fixed":
        return tuple((pawn,) for pawn in places)
    if edition.order == "free":
        return (tuple(places),)
    return tuple(tuple(p for p in places if players[p] == player) for player in dict.fromkeys(players))
