"""A long press of the table's BACK opens a menu on the public display, and the game stays as it was."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from firmware_host.config import shipped_files
from firmware_host.config.loader import Config, load
from firmware_host.referee.scene import Kind, Phase
from firmware_host.simulator import SimulatedTable
from firmware_host.table.commands import SayPowerOffFailed, ShowAddress, ShowOwnerCode
from firmware_host.table.table_menu import (
    GREETING_SECONDS,
    OPEN_SECONDS,
    OWNER_SECONDS,
    MenuWish,
    TableMenu,
)
from firmware_host.ui.drawing.table_menu_screen import TableAddress
from firmware_host.web.feeds.page_orders import KeyOrder
from tests.table.played_table import (
    FIVE,
    Watched,
    begun,
    carry,
    config,
    confirm,
    fault,
    go,
    hold,
    play_on,
    press,
    put,
    red_to_move,
    release,
    take,
    text,
)
from tests.ui.golden_screens import ADDRESS
from tests.web.page_table import Room

BACK, CONFIRM = "table.back", "table.confirm"


@cache
def real_board() -> Config:
    """A simulated board that is taken for a real one, because its switches are."""
    return replace(config(), switches=load(shipped_files.folder() / "london-spi.toml").switches)


def page(p: SimulatedTable) -> str:
    """The menu's page, or "" while it is closed."""
    return "" if p.table.menu is None else p.table.menu.page


def shown(p: SimulatedTable) -> bytes | None:
    assert p.hardware.display is not None
    return p.hardware.display.pixels


def open_menu(p: SimulatedTable) -> None:
    hold(p, BACK, 5100)
    release(p, BACK)
    assert page(p) == "list"


def everything(p: Watched) -> object:
    """What a table is beside its public display."""
    return p.table.game, p.table.referee.state, p.store.tried, p.handset_lines(), p.table.scene()


def asks_ticket() -> Watched:
    """A table that waits for a key: red stands on a station to which two tickets lead."""
    p: Watched = red_to_move(seen=True)
    tickets: dict[int, set[str]] = {}
    for move in p.public.moves:
        if move.pawn == "red":
            tickets.setdefault(move.to, set()).add(move.ticket)
    carry(p, "red", next(to for to, by in sorted(tickets.items()) if len(by) > 1))
    assert p.table.scene().asked
    return p


def before_any_game() -> Watched:
    p = Watched()
    p.advance(500)
    return p


def in_set_up() -> Watched:
    p = Watched()
    p.new_game(seed=1)
    p.advance(500)
    assert p.table.scene().phase is Phase.SET_UP
    return p


def with_a_wrong_pawn() -> Watched:
    p: Watched = red_to_move(seen=True)
    take(p, FIVE["yellow"], 500)
    p.advance(6000)
    return p


def resumed() -> Watched:
    p: Watched = red_to_move(seen=True)
    take(p, FIVE["yellow"], 100)
    p.restart()
    p.advance(3000)
    assert p.table.scene().phase is Phase.RESUME
    return p


def over() -> Watched:
    p: Watched = begun(197, seen=True, **FIVE)
    play_on(p, random.Random(1))
    assert p.public.outcome is not None
    return p


MOMENTS = {
    "nobody has begun": before_any_game,
    "pawns are set up": in_set_up,
    "Mister X's turn": lambda: begun(197, seen=True, **FIVE),
    "a detective's turn": lambda: red_to_move(seen=True),
    "a question": asks_ticket,
    "a wrong pawn": with_a_wrong_pawn,
    "resumed after a power cut": resumed,
    "the end": over,
}


@pytest.fixture(params=MOMENTS)
def moment(request: pytest.FixtureRequest) -> Iterator[Watched]:
    p = MOMENTS[request.param]()
    yield p
    p.close()


def test_the_menu_leaves_game_journal_lamps_and_handset_as_they_are(moment: Watched) -> None:
    p = moment
    p.advance(1000)
    before, sentence, picture = everything(p), text(p), shown(p)
    open_menu(p)
    assert shown(p) != picture
    assert p.display_lines()[0] == "Table menu"
    for key in ("table.taxi", BACK, "table.bus", "table.underground"):
        press(p, key)
        assert page(p) == "list"
    assert everything(p) == before
    press(p, BACK)  # on the last row: close
    confirm(p)
    assert page(p) == ""
    p.advance(200)
    assert (everything(p), text(p), shown(p)) == (before, sentence, picture)


@pytest.mark.parametrize("name", MOMENTS)
def test_lamps_and_handset_show_the_same_at_the_same_times_with_the_menu_and_without(name: str) -> None:
    with_menu, without = MOMENTS[name](), MOMENTS[name]()
    start = with_menu.hardware.clock.now()
    open_menu(with_menu)
    for key in ("table.taxi", "table.bus", BACK, CONFIRM):
        press(with_menu, key)
    with_menu.advance(3000)
    without.advance(1000 * (with_menu.hardware.clock.now() - start))
    assert with_menu.lamps.frames == without.lamps.frames
    assert with_menu.handset.pictures == without.handset.pictures
    assert with_menu.display.pictures != without.display.pictures
    with_menu.close()
    without.close()


def test_a_question_that_waits_for_a_key_is_asked_again_when_the_menu_closes() -> None:
    p = asks_ticket()
    question, asked = text(p), p.table.scene().asked
    open_menu(p)
    press(p, "table.taxi")
    confirm(p)  # on the row "close"
    assert (page(p), p.table.scene().asked, text(p)) == ("", asked, question)
    press(p, "table.taxi")
    assert not p.table.scene().asked
    p.close()


def test_a_short_press_of_back_counts_when_it_is_released() -> None:
    p = asks_ticket()
    asked = p.table.scene().asked
    hold(p, BACK, 3000)
    assert p.table.scene().asked == asked
    release(p, BACK)
    assert not p.table.scene().asked
    assert page(p) == ""
    p.close()


def test_back_held_while_another_question_appears_does_not_answer_that() -> None:
    p = red_to_move()
    take(p, 74, 500)
    hold(p, BACK, 1000)
    put(p, 58, "red", 1000)
    asked = p.table.scene().ask
    assert asked.kind is Kind.WENT
    release(p, BACK)
    assert p.table.scene().ask == asked
    press(p, BACK)
    assert p.table.scene().ask.kind is Kind.CANCELLED


def test_a_press_that_the_keys_cable_ends_does_not_count() -> None:
    p = asks_ticket()
    asked = p.table.scene().asked
    hold(p, BACK, 3000)
    fault(p, "keys", "unplug", 200)
    fault(p, "keys", "replug", 2000)
    release(p, BACK)
    assert p.table.scene().asked == asked
    p.close()


def test_back_counts_as_soon_as_keys_that_come_and_go_are_back() -> None:
    p = asks_ticket()
    asked = p.table.scene().asked
    for _ in range(5):
        fault(p, "keys", "unplug", 700)
        fault(p, "keys", "replug", 700)
    assert p.table.scene().asked == asked
    press(p, BACK)
    assert not p.table.scene().asked
    p.close()


def test_a_pawn_that_is_lifted_closes_the_menu_so_that_confirm_is_meant_for_the_game() -> None:
    p: Watched = red_to_move(real_board(), seen=True)
    open_menu(p)
    confirm_row(p, "ask_off")
    assert page(p) == "ask_off"
    take(p, FIVE["red"], 300)
    assert page(p) == ""
    confirm(p)
    assert p.table.take_wish() is None
    put(p, FIVE["red"], "red", 2000)
    assert p.public.pawns["red"] == FIVE["red"]
    p.close()


def confirm_row(p: SimulatedTable, row: str) -> None:
    """Choose a row of the menu with two keys alone, as a board without ticket keys has them."""
    menu = p.table.menu
    assert menu is not None
    for _ in range((menu.rows.index(row) - menu.cursor) % len(menu.rows)):
        press(p, BACK)
    confirm(p)


def test_a_pawn_that_is_lifted_closes_the_menu_although_back_is_still_held() -> None:
    p = red_to_move()
    hold(p, BACK, 5100)
    assert page(p) == "list"
    take(p, 74, 1000)
    assert page(p) == ""
    p.advance(4000)  # power off all the same
    assert page(p) == "simulated"


def test_the_menu_closes_when_nobody_presses_a_key() -> None:
    p: Watched = red_to_move(seen=True)
    open_menu(p)
    p.advance(1000 * OPEN_SECONDS - 1000)
    assert page(p) == "list"
    press(p, BACK)
    p.advance(1000 * OPEN_SECONDS - 1000)
    assert page(p) == "list"
    p.advance(2000)
    assert page(p) == ""
    p.close()


def test_he_may_move_while_it_is_open_and_it_stays_as_it_is() -> None:
    p: Watched = begun(197, seen=True, **FIVE)
    open_menu(p)
    pictures = len(set(p.display.pictures))
    before = shown(p)
    go(p, 184)
    p.advance(1000)
    assert (page(p), shown(p)) == ("list", before)
    assert {picture for _, picture in p.display.pictures[pictures:]} <= {before}
    p.close()


@pytest.mark.parametrize("driver", ["lost", "none"])
def test_without_a_display_that_answers_no_menu_takes_the_keys(driver: str) -> None:
    p: Any = asks_ticket() if driver == "lost" else red_to_move(config(display={"driver": "none"}))
    if driver == "lost":
        fault(p, "display", "unplug", 2000)
    hold(p, BACK, 6000)
    release(p, BACK)
    assert page(p) == ""
    if driver == "lost":
        press(p, "table.taxi")
        assert not p.table.scene().asked
    p.close()


def test_a_display_that_is_lost_closes_the_menu() -> None:
    p: Watched = red_to_move(seen=True)
    open_menu(p)
    fault(p, "display", "unplug", 2500)
    assert page(p) == ""
    p.close()


def test_a_sleeping_table_wakes_and_a_long_press_opens_the_menu() -> None:
    p: Watched = red_to_move(config(display={"blank_after_s": 20}), seen=True)
    p.advance(30_000)
    assert shown(p) is None
    hold(p, BACK, 5200)
    release(p, BACK)
    assert page(p) == "list"
    assert shown(p) is not None
    p.close()


# ---- address and code ----


def test_the_address_is_shown_once_for_a_while() -> None:
    p: Watched = red_to_move(seen=True)
    picture = shown(p)
    p.do(ShowAddress(ADDRESS))
    p.advance(200)
    assert p.display_lines() == [ADDRESS.url, ADDRESS.name]
    p.advance(1000 * GREETING_SECONDS)
    assert (page(p), shown(p)) == ("", picture)
    p.do(ShowAddress(TableAddress("http://10.0.0.9:8199/", "", (), has_owner=False)))  # another one
    p.advance(200)
    assert page(p) == ""
    p.do(ShowAddress(None))  # the network is down for a while
    p.do(ShowAddress(ADDRESS))
    p.advance(200)
    assert (page(p), shown(p)) == ("", picture)
    p.close()


def test_a_key_ends_the_address() -> None:
    p: Watched = red_to_move(seen=True)
    p.do(ShowAddress(ADDRESS))
    assert page(p) == "address"
    confirm(p)
    assert page(p) == ""
    p.close()


def test_address_and_owners_code_are_in_the_menu_if_there_are_any() -> None:
    p: Watched = red_to_move(seen=True)
    open_menu(p)
    assert p.table.menu is not None
    assert p.table.menu.rows == ("ask_off", "close")
    p.do(ShowAddress(ADDRESS))
    assert p.table.menu.rows == ("address", "owner", "ask_off", "close")
    confirm_row(p, "address")
    assert page(p) == "address"
    press(p, BACK)
    open_menu(p)
    confirm_row(p, "owner")
    assert p.table.take_wish() is MenuWish.OWNER_CODE
    assert p.table.take_wish() is None
    p.do(ShowOwnerCode("482913"))
    assert "482913" in p.display_lines()
    p.advance(1000 * OWNER_SECONDS - 2000)
    assert page(p) == "owner"
    p.advance(3000)
    assert page(p) == ""
    p.close()


def test_the_owners_code_is_in_no_picture_after_the_menu_and_in_no_name_of_it() -> None:
    menu = TableMenu(0.0, simulated=False)
    menu.set_address(ADDRESS, 1.0)
    menu.show_owner_code("482913")
    assert menu.screen is not None
    assert "482913" not in repr(menu.screen)
    assert "482913" not in repr(ShowOwnerCode("482913"))


# ---- power off ----


def test_a_menu_item_powers_off_and_the_display_says_when_to_pull_the_plug() -> None:
    p: Watched = red_to_move(real_board(), seen=True)
    before = p.table.game
    open_menu(p)
    confirm_row(p, "ask_off")
    assert p.table.take_wish() is None
    confirm(p)
    assert p.table.take_wish() is MenuWish.POWER_OFF
    for key in (BACK, CONFIRM, "table.taxi"):  # nobody is asked any more
        press(p, key)
    take(p, FIVE["red"], 300)
    p.advance(600_000)
    assert page(p) == "off"
    assert "pull the plug" in " ".join(p.display_lines())
    assert p.table.take_wish() is None
    assert p.table.game is before
    p.do(SayPowerOffFailed())
    assert page(p) == "failed"
    p.advance(1000 * OPEN_SECONDS + 100)
    assert page(p) == ""
    p.close()


def test_a_change_of_mind_powers_nothing_off() -> None:
    p: Watched = red_to_move(real_board(), seen=True)
    open_menu(p)
    confirm_row(p, "ask_off")
    press(p, "table.bus")
    assert page(p) == "ask_off"
    press(p, BACK)
    assert page(p) == ""
    hold(p, BACK, 9800)
    release(p, BACK)
    assert page(p) == "list"
    assert p.table.take_wish() is None
    p.close()


@pytest.mark.parametrize("display", ["oled", "none"])
def test_a_very_long_press_powers_off_with_a_display_and_without(display: str) -> None:
    conf = real_board()
    p: Watched = red_to_move(conf, seen=True)
    if display == "none":
        fault(p, "display", "unplug", 2000)
    hold(p, BACK, 6000)
    if display != "none":
        assert "Keep holding to power off" in p.display_lines()
    p.advance(4200)
    assert p.table.take_wish() is MenuWish.POWER_OFF
    assert page(p) == "off"
    p.advance(20_000)
    assert p.table.take_wish() is None
    p.close()


def test_a_key_that_sticks_at_the_start_powers_nothing_off() -> None:
    p = Watched(real_board())
    p.hardware.hold(BACK)
    p.advance(30_000)
    assert (page(p), p.table.take_wish()) == ("", None)
    release(p, BACK)
    open_menu(p)
    p.close()


def test_a_key_that_sticks_when_the_keys_are_back_powers_nothing_off() -> None:
    p: Watched = red_to_move(real_board(), seen=True)
    fault(p, "keys", "unplug", 3000)
    p.hardware.hold(BACK)
    fault(p, "keys", "replug", 30_000)
    assert (page(p), p.table.take_wish()) == ("", None)
    release(p, BACK)
    open_menu(p)
    p.close()


def test_a_simulated_table_says_that_nothing_is_powered_off() -> None:
    p: Watched = red_to_move(seen=True)
    hold(p, BACK, 10_200)
    release(p, BACK)
    assert p.display_lines() == ["Power off", "This table is simulated: nothing is switched off."]
    assert p.table.take_wish() is None
    press(p, BACK)
    assert page(p) == ""
    p.close()


def test_a_page_of_a_simulated_table_opens_the_menu_by_holding_back() -> None:
    room = Room()
    room.wait(500)
    picture = room.heard("display")
    room.ask(KeyOrder("table.back", down=True), ms=5200)
    room.ask(KeyOrder("table.back", down=False), ms=300)
    shown = room.heard("display")
    assert shown["lines"][0] == "Table menu"
    assert shown["pixels"] != picture["pixels"]
    for down in (True, False):
        room.ask(KeyOrder("table.taxi", down=down), ms=200)
        room.ask(KeyOrder("table.confirm", down=down), ms=200)
    room.wait(300)
    assert room.heard("display") == picture
    room.simulated.close()
