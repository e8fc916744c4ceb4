"""Choose moves as people who play to win would: detectives by what everyone knows, Mister X by his secrets too.

They are no masters: they chase, flee and spend their cards as people at a table do, so that a game is worth watching.
`random_detective_action` and `random_mr_x_action` do not play to win: they pick any legal action.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from firmware_host.rules.actions import (
    BLACK,
    BOAT,
    FREE,
    FUGITIVES,
    HELICOPTER,
    MR_X,
    START,
    STAY,
    Action,
    Commit,
    Double,
    MrXMove,
    PawnMove,
    RollAgain,
)
from firmware_host.rules.dice.tiles import Tiling
from firmware_host.rules.game import Game
from firmware_host.rules.network import TRANSPORTS, Network
from firmware_host.rules.views import MrXView, PublicView

_FAR = 99
_SPECIAL = (BLACK, HELICOPTER)


@lru_cache(maxsize=512)  # all of London and more
def distances(network: Network, start: int) -> Mapping[int, int]:
    """Return each station's distance from one, in moves."""
    away, edge = {start: 0}, deque([start])
    while edge:
        here = edge.popleft()
        for there in network.around(here):
            if there not in away:
                away[there] = away[here] + 1
                edge.append(there)
    return away


# ---- at random -------------------------------------------------------------------------------------------------------


def random_detective_action(view: PublicView, chance: random.Random) -> Action:
    """Pick any of the detectives' moves; now and then roll again instead."""
    extras = list(view.extras.values())
    if extras and chance.random() < 0.15:
        return chance.choice(extras)
    return chance.choice(view.moves)


def random_mr_x_action(view: MrXView, chance: random.Random) -> Action:
    """Pick any move of Mister X's; announce only now and then, or his cards would be spent at once."""
    choices = view.choices.value
    moves = [action for action in choices if isinstance(action, MrXMove)]
    if not moves or chance.random() < 0.1:
        return chance.choice([action for action in choices if not isinstance(action, MrXMove)] or moves)
    plain = [move for move in moves if move.ticket != BLACK]
    return chance.choice(plain if plain and chance.random() < 0.8 else moves)


def alternative_move(game: Game, move: PawnMove, masked: Collection[int]) -> PawnMove | None:
    """Return another legal move that a switch can see, with one ticket, that can be taken back; not the end.

    Args:
        game: the game.
        move: the intended move.
        masked: stations whose switches are ignored: a move there cannot be taken back by hand.
    """
    view = game.public
    here = view.pawns[move.pawn]
    taken = {move.to, *view.stale, *view.pawns.values(), *masked}
    shared = sum(at == here for at in view.pawns.values()) > 1
    if shared or here in masked:
        return None
    others = [m for m in view.moves if m.pawn == move.pawn and m.to not in taken]
    for other in others:
        if sum(m.to == other.to for m in others) == 1:
            return other if Game(game.setup, [*game.actions, other]).returnable else None
    return None


# ---- detectives ------------------------------------------------------------------------------------------------------


def possible_stations(view: PublicView) -> frozenset[int]:
    """Return where Mister X may be by his open stations and tickets; empty if nothing is known.

    In the junior game: where he will be when he shows himself next.
    """
    if view.chips:
        found = {view.pawns[fugitive] for fugitive in view.fugitives}
        return frozenset(found.union(*(view.network.around(station) for station in found)))
    if MR_X in view.pawns:
        return frozenset({view.pawns[MR_X]})
    taken = frozenset(view.pawns.values())
    stations, since = _last_seen(view)
    for entry in view.log[since:]:
        stations = frozenset(to for station in stations for to in _reachable(view.network, station, entry.ticket))
    return stations - taken or stations


def _last_seen(view: PublicView) -> tuple[frozenset[int], int]:
    """Return where he was last known to be, and how many windows were filled then."""
    for entry in reversed(view.log):
        if entry.station is not None:
            return frozenset({entry.station}), entry.window
    if isinstance(view.network, Tiling) and view.dice is not None and view.dice.tile:
        letters = view.network.letters
        return frozenset(place for place, letter in letters.items() if letter == view.dice.tile), 0
    return frozenset(), 0


def _reachable(network: Network, station: int, ticket: str) -> Collection[int]:
    """Return where one move of his may lead, by its public ticket."""
    if ticket == HELICOPTER and isinstance(network, Tiling):
        return network.opposite(station)
    if ticket not in (*TRANSPORTS, BLACK, FREE):  # he passed
        return (station,)
    row = network.around(station)
    if ticket in (BLACK, FREE):
        against = network.against(station) if isinstance(network, Tiling) else ()
        return {*row, *against} if ticket == BLACK else {to for to, ways in row.items() if set(ways) - {BOAT}}
    return [to for to, ways in row.items() if ticket in ways]


def pursue(view: PublicView, chance: random.Random) -> Action:
    """Choose the detectives' action: close in on where Mister X may be, or roll again if no die helps."""
    there = possible_stations(view)
    if not there or not view.moves or view.moves[0].ticket == START:
        return chance.choice([*view.moves, *view.extras.values()])
    far = {move: _distance(view, move, there) for move in view.moves}
    best = min(far.values())
    if _may_roll_again(view) and (view.moves[0].ticket == STAY or not _closes_in(view, best, there)):
        return next(action for action in view.extras.values() if action == RollAgain())
    moves = sorted(view.moves, key=lambda move: (far[move], chance.random()))
    if best == 0 and len(there) == 1:
        return moves[0]
    # He may be at any of these, so the nearest few are as good as the nearest.
    return moves[min(int(chance.expovariate(2.0)), len(moves) - 1)]


def _distance(view: PublicView, move: PawnMove, there: Collection[int]) -> float:
    """Return how far a move leaves its pawn from where he may be; joining another detective adds 2."""
    away = distances(view.network, move.to)
    others = {station for pawn, station in view.pawns.items() if pawn not in (*FUGITIVES, move.pawn)}
    watched = 2.0 if move.to in others else 0.0
    steps = [away.get(station, _FAR) for station in there]
    return min(steps) + sum(steps) / len(steps) / 4 + watched if len(there) > 1 else steps[0] + watched


def _closes_in(view: PublicView, best: float, there: Collection[int]) -> bool:
    """Whether the best move leads nearer than the pawns stand now."""
    return any(
        _distance(view, PawnMove(pawn, view.pawns[pawn], STAY), there) > best
        for pawn in view.turn
        if pawn in view.pawns
    )


def _may_roll_again(view: PublicView) -> bool:
    return RollAgain() in view.extras.values()


# ---- Mister X --------------------------------------------------------------------------------------------------------


def flee(view: MrXView, chance: random.Random) -> Action:
    """Choose Mister X's action: flee the detectives; use special cards when they are close or have just seen him."""
    choices = view.choices.value
    commits = [action for action in choices if isinstance(action, Commit)]
    if commits:
        return _choose_commit(view, commits, chance)
    near = _detective_distances(view.public)
    pressed = near.get(view.at.value, _FAR) <= 1
    if Double() in choices and pressed and chance.random() < 0.4:
        return Double()
    moves = [action for action in choices if isinstance(action, MrXMove)]
    if not moves:
        return chance.choice(choices)
    usable = _sensible_moves(view, moves, pressed, chance)
    return max(usable, key=lambda move: (min(near[move.to.value], 3), move.ticket in _SPECIAL, chance.random()))


def _detective_distances(view: PublicView) -> Mapping[int, int]:
    """Return each station's distance from the nearest detective, in moves."""
    stand = [view.pawns[pawn] for pawn in view.order if pawn in view.pawns]
    return {to: min(distances(view.network, s).get(to, _FAR) for s in stand) for to in view.network.stations}


def _sensible_moves(view: MrXView, moves: list[MrXMove], pressed: bool, chance: random.Random) -> list[MrXMove]:
    """Return the moves that he considers: special cards only where they help him."""
    plain = [move for move in moves if move.ticket not in _SPECIAL]
    log = view.public.log
    seen = bool(log) and log[-1].window in view.public.surfacing and not view.public.in_sight
    wanted = pressed and chance.random() < 0.5 if view.public.in_sight else pressed or seen
    return moves if wanted or not plain else plain


def _choose_commit(view: MrXView, commits: Iterable[Commit], chance: random.Random) -> Commit:
    """Choose a ticket to where the fewest detectives can come, with some chance in it (JU-04)."""
    network, public = view.public.network, view.public
    here = view.at.value
    threats = [{public.pawns[pawn], *network.around(public.pawns[pawn])} for pawn in public.order]

    def danger(commit: Commit) -> float:
        ticket = commit.ticket.value
        to = next((to for to, ways in network.around(here).items() if ticket in ways), here)
        return sum(to in reached for reached in threats) + chance.random() * 2

    return min(commits, key=danger)
