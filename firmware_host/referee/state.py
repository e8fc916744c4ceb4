"""All that the referee keeps in mind, in one frozen record, and what news changes in it.

Nothing is decided here; see `transitions`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from firmware_host.referee.board_reading import as_doubtful, guide_computer_pawn, guide_mr_x_pawns, guide_pawns, read
from firmware_host.referee.known_board import KnownBoard
from firmware_host.referee.questions import Asking
from firmware_host.referee.readings import (
    FELT,
    RETURN,
    SAME_MOMENT,
    SETTING_UP,
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
    """One moment of the referee. States compare and hash by all that they hold.

    Attributes:
        patience: how long things have to last.
        take_back: whether a pawn that is put back where it came from takes its move back.
        phase: where the evening is.
        since: when this phase, this log length, or the end came about. All times are clock seconds.
        before: the game as it was before the last move, if that move may still be taken back.
        undo: what is taken back past computers' moves if somebody asks for it; None if people alone play.
        unplayed: whether nothing of the game has been played yet.
        home: whether every pawn has to go back first to where it stood: moves were taken back.
        to_carry_out: the computer's move that hands have yet to make, in that phase.
        to_lay: whether tiles have to be laid before the game begins.
        announcement: what has just happened and the board does not show, or None.
        board: what is known of the board.
        reading: what the switches say of the game.
        asking: what the table asks.
        entered: the faces of dice rolled by hand that have been entered so far.
        quiet_since: when the switches last said something new.
        wrong_since: since when there is a mismatch, or None.
        same_since: since when there is this very reading.
        ailing: the devices that are degraded or lost.
        paused: why the game has to wait, or "".
        blamed: the stations whose switch a key has found out of order, to be told.
        blamed_at: when it has.
        sure: whether the switches are known to report what stands on the board, as simulated hands know it: then no key
            is offered that says otherwise.
    """

    patience: Patience = field(default_factory=Patience)
    take_back: bool = True
    phase: Phase = Phase.NO_GAME
    since: float = 0.0
    before: PublicView | None = field(default=None, hash=False)
    undo: Undo | None = None
    unplayed: bool = False
    home: bool = False
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
    sure: bool = False

    def quiet_for(self, now: float, seconds: float) -> bool:
        """Return whether the switches have said nothing new for so long."""
        return now - self.quiet_since + SAME_MOMENT >= seconds

    def late(self, now: float) -> bool:
        """Return whether so long nothing has changed, or so much was denied, that a switch may miss what was done."""
        return not self.sure and (self.asking.declined or self.quiet_for(now, self.patience.insist))

    def wrong(self, now: float) -> int:
        """Return how urgently a mismatch is shown: 0 not yet, 1 shown, 2 insistently."""
        if self.wrong_since is None or (self.sure and self._only_to_carry_out):
            return 0
        if self._insists(now) and not self._unlaid:
            return 2
        if self._only_unattested and self.quiet_for(now, self.patience.settle):
            return 2
        shown = now - self.wrong_since + SAME_MOMENT >= self.patience.wrong
        return 1 if shown or self.phase is not Phase.PLAY else 0

    @property
    def _only_to_carry_out(self) -> bool:
        """Whether nothing stands wrong but a pawn that hands have yet to move after a computer."""
        todo, wrong = self.to_carry_out, self.reading
        if self.phase is not Phase.CARRY_OUT or todo is None or not isinstance(wrong, Mismatch):
            return False
        return wrong.missing.keys() <= {todo.move.pawn} and wrong.extra <= {todo.origin}

    @property
    def shown(self) -> tuple[PawnMove, ...]:
        """The moves between which the switches leave the choice, in play: none of them has been played."""
        moves = self.reading.moves if isinstance(self.reading, Moved | Ambiguous) else ()
        return tuple(move for move in moves if move.ticket != RETURN) if self.phase is Phase.PLAY else ()

    def next_due(self, now: float) -> float:
        """Return when something is due next if nothing else happens; infinity if nothing is."""
        patience = self.patience
        waits = (patience.settle, patience.slide, patience.insist)
        times = [self.board.register.due, *(self.quiet_since + wait for wait in waits)]
        if self.wrong_since is not None:
            times += [self.wrong_since + patience.wrong, self.same_since + self._insist]
        return min((time for time in times if time > now), default=float("inf"))

    @property
    def mr_x_pawns(self) -> tuple[Mapping[str, int], frozenset[int]]:
        """Mister X's pawns to be set down, pawn -> station; and the stations that they have to be taken off."""
        if self.board.view is None or self.phase is Phase.OVER:
            return {}, frozenset()
        set_down, take_off = guide_mr_x_pawns(self.board, self.reading, begins=self.begins)
        if self.phase is Phase.CARRY_OUT and self.to_carry_out is not None:
            take_off -= {self.to_carry_out.origin}  # the computer's pawn stands there, and leaves
        return set_down, take_off

    @property
    def begins(self) -> bool:
        """Whether the pawns are set up for a game of which nothing has been played, be it after a restart."""
        return self.phase is Phase.SET_UP or (self.phase is Phase.RESUME and self.unplayed)

    @property
    def _insist(self) -> float:
        """Seconds: setting up takes longer than putting right one pawn that was lifted already."""
        lifted = self.phase is Phase.CARRY_OUT and isinstance(self.reading, Mismatch) and not self.reading.extra
        return self.patience.insist * (1 if self.phase is Phase.PLAY or lifted else SETTING_UP)

    @property
    def _only_unattested(self) -> bool:
        """Whether all stands right but for pawns on stations that are not listened to: there a key has to tell.

        That is so when a game is set up, and when pawns go home as moves were taken back.
        """
        wrong = self.reading
        if not (self.begins or self.home) or not isinstance(wrong, Mismatch) or wrong.extra:
            return False
        return self.board.unheard.issuperset(wrong.missing.values())

    def all_unfelt(self, now: float) -> bool:
        """Return whether for long no pawn was felt: nobody has begun to set up, or all stand on switches that are dead.

        No switch is blamed for that, and nothing insists; but somebody can say that all is done.
        """
        return self._unlaid and self._insists(now)

    def _insists(self, now: float) -> bool:
        return not self.sure and now - self.same_since + SAME_MOMENT >= self._insist

    @property
    def _unlaid(self) -> bool:
        """Whether nobody seems to have begun to set up: several pawns are not there, and none is."""
        several = isinstance(self.reading, Mismatch) and len(self.reading.missing) > 1
        return self.phase is Phase.SET_UP and several and not self.board.occupied

    def knowing(self, board: KnownBoard, asking: Asking) -> State:
        """Return the state with this known of the board, and this asked; the same state if it is so already."""
        same = board is self.board and asking is self.asking
        return self if same else replace(self, board=board, asking=asking)

    def withdrawn(self, board: KnownBoard, asking: Asking, now: float) -> tuple[KnownBoard, Asking]:
        """Return what is known and asked once the board has changed: what was asked of the reading is put by."""
        reading, questions = self.reading, asking.questions
        if questions.each and not isinstance(reading, Moved):  # there only the ticket was asked for
            meant = (m for each in questions.each for m in each) if isinstance(reading, Ambiguous) else questions.asked
            board = board.doubt(*(move.to for move in meant))
        if not isinstance(reading, Moved | Ambiguous):
            board = board.question(*(move.pawn for move in questions.asked if move.ticket in FELT))
        if isinstance(reading, Returned) and reading.doubtful and reading.to is not None:
            board = board.doubt(reading.to)
        return board, asking.withdraw(reading, now)


def look(state: State, now: float) -> State:
    """Return the state after the board was read afresh."""
    return look_at(state, state.board, state.asking, state.quiet_since, now)


def look_at(state: State, board: KnownBoard, asking: Asking, quiet_since: float, now: float) -> State:
    """Return the state after the board was read, of which something new may be known."""
    board = board.heal(now)
    if state.to_carry_out is not None:
        state = replace(state, to_carry_out=_can_tell(state.to_carry_out, board))
    reading = _read(state, board)
    if board.view is not None and (back := board.pawns.put_back(board.here, reading)):
        board = replace(board, pawns=board.pawns.stands_on(*back))
        reading = _read(state, board)
    if board.leapt or board.doubts(reading):
        reading = as_doubtful(reading)
    reading = board.likeliest_first(reading, state.reading)
    wrong_since, same_since = state.wrong_since, state.same_since
    if reading != state.reading:
        (board, asking), same_since = state.withdrawn(board, asking, now), now
    if not isinstance(reading, Mismatch):
        wrong_since = None
    elif wrong_since is None:
        wrong_since = same_since = now
    return replace(
        state, board=board, reading=reading, asking=asking,
        quiet_since=quiet_since, wrong_since=wrong_since, same_since=same_since,
    )  # fmt: skip


def look_anew(state: State, now: float) -> State:
    """Return the state after somebody has said what is felt: what is read now has to last, too."""
    return look(replace(state, quiet_since=now, same_since=now), now)


def _can_tell(todo: ToCarryOut, board: KnownBoard) -> ToCarryOut:
    """Return what hands have yet to do: a switch that has opened can tell that a pawn comes, or somebody has told."""
    station = todo.move.to
    told = station in board.attested or station not in board.occupied | board.unheard
    return replace(todo, unfelt=False) if todo.unfelt and told else todo


def _read(state: State, board: KnownBoard) -> Reading:
    """Return what the switches say of the game in this phase."""
    if board.view is None or state.phase is Phase.OVER:
        return Settled()
    here = board.here
    if state.phase is Phase.CARRY_OUT and state.to_carry_out is not None:
        return guide_computer_pawn(state.to_carry_out, here)
    unseen = board.unattested if state.begins or state.home else frozenset[int]()
    if unseen or state.phase is Phase.SET_UP or state.home:
        return guide_pawns(here, unseen)
    reading = read(here, _before(state, board))
    cleared = isinstance(reading, InHand) and len(reading.pawns) > 1  # nobody holds so many: all are to be set up
    if (cleared or isinstance(reading, Mismatch)) and state.phase is not Phase.PLAY:
        return guide_pawns(here)
    return reading


def _before(state: State, board: KnownBoard) -> PublicView | None:
    """Return the game before the last move, if a pawn that stands there again takes that move back.

    Mister X's pawn cannot have come back from where it was never felt.
    """
    before, his = state.before, board.here.view.pawns.get(MR_X, 0)
    if before is None or state.phase is not Phase.PLAY:
        return None
    unseen = before.his_turn and not board.pawns.seen(his) and his not in board.unheard
    return None if unseen else before
