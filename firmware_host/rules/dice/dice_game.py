"""The rules of the dice game: detectives move by rolled dice, Mister X by the dice they used. Pure.

While dice have to be rolled, nothing else is legal. A detective who can use no die, has no token left, and has one pawn
to move, is skipped at once. So in every returned position somebody can act, dice have to be rolled, or the
game is over.

First the starts are chosen on the board. A round is the detectives' part, with a roll before every move, and Mister X's
turn (one move, or two after a `Double`). Chance enters as a `Roll`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from firmware_host.rules.actions import (
    BLACK,
    HELICOPTER,
    MR_X,
    START,
    STAY,
    Action,
    Double,
    MrXMove,
    Pass,
    PawnMove,
    Roll,
    RollAgain,
)
from firmware_host.rules.dice.dice_box import FACES, DiceBox
from firmware_host.rules.dice.dice_position import (
    CAPTURED,
    ESCAPED,
    WALKED_IN,
    DiceEntry,
    DicePool,
    DiceState,
    DiceTerms,
    find_connections,
)
from firmware_host.rules.dice.dice_view import Dice, DiceView
from firmware_host.rules.dice.tiles import TileSet, Tiling
from firmware_host.rules.errors import BadSetup, IllegalAction
from firmware_host.rules.network import shorten
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Ground, Option, Setup, Wish, check_numbers, check_owners, owners_of
from firmware_host.rules.views import LogEntry, MrXView, Skipped

NO_DIE = "no_die"
"""The reason why a detective was skipped: none of the dice could be used (DI-14)."""


def on_turn(state: DiceState, moves: tuple[PawnMove, ...]) -> tuple[str, ...]:
    """Return the pawns that may act now. A pawn without a move must wait while another has one (DI-16)."""
    if state.turn < 0:
        return (MR_X,)
    if state.pool.to_roll:
        return tuple(state.terms.order[pawn] for pawn in pawns_to_move(state))
    return tuple(dict.fromkeys([move.pawn for move in moves]))


def _start_moves(state: DiceState) -> tuple[PawnMove, ...]:
    """Return the possible starts of the next pawn: free places that only taxis serve (DI-10)."""
    pawn = state.terms.order[state.at.index(0)]
    return tuple(PawnMove(pawn, to, START) for to in sorted(state.terms.connections.taxi_only) if to not in state.at)


def pawns_to_move(state: DiceState) -> tuple[int, ...]:
    """Return the pawns that the current detective has yet to move. The first detective changes every round (DI-12)."""
    groups = state.terms.groups
    group = groups[(state.round - 1 + state.turn) % len(groups)]
    return tuple([pawn for pawn in group if not state.moved >> pawn & 1])


def pawn_moves(state: DiceState) -> tuple[PawnMove, ...]:
    """Return the legal moves of pawns on turn: by one rolled die, to a place without a detective (DI-13).

    If there are none, each of these pawns may stay (DI-14). A player with two such pawns chooses which of them stays,
    and rolls for the other (DI-16). While starts are chosen, the moves are the possible starts.
    """
    if state.round == 0:
        return _start_moves(state)
    terms, at = state.terms, state.at
    faces, waiting = dict.fromkeys(state.pool.rolled), pawns_to_move(state)
    moves = []
    for pawn in waiting:
        name, ways = terms.order[pawn], terms.connections.by_face[at[pawn]]
        moves += [PawnMove(name, to, face) for face in faces for to in ways[face] if to not in at]
    if not moves:
        return tuple([PawnMove(terms.order[pawn], at[pawn], STAY) for pawn in waiting])
    return tuple(moves)


def _can_use_a_die(state: DiceState) -> bool:
    """Return whether any pawn on turn can use a die. Every roll calls this, so it uses plain loops for speed."""
    at = state.at
    for pawn in pawns_to_move(state):
        ways = state.terms.connections.by_face[at[pawn]]
        for face in state.pool.rolled:
            for to in ways[face]:
                if to not in at:
                    return True
    return False


def may_roll_again(state: DiceState) -> bool:
    """Return whether the detectives have a token and unused dice to roll again (DI-15)."""
    return state.tokens > 0 and state.turn >= 0 and state.round > 0 and bool(state.pool.rolled)


def play_roll(state: DiceState, action: Action) -> DiceState:
    """Put a roll on the table. Skip the detective on turn if they can do nothing with it (DI-13, DI-14).

    They can do something if a die is of use, a token is left, or they have yet to move two pawns (DI-16).

    Raises:
        IllegalAction: it is not a roll, or its number of dice or their faces are wrong.
    """
    pool, faces = state.pool, tuple(state.terms.box.faces)
    if type(action) is not Roll or len(action.faces) != pool.to_roll or any(face not in faces for face in action.faces):
        raise IllegalAction(f"{pool.to_roll} dice are to be rolled now, each of which shows one of {', '.join(faces)}")
    state = state._replace(pool=pool.show(action.faces))
    pawn, *others = pawns_to_move(state)
    if state.tokens or others or _can_use_a_die(state):
        return state
    skipped = (*state.skipped, Skipped(state.terms.order[pawn], NO_DIE))
    return _next_detective(state._replace(moved=state.moved | 1 << pawn, skipped=skipped))


def play_pawn(state: DiceState, action: PawnMove) -> DiceState:
    """Set a detective's pawn down, move it or let it stay. On Mister X's place it captures him (DI-25).

    Raises:
        IllegalAction: the pawn cannot do this; the message says what is legal.
    """
    if action not in (moves := pawn_moves(state)):
        legal = ", ".join(f"{move.pawn} to {move.to} by {move.ticket}" for move in moves)
        raise IllegalAction(f"{action.pawn} cannot go to {action.to} by {action.ticket}; legal is {legal}")
    pawn, to = state.terms.places[action.pawn], action.to
    at = (*state.at[:pawn], to, *state.at[pawn + 1 :])
    if action.ticket == START:
        return state._replace(at=at, turn=0 if 0 in at else -1)
    moved = state.moved | 1 << pawn
    if action.ticket == STAY:
        return _next_detective(state._replace(moved=moved))
    pool = state.pool.use(pawn, action.ticket)
    if to == state.x:
        return state._replace(at=at, pool=pool, moved=moved, outcome=CAPTURED)
    return _next_detective(state._replace(at=at, pool=pool, moved=moved))


def _next_detective(state: DiceState) -> DiceState:
    """Pass the remaining dice to the next detective (DI-13), or end the detectives' turn after the last."""
    turn = state.turn if pawns_to_move(state) else state.turn + 1
    if turn < len(state.terms.groups):
        if state.pool.rolled:
            return state._replace(turn=turn, pool=state.pool.pick_up())
        state = _pass_over_all(state._replace(turn=turn))
    if len(state.log) >= state.terms.windows:
        return state._replace(outcome=ESCAPED)
    return state._replace(turn=-1)


def _pass_over_all(state: DiceState) -> DiceState:
    """Skip every detective who has not moved, because no dice are left to roll."""
    skipped = state.skipped
    while state.turn < len(state.terms.groups):
        skipped += tuple(Skipped(state.terms.order[pawn], NO_DIE) for pawn in pawns_to_move(state))
        state = state._replace(turn=state.turn + 1)
    return state._replace(skipped=skipped)


def next_round(state: DiceState) -> DiceState:
    """Begin the next round: take the dice back into the hand, and give the detectives the turn (DI-24)."""
    pool = state.pool.refill(state.terms.hand)
    state = state._replace(pool=pool, round=state.round + 1, turn=0, half=0, moved=0, skipped=())
    return state if pool.to_roll else _next_detective(state)


PASS = "pass"  # noqa: S105 - a word of the log
"""The log's word for a move that Mister X passed (DI-18)."""

REFUSED: Mapping[type, str] = {
    Double: "a double move has to be left to him, with two free windows and two moves",
    Pass: "Mister X passes only if no die lets him move",
    Roll: "no dice are to be rolled",
    RollAgain: "the detectives may roll again with a token, while dice lie open that nobody has used",
}
"""Kind of action -> why it is not possible now."""


def start_mr_x(state: DiceState, to: int) -> DiceState:
    """Start Mister X at `to`, cover his first log entry with a die turned to X, and begin round 1 (DI-10)."""
    return next_round(state._replace(x=to, start=to, pool=state.pool.cover()))


def _safe_ways(state: DiceState) -> list[tuple[int, str]]:
    """Return Mister X's destinations without a detective, each with the die or card to use (DI-17, DI-19, DI-21)."""
    connections, at, x = state.terms.connections, state.at, state.x
    by_face = connections.by_face[x]
    found = [(to, face) for face in state.pool.offered for to in by_face[face] if to not in at]
    if state.blacks:
        found += [(to, BLACK) for to in connections.black[x] if to not in at]
    if state.helicopters:
        found += [(to, HELICOPTER) for to in connections.flights[x] if to not in at]
    return found


def mr_x_choices(state: DiceState) -> tuple[Action, ...]:
    """Return Mister X's legal actions. A double move is offered only if its second half is possible (DI-20)."""
    if state.round == 0:
        return tuple(MrXMove(Secret(to), START) for to in sorted(state.terms.network.stations) if to not in state.at)
    free = _safe_ways(state)
    if state.half == 1:
        return _mr_x_moves([way for way in free if _leaves_second_move(state, way)])
    found = _mr_x_moves(free)
    by_face = state.terms.connections.by_face[state.x]
    by_dice = [(to, face) for face in state.pool.offered for to in by_face[face]]
    if not free:
        found = _mr_x_moves(by_dice)  # DI-25: he can only walk into detectives
    if not by_dice and state.half == 0:
        found += (Pass(),)  # DI-18
    if state.half == 0 and state.doubles and len(state.log) + 2 <= state.terms.windows:
        for way in free:
            if _leaves_second_move(state, way):
                return (*found, Double())
    return found


def _mr_x_moves(moves: list[tuple[int, str]]) -> tuple[Action, ...]:
    return tuple([MrXMove(Secret(to), ticket) for to, ticket in moves])


def _leaves_second_move(state: DiceState, first: tuple[int, str]) -> bool:
    """Return whether Mister X can follow this first half of a double move without meeting a detective."""
    return bool(_safe_ways(_after_move(state, *first)))


def _after_move(state: DiceState, to: int, ticket: str) -> DiceState:
    """Move Mister X, cover the new log entry with a die, and let him surface if it is time (DI-17 to DI-23)."""
    pool = state.pool.take(ticket) if ticket in FACES else state.pool.cover()
    log = (*state.log, DiceEntry(ticket, to, state.half))
    if len(log) in state.terms.surfacing:
        pool = pool.uncover()
    return state._replace(
        x=to,
        pool=pool,
        blacks=state.blacks - (ticket == BLACK),
        helicopters=state.helicopters - (ticket == HELICOPTER),
        log=log,
    )


def play_mr_x(state: DiceState, action: Action) -> DiceState:
    """Carry out Mister X's action. After his turn the next round begins, unless he stepped onto a detective (DI-25).

    Raises:
        IllegalAction: he cannot do this; the message is the same wherever he is.
    """
    if action not in mr_x_choices(state):
        why = REFUSED.get(type(action), "his choices are on the handset")
        raise IllegalAction(f"it is Mister X's turn, and he cannot do this now: {why}")
    if type(action) is Double:
        return state._replace(half=1, doubles=state.doubles - 1)
    if type(action) is not MrXMove:
        return next_round(_after_move(state, state.x, PASS))
    if action.ticket == START:
        return start_mr_x(state, action.to.value)
    to, half = action.to.value, state.half
    state = _after_move(state, to, action.ticket)
    if to in state.at:
        return state._replace(half=0, outcome=WALKED_IN)
    return state._replace(half=2) if half == 1 else next_round(state)


_TILE = 4  # places on a tile (DI-01)


def _terms(box: DiceBox, setup: Setup, network: Tiling) -> DiceTerms:
    small = box.is_small(setup.owners.values())
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
        connections=find_connections(network),
        order=setup.pawns,
        places=places,
        groups=tuple(groups.values()),
        hand=box.small_hand if small else box.hand,
        by_hand=options["dice"] == "entered",
        windows=windows,
        surfacing=frozenset(n for n in box.surfacing if n <= windows),
        reveal_route=options["reveal_route"] is True,
    )


def _check_tiles(box: DiceBox, setup: Setup) -> Tiling:
    """Return the laid tiles. Check their number (DI-02), their sides (DI-06) and the starts that they offer (DI-10)."""
    if not isinstance(setup.network, Tiling):
        raise BadSetup(f"map: {setup.network.name} is a printed map; {box.name} is played on tiles, so name no map")
    players = len(set(setup.owners.values())) + 1
    lying, wanted = len(setup.network.stations) // _TILE, box.tiles(setup.owners.values())
    if lying != wanted:
        raise BadSetup(
            f"layout {setup.network.layout!r}: has {lying} tiles; {players} players, Mister X among them, need {wanted}"
        )
    _check_sides(box, setup, setup.network.layout)
    found = len(find_connections(setup.network).taxi_only)
    if found < len(setup.pawns):
        raise BadSetup(
            f"layout {setup.network.layout!r}: has {found} places where only taxis stop; "
            f"{len(setup.pawns)} pawns need as many to start; lay other tiles"
        )
    return setup.network


def _check_sides(box: DiceBox, setup: Setup, layout: str) -> None:
    """Check how many tiles have their light side up: the number for experts, or none (DI-06)."""
    light = sum(letter.islower() for letter in layout)
    experts = {**box.options, **setup.options}["experts"] is True
    wanted = box.light_tiles(setup.owners.values()) if experts else 0
    if light == wanted:
        return
    what = f"{wanted} of them" if wanted else "none"
    raise BadSetup(
        f"layout: {light} tiles of {shorten(layout)} lie with their light side up (a small letter); "
        f"with experts = {str(experts).lower()} it must be {what}"
    )


def _check_start(box: DiceBox, setup: Setup, network: Tiling) -> None:
    """Check that either nobody has a start station, or every pawn has a possible one (DI-10)."""
    if not setup.start and not setup.mr_x.value:
        return
    if set(setup.start) != set(setup.pawns) or not setup.mr_x.value:
        names = ", ".join((*setup.pawns, MR_X))
        raise BadSetup(f"start: in {box.name} write a start for each of {names}, or none to choose all on the board")
    connections = find_connections(network)
    for pawn, place in setup.start.items():
        if place not in connections.taxi_only:
            raise BadSetup(f"start: {pawn}: {place} is not a place where only taxis stop; choose another")
    if setup.mr_x.value not in network.stations:
        known = f"{min(network.stations)} to {max(network.stations)}"
        raise BadSetup(f"start: {MR_X}: there is no such place on these tiles; places are {known}")
    if len({*setup.start.values(), setup.mr_x.value}) <= len(setup.pawns):
        raise BadSetup("start: two pawns, Mister X's included, have the same place; give each another one")


AGAIN = RollAgain()
"""The action that spends a token (DI-15), as one object that all positions share."""


def _moved_pawns(state: DiceState) -> tuple[str, ...]:
    """Return the pawns that have moved, or stayed by choice, in this round. Pawns that were skipped do not count."""
    skipped = {skip.pawn for skip in state.skipped}
    moved = (pawn for n, pawn in enumerate(state.terms.order) if state.moved >> n & 1)
    return tuple(pawn for pawn in moved if pawn not in skipped)


def _route(state: DiceState) -> tuple[int, ...]:
    return (state.start, *(entry.station for entry in state.log)) if state.start else ()


def _tickets(state: DiceState) -> dict[str, dict[str, int]]:
    """Return Mister X's remaining cards (DI-09). Detectives have no tickets."""
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


@dataclass(frozen=True, slots=True)
class DiceGame:
    """The rule system of one dice game box. Implements `System`."""

    box: DiceBox

    @property
    def name(self) -> str:
        """The name with which a configuration chooses these rules: `rules = "…"`."""
        return self.box.name

    def check(self, options: Mapping[str, Option]) -> None:
        """Check that the box allows these options."""
        self.box.check(options)

    def check_ground(self, ground: Ground, players: int) -> None:
        """Check that this many players can play on these tiles, whichever tiles are drawn."""
        self.deal(ground, Wish(players=players, options={"layout": ""}), random.Random(0))  # noqa: S311

    def deal(self, ground: Ground, wish: Wish, rng: random.Random) -> Setup:
        """Set up a game as the players wish. Draw the tiles if neither wish nor box has a layout (DI-02)."""
        box = self.box
        box.check(wish.options)
        owners = owners_of(box, players=wish.players, detectives=wish.detectives, owners=wish.owners)
        if not isinstance(ground, TileSet):
            raise BadSetup(f"map: {ground.name} is a printed map; {box.name} is played on tiles, so name no map")
        check_numbers(wish.start)
        options = {**box.options, **wish.options}
        layout = options["layout"] or ground.draw(len(set(owners.values())), options["experts"] is True, rng)
        start = dict(wish.start)
        mr_x = Secret(start.pop(MR_X, 0))
        network = ground.lay_tiles(str(layout))
        setup = Setup(box, network, owners, start, mr_x, dict(wish.options), str(layout))
        _check_start(box, setup, _check_tiles(box, setup))
        return setup

    def roll(self, state: DiceState, rng: random.Random) -> Roll | None:
        """Return a random roll of the dice in the hand if they have to be rolled, else None (DI-08, DI-13)."""
        if not state.pool.to_roll or state.outcome is not None:
            return None
        faces = self.box.faces
        return Roll(tuple(rng.choices(list(faces), list(faces.values()), k=state.pool.to_roll)))

    def begin(self, setup: Setup) -> DiceState:
        """Return the first position: the choice of starts, or the first round if the starts are given."""
        box = self.box
        box.check(setup.options)
        check_owners(box, setup.owners, box.seats)
        network = _check_tiles(box, setup)
        _check_start(box, setup, network)
        small = box.is_small(setup.owners.values())
        state = DiceState(
            terms=_terms(box, setup, network),
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

    def legal(self, state: DiceState) -> tuple[Action, ...]:
        """Return all legal actions, or none while dice have to be rolled. They are secret during Mister X's turn."""
        if state.outcome is not None or state.pool.to_roll:
            return ()
        if state.turn < 0:
            return mr_x_choices(state)
        moves = pawn_moves(state)
        return (*moves, AGAIN) if may_roll_again(state) else moves

    def play(self, state: DiceState, action: Action) -> DiceState:
        """Return the position after an action.

        Raises:
            IllegalAction: the action is not legal now. The message never reveals where Mister X is or may go.
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
        """Return the public view, which has only what everyone may know."""
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
            rules=terms.box.name,
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
            extras={"table.back": AGAIN} if detectives and may_roll_again(state) else {},
            dice=_dice(state, state.start if over or (terms.reveal_route and shown) else 0),
            layout=terms.network.layout,
        )

    def private(self, state: DiceState) -> MrXView:
        """Return Mister X's view: the public view and his secrets."""
        choices = mr_x_choices(state) if state.turn < 0 and state.outcome is None else ()
        shows = bool(state.start) and len(state.log) + 1 in state.terms.surfacing
        return MrXView(self.public(state), Secret(state.x), Secret(_route(state)), Secret(choices), shows)
