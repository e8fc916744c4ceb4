"""Decide what the table asks of the players next. Pure; what is asked is put into words by `ui.prompt_wording`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from firmware_host.referee.board_reading import guide_mr_x_pawns
from firmware_host.referee.readings import (
    EMPTY,
    HERE,
    HIS,
    RETURN,
    UNDO,
    InHand,
    Mismatch,
    Returned,
    Settled,
)
from firmware_host.referee.scene import (
    BACK,
    CONFIRM,
    NEW_GAME,
    Ask,
    CoachHints,
    Kind,
    Phase,
    Scene,
    Seats,
    SwitchesIgnored,
    can_go,
    computer_pawns,
    without_computer_moves,
)
from firmware_host.referee.state import State
from firmware_host.rules.actions import START, STAY, PawnMove
from firmware_host.rules.views import LastMove, PublicView, ToRoll

_YES_OR_NO: Mapping[tuple[str, ...], Kind] = {
    (HERE,): Kind.STANDS,
    (EMPTY,): Kind.EMPTY,
    (HIS,): Kind.HIS,
    (UNDO,): Kind.UNDO,
}
"""The questions about what is felt: the back key always denies them."""


def next_ask(
    scene: Scene,
    *,
    more: bool,
    late: bool,
    lay: bool,
    astray: bool,
    unfelt: bool = False,
    cancelled: tuple[PawnMove, ...] = (),
    sure: bool = False,
) -> Ask:
    """Return the one thing that is asked next.

    Args:
        scene: all that is shown; its own ask is not looked at.
        more: whether the back key shows a station that may be meant, or another one.
        late: whether nothing has changed on the board for a while.
        lay: whether tiles have to be laid before the game begins.
        astray: whether something that stands wrong may be a pawn of Mister X's.
        unfelt: whether for long no pawn was felt of all that are to be set up.
        cancelled: the moves that the switches show and that a player has cancelled.
        sure: whether the switches are known to report what stands on the board; see `State.sure`.
    """
    view, reading = scene.view, scene.reading
    if scene.paused:
        return Ask(Kind.PAUSED)
    if view is None:
        return NEW_GAME
    if view.outcome is not None or lay:
        return Ask(Kind.LAY_TILES if view.outcome is None else Kind.NEXT_GAME, (CONFIRM,))
    if scene.asked or cancelled:
        return _question(scene.asked) if scene.asked else _cancelled(cancelled, late=late)
    if (carry_out := _carry_out(scene, sure=sure)) is not None:
        return carry_out
    if isinstance(reading, Mismatch) and (scene.wrong or scene.phase is not Phase.PLAY):
        return _put_right(scene, reading, astray=astray, unfelt=unfelt)
    if isinstance(reading, Returned):
        kind = Kind.BACK_OR_NOT if reading.doubtful else Kind.TAKES_BACK
        return Ask(kind, (CONFIRM, BACK) if reading.doubtful else (), (reading.pawn,), reading.to or 0)
    if (to_roll := view.to_roll) is not None and not (scene.thinking and not to_roll.by_hand):
        ask = _roll(view, to_roll, scene.entered)
    elif scene.thinking:
        ask = Ask(Kind.THINKS, (), view.turn)
    else:
        ask = _turn(scene, without_computer_moves(view, scene.seats), late=late, where=more, sure=sure)
    free = late and isinstance(reading, Settled) and CONFIRM not in ask.keys and not more  # to ask something besides
    return _lingering(scene, view, ask) if free else ask


def doubted_station(wrong: Mismatch) -> int:
    """Return the station whose switch may be out of order: the first to be cleared, or else the first pawn's."""
    return min(wrong.extra) if wrong.extra else next(iter(wrong.missing.values()))


def _carry_out(scene: Scene, *, sure: bool) -> Ask | None:
    """A computer has moved a pawn; None if something else stands wrong, or that does so for long.

    Once it stands there that has to last a moment: no key means anything yet.
    """
    todo, wrong = scene.to_carry_out, scene.reading
    if todo is None:
        return None
    if not isinstance(wrong, Mismatch):
        wrong = Mismatch({}, frozenset())
    if not wrong.missing.keys() <= {todo.move.pawn} or not wrong.extra <= {todo.origin}:
        return None
    move, by_key = todo.move, todo.unfelt and not sure and bool(wrong.missing) and not wrong.extra
    if scene.wrong > 1 and not by_key:
        return None
    return Ask(Kind.CARRY_OUT, (CONFIRM,) * by_key, (move.pawn,), move.to, (move.ticket,), unfelt=by_key)


def _put_right(scene: Scene, wrong: Mismatch, *, astray: bool, unfelt: bool) -> Ask:
    """Something stands wrong; once that is insistent, or nothing is felt at all, a key can say that a switch lies."""
    if scene.wrong <= 1 and not unfelt:
        return Ask(Kind.PUT_RIGHT)
    if astray or wrong.several:
        return Ask(Kind.ALL_RIGHT, (CONFIRM,))
    station = doubted_station(wrong)
    pawns = tuple(pawn for pawn, at in wrong.missing.items() if at == station)[:1]
    return Ask(Kind.SWITCH, (CONFIRM,), pawns, station)


def _question(asked: tuple[PawnMove, ...]) -> Ask:
    """Ask by which of some moves, all of one pawn to one station, or whether by the only one; the back key denies."""
    pawns, to = (asked[0].pawn,), asked[0].to
    tickets = tuple(move.ticket for move in asked)
    if tickets in _YES_OR_NO:
        return Ask(_YES_OR_NO[tickets], (CONFIRM, BACK), pawns, to, tickets)
    answers = tuple(f"table.{ticket}" for ticket in tickets) if len(tickets) > 1 else (CONFIRM,)
    kind = Kind.STAYS if tickets == (STAY,) else Kind.WENT_BACK if tickets == (RETURN,) else Kind.WENT
    return Ask(kind, (*answers, BACK), pawns, to, tickets)


def _cancelled(moves: tuple[PawnMove, ...], *, late: bool) -> Ask:
    """Have a pawn put elsewhere; after a while a key can say that it stands elsewhere already."""
    return Ask(Kind.CANCELLED, (CONFIRM,) * late, tuple(dict.fromkeys(move.pawn for move in moves)), moves[0].to)


def _roll(view: PublicView, dice: ToRoll, entered: tuple[str, ...]) -> Ask:
    """Dice are to be rolled, by the table or by hand (DI-13)."""
    if not dice.by_hand:
        return Ask(Kind.ROLL, (CONFIRM,), view.turn)
    if len(entered) >= dice.count:
        return Ask(Kind.ENTERED, (CONFIRM, BACK), view.turn)
    faces = tuple(face for face in dice.faces if face != "x")
    keys = (*(f"table.{face}" for face in faces), CONFIRM, *(BACK,) * bool(entered))
    return Ask(Kind.ENTER, keys, view.turn, tickets=faces)


def _turn(scene: Scene, view: PublicView, *, late: bool, where: bool, sure: bool) -> Ask:
    """Somebody is to move, and nothing is asked of what stands on the board."""
    reading = scene.reading
    if view.his_turn:
        settled = reading if isinstance(reading, Settled) and not sure else Settled()
        return _his_turn(view, settled, late=late)
    held = reading.pawns if isinstance(reading, InHand) else ()
    if where:
        return Ask(Kind.WHERE, (BACK,), held or view.turn)
    extras = tuple(view.extras)
    if held and not can_go(view, held):
        return Ask(Kind.PUT_BACK, (CONFIRM, *extras) if late else (), held, unfelt=late)
    if {move.ticket for move in view.moves} == {START}:
        return Ask(Kind.CHOOSE_START, (CONFIRM,) * late, view.turn, unfelt=late)
    if held:
        return Ask(Kind.CARRY, (CONFIRM, *extras) if late else (), held, unfelt=late)
    if {move.ticket for move in view.moves} == {STAY}:
        return Ask(Kind.CAN_ONLY_STAY, (CONFIRM, *extras), view.turn)
    if isinstance(reading, Settled) and any(move.ticket == STAY or not sure for move in reading.silent):
        return Ask(Kind.MOVE_OR_CONFIRM, (CONFIRM, *extras), view.turn)
    masked = any(view.pawns.get(pawn) in scene.masked for pawn in view.turn) or (late and bool(scene.masked))
    unfelt = masked and isinstance(reading, Settled)  # neither its leaving nor its arrival is felt
    return Ask(Kind.MOVE, (*(CONFIRM,) * unfelt, *extras), view.turn, unfelt=unfelt)


def _his_turn(view: PublicView, reading: Settled, *, late: bool) -> Ask:
    """Mister X is to move, on the handset or with his pawn in the open."""
    if reading.silent:
        return Ask(Kind.MR_X_MOVED, (CONFIRM,), view.turn)
    unfelt = late and bool(reading.unfelt)
    return Ask(Kind.MR_X_MOVES, (CONFIRM,) * unfelt, view.turn, unfelt=unfelt)


def _lingering(scene: Scene, view: PublicView, ask: Ask) -> Ask:
    """Ask besides whether a switch sticks: Mister X has left, and nobody takes his pawn off."""
    if not scene.to_clear:
        return ask
    station = min(scene.to_clear)
    came = any(move.to == station for move in (*view.moves, *view.open_moves))
    if came and BACK in ask.keys:  # it may be a detective's pawn, and the switch it has left may be stuck
        doubt = Ask(Kind.STILL_FELT, (CONFIRM,), station=station)
    else:
        doubt = Ask(Kind.EMPTY, (CONFIRM, *(BACK,) * came), station=station)
    return replace(ask, keys=(CONFIRM, *ask.keys, *doubt.keys[1:]), besides=doubt)


def build_scene(
    state: State,
    now: float,
    place: Callable[[int], str] = str,
    hints: CoachHints | None = None,
    names: Mapping[str, str] | None = None,
    last_moves: tuple[LastMove, ...] = (),
) -> Scene:
    """Return what the table shows at this moment.

    Args:
        state: what the referee keeps in mind.
        now: clock seconds.
        place: where a human finds the switch under a station.
        hints: what the coach tells everyone, if there is one.
        names: what the people are called who play.
        last_moves: the last move of each pawn that everyone saw move.
    """
    board, questions = state.board, state.asking.questions
    masked = board.unheard
    set_down: Mapping[str, int] = {}
    take_off = frozenset[int]()
    if board.view is not None and state.phase is not Phase.OVER:
        set_down, take_off = guide_mr_x_pawns(board, state.reading, begins=state.begins)
    todo = state.to_carry_out if state.phase is Phase.CARRY_OUT else None
    if todo is not None:  # what stands there is the computer's pawn, which leaves
        take_off -= {todo.origin}
    blamed = tuple(sorted(state.blamed & board.register.stations))
    hints = _to_people(hints or CoachHints(), board.view, board.seats)
    scene = Scene(
        phase=state.phase,
        view=board.view,
        reading=state.reading,
        wrong=state.wrong(now),
        asked=questions.asked,
        set_down=set_down,
        take_off=take_off,
        masked=masked,
        places={station: place(station) for station in sorted(masked)},
        ailing=state.ailing,
        since=state.since,
        entered=state.entered,
        announcement=state.announcement or (SwitchesIgnored(blamed) if blamed else None),
        paused=state.paused,
        seats=board.seats,
        names=names or {},
        to_carry_out=todo,
        coach=hints if state.phase is Phase.PLAY else CoachHints(hints.tells),
        last_moves=last_moves,
        helped=state.sure,
    )
    ask = next_ask(
        scene,
        more=questions.more,
        late=state.late(now),
        lay=state.to_lay,
        astray=board.astray(state.reading),
        unfelt=state.all_unfelt(now),
        cancelled=state.shown if state.asking.cancelled else (),
        sure=state.sure,
    )
    return replace(scene, ask=ask)


def _to_people(hints: CoachHints, view: PublicView | None, seats: Seats) -> CoachHints:
    """Return what the coach tells without advice for a pawn that a computer moves."""
    advised = hints.advice is not None and hints.advice.pawn in computer_pawns(view, seats)
    return replace(hints, advice=None) if advised else hints
