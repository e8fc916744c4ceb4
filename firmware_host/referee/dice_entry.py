"""Roll dice by the table's keys: the table rolls, or people do and enter the faces one by one (DI-13). Pure."""

from __future__ import annotations

from firmware_host.referee.ask import BACK, CONFIRM
from firmware_host.referee.events import Play, Request, WantRoll
from firmware_host.rules.actions import Roll
from firmware_host.rules.views import ToRoll


def read_dice_key(dice: ToRoll, entered: tuple[str, ...], key: str) -> tuple[tuple[str, ...], Request | None]:
    """Return what a key means while dice are to be rolled: the faces entered by now, and what should be done, or None.

    Args:
        dice: those that have to be rolled.
        entered: the faces entered so far, by hand.
        key: such as "table.taxi"; the confirm key rolls, stands for X, and vouches for all that was entered.
    """
    if not dice.by_hand:
        return entered, WantRoll() if key == CONFIRM else None
    if key == BACK:
        return entered[:-1], None
    if len(entered) < dice.count:
        face = "x" if key == CONFIRM else key.removeprefix("table.")
        return (*entered, *(face,) * (face in dice.faces)), None
    return entered, Play(Roll(entered)) if key == CONFIRM else None
