"""Define the referee's state, a frozen record of all that it remembers, and read the board into it.

The next question follows from the state and the time. The scene, which is everything public, adds a few arguments of
`build_scene`. Nothing here decides how an event changes the state or what the journal saves; `transitions` does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from firmware_host.referee.board_reading import as_ambiguous, guide_computer_pawn, guide_mr_x_pawns, guide_pawns, read
from firmware_host.referee.known_board import KnownBoard
from firmware_host.referee.questions import Asking
from firmware_host.referee.readings import (
    EMPTY,
    HERE,
    MR_X_PAWN,
    RETURN,
    SAME_MOMENT,
    SETTING_UP,
    STATEMENTS,
    UNDO,
    Ambiguous,
    InHand,
    Mismatch,
    Moved,
    Patience,
    Reading,
    Returned,
    Settled,
)
from firmware_host.referee.scene import (
    BACK,
    CONFIRM,
    NEW_GAME,
    Announcement,
    Ask,
    CoachHints,
    Health,
    Kind,
    Phase,
    Scene,
    Seats,
    SwitchesIgnored,
    ToCarryOut,
    Undo,
    can_go,
    computer_pawns,
    stations_to_clear,
    thinking_pawns,
    without_computer_moves,
)
from firmware_host.rules.actions import MR_X, START, STAY, PawnMove
from firmware_host.rules.views import LastMove, PublicView, ToRoll


@dataclass(frozen=True, slots=True)
class State:
    """One moment of the referee. All times are clock seconds.

    Attributes:
        patience: how long a reading must last.
        take_back: whether a pawn that is put back where it came from takes its move back.
        phase: the phase of the game at the table.
        since: when the phase (except to and from `CARRY_OUT`), the log's length or the outcome last changed.
        before: the game before the last move, if putting its pawn back still takes that move back.
        undo: what Undo takes back in a game with computers; None if people alone play, or without `take_back`.
        unplayed: whether nothing of the game has been played yet.
        goes_home: whether every pawn has to go home first, because moves were taken back on a page.
        to_carry_out: in the phase `CARRY_OUT`, the computer's move that people have yet to make on the board.
        to_lay: whether tiles have to be laid before the game begins.
        announcement: what has just happened that the board does not show, or None.
        board: what is known of the board.
        reading: what the switches mean.
        asking: what the table asks.
        entered: the entered faces of dice that players have rolled.
        quiet_since: when the switches last reported something new, or what they report had to last again.
        wrong_since: since when there is a mismatch, or None.
        same_since: since when the reading is the same.
        ailing: the devices that are degraded or lost.
        paused: why the game has to wait, or "".
        blamed: the stations whose switch a key has declared out of order, to be announced.
        blamed_at: when the key declared them so.
        trusted: whether the switches are known to be right, as in simulations. Then no key that contradicts them is
            offered.
    """

    patience: Patience = field(default_factory=Patience)
    take_back: bool = True
    phase: Phase = Phase.NO_GAME
    since: float = 0.0
    before: PublicView | None = field(default=None, hash=False)
    undo: Undo | None = None
    unplayed: bool = False
    goes_home: bool = False
    to_carry_out: ToCarryOut | None = None
    to_lay: bool = False
    announcement: Announcement | None = None
    board: KnownBoard = field(default_factory=KnownBoard)
    reading: Reading = field(default=Settled(), hash=False)
    asking: Asking = field(default_factory=Asking)
    entered: tuple[str, ...] = ()
    quiet_since: float = 0.0
    wrong_since: float | None = None
    same_since: float = 0.0
    ailing: Mapping[str, Health] = field(default_factory=dict, hash=False)
    paused: str = ""
    blamed: frozenset[int] = frozenset()
    blamed_at: float = 0.0
    trusted: bool = False

    # ---- how long it has lasted ----

    def quiet_for(self, now: float, seconds: float) -> bool:
        """Return whether the switches have reported nothing new for at least `seconds` seconds."""
        return now - self.quiet_since + SAME_MOMENT >= seconds

    def is_late(self, now: float) -> bool:
        """Return whether a switch may have missed a move.

        It may if nothing has changed for long, or if people have denied every likely answer.
        """
        return not self.trusted and (self.asking.declined or self.quiet_for(now, self.patience.insist))

    def urgency(self, now: float) -> int:
        """Return how urgently the table shows a mismatch: 0 not yet, 1 shown, 2 insistently."""
        if self.wrong_since is None or (self.trusted and self._only_to_carry_out):
            return 0
        if self._insists(now) and not self._is_bare:
            return 2
        if self._only_unconfirmed and self.quiet_for(now, self.patience.settle):
            return 2
        shown = now - self.wrong_since + SAME_MOMENT >= self.patience.wrong
        return 1 if shown or self.phase is not Phase.PLAY else 0

    def all_unsensed(self, now: float) -> bool:
        """Return whether no pawn has been sensed for long: nobody has begun to set up, or all switches are dead.

        No switch is blamed for that, and the table does not insist. But a key can confirm that all pawns are set up.
        """
        return self._is_bare and self._insists(now)

    def next_due(self, now: float) -> float:
        """Return when `Tick` is due next if nothing else happens, or infinity if never."""
        patience = self.patience
        waits = (patience.settle, patience.slide, patience.insist)
        times = [self.board.register.due, *(self.quiet_since + wait for wait in waits)]
        if self.wrong_since is not None:
            times += [self.wrong_since + patience.wrong, self.same_since + self._insist]
        return min((time for time in times if time > now), default=float("inf"))

    def _insists(self, now: float) -> bool:
        return not self.trusted and now - self.same_since + SAME_MOMENT >= self._insist

    @property
    def _insist(self) -> float:
        """Seconds before the table insists on a mismatch: longer while pawns are set up than for a lifted pawn."""
        lifted = self.phase is Phase.CARRY_OUT and isinstance(self.reading, Mismatch) and not self.reading.extra
        return self.patience.insist * (1 if self.phase is Phase.PLAY or lifted else SETTING_UP)

    @property
    def _is_bare(self) -> bool:
        """Whether nobody has begun to set up: several pawns are missing, and no switch is closed."""
        several = isinstance(self.reading, Mismatch) and len(self.reading.missing) > 1
        return self.phase is Phase.SET_UP and several and not self.board.occupied

    @property
    def _only_to_carry_out(self) -> bool:
        """Whether the only mismatch is the pawn that people must move for a computer."""
        todo, wrong = self.to_carry_out, self.reading
        if self.phase is not Phase.CARRY_OUT or todo is None or not isinstance(wrong, Mismatch):
            return False
        return wrong.missing.keys() <= {todo.move.pawn} and wrong.extra <= {todo.origin}

    @property
    def _only_unconfirmed(self) -> bool:
        """Whether only pawns on ignored stations seem wrong, so that a key must confirm them.

        That occurs while a game is set up, and while pawns go home after moves were taken back.
        """
        wrong = self.reading
        if not (self.is_beginning or self.goes_home) or not isinstance(wrong, Mismatch) or wrong.extra:
            return False
        return self.board.ignored.issuperset(wrong.missing.values())

    # ---- what is on the board ----

    @property
    def is_beginning(self) -> bool:
        """Whether people are putting the pawns on their first stations, perhaps after a restart: nothing was played."""
        return self.phase is Phase.SET_UP or (self.phase is Phase.RESUME and self.unplayed)

    @property
    def shown_moves(self) -> tuple[PawnMove, ...]:
        """The moves that the switches show in play, none of which has been played."""
        moves = self.reading.moves if isinstance(self.reading, Moved | Ambiguous) else ()
        return tuple(move for move in moves if move.ticket != RETURN) if self.phase is Phase.PLAY else ()

    @property
    def mr_x_pawns(self) -> tuple[Mapping[str, int], frozenset[int]]:
        """Mister X's pawns to set down (pawn -> station), and the stations to take his pawns off."""
        if self.board.view is None or self.phase is Phase.OVER:
            return {}, frozenset()
        set_down, take_off = guide_mr_x_pawns(self.board, self.reading, is_beginning=self.is_beginning)
        if self.phase is Phase.CARRY_OUT and self.to_carry_out is not None:
            take_off -= {self.to_carry_out.origin}  # the computer's pawn is there, and leaves
        return set_down, take_off

    # ---- what follows ----

    def updated(self, board: KnownBoard, asking: Asking) -> State:
        """Return the state with this board and these questions. It is the same object if neither has changed."""
        same = board is self.board and asking is self.asking
        return self if same else replace(self, board=board, asking=asking)

    def withdraw_question(self, now: float) -> tuple[KnownBoard, Asking]:
        """Return the board and the questions after the reading has changed, without the present question.

        The switches and pawns of that question become suspect, because nobody has answered.
        """
        reading, board, questions = self.reading, self.board, self.asking.questions
        if questions.each and not isinstance(reading, Moved):  # at Moved only the ticket was in question
            meant = (m for each in questions.each for m in each) if isinstance(reading, Ambiguous) else questions.asked
            board = board.suspect_stations(*(move.to for move in meant))
        if not isinstance(reading, Moved | Ambiguous):
            board = board.question_pawns(*(move.pawn for move in questions.asked if move.ticket in STATEMENTS))
        if isinstance(reading, Returned) and reading.ambiguous and reading.to is not None:
            board = board.suspect_stations(reading.to)
        return board, self.asking.withdraw(reading, now)


# ---- read the board --------------------------------------------------------------------------------------------------


def read_board(state: State, now: float) -> State:
    """Return the state after reading the board again."""
    state = state.updated(state.board.trust_again(now), state.asking)
    if (todo := state.to_carry_out) is not None and todo.unsensed:
        # From now on its switch can report the computer's pawn: it has opened, or people have confirmed the pawn.
        station, board = todo.move.to, state.board
        if station in board.confirmed or station not in board.occupied | board.ignored:
            state = replace(state, to_carry_out=replace(todo, unsensed=False))
    reading = _read(state)
    if state.board.view is not None and (back := state.board.mr_x_pawns.find_put_back(state.board.here, reading)):
        state = state.updated(replace(state.board, mr_x_pawns=state.board.mr_x_pawns.stands_on(*back)), state.asking)
        reading = _read(state)
    if state.board.implausible or state.board.is_suspect(reading):
        reading = as_ambiguous(reading)
    reading = state.board.likeliest_first(reading, state.reading)
    board, asking, wrong_since, same_since = state.board, state.asking, state.wrong_since, state.same_since
    if reading != state.reading:
        (board, asking), same_since = state.withdraw_question(now), now
    if not isinstance(reading, Mismatch):
        wrong_since = None
    elif wrong_since is None:
        wrong_since = same_since = now
    return replace(state, board=board, reading=reading, asking=asking, wrong_since=wrong_since, same_since=same_since)


def read_again(state: State, now: float) -> State:
    """Return the state after people have confirmed or denied something. The new reading must last, too."""
    return read_board(replace(state, quiet_since=now, same_since=now), now)


def _read(state: State) -> Reading:
    """Return what the switches mean in this phase."""
    board = state.board
    if board.view is None or state.phase is Phase.OVER:
        return Settled()
    here = board.here
    if state.phase is Phase.CARRY_OUT and state.to_carry_out is not None:
        return guide_computer_pawn(state.to_carry_out, here)
    unproved = board.unconfirmed if state.is_beginning or state.goes_home else frozenset[int]()
    if unproved or state.phase is Phase.SET_UP or state.goes_home:
        return guide_pawns(here, unproved)
    reading = read(here, _before(state))
    cleared = isinstance(reading, InHand) and len(reading.pawns) > 1  # nobody holds so many: all are to be set up
    if (cleared or isinstance(reading, Mismatch)) and state.phase is not Phase.PLAY:
        return guide_pawns(here)
    return reading


def _before(state: State) -> PublicView | None:
    """Return the view before the last move if putting the pawn back would take that move back, else None.

    Mister X's pawn cannot come back from where it was never sensed.
    """
    board, before, at = state.board, state.before, state.board.here.view.pawns.get(MR_X, 0)
    if before is None or state.phase is not Phase.PLAY:
        return None
    unseen = before.mr_x_to_move and not board.mr_x_pawns.was_seen(at) and at not in board.ignored
    return None if unseen else before


_YES_OR_NO: Mapping[tuple[str, ...], Kind] = {
    (HERE,): Kind.STANDS,
    (EMPTY,): Kind.EMPTY,
    (MR_X_PAWN,): Kind.MR_X_PAWN,
    (UNDO,): Kind.UNDO,
}
"""The questions about statements: the confirm key agrees, the back key denies."""


def next_ask(state: State, now: float) -> Ask:
    """Return what the table asks the players to do now."""
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
    """Return the request to move a computer's pawn, or None if there is none to move or something else comes first.

    When the pawn has arrived, the request stays, without any key, until the reading has been stable for a moment.
    """
    todo, wrong = state.to_carry_out, state.reading
    if state.phase is not Phase.CARRY_OUT or todo is None:
        return None
    if not isinstance(wrong, Mismatch):
        wrong = Mismatch({}, frozenset())
    if not wrong.missing.keys() <= {todo.move.pawn} or not wrong.extra <= {todo.origin}:
        return None
    move, by_key = todo.move, todo.unsensed and not state.trusted and bool(wrong.missing) and not wrong.extra
    if state.urgency(now) > 1 and not by_key:
        return None
    return Ask(Kind.CARRY_OUT, (CONFIRM,) * by_key, (move.pawn,), move.to, (move.ticket,), unsensed=by_key)


def _put_right(state: State, now: float) -> Ask | None:
    """Return the request to correct a mismatch, or None if nothing is wrong.

    When the mismatch is shown insistently, or nothing is sensed at all, a key can declare a switch out of order.
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
    """Return the request about a pawn that is back where it came from, or None if there is none."""
    back = state.reading
    if not isinstance(back, Returned):
        return None
    kind, keys = (Kind.BACK_OR_NOT, (CONFIRM, BACK)) if back.ambiguous else (Kind.TAKES_BACK, ())
    return Ask(kind, keys, (back.pawn,), back.to or 0)


def _go_on(state: State, view: PublicView, now: float) -> Ask:
    """Return the request for the next step of the game. Call it only if nothing is wrong or unclear."""
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
    """Return the question which of these moves was made. All are one pawn's moves to one station."""
    pawns, to = (asked[0].pawn,), asked[0].to
    tickets = tuple(move.ticket for move in asked)
    if tickets in _YES_OR_NO:
        return Ask(_YES_OR_NO[tickets], (CONFIRM, BACK), pawns, to, tickets)
    answers = tuple(f"table.{ticket}" for ticket in tickets) if len(tickets) > 1 else (CONFIRM,)
    kind = Kind.STAYS if tickets == (STAY,) else Kind.WENT_BACK if tickets == (RETURN,) else Kind.WENT
    return Ask(kind, (*answers, BACK), pawns, to, tickets)


def _cancelled(moves: tuple[PawnMove, ...], *, late: bool) -> Ask:
    """Return the request to put a pawn elsewhere, because its move was cancelled.

    If that takes long, CONFIRM says that the pawn stands elsewhere, although the switch shows it there.
    """
    return Ask(Kind.CANCELLED, (CONFIRM,) * late, tuple(dict.fromkeys(move.pawn for move in moves)), moves[0].to)


def _roll(view: PublicView, dice: ToRoll, entered: tuple[str, ...]) -> Ask:
    """Return the request to roll real dice and enter their faces, or to make the table roll (DI-13)."""
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
    if view.mr_x_to_move:
        return _mr_x_turn(view, reading if isinstance(reading, Settled) and not state.trusted else Settled(), late=late)
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
    """Return the request to move a pawn when all are at home. Moves that no switch senses need a key."""
    reading, ignored = state.reading, state.board.ignored
    if {move.ticket for move in view.moves} == {STAY}:
        return Ask(Kind.CAN_ONLY_STAY, (CONFIRM, *extras), view.turn)
    if isinstance(reading, Settled) and any(move.ticket == STAY or not state.trusted for move in reading.silent):
        return Ask(Kind.MOVE_OR_CONFIRM, (CONFIRM, *extras), view.turn)
    may_be_missed = any(view.pawns.get(pawn) in ignored for pawn in view.turn) or (late and bool(ignored))
    unsensed = may_be_missed and isinstance(reading, Settled)  # no switch reports its leaving, nor its arrival
    return Ask(Kind.MOVE, (*(CONFIRM,) * unsensed, *extras), view.turn, unsensed=unsensed)


def _mr_x_turn(view: PublicView, reading: Settled, *, late: bool) -> Ask:
    """Return the request to Mister X to move, with the handset or visibly with his pawn."""
    if reading.silent:
        return Ask(Kind.MR_X_MOVED, (CONFIRM,), view.turn)
    unsensed = late and bool(reading.unsensed)
    return Ask(Kind.MR_X_MOVES, (CONFIRM,) * unsensed, view.turn, unsensed=unsensed)


def _lingering(state: State, view: PublicView, ask: Ask) -> Ask:
    """Return the request, with another question if Mister X has left a station and a pawn is still sensed there.

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
    """Build the scene: everything that the table shows at this moment.

    Args:
        state: what the referee remembers.
        now: clock seconds.
        place: returns where people find the switch under a station.
        hints: what the coach says, if there is one.
        names: seat -> the name of the person who plays there.
        last_moves: each pawn's last visible move.
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
        trusted=state.trusted,
    )


def _to_people(hints: CoachHints, view: PublicView | None, seats: Seats) -> CoachHints:
    """Return the coach's hints without advice for pawns that computers move."""
    advised = hints.advice is not None and hints.advice.pawn in computer_pawns(view, seats)
    return replace(hints, advice=None) if advised else hints
