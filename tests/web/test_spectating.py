"""What a spectator's page is made of: all that there is to see, and nothing by which anything could be asked for."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import firmware_host.web
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.web.pages.page_bundles import imported_files
from tests.web.chromium import Visit

STATIC = Path(firmware_host.web.__file__).parent / "static"
HANDS = (
    "announcer", "drag_controller", "pawn_box", "holdable_keys", "table_keys", "keyboard_shortcuts", "new_game_dialog",
    "break_something", "help", "hint", "refusals",
)  # fmt: skip
"""The modules by which something can be done, or is told how."""


def _names(entry: str) -> set[str]:
    return {module.stem for module in imported_files(STATIC / entry)}


def test_a_spectators_page_does_not_load_what_hands_need() -> None:
    assert _names("table.js") >= set(HANDS)
    assert _names("spectate.js") & set(HANDS) == set()


def test_a_spectators_page_is_the_tables_without_the_hands() -> None:
    assert "table_view" in _names("spectate.js")
    assert _names("spectate.js") - {"spectate", "television"} < _names("table.js")


def test_a_spectators_page_says_that_it_is_there_and_hears_and_nothing_else() -> None:
    orders = [
        (module.name, order)
        for module in imported_files(STATIC / "spectate.js")
        for order in re.findall(r'\bdo: "(\w+)"', module.read_text())
    ]
    assert set(orders) == {("connection.js", "hello"), ("connection.js", "heard")}


def test_the_table_reads_nothing_as_markup() -> None:
    """Words from the table become text, never elements: nothing that is told can run."""
    for module in imported_files(STATIC / "table.js"):
        assert not re.search(r"\binnerHTML|outerHTML|insertAdjacentHTML|document\.write\b|\beval\(", module.read_text())


@pytest.mark.parametrize("page", ["table", "spectate"])
def test_a_page_says_that_it_waits_before_its_script_has_come(page: str) -> None:
    assert re.search(r'<p id="line"[^>]*>Connecting…</p>', (STATIC / f"{page}.html").read_text())


def test_pawns_of_a_real_board_that_nobody_has_set_down_are_ghosts(
    real_board: tuple[str, SimulatedTable], visit: Visit
) -> None:
    url, board = real_board
    board.new_game(players=4)
    board.advance(500)
    page = visit(url, "spectate")
    pawns = [pawn for pawn in board.public.order if pawn in board.public.pawns]
    page.see(f'.pawn.ghost[data-pawn="{pawns[0]}"]')
    assert page.page.locator("#pawns .pawn.ghost").count() == len(pawns) >= 3
    label = page.page.locator(f'[data-pawn="{pawns[0]}"]').get_attribute("aria-label")
    assert label == f"{pawns[0].capitalize()}, to be set down on station {board.public.pawns[pawns[0]]}"
    people = SimulatedPeople(board, random.Random(0))
    people.set_up()
    board.advance(500)
    page.see("#pawns .pawn.ghost", state="detached")
    assert page.page.locator("#pawns .pawn").count() == len(pawns)
