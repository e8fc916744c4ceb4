from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.rules.views import MrXView, Outcome
from firmware_host.table import handset as handsets
from firmware_host.table.handset import NO_GAME_YET, Handset
from firmware_host.ui import handset_pages
from firmware_host.ui.handset_menu import KEYS, Menu, home_items
from firmware_host.ui.new_game_menu import (
    NEW_GAME_PAGES,
    GiveUp,
    NewGameChoice,
    NewGameMenu,
    Offer,
    cursor_positions,
    layout,
    open_menu,
    option_rows,
    press,
    tile_count,
    tiles_left,
)
from tests.ui.handmade_views import DICE_OFFER, OFFERS, US_OFFER, mr_x

Wanted = NewGameChoice | GiveUp
LETTERS = "ABCDEFGHI"


def lines(menu: NewGameMenu, offers: tuple[Offer, ...]) -> list[str]:
    return handset_pages.lines(handset_pages.new_game_page(menu, offers))


def press_all(
    keys: str, offers: tuple[Offer, ...] = OFFERS, menu: NewGameMenu | None = None
) -> tuple[NewGameMenu | None, list[Wanted]]:
    """The keys as letters: u, d, s and b."""
    words = {key[0]: key for key in KEYS}
    here: NewGameMenu | None = menu or open_menu(offers, playing=False)
    made = []
    for letter in keys:
        assert here is not None
        here, wanted = press(here, words[letter], offers)
        made += [wanted] if wanted else []
    return here, made


def at(keys: str, offers: tuple[Offer, ...] = OFFERS, menu: NewGameMenu | None = None) -> NewGameMenu:
    there, made = press_all(keys, offers, menu)
    assert not made
    assert there is not None
    return there


# What comes after what.


def test_the_default_game_is_begun_by_select_alone() -> None:
    menu, made = press_all("sss")
    assert made == [NewGameChoice("classic", 3)]
    assert menu == at("ss")


def test_rules_then_players_then_options() -> None:
    assert at("") == NewGameMenu("rules")
    assert at("dds").page == "players"
    assert lines(at("dds"), OFFERS) == ["American", "> 3 players", "  4 players", "  5 players", "  6 players"]
    assert lines(at("ddsds"), OFFERS) == [
        "American, 4 players",
        "  Fares: unlimited",
        "  Surface at will: no",
        "  Cut off: no",
        "> Start",
    ]


def test_without_an_offer_there_is_nothing_to_choose() -> None:
    assert lines(at("dus", ()), ()) == ["New game", "Nothing to choose from"]
    assert press_all("b", ()) == (None, [])


def test_an_option_goes_through_all_its_values_and_only_what_differs_is_asked_for() -> None:
    fares = at("ddsdsd")
    assert (fares.page, fares.cursor) == ("options", 0)
    assert at("ss", menu=fares) == fares
    assert press_all("sus", menu=fares)[1] == [NewGameChoice("us", 4, {"x_fares": "counted"})]
    assert press_all("ddsds", menu=fares)[1] == [NewGameChoice("us", 4, {"cut_off": True})]
    assert press_all("sdsdsds", menu=fares)[1] == [
        NewGameChoice("us", 4, {"x_fares": "counted", "voluntary_surfacing": True, "cut_off": True})
    ]


def test_back_goes_one_step_back_with_the_cursor_where_it_had_been() -> None:
    options = at("ddsddsuus")
    assert (options.page, options.players, options.values) == ("options", 5, (0, 1, 0))
    players = at("b", menu=options)
    assert (players.page, players.cursor) == ("players", 2)
    assert at("s", menu=players).values == options.values
    rules = at("b", menu=players)
    assert (rules.page, rules.cursor) == ("rules", US_OFFER)
    assert at("ss", menu=rules).values == (0, 0, 0)
    assert press_all("b", menu=rules) == (None, [])


def test_the_cursor_goes_round_at_both_ends_of_every_page() -> None:
    pages = [at("", menu=NewGameMenu("give_up")), at(""), at("s"), at("ss"), at("ddddssus")]
    assert {menu.page for menu in pages} == set(NEW_GAME_PAGES) - {"sure"}
    for menu in pages:
        count = cursor_positions(menu, OFFERS)
        assert at("d" * count, menu=menu) == menu
        assert at("ud", menu=menu) == menu
        assert {at("d" * n, menu=menu).cursor for n in range(count)} == set(range(count))


# Giving up.


def test_giving_up_takes_two_yeses_and_the_cursor_stands_on_no_each_time() -> None:
    asked = open_menu(OFFERS, playing=True)
    assert lines(asked, OFFERS) == ["New game", "Give up this game?", "> No, go on", "  Yes, give it up"]
    sure = at("ds", menu=asked)
    assert lines(sure, OFFERS) == ["New game", "Sure? Nobody wins", "> No, go on", "  Yes, give it up"]
    assert press_all("ds", menu=sure) == (NewGameMenu("rules"), [GiveUp()])


@pytest.mark.parametrize("keys", ["s", "b", "dss", "dsuus", "dsbs", "dsbb"])
def test_every_other_way_through_leaves_the_game_alone(keys: str) -> None:
    assert press_all(keys, menu=open_menu(OFFERS, playing=True)) == (None, [])


@given(st.text("udsb", max_size=30))
def test_no_game_is_given_up_but_by_yes_and_yes(keys: str) -> None:
    words = {key[0]: key for key in KEYS}
    menu: NewGameMenu | None = open_menu(OFFERS, playing=True)
    for letter in keys:
        assert menu is not None
        before = menu
        menu, wanted = press(menu, words[letter], OFFERS)
        assert (wanted == GiveUp()) == (before == NewGameMenu("sure", 1) and letter == "s")
        if menu is None or wanted:
            return


# Tiles (DI-01, DI-02).


def dice(players: int) -> NewGameMenu:
    """The options of a dice game, the cursor on the tiles."""
    menu = at("d" * DICE_OFFER + "s" + "d" * (players - 2) + "s" + "u")
    assert option_rows(menu, OFFERS)[menu.cursor] == "layout"
    return menu


@pytest.mark.parametrize(("players", "count"), [(2, 6), (3, 6), (4, 9)])
def test_di_02_as_many_tiles_are_laid_as_are_played_with(players: int, count: int) -> None:
    menu = at("s", menu=dice(players))
    assert tile_count(menu) == count
    for n in range(count):
        row, tile = divmod(n, 3)
        assert lines(menu, OFFERS)[0] == f"Row {row + 1}, tile {tile + 1}"
        menu = at("s", menu=menu)
    assert menu.page == "options"
    rows = "ABC DEF GHI"[: count + count // 3 - 1]
    assert press_all("s", menu=menu)[1] == [NewGameChoice("dice", players, {"layout": rows})]


def test_di_01_the_letters_left_are_offered_with_dark_sides_up_first_and_then_light() -> None:
    menu = at("s", menu=dice(4))
    assert tiles_left(menu, OFFERS) == "ABCDEFGHIabcdefghi"
    menu = at("ds", menu=menu)  # B
    assert tiles_left(menu, OFFERS) == "ACDEFGHIacdefghi"
    menu = at("us", menu=menu)  # i
    assert tiles_left(menu, OFFERS) == "ACDEFGHacdefgh"
    assert lines(menu, OFFERS)[1] == "Bi·  ···  ···"
    assert layout(menu) == "Bi"


def test_back_takes_up_the_last_tile_and_at_last_returns_to_the_options() -> None:
    menu = at("sssss", menu=dice(4))
    assert layout(menu) == "ABC D"
    for laid in ("ABC", "AB", "A", ""):
        menu = at("b", menu=menu)
        assert layout(menu) == laid
    assert at("b", menu=menu) == dice(4)


@pytest.mark.parametrize("tiles", ["", "ABCDE"])
def test_who_has_too_few_tiles_to_lay_is_not_asked_how(tiles: str) -> None:
    offers = (Offer("dice", "", (2,), {"layout": ("",)}, tiles),)
    assert lines(at("s", offers), offers) == ["Dice, 2 players", "> Start"]


@given(st.text("udsb", max_size=80))
def test_whatever_is_pressed_only_games_on_offer_are_asked_for(keys: str) -> None:
    words = {key[0]: key for key in KEYS}
    menu: NewGameMenu | None = open_menu(OFFERS, playing=False)
    for letter in keys:
        menu, wanted = press(menu or open_menu(OFFERS, playing=False), words[letter], OFFERS)
        if menu is not None:
            assert 0 <= menu.cursor < cursor_positions(menu, OFFERS)
            assert len(set(menu.tiles.upper())) == len(menu.tiles)
        if wanted is None:
            continue
        assert isinstance(wanted, NewGameChoice)
        offer = next(offer for offer in OFFERS if offer.rules == wanted.rules)
        assert wanted.players in offer.players
        for option, value in wanted.options.items():
            if option == "layout":
                rows = str(value).upper().split()
                assert [len(row) for row in rows] == [3] * (3 if wanted.players == 4 else 2)
                assert set("".join(rows)) <= set(LETTERS)
            else:
                assert value in offer.options[option][1:]


# On the handset.


class Hand:
    """Presses a handset's keys, a second apart."""

    def __init__(self, *, hold: bool = False, offers: tuple[Offer, ...] = OFFERS) -> None:
        self.handset = Handset(hold=hold, blank_after=60, offers=offers)
        self.now = 0.0
        self.handset.wake(self.now)

    def press(self, keys: str, view: MrXView | None) -> list[object]:
        words = {key[0]: key for key in (*KEYS, "peek")}
        made = []
        for letter in keys:
            self.now += 1
            wanted = self.handset.key(words[letter], down=True, view=view, now=self.now)
            made += [wanted] if wanted is not None else []
        return made

    def lines(self, view: MrXView | None) -> list[str]:
        return handsets.lines(self.handset.current_look(self.now), view)


OVER = mr_x(67, turn=(), outcome=Outcome("mr_x", "log_full"), route=(5, 67))


def test_without_a_game_any_key_opens_the_new_game_menu_and_does_no_more() -> None:
    for key in "udsb":
        hand = Hand()
        assert hand.lines(None) == list(NO_GAME_YET)
        assert hand.press(key, None) == []
        assert hand.lines(None) == lines(NewGameMenu("rules"), OFFERS)
    assert hand.press("sss", None) == [NewGameChoice("classic", 3)]
    assert hand.press("bbb", None) == []
    assert hand.lines(None) == list(NO_GAME_YET)


def test_new_game_stands_at_the_end_of_the_home_page_and_asks_while_a_game_is_in_play() -> None:
    hand, view = Hand(), mr_x(67)
    assert home_items(view)[-1] == "new"
    assert hand.press("us", view) == []
    assert hand.lines(view)[1] == "Give up this game?"
    assert hand.press("s", view) == []
    assert hand.handset.new_game is None
    assert hand.handset.menu == Menu(cursor=len(home_items(view)) - 1)
    assert hand.press("sdsds", view) == [GiveUp()]
    assert hand.lines(None) == lines(NewGameMenu("rules"), OFFERS)


def test_after_the_end_nothing_has_to_be_given_up() -> None:
    hand = Hand()
    assert hand.press("us", OVER) == []
    assert hand.lines(OVER) == lines(NewGameMenu("rules"), OFFERS)
    assert hand.press("sss", OVER) == [NewGameChoice("classic", 3)]


@pytest.mark.parametrize("keys", ["us", "usds", "usdsd"])
def test_what_is_asked_is_no_question_any_more_once_the_game_has_ended(keys: str) -> None:
    hand = Hand()
    hand.press(keys, mr_x(67))
    assert hand.press("s", OVER) == []
    assert hand.lines(OVER) == lines(NewGameMenu("rules"), OFFERS)


def test_a_refused_wish_leaves_the_new_game_menu_where_it_was() -> None:
    hand, view = Hand(), mr_x(67)
    hand.press("usdsd", view)
    before = hand.lines(view)
    assert hand.press("s", view) == [GiveUp()]
    hand.handset.notice("Not saved", "Try again")
    assert hand.lines(view) == ["Not saved", "Try again"]
    hand.press("u", view)
    assert hand.lines(view) == before


def test_a_private_handset_opens_its_new_game_menu_only_while_peek_is_held() -> None:
    hand = Hand(hold=True)
    assert hand.press("sssss", None) == []
    assert hand.handset.new_game is None
    assert hand.lines(None) == ["Mister X", "Hold PEEK", "to look"]
    assert hand.press("pssss", None) == [NewGameChoice("classic", 3)]
