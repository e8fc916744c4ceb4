"""What the table's page does for those who do not know how to go on, and where it keeps still."""

from __future__ import annotations

import pytest
from playwright.sync_api import WebSocketRoute

from firmware_host.simulator.browser_session import RESTART_PAUSE
from tests.table.cases import shipped
from tests.waiting import until
from tests.web.chromium import Visit
from tests.web.open_table import Lay
from tests.web.test_page import opened

WINDOWS = ((390, 844), (844, 390), (1440, 900))
LONGEST = (
    "Set up: Put Purple on 198, Yellow on 150, Green on 132 and 2 more. Clear 100, 101, 102 and 3 more. "
    "Does Purple stand on 198? CONFIRM: its switch is broken"
)
"""As long as a prompt can be."""

WRITE = """([prompt, why]) => {
  document.querySelector('#prompt').textContent = prompt;
  document.querySelector('#why').textContent = why;
}"""
BOARD = "() => Object.values(document.querySelector('#board').getBoundingClientRect().toJSON())"
CUT_OFF = "() => document.querySelector('#head').scrollHeight - document.querySelector('#head').clientHeight"
BACKWARDS = """() => [['#head', '#keys'], ['#board', '#keys'], ['#keys', '#box'], ['#box', '#side'], ['#side', '#menu']]
  .map(pair => pair.map(part => document.querySelector(part)))
  .filter(pair => pair.every(part => part.checkVisibility()))
  .filter(([part, next]) => !(part.compareDocumentPosition(next) & Node.DOCUMENT_POSITION_FOLLOWING
    && (part.getBoundingClientRect().bottom <= next.getBoundingClientRect().top + 1
      || part.getBoundingClientRect().right <= next.getBoundingClientRect().left + 1)))
  .map(pair => pair.map(part => part.id))"""
"""The parts of which the second is not after the first on the page, or neither below nor beside it on the screen."""


@pytest.mark.long
def test_the_board_stays_where_it_is_however_long_the_prompt_and_the_page_is_in_the_order_of_the_screen(
    lay: Lay, visit: Visit
) -> None:
    """Whoever goes on by Tab goes on to what is beside or below."""
    _, page = opened(lay, visit)
    for width, height in WINDOWS:
        page.resize(width, height)
        places = []
        for words in (
            ("Red moves", ""),
            (LONGEST, ""),
            ("Put Red on 198. Clear 1", "Red cannot go from 198 to 1 now."),
        ):
            page.page.evaluate(WRITE, words)
            page.wait(f"() => ({CUT_OFF})() <= 0")
            places.append(page.page.evaluate(BOARD))
        assert places[0] == places[1] == places[2], (width, height)
        page.page.evaluate(WRITE, ("Red moves", ""))
        assert page.page.evaluate(BACKWARDS) == [], (width, height)


@pytest.mark.long
def test_without_power_every_page_says_so_and_nothing_else(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"), begin=lambda _: None)
    page, spectator = visit(table.url), visit(table.url, "spectate")
    page.see('[data-key="table.confirm"][data-wanted]')
    page.break_something()
    page.click("Cut the power")
    page.page.keyboard.press("Escape")
    for looking in (page, spectator):
        looking.wait("() => document.querySelector('#prompt').textContent === 'The power is off'")
        looking.see('[data-device="switches"][data-state="no power"]')
        assert looking.read("#turn") == ""
        assert looking.page.locator("[data-wanted]").count() == 0
    page.page.locator("#keys").get_by_role("button", name="Give it power again").click()
    for looking in (page, spectator):
        looking.see('[data-device="switches"][data-state="ok"]')
        looking.says("#prompt", "CONFIRM")
    page.see('[data-key="table.confirm"][data-wanted]')


@pytest.mark.long
def test_whoever_is_faster_than_the_first_scene_keeps_what_he_has_opened(lay: Lay, visit: Visit) -> None:
    page = visit(lay(shipped("classic"), seed=5).url)
    held: list[str | bytes] = []
    lines: list[WebSocketRoute] = []

    def hold(line: WebSocketRoute) -> None:
        lines.append(line)
        line.connect_to_server().on_message(lambda said: held.append(said))  # noqa: PLW0108 - it is marked

    page.page.route_web_socket("**/ws*", hold)
    page.page.reload()
    page.click("New game")
    page.see("#welcome[open]")
    page.page.keyboard.press("3")

    def has_told() -> bool:
        page.hear()
        return all(any(f'"kind":"{kind}"' in str(one) for one in held) for kind in ("table", "scene"))

    until(has_told, "what the table tells first")
    for one in tuple(held):
        lines[0].send(one)
    page.wait("() => document.querySelector('#prompt').textContent")
    assert page.page.locator("#welcome").is_visible()
    page.see("#welcome .game:enabled")


def test_a_move_that_is_none_says_why(lay: Lay, visit: Visit) -> None:
    table, page = opened(lay, visit, moves=1)
    places, ways = table.look(lambda p: (dict(p.public.pawns), {m.to for m in p.public.moves if m.pawn == "red"}))
    far = next(n for n in range(1, 200) if n not in ways and n not in places.values())
    page.drag("yellow", far)
    page.wait("() => document.querySelector('#why').textContent === \"It is Red's turn.\"")
    page.drag("yellow", places["yellow"])
    page.wait("() => document.querySelector('#why').textContent === ''")
    page.drag("red", far)
    page.wait(
        "said => document.querySelector('#why').textContent === said",
        f"Red cannot go from {places['red']} to {far} now.",
    )


@pytest.mark.long
def test_in_the_dice_game_it_is_the_dice_that_take_a_pawn_nowhere(lay: Lay, visit: Visit) -> None:
    page = visit(lay(shipped("dice")).url)
    said = page.page.evaluate(
        """async scene => {
          const { explainIllegalMove, whyNotThere } = await import("/static/wording/illegal_move.js");
          const down = { ...scene, wrong: 1, mismatch: { missing: { red: 3 }, extra: [9] } };
          return [whyNotThere(scene, [[3, 9, "taxi"]], "red", 9), explainIllegalMove(down)];
        }""",
        {
            "rules": "dice", "phase": "play", "turn": ["red"], "owners": {"red": 1}, "pawns": {"red": 3}, "moves": [],
            "set_down": {}, "mismatch": {"missing": {}, "extra": []}, "tickets": {}, "dice": {"to_roll": 0}, "wrong": 0,
        },
    )  # fmt: skip
    assert said == ["No die takes Red from 3 to 9."] * 2


@pytest.mark.long
def test_a_game_that_cannot_begin_leaves_its_dialog_open_with_all_that_was_chosen(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"), begin=lambda _: None)
    page = visit(table.url)
    page.see("body[data-phase]")
    page.open_every_option()
    page.page.select_option("#new-box", "dice")
    page.page.select_option("#new-players", "3")
    page.page.fill("#new-layout", "abc def")
    begin = page.page.get_by_role("button", name="Begin")
    begin.click()
    page.see("#newgame .warning:not(:empty)")
    assert "One-way streets" in page.read("#newgame .warning")
    assert page.read("#refused") == ""
    assert page.page.input_value("#new-layout") == "abc def"
    assert page.page.input_value("#new-players") == "3"
    page.page.fill("#new-layout", "")
    table.wait(RESTART_PAUSE)
    begin.click()
    page.see("#newgame", state="hidden")
    table.until(lambda p: p.table.game is not None and p.public.rules == "dice", "the dice game")


def test_a_game_that_has_begun_meanwhile_is_not_dropped_without_a_warning(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"), begin=lambda _: None)
    page = visit(table.url)
    page.see("body[data-phase]")
    page.open_every_option()
    page.page.select_option("#new-box", "dice")
    page.page.fill("#new-layout", "abc def")
    page.page.locator("#newgame [type=submit]").click()
    page.see("#newgame .warning:not(:empty)")
    table.look(lambda p: (p.new_game(players=4), p.set_up()))
    page.see("body[data-phase=play]")
    page.page.locator("#newgame [type=submit]").click()
    page.see("#newgame .warning:has-text('will be dropped')")
    assert page.read("#newgame [type=submit]") == "Drop it and begin"


@pytest.mark.long
def test_what_the_rulebooks_leave_to_the_players_is_chosen_in_the_form(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"), begin=lambda _: None)
    page = visit(table.url)
    page.see("body[data-phase]")
    page.open_every_option()
    for rules, names in (("beginners", ["uncover_half"]), ("dice", ["log_windows", "reveal_route"])):
        page.page.select_option("#new-box", rules)
        assert all(page.page.locator(f"#new-{name}").count() == 1 for name in names)
    page.page.select_option("#new-box", "junior")
    page.page.select_option("#new-players", "3")
    page.page.select_option("#new-x_colour", "blue")
    page.click("Begin")
    page.see("#newgame", state="hidden")
    blue = 10  # the marked start
    table.until(
        lambda p: p.table.game is not None and p.public.rules == "junior" and p.public.pawns["mr_x"] == blue,
        "the junior game with a blue Mister X",
    )
