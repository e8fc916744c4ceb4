"""Review a finished game: compute how much each action lowered the acting side's winning probability.

Games simulated after the actual action are compared with as many after the search's choice. Detectives are judged by
public knowledge, Mister X by his true station.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from firmware_host.players.search import belief, random_numbers
from firmware_host.players.search.game_numbers import (
    AT,
    BARE,
    MOVE,
    PAWNS,
    SEEN,
    TURN,
    Row,
    X,
    action_of,
    pursuit_view,
    row_of_view,
)
from firmware_host.players.search.rules_kernel import MOST_ACTIONS, legal, play
from firmware_host.players.search.search_player import SearchPlayer
from firmware_host.players.search.tree import Guess
from firmware_host.rules.actions import Action
from firmware_host.rules.views import PublicView

GAMES = 2000
"""Games simulated after each of the two actions: the share won then has a standard deviation of 1.1 %."""


class Verdict(NamedTuple):
    """The review of an action.

    Attributes:
        chance: the detectives' probability of winning before it, by public knowledge, from 0 to 1.
        advice: the action that the search would have chosen.
        cost: how much less likely the acting side wins than with the advice, from 0 to 1.
    """

    chance: float
    advice: Action
    cost: float


class SearchReviewer(SearchPlayer):
    """A reviewer of one finished game. Needs to `see` every public view, in order, like a `SearchPlayer`."""

    def review(self, public: PublicView, done: Action, *, mr_x: int, shows: bool) -> Verdict:
        """Review an action.

        Args:
            public: the public view just before it.
            done: the action.
            mr_x: Mister X's station then.
            shows: whether he had announced that he will surface.
        """
        view = pursuit_view(public)
        row, seed = row_of_view(view, self._terms), self._chance.getrandbits(63)
        chance = 1 - self._won_by_mr_x(row, self.belief, 0.0, seed)
        taking = view.giving[0] if view.giving else ""
        if row[TURN] >= 0:
            advice = self.pursue(view)
        else:
            row[X], row[BARE] = mr_x, shows
            advice = self._choose(row, self._settings.known, taking=taking)
        if advice == done:
            return Verdict(round(chance, 3), advice, 0.0)
        worth = [self._worth(row, action, taking, seed) for action in (advice, done)]
        return Verdict(round(chance, 3), advice, round(max(0.0, worth[0] - worth[1]), 3))

    def _worth(self, row: Row, action: Action, taking: str, seed: int) -> float:
        """Return the share of simulated games after an action that the acting side wins."""
        number = self._number(row, action, taking)
        if row[TURN] >= 0:
            return 1 - self._won_by_mr_x(row, self.belief, 0.0, seed, first=number)
        after, known = row.copy(), self.belief
        play(self._game, after, number)
        if number >= MOVE:
            known = self._after_move(row, known, (number - MOVE) & 3)
            if after[SEEN]:
                known = np.zeros(len(known))
                known[after[SEEN]] = 1.0
            known[after[AT : AT + self._game[PAWNS]]] = 0.0
            known = belief.normalized(known)
        return self._won_by_mr_x(after, known, self._settings.known, seed)

    def _number(self, row: Row, action: Action, taking: str) -> int:
        found = np.empty(MOST_ACTIONS, np.int32)
        numbers = map(int, found[: legal(self._game, row, found)])
        return next(number for number in numbers if action_of(number, self._terms, taking) == action)

    def _won_by_mr_x(self, row: Row, beliefs: belief.Belief, known: float, seed: int, *, first: int = 0) -> float:
        """Return Mister X's share of wins in games simulated from a position, with searching detectives."""
        self._forget()
        guess, chance = Guess.of(beliefs, self._distances), random_numbers.begin(seed)
        games, won = self._search(row, guess, known, int(GAMES / (known or 1.0)), chance, first)
        return won / max(1, games)
