"""Play the pursuit and dice games at the levels easy and medium.

Easy detectives run to the station where Mister X was last seen and forget what the log says since then. They avoid
stations from which their tickets do not let them go on. An easy Mister X runs from the nearest detective, ignores the
others, and spends his cards at random.

A medium detective goes where the mean distance to all possible stations falls most. A medium Mister X goes where few
detectives can follow and where his move leaves many possible stations. Just after he was seen, he likes to pay with a
black ticket.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from itertools import pairwise

from firmware_host.players.heuristic.game_heuristic import CARDS, FAR, distance, distances
from firmware_host.players.heuristic.heuristic import heuristic_of
from firmware_host.players.player_errors import CannotPlay
from firmware_host.players.player_port import NewGame, Position
from firmware_host.rules.actions import (
    BLACK,
    BOAT,
    MR_X,
    START,
    TICKETS,
    Action,
    Double,
    MrXMove,
    Pass,
    PawnMove,
    Surface,
    Take,
)
from firmware_host.rules.game import Game
from firmware_host.rules.network import Network
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import MrXView, PublicView


class EasyStrategy:
    """The easy strategy: it knows only where Mister X was last seen, and as Mister X minds only the nearest pawn."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def see(self, view: PublicView) -> None:
        """Do nothing, because this strategy remembers no views."""

    def pursue(self, view: PublicView) -> Action:
        """Return a move towards where Mister X was last seen, or any action before he was seen."""
        seen = _last_seen(view)
        if not seen or not view.moves or view.moves[0].ticket == START:
            return self._rng.choice([*view.moves, *view.extras.values()])

        def far(move: PawnMove) -> tuple[float, float]:
            away = distances(view.network, move.to)
            far = min(away.get(station, FAR) for station in seen)
            return far + _STRANDED / (1 + _tickets_there(view, move)), self._rng.random()

        return min(view.moves, key=far)

    def flee(self, view: MrXView) -> Action:
        """Return a move away from the nearest detective: often doubled if it is near, sometimes with a card."""
        choices = view.choices.value
        moves = [action for action in choices if isinstance(action, MrXMove)]
        if not view.at.value:  # Mister X has not started yet (DI-10)
            return self._rng.choice(choices)
        near = _nearest_pawn(view)
        if not moves or not near:
            return self._rng.choice([action for action in choices if action != Surface()] or choices)
        away = distances(view.public.network, near)
        if Double() in choices and away.get(view.at.value, FAR) <= 2 and self._rng.random() < 0.5:
            return Double()
        spends = self._rng.random() < 0.3
        usable = [move for move in moves if (move.ticket in CARDS) == spends] or moves
        return max(usable, key=lambda move: (away.get(move.to.value, FAR), self._rng.random()))


_STRANDED = 4.0
"""The extra distance, in moves, of a station from which a pawn has no ticket to go on; half of it with one ticket."""


def _tickets_there(view: PublicView, move: PawnMove) -> int:
    """Return how many tickets a pawn has left, after a move, for the lines of its new station.

    A pawn that pays no tickets counts as having `FAR` tickets.
    """
    hand = view.tickets.get(move.pawn)
    if not hand:
        return FAR
    return sum(hand.get(line, 0) - (line == move.ticket) for line in view.network.transports(move.to))


def _last_seen(view: PublicView) -> list[int]:
    """Return the station where each of Mister X's pawns is visible or was last seen."""
    standing = [view.pawns[pawn] for pawn in view.fugitives if pawn in view.pawns]
    logged = [entry.station for entry in view.log if entry.station is not None]
    return standing or logged[-1:]


def _nearest_pawn(view: MrXView) -> int:
    """Return the station of the detective that is nearest to Mister X, or 0 if no detective is on the board."""
    public, away = view.public, distances(view.public.network, view.at.value)
    stand = [public.pawns[pawn] for pawn in public.order if pawn in public.pawns]
    return min(stand, key=lambda station: away.get(station, FAR), default=0)


_PASSED = "pass"


def whole_turn(game: NewGame, position: Position, flee: Callable[[MrXView], Action]) -> tuple[Action, ...]:
    """Return Mister X's action or, if it announces something, all his actions until his turn ends. `flee` chooses each.

    Raises:
        CannotPlay: the position has no view of Mister X's, or he has no action now.
    """
    if position.private is None:
        raise CannotPlay("Mister X's turn is chosen from his private view; this one is public")
    if not position.private.choices.value:
        raise CannotPlay("Mister X has no legal action now; ask only a player on turn")
    actions = [flee(position.private)]
    if not isinstance(actions[0], Double | Surface):
        return tuple(actions)
    played = mr_x_game(game, position, position.private)
    while True:
        played.play(actions[-1])
        if played.public.outcome is not None or not played.public.mr_x_to_move:
            return tuple(actions)
        actions.append(flee(played.private))


def mr_x_game(game: NewGame, position: Position, private: MrXView) -> Game:
    """Return the game so far, rebuilt from Mister X's view. Not for games in which he picks tickets (JU-04)."""
    route, history = private.route.value, position.history
    began = route[0] if game.start else 0  # if nobody had a start, all chose theirs in the game (DI-10)
    played = Game(replace(game.setup, mr_x=Secret(began)))
    for (before, after), seen in zip(pairwise(history.views), history.done, strict=True):
        played.play(seen if seen is not None else _mr_x_action(before, after, route))
    return played


def _mr_x_action(before: PublicView, after: PublicView, route: tuple[int, ...]) -> Action:
    """Return Mister X's action between two views."""
    filled = len(after.log)
    if filled > len(before.log):
        ticket = after.log[-1].ticket
        return Pass() if ticket == _PASSED else MrXMove(Secret(route[filled]), ticket)
    if after.double != before.double:
        return Double()
    return MrXMove(Secret(route[0]), START) if after.round != before.round else Surface()


class PossibleStations:
    """The stations where Mister X may be. `see` must get every public view of one game, in order.

    Args:
        start: the stations where he may begin.
        cut_off: whether a detective on a line blocks it (US-11).

    Attributes:
        stations: where he may be now; empty while nothing is known. Read only.
    """

    def __init__(self, start: Iterable[int] = (), *, cut_off: bool = False) -> None:
        self.stations = frozenset(start)
        self._cut_off = cut_off
        self._before: PublicView | None = None

    def see(self, view: PublicView) -> None:
        """Update the stations from the next public view."""
        before, self._before = self._before, view
        for entry in view.log[len(before.log) if before is not None else 0 :]:
            taken = _detectives(before or view)
            self.stations = self.after(view, entry.ticket, taken)
            if entry.station is not None:
                self.stations = frozenset({entry.station})
        if view.pawns.get(MR_X):
            self.stations = frozenset({view.pawns[MR_X]})
        elif not self.stations:
            self.stations = heuristic_of(view).possible_stations(view)
        caught = view.outcome is not None
        self.stations = self.stations if caught else self.stations - _detectives(view) or self.stations

    def after(self, view: PublicView, ticket: str, taken: Collection[int]) -> frozenset[int]:
        """Return the stations where Mister X may be after one more move with this ticket.

        Args:
            view: the game.
            ticket: the ticket as everyone sees it.
            taken: where the detectives stand.
        """
        reachable = heuristic_of(view).reachable
        return frozenset(
            to
            for station in self.stations
            for to in reachable(view.network, station, ticket)
            if to not in taken and (not self._cut_off or _is_open(view.network, station, to, ticket, taken))
        )


def _detectives(view: PublicView) -> frozenset[int]:
    return frozenset(view.pawns[pawn] for pawn in view.order if pawn in view.pawns)


def _is_open(network: Network, station: int, to: int, ticket: str, taken: Collection[int]) -> bool:
    """Return whether the ticket pays for a line to a station without a detective on the stations in between."""
    ways = network.around(station).get(to, ())
    paid = ways if ticket == BLACK else [way for way in ways if way == ticket or (ticket not in ways and way != BOAT)]
    return any(not set(network.via(station, to, way)).intersection(taken) for way in paid)


_SCARCE = 0.15
"""The extra distance, in moves, of a ride that spends one of the last two bus or underground tickets."""


class MediumStrategy:
    """The medium strategy: it tracks where Mister X may be, and looks one move ahead."""

    def __init__(self, rng: random.Random, possible: PossibleStations) -> None:
        self._rng, self._possible = rng, possible

    def see(self, view: PublicView) -> None:
        """Update the stations where Mister X may be."""
        self._possible.see(view)

    def pursue(self, view: PublicView) -> Action:
        """Return the move that most reduces a detective's mean distance to where Mister X may be, or roll again."""
        there = self._possible.stations
        if not there or not view.moves or view.moves[0].ticket == START:
            return self._rng.choice([*view.moves, *view.extras.values()])
        here = {pawn: mean_distance(view, view.pawns[pawn], there) for pawn in {move.pawn for move in view.moves}}

        def gain(move: PawnMove) -> tuple[float, float]:
            fall = here[move.pawn] - mean_distance(view, move.to, there)
            return fall - _SCARCE * is_scarce(view, move), self._rng.random()

        best = max(view.moves, key=gain)
        other = heuristic_of(view).instead(view, distance(view, best, there), there)
        return other if other is not None else best

    def flee(self, view: MrXView) -> Action:
        """Return the move with the highest `worth`, or announce a double move if even this move is risky."""
        choices = view.choices.value
        moves = [action for action in choices if isinstance(action, MrXMove)]
        if not moves or not view.at.value:  # Mister X has not started yet (DI-10)
            return self._without_a_move(view)
        worth = {move: self.worth(view, move) + 1e-6 * self._rng.random() for move in moves}
        best = max(moves, key=worth.__getitem__)
        if Double() in choices and self.risk(view, best.to.value, best.ticket) > 0.3:
            return Double()
        return best

    def _without_a_move(self, view: MrXView) -> Action:
        choices = view.choices.value
        takes = [action for action in choices if isinstance(action, Take)]
        if takes:  # the ticket of which the pawn has fewest hurts it most
            return min(takes, key=lambda take: (view.public.tickets[take.pawn][take.ticket], self._rng.random()))
        return self._rng.choice([action for action in choices if action != Surface()] or choices)

    def worth(self, view: MrXView, move: MrXMove) -> float:
        """Score Mister X's move by safety, distance from detectives, and how many stations it leaves possible."""
        public, to = view.public, move.to.value
        near = sorted(distances(public.network, public.pawns[pawn]).get(to, FAR) for pawn in public.order)
        spread = math.log(self._spread(view, move.ticket))
        cost = black_cost(view) if move.ticket == BLACK else 0.0
        exits = len(public.network.around(to))
        return (
            -6 * self.risk(view, to, move.ticket) + min(near[0], 4) / 2 + sum(near) / len(near) / 8 + spread / 2
            + exits / 40 - cost
        )  # fmt: skip

    def risk(self, view: MrXView, to: int, ticket: str) -> float:
        """Return the probability that a detective captures Mister X at a station in the next move."""
        able = sum(can_come(view.public, pawn, view.public.pawns[pawn], to) for pawn in view.public.order)
        return min(1.0, 2 * able / (1 + self._spread(view, ticket)))

    def _spread(self, view: MrXView, ticket: str) -> int:
        """Return at how many stations Mister X may be after a move with this ticket."""
        if is_seen(view, ticket):
            return 1
        taken = {view.public.pawns[pawn] for pawn in view.public.order}
        return max(1, len(self._possible.after(view.public, ticket, taken)))


def is_seen(view: MrXView, ticket: str) -> bool:
    """Return whether everyone will see where Mister X goes with this ticket (BE-06, BE-07)."""
    return view.shows and not (view.public.in_sight and ticket == BLACK)


_LAST_RESORT = 4.0
"""The cost of a black ticket where Mister X's pawn is in sight. So he spends it only when nearly caught: he is seen
again at once, and in trial games he lost more often the sooner he spent it."""


def black_cost(view: MrXView) -> float:
    """Return the cost of a black ticket to a medium Mister X, in points of `worth`.

    It is negative if the ticket hides much.
    """
    if view.public.in_sight:
        return _LAST_RESORT
    log, ways = view.public.log, view.public.network.around(view.at.value).values()
    if view.shows or len(log) < 2 or all(each == ("taxi",) for each in ways):
        return 1.5
    was_seen = log[-1].station is not None and not view.public.in_sight
    return -0.5 if was_seen else 0.3


def mean_distance(view: PublicView, station: int, there: Collection[int]) -> float:
    """Return the mean number of moves that a detective needs from a station to others, without boats."""
    away = distances(view.network, station, boats=False)
    return sum(away.get(to, FAR) for to in there) / len(there)


def is_scarce(view: PublicView, move: PawnMove) -> bool:
    """Return whether the move costs one of the last two tickets of a kind other than taxi."""
    return move.ticket in TICKETS[1:] and view.tickets.get(move.pawn, {}).get(move.ticket, FAR) <= 2


def can_come(view: PublicView, pawn: str, at: int, to: int) -> bool:
    """Return whether a detective's pawn could move from one station to another in one move, with its tickets."""
    ways = view.network.around(at).get(to, ())
    hand = Counter(view.tickets.get(pawn, {}))
    return any(way != BOAT and (not hand or hand[way] > 0) for way in ways)
