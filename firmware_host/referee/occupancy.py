"""Who must stand where, and what the switches say of it. Worked out once for each thing that happens; pure.

A pawn is *missing* if its switch is listened to and open. A closed switch is *extra* if no pawn explains it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from firmware_host.rules.actions import PawnMove
from firmware_host.rules.views import PublicView

Stand = Mapping[str, int]
"""Where pawns must stand: pawn -> station."""


@dataclass(frozen=True, slots=True)
class Occupancy:
    """What the switches say, held against where pawns must stand; worked out anew once more is known.

    Attributes:
        view: the game as all may see it.
        occupied: stations whose switch is closed.
        masked: stations whose switch is not listened to; a pawn there is neither seen nor missed.
        unsure: stations whose closed switch may well be Mister X's own pawn instead of a detective (PB-05), or has been
            closed since before the pawn close by was lifted.
        near: stations that lie so close together that one magnet may close the switches of both.
        left: stations on which a pawn of Mister X's was left standing though he has long moved on.
        touching: stations so close together that the switch of one alone may feel a magnet that stands on the other.
        his: stations of which somebody has said since the last move that it is a pawn of Mister X's that is felt there.
        stand: where the detectives' pawns must stand; one that has not started stands nowhere (DI-10).
        standing: the stations on which they must.
        own: where Mister X's own pawns may stand without anything being wrong (PB-06).
    """

    view: PublicView
    occupied: frozenset[int]
    masked: frozenset[int] = frozenset()
    unsure: frozenset[int] = frozenset()
    near: Mapping[int, frozenset[int]] = field(default_factory=dict)
    left: frozenset[int] = frozenset()
    touching: Mapping[int, frozenset[int]] = field(default_factory=dict)
    his: frozenset[int] = frozenset()
    stand: Stand = field(init=False)
    standing: frozenset[int] = field(init=False)
    own: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        """Work out who must stand where."""
        object.__setattr__(self, "stand", detective_stations(self.view))
        object.__setattr__(self, "standing", frozenset(self.stand.values()))
        object.__setattr__(self, "own", mr_x_stations(self.view))

    def seen_as(self, view: PublicView) -> Occupancy:
        """Return the same board, held against another view of the game."""
        return self if view is self.view else self._with(view, self.masked, self.unsure)

    def ignoring(self, stations: frozenset[int] | set[int]) -> Occupancy:
        """Return the same board with more switches that are not listened to."""
        return self if self.masked.issuperset(stations) else self._with(self.view, self.masked | stations, self.unsure)

    def doubting(self, stations: frozenset[int]) -> Occupancy:
        """Return the same board with more stations whose closed switch may be Mister X's own pawn."""
        return self._with(self.view, self.masked, self.unsure | stations)

    def _with(self, view: PublicView, masked: frozenset[int], unsure: frozenset[int]) -> Occupancy:
        """Return the same board otherwise. Built directly, because `replace` takes three times as long."""
        return Occupancy(view, self.occupied, masked, unsure, self.near, self.left, self.touching, self.his)

    @property
    def heard(self) -> frozenset[int]:
        """The stations whose switch is closed and listened to."""
        return self.occupied - self.masked

    def missing(self, stand: Stand | None = None) -> dict[str, int]:
        """Return the pawns that are not felt where they must stand. `stand`: if they stood so."""
        stand = self.stand if stand is None else stand
        return {p: s for p, s in stand.items() if s not in self.occupied and s not in self.masked}

    def unexplained(self, stand: Stand | None = None, own: frozenset[int] | None = None) -> frozenset[int]:
        """Return the closed switches that no pawn explains, be it from a neighbouring station.

        Args:
            stand: where the detectives stand, if not where they must.
            own: where Mister X's pawns stand, if not where they may.
        """
        stands = (self.stand if stand is None else stand).values()
        there = (self.own if own is None else own).union(stands, self.left)
        extra = self.heard - there
        return frozenset(s for s in extra if self.occupied.isdisjoint(self.near.get(s, frozenset()) & there))

    @property
    def fits(self) -> bool:
        """Whether every pawn is felt where it must stand, and nothing else is."""
        return not self.missing() and not self.unexplained()

    def explaining(self, moves: Iterable[PawnMove]) -> list[PawnMove]:
        """Return the moves each of which alone explains all that is felt."""
        felt = self.occupied | self.masked  # or may be there unfelt: a pawn that is not where it went explains nothing
        return [move for move in moves if move.to in felt and self.explained_by({move.pawn: move.to})]

    def explained_by(self, moved: Stand) -> bool:
        """Whether all that is felt is explained by pawns that have moved so, others that may move being in a hand."""
        after = {**self.stand, **moved}
        lost = {pawn for pawn in self.missing(after) if pawn in moved or pawn not in self.view.turn}
        return not lost and not self.unexplained(after)

    @property
    def lifted(self) -> tuple[str, ...]:
        """The pawns that may move and are off the board."""
        missing = self.missing()
        return tuple(pawn for pawn in self.view.turn if pawn in missing)

    def doubtful(self, station: int) -> bool:
        """Whether a switch, closed or not, leaves it open that a pawn has arrived here."""
        close = self.near.get(station, frozenset())
        return station in self.masked | self.unsure | self.his or not close.isdisjoint(self.occupied)

    def shared(self, pawn: str, station: int) -> bool:
        """Whether another pawn stands on a station, so that one more makes no edge there (PB-05, JU-06)."""
        return any(at == station for other, at in self.stand.items() if other != pawn)

    def covered(self, pawn: str) -> bool:
        """Whether a pawn may have gone unfelt: another stands, or may, on its station, or nothing is felt there."""
        at = self.stand.get(pawn, 0)
        return self.shared(pawn, at) or at in self.own or at in self.masked


def detective_stations(view: PublicView) -> dict[str, int]:
    """Return where the detectives' pawns must stand: pawn -> station."""
    return {pawn: view.pawns[pawn] for pawn in view.order if pawn in view.pawns}


def mr_x_stations(view: PublicView) -> frozenset[int]:
    """Return where Mister X's own pawns may stand without anything being wrong (PB-06)."""
    return view.stale.union(view.pawns[pawn] for pawn in view.fugitives if pawn in view.pawns)
