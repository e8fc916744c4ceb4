"""Other ways to have hands: a finger on glass, the keyboard alone, and a pawn that goes back."""

from __future__ import annotations

import pytest

from firmware_host.referee.scene import Phase
from firmware_host.rules.actions import PawnMove
from tests.table.cases import Case, shipped
from tests.web.chromium import Visit, Visitor
from tests.web.open_table import Lay, OpenTable, begins, seated
from tests.web.played_evening import actions
from tests.web.scripts import script, walks

GAME = script(Case("classic", 4), walks, most=10)

WAY = """selectors => {
  const [here, there] = selectors.map(selector => document.querySelector(selector).getBoundingClientRect());
  return [there.x - here.x, there.y - here.y];
}"""

IN_SIGHT = """() => {
  const free = document.querySelector('.view').getBoundingClientRect();
  const seen = [...document.querySelectorAll('[data-station]')].map(one => [one, one.getBoundingClientRect()])
    .filter(([one, { x, y, width, height }]) => {
      const hit = document.elementFromPoint(x + width / 2, y + height / 2);
      const inside = x > free.x + 40 && x < free.right - 80 && y > free.y + 40 && y < free.bottom - 80;
      return hit && hit.closest('#paper') && inside;
    });
  return seen.sort(([, one], [, other]) => one.y - other.y).map(([one]) => one.dataset.station);
}"""
"""The stations that a finger reaches without pushing the map on at its rim, the highest first."""

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


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)], ids=["desktop", "phone"])
@pytest.mark.long
def test_a_pawn_goes_back_and_why_is_said_below_the_sentence(lay: Lay, visit: Visit, size: tuple[int, int]) -> None:
    steps = GAME.steps[:-1]
    table = lay(shipped("classic"), seed=GAME.seed, begin=begins(GAME.case, steps), helped=True)
    board = visit(table.url, size=size)
    view = table.look(lambda p: p.public)
    pawn, near = view.turn[0], {view.pawns[view.turn[0]]} | {move.to for move in view.moves}
    board.see(f'[data-pawn="{pawn}"][data-at]')
    for end in (0, -1):  # at the upper and the lower edge
        board.wait(STILL)
        station = [int(n) for n in board.page.evaluate(IN_SIGHT) if int(n) not in near][end]
        board.carry(pawn, f'[data-station="{station}"]')
        board.see(f'#refused:text("to {station}.")')
        sentence, said, map_ = (board.page.locator(one).bounding_box() for one in ("#prompt", "#refused", "#board"))
        assert sentence
        assert said
        assert map_
        assert said["y"] >= sentence["y"] + sentence["height"] - 1
        assert 0 <= said["x"] <= said["x"] + said["width"] <= size[0]
        assert said["x"] >= map_["x"] + map_["width"] or said["y"] + said["height"] <= map_["y"]  # nothing is covered
        board.see(f'[data-pawn="{pawn}"][data-at="{view.pawns[pawn]}"]')
    assert table.look(actions) == list(steps)


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


def test_the_keyboard_alone_sets_up_and_moves(lay: Lay, visit: Visit) -> None:
    table, board, _, people = seated(GAME, lay, visit)
    board.see('body[data-phase="set_up"]')
    wanted = table.look(lambda p: dict(p.public.pawns))
    for pawn, station in wanted.items():
        carry_by_keyboard(board, pawn, station)
        table.until(lambda p, pawn=pawn, at=station: p.hardware.where().get(pawn) == at, f"{pawn} on {station}")
    table.until(lambda p: p.table.scene().phase is Phase.PLAY, "the game to begin")
    people.do_all(GAME.steps[:-1])
    move = GAME.steps[-1]
    assert isinstance(move, PawnMove)
    carry_by_keyboard(board, move.pawn, move.to)
    table.until(lambda p: p.hardware.where().get(move.pawn) == move.to, f"{move.pawn} on {move.to}")
    table.until(lambda p: len(actions(p)) == len(GAME.steps) or p.table.scene().asked, "the move to be felt")
    if table.look(lambda p: p.table.scene().asked):
        board.page.keyboard.press({"taxi": "t", "bus": "b", "underground": "u"}[move.ticket])
    table.until(lambda p: actions(p) == list(GAME.steps), "the move")


def carry_by_keyboard(board: Visitor, pawn: str, station: int) -> None:
    """Take a pawn and set it down with nothing but the keyboard."""
    at = board.page.locator(f'[data-pawn="{pawn}"]').get_attribute("data-at")
    if at:
        tab_to(board, "[data-station]")
        walk(board, int(at))
    else:
        tab_to(board, f'#box [data-pawn="{pawn}"]')
    board.page.keyboard.press("Enter")
    tab_to(board, "[data-station]")
    walk(board, station)
    board.page.keyboard.press("Enter")


@pytest.mark.long
def test_another_game_is_begun_in_the_dialog(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"))
    board, spectator = visit(table.url), visit(table.url, "spectate")
    board.see('body[data-phase="set_up"]')
    board.open_every_option()
    board.page.select_option("#new-box", "junior")
    board.page.select_option("#new-players", "2")
    board.page.get_by_role("button", name="Begin").click()
    table.until(lambda p: p.table.game is not None and p.public.rules == "junior", "the junior game")
    stations = table.look(lambda p: sorted(p.public.network.stations))
    for page in (board, spectator):
        page.wait("n => document.querySelectorAll('[data-station]').length === n", len(stations))
    for pawn, at in table.look(lambda p: {n: p.public.pawns[n] for n in p.public.order}).items():
        board.drag(pawn, at)
    table.until(lambda p: p.table.scene().phase is Phase.PLAY, "the junior game to begin")
    spectator.see('body[data-phase="play"]')


def tab_to(board: Visitor, selector: str) -> None:
    """Press the Tab key until the focus is on such a thing."""
    for _ in range(60):
        if board.page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        board.page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key does not lead to {selector}")


def walk(board: Visitor, station: int) -> None:
    """Press the arrow keys until the focus is on a station: those first that lead towards it."""
    tried: set[tuple[int, str]] = set()
    while (here := board.page.evaluate("Number(document.activeElement.dataset.station)")) != station:
        ways = [arrow for arrow in towards(board, here, station) if (here, arrow) not in tried]
        assert ways, f"no arrow leads on from {here} to {station}"
        tried.add((here, ways[0]))
        board.page.keyboard.press(ways[0])


def towards(board: Visitor, here: int, there: int) -> list[str]:
    """The arrow keys, the one first that leads best from one station to another."""
    x, y = board.page.evaluate(WAY, [f'[data-station="{n}"]' for n in (here, there)])
    ways = {"ArrowRight": x, "ArrowLeft": -x, "ArrowDown": y, "ArrowUp": -y}
    return sorted(ways, key=lambda arrow: -ways[arrow])
