"""A second referee for the beginners version, as simple and slow as can be: the engine's opponent in the tests.

Written from the rules page alone (BE). It shares nothing with the engine but the raw text of the map: it walks the
whole list of roads for every question, keeps plain lists and dicts, and copies itself to look ahead. Actions are
written in short, as `notation.actions` reads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

MR_X = "mr_x"
HIDDEN_MOVES = (3, 8, 13)
ROUNDS = 13


@dataclass
class WalkedStep:
    """One of Mister X's moves: where to, by which card ("f" none, "k" black), hidden when made, and whether everyone
    has got to know by now where it led."""

    to: int
    card: str
    hidden: bool
    known: bool


class NaiveBeginners:
    """A game in play. Attributes are open to all."""

    def __init__(
        self, data: Mapping[str, Any], start: Mapping[str, int], mr_x: int, *, uncover_half: bool = False
    ) -> None:
        self.uncover_half = uncover_half
        self.roads = {
            (int(number), to)
            for number, row in data["stations"].items()
            for kind in ("taxi", "bus")  # BE-03: the underground is closed, and the boat with it
            for to in row.get(kind, [])
        }
        self.where = dict(start)
        self.x = mr_x
        self.steps: list[WalkedStep] = []
        self.round = 1
        self.blacks = self.doubles = 1
        self.doubled = 0  # how many moves had been made when the double move was over
        self.half = 0  # 1 or 2: a double move is announced, and this half of it comes next
        self.waiting: list[str] = []  # the detectives yet to move in this round; nobody: it is Mister X's turn
        self.stuck: list[str] = []
        self.end = ""
        if not self._ways(self.x):
            self.end = "trapped"

    def copy(self) -> NaiveBeginners:
        other = NaiveBeginners.__new__(NaiveBeginners)
        for name, value in vars(self).items():
            setattr(other, name, value if name == "roads" else deepcopy(value))
        return other

    # What may be done

    def moves(self) -> set[str]:
        """Return all legal moves."""
        if self.end:
            return set()
        if self.waiting:
            return {f"{name[0]}{to}f" for name in self.waiting for to in self._ways(self.where[name])}
        found = self._steps()
        if self.half == 1:
            return self._first_halves()
        if self.half == 0 and self.doubles and self._first_halves():
            found.add("D")
        return found

    def moves_in_the_open(self) -> set[int]:
        """Return where Mister X's pawn may be moved on the board, in front of everyone (BE-05)."""
        if self.end or self.waiting or self.seen_at() is None or len(self.steps) + 1 in HIDDEN_MOVES:
            return set()
        return {int(word[:-1]) for word in self.moves() if word.endswith("f")}

    def _ways(self, station: int) -> set[int]:
        """Return the neighbours of a station without a detective (BE-04)."""
        return {b for a, b in self.roads if a == station and b not in self.where.values()}

    def _steps(self) -> set[str]:
        cards = ["f", "k"] if self.blacks else ["f"]
        return {f"{to}{card}" for to in self._ways(self.x) for card in cards}

    def _first_halves(self) -> set[str]:
        """Return moves after which another is still possible (BE-08)."""
        found = set()
        for word in self._steps():
            later = self.copy()
            later._step(int(word[:-1]), word[-1])
            if later._steps():
                found.add(word)
        return found

    # What happens

    def do(self, word: str) -> None:
        """Do a legal move, without checks."""
        if word == "D":
            self.doubles -= 1
            self.half = 1
        elif word[0].isdecimal():
            self._step(int(word[:-1]), word[-1])
            self.stuck = []
            if self.half == 2:
                self.doubled = len(self.steps)
            self.half = 2 if self.half == 1 else 0
            if not self.half:
                self.waiting = list(self.where)
                self._pass_over()
        else:
            name = next(name for name in self.where if name[0] == word[0])
            self.where[name] = int(word[1:-1])
            self.waiting.remove(name)
            if self.where[name] == self.x:
                self.end = "captured"
            else:
                self._pass_over()

    def _step(self, to: int, card: str) -> None:
        hidden = len(self.steps) + 1 in HIDDEN_MOVES or card == "k"
        self.blacks -= card == "k"
        self.steps.append(WalkedStep(to, card, hidden, known=not hidden))
        self.x = to

    def _pass_over(self) -> None:
        """End the round if no waiting player can move."""
        if any(self._ways(self.where[name]) for name in self.waiting):
            return
        self.stuck = list(self.waiting)
        self.waiting = []
        if self.round == ROUNDS:
            self.end = "rounds_over"
            return
        self.round += 1
        self.steps[-1].known = True  # BE-06: he is set down again
        if self.uncover_half and self.doubled == len(self.steps):  # BE-08: his last turn was a double move
            self.steps[-2].known = True
        if not self._ways(self.x):
            self.end = "trapped"

    # What everyone sees

    def seen_at(self) -> int | None:
        """Return where Mister X's pawn is on the board, or None."""
        return self.x if self.end or not self.steps or self.steps[-1].known else None

    def log(self) -> list[tuple[str, int | None]]:
        """Return the log: the payment of each move, and its destination if everyone knows it."""
        cards = {"f": "free", "k": "black"}
        return [(cards[step.card], step.to if step.known or self.end else None) for step in self.steps]
