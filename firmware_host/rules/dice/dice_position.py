"""Define a position of the dice game, an immutable tuple, with its dice and its unchanging settings.

Dice never leave the game (DI-08): each is in the detectives' hand, open on the table, at a pawn, in the supply, or on
Mister X's log.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from firmware_host.rules.actions import DETECTIVES, MR_X
from firmware_host.rules.dice.dice_box import BLANK, FACES, DiceBox
from firmware_host.rules.dice.tiles import KEPT_LAYOUTS, Tiling
from firmware_host.rules.setup import Setup
from firmware_host.rules.views import Outcome, Skipped

CAPTURED = Outcome(DETECTIVES, "captured")  # DI-25
WALKED_IN = Outcome(DETECTIVES, "walked_in")  # DI-25
ESCAPED = Outcome(MR_X, "escaped")  # DI-26


class DicePool(NamedTuple):
    """The place of every die: in the hand, rolled, at a pawn, on the log or in the supply.

    Attributes:
        to_roll: how many dice are in the hand.
        rolled: the open faces that nobody has used, in the order of `FACES`.
        used: (pawn's place in the order, face) for each die used in this round, in the order of use.
        taken: a bit for each die of `used`, set if Mister X has taken it since.
        supply: how many dice are in the supply.
        covers: the faces of the dice on Mister X's log, the oldest first.
    """

    to_roll: int
    rolled: tuple[str, ...]
    used: tuple[tuple[int, str], ...]
    taken: int
    supply: int
    covers: tuple[str, ...]

    @property
    def offered(self) -> tuple[str, ...]:
        """The different faces at pawns that Mister X may take (DI-17)."""
        if not self.taken:
            return tuple(dict.fromkeys([face for _, face in self.used]))
        left = [face for place, (_, face) in enumerate(self.used) if not self.taken >> place & 1]
        return tuple(dict.fromkeys(left))

    def refill(self, hand: int) -> DicePool:
        """Begin a round: take all dice except those on the log, and fill the hand from them (DI-24)."""
        free = self.supply + self.to_roll + len(self.rolled) + len(self.used) - self.taken.bit_count()
        to_roll = min(hand, free)
        return DicePool(to_roll, (), (), 0, free - to_roll, self.covers)

    def show(self, faces: tuple[str, ...]) -> DicePool:
        """Lay the rolled dice open on the table (DI-13)."""
        return DicePool(0, tuple(sorted(faces, key=FACES.index)), self.used, self.taken, self.supply, self.covers)

    def pick_up(self) -> DicePool:
        """Take the open, unused dice back into the hand (DI-13, DI-15)."""
        return DicePool(len(self.rolled), (), self.used, self.taken, self.supply, self.covers)

    def use(self, pawn: int, face: str) -> DicePool:
        """Move one of the open dice to the pawn that uses it (DI-13)."""
        place = self.rolled.index(face)
        left = (*self.rolled[:place], *self.rolled[place + 1 :])
        return DicePool(self.to_roll, left, (*self.used, (pawn, face)), self.taken, self.supply, self.covers)

    def take(self, face: str) -> DicePool:
        """Take the first used die with this face from its pawn, to cover Mister X's new log entry (DI-17)."""
        place = next(n for n, (_, shown) in enumerate(self.used) if shown == face and not self.taken >> n & 1)
        return self._replace(taken=self.taken | 1 << place, covers=(*self.covers, face))

    def cover(self) -> DicePool:
        """Cover a log entry that used no die with a die turned to X (DI-18, DI-19, DI-21).

        The die comes from the unused dice on the table, else from the supply, else from the pawn that used a die last.
        """
        covers = (*self.covers, BLANK)
        if self.rolled:
            return self._replace(rolled=self.rolled[:-1], covers=covers)
        if self.supply:
            return self._replace(supply=self.supply - 1, covers=covers)
        place = max(n for n in range(len(self.used)) if not self.taken >> n & 1)
        return self._replace(taken=self.taken | 1 << place, covers=covers)

    def uncover(self) -> DicePool:
        """Move all dice from the log back to the supply, because Mister X has surfaced (DI-23)."""
        return self._replace(supply=self.supply + len(self.covers), covers=())


@dataclass(frozen=True, slots=True, eq=False)
class Connections:
    """The connections between the places of a layout, prepared for finding moves.

    Attributes:
        by_face: place -> face of a die -> the places it leads to.
        black: place -> the places a black ticket leads to.
        flights: place -> the places the helicopter leads to.
        taxi_only: the places that only taxis serve.
    """

    by_face: Mapping[int, Mapping[str, tuple[int, ...]]]
    black: Mapping[int, tuple[int, ...]]
    flights: Mapping[int, tuple[int, ...]]
    taxi_only: frozenset[int]


@lru_cache(maxsize=KEPT_LAYOUTS)
def find_connections(tiling: Tiling) -> Connections:
    """Compute the connections of a layout (DI-03 to DI-06, DI-19, DI-21)."""
    by_face: dict[int, dict[str, tuple[int, ...]]] = {}
    black: dict[int, tuple[int, ...]] = {}
    for place in tiling.stations:
        around = tiling.around(place)
        by_face[place] = {face: tuple([to for to, by in around.items() if face in by]) for face in FACES}
        black[place] = tuple(sorted({*around, *tiling.against(place)}))
    flights = {place: tuple(sorted(tiling.opposite(place))) for place in tiling.stations}
    taxi_only = frozenset(place for place, stops in tiling.stops.items() if stops == {"taxi"})
    return Connections(by_face, black, flights, taxi_only)


@dataclass(frozen=True, slots=True, eq=False)
class DiceTerms:
    """The settings of a game that never change while it is played."""

    setup: Setup
    box: DiceBox
    network: Tiling
    connections: Connections
    order: tuple[str, ...]
    places: Mapping[str, int]  # pawn -> its place in the order
    groups: tuple[tuple[int, ...], ...]  # the pawns of each detective player, in playing order
    hand: int
    by_hand: bool
    windows: int
    surfacing: frozenset[int]
    reveal_route: bool  # whether surfacing reveals all stations since the start (DI-23)


class DiceEntry(NamedTuple):
    """One filled window of the log: ticket or die, destination, and the half of a double move (0: a single move)."""

    ticket: str
    station: int
    double: int

    def __repr__(self) -> str:
        return f"DiceEntry({self.ticket!r}, …)"


class DiceState(NamedTuple):
    """A position of the dice game.

    `x` and `start` are Mister X's current and first place. While starts are chosen, `round` is 0, and places that are
    not chosen yet are 0. `turn` counts the detective players who have finished their turn in this round, or is -1
    during Mister X's turn. `moved` has a bit for each pawn that has moved, or had to stay, in this round. `half` is the
    half of the double move that Mister X is in, 1 or 2, or 0.
    """

    terms: DiceTerms
    x: int
    start: int
    at: tuple[int, ...]
    pool: DicePool
    tokens: int
    blacks: int
    doubles: int
    helicopters: int
    log: tuple[DiceEntry, ...]
    round: int
    turn: int
    half: int
    moved: int
    skipped: tuple[Skipped, ...]
    outcome: Outcome | None

    def __repr__(self) -> str:
        return f"DiceState(round {self.round}, turn {self.turn}, …)"
