"""The rules of the junior game (JU): Mister X picks in secret, the detectives move, then he moves.

A state is a small tuple; `play` returns a new one and is deterministic. In a round, Mister X picks a ticket for each of
his pawns, and each detective moves. Every pawn may also stay. The last move ends the round at once: Mister X's pawns
move as picked, one side wins a chip, and the next round begins or the game is over.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from firmware_host.rules.actions import DETECTIVES, FUGITIVES, MR_X, MR_X_JUNIOR, STAY, Action, Commit, PawnMove
from firmware_host.rules.errors import BadSetup, IllegalAction
from firmware_host.rules.junior.junior_box import JuniorBox, check_map
from firmware_host.rules.junior.junior_view import JuniorView
from firmware_host.rules.network import TRANSPORTS, Network
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
from firmware_host.rules.views import MrXView, Outcome

CAUGHT = Outcome(DETECTIVES, "chips")  # JU-10
ESCAPED = Outcome(MR_X, "chips")


@dataclass(frozen=True, slots=True, eq=False)
class JuniorTerms:
    """The settings of a game that never change while it is played."""

    setup: Setup
    network: Network
    order: tuple[str, ...]
    fugitives: tuple[str, ...]
    rides: Rides
    needed: tuple[int, int]  # the chips needed to win, Mister X's first


class JuniorState(NamedTuple):
    """A position of the junior game.

    `at` and `x` are the stations of the detectives and of Mister X's pawns; `vacated` has the previous station of each
    of his pawns, or its present one once its ticket is picked. `picks` are Mister X's tickets of this round. `played`
    are the detectives' tickets, "" for one that has yet to move. `chips` are the chips that each side has won, Mister
    X's first. `route` is Mister X's route from the start on.
    """

    terms: JuniorTerms
    at: tuple[int, ...]
    x: tuple[int, ...]
    vacated: tuple[int, ...]
    picks: tuple[str, ...]
    played: tuple[str, ...]
    chips: tuple[int, int]
    route: tuple[int, ...]
    round: int
    outcome: Outcome | None

    def __repr__(self) -> str:
        return f"JuniorState(round {self.round}, …)"


@dataclass(frozen=True, slots=True)
class Junior:
    """The rule system of one junior game box. Implements `System`."""

    box: JuniorBox

    @property
    def name(self) -> str:
        """The name with which a configuration chooses these rules: `rules = "…"`."""
        return self.box.name

    def check(self, options: Mapping[str, Option]) -> None:
        """Check that the box allows these options."""
        self.box.check(options)

    def check_ground(self, ground: Ground, players: int) -> None:
        """Check that a game for this many players can begin on this board."""
        pawns = (*self.box.pawns(players), *self.box.fugitives(players))
        check_map(printed_map(ground, self.name), pawns, self.box.colours({}))

    def deal(self, ground: Ground, wish: Wish, rng: random.Random) -> Setup:  # noqa: ARG002 - nothing is drawn
        """Set up a game as the players wish. Pawns without a wish start at their marked stations (JU-03).

        Raises:
            BadSetup: the wishes contradict the box, the map or each other, or the map does not suit a junior game.
        """
        network = printed_map(ground, self.name)
        self.check(wish.options)
        owners = owners_of(self.box, players=wish.players, detectives=wish.detectives, owners=wish.owners)
        names = (*owners, *self.box.fugitives(wish.players or self.box.usual_players))
        colours = self.box.colours(wish.options)
        check_map(network, names, colours)
        check_pawn_names(wish.start, names)
        start = {name: wish.start.get(name, network.starts[colours.get(name, name)]) for name in names}
        mr_x = Secret(start.pop(MR_X))
        return Setup(self.box, network, owners, start, mr_x, dict(wish.options))

    def roll(self, state: JuniorState, rng: random.Random) -> None:
        """Return None, because this game has no dice."""

    def begin(self, setup: Setup) -> JuniorState:
        """Return the position before the first round."""
        self.check(setup.options)
        fugitives = tuple(name for name in FUGITIVES if name == MR_X or name in setup.start)
        self._check(setup, fugitives)
        check_map(setup.network, (*setup.pawns, *fugitives), self.box.colours(setup.options))
        rides = rides_of(setup.network)
        needed = (self.box.mr_x_chips, self.box.detectives_chips)
        terms = JuniorTerms(setup, setup.network, setup.pawns, fugitives, rides, needed)
        mr_x = setup.mr_x.value
        x = tuple(mr_x if name == MR_X else setup.start[name] for name in fugitives)
        at = tuple(setup.start[pawn] for pawn in setup.pawns)
        return JuniorState(
            terms,
            at,
            x,
            vacated=x,
            picks=(),
            played=("",) * len(at),
            chips=(0, 0),
            route=(mr_x,),
            round=1,
            outcome=None,
        )

    def _check(self, setup: Setup, fugitives: tuple[str, ...]) -> None:
        players = [number for number in self.box.seats if self.box.fugitives(number) == fugitives]
        check_owners(self.box, setup.owners, players, f" against {' and '.join(fugitives)}")
        if set(setup.start) - {MR_X_JUNIOR} != set(setup.pawns):
            given = ", ".join(setup.start) or "no pawn"
            raise BadSetup(f"start: {given}: write a station for each of {', '.join(setup.pawns)}, and for no other")
        known = f"on {setup.network.name}; its stations go up to {max(setup.network.stations)}"
        for pawn, station in {**setup.start, MR_X: setup.mr_x.value}.items():
            if station not in setup.network.stations:
                raise BadSetup(f"start: {pawn}: there is no such station {known}")

    def legal(self, state: JuniorState) -> tuple[Action, ...]:
        """Return all legal actions. They are secret during Mister X's turn."""
        if state.outcome is not None:
            return ()
        return _commits(state) or _moves(state)

    def play(self, state: JuniorState, action: Action) -> JuniorState:
        """Return the position after an action.

        Raises:
            IllegalAction: the action is not legal now. The message never reveals what Mister X has picked.
        """
        if state.outcome is not None:
            raise IllegalAction(f"the game is over: {state.outcome.winner} won ({state.outcome.reason})")
        if type(action) is PawnMove:
            return _play_pawn(state, action)
        if _picker(state) is None:
            raise IllegalAction(f"it is {' or '.join(_pawns_on_turn(state))}'s turn, not Mister X's")
        if type(action) is not Commit or action not in _commits(state):
            raise IllegalAction("Mister X cannot pick this now; what he can pick is on the handset")
        return _commit(state, action)

    def public(self, state: JuniorState) -> JuniorView:
        """Return the public view, which has only what everyone may know."""
        terms = state.terms
        over = state.outcome is not None
        return JuniorView(
            rules=self.name,
            network=terms.network,
            round=state.round,
            turn=() if over else _pawns_on_turn(state),
            order=terms.order,
            owners=terms.setup.owners,
            pawns=dict(zip((*terms.order, *terms.fugitives), (*state.at, *state.x), strict=True)),
            stale=frozenset(state.vacated).difference(state.x),
            log=(),
            windows=0,
            surfacing=frozenset(),
            tickets=_tickets_left(state),
            moves=() if over or _picker(state) is not None else _moves(state),
            double=0,
            skipped=(),
            moved=tuple(pawn for pawn, ticket in zip(terms.order, state.played, strict=True) if ticket),
            outcome=state.outcome,
            route=state.route if over else (),
            fugitives=terms.fugitives,
            in_sight=True,
            chips=dict(zip((MR_X, DETECTIVES), zip(state.chips, terms.needed, strict=True), strict=True)),
        )

    def private(self, state: JuniorState) -> MrXView:
        """Return Mister X's view, with the `choices` of the pawn for which a ticket has to be picked."""
        picker = None if state.outcome is not None else _picker(state)
        return MrXView(
            self.public(state),
            at=Secret(state.x[picker or 0]),
            route=Secret(state.route),
            choices=Secret(() if picker is None else _commits(state)),
            actor=state.terms.fugitives[picker or 0],
        )


# ---- rides of a map --------------------------------------------------------------------------------------------------

Rides = Mapping[int, Mapping[str, int]]
"""Station -> ticket -> the one station it leads to (JU-03); `STAY` leads to the station itself."""

_KEPT = 32
"""The number of results in each cache: enough for several maps, and bounded for callers that load many maps."""


@lru_cache(maxsize=_KEPT)
def rides_of(network: Network) -> Rides:
    """Return the rides from every station of a map."""
    return {
        station: {
            **{t: to for t in TRANSPORTS for to, found in network.around(station).items() if t in found},
            STAY: station,
        }
        for station in network.stations
    }


@lru_cache(maxsize=_KEPT)
def moves_of(network: Network, pawn: str) -> Mapping[int, tuple[PawnMove, ...]]:
    """Return the moves of a detective's pawn from every station."""
    return {
        station: tuple(PawnMove(pawn, to, ticket) for ticket, to in row.items())
        for station, row in rides_of(network).items()
    }


@lru_cache(maxsize=_KEPT)
def commits_of(network: Network, pawn: str) -> Mapping[int, tuple[Commit, ...]]:
    """Return the tickets that may be picked for one of Mister X's pawns at every station (JU-04)."""
    return {
        station: tuple(Commit(pawn, Secret(ticket)) for ticket in row) for station, row in rides_of(network).items()
    }


# ---- whose turn it is ------------------------------------------------------------------------------------------------


def _picker(state: JuniorState) -> int | None:
    """Return the index of the pawn of Mister X's side that needs a ticket now, or None in the detectives' turn."""
    picked = len(state.picks)
    return picked if picked < len(state.x) else None


def _pawns_on_turn(state: JuniorState) -> tuple[str, ...]:
    """Return the pawns that may act now: one of Mister X's side, or all detectives that have yet to move (JU-05)."""
    picker = _picker(state)
    if picker is not None:
        return (state.terms.fugitives[picker],)
    return tuple(pawn for pawn, ticket in zip(state.terms.order, state.played, strict=True) if not ticket)


def _commits(state: JuniorState) -> tuple[Commit, ...]:
    """Return the possible picks: tickets that lead somewhere, and `STAY`. Empty once all are picked (JU-04)."""
    picker = _picker(state)
    if picker is None:
        return ()
    return commits_of(state.terms.network, state.terms.fugitives[picker])[state.x[picker]]


def _moves(state: JuniorState) -> tuple[PawnMove, ...]:
    """Return the moves of each detective yet to move, staying included. Pawns may share stations (JU-05, JU-06)."""
    network = state.terms.network
    still = zip(state.terms.order, state.at, state.played, strict=True)
    return tuple(move for pawn, at, ticket in still if not ticket for move in moves_of(network, pawn)[at])


# ---- actions ---------------------------------------------------------------------------------------------------------


def _commit(state: JuniorState, action: Commit) -> JuniorState:
    """Pick a ticket for a pawn of Mister X's side. The pawn's previous station is no longer shown."""
    place = len(state.picks)
    vacated = (*state.vacated[:place], state.x[place], *state.vacated[place + 1 :])
    return state._replace(vacated=vacated, picks=(*state.picks, action.ticket.value))


_TITLES = {MR_X: "Mister X", MR_X_JUNIOR: "X Junior"}


def _play_pawn(state: JuniorState, action: PawnMove) -> JuniorState:
    terms, turn = state.terms, _pawns_on_turn(state)
    if _picker(state) is not None:
        raise IllegalAction(f"{action.pawn} asked to move, but it is {_TITLES[turn[0]]}'s turn to pick a ticket")
    if action.pawn not in turn:
        raise IllegalAction(f"{action.pawn} asked to move, but it is {' or '.join(turn)}'s turn")
    pawn = terms.order.index(action.pawn)
    rides = terms.rides[state.at[pawn]]
    to = rides.get(action.ticket)
    if to is None or to != action.to:
        legal = ", ".join(f"{station} by {ticket}" for ticket, station in rides.items())
        raise IllegalAction(f"{action.pawn} cannot go to {action.to} by {action.ticket}; it may go to {legal}")
    at = (*state.at[:pawn], to, *state.at[pawn + 1 :])
    played = (*state.played[:pawn], action.ticket, *state.played[pawn + 1 :])
    after = state._replace(at=at, played=played)
    return after if len(turn) > 1 else _reveal(after)


def _reveal(state: JuniorState) -> JuniorState:
    """End the round: Mister X's side moves as picked, and one side wins a chip (JU-07, JU-08, JU-10)."""
    terms = state.terms
    x = tuple(terms.rides[station][ticket] for station, ticket in zip(state.x, state.picks, strict=True))
    caught = any(station in state.at for station in x)
    chips = (state.chips[0] + (not caught), state.chips[1] + caught)
    outcome = None
    if chips[0] == terms.needed[0]:
        outcome = ESCAPED
    elif chips[1] == terms.needed[1]:
        outcome = CAUGHT
    return JuniorState(
        terms,
        state.at,  # JU-09
        x,
        vacated=state.x,
        picks=(),
        played=("",) * len(state.at),  # JU-02
        chips=chips,
        route=(*state.route, x[0]),
        round=state.round + (outcome is None),
        outcome=outcome,
    )


def _tickets_left(state: JuniorState) -> dict[str, dict[str, int]]:
    """Return the tickets that each detective still has. Mister X's picks stay secret (JU-02)."""
    terms = state.terms
    played = zip(terms.order, state.played, strict=True)
    hands = {pawn: {t: int(t != ticket) for t in TRANSPORTS} for pawn, ticket in played}
    return hands | {name: dict.fromkeys(TRANSPORTS, 1) for name in terms.fugitives}
