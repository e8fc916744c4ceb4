from __future__ import annotations

import typing
from dataclasses import replace

import pytest

from firmware_host.referee.scene import Phase, Scene
from firmware_host.rules.actions import (
    BLACK,
    FREE,
    MR_X_JUNIOR,
    START,
    STAY,
    Double,
    Pass,
)
from firmware_host.rules.views import MrXView, Outcome, Skipped
from firmware_host.table.handset import NO_GAME, NO_GAME_YET
from firmware_host.ui import handset_pages
from firmware_host.ui.drawing import handset_screen, public_display, screen_text, table_menu_screen
from firmware_host.ui.games.game_registry import game_ui
from firmware_host.ui.handset_menu import DESTINATIONS, PHONE, Menu
from firmware_host.ui.handset_page_kinds import Notice, Page
from firmware_host.ui.new_game_menu import NEW_GAME_PAGES
from firmware_host.ui.vocabulary import skipped
from tests import goldens
from tests.ui.golden_screens import CODE, DISPLAY, FULL, HANDSET, LONG, NEW_GAME, OPEN, ROUND, TABLE_MENU
from tests.ui.handmade_views import (
    ANY_TICKET,
    EVERY_PAGE,
    OFFERS,
    beginners,
    choosing_start,
    content_of,
    dice_game,
    junior,
    log,
    mr_x,
    public,
)


def lines(menu: Menu, view: MrXView) -> list[str]:
    return handset_pages.lines(handset_pages.page(menu, view))


@pytest.mark.parametrize("name", HANDSET)
def test_the_handset_shows_each_page_as_it_was_approved(name: str) -> None:
    page = handset_pages.page(*HANDSET[name])
    goldens.check(f"handset-{name}", handset_screen.draw(page))
    assert repr(page).startswith("<firmware_host.ui.handset_page_kinds."), "no page prints what it holds"
    for mark in handset_screen.layout(page):
        named = repr(mark).startswith("<firmware_host.ui.drawing.screen_text.Word")
        assert named or not isinstance(mark, screen_text.Word)


@pytest.mark.parametrize("name", NEW_GAME)
def test_the_handset_shows_the_new_game_menu_as_it_was_approved(name: str) -> None:
    page = handset_pages.new_game_page(NEW_GAME[name], OFFERS)
    goldens.check(f"handset-new-game-{name}", handset_screen.draw(page))


@pytest.mark.parametrize("name", DISPLAY)
def test_the_public_display_shows_each_scene_as_it_was_approved(name: str) -> None:
    goldens.check(f"display-{name}", screen_text.paint(public_display.layout(DISPLAY[name]())))


def test_the_public_display_shows_a_code_for_a_phone_as_it_was_approved() -> None:
    goldens.check("display-invitation", public_display.invitation(CODE))


@pytest.mark.parametrize("name", TABLE_MENU)
def test_the_table_menu_matches_its_golden(name: str) -> None:
    goldens.check(f"table-menu-{name}", table_menu_screen.draw(TABLE_MENU[name]))


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("cover", handset_screen.COVER),
        ("no-game", Notice(*NO_GAME)),
        ("no-game-yet", Notice(*NO_GAME_YET)),
        ("message-set-up", Notice("Set up", "Set up the board")),
        ("message-paused", Notice("Paused", "The switches do not answer. The game goes on by itself.")),
        ("message-without-title", Notice("", "Starting…")),
        ("message-long", Notice("The handset's token", LONG + " " + LONG)),
        ("phone", handset_pages.page(Menu(PHONE, phone=True), mr_x(67), CODE)),
    ],
)
def test_messages_look_as_they_were_approved(name: str, page: Page) -> None:
    goldens.check(f"handset-{name}", handset_screen.draw(page))


def test_every_page_of_the_menu_has_a_golden() -> None:
    assert {menu.page for menu, _ in HANDSET.values()} == set(EVERY_PAGE)
    assert {menu.page for menu in NEW_GAME.values()} == set(NEW_GAME_PAGES)


@pytest.mark.parametrize(("filled", "warned"), [(1, False), (2, True), (3, False), (7, True), (17, True), (18, False)])
def test_the_warning_stands_exactly_when_the_next_move_fills_a_surfacing_window(filled: int, warned: bool) -> None:
    for menu in (Menu(), Menu(DESTINATIONS, 0, "taxi")):
        assert ("SURFACE" in lines(menu, mr_x(67, log=FULL[:filled]))) is warned


def test_be_06_a_move_that_will_be_hidden_is_warned_of_and_the_next_one_announced() -> None:
    for filled, hint in ((1, "Hide at 3"), (2, "HIDDEN"), (3, "Hide at 8"), (7, "HIDDEN"), (12, "HIDDEN"), (13, None)):
        said = lines(Menu(), beginners(67, log=log("F" * filled)))
        assert [line for line in said if line.lower().startswith("hid")] == ([hint] if hint else [])
    assert "HIDDEN" not in lines(Menu(), beginners(67, log=log("FF"), turn=("red",)))


def test_be_07_the_black_ticket_warns_wherever_it_is_used() -> None:
    view = beginners(67, log=OPEN)
    assert "HIDDEN" in lines(Menu(DESTINATIONS, 0, BLACK), view)
    assert "HIDDEN" not in lines(Menu(DESTINATIONS, 0, FREE), view)
    assert "HIDDEN" not in lines(Menu(DESTINATIONS, 0, BLACK), mr_x(67))


def test_be_05_the_handset_says_whether_he_is_in_sight() -> None:
    assert lines(Menu(), beginners(67))[0] == "In sight at 67"
    assert lines(Menu(), beginners(67, pawns={}))[0] == "You are at 67"


def test_di_10_he_is_asked_for_his_start_and_is_nowhere_before() -> None:
    said = lines(Menu(), choosing_start(7, 2))
    assert said[:4] == ["Not placed –", "Seen at 3", "Choose your start", "> Start"]
    places = lines(Menu(DESTINATIONS, 1, START), choosing_start(7, 2))
    assert places == ["Start → 7", "tile B", "  2", "> 7"]


def test_di_17_the_dice_that_he_may_take_stand_among_his_choices_and_on_a_page() -> None:
    assert lines(Menu(), dice_game(17, (*ROUND, Double())))[3:] == [
        "> Taxi",
        "  Undergr",
        "  Black 3",
        "  Helicopter",
        "  2× move 1",
        "  Log",
        "  Detectives",
        "  My tickets",
        "  Dice",
        "  New game",
    ]
    assert lines(Menu("dice"), dice_game(17, ROUND)) == [
        "Dice: supply 1, again 3",
        "> Red Taxi",
        "  Yellow Undergr",
        "  Green Taxi",
        "  Not used B",
        "  On my log X B",
    ]


def test_di_18_passing_says_why() -> None:
    assert lines(Menu(), dice_game(17, (Pass(),)))[3:5] == ["No die fits", "> Pass"]
    assert "No die fits" not in lines(Menu(), dice_game(17, (Pass(), *ROUND[-2:])))


@pytest.mark.parametrize("filled", [2, 6, 10])
def test_di_23_the_warning_stands_before_the_third_seventh_and_eleventh_move(filled: int) -> None:
    for menu in (Menu(), Menu(DESTINATIONS, 0, "taxi")):
        assert "SURFACE" in lines(menu, dice_game(17, ROUND, log=log("T" * filled)))


def test_ju_03_each_ticket_stands_with_the_one_station_it_names() -> None:
    assert lines(Menu(), junior(9, ANY_TICKET))[:6] == [
        "You are at 9",
        "Round 4",
        "> Taxi →12",
        "  Bus →14",
        "  Under →10",
        "  Stay",
    ]


def test_ju_01_the_handset_says_which_of_the_two_chooses() -> None:
    assert lines(Menu(), junior(9, ANY_TICKET, two=True))[0] == "Mister X at 9"
    assert lines(Menu(), junior(5, (STAY,), two=True, actor=MR_X_JUNIOR))[0] == "X Junior at 5"


def test_ju_04_once_he_is_committed_nothing_shows_to_what() -> None:
    assert lines(Menu(), junior(9, turn=("white", "yellow"))) == [
        "You are at 9",
        "Round 4",
        "Committed. Detectives move…",
        "> Detectives",
        "  Chips",
        "  New game",
    ]


def test_ju_10_the_chips_won_stand_beside_those_needed() -> None:
    view = junior(9, ANY_TICKET)
    assert lines(Menu("chips"), view) == ["Success chips", "Mister X 2 of 9", "Detectives 1 of 3"]
    assert public_display.lines(content_of(view.public, "Mister X chooses"))[1:] == [
        "Mister X chooses",
        "X 2/9 · Detectives 1/3",
    ]


@pytest.mark.parametrize(
    ("outcome", "sentence"),
    [
        (Outcome("detectives", "captured"), "Red caught Mister X at 118."),
        (Outcome("detectives", "trapped"), "Mister X had nowhere to go."),
        (Outcome("mr_x", "immobilised"), "No detective can move any more."),
        (Outcome("mr_x", "stalled"), "The detectives block each other for good."),
        (Outcome("mr_x", "log_full"), "The log is full."),
        (Outcome("detectives", "walked_in"), "Mister X had to go to Red at 118."),
        (Outcome("mr_x", "escaped"), "Mister X got away."),
        (Outcome("mr_x", "rounds_over"), "13 rounds are over."),
        (Outcome("mr_x", "chips"), "Mister X has 9 success chips."),
        (Outcome("detectives", "chips"), "They have 3 success chips."),
        (Outcome("mr_x", "a_new_reason"), "A new reason."),
    ],
)
def test_the_end_says_who_won_and_why(outcome: Outcome, sentence: str) -> None:
    chips = {"mr_x": (9, 9), "detectives": (3, 3)}
    view = mr_x(118, turn=(), outcome=outcome, route=(7, 118), pawns={"red": 118}, round=13, chips=chips)
    winner = "Mister X wins" if outcome.winner == "mr_x" else "Detectives win"
    assert lines(Menu(), view)[:2] == [winner, sentence]
    assert public_display.lines(content_of(view.public, "", phase=Phase.OVER))[0].startswith(winner)


def test_what_is_over_is_told_even_where_nobody_knows_who_did_it() -> None:
    for why in ("captured", "walked_in"):
        nobody = public(turn=(), outcome=Outcome("detectives", why), route=(7, 118))
        assert "detective" in game_ui(nobody).reason(Outcome("detectives", why), nobody)
        hidden = public(turn=(), outcome=Outcome("detectives", why))
        assert "Mister X" in game_ui(hidden).reason(Outcome("detectives", why), hidden)


@pytest.mark.parametrize(
    ("why", "said"),
    [
        ("blocked", "Red is blocked and stays"),
        ("immobilised", "Red lacks a ticket and stays"),
        ("no_die", "Red has no die and stays"),
    ],
)
def test_a_pawn_passed_over_is_told_with_its_reason(why: str, said: str) -> None:
    assert skipped(Skipped("red", why)) == said


def test_ed_01_be_11_the_display_counts_the_rounds_where_they_end_the_game() -> None:
    current = content_of(public(rules="current", rounds=22, round=5, log=log("TTBTTT"), turn=("red",)), "")
    assert public_display.lines(current)[0] == "Red · Round 5/22"


def test_ed_01_the_handset_names_no_window_that_the_last_rounds_do_not_reach() -> None:
    ends = {"rules": "current", "rounds": 22, "surfacing": frozenset({3, 8, 13, 18, 24})}
    view = mr_x(log=log(21 * "T"), tickets={"mr_x": {BLACK: 1, "double": 1}}, round=21, **ends)
    assert "Seen at 24" in lines(Menu(), view)
    last = replace(view, public=replace(view.public, round=22))
    assert not [line for line in lines(Menu(), last) if "Seen" in line]


def test_a_blank_screen_is_dark() -> None:
    blank = handset_screen.blank()
    goldens.check("handset-blank", blank)
    assert blank.getbbox() is None


def test_a_prompt_too_long_beside_the_log_takes_the_logs_place() -> None:
    def words(name: str) -> list[str]:
        return [mark.text for mark in public_display.layout(DISPLAY[name]()) if isinstance(mark, screen_text.Word)]

    assert not any("→" in word for word in words("troubles-long"))
    assert any("→" in word for word in words("full-log"))


def test_the_display_takes_a_scene_and_nothing_else() -> None:
    for function in (public_display.display, public_display.display_lines, public_display.content_of):
        hints = typing.get_type_hints(function)
        hints.pop("return")
        assert hints == {"scene": Scene}
