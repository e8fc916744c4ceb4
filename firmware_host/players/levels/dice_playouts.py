"""Play the dice game on in the mind, roughly and fast: each does what looks best at once.

Each detective chases a ghost of its own: a place at which Mister X may be by what everyone knows. So hiding is worth
something in a playout, although who plays it out knows where he is.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from firmware_host.players.heuristic.game_heuristic import distances
from firmware_host.rules.actions import BLACK
from firmware_host.rules.dice.dice_mr_x_turns import PASS
from firmware_host.rules.dice.dice_position import find_ways
from firmware_host.rules.dice.tiles import Tiling

_ROUNDS = 4
"""How many rounds are played out."""

_SOONER = 0.95
"""What it is worth to catch him a round later, of what it is worth now."""

_NEAR = 0.03
"""What each detective is worth that stands within two moves of him in the end."""

_SAFE = 3
"""From which distance on Mister X does not mind the detectives."""

_FAR = 99


class DiceScene(NamedTuple):
    """Where all stand, and what is left.

    Attributes:
        x: Mister X's place.
        ghosts: the place that each detective chases.
        stand: the detectives' places, in playing order.
        waiting: those that have yet to move before he does, by their place in the order.
        dice: how many dice the next of them rolls.
        used: the faces that are offered to him so far.
        blacks: his black tickets.
        windows: how many windows he has filled.
        first: who began this round, by the place in the order.
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
    """Plays scenes of one game on.

    Args:
        network: the tiles as they lie.
        faces: face -> how many of a die's six sides show it.
        hand: how many dice the detectives roll.
        windows: how many moves Mister X has.
        surfacing: the windows at which he is seen.
        chance: the chance of all playouts.
    """

    def __init__(
        self,
        network: Tiling,
        faces: Mapping[str, int],
        *,
        hand: int,
        windows: int,
        surfacing: frozenset[int],
        chance: random.Random,
    ) -> None:
        ways, places = find_ways(network), range(max(network.stations) + 1)
        self._by_face, self._black = ways.by_face, ways.black
        away = {place: distances(network, place) for place in network.stations}
        self._away = [[away.get(a, {}).get(b, _FAR) for b in places] for a in places]
        self._sides = [face for face, sides in faces.items() for _ in range(sides)]
        self._hand, self._windows, self._surfacing = hand, windows, surfacing
        self._random = chance.random  # nothing else is called as often

    def play(self, scene: DiceScene) -> float:
        """Play some rounds; return how well they go for the detectives, from 0 to 1."""
        x, stand, ghosts = scene.x, [*scene.stand], [*scene.ghosts]
        used, waiting, dice = [*scene.used], scene.waiting, scene.dice
        blacks, first, worth = scene.blacks, scene.first, 1.0
        for windows in range(scene.windows, scene.windows + _ROUNDS):
            for pawn in waiting:
                dice -= self._chase(pawn, stand, ghosts, dice, used)
                if stand[pawn] == ghosts[pawn]:
                    ghosts[pawn] = x  # the ghost was none: he is elsewhere
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
        """Roll, and move a detective as near to its ghost as can be; return whether a die could be used."""
        sides, count = self._sides, len(self._sides)
        rolled = {sides[int(self._random() * count)]: None for _ in range(dice)}
        away, ways = self._away[ghosts[pawn]], self._by_face[stand[pawn]]
        near, best, by = _FAR + 1, 0, ""
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
        """Return where he goes, and by what: away from the nearest detective, with some chance in it."""
        ways = self._by_face[x]
        rides = [(to, face) for face in dict.fromkeys(used) for to in ways[face]]
        safe, best, by = self._safest(rides, stand)
        if safe < 2 and blacks:
            safer, to, _ = self._safest([(to, BLACK) for to in self._black[x]], stand)
            if safer > safe:
                return to, BLACK
        if best:
            return best, by
        return rides[0] if rides else (x, PASS)  # he can only walk into detectives, or cannot move

    def _safest(self, rides: Sequence[tuple[int, str]], stand: Sequence[int]) -> tuple[float, int, str]:
        """Return how safe the safest of some rides is, where it leads and by what; 0 if all meet a detective."""
        safest, best, by = -1.0, 0, ""
        for to, ticket in rides:
            if to not in stand:
                row = self._away[to]
                safe = min(_SAFE, *[row[place] for place in stand]) + self._random()
                if safe > safest:
                    safest, best, by = safe, to, ticket
        return safest, best, by

    def _follow(self, x: int, ticket: str, stand: Sequence[int], ghosts: list[int], *, seen: bool) -> None:
        """Move the ghosts as he may have moved, for all that the detectives know."""
        for pawn, ghost in enumerate(ghosts):
            ways = self._black[ghost] if ticket == BLACK else self._by_face[ghost].get(ticket, (ghost,))
            free = [] if seen else [to for to in ways if to not in stand]
            ghosts[pawn] = free[int(self._random() * len(free))] if free else x
