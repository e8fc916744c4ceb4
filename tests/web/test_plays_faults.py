"""The faults panel: cables are pulled and switches stick, and the pages show what the players would see."""

from __future__ import annotations

import pytest

from firmware_host.referee.scene import Phase
from firmware_host.rules.actions import PawnMove
from tests.table.cases import Case
from tests.web.chromium import Visit, Visitor
from tests.web.open_table import Lay, OpenTable, seated
from tests.web.played_evening import Evening, actions
from tests.web.scripts import script, walks

GAME = script(Case("classic", 4), walks, most=10)
LIT = '[data-lamp][data-colour^="#"]'
DARK = f"() => !document.querySelector('{LIT}')"


def begun(lay: Lay, visit: Visit) -> tuple[OpenTable, Visitor, Evening]:
    """A table in play at a detective's turn, with the panel open."""
    table, board, _, people = seated(GAME, lay, visit, played=len(GAME.steps) - 1, size=(1440, 900))
    board.see(LIT)
    board.break_something()
    return table, board, people


@pytest.mark.long
def test_without_their_cable_the_lamps_are_dark_and_the_health_says_so(lay: Lay, visit: Visit) -> None:
    table, board, _ = begun(lay, visit)
    spectator = visit(table.url, "spectate")
    spectator.see(LIT)
    board.page.locator('[data-act="lamps.unplug"]').click()
    for page in (board, spectator):
        page.wait(DARK)
        page.wait(r"() => /lamps lost since \w+ \d\d:\d\d: /.test(document.querySelector('#health').textContent)")
        page.see('#health [data-device="lamps"]:not([data-state="ok"])')
    board.page.locator('[data-act="lamps.unplug"]').click()
    for page in (board, spectator):
        page.see(LIT)
        page.wait("() => !document.querySelector('#health [data-device=lamps]:not([data-state=ok])')")


@pytest.mark.long
def test_a_switch_that_sticks_is_named_and_the_game_goes_on(lay: Lay, visit: Visit) -> None:
    table, board, people = begun(lay, visit)
    move = GAME.steps[-1]
    assert isinstance(move, PawnMove)
    board.page.fill("#fault-station", str(move.to))
    board.page.select_option("#fault-kind", "stuck_open")
    board.click("Do it")
    board.page.wait_for_selector(f"#faults li:has-text('{move.to}')")
    board.page.keyboard.press("Escape")
    board.drag(move.pawn, move.to)
    people.tell(move)
    assert table.look(actions) == list(GAME.steps)


def test_a_table_that_is_shaken_asks_for_its_pawns(lay: Lay, visit: Visit) -> None:
    table, board, _ = begun(lay, visit)
    before = table.look(actions)
    wanted = table.look(lambda p: {pawn: p.public.pawns[pawn] for pawn in p.public.order})
    board.click("Shake")
    board.page.keyboard.press("Escape")  # the dialog is over the map
    table.until(lambda p: any(p.hardware.where().get(pawn) != at for pawn, at in wanted.items()), "pawns to be knocked")
    for pawn, at in wanted.items():
        if table.look(lambda p, pawn=pawn: p.hardware.where().get(pawn)) != at:
            board.see(f'[data-pawn="{pawn}"]:not([data-at="{at}"])')  # the page knows where it is now
            board.drag(pawn, at)
    table.until(lambda p: p.table.scene().wrong == 0, "the board to be right again")
    assert table.look(actions) == before


@pytest.mark.long
def test_after_a_power_cut_the_same_game_goes_on(lay: Lay, visit: Visit) -> None:
    table, board, _ = begun(lay, visit)
    before = table.look(actions)
    board.click("Cut the power")
    board.wait(DARK)
    board.page.keyboard.press("Escape")  # the dialog is over the map
    board.click("Give it power again")
    board.see('body[data-phase="play"]')
    board.see(LIT)
    table.until(lambda p: p.table.scene().phase is Phase.PLAY, "the game to go on")
    assert table.look(actions) == before
