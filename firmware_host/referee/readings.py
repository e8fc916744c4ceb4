"""Define what closed switches can mean in a game, and what a question about it asks in a ticket's place. Public."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from firmware_host.rules.actions import PawnMove

RETURN = "return"
"""The ticket of a move that would undo the one before it: a pawn may stand again where it came from.

Of a pawn that came from nowhere it names the station where it is said to stand, and does not."""

HERE = "here"
"""The ticket of what is no move at all: a pawn stands where it stood, and its switch has died under it."""

EMPTY = "empty"
"""The ticket of a question: nothing stands on that station, and its switch is out of order."""

HIS = "his"
"""The ticket of a question: a pawn of Mister X's stands on that station, wherever he is."""

UNDO = "undo"
"""The ticket of a question: the last person's move is to be taken back, with all that computers did since."""

FELT = (HERE, EMPTY, HIS)
"""The tickets by which nothing moves: somebody says what is felt, or not."""


@dataclass(frozen=True, slots=True)
class Settled:
    """Every pawn stands where it must.

    `silent` are the moves that would leave the very same picture: a pawn stays (JU-05), or goes from one shared
    station to another. For these the confirm key decides. `unfelt` is what may have become of Mister X's own pawn while
    no switch feels it on his turn in the open.
    """

    silent: tuple[PawnMove, ...] = ()
    unfelt: tuple[PawnMove, ...] = ()


@dataclass(frozen=True, slots=True)
class InHand:
    """Pawns whose turn it is have been lifted and nothing else differs.

    `silent` are their moves that no switch can tell from holding them: beside Mister X's pawn, on a shared station,
    on a station whose switch is out of order. For these the confirm key decides.
    """

    pawns: tuple[str, ...]
    silent: tuple[PawnMove, ...] = ()


@dataclass(frozen=True, slots=True)
class Moved:
    """A pawn has reached a station; `moves` are its legal ways there, one for each ticket.

    `may_slide`: another legal station lies one link further on, so the pawn may be on its way.
    """

    moves: tuple[PawnMove, ...]
    may_slide: bool = False


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several pawns explain what the switches say, or one that is not felt to have left: the table asks."""

    moves: tuple[PawnMove, ...]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Pawns are missing from their stations, or something stands where nothing should.

    `missing`: pawn -> the station it has to be put on. `extra`: stations to be cleared. `held`: the pawns that may
    be in a hand besides, because it is their turn.
    """

    missing: Mapping[str, int]
    extra: frozenset[int]
    held: tuple[str, ...] = ()

    @property
    def several(self) -> bool:
        """Whether more is wrong than one switch can be to blame for: pawns are elsewhere, most likely."""
        return len(self.missing) + len(self.extra) + len(self.held) > 1


@dataclass(frozen=True, slots=True)
class Returned:
    """The last pawn that moved stands again where it came from, station `to`: the move is to be taken back.

    A pawn that had just come onto the board is off it again; `to` is None then (DI-10). Where something else may close
    the switch there, such as Mister X's own pawn, it is `doubtful`, and the confirm key decides.
    """

    pawn: str
    to: int | None
    doubtful: bool = False


Reading = Settled | InHand | Moved | Ambiguous | Mismatch | Returned


SAME_MOMENT = 1e-9
"""Seconds that make no difference: sums of times are not exact."""


LAST_LOOK = 3.0
"""Seconds after the end of a game in which the confirm key does not yet ask for the next one."""

SETTING_UP = 5
"""How many times `insist` lasts while pawns are set up, or while nobody carries out a computer's move."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long things have to last, in seconds.

    Attributes:
        settle: a reading, before it counts.
        slide: the same where the pawn could legally be on its way to the next station (PB-03).
        wrong: a mismatch, before it is shown.
        insist: a mismatch, before it is shown insistently and a switch may be declared out of order.
    """

    settle: float = 0.3
    slide: float = 0.6
    wrong: float = 1.0
    insist: float = 4.0
