"""What is known of the board beyond the game itself: what the switches say, and what somebody has said of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

from firmware_host.referee.events import SwitchesChanged
from firmware_host.referee.readings import HERE, HIS, RETURN, Ambiguous, Mismatch, Moved, Reading, Returned, Settled
from firmware_host.referee.scene import Seats, without_computer_moves
from firmware_host.referee.switch_register import SwitchRegister
from firmware_host.rules.actions import MR_X, PawnMove
from firmware_host.rules.views import PublicView

Stand = Mapping[str, int]
"""Where pawns must stand: pawn -> station."""


@dataclass(frozen=True)  # without slots: what follows from the fields is worked out once
class Occupancy:
    """A view of the board: what the switches say, held against where pawns must stand in a game.

    It copies nothing of the board. Its fields are what is assumed besides.

    Attributes:
        board: what is known of the board.
        view: the game: the board's own, or another one that is tried.
        ignored_too: stations whose switch is ignored besides those that the board ignores.
        unsure: stations whose closed switch may well be Mister X's own pawn instead of a detective (PB-05), or has been
            closed since before the pawn close by was lifted.
        emptied: stations that are taken for open, and their switches for sound, whatever they say.
    """

    board: KnownBoard
    view: PublicView
    ignored_too: frozenset[int] = frozenset()
    unsure: frozenset[int] = frozenset()
    emptied: frozenset[int] = frozenset()

    @cached_property
    def occupied(self) -> frozenset[int]:
        """The stations whose switch is closed."""
        return self.board.occupied - self.emptied if self.emptied else self.board.occupied

    @cached_property
    def masked(self) -> frozenset[int]:
        """The stations whose switch is ignored; a pawn there is neither seen nor missed."""
        return (self.board.unheard | self.ignored_too) - self.emptied

    @cached_property
    def stand(self) -> Stand:
        """Where the detectives' pawns must stand; one that has not started stands nowhere (DI-10)."""
        return detective_stations(self.view)

    @cached_property
    def standing(self) -> frozenset[int]:
        """The stations on which they must."""
        return frozenset(self.stand.values())

    @cached_property
    def own(self) -> frozenset[int]:
        """Where Mister X's own pawns may stand without anything being wrong (PB-06)."""
        return mr_x_stations(self.view)

    def seen_as(self, view: PublicView, emptied: frozenset[int] = frozenset()) -> Occupancy:
        """Return the same board, held against another view of the game, with more stations taken for open."""
        if view is self.view and not emptied:
            return self
        return Occupancy(self.board, view, self.ignored_too, self.unsure, self.emptied | emptied)

    def ignoring(self, stations: frozenset[int] | set[int]) -> Occupancy:
        """Return the same board with more switches that are not listened to."""
        if self.masked.issuperset(stations):
            return self
        return Occupancy(self.board, self.view, self.ignored_too | stations, self.unsure, self.emptied)

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
        near, there = self.board.near, (self.own if own is None else own).union(stands, self.board.pawns.left)
        extra = self.heard - there
        return frozenset(s for s in extra if self.occupied.isdisjoint(near.get(s, frozenset()) & there))

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
        close = self.board.near.get(station, frozenset())
        return station in self.masked | self.unsure | self.board.his or not close.isdisjoint(self.occupied)

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


class Trace(Enum):
    """What the switch under a station on which Mister X was seen has told of his pawn."""

    UNSEEN = "never felt there"
    DOWN = "felt there"
    MAYBE = "perhaps there, beside a detective's: one switch feels both"
    LIFTED = "felt, and lifted again: in a hand, and may be put back"
    GONE = "lifted, he has moved on, and so has the game: in its box, or elsewhere"


@dataclass(frozen=True)  # without slots: `left` is worked out once
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

    @cached_property
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


@dataclass(frozen=True)  # without slots: `here` is worked out once
class KnownBoard:
    """What the referee keeps of the board from event to event. Every method returns what is known after one.

    Attributes:
        view: the game as all may see it; None while there is none.
        occupied: the stations whose switch is closed.
        unwell: the stations whose switch chatters.
        heard: whether the switches have said anything since it was known which are out of order.
        leapt: whether what is felt may have come about by no hand.
        shadowed: closed all the time since a pawn close by stood still: by it, or stuck.
        doubted: closed when the table asked about them, since the last move.
        questioned: the pawns that no switch sensed at home while the table asked if they stand there: moves need a key.
        his: where a pawn of Mister X's stands, somebody has said since the last move.
        attested: not listened to; a pawn was set up there, somebody has said in this game.
        register: the switches that are or were out of order.
        pawns: where Mister X's own pawns are, as far as switches can tell.
        near: stations so close together that one magnet may close the switches of both.
        touching: the closest of these: the switch of one alone may feel a magnet that stands on the other.
        seats: the seats that computers play.
    """

    view: PublicView | None = field(default=None, hash=False)
    occupied: frozenset[int] = frozenset()
    unwell: frozenset[int] = frozenset()
    heard: bool = False
    leapt: bool = False
    shadowed: frozenset[int] = frozenset()
    doubted: frozenset[int] = frozenset()
    questioned: frozenset[str] = frozenset()
    his: frozenset[int] = frozenset()
    attested: frozenset[int] = frozenset()
    register: SwitchRegister = field(default_factory=SwitchRegister)
    pawns: MrXPawns = field(default_factory=MrXPawns)
    near: Mapping[int, frozenset[int]] = field(default_factory=dict, hash=False, repr=False)
    touching: Mapping[int, frozenset[int]] = field(default_factory=dict, hash=False, repr=False)
    seats: Seats = field(default_factory=dict, hash=False)

    @cached_property
    def here(self) -> Occupancy:
        """Who must stand where, and what the switches say of it; nothing that a computer does counts as done by hand.

        Raises:
            LookupError: there is no game.
        """
        if self.view is None:
            raise LookupError("nobody must stand anywhere: there is no game")
        view = without_computer_moves(self.view, self.seats)
        his = view.pawns.get(MR_X, 0)
        if view.open_moves and not self.pawns.seen(his) and his not in self.unheard:
            view = replace(view, open_moves=())  # first his pawn is set down where he is (BE-06)
        unsure = self.pawns.unsure(Occupancy(self, view))
        return Occupancy(self, view, unsure=unsure)

    @cached_property
    def unheard(self) -> frozenset[int]:
        """The stations whose switch is not listened to."""
        return self.register.stations | self.unwell

    @property
    def unattested(self) -> frozenset[int]:
        """The stations that are not listened to, and on which a pawn has to be set up that nobody has vouched for."""
        return (self.here.masked & self.here.standing) - self.attested

    @property
    def to_be_cleared(self) -> frozenset[int]:
        """The stations on which something stands, and off which a pawn of Mister X's has to be taken."""
        here = self.here
        return (here.view.stale | self.pawns.left) & (here.occupied - here.standing) - here.masked

    def astray(self, reading: Reading) -> bool:
        """Return whether more is wrong than one switch can be to blame for: pawns are plainly elsewhere.

        What stands where Mister X's pawn is to be taken off may be a pawn that is missing elsewhere.
        """
        if self.view is None or not isinstance(reading, Mismatch):
            return False
        if reading.missing and self.to_be_cleared:
            return True
        return reading.several or bool(reading.extra and self.pawns.astray(self.here))

    def doubts(self, reading: Reading) -> bool:
        """Return whether a pawn seems to have come that was asked about, or to a station that was: it may not have."""
        if isinstance(reading, Returned):
            return reading.to in self.doubted
        moves = reading.moves if isinstance(reading, Moved) else ()
        return any(move.to in self.doubted or move.pawn in self.questioned for move in moves)

    def likeliest_first(self, reading: Reading, before: Reading) -> Reading:
        """Return a reading of several moves: first those that were felt `before`, last those that were asked about.

        While the same moves are meant their order stays: somebody may be in the midst of answering.
        """
        if not isinstance(reading, Ambiguous):
            return reading
        felt = before.moves if isinstance(before, Moved | Ambiguous) else ()
        if isinstance(before, Ambiguous) and set(felt) == set(reading.moves):
            return before
        return Ambiguous(tuple(sorted(reading.moves, key=lambda move: (move.to in self.doubted, move not in felt))))

    # ---- what the switches say ----

    def feel(self, event: SwitchesChanged, reading: Reading, *, shown: bool) -> KnownBoard:
        """The switches say something new.

        What was `shown` to be cleared, and stays closed while a pawn leaves, is no proof that it has come there.
        One that has chattered and comes to rest closed where nothing should stand is stuck there.

        Args:
            event: what they say.
            reading: what they said before.
            shown: whether that was shown to be put right.
        """
        closed, register, doubted = event.occupied, self.register, self.doubted
        rested = (self.unwell - event.unwell) & closed
        if rested and self.view is not None:
            stuck = rested - self.here.standing - self.here.own - self.pawns.left
            register = register.add(*stuck, occupied=closed)
        if shown and isinstance(reading, Mismatch):
            doubted |= reading.extra & closed
        return replace(
            self, occupied=closed, unwell=event.unwell, heard=True, leapt=self.leapt or event.leapt,
            shadowed=self.shadowed & closed, doubted=doubted, register=register,
        )  # fmt: skip

    def heal(self, now: float) -> KnownBoard:
        """Trust the switches again that have told the truth for long enough."""
        if self.view is None or not self.heard or not self.register.trials:
            return self
        here = self.here
        stand = here.standing | (here.own - here.view.stale if here.view.in_sight else frozenset())
        return replace(self, register=self.register.heal(self.occupied, stand, now, self.unwell))

    def settle(self) -> KnownBoard:
        """All that is felt is as it should be."""
        board, here = self.watch(), self.here
        shadowed = here.heard - here.standing - here.own
        same = not board.leapt and not board.questioned and shadowed == board.shadowed
        return board if same else replace(board, leapt=False, questioned=frozenset(), shadowed=shadowed)

    def watch(self) -> KnownBoard:
        """See which of the stations on which a pawn of Mister X's may stand are occupied."""
        pawns = self.pawns.watch(self.here)
        return self if pawns is self.pawns else replace(self, pawns=pawns)

    def moves_on(self, pawn: str) -> KnownBoard:
        """A pawn has left its station, forth or back: a switch that stays closed there is nobody's arrival later."""
        left = self.occupied & {self.here.view.pawns.get(pawn, 0)}
        return self if left <= self.shadowed else replace(self, shadowed=self.shadowed | left)

    def doubt(self, *stations: int) -> KnownBoard:
        """What closes the switches there was asked for, and nobody has said that it is a pawn."""
        doubted = self.occupied.intersection(stations)
        return self if doubted <= self.doubted else replace(self, doubted=self.doubted | doubted)

    def question(self, *pawns: str) -> KnownBoard:
        """What has become of these pawns was asked, and nobody has said it."""
        heard = self.here.heard if pawns else frozenset()
        unfelt = frozenset(pawn for pawn in pawns if self.here.view.pawns.get(pawn) not in heard)
        return self if unfelt <= self.questioned else replace(self, questioned=self.questioned | unfelt)

    def follow(self, view: PublicView) -> KnownBoard:
        """The game has gone on, or back: Mister X may have, too."""
        pawns = self.pawns.follow(Occupancy(self, view))
        return replace(self, view=view, pawns=pawns, doubted=frozenset(), questioned=frozenset(), his=frozenset())

    # ---- what somebody says ----

    def mask(self, *stations: int) -> KnownBoard:
        """The switches there are out of order."""
        return replace(self, register=self.register.add(*stations, occupied=self.occupied)) if stations else self

    def attest(self, station: int) -> KnownBoard:
        """Somebody has said what is there: its switch, if it is listened to, is out of order."""
        board = self if station in self.unheard else self.mask(station)
        return replace(board, attested=self.attested | {station})

    def stands_his(self, station: int) -> KnownBoard:
        """It is a pawn of Mister X's that is felt there."""
        return replace(self, pawns=self.pawns.stands_on(station), his=self.his | {station})

    def no_move(self, move: PawnMove, reading: Reading) -> KnownBoard:
        """It is no move: Mister X's pawn is felt, or a switch is out of order."""
        if move.ticket == HIS:
            return self.stands_his(move.to)
        stays = move.ticket == HERE and move.to in self.unheard
        if stays and isinstance(reading, Ambiguous):  # what is felt elsewhere is no pawn of theirs
            return self.mask(*self.occupied & {other.to for other in reading.moves if other.pawn == move.pawn})
        return replace(self.mask(move.to), attested=self.attested | {move.to})

    def vouch(self, move: PawnMove, reading: Reading) -> KnownBoard:
        """A pawn has moved, or has never come: a switch that says otherwise is out of order."""
        at = self.here.view.pawns.get(move.pawn, 0)
        board = self.moves_on(move.pawn)
        if move.to not in self.occupied and (move.ticket != RETURN or at != move.to):
            board = board.mask(move.to)
        if move.ticket == RETURN:
            return board.never_there(move.pawn)
        silent = isinstance(reading, Settled) and move not in reading.silent
        sticks = silent and at in self.occupied - self._others(move.pawn) - self.here.view.stale
        followed = any(pawn != move.pawn for pawn in self.here.lifted)  # one in a hand may stand there by now
        stuck = sticks or (isinstance(reading, Mismatch) and not followed)
        return board.mask(at) if stuck else board  # it left a switch that is stuck

    def never_there(self, pawn: str) -> KnownBoard:
        """Return the board after a move that was never made: Mister X's pawn or a broken switch is there."""
        at = self.here.view.pawns[pawn]
        if at not in self.occupied - self._others(pawn):
            return self
        left = pawn != MR_X and at in self.here.own | self.pawns.left
        return self.stands_his(at) if left else self.mask(at)

    def not_back(self, back: Returned) -> KnownBoard:
        """A pawn stands where it went: the switch that does not feel it there is out of order.

        If that one does, or is known to be, it is the one where the pawn came from, which feels it still; or it feels
        Mister X's own pawn, where that belongs.
        """
        at = self.here.view.pawns[back.pawn]
        if at not in self.occupied | self.unheard:
            return self.mask(at)
        if back.to is None:
            return self
        return self.stands_his(back.to) if back.to in self.here.own else self.mask(back.to)

    def _others(self, pawn: str) -> frozenset[int]:
        """Where the other pawns of the game stand, as far as all may see."""
        return frozenset(station for other, station in self.here.view.pawns.items() if other != pawn)
