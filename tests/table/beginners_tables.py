"""The beginners' table, with Mister X in the open, and detectives who walk to and fro."""

from __future__ import annotations

from dataclasses import replace

from firmware_host.rules.actions import FREE, MR_X, MrXMove
from firmware_host.rules.secret import Secret
from firmware_host.simulator import SimulatedTable
from tests.table.any_table import carried, table
from tests.table.played_table import text, tidy

GOALS = ({"red": 34, "yellow": 111, "green": 54}, {"red": 46, "yellow": 124, "green": 41})
"""Where the detectives walk to and fro, far from Mister X."""


def beginners(*, down: bool = True, take_back: bool = True, **start: int) -> SimulatedTable:
    """Mister X is to make his first move from 82; his pawn stands there if it is `down`."""
    p = table("beginners", players=4, start={MR_X: 82, **(start or GOALS[1])})
    p.table.referee.state = replace(p.table.referee.state, take_back=take_back)
    p.set_up()
    if down:
        tidy(p)
        assert p.hardware.where()[MR_X] == 82
    return p


def move(to: int, ticket: str = FREE) -> MrXMove:
    return MrXMove(Secret(to), ticket)


def chase(p: SimulatedTable) -> None:
    """The detectives' part of a round, far away."""
    goals = GOALS[0] if p.public.pawns["red"] == 46 else GOALS[1]
    for pawn, to in goals.items():
        carried(p, pawn, to)
        assert p.public.pawns[pawn] == to, text(p)


def until_third() -> SimulatedTable:
    """Two open moves of his are over: 82, 81, 100. His third is a hidden one."""
    p = beginners()
    for to in (81, 100):
        carried(p, MR_X, to)
        assert p.public.pawns[MR_X] == to, text(p)
        chase(p)
    assert len(p.public.log) == 2
    return p
