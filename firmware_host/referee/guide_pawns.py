"""Guide pawns to their places. Pure.

As a game is set up or taken up again, after a computer's move, and where moves were taken back that only hands can undo
on the board, nothing is read as a move: what counts is which pawns are missing, and which stations should be clear.
Mister X's own pawns are guided all game long, wherever everyone sees where they belong.
"""

from __future__ import annotations

from dataclasses import replace

from firmware_host.referee.board_reading import read
from firmware_host.referee.known_board import KnownBoard
from firmware_host.referee.occupancy import Occupancy
from firmware_host.referee.readings import Mismatch, Reading
from firmware_host.referee.scene import ToCarryOut
from firmware_host.rules.views import PublicView


def guide_pawns(here: Occupancy, unseen: frozenset[int] = frozenset()) -> Reading:
    """Return what is wrong until every pawn stands in its place.

    Args:
        here: who must stand where, and what is felt.
        unseen: stations where what is felt counts for nothing yet; no pawn is taken to stand there.
    """
    still = _still(here.view)
    if not unseen:
        return read(here.seen_as(still))
    return read(replace(here, view=still, occupied=here.occupied - unseen, masked=here.masked - unseen))


def guide_computer_pawn(todo: ToCarryOut, here: Occupancy) -> Reading:
    """Return what stands otherwise than after a computer's move: nothing else counts until its pawn has come."""
    station = todo.move.to
    reading = guide_pawns(here, frozenset({station}) if todo.unfelt else frozenset())
    if not todo.unfelt or not isinstance(reading, Mismatch):
        return reading
    missing = {pawn: at for pawn, at in reading.missing.items() if at != station or pawn == todo.move.pawn}
    return replace(reading, missing=missing)


def guide_mr_x_pawns(board: KnownBoard, reading: Reading, *, begins: bool) -> tuple[dict[str, int], frozenset[int]]:
    """Return Mister X's pawns to be set down, pawn -> station; and the stations that they have to be taken off.

    What is not listened to asks for nothing, but when a game `begins`: then they are still in the box.
    """
    here = board.here
    absent = board.pawns.absent(here, wrong=isinstance(reading, Mismatch)).items()
    to_set_down = {pawn: station for pawn, station in absent if begins or station not in here.masked}
    return to_set_down, board.to_be_cleared


def _still(view: PublicView) -> PublicView:
    """Return the view of a game in which nobody may move."""
    return replace(view, turn=(), moves=(), open_moves=())
