"""Ask about moves that the switches cannot tell apart, and read the answers; know what is asked now. Pure.

A question is one pawn and one station, with all the tickets that lead there. They are asked one after the other: the
back key goes on to the next, the confirm key or a ticket's key answers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace

from firmware_host.referee.board_reading import moves_off_stuck_switches, moves_undone_unfelt, pawns_still_there
from firmware_host.referee.events import Entry, Play, TakeBack
from firmware_host.referee.known_board import Occupancy
from firmware_host.referee.readings import (
    EMPTY,
    FELT,
    HERE,
    HIS,
    RETURN,
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
    """A round of questions. `at` is the one being asked; -1: none before the back key has gone to one."""

    each: tuple[tuple[PawnMove, ...], ...] = ()
    at: int = 0

    def __bool__(self) -> bool:
        return bool(self.each)

    @property
    def asked(self) -> tuple[PawnMove, ...]:
        """The moves between which the table asks now."""
        return self.each[self.at] if self.each and self.at >= 0 else ()

    @property
    def more(self) -> bool:
        """Whether the back key goes on to another question."""
        return len(self.each) > 1 or self.at < 0

    @property
    def last(self) -> bool:
        """Whether the one being asked is the last of the round."""
        return self.at == len(self.each) - 1

    def next(self) -> Questions:
        """The next question, round and round."""
        return replace(self, at=(self.at + 1) % len(self.each)) if self.each and self.more else self


NO_QUESTIONS = Questions()


@dataclass(frozen=True, slots=True)
class PutBy:
    """What was asked or denied of a reading that has changed, and may come back at once."""

    reading: Reading = field(hash=False)
    at: float
    questions: Questions
    declined: bool


@dataclass(frozen=True, slots=True)
class Asking:
    """What the table asks. Every method returns what it asks then.

    Attributes:
        questions: the round of questions, or none.
        asked_at: when (clock seconds) the table last began to ask by itself.
        unheeded: whether it asks by itself, and nobody has pressed a key since.
        declined: whether all that was likely was denied, for this very reading.
        cancelled: whether the pawn that the switches show somewhere does not go there, for this very reading.
        put_by: what was asked or denied of readings before: the last two.
    """

    questions: Questions = NO_QUESTIONS
    asked_at: float = 0.0
    unheeded: bool = False
    declined: bool = False
    cancelled: bool = False
    put_by: tuple[PutBy, ...] = ()

    def withdraw(self, reading: Reading, now: float) -> Asking:
        """The board has changed: what was asked about a reading, or denied, is put by; what was cancelled is over."""
        if self.cancelled:
            return replace(self, questions=NO_QUESTIONS, cancelled=False)
        if not self.questions and not self.declined:
            return self
        others = [one for one in self.put_by if one.reading != reading]
        first = 0 if isinstance(reading, Moved | Ambiguous) else self.questions.at  # set down again it is a new move
        last = PutBy(reading, now, replace(self.questions, at=first), self.declined)
        return replace(self, questions=NO_QUESTIONS, declined=False, put_by=(*others[-1:], last))

    def meant(self, pawns: Collection[str], since: float) -> tuple[PawnMove, ...]:
        """Return what was asked about a switch and one of these pawns when the board changed, if after `since`."""
        last = self.put_by[-1] if self.put_by else None
        if last is None or last.at <= since or isinstance(last.reading, Moved | Ambiguous):
            return ()
        return tuple(move for move in last.questions.asked if move.pawn in pawns and move.ticket in FELT)

    def forget(self) -> Asking:
        """The game has changed, or somebody has said what is felt: what was asked before is no more."""
        return replace(self, questions=NO_QUESTIONS, put_by=(), declined=False, cancelled=False)

    def go_on(self, reading: Reading) -> Asking:
        """The back key: the next question; past the last one all is denied, or the move that is shown is cancelled."""
        if not self.questions.last:
            return self.by_key(self.questions.next())
        return (
            self.cancel()
            if isinstance(reading, Moved | Ambiguous)
            else replace(self.by_key(NO_QUESTIONS), declined=True)
        )

    def cancel(self) -> Asking:
        """The pawn that the switches show somewhere does not go there: it is to be put elsewhere."""
        return replace(self.by_key(NO_QUESTIONS), cancelled=True, put_by=())

    def by_key(self, questions: Questions) -> Asking:
        """A key has made the table ask this."""
        return replace(self, questions=questions, unheeded=False)

    def by_itself(self, questions: Questions, now: float) -> Asking:
        """The table asks by itself, or has nothing to ask."""
        if self.unheeded and questions == self.questions:
            return self
        anew = questions and questions != self.questions
        return replace(self, questions=questions, unheeded=True, asked_at=now if anew else self.asked_at)

    def heeded(self) -> Asking:
        """A key has been pressed for it."""
        return replace(self, unheeded=False)

    def ask_again(self, reading: Reading, now: float, within: float) -> Asking:
        """What was put by `within` these seconds is asked again, or stays denied, if the board is read as then."""
        asking = self
        if not self.questions and not self.declined:
            for one in self.put_by:
                if one.reading == reading and one.at >= now - within:
                    asking = replace(asking.by_itself(one.questions, now), declined=one.declined).heeded()
        return asking


def ask_about(moves: Iterable[PawnMove], at: int = 0) -> Questions:
    """Return moves as questions: one for each pawn and station, in the order of the moves.

    That one is back or never went, or that nothing stands there, or his pawn, is a question of its own.
    """
    groups: dict[tuple[str, int, str], dict[PawnMove, None]] = {}
    for move in moves:
        apart = move.ticket if move.ticket in (RETURN, UNDO, *FELT) else ""
        groups.setdefault((move.pawn, move.to, apart), {})[move] = None
    return Questions(tuple(tuple(group) for group in groups.values()), at)


def who_came(view: PublicView, station: int) -> Questions:
    """Return who may have come where Mister X seems to stand still, then whether anything does; none if nobody."""
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
    """Return where pawns in hand may stand unfelt: the likeliest stations first, then all their others.

    Where none is likelier than the others, no station is meant until the back key has gone to one. Where some are, a
    pawn may be in no hand at all: whether it is `still` there is asked last; if nothing has changed for long (`late`),
    after them; and before them if only a switch that is not listened to makes them likely. The others are left to the
    confirm key where the back key means something else besides.
    """
    away = (m for m in view.moves if m in first or (m.pawn in pawns and m.ticket != STAY))
    theirs = sorted(away, key=lambda move: move.to)
    likely = [move for one in first for move in theirs if (move.pawn, move.to) == (one.pawn, one.to)]
    others = () if first and view.extras else theirs
    before, after = (still if late and blind else ()), (still if late else ())
    found = ask_about((*before, *likely, *after, *others, *still), 0 if first else -1)
    return found if found.each else NO_QUESTIONS


def ask_about_mismatch(view: PublicView, wrong: Mismatch) -> Questions:
    """Return whether each station that should be empty is, and each pawn that is missed stands there: one switch each.

    A pawn in a hand may stand, too, where it stood.
    """
    empty = (PawnMove(view.order[0], station, EMPTY) for station in sorted(wrong.extra))
    stand = {**wrong.missing, **{pawn: view.pawns[pawn] for pawn in wrong.held}}
    return ask_about((*empty, *(PawnMove(pawn, station, HERE) for pawn, station in stand.items())))


def ask_after_waiting(
    reading: Reading, here: Occupancy, before: PublicView | None, *, wrong: int, late: bool
) -> Questions:
    """Return what the table asks by itself about a reading that has lasted.

    Args:
        reading: what the switches say of the game.
        here: who must stand where, and what they say.
        before: the game as it was before the last move, if that move may still be taken back.
        wrong: how urgently a mismatch is shown: 0 not yet, 1 shown, 2 insistently.
        late: whether nothing has changed for a while.
    """
    match reading:
        case Mismatch() if wrong:
            return ask_about(moves_off_stuck_switches(here)) or ask_about(
                moves_undone_unfelt(here, before) if wrong > 1 else ()
            )
        case InHand(pawns, silent):
            there = pawns_still_there(here)
            still = there if len(there) == 1 else ()  # no switch is to blame for several pawns in hands
            if not silent:
                return ask_about(still if late else ())
            blind = any(move.to in here.masked for move in silent)
            return ask_about_held(here.view, pawns, silent, still, late=late, blind=blind)
        case Moved(moves):
            return ask_about(moves)
        case Ambiguous(moves):
            return ask_about((*moves, *(move for move in _nobody(here, moves) if move.ticket == HIS)))
    return NO_QUESTIONS


def ask_elsewhere(reading: Reading, here: Occupancy) -> Questions:
    """Return what is asked once a player says that the pawn stands elsewhere than the switches show.

    Where no switch can be to blame the moves are asked about again.
    """
    moves = reading.moves if isinstance(reading, Moved | Ambiguous) else ()
    return ask_about(_nobody(here, moves)) or ask_about(moves)


def _nobody(here: Occupancy, moves: tuple[PawnMove, ...]) -> Iterator[PawnMove]:
    """Yield what closes the switches if none of these moves was made: nothing, Mister X's pawn, or none of theirs.

    The last is that the pawn stands where it stood, on a switch that is ignored.
    """
    view = here.view
    there = {move.to: move for move in reversed(moves) if move.to in here.heard}.values()
    for move in there:
        yield PawnMove(move.pawn, move.to, EMPTY)
        if here.own:
            yield PawnMove(view.fugitives[0], move.to, HIS)
    for pawn in dict.fromkeys(move.pawn for move in there):
        if view.pawns.get(pawn) in here.masked:
            yield PawnMove(pawn, view.pawns[pawn], HERE)


def ask_on_confirm(
    reading: Reading, here: Occupancy, before: PublicView | None = None, *, denied: bool = False
) -> Questions:
    """Return what CONFIRM makes a table ask that asks nothing: somebody says that no switch has felt what was done.

    A pawn in hand may stand anywhere; or its switch has died under it, and it stays, or another one does; or it never
    was in a hand, and another one has moved.

    Where all pawns stand as before, what leaves no trace may be meant first, then any move of a pawn whose leaving is
    not felt. If there is neither, or all that was denied before, any move at all: a pawn may have left a switch that
    sticks for one that is dead, and no other way leads on from there. A pawn that has yet to start may stand anywhere,
    too; or the one before it has never come, and its switch sticks. The last move may never have been made: that is
    asked first if one of its two switches is not listened to. Mister X's own pawn, if it is felt nowhere while he may
    move it in the open, may stand anywhere it may go, too.

    Args:
        reading: what the switches say of the game.
        here: who must stand where, and what they say.
        before: the game as it was before the last move, if that move may still be taken back.
        denied: whether what leaves no trace was denied already.
    """
    view, back = here.view, moves_undone_unfelt(here, before)
    if isinstance(reading, InHand):
        stays = (move for move in view.moves if move.ticket == STAY)
        unfelt = (*pawns_still_there(here), *back)
        return _and(ask_about_held(view, reading.pawns), (*reading.silent, *stays, *unfelt, *view.moves))
    if not isinstance(reading, Settled):
        return NO_QUESTIONS
    on_board = (*view.moves, *view.open_moves)
    blamed = [move for move in back if not here.masked.isdisjoint({move.to, view.pawns[move.pawn]})]
    starting = any(move.ticket == START for move in view.moves)
    if reading.silent and not starting:
        blind = (move for move in on_board if denied or view.pawns.get(move.pawn) in here.masked)
        return ask_about((*blamed, *dict.fromkeys((*reading.silent, *reading.unfelt)), *blind))
    new = () if before is None else (p for p in view.order if p in view.pawns and p not in before.pawns)
    starts = (PawnMove(pawn, view.pawns[pawn], RETURN) for pawn in new)
    return _and(ask_about((*blamed, *reading.unfelt)) or ask_about_held(view, view.turn), (*on_board, *starts))


def _and(questions: Questions, last: Iterable[PawnMove]) -> Questions:
    """Return questions, and after them those about other moves."""
    asked = {move for moves in questions.each for move in moves}
    others = ask_about(move for move in last if move not in asked)
    return Questions((*questions.each, *others.each), questions.at if questions else 0)


def entry_of(move: PawnMove) -> Entry:
    """Return what a move on the board means: a detective's, one taken back, or Mister X's own in the open (BE-05)."""
    if move.ticket == RETURN:
        return TakeBack()
    return Play(MrXMove(Secret(move.to), move.ticket) if move.pawn in FUGITIVES else move)
