"""Build the positions of a pursuit game again from a line of the player protocol, as far as they are known.

Detectives know Mister X's station only where he was seen; elsewhere it is 0 in these positions, and nothing that would
look at it is asked of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from msgspec import UnsetType

from firmware_host.players.player_port import NewGame
from firmware_host.players.protocol.protocol_messages import BadLine, Pawn, PositionMessage, Record
from firmware_host.players.public_history import PublicHistory, SeenAction
from firmware_host.rules.actions import BLACK, FREE, MR_X, TICKETS, MrXMove, PawnMove, Take
from firmware_host.rules.errors import RulesError
from firmware_host.rules.pursuit import mr_x_turns, visibility
from firmware_host.rules.pursuit.edition import Edition
from firmware_host.rules.pursuit.position import (
    PASS,
    PLACES,
    Hand,
    PursuitEntry,
    PursuitState,
    PursuitTerms,
    hand_over,
    replaced,
)
from firmware_host.rules.pursuit.pursuit_game import Pursuit
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import PublicView

_TAKE = "take"


def beginning(game: NewGame) -> PursuitState:
    """Return the position in which a pursuit game begins; Mister X's station in it means nothing.

    Raises:
        BadSetup: the box, the map and the starts contradict each other.
    """
    if not isinstance(game.box, Edition):
        raise TypeError(f"{game.box.name} is no pursuit game")
    setup = game.setup
    anywhere = next(station for station in setup.network.stations if station not in setup.start.values())
    return Pursuit(game.box).begin(replace(setup, mr_x=Secret(anywhere)))


def state_of(terms: PursuitTerms, line: PositionMessage) -> PursuitState:
    """Return the position that a line tells.

    Raises:
        BadLine: it does not fit the game.
    """
    route, log = _route(line), line.log
    stations = [route[number] if route else window.station or 0 for number, window in enumerate(log, 1)]
    try:
        return PursuitState(
            terms=terms,
            x=_his_station(line),
            at=tuple(line.pawns[pawn].at for pawn in terms.order),
            hands=tuple(
                _hand(line.pawns[pawn]) if pays else PASS for pawn, pays in zip(terms.order, terms.pays, strict=True)
            ),
            supply=(_count(line.mr_x.taxi), _count(line.mr_x.bus), _count(line.mr_x.underground)),
            blacks=line.mr_x.black,
            doubles=line.mr_x.double,
            log=tuple(
                PursuitEntry(window.ticket, station, window.double, True, window.station is not None)
                for window, station in zip(log, stations, strict=True)
            ),
            round=line.round,
            turn=-1 if line.turn[:1] == (MR_X,) else _group(terms, line.turn[0]),
            half=line.double,
            moved=0,
            skipped=(),
            outcome=None,
            taking=tuple(terms.places[pawn] for pawn in line.giving),
        )
    except (KeyError, IndexError):
        raise BadLine("position: it tells of pawns that are not in the game, or lacks some that are") from None


class PursuitReplay:
    """What everyone has seen of one pursuit game, built again from the events of each position.

    Where a position goes on from the one before, so does the history: views that were there are the same objects.

    Raises:
        BadSetup: the box, the map and the starts contradict each other.
    """

    def __init__(self, game: NewGame) -> None:
        self._first = beginning(game)
        self.terms = self._first.terms
        self._events: tuple[Record, ...] = ()
        self._route: tuple[int, ...] = ()
        self._seen: list[_Seen] = []

    def replay(self, line: PositionMessage) -> tuple[PublicHistory, PursuitState]:
        """Return all that everyone has seen until now, and the position of this moment.

        Raises:
            BadLine: the line does not fit the game, or contradicts itself.
        """
        try:
            self._go_on(line)
            now = self._now(state_of(self.terms, line), line)
        except (KeyError, IndexError, TypeError, ValueError, RulesError):
            raise BadLine("position: its events do not fit the game") from None
        seen = self._seen
        if now.half == 1 != seen[-1].state.half:  # a double move was announced, and no half of it made yet
            seen = [*seen, _see(now)]
        elif now != seen[-1].state:
            seen = [*seen[:-1], _see(now, seen[-1].done)]
        return PublicHistory(tuple(one.view for one in seen), tuple(one.done for one in seen[1:])), now

    def _go_on(self, line: PositionMessage) -> None:
        """See what has happened since the line before; if that was another game's, or taken back, see it all."""
        events, route, known = line.events, _route(line), len(self._events)
        if not self._seen or events[:known] != self._events or route[: len(self._route)] != self._route:
            self._seen, known = [_see(_handed_on(_start(self._first, line), line, 0))], 0
        for number in range(known, len(events)):
            self._seen += _after(self._seen[-1].state, line, number)
        self._events, self._route = events, route

    def _now(self, told: PursuitState, line: PositionMessage) -> PursuitState:
        """Return the position of this moment: as the line tells it, and what only the events tell."""
        last = self._seen[-1].state
        if len(last.log) == len(told.log):
            told = told._replace(log=last.log)
        bare = line.shows is True and len(told.log) + 1 not in self.terms.surfacing
        return told._replace(moved=last.moved, bare=bare, supply=last.supply if self.terms.common else told.supply)


class _Seen(NamedTuple):
    """One moment of a game: the position, what everyone sees of it, and what was done for all to see just before."""

    state: PursuitState
    view: PublicView
    done: SeenAction | None


def _see(state: PursuitState, done: SeenAction | None = None) -> _Seen:
    return _Seen(state, visibility.public(state), done)


def _start(first: PursuitState, line: PositionMessage) -> PursuitState:
    """Return the position before the first move, with the hands that lead to those of now."""
    terms, route, log = first.terms, _route(line), line.log
    return first._replace(
        x=route[0] if route else line.start.get(MR_X, 0),
        at=tuple(line.start[pawn] for pawn in terms.order),
        hands=tuple(
            _first_hand(line, pawn) if pays else PASS for pawn, pays in zip(terms.order, terms.pays, strict=True)
        ),
        blacks=line.mr_x.black + sum(window.ticket == BLACK for window in log),
        doubles=line.mr_x.double + sum(window.double == 1 for window in log) + (line.double == 1),
        outcome=None,
    )


def _first_hand(line: PositionMessage, pawn: str) -> Hand:
    """Return the tickets that a pawn began with: those that it has, has paid, and has given away."""
    hand = list(_hand(line.pawns[pawn]))
    for event in line.events:
        if event.get("pawn") == pawn:
            hand[PLACES[event["ticket"]]] += 1
    return hand[0], hand[1], hand[2]


def _after(state: PursuitState, line: PositionMessage, number: int) -> Iterator[_Seen]:
    """Yield what was seen after an event, and before that what Mister X announced."""
    event = line.events[number]
    if event.get("kind") == _TAKE:
        take = Take(event["pawn"], event["ticket"])
        yield _see(_handed_on(mr_x_turns.play(state, take), line, number + 1), take)
        return
    if "pawn" in event:
        move = PawnMove(event["pawn"], event["to"], event["ticket"])
        yield _see(_handed_on(_moved(state, move), line, number + 1), move)
        return
    window, ticket, station = len(state.log) + 1, event["ticket"], event.get("station")
    if ticket not in (*TICKETS, FREE):
        raise BadLine("position: a window of the log has a ticket that there is not")
    if event.get("double") == 1 and state.half != 1:
        state = state._replace(half=1, doubles=state.doubles - 1)
        yield _see(state)
    if state.terms.voluntary and station is not None and window not in state.terms.surfacing:
        state = state._replace(bare=True)
        yield _see(state)
    route = _route(line)
    to = route[window] if route else station or 0
    state = mr_x_turns.carry_out(state, MrXMove(Secret(to), ticket))._replace(outcome=None)
    yield _see(_handed_on(state, line, number + 1))


def _moved(state: PursuitState, move: PawnMove) -> PursuitState:
    """Return the position after a detective's move; whose turn it is comes after that."""
    pawn = state.terms.places[move.pawn]
    hands, supply = state.hands, state.supply
    if state.terms.pays[pawn]:
        hands, supply = hand_over(hands, pawn, supply, PLACES[move.ticket])
    at = replaced(state.at, pawn, move.to)
    return state._replace(at=at, hands=hands, supply=supply, moved=state.moved | 1 << pawn)


def _handed_on(state: PursuitState, line: PositionMessage, number: int) -> PursuitState:
    """Return the position with the turn of whoever acts next, by the next event or by whom the line says."""
    if number < len(line.events):
        event = line.events[number]
        actor = MR_X if "pawn" not in event or event.get("kind") == _TAKE else event["pawn"]
        same_turn = event.get("double") == 2 or event.get("kind") == _TAKE
    else:
        actor = line.turn[0] if line.turn else MR_X
        same_turn = line.double == 2 or bool(line.giving)
    if actor != MR_X:
        return state._replace(turn=_group(state.terms, actor), half=0, taking=())
    if same_turn or not state.log:
        return state._replace(turn=-1)
    log = mr_x_turns.log_at_turn_start(state) if state.x else state.log
    return state._replace(log=log, round=state.round + 1, turn=-1, half=0, taking=())


def _group(terms: PursuitTerms, pawn: str) -> int:
    place = terms.places[pawn]
    return next(number for number, group in enumerate(terms.groups) if place in group)


def _his_station(line: PositionMessage) -> int:
    """Return where Mister X is by what the line tells, or 0."""
    if isinstance(line.mr_x.at, int):
        return line.mr_x.at
    return (line.log[-1].station or 0) if line.log else line.start.get(MR_X, 0)


def _route(line: PositionMessage) -> tuple[int, ...]:
    """Return his stations if the line tells them: the start, and one for each window."""
    route = line.mr_x.route
    return route if not isinstance(route, UnsetType) and len(route) == len(line.log) + 1 else ()


def _hand(pawn: Pawn) -> Hand:
    return _count(pawn.taxi), _count(pawn.bus), _count(pawn.underground)


def _count(tickets: int | UnsetType) -> int:
    return 0 if isinstance(tickets, UnsetType) else tickets
