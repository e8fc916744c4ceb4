"""Referee the dice game: the detectives move by their rolls, and Mister X by the dice that they have used.

First the starts are chosen on the board. A round is the detectives' part, with a roll before every move, and Mister X's
turn (one move, or two after a `Double`). Chance comes in as a `Roll`: while dice are to be rolled, nothing else is
legal. Whose turn it is then, and who is passed over, is found in `dice_turns`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from firmware_host.rules.actions import BLACK, HELICOPTER, MR_X, Action, PawnMove, Roll, RollAgain
from firmware_host.rules.dice.dice_box import DiceBox
from firmware_host.rules.dice.dice_position import DicePool, DiceState, DiceTerms, find_ways
from firmware_host.rules.dice.dice_turns import (
    REFUSED,
    may_roll_again,
    mr_x_choices,
    on_turn,
    pawn_moves,
    play_mr_x,
    play_pawn,
    play_roll,
    start_mr_x,
)
from firmware_host.rules.dice.dice_view import Dice, DiceView
from firmware_host.rules.dice.tiles import TileSet, Tiling
from firmware_host.rules.errors import BadSetup, IllegalAction
from firmware_host.rules.network import shorten
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Ground, Option, Setup, Wish, check_numbers, check_owners, owners_of
from firmware_host.rules.views import LogEntry, MrXView

_AGAIN = RollAgain()
_TILE = 4  # places on a tile (DI-01)


@dataclass(frozen=True, slots=True)
class DiceGame:
    """The rule system of one box of the dice game; implements `System`."""

    box: DiceBox

    @property
    def name(self) -> str:
        """The name in `rules = "…"`."""
        return self.box.name

    def check(self, options: Mapping[str, Option]) -> None:
        """Check that these options can be played with."""
        self.box.check(options)

    def check_ground(self, ground: Ground) -> None:
        """Check that each number of players can play on these tiles, whatever is drawn."""
        for players in self.box.seats:
            self.deal(ground, Wish(players=players, options={"layout": ""}), random.Random(0))  # noqa: S311

    def deal(self, ground: Ground, wish: Wish, chance: random.Random) -> Setup:
        """Set up a new game as the players wish; tiles are drawn unless a layout is given (DI-02)."""
        self.check(wish.options)
        owners = owners_of(self.box, players=wish.players, detectives=wish.detectives, owners=wish.owners)
        if not isinstance(ground, TileSet):
            raise BadSetup(f"map: {ground.name} is a printed map; {self.name} is played on tiles")
        check_numbers(wish.start)
        options = {**self.box.options, **wish.options}
        layout = options["layout"] or ground.draw(len(set(owners.values())), options["experts"] is True, chance)
        start = dict(wish.start)
        mr_x = Secret(start.pop(MR_X, 0))
        network = ground.lay(str(layout))
        setup = Setup(self.box, network, owners, start, mr_x, dict(wish.options), str(layout))
        self._check_start(setup, self._check_tiles(setup))
        return setup

    def roll(self, state: DiceState, chance: random.Random) -> Roll | None:
        """Roll the dice in hand, if they are to be rolled now (DI-08, DI-13). Pure but for `chance`."""
        if not state.pool.to_roll or state.outcome is not None:
            return None
        faces = self.box.faces
        return Roll(tuple(chance.choices(list(faces), list(faces.values()), k=state.pool.to_roll)))

    def begin(self, setup: Setup) -> DiceState:
        """Return the position before starts are chosen; if they are given, that of the first round."""
        self.check(setup.options)
        check_owners(self.box, setup, self.box.seats)
        network = self._check_tiles(setup)
        self._check_start(setup, network)
        box, small = self.box, self.box.is_small(setup.owners.values())
        state = DiceState(
            terms=self._terms(setup, network),
            x=0,
            start=0,
            at=tuple(setup.start.get(pawn, 0) for pawn in setup.pawns),
            pool=DicePool(0, (), (), 0, box.dice, ()),
            tokens=box.tokens,
            blacks=box.small_blacks if small else box.blacks,
            doubles=box.doubles,
            helicopters=box.helicopters,
            log=(),
            round=0,
            turn=0,
            half=0,
            moved=0,
            skipped=(),
            outcome=None,
        )
        return start_mr_x(state, setup.mr_x.value) if setup.start else state

    def _terms(self, setup: Setup, network: Tiling) -> DiceTerms:
        box, small = self.box, self.box.is_small(setup.owners.values())
        options = {"log_windows": box.windows, "reveal_route": False, **box.options, **setup.options}
        windows = int(options["log_windows"])
        places = {pawn: place for place, pawn in enumerate(setup.pawns)}
        groups: dict[int, tuple[int, ...]] = {}
        for pawn, owner in setup.owners.items():
            groups[owner] = (*groups.get(owner, ()), places[pawn])
        return DiceTerms(
            setup=setup,
            box=box,
            network=network,
            ways=find_ways(network),
            order=setup.pawns,
            places=places,
            groups=tuple(groups.values()),
            hand=box.small_hand if small else box.hand,
            by_hand=options["dice"] == "entered",
            windows=windows,
            surfacing=frozenset(n for n in box.surfacing if n <= windows),
            reveal_route=options["reveal_route"] is True,
        )

    def _check_tiles(self, setup: Setup) -> Tiling:
        """Lay the tiles and check that they are as many as needed (DI-02), with a start for every detective (DI-10)."""
        if not isinstance(setup.network, Tiling):
            raise BadSetup(f"map: {setup.network.name} is a printed map; {self.name} is played on tiles")
        players = len(set(setup.owners.values())) + 1
        lying, wanted = len(setup.network.stations) // _TILE, self.box.tiles(setup.owners.values())
        if lying != wanted:
            raise BadSetup(
                f"layout {setup.network.layout!r}: {lying} tiles; "
                f"{players} players, Mister X among them, play on {wanted}"
            )
        self._check_sides(setup, setup.network.layout)
        found = len(find_ways(setup.network).taxi_only)
        if found < len(setup.pawns):
            raise BadSetup(
                f"layout {setup.network.layout!r}: at {found} places nothing but taxis stop, "
                f"too few for {len(setup.pawns)} pawns to start"
            )
        return setup.network

    def _check_sides(self, setup: Setup, layout: str) -> None:
        """Check that as many tiles lie with their light side up as experts play with, or none (DI-06)."""
        light = sum(letter.islower() for letter in layout)
        experts = {**self.box.options, **setup.options}["experts"] is True
        wanted = self.box.light_tiles(setup.owners.values()) if experts else 0
        if light == wanted:
            return
        what = f"{wanted} of them" if wanted else "none"
        raise BadSetup(
            f"layout: {light} tiles of {shorten(layout)} lie with their light side up (a small letter); "
            f"with experts = {str(experts).lower()} it must be {what}"
        )

    def _check_start(self, setup: Setup, network: Tiling) -> None:
        """Check that either nobody has a start, or everybody one that he could choose (DI-10)."""
        if not setup.start and not setup.mr_x.value:
            return
        if set(setup.start) != set(setup.pawns) or not setup.mr_x.value:
            names = ", ".join((*setup.pawns, MR_X))
            raise BadSetup(f"start: in {self.name} starts are chosen on the board; settle all ({names}) or none")
        ways = find_ways(network)
        for pawn, place in setup.start.items():
            if place not in ways.taxi_only:
                raise BadSetup(f"start: {pawn}: {place} is no place at which only taxis stop")
        if setup.mr_x.value not in network.stations:
            raise BadSetup(f"start: {MR_X}: there is no such place on these tiles")
        if len({*setup.start.values(), setup.mr_x.value}) <= len(setup.pawns):
            raise BadSetup("start: every pawn, Mister X's included, needs a place of its own")

    def legal(self, state: DiceState) -> tuple[Action, ...]:
        """Return all legal actions; none while dice are to be rolled. Secret during Mister X's turn."""
        if state.outcome is not None or state.pool.to_roll:
            return ()
        if state.turn < 0:
            return mr_x_choices(state)
        moves = pawn_moves(state)
        return (*moves, _AGAIN) if may_roll_again(state) else moves

    def play(self, state: DiceState, action: Action) -> DiceState:
        """Return the position after an action.

        Raises:
            IllegalAction: the action is not legal now. The message never tells where Mister X is or may go.
        """
        if state.outcome is not None:
            raise IllegalAction(f"the game is over: {state.outcome.winner} won ({state.outcome.reason})")
        if state.pool.to_roll:
            return play_roll(state, action)
        if state.turn < 0:
            return play_mr_x(state, action)
        if type(action) is PawnMove:
            return play_pawn(state, action)
        if type(action) is RollAgain and may_roll_again(state):
            return state._replace(pool=state.pool.pick_up(), tokens=state.tokens - 1)
        why = REFUSED.get(type(action), "Mister X has to wait")
        raise IllegalAction(f"it is {' or '.join(on_turn(state, pawn_moves(state)))}'s turn to move a pawn: {why}")

    def public(self, state: DiceState) -> DiceView:
        """Return what everyone may know."""
        terms = state.terms
        over = state.outcome is not None
        shown = max((n for n in terms.surfacing if n <= len(state.log)), default=0)
        revealed = range(1, shown + 1) if terms.reveal_route else terms.surfacing
        pawns = {pawn: place for pawn, place in zip(terms.order, state.at, strict=True) if place}
        if over or shown == len(state.log) > 0:
            pawns[MR_X] = state.x
        seen = {state.log[shown - 1].station} if shown else set()
        detectives = state.turn >= 0 and not over
        moves = pawn_moves(state) if detectives and not state.pool.to_roll else ()
        return DiceView(
            rules=self.name,
            network=terms.network,
            round=state.round,
            turn=() if over else on_turn(state, moves),
            order=terms.order,
            owners=terms.setup.owners,
            pawns=pawns,
            stale=frozenset(seen - {pawns.get(MR_X)}),
            log=tuple(
                LogEntry(n, e.ticket, e.station if over or n in revealed else None, e.double)
                for n, e in enumerate(state.log, 1)
            ),
            windows=terms.windows,
            surfacing=terms.surfacing,
            tickets=_tickets(state),
            moves=moves,
            double=state.half,
            skipped=state.skipped,
            moved=_moved_pawns(state),
            outcome=state.outcome,
            route=_route(state) if over else (),
            extras={"table.back": _AGAIN} if detectives and may_roll_again(state) else {},
            dice=_dice(state, state.start if over or (terms.reveal_route and shown) else 0),
            layout=terms.network.layout,
        )

    def private(self, state: DiceState) -> MrXView:
        """Return what Mister X may know."""
        choices = mr_x_choices(state) if state.turn < 0 and state.outcome is None else ()
        shows = bool(state.start) and len(state.log) + 1 in state.terms.surfacing
        return MrXView(self.public(state), Secret(state.x), Secret(_route(state)), Secret(choices), shows)


def _moved_pawns(state: DiceState) -> tuple[str, ...]:
    """Return who has moved in this round; a pawn that could use no die is among the skipped instead."""
    skipped = {skip.pawn for skip in state.skipped}
    moved = (pawn for n, pawn in enumerate(state.terms.order) if state.moved >> n & 1)
    return tuple(pawn for pawn in moved if pawn not in skipped)


def _route(state: DiceState) -> tuple[int, ...]:
    return (state.start, *(entry.station for entry in state.log)) if state.start else ()


def _tickets(state: DiceState) -> dict[str, dict[str, int]]:
    """Return what Mister X has left to cross off; the detectives hold only tokens, in common (DI-09)."""
    own = {BLACK: state.blacks, "double": state.doubles, HELICOPTER: state.helicopters}
    return {**{pawn: {} for pawn in state.terms.order}, MR_X: own}


def _dice(state: DiceState, start: int) -> Dice:
    terms, pool = state.terms, state.pool
    return Dice(
        to_roll=pool.to_roll,
        rolled=pool.rolled,
        used=tuple((terms.order[pawn], face) for pawn, face in pool.used),
        taken=pool.taken.bit_count(),
        supply=pool.supply,
        covers=pool.covers,
        tokens=state.tokens,
        tile=terms.network.letters[state.start] if state.start else "",
        faces=tuple(terms.box.faces),
        by_hand=terms.by_hand,
        start=start,
    )
