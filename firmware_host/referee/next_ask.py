"""Decide what the table asks of the players next, and build the public scene from the referee's state.

Both are data; `ui.prompt_wording` puts a question into words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from firmware_host.referee.readings import (
    EMPTY,
    HERE,
    MR_X_PAWN,
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
    stations_to_clear,
    thinking_pawns,
    without_computer_moves,
)
from firmware_host.referee.state import State
from firmware_host.rules.actions import START, STAY, PawnMove
from firmware_host.rules.views import LastMove, PublicView, ToRoll

_YES_OR_NO: Mapping[tuple[str, ...], Kind] = {
    (HERE,): Kind.STANDS,
    (EMPTY,): Kind.EMPTY,
    (MR_X_PAWN,): Kind.MR_X_PAWN,
    (UNDO,): Kind.UNDO,
}
"""The questions about statements: the confirm key agrees, the back key denies."""


def next_ask(state: State, now: float) -> Ask:
    """Return what the table asks of the players now."""
    view, questions = state.board.view, state.asking.questions
    if state.paused:
        return Ask(Kind.PAUSED)
    if view is None:
        return NEW_GAME
    if view.outcome is not None:
        return Ask(Kind.NEXT_GAME, (CONFIRM,))
    if state.to_lay:
        return Ask(Kind.LAY_TILES, (CONFIRM,))
    if questions.asked:
        return _question(questions.asked)
    if state.asking.cancelled and state.shown_moves:
        return _cancelled(state.shown_moves, late=state.is_late(now))
    return _carry_out(state, now) or _put_right(state, now) or _returned(state) or _go_on(state, view, now)


def _carry_out(state: State, now: float) -> Ask | None:
    """Return the request to move a computer's pawn, or None if something else is, or has long been, wrong.

    When the pawn is there, that has to last a moment. No key has an effect until then.
    """
    todo, wrong = state.to_carry_out, state.reading
    if state.phase is not Phase.CARRY_OUT or todo is None:
        return None
    if not isinstance(wrong, Mismatch):
        wrong = Mismatch({}, frozenset())
    if not wrong.missing.keys() <= {todo.move.pawn} or not wrong.extra <= {todo.origin}:
        return None
    move, by_key = todo.move, todo.unsensed and not state.reliable and bool(wrong.missing) and not wrong.extra
    if state.urgency(now) > 1 and not by_key:
        return None
    return Ask(Kind.CARRY_OUT, (CONFIRM,) * by_key, (move.pawn,), move.to, (move.ticket,), unsensed=by_key)


def _put_right(state: State, now: float) -> Ask | None:
    """Return the request to put something right, or None if nothing is wrong.

    When it is shown insistently, or nothing is sensed at all, a key can declare a switch out of order.
    """
    wrong, urgency = state.reading, state.urgency(now)
    if not isinstance(wrong, Mismatch) or (not urgency and state.phase is Phase.PLAY):
        return None
    if urgency <= 1 and not state.all_unsensed(now):
        return Ask(Kind.PUT_RIGHT)
    if state.board.has_strayed_pawns(wrong) or wrong.several:
        return Ask(Kind.ALL_RIGHT, (CONFIRM,))
    station = wrong.suspect_station
    pawns = tuple(pawn for pawn, at in wrong.missing.items() if at == station)[:1]
    return Ask(Kind.SWITCH, (CONFIRM,), pawns, station)


def _returned(state: State) -> Ask | None:
    """Return the statement or question that a pawn is back where it came from, or None if none is back."""
    back = state.reading
    if not isinstance(back, Returned):
        return None
    kind, keys = (Kind.BACK_OR_NOT, (CONFIRM, BACK)) if back.ambiguous else (Kind.TAKES_BACK, ())
    return Ask(kind, keys, (back.pawn,), back.to or 0)


def _go_on(state: State, view: PublicView, now: float) -> Ask:
    """Return what comes next in the game, as nothing is wrong and nothing is unclear."""
    thinking, where, late = thinking_pawns(view, state.board.seats), state.asking.questions.more, state.is_late(now)
    if (to_roll := view.to_roll) is not None and not (thinking and not to_roll.by_hand):
        ask = _roll(view, to_roll, state.entered)
    elif thinking:
        ask = Ask(Kind.THINKS, (), view.turn)
    else:
        ask = _turn(state, without_computer_moves(view, state.board.seats), late=late)
    free = late and isinstance(state.reading, Settled) and CONFIRM not in ask.keys and not where
    return _lingering(state, view, ask) if free else ask


def _question(asked: tuple[PawnMove, ...]) -> Ask:
    """Return which of these moves was made, all by one pawn to one station, or whether the only one was."""
    pawns, to = (asked[0].pawn,), asked[0].to
    tickets = tuple(move.ticket for move in asked)
    if tickets in _YES_OR_NO:
        return Ask(_YES_OR_NO[tickets], (CONFIRM, BACK), pawns, to, tickets)
    answers = tuple(f"table.{ticket}" for ticket in tickets) if len(tickets) > 1 else (CONFIRM,)
    kind = Kind.STAYS if tickets == (STAY,) else Kind.WENT_BACK if tickets == (RETURN,) else Kind.WENT
    return Ask(kind, (*answers, BACK), pawns, to, tickets)


def _cancelled(moves: tuple[PawnMove, ...], *, late: bool) -> Ask:
    """Return the request to put a pawn elsewhere. After a while a key can say that it is elsewhere already."""
    return Ask(Kind.CANCELLED, (CONFIRM,) * late, tuple(dict.fromkeys(move.pawn for move in moves)), moves[0].to)


def _roll(view: PublicView, dice: ToRoll, entered: tuple[str, ...]) -> Ask:
    """Return the request to roll the dice, by the table or by the players (DI-13)."""
    if not dice.by_hand:
        return Ask(Kind.ROLL, (CONFIRM,), view.turn)
    if len(entered) >= dice.count:
        return Ask(Kind.ENTERED, (CONFIRM, BACK), view.turn)
    faces = tuple(face for face in dice.faces if face != "x")
    keys = (*(f"table.{face}" for face in faces), CONFIRM, *(BACK,) * bool(entered))
    return Ask(Kind.ENTER, keys, view.turn, tickets=faces)


def _turn(state: State, view: PublicView, *, late: bool) -> Ask:
    """Return the request to a player to move."""
    reading = state.reading
    if view.his_turn:
        return _mr_x_turn(
            view, reading if isinstance(reading, Settled) and not state.reliable else Settled(), late=late
        )
    held = reading.pawns if isinstance(reading, InHand) else ()
    if state.asking.questions.more:
        return Ask(Kind.WHERE, (BACK,), held or view.turn)
    extras = tuple(view.extras)
    if held and not can_go(view, held):
        return Ask(Kind.PUT_BACK, (CONFIRM, *extras) if late else (), held, unsensed=late)
    if {move.ticket for move in view.moves} == {START}:
        return Ask(Kind.CHOOSE_START, (CONFIRM,) * late, view.turn, unsensed=late)
    if held:
        return Ask(Kind.CARRY, (CONFIRM, *extras) if late else (), held, unsensed=late)
    return _move(state, view, extras, late=late)


def _move(state: State, view: PublicView, extras: tuple[str, ...], *, late: bool) -> Ask:
    """Return the request to move a pawn when all are at home. Some moves need a key."""
    reading, ignored = state.reading, state.board.ignored
    if {move.ticket for move in view.moves} == {STAY}:
        return Ask(Kind.CAN_ONLY_STAY, (CONFIRM, *extras), view.turn)
    if isinstance(reading, Settled) and any(move.ticket == STAY or not state.reliable for move in reading.silent):
        return Ask(Kind.MOVE_OR_CONFIRM, (CONFIRM, *extras), view.turn)
    may_be_missed = any(view.pawns.get(pawn) in ignored for pawn in view.turn) or (late and bool(ignored))
    unsensed = may_be_missed and isinstance(reading, Settled)  # no switch reports its leaving, nor its arrival
    return Ask(Kind.MOVE, (*(CONFIRM,) * unsensed, *extras), view.turn, unsensed=unsensed)


def _mr_x_turn(view: PublicView, reading: Settled, *, late: bool) -> Ask:
    """Return the request to Mister X to move, on the handset or with his pawn in the open."""
    if reading.silent:
        return Ask(Kind.MR_X_MOVED, (CONFIRM,), view.turn)
    unsensed = late and bool(reading.unsensed)
    return Ask(Kind.MR_X_MOVES, (CONFIRM,) * unsensed, view.turn, unsensed=unsensed)


def _lingering(state: State, view: PublicView, ask: Ask) -> Ask:
    """Return the question, with another one besides if Mister X has left and nobody takes his pawn off.

    The switch there may be stuck.
    """
    set_down, take_off = state.mr_x_pawns
    to_clear = stations_to_clear(view, set_down, take_off)
    if not to_clear:
        return ask
    station = min(to_clear)
    reachable = any(move.to == station for move in (*view.moves, *view.open_moves))
    if reachable and BACK in ask.keys:  # it may be a detective's pawn, and the switch it has left may be stuck
        besides = Ask(Kind.STILL_SENSED, (CONFIRM,), station=station)
    else:
        besides = Ask(Kind.EMPTY, (CONFIRM, *(BACK,) * reachable), station=station)
    return replace(ask, keys=(CONFIRM, *ask.keys, *besides.keys[1:]), besides=besides)


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
        state: what the referee remembers.
        now: clock seconds.
        place: returns where people find the switch under a station.
        hints: what the coach says, if there is one.
        names: seat -> the name of the person who plays there.
        last_moves: the last move of each pawn that everyone saw move.
    """
    board, ignored = state.board, state.board.ignored
    set_down, take_off = state.mr_x_pawns
    blamed = tuple(sorted(state.blamed & board.register.stations))
    hints = _to_people(hints or CoachHints(), board.view, board.seats)
    return Scene(
        phase=state.phase,
        view=board.view,
        reading=state.reading,
        wrong=state.urgency(now),
        asked=state.asking.questions.asked,
        set_down=set_down,
        take_off=take_off,
        ignored=ignored,
        places={station: place(station) for station in sorted(ignored)},
        ailing=state.ailing,
        since=state.since,
        entered=state.entered,
        announcement=state.announcement or (SwitchesIgnored(blamed) if blamed else None),
        paused=state.paused,
        seats=board.seats,
        names=names or {},
        to_carry_out=state.to_carry_out if state.phase is Phase.CARRY_OUT else None,
        ask=next_ask(state, now),
        coach=hints if state.phase is Phase.PLAY else CoachHints(hints.tells),
        last_moves=last_moves,
        helped=state.reliable,
    )


def _to_people(hints: CoachHints, view: PublicView | None, seats: Seats) -> CoachHints:
    """Return what the coach says, without advice for a pawn that a computer moves."""
    advised = hints.advice is not None and hints.advice.pawn in computer_pawns(view, seats)
    return replace(hints, advice=None) if advised else hints
