"""Decide what a detectives' player may do on a phone at a simulated table: what is his own, and nothing else."""

from __future__ import annotations

from firmware_host.simulator.helping_hands import last_move
from firmware_host.simulator.simulated_table import SimulatedTable, SimulatedTableError
from firmware_host.system.language import gettext
from firmware_host.web.page_orders import AgainOrder, ByHand, ChooseOrder, KeyOrder, UndoOrder


def check_phone_order(order: ByHand, player: int | None, simulated: SimulatedTable) -> None:
    """Check that an order is its player's to give. Whether it can be done now, the table says.

    He may move his own pawns and take their moves back, press the table's keys when it is his turn, and, like everybody
    with a phone, ask for another game.

    Args:
        order: what is asked for.
        player: whose phone asks, as the pawns' owners are numbered; None for nobody's.
        simulated: the table.

    Raises:
        SimulatedTableError: it is not.
    """
    view = simulated.table.referee.public
    owners = {} if view is None else view.owners
    match order:
        case KeyOrder(key, down):
            if not key.startswith("table."):
                raise SimulatedTableError(gettext("{key} is not a key of this page", key=key))
            turn = () if view is None else view.turn
            own = any(owners.get(pawn) == player for pawn in turn)
            why = None if own or not down else gettext("it is not your turn")
        case ChooseOrder(action):
            own = action.get("kind") == "pawn" and owners.get(str(action.get("pawn"))) == player
            why = None if own else gettext("this pawn is not yours to move")
        case UndoOrder():
            last = last_move(simulated)
            own = last is None or owners.get(last[0]) == player
            why = None if own else gettext("this move is not yours to take back")
        case AgainOrder():
            why = None
        case _:
            why = gettext("this is done at the table, and this page is not the table")
    if why is not None:
        raise SimulatedTableError(why)
