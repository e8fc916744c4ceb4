"""The conditions and actions used in the referee's table of transitions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

from firmware_host.referee.board_reading import moves_undone_unfelt
from firmware_host.referee.events import (
    Accepted,
    Ailing,
    Begin,
    Entry,
    Event,
    Laid,
    Play,
    Pressed,
    Request,
    Resumed,
    SwitchesChanged,
    TakeBack,
    Views,
    WantGame,
    WantRoll,
)
from firmware_host.referee.known_board import KnownBoard, MrXPawns, Occupancy, mr_x_stations
from firmware_host.referee.next_ask import doubted_station, next_ask
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
    who_came,
)
from firmware_host.referee.readings import (
    FELT,
    LAST_LOOK,
    SAME_MOMENT,
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
from firmware_host.referee.state import State, look, look_anew, look_at
from firmware_host.rules.actions import STAY, PawnMove, Roll
from firmware_host.rules.views import ToRoll

Step = tuple[State, Request | None]
R = TypeVar("R", bound=Reading)
E = TypeVar("E", bound=Event)


@dataclass(frozen=True, slots=True)
class Moment:
    """What a condition or a step looks at: the state, the event, and clock seconds."""

    state: State
    event: Event
    now: float

    @property
    def key(self) -> str:
        """The key that was pressed, or ""."""
        return self.event.key if isinstance(self.event, Pressed) else ""

    @property
    def reading(self) -> Reading:
        """What the switches say of the game."""
        return self.state.reading

    @property
    def here(self) -> Occupancy:
        """Who must stand where, and what the switches say of it."""
        return self.state.board.here

    @property
    def ask_now(self) -> Ask:
        """What the table asks now."""
        return next_ask(self.state, self.now)

    @property
    def board(self) -> KnownBoard:
        """What is known of the board."""
        return self.state.board

    def know(self, board: KnownBoard, request: Request | None = None) -> Step:
        """Return the state with something more known of the board, and what should be done."""
        return self.state.knowing(board, self.state.asking), request

    def know_anew(self, board: KnownBoard) -> Step:
        """Return the state after somebody has said what is felt: the board is read afresh."""
        return look_anew(replace(self.state, board=board), self.now), None

    def ask(self, questions: Questions) -> Step:
        """Return the state after a key has made the table ask."""
        return self.state.knowing(self.board, self.state.asking.by_key(questions)), None

    @property
    def accepted(self) -> Entry:
        """The entry of a row that is taken when an entry is accepted."""
        return self.event_as(Accepted).entry

    @property
    def views(self) -> Views:
        """The game after the event, for a row that is taken when a game begins, is resumed or changes.

        Raises:
            TypeError: the event carries no game.
        """
        views = self.event.views if isinstance(self.event, Accepted | Resumed) else None
        if views is None:
            raise TypeError(f"{type(self.event).__name__} carries no game")
        return views

    def event_as(self, kind: type[E]) -> E:
        """Return the event of a row that is taken on this kind of event alone.

        Raises:
            TypeError: it is of another kind.
        """
        if not isinstance(self.event, kind):
            raise TypeError(f"{type(self.event).__name__} is no {kind.__name__}")
        return self.event

    def read_as(self, kind: type[R]) -> R:
        """Return the reading of a row that is taken at this kind of reading alone.

        Raises:
            TypeError: it is of another kind.
        """
        if not isinstance(self.state.reading, kind):
            raise TypeError(f"{self.state.reading} is no {kind.__name__}")
        return self.state.reading


# ---- conditions ------------------------------------------------------------------------------------------------------


def always(_: Moment) -> bool:
    """In any case."""
    return True


def tiles_not_laid(moment: Moment) -> bool:
    """Tiles have to be laid first."""
    return moment.state.to_lay


def may_still_slide(moment: Moment) -> bool:
    """The pawn may still be on its way (PB-03)."""
    may_slide = isinstance(moment.reading, Moved) and moment.reading.may_slide
    return may_slide and not moment.state.quiet_for(moment.now, moment.state.patience.slide)


def is_one_move(moment: Moment) -> bool:
    """There is one ticket for it."""
    return isinstance(moment.reading, Moved) and len(moment.reading.moves) == 1


def is_surely_back(moment: Moment) -> bool:
    """Nothing else explains what is felt."""
    return isinstance(moment.reading, Returned) and not moment.reading.doubtful


def is_doubtful(moment: Moment) -> bool:
    """Something else may explain what is felt."""
    return not is_surely_back(moment)


def may_ask_by_itself(moment: Moment) -> bool:
    """No key has made the table ask, and not all was denied."""
    asking = moment.state.asking
    return not asking.declined and (asking.unheeded or not asking.questions)


def is_asking(moment: Moment) -> bool:
    """The table asks."""
    return bool(moment.state.asking.questions)


def is_cancelled(moment: Moment) -> bool:
    """The pawn does not go there, a player has said."""
    return moment.state.asking.cancelled


def is_cancelled_for_long(moment: Moment) -> bool:
    """The pawn does not go there, a player has said, and nothing has changed since for long."""
    return is_cancelled(moment) and moment.state.late(moment.now)


def is_unread(moment: Moment) -> bool:
    """The table asks what is a guess, and nobody can have read it yet: the key was meant for what stood there."""
    guess = isinstance(moment.reading, InHand | Mismatch | Settled)
    asked_for = moment.now - moment.state.asking.asked_at
    return guess and is_asking(moment) and asked_for < moment.state.patience.settle - SAME_MOMENT


def meant_for_the_last(moment: Moment) -> bool:
    """The table asked about that very pawn a moment ago, and nobody can have read anything else yet."""
    return bool(_last_asked(moment))


def is_wrong_for_long(moment: Moment) -> bool:
    """Something stands wrong for long."""
    return moment.state.wrong(moment.now) > 1


def several_are_wrong(moment: Moment) -> bool:
    """More stands wrong for long than one switch is to blame for."""
    all_unfelt = moment.state.all_unfelt(moment.now)
    return all_unfelt or (is_wrong_for_long(moment) and moment.board.astray(moment.reading))


def end_was_shown(moment: Moment) -> bool:
    """The end has been shown for a while."""
    return moment.now - moment.state.since >= LAST_LOOK


def dice_to_roll(moment: Moment) -> bool:
    """Dice are to be rolled."""
    view = moment.here.view
    if view.to_roll is None or not (view.turn or view.to_roll.by_hand):  # the table rolls for a computer by itself
        return False
    return moment.key != BACK or bool(moment.state.entered)


def was_just_felt(moment: Moment) -> bool:
    """Something has just been felt."""
    return not moment.state.quiet_for(moment.now, moment.state.patience.settle)


def key_is_offered(moment: Moment) -> bool:
    """The rules offer something else by this key."""
    in_time = isinstance(moment.reading, Settled) or moment.state.late(moment.now)
    return in_time and moment.key in moment.here.view.extras


def mr_x_lingers(moment: Moment) -> bool:
    """Mister X's pawn still seems to stand where it was, and no detective can have come there."""
    said = moment.ask_now
    came = who_came(moment.here.view, said.doubts)
    return said.doubts > 0 and not (came and BACK in moment.here.view.extras)


def pawn_came_unfelt(moment: Moment) -> bool:
    """Only the computer's pawn is missed, and the switch of its station cannot tell that it has come."""
    todo, wrong = moment.state.to_carry_out, moment.read_as(Mismatch)
    return todo is not None and todo.unfelt and wrong == Mismatch({todo.move.pawn: todo.move.to}, frozenset())


def may_undo(moment: Moment) -> bool:
    """A computer has moved last, or somebody whose move stands, and nothing is being done at the board."""
    undo = moment.state.undo
    return undo is not None and moment.state.before is None and not was_just_felt(moment)


def may_have_come(moment: Moment) -> bool:
    """Mister X's pawn seems to stand where it was, and the key says that it does not."""
    said = moment.ask_now
    return said.doubts > 0 and moment.key in said.keys


def ends_the_game(moment: Moment) -> bool:
    """The game has ended."""
    return moment.views.public.outcome is not None


def hands_must_follow(moment: Moment) -> bool:
    """A computer has moved a pawn that stands on the board."""
    return _to_follow(moment) is not None


def _to_follow(moment: Moment) -> PawnMove | None:
    """Return the move that hands have to make on the board after a computer, or None."""
    move = moment.accepted.action if isinstance(moment.accepted, Play) else None
    if not isinstance(move, PawnMove) or move.ticket == STAY:
        return None
    return move if move.pawn in computer_pawns(moment.views.public, moment.board.seats) else None


def is_back_on_board(moment: Moment) -> bool:
    """The pawn stands where it came from already."""
    return isinstance(moment.accepted, TakeBack) and moment.accepted.by_hand


# ---- steps -----------------------------------------------------------------------------------------------------------


def wait(moment: Moment) -> Step:
    """Do nothing."""
    return moment.state, None


def read_switches(moment: Moment) -> Step:
    """Read the board as the switches report it now."""
    state, event, now = moment.state, moment.event_as(SwitchesChanged), moment.now
    board, asking, quiet_since = state.board, state.asking, state.quiet_since
    changed = (event.occupied ^ board.occupied) - board.register.stations
    if changed or event.unwell != board.unwell:
        (board, asking), quiet_since = state.withdrawn(board, asking, now), now
    if changed or event.unsettled:  # something goes on there: nothing has lasted
        state, quiet_since = replace(state, same_since=now), now
    board = board.feel(event, state.reading, shown=state.wrong(now) > 0)
    return look_at(state, board, asking, quiet_since, now), None


def note_devices(moment: Moment) -> Step:
    """Note which devices are degraded or lost, and whether the game waits for one."""
    state, event = moment.state, moment.event_as(Ailing)
    # After a pause, what the switches report has to last again.
    quiet_since = state.quiet_since if event.paused == state.paused else moment.now
    return replace(state, ailing=event.devices, paused=event.paused, quiet_since=quiet_since), None


def assign_stations(moment: Moment) -> Step:
    """Note which station is on which switch, and which switches are out of order."""
    event = moment.event_as(Laid)
    board = replace(moment.board, register=event.register, heard=False, near=event.near, touching=event.touching)
    return replace(moment.state, board=board), None


def set_up_game(moment: Moment) -> Step:
    """Guide the pawns to their first stations; where the game has tiles, have them laid first."""
    entry = moment.accepted
    seats = entry.seats if isinstance(entry, Begin) else {}
    begun = _take_up(moment, Phase.SET_UP, seats)
    return replace(begun, to_lay=bool(moment.views.public.layout)), None


def resume_game(moment: Moment) -> Step:
    """Guide the pawns back to their stations."""
    event = moment.event_as(Resumed)
    return _take_up(moment, Phase.RESUME, event.seats, home=event.home), None


def resume_ended_game(moment: Moment) -> Step:
    """Show the end of the game again."""
    event = moment.event_as(Resumed)
    return _take_up(moment, Phase.OVER, event.seats, home=event.home), None


def guide_pawns_back(moment: Moment) -> Step:
    """Guide the pawns back to where they stood before the moves that are taken back."""
    return _take_up(moment, Phase.RESUME, moment.board.seats, home=True), None


def _take_up(moment: Moment, phase: Phase, seats: Seats, *, home: bool = False) -> State:
    """Return the state after a game has begun or is resumed: nothing is known of what stands on the board."""
    state = moment.state
    leapt = state.board.leapt
    if phase is not Phase.SET_UP:  # a closed switch may be Mister X's pawn, which has moved meanwhile
        leapt = bool(mr_x_stations(moment.views.public))
    board = replace(state.board, view=None, seats=seats, pawns=MrXPawns(), attested=frozenset(), leapt=leapt)
    state = replace(state, board=board, wrong_since=None, to_carry_out=None, home=home, to_lay=False)
    return _follow(state, moment.views, phase, moment.now)


def follow_game(moment: Moment) -> Step:
    """Read the board against the game as it is now."""
    return _follow(moment.state, moment.views, moment.state.phase, moment.now), None


def end_game(moment: Moment) -> Step:
    """Show the end of the game."""
    return _follow(moment.state, moment.views, Phase.OVER, moment.now), None


def have_hands_follow(moment: Moment) -> Step:
    """Have hands move the computer's pawn on the board."""
    move, state = _to_follow(moment), moment.state
    if move is None:
        raise TypeError(f"{moment.accepted} is no computer's move of a pawn")
    origin = None if state.board.view is None else state.board.view.pawns.get(move.pawn)
    board = replace(state.board, attested=state.board.attested - {move.to})
    state = replace(state, to_carry_out=ToCarryOut(move, origin, unfelt=True), board=board)
    return _follow(state, moment.views, Phase.CARRY_OUT, moment.now), None


def _follow(state: State, views: Views, phase: Phase, now: float) -> State:
    """Return the state after the game has gone on, or back."""
    view, old, before = views.public, state.board.view, views.before
    anew = old is None or len(old.log) != len(view.log) or view.outcome != old.outcome
    by_computer = views.last is not None and views.last.pawn in computer_pawns(before, state.board.seats)
    state = look(
        replace(
            state,
            phase=phase,
            since=now if anew else state.since,
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
    if isinstance(state.reading, Settled) and now - state.quiet_since >= state.patience.settle:
        return state.knowing(state.board.watch(), state.asking)
    return state


def give_up(moment: Moment) -> Step:
    """Leave the game: there is none any more."""
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


def want_game(moment: Moment) -> Step:
    """Ask for a new game."""
    return moment.state, WantGame()


def accept_tiles(moment: Moment) -> Step:
    """Take the tiles for laid."""
    return replace(moment.state, to_lay=False), None


def start_play(moment: Moment) -> Step:
    """Begin to play: every pawn stands where it must, or where it may move first."""
    board = replace(moment.board, doubted=frozenset()) if moment.state.home else moment.board
    return replace(moment.state, phase=Phase.PLAY, since=moment.now, home=False, board=board), None


def go_on_playing(moment: Moment) -> Step:
    """Go on with the game: the computer's pawn has been moved after."""
    return look(replace(moment.state, phase=Phase.PLAY, to_carry_out=None), moment.now), None


def accept_pawn(moment: Moment) -> Step:
    """Take the computer's pawn for moved."""
    attested = moment.board.attested.union(moment.read_as(Mismatch).missing.values())
    return moment.know_anew(replace(moment.board, attested=attested))


def note_settled(moment: Moment) -> Step:
    """Note that all is as it should be."""
    state = moment.state
    asking = state.asking.by_itself(NO_QUESTIONS, moment.now) if may_ask_by_itself(moment) else state.asking
    return state.knowing(moment.board.settle(), asking), None


def play_move(moment: Moment) -> Step:
    """Play the only move that explains what is felt."""
    (move,) = moment.read_as(Moved).moves
    return moment.know(moment.board.moves_on(move.pawn), entry_of(move))


def take_back(moment: Moment) -> Step:
    """Take the last move back."""
    return moment.know(moment.board.moves_on(moment.read_as(Returned).pawn), TakeBack())


def ask_by_itself(moment: Moment) -> Step:
    """Ask what presence cannot tell, or nothing."""
    state, now = moment.state, moment.now
    questions = ask_after_waiting(
        state.reading, moment.here, state.before, wrong=state.wrong(now), late=state.late(now)
    )
    return state.knowing(state.board, state.asking.by_itself(questions, now)), None


def confirm_take_back(moment: Moment) -> Step:
    """Take the last move back; a switch that says otherwise is ignored."""
    return moment.know(moment.board.never_there(moment.read_as(Returned).pawn), TakeBack())


def deny_take_back(moment: Moment) -> Step:
    """Let the last move stand; a switch that says otherwise is ignored."""
    return moment.know_anew(moment.board.not_back(moment.read_as(Returned)))


def ask_next(moment: Moment) -> Step:
    """Ask the next question, or none."""
    asking = moment.state.asking
    board = moment.board.doubt(*(move.to for move in asking.questions.asked))
    return _go_on(replace(moment.state, board=board), asking.go_on(moment.reading), moment.now), None


def ask_again(moment: Moment) -> Step:
    """Ask first what was asked a moment ago."""
    return moment.ask(ask_about((*_last_asked(moment), *moment.state.shown)))


def _last_asked(moment: Moment) -> tuple[PawnMove, ...]:
    """Return what was asked about a pawn that is shown elsewhere now, as long as nobody has read about that."""
    pawns = {move.pawn for move in moment.state.shown}
    return moment.state.asking.meant(pawns, moment.now - 2 * moment.state.patience.settle + SAME_MOMENT)


def cancel_move(moment: Moment) -> Step:
    """Drop the move that the switches show: its pawn is to be put back, or elsewhere."""
    board = moment.board.doubt(*(move.to for move in moment.state.shown))
    return _go_on(replace(moment.state, board=board), moment.state.asking.cancel(), moment.now), None


def _go_on(state: State, asking: Asking, now: float) -> State:
    """Return the state that asks something else. Once a move is cancelled players have time to put its pawn back."""
    cancelled = asking.cancelled and not asking.questions
    return replace(state, asking=asking, quiet_since=now if cancelled else state.quiet_since)


def ask_where_else(moment: Moment) -> Step:
    """Ask what closes the switch, if the pawn stands elsewhere."""
    return moment.ask(ask_elsewhere(moment.reading, moment.here))


def answer(moment: Moment) -> Step:
    """Do what the answer means: play, take back, or ignore a switch."""
    state = moment.state
    asked = state.asking.questions.asked
    for move in asked:
        if moment.key == CONFIRM and move.ticket == UNDO and state.undo is not None:
            return state, TakeBack(state.undo.count, by_hand=False)
        if moment.key == CONFIRM and move.ticket in FELT:
            told = replace(state, board=moment.board.no_move(move, state.reading), asking=state.asking.forget())
            return look_anew(told, moment.now), None
        if moment.key == f"table.{move.ticket}" or (moment.key == CONFIRM and len(asked) == 1):
            return moment.know(moment.board.vouch(move, state.reading), entry_of(move))
    return state, None


def ask_of_each(moment: Moment) -> Step:
    """Ask of each station that is wrong whether its switch is out of order."""
    questions = ask_about_mismatch(moment.here.view, moment.read_as(Mismatch))
    return replace(moment.state, asking=moment.state.asking.by_itself(questions, moment.now).heeded()), None


def ignore_wrong(moment: Moment) -> Step:
    """Ignore the switch that says that something is wrong."""
    return moment.know_anew(moment.board.attest(doubted_station(moment.read_as(Mismatch))))


def ignore_lingering(moment: Moment) -> Step:
    """Ignore the switch that still feels Mister X's pawn."""
    return moment.know_anew(moment.board.mask(moment.ask_now.doubts))


def ask_who_came(moment: Moment) -> Step:
    """Ask who may have come where Mister X's pawn is still felt."""
    return moment.ask(who_came(moment.here.view, moment.ask_now.doubts))


def ask_about_last_move(moment: Moment) -> Step:
    """Ask whether the last pawn that moved is back, unfelt."""
    return moment.ask(ask_about(moves_undone_unfelt(moment.here, moment.state.before)))


def ask_undo(moment: Moment) -> Step:
    """Ask whether the last person's move is to be taken back, and what computers did since; or say why it stands."""
    undo, view = moment.state.undo, moment.here.view
    if undo is None:
        return moment.state, None
    if undo.why is not None:
        return replace(moment.state, announcement=NotTakenBack(undo.why)), None
    return moment.ask(ask_about((PawnMove(undo.pawn, undo.to or view.pawns[undo.pawn], UNDO),)))


def ask_unfelt(moment: Moment) -> Step:
    """Ask what was done that no switch has felt."""
    denied = moment.state.asking.declined
    return moment.ask(ask_on_confirm(moment.reading, moment.here, moment.state.before, denied=denied))


def roll_dice(moment: Moment) -> Step:
    """Roll the dice, or enter the faces of those rolled by hand (DI-13)."""
    dice = moment.here.view.to_roll
    if dice is None:
        return moment.state, None
    entered, wanted = read_dice_key(dice, moment.state.entered, moment.key)
    return replace(moment.state, entered=entered), wanted


def play_offered(moment: Moment) -> Step:
    """Do what the rules offer by this key."""
    return moment.state, Play(moment.here.view.extras[moment.key])


def read_dice_key(dice: ToRoll, entered: tuple[str, ...], key: str) -> tuple[tuple[str, ...], Request | None]:
    """Return what a key means while dice are to be rolled: the faces entered by now, and what should be done, or None.

    Args:
        dice: those that have to be rolled.
        entered: the faces entered so far, by hand.
        key: such as "table.taxi"; the confirm key rolls, stands for X, and vouches for all that was entered.
    """
    if not dice.by_hand:
        return entered, WantRoll() if key == CONFIRM else None
    if key == BACK:
        return entered[:-1], None
    if len(entered) < dice.count:
        face = "x" if key == CONFIRM else key.removeprefix("table.")
        return (*entered, *(face,) * (face in dice.faces)), None
    return entered, Play(Roll(entered)) if key == CONFIRM else None
