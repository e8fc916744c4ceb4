"""Rebuild the positions of a pursuit game, as far as they are known, from messages of the protocol.

Detectives know Mister X's station only when he was seen. Otherwise it is 0 in these positions, and nothing that depends
on it is computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from msgspec import UnsetType

from firmware_host.players.player_port import NewGame, PublicHistory, SeenAction
from firmware_host.players.protocol.protocol_messages import BadLine, Pawn, PositionMessage, Record
from firmware_host.rules.actions import BLACK, FREE, MR_X, TICKETS, MrXMove, PawnMove, Take
from firmware_host.rules.errors import RulesError
from firmware_host.rules.pursuit import pursuit_game
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
_SEND = "send the values of the game that new_game began"


def beginning(game: NewGame) -> PursuitState:
    """Return the first position of a pursuit game, with a placeholder for Mister X's station.

    Raises:
        BadSetup: the box, the map and the starts contradict each other.
        TypeError: the game is not a pursuit game.
    """
    if not isinstance(game.box, Edition):
        raise TypeError(f"{game.box.name} is not a pursuit game")
    setup = game.setup
    anywhere = next(station for station in setup.network.stations if station not in setup.start.values())
    return Pursuit(game.box).begin(replace(setup, mr_x=Secret(anywhere)))


def state_of(terms: PursuitTerms, line: PositionMessage) -> PursuitState:
    """Return the position that a message describes.

    Raises:
        BadLine: the position does not fit the game.
    """
    route, log = _route(line), line.log
    stations = [route[number] if route else window.station or 0 for number, window in enumerate(log, 1)]
    try:
        return PursuitState(
            terms=terms,
            start=_mr_x_start(line),
            x=_mr_x_station(line),
            at=tuple(line.pawns[pawn].at for pawn in terms.order),
            hands=tuple(
                _hand(line.pawns[pawn]) if pays else PASS for pawn, pays in zip(terms.order, terms.pays, strict=True)
            ),
            supply=(_count(line.mr_x.taxi), _count(line.mr_x.bus), _count(line.mr_x.underground)),
            blacks=line.mr_x.black,
            doubles=line.mr_x.double,
            log=tuple(
                PursuitEntry(window.ticket, station, window.double, window.station is not None)
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
        raise BadLine(
            f"position: pawns and turn must name exactly the game's pawns: {', '.join(terms.order)}"
        ) from None


class PursuitReplay:
    """The public history of one pursuit game, rebuilt from the events in each message.

    If a position continues the position before, the history grows: earlier views stay the same objects.

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
        """Return the public history and the current position after a message.

        Raises:
            BadLine: the message does not fit the game, or contradicts itself.
        """
        try:
            self._go_on(line)
            now = self._now(state_of(self.terms, line), line)
        except (KeyError, IndexError, TypeError, ValueError, RulesError):
            raise BadLine(f"position: start, turn, log or mr_x do not fit the game and the events; {_SEND}") from None
        seen = self._seen
        if now.half == 1 != seen[-1].state.half:  # a double move was announced, and neither half is made yet
            seen = [*seen, _see(now)]
        elif now != seen[-1].state:
            seen = [*seen[:-1], _see(now, seen[-1].done)]
        return PublicHistory(tuple(one.view for one in seen), tuple(one.done for one in seen[1:])), now

    def _go_on(self, line: PositionMessage) -> None:
        """Replay the events since the last message, or all of them if the game changed or went back."""
        events, route, known = line.events, _route(line), len(self._events)
        if not self._seen or events[:known] != self._events or route[: len(self._route)] != self._route:
            self._seen, known = [_see(_handed_on(_start(self._first, line), line, 0))], 0
        for number in range(known, len(events)):
            try:
                self._seen += _after(self._seen[-1].state, line, number)
            except (KeyError, IndexError, TypeError, ValueError, RulesError):
                raise BadLine(f"position: events[{number}] is not legal after the events before it; {_SEND}") from None
        self._events, self._route = events, route

    def _now(self, state: PursuitState, line: PositionMessage) -> PursuitState:
        """Return the current position, from the message and the state after its events."""
        last = self._seen[-1].state
        if len(last.log) == len(state.log):
            state = state._replace(log=last.log)
        bare = line.shows is True and len(state.log) + 1 not in self.terms.surfacing
        return state._replace(moved=last.moved, bare=bare, supply=last.supply if self.terms.common else state.supply)


class _Seen(NamedTuple):
    """One moment of a game: the position, its public view, and the public action before it."""

    state: PursuitState
    view: PublicView
    done: SeenAction | None


def _see(state: PursuitState, done: SeenAction | None = None) -> _Seen:
    return _Seen(state, Pursuit.public(state), done)


def _start(first: PursuitState, line: PositionMessage) -> PursuitState:
    """Return the position before the first move, with the first hands, computed back from the current ones."""
    terms, log, start = first.terms, line.log, _mr_x_start(line)
    return first._replace(
        start=start,
        x=start,
        at=tuple(line.start[pawn] for pawn in terms.order),
        hands=tuple(
            _first_hand(line, pawn) if pays else PASS for pawn, pays in zip(terms.order, terms.pays, strict=True)
        ),
        blacks=line.mr_x.black + sum(window.ticket == BLACK for window in log),
        doubles=line.mr_x.double + sum(window.double == 1 for window in log) + (line.double == 1),
        outcome=None,
    )


def _first_hand(line: PositionMessage, pawn: str) -> Hand:
    """Return a pawn's first hand: the tickets that it has now, plus those that it has paid and given away."""
    hand = list(_hand(line.pawns[pawn]))
    for event in line.events:
        if event.get("pawn") == pawn:
            hand[PLACES[event["ticket"]]] += 1
    return hand[0], hand[1], hand[2]


def _after(state: PursuitState, line: PositionMessage, number: int) -> Iterator[_Seen]:
    """Yield the moments after one event. An announcement of Mister X is a moment before his move."""
    event = line.events[number]
    if event.get("kind") == _TAKE:
        take = Take(event["pawn"], event["ticket"])
        yield _see(_handed_on(pursuit_game.play_mr_x(state, take), line, number + 1), take)
        return
    if "pawn" in event:
        move = PawnMove(event["pawn"], event["to"], event["ticket"])
        yield _see(_handed_on(_moved(state, move), line, number + 1), move)
        return
    window, ticket, station = len(state.log) + 1, event["ticket"], event.get("station")
    if ticket not in (*TICKETS, FREE):
        raise BadLine(f"position: events[{number}].ticket is unknown; tickets are {', '.join((*TICKETS, FREE))}")
    if event.get("double") == 1 and state.half != 1:
        state = state._replace(half=1, doubles=state.doubles - 1)
        yield _see(state)
    if state.terms.voluntary and station is not None and window not in state.terms.surfacing:
        state = state._replace(bare=True)
        yield _see(state)
    route = _route(line)
    to = route[window] if route else station or 0
    state = pursuit_game.carry_out(state, MrXMove(Secret(to), ticket))._replace(outcome=None)
    yield _see(_handed_on(state, line, number + 1))


def _moved(state: PursuitState, move: PawnMove) -> PursuitState:
    """Return the position after a detective's move, while it is still that detective's turn."""
    pawn = state.terms.places[move.pawn]
    hands, supply = state.hands, state.supply
    if state.terms.pays[pawn]:
        hands, supply = hand_over(hands, pawn, supply, PLACES[move.ticket])
    at = replaced(state.at, pawn, move.to)
    return state._replace(at=at, hands=hands, supply=supply, moved=state.moved | 1 << pawn)


def _handed_on(state: PursuitState, line: PositionMessage, number: int) -> PursuitState:
    """Return the position with the turn passed on to the side that the next event, or else the message, names."""
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
    log = pursuit_game.log_at_turn_start(state.terms, state.log) if state.x else state.log
    return state._replace(log=log, round=state.round + 1, turn=-1, half=0, taking=())


def _group(terms: PursuitTerms, pawn: str) -> int:
    place = terms.places[pawn]
    return next(number for number, group in enumerate(terms.groups) if place in group)


def _mr_x_station(line: PositionMessage) -> int:
    """Return Mister X's station if the message reveals it, else 0."""
    if isinstance(line.mr_x.at, int):
        return line.mr_x.at
    return (line.log[-1].station or 0) if line.log else line.start.get(MR_X, 0)


def _mr_x_start(line: PositionMessage) -> int:
    """Return Mister X's start if the message reveals it, else 0."""
    route = _route(line)
    return route[0] if route else line.start.get(MR_X, 0)


def _route(line: PositionMessage) -> tuple[int, ...]:
    """Return Mister X's route if the message reveals it: his start, and a station for each window."""
    route = line.mr_x.route
    return route if not isinstance(route, UnsetType) and len(route) == len(line.log) + 1 else ()


def _hand(pawn: Pawn) -> Hand:
    return _count(pawn.taxi), _count(pawn.bus), _count(pawn.underground)


def _count(tickets: int | UnsetType) -> int:
    return 0 if isinstance(tickets, UnsetType) else tickets
