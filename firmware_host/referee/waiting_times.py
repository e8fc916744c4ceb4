"""Define how long things last: before a move counts, before what is wrong is shown, before somebody is asked."""

from __future__ import annotations

from dataclasses import dataclass

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
