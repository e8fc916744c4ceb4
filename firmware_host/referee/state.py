"""The referee's state: one frozen record of all that it remembers, and how the board is read into it.

Nothing is decided here; see `transitions`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from firmware_host.referee.board_reading import as_ambiguous, guide_computer_pawn, guide_mr_x_pawns, guide_pawns, read
from firmware_host.referee.known_board import KnownBoard
from firmware_host.referee.questions import Asking
from firmware_host.referee.readings import (
    RETURN,
    SAME_MOMENT,
    SETTING_UP,
    STATEMENTS,
    Ambiguous,
    InHand,
    Mismatch,
    Moved,
    Patience,
    Reading,
    Returned,
    Settled,
)
from firmware_host.referee.scene import Announcement, Health, Phase, ToCarryOut, Undo
from firmware_host.rules.actions import MR_X, PawnMove
from firmware_host.rules.views import PublicView


@dataclass(frozen=True, slots=True)
class State:
    """One moment of the referee. All times are clock seconds.

    Attributes:
        patience: how long a reading must last.
        take_back: whether a pawn that is put back where it came from takes its move back.
        phase: where the evening is.
        since: when this phase, this length of the log, or the end began.
        before: the game before the last move, if that move may still be taken back.
        undo: what Undo takes back in a game with computers; None if people alone play.
        unplayed: whether nothing of the game has been played yet.
        goes_home: whether every pawn has to go home first, because moves were taken back on a page.
        to_carry_out: the computer's move that people have yet to make on the board, in that phase.
        to_lay: whether tiles have to be laid before the game begins.
        announcement: what has just happened and the board does not show, or None.
        board: what is known of the board.
        reading: what the switches mean.
        asking: what the table asks.
        entered: the entered faces of dice that players have rolled.
        quiet_since: when the switches last reported something new.
        wrong_since: since when there is a mismatch, or None.
        same_since: since when the reading is the same.
        ailing: the devices that are degraded or lost.
        paused: why the game has to wait, or "".
        blamed: the stations whose switch a key has declared out of order, to be announced.
        blamed_at: when the key did.
        reliable: whether the switches are known to be right, as simulated hands know it. No key that contradicts them
            is offered then.
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
    reliable: bool = False

    # ---- how long it has lasted ----

    def quiet_for(self, now: float, seconds: float) -> bool:
        """Return whether the switches have reported nothing new for at least `seconds` seconds."""
        return now - self.quiet_since + SAME_MOMENT >= seconds

    def is_late(self, now: float) -> bool:
        """Return whether a switch seems to have missed something: nothing has changed for long, or all was denied."""
        return not self.reliable and (self.asking.declined or self.quiet_for(now, self.patience.insist))

    def urgency(self, now: float) -> int:
        """Return how urgently a mismatch is shown: 0 not yet, 1 shown, 2 insistently."""
        if self.wrong_since is None or (self.reliable and self._only_to_carry_out):
            return 0
        if self._insists(now) and not self._is_bare:
            return 2
        if self._only_unconfirmed and self.quiet_for(now, self.patience.settle):
            return 2
        shown = now - self.wrong_since + SAME_MOMENT >= self.patience.wrong
        return 1 if shown or self.phase is not Phase.PLAY else 0

    def all_unsensed(self, now: float) -> bool:
        """Return whether no pawn has been sensed for long: nobody has begun to set up, or every switch is dead.

        No switch is to blame for that, and nothing insists. But a key can confirm that all pawns are set up.
        """
        return self._is_bare and self._insists(now)

    def next_due(self, now: float) -> float:
        """Return when something is due next if nothing else happens, or infinity if nothing is."""
        patience = self.patience
        waits = (patience.settle, patience.slide, patience.insist)
        times = [self.board.register.due, *(self.quiet_since + wait for wait in waits)]
        if self.wrong_since is not None:
            times += [self.wrong_since + patience.wrong, self.same_since + self._insist]
        return min((time for time in times if time > now), default=float("inf"))

    def _insists(self, now: float) -> bool:
        return not self.reliable and now - self.same_since + SAME_MOMENT >= self._insist

    @property
    def _insist(self) -> float:
        """Seconds before a mismatch insists: to set up takes longer than to put down one pawn that is lifted."""
        lifted = self.phase is Phase.CARRY_OUT and isinstance(self.reading, Mismatch) and not self.reading.extra
        return self.patience.insist * (1 if self.phase is Phase.PLAY or lifted else SETTING_UP)

    @property
    def _is_bare(self) -> bool:
        """Return whether setting up has not started: several pawns are missing, and none is sensed."""
        several = isinstance(self.reading, Mismatch) and len(self.reading.missing) > 1
        return self.phase is Phase.SET_UP and several and not self.board.occupied

    @property
    def _only_to_carry_out(self) -> bool:
        """Return whether only the pawn that people must move for a computer is wrong."""
        todo, wrong = self.to_carry_out, self.reading
        if self.phase is not Phase.CARRY_OUT or todo is None or not isinstance(wrong, Mismatch):
            return False
        return wrong.missing.keys() <= {todo.move.pawn} and wrong.extra <= {todo.origin}

    @property
    def _only_unconfirmed(self) -> bool:
        """Return whether only pawns on ignored stations are wrong, which a key must confirm.

        That occurs while a game is set up, and while pawns go home after moves were taken back.
        """
        wrong = self.reading
        if not (self.is_beginning or self.goes_home) or not isinstance(wrong, Mismatch) or wrong.extra:
            return False
        return self.board.ignored.issuperset(wrong.missing.values())

    # ---- what is on the board ----

    @property
    def is_beginning(self) -> bool:
        """Return whether pawns are set up for an unplayed game, perhaps after a restart."""
        return self.phase is Phase.SET_UP or (self.phase is Phase.RESUME and self.unplayed)

    @property
    def shown_moves(self) -> tuple[PawnMove, ...]:
        """The moves that the switches show in play, none of which has been played."""
        moves = self.reading.moves if isinstance(self.reading, Moved | Ambiguous) else ()
        return tuple(move for move in moves if move.ticket != RETURN) if self.phase is Phase.PLAY else ()

    @property
    def mr_x_pawns(self) -> tuple[Mapping[str, int], frozenset[int]]:
        """Mister X's pawns to be set down, pawn -> station, and the stations to take his pawns off."""
        if self.board.view is None or self.phase is Phase.OVER:
            return {}, frozenset()
        set_down, take_off = guide_mr_x_pawns(self.board, self.reading, is_beginning=self.is_beginning)
        if self.phase is Phase.CARRY_OUT and self.to_carry_out is not None:
            take_off -= {self.to_carry_out.origin}  # the computer's pawn is there, and leaves
        return set_down, take_off

    # ---- what follows ----

    def updated(self, board: KnownBoard, asking: Asking) -> State:
        """Return the state with another board and other questions, or the same state if neither has changed."""
        same = board is self.board and asking is self.asking
        return self if same else replace(self, board=board, asking=asking)

    def withdraw_question(self, now: float) -> tuple[KnownBoard, Asking]:
        """Return the board and the questions after the reading has changed: the present question is withdrawn.

        What the question was about remains suspect, as nobody has answered.
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
    """Return the state with the board read again."""
    state = state.updated(state.board.trust_again(now), state.asking)
    if (todo := state.to_carry_out) is not None and todo.unsensed:
        # From now on its switch can report the computer's pawn: it has opened, or people have confirmed the pawn.
        station, board = todo.move.to, state.board
        if station in board.confirmed or station not in board.occupied | board.ignored:
            state = replace(state, to_carry_out=replace(todo, unsensed=False))
    reading = _read(state)
    if state.board.view is not None and (back := state.board.pawns.find_put_back(state.board.here, reading)):
        state = state.updated(replace(state.board, pawns=state.board.pawns.stands_on(*back)), state.asking)
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
    """Return the state after people have confirmed or denied something: the new reading has to last, too."""
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
    """Return the game before the last move, if putting the pawn back takes that move back.

    Mister X's pawn cannot come back from where it was never sensed.
    """
    board, before, at = state.board, state.before, state.board.here.view.pawns.get(MR_X, 0)
    if before is None or state.phase is not Phase.PLAY:
        return None
    unseen = before.his_turn and not board.pawns.was_seen(at) and at not in board.ignored
    return None if unseen else before
