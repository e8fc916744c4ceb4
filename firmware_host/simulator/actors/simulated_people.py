"""Simulate players: they read what the table shows, choose a move, and make it on the simulated board.

Their intended moves are known, so a game can be checked move by move.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection

from firmware_host.players.heuristic import heuristic
from firmware_host.referee.readings import RETURN, Ambiguous, InHand, Mismatch, Moved, Returned, Settled
from firmware_host.referee.referee import NotNow
from firmware_host.referee.scene import BACK, CONFIRM, Kind, Phase, Scene, computer_pawns, without_computer_moves
from firmware_host.rules.actions import MR_X, START, STAY, Action, MrXMove, PawnMove, Roll, RollAgain
from firmware_host.rules.errors import RulesError
from firmware_host.rules.game import Game
from firmware_host.rules.views import ToRoll
from firmware_host.simulator.actors.corrections import Corrections, PawnGestures, PromptAnswers, paused
from firmware_host.simulator.actors.fault_injection import FaultInjection, on_board
from firmware_host.simulator.simulated_table import SimulatedTable
from firmware_host.ui.handset_menu import MenuError
from hardware.sim import Hands

PATIENCE = 120.0
"""Seconds of table time after the latest change of a fault until an unaccepted move counts as stuck."""

TRIES = 10
"""The most attempts at a move that the table takes for another one."""


class SimulatedPersonError(Exception):
    """The error that the table did not do what the simulated people intended."""


class WrongMove(SimulatedPersonError, ValueError):
    """The error that the table accepted a move that no simulated person intended."""


class Stuck(SimulatedPersonError, RuntimeError):
    """The error that the table did not accept a move within the time that simulated people wait."""


class SimulatedPeople:
    """Simulated people who play all seats of one game.

    Args:
        simulated: the table; a game must have begun.
        rng: the random number generator for choices and movements.
        rough: whether people are clumsy: slide and bounce pawns, bump the table, and change their minds.
        think: least and most seconds of thought before a move.
        mishaps: the faults that happen at the table.

    Attributes:
        simulated: the table.
        meant: all intended actions, in the order in which the table has to accept them.
        gestures: a counter of gestures.
    """

    def __init__(
        self,
        simulated: SimulatedTable,
        rng: random.Random,
        *,
        rough: bool = False,
        think: tuple[float, float] = (0.2, 0.6),
        mishaps: FaultInjection | None = None,
    ) -> None:
        self.simulated = simulated
        self.meant: list[Action] = []
        self.gestures: Counter[str] = Counter()
        self._rng, self._rough, self._think = rng, rough, think
        self._mishaps = mishaps or FaultInjection(simulated, rng)
        self._hardware, self._hands = simulated.hardware, Hands(simulated.hardware, rng)
        self._gestures = PawnGestures(simulated, self._hands, rng, rough=rough)
        self._corrections = Corrections(simulated, rng, self.gestures)
        self._answers = PromptAnswers(simulated, self._corrections)
        self._impatient = False
        self._instead: Action | None = None  # an action that broken switches did not let them undo

    # ---- a game ----

    def set_up(self) -> None:
        """Set the pawns on the stations that the lamps show.

        Raises:
            Stuck: the table does not accept the setup.
        """
        self.simulated.set_out(self._hands.place)
        if self.simulated.public.layout:
            self._wait(0.5, 1.0)
            self._hardware.press(CONFIRM)  # the tiles are laid as the table says
        # On a small map Mister X may have no move from his start, which ends the game.
        self._until(lambda: self._scene.phase in (Phase.PLAY, Phase.OVER), "the set-up")

    def play(self, action: Action | None = None) -> Action:
        """Roll the dice or make one move: the given one, or one that the simulated players choose.

        If a computer is to move, make its move on the board instead. Return the last intended action.

        Raises:
            WrongMove: the table accepted another move.
            Stuck: the table did not accept the move.
        """
        self._wait(*self._think)
        self._be_ready()
        if not self._rough or self._rng.random() >= 0.5:  # rough hands forget it half the time
            self._corrections.set_mr_x()
        self._be_ready()
        view, before = self.simulated.public, len(self.meant)
        if view.outcome is not None:  # a broken switch has ended the game
            return self.meant[-1]
        if self._scene.phase is Phase.CARRY_OUT or self._scene.ask.kind is Kind.THINKS:
            self._move_for_computer(before)
        elif view.to_roll is not None:
            self.meant.append(self._roll(view.to_roll))
        else:
            meant = action or self._whim()
            for _ in range(TRIES):
                self._instead = None
                self._do(meant)
                self._agree(self._instead or meant)
                if len(self.meant) != before:  # otherwise an earlier move, made again, was undone again
                    return (self.meant or [meant])[-1]
            raise Stuck(f"move {before + 1}: {meant}: the table took it for another move {TRIES} times")
        return self.meant[-1]

    def adopt(self, placed: Collection[tuple[str, int]]) -> None:
        """Treat the actions that random key presses have caused as intended.

        Args:
            placed: pairs of a pawn and a station on which hands have set it meanwhile.

        Raises:
            WrongMove: a pawn has moved to a station where nobody has set it.
        """
        for action in self.simulated.actions[len(self.meant) :]:
            if isinstance(action, PawnMove) and (action.pawn, action.to) not in placed and action.ticket != STAY:
                raise WrongMove(f"move {len(self.meant) + 1}: nobody has put {action.pawn} on {action.to}")
        self.meant = list(self.simulated.actions)

    def _move_for_computer(self, before: int) -> None:
        """Wait for a computer's action, and move its pawn on the board."""
        if self._scene.phase is not Phase.CARRY_OUT:
            self._until(lambda: len(self.simulated.actions) != before, "a computer's move")
            self._agree()
        todo = self._scene.to_carry_out
        if todo is None:
            return
        self.gestures["moved for a computer"] += 1
        self._wait(*self._think)
        move, start = todo.move, self._hardware.where().get(todo.move.pawn)
        if start is None:
            self._gestures.bring(move)
        elif start != move.to:
            self._gestures.choose(move, start, self._change_mind)(move.pawn, start, move.to)
        self._until(lambda: self._scene.phase is not Phase.CARRY_OUT, f"{move.pawn} to be on {move.to}", move)

    def _be_ready(self) -> None:
        """Wait until the table waits for a move. Make the corrections that it requests meanwhile."""
        ready = False
        while not ready:  # repeating a move takes a while, and the power may fail meanwhile
            self._until(self._ready, "the board, to be put right")
            self._agree()
            ready = self._ready()

    def _ready(self) -> bool:
        scene, other = self._scene, len(self.simulated.actions) != len(self.meant)
        going_on = scene.phase in (Phase.PLAY, Phase.OVER) and not paused(scene)
        if (todo := scene.to_carry_out) is not None and self._hardware.where().get(todo.move.pawn) == todo.origin:
            return True
        return other or (going_on and not isinstance(scene.reading, Mismatch))

    def _agree(self, meant: Action | None = None) -> None:
        """Check that the table accepted exactly the intended actions.

        Raises:
            WrongMove: the table has accepted something else, and no broken switch explains it.
        """
        self._note_computers()
        expected = list(self.meant) if meant is None else [*self.meant, meant]
        done = self.simulated.actions
        if done[: len(expected)] == expected:
            self.meant = expected
            self._note_computers()
        held = len(self.meant)
        if done == self.meant:
            return
        if done == self.meant[:-1] and self._mishaps.hidden(self.meant[-1]):
            self._do_again(self.meant.pop())
            return
        lies = [action for action in done[held:] if self._mishaps.invented(action)]
        if done[:held] != self.meant or not lies:
            last, wanted = (some[-1] if some else None for some in (done, expected))
            raise WrongMove(f"move {len(expected)}: intended {wanted}, but the table accepted {last}")
        self._undo_false_moves(lies)

    def _note_computers(self) -> None:
        """Add the latest actions of computer players to `meant`, the list of intended actions."""
        done, setup, seats = self.simulated.actions, self.simulated.setup, self._scene.seats
        while seats and done[: len(self.meant)] == self.meant != done:
            before = Game(setup, self.meant).public
            if not computer_pawns(before, seats).issuperset(before.turn):
                return
            self.meant.append(done[len(self.meant)])

    def _do_again(self, action: Action) -> None:
        """Repeat an action that the table has accepted before.

        While pawns are placed on their starts one after the other, the later ones are taken off first. Otherwise the
        table would mistake one of them for this pawn.
        """
        self.gestures["move repeated"] += 1
        if isinstance(action, PawnMove) and action.ticket == START:
            self._corrections.take_off_unstarted(action.pawn)
        self._do(action)
        self._agree(action)

    def _undo_false_moves(self, lies: list[Action]) -> None:
        """Undo accepted moves that only a broken switch has caused, the last first, as far as possible."""
        lived = "false move kept"
        while len(self.simulated.actions) > len(self.meant):
            done = list(self.simulated.actions)
            game, move = self.simulated.table.game, on_board(done[-1])
            before = None if game is None else game.before
            if before is None or move is None:
                lived = "false move that cannot be undone"
                break
            try:
                self._put_back(move, before.pawns.get(move.pawn), len(done) - 1)
            except Stuck:
                break
            self.gestures["false move undone"] += done[-1] in lies
        for action in self.simulated.actions[len(self.meant) :]:
            self.gestures[lived] += 1
            if (move := on_board(action)) is not None:
                self._gestures.bring(move)  # so that it stands where the table expects it
        self.meant = list(self.simulated.actions)

    def _put_back(self, move: PawnMove, home: int | None, before: int) -> None:
        """Put a pawn back where it came from (perhaps off the board), and wait until its move is undone."""
        back = None if home is None else PawnMove(move.pawn, home, RETURN)
        if back is not None:
            self._gestures.bring(back)
        for pawn, at in self._hardware.where().items():
            if home is None and at == move.to:
                self._hardware.lift(at, pawn)
                self._wait(0.4, 0.6)
        by_key = home is None  # the pawn came from off the board
        self._until(lambda: self._taken_back(before, by_key=by_key), f"{move.pawn} not to be on {move.to}", back)

    def _do(self, meant: Action) -> None:
        """Carry out an action with a pawn, a table key or the handset."""
        if isinstance(meant, PawnMove):
            self._move(meant)
        elif isinstance(meant, RollAgain):
            self.gestures["roll again"] += 1
            self._press_until_accepted(BACK, lambda: BACK in self._scene.ask.keys)
        elif isinstance(meant, MrXMove) and self._gestures.in_the_open(meant) and self._rng.random() < 0.5:
            self._move(PawnMove(MR_X, meant.to.value, meant.ticket), lambda: self._chosen(meant))
        else:
            self.gestures["handset"] += 1
            self._until(lambda: self._chosen(meant), "a choice on the handset")

    def _chosen(self, meant: Action) -> bool:
        """Make Mister X's choice on the handset. Return whether the table has accepted it."""
        if len(self.simulated.actions) == len(self.meant):
            try:
                self.simulated.choose(meant)
            except (NotNow, MenuError, RulesError):
                self._wait(0.3, 0.6)
        return len(self.simulated.actions) != len(self.meant)

    def _whim(self) -> Action:
        """Return a random legal action, for a player who does not try to win."""
        view, rng = self.simulated.public, self._rng
        if view.mr_x_to_move:
            return heuristic.random_mr_x_action(self.simulated.private, rng)
        return heuristic.random_detective_action(without_computer_moves(view, self._scene.seats), rng)

    def _roll(self, dice: ToRoll) -> Roll:
        """Let the table roll the dice, or roll them and enter the faces. Return the faces."""
        before = len(self.meant)
        self.gestures["roll"] += 1
        faces = tuple(self._rng.choice(dice.faces) for _ in range(dice.count)) if dice.by_hand else ()
        self._wait(0.4, 0.6)
        self._until(lambda: self._rolled(before, faces), "the dice, to be rolled")
        rolled = self.simulated.actions[before]
        if not isinstance(rolled, Roll) or (dice.by_hand and rolled.faces != faces):
            raise WrongMove(f"move {before + 1}: dice were rolled, but the table accepted {rolled}")
        return rolled

    def _rolled(self, before: int, faces: tuple[str, ...]) -> bool:
        """Press the next key that a roll of the dice needs. Return whether the dice are rolled."""
        if len(self.simulated.actions) > before:
            return True
        scene = self._scene
        dice, entered = (None, ()) if scene.view is None else (scene.view.to_roll, scene.entered)
        asks = scene.asked or isinstance(scene.reading, Returned)  # another question comes first
        if paused(scene) or asks or dice is None:
            return False
        right = entered == faces[: len(entered)]
        face = next(iter(faces[len(entered) :]), "x")
        self._hardware.press(BACK if not right else CONFIRM if face == "x" else f"table.{face}")
        self._wait(0.1, 0.3)
        return False

    def _press_until_accepted(self, key: str, asked: Callable[[], bool]) -> None:
        """Press a key repeatedly, as long as the table's question is about the intended action."""

        def taken() -> bool:
            if len(self.simulated.actions) <= len(self.meant) and asked():
                self._hardware.press(key)
                self._wait(0.3, 0.5)
            return len(self.simulated.actions) > len(self.meant)

        self._wait(0.4, 0.6)
        self._until(taken, f"{key} to be taken")

    @property
    def _scene(self) -> Scene:
        return self.simulated.table.scene()

    def _move(self, move: PawnMove, otherwise: Callable[[], bool] = lambda: False) -> None:
        """Make a move on the board. If the table does not accept it, try another way after a long wait."""
        start = self._hardware.where().get(move.pawn)
        before, clock = len(self.meant), self._hardware.clock
        what = f"{move.pawn} from {start} to {move.to} by {move.ticket}"
        if start is None or move.ticket == START:
            self.gestures["place"] += 1
            self._gestures.bring(move)
        elif start == move.to:  # it stays, or is already there
            self.gestures["stay"] += 1
        else:
            gesture = self._gestures.choose(move, start, self._change_mind)
            self.gestures[gesture.__name__.strip("_")] += 1
            gesture(move.pawn, start, move.to)
        late = clock.now() + PATIENCE / 4
        self._until(lambda: self._accepted(before, move) or (clock.now() > late and otherwise()), what, move)

    def _change_mind(self, pawn: str, start: int, to: int) -> None:
        """Make another legal move first, undo it once the table has accepted it, then make the intended move."""
        move = next(m for m in self.simulated.public.moves if (m.pawn, m.to) == (pawn, to))
        other, before = self._gestures.other_way(move), len(self.meant)
        if other is None:
            return
        self._hands.move(pawn, start, other.to)
        what = f"{pawn} from {start} to {other.to}, to be taken back"
        self._until(lambda: self._accepted(before, other), what, other)
        if self.simulated.actions[before:] != [other]:
            return
        try:
            self._put_back(other, start, before)
            too_late = len(self.simulated.actions) > before  # a computer has moved meanwhile
        except Stuck:
            if not self._mishaps.happened:
                raise
            too_late = True
        if too_late:
            self.gestures["mind changed too late"] += 1
            self._instead = move = other
        self._gestures.bring(move)

    def _accepted(self, before: int, move: PawnMove) -> bool:
        """Answer the table's question about a move. Return whether the table has accepted a move."""
        if len(self.simulated.actions) == before:
            self._answers.confirm_move(move, impatient=self._impatient)
        return len(self.simulated.actions) != before

    def _taken_back(self, before: int, *, by_key: bool = False) -> bool:
        """Answer the table's question about an undone move. Return whether the table has accepted the undo."""
        self._answers.confirm_back(by_key=by_key)
        return len(self.simulated.actions) != before + 1

    def _until(self, done: Callable[[], bool], what: str, move: PawnMove | None = None) -> None:
        """Let time pass until `done` returns true. Make the corrections that the table requests meanwhile.

        Args:
            done: returns whether to stop; it may also answer the table's questions.
            what: a description for the error message.
            move: the intended move, whose pawn may have to be carried to its destination again.
        """
        clock, mishaps = self._hardware.clock, self._mishaps
        since = clock.now()
        self._corrections.forget_tries()
        self._impatient = False
        while mishaps.dark or not done():
            waits = clock.now() - max(since, mishaps.changed)
            self._impatient = waits >= PATIENCE / 3
            if waits >= PATIENCE:
                raise Stuck(f"move {len(self.meant) + 1}: {what}: {self.simulated.prompt_text}")
            dark = mishaps.dark
            self.simulated.advance(100)
            if not (dark or mishaps.dark):  # look first at what the table restored after the power failure
                self._corrections.put_right("" if move is None else move.pawn)
                self._go_on(move)

    def _go_on(self, move: PawnMove | None) -> None:
        """Carry a pawn to its destination again if it had to be put back, once everything else is right."""
        scene, reading = self._scene, self._scene.reading
        if move is None or scene.phase is not Phase.PLAY or paused(scene):
            return
        if scene.asked and BACK in scene.ask.keys:  # the question has to be answered first
            return
        if scene.ask.kind is Kind.CANCELLED and self._hardware.where().get(move.pawn) == scene.ask.station:
            self._hardware.pick_up(move.pawn)  # to be set down there again
            self._wait(0.2, 0.4)
            self._gestures.bring(move)
            return
        about = reading.moves if isinstance(reading, Moved | Ambiguous) else ()
        another = about and (isinstance(reading, Ambiguous) or all(m.pawn != move.pawn for m in about))
        if (another or isinstance(reading, InHand | Settled)) and move not in about and not self._mishaps.dark:
            first = scene.set_down.get(move.pawn)  # Mister X's pawn, before it can be moved visibly
            self._gestures.bring(move if first is None or move.ticket == RETURN else PawnMove(move.pawn, first, RETURN))

    def _wait(self, least: float, most: float) -> None:
        self.simulated.advance(1000 * self._rng.uniform(least, most))
