"""Define the fields that only the public view of a dice game has."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.rules.views import PublicView, ToRoll


@dataclass(frozen=True, slots=True)
class Dice:
    """The dice on the table, all public (DI-08 to DI-24).

    Attributes:
        to_roll: how many dice the player on turn has to roll now; 0 if a move is due.
        rolled: the open, unused faces.
        used: (pawn, face) for each die used in this round, in the order of use; Mister X may take these.
        taken: how many used dice Mister X has taken in this turn.
        supply: how many dice are in the supply.
        covers: the face on each covered entry of Mister X's log, the oldest entry first; his start is an entry, too.
        tokens: how many roll-again tokens are left.
        tile: the letter of the tile on which Mister X started, or "" before he starts (DI-10).
        faces: the faces that a die can show.
        by_hand: whether the players roll real dice and enter the faces.
        start: the place where Mister X started, once everyone may know it (DI-23), or 0.
    """

    to_roll: int
    rolled: tuple[str, ...]
    used: tuple[tuple[str, str], ...]
    taken: int
    supply: int
    covers: tuple[str, ...]
    tokens: int
    tile: str
    faces: tuple[str, ...]
    by_hand: bool = False
    start: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceView(PublicView):
    """The public view of a dice game. A lower-case letter in `layout` means a tile's light side (DI-06).

    Attributes:
        dice: the dice on the table.
    """

    dice: Dice

    @property
    def to_roll(self) -> ToRoll | None:
        """The dice that the player on turn has to roll now, or None (DI-13)."""
        dice = self.dice
        return ToRoll(dice.to_roll, dice.faces, dice.by_hand) if dice.to_roll else None
