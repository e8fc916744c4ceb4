"""All devices of one table, whichever build it is."""

from __future__ import annotations

from dataclasses import dataclass

from hardware.ports import Clock, Keys, Lamps, Panel, Switches


@dataclass(frozen=True, slots=True)
class Backend:
    """The devices of one table, as the game side gets them: real, simulated or mixed.

    Attributes:
        switches: the contacts under the board.
        lamps: the lamps of the board, those of the spots first.
        handset: the private panel.
        display: the public panel, or None where the table has none.
        keys: the push buttons of table and handset.
        clock: the clock the devices live by.
    """

    switches: Switches
    lamps: Lamps
    handset: Panel
    display: Panel | None
    keys: Keys
    clock: Clock
