"""Pages slide, lift and put the pawns of the simulated table, and each is told where all of them are."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from firmware_host.simulator.browser_session import RESTART_PAUSE, TURN
from firmware_host.web.feeds.page_orders import DragOrder, KeyOrder, LiftOrder, NewGameOrder, PutOrder, UserOrder
from tests.web.page_table import ONE, OTHER, Room, bare


@pytest.fixture
def room() -> Room:
    return Room()


def test_at_the_start_all_pawns_of_the_game_lie_in_the_box(room: Room) -> None:
    view = room.simulated.public
    assert room.heard("pawns") == {"kind": "pawns", "pawns": {}, "box": [*view.order, "mr_x"], "undo": None}


def test_a_pawn_put_near_a_station_stands_on_it_and_all_pages_are_told(room: Room) -> None:
    room.ask(PutOrder("red", *room.share(58, 9.0, -6.0)), ms=100)
    assert room.where == {"red": 58}
    told = room.heard("pawns")
    assert told["pawns"]["red"]["at"] == 58
    assert not told["pawns"]["red"]["held"]
    assert (told["pawns"]["red"]["x"], told["pawns"]["red"]["y"]) == pytest.approx(room.share(58), abs=0.006)
    assert "red" not in told["box"]


def test_a_pawn_put_far_from_every_station_lies_on_the_bare_board(room: Room) -> None:
    place = bare(room)
    room.ask(PutOrder("red", *place), ms=100)
    assert room.heard("pawns")["pawns"]["red"] == {"x": place[0], "y": place[1], "at": None, "held": False}


def test_a_pawn_put_beside_the_board_is_off_it(room: Room) -> None:
    for place in ((-0.2, 0.5), (1.1, 0.5), (0.5, -0.1), (0.5, 1.3)):
        room.put("red", 58)
        room.ask(DragOrder("red", 0.5, 0.5), ms=400)
        for _ in range(2):
            room.ask(PutOrder("red", *place), ms=100)
            assert room.refused == []
            assert "red" in room.heard("pawns")["box"]


def test_a_pawn_that_stands_is_lifted_to_where_it_is_put(room: Room) -> None:
    room.put("red", 58)
    room.put("red", 74)
    assert room.where == {"red": 74}


def test_a_dragged_pawn_slides_over_the_reeds_on_its_way_however_fast_the_hand(room: Room) -> None:
    room.put("red", 58)
    hardware, felt = room.simulated.hardware, set[int]()
    spots = dict(enumerate(hardware.places))
    room.ask(DragOrder("red", *room.share(59)))
    room.ask(DragOrder("red", *room.share(76)))
    for _ in range(60):
        room.wait(TURN)
        felt |= {number for spot, number in spots.items() if hardware.switches.read() >> spot & 1}
    assert {59, 76} <= felt
    assert room.heard("pawns")["pawns"]["red"]["held"]
    assert room.where == {"red": None}


def test_a_dragged_pawn_that_is_put_slides_to_its_station(room: Room) -> None:
    room.put("red", 58)
    room.ask(DragOrder("red", *room.share(59, 12.0, 0.0)), ms=300)
    room.ask(PutOrder("red", *room.share(59, 8.0, 0.0)))
    assert room.where == {"red": None}
    room.wait(100)
    assert room.where == {"red": 59}
    assert room.simulated.hardware.points()["red"] == pytest.approx(room.simulated.hardware.places[59], abs=3)


def test_two_pages_drag_two_pawns_at_once_and_none_the_other_s(room: Room) -> None:
    room.put("red", 58)
    room.put("blue", 100)
    room.ask(DragOrder("red", *room.share(59)))
    room.ask(DragOrder("blue", *room.share(101)), by=OTHER)
    for order in (DragOrder("red", 0.5, 0.5), PutOrder("red", 0.5, 0.5), LiftOrder("red")):
        room.ask(order, by=OTHER)
        assert room.refusal() == "another player holds red"
    room.ask(PutOrder("red", *room.share(59)))
    room.ask(PutOrder("blue", *room.share(101)), by=OTHER, ms=300)
    assert room.where == {"red": 59, "blue": 101}
    room.ask(LiftOrder("red"), by=OTHER, ms=100)
    assert room.refused == []
    assert "red" in room.heard("pawns")["box"]


def test_a_page_that_goes_away_lets_go_of_its_pawn_and_its_keys(room: Room) -> None:
    room.put("red", 58)
    room.put("blue", 100)
    room.ask(DragOrder("red", *room.share(59)), KeyOrder("table.confirm", down=True), ms=300)
    room.ask(DragOrder("blue", *room.share(101)), KeyOrder("table.back", down=True), by=OTHER, ms=300)
    room.requests.disconnect(ONE)
    room.wait(100)
    assert room.where == {"red": 59, "blue": None}
    assert room.simulated.hardware.keys.held == {"table.back"}
    assert not room.heard("pawns")["pawns"]["red"]["held"]
    room.ask(DragOrder("red", *room.share(58)), by=OTHER)
    assert room.refused == []


def test_what_a_page_still_wanted_when_it_went_away_is_done_and_nothing_stays_in_its_hand(room: Room) -> None:
    for n in range(100):
        room.requests.ask("table", ONE, LiftOrder("red") if n % 2 else DragOrder("red", 0.5, 0.5), lambda _: None)
    room.requests.ask("table", ONE, KeyOrder("table.taxi", down=True), lambda _: None)
    room.wait(TURN)
    assert list(room.browser._pawns.held) == []  # the last that was done was a lift
    room.requests.ask("table", ONE, DragOrder("red", 0.5, 0.5), lambda _: None)
    room.requests.ask("table", OTHER, DragOrder("blue", *room.share(58)), room.refused.append)
    room.requests.disconnect(ONE)
    room.wait(300)
    assert list(room.browser._pawns.held) == ["blue"]
    told = room.heard("pawns")["pawns"]["blue"]
    assert (told["x"], told["y"]) == pytest.approx(room.share(58), abs=0.001)
    assert told["held"]
    assert room.simulated.hardware.keys.held == set()
    assert room.refused == []


def test_of_a_flood_of_drags_only_the_last_place_counts(room: Room) -> None:
    for n in range(500):
        room.requests.ask("table", ONE, DragOrder("red", n / 500, 0.5), room.refused.append)
    room.requests.ask("table", OTHER, DragOrder("blue", 0.1, 0.1), room.refused.append)
    asked = list(room.requests.orders())
    assert [one.order for one in asked] == [DragOrder("red", 499 / 500, 0.5), DragOrder("blue", 0.1, 0.1)]
    assert (list(room.requests.orders()), room.requests.take_disconnected()) == ([], [])


def test_only_pawns_of_the_game_are_known(room: Room) -> None:
    orders: list[Callable[[str], UserOrder]] = [
        lambda pawn: DragOrder(pawn, 0.5, 0.5), lambda pawn: PutOrder(pawn, 0.5, 0.5), LiftOrder,
    ]  # fmt: skip
    for pawn, order in product(("purple", "white", "mr_x_junior", "Red", "<b>"), orders):
        room.ask(order(pawn))
        assert room.refusal() == f"{pawn!r} is not a pawn of this game; pawns are red, yellow, green, blue, mr_x"
    assert room.where == {}


def test_a_pawn_of_the_game_before_can_only_be_taken_off(room: Room) -> None:
    room.ask(NewGameOrder("classic", 6), ms=RESTART_PAUSE)
    room.put("purple", 58)
    room.ask(NewGameOrder("classic", 5))
    room.ask(LiftOrder("purple"))
    assert room.refused == []
    room.put("purple", 58)
    assert "'purple' is not a pawn of this game" in room.refusal()
    assert "purple" not in room.heard("pawns")["box"]


def test_a_pawn_that_is_off_the_board_cannot_be_lifted(room: Room) -> None:
    room.ask(LiftOrder("red"))
    assert room.refusal() == "red is not on the board; on it: none"
    room.ask(PutOrder("red", *room.share(58)), by=OTHER, ms=100)
    assert room.where == {"red": 58}
