"""What the referee does next: one table. The first row that fits is taken.

A row says in which phase, at which reading of the board and on which event something is done, and what may come of it.
Events are that a reading has lasted long enough, and the table's keys. What else the referee is told changes what it
knows (`state.observe`), and the phase as `state.PHASES` says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from firmware_host.referee import transition_steps as do
from firmware_host.referee.events import (
    CancelMove,
    Event,
    Play,
    Pressed,
    Request,
    SwitchesChanged,
    TakeBack,
    Tick,
    WantGame,
    WantRoll,
)  # fmt: skip
from firmware_host.referee.readings import Ambiguous, InHand, Mismatch, Moved, Reading, Returned, Settled
from firmware_host.referee.scene import BACK, CONFIRM, Phase
from firmware_host.referee.state import State, look, observe


class On(StrEnum):
    """What a row of the table waits for."""

    LASTED = "it has lasted"
    CONFIRM = "confirm"
    BACK = "back"
    KEY = "any key"
    CANCEL = "undo"


class To(StrEnum):
    """What comes of a row beside a new phase and a request."""

    NOTHING = "nothing"
    QUESTION = "a question"
    READING = "a new reading"


Result = Phase | To | type[Request]


@dataclass(frozen=True, slots=True)
class Row:
    """In one of these phases, at one of these readings, on this event, if this holds, do that; these may come of it."""

    phases: tuple[Phase, ...]
    readings: tuple[type[Reading], ...]
    on: On
    when: Callable[[do.Moment], bool]
    then: Callable[[do.Moment], do.Step]
    to: tuple[Result, ...]


NO_GAME, SET_UP, RESUME, CARRY_OUT, PLAY, OVER = ((phase,) for phase in Phase)
GUIDED = (*SET_UP, *RESUME)
GAME = (*GUIDED, *CARRY_OUT, *PLAY)
SETTLED, MOVED, RETURNED, WRONG = (Settled,), (Moved,), (Returned,), (Mismatch,)
SHOWN = (Moved, Ambiguous)
RIGHT = (Settled, InHand, Moved, Ambiguous)
ANY = (*RIGHT, *WRONG, *RETURNED)
KNOWN = (*SETTLED, *WRONG)
ANSWERED = (Play, TakeBack, To.READING, To.NOTHING)

TABLE = (
    Row(SET_UP,    ANY,      On.LASTED,  do.tiles_not_laid,    do.wait,                (To.NOTHING,)),
    Row(GUIDED,    RIGHT,    On.LASTED,  do.always,            do.start_play,          PLAY),
    Row(CARRY_OUT, SETTLED,  On.LASTED,  do.always,            do.go_on_playing,       PLAY),
    Row(PLAY,      SETTLED,  On.LASTED,  do.always,            do.note_settled,        (To.NOTHING,)),
    Row(PLAY,      SHOWN,    On.LASTED,  do.is_cancelled,      do.wait,                (To.NOTHING,)),
    Row(PLAY,      MOVED,    On.LASTED,  do.may_still_slide,   do.wait,                (To.NOTHING,)),
    Row(PLAY,      MOVED,    On.LASTED,  do.is_one_move,       do.play_move,           (Play,)),
    Row(PLAY,      RETURNED, On.LASTED,  do.is_surely_back,    do.take_back,           (TakeBack,)),
    Row(PLAY,      ANY,      On.LASTED,  do.may_ask_by_itself, do.ask_by_itself,       (To.QUESTION, To.NOTHING)),

    Row(NO_GAME,   SETTLED,  On.CONFIRM, do.always,            do.want_game,           (WantGame,)),
    Row(OVER,      SETTLED,  On.CONFIRM, do.end_was_shown,     do.want_game,           (WantGame,)),
    Row(SET_UP,    ANY,      On.CONFIRM, do.tiles_not_laid,    do.accept_tiles,        (To.NOTHING, *PLAY)),
    Row(SET_UP,    ANY,      On.KEY,     do.tiles_not_laid,    do.wait,                (To.NOTHING,)),

    Row(PLAY,      RETURNED, On.CONFIRM, do.is_doubtful,       do.confirm_take_back,   (TakeBack,)),
    Row(PLAY,      RETURNED, On.BACK,    do.is_doubtful,       do.deny_take_back,      (To.READING,)),
    Row(PLAY,      RETURNED, On.KEY,     do.always,            do.wait,                (To.NOTHING,)),

    Row(CARRY_OUT, WRONG,    On.CONFIRM, do.pawn_came_unfelt,  do.accept_pawn,         (To.READING,)),

    Row(PLAY,      SHOWN,    On.CONFIRM, do.meant_for_the_last, do.ask_again,          (To.QUESTION,)),
    Row(GAME,      ANY,      On.BACK,    do.is_asking,         do.ask_next,            (To.QUESTION, To.NOTHING)),
    Row(GAME,      ANY,      On.KEY,     do.is_unread,         do.wait,                (To.NOTHING,)),
    Row(GAME,      ANY,      On.KEY,     do.is_asking,         do.answer,              ANSWERED),

    Row(PLAY,      SHOWN,    On.CANCEL,  do.always,            do.cancel_move,         (To.QUESTION, To.NOTHING)),
    Row(PLAY,      SHOWN,    On.CONFIRM, do.is_cancelled_for_long, do.ask_where_else,  (To.QUESTION,)),
    Row(PLAY,      SHOWN,    On.KEY,     do.is_cancelled,      do.wait,                (To.NOTHING,)),

    Row(CARRY_OUT, KNOWN,    On.BACK,    do.may_undo,          do.ask_undo,            (To.QUESTION, To.NOTHING)),

    Row(GAME,      WRONG,    On.CONFIRM, do.several_are_wrong, do.ask_of_each,         (To.QUESTION,)),
    Row(GAME,      WRONG,    On.CONFIRM, do.is_wrong_for_long, do.ignore_wrong,        (To.READING,)),
    Row(GAME,      WRONG,    On.KEY,     do.always,            do.wait,                (To.NOTHING,)),

    Row(PLAY,      RIGHT,    On.KEY,     do.dice_to_roll,      do.roll_dice,           (WantRoll, Play, To.NOTHING)),
    Row(PLAY,      RIGHT,    On.KEY,     do.was_just_felt,     do.wait,                (To.NOTHING,)),
    Row(PLAY,      RIGHT,    On.KEY,     do.key_is_offered,    do.play_offered,        (Play,)),
    Row(PLAY,      SETTLED,  On.CONFIRM, do.mr_x_lingers,      do.ignore_lingering,    (To.READING,)),
    Row(PLAY,      SETTLED,  On.KEY,     do.may_have_come,     do.ask_who_came,        (To.QUESTION, To.NOTHING)),
    Row(PLAY,      SETTLED,  On.BACK,    do.may_undo,          do.ask_undo,            (To.QUESTION, To.NOTHING)),
    Row(PLAY,      SETTLED,  On.BACK,    do.always,            do.ask_about_last_move, (To.QUESTION, To.NOTHING)),
    Row(PLAY,      RIGHT,    On.CONFIRM, do.always,            do.ask_unfelt,          (To.QUESTION, To.NOTHING)),
)  # fmt: skip
"""All that the referee decides."""

_KEYED = (On.CONFIRM, On.BACK)
_ROWS = {
    (phase, reading, on): tuple(
        row
        for row in TABLE
        if phase in row.phases and reading in row.readings and (row.on is on or (row.on is On.KEY and on in _KEYED))
    )
    for phase in Phase
    for reading in ANY
    for on in On
}
_KEYS = {CONFIRM: On.CONFIRM, BACK: On.BACK}


def row_for(moment: do.Moment, on: On) -> Row | None:
    """Return the row that fits, or None."""
    rows = _ROWS[moment.state.phase, type(moment.state.reading), on]
    return next((row for row in rows if row.when(moment)), None)


def step(state: State, event: Event, now: float) -> do.Step:
    """Return the state after an event, and what should be done, if anything. `now` never runs backwards.

    Where that is an entry it is not true yet: whoever makes it durable tells so by `Began`, `Changed` or `GivenUp`.
    """
    match event:
        case Pressed(key):
            return _press(state, key, now)
        case CancelMove():
            return (state, None) if state.paused else _take(state, On.CANCEL, "", now)
        case SwitchesChanged() | Tick():
            if isinstance(event, SwitchesChanged):
                state = observe(state, event, now)
            if now >= state.board.register.due:  # a switch has told the truth for long enough
                state = look(state, now)
            return _rest(state, now)
    return observe(state, event, now), None


def _rest(state: State, now: float) -> do.Step:
    """Do what a reading brings about that has lasted long enough."""
    if state.board.view is None or state.paused or not state.quiet_for(now, state.patience.settle):
        return state, None
    if state.phase is Phase.PLAY:  # a board that is as it was a moment ago gets the question it had
        state = state.knowing(state.board, state.asking.ask_again(state.reading, now, state.patience.insist))
    return _take(state, On.LASTED, "", now)


def _press(state: State, key: str, now: float) -> do.Step:
    """Do what a key means, and take note of the switches that it has found out of order."""
    if state.paused:
        return state, None
    known = state.board.register.stations
    state, request = _take(state, _KEYS.get(key, On.KEY), key, now)
    if found := state.board.register.stations - known:
        state = replace(state, blamed=found, blamed_at=now)
    return state, request


def _take(state: State, on: On, key: str, now: float) -> do.Step:
    """Take the row that fits. What has lasted counts at once where the phase is new, and where tiles lie."""
    moment = do.Moment(state, key, now)
    row = row_for(moment, on)
    if row is None:
        return state, None
    after, request = row.then(moment)
    goes_on = (after.phase, after.to_lay) != (state.phase, state.to_lay)
    return _rest(after, now) if goes_on else (after, request)
