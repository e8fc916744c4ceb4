"""Move pawns for the players at the simulated table: set up, clear away and correct mistakes.

The hands carry out the requests of the table, except decisions, which are the players'. They also make the moves that
players choose on a page.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from firmware_host.referee.readings import EMPTY, RETURN, STATEMENTS, UNDO, InHand, Mismatch, Returned, Settled
from firmware_host.referee.scene import BACK, CONFIRM, Kind, Phase, Scene, ToCarryOut
from firmware_host.rules.actions import FUGITIVES, STAY, PawnMove
from firmware_host.rules.views import PublicView
from firmware_host.simulator.simulated_table import SimulatedTable, SimulatedTableError
from firmware_host.system.language import gettext
from firmware_host.ui.prompt_wording import not_taken_back, prompt
from firmware_host.ui.vocabulary import pawn_name

LOOK = 0.05
"""Seconds between two looks at the table."""

GESTURE = 0.18
"""Seconds for a gesture: six pawns are set up one after the other in little more than a second."""

LOST = 1.0
"""Seconds after which a pawn that nobody holds is put back."""

WAITS = {"paused": math.inf, "slow": 3.0, "usual": 0.8, "fast": 0.0}
"""Pace -> seconds for which everyone sees a computer's move before its pawn is moved."""

UNSENSED = 1.0
"""Seconds after which an unsensed pawn, or an unexplained switch, is more than a passing state."""


@dataclass(frozen=True, slots=True)
class _Meant:
    """A player's last action with a pawn, and the number of moves that the pawn had made before."""

    pawn: str
    to: int | None
    moves: int
    back: bool = False
    ticket: str = ""


class HelpingHands:
    """Simulated hands that help players at one table. They know only what everyone can see.

    Args:
        simulated: the table.
        held: returns the pawns that players hold now.
        pace: how fast the hands move computers' pawns, one of `WAITS`.

    Attributes:
        pace: the same; it may be changed.
    """

    def __init__(self, simulated: SimulatedTable, held: Callable[[], Collection[str]], *, pace: str = "fast") -> None:
        self._simulated, self._hardware, self._held = simulated, simulated.hardware, held
        self._look_at = self._hardware.clock.now()
        self._meant: _Meant | None = None
        self._denied: _Meant | None = None
        self._sensed_at = self._look_at
        self._lost: tuple[tuple[str, ...], float] = (), 0.0
        self.pace = pace
        self._steps = False
        self._announced: tuple[ToCarryOut | None, float] = None, 0.0

    def turn(self) -> None:
        """Read the table's scene and do the next task, at most once in `LOOK` seconds."""
        now = self._hardware.clock.now()
        if now < self._look_at:
            return
        busy = self._help(self._simulated.scene, now)
        self._look_at = self._hardware.clock.now() + (GESTURE if busy else LOOK)

    def step(self) -> None:
        """Move the next pawn of a computer now, even if the pace makes it wait."""
        self._steps = True

    def sense_all(self) -> bool:
        """Return whether the switches sense exactly the pawns on stations, and the table ignores no switch.

        A difference that lasts less than `UNSENSED` seconds does not count.
        """
        board, now = self._simulated.table.referee.state.board, self._hardware.clock.now()
        standing = {station for station in self._hardware.where().values() if station is not None}
        if standing == board.occupied and not board.ignored:
            self._sensed_at = now
        return now < self._sensed_at + UNSENSED

    def see_put(self, pawn: str) -> None:
        """Record that a player has set a pawn down. This answers the table's questions about the pawn."""
        self._meant = _Meant(pawn, self._hardware.where().get(pawn), self._moves_of(pawn))

    def see_back(self) -> None:
        """Record that a player pressed BACK: the pawn in the table's question does not move to the station."""
        if self._meant and _asked_there(self._simulated.scene, self._hardware.where()) == self._meant.pawn:
            self._denied = self._meant

    # ---- requests of players ----

    def move(self, move: PawnMove) -> None:
        """Move a detective's pawn as its player wants.

        If the table asks for the ticket, the next calls of `turn` press its key.

        A pawn whose move the table has not accepted yet may still move to another station.

        Raises:
            SimulatedTableError: the pawn may not move there, or not now; the message says why.
        """
        scene, where = self._simulated.scene, self._hardware.where()
        view = scene.view
        asked_of_others = any(asked.pawn != move.pawn for asked in scene.asked)
        ready = view is not None and scene.phase is Phase.PLAY and not scene.paused and not asked_of_others
        shown = {one.pawn for one in self._simulated.table.referee.state.shown_moves if one.pawn == move.pawn}
        settled = () if view is None else {*view.order} - shown
        if view is None or not ready or any(where.get(pawn) != view.pawns.get(pawn) for pawn in settled):
            raise SimulatedTableError(gettext("not now: {asked}", asked=prompt(scene).text))
        if move.pawn in self._held():
            raise SimulatedTableError(gettext("another player holds {pawn}", pawn=pawn_name(move.pawn)))
        if move.pawn not in view.turn:
            raise SimulatedTableError(gettext("it is not your turn"))
        if move not in view.moves:
            raise SimulatedTableError(gettext("{pawn} cannot go there now", pawn=pawn_name(move.pawn)))
        if where.get(move.pawn) != move.to:
            self._simulated.carry(move.pawn, move.to)
        self._meant = _Meant(move.pawn, move.to, self._moves_of(move.pawn), ticket=move.ticket)

    def undo(self) -> None:
        """Put the last moved pawn back. If computers have moved since, let the table undo the moves instead.

        A move that the table still asks about is cancelled, and its pawn returns to its last station.

        Raises:
            SimulatedTableError, NotNow: the table cannot undo a move now.
            JournalError: the journal cannot be written; nothing has changed.
        """
        state, last = self._simulated.table.referee.state, last_move(self._simulated)
        if last is None:
            why = None if state.undo is None else state.undo.why
            nothing = gettext("there is no move that can be taken back now")
            raise SimulatedTableError(nothing if why is None else not_taken_back(why))
        pawn, origin = last
        if state.shown_moves or _moving(self._simulated):  # if only moving, its switch is dead, or just closed
            if state.shown_moves:
                self._simulated.take_back()
            self._meant = None
            if pawn not in self._held():
                self._bring_home(pawn, self._simulated.public)
            return
        if state.before is None:  # computers have moved since
            self._simulated.take_back()
            return
        if pawn in self._held():
            raise SimulatedTableError(gettext("another player holds {pawn}", pawn=pawn_name(pawn)))
        if origin is not None:
            self._simulated.carry(pawn, origin)
        else:
            self._simulated.lift(pawn)
        self._meant = _Meant(pawn, origin, self._moves_of(pawn), back=True)

    # ---- tasks ----

    def _help(self, scene: Scene, now: float) -> bool:
        """Do one task, and return whether there was one."""
        view = scene.view
        if view is None or scene.paused:
            return False
        if scene.phase in (Phase.SET_UP, Phase.RESUME):
            return self._set_up(scene, view) or self._set_mr_x(scene)
        if self._set_mr_x(scene):
            return True
        if scene.phase is Phase.CARRY_OUT:
            if scene.to_carry_out is not None and self._waits(scene.to_carry_out, now):
                return False
            return self._carry_out(scene) or self._put_right(scene, view)
        if scene.phase is Phase.OVER:
            return self._finish(scene, view)
        if scene.phase is not Phase.PLAY:
            return False
        return self._answer(scene) or self._put_right(scene, view) or self._find_lost(scene, view, now)

    def _set_up(self, scene: Scene, view: PublicView) -> bool:
        """Correct one pawn while the board is being set up, or confirm the tiles once all pawns are right."""
        where, held = self._hardware.where(), self._held()
        for pawn in dict.fromkeys((*self._hardware.points(), *view.order)):
            if where.get(pawn) != view.pawns.get(pawn) and pawn not in held:
                self._bring_home(pawn, view)
                return True
        return scene.ask.kind is Kind.LAY_TILES and self._press(CONFIRM)

    def _set_mr_x(self, scene: Scene) -> bool:
        """Set Mister X's pawn down on the station where he has surfaced, or take it off after he has moved on."""
        where = self._hardware.where()
        for pawn, station in scene.set_down.items():
            if where.get(pawn) != station and pawn not in self._held():
                self._simulated.carry(pawn, station)
                return True
        fugitives = () if scene.view is None else scene.view.fugitives
        for pawn in fugitives:
            if where.get(pawn) in scene.take_off and pawn not in scene.set_down:
                self._simulated.lift(pawn)
                return True
        return False

    def _waits(self, todo: ToCarryOut, now: float) -> bool:
        """Return whether the hands still wait before they make a computer's move, so that people see it first."""
        if todo != self._announced[0]:
            self._announced = todo, now
        return now < self._announced[1] + WAITS[self.pace] and not self._steps

    def _carry_out(self, scene: Scene) -> bool:
        """Move a computer's pawn as the table asks, and confirm it by a key if no switch can sense it."""
        to_carry_out = scene.to_carry_out
        if to_carry_out is None:
            return False
        pawn, station = to_carry_out.move.pawn, to_carry_out.move.to
        if self._hardware.where().get(pawn) != station:
            if pawn in self._held():
                return False
            self._simulated.carry(pawn, station)
            self._steps = False
            return True
        wrong = scene.reading
        unsensed = isinstance(wrong, Mismatch) and wrong.missing.keys() == {pawn} and not wrong.extra
        return to_carry_out.unsensed and unsensed and self._press(CONFIRM)

    def _finish(self, scene: Scene, view: PublicView) -> bool:
        """Place one pawn of a computer or of Mister X as at the end, although the table does not ask."""
        where = self._hardware.where()
        for pawn in sorted({*scene.computers, *view.fugitives} & view.pawns.keys() - {*self._held()}):
            if where.get(pawn) != view.pawns[pawn]:
                self._simulated.carry(pawn, view.pawns[pawn])
                return True
        return False

    def _answer(self, scene: Scene) -> bool:
        """Press the key that answers the table, if only one answer is true.

        Bring home a pawn whose move its player has denied by BACK.
        """
        where, reading = self._hardware.where(), scene.reading
        if isinstance(reading, Returned) and scene.ask.kind is Kind.BACK_OR_NOT:
            return self._press(CONFIRM if where.get(reading.pawn) == reading.to else BACK)
        meant = self._meant
        if meant is not None and (self._moves_of(meant.pawn) != meant.moves or where.get(meant.pawn) != meant.to):
            meant = self._meant = None
        if meant is not None and meant is self._denied and _asked_there(scene, where) != meant.pawn:
            self._meant = self._denied = None
            if scene.view is not None and meant.pawn not in self._held():
                self._bring_home(meant.pawn, scene.view)
            return True
        key = _key_back(scene) if meant is not None and meant.back else _key_for(meant, scene, where)
        if key not in scene.ask.keys:
            return False
        return self._press(key)

    def _moves_of(self, pawn: str) -> int:
        """Return how many moves of a detective's pawn, or actions of Mister X, the table has accepted."""
        actions = self._simulated.actions
        moved = [action.pawn for action in actions if isinstance(action, PawnMove)]
        return len(actions) - len(moved) if pawn in FUGITIVES else moved.count(pawn)

    def _press(self, key: str) -> bool:
        """Press a key unless a page holds it down. Return whether it was pressed."""
        if key in self._hardware.keys.held:
            return False
        self._hardware.press(key)
        return True

    def _put_right(self, scene: Scene, view: PublicView) -> bool:
        """Put back pawns that the table reports as misplaced, or that a player sent back by BACK."""
        if scene.ask.kind is Kind.CANCELLED:
            there = [pawn for pawn in scene.ask.pawns if self._hardware.where().get(pawn) == scene.ask.station]
            for pawn in sorted(set(there) - set(self._held())):
                self._bring_home(pawn, view)
                return True
            return False
        if not isinstance(scene.reading, Mismatch) or not scene.wrong:
            return False
        where, missing = self._hardware.where(), scene.reading.missing
        strayed = {pawn for pawn, at in where.items() if at in scene.reading.extra and view.pawns.get(pawn) != at}
        strayed |= {pawn for pawn, at in missing.items() if where.get(pawn) != at}
        for pawn in sorted(strayed - {*self._held(), _asked_there(scene, where)}):
            self._bring_home(pawn, view)
            return True
        return False

    def _find_lost(self, scene: Scene, view: PublicView, now: float) -> bool:
        """Put back a pawn that has long been on no station and that no page holds."""
        where, held = self._hardware.where(), self._held()
        lifted = scene.reading.pawns if isinstance(scene.reading, InHand) else ()
        lost = tuple(pawn for pawn in lifted if pawn not in held and pawn in view.pawns and where.get(pawn) is None)
        if lost != self._lost[0]:
            self._lost = lost, now
        if not lost or now < self._lost[1] + LOST:
            return False
        self._bring_home(lost[0], view)
        return True

    def _bring_home(self, pawn: str, view: PublicView) -> None:
        home = view.pawns.get(pawn)
        if home is not None:
            self._simulated.carry(pawn, home)
        else:
            self._simulated.lift(pawn)


def last_move(simulated: SimulatedTable) -> tuple[str, int | None] | None:
    """Return the pawn whose move can be undone now, and the station that it came from.

    The station is None if the pawn came from off the board. If no move can be undone, the whole result is None.

    The move is the last one by a person, even if computers have moved since. A move counts, too, if its pawn is at the
    destination but the table has not accepted it yet.
    """
    table = simulated.table
    if table.referee.state.shown_moves:
        shown = table.referee.check_undo()
        return shown.pawn, shown.to
    moving = _moving(simulated)
    if moving:
        return moving, simulated.public.pawns.get(moving)
    undo, phase = table.referee.state.undo, table.referee.state.phase
    if undo is not None and undo.pawn and phase in (Phase.PLAY, Phase.CARRY_OUT) and undo.count > 1:
        return undo.pawn, undo.to
    game, before = table.game, table.referee.state.before
    if game is None or before is None or table.referee.state.phase is not Phase.PLAY or not game.actions:
        return None
    last = game.actions[-1]
    if not isinstance(last, PawnMove) or last.pawn not in before.order or before.pawns.get(last.pawn) == last.to:
        return None
    return last.pawn, before.pawns.get(last.pawn)


def _moving(simulated: SimulatedTable) -> str:
    """Return the detective's pawn that has moved on the board without the table accepting it yet, or ""."""
    referee, where = simulated.table.referee, simulated.hardware.where()
    view = referee.public
    if view is None or referee.state.phase is not Phase.PLAY:
        return ""
    made = (move.pawn for move in view.moves if where.get(move.pawn) == move.to != view.pawns.get(move.pawn))
    return next(made, "")


def _asked_there(scene: Scene, where: Mapping[str, int | None]) -> str:
    """Return the pawn of the table's question if it is at the station of the question, else ""."""
    asked = scene.asked[0] if scene.asked else None
    if asked is None or asked.ticket in (*STATEMENTS, RETURN, UNDO, STAY):
        return ""
    return asked.pawn if where.get(asked.pawn) == asked.to else ""


def _key_for(meant: _Meant | None, scene: Scene, where: Mapping[str, int | None]) -> str:
    """Return the key that confirms a player's action with a pawn, or "" if only the player can decide."""
    reading, ask = scene.reading, scene.ask
    if scene.asked:
        return _answer_to(scene.asked, meant, where)
    if meant is None:
        return ""
    silent = reading.silent if isinstance(reading, Settled | InHand) else ()
    if any((move.pawn, move.to) == (meant.pawn, meant.to) for move in silent):
        return BACK if ask.keys == (BACK,) else CONFIRM
    moves = () if scene.view is None else scene.view.moves
    if meant.pawn in ask.pawns and any((move.pawn, move.to) == (meant.pawn, meant.to) for move in moves):
        return BACK if ask.kind is Kind.WHERE else CONFIRM if ask.unsensed else ""
    return ""


def _answer_to(asked: tuple[PawnMove, ...], meant: _Meant | None, where: Mapping[str, int | None]) -> str:
    """Return the key that answers a question by the place of its pawn, or "" if only players can decide."""
    (pawn, to, ticket), several = (asked[0].pawn, asked[0].to, asked[0].ticket), len(asked) > 1
    if ticket in (EMPTY, UNDO) or (meant is None and ticket in (*STATEMENTS, RETURN, STAY)):
        return ""
    if where.get(pawn) != to:
        return BACK if meant is not None or where.get(pawn) is not None else ""
    if meant is None or ticket in (*STATEMENTS, RETURN):
        return ""
    if several or ticket == STAY:
        mine = (pawn, to) == (meant.pawn, meant.to) and meant.ticket
        return (f"table.{meant.ticket}" if several else CONFIRM) if mine else ""
    return CONFIRM


def _key_back(scene: Scene) -> str:
    """Return the key that confirms that a move was undone, or ""."""
    if scene.asked:
        return CONFIRM if scene.asked[0].ticket == RETURN else BACK
    silent = scene.reading.silent if isinstance(scene.reading, Settled) else ()
    return CONFIRM if any(move.ticket == RETURN for move in silent) else ""
