"""Simulate how people correct the board: wait, move pawns, press keys and confirm.

These people do what the table asks and answer truthfully, because they see where each pawn stands.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping

from firmware_host.players.heuristic import heuristic
from firmware_host.referee.readings import (
    EMPTY,
    HERE,
    MR_X_PAWN,
    RETURN,
    STATEMENTS,
    InHand,
    Mismatch,
    Returned,
    Settled,
)
from firmware_host.referee.scene import BACK, CONFIRM, Kind, Phase, Scene
from firmware_host.rules.actions import FUGITIVES, MR_X, STAY, MrXMove, PawnMove
from firmware_host.rules.views import PublicView
from firmware_host.simulator.simulated_table import SimulatedTable
from hardware.sim import Hands

ATTEMPTS = 3
"""How often an unsensed pawn is set down on a station before its switch counts as broken."""


def paused(scene: Scene) -> bool:
    """Return whether the table waits for a device."""
    return scene.ask.kind is Kind.PAUSED


def is_true(asked: PawnMove, where: Mapping[str, int | None]) -> bool:
    """Return whether the statement in the table's question is true.

    `where` maps each pawn to its station, or to None if it is on no station.
    """
    here = asked.ticket == HERE and where.get(asked.pawn) == asked.to
    empty = asked.ticket == EMPTY and asked.to not in where.values()
    his = asked.ticket == MR_X_PAWN and asked.to in (where.get(pawn) for pawn in FUGITIVES)
    return here or empty or his


class Corrections:
    """The simulated hands and eyes with which people correct the board.

    Args:
        simulated: the table.
        rng: the random number generator for delays.
        gestures: counts the gestures made, by name.
    """

    def __init__(self, simulated: SimulatedTable, rng: random.Random, gestures: Counter[str]) -> None:
        self._simulated, self._hardware = simulated, simulated.hardware
        self._rng = rng
        self._gestures = gestures
        self._tried: Counter[tuple[str, int]] = Counter()

    def forget_tries(self) -> None:
        """Reset the counts of tries of each correction, because another task begins."""
        self._tried.clear()

    def suspects(self, pawn: str, station: int) -> bool:
        """Return whether a pawn was set down on a station so often that the switch there must be broken."""
        return self._tried[pawn, station] >= ATTEMPTS

    def put_right(self, mover: str = "") -> None:
        """Read the table's scene once and make the corrections that it asks for. This may take simulated time.

        Args:
            mover: the pawn that is being moved; its place counts as correct.
        """
        scene = self._simulated.table.scene()
        view, reading = scene.view, scene.reading
        if view is None or paused(scene):
            return
        if scene.ask.kind is Kind.LAY_TILES:  # the table asks again after a power failure
            self._hardware.press(CONFIRM)
        elif scene.asked and (isinstance(reading, Mismatch) or (isinstance(reading, InHand) and not mover)):  # a guess
            so = is_true(scene.asked[0], self._hardware.where())
            if so or not mover:  # nobody has moved
                self._hardware.press(CONFIRM if so else BACK)
        elif scene.to_carry_out is not None and CONFIRM in scene.ask.keys and self._has_come(scene.to_carry_out.move):
            self._hardware.press(CONFIRM)
        elif isinstance(reading, Mismatch) and scene.wrong:
            self._put_mismatch_right(scene, view, reading, mover)
        elif isinstance(reading, Returned) and reading.ambiguous and self._stands(view, reading.pawn, scene.ignored):
            self._gestures["switch confirmed broken"] += 1
            self._hardware.press(BACK)
        elif isinstance(reading, Returned) and reading.pawn != mover and self._strayed(view, reading.pawn):
            self._gestures["put back"] += 1
            self._stand(reading.pawn, view.pawns[reading.pawn])
        elif isinstance(reading, InHand | Settled | Returned) and view.outcome is None:
            self._set_down_unsensed(view, scene.ignored)

    def set_mr_x(self) -> None:
        """Set Mister X's pawns down or take them off, as the table requests."""
        scene = self._simulated.table.scene()
        for figure in self._simulated.public.fugitives:
            standing, wanted = self._hardware.where().get(figure), scene.set_down.get(figure)
            if wanted is not None and standing != wanted:
                self._stand(figure, wanted)
            elif standing is not None and standing in scene.take_off:
                self._lift(figure, standing)

    def take_off_unstarted(self, mover: str) -> None:
        """Take off the detectives' pawns that have no start yet, except the one that starts now."""
        view = self._simulated.public
        for pawn, at in self._hardware.stations().items():
            if pawn in view.order and pawn not in view.pawns and pawn != mover:
                self._lift(pawn, at)

    def _put_mismatch_right(self, scene: Scene, view: PublicView, wrong: Mismatch, mover: str) -> None:
        """Correct the pawns that the table complains about, or report a broken switch by a key."""
        if CONFIRM in scene.ask.keys and self._is_right(wrong):
            self._gestures["switch confirmed broken"] += 1
            self._hardware.press(CONFIRM)
            self._wait(0.4, 0.6)
            return
        where, wanted = self._hardware.where(), dict(wrong.missing)
        todo, extra = scene.to_carry_out, wrong.extra
        if todo is not None and where.get(todo.move.pawn) == todo.origin and scene.wrong < 2:  # the pawn moves later
            wanted.pop(todo.move.pawn, None)
            extra -= {todo.origin}
        if scene.phase is Phase.PLAY and scene.wrong < 2:
            wanted.pop(mover, None)
        for pawn, station in wanted.items():
            if where.get(pawn) != station:
                self._gestures["put back"] += 1
                self._stand(pawn, station)
        self._take_off(extra)
        self._clear(view, extra)
        self._set_down_unsensed(view, scene.ignored)

    def _has_come(self, move: PawnMove) -> bool:
        """Return whether a pawn that a computer moves is already at its destination."""
        return self._hardware.where().get(move.pawn) == move.to

    def _stands(self, view: PublicView, pawn: str, ignored: frozenset[int]) -> bool:
        """Return whether a pawn is at its station, and the switch there senses it or must be broken."""
        at = view.pawns[pawn]
        sensed = at in self._simulated.table.referee.state.board.occupied | ignored
        return self._hardware.where().get(pawn) == at and (sensed or self.suspects(pawn, at))

    def _strayed(self, view: PublicView, pawn: str) -> bool:
        """Return whether a pawn is on a station, but not on its station in the game."""
        at = self._hardware.where().get(pawn)
        return at is not None and at != view.pawns[pawn]

    def _is_right(self, wrong: Mismatch) -> bool:
        """Return whether all pawns are on their stations, and all other stations are empty."""
        standing = self._hardware.stations()
        empty = wrong.extra.isdisjoint(standing.values())
        return empty and all(standing.get(pawn) == at for pawn, at in wrong.missing.items())

    def _take_off(self, extra: frozenset[int]) -> None:
        """Take off Mister X's pawns that were left on the board when he moved on."""
        standing = self._hardware.stations()
        for figure in FUGITIVES:
            if standing.get(figure) in extra:
                self._lift(figure, standing[figure])

    def _clear(self, view: PublicView, extra: frozenset[int]) -> None:
        """Clear stations: put back the pawns on each, or if it is empty, set the nearest pawn down again."""
        places, where = self._hardware.places, self._hardware.stations()
        for station in extra:
            there = [pawn for pawn, at in where.items() if at == station]
            for pawn in there:
                home = view.pawns.get(pawn)
                if home is None and pawn not in FUGITIVES:  # it has yet to start
                    self._lift(pawn, station)
                elif home is not None and home != station:
                    self._gestures["put back"] += 1
                    self._stand(pawn, home)
            if not there and where:
                pawn = min(where, key=lambda pawn: math.dist(places[where[pawn]], places[station]))
                self._set_down_again(pawn, where[pawn])

    def _set_down_unsensed(self, view: PublicView, ignored: frozenset[int]) -> None:
        """Set every unsensed pawn down again, unless the table ignores the switch of its station."""
        sensed = self._simulated.table.referee.state.board.occupied | ignored
        for pawn, at in sorted(self._hardware.stations().items()):
            # Mister X's pawn is not set down again where he no longer is.
            left = pawn in FUGITIVES and not view.open_moves and at != view.pawns.get(pawn)
            if at not in sensed and not left:
                self._set_down_again(pawn, at)

    def _set_down_again(self, pawn: str, at: int) -> None:
        if self.suspects(pawn, at):
            return
        self._tried[pawn, at] += 1
        self._gestures["set down again"] += 1
        self._stand(pawn, at)

    def _lift(self, pawn: str, station: int) -> None:
        self._hardware.lift(station, pawn)
        self._wait(0.4, 0.6)

    def _stand(self, pawn: str, station: int) -> None:
        if pawn in self._hardware.points():
            self._hardware.pick_up(pawn)
        self._wait(0.2, 0.4)
        self._hardware.put(station, pawn)
        self._wait(0.4, 0.6)

    def _wait(self, least: float, most: float) -> None:
        self._simulated.advance(1000 * self._rng.uniform(least, most))


class PromptAnswers:
    """Simulated people's answers to the table's questions about a move, given by keys.

    Args:
        simulated: the table.
        corrections: knows which switches people believe to be broken.
    """

    def __init__(self, simulated: SimulatedTable, corrections: Corrections) -> None:
        self._simulated = simulated
        self._corrections = corrections

    def confirm_move(self, move: PawnMove, *, impatient: bool = False) -> None:
        """Press a key to confirm a move if the table asks about it.

        Args:
            move: the move that people have made, and that the table has not accepted yet.
            impatient: whether to press any offered key, because the table has not accepted the move for a long time.
        """
        scene = self._simulated.table.scene()
        impatient = impatient and self._simulated.hardware.where().get(move.pawn) == move.to
        if not paused(scene):
            self._press(self._key_for(move, scene, impatient=impatient))

    def confirm_back(self, *, by_key: bool = False) -> None:
        """Press a key to confirm that a pawn was put back.

        With `by_key`, press it even if the table asks nothing.
        """
        scene = self._simulated.table.scene()
        if isinstance(scene.reading, Returned) and scene.reading.ambiguous:
            self._press(CONFIRM)
        elif scene.asked:
            self._press(CONFIRM if scene.asked[0].ticket == RETURN else BACK)
        elif scene.view is not None and scene.view.to_roll is not None:
            return  # that key would confirm the move
        elif isinstance(scene.reading, Settled) and (by_key or any(m.ticket == RETURN for m in scene.reading.silent)):
            self._press(_key_to_ask(scene))

    def _key_for(self, move: PawnMove, scene: Scene, *, impatient: bool) -> str:
        """Return the key to press now for a move that people have made, or "" for no key."""
        reading, ask = scene.reading, scene.ask
        if scene.asked:
            return self._answer(move, scene)
        if isinstance(reading, Settled) and move in reading.silent:
            return _key_to_ask(scene)
        if ask.suspect == move.to and BACK in ask.keys:
            return CONFIRM if scene.view is not None and BACK in scene.view.extras else BACK
        if ask.kind is Kind.WHERE:
            return BACK
        if ask.kind is Kind.CANCELLED:
            elsewhere = self._simulated.hardware.where().get(move.pawn) != ask.station
            return CONFIRM if elsewhere and CONFIRM in ask.keys else ""
        offered = isinstance(reading, Settled) or (isinstance(reading, InHand) and CONFIRM in ask.keys)
        return CONFIRM if offered and (impatient or self._believed_dead(move, scene)) else ""

    def _answer(self, move: PawnMove, scene: Scene) -> str:
        """Return the key that answers the table's question truthfully, or "" if no key does."""
        if move in scene.asked:
            return CONFIRM if len(scene.asked) == 1 else f"table.{move.ticket}"
        if is_true(scene.asked[0], self._simulated.hardware.where()):
            return CONFIRM
        return BACK if BACK in scene.ask.keys else ""

    def _believed_dead(self, move: PawnMove, scene: Scene) -> bool:
        """Return whether the table ignores the switch at a move's end, or people believe it to be broken.

        Also return True for a pawn that stays.
        """
        return move.to in scene.ignored or move.ticket == STAY or self._corrections.suspects(move.pawn, move.to)

    def _press(self, key: str) -> None:
        if key:
            self._simulated.hardware.press(key)


def true_keys(scene: Scene, where: Mapping[str, int | None]) -> list[str]:
    """Return the offered keys whose answers would be true.

    People may want any of the offered tickets, and may answer BACK to a question about a move. The result leaves out
    answers that nobody gives while all switches work, such as that a switch does not sense a pawn.

    Args:
        scene: the table's scene.
        where: pawn -> the station where it stands, None if it is on no station.
    """
    ask, view = scene.ask, scene.view
    if view is None or scene.phase is not Phase.PLAY or ask.kind in (Kind.SWITCH, Kind.ALL_RIGHT, Kind.PAUSED):
        return []
    if ask.kind is Kind.BACK_OR_NOT:
        pawn, to = ask.pawns[0], ask.station or None
        return [key for key, at in ((CONFIRM, to), (BACK, view.pawns[pawn])) if where.get(pawn) == at]
    if scene.asked:
        first = scene.asked[0]
        of_fact = first.ticket in (RETURN, *STATEMENTS)
        so = is_true(first, where) or (first.ticket not in STATEMENTS and where.get(first.pawn) == first.to)
        return [key for key in ask.keys if (so if key != BACK else not (of_fact and so))]
    false = ask.unsensed or ask.besides is not None or ask.kind is Kind.CANCELLED
    return [key for key in ask.keys if key != CONFIRM or not false]


def _key_to_ask(scene: Scene) -> str:
    return BACK if scene.ask.keys == (BACK,) else CONFIRM


Gesture = Callable[[str, int, int], None]
"""A function that moves a pawn from one station to another."""


class PawnGestures:
    """The gestures with which people move pawns at one table.

    Args:
        simulated: the table.
        hands: the hands that move the pawns.
        rng: the random number generator that chooses gestures.
        rough: whether to use clumsy gestures, too, not only the straight one.
    """

    def __init__(self, simulated: SimulatedTable, hands: Hands, rng: random.Random, *, rough: bool) -> None:
        self._simulated, self._hands, self._rng, self._rough = simulated, hands, rng, rough

    def bring(self, move: PawnMove) -> None:
        """Carry a pawn straight to a move's destination, unless it is there already."""
        at = self._simulated.hardware.where().get(move.pawn)
        if at is None:
            self._hands.place(move.pawn, move.to)
        elif at != move.to:
            self._hands.move(move.pawn, at, move.to)

    def in_the_open(self, move: MrXMove) -> bool:
        """Return whether Mister X's pawn is on the board and can make this move visibly (BE-05)."""
        view, scene = self._simulated.public, self._simulated.table.scene()
        where = self._simulated.hardware.where().get(MR_X)
        stands = where == view.pawns.get(MR_X, 0) and MR_X not in scene.set_down  # and is sensed there
        return stands and any((m.to, m.ticket) == (move.to.value, move.ticket) for m in view.open_moves)

    def choose(self, move: PawnMove, start: int, change_mind: Gesture) -> Gesture:
        """Choose a gesture for a move. Avoid gestures that the table could take for another legal move."""
        hands = self._hands
        if not self._rough or self._rng.random() < 0.4:
            return hands.move
        view = self._simulated.public
        legal = {other.to for other in (*view.moves, *view.open_moves)}
        gestures: list[Gesture] = [hands.slide, hands.bounce, hands.bump, hands.two_lifted, self._wrong_then_right]
        if not legal & set(self._simulated.hardware.between(start, move.to)):
            gestures.append(hands.half_way)
        if move in view.moves and self.other_way(move) is not None:
            gestures.append(change_mind)
        return self._rng.choice(gestures)

    def other_way(self, move: PawnMove) -> PawnMove | None:
        """Return another legal move that people can undo and whose switches work. None if there is none."""
        table = self._simulated.table
        return None if table.game is None else heuristic.alternative_move(table.game, move, table.scene().ignored)

    def _wrong_then_right(self, pawn: str, start: int, to: int) -> None:
        """Set a pawn down on an illegal station first, and then on the right one."""
        view, hardware = self._simulated.public, self._simulated.hardware
        not_there = {to, *hardware.where().values(), *(move.to for move in (*view.moves, *view.open_moves))}
        wrong = [station for station in hardware.places if station not in not_there]
        self._hands.wrong_then_right(pawn, start, to, self._rng.choice(wrong))
