"""All that the referee keeps in mind, in one frozen record, and how long things have to last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from firmware_host.referee.announcements import Announcement
from firmware_host.referee.device_health import Health
from firmware_host.referee.known_board import KnownBoard
from firmware_host.referee.open_questions import Asking
from firmware_host.referee.scene import Ambiguous, Mismatch, Moved, Phase, Reading, Returned, Settled, ToCarryOut
from firmware_host.referee.undo_result import Undo
from firmware_host.rules.views import PublicView

SAME_MOMENT = 1e-9
"""Seconds that make no difference: sums of times are not exact."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long things have to last, in seconds.

    Attributes:
        settle: a reading, before it counts.
        slide: the same where the pawn could legally be on its way to the next station (PB-03).
        wrong: a mismatch, before it is shown.
        insist: a mismatch, before it is shown insistently and a switch may be declared out of order.
    """

    settle: float = 0.3
    slide: float = 0.6
    wrong: float = 1.0
    insist: float = 4.0


@dataclass(frozen=True, slots=True)
class State:
    """One moment of the referee. States compare and hash by all that they hold.

    Attributes:
        patience: how long things have to last.
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
    """

    patience: Patience = Patience()
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

    def quiet_for(self, now: float, seconds: float) -> bool:
        """Return whether the switches have said nothing new for so long."""
        return now - self.quiet_since + SAME_MOMENT >= seconds

    def late(self, now: float) -> bool:
        """Return whether so long nothing has changed, or so much was denied, that a switch may miss what was done."""
        return self.asking.declined or self.quiet_for(now, self.patience.insist)

    def wrong(self, now: float) -> int:
        """Return how urgently a mismatch is shown: 0 not yet, 1 shown, 2 insistently."""
        if self.wrong_since is None:
            return 0
        if self._insists(now) and not self._unlaid:
            return 2
        if self._only_unattested and self.quiet_for(now, self.patience.settle):
            return 2
        shown = now - self.wrong_since + SAME_MOMENT >= self.patience.wrong
        return 1 if shown or self.phase is not Phase.PLAY else 0

    def next_due(self, now: float) -> float:
        """Return when something is due next if nothing else happens; infinity if nothing is."""
        patience = self.patience
        waits = (patience.settle, patience.slide, patience.insist)
        times = [self.board.register.due, *(self.quiet_since + wait for wait in waits)]
        if self.wrong_since is not None:
            times += [self.wrong_since + patience.wrong, self.same_since + self._insist]
        return min((time for time in times if time > now), default=float("inf"))

    @property
    def begins(self) -> bool:
        """Whether the pawns are set up for a game of which nothing has been played, be it after a restart."""
        return self.phase is Phase.SET_UP or (self.phase is Phase.RESUME and self.unplayed)

    @property
    def _insist(self) -> float:
        """Setting up takes longer than putting one pawn right; so does seeing that a computer has moved one."""
        lifted = self.phase is Phase.CARRY_OUT and isinstance(self.reading, Mismatch) and not self.reading.extra
        return self.patience.insist * (1 if self.phase is Phase.PLAY or lifted else 5)

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
        return now - self.same_since + SAME_MOMENT >= self._insist

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
        if isinstance(reading, Returned) and reading.doubtful and reading.to is not None:
            board = board.doubt(reading.to)
        return board, asking.withdraw(reading, now)
