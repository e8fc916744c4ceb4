"""What the switches say, given where the pawns must stand. Pure and without memory.

A reed switch tells that *some* magnet is there, never which (PB-01). So final presence decides and not the order of
edges: for every legal move the occupation that it would leave is compared with the one that is felt. A missed edge, a
slide, a bump or a restart leaves no wrong trace that way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from firmware_host.referee.known_board import KnownBoard, Occupancy, Stand, detective_stations
from firmware_host.referee.readings import HERE, RETURN, Ambiguous, InHand, Mismatch, Moved, Reading, Returned, Settled
from firmware_host.referee.scene import ToCarryOut
from firmware_host.rules.actions import MR_X, START, PawnMove
from firmware_host.rules.views import PublicView

TOUCHING = 0.75
"""The share of the distance at which two switches may feel one magnet at which it may be the wrong one alone."""


def read(here: Occupancy, before: PublicView | None = None) -> Reading:
    """Return what the switches say of a game.

    Args:
        here: who must stand where, and what the switches say.
        before: the game as it was before the last move, if that move may still be taken back.
    """
    seen = _Evidence(here, before)
    return _at_home(seen) or _moved(seen) or _returned(seen) or _in_hand(seen) or seen.open_move or _mismatch(here)


@dataclass(frozen=True)  # without slots: each is worked out once, and only if a reading needs it
class _Evidence:
    """What the readings are worked out from.

    Attributes:
        here: who must stand where, and what the switches say.
        before: the game as it was before the last move, if that move may still be taken back.
    """

    here: Occupancy
    before: PublicView | None

    @cached_property
    def moves(self) -> list[PawnMove]:
        """The moves each of which alone explains the switches; to stay changes no switch."""
        here = self.here
        return here.explaining([move for move in here.view.moves if move.to != here.stand.get(move.pawn)])

    @cached_property
    def silent(self) -> tuple[PawnMove, ...]:
        """Those of them that a closed switch does not prove, the likeliest first: those to where one has closed."""
        here, fresh = self.here, self.here.occupied - self.here.board.pawns.left - self.here.own - self.here.standing
        found = [m for m in self.moves if here.doubtful(m.to) or here.shared(m.pawn, m.to) or _beside(here, m)]
        return tuple(sorted(found, key=lambda move: move.to not in fresh))

    @cached_property
    def missing(self) -> dict[str, int]:
        """The pawns that are not sensed where they must stand."""
        return self.here.missing()

    @cached_property
    def extra(self) -> frozenset[int]:
        """The closed switches that no pawn explains."""
        return self.here.unexplained()

    @cached_property
    def back(self) -> Returned | None:
        """The last pawn that moved, if it is sensed again where it came from.

        That is doubtful where its new station is closed, which may be stuck, or one whose turn it is now is not sensed:
        that one has gone, and not the other, as long as the other's new station is closed.
        """
        here, before = self.here, self.before
        back = _back_again(here, before)
        if back is not None or before is None:
            return back
        pawn = _last_moved(here.view, before)
        if pawn is None or before.pawns.get(pawn) not in here.heard:
            return None
        new = here.standing - set(detective_stations(before).values())
        lifted = set() if here.view.pawns[pawn] in here.heard else {here.stand[other] for other in here.lifted}
        back = _back_again(here.ignoring(new), before) or _back_again(here.ignoring(lifted), before)
        return None if back is None else replace(back, doubtful=True)

    @cached_property
    def open_move(self) -> Moved | Ambiguous | None:
        """Mister X's own move in the open: his station is free, and his pawn stands on one of its ways (BE-05)."""
        here, view = self.here, self.here.view
        if not view.open_moves or view.pawns[MR_X] in here.heard or self.missing:
            return None
        there = (move for move in view.open_moves if move.to in here.occupied)
        moves = tuple(move for move in there if not here.unexplained(own=view.stale | {move.to}))
        if not moves:
            return None
        if len(moves) > 1 or view.pawns[MR_X] in here.masked:  # whether his pawn has left is not sensed
            return Ambiguous(moves)
        return Moved(moves, _may_slide(view, moves[0], view.open_moves))


# ---- one function a reading ------------------------------------------------------------------------------------------


def _at_home(seen: _Evidence) -> Reading | None:
    """Return that nothing differs, or None.

    A pawn may have gone even so: its magnet closes two switches, or none that is not ignored.
    """
    if seen.missing or seen.extra:
        return None
    here, view, silent = seen.here, seen.here.view, seen.silent
    # A pawn that is not on the board yet comes from nowhere; and what closes a switch of his own is known.
    near = [m for m in silent if m.to not in here.own and view.pawns.get(m.pawn) in here.board.near.get(m.to, ())]
    shown = {view.pawns.get(pawn) for pawn in view.fugitives}  # nobody is caught unless a hand or a key has done it
    likely = [m for m in near if m.to not in shown]
    quiet = tuple(m for m in view.moves if m in silent or m.to == view.pawns.get(m.pawn))
    if likely:  # that pawn has most likely gone there; or it stays, or another one does
        pawn = likely[0].pawn
        return InHand((pawn,), tuple(dict.fromkeys((*(m for m in likely if m.pawn == pawn), *quiet))))
    others = (*_swaps(here, quiet), *_unproved(here), *_thought_better(here, seen.before))
    return Settled((*quiet, *others), _his_unfelt(here))


def _moved(seen: _Evidence) -> Reading | None:
    """Return that one pawn has moved, or that the table has to ask which; None if no switch proves it.

    It asks where several moves explain the switches, where a move may have been taken back instead, and where the pawn
    has stood on a switch that is ignored: it may stand there still, and something else be sensed.
    """
    here, view, back = seen.here, seen.here.view, seen.back
    proved = {move.to for move in seen.moves if move not in seen.silent}  # some pawn is there; maybe another one
    moves = tuple(move for move in seen.moves if move not in seen.silent or move.to in proved)
    if not seen.moves and len(seen.extra) > 1:
        moves = tuple(_several(here, seen.extra)) or _one_of_closed(here, seen.extra)
    if not moves:
        return None
    moves = (*moves, *_as_well(here, moves))
    one = len({(move.pawn, move.to) for move in moves}) == 1
    if one and back is None and view.pawns.get(moves[0].pawn) not in here.masked:
        return Moved(moves, _may_slide(view, moves[0], view.moves))
    return Ambiguous(moves) if back is None or back.to is None else _either(Ambiguous(moves), back.pawn, back.to)


def _returned(seen: _Evidence) -> Reading | None:
    """Return that the last pawn that moved is back, or that the table has to ask; None if it is not back."""
    here, back = seen.here, seen.back
    if back is None or back.to is None:
        return back
    others = tuple(
        move for move in here.view.moves if move.to == back.to and (move in seen.silent or here.covered(move.pawn))
    )
    moved = seen.open_move or (Ambiguous(others) if others else None)
    return back if moved is None else _either(moved, back.pawn, back.to)


def _in_hand(seen: _Evidence) -> InHand | None:
    """Return that pawns on turn are lifted and nothing else differs, or None."""
    here, view, lifted = seen.here, seen.here.view, seen.here.lifted
    if seen.silent:
        doubted = {move.pawn for move in seen.silent} - set(lifted)  # these may be in no hand at all, and stay
        stays = (move for move in view.moves if move.pawn in doubted and move.to == here.stand.get(move.pawn))
        pawns = tuple(dict.fromkeys([*lifted, *(move.pawn for move in seen.silent)]))
        return InHand(pawns, (*seen.silent, *stays))
    if seen.open_move is None and not seen.extra and seen.missing.keys() <= set(view.turn):
        return InHand(lifted)
    return None


def _mismatch(here: Occupancy) -> Mismatch:
    """The smallest difference that explains what is felt: the pawn to move may stay, be in hand, or have moved."""
    view, stand = here.view, here.stand
    guesses: Iterable[Stand] = [
        stand,
        *({p: s for p, s in stand.items() if p != pawn} for pawn in view.turn if pawn in stand),
        *({**stand, move.pawn: move.to} for move in view.moves if move.to in here.occupied),
    ]
    own = here.own
    ways = {move.to for move in view.open_moves} & here.occupied - own
    if len(ways) == 1 and view.pawns[MR_X] not in here.occupied:  # his pawn has gone on, and is right where it is
        own |= ways

    def wrong(guess: Stand) -> tuple[int, int]:
        """How much is wrong; of two guesses that which leaves over what may well be Mister X's pawn is the better."""
        extra = here.unexplained(guess, own)
        return len(here.missing(guess)) + len(extra), len(extra - here.unsure)

    best = min(guesses, key=wrong)
    missing, extra = here.missing(best), here.unexplained(best, own)
    if extra:  # whatever stands there is most likely the pawn in hand: show where it came from, too
        missing |= {p: s for p, s in here.missing().items() if p not in best}
        at = view.pawns.get(MR_X, 0)
        if view.open_moves and at not in here.occupied | here.masked:  # or his, which may go back as well
            missing[MR_X] = at
    held = tuple(pawn for pawn in stand if pawn not in best and pawn not in missing)
    return Mismatch(missing, extra, held)


# ---- what else may have happened, for questions ----------------------------------------------------------------------


def moves_off_stuck_switches(here: Occupancy) -> tuple[PawnMove, ...]:
    """Return the moves that explain all that is felt if the switch under the pawn was left behind stuck closed."""
    view, stand, at = here.view, here.stand, here.view.pawns.get(MR_X)
    detectives = (
        move
        for move in view.moves
        if move.to in here.occupied
        and stand.get(move.pawn) in here.occupied - {move.to}
        and here.ignoring({stand[move.pawn]}).explained_by({move.pawn: move.to})
    )
    in_the_open = (
        move
        for move in view.open_moves
        if {at, move.to} <= here.occupied and not here.missing() and not here.unexplained(own=here.own | {move.to})
    )
    return (*detectives, *in_the_open)


def pawns_still_there(here: Occupancy) -> tuple[PawnMove, ...]:
    """Return that each pawn which seems to be in a hand stands where it stood: its switch may have died."""
    return tuple(PawnMove(pawn, here.view.pawns[pawn], HERE) for pawn in here.lifted)


def moves_undone_unfelt(here: Occupancy, before: PublicView | None) -> tuple[PawnMove, ...]:
    """Return that the last pawn that moved is back where it came from, or never went, though no switch says so."""
    if before is None:
        return ()
    if before.his_turn:
        return _his_back_unfelt(here, before)
    changed = set(detective_stations(before).values()) ^ here.standing
    back = _back_again(here.ignoring(changed), before)
    return () if back is None or back.to is None else (PawnMove(back.pawn, back.to, RETURN),)


def _his_back_unfelt(here: Occupancy, before: PublicView) -> tuple[PawnMove, ...]:
    """The same of Mister X's own pawn, if he has moved it in the open (BE-05)."""
    at, origin = here.view.pawns.get(MR_X), before.pawns.get(MR_X)
    if not before.open_moves or at is None or origin is None:
        return ()
    then = here.ignoring({at, origin}).seen_as(before)
    return (PawnMove(MR_X, origin, RETURN),) if then.fits else ()


def as_doubtful(reading: Reading) -> Reading:
    """Return a reading as one for which a key has to vouch: hands may have had no part in what is felt."""
    match reading:
        case Moved(moves):
            return Ambiguous(moves)
        case Returned():
            return replace(reading, doubtful=True)
    return reading


# ---- parts of the readings -------------------------------------------------------------------------------------------


def _beside(here: Occupancy, move: PawnMove) -> bool:
    """Whether the pawn may stand close by and be felt here alone: over a dead spot, or at home on a masked switch."""
    close = here.board.touching.get(move.to, frozenset())
    ways = {other.to for other in here.view.moves if other.pawn == move.pawn}
    return here.view.pawns.get(move.pawn) in close & here.masked or not ways.isdisjoint(close)


def _as_well(here: Occupancy, moves: tuple[PawnMove, ...]) -> Iterator[PawnMove]:
    """Others that may have gone there: of all of them the switch they have left is closed, Mister X's pawn or not."""
    gone = {pawn for pawn in here.view.order if here.stand.get(pawn) not in here.occupied}
    if gone.isdisjoint(move.pawn for move in moves):
        there = {move.to for move in moves}
        yield from (m for m in here.view.moves if m not in moves and m.to in there and m.pawn not in gone)


def _either(moved: Moved | Ambiguous, pawn: str, back: int) -> Ambiguous:
    """A move was made, or a pawn was put back where it came from: the table has to ask."""
    return Ambiguous((*moved.moves, PawnMove(pawn, back, RETURN)))


def _several(here: Occupancy, closed: frozenset[int]) -> Iterator[PawnMove]:
    """Where several pawns have moved at once: what all ways to explain it agree on, or else who is on one station.

    Where the ways differ on all of them, the moves to the last station: one question at a time. Several switches have
    to be closed.
    """
    lifted = here.lifted
    new = sorted(closed)
    if len(new) > len(lifted):
        return
    ways = list(_assignments(here, new, lifted, {}))
    for station in new:
        pawns = {pawn for way in ways for pawn, to in way.items() if to == station}
        if len(pawns) == 1 or station == new[-1]:
            yield from (move for move in here.view.moves if move.pawn in pawns and move.to == station)
            return


def _one_of_closed(here: Occupancy, closed: frozenset[int]) -> tuple[PawnMove, ...]:
    """Return the moves to several closed switches, where a pawn that is not felt stands on one and the others stick."""
    view = here.view
    if not here.missing().keys() <= set(view.turn):
        return ()
    away = [pawn for pawn in view.turn if here.stand.get(pawn) not in here.heard]
    ways = {pawn: {move.to for move in view.moves if move.pawn == pawn} & closed for pawn in away}
    return tuple(move for move in view.moves if len(ways.get(move.pawn, ())) > 1 and move.to in closed)


def _assignments(here: Occupancy, new: list[int], lifted: tuple[str, ...], moved: Stand) -> Iterator[Stand]:
    """Every way in which lifted pawns may have gone to all of the new stations: pawn -> station."""
    if not new:
        if here.explained_by(moved):
            yield moved
        return
    for pawn in lifted:
        if any(move.pawn == pawn and move.to == new[0] for move in here.view.moves):
            rest = tuple(other for other in lifted if other != pawn)
            yield from _assignments(here, new[1:], rest, {**moved, pawn: new[0]})


def _back_again(here: Occupancy, before: PublicView | None) -> Returned | None:
    """Return the last pawn that moved, if it is felt again where it came from."""
    if before is None:
        return None
    view, back = here.view, _last_moved(here.view, before)
    if back is None:  # it stayed where it was: nothing to be felt
        return None
    origin = before.pawns.get(back)
    if origin in here.board.his or (origin is not None and origin not in here.occupied and origin not in here.masked):
        return None
    then = here.seen_as(before)
    if not then.fits:
        return None
    doubtful = origin is not None and (
        here.doubtful(origin)
        or view.pawns[back] in here.masked  # it may stand there still
        or then.shared(back, origin)
        or any(here.covered(pawn) for pawn in view.turn)  # one of these may have gone astray
        or (view.pawns.get(MR_X) not in here.occupied and any(move.to == origin for move in view.open_moves))
    )
    return Returned(back, origin, doubtful)


def _last_moved(view: PublicView, before: PublicView) -> str | None:
    """Return the pawn that stood elsewhere before the last move."""
    return next((pawn for pawn in view.order if before.pawns.get(pawn) != view.pawns.get(pawn)), None)


def _may_slide(view: PublicView, move: PawnMove, moves: Iterable[PawnMove]) -> bool:
    """Whether the pawn may be on its way to another legal station: one link further on, or straight on (PB-03)."""
    if move.ticket == START:
        return True
    near = view.network.around(move.to)
    others = {other.to for other in moves if other.pawn == move.pawn} - {move.to}
    return any(to in near or view.network.lies_between(move.to, view.pawns[move.pawn], to) for to in others)


def _thought_better(here: Occupancy, before: PublicView | None) -> Iterator[PawnMove]:
    """The last move may have been taken back, though nothing differs.

    Mister X's own pawn, moved in the open, stands again where it came from; or a detective's has gone back between
    two stations on which others stand.
    """
    if before is None:
        return
    at, origin = here.view.pawns.get(MR_X), before.pawns.get(MR_X)
    if before.open_moves and origin is not None and at not in here.occupied and origin in here.occupied:
        yield PawnMove(MR_X, origin, RETURN)
    back = None if before.his_turn else _back_again(here, before)
    if back is not None and back.to is not None:
        yield PawnMove(back.pawn, back.to, RETURN)


def _swaps(here: Occupancy, quiet: tuple[PawnMove, ...]) -> Iterator[PawnMove]:
    """Moves by which two pawns that may both move have changed places at once, where stations are shared (JU-06)."""
    view = here.view
    ways = {(view.pawns.get(move.pawn), move.to) for move in view.moves}
    others = here.standing
    yield from (m for m in view.moves if m not in quiet and m.to in others and (m.to, view.pawns.get(m.pawn)) in ways)


def _unproved(here: Occupancy) -> Iterator[PawnMove]:
    """Mister X's moves in the open that look like no move at all: to where his pawn may have been left, or close by."""
    if not here.view.open_moves:
        return
    at = here.view.pawns[MR_X]
    gone = at not in here.heard
    for move in here.view.open_moves:
        close = at in here.board.near.get(move.to, ()) and move.to in here.occupied
        if close or (gone and move.to in here.occupied | here.masked):
            yield move


def _his_unfelt(here: Occupancy) -> tuple[PawnMove, ...]:
    """That Mister X's pawn, on his turn in the open and felt nowhere, stands where it stood, or has gone somewhere."""
    view, at = here.view, here.view.pawns.get(MR_X, 0)
    if not view.open_moves or at in here.heard:
        return ()
    stays = () if at in here.masked else (PawnMove(MR_X, at, HERE),)
    return (*stays, *view.open_moves)


def guide_pawns(here: Occupancy, unseen: frozenset[int] = frozenset()) -> Reading:
    """Return what is wrong until every pawn stands in its place.

    Args:
        here: who must stand where, and what is felt.
        unseen: stations where what is felt counts for nothing yet; no pawn is taken to stand there.
    """
    return read(here.seen_as(_still(here.view), unseen))


def guide_computer_pawn(todo: ToCarryOut, here: Occupancy) -> Reading:
    """Return what stands otherwise than after a computer's move: nothing else counts until its pawn has come."""
    station = todo.move.to
    reading = guide_pawns(here, frozenset({station}) if todo.unfelt else frozenset())
    if not todo.unfelt or not isinstance(reading, Mismatch):
        return reading
    missing = {pawn: at for pawn, at in reading.missing.items() if at != station or pawn == todo.move.pawn}
    return replace(reading, missing=missing)


def guide_mr_x_pawns(board: KnownBoard, reading: Reading, *, begins: bool) -> tuple[dict[str, int], frozenset[int]]:
    """Return Mister X's pawns to be set down, pawn -> station; and the stations that they have to be taken off.

    What is not listened to asks for nothing, but when a game `begins`: then they are still in the box.
    """
    here = board.here
    absent = board.pawns.absent(here, wrong=isinstance(reading, Mismatch)).items()
    to_set_down = {pawn: station for pawn, station in absent if begins or station not in here.masked}
    return to_set_down, board.to_be_cleared


def _still(view: PublicView) -> PublicView:
    """Return the view of a game in which nobody may move."""
    return replace(view, turn=(), moves=(), open_moves=())
