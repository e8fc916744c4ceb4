"""Define what closed switches can mean, the statements to ask about, and how long a reading must last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from firmware_host.rules.actions import PawnMove

# ---- what a question has in place of a ticket ------------------------------------------------------------------------

RETURN = "return"
"""The ticket of a move that undoes the one before it: the pawn is back where it came from.

If the pawn was not on the board before, the move names the station that the pawn never reached.
"""

HERE = "here"
"""The ticket of a statement: the pawn is at home, though its switch is open."""

EMPTY = "empty"
"""The ticket of a statement: nothing is on the station, though its switch is closed."""

MR_X_PAWN = "his"
"""The ticket of a statement: Mister X's pawn is on the station, wherever Mister X is now."""

UNDO = "undo"
"""The ticket of a question: is the last person's move to be taken back, with all that computers have done since?"""

STATEMENTS = (HERE, EMPTY, MR_X_PAWN)
"""The tickets of statements: people say what is on a station, and no pawn moves."""


# ---- what the switches mean ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Settled:
    """No detective's pawn is missing, and pawns explain every closed switch.

    Attributes:
        silent: the moves that would close the same switches, such as a pawn that stays (JU-05), or goes from one shared
            station to another. The confirm key asks about them.
        unsensed: the moves that Mister X's own pawn may have made on his visible turn while no switch senses it.
    """

    silent: tuple[PawnMove, ...] = ()
    unsensed: tuple[PawnMove, ...] = ()


@dataclass(frozen=True, slots=True)
class InHand:
    """Pawns on turn are, or may be, lifted, and no switch proves a move.

    Attributes:
        pawns: the pawns that are, or may be, lifted.
        silent: the moves that the switches cannot distinguish from holding the pawns, such as to a station with another
            pawn or Mister X's, or with an ignored switch. The table asks about them.
    """

    pawns: tuple[str, ...]
    silent: tuple[PawnMove, ...] = ()


@dataclass(frozen=True, slots=True)
class Moved:
    """A pawn has reached a station. All moves that lead there are listed.

    Attributes:
        moves: the pawn's legal moves there, one for each ticket.
        may_slide: whether the pawn may be on its way to another legal station, nearby or straight ahead.
    """

    moves: tuple[PawnMove, ...]
    may_slide: bool = False


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several moves explain the switches, or only a move that no switch proves. The table must ask."""

    moves: tuple[PawnMove, ...]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Pawns are missing from their stations, or a switch is closed where no pawn should be.

    Attributes:
        missing: pawn -> the station on which it has to be put.
        extra: the stations that have to be cleared.
        held: pawns that may also be in a hand, because it is their turn.
    """

    missing: Mapping[str, int]
    extra: frozenset[int]
    held: tuple[str, ...] = ()

    @property
    def several(self) -> bool:
        """Whether more is wrong than one bad switch can cause."""
        return len(self.missing) + len(self.extra) + len(self.held) > 1

    @property
    def suspect_station(self) -> int:
        """The station whose switch may be out of order: one that should be empty, or else that of a missing pawn."""
        return min(self.extra) if self.extra else next(iter(self.missing.values()))


@dataclass(frozen=True, slots=True)
class Returned:
    """The last moved pawn is back where it came from, so that its move is to be taken back.

    Attributes:
        pawn: the pawn.
        to: the station where the pawn is; None if it is off the board again (DI-10).
        ambiguous: whether something else may close the switch there, so that the confirm key decides.
    """

    pawn: str
    to: int | None
    ambiguous: bool = False


Reading = Settled | InHand | Moved | Ambiguous | Mismatch | Returned


# ---- how long a reading must last ------------------------------------------------------------------------------------

SAME_MOMENT = 1e-9
"""Seconds by which two equal times may differ, because sums of times are not exact."""

LAST_LOOK = 3.0
"""Seconds after the end of a game in which the confirm key does not begin another."""

SETTING_UP = 5
"""How many times longer `insist` is while pawns are set up, or while nobody moves a computer's pawn."""


@dataclass(frozen=True, slots=True)
class Patience:
    """The number of seconds that a reading must last before each step.

    Attributes:
        settle: before a reading counts.
        slide: before a move counts if the pawn may be on its way to the next station (PB-03).
        wrong: before a mismatch is shown.
        insist: before a mismatch is shown insistently, and a key can say that a switch is out of order.
    """

    settle: float = 0.3
    slide: float = 0.6
    wrong: float = 1.0
    insist: float = 4.0
