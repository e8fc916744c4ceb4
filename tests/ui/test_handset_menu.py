from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.rules.actions import (
    BLACK,
    BOAT,
    FREE,
    HELICOPTER,
    MR_X_JUNIOR,
    START,
    STAY,
    Action,
    Commit,
    Double,
    MrXMove,
    Pass,
    PawnMove,
    Surface,
    Take,
)
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import MrXView, Outcome
from firmware_host.ui.handset_menu import (
    KEYS,
    NEW,
    PHONE,
    Menu,
    MenuError,
    destinations,
    giver,
    home_items,
    keys_for,
    press,
    settle,
    steps,
    wants_new_game,
)
from tests.ui.handmade_views import (
    ANY_TICKET,
    EVERY_PAGE,
    LONDON,
    beginners,
    choices,
    choosing_start,
    dice_game,
    junior,
    log,
    moves,
    mr_x,
)

STATIONS = sorted(LONDON.stations)
MOST = max(STATIONS, key=lambda number: len(LONDON.around(number)))


def press_all(keys: tuple[str, ...], view: MrXView, menu: Menu | None = None) -> tuple[Menu, list[Action]]:
    menu = menu or Menu()
    made = []
    for key in keys:
        menu, action = press(menu, key, view)
        made += [action] if action else []
    return menu, made


def test_home_lists_what_can_be_chosen_now_then_the_pages_to_read_and_at_the_end_a_new_game() -> None:
    pages = ("log", "detectives", "supply", "new")
    assert home_items(mr_x(67)) == ("taxi", "bus", "underground", "black", "double", *pages)
    assert home_items(mr_x(3, choices(3, double=False))) == ("taxi", "bus", "black", *pages)
    assert home_items(mr_x(67, turn=("red",))) == pages
    assert home_items(mr_x(67, turn=(), outcome=Outcome("mr_x", "log_full"))) == pages


def test_where_a_phone_can_be_invited_home_has_a_page_more_until_the_game_is_over() -> None:
    assert home_items(mr_x(67, turn=("red",)), phone=True) == ("log", "detectives", "supply", PHONE, NEW)
    assert PHONE not in home_items(mr_x(67, turn=(), outcome=Outcome("mr_x", "log_full")), phone=True)
    view, home = mr_x(67), Menu(phone=True)
    at_it = home.to(cursor=home_items(view, phone=True).index(PHONE))
    assert press(at_it, "select", view) == (home.to(PHONE), None)
    assert press(home.to(PHONE), "back", view) == (at_it, None)
    assert settle(Menu(PHONE), view) == Menu()
    for action in view.choices.value:
        menu, made = press_all(keys_for(home, view, action), view, home)
        assert made == [action]
        assert menu.phone


EVERY_FIRST_STEP = dice_game(
    17, (Surface(), Double(), Pass(), *moves(HELICOPTER, 2), *moves(FREE, 3), *moves(BLACK, 4), *moves("taxi", 5))
)


def test_what_can_be_chosen_first_stands_in_one_order_whatever_the_order_of_the_choices() -> None:
    assert steps(EVERY_FIRST_STEP) == (FREE, "taxi", BLACK, HELICOPTER, "pass", "double", "surface")
    assert steps(junior(5, (STAY, BOAT, "taxi"))) == ("taxi", BOAT, STAY)


@pytest.mark.parametrize(
    ("view", "items"),
    [
        (beginners(67), (FREE, BLACK, "double", "log", "detectives", "supply")),
        (beginners(67, tickets={"mr_x": {}}), (FREE, BLACK, "double", "log", "detectives")),
        (choosing_start(1, 2), (START, "log", "detectives", "supply", "dice")),
        (dice_game(17, (Pass(),)), ("pass", "log", "detectives", "supply", "dice")),
        (junior(9, ANY_TICKET), ("taxi", "bus", "underground", STAY, "detectives", "chips")),
        (junior(9, turn=("white", "yellow")), ("detectives", "chips")),
    ],
    ids=["beginners", "beginners without tickets", "dice: start", "dice: pass", "junior", "junior: waiting"],
)
def test_home_lists_only_pages_with_something_on_them(view: MrXView, items: tuple[str, ...]) -> None:
    assert home_items(view) == (*items, NEW)


@pytest.mark.parametrize(
    ("view", "word", "action"),
    [
        (dice_game(17, (Pass(),)), "pass", Pass()),
        (mr_x(67, (*choices(67), Surface())), "surface", Surface()),
        (mr_x(67, (Take("red", "taxi"), Take("red", "bus")), giving=("red",)), "bus", Take("red", "bus")),
        (junior(9, ANY_TICKET), STAY, Commit("mr_x", Secret(STAY))),
        (junior(9, ANY_TICKET), "underground", Commit("mr_x", Secret("underground"))),
        (junior(5, (BOAT, STAY), actor=MR_X_JUNIOR), BOAT, Commit(MR_X_JUNIOR, Secret(BOAT))),
    ],
)
def test_a_choice_of_one_step_is_made_with_one_select(view: MrXView, word: str, action: Action) -> None:
    assert press(Menu(cursor=home_items(view).index(word)), "select", view) == (Menu(), action)


@pytest.mark.parametrize(
    ("view", "word", "stations"),
    [
        (choosing_start(18, 2, 7), START, (2, 7, 18)),
        (dice_game(13, moves(HELICOPTER, 16, 1)), HELICOPTER, (1, 16)),
        (beginners(67, (*moves(FREE, 51, 68), *moves(BLACK, 68))), FREE, (51, 68)),
        (beginners(67, (*moves(FREE, 51, 68), *moves(BLACK, 68))), BLACK, (68,)),
    ],
)
def test_any_way_of_moving_opens_its_destinations(view: MrXView, word: str, stations: tuple[int, ...]) -> None:
    menu, made = press(Menu(cursor=home_items(view).index(word)), "select", view)
    assert (menu, made) == (Menu("destinations", 0, word), None)
    assert destinations(view, word) == stations
    assert press(menu, "select", view)[1] == MrXMove(Secret(stations[0]), word)


def test_tickets_are_taken_from_one_pawn_at_a_time() -> None:
    assert giver(mr_x(67, (Take("red", "taxi"), Take("red", "bus")))) == "red"
    assert giver(mr_x(67)) is None


def test_the_menu_leaves_a_new_game_to_the_handset() -> None:
    view = mr_x(67)
    last = Menu(cursor=len(home_items(view)) - 1)
    assert press(last, "select", view) == (last, None)
    assert [key for key in KEYS if wants_new_game(last, key, view)] == ["select"]
    assert not wants_new_game(Menu(), "select", view)
    assert not wants_new_game(Menu("log", last.cursor), "select", view)


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
    assert press(Menu(), "up", view)[0].cursor == 8
    assert press(Menu(cursor=8), "down", view)[0].cursor == 0
    menu, made = press_all(("select", "up", "select"), view)
    assert (menu, made) == (Menu(), [MrXMove(Secret(84), "taxi")])


def test_back_leads_home_with_the_cursor_on_what_had_been_opened() -> None:
    view = mr_x(67)
    for item in (0, 1, 2, 3, 5, 6, 7):  # 4 is the double move, which opens nothing
        opened, made = press(Menu(cursor=item), "select", view)
        assert (opened.page != "home", made) == (True, None)
        assert press(opened, "back", view)[0] == Menu(cursor=item)


def test_the_log_opens_at_its_newest_entry() -> None:
    view = mr_x(67, log=log("TTB?U"), turn=("red",))
    assert press(Menu(), "select", view)[0] == Menu("log", 5)


def test_select_changes_nothing_on_a_page_to_read() -> None:
    for page in EVERY_PAGE[2:]:
        view = junior() if page == "chips" else dice_game()
        assert press(Menu(page), "select", view) == (Menu(page), None)


def test_an_ordinary_move_takes_at_most_six_presses_anywhere_in_london() -> None:
    for station in STATIONS:
        view = mr_x(station)
        moves = [a for a in view.choices.value if isinstance(a, MrXMove) and a.ticket != BLACK]
        presses = {action: keys_for(Menu(), view, action) for action in moves}
        assert moves
        assert max(len(keys) for keys in presses.values()) <= 6
        assert all(press_all(keys, view) == (Menu(), [action]) for action, keys in presses.items())


def test_keys_are_the_fewest_that_do() -> None:
    view = mr_x(67)
    assert keys_for(Menu(), view, MrXMove(Secret(51), "taxi")) == ("select", "select")
    assert keys_for(Menu(), view, MrXMove(Secret(84), "taxi")) == ("select", "up", "select")
    assert len(keys_for(Menu("destinations", 0, "taxi"), view, Double())) == len(("back", *("down",) * 4, "select"))


def test_no_keys_lead_to_what_is_no_choice_and_the_error_tells_no_station() -> None:
    for action in (MrXMove(Secret(199), "taxi"), PawnMove("red", 199, "taxi")):
        with pytest.raises(MenuError, match="is not one of Mister X's choices now") as caught:
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
    assert settle(Menu(cursor=7), mr_x(turn=("red",))) == Menu(cursor=3)
    assert settle(Menu("dice", 9), dice_game(17)) == Menu("dice", 4)
    assert settle(Menu("destinations", 12, "taxi"), mr_x(67)) == Menu("destinations", 3, "taxi")
    assert settle(Menu("detectives", 4), mr_x(detectives=3)) == Menu("detectives", 2)
    assert settle(Menu(cursor=-3), mr_x()) == Menu()


@pytest.mark.parametrize("keys", [("down",), ("down", "select", "back")], ids=["moved there", "back from its page"])
def test_the_cursor_stays_on_its_item_when_choices_appear_before_it(keys: tuple[str, ...]) -> None:
    waiting, his_turn = mr_x(67, turn=("red",)), mr_x(67)
    menu, _ = press_all(keys, waiting)
    item = home_items(waiting)[menu.cursor]
    assert home_items(his_turn)[settle(menu, his_turn).cursor] == item
    assert press(menu, "select", his_turn)[0].page == item


def test_settling_leaves_destinations_that_are_no_more() -> None:
    assert settle(Menu("destinations", 2, "taxi"), mr_x(67, turn=("red",))) == Menu()
    assert settle(Menu("destinations", 2, None), mr_x(67)) == Menu()
    assert settle(Menu("nowhere"), mr_x(67)) == Menu()


@pytest.mark.parametrize(
    ("page", "view"), [("log", junior()), ("supply", junior()), ("dice", mr_x()), ("chips", mr_x())]
)
def test_settling_leaves_a_page_that_has_nothing_on_it(page: str, view: MrXView) -> None:
    assert settle(Menu(page), view) == Menu()


def test_a_settled_menu_stays_as_it_is() -> None:
    for page in EVERY_PAGE:
        menu = Menu(page, 0, "bus" if page == "destinations" else None)
        view = {"dice": dice_game(), "chips": junior()}.get(page, mr_x())
        assert settle(menu, view) == menu


def test_a_menu_prints_neither_cursor_nor_ticket() -> None:
    assert repr(Menu("destinations", 3, BLACK)) == "Menu(page='destinations')"


VIEWS = [
    mr_x(MOST),
    mr_x(MOST, turn=("red", "blue")),
    mr_x(10, choices(10, double=False), double=1),
    mr_x(194, log=log("TTBU?" * 4 + "TTTT"), turn=()),
    mr_x(108, detectives=5),
    mr_x(67, (Take("red", "taxi"), Take("red", "bus")), giving=("red",)),
    beginners(67),
    choosing_start(1, 5, 36),
    EVERY_FIRST_STEP,
    dice_game(17, turn=("red",)),
    junior(9, ANY_TICKET),
    junior(5, ("taxi", BOAT, STAY), two=True, actor=MR_X_JUNIOR),
    junior(9, turn=("white", "yellow")),
]


@pytest.mark.parametrize("view", VIEWS)
def test_keys_lead_to_every_choice_of_every_game(view: MrXView) -> None:
    for start in (Menu(), Menu("detectives"), Menu("destinations", 3, "taxi")):
        for action in view.choices.value:
            assert press_all(keys_for(start, view, action), view, start)[1] == [action]


@given(
    st.lists(st.tuples(st.sampled_from(VIEWS), st.sampled_from(KEYS)), max_size=40),
    st.builds(Menu, st.sampled_from(EVERY_PAGE), st.integers(-5, 40), st.sampled_from([None, "taxi", "black", FREE])),
)
def test_whatever_is_pressed_and_however_views_change_only_choices_are_made(
    presses: list[tuple[MrXView, str]], menu: Menu
) -> None:
    for view, key in presses:
        menu, action = press(menu, key, view)
        assert action is None or action in view.choices.value
        assert settle(menu, view) == menu
