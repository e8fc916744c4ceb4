"""What the switches say, given where the pawns must stand. Pure and without memory.

A reed switch tells that *some* magnet is there, never which (PB-01). So final presence decides and not the order of
edges: for every legal move the occupation that it would leave is compared with the one that is felt. A missed edge, a
slide, a bump or a restart leaves no wrong trace that way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from firmware_host.rules.actions import MR_X, PawnMove
from firmware_host.rules.views import PublicView
from firmware_host.scene import Ambiguous, InHand, Mismatch, Moved, Reading, Returned, Settled


@dataclass(frozen=True, slots=True)
class Felt:
    """What is known of the board at one moment.

    Attributes:
        occupied: stations whose switch is closed.
        masked: stations whose switch is not listened to; a pawn there is neither seen nor missed.
        unsure: stations whose closed switch may well be Mister X's own pawn instead of a detective (PB-05).
        near: stations that lie so close together that one magnet may close the switches of both.
    """

    occupied: frozenset[int]
    masked: frozenset[int] = frozenset()
    unsure: frozenset[int] = frozenset()
    near: Mapping[int, frozenset[int]] = field(default_factory=dict)

    def doubtful(self, station: int) -> bool:
        """Whether a switch, closed or not, leaves it open that a pawn has arrived here."""
        close = self.near.get(station, frozenset())
        return station in self.masked or station in self.unsure or not close.isdisjoint(self.occupied)


def read(view: PublicView, felt: Felt, before: PublicView | None = None) -> Reading:
    """What the switches say of a game.

    Args:
        view: the game as all may see it.
        felt: what the switches say.
        before: the game as it was before the last move, if that move may still be taken back.
    """
    stand = _stand(view)
    moves = [move for move in view.moves if _fits(view, {**stand, move.pawn: move.to}, felt)]
    fresh = felt.occupied - mr_x_stations(view) - set(stand.values())  # what has closed is likelier, and goes first
    doubtful = (move for move in moves if felt.doubtful(move.to))
    silent = tuple(sorted(doubtful, key=lambda move: move.to not in fresh))
    if _fits(view, stand, felt):
        return _unfelt(view, felt, silent) or Settled()
    plain = tuple(move for move in moves if move not in silent)
    if plain:
        one = len({(move.pawn, move.to) for move in plain}) == 1
        return Moved(plain, _may_slide(view, plain[0])) if one else Ambiguous(plain)
    if before is not None and _fits(before, _stand(before), felt):
        back = next(pawn for pawn in view.order if before.pawns[pawn] != view.pawns[pawn])
        origin = before.pawns[back]
        return Returned(back, origin, felt.doubtful(origin))
    if silent:
        return InHand(silent[0].pawn, tuple(move for move in silent if move.pawn == silent[0].pawn))
    return _in_hand(view, felt) or _mismatch(view, felt)


def mr_x_stations(view: PublicView) -> frozenset[int]:
    """Where Mister X's own pawn may stand without anything being wrong (PB-06)."""
    return frozenset(s for s in (view.pawns.get(MR_X), view.stale) if s is not None)


def _stand(view: PublicView) -> dict[str, int]:
    """Where the detectives' pawns must stand."""
    return {pawn: view.pawns[pawn] for pawn in view.order}


def _missing(stand: Mapping[str, int], felt: Felt) -> dict[str, int]:
    return {p: s for p, s in stand.items() if s not in felt.occupied and s not in felt.masked}


def _extra(view: PublicView, stand: Mapping[str, int], felt: Felt) -> frozenset[int]:
    """Closed switches that no pawn explains, be it from a neighbouring station."""
    own = mr_x_stations(view)
    there = own.union(stand.values())
    extra = felt.occupied - felt.masked - there
    return frozenset(s for s in extra if felt.occupied.isdisjoint(felt.near.get(s, frozenset()) & there))


def _fits(view: PublicView, stand: Mapping[str, int], felt: Felt) -> bool:
    return not _missing(stand, felt) and not _extra(view, stand, felt)


def _may_slide(view: PublicView, move: PawnMove) -> bool:
    """Whether the pawn may be on its way to another legal station: one link further on, or straight on (PB-03)."""
    near = view.network.around(move.to)
    others = {other.to for other in view.moves if other.pawn == move.pawn} - {move.to}
    return any(to in near or view.network.lies_between(move.to, view.pawns[move.pawn], to) for to in others)


def _unfelt(view: PublicView, felt: Felt, silent: tuple[PawnMove, ...]) -> Reading | None:
    """Nothing differs, but the pawn to move may have gone: its switch is masked, or its magnet closes two switches."""
    moves = [m for m in silent if view.pawns[m.pawn] in felt.masked or view.pawns[m.pawn] in felt.near.get(m.to, ())]
    return InHand(moves[0].pawn, tuple(m for m in moves if m.pawn == moves[0].pawn)) if moves else None


def _in_hand(view: PublicView, felt: Felt) -> InHand | None:
    """Only pawns that may move are off the board, and nothing stands where nothing should."""
    missing = _missing(_stand(view), felt)
    if missing.keys() <= set(view.turn) and not _extra(view, _stand(view), felt):
        return InHand(next(iter(missing)))
    return None


def _mismatch(view: PublicView, felt: Felt) -> Mismatch:
    """The smallest difference that explains what is felt: the pawn to move may stay, be in hand, or have moved."""
    stand = _stand(view)
    guesses: Iterable[dict[str, int]] = [
        stand,
        *({p: s for p, s in stand.items() if p != pawn} for pawn in view.turn if pawn in stand),
        *({**stand, move.pawn: move.to} for move in view.moves if move.to in felt.occupied),
    ]
    best = min(guesses, key=lambda guess: len(_missing(guess, felt)) + len(_extra(view, guess, felt)))
    missing, extra = _missing(best, felt), _extra(view, best, felt)
    if extra:  # whatever stands there is most likely the pawn in hand: show where it came from, too
        missing |= {p: s for p, s in _missing(stand, felt).items() if p not in best}
    return Mismatch(missing, extra)
