"""Detectives' players on phones of their own, in real browsers: seats, moves, refusals, lost lines, the next game."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.rules.actions import MR_X, PawnMove
from firmware_host.simulator import SimulatedTable
from tests.table.cases import shipped
from tests.web.board_with_hands import board
from tests.web.chromium import GONE, Visit, Visitor
from tests.web.open_table import Lay, OpenTable

NAMES, COMPUTER = {"1": "Ada", "2": "Ben"}, {MR_X: "easy"}

LOSE = """() => {
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function () { this.close(); };
  window.back = () => { WebSocket.prototype.send = send; };
}"""
"""Until it is back each line of the page to the table is lost."""

MOVE_RED = """async () => {
  const { openConnection } = await import("/static/page/connection.js");
  const send = openConnection("detective", {
    phones: () => send({ do: "choose", action: { kind: "pawn", pawn: "red", to: 23, ticket: "bus" } }),
    refused: ({ text }) => (document.title = text),
  }, localStorage.getItem("yardboard-phone"));
}"""
"""Whoever has the phone moves Red by a line of his own, whatever the page lets him; the title tells the answer."""

SHOWN = r"INFO The table is shown at (\S+)"


def begin(p: SimulatedTable, mr_x: int = 94, red: int = 13, yellow: int = 26) -> None:
    """A game of two detectives' players, who move in turn, against a computer that hides."""
    start = {MR_X: mr_x, "red": red, "yellow": yellow}
    p.new_game(players=3, owners=(1, 2, 1, 2), start=start, seats=COMPUTER, names=NAMES)


def begin_at_the_end(p: SimulatedTable) -> None:
    """A game that is over at once: detectives stand on both stations to which Mister X could go."""
    begin(p, mr_x=2, red=10, yellow=20)


@pytest.fixture
def table() -> Iterator[OpenTable]:
    with OpenTable(shipped("classic"), seed=5, begin=begin, helped=True) as opened:
        yield opened


def misses_no_phone(page: Visitor) -> None:
    """Neither a phone that is away is shown, nor the code."""
    for part in (".away", ".scanned"):
        page.see(f"#awaited {part}", state="hidden")


def phone(table: OpenTable, visit: Visit, **kind: object) -> Visitor:
    """The page of a phone that has come to the table, and has no seat yet."""
    page = visit(table.url, "detective", **{"touch": True, "size": (390, 844), **kind})
    page.connected()
    page.see("#seats .button")
    return page


def sit(page: Visitor, name: str) -> Visitor:
    """Take a player's seat."""
    page.page.locator("#seats").get_by_role("button", name=name).tap()
    page.wait("name => document.querySelector('#own').textContent.includes(name)", name)
    return page


def on_turn(page: Visitor) -> bool:
    return page.read("#turn") == "It is your turn"


def await_turn(page: Visitor) -> None:
    page.wait("() => document.querySelector('#turn').textContent === 'It is your turn'")


def move(page: Visitor) -> None:
    """Make the first move of the list."""
    page.page.locator("#choose .end").first.tap()


def give_back(page: Visitor) -> None:
    """Give the seat back, by the menu."""
    page.page.locator("#more").tap()
    page.page.get_by_role("button", name="Give the seat back").tap()


def moved(table: OpenTable) -> list[PawnMove]:
    """What detectives have moved so far."""
    return table.look(lambda p: [action for action in p.actions if isinstance(action, PawnMove)])


@pytest.mark.long
def test_two_phones_chase_a_computer_and_each_moves_its_own_pawns(table: OpenTable, visit: Visit) -> None:
    page, ada, ben = visit(table.url), phone(table, visit), phone(table, visit)
    sit(ada, "Ada")
    ben.says("#seats", "plays on another phone")
    sit(ben, "Ben")
    await_turn(ada)
    assert not on_turn(ben)
    ada.tap("[data-station='23']")  # taxi or bus
    ada.see("#by-ticket .ticket-choice[data-ticket='bus']")
    assert ada.read("#prompt") == "Red to 23: taxi or bus?"
    assert moved(table) == []
    ada.page.locator("#by-ticket .ticket-choice[data-ticket='bus']").tap()
    await_turn(ben)
    assert moved(table) == [PawnMove("red", 23, "bus")]
    page.see("[data-pawn='red'][data-at='23']")
    move(ben)
    table.until(lambda p: "yellow" in p.public.moved or len(p.public.log) > 1, "Ben's move")
    assert [one.pawn for one in moved(table)] == ["red", "yellow"]
    await_turn(ada)  # with her other pawn
    move(ada)
    await_turn(ben)
    move(ben)
    table.until(lambda p: len(p.public.log) == 2, "Mister X's next move")
    assert [one.pawn for one in moved(table)] == ["red", "yellow", "green", "blue"]


@pytest.mark.long
def test_a_television_shows_the_code_until_every_player_has_his_phone(table: OpenTable, visit: Visit) -> None:
    link = {"link": "http://table.local/detective", "code": ["10", "01"], "here": False}
    screen = visit(table.url, "spectate", size=(1920, 1080))
    screen.see("#paper [data-station]")
    assert not screen.page.locator("#awaited").is_visible(), "no phone could open it"
    screen.page.route("**/detective/link", lambda route: route.fulfill(json=link))
    screen.page.reload()
    screen.page.locator("#awaited .qr").wait_for()
    screen.page.locator("#awaited", has_text="http://table.local/detective").wait_for()
    ada = sit(phone(table, visit), "Ada")
    screen.page.locator("#awaited .qr").wait_for()
    sit(phone(table, visit), "Ben")
    misses_no_phone(screen)
    assert screen.page.locator("#awaited .joined").count() == 2
    give_back(ada)
    screen.page.locator("#awaited .qr").wait_for()


def test_a_phone_that_is_away_is_shown_with_the_code_to_others_and_onlookers_and_its_seat_is_free(
    table: OpenTable, visit: Visit
) -> None:
    link = {"link": "http://table.local/detective", "code": ["10", "01"], "here": False}
    ada, ben = sit(phone(table, visit), "Ada"), sit(phone(table, visit), "Ben")
    pages = [
        visit(table.url, locale="de-DE"),
        visit(table.url, "spectate", size=(1920, 1080), locale="de-DE"),
        visit(table.url, "detective", touch=True, size=(390, 844), locale="de-DE"),
    ]
    for page in pages:
        page.page.route("**/detective/link", lambda route: route.fulfill(json=link))
        page.see("#paper [data-station]")
        misses_no_phone(page)
    table.until(lambda p: p.public.turn == ("red",), "Red's turn")
    ada.page.evaluate(LOSE)
    for page in pages:
        page.page.locator("#awaited", has_text="Das Handy von Ada ist gerade weg.").wait_for()
        if not page.touch:  # a phone need not scan the code of another
            page.page.locator("#awaited .qr").wait_for()
        page.page.locator("#awaited").scroll_into_view_if_needed()
    ben.page.locator("#awaited", has_text="Ada's phone is away.").wait_for()  # no other phone could open its link
    assert ben.page.locator("#awaited .qr").count() == 0
    ada.page.evaluate("window.back()")
    for page in (*pages, ben):
        misses_no_phone(page)
    for page in pages[:2]:
        assert page.page.locator("#awaited .joined").count() == 2
    for page in (pages[2], ben):
        page.see("#awaited", state="hidden")
    ada.page.evaluate(LOSE)
    pages[2].page.locator("#awaited", has_text="Das Handy von Ada ist gerade weg.").wait_for()
    sit(pages[2], "Ada")  # at once: nobody is asked


@pytest.mark.long
def test_whose_turn_it_is_not_may_look_ahead_and_is_told_why_it_moves_nothing(table: OpenTable, visit: Visit) -> None:
    ben = sit(phone(table, visit), "Ben")
    table.until(lambda p: p.public.turn == ("red",), "Red's turn")
    ben.says("#prompt", "Red")
    ben.tap("[data-station='15']")  # Yellow's, in a moment
    ben.says("#choose", "It is not Yellow's turn yet")
    assert ben.page.get_by_role("button", name="Go", exact=True).count() == 0
    ben.tap("[data-station='13']")
    ben.wait("() => document.querySelector('#choose .refusal').textContent === \"It is Red's turn.\"")
    assert moved(table) == []


@pytest.mark.long
def test_a_station_that_cannot_be_reached_says_why(table: OpenTable, visit: Visit) -> None:
    ada = sit(phone(table, visit), "Ada")
    await_turn(ada)
    ada.tap("[data-station='22']")
    ada.wait("() => document.querySelector('#choose .refusal').textContent.length > 0")
    assert ada.read("#choose .refusal") == "No line leads from 13 to 22."


def test_an_order_for_anothers_pawn_is_refused_by_the_table(table: OpenTable, visit: Visit) -> None:
    ben = sit(phone(table, visit), "Ben")
    table.until(lambda p: p.public.turn == ("red",), "Red's turn")
    ben.page.evaluate(MOVE_RED)
    ben.wait("() => document.title === 'this pawn is not yours to move'")
    assert moved(table) == []


@pytest.mark.long
def test_a_move_is_taken_back_from_the_phone_that_made_it(table: OpenTable, visit: Visit) -> None:
    ada, ben = sit(phone(table, visit), "Ada"), sit(phone(table, visit), "Ben")
    await_turn(ada)
    move(ada)
    await_turn(ben)
    ada.page.get_by_role("button", name="Undo").wait_for()
    assert ben.page.locator("#undo").is_hidden()
    ada.page.get_by_role("button", name="Undo").tap()
    await_turn(ada)
    assert moved(table) == []


PRESS_AFTER_CLICK = """key => addEventListener("click", () => setTimeout(() => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
}), { capture: true, once: true })"""
"""Presses a key right after the next click."""


@pytest.mark.parametrize("key", ["Escape", "z"])
def test_a_move_is_given_up_before_the_table_has_answered_it(table: OpenTable, visit: Visit, key: str) -> None:
    ada = sit(phone(table, visit), "Ada")
    await_turn(ada)
    ada.page.evaluate(PRESS_AFTER_CLICK, key)
    move(ada)
    ada.says("#prompt", "Where to?")
    table.wait(10_000)
    assert table.look(lambda p: (p.hardware.where()["red"], p.scene.asked, p.public.turn)) == (13, (), ("red",))
    assert moved(table) == []
    move(ada)
    table.until(lambda p: p.public.pawns["red"] != 13, "Red's move")


def begin_with_two_pawns_each(p: SimulatedTable) -> None:
    start = {MR_X: 94, "red": 26, "yellow": 13}
    p.new_game(players=3, owners=(1, 1, 2, 2), start=start, seats=COMPUTER, names=NAMES)


@pytest.mark.long
def test_why_the_next_pawn_cannot_go_somewhere_outlasts_the_wait_for_the_move_before(visit: Visit) -> None:
    with OpenTable(shipped("classic"), seed=5, begin=begin_with_two_pawns_each, helped=True) as table:
        ada = sit(phone(table, visit, clock=True), "Ada")
        await_turn(ada)
        move(ada)
        ada.says("#prompt", "Yellow")
        ada.page.clock.fast_forward(4000)
        ada.tap("[data-station='22']")
        ada.wait("() => document.querySelector('#choose .refusal').textContent.length > 0")
        ada.page.clock.fast_forward(4000)
        assert ada.read("#choose .refusal") == "No line leads from 13 to 22."


@pytest.mark.long
def test_a_phone_whose_line_was_lost_comes_back_to_its_seat_and_plays_on(table: OpenTable, visit: Visit) -> None:
    ada, ben = sit(phone(table, visit), "Ada"), phone(table, visit)
    await_turn(ada)
    ada.page.evaluate(LOSE)
    ada.says("#line", "does not answer")
    assert not on_turn(ada)
    ben.says("#seats", "its phone is away")
    ada.page.evaluate("window.back()")
    ada.connected()
    await_turn(ada)
    move(ada)
    table.until(lambda p: p.public.turn == ("yellow",), "Yellow's turn")
    ada.page.reload()
    ada.says("#own", "Ada")


@pytest.mark.long
def test_a_seat_is_given_back_and_taken_over_and_the_phone_before_is_told(table: OpenTable, visit: Visit) -> None:
    first, second = sit(phone(table, visit), "Ada"), phone(table, visit)
    second.page.locator("#seats").get_by_role("button", name="Ada").tap()
    second.page.get_by_role("button", name="Take it over").wait_for()
    second.page.get_by_role("button", name="Take it over").tap()
    second.says("#own", "Ada")
    first.see("#seats .button")
    assert first.page.locator("#own button").count() == 0
    give_back(second)
    second.see("#seats .button")
    first.wait("() => !document.querySelector('#seats').textContent.includes('another phone')")
    sit(first, "Ada")


@pytest.mark.long
def test_whoever_has_a_seat_asks_for_another_game_once_one_is_over(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"), seed=5, begin=begin_at_the_end, helped=True)
    ada = sit(phone(table, visit), "Ada")
    ada.see("#again", state="visible")
    begun = table.look(lambda p: p.table.journal.newest_begun)
    ada.page.locator("#again").tap()
    table.until(lambda p: p.table.journal.newest_begun == begun + 1, "another game")
    await_turn(ada)
    assert ada.page.locator("#again").is_hidden()
    owners, seats, names = table.look(lambda p: (p.public.owners, p.scene.seats, p.scene.names))
    assert (owners, seats, names) == ({"red": 1, "yellow": 2, "green": 1, "blue": 2}, COMPUTER, NAMES)


@pytest.mark.long
def test_at_a_real_board_a_phone_tells_where_to_set_the_pawn_and_moves_nothing(tmp_path: Path, visit: Visit) -> None:
    with board(tmp_path, computer=MR_X) as run:
        page = visit(run.url(SHOWN), "detective", touch=True, size=(390, 844))
        page.excuse(GONE)  # the table may end before its page
        page.page.locator("#seats").get_by_role("button", name="Red and Yellow").tap()
        await_turn(page)
        page.tap("[data-station='23']")
        page.page.locator("#by-ticket .ticket-choice[data-ticket='bus']").tap()
        page.says("#choose", "press BUS")
        assert "Set Red down on 23, at the table. When it asks by what, press BUS." in page.read("#choose")
        assert page.page.get_by_role("button", name="Go", exact=True).count() == 0
        assert page.page.locator("#keys").is_hidden()
        page.page.evaluate(MOVE_RED)
        page.wait("() => document.title === 'this is done at the table itself'")
        assert run.end(signal.SIGTERM) == 0


def test_a_phone_has_the_sentence_the_log_the_map_and_a_sheet_for_the_thumb(table: OpenTable, visit: Visit) -> None:
    ada = sit(phone(table, visit), "Ada")
    await_turn(ada)
    assert ada.box("#head")[1::2] == (0, 56)
    assert ada.box("#frame")[1::2] == (56, 58)
    _, top, wide, high = ada.box("#board")
    assert (top, wide) == (114, 390)
    assert high >= 0.6 * 844
    assert ada.page.evaluate("getComputedStyle(document.querySelector('#prompt .hero')).fontSize") == "26px"
    assert ada.box(".overview")[2:] == (92, 70)
    ada.tap("[data-station='23']")  # taxi or bus
    ada.see("#by-ticket .ticket-choice[data-ticket='bus']")
    for ticket in ("taxi", "bus"):
        _, y, _, tall = ada.box(f"#by-ticket .face[data-ticket='{ticket}']")
        assert y >= top + high
        assert tall == 72


def test_the_sheet_is_pulled_up_for_the_table_of_tickets_and_let_go_again(table: OpenTable, visit: Visit) -> None:
    ada = sit(phone(table, visit), "Ada")
    await_turn(ada)
    assert ada.page.locator("#tickets").bounding_box()["y"] >= 844  # type: ignore[index]
    ada.page.locator("#pull").tap()
    ada.page.wait_for_function("() => document.querySelector('#tickets').getBoundingClientRect().bottom < innerHeight")
    assert ada.page.locator("#pull").get_attribute("aria-expanded") == "true"
    ada.page.keyboard.press("Escape")
    assert ada.page.locator("#pull").get_attribute("aria-expanded") == "false"
    ada.page.evaluate("document.querySelector('#sheet').scrollTop = 40")  # as a finger that moves up does
    ada.see("#pull[aria-expanded='true']")


def test_a_small_phone_and_a_page_at_twice_its_size_keep_a_map_that_can_be_played_on(
    table: OpenTable, visit: Visit
) -> None:
    window = (195, 422)
    ada = sit(phone(table, visit, size=window), "Ada")
    await_turn(ada)
    _, _, wide, high = ada.box("#board")
    assert wide == window[0]
    assert high >= 0.5 * window[1]
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= window[0]
    move(ada)
    table.until(lambda p: p.public.pawns["red"] != 13, "Red's move")
