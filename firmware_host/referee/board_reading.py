"""Work out from the closed switches what players have done, given where each pawn must stand.

A reed switch reports that *some* magnet is near, never which one (PB-01). So the order in which switches change does
not matter. For each legal move, this module compares the switches that the move would leave closed with those that are
closed now. It remembers nothing, so a missed change, a slide, a bump or a restart does no lasting harm.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from firmware_host.referee.known_board import KnownBoard, Occupancy, Placement, detective_stations
from firmware_host.referee.readings import HERE, RETURN, Ambiguous, InHand, Mismatch, Moved, Reading, Returned, Settled
from firmware_host.referee.scene import ToCarryOut
from firmware_host.rules.actions import MR_X, START, PawnMove
from firmware_host.rules.views import PublicView

TOUCHING = 0.75
"""The share of the pick-up distance within which a magnet may close the switch of a neighbouring station alone."""


def read(here: Occupancy, before: PublicView | None = None) -> Reading:
    """Return the reading: what the closed switches mean in the game.

    Args:
        here: the switches compared with where pawns must stand.
        before: the game before the last move, if that move may still be taken back.
    """
    seen = _Evidence(here, before)
    return _at_home(seen) or _moved(seen) or _returned(seen) or _in_hand(seen) or seen.open_move or _mismatch(here)


class _Evidence:
    """The facts from which every kind of reading is worked out.

    Attributes:
        here: the switches compared with where pawns must stand.
        before: the game before the last move, if that move may still be taken back.
        missing: the detectives' pawns whose trusted switch at home is open: pawn -> station.
        extra: the closed switches that no pawn explains.
        moves: each move that alone explains the switches. Staying is left out, because it changes no switch.
        silent: the moves among `moves` that no closed switch proves. Those to a newly closed switch come first.
    """

    def __init__(self, here: Occupancy, before: PublicView | None) -> None:
        self.here, self.before = here, before
        self.missing, self.extra = here.missing(), here.unexplained()
        self.moves = here.explaining([move for move in here.view.moves if move.to != here.homes.get(move.pawn)])
        fresh = here.occupied - here.board.mr_x_pawns.left_behind - here.mr_x_homes - here.home_stations
        found = [m for m in self.moves if here.is_ambiguous(m.to) or here.is_shared(m.pawn, m.to) or _beside(here, m)]
        self.silent = tuple(sorted(found, key=lambda move: move.to not in fresh))

    @cached_property
    def back(self) -> Returned | None:
        """The reading "returned" if the last moved pawn may be back where it came from, else None.

        Besides the cases of `_back_again`, the reading is ambiguous in two cases. The switch of the pawn's new station
        may be stuck, as it is still closed. Or a pawn on turn may have gone to the old station instead, as it is not
        sensed at home.
        """
        here, before = self.here, self.before
        back = _back_again(here, before)
        if back is not None or before is None:
            return back
        pawn = _last_moved(here.view, before)
        if pawn is None or before.pawns.get(pawn) not in here.sensed:
            return None
        new = here.home_stations - set(detective_stations(before).values())
        lifted = set() if here.view.pawns[pawn] in here.sensed else {here.homes[other] for other in here.lifted}
        back = _back_again(here.ignoring(new), before) or _back_again(here.ignoring(lifted), before)
        return None if back is None else replace(back, ambiguous=True)

    @cached_property
    def open_move(self) -> Moved | Ambiguous | None:
        """The reading of Mister X's visible move (BE-05) if no pawn is missing and it fits the switches, else None."""
        here, view = self.here, self.here.view
        if not view.open_moves or view.pawns[MR_X] in here.sensed or self.missing:
            return None
        there = (move for move in view.open_moves if move.to in here.occupied)
        moves = tuple(move for move in there if not here.unexplained(mr_x_homes=view.stale | {move.to}))
        if not moves:
            return None
        if len(moves) > 1 or view.pawns[MR_X] in here.ignored:  # an ignored switch cannot report that his pawn left
            return Ambiguous(moves)
        return Moved(moves, _may_slide(view, moves[0], view.open_moves))


# ---- one function for each reading -----------------------------------------------------------------------------------


def _at_home(seen: _Evidence) -> Reading | None:
    """Return the reading "settled" or "in hand" if no pawn is missing and no closed switch unexplained, else None.

    Even so, a pawn may have moved. The reading is "in hand" if a pawn may be on a station so near that its magnet
    closes the switches of both stations.
    """
    if seen.missing or seen.extra:
        return None
    here, view, silent, close = seen.here, seen.here.view, seen.silent, seen.here.board.near
    # A pawn that is not on the board yet comes from nowhere. What closes Mister X's switch is known.
    near = [m for m in silent if m.to not in here.mr_x_homes and view.pawns.get(m.pawn) in close.get(m.to, ())]
    shown = {view.pawns.get(pawn) for pawn in view.fugitives}  # a capture needs a sensed move or a key
    likely = [m for m in near if m.to not in shown]
    quiet = tuple(m for m in view.moves if m in silent or m.to == view.pawns.get(m.pawn))
    if likely:  # most likely that pawn has gone there; or it stays, or another pawn has moved
        pawn = likely[0].pawn
        return InHand((pawn,), tuple(dict.fromkeys((*(m for m in likely if m.pawn == pawn), *quiet))))
    others = (*_swaps(here, quiet), *_unproved_open_moves(here), *_taken_back_unsensed(here, seen.before))
    return Settled((*quiet, *others), _mr_x_unsensed(here))


def _moved(seen: _Evidence) -> Reading | None:
    """Return the reading "moved" or "ambiguous" if switches prove that a pawn has moved, else None.

    The reading is ambiguous if moves of several pawns, or to several stations, explain the switches, or if a move may
    have been taken back instead. It is also ambiguous if the pawn's old switch is ignored: the pawn may still be there,
    and the new switch may sense something else.
    """
    here, view, back = seen.here, seen.here.view, seen.back
    proved = {move.to for move in seen.moves if move not in seen.silent}  # some pawn is there, perhaps another one
    moves = tuple(move for move in seen.moves if move not in seen.silent or move.to in proved)
    if not seen.moves and len(seen.extra) > 1:
        moves = tuple(_several(here, seen.extra)) or _one_of_closed(here, seen.extra)
    if not moves:
        return None
    moves = (*moves, *_as_well(here, moves))
    one = len({(move.pawn, move.to) for move in moves}) == 1
    if one and back is None and view.pawns.get(moves[0].pawn) not in here.ignored:
        return Moved(moves, _may_slide(view, moves[0], view.moves))
    return Ambiguous(moves) if back is None or back.to is None else _either(Ambiguous(moves), back.pawn, back.to)


def _returned(seen: _Evidence) -> Reading | None:
    """Return the reading that the last moved pawn is back, or may be back, where it came from, else None."""
    here, back = seen.here, seen.back
    if back is None or back.to is None:
        return back
    there = (move for move in here.view.moves if move.to == back.to)
    others = tuple(move for move in there if move in seen.silent or here.may_leave_unsensed(move.pawn))
    moved = seen.open_move or (Ambiguous(others) if others else None)
    return back if moved is None else _either(moved, back.pawn, back.to)


def _in_hand(seen: _Evidence) -> InHand | None:
    """Return the reading "in hand" if pawns on turn are, or may be, lifted and nothing proves a move, else None."""
    here, view, lifted = seen.here, seen.here.view, seen.here.lifted
    if seen.silent:
        at_home = {move.pawn for move in seen.silent} - set(lifted)  # these may not be lifted at all, and stay
        stays = (move for move in view.moves if move.pawn in at_home and move.to == here.homes.get(move.pawn))
        pawns = tuple(dict.fromkeys([*lifted, *(move.pawn for move in seen.silent)]))
        return InHand(pawns, (*seen.silent, *stays))
    if seen.open_move is None and not seen.extra and seen.missing.keys() <= set(view.turn):
        return InHand(lifted)
    return None


def _mismatch(here: Occupancy) -> Mismatch:
    """Return the reading "mismatch" with the fewest missing pawns and closed switches that no pawn explains.

    It assumes that one pawn on turn is at home, in a hand, or on a new station, whichever leaves the fewest faults.
    """
    view, homes, mr_x_homes = here.view, here.homes, here.mr_x_homes
    guesses: Iterable[Placement] = [
        homes,
        *({p: s for p, s in homes.items() if p != pawn} for pawn in view.turn if pawn in homes),
        *({**homes, move.pawn: move.to} for move in view.moves if move.to in here.occupied),
    ]
    ways = {move.to for move in view.open_moves} & here.occupied - mr_x_homes
    if len(ways) == 1 and view.pawns[MR_X] not in here.occupied:  # Mister X's pawn has moved, and is right there
        mr_x_homes |= ways

    def faults(guess: Placement) -> tuple[int, int]:
        """Return how many faults remain if pawns stand as guessed, and how many Mister X's pawn cannot explain."""
        extra = here.unexplained(guess, mr_x_homes)
        return len(here.missing(guess)) + len(extra), len(extra - here.ambiguous)

    best = min(guesses, key=faults)
    missing, extra = here.missing(best), here.unexplained(best, mr_x_homes)
    if extra:  # most likely the lifted pawn stands there: show where it came from, too
        missing |= {p: s for p, s in here.missing().items() if p not in best}
        at = view.pawns.get(MR_X, 0)
        if view.open_moves and at not in here.occupied | here.ignored:  # or Mister X's pawn, which may go back as well
            missing[MR_X] = at
    held = tuple(pawn for pawn in homes if pawn not in best and pawn not in missing)
    return Mismatch(missing, extra, held)


def as_ambiguous(reading: Reading) -> Reading:
    """Return a move or return that hands may not have caused as ambiguous, so that a key must confirm it.

    Other readings are returned unchanged.
    """
    match reading:
        case Moved(moves):
            return Ambiguous(moves)
        case Returned():
            return replace(reading, ambiguous=True)
    return reading


# ---- which moves explain the switches --------------------------------------------------------------------------------


def _beside(here: Occupancy, move: PawnMove) -> bool:
    """Return whether the moved pawn may be on a nearby station and close the destination's switch from there."""
    close = here.board.touching.get(move.to, frozenset())
    ways = {other.to for other in here.view.moves if other.pawn == move.pawn}
    return here.view.pawns.get(move.pawn) in close & here.ignored or not ways.isdisjoint(close)


def _as_well(here: Occupancy, moves: tuple[PawnMove, ...]) -> Iterator[PawnMove]:
    """Yield other pawns' moves to the same stations if the old switch of each pawn in `moves` is still closed.

    Mister X's pawn may close any old switch, so no switch shows which pawn has left.
    """
    gone = {pawn for pawn in here.view.order if here.homes.get(pawn) not in here.occupied}
    if gone.isdisjoint(move.pawn for move in moves):
        there = {move.to for move in moves}
        yield from (m for m in here.view.moves if m not in moves and m.to in there and m.pawn not in gone)


def _either(moved: Moved | Ambiguous, pawn: str, back: int) -> Ambiguous:
    """Return the ambiguous reading that either a pawn has moved or another pawn was put back."""
    return Ambiguous((*moved.moves, PawnMove(pawn, back, RETURN)))


def _several(here: Occupancy, closed: frozenset[int]) -> Iterator[PawnMove]:
    """Yield the possible moves to one closed station after several pawns have moved at once.

    The station is the first to which every explanation of the switches moves the same pawn. If there is none, it is the
    last closed station.
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


def _assignments(here: Occupancy, new: list[int], lifted: tuple[str, ...], moved: Placement) -> Iterator[Placement]:
    """Yield each way to match the newly closed stations with lifted pawns that may have gone there."""
    if not new:
        if here.explained_by(moved):
            yield moved
        return
    for pawn in lifted:
        if any(move.pawn == pawn and move.to == new[0] for move in here.view.moves):
            rest = tuple(other for other in lifted if other != pawn)
            yield from _assignments(here, new[1:], rest, {**moved, pawn: new[0]})


def _one_of_closed(here: Occupancy, closed: frozenset[int]) -> tuple[PawnMove, ...]:
    """Return the moves of pawns that reach several closed stations, in case all their switches but one are stuck."""
    view = here.view
    if not here.missing().keys() <= set(view.turn):
        return ()
    away = [pawn for pawn in view.turn if here.homes.get(pawn) not in here.sensed]
    ways = {pawn: {move.to for move in view.moves if move.pawn == pawn} & closed for pawn in away}
    return tuple(move for move in view.moves if len(ways.get(move.pawn, ())) > 1 and move.to in closed)


def _may_slide(view: PublicView, move: PawnMove, moves: Iterable[PawnMove]) -> bool:
    """Return whether a pawn may still slide to another legal station: a neighbour, or one straight ahead (PB-03).

    A pawn that enters the board always may.
    """
    if move.ticket == START:
        return True
    near = view.network.around(move.to)
    others = {other.to for other in moves if other.pawn == move.pawn} - {move.to}
    return any(to in near or view.network.lies_between(move.to, view.pawns[move.pawn], to) for to in others)


def _back_again(here: Occupancy, before: PublicView | None) -> Returned | None:
    """Return the reading "returned" if the switches fit the game before the last move, else None.

    The pawn is then sensed where it came from, or off the board, or the switch there is ignored.
    """
    if before is None:
        return None
    view, back = here.view, _last_moved(here.view, before)
    if back is None:  # it stayed where it was, so there is nothing to sense
        return None
    origin = before.pawns.get(back)
    if origin in here.board.mr_x_confirmed:
        return None
    if origin is not None and origin not in here.occupied and origin not in here.ignored:
        return None
    then = here.seen_as(before)
    if not then.fits:
        return None
    ambiguous = origin is not None and (
        here.is_ambiguous(origin)
        or view.pawns[back] in here.ignored  # the pawn may still be there
        or then.is_shared(back, origin)
        or any(here.may_leave_unsensed(pawn) for pawn in view.turn)  # one of these may have gone astray
        or (view.pawns.get(MR_X) not in here.occupied and any(move.to == origin for move in view.open_moves))
    )
    return Returned(back, origin, ambiguous)


def _last_moved(view: PublicView, before: PublicView) -> str | None:
    """Return the detective's pawn that the last move put on another station, or None."""
    return next((pawn for pawn in view.order if before.pawns.get(pawn) != view.pawns.get(pawn)), None)


# ---- what no switch reports, for questions ---------------------------------------------------------------------------


def moves_off_stuck_switches(here: Occupancy) -> tuple[PawnMove, ...]:
    """Return the moves that explain the closed switches if the switch that the pawn left is stuck closed."""
    view, homes, at = here.view, here.homes, here.view.pawns.get(MR_X)
    detectives = (
        move
        for move in view.moves
        if move.to in here.occupied
        and homes.get(move.pawn) in here.occupied - {move.to}
        and here.ignoring({homes[move.pawn]}).explained_by({move.pawn: move.to})
    )
    in_the_open = (
        move
        for move in view.open_moves
        if {at, move.to} <= here.occupied
        and not here.missing()
        and not here.unexplained(mr_x_homes=here.mr_x_homes | {move.to})
    )
    return (*detectives, *in_the_open)


def pawns_still_there(here: Occupancy) -> tuple[PawnMove, ...]:
    """Return the statement "is at home" for each pawn that seems lifted, in case its switch is dead."""
    return tuple(PawnMove(pawn, here.view.pawns[pawn], HERE) for pawn in here.lifted)


def moves_undone_unsensed(here: Occupancy, before: PublicView | None) -> tuple[PawnMove, ...]:
    """Return the last moved pawn's way back to its old station, to ask about, in case no switch reports its return.

    Empty if the closed switches contradict that the pawn is back.
    """
    if before is None:
        return ()
    if before.mr_x_to_move:  # Mister X has moved his own pawn in the open (BE-05)
        at, origin = here.view.pawns.get(MR_X), before.pawns.get(MR_X)
        if not before.open_moves or at is None or origin is None:
            return ()
        then = here.ignoring({at, origin}).seen_as(before)
        return (PawnMove(MR_X, origin, RETURN),) if then.fits else ()
    changed = set(detective_stations(before).values()) ^ here.home_stations
    back = _back_again(here.ignoring(changed), before)
    return () if back is None or back.to is None else (PawnMove(back.pawn, back.to, RETURN),)


def _taken_back_unsensed(here: Occupancy, before: PublicView | None) -> Iterator[PawnMove]:
    """Yield the question whether the last move was taken back although every pawn is sensed at its station.

    Mister X's own pawn may be back where it was before its visible move. A detective's pawn may have gone back from one
    shared station to another.
    """
    if before is None:
        return
    at, origin = here.view.pawns.get(MR_X), before.pawns.get(MR_X)
    if before.open_moves and origin is not None and at not in here.occupied and origin in here.occupied:
        yield PawnMove(MR_X, origin, RETURN)
    back = None if before.mr_x_to_move else _back_again(here, before)
    if back is not None and back.to is not None:
        yield PawnMove(back.pawn, back.to, RETURN)


def _swaps(here: Occupancy, quiet: tuple[PawnMove, ...]) -> Iterator[PawnMove]:
    """Yield the moves by which two pawns on turn may have changed places (JU-06)."""
    view, others = here.view, here.home_stations
    ways = {(view.pawns.get(move.pawn), move.to) for move in view.moves}
    yield from (m for m in view.moves if m not in quiet and m.to in others and (m.to, view.pawns.get(m.pawn)) in ways)


def _unproved_open_moves(here: Occupancy) -> Iterator[PawnMove]:
    """Yield Mister X's visible moves that no switch can prove.

    They lead to a nearby station whose switch is closed. If his pawn is not sensed at home, they also lead to any
    station whose switch is closed or ignored.
    """
    if not here.view.open_moves:
        return
    at = here.view.pawns[MR_X]
    gone = at not in here.sensed
    for move in here.view.open_moves:
        close = at in here.board.near.get(move.to, ()) and move.to in here.occupied
        if close or (gone and move.to in here.occupied | here.ignored):
            yield move


def _mr_x_unsensed(here: Occupancy) -> tuple[PawnMove, ...]:
    """Return where Mister X's unsensed pawn may be on his visible turn: at home, or where it may move."""
    view, at = here.view, here.view.pawns.get(MR_X, 0)
    if not view.open_moves or at in here.sensed:
        return ()
    stays = () if at in here.ignored else (PawnMove(MR_X, at, HERE),)
    return (*stays, *view.open_moves)


# ---- guide pawns to their places -------------------------------------------------------------------------------------

# While a game is set up, after a computer's move, after moves were taken back on a page, and while no move explains the
# switches of a resumed game, the switches are not read as moves. What counts is which pawns are missing, and which
# stations have to be cleared. Mister X's own pawns are guided all the time, wherever everyone can see where they
# belong.


def guide_pawns(here: Occupancy, emptied: frozenset[int] = frozenset()) -> Reading:
    """Return the reading "mismatch" until every pawn is at its station, then "settled".

    Args:
        here: the switches compared with where pawns must stand.
        emptied: stations whose switch proves nothing yet; no pawn is assumed to be there.
    """
    nobody_moves = replace(here.view, turn=(), moves=(), open_moves=())
    return read(here.seen_as(nobody_moves, emptied))


def guide_computer_pawn(todo: ToCarryOut, here: Occupancy) -> Reading:
    """Return the reading "mismatch" until a computer's pawn is where the computer has moved it, then "settled"."""
    station = todo.move.to
    reading = guide_pawns(here, frozenset({station}) if todo.unsensed else frozenset())
    if not todo.unsensed or not isinstance(reading, Mismatch):
        return reading
    missing = {pawn: at for pawn, at in reading.missing.items() if at != station or pawn == todo.move.pawn}
    return replace(reading, missing=missing)


def guide_mr_x_pawns(
    board: KnownBoard, reading: Reading, *, is_beginning: bool
) -> tuple[dict[str, int], frozenset[int]]:
    """Return which of Mister X's pawns to set down (pawn -> station), and which stations to take his pawns off.

    No pawn has to be set down on an ignored station, except at the beginning of a game, when his pawns are not on the
    board yet.
    """
    here = board.here
    absent = board.mr_x_pawns.absent(here, wrong=isinstance(reading, Mismatch)).items()
    to_set_down = {pawn: station for pawn, station in absent if is_beginning or station not in here.ignored}
    return to_set_down, board.to_be_cleared
