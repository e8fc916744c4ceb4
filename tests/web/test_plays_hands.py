"""Other ways to have hands: a finger on glass, the keyboard alone, and a pawn that goes back."""

from __future__ import annotations

import pytest

from firmware_host.rules.actions import PawnMove
from tests.table.cases import Case, shipped
from tests.web.chromium import Visit, Visitor
from tests.web.open_table import Lay, OpenTable, begins, seated
from tests.web.played_evening import actions
from tests.web.scripts import script, walks

GAME = script(Case("classic", 4), walks, most=10)


STILL = """async () => {
  const at = () => JSON.stringify(document.querySelector("#paper").getBoundingClientRect());
  const before = at();
  await new Promise(done => setTimeout(done, 500));
  return at() === before;
}"""
"""Whether the map has stayed where it is for half a second."""


def before_the_last_move(lay: Lay, visit: Visit) -> tuple[OpenTable, Visitor, PawnMove, int]:
    """A table with helping hands before the game's last move, its page, that move, and where its pawn stands."""
    move = GAME.steps[-1]
    assert isinstance(move, PawnMove)
    table = lay(shipped("classic"), seed=GAME.seed, begin=begins(GAME.case, GAME.steps[:-1]), helped=True)
    board = visit(table.url)
    at = table.look(lambda p: p.public.pawns[move.pawn])
    board.see(f'[data-pawn="{move.pawn}"][data-at="{at}"]')
    return table, board, move, at


@pytest.mark.long
def test_a_finger_sets_up_moves_and_takes_back(lay: Lay, visit: Visit) -> None:
    table, board, _, people = seated(GAME, lay, visit, touch=True, size=(820, 1180), calm=False)
    people.set_up()
    people.do_all(GAME.steps)
    move = table.look(lambda p: actions(p)[-1])
    assert isinstance(move, PawnMove)
    board.see(f'[data-pawn="{move.pawn}"][data-at="{move.to}"]')
    people.take_back()
    assert table.look(actions) == list(GAME.steps[:-1])


def test_a_pawn_that_is_dragged_over_stations_is_in_the_hand_until_it_is_let_go(lay: Lay, visit: Visit) -> None:
    table, board, _, _ = seated(GAME, lay, visit, played=len(GAME.steps) - 1)
    move = GAME.steps[-1]
    assert isinstance(move, PawnMove)
    held = f'[data-pawn="{move.pawn}"]'
    mouse = board.page.mouse
    mouse.move(*board.centre(held))
    mouse.down()
    x, y = board.centre("#paper")
    for step in range(6):
        mouse.move(x + step, y + step)
    table.until(lambda p: p.hardware.where().get(move.pawn) is None, "the pawn to be off its station")
    assert table.look(actions) == list(GAME.steps[:-1])
    mouse.move(*board.centre(f'[data-station="{move.to}"]'))
    mouse.up()
    board.see(f'{held}[data-at="{move.to}"]')


FOOT_AT = """([pawn, x, y]) => {
  const drawn = document.querySelector(`#pawns [data-pawn="${pawn}"]`);
  const { e, f } = new DOMMatrix(getComputedStyle(drawn).transform);
  const foot = new DOMPoint(e, f).matrixTransform(drawn.parentNode.getScreenCTM());
  return Math.hypot(foot.x - x, foot.y - y) < 2;
}"""
"""Whether a pawn's foot is drawn at a place of the window."""


def test_a_pawn_that_is_gripped_at_its_head_comes_to_stand_under_the_finger(lay: Lay, visit: Visit) -> None:
    _, board, _, _ = seated(GAME, lay, visit, played=len(GAME.steps) - 1)
    move = GAME.steps[-1]
    assert isinstance(move, PawnMove)
    left, top, wide, high = board.box(f'#pawns [data-pawn="{move.pawn}"] .body')
    x, y = board.centre(f'[data-station="{move.to}"]')
    board.page.mouse.move(left + wide / 2, top + high / 5)
    board.page.mouse.down()
    board.page.mouse.move(x, y)
    board.wait(FOOT_AT, [move.pawn, x, y])
    board.page.mouse.up()


def test_escape_gives_a_pawn_back_that_is_dragged(lay: Lay, visit: Visit) -> None:
    table, board, move, at = before_the_last_move(lay, visit)
    mouse = board.page.mouse
    mouse.move(*board.centre(f'[data-pawn="{move.pawn}"]'))
    mouse.down()
    mouse.move(*board.centre(f'[data-station="{move.to}"]'), steps=3)
    board.see(f'.lifted[data-pawn="{move.pawn}"]')
    board.page.keyboard.press("Escape")
    board.see(f'[data-pawn="{move.pawn}"][data-at="{at}"]')
    mouse.up()
    assert not board.page.locator("#targets :is(.chosen, .barred)").count()
    assert board.read(".spoken").endswith("is back where it was.")
    assert table.look(actions) == list(GAME.steps[:-1])


def test_a_pawn_that_went_back_is_not_said_to_be_in_the_hand(lay: Lay, visit: Visit) -> None:
    table, board, _, at = before_the_last_move(lay, visit)
    can = table.look(lambda p: {move.to for move in p.public.moves} | set(p.public.pawns.values()))
    board.page.locator(f'[data-station="{at}"]').focus()
    board.page.keyboard.press("Enter")
    board.see('.spoken:text("is in the hand")')
    board.page.locator(f'[data-station="{next(n for n in range(1, 200) if n not in can)}"]').focus()
    board.see("#of-station:not([hidden])")
    board.page.keyboard.press("Enter")
    board.see('#refused:text("No line leads")')
    assert board.read(".spoken") == ""
    assert board.page.locator("#of-station:not([hidden])").count() == 0  # they would lie on each other


@pytest.mark.long
def test_a_pawn_that_is_let_go_while_the_line_is_down_goes_back_and_says_why(lay: Lay, visit: Visit) -> None:
    _, board, move, _ = before_the_last_move(lay, visit)
    board.wait(STILL)
    board.page.evaluate("Object.defineProperty(WebSocket.prototype, 'readyState', { get: () => WebSocket.CLOSED })")
    board.carry(move.pawn, f'[data-station="{move.to}"]')
    board.see('#refused:text("does not answer")')
    assert "stands on" not in board.page.locator("#board").inner_text()
    board.see(f'[data-pawn="{move.pawn}"]:not([data-at="{move.to}"])')


@pytest.mark.long
def test_an_undo_that_takes_nothing_back_is_grey_and_says_why(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"), begin=begins(Case("classic", 4), []), helped=True)
    board = visit(table.url)
    board.see('#undo[aria-disabled="true"]')
    board.page.focus("#undo")
    board.page.keyboard.press("Enter")
    board.see("#refused:not(:empty)")
    assert board.read("#refused") == "There is no move that can be taken back now."
