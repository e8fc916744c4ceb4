"""Choose a reed switch and its magnet for a board, and compute how far apart they may be.

A pawn may stand `BESIDE` millimetres beside its station's middle. There its magnet must close its own reed, and it must
not close the reed of the nearest station. The distances are those that makers print for a magnet that moves past a reed
that lies; a reed that stands upright has to be measured in place. Pure.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from firmware_host.maker.maker_errors import BoardTooSmall

BESIDE = 4.0
"""Millimetres by which a pawn may stand beside the middle of its station."""


class ReedPair(NamedTuple):
    """A reed switch and a magnet, with the distances between them from their data sheets.

    Attributes:
        reed: the reed's class of sensitivity, in ampere-turns; more are less sensitive.
        magnet: the magnet's diameter and length, in millimetres.
        closes: the distances at which reeds of this class close, in millimetres: the least and the most sensitive.
        opens: the same for opening again.
    """

    reed: str
    magnet: tuple[float, float]
    closes: tuple[float, float]
    opens: tuple[float, float]

    def __str__(self) -> str:
        return f"Reed {self.reed}, magnet {self.magnet[0]:g} × {self.magnet[1]:g} mm"

    @property
    def spacing(self) -> float:
        """The least distance of two stations, in millimetres, at which one magnet never closes both reeds."""
        return self.opens[1] + BESIDE

    @property
    def height(self) -> float:
        """The most millimetres between magnet and reed, at which each reed closes `BESIDE` its middle."""
        return math.sqrt(self.closes[0] ** 2 - BESIDE**2)


PAIRS = (
    ReedPair("20 to 30 AT", (3, 7), (5.5, 7.0), (6.5, 9.0)),
    ReedPair("30 to 40 AT", (3, 7), (4.5, 6.0), (6.0, 8.0)),
)
"""The pairs that suit boards, the more sensitive one first: reeds of the kind MM-1018, magnets of neodymium."""


def choose_pair(nearest: float, stations: tuple[int, int], width: float) -> ReedPair:
    """Return the most sensitive pair for a board.

    Args:
        nearest: the distance of the two nearest stations, in millimetres.
        stations: these two.
        width: the board's width in millimetres, for the message.

    Raises:
        BoardTooSmall: no pair keeps these stations apart; the message says by how much.
    """
    for pair in PAIRS:
        if nearest >= pair.spacing:
            return pair
    least = min(pair.spacing for pair in PAIRS)
    needed = math.ceil(width * least / nearest)
    one, other = stations
    raise BoardTooSmall(
        f"[board] width_mm = {width:g}: stations {one} and {other} are {nearest:.1f} mm apart, and no reed keeps them "
        f"apart at less than {least:.1f} mm; make the board {needed - width:g} mm wider: width_mm = {needed} or more"
    )
