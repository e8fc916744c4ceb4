"""Which pawns hands move of their own accord, and which a computer player moves. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from firmware_host.rules.actions import MR_X
from firmware_host.rules.views import PublicView

Seats = Mapping[str, str]
"""The seats of a game that computers play: "mr_x", or a player's number as text -> the name of who plays there."""


def computer_pawns(view: PublicView | None, seats: Seats) -> frozenset[str]:
    """Return the pawns that computers move."""
    if view is None or not seats:
        return frozenset()
    theirs = (pawn for pawn, owner in view.owners.items() if str(owner) in seats)
    return frozenset((*theirs, *(view.fugitives if MR_X in seats else ())))


def without_computer_moves(view: PublicView, seats: Seats) -> PublicView:
    """Return the view of a game in which nothing can be done but what hands may do of their own accord."""
    theirs = computer_pawns(view, seats)
    if not theirs:
        return view
    if view.his_turn:
        return replace(view, open_moves=()) if MR_X in seats else view
    turn = tuple(pawn for pawn in view.turn if pawn not in theirs)
    moves = tuple(move for move in view.moves if move.pawn not in theirs)
    return replace(view, turn=turn, moves=moves, extras=view.extras if turn else {})
