"""A whole classic game at the pages: pawns dragged, keys clicked, Mister X on the handset's page."""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.rules.actions import Double
from tests.table.cases import Case
from tests.web.chromium import Visitor
from tests.web.open_table import OpenTable, seated
from tests.web.scripts import by_black, caught, kind, script, shows_himself


def test_a_whole_game_from_the_first_drag_to_the_capture(
    lay: Callable[..., OpenTable], visit: Callable[..., Visitor]
) -> None:
    game = script(Case("classic", 4), shows_himself, kind(Double), by_black, caught, most=30, whole=True)
    table, board, handset, people = seated(game, lay, visit)
    spectator = visit(table.url, "spectate")
    board.see('body[data-phase="set_up"]')
    people.set_up()
    for page in (board, spectator):
        page.see('body[data-phase="play"]')
    shown = 0
    for step in game.steps:
        people.do(step)
        view = table.look(lambda p: p.public)
        for pawn, at in view.pawns.items():
            if pawn in view.order:
                board.see(f'[data-pawn="{pawn}"][data-at="{at}"]')
        shown += "mr_x" in view.pawns
    assert shown
    for page in (board, spectator):
        page.see('body[data-phase="over"]')
        page.wait("text => document.querySelector('#prompt').textContent.includes(text)", end(table))
    handset.wait("() => document.querySelector('#words').textContent !== ''")


def end(table: OpenTable) -> str:
    """What the table says when the game is over."""
    return table.look(lambda p: p.daemon.scene().prompt.text)
