"""Play the dice game by simulating games from the places where Mister X may be.

Each detective chases its own ghost, a place where Mister X may be according to public knowledge. So hiding is rewarded
in a playout although the simulation knows where he is.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple, TypeVar

from firmware_host.players.heuristic.dice_heuristic import DiceHeuristic
from firmware_host.players.heuristic.game_heuristic import CARDS, FAR, distances
from firmware_host.players.player_errors import CannotPlay
from firmware_host.players.player_port import NewGame
from firmware_host.rules.actions import BLACK, HELICOPTER, MR_X, START, STAY, Action, Double, MrXMove, Pass, PawnMove
from firmware_host.rules.dice.dice_box import DiceBox
from firmware_host.rules.dice.dice_game import PASS
from firmware_host.rules.dice.dice_position import find_connections
from firmware_host.rules.dice.dice_view import DiceView
from firmware_host.rules.dice.tiles import Tiling
from firmware_host.rules.views import MrXView, PublicView

_CAUTION = (0.02, 0.35, 1.0, 1.3)
"""The weights of places at distance 0, 1, 2, and 3 or more from the nearest detective, in moves."""

_CARD = 0.3
"""The weight of playing a card, relative to a die."""

_TACTICS = DiceHeuristic()


class DiceBelief:
    """The probability that Mister X is at each place. `see` must get every public view, in order.

    Attributes:
        likely: place -> its probability; they add up to 1. Empty until he has started. Read only.
    """

    def __init__(self) -> None:
        self.likely: Mapping[int, float] = {}
        self._before: DiceView | None = None

    def see(self, view: DiceView) -> None:
        """Update the probabilities from the next public view."""
        before, self._before = self._before, view
        if view.dice.tile and not self.likely:
            self.likely = on_tile(view, view.dice.tile)
        elif before is not None:
            for entry in view.log[len(before.log) :]:
                self.likely = {entry.station: 1.0} if entry.station is not None else self.after(before, entry.ticket)
        if view.outcome is None:
            taken = _detectives(view)
            left = _scaled({place: share for place, share in self.likely.items() if place not in taken})
            self.likely = left or self.likely

    def after(self, view: DiceView, ticket: str) -> Mapping[int, float]:
        """Return the probability of each place after one more move by a die or card."""
        cards = [card for card in CARDS if view.tickets[MR_X].get(card)]
        faces = dict.fromkeys((ticket, *(face for _, face in view.dice.used), *cards))
        found: dict[int, float] = {}
        for place, share in self.likely.items():
            ways = {face: _ways(view, place, face) for face in faces}
            total = sum(sum(row.values()) for row in ways.values())
            for to, weight in ways[ticket].items():
                found[to] = found.get(to, 0.0) + share * weight / total
        return _scaled(found) or _scaled(dict.fromkeys(view.network.stations, 1.0))


def tiling(view: DiceView) -> Tiling:
    """Return the laid tiles of a view's game.

    Raises:
        CannotPlay: the game is not played on tiles.
    """
    if not isinstance(view.network, Tiling):
        raise CannotPlay("a player of the dice game needs a game on tiles")
    return view.network


def on_tile(view: DiceView, letter: str) -> Mapping[int, float]:
    """Return the probability of each place on a tile where Mister X may have started."""
    taken = _detectives(view)
    free = [place for place, on in tiling(view).letters.items() if on == letter and place not in taken]
    return _scaled({place: _caution(view, place) for place in free})


def _detectives(view: PublicView) -> Collection[int]:
    return [view.pawns[pawn] for pawn in view.order if pawn in view.pawns]


def _caution(view: PublicView, place: int) -> float:
    away = (distances(view.network, station).get(place, len(_CAUTION)) for station in _detectives(view))
    return _CAUTION[min(*away, len(_CAUTION) - 1)]


def _ways(view: DiceView, place: int, face: str) -> Mapping[int, float]:
    """Return the weight of each destination that a die or card leads to from a place."""
    taken, share = _detectives(view), _CARD if face in CARDS else 1.0
    reached = sorted(_TACTICS.reachable(view.network, place, face))
    return {to: share * _caution(view, to) for to in reached if to not in taken}


def _scaled(weights: Mapping[int, float]) -> Mapping[int, float]:
    total = sum(weights.values())
    return {place: weight / total for place, weight in weights.items()} if total else {}


_ROUNDS = 4
"""How many rounds a playout lasts at most."""

_SOONER = 0.95
"""The factor on a capture's value for each round that it comes later."""

_NEAR = 0.03
"""The value of each detective within two moves of Mister X at the end."""

_SAFE = 3
"""The distance beyond which Mister X ignores the detectives."""


class DiceScene(NamedTuple):
    """A position in a simulated game.

    Attributes:
        x: Mister X's place.
        ghosts: the place that each detective chases.
        stand: the detectives' places, in playing order.
        waiting: the detectives that move before Mister X, by their index in the order.
        dice: how many dice the next detective rolls.
        used: the faces offered to Mister X so far.
        blacks: his black tickets.
        windows: how many windows he has filled.
        first: the index of the detective who began this round.
    """

    x: int
    ghosts: Sequence[int]
    stand: tuple[int, ...]
    waiting: tuple[int, ...]
    dice: int
    used: tuple[str, ...]
    blacks: int
    windows: int
    first: int


class DicePlayouts:
    """A simulator of the next rounds of one game.

    Args:
        network: the tiles in their layout.
        faces: face -> how many of a die's six sides show it.
        hand: how many dice the detectives roll.
        windows: how many moves Mister X has.
        surfacing: the windows at which he is seen.
        rng: the random number generator of all playouts.
    """

    def __init__(
        self,
        network: Tiling,
        faces: Mapping[str, int],
        *,
        hand: int,
        windows: int,
        surfacing: frozenset[int],
        rng: random.Random,
    ) -> None:
        connections, places = find_connections(network), range(max(network.stations) + 1)
        self._by_face, self._black = connections.by_face, connections.black
        away = {place: distances(network, place) for place in network.stations}
        self._away = [[away.get(a, {}).get(b, FAR) for b in places] for a in places]
        self._sides = [face for face, sides in faces.items() for _ in range(sides)]
        self._hand, self._windows, self._surfacing = hand, windows, surfacing
        self._random = rng.random  # bound once: nothing else is called as often

    def play(self, scene: DiceScene) -> float:
        """Simulate some rounds. Return the detectives' result, from 0 (worst) to 1 (best)."""
        x, stand, ghosts = scene.x, [*scene.stand], [*scene.ghosts]
        used, waiting, dice = [*scene.used], scene.waiting, scene.dice
        blacks, first, worth = scene.blacks, scene.first, 1.0
        for windows in range(scene.windows, scene.windows + _ROUNDS):
            for pawn in waiting:
                dice -= self._chase(pawn, stand, ghosts, dice, used)
                if stand[pawn] == ghosts[pawn]:
                    ghosts[pawn] = x  # no ghost left: chase Mister X himself
            if x in stand:
                return worth
            if windows >= self._windows:
                return 0.0
            x, ticket = self._flee(x, stand, used, blacks)
            if x in stand:
                return worth
            blacks -= ticket == BLACK
            self._follow(x, ticket, stand, ghosts, seen=windows + 1 in self._surfacing)
            first = (first + 1) % len(stand)
            waiting = (*range(first, len(stand)), *range(first))
            dice, used, worth = self._hand, [], worth * _SOONER
        return worth * _NEAR * sum(self._away[place][x] <= 2 for place in stand)

    def _chase(self, pawn: int, stand: list[int], ghosts: Sequence[int], dice: int, used: list[str]) -> bool:
        """Roll, and move a detective towards where it believes Mister X to be. Return whether it could move."""
        sides, count = self._sides, len(self._sides)
        rolled = {sides[int(self._random() * count)]: None for _ in range(dice)}
        away, ways = self._away[ghosts[pawn]], self._by_face[stand[pawn]]
        near, best, by = FAR + 1, 0, ""
        for face in rolled:
            for to in ways[face]:
                if away[to] < near and to not in stand:
                    near, best, by = away[to], to, face
        if not best:
            return False
        stand[pawn] = best
        used.append(by)
        return True

    def _flee(self, x: int, stand: Sequence[int], used: Sequence[str], blacks: int) -> tuple[int, str]:
        """Return where Mister X flees to from the nearest detective, and by which ticket, partly at random."""
        ways = self._by_face[x]
        rides = [(to, face) for face in dict.fromkeys(used) for to in ways[face]]
        safe, best, by = self._safest(rides, stand)
        if safe < 2 and blacks:
            safer, to, _ = self._safest([(to, BLACK) for to in self._black[x]], stand)
            if safer > safe:
                return to, BLACK
        if best:
            return best, by
        return rides[0] if rides else (x, PASS)  # every ride leads to a detective, or none is possible

    def _safest(self, rides: Sequence[tuple[int, str]], stand: Sequence[int]) -> tuple[float, int, str]:
        """Return the safety, destination and ticket of the safest ride.

        If every ride leads to a detective, they are below 0, 0 and "".
        """
        safest, best, by = -1.0, 0, ""
        for to, ticket in rides:
            if to not in stand:
                row = self._away[to]
                safe = min(_SAFE, *[row[place] for place in stand]) + self._random()
                if safe > safest:
                    safest, best, by = safe, to, ticket
        return safest, best, by

    def _follow(self, x: int, ticket: str, stand: Sequence[int], ghosts: list[int], *, seen: bool) -> None:
        """Move the detectives' ghosts after a move of Mister X, judging by public information.

        A ghost that could not have moved so, and every ghost if he is seen, comes to Mister X's place.
        """
        for pawn, ghost in enumerate(ghosts):
            ways = self._black[ghost] if ticket == BLACK else self._by_face[ghost].get(ticket, (ghost,))
            free = [] if seen else [to for to in ways if to not in stand]
            ghosts[pawn] = free[int(self._random() * len(free))] if free else x


_COSTS: Mapping[str, float] = {BLACK: 0.05, HELICOPTER: 0.05}
"""The value of each of Mister X's cards, in captures."""

_TOKEN = 0.05
"""The value of a token for rolling again, in captures."""

_DOUBLE = 0.45
"""The capture probability after his best single move above which Mister X makes a double move."""

_EXPLORE = 0.5
"""How strongly rarely tried moves are preferred (UCB1)."""

A = TypeVar("A", bound=Action)


class DiceStrategy:
    """A strategy for the dice game that simulates each move, and good moves more often.

    Args:
        game: the game as its player knows it.
        rng: the random number generator.
        enough: called with the number of playouts and the seconds they took; returns True to stop.
        clock: the clock that counts the seconds.

    Raises:
        CannotPlay: the game is not the dice game.
    """

    def __init__(
        self,
        game: NewGame,
        rng: random.Random,
        enough: Callable[[int, float], bool],
        clock: Callable[[], float],
    ) -> None:
        box = game.box
        if not isinstance(box, DiceBox):
            raise CannotPlay(f"{box.name} is not a dice game")
        self._rng, self._enough, self._clock, self._belief = rng, enough, clock, DiceBelief()
        self._faces = box.faces
        self._hand = box.small_hand if box.is_small(game.owners.values()) else box.hand

    def see(self, view: PublicView) -> None:
        """Update the probability of each place of Mister X."""
        self._belief.see(_dice(view))

    def pursue(self, view: PublicView) -> Action:
        """Return the action, a move or rolling again, after which Mister X is captured most often and soonest."""
        likely, view = self._belief.likely, _dice(view)
        if not likely:  # Mister X has not started yet: all starts are equal (DI-10)
            return self._rng.choice(view.moves)
        places, shares = [*likely], [*likely.values()]
        scenes = {action: self._pursuing(view, action) for action in (*view.moves, *view.extras.values())}
        playouts = self._playouts(view)

        def gain(action: Action) -> float:
            x, *ghosts = self._rng.choices(places, shares, k=1 + len(view.order))
            cost = 0.0 if isinstance(action, PawnMove) else _TOKEN
            return playouts.play(scenes[action]._replace(x=x, ghosts=ghosts)) - cost

        return self._best([*scenes], gain)[0]

    def flee(self, view: MrXView) -> Action:
        """Return the move with the fewest and latest captures, or announce a double move if even this is dangerous."""
        public, choices = _dice(view.public), view.choices.value
        moves = [action for action in choices if isinstance(action, MrXMove | Pass)]
        scenes = {move: self._fleeing(view, public, move) for move in moves}
        likely = {move: self._likely(view, public, move) for move in moves}
        playouts = self._playouts(public)

        def gain(move: MrXMove | Pass) -> float:
            ghosts = self._rng.choices([*likely[move]], [*likely[move].values()], k=len(public.order))
            cost = _COSTS.get(move.ticket, 0.0) if isinstance(move, MrXMove) else 0.0
            return -playouts.play(scenes[move]._replace(ghosts=ghosts)) - cost

        best, worth = self._best(moves, gain)
        return Double() if Double() in choices and -worth > _DOUBLE else best

    def _playouts(self, view: DiceView) -> DicePlayouts:
        return DicePlayouts(
            tiling(view),
            self._faces,
            hand=self._hand,
            windows=view.windows,
            surfacing=view.surfacing,
            rng=self._rng,
        )

    def _pursuing(self, view: DiceView, action: Action) -> DiceScene:
        """Return the simulation's first position after a detective's action, without Mister X's place."""
        stand, dice = _stand(view), view.dice
        used, left = tuple(face for _, face in dice.used), len(dice.rolled)
        first = (view.round - 1) % len(stand)
        gone = {*view.moved, *(skipped.pawn for skipped in view.skipped)}
        if isinstance(action, PawnMove):
            place = view.order.index(action.pawn)
            stand = (*stand[:place], action.to, *stand[place + 1 :])
            gone.add(action.pawn)
            if action.ticket != STAY:
                used, left = (*used, action.ticket), left - 1
        waiting = tuple(n for n in _turns(first, len(stand)) if view.order[n] not in gone)
        blacks = view.tickets[MR_X].get(BLACK, 0)
        return DiceScene(0, (), stand, waiting, left, used, blacks, len(view.log), first)

    def _fleeing(self, view: MrXView, public: DiceView, move: MrXMove | Pass) -> DiceScene:
        """Return the simulation's first position after Mister X's move, before detectives guess where he is."""
        to, ticket = _destination(view, move)
        stand, first = _stand(public), public.round % len(public.order)
        blacks = public.tickets[MR_X].get(BLACK, 0) - (ticket == BLACK)
        filled = len(public.log) + (ticket != START)
        if public.double == 1:  # the second half follows, with one of the other dice
            used = [face for _, face in public.dice.used]
            if ticket in used:
                used.remove(ticket)
            return DiceScene(to, (), stand, (), 0, tuple(used), blacks, filled, first - 1)
        return DiceScene(to, (), stand, _turns(first, len(stand)), self._hand, (), blacks, filled, first)

    def _likely(self, view: MrXView, public: DiceView, move: MrXMove | Pass) -> Mapping[int, float]:
        """Return where the detectives will believe Mister X to be after his move, as probabilities."""
        to, ticket = _destination(view, move)
        if view.shows:
            return {to: 1.0}
        if ticket != START:
            return self._belief.after(public, ticket)
        return on_tile(public, tiling(public).letters[to])

    def _best(self, actions: Sequence[A], gain: Callable[[A], float]) -> tuple[A, float]:
        """Return the most tried action and its mean gain. Actions with more gain are tried more often (UCB1)."""
        began, tried = self._clock(), [1] * len(actions)
        gained, played = [gain(action) for action in actions], len(actions)
        while len(actions) > 1 and not self._enough(played, self._clock() - began):
            log = _EXPLORE * math.log(played)
            n = max(range(len(actions)), key=lambda n: gained[n] / tried[n] + math.sqrt(log / tried[n]))
            gained[n] += gain(actions[n])
            tried[n] += 1
            played += 1
        best = max(range(len(actions)), key=lambda n: (tried[n], gained[n]))
        return actions[best], gained[best] / tried[best]


def _dice(view: PublicView) -> DiceView:
    if not isinstance(view, DiceView):
        raise CannotPlay("a player of the dice game got a view of another game")
    return view


def _destination(view: MrXView, move: MrXMove | Pass) -> tuple[int, str]:
    """Return where Mister X is after a move, and the log's word for it."""
    return (move.to.value, move.ticket) if isinstance(move, MrXMove) else (view.at.value, PASS)


def _stand(view: DiceView) -> tuple[int, ...]:
    """Return the detectives' places in playing order, once all are on the board."""
    return tuple(view.pawns[pawn] for pawn in view.order)


def _turns(first: int, count: int) -> tuple[int, ...]:
    """Return the detectives' indexes in playing order, starting with `first`."""
    return (*range(first, count), *range(first))
