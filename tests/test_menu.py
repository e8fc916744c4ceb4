from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.menu import KEYS, PAGES, Menu, MenuError, destinations, home_items, keys_for, press, settle
from firmware_host.rules.actions import BLACK, Action, Double, MrXMove, PawnMove
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import MrXView
from tests.views import LONDON, choices, log, mr_x

STATIONS = sorted(LONDON.stations)
MOST = max(STATIONS, key=lambda number: len(LONDON.around(number)))


def press_all(keys: tuple[str, ...], view: MrXView, menu: Menu | None = None) -> tuple[Menu, list[Action]]:
    menu = menu or Menu()
    made = []
    for key in keys:
        menu, action = press(menu, key, view)
        made += [action] if action else []
    return menu, made


def test_home_lists_the_tickets_that_can_be_used_now_and_then_the_pages_to_read() -> None:
    assert home_items(mr_x(67)) == ("taxi", "bus", "underground", "black", "double", "log", "detectives", "supply")
    assert home_items(mr_x(3, choices(3, double=False))) == ("taxi", "bus", "black", "log", "detectives", "supply")
    assert home_items(mr_x(67, turn=("red",))) == ("log", "detectives", "supply")


def test_a_ticket_opens_its_destinations_in_ascending_order() -> None:
    view = mr_x(67)
    menu, made = press_all(("select",), view)
    assert (menu.page, menu.ticket, made) == ("destinations", "taxi", [])
    assert destinations(view, "taxi") == (51, 66, 68, 84)
    assert destinations(view, "underground") == (13, 79, 89, 111)


def test_a_destination_makes_the_move_and_leads_home() -> None:
    menu, made = press_all(("down", "select", "down", "select"), mr_x(67))
    assert made == [MrXMove(Secret(52), "bus")]
    assert menu == Menu()


def test_a_double_move_is_announced_with_one_select_and_nothing_more() -> None:
    assert press_all(("down", "down", "down", "down", "select"), mr_x(67)) == (Menu(), [Double()])


def test_the_cursor_goes_round_at_both_ends() -> None:
    view = mr_x(67)
    assert press(Menu(), "up", view)[0].cursor == 7
    assert press(Menu(cursor=7), "down", view)[0].cursor == 0
    menu, made = press_all(("select", "up", "select"), view)
    assert (menu, made) == (Menu(), [MrXMove(Secret(84), "taxi")])


@pytest.mark.parametrize("item", range(8))
def test_back_leads_home_with_the_cursor_on_what_had_been_opened(item: int) -> None:
    view = mr_x(67)
    opened, made = press(Menu(cursor=item), "select", view)
    if made is None:
        assert opened.page != "home"
        assert press(opened, "back", view)[0] == Menu(cursor=item)
    else:
        assert item == 4


def test_the_log_opens_at_its_newest_entry() -> None:
    view = mr_x(67, log=log("TTB?U"), turn=("red",))
    assert press(Menu(), "select", view)[0] == Menu("log", 5)


def test_select_changes_nothing_on_a_page_to_read() -> None:
    for page in ("log", "detectives", "supply"):
        assert press(Menu(page), "select", mr_x()) == (Menu(page), None)


@pytest.mark.parametrize("station", STATIONS)
def test_an_ordinary_move_takes_at_most_six_presses_anywhere_in_london(station: int) -> None:
    view = mr_x(station)
    moves = [a for a in view.choices.value if isinstance(a, MrXMove) and a.ticket != BLACK]
    presses = {action: keys_for(Menu(), view, action) for action in moves}
    assert moves
    assert max(len(keys) for keys in presses.values()) <= 6
    assert all(press_all(keys, view) == (Menu(), [action]) for action, keys in presses.items())


def test_the_station_with_most_ways_out_has_thirteen() -> None:
    assert len(LONDON.around(MOST)) == 13


def test_keys_lead_to_every_choice_from_every_page() -> None:
    view = mr_x(MOST)
    starts = [Menu(), Menu("log", 3), Menu("supply"), Menu("destinations", 9, BLACK), Menu("destinations", 1, "bus")]
    for start in starts:
        for action in view.choices.value:
            assert press_all(keys_for(start, view, action), view, start)[1] == [action]


def test_keys_are_the_fewest_that_do() -> None:
    view = mr_x(67)
    assert keys_for(Menu(), view, MrXMove(Secret(51), "taxi")) == ("select", "select")
    assert keys_for(Menu(), view, MrXMove(Secret(84), "taxi")) == ("select", "up", "select")
    assert len(keys_for(Menu("destinations", 0, "taxi"), view, Double())) == len(("back", *("down",) * 4, "select"))


def test_no_keys_lead_to_what_is_no_choice_and_the_error_tells_no_station() -> None:
    for action in (MrXMove(Secret(199), "taxi"), PawnMove("red", 199, "taxi")):
        with pytest.raises(MenuError, match="is none of his choices") as caught:
            keys_for(Menu(), mr_x(MOST), action)
        assert "199" not in str(caught.value)


def test_no_keys_lead_anywhere_in_another_players_turn() -> None:
    with pytest.raises(MenuError):
        keys_for(Menu(), mr_x(67, turn=("red",)), Double())


def test_a_key_that_the_handset_has_not_got_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"'peek'.*up, down, select, back") as caught:
        press(Menu(), "peek", mr_x())
    assert isinstance(caught.value, MenuError)


def test_settling_brings_a_cursor_back_into_the_list() -> None:
    assert settle(Menu(cursor=7), mr_x(turn=("red",))) == Menu(cursor=2)
    assert settle(Menu("destinations", 12, "taxi"), mr_x(67)) == Menu("destinations", 3, "taxi")
    assert settle(Menu("detectives", 4), mr_x(detectives=3)) == Menu("detectives", 2)
    assert settle(Menu(cursor=-3), mr_x()) == Menu()


def test_settling_leaves_destinations_that_are_no_more() -> None:
    assert settle(Menu("destinations", 2, "taxi"), mr_x(67, turn=("red",))) == Menu()
    assert settle(Menu("destinations", 2, None), mr_x(67)) == Menu()
    assert settle(Menu("nowhere"), mr_x(67)) == Menu()


def test_a_settled_menu_stays_as_it_is() -> None:
    for page in PAGES:
        menu = Menu(page, 0, "bus" if page == "destinations" else None)
        assert settle(menu, mr_x()) == menu


def test_a_menu_prints_neither_cursor_nor_ticket() -> None:
    assert repr(Menu("destinations", 3, BLACK)) == "Menu(page='destinations')"


VIEWS = [
    mr_x(MOST),
    mr_x(MOST, turn=("red", "blue")),
    mr_x(10, choices(10, double=False), double=1),
    mr_x(194, log=log("TTBU?" * 4 + "TTTT"), turn=()),
    mr_x(108, detectives=5),
]


@given(
    st.lists(st.tuples(st.sampled_from(VIEWS), st.sampled_from(KEYS)), max_size=40),
    st.builds(Menu, st.sampled_from(PAGES), st.integers(-5, 40), st.sampled_from([None, "taxi", "black"])),
)
def test_whatever_is_pressed_and_however_views_change_only_choices_are_made(
    presses: list[tuple[MrXView, str]], menu: Menu
) -> None:
    for view, key in presses:
        menu, action = press(menu, key, view)
        assert action is None or action in view.choices.value
        assert settle(menu, view) == menu


def test_equal_menus_are_one_whatever_made_them() -> None:
    assert replace(Menu("log", 4), cursor=0) == Menu("log")
    assert len({Menu(), Menu(cursor=0)}) == 1
