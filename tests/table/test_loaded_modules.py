"""A table loads what it plays with, and nothing else; and one place builds it."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import firmware_host

PLAYED = """
import sys
from firmware_host.cli import main
from firmware_host.config.loader import simulator
from firmware_host.referee.scene import CoachMode
from firmware_host.simulator.scripting import ScriptSession

with ScriptSession(simulator()) as session:
    table = session.simulated
    table.new_game("classic", seed=1)
    table.set_up()
    table.choose(table.private.choices.value[0])
    print(*sys.modules)
    table.coach(CoachMode.STATIONS)
    table.new_game("classic", seats={"mr_x": "easy"})
    print(*sys.modules)
"""
"""What is loaded once people have begun to play, and what once a computer plays and the coach tells."""

PLAYERS = (
    "firmware_host.players.coach.coach", "firmware_host.players.coach.coach_port",
    "firmware_host.players.heuristic.heuristic",
    "firmware_host.players.player_port", "firmware_host.players.player_port",
    "firmware_host.table.ask_coach", "firmware_host.table.computer_seats",
)  # fmt: skip

NEEDLESS = (
    "firmware_host.commissioning", "firmware_host.maintenance",
    "firmware_host.recording", "firmware_host.ui.drawing.canvas",
    "firmware_host.ui.games.board_registry", "firmware_host.web.server", "hardware.drivers.pin_factory",
    "asyncio", "email", "html", "http", "importlib.metadata", "importlib.resources", "numpy",
    "socket", "ssl", "zipfile",
)  # fmt: skip

MOST = 208
"""Modules of ours that a table of people loads, the simulated devices among them."""


def test_a_table_of_people_loads_no_players_and_nothing_that_draws_boards_or_records() -> None:
    done = subprocess.run([sys.executable, "-c", PLAYED], check=True, capture_output=True, text=True)
    people, computers = (line.split() for line in done.stdout.splitlines())
    assert set(PLAYERS) <= set(computers)
    unwanted = tuple(f"{one}." for one in (*PLAYERS, *NEEDLESS))
    assert [name for name in people if f"{name}.".startswith(unwanted)] == []
    assert len([name for name in people if name.startswith(("firmware_host", "hardware"))]) <= MOST


# ---- one place builds a table ----


HOME = Path(firmware_host.__file__ or "").parent


def test_nothing_else_puts_a_table_together() -> None:
    builders = set()
    for path in HOME.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "Table(" in text else ():
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Table":
                builders.add(str(path.relative_to(HOME)))
    assert builders == {"table/compose.py"}
