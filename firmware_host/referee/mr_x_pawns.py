"""Where Mister X's own pawns are, as far as switches can tell (PB-05, PB-06).

His pawns come and go: one is set down where he shows himself and taken off, or moved on, when he has left. No switch
can tell it from a detective's. So for each station on which it may stand it is kept in mind whether it has been felt
there, and lifted since. Wherever it may stand, a detective's arrival is no proof, and the table asks.
"""

from __future__ import annotations

from enum import Enum

from firmware_host.referee.occupancy import mr_x_stations
from firmware_host.referee.scene import Ambiguous, Moved, Reading
from firmware_host.rules.views import PublicView


class Figure(Enum):
    """Where a pawn of Mister X's is, as far as the switch under a station on which he was seen can tell."""

    UNSEEN = "never felt there"
    DOWN = "felt there"
    MAYBE = "perhaps there, beside a detective's: one switch feels both"
    LIFTED = "felt, and lifted again: in a hand, and may be put back"
    GONE = "lifted, he has moved on, and so has the game: in its box, or elsewhere"


class Figures:
    """What is known of Mister X's pawns at each station on which one of them may stand."""

    def __init__(self) -> None:
        self._known: dict[int, Figure] = {}
        self._own: frozenset[int] = frozenset()
        self._shown: frozenset[int] = frozenset()

    @property
    def left(self) -> frozenset[int]:
        """Stations on which one of his pawns may have been left standing though he has long moved on."""
        return frozenset(n for n in self._known.keys() - self._own if self._known[n] in (Figure.DOWN, Figure.MAYBE))

    def follow(self, view: PublicView, occupied: frozenset[int]) -> None:
        """He may have moved on: keep what is known of the stations that still count, and what was left behind."""
        known, homeless = self._known, self._homeless(view)
        self._own = mr_x_stations(view)
        self._known = dict.fromkeys(self._own, Figure.UNSEEN)
        for station, figure in known.items():
            if station in self._own:
                moved_on = figure is Figure.LIFTED and not homeless and station in view.stale
                self._known[station] = Figure.GONE if moved_on else figure
            elif station in occupied and figure is not Figure.GONE:
                self._known[station] = Figure.DOWN if figure is Figure.DOWN else Figure.MAYBE
            elif figure not in (Figure.UNSEEN, Figure.GONE):
                self._known[station] = Figure.LIFTED if homeless else Figure.GONE
        before, self._shown = self._shown, frozenset(view.pawns[p] for p in view.fugitives if p in view.pawns)
        for station in (self._shown - before) - occupied:  # he is back where his pawn was lifted: it is wanted there
            self._known[station] = Figure.UNSEEN

    def watch(self, view: PublicView, occupied: frozenset[int]) -> None:
        """Everything else is settled: see which of the stations are occupied."""
        shared = stands(view)
        for station, figure in self._known.items():
            may_stand = figure in (Figure.DOWN, Figure.MAYBE)
            if station in shared:
                self._known[station] = Figure.MAYBE if figure is Figure.DOWN else figure
            elif station in occupied and (station in self._own or may_stand):
                self._known[station] = Figure.DOWN
            elif may_stand:
                self._known[station] = Figure.LIFTED

    def _homeless(self, view: PublicView) -> bool:
        """Whether one of his pawns is in play (BE-05, JU-07) and not known to stand where he is."""
        shown = (view.pawns[pawn] for pawn in view.fugitives if pawn in view.pawns)
        return view.in_sight and any(self._known.get(station) is not Figure.DOWN for station in shown)

    def unsure(self, view: PublicView, masked: frozenset[int] = frozenset()) -> frozenset[int]:
        """The stations whose closed switch may be one of his pawns. `masked`: those that are not listened to."""
        unsure = frozenset(station for station, figure in self._known.items() if figure is not Figure.GONE)
        shown = mr_x_stations(view) - view.stale - stands(view)
        down = [station for station in shown if self._known.get(station) is Figure.DOWN]
        if len(view.fugitives) == 1 and down and not _may_have_come(view, down[0], masked):
            # He has one pawn, and it stands where he is; but what was felt elsewhere all the time is nobody's arrival.
            return unsure & shown.union(n for n, figure in self._known.items() if figure is Figure.DOWN)
        return unsure

    def seen(self, station: int) -> bool:
        """Whether a pawn of his has been felt on a station since he was shown there."""
        return self._known.get(station, Figure.UNSEEN) is not Figure.UNSEEN

    def stands_on(self, station: int) -> None:
        """Somebody says that a pawn of his stands there."""
        self._known[station] = Figure.DOWN

    def put_back(self, view: PublicView, occupied: frozenset[int], reading: Reading) -> bool:
        """Whether a pawn of his, known to be off the board, must have been put back: nothing else explains it."""
        gone = {station for station, figure in self._known.items() if figure is Figure.GONE}
        there = (gone & occupied) - stands(view)
        if isinstance(reading, Moved | Ambiguous):
            there -= {move.to for move in reading.moves}
        self._known |= dict.fromkeys(there, Figure.DOWN)
        return bool(there)

    def astray(self, view: PublicView, occupied: frozenset[int]) -> bool:
        """Whether a pawn of his may stand anywhere: it was lifted, or never set down where he is, and is not felt."""
        shown = {view.pawns[pawn] for pawn in view.fugitives if pawn in view.pawns}
        away = {Figure.DOWN, Figure.LIFTED}
        return any(
            station not in occupied and (figure in away or (figure is Figure.UNSEEN and station in shown))
            for station, figure in self._known.items()
        )

    def absent(self, view: PublicView, occupied: frozenset[int], *, wrong: bool = False) -> dict[str, int]:
        """His pawns that should stand on the board and are not felt there: pawn -> station.

        Beside a detective's it never is (JU-06): there it is asked for while it is his turn. One that was lifted is
        asked for if it is in play (BE-05) and he is not about to move it: once that is settled, or at once if
        something stands `wrong`, which it may be.
        """
        lifted = {Figure.DOWN, Figure.LIFTED} if wrong else {Figure.LIFTED}
        wanted = {}
        for pawn in view.fugitives:
            station = view.pawns.get(pawn, 0)
            figure = self._known.get(station)
            lost = figure in lifted and view.in_sight and not view.his_turn
            away = view.his_turn if station in stands(view) else station not in occupied
            if away and (figure is Figure.UNSEEN or lost):
                wanted[pawn] = station
        return wanted


def _may_have_come(view: PublicView, station: int, masked: frozenset[int]) -> bool:
    """Whether what is felt on a station may be a detective instead, whose leaving was not felt."""
    standing = [view.pawns[pawn] for pawn in view.order if pawn in view.pawns]
    unfelt = {at for at in standing if at in masked or standing.count(at) > 1} | mr_x_stations(view)
    return any(move.to == station and view.pawns.get(move.pawn) in unfelt for move in view.moves)


def stands(view: PublicView) -> frozenset[int]:
    """Where detectives must stand."""
    return frozenset(view.pawns[pawn] for pawn in view.order if pawn in view.pawns)
