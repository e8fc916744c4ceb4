"""The dice game's table, with its tiles laid, its starts chosen, its dice entered."""

from __future__ import annotations

from pathlib import Path

from firmware_host.rules.actions import START, MrXMove, Roll
from firmware_host.rules.secret import Secret
from firmware_host.simulator import IN_MEMORY, SimulatedTable
from tests.table.any_table import carried, done, key, table
from tests.table.played_table import confirm

NINE, SIX = "ABC DEF GHI", "ACE BDF"
STARTS = {"red": 1, "yellow": 6, "green": 36}
TAXI_ONLY = {1, 4, 6, 7, 8, 9, 12, 13, 16, 17, 22, 23, 26, 27, 28, 29, 31, 33, 36}


def begun(
    layout: str = NINE, *, players: int = 4, journal: Path | str = IN_MEMORY, **options: str | bool
) -> SimulatedTable:
    """A table at which the tiles have yet to be laid."""
    return table("dice", players=players, options={"layout": layout, **options}, journal=journal)


def laid(layout: str = NINE, *, players: int = 4, **options: str | bool) -> SimulatedTable:
    """A table at which the tiles lie, and the first start is to be chosen."""
    p = begun(layout, players=players, **options)
    p.advance(500)
    confirm(p)
    return p


def started(
    *, dice: str = "entered", mr_x: int = 22, players: int = 4, journal: Path | str = IN_MEMORY
) -> SimulatedTable:
    """Everyone has a start, and red is to roll, or whoever plays red."""
    p = begun(NINE if players > 2 else SIX, players=players, dice=dice, journal=journal)
    p.advance(500)
    confirm(p)
    for pawn in p.public.order:
        carried(p, pawn, STARTS[pawn])
    p.choose(MrXMove(Secret(mr_x), START))
    assert p.public.round == 1
    return p


def enter(p: SimulatedTable, *faces: str) -> None:
    """Faces are entered, and accepted."""
    key(p, *("confirm" if face == "x" else face for face in faces))
    confirm(p)


def rolls(p: SimulatedTable) -> list[Roll]:
    return [action for action in done(p) if isinstance(action, Roll)]
