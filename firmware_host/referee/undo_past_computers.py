"""Find how far a game with computers can be taken back: to before the last person's move. Pure.

What computers have done since is undone with it, unless that has told somebody what cannot be untold.
"""

from __future__ import annotations

from firmware_host.referee.computer_pawns import Seats, computer_pawns
from firmware_host.referee.undo_result import Undo, Why
from firmware_host.rules.actions import Action, PawnMove, Roll, RollAgain
from firmware_host.rules.game import Game


def find_undo(game: Game, seats: Seats) -> Undo | None:
    """Return what is taken back in a game now if somebody asks for it; None if people alone play."""
    if not seats:
        return None
    before, count = game.branch(), 0
    while before.actions:
        move = before.returnable
        if move is None:
            return Undo(why=_why(before.actions[-1]))
        before.take_back()
        count += 1
        if move.pawn not in computer_pawns(before.public, seats):
            return Undo(count, move.pawn, before.public.pawns.get(move.pawn))
    return Undo(why=Why.NOBODY)


def _why(stands: Action) -> Why:
    if isinstance(stands, Roll | RollAgain):
        return Why.DICE
    return Why.SHOWN if isinstance(stands, PawnMove) else Why.MR_X
