"""What a spectator's page is made of: all that there is to see, and nothing by which anything could be asked for."""

from __future__ import annotations

import random
import re
from pathlib import Path

import firmware_host.web
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.web.pages.page_bundles import imported_files
from tests.web.chromium import Visit

STATIC = Path(firmware_host.web.__file__).parent / "static"


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
