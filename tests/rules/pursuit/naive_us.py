"""A second referee for the American edition, as simple and slow as can be: the engine's opponent in the tests.

Written from the rules page alone (CL and US). It shares nothing with the engine but the raw text of the map: it
walks the whole list of links for every question, keeps everything in plain dicts and copies itself to look ahead.
Actions are written in short, as `notation.actions` reads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

SEATS = {
    3: ["purple yellow blue", "red green"],
    4: ["purple yellow", "red green", "blue"],
    5: ["purple yellow", "red", "green", "blue"],
    6: ["purple", "red", "green", "yellow", "blue"],
}
SURFACING = (3, 8, 13, 18, 24)
WINDOWS = 24
TICKETS = {"taxi": "t", "bus": "b", "underground": "u", "black": "k"}


class NaiveUs:
    """A game in play. Attributes are open to all."""

    def __init__(
        self,
        data: Mapping[str, Any],
        start: Mapping[str, int],
        mr_x: int,
        *,
        players: int,
        x_fares: str = "unlimited",
        last_chance: bool = True,
        voluntary_surfacing: bool = False,
        cut_off: bool = False,
    ) -> None:
        self.links = [
            (int(number), to, transport)
            for number, row in data["stations"].items()
            for transport in ("taxi", "bus", "underground", "boat")
            for to in row.get(transport, [])
        ]
        self.over = {row["link"]: row["over"] for row in data.get("via", [])}
        self.counted, self.voluntary, self.cut_off = x_fares == "counted", voluntary_surfacing, cut_off
        self.last_chance = last_chance
        self.players = [seat.split() for seat in SEATS[players]]
        self.where = dict(start)
        self.x = mr_x
        self.hands = {name: {"taxi": 10, "bus": 8, "underground": 4} for seat in self.players for name in seat}
        self.supply = {"taxi": 4, "bus": 3, "underground": 3, "black": 5}
        self.doubles = 2
        self.log: list[str] = []
        self.seen = False
        self.to_go: list[
            list[str]
        ] = []  # the pawns yet to move in this round, player by player; empty: Mister X's turn
        self.halves_left = 0
        self.announced = False
        self.giving: list[str] = []
        self.end = "" if self._x_rides() else "trapped"

    def copy(self) -> NaiveUs:
        other = NaiveUs.__new__(NaiveUs)
        for name, value in vars(self).items():
            shared = name in ("links", "over", "players")
            setattr(other, name, value if shared else deepcopy(value))
        return other

    def moves(self) -> set[str]:
        """Return all legal moves."""
        if self.end:
            return set()
        if self.to_go:
            return {f"{name[0]}{to}{t[0]}" for name in self.to_go[0] for to, t in self._pawn_moves(name)}
        if self.giving:
            return {f"+{self.giving[0][0]}{t[0]}" for t, count in self.hands[self.giving[0]].items() if count}
        rides = self._first_halves() if self.halves_left == 2 else self._x_rides()
        found = {f"{to}{TICKETS[ticket]}" for to, ticket in rides}
        if not self.halves_left and self.doubles and len(self.log) + 2 <= WINDOWS and self._first_halves():
            found.add("D")
        if self.voluntary and not self.announced and len(self.log) + 1 not in SURFACING:
            found.add("S")
        return found

    def do(self, move: str) -> None:
        """Do a legal move, without checks."""
        ticket = {letter: name for name, letter in TICKETS.items()}.get(move[-1], "")
        if move == "D":
            self.doubles, self.halves_left = self.doubles - 1, 2
        elif move == "S":
            self.announced = True
        elif move[0] == "+":
            name = self.giving.pop(0)
            self.hands[name][ticket] -= 1
            self.supply[ticket] += 1
            self._x_is_done()
        elif move[0].isdecimal():
            self._go_x(int(move[:-1]), ticket)
            self.halves_left = max(0, self.halves_left - 1)
            self.seen = self.announced or len(self.log) in SURFACING
            if self.announced:
                self.giving = [name for seat in self.players for name in seat if any(self.hands[name].values())]
            self.announced = False
            self._x_is_done()
        else:
            name = next(name for name in self.where if name[0] == move[0])
            self._go_pawn(name, int(move[1:-1]), ticket)

    # Mister X

    def _x_rides(self) -> set[tuple[int, str]]:
        found = set()
        for a, b, transport in self.links:
            if a != self.x or b in self.where.values():
                continue
            line = self.over.get(f"{transport} {min(a, b)}-{max(a, b)}", [])
            if self.cut_off and any(station in self.where.values() for station in line):
                continue
            if self.supply["black"]:
                found.add((b, "black"))
            if transport != "boat" and (not self.counted or self.supply[transport]):
                found.add((b, transport))
        return found

    def _first_halves(self) -> set[tuple[int, str]]:
        found = set()
        for to, ticket in self._x_rides():
            later = self.copy()
            later._go_x(to, ticket)
            if later._x_rides():
                found.add((to, ticket))
        return found

    def _go_x(self, to: int, ticket: str) -> None:
        self.x = to
        self.log.append(ticket)
        self.supply[ticket] = max(0, self.supply[ticket] - 1)

    def _x_is_done(self) -> None:
        if self.giving or self.halves_left:
            return
        if len(self.log) == WINDOWS and not self.last_chance:
            self.end = "log_full"
            return
        self.to_go = [list(seat) for seat in self.players]
        self._go_on()

    # The detectives

    def _fitting(self, name: str) -> set[tuple[int, str]]:
        """Return the moves that a pawn could pay for if it were alone on the board."""
        return {(b, t) for a, b, t in self.links if a == self.where[name] and self.hands[name].get(t)}

    def _pawn_moves(self, name: str) -> set[tuple[int, str]]:
        return {(to, t) for to, t in self._fitting(name) if to not in self.where.values()}

    def _go_pawn(self, name: str, to: int, ticket: str) -> None:
        self.where[name] = to
        self.hands[name][ticket] -= 1
        self.supply[ticket] += 1
        self.to_go[0].remove(name)
        if to == self.x:
            self.end = "captured"
        else:
            self._go_on()

    def _go_on(self) -> None:
        """Skip players whose pawns cannot move; after the last one the round is over."""
        if not any(self._fitting(name) for name in self.where):
            self.end = "immobilised"
            return
        while self.to_go and not any(self._pawn_moves(name) for name in self.to_go[0]):
            self.to_go.pop(0)
        if self.to_go:
            return
        if not any(self._pawn_moves(name) for name in self.where):
            self.end = "stalled"  # nobody makes way for anybody any more
        elif len(self.log) == WINDOWS:
            self.end = "log_full"
        elif not self._x_rides():
            self.end = "trapped"
