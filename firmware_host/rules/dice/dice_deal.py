"""Set up the dice game: draw tiles, assign starts, and build the first position (DI-02, DI-10)."""

from __future__ import annotations

import random

from firmware_host.rules.actions import MR_X
from firmware_host.rules.dice.dice_box import DiceBox
from firmware_host.rules.dice.dice_mr_x_turns import start_mr_x
from firmware_host.rules.dice.dice_position import DicePool, DiceState, DiceTerms, find_ways
from firmware_host.rules.dice.tiles import TileSet, Tiling
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.network import shorten
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Ground, Setup, Wish, check_numbers, check_owners, owners_of

_TILE = 4  # places on a tile (DI-01)


def deal(box: DiceBox, ground: Ground, wish: Wish, chance: random.Random) -> Setup:
    """Set up a new game by the players' wishes; tiles are drawn unless a layout is given (DI-02)."""
    box.check(wish.options)
    owners = owners_of(box, players=wish.players, detectives=wish.detectives, owners=wish.owners)
    if not isinstance(ground, TileSet):
        raise BadSetup(f"map: {ground.name} is a printed map; {box.name} is played on tiles")
    check_numbers(wish.start)
    options = {**box.options, **wish.options}
    layout = options["layout"] or ground.draw(len(set(owners.values())), options["experts"] is True, chance)
    start = dict(wish.start)
    mr_x = Secret(start.pop(MR_X, 0))
    network = ground.lay(str(layout))
    setup = Setup(box, network, owners, start, mr_x, dict(wish.options), str(layout))
    _check_start(box, setup, _check_tiles(box, setup))
    return setup


def begin(box: DiceBox, setup: Setup) -> DiceState:
    """Return the position before starts are chosen, or that of the first round if they are given."""
    box.check(setup.options)
    check_owners(box, setup, box.seats)
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


def _check_tiles(box: DiceBox, setup: Setup) -> Tiling:
    """Lay the tiles and check their number (DI-02), and that there is a start for every detective (DI-10)."""
    if not isinstance(setup.network, Tiling):
        raise BadSetup(f"map: {setup.network.name} is a printed map; {box.name} is played on tiles")
    players = len(set(setup.owners.values())) + 1
    lying, wanted = len(setup.network.stations) // _TILE, box.tiles(setup.owners.values())
    if lying != wanted:
        raise BadSetup(
            f"layout {setup.network.layout!r}: {lying} tiles; {players} players, Mister X among them, play on {wanted}"
        )
    _check_sides(box, setup, setup.network.layout)
    found = len(find_ways(setup.network).taxi_only)
    if found < len(setup.pawns):
        raise BadSetup(
            f"layout {setup.network.layout!r}: at {found} places nothing but taxis stop, "
            f"too few for {len(setup.pawns)} pawns to start"
        )
    return setup.network


def _check_sides(box: DiceBox, setup: Setup, layout: str) -> None:
    """Check that the number of tiles with their light side up is the experts', or 0 (DI-06)."""
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
    """Check that either nobody has a start, or everybody a possible one (DI-10)."""
    if not setup.start and not setup.mr_x.value:
        return
    if set(setup.start) != set(setup.pawns) or not setup.mr_x.value:
        names = ", ".join((*setup.pawns, MR_X))
        raise BadSetup(f"start: in {box.name} starts are chosen on the board; settle all ({names}) or none")
    ways = find_ways(network)
    for pawn, place in setup.start.items():
        if place not in ways.taxi_only:
            raise BadSetup(f"start: {pawn}: {place} is no place at which only taxis stop")
    if setup.mr_x.value not in network.stations:
        raise BadSetup(f"start: {MR_X}: there is no such place on these tiles")
    if len({*setup.start.values(), setup.mr_x.value}) <= len(setup.pawns):
        raise BadSetup("start: every pawn, Mister X's included, needs a place of its own")
