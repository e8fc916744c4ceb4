"""Hands that cannot keep still, on a board of which every contact is sound: and whoever sees that no switch is blamed.

They take moves back again and again, tap, hover, slide pawns about, sweep several away, clear the table and set it up
again, with both hands at once. None of it is a move, and all pawns stand in the end where they stood.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Collection
from itertools import pairwise

from firmware_host.players import heuristic
from firmware_host.referee.asks import Ask, Kind
from firmware_host.referee.scene import HERE, Phase
from firmware_host.rules.actions import FUGITIVES, START, PawnMove
from firmware_host.simulator.actors.corrections import Corrections
from firmware_host.simulator.actors.prompt_answers import PromptAnswers
from firmware_host.simulator.simulated_table import SimulatedTable

LOOK = 0.1
"""Seconds between two looks at what the table says."""

OFTEN = 0.35
"""How likely they are to do something before a move."""

PAUSE = 9.0
"""Seconds, at the most, for which several pawns are left off the board, or one where it does not belong."""

THOUGHT = 3.0
"""The same for one pawn that is in a hand, and all others stand: longer may be a dead switch as well, and is asked."""


class Accused(Exception):
    """The table says of a sound switch that it is out of order, or may be."""


class Onlooker:
    """Looks on, and finds every accusation of a switch. `look` is to be called from the parlour's `pace`.

    Args:
        simulated: the table.
    """

    def __init__(self, simulated: SimulatedTable) -> None:
        self._simulated = simulated
        self._next = 0.0

    def look(self) -> None:
        """Looks at the table, now and then.

        Raises:
            Accused: a device is degraded, a switch not listened to, or the table asks whether one is out of order.
        """
        table = self._simulated.table
        if table.clock.now() < self._next:
            return
        self._next = table.clock.now() + LOOK
        scene = self._simulated.daemon.scene()
        if scene.ailing or scene.masked:
            raise Accused(f"{ {name: str(health) for name, health in scene.ailing.items()} }, masked {scene.masked}")
        view, where = scene.view, table.where()
        held = 0 if view is None else sum(where.get(pawn) != view.pawns.get(pawn) for pawn in view.order)
        lost = held > 1 and any(move.ticket == HERE for move in scene.asked)
        if lost or self._blames(scene.ask):
            raise Accused(f"{self._simulated.prompt_text} (pawns: {where})")

    def _blames(self, ask: Ask) -> bool:
        """Return whether an answer would have a switch ignored that a pawn of Mister X's does not close."""
        if ask.kind in (Kind.SWITCH, Kind.EMPTY):
            return True
        besides, where = ask.besides, self._simulated.table.where()
        his = {where.get(pawn) for pawn in FUGITIVES}  # nobody takes it off, as the table asks
        return besides is not None and besides.kind is Kind.EMPTY and besides.station not in his


class RestlessHands:
    """Two hands between two moves of a game.

    Args:
        simulated: the table.
        chance: what they do, and how fast.
        gestures: where it is counted what was done.
    """

    def __init__(self, simulated: SimulatedTable, chance: random.Random, gestures: Counter[str]) -> None:
        self._simulated = simulated
        self._table = simulated.table
        self._chance = chance
        self._gestures = gestures
        self._answers = PromptAnswers(simulated, Corrections(simulated, chance, gestures))

    def fidget(self) -> None:
        """Now and then do one thing or another; nothing while starts are chosen, where to lift a pawn takes it back."""
        view, done = self._simulated.public, self._actions
        starting = any(isinstance(move, PawnMove) and move.ticket == START for move in (*view.moves, *done[-1:]))
        if (
            self._chance.random() >= OFTEN
            or starting
            or view.outcome is not None
            or self._simulated.daemon.scene().phase is not Phase.PLAY
        ):
            return
        acts: list[Callable[[], None]] = [
            self._tap, self._clear, self._sweep, self._pile_up, self._hold_two, self._astray, self._wander,
            self._juggle,
        ]  # fmt: skip
        acts += [self._take_back] * 2
        for act in self._chance.sample(acts, self._chance.randint(1, 2)):
            if self._standing:
                self._gestures[act.__name__.strip("_").replace("_", " ")] += 1
                act()
                self._wait(0.0, 1.5)

    @property
    def _actions(self) -> list[object]:
        game = self._simulated.daemon.game
        return [] if game is None else list(game.actions)

    @property
    def _standing(self) -> dict[str, int]:
        """The pawns on the board, each with its station."""
        return {pawn: at for pawn, at in self._table.where().items() if at is not None}

    # ---- what they do ----

    def _tap(self) -> None:
        """A pawn is tapped on its station, up to five times a second."""
        pawn, at = self._any()
        for _ in range(self._chance.randint(1, 12)):
            self._table.lift(at, pawn)
            self._wait(0.05, 0.25)
            self._table.put(at, pawn)
            self._wait(0.05, 0.25)

    def _clear(self) -> None:
        """All pawns are taken off, by one or two at a time, and after a while they are set up again."""
        self._off_and_on(self._shuffled())

    def _hold_two(self) -> None:
        """Two pawns are taken up at the same moment, and held."""
        self._off_and_on(self._shuffled()[:2], together=2)

    def _pile_up(self) -> None:
        """Some pawns are taken off and laid down on stations where they do not belong, in a heap."""
        some = self._shuffled()[: self._chance.randint(2, 4)]
        self._off(some, 1)
        heap = self._nowhere()[: len(some)]
        for (pawn, _), at in zip(some, heap, strict=False):
            self._table.put(at, pawn)
            self._wait(0.0, 0.4)
        self._pause(some)
        for pawn, _ in some:
            if pawn in self._table.points():
                self._table.pick_up(pawn)
            self._wait(0.0, 0.3)
        self._on(some, 1)

    def _astray(self) -> None:
        """A pawn is set down half-way on the bare board, or on a wrong station, and comes home after a while."""
        pawn, at = self._any()
        wrong = self._nowhere()[0]
        self._table.lift(at, pawn)
        self._wait(0.1, 0.5)
        if self._chance.random() < 0.5:
            self._table.put(wrong, pawn)
            self._wait(0.0, PAUSE)
        else:
            self._table.put_between(at, wrong, pawn, 0.5)
            self._wait(0.0, THOUGHT / 2)
        self._table.pick_up(pawn)
        self._wait(0.1, 0.5)
        self._table.put(at, pawn)

    def _wander(self) -> None:
        """A pawn is slid over the stations near it and home again, without a rest."""
        pawn, at = self._any()
        near = sorted(self._table.places, key=lambda n: math.dist(self._table.places[n], self._table.places[at]))[1:8]
        taken = set(self._standing.values())
        stops = [n for n in near if n not in taken]
        path = [at, *self._chance.sample(stops, min(len(stops), self._chance.randint(1, 4))), at]
        places = self._table.places
        length = sum(math.dist(places[a], places[b]) for a, b in pairwise(path))
        if length:
            self._table.slide(path, 1000 * length / self._chance.uniform(150, 500), pawn)

    def _sweep(self) -> None:
        """A sleeve catches up to three pawns and sweeps them over the board, all at the same speed."""
        some = self._shuffled()[: self._chance.randint(1, 3)]
        angle, far, speed = (self._chance.uniform(*span) for span in ((0, math.tau), (40, 200), (150, 600)))
        ms = 1000 * far / speed
        for pawn, at in some:
            x, y = self._table.places[at]
            self._table.pull(pawn, (x + far * math.cos(angle), y + far * math.sin(angle)), ms)
        self._simulated.advance(ms)
        for pawn, _ in some:
            self._table.pick_up(pawn)
        self._pause(some)
        self._on(some, self._chance.randint(1, 2))

    def _juggle(self) -> None:
        """One hand takes a pawn up while the other one sets one down, at the same moment, over and over."""
        some = self._shuffled()[:2]
        if len(some) < 2:
            return
        (one, here), (other, there) = some
        self._table.lift(here, one)
        for _ in range(self._chance.randint(1, 5)):
            self._wait(0.2, 0.5)
            self._table.put(here, one)
            self._table.lift(there, other)
            self._wait(0.2, 0.5)
            self._table.lift(here, one)
            self._table.put(there, other)
        self._table.put(here, one)

    def _take_back(self) -> None:
        """The same move is made and taken back, up to ten times in a row."""
        simulated, view, game = self._simulated, self._simulated.public, self._simulated.daemon.game
        first = next((move for move in view.moves if move.pawn in self._standing), None)
        if game is None or first is None or self._standing[first.pawn] != view.pawns.get(first.pawn):
            return
        move, home, before = heuristic.alternative_move(game, first, ()), self._standing[first.pawn], len(self._actions)
        if move is None or simulated.daemon.scene().asked:
            return
        for _ in range(self._chance.randint(1, 10)):
            for frm, to in ((home, move.to), (move.to, home)):
                self._table.lift(frm, move.pawn)
                self._wait(0.1, 0.4)
                self._table.put(to, move.pawn)
                self._until(move, before + (to != home), back=to == home)

    def _until(self, move: PawnMove, accepted: int, *, back: bool) -> None:
        """Wait until so many actions are accepted, and answer what is asked; for four seconds at the most."""
        for _ in range(40):
            if len(self._actions) == accepted:
                return
            if back:
                self._answers.confirm_back()
            else:
                self._answers.confirm_move(move)
            self._simulated.advance(100)

    # ---- with what ----

    def _any(self) -> tuple[str, int]:
        return self._chance.choice(sorted(self._standing.items()))

    def _shuffled(self) -> list[tuple[str, int]]:
        pawns = sorted(self._standing.items())
        self._chance.shuffle(pawns)
        return pawns

    def _nowhere(self) -> list[int]:
        """Stations on which no pawn can be meant to stand now, in any order."""
        view, game = self._simulated.public, self._simulated.daemon.game
        before = game.before if game is not None else None
        meant = {move.to for move in (*view.moves, *view.open_moves)} | {*view.stale, *view.pawns.values()}
        meant |= set() if before is None else {*before.pawns.values()}
        meant |= set(self._standing.values())
        places = {n: place for n, place in self._table.places.items() if n in view.network.stations}
        clear = [n for n in places if all(math.dist(places[n], places[m]) > 20 for m in meant if m in places)]
        self._chance.shuffle(clear)
        return clear or sorted(set(places) - meant) or [next(iter(places))]

    def _off_and_on(self, some: list[tuple[str, int]], together: int = 0) -> None:
        self._off(some, together or self._chance.randint(1, 2))
        self._pause(some)
        self._chance.shuffle(some)
        self._on(some, together or self._chance.randint(1, 2))

    def _pause(self, pawns: Collection[tuple[str, int]]) -> None:
        left = set(self._standing.values())  # where two stand, one that is lifted is not missed
        missed = {at for pawn, at in pawns if pawn in self._simulated.public.order and at not in left}
        self._wait(0.0, PAUSE if len(missed) > 1 else THOUGHT)

    def _off(self, some: Collection[tuple[str, int]], together: int) -> None:
        for number, (pawn, at) in enumerate(some, 1):
            self._table.lift(at, pawn)
            if not number % together:
                self._wait(0.05, 0.5)

    def _on(self, some: Collection[tuple[str, int]], together: int) -> None:
        for number, (pawn, at) in enumerate(some, 1):
            self._table.put(at, pawn)
            if not number % together:
                self._wait(0.05, 0.7)

    def _wait(self, least: float, most: float) -> None:
        self._simulated.advance(1000 * self._chance.uniform(least, most))
