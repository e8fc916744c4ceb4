"""Simulated players: they see what the table shows, mean a move, and carry it out with hands on the simulated board.

What they mean is known, so a game can be compared move by move with what their hands meant.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable

from firmware_host.parlour.room import Parlour
from firmware_host.prompts import BACK, CONFIRM
from firmware_host.rules.actions import FUGITIVES, MR_X, STAY, Action, MrXMove, PawnMove, Roll, RollAgain
from firmware_host.rules.game import Game
from firmware_host.rules.views import Dice
from firmware_host.scene import RETURN, InHand, Mismatch, Phase, Returned, Settled
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
            if pawn in view.pawns and self.parlour.table.where().get(pawn) is None:
                self._hands.place(pawn, view.pawns[pawn])
        if view.layout:
            self._wait(0.5, 1.0)
            self.parlour.table.press(CONFIRM)  # the tiles lie as the table says
        self._until(lambda: self.parlour.daemon.scene().phase is Phase.PLAY, "the set-up")

    def play(self, action: Action | None = None) -> Action:
        """Do what is to be done now: roll, or make one move: the one given, or one of the players' own choice.

        Raises:
            WrongMove: the table accepted something else.
            Stuck: the table did not accept it.
        """
        self._wait(*self._think)
        self._mind_mr_x()
        self._until(lambda: not isinstance(self.parlour.daemon.scene().reading, Mismatch), "the board, to be put right")
        view = self.parlour.public
        if view.dice is not None and view.dice.to_roll:
            meant: Action = self._roll(view.dice)
        else:
            meant = action or (self._mr_x_choice() if view.his_turn else self._choice())
            self._do(meant)
        self.meant.append(meant)
        self._check()
        return meant

    def _do(self, meant: Action) -> None:
        """Carry out what is meant, on the board, by a table key or on the handset."""
        if isinstance(meant, PawnMove):
            self._move(meant)
        elif isinstance(meant, RollAgain):
            self.gestures["roll again"] += 1
            self._press_until_accepted(BACK)
        elif isinstance(meant, MrXMove) and self._in_the_open(meant) and self._chance.random() < 0.5:
            self._move(PawnMove(MR_X, meant.to.value, meant.ticket))
        else:
            self.gestures["handset"] += 1
            self.parlour.choose(meant)

    def _choice(self) -> Action:
        """Any of the detectives' moves; now and then they roll again instead."""
        view = self.parlour.public
        extras = list(view.extras.values())
        if extras and self._chance.random() < 0.15:
            return self._chance.choice(extras)
        return self._chance.choice(view.moves)

    def _roll(self, dice: Dice) -> Roll:
        """Have the dice rolled, or roll them and enter the faces; what came of it is what was meant."""
        before = len(self.meant)
        self.gestures["roll"] += 1
        if not dice.by_hand:
            self._press_until_accepted(CONFIRM)
        else:
            faces = [self._chance.choice(dice.faces) for _ in range(dice.to_roll)]
            for face in faces:
                self.parlour.table.press(CONFIRM if face == "x" else f"table.{face}")
                self._wait(0.1, 0.3)
            self._press_until_accepted(CONFIRM)
        rolled = self._actions[before]
        if not isinstance(rolled, Roll) or (dice.by_hand and rolled.faces != tuple(faces)):
            raise WrongMove(f"move {before + 1}: dice were rolled, but the table holds {rolled}")
        return rolled

    def _press_until_accepted(self, key: str) -> None:
        before = len(self.meant)
        self._wait(0.4, 0.6)
        self.parlour.table.press(key)
        self._until(lambda: len(self._actions) > before, f"{key} to be taken")

    def _in_the_open(self, move: MrXMove) -> bool:
        """Whether Mister X's pawn stands on the board and can make this move there (BE-05)."""
        view = self.parlour.public
        stands = self.parlour.table.where().get(MR_X) == view.pawns.get(MR_X, 0)
        stands = stands and MR_X not in self.parlour.daemon.scene().set_down  # and is felt there
        return stands and any((m.to, m.ticket) == (move.to.value, move.ticket) for m in view.open_moves)

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
        start = self.parlour.public.pawns.get(move.pawn)
        before = len(self.meant)
        what = f"{move.pawn} from {start} to {move.to} by {move.ticket}"
        if start is None:
            self.gestures["place"] += 1
            self._hands.place(move.pawn, move.to)
        elif move.ticket == STAY:
            self.gestures["stay"] += 1
        else:
            gesture = self._gesture(move, start)
            self.gestures[gesture.__name__.strip("_")] += 1
            gesture(move.pawn, start, move.to)
        self._until(lambda: self._accepted(before, move), what)

    def _gesture(self, move: PawnMove, start: int) -> Callable[[str, int, int], None]:
        """How a pawn is moved; what would *be* another legal move is left to `_change_mind`."""
        hands = self._hands
        if not self._rough or self._chance.random() < 0.4:
            return hands.move
        view = self.parlour.public
        legal = {other.to for other in (*view.moves, *view.open_moves)}
        gestures = [hands.slide, hands.bounce, hands.bump, hands.two_lifted, self._wrong_then_right]
        if not legal & set(self.parlour.table.between(start, move.to)):
            gestures.append(hands.half_way)
        if self._other_way(move) is not None:
            gestures.append(self._change_mind)
        return self._chance.choice(gestures)

    def _wrong_then_right(self, pawn: str, start: int, to: int) -> None:
        """On a station that is no legal one, and then on the right one."""
        view = self.parlour.public
        legal = {move.to for move in (*view.moves, *view.open_moves)}
        taken = set(self.parlour.table.where().values())
        wrong = [s for s in self.parlour.table.places if s not in legal and s not in taken and s != to]
        self._hands.wrong_then_right(pawn, start, to, self._chance.choice(wrong))

    def _other_way(self, move: PawnMove) -> PawnMove | None:
        """Another legal move that could be made and taken back: felt by a switch, one ticket, and not the end."""
        game, view = self.parlour.daemon.game, self.parlour.public
        if game is None:
            return None
        taken = {move.to, *view.stale, *view.pawns.values()}
        shared = sum(at == view.pawns[move.pawn] for at in view.pawns.values()) > 1
        others = [m for m in view.moves if m.pawn == move.pawn and m.to not in taken and not shared]
        for other in others:
            if sum(m.to == other.to for m in others) == 1:
                return other if Game(game.setup, [*game.actions, other]).returnable else None
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
            self.parlour.table.press(CONFIRM if len(scene.asked) == 1 else f"table.{move.ticket}")
        elif scene.asked and BACK in scene.prompt.keys:
            self.parlour.table.press(BACK)
        elif isinstance(scene.reading, Settled) and move in scene.reading.silent:
            self.parlour.table.press(CONFIRM)
        return False

    def _taken_back(self, before: int) -> bool:
        """Whether the table has taken a move back; if it asks, answer."""
        scene = self.parlour.daemon.scene()
        if isinstance(scene.reading, Returned) and scene.reading.doubtful:
            self.parlour.table.press(CONFIRM)
        elif scene.asked:
            self.parlour.table.press(CONFIRM if scene.asked[0].ticket == RETURN else BACK)
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
        for figure in FUGITIVES:
            standing = table.where().get(figure)
            if standing in extra and standing is not None:  # left over from where he showed himself before
                table.lift(standing, figure)
                self._wait(0.4, 0.6)
        view = self.parlour.public
        where = {pawn: at for pawn, at in table.where().items() if at is not None}
        if not view.open_moves:  # his pawn, where he is no more, is not set down again
            where = {pawn: at for pawn, at in where.items() if pawn not in FUGITIVES or at == view.pawns.get(pawn)}
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
        """Set Mister X's own pawns down or take them off, as the table asks; rough hands forget it half the time."""
        scene, table = self.parlour.daemon.scene(), self.parlour.table
        if self._rough and self._chance.random() < 0.5:
            return
        for figure in self.parlour.public.fugitives:
            standing, wanted = table.where().get(figure), scene.set_down.get(figure)
            if wanted is not None and standing != wanted:
                if standing is not None:
                    table.lift(standing, figure)
                self._hands.place(figure, wanted)
                self._wait(0.4, 0.6)
            elif standing is not None and standing in scene.take_off:
                table.lift(standing, figure)
                self._wait(0.4, 0.6)

    def _wait(self, least: float, most: float) -> None:
        self.parlour.advance(1000 * self._chance.uniform(least, most))
