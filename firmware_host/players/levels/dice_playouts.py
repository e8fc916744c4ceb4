"""Simulate the rest of a dice game, roughly and fast: each pawn makes its best-looking move.

Each detective chases its own ghost, a place where Mister X may be by what everyone knows. So hiding is rewarded in a
playout although the simulation knows where he is.
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
"""How many rounds a playout lasts."""

_SOONER = 0.95
"""The factor on a capture's value for each round that it comes later."""

_NEAR = 0.03
"""The value of each detective within two moves of Mister X at the end."""

_SAFE = 3
"""The distance beyond which Mister X ignores the detectives."""

_FAR = 99


class DiceScene(NamedTuple):
    """A position in a playout.

    Attributes:
        x: Mister X's place.
        ghosts: the place that each detective chases.
        stand: the detectives' places, in playing order.
        waiting: the detectives that move before Mister X, by their index in the order.
        dice: how many dice the next of them rolls.
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
    """A simulator of playouts for one game.

    Args:
        network: the tiles in their layout.
        faces: face -> how many of a die's six sides show it.
        hand: how many dice the detectives roll.
        windows: how many moves Mister X has.
        surfacing: the windows at which he is seen.
        chance: the random source of all playouts.
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
        self._random = chance.random  # bound once: nothing else is called as often

    def play(self, scene: DiceScene) -> float:
        """Simulate some rounds; return the detectives' result, from 0 to 1."""
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
        """Roll, and move a detective as near to its ghost as possible; return whether a die could be used."""
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
        """Return Mister X's place and ticket after fleeing the nearest detective, partly at random."""
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
        """Return safety, destination and ticket of the safest ride; safety is 0 if all lead to a detective."""
        safest, best, by = -1.0, 0, ""
        for to, ticket in rides:
            if to not in stand:
                row = self._away[to]
                safe = min(_SAFE, *[row[place] for place in stand]) + self._random()
                if safe > safest:
                    safest, best, by = safe, to, ticket
        return safest, best, by

    def _follow(self, x: int, ticket: str, stand: Sequence[int], ghosts: list[int], *, seen: bool) -> None:
        """Move the ghosts as Mister X may have moved, judging by public information."""
        for pawn, ghost in enumerate(ghosts):
            ways = self._black[ghost] if ticket == BLACK else self._by_face[ghost].get(ticket, (ghost,))
            free = [] if seen else [to for to in ways if to not in stand]
            ghosts[pawn] = free[int(self._random() * len(free))] if free else x
