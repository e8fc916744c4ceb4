"""Run `yardboard` on a simulated board with people beside it, who do what the table asks of hands.

Run as a module it takes the words of the command.
"""

from __future__ import annotations

import sys
from pathlib import Path

from firmware_host import simulator
from firmware_host.cli import main
from firmware_host.config.loader import load
from firmware_host.rules.actions import MR_X
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.helping_hands import HelpingHands
from tests.web.programs import Program

TURN = 5.0
"""Milliseconds between two looks of these people."""

ROOT = Path(__file__).resolve().parents[2]

PHONE = """
[game]
players = 3
[game.seats]
{computer} = "easy"
[switches]
driver = "sim"
[handset]
{handset}
phone = true
[web]
serve = true
port = {port}
"""


class TableWithHands(SimulatedTable):
    """A table whose pawns are set up by people, who also move the computers' pawns."""

    hands: HelpingHands | None = None

    def advance(self, ms: float) -> None:
        if self.hands is None:
            self.hands = HelpingHands(self, lambda: ())
        for _ in range(round(ms / TURN)):
            self.hands.turn()
            super().advance(TURN)


START = {MR_X: 146, "red": 13, "yellow": 26, "green": 29, "blue": 50}
"""The starts of the first game, in which nobody comes near Mister X in two rounds."""


def board(home: Path, *words: str, handset: str = "", port: int = 0, computer: str = "detectives") -> Program:
    """Run a table in a folder, with computers as detectives, or as Mister X, and a phone for Mister X."""
    file = home / "table.toml"
    file.write_text(PHONE.format(handset=handset, port=port, computer=computer), encoding="utf-8")
    if not (home / "journal.sqlite").exists():
        simulated = SimulatedTable(load(file), journal=home / "journal.sqlite", resume=False)
        simulated.new_game(start=START)
        simulated.close()
    return Program(
        "run", "--config", "table.toml", *words,
        home=home, command=(sys.executable, "-m", "tests.web.board_with_hands"), environ={"PYTHONPATH": str(ROOT)},
    )  # fmt: skip


if __name__ == "__main__":
    simulator.SimulatedTable = TableWithHands  # type: ignore[misc]
    main()
