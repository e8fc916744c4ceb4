"""What the switches say, given where the pawns must stand. Pure and without memory.

A reed switch tells that *some* magnet is there, never which (PB-01). So final presence decides and not the order of
edges: for every legal move the occupation that it would leave is compared with the one that is felt. A missed edge, a
slide, a bump or a restart leaves no wrong trace that way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from firmware_host.referee.scene import HERE, RETURN, Ambiguous, InHand, Mismatch, Moved, Reading, Returned, Settled
from firmware_host.rules.actions import MR_X, START, PawnMove
from firmware_host.rules.views import PublicView

Stand = Mapping[str, int]
"""Where pawns must stand: pawn -> station."""


TOUCHING = 0.75
"""The share of the distance at which two switches may feel one magnet at which it may be the wrong one alone."""


@dataclass(frozen=True, slots=True)
class Felt:
    """What is known of the board at one moment.

    Attributes:
        occupied: stations whose switch is closed.
        masked: stations whose switch is not listened to; a pawn there is neither seen nor missed.
        unsure: stations whose closed switch may well be Mister X's own pawn instead of a detective (PB-05), or has been
            closed since before the pawn close by was lifted.
        near: stations that lie so close together that one magnet may close the switches of both.
        left: stations on which a pawn of Mister X's was left standing though he has long moved on.
        touching: stations so close together that the switch of one alone may feel a magnet that stands on the other.
        his: stations of which somebody has said since the last move that it is a pawn of Mister X's that is felt there.
    """

    occupied: frozenset[int]
    masked: frozenset[int] = frozenset()
    unsure: frozenset[int] = frozenset()
    near: Mapping[int, frozenset[int]] = field(default_factory=dict)
    left: frozenset[int] = frozenset()
    touching: Mapping[int, frozenset[int]] = field(default_factory=dict)
    his: frozenset[int] = frozenset()

    def doubtful(self, station: int) -> bool:
        """Whether a switch, closed or not, leaves it open that a pawn has arrived here."""
        close = self.near.get(station, frozenset())
        return station in self.masked | self.unsure | self.his or not close.isdisjoint(self.occupied)


def read(view: PublicView, felt: Felt, before: PublicView | None = None) -> Reading:
    """What the switches say of a game.

    Args:
        view: the game as all may see it.
        felt: what the switches say.
        before: the game as it was before the last move, if that move may still be taken back.
    """
    stand = _stand(view)
    leaving = (move for move in view.moves if move.to != stand.get(move.pawn))  # to stay is felt by nothing
    moves = [move for move in leaving if _explains(view, felt, stand, {move.pawn: move.to})]
    silent = _in_doubt(view, felt, moves)
    if _fits(view, stand, felt):
        return _unfelt(view, felt, silent, before)
    proved = {move.to for move in moves if move not in silent}  # that some pawn is there; it may be another one's, too
    plain = tuple(move for move in moves if move not in silent or move.to in proved)
    back = _returned(view, felt, before) or _never_went(view, felt, before) or _while_lifted(view, felt, before)
    if plain or not moves:
        plain = plain or tuple(_several(view, felt))
        if plain:
            return _moved(view, felt, (*plain, *_as_well(view, felt, plain)), back)
    gone = _open_move(view, felt)
    if back is not None:
        if back.to is None:
            return back
        there = (m for m in view.moves if m.to == back.to)
        others = tuple(m for m in there if m in silent or _covered(view, stand, felt, m.pawn))
        moved = gone or (Ambiguous(others) if others else None)
        return back if moved is None else _either(moved, back.pawn, back.to)
    if silent:
        lifted = _lifted(view, felt)
        doubted = {move.pawn for move in silent} - set(lifted)  # these may be in no hand at all, and stay
        stays = (move for move in view.moves if move.pawn in doubted and move.to == stand.get(move.pawn))
        return InHand(tuple(dict.fromkeys([*lifted, *(move.pawn for move in silent)])), (*silent, *stays))
    return gone or _in_hand(view, felt) or _mismatch(view, felt)


def left_stuck(view: PublicView, felt: Felt) -> tuple[PawnMove, ...]:
    """The moves that explain all that is felt if the switch under the pawn was left behind stuck closed."""
    stand, own, here = _stand(view), mr_x_stations(view), view.pawns.get(MR_X)
    detectives = (
        move
        for move in view.moves
        if move.to in felt.occupied
        and stand.get(move.pawn) in felt.occupied - {move.to}
        and _explains(view, replace(felt, masked=felt.masked | {stand[move.pawn]}), stand, {move.pawn: move.to})
    )
    in_the_open = (
        move
        for move in view.open_moves
        if {here, move.to} <= felt.occupied
        and not _missing(stand, felt)
        and not _extra(view, stand, felt, own | {move.to})
    )
    return (*detectives, *in_the_open)


def still_there(view: PublicView, felt: Felt) -> tuple[PawnMove, ...]:
    """That a pawn which seems to be in a hand stands where it stood, for each of them: its switch may have died."""
    return tuple(PawnMove(pawn, view.pawns[pawn], HERE) for pawn in _lifted(view, felt))


def back_unfelt(view: PublicView, felt: Felt, before: PublicView | None) -> tuple[PawnMove, ...]:
    """That the last pawn that moved is back where it came from, or never went, though no switch says so."""
    if before is None:
        return ()
    changed = set(_stand(before).values()) ^ set(_stand(view).values())
    back = _returned(view, replace(felt, masked=felt.masked | changed), before)
    return () if back is None or back.to is None else (PawnMove(back.pawn, back.to, RETURN),)


def unproved(reading: Reading) -> Reading:
    """A reading for which a key has to vouch: hands may have had no part in what is felt."""
    match reading:
        case Moved(moves):
            return Ambiguous(moves)
        case Returned():
            return replace(reading, doubtful=True)
    return reading


def mr_x_stations(view: PublicView) -> frozenset[int]:
    """Where Mister X's own pawns may stand without anything being wrong (PB-06)."""
    return view.stale.union(view.pawns[pawn] for pawn in view.fugitives if pawn in view.pawns)


def _stand(view: PublicView) -> dict[str, int]:
    """Where the detectives' pawns must stand; one that has not started stands nowhere (DI-10)."""
    return {pawn: view.pawns[pawn] for pawn in view.order if pawn in view.pawns}


def _missing(stand: Stand, felt: Felt) -> dict[str, int]:
    return {p: s for p, s in stand.items() if s not in felt.occupied and s not in felt.masked}


def _extra(view: PublicView, stand: Stand, felt: Felt, own: frozenset[int] | None = None) -> frozenset[int]:
    """Closed switches that no pawn explains, be it from a neighbouring station. `own`: Mister X's stations."""
    there = (mr_x_stations(view) if own is None else own).union(stand.values(), felt.left)
    extra = felt.occupied - felt.masked - there
    return frozenset(s for s in extra if felt.occupied.isdisjoint(felt.near.get(s, frozenset()) & there))


def _fits(view: PublicView, stand: Stand, felt: Felt) -> bool:
    return not _missing(stand, felt) and not _extra(view, stand, felt)


def _explains(view: PublicView, felt: Felt, stand: Stand, moved: Stand) -> bool:
    """Whether all that is felt is explained by pawns that have moved so, others that may move being in a hand."""
    after = {**stand, **moved}
    lost = {pawn for pawn in _missing(after, felt) if pawn in moved or pawn not in view.turn}
    return not lost and not _extra(view, after, felt)


def _lifted(view: PublicView, felt: Felt) -> tuple[str, ...]:
    """The pawns that may move and are off the board."""
    missing = _missing(_stand(view), felt)
    return tuple(pawn for pawn in view.turn if pawn in missing)


def _in_doubt(view: PublicView, felt: Felt, moves: Iterable[PawnMove]) -> tuple[PawnMove, ...]:
    """The moves that a closed switch does not prove, the likeliest first: those to where something has closed."""
    stand = _stand(view)
    fresh = felt.occupied - felt.left - mr_x_stations(view) - set(stand.values())
    found = [m for m in moves if felt.doubtful(m.to) or _shared(stand, m.pawn, m.to) or _beside(view, m, felt)]
    return tuple(sorted(found, key=lambda move: move.to not in fresh))


def _beside(view: PublicView, move: PawnMove, felt: Felt) -> bool:
    """Whether the pawn may stand close by and be felt here alone: over a dead spot, or at home on a masked switch."""
    close = felt.touching.get(move.to, frozenset())
    ways = {other.to for other in view.moves if other.pawn == move.pawn}
    return view.pawns.get(move.pawn) in close & felt.masked or not ways.isdisjoint(close)


def _as_well(view: PublicView, felt: Felt, moves: tuple[PawnMove, ...]) -> Iterator[PawnMove]:
    """Others that may have gone there: of all of them the switch they have left is closed, Mister X's pawn or not."""
    stand = _stand(view)
    if all(stand.get(move.pawn) in felt.occupied for move in moves):
        there = {move.to for move in moves}
        yield from (m for m in view.moves if m not in moves and m.to in there and stand.get(m.pawn) in felt.occupied)


def _shared(stand: Stand, pawn: str, station: int) -> bool:
    """Whether another pawn stands on a station, so that one more makes no edge there (PB-05, JU-06)."""
    return any(at == station for other, at in stand.items() if other != pawn)


def _covered(view: PublicView, stand: Stand, felt: Felt, pawn: str) -> bool:
    """Whether a pawn may have gone unfelt: another stands, or may stand, on its station, or nothing is felt there."""
    at = stand.get(pawn, 0)
    return _shared(stand, pawn, at) or at in mr_x_stations(view) or at in felt.masked


def _moved(view: PublicView, felt: Felt, moves: tuple[PawnMove, ...], back: Returned | None) -> Reading:
    """One pawn has moved, or the table has to ask.

    It asks where several explain what is felt, where a move may have been taken back instead, and where the pawn has
    stood on a switch that is not listened to: it may stand there still, and something else be felt.
    """
    one = len({(move.pawn, move.to) for move in moves}) == 1
    if one and back is None and view.pawns.get(moves[0].pawn) not in felt.masked:
        return Moved(moves, _may_slide(view, moves[0], view.moves))
    return Ambiguous(moves) if back is None or back.to is None else _either(Ambiguous(moves), back.pawn, back.to)


def _either(moved: Moved | Ambiguous, pawn: str, back: int) -> Ambiguous:
    """A move was made, or a pawn was put back where it came from: the table has to ask."""
    return Ambiguous((*moved.moves, PawnMove(pawn, back, RETURN)))


def _several(view: PublicView, felt: Felt) -> Iterator[PawnMove]:
    """Where several pawns have moved at once: what all ways to explain it agree on, or else who is on one station.

    Where the ways differ on all of them, the moves to the last station: one question at a time.
    """
    lifted = _lifted(view, felt)
    new = sorted(_extra(view, _stand(view), felt))
    if not 1 < len(new) <= len(lifted):
        return
    ways = list(_assignments(view, felt, new, lifted, {}))
    for station in new:
        pawns = {pawn for way in ways for pawn, to in way.items() if to == station}
        if len(pawns) == 1 or station == new[-1]:
            yield from (move for move in view.moves if move.pawn in pawns and move.to == station)
            return


def _assignments(
    view: PublicView, felt: Felt, new: list[int], lifted: tuple[str, ...], moved: Stand
) -> Iterator[Stand]:
    """Every way in which lifted pawns may have gone to all of the new stations: pawn -> station."""
    if not new:
        if _explains(view, felt, _stand(view), moved):
            yield moved
        return
    for pawn in lifted:
        if any(move.pawn == pawn and move.to == new[0] for move in view.moves):
            rest = tuple(other for other in lifted if other != pawn)
            yield from _assignments(view, felt, new[1:], rest, {**moved, pawn: new[0]})


def _returned(view: PublicView, felt: Felt, before: PublicView | None) -> Returned | None:
    """The last pawn that moved, if it is felt again where it came from."""
    if before is None or not _fits(before, _stand(before), felt):
        return None
    back = next((pawn for pawn in view.order if before.pawns.get(pawn) != view.pawns.get(pawn)), None)
    if back is None:  # it stayed where it was: nothing to be felt
        return None
    origin = before.pawns.get(back)
    if origin in felt.his:
        return None
    doubtful = origin is not None and (
        felt.doubtful(origin)
        or view.pawns[back] in felt.masked  # it may stand there still
        or _shared(_stand(before), back, origin)
        or any(_covered(view, _stand(view), felt, pawn) for pawn in view.turn)  # one of these may have gone astray
        or (view.pawns.get(MR_X) not in felt.occupied and any(move.to == origin for move in view.open_moves))
    )
    return Returned(back, origin, doubtful)


def _never_went(view: PublicView, felt: Felt, before: PublicView | None) -> Returned | None:
    """The last pawn that moved, felt again where it came from though its new station is closed: that may be stuck."""
    if before is None:
        return None
    new = set(_stand(view).values()) - set(_stand(before).values())
    back = _returned(view, replace(felt, masked=felt.masked | new), before)
    if back is None or back.to not in felt.occupied - felt.masked:
        return None
    return replace(back, doubtful=True)


def _while_lifted(view: PublicView, felt: Felt, before: PublicView | None) -> Returned | None:
    """The last pawn that moved, felt again where it came from while one whose turn it is now is not felt at all."""
    stand = _stand(view)
    lifted = {stand[pawn] for pawn in _lifted(view, felt)}
    back = _returned(view, replace(felt, masked=felt.masked | lifted), before) if lifted else None
    if back is None or back.to not in felt.occupied - felt.masked:
        return None
    return replace(back, doubtful=True)


def _may_slide(view: PublicView, move: PawnMove, moves: Iterable[PawnMove]) -> bool:
    """Whether the pawn may be on its way to another legal station: one link further on, or straight on (PB-03)."""
    if move.ticket == START:
        return True
    near = view.network.around(move.to)
    others = {other.to for other in moves if other.pawn == move.pawn} - {move.to}
    return any(to in near or view.network.lies_between(move.to, view.pawns[move.pawn], to) for to in others)


def _unfelt(view: PublicView, felt: Felt, silent: tuple[PawnMove, ...], before: PublicView | None) -> Reading:
    """Nothing differs, but a pawn may have gone: its magnet closes two switches, or none that is listened to."""
    own = mr_x_stations(view)  # what closes a switch there is known, however near it is
    # A pawn that is not on the board yet comes from nowhere.
    near = [m for m in silent if m.to not in own and view.pawns.get(m.pawn) in felt.near.get(m.to, ())]
    shown = {view.pawns.get(pawn) for pawn in view.fugitives}  # nobody is caught unless a hand or a key has done it
    likely = [m for m in near if m.to not in shown]
    quiet = tuple(m for m in view.moves if m in silent or m.to == view.pawns.get(m.pawn))
    if likely:  # that pawn has most likely gone there; or it stays, or another one does
        pawn = likely[0].pawn
        return InHand((pawn,), tuple(dict.fromkeys((*(m for m in likely if m.pawn == pawn), *quiet))))
    return Settled((*quiet, *_swaps(view, quiet), *_unproved(view, felt), *_thought_better(view, felt, before)))


def _thought_better(view: PublicView, felt: Felt, before: PublicView | None) -> Iterator[PawnMove]:
    """The last move may have been taken back, though nothing differs.

    Mister X's own pawn, moved in the open, stands again where it came from; or a detective's has gone back between
    two stations on which others stand.
    """
    if before is None:
        return
    here, origin = view.pawns.get(MR_X), before.pawns.get(MR_X)
    if before.open_moves and origin is not None and here not in felt.occupied and origin in felt.occupied:
        yield PawnMove(MR_X, origin, RETURN)
    back = None if before.his_turn else _returned(view, felt, before)
    if back is not None and back.to is not None:
        yield PawnMove(back.pawn, back.to, RETURN)


def _swaps(view: PublicView, quiet: tuple[PawnMove, ...]) -> Iterator[PawnMove]:
    """Moves by which two pawns that may both move have changed places at once, where stations are shared (JU-06)."""
    ways = {(view.pawns.get(move.pawn), move.to) for move in view.moves}
    others = set(_stand(view).values())
    yield from (m for m in view.moves if m not in quiet and m.to in others and (m.to, view.pawns.get(m.pawn)) in ways)


def _unproved(view: PublicView, felt: Felt) -> Iterator[PawnMove]:
    """Mister X's moves in the open that look like no move at all: to where his pawn may have been left, or close by."""
    if not view.open_moves:
        return
    here = view.pawns[MR_X]
    gone = here not in felt.occupied - felt.masked
    for move in view.open_moves:
        close = here in felt.near.get(move.to, ()) and move.to in felt.occupied
        if close or (gone and move.to in felt.occupied | felt.masked):
            yield move


def _open_move(view: PublicView, felt: Felt) -> Moved | Ambiguous | None:
    """Mister X's own pawn has moved in the open: its station is free, and it stands on one of its ways (BE-05)."""
    if not view.open_moves or view.pawns[MR_X] in felt.occupied - felt.masked:
        return None
    stand = _stand(view)
    moves = tuple(
        move
        for move in view.open_moves
        if move.to in felt.occupied
        and not _missing(stand, felt)
        and not _extra(view, stand, felt, view.stale | {move.to})
    )
    if not moves:
        return None
    if len(moves) > 1 or view.pawns[MR_X] in felt.masked:  # whether his pawn has left is not felt
        return Ambiguous(moves)
    return Moved(moves, _may_slide(view, moves[0], view.open_moves))


def _in_hand(view: PublicView, felt: Felt) -> InHand | None:
    """Only pawns that may move are off the board, and nothing stands where nothing should."""
    missing = _missing(_stand(view), felt)
    if missing.keys() <= set(view.turn) and not _extra(view, _stand(view), felt):
        return InHand(_lifted(view, felt))
    return None


def _mismatch(view: PublicView, felt: Felt) -> Mismatch:
    """The smallest difference that explains what is felt: the pawn to move may stay, be in hand, or have moved."""
    stand = _stand(view)
    guesses: Iterable[dict[str, int]] = [
        stand,
        *({p: s for p, s in stand.items() if p != pawn} for pawn in view.turn if pawn in stand),
        *({**stand, move.pawn: move.to} for move in view.moves if move.to in felt.occupied),
    ]
    own = mr_x_stations(view)
    ways = {move.to for move in view.open_moves} & felt.occupied - own
    if len(ways) == 1 and view.pawns[MR_X] not in felt.occupied:  # his pawn has gone on, and is right where it is
        own |= ways

    def wrong(guess: Stand) -> tuple[int, int]:
        """How much is wrong; of two guesses that which leaves over what may well be Mister X's pawn is the better."""
        extra = _extra(view, guess, felt, own)
        return len(_missing(guess, felt)) + len(extra), len(extra - felt.unsure)

    best = min(guesses, key=wrong)
    missing, extra = _missing(best, felt), _extra(view, best, felt, own)
    if extra:  # whatever stands there is most likely the pawn in hand: show where it came from, too
        missing |= {p: s for p, s in _missing(stand, felt).items() if p not in best}
        here = view.pawns.get(MR_X, 0)
        if view.open_moves and here not in felt.occupied | felt.masked:  # or his, which may go back as well
            missing[MR_X] = here
    held = tuple(pawn for pawn in stand if pawn not in best and pawn not in missing)
    return Mismatch(missing, extra, held)
