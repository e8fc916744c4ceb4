"""Define the rules of the pursuit games: Mister X flees over a map, the detectives follow.

Each box, such as classic, is one `Edition`. A state is a small tuple; `play` returns a new one and is deterministic. A
round is Mister X's turn (see `mr_x_turns`: one move, or two after a `Double`) and then the detectives' part (see
`detective_turns`), in the edition's order. Detectives that cannot move are skipped at once, so in every returned state
the player on turn can act. `visibility` builds the views.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import repeat

from firmware_host.rules.actions import MR_X, Action, PawnMove
from firmware_host.rules.errors import BadSetup, IllegalAction
from firmware_host.rules.pursuit import detective_turns, mr_x_turns, visibility
from firmware_host.rules.pursuit.edition import Edition
from firmware_host.rules.pursuit.end_of_game import TRAPPED, standstill_outcome
from firmware_host.rules.pursuit.position import PASS, Options, PursuitState, PursuitTerms
from firmware_host.rules.pursuit.pursuit_view import PursuitView
from firmware_host.rules.pursuit.rides import fares, mr_x_rides, pawn_rides, without_closed
from firmware_host.rules.pursuit.start_cards import check_decks, deal
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
from firmware_host.rules.views import MrXView


@dataclass(frozen=True, slots=True)
class Pursuit:
    """The rule system of one edition; implements `System`."""

    edition: Edition

    @property
    def name(self) -> str:
        """The name in `rules = "…"`."""
        return self.edition.name

    def check(self, options: Mapping[str, Option]) -> None:
        """Check that these options are possible."""
        Options.of(self.edition, options)

    def check_ground(self, ground: Ground, players: int) -> None:
        """Check that a game for this many players can begin on this board, whatever is drawn."""
        check_decks(self.edition, printed_map(ground, self.name), len(self.edition.owners(players)))

    def deal(self, ground: Ground, wish: Wish, chance: random.Random) -> Setup:
        """Set up a new game by the players' wishes; pawns without a station draw start cards (CL-04, BE-01)."""
        network = printed_map(ground, self.name)
        pawns = owners_of(self.edition, players=wish.players, detectives=wish.detectives, owners=wish.owners)
        names = (*pawns, MR_X)
        check_pawn_names(wish.start, names)
        if not wish.start:
            check_decks(self.edition, network, len(pawns))
        start = deal(self.edition, network, names, chance, wish.start)
        mr_x = Secret(start.pop(MR_X))
        return Setup(self.edition, network, pawns, start, mr_x, dict(wish.options))

    def roll(self, state: PursuitState, chance: random.Random) -> None:
        """Return None: this game has no dice."""

    def begin(self, setup: Setup) -> PursuitState:
        """Return the position before the first move."""
        self._check(setup)
        edition, pawns = self.edition, len(setup.pawns)
        terms = _terms(edition, setup, Options.of(edition, setup.options))
        state = PursuitState(
            terms=terms,
            x=setup.mr_x.value,
            at=tuple(setup.start[pawn] for pawn in setup.pawns),
            hands=tuple(edition.hand if pays else PASS for pays in terms.pays),
            supply=edition.mr_x_hand or (0, 0, 0),
            blacks=pawns if edition.blacks is None else edition.blacks,
            doubles=edition.doubles,
            log=(),
            round=1,
            turn=-1,
            half=0,
            moved=0,
            skipped=(),
            outcome=None,
        )
        if mr_x_turns.can_move(state):
            return state
        return state._replace(outcome=standstill_outcome(state) or TRAPPED)

    def _check(self, setup: Setup) -> None:
        check_owners(self.edition, setup, self.edition.seats)
        pawns = setup.pawns
        if setup.start.keys() != {*pawns}:
            raise BadSetup(f"start: needs a station for each of {', '.join(pawns)}, and for no other")
        for pawn, station in setup.start.items():
            if station not in setup.network.stations:
                raise BadSetup(f"start: {pawn}: there is no station {station} on {setup.network.name}")
        if setup.mr_x.value not in setup.network.stations:
            raise BadSetup(f"start: {MR_X}: there is no such station on {setup.network.name}")
        if len({*setup.start.values(), setup.mr_x.value}) <= len(pawns):
            raise BadSetup("start: every pawn, Mister X's included, needs a station of its own")

    def legal(self, state: PursuitState) -> tuple[Action, ...]:
        """Return all legal actions; secret during Mister X's turn."""
        if state.outcome is not None:
            return ()
        return mr_x_turns.moves(state) if state.turn < 0 else detective_turns.moves(state)

    def play(self, state: PursuitState, action: Action) -> PursuitState:
        """Return the position after an action.

        Raises:
            IllegalAction: the action is not legal now. The message never reveals where Mister X is or may go.
        """
        if state.outcome is not None:
            raise IllegalAction(f"the game is over: {state.outcome.winner} won ({state.outcome.reason})")
        if type(action) is PawnMove:
            return detective_turns.play(state, action)
        if state.turn >= 0:
            raise IllegalAction(f"it is {detective_turns.whose_turn(state)}'s turn, not Mister X's")
        state = mr_x_turns.play(state, action)
        return state if state.turn < 0 else detective_turns.pass_over_blocked(state)

    def public(self, state: PursuitState) -> PursuitView:
        """Return the public view."""
        return visibility.public(state)

    def private(self, state: PursuitState) -> MrXView:
        """Return Mister X's view."""
        return visibility.private(state)


def _terms(edition: Edition, setup: Setup, options: Options) -> PursuitTerms:
    network, pawns, paying = without_closed(setup.network, edition.closed), setup.pawns, edition.fares == "tickets"
    bobbies = edition.bobbies_among(setup.owners)
    pays = tuple(paying and pawn not in bobbies for pawn in pawns)
    return PursuitTerms(
        setup=setup,
        network=network,
        order=pawns,
        places={pawn: place for place, pawn in enumerate(pawns)},
        rides=tuple(map(pawn_rides, repeat(network), pawns, pays)),
        mr_x_rides=mr_x_rides(network, paying),
        fares=tuple(fares(network, pawn_pays) for pawn_pays in (*pays, paying)),
        pays=pays,
        groups=_groups(edition, setup),
        paying=paying,
        common=edition.mr_x_hand is None,
        unlimited=options.x_fares == "unlimited",
        last_chance=options.last_chance or edition.rounds is not None,
        windows=options.log_windows,
        rounds=edition.rounds,
        surfacing=edition.surfacing,
        in_sight=edition.in_sight,
        voluntary=options.voluntary_surfacing,
        cut_off=options.cut_off,
        uncover_half=options.uncover_half,
    )


def _groups(edition: Edition, setup: Setup) -> tuple[tuple[int, ...], ...]:
    """Group the pawns that may move in any order: each alone, one player's (US-01), or all (BE-02)."""
    places = range(len(setup.pawns))
    if edition.order == "fixed":
        return tuple((pawn,) for pawn in places)
    if edition.order == "free":
        return (tuple(places),)
    owners = list(setup.owners.values())
    return tuple(tuple(p for p in places if owners[p] == player) for player in dict.fromkeys(owners))
