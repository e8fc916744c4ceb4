"""What the referee keeps in mind of the table beyond the game itself, and for how long things have to last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware_host.referee.device_health import Health
from firmware_host.referee.events import Board
from firmware_host.referee.mr_x_pawns import Figures, stands
from firmware_host.referee.occupancy import mr_x_stations
from firmware_host.referee.questions import NO_QUESTIONS, Questions
from firmware_host.referee.scene import HERE, HIS, RETURN, Ambiguous, Mismatch, Moved, Reading, Returned, Settled
from firmware_host.referee.switch_register import Masks
from firmware_host.rules.actions import PawnMove
from firmware_host.rules.views import PublicView


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


@dataclass(slots=True)
class Memory:
    """What the referee remembers of the board beyond the game itself."""

    occupied: frozenset[int] = frozenset()
    unwell: frozenset[int] = frozenset()
    felt: bool = False  # whether the switches have said anything since it was known which are out of order
    leapt: bool = False  # what is felt may have come about by no hand
    shadowed: frozenset[int] = frozenset()  # closed all the time since a pawn close by stood still: by it, or stuck
    masks: Masks = field(default_factory=Masks)
    quiet_since: float = 0.0
    wrong_since: float | None = None  # some mismatch
    same_since: float = 0.0  # this very mismatch
    figures: Figures = field(default_factory=Figures)
    questions: Questions = NO_QUESTIONS
    asked_at: float = 0.0  # when the table last began to ask by itself
    unheeded: bool = False  # whether it asks by itself, and nobody has pressed a key since
    doubted: frozenset[int] = frozenset()  # closed when it was asked about them, since the last move
    his: frozenset[int] = frozenset()  # where a pawn of Mister X's stands, somebody has said since the last move
    attested: frozenset[int] = frozenset()  # not listened to; a pawn was set up there, somebody has said in this game
    declined: bool = False  # all that was likely was denied, for this very reading
    put_by: tuple[tuple[Reading, float, Questions, bool], ...] = ()  # what was asked or denied of readings before
    entered: tuple[str, ...] = ()  # dice rolled by hand
    ailing: Mapping[str, Health] = field(default_factory=dict)
    paused: str = ""
    blamed: frozenset[int] = frozenset()  # the stations whose switch a key has found out of order, to be told
    blamed_at: float = 0.0

    def withdraw(self, reading: Reading, now: float) -> None:
        """What was asked about a reading, or denied, is put by: the board has changed, and may change back at once."""
        if self.questions or self.declined:
            others = [one for one in self.put_by if one[0] != reading]
            self.put_by = (*others[-1:], (reading, now, self.questions, self.declined))
        if not isinstance(reading, Moved):  # there only the ticket was asked for
            self._doubt()
        if isinstance(reading, Returned) and reading.doubtful and reading.to in self.occupied:
            self.doubted |= {reading.to}
        self.questions, self.declined = NO_QUESTIONS, False

    def _doubt(self) -> None:
        """What closes a switch was asked for, and nobody has said that it is a pawn."""
        self.doubted |= self.occupied & {move.to for move in self.questions.asked}

    def doubts(self, reading: Reading) -> bool:
        """Whether a pawn seems to have come where it was asked about before: it may be no more than was felt then."""
        if isinstance(reading, Returned):
            return reading.to in self.doubted
        return isinstance(reading, Moved) and any(move.to in self.doubted for move in reading.moves)

    def moved(self) -> None:
        """The game has changed: what was asked before is no more."""
        self.questions, self.put_by, self.entered = NO_QUESTIONS, (), ()
        self.doubted = self.his = frozenset()

    def go_on(self, reading: Reading) -> None:
        """The back key: the next question; past the last one none is asked, unless something has moved for sure."""
        self._doubt()
        self.unheeded = False
        self.declined = self.questions.last and not isinstance(reading, Moved | Ambiguous)
        self.questions = NO_QUESTIONS if self.declined else self.questions.next()

    def ask(self, questions: Questions, now: float) -> None:
        """The table asks by itself, or has nothing to ask."""
        if questions and questions != self.questions:
            self.asked_at = now
        self.questions, self.unheeded = questions, True

    def ask_again(self, reading: Reading, now: float, within: float) -> None:
        """What was put by `within` these seconds is asked again, or stays denied, if the board is read as then."""
        if not self.questions and not self.declined:
            for then, when, questions, declined in self.put_by:
                if then == reading and when >= now - within:
                    self.ask(questions, now)
                    self.declined, self.unheeded = declined, False

    def feels(self, board: Board, view: PublicView | None, reading: Reading, now: float, *, shown: bool) -> None:
        """The switches say something new; `reading` is what they said before.

        What was `shown` to be cleared, and stays closed while a pawn leaves, is no proof that it has come there.
        One that has chattered and comes to rest closed where nothing should stand is stuck there.
        """
        if (board.occupied ^ self.occupied) - self.masks.stations or board.unwell != self.unwell:
            self.withdraw(reading, now)
            self.quiet_since = now
        if view is not None:
            there = stands(view) | mr_x_stations(view) | self.figures.left
            for station in (self.unwell - board.unwell) & (board.occupied - there):
                self.masks.add(station, closed=True)
        if shown and isinstance(reading, Mismatch):
            self.doubted |= reading.extra & board.occupied
        self.felt, self.occupied, self.unwell = True, board.occupied, board.unwell
        self.shadowed &= board.occupied
        self.leapt |= board.leapt

    def settled(self, view: PublicView) -> None:
        """All that is felt is as it should be."""
        self.leapt = False
        self.shadowed = self.occupied - stands(view) - mr_x_stations(view) - self.unheard
        self.figures.watch(view, self.occupied)

    @property
    def unheard(self) -> frozenset[int]:
        """The stations whose switch is not listened to."""
        return self.masks.stations | self.unwell

    def unattested(self, view: PublicView) -> frozenset[int]:
        """The stations that are not listened to, and on which a pawn has to be set up that nobody has vouched for."""
        return (self.unheard & stands(view)) - self.attested

    def asked_for(self, view: PublicView, reading: Reading) -> tuple[dict[str, int], frozenset[int]]:
        """Mister X's pawns that have to be set down, pawn -> station; and the stations that they have to be taken off.

        What is not listened to asks for nothing.
        """
        absent = self.figures.absent(view, self.occupied, wrong=isinstance(reading, Mismatch)).items()
        away = (view.stale | self.figures.left) & self.occupied - stands(view)
        return {pawn: station for pawn, station in absent if station not in self.unheard}, away - self.unheard

    def astray(self, view: PublicView, reading: Reading) -> bool:
        """Whether more is wrong than one switch can be to blame for: pawns are plainly elsewhere."""
        if not isinstance(reading, Mismatch):
            return False
        return reading.several or bool(reading.extra and self.figures.astray(view, self.occupied))

    def blame(self, known: frozenset[int], now: float) -> None:
        """A key was pressed: what is told from now on if it has found more switches out of order than were `known`."""
        if found := self.masks.stations - known:
            self.blamed, self.blamed_at = found, now

    def told(self, move: PawnMove, reading: Reading) -> None:
        """A key has said that it is no move: it is Mister X's pawn that is felt, or a switch is out of order."""
        self.questions = NO_QUESTIONS
        if move.ticket == HIS:
            self.figures.stands_on(move.to)
            self.his |= {move.to}
        elif move.ticket == HERE and isinstance(reading, Ambiguous):  # what is felt elsewhere is no pawn of theirs
            for station in self.occupied & {other.to for other in reading.moves if other.pawn == move.pawn}:
                self.mask(station)
        else:
            self.mask(move.to)
            self.attested |= {move.to}

    def attest(self, station: int) -> None:
        """Somebody has said what is under a station: its switch, if it is listened to, is out of order."""
        self.attested |= {station}
        if station not in self.unheard:
            self.mask(station)

    def mask(self, station: int) -> None:
        """The switch under a station is out of order, says somebody."""
        self.masks.add(station, closed=station in self.occupied)

    def vouched(self, view: PublicView, move: PawnMove, reading: Reading) -> None:
        """A key has said that a pawn has moved, or has never come: a switch that says otherwise is out of order."""
        there = move.ticket != RETURN or view.pawns.get(move.pawn) != move.to
        self.moves_on(view, move.pawn)
        if there and move.to not in self.occupied:
            self.mask(move.to)
        if move.ticket == RETURN:
            self.never_there(view, move.pawn)
            return
        sticks = isinstance(reading, Settled) and move not in reading.silent and self._left(view, move.pawn)
        if sticks or isinstance(reading, Mismatch):  # it has left a switch behind that is stuck
            self.mask(view.pawns[move.pawn])

    def _left(self, view: PublicView, pawn: str) -> bool:
        """Whether the switch under a pawn must be stuck if it is closed though that pawn has gone."""
        others = {station for other, station in view.pawns.items() if other != pawn}
        return view.pawns.get(pawn, 0) in self.occupied - others - view.stale

    def moves_on(self, view: PublicView, pawn: str) -> None:
        """A pawn has left its station, forth or back: a switch that stays closed there is nobody's arrival later."""
        self.shadowed |= self.occupied & {view.pawns.get(pawn, 0)}

    def never_there(self, view: PublicView, pawn: str) -> None:
        """A key has said that a pawn is not where it went: a switch that feels it there is out of order."""
        others = {station for other, station in view.pawns.items() if other != pawn}
        if view.pawns[pawn] in self.occupied - others:
            self.mask(view.pawns[pawn])

    def not_back(self, view: PublicView, back: Returned) -> None:
        """A key has said that a pawn stands where it went: the switch that does not feel it there is out of order.

        If that one does, or is known to be, it is the one where the pawn came from, which feels it still; or it feels
        Mister X's own pawn, where that belongs.
        """
        here = view.pawns[back.pawn]
        if here not in self.occupied | self.unheard:
            self.mask(here)
        elif back.to is not None and back.to in mr_x_stations(view):
            self.figures.stands_on(back.to)
            self.his |= {back.to}
        elif back.to is not None:
            self.mask(back.to)
