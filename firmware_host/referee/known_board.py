"""Record what is known of the board: what switches report, what people confirm, and where Mister X's pawns may be.

This module has three records:

- `KnownBoard` is kept from event to event. The methods that record an event return the next record.
- `MrXPawns` is the part of `KnownBoard` about Mister X's own pawns, whose stations the rules do not fix.
- `Occupancy` is a view of a `KnownBoard`: the switches compared with where pawns must stand. It is computed again
  whenever something changes, and stores nothing.

A pawn's *home* is the station where the game has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

from firmware_host.referee.events import SwitchesChanged
from firmware_host.referee.readings import (
    HERE,
    MR_X_PAWN,
    RETURN,
    Ambiguous,
    Mismatch,
    Moved,
    Reading,
    Returned,
    Settled,
)
from firmware_host.referee.scene import Seats, without_computer_moves
from firmware_host.referee.switch_register import SwitchRegister
from firmware_host.rules.actions import MR_X, PawnMove
from firmware_host.rules.views import PublicView

Placement = Mapping[str, int]
"""The pawns' stations: pawn -> station."""


# ---- the switches compared with a game -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Occupancy:
    """A comparison of the board's switches with the pawns' stations in one view of the game.

    Its creator may try assumptions: `view`, `ignored_too`, `ambiguous` and `emptied`. The fields after these follow
    from the board and the assumptions.

    Attributes:
        board: what is known of the board.
        view: the game with which the switches are compared: the board's own, or one that is tried out.
        ignored_too: stations whose switch is ignored in addition to those that the board ignores.
        ambiguous: stations whose closed switch proves no arrival: it may sense Mister X's pawn (PB-05), or it was
            closed before the pawn nearby was lifted.
        emptied: stations whose switch is assumed to be open and to work, whatever it reports.
        occupied: the stations whose switch is closed.
        ignored: the stations whose switch is ignored: a pawn there is neither sensed nor missing.
        homes: where the detectives' pawns must stand; a pawn that has not started has no home (DI-10).
        home_stations: the stations of `homes`.
        mr_x_homes: the stations on which Mister X's own pawns may stand without anything being wrong (PB-06).
    """

    board: KnownBoard
    view: PublicView
    ignored_too: frozenset[int] = frozenset()
    ambiguous: frozenset[int] = frozenset()
    emptied: frozenset[int] = frozenset()
    occupied: frozenset[int] = field(init=False)
    ignored: frozenset[int] = field(init=False)
    homes: Placement = field(init=False)
    home_stations: frozenset[int] = field(init=False)
    mr_x_homes: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        """Compute the derived sets at once, because `cached_property` is too slow before Python 3.12."""
        object.__setattr__(self, "occupied", self.board.occupied - self.emptied)
        object.__setattr__(self, "ignored", (self.board.ignored | self.ignored_too) - self.emptied)
        object.__setattr__(self, "homes", detective_stations(self.view))
        object.__setattr__(self, "home_stations", frozenset(self.homes.values()))
        object.__setattr__(self, "mr_x_homes", mr_x_stations(self.view))

    @property
    def sensed(self) -> frozenset[int]:
        """The stations whose switch is closed and not ignored."""
        return self.occupied - self.ignored

    def seen_as(self, view: PublicView, emptied: frozenset[int] = frozenset()) -> Occupancy:
        """Return the same switches compared with another view of the game, as if the stations `emptied` were empty."""
        if view is self.view and not emptied:
            return self
        return Occupancy(self.board, view, self.ignored_too, self.ambiguous, self.emptied | emptied)

    def ignoring(self, stations: frozenset[int] | set[int]) -> Occupancy:
        """Return the same comparison with more switches ignored."""
        if self.ignored.issuperset(stations):
            return self
        return Occupancy(self.board, self.view, self.ignored_too | stations, self.ambiguous, self.emptied)

    def missing(self, homes: Placement | None = None) -> dict[str, int]:
        """Return the pawns whose switch is open and not ignored: pawn -> station. `homes` overrides their stations."""
        homes = self.homes if homes is None else homes
        return {p: s for p, s in homes.items() if s not in self.occupied and s not in self.ignored}

    def unexplained(self, homes: Placement | None = None, mr_x_homes: frozenset[int] | None = None) -> frozenset[int]:
        """Return the closed, trusted switches that no pawn explains, neither on that station nor on a nearby one.

        Args:
            homes: the detectives' stations; by default their homes.
            mr_x_homes: the stations of Mister X's pawns; by default all on which they may stand.
        """
        stands = (self.homes if homes is None else homes).values()
        there = (self.mr_x_homes if mr_x_homes is None else mr_x_homes).union(stands, self.board.mr_x_pawns.left_behind)
        near = self.board.near
        return frozenset(s for s in self.sensed - there if self.occupied.isdisjoint(near.get(s, frozenset()) & there))

    @property
    def fits(self) -> bool:
        """Whether no detective's pawn is missing, and pawns explain every closed switch."""
        return not self.missing() and not self.unexplained()

    def explaining(self, moves: Iterable[PawnMove]) -> list[PawnMove]:
        """Return each move that alone explains every closed switch."""
        possible = self.occupied | self.ignored  # a pawn cannot have gone to where a trusted switch is open
        return [move for move in moves if move.to in possible and self.explained_by({move.pawn: move.to})]

    def explained_by(self, moved: Placement) -> bool:
        """Return whether these moves explain every closed switch, assuming the other movable pawns are held."""
        after = {**self.homes, **moved}
        lost = {pawn for pawn in self.missing(after) if pawn in moved or pawn not in self.view.turn}
        return not lost and not self.unexplained(after)

    @property
    def lifted(self) -> tuple[str, ...]:
        """The detectives' pawns on turn whose trusted switch at home is open, so that somebody may hold them."""
        missing = self.missing()
        return tuple(pawn for pawn in self.view.turn if pawn in missing)

    def is_ambiguous(self, station: int) -> bool:
        """Return whether the switches cannot prove that a pawn has arrived at a station."""
        if station in self.ignored | self.ambiguous | self.board.mr_x_confirmed:
            return True
        return not self.board.near.get(station, frozenset()).isdisjoint(self.occupied)

    def is_shared(self, pawn: str, station: int) -> bool:
        """Return whether another detective's pawn is on a station, so arriving changes no switch (PB-05, JU-06)."""
        return any(at == station for other, at in self.homes.items() if other != pawn)

    def may_leave_unsensed(self, pawn: str) -> bool:
        """Return whether a pawn can leave its station without a switch reporting it."""
        at = self.homes.get(pawn, 0)
        return self.is_shared(pawn, at) or at in self.mr_x_homes or at in self.ignored


def detective_stations(view: PublicView) -> dict[str, int]:
    """Return where the detectives' pawns must stand: pawn -> station."""
    return {pawn: view.pawns[pawn] for pawn in view.order if pawn in view.pawns}


def mr_x_stations(view: PublicView) -> frozenset[int]:
    """Return the stations on which Mister X's pawns may stand without a mismatch (PB-06)."""
    return view.stale | shown_stations(view)


def shown_stations(view: PublicView) -> frozenset[int]:
    """Return the stations on which everyone sees Mister X."""
    return frozenset(view.pawns[pawn] for pawn in view.fugitives if pawn in view.pawns)


# ---- Mister X's own pawns --------------------------------------------------------------------------------------------

# Mister X's pawns come and go (PB-05, PB-06). One is set down where he shows himself, and taken off or moved on after
# he has left. No switch can distinguish it from a detective's. So the referee remembers for each station on which his
# pawn may stand whether it has been sensed there, and lifted since. Where it may stand, a closed switch does not prove
# that a detective has arrived, and the table asks.


class Trace(Enum):
    """The state of Mister X's pawn at a station where he was seen, as far as its switch has sensed the pawn."""

    UNSEEN = "never sensed there"
    DOWN = "sensed there"
    MAYBE = "perhaps there, beside a detective's pawn: one switch for both"
    LIFTED = "sensed, and lifted again: in a hand, and may be put back"
    GONE = "lifted, and both he and the game have gone on: in its box, or elsewhere"


@dataclass(frozen=True)  # without slots: `left_behind` is worked out once
class MrXPawns:
    """The traces of Mister X's pawns: station -> trace, for each station on which one of his pawns may stand.

    Attributes:
        traces: station -> the trace of Mister X's pawn there.
        homes: the stations on which his pawns may stand without anything being wrong.
        shown: the stations on which everyone sees him.
    """

    traces: Mapping[int, Trace] = field(default_factory=dict, hash=False)
    homes: frozenset[int] = frozenset()
    shown: frozenset[int] = frozenset()

    @cached_property
    def left_behind(self) -> frozenset[int]:
        """The stations that Mister X left long ago, and on which his pawn may still stand."""
        return frozenset(n for n in self.traces.keys() - self.homes if self.traces[n] in (Trace.DOWN, Trace.MAYBE))

    def follow(self, here: Occupancy) -> MrXPawns:
        """Update the traces after a move, perhaps Mister X's, was played or taken back."""
        shown = shown_stations(here.view)
        # One of his pawns is in play (BE-05, JU-07), and is not known to be where he is.
        homeless = here.view.in_sight and any(self.traces.get(station) is not Trace.DOWN for station in shown)
        traces = dict.fromkeys(here.mr_x_homes, Trace.UNSEEN)
        for station, trace in self.traces.items():
            if station in here.mr_x_homes:
                moved_on = trace is Trace.LIFTED and not homeless and station in here.view.stale
                traces[station] = Trace.GONE if moved_on else trace
            elif station in here.occupied and trace is not Trace.GONE:
                traces[station] = Trace.DOWN if trace is Trace.DOWN else Trace.MAYBE
            elif trace not in (Trace.UNSEEN, Trace.GONE):
                traces[station] = Trace.LIFTED if homeless else Trace.GONE
        for station in (shown - self.shown) - here.occupied:
            traces[station] = Trace.UNSEEN  # he is back where his pawn was lifted: it has to be set down again
        return MrXPawns(traces, here.mr_x_homes, shown)

    def watch(self, here: Occupancy) -> MrXPawns:
        """Update the traces while all detectives' pawns are at home.

        Every other closed switch then senses Mister X's pawn.
        """
        traces = dict(self.traces)
        for station, trace in self.traces.items():
            may_stand = trace in (Trace.DOWN, Trace.MAYBE)
            if station in here.home_stations:
                traces[station] = Trace.MAYBE if trace is Trace.DOWN else trace
            elif station in here.occupied and (station in self.homes or may_stand):
                traces[station] = Trace.DOWN
            elif may_stand:
                traces[station] = Trace.LIFTED
        return self if traces == self.traces else replace(self, traces=traces)

    def ambiguous_stations(self, here: Occupancy) -> frozenset[int]:
        """Return the stations whose closed switch may sense one of Mister X's pawns."""
        ambiguous = frozenset(station for station, trace in self.traces.items() if trace is not Trace.GONE)
        shown = here.mr_x_homes - here.view.stale - here.home_stations
        down = [station for station in shown if self.traces.get(station) is Trace.DOWN]
        if len(here.view.fugitives) == 1 and down and not _may_be_detective(here, down[0]):
            # His only pawn stands where he is. But a switch that was closed all the time is nobody's arrival.
            return ambiguous & shown.union(n for n, trace in self.traces.items() if trace is Trace.DOWN)
        return ambiguous

    def was_seen(self, station: int) -> bool:
        """Return whether Mister X's pawn has been sensed on a station since he was shown there."""
        return self.traces.get(station, Trace.UNSEEN) is not Trace.UNSEEN

    def stands_on(self, *stations: int) -> MrXPawns:
        """Record that Mister X's pawns stand on these stations for certain."""
        return replace(self, traces={**self.traces, **dict.fromkeys(stations, Trace.DOWN)})

    def find_put_back(self, here: Occupancy, reading: Reading) -> frozenset[int]:
        """Return the stations where only Mister X's pawn, put back on the board, can explain the closed switch."""
        gone = {station for station, trace in self.traces.items() if trace is Trace.GONE}
        there = (here.occupied & gone) - here.home_stations
        return there - {move.to for move in reading.moves} if isinstance(reading, Moved | Ambiguous) else there

    def may_be_anywhere(self, here: Occupancy) -> bool:
        """Return whether Mister X's unsensed pawn may be on any station, because it was lifted or never set down."""
        shown, away = shown_stations(here.view), (Trace.DOWN, Trace.LIFTED)
        return any(
            station not in here.occupied and (trace in away or (trace is Trace.UNSEEN and station in shown))
            for station, trace in self.traces.items()
        )

    def absent(self, here: Occupancy, *, wrong: bool = False) -> dict[str, int]:
        """Return Mister X's pawns that should be on the board but are not sensed: pawn -> station.

        At a station with a detective's pawn, no switch can sense his pawn (JU-06). There it counts as absent during his
        turn if it was never sensed. If he is visible by default (BE-05), a lifted pawn of his is absent, too, except
        during his turn.

        Args:
            here: the switches compared with the game.
            wrong: whether a pawn is on a wrong station. It may be his, so his pawn counts as lifted at once.
        """
        view, wanted = here.view, {}
        lifted = (Trace.DOWN, Trace.LIFTED) if wrong else (Trace.LIFTED,)
        for pawn in view.fugitives:
            station = view.pawns.get(pawn, 0)
            trace = self.traces.get(station)
            lost = trace in lifted and view.in_sight and not view.mr_x_to_move
            away = view.mr_x_to_move if station in here.home_stations else station not in here.occupied
            if away and (trace is Trace.UNSEEN or lost):
                wanted[pawn] = station
        return wanted


def _may_be_detective(here: Occupancy, station: int) -> bool:
    """Return whether the pawn sensed on a station may be a detective's that left home unsensed."""
    stations = list(here.homes.values())
    unsensed = {at for at in stations if at in here.ignored or stations.count(at) > 1} | here.mr_x_homes
    return any(move.to == station and here.view.pawns.get(move.pawn) in unsensed for move in here.view.moves)


# ---- what is kept from event to event --------------------------------------------------------------------------------


@dataclass(frozen=True)  # without slots: `here` is worked out once
class KnownBoard:
    """The referee's record of the board. The methods that record an event return the next record.

    Attributes:
        view: the public view of the game; None while there is none.
        occupied: the stations whose switch is closed.
        chattering: the stations whose switch chatters.
        reported: whether the switches have reported since stations were last assigned to them.
        implausible: whether more switches have changed at once than hands can move, and nothing has settled since.
        shadowed: the stations whose switch a pawn that stood nearby may have closed, or which may be stuck.
        suspect: the stations whose closed switch proves no arrival: since the last move the table has asked about it or
            shown it as wrong, or a player has cancelled a move there.
        questioned: the pawns not sensed at home when the table asked about them. Their moves need a key.
        mr_x_confirmed: the stations where people have confirmed Mister X's pawn since the last move.
        confirmed: the stations where people have confirmed a pawn, or that there is none, since the game began or was
            resumed.
        register: the switches that are or were out of order.
        mr_x_pawns: where Mister X's own pawns are.
        near: stations so close together that one magnet may close the switches of both.
        touching: stations so close together that the switch of one alone may sense a magnet on the other.
        seats: the seats that computers play.
    """

    view: PublicView | None = field(default=None, hash=False)
    occupied: frozenset[int] = frozenset()
    chattering: frozenset[int] = frozenset()
    reported: bool = False
    implausible: bool = False
    shadowed: frozenset[int] = frozenset()
    suspect: frozenset[int] = frozenset()
    questioned: frozenset[str] = frozenset()
    mr_x_confirmed: frozenset[int] = frozenset()
    confirmed: frozenset[int] = frozenset()
    register: SwitchRegister = field(default_factory=SwitchRegister)
    mr_x_pawns: MrXPawns = field(default_factory=MrXPawns)
    near: Mapping[int, frozenset[int]] = field(default_factory=dict, hash=False, repr=False)
    touching: Mapping[int, frozenset[int]] = field(default_factory=dict, hash=False, repr=False)
    seats: Seats = field(default_factory=dict, hash=False)

    @cached_property
    def here(self) -> Occupancy:
        """The switches compared with the game, as if computers' pawns had no legal moves.

        Raises:
            LookupError: there is no game.
        """
        if self.view is None:
            raise LookupError("there is no game, so no pawn has a home")
        view = without_computer_moves(self.view, self.seats)
        at = view.pawns.get(MR_X, 0)
        if view.open_moves and not self.mr_x_pawns.was_seen(at) and at not in self.ignored:
            view = replace(view, open_moves=())  # Mister X's pawn has to be set down before it can move (BE-06)
        here = Occupancy(self, view, ambiguous=self.shadowed)
        ambiguous = self.shadowed | self.mr_x_pawns.ambiguous_stations(here)
        return here if ambiguous == self.shadowed else Occupancy(self, view, ambiguous=ambiguous)

    @property
    def ignored(self) -> frozenset[int]:
        """The stations whose switch is ignored."""
        return self.register.stations | self.chattering

    @property
    def unconfirmed(self) -> frozenset[int]:
        """The ignored stations on which a pawn must be set up and nobody has confirmed it yet."""
        return (self.here.ignored & self.here.home_stations) - self.confirmed

    @property
    def to_be_cleared(self) -> frozenset[int]:
        """The occupied stations from which Mister X's pawn has to be removed."""
        here = self.here
        return (here.view.stale | self.mr_x_pawns.left_behind) & (here.occupied - here.home_stations) - here.ignored

    def has_strayed_pawns(self, reading: Reading) -> bool:
        """Return whether more is wrong than one bad switch can cause, so that pawns must have moved.

        A missing pawn may stand where Mister X's pawn has to be taken off.
        """
        if self.view is None or not isinstance(reading, Mismatch):
            return False
        if reading.missing and self.to_be_cleared:
            return True
        return reading.several or bool(reading.extra and self.mr_x_pawns.may_be_anywhere(self.here))

    def is_suspect(self, reading: Reading) -> bool:
        """Return whether a move or return depends on a suspect switch, or a move on a questioned pawn."""
        if isinstance(reading, Returned):
            return reading.to in self.suspect
        moves = reading.moves if isinstance(reading, Moved) else ()
        return any(move.to in self.suspect or move.pawn in self.questioned for move in moves)

    def likeliest_first(self, reading: Reading, before: Reading) -> Reading:
        """Return an ambiguous reading with the previous reading's moves first and suspect moves last.

        The order stays while the same moves are possible, because a player may be answering.
        """
        if not isinstance(reading, Ambiguous):
            return reading
        earlier = before.moves if isinstance(before, Moved | Ambiguous) else ()
        if isinstance(before, Ambiguous) and set(earlier) == set(reading.moves):
            return before
        return Ambiguous(tuple(sorted(reading.moves, key=lambda move: (move.to in self.suspect, move not in earlier))))

    # ---- the switches report ----

    def update_switches(self, event: SwitchesChanged, reading: Reading, *, shown: bool) -> KnownBoard:
        """Record what the switches report now.

        Args:
            event: the report.
            reading: the reading before it.
            shown: whether the table showed that reading as wrong. Then a switch that stays closed at a station to be
                cleared does not prove that a pawn has arrived there.
        """
        closed, register, suspect = event.occupied, self.register, self.suspect
        rested = (self.chattering - event.chattering) & closed
        if rested and self.view is not None:  # a switch that settles closed where no pawn may be is stuck
            stuck = rested - self.here.home_stations - self.here.mr_x_homes - self.mr_x_pawns.left_behind
            register = register.add(*stuck, occupied=closed)
        if shown and isinstance(reading, Mismatch):
            suspect |= reading.extra & closed
        return replace(
            self, occupied=closed, chattering=event.chattering, reported=True, register=register, suspect=suspect,
            implausible=self.implausible or event.implausible, shadowed=self.shadowed & closed,
        )  # fmt: skip

    def trust_again(self, now: float) -> KnownBoard:
        """Trust again the ignored switches that have reported the truth for long enough."""
        if self.view is None or not self.reported or not self.register.trials:
            return self
        here = self.here
        stations = here.home_stations | (here.mr_x_homes - here.view.stale if here.view.in_sight else frozenset())
        return replace(self, register=self.register.trust_again(self.occupied, stations, now, self.chattering))

    def note_settled(self) -> KnownBoard:
        """Record that every switch reports what it should, so that no question about the board is open."""
        board, here = self.watch(), self.here
        shadowed = here.sensed - here.home_stations - here.mr_x_homes
        same = not board.implausible and not board.questioned and shadowed == board.shadowed
        return board if same else replace(board, implausible=False, questioned=frozenset(), shadowed=shadowed)

    def watch(self) -> KnownBoard:
        """Record on which stations a pawn of Mister X's is sensed."""
        pawns = self.mr_x_pawns.watch(self.here)
        return self if pawns is self.mr_x_pawns else replace(self, mr_x_pawns=pawns)

    # ---- the game goes on ----

    def follow(self, view: PublicView) -> KnownBoard:
        """Record that a move, perhaps Mister X's, was played or taken back."""
        pawns = self.mr_x_pawns.follow(Occupancy(self, view))
        return replace(
            self, view=view, mr_x_pawns=pawns, suspect=frozenset(), questioned=frozenset(), mr_x_confirmed=frozenset()
        )

    def leave_home(self, pawn: str) -> KnownBoard:
        """Record that a pawn has left home. If its switch is still closed, the station becomes `shadowed`."""
        left = self.occupied & {self.here.view.pawns.get(pawn, 0)}
        return self if left <= self.shadowed else replace(self, shadowed=self.shadowed | left)

    # ---- the table has asked ----

    def suspect_stations(self, *stations: int) -> KnownBoard:
        """Mark the closed switches of these stations as suspect, because nobody has confirmed a pawn there."""
        suspect = self.occupied.intersection(stations)
        return self if suspect <= self.suspect else replace(self, suspect=self.suspect | suspect)

    def question_pawns(self, *pawns: str) -> KnownBoard:
        """Record that the table asked about these pawns and got no answer."""
        sensed = self.here.sensed if pawns else frozenset()
        unsensed = frozenset(pawn for pawn in pawns if self.here.view.pawns.get(pawn) not in sensed)
        return self if unsensed <= self.questioned else replace(self, questioned=self.questioned | unsensed)

    # ---- people confirm or deny ----

    def ignore(self, *stations: int) -> KnownBoard:
        """Ignore the switches of these stations, because they are out of order."""
        return replace(self, register=self.register.add(*stations, occupied=self.occupied)) if stations else self

    def confirm_station(self, station: int) -> KnownBoard:
        """Record that people have confirmed what is on a station, and ignore its switch, which contradicts them."""
        board = self if station in self.ignored else self.ignore(station)
        return replace(board, confirmed=self.confirmed | {station})

    def confirm_mr_x_pawn(self, station: int) -> KnownBoard:
        """Record that the pawn sensed on a station is Mister X's."""
        return replace(
            self, mr_x_pawns=self.mr_x_pawns.stands_on(station), mr_x_confirmed=self.mr_x_confirmed | {station}
        )

    def confirm_statement(self, move: PawnMove, reading: Reading) -> KnownBoard:
        """Record people's statement about a station, and ignore each switch that contradicts it."""
        if move.ticket == MR_X_PAWN:
            return self.confirm_mr_x_pawn(move.to)
        if move.ticket == HERE and move.to in self.ignored and isinstance(reading, Ambiguous):
            # The pawn stands on an ignored switch, so no other switch that seems to sense it can be right.
            return self.ignore(*self.occupied & {other.to for other in reading.moves if other.pawn == move.pawn})
        return replace(self.ignore(move.to), confirmed=self.confirmed | {move.to})

    def confirm_move(self, move: PawnMove, reading: Reading) -> KnownBoard:
        """Record that people confirm a move or a return, and ignore each switch that contradicts them.

        If Mister X's unsensed pawn may close the switch that the pawn has left, that station has to be cleared instead.
        """
        at = self.here.view.pawns.get(move.pawn, 0)
        board = self.leave_home(move.pawn)
        if move.to not in self.occupied and (move.ticket != RETURN or at != move.to):
            board = board.ignore(move.to)
        if move.ticket == RETURN:
            return board.deny_arrival(move.pawn)
        unexpected = isinstance(reading, Settled) and move not in reading.silent
        sticks = unexpected and at in self.occupied - self._homes_of_others(move.pawn) - self.here.view.stale
        followed = any(pawn != move.pawn for pawn in self.here.lifted)  # a lifted pawn may be there by now
        stuck = sticks or (isinstance(reading, Mismatch) and not followed)
        if not stuck:
            return board
        return board.confirm_mr_x_pawn(at) if self.mr_x_pawns.may_be_anywhere(self.here) else board.ignore(at)

    def deny_arrival(self, pawn: str) -> KnownBoard:
        """Record what closes the switch of a pawn's station, at which the pawn never arrived.

        If Mister X's pawn may be there, record that; else ignore the switch as stuck. If the switch is open, or another
        visible pawn closes it, nothing changes.
        """
        at = self.here.view.pawns[pawn]
        if at not in self.occupied - self._homes_of_others(pawn):
            return self
        may_be_mr_x = pawn != MR_X and at in self.here.mr_x_homes | self.mr_x_pawns.left_behind
        return self.confirm_mr_x_pawn(at) if may_be_mr_x else self.ignore(at)

    def deny_return(self, back: Returned) -> KnownBoard:
        """Record that the last moved pawn is where it went, and not back where it came from.

        If the switch there does not sense the pawn, it is out of order. If it senses the pawn, or is ignored already,
        the switch where the pawn came from is out of order, or senses Mister X's pawn if that may be there.
        """
        at = self.here.view.pawns[back.pawn]
        if at not in self.occupied | self.ignored:
            return self.ignore(at)
        if back.to is None:
            return self
        may_be_mr_x = back.to in self.here.mr_x_homes | self.mr_x_pawns.left_behind
        return self.confirm_mr_x_pawn(back.to) if may_be_mr_x else self.ignore(back.to)

    def _homes_of_others(self, pawn: str) -> frozenset[int]:
        """Return the stations of all other pawns that everyone sees."""
        return frozenset(station for other, station in self.here.view.pawns.items() if other != pawn)
