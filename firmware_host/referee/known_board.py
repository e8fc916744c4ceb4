"""What is known of the board beyond the game itself: what the switches say, and what somebody has said of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from firmware_host.referee.computer_pawns import Seats, without_computer_moves
from firmware_host.referee.events import SwitchesChanged
from firmware_host.referee.mr_x_pawns import MrXPawns
from firmware_host.referee.occupancy import Occupancy
from firmware_host.referee.readings import HERE, HIS, RETURN, Ambiguous, Mismatch, Moved, Reading, Returned, Settled
from firmware_host.referee.switch_register import SwitchRegister
from firmware_host.rules.actions import MR_X, PawnMove
from firmware_host.rules.views import PublicView


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
        felt = Occupancy(
            view, self.occupied, self.unheard, self.shadowed, self.near, self.pawns.left, self.touching, self.his
        )
        unsure = self.pawns.unsure(felt)
        return felt.doubting(unsure) if unsure else felt

    @property
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
        return (here.view.stale | here.left) & (here.occupied - here.standing) - here.masked

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
            stuck = rested - self.here.standing - self.here.own - self.here.left
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
        pawns = self.pawns.follow(Occupancy(view, self.occupied))
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
        left = pawn != MR_X and at in self.here.own | self.here.left
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
