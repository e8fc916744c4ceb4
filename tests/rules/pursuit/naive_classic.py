"""A second referee for system "classic", as simple and slow as can be: the engine's opponent in the tests.

Written from the rules page alone. It shares nothing with the engine but the raw text of the map: it walks the whole
list of links for every question, keeps everything in plain dicts and copies itself to look ahead.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any

RawLink = tuple[int, int, str]
Move = tuple[Any, ...]
"""("double",), ("x", to, ticket) or ("pawn", name, to, ticket)."""


def raw_links(data: Mapping[str, Any]) -> list[RawLink]:
    """Return every link of a map file, once from either end, as the file writes it."""
    return [
        (int(number), to, transport)
        for number, row in data["stations"].items()
        for transport in ("taxi", "bus", "underground", "boat")
        for to in row.get(transport, [])
    ]


class Naive:
    """A game in play. Attributes are open to all."""

    def __init__(
        self,
        links: list[RawLink],
        start: Mapping[str, int],
        mr_x: int,
        *,
        x_fares: str = "unlimited",
        last_chance: bool = False,
        log_windows: int = 24,
    ) -> None:
        self.links = links
        self.counted = x_fares == "counted"
        self.last_chance = last_chance
        self.log_windows = log_windows
        self.pawns = list(start)
        self.where = dict(start)
        self.x = mr_x
        self.hands = {name: {"taxi": 10, "bus": 8, "underground": 4} for name in start}
        self.supply = {"taxi": 4, "bus": 3, "underground": 3, "black": len(start)}
        self.doubles = 2
        self.log: list[str] = []
        self.waiting = ["mr_x", *start]
        self.halves_left = 0
        self.skipped: dict[str, str] = {}
        self.end: str | None = None
        if not self._x_moves():
            self._judge_immobilised()
            if not any(self._pawn_moves(name) for name in self.pawns):
                self.end = self.end or "stalled"
            self.end = self.end or "trapped"

    def copy(self) -> Naive:
        other = copy(self)
        other.where = dict(self.where)
        other.hands = {name: dict(hand) for name, hand in self.hands.items()}
        other.supply = dict(self.supply)
        other.log = list(self.log)
        other.waiting = list(self.waiting)
        other.skipped = dict(self.skipped)
        return other

    def moves(self) -> set[Move]:
        """Return all legal moves."""
        if self.end is not None:
            return set()
        if self.waiting[0] != "mr_x":
            return self._pawn_moves(self.waiting[0])
        if self.halves_left == 2:
            return self._first_halves()
        found = self._x_moves()
        if self.halves_left == 0 and self._may_double():
            found.add(("double",))
        return found

    def do(self, move: Move) -> None:
        """Do a legal move, without checks."""
        if move[0] == "double":
            self.doubles -= 1
            self.halves_left = 2
        elif move[0] == "x":
            self._go_x(move[1], move[2])
            self.skipped = {}
            self._after_x()
        else:
            self._go_pawn(*move[1:])

    # Mister X

    def _x_moves(self) -> set[Move]:
        found: set[Move] = set()
        for a, b, transport in self.links:
            if a != self.x or b in self.where.values():
                continue
            if self.supply["black"] > 0:
                found.add(("x", b, "black"))
            if transport != "boat" and (not self.counted or self.supply[transport] > 0):
                found.add(("x", b, transport))
        return found

    def _first_halves(self) -> set[Move]:
        """Return moves after which another move is still possible, because a double move is two moves."""
        found = set()
        for move in self._x_moves():
            later = self.copy()
            later._go_x(move[1], move[2])
            if later._x_moves():
                found.add(move)
        return found

    def _may_double(self) -> bool:
        return self.doubles > 0 and self.log_windows - len(self.log) >= 2 and bool(self._first_halves())

    def _go_x(self, to: int, ticket: str) -> None:
        self.x = to
        self.log.append(ticket)
        if self.supply[ticket] > 0:
            self.supply[ticket] -= 1

    def _after_x(self) -> None:
        if self.halves_left:
            self.halves_left -= 1
        if len(self.log) == self.log_windows and not self.last_chance:
            self.end = "log_full"
        elif not self.halves_left:
            self.waiting.pop(0)
            self._judge_immobilised()
            self._pass_over()

    # The detectives

    def _fitting(self, name: str) -> set[Move]:
        """Return the moves that a pawn could pay for if it were alone on the board."""
        return {
            ("pawn", name, b, transport)
            for a, b, transport in self.links
            if a == self.where[name] and self.hands[name].get(transport, 0) > 0
        }

    def _pawn_moves(self, name: str) -> set[Move]:
        others = {station for other, station in self.where.items() if other != name}
        return {move for move in self._fitting(name) if move[2] not in others}

    def _go_pawn(self, name: str, to: int, ticket: str) -> None:
        self.where[name] = to
        self.hands[name][ticket] -= 1
        self.supply[ticket] += 1
        self.waiting.pop(0)
        if to == self.x:
            self.end = "captured"
            return
        self._judge_immobilised()
        self._pass_over()

    def _judge_immobilised(self) -> None:
        if self.end is None and not any(self._fitting(name) for name in self.pawns):
            self.end = "immobilised"

    def _pass_over(self) -> None:
        """Skip detectives who cannot move; after the last one the round is over."""
        while self.end is None and self.waiting and not self._pawn_moves(self.waiting[0]):
            name = self.waiting.pop(0)
            self.skipped[name] = "blocked" if self._fitting(name) else "immobilised"
        if self.end is None and not self.waiting:
            self._next_round()

    def _next_round(self) -> None:
        if not any(self._pawn_moves(name) for name in self.pawns):
            self.end = "stalled"  # nobody makes way for anybody any more
        elif len(self.log) == self.log_windows:
            self.end = "log_full"
        else:
            self.waiting = ["mr_x", *self.pawns]
            if not self._x_moves():
                self.end = "trapped"
