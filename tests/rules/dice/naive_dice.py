"""A second referee for the dice game, as simple and slow as can be: the engine's opponent in the tests.

Written from the rules page alone. It shares nothing with the engine but the list of rides that tiles allow. The seven
dice are seven things that are carried about, places and pawns lie in plain dicts, and to look ahead it copies itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from itertools import combinations_with_replacement
from typing import Any

Move = tuple[Any, ...]
"""("pawn", name, to, ticket), ("x", to, ticket), ("double",), ("pass",), ("again",) or ("roll", *faces)."""

Ride = tuple[int, int, str]
FACES = ("taxi", "bus", "underground", "x")


class Die:
    """One die: it is in the "supply", in the "hand", "open", at a "pawn" or on the "log"."""

    def __init__(self) -> None:
        self.lies = "supply"
        self.face = "x"
        self.pawn = ""


class NaiveDice:
    """A game in play. Attributes are open to all."""

    def __init__(
        self,
        rides: Iterable[Ride],
        against: Iterable[tuple[int, int]],
        flights: Iterable[tuple[int, int]],
        stops: Mapping[int, frozenset[str]],
        owners: Mapping[str, int],
    ) -> None:
        self.rides = list(rides)
        self.against = list(against)
        self.flights = list(flights)
        self.stops = dict(stops)
        self.players = [[p for p in owners if owners[p] == n] for n in dict.fromkeys(owners.values())]
        self.pawns = list(owners)
        few = len(self.players) < 3
        self.hand = 3 if few else 4
        self.left = {"black": 2 if few else 3, "double": 1, "helicopter": 1}
        self.tokens = 3
        self.dice = [Die() for _ in range(7)]
        self.history: list[tuple[Die, str]] = []  # used in this round, in order, with the face at that time
        self.taken = 0
        self.where: dict[str, int] = {}
        self.x: int | None = None
        self.route: list[int] = []
        self.log: list[tuple[str, int]] = []  # ticket, half of a double move
        self.half = 0
        self.round = 0
        self.waiting: list[list[str]] = []
        self.skipped: list[str] = []
        self.shown = False
        self.end: str | None = None

    def __deepcopy__(self, memo: dict[int, Any]) -> NaiveDice:
        other = object.__new__(NaiveDice)
        constant = ("rides", "against", "flights", "stops", "players", "pawns")
        other.__dict__ = {k: v if k in constant else deepcopy(v, memo) for k, v in self.__dict__.items()}
        return other

    def lying(self, where: str) -> list[Die]:
        return [die for die in self.dice if die.lies == where]

    # What may be done

    def to_roll(self) -> int:
        return 0 if self.end else len(self.lying("hand"))

    def rolls(self) -> list[Move]:
        """Return all possible results of the dice in hand."""
        return [("roll", *faces) for faces in combinations_with_replacement(FACES, self.to_roll())]

    def moves(self) -> set[Move]:
        """Return all legal moves; none while dice must be rolled."""
        if self.end is not None or self.to_roll():
            return set()
        if self.x is None:
            return self._starts()
        if not self.waiting:
            return self._x_moves()
        moves = self._die_moves() or {("pawn", name, self.where[name], "stay") for name in self.waiting[0]}
        return moves | {("again",)} if self.tokens else moves

    def _starts(self) -> set[Move]:
        taken = self.where.values()
        if len(self.where) < len(self.pawns):
            name = self.pawns[len(self.where)]
            return {("pawn", name, p, "start") for p, s in self.stops.items() if s == {"taxi"} and p not in taken}
        return {("x", place, "start") for place in self.stops if place not in taken}

    def _die_moves(self) -> set[Move]:
        """Return what the detective on turn can do with the open dice."""
        return {
            ("pawn", name, b, transport)
            for die in self.lying("open")
            for name in self.waiting[0]
            for a, b, transport in self.rides
            if die.face == transport and a == self.where[name] and b not in self.where.values()
        }

    def _x_by_dice(self) -> set[Move]:
        """Return what Mister X can do with the detectives' dice, also onto their places."""
        faces = {die.face for die in self.lying("pawn")}
        return {("x", b, transport) for a, b, transport in self.rides if a == self.x and transport in faces}

    def _x_without_dice(self) -> set[Move]:
        found: set[Move] = set()
        if self.left["black"]:
            found |= {("x", b, "black") for a, b, _ in self.rides if a == self.x}
            found |= {("x", b, "black") for a, b in self.against if a == self.x}
        if self.left["helicopter"]:
            found |= {("x", b, "helicopter") for a, b in self.flights if a == self.x}
        return found

    def _x_safe(self) -> set[Move]:
        both = self._x_by_dice() | self._x_without_dice()
        return {move for move in both if move[1] not in self.where.values()}

    def _x_firsts(self) -> set[Move]:
        """Return first halves of a double move: moves after which another, onto no detective, is possible."""
        found = set()
        for move in self._x_safe():
            later = deepcopy(self)
            later._go_x(move[1], move[2])
            if later._x_safe():
                found.add(move)
        return found

    def _x_moves(self) -> set[Move]:
        if self.half == 1:
            return self._x_firsts()
        safe, by_dice = self._x_safe(), self._x_by_dice()
        found = safe or set(by_dice)
        if self.half == 0:
            if not by_dice:
                found.add(("pass",))
            if self.left["double"] and 13 - len(self.log) >= 2 and self._x_firsts():
                found.add(("double",))
        return found

    # Doing it

    def do(self, move: Move) -> None:
        """Do a legal move, without checks."""
        kind = move[0]
        if kind == "roll":
            self._roll(move[1:])
        elif kind == "again":
            self.tokens -= 1
            for die in self.lying("open"):
                die.lies = "hand"
        elif kind == "pawn":
            self._go_pawn(*move[1:])
        elif kind == "double":
            self.left["double"] -= 1
            self.half = 1
        elif kind == "pass":
            self._enter("pass")
            self._new_round()
        elif move[2] == "start":
            self.x = move[1]
            self.route = [move[1]]
            self._cover_without_die()
            self._new_round()
        else:
            self._turn_of_x(move[1], move[2])

    def _roll(self, faces: tuple[str, ...]) -> None:
        for die, face in zip(self.lying("hand"), faces, strict=True):
            die.lies, die.face = "open", face
        if not self.tokens and len(self.waiting[0]) == 1 and not self._die_moves():
            self._idle_pawn()

    def _idle_pawn(self) -> None:
        """Handle the next pawn of the detective on turn, which can use no die."""
        name = self.waiting[0][0]
        self.skipped.append(name)
        self._done(name)

    def _go_pawn(self, name: str, to: int, ticket: str) -> None:
        self.where[name] = to
        if ticket == "start":
            return
        if ticket != "stay":
            die = next(die for die in self.lying("open") if die.face == ticket)
            die.lies, die.pawn = "pawn", name
            self.history.append((die, ticket))
        if to == self.x:
            self.end = "captured"
        else:
            self._done(name)

    def _done(self, name: str) -> None:
        self.waiting[0].remove(name)
        if not self.waiting[0]:
            self.waiting.pop(0)
        if self.waiting:
            for die in self.lying("open"):
                die.lies = "hand"
            if not self.lying("hand"):
                self._idle_pawn()
        elif len(self.log) == 13:
            self.end = "escaped"

    def _cover_without_die(self) -> None:
        """Cover an entry by an unused die: the least useful rolled one, else one of the supply."""
        unused = sorted(self.lying("open"), key=lambda die: FACES.index(die.face))
        die = unused[-1] if unused else self.lying("supply")[0]
        die.face = "x"
        self._cover(die)

    def _cover(self, die: Die) -> None:
        die.lies = "log"
        self.dice.remove(die)
        self.dice.append(die)  # so that those on the log stand in its order

    def _enter(self, ticket: str) -> None:
        """Fill and cover the next entry of the log."""
        if ticket in FACES:
            self._cover(next(die for die, _ in self.history if die.lies == "pawn" and die.face == ticket))
            self.taken += 1
        else:
            self._cover_without_die()
            if ticket in self.left:
                self.left[ticket] -= 1
        assert self.x is not None
        self.route.append(self.x)
        self.log.append((ticket, self.half))
        self.shown = len(self.log) in (3, 7, 11)
        if self.shown:
            for die in self.lying("log"):
                die.lies = "supply"

    def _go_x(self, to: int, ticket: str) -> None:
        self.x = to
        self._enter(ticket)

    def _turn_of_x(self, to: int, ticket: str) -> None:
        self._go_x(to, ticket)
        if to in self.where.values():
            self.end = "walked_in"
        elif self.half == 1:
            self.half = 2
        else:
            self._new_round()

    def _new_round(self) -> None:
        """Return dice at pawns and on the table to the hand, and let the next detective begin."""
        self.half = 0
        self.skipped = []
        self.history, self.taken = [], 0
        for die in self.dice:
            if die.lies != "log":
                die.lies = "supply"
        for die in self.lying("supply")[: self.hand]:
            die.lies = "hand"
        first = self.round % len(self.players)
        self.round += 1
        self.waiting = [list(pawns) for pawns in self.players[first:] + self.players[:first]]


def perft(game: NaiveDice, depth: int) -> int:
    """Return how many sequences of `depth` actions there are. Every outcome of a roll counts as one."""
    if depth == 0:
        return 1
    total = 0
    for move in (*game.moves(), *game.rolls()) if game.to_roll() else game.moves():
        later = deepcopy(game)
        later.do(move)
        total += perft(later, depth - 1)
    return total
