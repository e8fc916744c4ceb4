"""The list of what each page may ask for: at a simulated table, at a real board and in a lesson."""

from __future__ import annotations

from typing import get_args

import pytest

from firmware_host.system.language import LANGUAGES, in_language
from firmware_host.web.feeds.page_orders import (
    AT_REAL_BOARD,
    AT_SIMULATED_TABLE,
    IN_LESSON,
    OF_OWNER,
    WITH_MR_X_PHONE,
    ChooseOrder,
    GiveUpOrder,
    KeyOrder,
    PageOrderQueue,
    Rights,
    RiseOrder,
    SitOrder,
    UserOrder,
    refusal,
)

LISTS = {
    "simulated": AT_SIMULATED_TABLE, "board": AT_REAL_BOARD, "board with a phone": WITH_MR_X_PHONE, "lesson": IN_LESSON,
    "owner": OF_OWNER,
}  # fmt: skip


def test_every_order_is_some_pages_to_give_at_a_simulated_table() -> None:
    given = {order for seat in AT_SIMULATED_TABLE.values() for order in seat.orders}
    assert given == {*get_args(UserOrder)} - {
        SitOrder,  # the server's thread does these two
        RiseOrder,
        GiveUpOrder,  # of the owner, at a real board
    }


def test_at_a_real_board_nothing_is_done_on_pages_but_mister_x_chooses_on_his_phone() -> None:
    given = [(page, *seat.orders) for page, seat in WITH_MR_X_PHONE.items() if seat.orders]
    assert given == [("handset", ChooseOrder)]
    assert not any(seat.orders for seat in AT_REAL_BOARD.values())


@pytest.mark.parametrize("rights", LISTS.values(), ids=LISTS)
def test_no_page_presses_the_keys_of_another_place(rights: Rights) -> None:
    for page in rights:
        place = "table" if page in ("detective", "owner") else page
        for key in ("table.confirm", "handset.select", "confirm", ""):
            allowed = refusal(rights, page, KeyOrder(key, down=True)) == ""
            assert allowed <= key.startswith(f"{place}."), (page, key)


@pytest.mark.parametrize("rights", LISTS.values(), ids=LISTS)
def test_each_refusal_is_said_in_the_language_of_the_page(rights: Rights) -> None:
    for page in rights:
        said = set()
        for code in LANGUAGES:
            with in_language(code):
                said.add(refusal(rights, page, RiseOrder()))
        assert len(said) == len(LANGUAGES)
        assert "" not in said


def test_a_page_that_was_refused_everything_leaves_nothing_behind() -> None:
    queue = PageOrderQueue(AT_REAL_BOARD)
    for visitor in range(3):
        queue.ask("spectator", visitor, KeyOrder("table.confirm", down=True), lambda _: None)
        queue.disconnect(visitor)
    assert (queue.take_disconnected(), [*queue.orders()]) == ([], [])
