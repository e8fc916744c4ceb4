"""People who play an evening, at pages in a real browser, or on the virtual clock by orders alone.

They know what they want to do next. The room decides how hands do it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

from firmware_host.referee.readings import RETURN, InHand, Returned, Settled
from firmware_host.referee.scene import BACK, CONFIRM, Phase
from firmware_host.rules.actions import MR_X, STAY, Action, MrXMove, PawnMove, Roll, RollAgain
from firmware_host.simulator import SimulatedTable
from firmware_host.ui.handset_menu import keys_for

T = TypeVar("T")


class Room(Protocol):
    """A table, and hands that reach it."""

    def look(self, at: Callable[[SimulatedTable], T]) -> T:
        """Return something about the table; `at` must change nothing."""

    def until(self, so: Callable[[SimulatedTable], object], what: str) -> None:
        """Wait until a condition is true."""

    def drag(self, pawn: str, to: int) -> None:
        """Carry a pawn from anywhere to a station."""

    def put_away(self, pawn: str) -> None:
        """Put a pawn into the box."""

    def press(self, key: str) -> None:
        """Press a key of the table or the handset."""


class Evening:
    """All players in one room.

    Args:
        room: the room.
        watch: called when the game has begun, and after each step.
    """

    def __init__(self, room: Room, watch: Callable[[], None] = lambda: None) -> None:
        self.room, self._watch = room, watch

    def set_up(self) -> None:
        """Set every pawn on the station that the table asks for, and lay the tiles as it says."""
        view = self.room.look(lambda p: p.public)
        for pawn, at in self.room.look(lambda p: p.hardware.where()).items():
            if at is not None and at != view.pawns.get(pawn):
                self.room.put_away(pawn)
        for pawn in view.order:
            if pawn in view.pawns and self._where(pawn) != view.pawns[pawn]:
                self.room.drag(pawn, view.pawns[pawn])
        if view.layout:
            self.room.wait(500)
            self.room.press(CONFIRM)
        self.room.until(lambda p: p.table.scene().phase is Phase.PLAY, "the game to begin")
        self._watch()

    def do_all(self, steps: Iterable[Action]) -> None:
        """Do one step after another."""
        for step in steps:
            self.do(step)

    def do(self, step: Action) -> None:
        """Do one step of the game, on the board, by the table's keys or on the handset."""
        self.mind_mr_x()
        match step:
            case PawnMove():
                self._move(step)
            case Roll(faces):
                self._roll(faces)
            case RollAgain():
                self._press_until_accepted(BACK)
            case _:
                self.choose(step)
        self._watch()

    def do_in_the_open(self, step: MrXMove) -> None:
        """Move Mister X's own pawn on the board (BE-05)."""
        self.mind_mr_x()
        self._move(PawnMove(MR_X, step.to.value, step.ticket))
        self._watch()

    def tell(self, move: PawnMove) -> None:
        """Report by key a move that no switch has sensed."""
        before = self._count()
        self._answer(lambda p: len(actions(p)) > before, lambda p: answer_unfelt(p, move), f"{move} to be told")
        self._check(move)

    def stands_in_the_open(self, step: MrXMove) -> bool:
        """Return whether Mister X's pawn is on the board and can make this move there."""
        scene, where = self.room.look(lambda p: p.table.scene()), self._where(MR_X)
        view = scene.view
        if view is None or where is None or where != view.pawns.get(MR_X) or MR_X in scene.set_down:
            return False
        return any((move.to, move.ticket) == (step.to.value, step.ticket) for move in view.open_moves)

    def take_back(self) -> None:
        """Take the last move back by moving its pawn to where it came from."""
        pawn, origin = self.room.look(last_move)
        before = self._count()
        if origin is None:
            self.room.put_away(pawn)
        else:
            self.room.drag(pawn, origin)
        self._answer(lambda p: len(actions(p)) < before, answer_of_return, f"{pawn} to be felt on {origin}")

    def choose(self, action: Action) -> None:
        """Make Mister X's choice by the handset's keys, each as its screen requires."""
        before = self._count()
        while self._count() == before:
            shown = self.room.look(screen)
            self.room.press(f"handset.{self.room.look(lambda p: next_key(p, action))}")
            self.room.until(lambda p, shown=shown: screen(p) != shown, "the handset to take a key")
        self._check(action)

    def mind_mr_x(self) -> None:
        """Put Mister X's own pawns where the table wants them."""
        scene = self.room.look(lambda p: p.table.scene())
        for figure in () if scene.view is None else scene.view.fugitives:
            standing, wanted = self._where(figure), scene.set_down.get(figure)
            if wanted is not None and standing != wanted:
                self.room.drag(figure, wanted)
                self.room.until(lambda p, figure=figure: figure not in p.table.scene().set_down, f"{figure} to be felt")
            elif standing is not None and standing in scene.take_off:
                self.room.put_away(figure)
                self.room.until(lambda p, at=standing: at not in p.table.scene().take_off, f"{figure} to be gone")

    def _move(self, move: PawnMove) -> None:
        before = self._count()
        if move.ticket != STAY:
            self.room.drag(move.pawn, move.to)
        self._answer(lambda p: len(actions(p)) > before, lambda p: answer(p, move), f"{move} to be felt")
        done = self.room.look(lambda p: actions(p)[before])
        to = done.to.value if isinstance(done, MrXMove) else done.to  # type: ignore[union-attr]
        assert (to, done.ticket) == (move.to, move.ticket), f"{move} was meant"  # type: ignore[union-attr]

    def _answer(
        self, done: Callable[[SimulatedTable], bool], answered_by: Callable[[SimulatedTable], str | None], what: str
    ) -> None:
        """Wait until the table has accepted an action, and answer its questions."""
        while True:
            self.room.until(lambda p: done(p) or answered_by(p), what)
            key = self.room.look(lambda p: None if done(p) else answered_by(p))
            if key is None:
                return
            asked = self.room.look(question)
            self.room.press(key)
            self.room.until(lambda p, asked=asked: done(p) or question(p) != asked, f"{key} to be taken")

    def _roll(self, faces: tuple[str, ...]) -> None:
        """Let the table roll the dice, or enter rolled faces one by one."""
        if self.room.look(lambda p: p.public.dice.by_hand):  # type: ignore[attr-defined]
            for number, face in enumerate(faces, 1):
                self.room.press(CONFIRM if face == "x" else f"table.{face}")
                self.room.until(lambda p, number=number: len(p.table.scene().entered) == number, f"{face} to be taken")
        self._press_until_accepted(CONFIRM)

    def _press_until_accepted(self, key: str) -> None:
        before = self._count()
        self.room.until(lambda p: key in p.table.scene().ask.keys, f"the table to want {key}")
        self.room.press(key)
        self.room.until(lambda p: len(actions(p)) > before, f"{key} to be taken")

    def _check(self, action: Action) -> None:
        assert self.room.look(lambda p: actions(p)[-1]) == action

    def _where(self, pawn: str) -> int | None:
        return self.room.look(lambda p: p.hardware.where().get(pawn))

    def _count(self) -> int:
        return self.room.look(lambda p: len(actions(p)))


def actions(p: SimulatedTable) -> list[Action]:
    """Return all accepted actions."""
    return [] if p.table.game is None else list(p.table.game.actions)


def answer(p: SimulatedTable, move: PawnMove) -> str | None:
    """Return the key that answers the table's question, if it asks one."""
    scene = p.table.scene()
    if move in scene.asked:
        return CONFIRM if len(scene.asked) == 1 else f"table.{move.ticket}"
    if scene.asked and BACK in scene.ask.keys:
        return BACK
    if isinstance(scene.reading, Settled | InHand) and move in scene.reading.silent:
        return CONFIRM
    return None


def answer_unfelt(p: SimulatedTable, move: PawnMove) -> str | None:
    """Return the answering key while the table senses only that a pawn is in a hand.

    Not before it asks by itself: it may come to do so between the look and the key, which would answer something else.
    """
    scene = p.table.scene()
    if move in scene.asked or not isinstance(scene.reading, InHand):
        return answer(p, move)
    if not scene.asked and BACK not in scene.ask.keys and not scene.ask.unsensed:
        return None
    return next((key for key in (BACK, CONFIRM) if key in scene.ask.keys), None)


def last_move(p: SimulatedTable) -> tuple[str, int | None]:
    """Return the pawn that moved last, and where it came from: None for the box."""
    game = p.table.game
    assert game is not None
    assert game.before is not None
    move = game.actions[-1]
    pawn = move.pawn if isinstance(move, PawnMove) else MR_X  # he moved in the open (BE-05)
    return pawn, game.before.pawns.get(pawn)


def question(p: SimulatedTable) -> tuple[object, ...]:
    """Return the question of the table, as far as keys change it."""
    scene = p.table.scene()
    return scene.asked, scene.reading, scene.ask


def answer_of_return(p: SimulatedTable) -> str | None:
    """Return the answering key for a move that is taken back."""
    scene = p.table.scene()
    if scene.asked:
        return CONFIRM if scene.asked[0].ticket == RETURN else BACK
    silent = scene.reading.silent if isinstance(scene.reading, Settled) else ()
    doubtful = isinstance(scene.reading, Returned) and scene.reading.ambiguous
    return CONFIRM if doubtful or any(move.ticket == RETURN for move in silent) else None


def screen(p: SimulatedTable) -> tuple[object, ...]:
    """Return the content of the handset, as far as keys change it."""
    handset = p.table.handset
    return handset.current_look(p.hardware.clock.now()).kind, handset.menu, len(actions(p))


def next_key(p: SimulatedTable, action: Action) -> str:
    """Return the next key of the handset on the way to an action."""
    handset = p.table.handset
    if handset.current_look(p.hardware.clock.now()).kind != "menu":
        return "back"
    return keys_for(handset.menu, p.private, action)[0]
