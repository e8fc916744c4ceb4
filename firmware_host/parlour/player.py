"""Simulated players: they see what the table shows, mean a move, and carry it out with hands on the simulated board.

What they mean is known, so a game can be compared move by move with what their hands meant.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable

from firmware_host.parlour.room import Parlour
from firmware_host.rules.actions import MR_X, Action, MrXMove, PawnMove
from firmware_host.rules.game import Game
from firmware_host.scene import InHand, Mismatch, Phase, Returned, Settled
from hardware.sim import Hands

PATIENCE = 60.0
"""Seconds of table time after which a move that was not accepted means that the table is stuck."""


class PlayerError(Exception):
    """The table did not do what the hands meant."""


class WrongMove(PlayerError, ValueError):
    """A move was accepted that nobody meant."""


class Stuck(PlayerError, RuntimeError):
    """A move that was carried out is not accepted, however long one waits."""


class Players:
    """All the players of one game.

    Args:
        parlour: the table they sit at; a game must have begun.
        chance: what they mean, and how steady their hands are.
        rough: whether they slide, bounce, bump, hesitate and change their minds.
        think: seconds of thought before a move, least and most.
    """

    def __init__(
        self,
        parlour: Parlour,
        chance: random.Random,
        *,
        rough: bool = False,
        think: tuple[float, float] = (0.2, 0.6),
    ) -> None:
        self.parlour = parlour
        self.meant: list[Action] = []
        self.gestures: Counter[str] = Counter()
        self._chance = chance
        self._rough = rough
        self._think = think
        self._hands = Hands(parlour.table, chance)

    # ---- a game ----

    def set_up(self) -> None:
        """Set the pawns out on their stations, as the lamps ask.

        Raises:
            Stuck: the table is not content with it.
        """
        view, where = self.parlour.public, self.parlour.table.where()
        for pawn, station in where.items():
            if station is not None and station != view.pawns.get(pawn):
                self.parlour.table.lift(station, pawn)
        for pawn in view.order:
            if self.parlour.table.where().get(pawn) is None:
                self._hands.place(pawn, view.pawns[pawn])
        self._until(lambda: self.parlour.daemon.scene().phase is Phase.PLAY, "the set-up")

    def play(self, action: Action | None = None) -> Action:
        """Make one move: the one given, or one of the players' own choice.

        Raises:
            WrongMove: the table accepted something else.
            Stuck: the table did not accept it.
        """
        self._wait(*self._think)
        self._mind_mr_x()
        self._until(lambda: not isinstance(self.parlour.daemon.scene().reading, Mismatch), "the board, to be put right")
        if self.parlour.public.turn == (MR_X,):
            meant = action or self._mr_x_choice()
            self.gestures["handset"] += 1
            self.parlour.choose(meant)
        else:
            meant = action or self._chance.choice(self.parlour.public.moves)
            if isinstance(meant, PawnMove):
                self._move(meant)
        self.meant.append(meant)
        self._check()
        return meant

    @property
    def _actions(self) -> list[Action]:
        """All that the table has accepted."""
        game = self.parlour.daemon.game
        return [] if game is None else game.actions

    def _mr_x_choice(self) -> Action:
        """Any move of his; what he may announce now and then only, or his cards would be spent at once."""
        choices = self.parlour.private.choices.value
        moves = [action for action in choices if isinstance(action, MrXMove)]
        if not moves or self._chance.random() < 0.1:
            return self._chance.choice([action for action in choices if not isinstance(action, MrXMove)] or moves)
        plain = [move for move in moves if move.ticket != "black"]
        return self._chance.choice(plain if plain and self._chance.random() < 0.8 else moves)

    def _check(self) -> None:
        done = self._actions
        if done != self.meant:
            last = done[-1] if done else None
            raise WrongMove(f"move {len(self.meant)}: meant {self.meant[-1]}, but the table holds {last}")

    # ---- a detective's move ----

    def _move(self, move: PawnMove) -> None:
        start = self.parlour.public.pawns[move.pawn]
        before = len(self.meant)
        gesture = self._gesture(move, start)
        self.gestures[gesture.__name__.strip("_")] += 1
        gesture(move.pawn, start, move.to)
        self._until(lambda: self._accepted(before, move), f"{move.pawn} from {start} to {move.to} by {move.ticket}")

    def _gesture(self, move: PawnMove, start: int) -> Callable[[str, int, int], None]:
        """How a pawn is moved; what would *be* another legal move is left to `_change_mind`."""
        hands = self._hands
        if not self._rough or self._chance.random() < 0.4:
            return hands.move
        legal = {other.to for other in self.parlour.public.moves}
        gestures = [hands.slide, hands.bounce, hands.bump, hands.two_lifted, self._wrong_then_right]
        if not legal & set(self.parlour.table.between(start, move.to)):
            gestures.append(hands.half_way)
        if self._other_way(move) is not None:
            gestures.append(self._change_mind)
        return self._chance.choice(gestures)

    def _wrong_then_right(self, pawn: str, start: int, to: int) -> None:
        """On a station that is no legal one, and then on the right one."""
        legal = {move.to for move in self.parlour.public.moves}
        taken = set(self.parlour.table.where().values())
        wrong = [s for s in self.parlour.table.places if s not in legal and s not in taken and s != to]
        self._hands.wrong_then_right(pawn, start, to, self._chance.choice(wrong))

    def _other_way(self, move: PawnMove) -> PawnMove | None:
        """Another legal move that could be made and taken back: felt by a switch, one ticket, and not the end."""
        game, view = self.parlour.daemon.game, self.parlour.public
        if game is None:
            return None
        taken = (move.to, view.pawns.get(MR_X), view.stale)
        others = [m for m in view.moves if m.pawn == move.pawn and m.to not in taken]
        for other in others:
            if sum(m.to == other.to for m in others) == 1:
                then = Game(game.setup, [*game.actions, other])
                return other if then.public.outcome is None else None
        return None

    def _change_mind(self, pawn: str, start: int, to: int) -> None:
        """Another legal move, waited for until it is accepted, taken back by putting the pawn back; then the move."""
        game = self.parlour.daemon.game
        move = next(m for m in self.parlour.public.moves if (m.pawn, m.to) == (pawn, to))
        other = self._other_way(move)
        if other is None or game is None:
            return
        before = len(game.actions)
        self._hands.move(pawn, start, other.to)
        self._until(lambda: self._accepted(before, other), f"{pawn} from {start} to {other.to}, to be taken back")
        self._hands.move(pawn, other.to, start)
        self._until(lambda: self._taken_back(before), f"{pawn} back from {other.to} to {start}")
        self._hands.move(pawn, start, to)

    def _accepted(self, before: int, move: PawnMove) -> bool:
        """Whether the table has accepted a move; if it asks, answer."""
        if len(self._actions) > before:
            return True
        scene = self.parlour.daemon.scene()
        if move in scene.asked:
            key = "table.confirm" if len(scene.asked) == 1 else f"table.{move.ticket}"
            self.parlour.table.press(key)
        elif isinstance(scene.reading, InHand) and move in scene.reading.silent:
            self.parlour.table.press("table.back")
        return False

    def _taken_back(self, before: int) -> bool:
        """Whether the table has taken a move back; if it asks, answer."""
        reading = self.parlour.daemon.scene().reading
        if isinstance(reading, Returned) and reading.doubtful:
            self.parlour.table.press("table.confirm")
        return len(self._actions) == before

    # ---- patience ----

    def _until(self, done: Callable[[], bool], what: str) -> None:
        """Let time go by until something is so; put right what the table complains of meanwhile."""
        clock = self.parlour.table.clock
        end = clock.now() + PATIENCE
        while not done():
            if clock.now() >= end:
                raise Stuck(f"move {len(self.meant) + 1}: {what}: {self.parlour.daemon.scene().prompt.text}")
            self.parlour.advance(100)
            scene = self.parlour.daemon.scene()
            if isinstance(scene.reading, Mismatch) and scene.wrong:
                self._put_right(scene.reading.extra)
            elif isinstance(scene.reading, InHand | Settled) and not done():
                self._put_right(frozenset())

    def _put_right(self, extra: frozenset[int]) -> None:
        """Set down anew every pawn that no lamp answers to, and the nearest where too much is felt."""
        table, felt = self.parlour.table, self.parlour.daemon.referee.felt
        standing = table.where().get(MR_X)
        if standing in extra and standing is not None:  # left over from where he showed himself before
            table.lift(standing, MR_X)
            self._wait(0.4, 0.6)
        where = {pawn: at for pawn, at in table.where().items() if at is not None}
        pawns = {pawn for pawn, at in where.items() if at not in felt}
        for station in extra - set(where.values()):
            pawns.add(min(where, key=lambda pawn: math.dist(table.places[where[pawn]], table.places[station])))
        for pawn in sorted(pawns):
            self.gestures["set down anew"] += 1
            table.lift(where[pawn], pawn)
            self._wait(0.2, 0.4)
            table.put(where[pawn], pawn)
            self._wait(0.4, 0.6)

    def _mind_mr_x(self) -> None:
        """Set Mister X's own pawn down or take it off, as the table asks; rough hands forget it half the time."""
        scene, table = self.parlour.daemon.scene(), self.parlour.table
        if self._rough and self._chance.random() < 0.5:
            return
        standing = table.where().get(MR_X)
        if scene.set_down is not None and standing != scene.set_down:
            if standing is not None:
                table.lift(standing, MR_X)
            self._hands.place(MR_X, scene.set_down)
            self._wait(0.4, 0.6)
        elif scene.take_off is not None and standing == scene.take_off:
            table.lift(standing, MR_X)
            self._wait(0.4, 0.6)

    def _wait(self, least: float, most: float) -> None:
        self.parlour.advance(1000 * self._chance.uniform(least, most))
