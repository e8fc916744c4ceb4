"""Ask about moves that the switches cannot distinguish, and remember the questions.

A question is about one pawn and one station, with all the tickets that lead there. Questions are asked one after the
other. The back key goes on to the next one; the confirm key or a ticket's key answers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace

from firmware_host.referee.board_reading import moves_off_stuck_switches, moves_undone_unsensed, pawns_still_there
from firmware_host.referee.events import Entry, Play, TakeBack
from firmware_host.referee.known_board import Occupancy
from firmware_host.referee.readings import (
    EMPTY,
    HERE,
    MR_X_PAWN,
    RETURN,
    STATEMENTS,
    UNDO,
    Ambiguous,
    InHand,
    Mismatch,
    Moved,
    Reading,
    Settled,
)
from firmware_host.rules.actions import FUGITIVES, START, STAY, MrXMove, PawnMove
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import PublicView


@dataclass(frozen=True, slots=True)
class Questions:
    """A list of questions that the back key goes through one after the other.

    Attributes:
        each: the questions, each as the moves that it is about.
        at: the index of the question that is asked; -1 while none is asked, until the back key goes to the first.
    """

    each: tuple[tuple[PawnMove, ...], ...] = ()
    at: int = 0

    def __bool__(self) -> bool:
        return bool(self.each)

    @property
    def asked(self) -> tuple[PawnMove, ...]:
        """The moves that the current question is about."""
        return self.each[self.at] if self.each and self.at >= 0 else ()

    @property
    def more(self) -> bool:
        """Whether the back key leads to another question."""
        return len(self.each) > 1 or self.at < 0

    @property
    def last(self) -> bool:
        """Whether the current question is the last of the list."""
        return self.at == len(self.each) - 1

    def next(self) -> Questions:
        """Return the same list at its next question. After the last question comes the first again."""
        return replace(self, at=(self.at + 1) % len(self.each)) if self.each and self.more else self


NO_QUESTIONS = Questions()


@dataclass(frozen=True, slots=True)
class WithdrawnQuestion:
    """The questions of an earlier reading, which the table asks again if that reading returns soon.

    Attributes:
        reading: the reading.
        at: clock seconds at which the reading changed.
        questions: the questions of that reading.
        declined: whether the players denied all of them.
    """

    reading: Reading = field(hash=False)
    at: float
    questions: Questions
    declined: bool


@dataclass(frozen=True, slots=True)
class Asking:
    """The state of the table's questions. Every method but `asked_before` returns the state after an event.

    Attributes:
        questions: the list that the table asks from; empty if it asks nothing.
        asked_at: clock seconds at which the table last started to ask unprompted.
        unanswered: whether the table asks unprompted, and nobody has pressed a key since.
        declined: whether people have denied every likely answer since the reading last changed.
        cancelled: whether people have cancelled the move that the switches show now.
        withdrawn: the questions asked or denied at the previous two readings.
    """

    questions: Questions = NO_QUESTIONS
    asked_at: float = 0.0
    unanswered: bool = False
    declined: bool = False
    cancelled: bool = False
    withdrawn: tuple[WithdrawnQuestion, ...] = ()

    def ask_unprompted(self, questions: Questions, now: float) -> Asking:
        """Ask these questions although no key was pressed. If there are none, ask nothing."""
        if self.unanswered and questions == self.questions:
            return self
        begins = questions and questions != self.questions
        return replace(self, questions=questions, unanswered=True, asked_at=now if begins else self.asked_at)

    def ask_on_key(self, questions: Questions) -> Asking:
        """Ask these questions because a key was pressed."""
        return replace(self, questions=questions, unanswered=False)

    def ask_next(self, reading: Reading) -> Asking:
        """Ask the next question. After the last, cancel the move that the switches show, or stop asking."""
        if not self.questions.last:
            return self.ask_on_key(self.questions.next())
        if isinstance(reading, Moved | Ambiguous):
            return self.cancel()
        return replace(self.ask_on_key(NO_QUESTIONS), declined=True)

    def cancel(self) -> Asking:
        """Cancel the move that the switches show: its pawn is going elsewhere."""
        return replace(self.ask_on_key(NO_QUESTIONS), cancelled=True, withdrawn=())

    def answered(self) -> Asking:
        """Record that a key was pressed after the question appeared."""
        return replace(self, unanswered=False)

    def forget(self) -> Asking:
        """Drop all questions, because the game has changed or people have confirmed or denied something."""
        return replace(self, questions=NO_QUESTIONS, withdrawn=(), declined=False, cancelled=False)

    def withdraw(self, reading: Reading, now: float) -> Asking:
        """Withdraw the questions about a reading that has changed, and forget that its move was cancelled."""
        if self.cancelled:
            return replace(self, questions=NO_QUESTIONS, cancelled=False)
        if not self.questions and not self.declined:
            return self
        others = [one for one in self.withdrawn if one.reading != reading]
        first = 0 if isinstance(reading, Moved | Ambiguous) else self.questions.at  # set down again it is a new move
        last = WithdrawnQuestion(reading, now, replace(self.questions, at=first), self.declined)
        return replace(self, questions=NO_QUESTIONS, declined=False, withdrawn=(*others[-1:], last))

    def ask_withdrawn(self, reading: Reading, now: float, within: float) -> Asking:
        """Ask again the questions about this reading that were withdrawn in the last `within` seconds."""
        asking = self
        if not self.questions and not self.declined:
            for one in self.withdrawn:
                if one.reading == reading and one.at >= now - within:
                    asking = replace(asking.ask_unprompted(one.questions, now), declined=one.declined).answered()
        return asking

    def asked_before(self, pawns: Collection[str], since: float) -> tuple[PawnMove, ...]:
        """Return the last question's statements about these pawns if it was withdrawn after `since` (clock seconds)."""
        last = self.withdrawn[-1] if self.withdrawn else None
        if last is None or last.at <= since or isinstance(last.reading, Moved | Ambiguous):
            return ()
        return tuple(move for move in last.questions.asked if move.pawn in pawns and move.ticket in STATEMENTS)


# ---- which questions -------------------------------------------------------------------------------------------------


def ask_about(moves: Iterable[PawnMove], at: int = 0) -> Questions:
    """Return a list of questions about moves: one per pawn and station, in the order of the moves.

    A return, an undo and each statement is a question of its own.
    """
    groups: dict[tuple[str, int, str], dict[PawnMove, None]] = {}
    for move in moves:
        apart = move.ticket if move.ticket in (RETURN, UNDO, *STATEMENTS) else ""
        groups.setdefault((move.pawn, move.to, apart), {})[move] = None
    return Questions(tuple(tuple(group) for group in groups.values()), at)


def who_arrived(view: PublicView, station: int) -> Questions:
    """Return the questions about which pawn has moved to a station that seems to have Mister X's pawn.

    The last question is whether the station is empty. If no pawn can have moved there, the list is empty.
    """
    ways = [move for move in (*view.moves, *view.open_moves) if move.to == station]
    return ask_about((*ways, PawnMove(ways[0].pawn, station, EMPTY))) if ways else NO_QUESTIONS


def ask_about_held(
    view: PublicView,
    pawns: tuple[str, ...],
    first: tuple[PawnMove, ...] = (),
    still: tuple[PawnMove, ...] = (),
    *,
    late: bool = False,
    blind: bool = False,
) -> Questions:
    """Return the questions about lifted pawns: first about the likeliest stations, then about all others in reach.

    If no station is likelier than others, the table asks nothing until the back key goes to the first question. If the
    back key has another meaning in the game, the confirm key leads to the other stations.

    Args:
        view: the game.
        pawns: the lifted pawns.
        first: the likeliest moves.
        still: for each pawn whose switch may be dead, the statement that the pawn is at home.
        late: whether nothing has changed for long; then the table asks `still` after the likeliest moves instead of
            last.
        blind: whether a likeliest move leads to an ignored switch; then, if late, the table asks `still` first.
    """
    away = (m for m in view.moves if m in first or (m.pawn in pawns and m.ticket != STAY))
    theirs = sorted(away, key=lambda move: move.to)
    likely = [move for one in first for move in theirs if (move.pawn, move.to) == (one.pawn, one.to)]
    others = () if first and view.extras else theirs
    before, after = (still if late and blind else ()), (still if late else ())
    found = ask_about((*before, *likely, *after, *others, *still), 0 if first else -1)
    return found if found.each else NO_QUESTIONS


def ask_about_mismatch(view: PublicView, wrong: Mismatch) -> Questions:
    """Return the questions about a mismatch: is each extra station empty, and is each missing or held pawn at home?"""
    empty = (PawnMove(view.order[0], station, EMPTY) for station in sorted(wrong.extra))
    stand = {**wrong.missing, **{pawn: view.pawns[pawn] for pawn in wrong.held}}
    return ask_about((*empty, *(PawnMove(pawn, station, HERE) for pawn, station in stand.items())))


def ask_after_waiting(
    reading: Reading, here: Occupancy, before: PublicView | None, *, wrong: int, late: bool
) -> Questions:
    """Return what the table asks unprompted about a reading that has lasted long enough.

    Args:
        reading: what the switches mean.
        here: the switches compared with where pawns must stand.
        before: the game before the last move, if that move may still be taken back.
        wrong: how urgently a mismatch is shown: 0 not yet, 1 shown, 2 insistently.
        late: whether nothing has changed for a while.
    """
    match reading:
        case Mismatch() if wrong:
            return ask_about(moves_off_stuck_switches(here)) or ask_about(
                moves_undone_unsensed(here, before) if wrong > 1 else ()
            )
        case InHand(pawns, silent):
            there = pawns_still_there(here)
            still = there if len(there) == 1 else ()  # no single switch is to blame for several lifted pawns
            if not silent:
                return ask_about(still if late else ())
            blind = any(move.to in here.ignored for move in silent)
            return ask_about_held(here.view, pawns, silent, still, late=late, blind=blind)
        case Moved(moves):
            return ask_about(moves)
        case Ambiguous(moves):
            return ask_about((*moves, *(move for move in _nobody(here, moves) if move.ticket == MR_X_PAWN)))
    return NO_QUESTIONS


def ask_elsewhere(reading: Reading, here: Occupancy) -> Questions:
    """Return what the table asks once people have denied that the pawn is where the switches show it.

    If no switch can be to blame, the moves are asked about again.
    """
    moves = reading.moves if isinstance(reading, Moved | Ambiguous) else ()
    return ask_about(_nobody(here, moves)) or ask_about(moves)


def _nobody(here: Occupancy, moves: tuple[PawnMove, ...]) -> Iterator[PawnMove]:
    """Yield the statements that explain the closed switches if none of these moves was made.

    They say that the station is empty, that Mister X's pawn is there, or that the pawn is at home on an ignored switch.
    """
    view = here.view
    there = {move.to: move for move in reversed(moves) if move.to in here.sensed}.values()
    for move in there:
        yield PawnMove(move.pawn, move.to, EMPTY)
        if here.mr_x_homes:
            yield PawnMove(view.fugitives[0], move.to, MR_X_PAWN)
    for pawn in dict.fromkeys(move.pawn for move in there):
        if view.pawns.get(pawn) in here.ignored:
            yield PawnMove(pawn, view.pawns[pawn], HERE)


def ask_on_confirm(
    reading: Reading, here: Occupancy, before: PublicView | None = None, *, denied: bool = False
) -> Questions:
    """Return what the table asks when CONFIRM reports a move that no switch has sensed.

    Args:
        reading: what the switches mean.
        here: the switches compared with where pawns must stand.
        before: the game before the last move, if that move may still be taken back.
        denied: whether people have already denied the moves that change no switch.
    """
    view, back = here.view, moves_undone_unsensed(here, before)
    if isinstance(reading, InHand):
        # A lifted pawn may be anywhere. Or its switch is dead, and it stays, or another pawn has moved.
        stays = (move for move in view.moves if move.ticket == STAY)
        unsensed = (*pawns_still_there(here), *back)
        return _and(ask_about_held(view, reading.pawns), (*reading.silent, *stays, *unsensed, *view.moves))
    if not isinstance(reading, Settled):
        return NO_QUESTIONS
    on_board = (*view.moves, *view.open_moves)
    # The last move may never have been made, which comes first if one of its two switches is ignored.
    blamed = [move for move in back if not here.ignored.isdisjoint({move.to, view.pawns[move.pawn]})]
    starting = any(move.ticket == START for move in view.moves)
    if reading.silent and not starting:
        # Moves that change no switch come first, then those of pawns whose leaving no switch can report.
        blind = (move for move in on_board if denied or view.pawns.get(move.pawn) in here.ignored)
        return ask_about((*blamed, *dict.fromkeys((*reading.silent, *reading.unsensed)), *blind))
    # Any move may have been made: a pawn may have left a stuck switch for a dead one, and no other question finds it.
    # A pawn that has to start may be anywhere, too. Or the pawn before it never came, and its switch is stuck.
    new = () if before is None else (p for p in view.order if p in view.pawns and p not in before.pawns)
    starts = (PawnMove(pawn, view.pawns[pawn], RETURN) for pawn in new)
    return _and(ask_about((*blamed, *reading.unsensed)) or ask_about_held(view, view.turn), (*on_board, *starts))


def _and(questions: Questions, last: Iterable[PawnMove]) -> Questions:
    """Return a list of questions, followed by questions about the moves of `last` that are not in it."""
    asked = {move for moves in questions.each for move in moves}
    others = ask_about(move for move in last if move not in asked)
    return Questions((*questions.each, *others.each), questions.at if questions else 0)


def entry_of(move: PawnMove) -> Entry:
    """Return the entry for a move on the board: a detective's move, a return, or Mister X's visible move (BE-05)."""
    if move.ticket == RETURN:
        return TakeBack()
    return Play(MrXMove(Secret(move.to), move.ticket) if move.pawn in FUGITIVES else move)
