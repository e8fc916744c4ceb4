"""Run a table under disk.c whose disk refuses in the middle of a game: what it shows then, and later."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import Any

from firmware_host.journal.journal import Journal
from firmware_host.simulator import SimulatedTable
from firmware_host.table.commands import StartGame
from firmware_host.table.table import AGAIN
from tests.proofs.power.evening import library, rows_of
from tests.proofs.power.faults import KINDS
from tests.table.played_table import carry

START = {"mr_x": 45, "red": 13, "yellow": 26, "green": 29}


def main(folder: str) -> None:
    """Print for each kind of fault what was seen, as JSON."""
    logging.disable()
    lasting = {kind: error for kind, (error, lasts, reading) in KINDS.items() if lasts > reading}
    print(json.dumps({kind: _seen(Path(folder) / kind, error) for kind, error in lasting.items()}))  # noqa: T201


def _seen(folder: Path, error: int) -> dict[str, Any]:
    p = SimulatedTable(journal=folder / "journal.sqlite")
    p.do(StartGame(detectives=3, start=START))
    p.set_up()
    p.choose(p.private.choices.value[0])
    move = next(m for m in p.public.moves if m.pawn == "red" and sum(o.to == m.to for o in p.public.moves) == 1)
    journal, view = p.table.journal, p.public
    entries = rows_of(journal)
    library().power_fail(1, error, 1, 0)
    steps = library().power_steps(0)
    carry(p, move.pawn, move.to, ms=400)
    seen = {
        "lost at once": p.table.health()["journal"]["state"],
        "shown": p.public == view,
        "written": rows_of(journal) == entries,
    }
    p.advance(5000)
    seen |= {"tried": library().power_steps(0) - steps, "still lost": p.table.health()["journal"]["state"]}
    library().power_fail(0, 0, 0, 0)
    p.advance(1000 * AGAIN + 100)
    seen |= {"ok again": p.table.health()["journal"]["state"], "accepted": p.table.game.actions[-1] == move}  # type: ignore[union-attr]
    p.close()
    with Journal.open(folder / "journal.sqlite") as found:
        seen["kept"] = len(rows_of(found)) == len(entries) + 1
    return seen


if __name__ == "__main__":
    main(*sys.argv[1:])
