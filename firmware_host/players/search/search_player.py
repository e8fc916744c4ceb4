"""Choose moves of pursuit games by search, review finished games, and compile the search in advance.

A review compares games simulated after the actual action with as many after the search's choice. Detectives are judged
by public knowledge, Mister X by his true station.
"""

from __future__ import annotations

import fcntl
import random
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firmware_host.players.player_errors import CannotPlay
from firmware_host.players.search import belief, mr_x_search, position_value, random_numbers, tree
from firmware_host.players.search.compiling import are_compiled, compiled_files
from firmware_host.players.search.game_numbers import (
    BARE,
    BLACK_TICKET,
    DOUBLE,
    MOST_PAWNS,
    OCCUPIED,
    OUTCOME,
    STATIONS,
    TURN,
    VOLUNTARY,
    Row,
    X,
    action_of,
    distances,
    game_numbers,
    pursuit_view,
    row_of_view,
)
from firmware_host.players.search.playout_policy import Weights
from firmware_host.players.search.reply_model import Suspicion
from firmware_host.players.search.rules_kernel import MOST_ACTIONS, legal
from firmware_host.players.search.tree import ROOT, EdgeTable, Guess
from firmware_host.players.search_settings import DEFAULT, SearchSettings
from firmware_host.rules.actions import FREE, MR_X, TICKETS, Action, Double, PawnMove, Surface
from firmware_host.rules.network import Link, Network, Station
from firmware_host.rules.pursuit.edition import Edition
from firmware_host.rules.pursuit.pursuit_game import Pursuit
from firmware_host.rules.pursuit.pursuit_view import PursuitView
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Setup
from firmware_host.rules.views import MrXView, PublicView

_AT_A_TIME, _HIS_AT_A_TIME = 50, 10
"""Iterations between two checks of the clock: the detectives', and Mister X's, which take longer."""

_NEAR_EQUAL, _ENOUGH_VISITS = 0.8, 20
"""Mister X also plays actions with this share of the most visits, if those are at least `_ENOUGH_VISITS`."""

_ANNOUNCED = (Double, Surface)
_TAKING, _MOST_TAKEN = 0.005, 2 * MOST_PAWNS
"""The share of Mister X's time for each ticket that he takes, and the most that he takes in a turn."""

_IN_ALL = 0.95
"""The share of Mister X's time for all actions of a turn together; the rest passes between them."""


class SearchPlayer:
    """A player that searches, for either side of one game. `see` must get every public view, in order.

    Args:
        setup: the game; Mister X's station in it is ignored.
        rng: the random number generator.
        enough: called every few iterations with their number and the seconds they took, both divided by the share of
            the time that this action has; the search ends when it returns True.
        clock: the clock that counts the seconds; by default the processor time of this thread.
        settings: the numbers of the search.

    Attributes:
        belief: the public probability of Mister X being at each station. Read only.

    Raises:
        CannotPlay: the game is not a pursuit game, its map has no start card for Mister X, or its map or
            number of pawns is too large for the search.
    """

    def __init__(
        self,
        setup: Setup,
        *,
        rng: random.Random,
        enough: Callable[[int, float], bool],
        clock: Callable[[], float] = time.thread_time,
        settings: SearchSettings = DEFAULT,
    ) -> None:
        if not isinstance(setup.edition, Edition):
            raise CannotPlay(f"{setup.edition.name} is not a pursuit game")
        anywhere = next(station for station in setup.network.stations if station not in setup.start.values())
        self._terms = Pursuit(setup.edition).begin(replace(setup, mr_x=Secret(anywhere))).terms
        self._game, self._distances = game_numbers(self._terms), distances(self._terms.network)
        self._table, self._suspicion = EdgeTable.empty(), Suspicion.empty(self._game[STATIONS])
        self._enough, self._clock, self._settings = enough, clock, settings
        self._choices = settings.trust * belief.learned()
        self._network = position_value.learned()
        self._weights = Weights(*(getattr(settings, name) for name in Weights._fields))
        self._before: PursuitView | None = None
        self._top = ROOT
        self._next: Row | None = None
        self.belief = np.zeros(self._game[STATIONS])
        cards, taken = {*setup.edition.mr_x_starts(setup.network)}, {*setup.start.values()}
        if not cards:
            raise CannotPlay("the map has no start cards for Mister X")
        starts = cards - taken or setup.network.stations.keys() - taken
        self.belief[sorted(starts)] = 1 / len(starts)
        self._rng = rng
        with compiled_files(tree.search.stats.cache_path):
            self._warm_up()

    def _warm_up(self) -> None:
        """Load all compiled code before anything is timed. Compile it if that has not been done yet."""
        row = np.zeros(OCCUPIED + self._game[STATIONS], np.int16)
        row[OUTCOME], rng, found = 1, random_numbers.begin(1), np.empty(MOST_ACTIONS, np.int32)
        belief.normalized(self.belief)
        tree.root_edges(self._game, row, ROOT, self._table, found)
        self._flee(row, self._beliefs_after(row), 1, rng)

        self._search(row, tree.Guess.of(self.belief, self._distances), 1, rng)
        tree.node_after(self._game, row, ROOT, DOUBLE)
        self._forget()

    def see(self, view: PublicView) -> None:
        """Update the beliefs about Mister X's station from the next public view."""
        before, self._before = self._before, pursuit_view(view)
        if before is not None:
            row = row_of_view(before, self._terms)
            for entry in view.log[len(before.log) :]:
                ticket = TICKETS.index(entry.ticket) if entry.ticket != FREE else 0
                self.belief = self._after_move(row, self.belief, ticket)
                if entry.station is not None:
                    self._know(entry.station)
        if view.pawns.get(MR_X):
            self._know(view.pawns[MR_X])
        self.belief[[view.pawns[pawn] for pawn in view.order]] = 0.0
        self.belief = belief.normalized(self.belief)

    def pursue(self, view: PublicView) -> Action:
        """Return the detectives' next action."""
        pursuit = pursuit_view(view)
        return self._choose(row_of_view(pursuit, self._terms), pawns={move.pawn for move in pursuit.moves})

    def flee(self, view: MrXView) -> Action:
        """Return Mister X's next action."""
        public = pursuit_view(view.public)
        row = row_of_view(public, self._terms)
        row[X] = view.at.value
        row[BARE] = view.shows and len(public.log) + 1 not in public.surfacing
        rest = public.double > 0 or row[BARE] or public.giving
        taking = public.giving[0] if public.giving else ""
        share = _TAKING if taking else self._rest_share() if rest else 1.0
        return self._choose(row, share=share, taking=taking)

    def _rest_share(self) -> float:
        """Return the share of Mister X's time for a move after an announcement.

        It is so small that the longest turn fits into his time: a double move in which he surfaces at both moves, one
        of them after an announcement.
        """
        first, voluntary = self._settings.announcing_share, self._game[VOLUNTARY]
        left = _IN_ALL - first - voluntary * _TAKING * _MOST_TAKEN
        return min(self._settings.rest_share, left / (2 + 2 * voluntary * first))

    def _after_move(self, row: Row, before: belief.Belief, ticket: int) -> belief.Belief:
        return belief.after_move(self._game, row, self._distances, self._choices, before, ticket)

    def _beliefs_after(self, row: Row) -> mr_x_search.Beliefs:
        """Return everyone's belief about Mister X's station after his next move, a row for each ticket."""
        return np.stack([self._after_move(row, self.belief, ticket) for ticket in range(BLACK_TICKET + 1)])

    def _flee(
        self, row: Row, after: mr_x_search.Beliefs, iterations: int, rng: random_numbers.RngState, first: int = 0
    ) -> float:
        return mr_x_search.flee(
            self._game, row, self._distances, self.belief, after, first, self._suspicion, self._top, self._table,
            iterations, self._choices, self._weights, self._network, rng,
        )  # fmt: skip

    def _search(
        self,
        row: Row,
        guess: tree.Guess,
        iterations: int,
        rng: random_numbers.RngState,
        first: int = 0,
    ) -> tuple[int, int]:
        return tree.search(
            self._game, row, self._distances, guess, first, self._top, self._table, iterations, self._weights,
            self._network, rng,
        )  # fmt: skip

    def _forget(self) -> None:
        """Start an empty search tree."""
        self._table.clear()
        self._top, self._next = ROOT, None

    def _stand_at(self, row: Row) -> None:
        """Keep the search tree if it has led to this position and has room, else start an empty one.

        The tree leads to the next position while the detectives of one seat move in turn, and between the halves of a
        double move.
        """
        if self._next is None or not np.array_equal(row, self._next) or not self._table.is_roomy():
            self._forget()

    def _go_on(self, row: Row, action: int) -> None:
        """Go to the tree's node after an action, and remember which position to expect there."""
        after = row.copy()
        self._top = np.uint64(tree.node_after(self._game, after, self._top, action))
        self._next = after

    def _know(self, station: int) -> None:
        self.belief[:] = 0.0
        self.belief[station] = 1.0

    def _choose(self, row: Row, *, pawns: Collection[str] = (), share: float = 1.0, taking: str = "") -> Action:
        """Search the tree. Return the most visited action, or for Mister X one of the most visited actions.

        Args:
            row: the position.
            pawns: the pawns of which one shall move; empty for Mister X.
            share: the share of the time to use.
            taking: the pawn from which Mister X takes a ticket.
        """
        began, found = self._clock(), np.empty(MOST_ACTIONS, np.int32)
        self._stand_at(row)
        count, edges = tree.root_edges(self._game, row, self._top, self._table, found)
        actions = [action_of(int(number), self._terms, taking) for number in found[:count]]
        own = [n for n, action in enumerate(actions) if not isinstance(action, PawnMove) or action.pawn in pawns]
        chosen = own[0] if len(own) == 1 else self._best(row, share, actions, own, edges, began)
        self._go_on(row, int(found[chosen]))
        return actions[chosen]

    def _best(
        self, row: Row, share: float, actions: list[Action], own: list[int], edges: NDArray[np.int64], began: float
    ) -> int:
        """Search for an action and return its number. `began`: the clock's seconds when the question came."""
        done, announcing, his = 0, share * self._settings.announcing_share, row[TURN] < 0
        search: Callable[[], object]
        rng = random_numbers.begin(self._rng.getrandbits(63))
        if his:
            after = self._beliefs_after(row)
            search, at_a_time = partial(self._flee, row, after, _HIS_AT_A_TIME, rng), _HIS_AT_A_TIME
        else:
            guess = tree.Guess.of(self.belief, self._distances)
            search, at_a_time = partial(self._search, row, guess, _AT_A_TIME, rng), _AT_A_TIME
        while not self._enough(int(done / share), (self._clock() - began) / share):
            search()
            done += at_a_time
            if self._enough(int(done / announcing), (self._clock() - began) / announcing):
                if isinstance(actions[self._most_visited(own, edges)], _ANNOUNCED):
                    break
                own = [n for n in own if not isinstance(actions[n], _ANNOUNCED)] or own  # too late to announce
        return self._one_of_the_most_visited(own, edges) if his else self._most_visited(own, edges)

    def _most_visited(self, own: list[int], edges: NDArray[np.int64]) -> int:
        """Return the number of the most visited of the given actions."""
        visits = self._table.visits(edges)
        return max(own, key=lambda n: visits[n])

    def _one_of_the_most_visited(self, own: list[int], edges: NDArray[np.int64]) -> int:
        """Draw one of the most visited actions, more likely one with more visits. Return its number.

        The draw keeps people who know the program from predicting Mister X.
        """
        visits = self._table.visits(edges)
        best = self._most_visited(own, edges)
        if visits[best] < _ENOUGH_VISITS:
            return best
        near = [n for n in own if visits[n] >= _NEAR_EQUAL * visits[best]]
        return self._rng.choices(near, [visits[n] + 1.0 for n in near])[0]


GAMES = 2000
"""Games simulated after each of the two actions: the share won then has a standard deviation of at most 1.1 %."""


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
    """A reviewer of one finished game. Like a `SearchPlayer`, it must `see` every public view, in order."""

    def _one_of_the_most_visited(self, own: list[int], edges: NDArray[np.int64]) -> int:
        """Return the number of the most visited action, because advice should not be random."""
        return self._most_visited(own, edges)

    def review(self, public: PublicView, done: Action, *, mr_x: int, shows: bool) -> Verdict:
        """Review an action.

        Args:
            public: the public view just before it.
            done: the action.
            mr_x: Mister X's station then.
            shows: whether he had announced that he will surface.
        """
        view = pursuit_view(public)
        row, seed = row_of_view(view, self._terms), self._rng.getrandbits(63)
        chance = 1 - self._won_by_mr_x(row, seed)
        taking = view.giving[0] if view.giving else ""
        if row[TURN] >= 0:
            advice = self.pursue(view)
        else:
            row[X], row[BARE] = mr_x, shows
            advice = self._choose(row, taking=taking)
        if advice == done:
            return Verdict(round(chance, 3), advice, 0.0)
        worth = [self._worth(row, action, taking, seed) for action in (advice, done)]
        return Verdict(round(chance, 3), advice, round(max(0.0, worth[0] - worth[1]), 3))

    def _worth(self, row: Row, action: Action, taking: str, seed: int) -> float:
        """Return how many of the simulated games after an action its side wins, as a share."""
        number = self._number(row, action, taking)
        if row[TURN] >= 0:
            return 1 - self._won_by_mr_x(row, seed, first=number)
        self._forget()
        return self._flee(row, self._beliefs_after(row), GAMES, random_numbers.begin(seed), number) / GAMES

    def _number(self, row: Row, action: Action, taking: str) -> int:
        found = np.empty(MOST_ACTIONS, np.int32)
        numbers = map(int, found[: legal(self._game, row, found)])
        return next(number for number in numbers if action_of(number, self._terms, taking) == action)

    def _won_by_mr_x(self, row: Row, seed: int, *, first: int = 0) -> float:
        """Simulate games from a position with the detectives' search. Return the share that Mister X wins."""
        self._forget()
        guess, rng = Guess.of(self.belief, self._distances), random_numbers.begin(seed)
        games, won = self._search(row, guess, GAMES, rng, first)
        return won / max(1, games)


def is_compiled() -> bool:
    """Return whether the whole search has been compiled and cached for this code on this machine."""
    return are_compiled(tree.search.stats.cache_path)


def compile_search() -> None:
    """Compile and cache all code of the search that is not compiled yet.

    If several processes call this, one compiles and the others wait.
    """
    where = tree.search.stats.cache_path
    if where is None:  # numba caches nothing here
        return
    folder = Path(where)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "compiling.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not is_compiled():
            SearchPlayer(_smallest(), rng=random.Random(1), enough=lambda *_: True)  # noqa: S311 - nothing is chosen


def _smallest() -> Setup:
    """Return a game on a map of three stations, for which the compiled code is the same as for any map."""
    stations = {number: Station(number, 0.0, 0.0) for number in (1, 2, 3)}
    links = (Link(1, 2, "taxi"), Link(2, 3, "taxi"))
    edition = Edition(
        name="smallest", title="smallest", map="", seats={2: (("red",),)}, order="fixed", windows=3, options={},
        hand=(1, 1, 1), mr_x_hand=None, blacks=0, doubles=0, surfacing=frozenset(), last_chance=False, cards=(1, 2, 3),
        mr_x_cards=(),
    )  # fmt: skip
    network = Network("smallest", "smallest", 1.0, (1, 2, 3), stations, links, {})
    return Setup(edition, network, {"red": 1}, {"red": 1}, Secret(3))
