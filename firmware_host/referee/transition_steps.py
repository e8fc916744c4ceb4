"""Define the conditions that rows of the referee's table test, and the steps that these rows take.

The first line of each of their docstrings is shown in docs/referee.md.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

from firmware_host.referee.board_reading import moves_undone_unsensed
from firmware_host.referee.events import (
    Accepted,
    Begin,
    DevicesChanged,
    Entry,
    Event,
    Play,
    Pressed,
    Request,
    Resumed,
    StationsAssigned,
    SwitchesChanged,
    TakeBack,
    Views,
    WantGame,
    WantRoll,
)
from firmware_host.referee.known_board import KnownBoard, MrXPawns, Occupancy, mr_x_stations
from firmware_host.referee.questions import (
    NO_QUESTIONS,
    Asking,
    Questions,
    ask_about,
    ask_about_mismatch,
    ask_after_waiting,
    ask_elsewhere,
    ask_on_confirm,
    entry_of,
    who_arrived,
)
from firmware_host.referee.readings import (
    LAST_LOOK,
    SAME_MOMENT,
    STATEMENTS,
    UNDO,
    InHand,
    Mismatch,
    Moved,
    Reading,
    Returned,
    Settled,
)
from firmware_host.referee.scene import (
    BACK,
    CONFIRM,
    Ask,
    GameGivenUp,
    NotTakenBack,
    Phase,
    Seats,
    ToCarryOut,
    computer_pawns,
)
from firmware_host.referee.state import State, next_ask, read_again, read_board
from firmware_host.rules.actions import STAY, PawnMove, Roll

Step = tuple[State, Request | None]
R = TypeVar("R", bound=Reading)
E = TypeVar("E", bound=Event)


@dataclass(frozen=True, slots=True)
class Moment:
    """The input of a condition or step: state, event, and time in clock seconds."""

    state: State
    event: Event
    now: float

    @property
    def key(self) -> str:
        """The key that was pressed, or ""."""
        return self.event.key if isinstance(self.event, Pressed) else ""

    @property
    def reading(self) -> Reading:
        """The reading: what the closed switches mean now."""
        return self.state.reading

    @property
    def here(self) -> Occupancy:
        """The switches compared with where pawns must stand."""
        return self.state.board.here

    @property
    def ask_now(self) -> Ask:
        """What the table asks of the players now."""
        return next_ask(self.state, self.now)

    @property
    def board(self) -> KnownBoard:
        """The referee's knowledge of the board."""
        return self.state.board

    def with_board(self, board: KnownBoard, request: Request | None = None) -> Step:
        """Return the state with another board, paired with a request."""
        return self.state.updated(board, self.state.asking), request

    def reread(self, board: KnownBoard) -> Step:
        """Return the state with another board and a new reading, after people have confirmed or denied something."""
        return read_again(replace(self.state, board=board), self.now), None

    def ask(self, questions: Questions) -> Step:
        """Return the state in which the table asks these questions because a key was pressed."""
        return self.state.updated(self.board, self.state.asking.ask_on_key(questions)), None

    @property
    def accepted(self) -> Entry:
        """The accepted entry. Only rows that react to an accepted entry may use it."""
        return self.event_as(Accepted).entry

    @property
    def views(self) -> Views:
        """The game's views after the event. Only rows that react to a begun, resumed or changed game may use them.

        Raises:
            TypeError: the event carries no game.
        """
        views = self.event.views if isinstance(self.event, Accepted | Resumed) else None
        if views is None:
            raise TypeError(
                f"the event {type(self.event).__name__} carries no game; use this for Accepted and Resumed alone"
            )
        return views

    def event_as(self, kind: type[E]) -> E:
        """Return the event, checked to be of this kind.

        Raises:
            TypeError: the event is of another kind.
        """
        if not isinstance(self.event, kind):
            raise TypeError(f"this step is for the event {kind.__name__}, not for {type(self.event).__name__}")
        return self.event

    def read_as(self, kind: type[R]) -> R:
        """Return the reading, checked to be of this kind.

        Raises:
            TypeError: the reading is of another kind.
        """
        if not isinstance(self.state.reading, kind):
            raise TypeError(
                f"this step is for the reading {kind.__name__}, not for {type(self.state.reading).__name__}"
            )
        return self.state.reading


# ---- conditions ------------------------------------------------------------------------------------------------------


def always(_: Moment) -> bool:
    """Return True in any case."""
    return True


def tiles_not_laid(moment: Moment) -> bool:
    """Return whether the tiles of the game have to be laid first."""
    return moment.state.to_lay


def tiles_may_lie(moment: Moment) -> bool:
    """Return whether the tiles have to be laid, and the request to lay them has been shown for a moment."""
    return tiles_not_laid(moment) and moment.now - moment.state.since >= moment.state.patience.settle


def may_still_slide(moment: Moment) -> bool:
    """Return whether the pawn may still be sliding on (PB-03)."""
    may_slide = isinstance(moment.reading, Moved) and moment.reading.may_slide
    return may_slide and not moment.state.quiet_for(moment.now, moment.state.patience.slide)


def is_one_move(moment: Moment) -> bool:
    """Return whether only one ticket leads where the pawn went."""
    return isinstance(moment.reading, Moved) and len(moment.reading.moves) == 1


def is_clearly_back(moment: Moment) -> bool:
    """Return whether only a returned pawn explains the switches."""
    return isinstance(moment.reading, Returned) and not moment.reading.ambiguous


def is_ambiguous(moment: Moment) -> bool:
    """Return whether something other than a returned pawn may explain the switches."""
    return not is_clearly_back(moment)


def may_ask_unprompted(moment: Moment) -> bool:
    """Return whether no key has answered the current question, and people have not denied every answer."""
    asking = moment.state.asking
    return not asking.declined and (asking.unanswered or not asking.questions)


def is_asking(moment: Moment) -> bool:
    """Return whether the table is asking a question."""
    return bool(moment.state.asking.questions)


def is_cancelled(moment: Moment) -> bool:
    """Return whether a player has cancelled the move that the switches show."""
    return moment.state.asking.cancelled


def is_cancelled_for_long(moment: Moment) -> bool:
    """Return whether a player has cancelled a move and nothing has changed for long."""
    return is_cancelled(moment) and moment.state.is_late(moment.now)


def is_unread(moment: Moment) -> bool:
    """Return whether the question is a guess that just appeared, so that the key was meant for an earlier one."""
    guess = isinstance(moment.reading, InHand | Mismatch | Settled)
    asked_for = moment.now - moment.state.asking.asked_at
    return guess and is_asking(moment) and asked_for < moment.state.patience.settle - SAME_MOMENT


def meant_for_last_question(moment: Moment) -> bool:
    """Return whether the key was meant for the question asked a moment ago about the moved pawn."""
    return bool(_last_asked(moment))


def is_wrong_for_long(moment: Moment) -> bool:
    """Return whether a mismatch has lasted for long."""
    return moment.state.urgency(moment.now) > 1


def several_are_wrong(moment: Moment) -> bool:
    """Return whether a mismatch that is larger than one bad switch can cause has lasted for long."""
    all_unsensed = moment.state.all_unsensed(moment.now)
    return all_unsensed or (is_wrong_for_long(moment) and moment.board.has_strayed_pawns(moment.reading))


def end_was_shown(moment: Moment) -> bool:
    """Return whether the end of the game has been shown for a while."""
    return moment.now - moment.state.since >= LAST_LOOK


def dice_to_roll(moment: Moment) -> bool:
    """Return whether dice have to be rolled."""
    view = moment.here.view
    if view.to_roll is None or not (view.turn or view.to_roll.by_hand):  # the table rolls for a computer unprompted
        return False
    return moment.key != BACK or bool(moment.state.entered)


def board_just_changed(moment: Moment) -> bool:
    """Return whether a switch has just changed."""
    return not moment.state.quiet_for(moment.now, moment.state.patience.settle)


def key_is_offered(moment: Moment) -> bool:
    """Return whether the rules offer another action for the pressed key."""
    in_time = isinstance(moment.reading, Settled) or moment.state.is_late(moment.now)
    return in_time and moment.key in moment.here.view.extras


def mr_x_pawn_lingers(moment: Moment) -> bool:
    """Return whether Mister X's old station still senses a pawn, and CONFIRM means that the station is empty."""
    said = moment.ask_now
    may_be_there = who_arrived(moment.here.view, said.suspect)
    return said.suspect > 0 and not (may_be_there and BACK in moment.here.view.extras)


def pawn_arrived_unsensed(moment: Moment) -> bool:
    """Return whether only the computer's pawn is missing, and the switch where it goes cannot report its arrival."""
    todo, wrong = moment.state.to_carry_out, moment.read_as(Mismatch)
    return todo is not None and todo.unsensed and wrong == Mismatch({todo.move.pawn: todo.move.to}, frozenset())


def may_undo(moment: Moment) -> bool:
    """Return whether only a key can undo the last move, and no switch has just changed."""
    undo = moment.state.undo
    return undo is not None and moment.state.before is None and not board_just_changed(moment)


def may_have_arrived(moment: Moment) -> bool:
    """Return whether the pressed key denies that Mister X's pawn is where it still seems to be."""
    said = moment.ask_now
    return said.suspect > 0 and moment.key in said.keys


def ends_the_game(moment: Moment) -> bool:
    """Return whether the game has ended."""
    return moment.views.public.outcome is not None


def tiles_may_be_missing(moment: Moment) -> bool:
    """Return whether the game has tiles that may not be laid yet, because nothing has been played."""
    return moment.views.unplayed and bool(moment.views.public.layout)


def hands_must_follow(moment: Moment) -> bool:
    """Return whether a computer has moved a pawn that people have to move on the board."""
    return _to_follow(moment) is not None


def _to_follow(moment: Moment) -> PawnMove | None:
    """Return the computer's move that people have to make on the board, or None."""
    move = moment.accepted.action if isinstance(moment.accepted, Play) else None
    if not isinstance(move, PawnMove) or move.ticket == STAY:
        return None
    return move if move.pawn in computer_pawns(moment.views.public, moment.board.seats) else None


def is_back_on_board(moment: Moment) -> bool:
    """Return whether the pawn is already back where it came from."""
    return isinstance(moment.accepted, TakeBack) and moment.accepted.by_hand


# ---- steps -----------------------------------------------------------------------------------------------------------


def do_nothing(moment: Moment) -> Step:
    """Change nothing."""
    return moment.state, None


def read_switches(moment: Moment) -> Step:
    """Read the board as the switches report it now."""
    state, event, now = moment.state, moment.event_as(SwitchesChanged), moment.now
    board, asking, quiet_since, same_since = state.board, state.asking, state.quiet_since, state.same_since
    changed = (event.occupied ^ board.occupied) - board.register.stations
    if changed or event.chattering != board.chattering:
        (board, asking), quiet_since = state.withdraw_question(now), now
    if changed or event.unsettled:  # something is going on there, so nothing has lasted
        quiet_since = same_since = now
    board = board.update_switches(event, state.reading, shown=state.urgency(now) > 0)
    state = replace(state, board=board, asking=asking, quiet_since=quiet_since, same_since=same_since)
    return read_board(state, now), None


def note_devices(moment: Moment) -> Step:
    """Record which devices are degraded or lost, and whether the game waits for one of them."""
    state, event = moment.state, moment.event_as(DevicesChanged)
    # After a pause, what the switches report has to last again.
    quiet_since = state.quiet_since if event.paused == state.paused else moment.now
    return replace(state, ailing=event.devices, paused=event.paused, quiet_since=quiet_since), None


def assign_stations(moment: Moment) -> Step:
    """Record which station is on which switch, and which switches are out of order."""
    event = moment.event_as(StationsAssigned)
    board = replace(moment.board, register=event.register, reported=False, near=event.near, touching=event.touching)
    return replace(moment.state, board=board), None


def set_up_game(moment: Moment) -> Step:
    """Guide the pawns to their first stations. If the game has tiles, ask for the tiles first."""
    begun = _begin(moment, Phase.SET_UP, _seats_of(moment))
    return replace(begun, to_lay=bool(moment.views.public.layout)), None


def show_end_at_once(moment: Moment) -> Step:
    """Show the end of a game in which nobody can make the first move."""
    return _begin(moment, Phase.OVER, _seats_of(moment)), None


def _seats_of(moment: Moment) -> Seats:
    """Return who plays each seat in the game that begins or is resumed."""
    event = moment.event.entry if isinstance(moment.event, Accepted) else moment.event
    return event.seats if isinstance(event, Begin | Resumed) else {}


def resume_game(moment: Moment) -> Step:
    """Guide the pawns back to their stations."""
    event = moment.event_as(Resumed)
    return _begin(moment, Phase.RESUME, event.seats, goes_home=event.goes_home), None


def resume_ended_game(moment: Moment) -> Step:
    """Show the end of the game again."""
    event = moment.event_as(Resumed)
    return _begin(moment, Phase.OVER, event.seats, goes_home=event.goes_home), None


def guide_pawns_back(moment: Moment) -> Step:
    """Ask players to return the pawns to where they stood before the moves that are taken back."""
    return _begin(moment, Phase.RESUME, moment.board.seats, goes_home=True), None


def _begin(moment: Moment, phase: Phase, seats: Seats, *, goes_home: bool = False) -> State:
    """Return the state when a game begins or resumes, without what people confirmed or Mister X's pawns did before."""
    state = moment.state
    implausible = state.board.implausible
    if phase is not Phase.SET_UP:  # a closed switch may be Mister X's pawn, which has moved meanwhile
        implausible = bool(mr_x_stations(moment.views.public))
    board = replace(
        state.board, view=None, seats=seats, mr_x_pawns=MrXPawns(), confirmed=frozenset(), implausible=implausible
    )
    state = replace(state, board=board, wrong_since=None, to_carry_out=None, goes_home=goes_home, to_lay=False)
    return _follow(state, moment.views, phase, moment.now)


def follow_game(moment: Moment) -> Step:
    """Compare the board with the game as it is now."""
    return _follow(moment.state, moment.views, moment.state.phase, moment.now), None


def end_game(moment: Moment) -> Step:
    """Show the end of the game."""
    return _follow(moment.state, moment.views, Phase.OVER, moment.now), None


def have_hands_follow(moment: Moment) -> Step:
    """Ask people to move the computer's pawn on the board."""
    move, state = _to_follow(moment), moment.state
    if move is None:
        raise TypeError(f"{type(moment.accepted).__name__} is not a computer's move of a pawn")
    origin = None if state.board.view is None else state.board.view.pawns.get(move.pawn)
    board = replace(state.board, confirmed=state.board.confirmed - {move.to})
    state = replace(state, to_carry_out=ToCarryOut(move, origin, unsensed=True), board=board)
    return _follow(state, moment.views, Phase.CARRY_OUT, moment.now), None


def _follow(state: State, views: Views, phase: Phase, now: float) -> State:
    """Return the state after a game has begun, resumed or ended, or a move was played or taken back."""
    view, old, before = views.public, state.board.view, views.before
    is_news = old is None or len(old.log) != len(view.log) or view.outcome != old.outcome
    by_computer = views.last is not None and views.last.pawn in computer_pawns(before, state.board.seats)
    state = read_board(
        replace(
            state,
            phase=phase,
            since=now if is_news else state.since,
            before=before if state.take_back and not by_computer else None,  # a computer's move stands
            undo=views.undo if state.take_back else None,
            unplayed=views.unplayed,
            announcement=None if old is None else view.happened_since(old),
            board=state.board.follow(view),
            asking=state.asking.forget(),
            entered=(),
            blamed=frozenset() if state.blamed_at < now else state.blamed,
        ),
        now,
    )
    if isinstance(state.reading, Settled) and state.quiet_for(now, state.patience.settle):
        return state.updated(state.board.watch(), state.asking)
    return state


def give_up(moment: Moment) -> Step:
    """End the game without a winner."""
    state = moment.state
    return replace(
        state,
        phase=Phase.NO_GAME,
        since=moment.now,
        before=None,
        undo=None,
        to_lay=False,
        announcement=GameGivenUp(),
        board=replace(state.board, view=None),
        reading=Settled(),
        asking=state.asking.forget(),
        wrong_since=None,
    ), None


def request_game(moment: Moment) -> Step:
    """Ask for a new game."""
    return moment.state, WantGame()


def accept_tiles(moment: Moment) -> Step:
    """Record that the players have laid the tiles."""
    return replace(moment.state, to_lay=False), None


def start_play(moment: Moment) -> Step:
    """Start play, now that every pawn is at home or where its first move may lead."""
    board = replace(moment.board, suspect=frozenset()) if moment.state.goes_home else moment.board
    return replace(moment.state, phase=Phase.PLAY, since=moment.now, goes_home=False, board=board), None


def continue_play(moment: Moment) -> Step:
    """Continue the game, now that people have moved the computer's pawn."""
    return read_board(replace(moment.state, phase=Phase.PLAY, to_carry_out=None), moment.now), None


def accept_pawn(moment: Moment) -> Step:
    """Accept that people have moved the computer's pawn, because a key has confirmed it."""
    confirmed = moment.board.confirmed.union(moment.read_as(Mismatch).missing.values())
    return moment.reread(replace(moment.board, confirmed=confirmed))


def note_settled(moment: Moment) -> Step:
    """Record that every pawn is at its station."""
    state = moment.state
    asking = state.asking.ask_unprompted(NO_QUESTIONS, moment.now) if may_ask_unprompted(moment) else state.asking
    return state.updated(moment.board.note_settled(), asking), None


def play_move(moment: Moment) -> Step:
    """Play the only move that explains the switches."""
    (move,) = moment.read_as(Moved).moves
    return moment.with_board(moment.board.leave_home(move.pawn), entry_of(move))


def take_back(moment: Moment) -> Step:
    """Take the last move back."""
    return moment.with_board(moment.board.leave_home(moment.read_as(Returned).pawn), TakeBack())


def ask_unprompted(moment: Moment) -> Step:
    """Ask unprompted about moves that the switches cannot distinguish, if there are any."""
    state, now = moment.state, moment.now
    questions = ask_after_waiting(
        state.reading, moment.here, state.before, wrong=state.urgency(now), late=state.is_late(now)
    )
    return state.updated(state.board, state.asking.ask_unprompted(questions, now)), None


def confirm_take_back(moment: Moment) -> Step:
    """Take the last move back, and ignore each switch that still shows the move."""
    return moment.with_board(moment.board.deny_arrival(moment.read_as(Returned).pawn), TakeBack())


def deny_take_back(moment: Moment) -> Step:
    """Keep the last move, and ignore each switch that shows a return."""
    return moment.reread(moment.board.deny_return(moment.read_as(Returned)))


def ask_next(moment: Moment) -> Step:
    """Ask the next question, or stop asking after the last."""
    asking = moment.state.asking
    board = moment.board.suspect_stations(*(move.to for move in asking.questions.asked))
    return _go_on(replace(moment.state, board=board), asking.ask_next(moment.reading), moment.now), None


def ask_again(moment: Moment) -> Step:
    """Repeat the last question, and then ask about the moves that the switches show."""
    return moment.ask(ask_about((*_last_asked(moment), *moment.state.shown_moves)))


def _last_asked(moment: Moment) -> tuple[PawnMove, ...]:
    """Return the statements just asked about a pawn that the switches now show elsewhere, if only a moment ago."""
    pawns = {move.pawn for move in moment.state.shown_moves}
    return moment.state.asking.asked_before(pawns, moment.now - 2 * moment.state.patience.settle + SAME_MOMENT)


def cancel_move(moment: Moment) -> Step:
    """Cancel the move that the switches show, and ask the players to put its pawn elsewhere."""
    board = moment.board.suspect_stations(*(move.to for move in moment.state.shown_moves))
    return _go_on(replace(moment.state, board=board), moment.state.asking.cancel(), moment.now), None


def _go_on(state: State, asking: Asking, now: float) -> State:
    """Return the state with other questions. If a move is cancelled, players get time to put its pawn back."""
    cancelled = asking.cancelled and not asking.questions
    return replace(state, asking=asking, quiet_since=now if cancelled else state.quiet_since)


def ask_what_closes(moment: Moment) -> Step:
    """Ask what closes the switches of a cancelled move, whose pawn is said not to stand there."""
    return moment.ask(ask_elsewhere(moment.reading, moment.here))


def answer(moment: Moment) -> Step:
    """Carry out the answer: play a move, take one back, or ignore a switch."""
    state = moment.state
    asked = state.asking.questions.asked
    for move in asked:
        if moment.key == CONFIRM and move.ticket == UNDO and state.undo is not None:
            return state, TakeBack(state.undo.count, by_hand=False)
        if moment.key == CONFIRM and move.ticket in STATEMENTS:
            denied = replace(
                state, board=moment.board.confirm_statement(move, state.reading), asking=state.asking.forget()
            )
            return read_again(denied, moment.now), None
        if moment.key == f"table.{move.ticket}" or (moment.key == CONFIRM and len(asked) == 1):
            return moment.with_board(moment.board.confirm_move(move, state.reading), entry_of(move))
    return state, None


def ask_about_each(moment: Moment) -> Step:
    """Ask about each wrong station whether its switch is out of order."""
    questions = ask_about_mismatch(moment.here.view, moment.read_as(Mismatch))
    return replace(moment.state, asking=moment.state.asking.ask_unprompted(questions, moment.now).answered()), None


def ignore_wrong_switch(moment: Moment) -> Step:
    """Ignore the switch that causes the mismatch."""
    return moment.reread(moment.board.confirm_station(moment.read_as(Mismatch).suspect_station))


def ignore_lingering_switch(moment: Moment) -> Step:
    """Ignore the switch that still senses Mister X's pawn after he has left."""
    return moment.reread(moment.board.ignore(moment.ask_now.suspect))


def ask_who_arrived(moment: Moment) -> Step:
    """Ask which pawn may be where Mister X's pawn is still sensed."""
    return moment.ask(who_arrived(moment.here.view, moment.ask_now.suspect))


def ask_about_last_move(moment: Moment) -> Step:
    """Ask whether the last moved pawn has gone back unsensed."""
    return moment.ask(ask_about(moves_undone_unsensed(moment.here, moment.state.before)))


def ask_undo(moment: Moment) -> Step:
    """Ask whether to undo the last person's move and what computers did since, or say why it cannot be undone."""
    undo, view = moment.state.undo, moment.here.view
    if undo is None:
        return moment.state, None
    if undo.why is not None:
        return replace(moment.state, announcement=NotTakenBack(undo.why)), None
    return moment.ask(ask_about((PawnMove(undo.pawn, undo.to or view.pawns[undo.pawn], UNDO),)))


def ask_about_unsensed(moment: Moment) -> Step:
    """Ask which move the switches have not sensed."""
    denied = moment.state.asking.declined
    return moment.ask(ask_on_confirm(moment.reading, moment.here, moment.state.before, denied=denied))


def roll_dice(moment: Moment) -> Step:
    """Request a roll of the dice, or enter the faces that players have rolled (DI-13).

    If the table rolls, CONFIRM requests the roll. If players enter faces, each ticket key enters its face, CONFIRM
    enters the face X, and BACK removes the last face. Once all faces are entered, CONFIRM confirms them.
    """
    dice, entered, key = moment.here.view.to_roll, moment.state.entered, moment.key
    if dice is None:
        return moment.state, None
    if not dice.by_hand:
        return moment.state, WantRoll() if key == CONFIRM else None
    if key != BACK and len(entered) >= dice.count:
        return moment.state, Play(Roll(entered)) if key == CONFIRM else None
    face = "x" if key == CONFIRM else key.removeprefix("table.")
    entered = entered[:-1] if key == BACK else (*entered, *(face,) * (face in dice.faces))
    return replace(moment.state, entered=entered), None


def play_offered_action(moment: Moment) -> Step:
    """Play the action that the rules offer for this key."""
    return moment.state, Play(moment.here.view.extras[moment.key])
