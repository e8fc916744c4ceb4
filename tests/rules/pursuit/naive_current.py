"""A second referee for the boxes since about 2012, made of that for the American edition: the engine's opponent.

Written from the rules page alone (CL and ED-01). All detectives move in any order, Bobbies ride for nothing, Mister X
pays from the common pile, and 22 rounds are played.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.rules.pursuit.naive_us import NaiveUs

PAWNS = {3: 4, 4: 4, 5: 4, 6: 5}
BOBBIES = {3: ("green", "blue"), 4: ("blue",)}
ROUNDS = 22
PLENTY = 99  # of what is not counted


class NaiveCurrent(NaiveUs):
    """A game in play. Attributes are open to all."""

    def __init__(self, data: Mapping[str, Any], start: Mapping[str, int], mr_x: int, *, players: int) -> None:
        super().__init__(data, start, mr_x, players=players)
        pawns = ["red", "yellow", "green", "blue", "purple"][: PAWNS[players]]
        self.players = [pawns]  # one group: in any order
        self.bobbies = BOBBIES.get(players, ())
        full = {"taxi": 11, "bus": 8, "underground": 4}
        self.hands = {name: {} if name in self.bobbies else dict(full) for name in pawns}
        self.supply = {"taxi": PLENTY, "bus": PLENTY, "underground": PLENTY, "black": 5}
        self.rounds = 0
        self.end = "" if self._x_rides() else "trapped"

    def _fitting(self, name: str) -> set[tuple[int, str]]:
        if name in self.bobbies:
            return {(b, "free") for a, b, t in self.links if a == self.where[name] and t != "boat"}
        return super()._fitting(name)

    def _go_pawn(self, name: str, to: int, ticket: str) -> None:
        if name in self.bobbies:
            self.hands[name]["free"] = 1  # paid, and gone
        self.supply.setdefault("free", 0)
        super()._go_pawn(name, to, ticket or "free")
        if name in self.bobbies:
            self.hands[name] = {}

    def _x_is_done(self) -> None:
        if not self.halves_left:
            self.rounds += 1
        super()._x_is_done()

    def _go_on(self) -> None:
        super()._go_on()
        over = not self.to_go and self.rounds == ROUNDS
        if over and self.end in ("", "trapped", "log_full"):
            self.end = "rounds_over"
