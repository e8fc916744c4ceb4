"""The referee's state machine: one table of rows says what happens on each event."""

# What the referee is
# ===================
#
# The referee stands between the switches and the rules. A reed switch reports that *some* magnet is near, never
# which one. The rules know where each pawn must stand and which moves are legal. The referee compares the two and
# works out what people have done. Where it cannot know, it asks.
#
# It is one frozen `State` and one function, `step(state, event, now)`. `step` returns the next state and at most one
# request. There are no timers: time is passed in, and `State.next_due` says when to send the next `Tick`.
#
#
# What it knows
# =============
#
# The **phase** is the stage of the evening:
#
#     no_game -> set_up -> play <-> carry_out        resume -> play
#                          play -> over
#
#     no_game     There is no game.
#     set_up      A game has begun. People put the pawns on their first stations (and lay the tiles, if it has any).
#     resume      People put the pawns back where the game has them: after a restart, or after Undo.
#     play        People move pawns, and the referee recognises the moves.
#     carry_out   A computer has moved. People move its pawn on the board.
#     over        The game has ended.
#
# The **reading** is what the closed switches mean in the present game (`readings`, worked out by `board_reading`):
#
#     Settled     Every pawn stands where it must.
#     InHand      Nothing is wrong but that pawns on turn are lifted.
#     Moved       One pawn has made one move, and nothing else explains the switches.
#     Ambiguous   Several moves explain the switches.
#     Mismatch    No move explains the switches.
#     Returned    The last pawn that moved is back where it came from.
#
# A reading depends on nothing but the present: which switches are closed, the game, and what people have said. It does
# not depend on the order of edges. So a bounce, a pawn that slides, a missed edge or a restart leaves no trace.
#
# The **question** is what the table asks people, if anything (`questions`). Players answer with two keys: CONFIRM and
# BACK, and with the keys of tickets.
#
#
# What may happen
# ===============
#
# 1. *News* changes what the referee knows: switches change, devices fail, stations are assigned to other switches, a
#    game begins, goes on, goes back or is given up. News is a fact. It has a row in every phase in which it can occur,
#    and it is taken at once, even while the game is paused.
# 2. *It has lasted*: the switches have reported nothing new for `Patience.settle`. A hand that carries a pawn closes
#    and opens switches on its way, so a reading counts only after this time.
# 3. *Keys*: CONFIRM, BACK, any key of the table; and Undo, which players press on a page.
#
# While a device that the game needs is lost, the game is paused: 2 and 3 have no effect.
#
#
# What follows
# ============
#
# The rows of the table are tried from the top. The first row is taken whose phase, reading and event fit and whose
# condition holds. If none fits, the event has no effect. The order matters in three places:
#
# - A question comes before everything else that a key could mean, for people answer what they read.
# - A key that comes too early for people to have read the question answers nothing. BACK still goes on.
# - A mismatch comes before moves: nothing is played while something stands wrong.
#
# A row changes the state, and it may return a request. Four kinds of request are *entries*: a game begins, an action is
# played, moves are taken back, the game is given up. An entry has no effect yet when the referee requests it. The table
# writes it to the journal first. When it is durable, the referee is handed an `Accepted` event, and only that event's
# row changes the game. So a power cut never takes back something that the lamps have shown.
#
# When a row other than news changes the phase, or when people have confirmed that the tiles lie, a reading that has
# already lasted counts at once. So a game goes on as soon as the last pawn stands right.
#
# docs/referee.md shows the table as a page; `python -m tests.docs` draws it from here.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from firmware_host.referee import transition_steps as do
from firmware_host.referee.events import (
    Abandon,
    Accepted,
    Begin,
    CancelMove,
    DevicesChanged,
    Event,
    Play,
    Pressed,
    Request,
    Resumed,
    StationsAssigned,
    SwitchesChanged,
    TakeBack,
    Tick,
    WantGame,
    WantRoll,
)  # fmt: skip
from firmware_host.referee.readings import Ambiguous, InHand, Mismatch, Moved, Reading, Returned, Settled
from firmware_host.referee.scene import BACK, CONFIRM, Phase
from firmware_host.referee.state import State, read_board


class On(StrEnum):
    """The kind of event that a row reacts to."""

    SWITCHES = "switches change"
    DEVICES = "a device fails or works again"
    ASSIGNED = "stations are assigned"
    BEGUN = "a game is begun"
    RESUMED = "a game is resumed"
    PLAYED = "an action is played"
    TAKEN_BACK = "a move is taken back"
    ABANDONED = "the game is given up"
    LASTED = "it has lasted"
    CONFIRM = "confirm"
    BACK = "back"
    KEY = "any key"
    CANCEL = "undo"


NEWS = (On.SWITCHES, On.DEVICES, On.ASSIGNED, On.BEGUN, On.RESUMED, On.PLAYED, On.TAKEN_BACK, On.ABANDONED)
"""The kinds of events that are facts; each changes what the referee knows."""


class To(StrEnum):
    """A row's result other than a phase or a request."""

    NOTHING = "nothing"
    QUESTION = "a question"
    READING = "a new reading"


Result = Phase | To | type[Request]


@dataclass(frozen=True, slots=True)
class Row:
    """A transition: in these phases and readings, on this event, if its condition holds, the referee takes its step."""

    phases: tuple[Phase, ...]
    readings: tuple[type[Reading], ...]
    on: On
    when: Callable[[do.Moment], bool]
    then: Callable[[do.Moment], do.Step]
    to: tuple[Result, ...]


NO_GAME, SET_UP, RESUME, CARRY_OUT, PLAY, OVER = ((phase,) for phase in Phase)
GUIDED = (*SET_UP, *RESUME)
GAME = (*GUIDED, *CARRY_OUT, *PLAY)
EVERY = tuple(Phase)
SETTLED, MOVED, RETURNED, WRONG = (Settled,), (Moved,), (Returned,), (Mismatch,)
SHOWN = (Moved, Ambiguous)
RIGHT = (Settled, InHand, Moved, Ambiguous)
ANY = (*RIGHT, *WRONG, *RETURNED)
KNOWN = (*SETTLED, *WRONG)
READ, NOTHING = (To.READING,), (To.NOTHING,)
MAY_ASK = (To.QUESTION, To.NOTHING)
ANSWERED = (Play, TakeBack, To.READING, To.NOTHING)

TABLE = (
    # News.
    Row(EVERY,     ANY,      On.SWITCHES,   do.always,                  do.read_switches, READ),
    Row(EVERY,     ANY,      On.DEVICES,    do.always,                  do.note_devices, NOTHING),
    Row(EVERY,     ANY,      On.ASSIGNED,   do.always,                  do.assign_stations, NOTHING),
    Row(EVERY,     ANY,      On.BEGUN,      do.ends_the_game,           do.show_end_at_once, OVER),
    Row(EVERY,     ANY,      On.BEGUN,      do.always,                  do.set_up_game, SET_UP),
    Row(EVERY,     ANY,      On.RESUMED,    do.ends_the_game,           do.resume_ended_game, OVER),
    Row(EVERY,     ANY,      On.RESUMED,    do.tiles_may_be_missing,    do.set_up_game, SET_UP),
    Row(EVERY,     ANY,      On.RESUMED,    do.always,                  do.resume_game, RESUME),
    Row(GAME,      ANY,      On.PLAYED,     do.ends_the_game,           do.end_game, OVER),
    Row(GAME,      ANY,      On.PLAYED,     do.hands_must_follow,       do.have_hands_follow, CARRY_OUT),
    Row(GAME,      ANY,      On.PLAYED,     do.always,                  do.follow_game, READ),
    Row(GAME,      ANY,      On.TAKEN_BACK, do.is_back_on_board,        do.follow_game, READ),
    Row(GAME,      ANY,      On.TAKEN_BACK, do.always,                  do.guide_pawns_back, RESUME),
    Row(GAME,      ANY,      On.ABANDONED,  do.always,                  do.give_up, NO_GAME),

    # It has lasted.
    Row(SET_UP,    ANY,      On.LASTED,     do.tiles_not_laid,          do.do_nothing, NOTHING),
    Row(GUIDED,    RIGHT,    On.LASTED,     do.always,                  do.start_play, PLAY),
    Row(CARRY_OUT, SETTLED,  On.LASTED,     do.always,                  do.continue_play, PLAY),
    Row(PLAY,      SETTLED,  On.LASTED,     do.always,                  do.note_settled, NOTHING),
    Row(PLAY,      SHOWN,    On.LASTED,     do.is_cancelled,            do.do_nothing, NOTHING),
    Row(PLAY,      MOVED,    On.LASTED,     do.may_still_slide,         do.do_nothing, NOTHING),
    Row(PLAY,      MOVED,    On.LASTED,     do.is_one_move,             do.play_move, (Play,)),
    Row(PLAY,      RETURNED, On.LASTED,     do.is_clearly_back,         do.take_back, (TakeBack,)),
    Row(PLAY,      ANY,      On.LASTED,     do.may_ask_unprompted,      do.ask_unprompted, MAY_ASK),

    # Keys outside the play.
    Row(NO_GAME,   SETTLED,  On.CONFIRM,    do.always,                  do.request_game, (WantGame,)),
    Row(OVER,      SETTLED,  On.CONFIRM,    do.end_was_shown,           do.request_game, (WantGame,)),
    Row(SET_UP,    ANY,      On.CONFIRM,    do.tiles_may_lie,           do.accept_tiles, (To.NOTHING, *PLAY)),
    Row(SET_UP,    ANY,      On.KEY,        do.tiles_not_laid,          do.do_nothing, NOTHING),

    # Keys while a move seems to be taken back.
    Row(PLAY,      RETURNED, On.CONFIRM,    do.is_ambiguous,            do.confirm_take_back, (TakeBack,)),
    Row(PLAY,      RETURNED, On.BACK,       do.is_ambiguous,            do.deny_take_back, READ),
    Row(PLAY,      RETURNED, On.KEY,        do.always,                  do.do_nothing, NOTHING),

    # A key for a switch that cannot report the computer's pawn.
    Row(CARRY_OUT, WRONG,    On.CONFIRM,    do.pawn_arrived_unsensed,   do.accept_pawn, READ),

    # Keys that answer a question.
    Row(PLAY,      SHOWN,    On.CONFIRM,    do.meant_for_last_question, do.ask_again, (To.QUESTION,)),
    Row(GAME,      ANY,      On.BACK,       do.is_asking,               do.ask_next, MAY_ASK),
    Row(GAME,      ANY,      On.KEY,        do.is_unread,               do.do_nothing, NOTHING),
    Row(GAME,      ANY,      On.KEY,        do.is_asking,               do.answer, ANSWERED),

    # A move that the switches show and a player cancels.
    Row(PLAY,      SHOWN,    On.CANCEL,     do.always,                  do.cancel_move, MAY_ASK),
    Row(PLAY,      SHOWN,    On.CONFIRM,    do.is_cancelled_for_long,   do.ask_what_closes, (To.QUESTION,)),
    Row(PLAY,      SHOWN,    On.KEY,        do.is_cancelled,            do.do_nothing, NOTHING),

    # Keys while something stands wrong.
    Row(CARRY_OUT, KNOWN,    On.BACK,       do.may_undo,                do.ask_undo, MAY_ASK),
    Row(GAME,      WRONG,    On.CONFIRM,    do.several_are_wrong,       do.ask_about_each, (To.QUESTION,)),
    Row(GAME,      WRONG,    On.CONFIRM,    do.is_wrong_for_long,       do.ignore_wrong_switch, READ),
    Row(GAME,      WRONG,    On.KEY,        do.always,                  do.do_nothing, NOTHING),

    # Keys while nothing is wrong and nothing is asked.
    Row(PLAY,      RIGHT,    On.KEY,        do.dice_to_roll,            do.roll_dice, (WantRoll, Play, To.NOTHING)),
    Row(PLAY,      RIGHT,    On.KEY,        do.board_just_changed,      do.do_nothing, NOTHING),
    Row(PLAY,      RIGHT,    On.KEY,        do.key_is_offered,          do.play_offered_action, (Play,)),
    Row(PLAY,      SETTLED,  On.CONFIRM,    do.mr_x_pawn_lingers,       do.ignore_lingering_switch, READ),
    Row(PLAY,      SETTLED,  On.KEY,        do.may_have_arrived,        do.ask_who_arrived, MAY_ASK),
    Row(PLAY,      SETTLED,  On.BACK,       do.may_undo,                do.ask_undo, MAY_ASK),
    Row(PLAY,      SETTLED,  On.BACK,       do.always,                  do.ask_about_last_move, MAY_ASK),
    Row(PLAY,      RIGHT,    On.CONFIRM,    do.always,                  do.ask_about_unsensed, MAY_ASK),
)  # fmt: skip
"""All transitions of the referee."""

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
_ENTRIES = {Begin: On.BEGUN, Play: On.PLAYED, TakeBack: On.TAKEN_BACK, Abandon: On.ABANDONED}
_EVENTS = {
    SwitchesChanged: On.SWITCHES,
    DevicesChanged: On.DEVICES,
    StationsAssigned: On.ASSIGNED,
    Resumed: On.RESUMED,
    CancelMove: On.CANCEL,
    Tick: On.LASTED,
}


def event_of(event: Event) -> On:
    """Return the kind of an event, which selects the rows."""
    match event:
        case Pressed(key):
            return _KEYS.get(key, On.KEY)
        case Accepted(entry, _):
            return _ENTRIES[type(entry)]
    return _EVENTS[type(event)]


def row_for(moment: do.Moment, on: On) -> Row | None:
    """Return the first row that fits this moment and kind of event, or None."""
    rows = _ROWS[moment.state.phase, type(moment.state.reading), on]
    return next((row for row in rows if row.when(moment)), None)


def step(state: State, event: Event, now: float) -> do.Step:
    """Return the state after an event, and the request to the table, or None. `now` never runs backwards."""
    on, request = event_of(event), None
    if state.paused and on not in (*NEWS, On.LASTED):
        return state, None
    if on is not On.LASTED:
        known = state.board.register.stations
        state, request = _carry_out_row(state, on, event, now)
        if isinstance(event, Pressed) and (found := state.board.register.stations - known):
            state = replace(state, blamed=found, blamed_at=now)
    if on not in (On.SWITCHES, On.LASTED):
        return state, request
    if now >= state.board.register.due:  # a switch has reported the truth for long enough
        state = read_board(state, now)
    return _act_on_reading(state, event, now)


def _act_on_reading(state: State, event: Event, now: float) -> do.Step:
    """Carry out the row for the present reading if the reading has lasted long enough."""
    if state.board.view is None or state.paused or not state.quiet_for(now, state.patience.settle):
        return state, None
    if state.phase is Phase.PLAY:  # a board that is as it was a moment ago gets the question it had
        state = state.updated(state.board, state.asking.ask_withdrawn(state.reading, now, state.patience.insist))
    return _carry_out_row(state, On.LASTED, event, now)


def _carry_out_row(state: State, on: On, event: Event, now: float) -> do.Step:
    """Carry out the row that fits. When play starts or tiles are laid, act on the present reading at once."""
    moment = do.Moment(state, event, now)
    row = row_for(moment, on)
    if row is None:
        return state, None
    after, request = row.then(moment)
    starts = on not in NEWS and (after.phase, after.to_lay) != (state.phase, state.to_lay)
    return _act_on_reading(after, event, now) if starts else (after, request)
