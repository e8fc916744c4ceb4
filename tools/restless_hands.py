"""Simulate restless hands on a board with good switches, and check that no switch is suspected.

The hands undo moves again and again, tap, hover, slide pawns about, sweep several away, clear the table and set it up
again, with both hands at once. They cancel moves and press any key that makes no false statement. In the end all pawns
are where they were, unless a key has made a move.
"""

from __future__ import annotations

import math
import random
from collections import Counter, deque
from collections.abc import Callable, Collection
from itertools import pairwise

from firmware_host.players.heuristic import heuristic
from firmware_host.referee.readings import HERE, Mismatch
from firmware_host.referee.scene import BACK, Ask, Kind, Phase
from firmware_host.rules.actions import FUGITIVES, START, PawnMove
from firmware_host.simulator.actors.corrections import Corrections, PromptAnswers, true_keys
from firmware_host.simulator.simulated_table import SimulatedTable

LOOK = 0.1
"""Seconds between two looks at the table's output."""

OFTEN = 0.35
"""The probability that the hands fidget before a move."""

PAUSE = 9.0
"""The most seconds that several pawns are off the board, or one is out of place."""

SETTLE = 0.4
"""Seconds after which the table knows that a pawn was set down."""

KEYS = 0.3
"""The probability of pressing an offered key while waiting."""

CANCEL = 0.5
"""The probability of making and cancelling a move before the real one."""

THOUGHT = 3.0
"""The most seconds that one pawn is lifted while all others stand: after more, the table suspects its switch."""

CLEAR = 20.0
"""Millimetres from a station at which its switch does not sense a pawn."""


class Accused(Exception):
    """The table has reported a good switch as broken or suspect."""


class Onlooker:
    """A check that the table suspects no good switch. Call `look` from the table's `pace`.

    Args:
        simulated: the table.
    """

    def __init__(self, simulated: SimulatedTable) -> None:
        self._simulated = simulated
        self._next = 0.0
        self._mr_x_pawns: deque[set[int | None]] = deque(
            maxlen=round(0.5 / LOOK)
        )  # where his pawns stood at the last looks

    def look(self) -> None:
        """Check the table's scene, at most once in `LOOK` seconds.

        Raises:
            Accused: a device is degraded, a switch is ignored, or the table asks whether one is broken.
        """
        hardware = self._simulated.hardware
        if hardware.clock.now() < self._next:
            return
        self._next = hardware.clock.now() + LOOK
        scene = self._simulated.table.scene()
        if scene.ailing or scene.ignored:
            raise Accused(f"{ {name: str(health) for name, health in scene.ailing.items()} }, ignored {scene.ignored}")
        view, where = scene.view, hardware.where()
        self._mr_x_pawns.append({where.get(pawn) for pawn in FUGITIVES})
        held = 0 if view is None else sum(where.get(pawn) != view.pawns.get(pawn) for pawn in view.order)
        lost = held > 1 and any(move.ticket == HERE for move in scene.asked)
        if lost or self._blames(scene.ask):
            raise Accused(f"{self._simulated.prompt_text} (pawns: {where})")

    def _blames(self, ask: Ask) -> bool:
        """Return whether the table asks if a good switch is broken.

        A question about a station where one of Mister X's pawns stood within the last half second does not count.
        """
        his = set[int | None]().union(*self._mr_x_pawns)  # nobody removes them before the table asks
        asked = (ask,) if ask.besides is None else (ask, ask.besides)
        return ask.kind is Kind.SWITCH or any(one.kind is Kind.EMPTY and one.station not in his for one in asked)


class RestlessHands:
    """Two restless hands, which play with pawns between moves.

    Args:
        simulated: the table.
        rng: the rng for the hands' gestures and speed.
        gestures: counts the gestures of each kind.

    Attributes:
        placed: each pawn and station on which the hands have set it. A key may confirm such a place as a move.
    """

    def __init__(self, simulated: SimulatedTable, rng: random.Random, gestures: Counter[str]) -> None:
        self.placed: set[tuple[str, int]] = set()
        self._simulated = simulated
        self._hardware = simulated.hardware
        self._rng = rng
        self._gestures = gestures
        self._answers = PromptAnswers(simulated, Corrections(simulated, rng, gestures))

    def fidget(self) -> None:
        """Perhaps cancel a move, then play with pawns. Do nothing while starts are chosen."""
        view, done = self._simulated.public, self._simulated.actions
        starting = any(isinstance(move, PawnMove) and move.ticket == START for move in (*view.moves, *done[-1:]))
        if starting or not self._plays:
            return
        if self._rng.random() < CANCEL:
            self._cancel()
        if self._rng.random() >= OFTEN or not self._plays:
            return
        acts: list[Callable[[], None]] = [
            self._tap, self._clear, self._sweep, self._pile_up, self._hold_two, self._astray, self._wander,
            self._juggle,
        ]  # fmt: skip
        acts += [self._take_back] * 2
        for act in self._rng.sample(acts, self._rng.randint(1, 2)):
            if self._hardware.stations() and self._plays:
                self._gestures[act.__name__.strip("_").replace("_", " ")] += 1
                act()
                self._wait(0.0, 1.5)

    @property
    def _plays(self) -> bool:
        return self._simulated.public.outcome is None and self._simulated.table.scene().phase is Phase.PLAY

    # ---- gestures ----

    def _tap(self) -> None:
        """Lift a pawn and put it back up to twelve times, each time within 0.1 to 0.5 s."""
        pawn, at = self._any()
        for _ in range(self._rng.randint(1, 12)):
            self._hardware.lift(at, pawn)
            self._wait(0.05, 0.25)
            self._hardware.put(at, pawn)
            self._wait(0.05, 0.25)

    def _clear(self) -> None:
        """Take all pawns off the board, one or two at a time, and set them up again after a while."""
        self._off_and_on(self._shuffled())

    def _hold_two(self) -> None:
        self._off_and_on(self._shuffled()[:2], together=2)

    def _pile_up(self) -> None:
        """Take some pawns off and put them together on stations where they do not belong."""
        some = self._shuffled()[: self._rng.randint(2, 4)]
        self._off(some, 1)
        heap = self._nowhere()[: len(some)]
        for (pawn, _), at in zip(some, heap, strict=False):
            self._put(pawn, at)
            self._wait(0.0, 0.4)
        self._pause(some)
        for pawn, _ in some:
            if pawn in self._hardware.points():
                self._hardware.pick_up(pawn)
            self._wait(0.0, 0.3)
        self._on(some, 1)

    def _astray(self) -> None:
        """Put a pawn on the bare board or on a wrong station, and return it after a while."""
        pawn, at = self._any()
        wrong = self._nowhere()[0]
        (x, y), (to_x, to_y) = self._hardware.places[at], self._hardware.places[wrong]
        self._hardware.lift(at, pawn)
        self._wait(0.1, 0.5)
        if self._rng.random() < 0.5 or not self._is_clear(((x + to_x) / 2, (y + to_y) / 2), self._meant()):
            self._put(pawn, wrong)
            self._simulated.advance(1000 * SETTLE)
            self._wait(0.0, (PAUSE if self._is_out_of_place(wrong) else THOUGHT) - SETTLE)
        else:
            self._hardware.put_between(at, wrong, pawn, 0.5)
            self._wait(0.0, THOUGHT / 2)
        self._hardware.pick_up(pawn)
        self._wait(0.1, 0.5)
        self._hardware.put(at, pawn)

    def _wander(self) -> None:
        """Slide a pawn over nearby stations and back without a stop."""
        pawn, at = self._any()
        near = sorted(
            self._hardware.places, key=lambda n: math.dist(self._hardware.places[n], self._hardware.places[at])
        )[1:8]
        taken = set(self._hardware.stations().values())
        stops = [n for n in near if n not in taken]
        path = [at, *self._rng.sample(stops, min(len(stops), self._rng.randint(1, 4))), at]
        places = self._hardware.places
        length = sum(math.dist(places[a], places[b]) for a, b in pairwise(path))
        if length:
            self._hardware.slide(path, 1000 * length / self._rng.uniform(150, 500), pawn)

    def _sweep(self) -> None:
        """Sweep up to three pawns over the board at the same speed, as a sleeve might."""
        some = self._shuffled()[: self._rng.randint(1, 3)]
        angle, far, speed = (self._rng.uniform(*span) for span in ((0, math.tau), (40, 200), (150, 600)))
        ms = 1000 * far / speed
        for pawn, at in some:
            x, y = self._hardware.places[at]
            self._hardware.pull(pawn, (x + far * math.cos(angle), y + far * math.sin(angle)), ms)
        self._simulated.advance(ms)
        for pawn, _ in some:
            self._hardware.pick_up(pawn)
        self._pause(some)
        self._on(some, self._rng.randint(1, 2))

    def _juggle(self) -> None:
        """Pick up a pawn with one hand while the other sets a pawn down, several times."""
        some = self._shuffled()[:2]
        if len(some) < 2:
            return
        (one, here), (other, there) = some
        self._hardware.lift(here, one)
        for _ in range(self._rng.randint(1, 5)):
            self._wait(0.2, 0.5)
            self._hardware.put(here, one)
            self._hardware.lift(there, other)
            self._wait(0.2, 0.5)
            self._hardware.lift(here, one)
            self._hardware.put(there, other)
        self._hardware.put(here, one)

    def _take_back(self) -> None:
        """Make the same move and undo it, up to ten times."""
        simulated, view, game = self._simulated, self._simulated.public, self._simulated.table.game
        standing = self._hardware.stations()
        first = next((move for move in view.moves if move.pawn in standing), None)
        if game is None or first is None or standing[first.pawn] != view.pawns.get(first.pawn):
            return
        move, home = heuristic.alternative_move(game, first, ()), standing[first.pawn]
        before = len(simulated.actions)
        if move is None or simulated.table.scene().asked:
            return
        for _ in range(self._rng.randint(1, 10)):
            for to in (move.to, home):
                self._carry(move.pawn, to)
                self._until(move, before + (to != home), back=to == home)

    def _cancel(self) -> None:
        """Make any move, and cancel it by BACK, by Undo, or by carrying the pawn on.

        In the end the pawn is at home, or on its new station if the table has accepted the move.
        """
        view, standing = self._simulated.public, self._hardware.stations()
        moves = [move for move in view.moves if standing.get(move.pawn) == view.pawns.get(move.pawn) != move.to]
        if not moves:
            return
        first = self._rng.choice(moves)
        before, home = len(self._simulated.actions), standing[first.pawn]
        theirs = [move.to for move in moves if move.pawn == first.pawn]
        for to in (first.to, *self._rng.choices([first.to, *theirs], k=self._rng.randint(0, 2))):
            if len(self._simulated.actions) != before or not self._plays:
                break
            self._carry(first.pawn, to)
            self._wait(0.0, self._rng.choice((0.3, 0.7, 9.0)))
            asked = self._simulated.table.scene().asked
            if self._simulated.table.referee.state.shown_moves and self._rng.random() < 0.5:
                self._gestures["cancelled by undo"] += 1
                self._simulated.take_back()
            elif asked and asked[0] in moves:
                self._gestures["cancelled by key"] += 1
                self._hardware.press(BACK)
            self._wait(0.0, self._rng.choice((0.7, 9.0)))
        stands = len(self._simulated.actions) != before and self._simulated.table.referee.state.before is None
        self._carry(first.pawn, self._simulated.public.pawns[first.pawn] if stands else home)
        self._until(first, before, back=True)

    def _put(self, pawn: str, to: int) -> None:
        self.placed.add((pawn, to))
        self._hardware.put(to, pawn)

    def _carry(self, pawn: str, to: int) -> None:
        if pawn in self._hardware.points():
            self._hardware.pick_up(pawn)
        self._wait(0.1, 0.4)
        self._put(pawn, to)

    def _until(self, move: PawnMove, accepted: int, *, back: bool) -> None:
        """Answer the table's questions until `accepted` actions are accepted, for up to four seconds."""
        for _ in range(40):
            if len(self._simulated.actions) == accepted or not self._plays:
                return
            scene, home = self._simulated.table.scene(), self._simulated.public.pawns[move.pawn]
            if scene.wrong and self._hardware.where().get(move.pawn) != home:  # a move confirmed by key stays
                self._carry(move.pawn, home)
            if back:
                self._answers.confirm_back()
            else:
                self._answers.confirm_move(move)
            self._simulated.advance(100)

    # ---- tools ----

    def _any(self) -> tuple[str, int]:
        return self._rng.choice(sorted(self._hardware.stations().items()))

    def _shuffled(self) -> list[tuple[str, int]]:
        pawns = sorted(self._hardware.stations().items())
        self._rng.shuffle(pawns)
        return pawns

    def _nowhere(self) -> list[int]:
        """Return the stations to which no pawn is likely to move now, in random order."""
        meant, stations = self._meant(), self._simulated.public.network.stations
        places = {n: place for n, place in self._hardware.places.items() if n in stations}
        clear = [n for n, place in places.items() if self._is_clear(place, meant)]
        self._rng.shuffle(clear)
        return clear or sorted(set(places) - meant) or [next(iter(places))]

    def _is_out_of_place(self, station: int) -> bool:
        """Return whether the table senses a pawn at a station where none belongs, while another pawn is missing."""
        reading = self._simulated.table.scene().reading
        return isinstance(reading, Mismatch) and bool(reading.missing) and station in reading.extra

    def _meant(self) -> set[int]:
        """Return the stations where pawns are, were before the last move, or may go."""
        view, game = self._simulated.public, self._simulated.table.game
        before = game.before if game is not None else None
        meant = {move.to for move in (*view.moves, *view.open_moves)} | {*view.stale, *view.pawns.values()}
        meant |= set() if before is None else {*before.pawns.values()}
        return meant | set(self._hardware.stations().values())

    def _is_clear(self, point: tuple[float, float], meant: set[int]) -> bool:
        """Return whether a pawn set down at a point (mm) would close no switch of these stations."""
        places = self._hardware.places
        return all(math.dist(point, places[n]) > CLEAR for n in meant if n in places)

    def _off_and_on(self, some: list[tuple[str, int]], together: int = 0) -> None:
        self._off(some, together or self._rng.randint(1, 2))
        self._pause(some)
        self._rng.shuffle(some)
        self._on(some, together or self._rng.randint(1, 2))

    def _pause(self, pawns: Collection[tuple[str, int]]) -> None:
        left = set(self._hardware.stations().values())  # if two share a station, lifting one is not noticed
        missed = {at for pawn, at in pawns if pawn in self._simulated.public.order and at not in left}
        self._wait(0.0, PAUSE if len(missed) > 1 else THOUGHT)

    def _off(self, some: Collection[tuple[str, int]], together: int) -> None:
        for number, (pawn, at) in enumerate(some, 1):
            self._hardware.lift(at, pawn)
            if not number % together:
                self._wait(0.05, 0.5)

    def _on(self, some: Collection[tuple[str, int]], together: int) -> None:
        for number, (pawn, at) in enumerate(some, 1):
            self._hardware.put(at, pawn)
            if not number % together:
                self._wait(0.05, 0.7)

    def _wait(self, least: float, most: float) -> None:
        """Let time pass, and sometimes press a key that makes no false statement and takes no action of its own."""
        self._simulated.advance(1000 * self._rng.uniform(least, most))
        scene, actions = self._simulated.table.scene(), self._simulated.public.extras  # BACK may roll the dice again
        if scene.ask.kind is Kind.ROLL:  # CONFIRM would roll
            return
        keys = [key for key in true_keys(scene, self._hardware.where()) if key not in actions]
        if keys and self._rng.random() < KEYS:
            self._gestures["key at random"] += 1
            self._hardware.press(self._rng.choice(keys))
