"""Where Mister X's own pawns are, as far as switches can tell (PB-05, PB-06).

His pawns come and go: one is set down where he shows himself and taken off, or moved on, when he has left. No switch
can tell it from a detective's. So for each station on which it may stand it is kept in mind whether it has been felt
there, and lifted since. Wherever it may stand, a detective's arrival is no proof, and the table asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from firmware_host.referee.occupancy import Occupancy
from firmware_host.referee.readings import Ambiguous, Moved, Reading
from firmware_host.rules.views import PublicView


class Trace(Enum):
    """What the switch under a station on which Mister X was seen has told of his pawn."""

    UNSEEN = "never felt there"
    DOWN = "felt there"
    MAYBE = "perhaps there, beside a detective's: one switch feels both"
    LIFTED = "felt, and lifted again: in a hand, and may be put back"
    GONE = "lifted, he has moved on, and so has the game: in its box, or elsewhere"


@dataclass(frozen=True, slots=True)
class MrXPawns:
    """What is known of Mister X's pawns at each station on which one of them may stand.

    Attributes:
        traces: station -> what is known of a pawn of his there.
        own: where his pawns may stand without anything being wrong.
        shown: the stations on which he is seen.
    """

    traces: Mapping[int, Trace] = field(default_factory=dict, hash=False)
    own: frozenset[int] = frozenset()
    shown: frozenset[int] = frozenset()

    @property
    def left(self) -> frozenset[int]:
        """The stations on which one of his pawns may have been left standing though he has long moved on."""
        return frozenset(n for n in self.traces.keys() - self.own if self.traces[n] in (Trace.DOWN, Trace.MAYBE))

    def follow(self, here: Occupancy) -> MrXPawns:
        """Return what is known once he may have moved on: of the stations that still count, and what was left."""
        homeless = self._homeless(here.view)
        traces = dict.fromkeys(here.own, Trace.UNSEEN)
        for station, trace in self.traces.items():
            if station in here.own:
                moved_on = trace is Trace.LIFTED and not homeless and station in here.view.stale
                traces[station] = Trace.GONE if moved_on else trace
            elif station in here.occupied and trace is not Trace.GONE:
                traces[station] = Trace.DOWN if trace is Trace.DOWN else Trace.MAYBE
            elif trace not in (Trace.UNSEEN, Trace.GONE):
                traces[station] = Trace.LIFTED if homeless else Trace.GONE
        shown = _shown(here.view)
        for station in (shown - self.shown) - here.occupied:  # he is back where his pawn was lifted: it is wanted there
            traces[station] = Trace.UNSEEN
        return MrXPawns(traces, here.own, shown)

    def watch(self, here: Occupancy) -> MrXPawns:
        """Return what is known now that everything else is settled: see which of the stations are occupied."""
        traces = dict(self.traces)
        for station, trace in self.traces.items():
            may_stand = trace in (Trace.DOWN, Trace.MAYBE)
            if station in here.standing:
                traces[station] = Trace.MAYBE if trace is Trace.DOWN else trace
            elif station in here.occupied and (station in self.own or may_stand):
                traces[station] = Trace.DOWN
            elif may_stand:
                traces[station] = Trace.LIFTED
        return self if traces == self.traces else replace(self, traces=traces)

    def _homeless(self, view: PublicView) -> bool:
        """Whether one of his pawns is in play (BE-05, JU-07) and not known to stand where he is."""
        return view.in_sight and any(self.traces.get(station) is not Trace.DOWN for station in _shown(view))

    def unsure(self, here: Occupancy) -> frozenset[int]:
        """Return the stations whose closed switch may be one of his pawns."""
        unsure = frozenset(station for station, trace in self.traces.items() if trace is not Trace.GONE)
        shown = here.own - here.view.stale - here.standing
        down = [station for station in shown if self.traces.get(station) is Trace.DOWN]
        if len(here.view.fugitives) == 1 and down and not _may_have_come(here, down[0]):
            # He has one pawn, and it stands where he is; but what was felt elsewhere all the time is nobody's arrival.
            return unsure & shown.union(n for n, trace in self.traces.items() if trace is Trace.DOWN)
        return unsure

    def seen(self, station: int) -> bool:
        """Return whether a pawn of his has been felt on a station since he was shown there."""
        return self.traces.get(station, Trace.UNSEEN) is not Trace.UNSEEN

    def stands_on(self, *stations: int) -> MrXPawns:
        """Return what is known once it is sure that a pawn of his stands on these stations."""
        return replace(self, traces={**self.traces, **dict.fromkeys(stations, Trace.DOWN)})

    def put_back(self, here: Occupancy, reading: Reading) -> frozenset[int]:
        """Return where a pawn of his, known to be off the board, must have been put back: nothing else explains it."""
        gone = {station for station, trace in self.traces.items() if trace is Trace.GONE}
        there = (here.occupied & gone) - here.standing
        return there - {move.to for move in reading.moves} if isinstance(reading, Moved | Ambiguous) else there

    def astray(self, here: Occupancy) -> bool:
        """Return whether a pawn of his may stand anywhere: lifted, or never set down where he is, and not felt."""
        shown, away = _shown(here.view), (Trace.DOWN, Trace.LIFTED)
        return any(
            station not in here.occupied and (trace in away or (trace is Trace.UNSEEN and station in shown))
            for station, trace in self.traces.items()
        )

    def absent(self, here: Occupancy, *, wrong: bool = False) -> dict[str, int]:
        """Return his pawns that should stand on the board and are not felt there: pawn -> station.

        Beside a detective's it never is (JU-06): there it is asked for while it is his turn. One that was lifted is
        asked for if it is in play (BE-05) and he is not about to move it: once that is settled, or at once if
        something stands `wrong`, which it may be.
        """
        view, wanted = here.view, {}
        lifted = (Trace.DOWN, Trace.LIFTED) if wrong else (Trace.LIFTED,)
        for pawn in view.fugitives:
            station = view.pawns.get(pawn, 0)
            trace = self.traces.get(station)
            lost = trace in lifted and view.in_sight and not view.his_turn
            away = view.his_turn if station in here.standing else station not in here.occupied
            if away and (trace is Trace.UNSEEN or lost):
                wanted[pawn] = station
        return wanted


def _shown(view: PublicView) -> frozenset[int]:
    """Return the stations on which Mister X is seen."""
    return frozenset(view.pawns[pawn] for pawn in view.fugitives if pawn in view.pawns)


def _may_have_come(here: Occupancy, station: int) -> bool:
    """Return whether what is felt on a station may be a detective instead, whose leaving was not felt."""
    standing = list(here.stand.values())
    unfelt = {at for at in standing if at in here.masked or standing.count(at) > 1} | here.own
    view = here.view
    return any(move.to == station and view.pawns.get(move.pawn) in unfelt for move in view.moves)
