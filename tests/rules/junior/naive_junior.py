"""A second referee for the junior game, as simple and slow as can be: the engine's opponent in the tests.

Written from the rules page alone. It shares nothing with the engine but the raw text of the map: it walks the whole
list of links for every question, plays with sets of tickets like real ones, and copies itself to look ahead.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

RawLink = tuple[int, int, str]
Move = tuple[Any, ...]
"""("pick", name, ticket) or ("go", name, to, ticket); the ticket of one who stays is "stay"."""

FOUR = ("underground", "bus", "taxi", "boat")


def raw_links(data: Mapping[str, Any]) -> list[RawLink]:
    """Return every link of a map file, once from either end, as the file writes it."""
    found = []
    for number, row in data["stations"].items():
        for ticket in FOUR:
            found += [(int(number), to, ticket) for to in row.get(ticket, [])]
    return found


class NaiveJunior:
    """A game in play. Attributes are open to all."""

    def __init__(
        self,
        links: list[RawLink],
        start: Mapping[str, int],
        *,
        fled: tuple[str, ...],
        to_catch: int = 3,
        to_flee: int = 9,
    ) -> None:
        self.links = links
        self.where = dict(start)
        self.fled = list(fled)
        self.hunters = [name for name in start if name not in fled]
        self.goals = {"detectives": to_catch, "mr_x": to_flee}
        self.chips = {"detectives": 0, "mr_x": 0}
        self.rounds_over = 0
        self.winner: str | None = None
        self.gone_from: dict[str, int] = {}
        self._deal_out()

    def copy(self) -> NaiveJunior:
        return deepcopy(self)

    def _deal_out(self) -> None:
        """Give everyone their four tickets at the start of a round."""
        self.hands = {name: set(FOUR) for name in self.where}
        self.fist: dict[str, str] = {}
        self.done: set[str] = set()

    def moves(self) -> set[Move]:
        """Return all legal moves."""
        if self.winner is not None:
            return set()
        for name in self.fled:
            if name not in self.fist:
                fitting = {
                    link[2] for link in self.links if link[0] == self.where[name] and link[2] in self.hands[name]
                }
                return {("pick", name, ticket) for ticket in fitting | {"stay"}}
        found: set[Move] = set()
        for name in self.hunters:
            if name not in self.done:
                found.add(("go", name, self.where[name], "stay"))
                for here, there, ticket in self.links:
                    if here == self.where[name] and ticket in self.hands[name]:
                        found.add(("go", name, there, ticket))
        return found

    def waiting(self) -> set[str]:
        """Return who may act now."""
        return {move[1] for move in self.moves()}

    def do(self, move: Move) -> None:
        """Do something that is among `moves()`."""
        if move[0] == "pick":
            self.fist[move[1]] = move[2]
            self.gone_from.pop(move[1], None)
            return
        _, name, there, ticket = move
        self.where[name] = there
        self.hands[name].discard(ticket)
        self.done.add(name)
        if self.done == set(self.hunters):
            self._open_fists()

    def _open_fists(self) -> None:
        for name in self.fled:
            self.gone_from[name] = self.where[name]
            for here, there, ticket in self.links:
                if here == self.gone_from[name] and ticket == self.fist[name]:
                    self.where[name] = there
        caught = {self.where[name] for name in self.fled} & {self.where[name] for name in self.hunters}
        side = "detectives" if caught else "mr_x"
        self.chips[side] += 1
        self.rounds_over += 1
        if self.chips[side] == self.goals[side]:
            self.winner = side
        self._deal_out()

    def to_be_taken_off(self) -> set[int]:
        """Return the stations on which a pawn of Mister X's may still be, although it should not."""
        return set(self.gone_from.values()) - {self.where[name] for name in self.fled}
