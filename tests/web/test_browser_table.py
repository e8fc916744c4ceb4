"""What pages ask of the simulated table but for its pawns, and what they are told of it."""

from __future__ import annotations

import pytest

from firmware_host.simulator.browser_session import TURN
from firmware_host.system.orders import FaultOrder
from firmware_host.web.feeds.latest_feed import Feed
from firmware_host.web.feeds.page_orders import (
    DragOrder,
    KeyOrder,
    LiftOrder,
    NewGameOrder,
    PowerOrder,
    PutOrder,
    ShakeOrder,
    UndoOrder,
    UserOrder,
)
from tests.web.page_table import OTHER, Room


@pytest.fixture
def room() -> Room:
    return Room()


# --- keys --------------------------------------------------------------------------------------------------


def test_a_key_is_down_as_long_as_the_page_holds_it(room: Room) -> None:
    room.ask(KeyOrder("table.taxi", down=True), ms=500)
    assert room.simulated.hardware.keys.held == {"table.taxi"}
    room.ask(KeyOrder("table.taxi", down=False))
    assert room.simulated.hardware.keys.held == set()


def test_each_page_has_its_own_keys(room: Room) -> None:
    room.ask(KeyOrder("handset.up", down=True))
    assert room.refusal() == "handset.up is not a key of this page"
    room.ask(KeyOrder("table.taxi", down=True), page="handset")
    assert room.refusal() == "table.taxi is not a key of this page"
    room.ask(KeyOrder("table.turbo", down=True))
    assert "there is no key 'table.turbo'" in room.refusal()
    assert room.simulated.hardware.keys.held == set()


def test_only_the_page_that_holds_a_key_releases_it(room: Room) -> None:
    room.ask(KeyOrder("table.taxi", down=True))
    room.ask(KeyOrder("table.taxi", down=True), by=OTHER)
    assert room.refusal() == "table.taxi is held down already"
    room.ask(KeyOrder("table.taxi", down=False), by=OTHER)
    assert room.refusal() == "table.taxi is not held down by this page"
    assert room.simulated.hardware.keys.held == {"table.taxi"}


def test_a_finger_cannot_run_ahead_of_the_table_without_end(room: Room) -> None:
    for _ in range(12):
        room.ask(KeyOrder("table.taxi", down=True), KeyOrder("table.taxi", down=False), ms=0)
    room.wait(3 * TURN)
    assert any("more presses than a finger can make" in why for why in room.refused)
    room.wait(2000)
    assert room.simulated.hardware.keys.held == set()


AT_THE_TABLE: tuple[UserOrder, ...] = (
    DragOrder("red", 0, 0), PutOrder("red", 0, 0), LiftOrder("red"), ShakeOrder(), PowerOrder(on=False),
    FaultOrder("lamps", "unplug"), NewGameOrder("junior"),
)  # fmt: skip


def test_the_handset_can_do_nothing_but_press_its_keys(room: Room) -> None:
    for order in AT_THE_TABLE:
        room.ask(order, page="handset")
        assert room.refusal() == "this is done at the table, and this page is not the table"
    assert room.simulated.public.rules == "classic"


# --- games -------------------------------------------------------------------------------------------------


def test_pages_are_told_which_games_can_be_begun(room: Room) -> None:
    told = room.heard("table")
    boxes = {box["rules"]: box for box in told["boxes"]}
    assert next(iter(boxes)) == "classic"
    assert set(boxes) == {"classic", "current", "us", "beginners", "dice", "junior"}
    assert boxes["classic"]["players"][0] == 5
    assert boxes["dice"]["options"]["dice"] == ["rolled", "entered"]
    assert (told["simulated"], told["power"], told["broken"]) == (True, True, {})


@pytest.mark.parametrize("rules", ["us", "beginners", "dice", "junior", "classic"])
def test_any_game_can_be_begun_from_a_page_and_played_by_its_pawns(room: Room, rules: str) -> None:
    room.put("red", 58)
    room.ask(NewGameOrder(rules), ms=100)
    assert room.refused == []
    view = room.simulated.public
    assert view.rules == rules
    stations = {station["n"] for station in room.heard("board")["stations"]}
    assert stations == set(view.network.stations)
    assert room.heard("scene")["rules"] == rules
    pawn, station = view.order[0], min(stations)
    room.put(pawn, station)
    assert room.where[pawn] == station
    assert room.heard("pawns")["pawns"][pawn]["at"] == station


def test_players_and_options_are_as_the_page_says(room: Room) -> None:
    room.ask(NewGameOrder("classic", 6, {"x_fares": "unlimited"}))
    assert room.refused == []
    game = room.simulated.table.game
    assert game is not None
    assert len(room.simulated.public.order) == 5
    assert game.setup.options == {"x_fares": "unlimited"}


NO_GAMES = [
    (NewGameOrder("chess"), "no game 'chess'; games are classic, beginners, current, dice, junior, us"),
    (NewGameOrder("classic", 2), "players: 2"),
    (NewGameOrder("junior", 6), "players: 6"),
    (NewGameOrder("junior", None, {"turbo": True}), "turbo"),
    (NewGameOrder("dice", None, {"layout": "AAA"}), "layout"),
    (NewGameOrder("../../etc/passwd"), "no game '../../etc/passwd'"),
    (NewGameOrder(""), "no game ''"),
]


def test_a_game_that_cannot_be_is_refused_and_the_one_in_play_goes_on(room: Room) -> None:
    room.put("red", 58)
    p = room.simulated
    before = p.table, p.hardware, p.config, p.table.game
    for order, why in NO_GAMES:
        room.ask(order, ms=2000)  # some come so far that they count as a start
        assert why in room.refusal()
        assert (p.table, p.hardware, p.config, p.table.game) == before
    room.put("blue", 100)
    assert room.where == {"red": 58, "blue": 100}


# --- what can go wrong -------------------------------------------------------------------------------------


def test_faults_are_made_mended_and_told(room: Room) -> None:
    room.ask(FaultOrder("switch:58", "stuck_closed"), FaultOrder("lamps", "unplug"), ms=50)
    assert room.heard("table")["broken"] == {"switch:58": "stuck_closed", "lamps": "unplug"}
    assert room.heard("lamps") == b""
    room.ask(FaultOrder("switch:58", "ok"), FaultOrder("lamps", "replug"), ms=3000)
    assert room.heard("table")["broken"] == {}
    assert len(room.heard("lamps")) == 3 * (199 + 24)
    room.ask(FaultOrder("teapot", "unplug"))
    assert "there is no device 'teapot'" in room.refusal()


def test_a_shaken_table_goes_by_its_seed() -> None:
    places = []
    for _ in range(2):
        room = Room()
        for pawn, station in room.simulated.public.pawns.items():
            room.put(pawn, station)
        before = room.heard("pawns")
        room.ask(ShakeOrder(), ms=100)
        assert room.heard("pawns") != before
        places.append(room.heard("pawns"))
    assert places[0] == places[1]


def test_when_the_power_fails_all_is_dark_and_hands_can_still_move_pawns(room: Room) -> None:
    room.put("red", 58)
    assert room.heard("display")["lines"]
    room.ask(PowerOrder(on=False), ms=200)
    assert room.heard("table")["power"] is False
    assert room.heard("lamps") == b""
    assert room.heard("display") == {"kind": "display", "pixels": None, "lines": [], "language": "en", "menu": False}
    assert room.heard("handset", private=True) == {"kind": "handset", "pixels": None, "lines": [], "language": "en"}
    room.put("red", 74)
    assert room.where == {"red": 74}
    room.ask(NewGameOrder("junior"))
    assert room.refusal() == "the power is off; switch it on, then begin a game"
    room.ask(UndoOrder())
    assert room.refusal() == "the power is off; switch it on, then take the move back"


def test_a_page_is_told_how_many_games_have_begun_and_a_power_cut_begins_none(room: Room) -> None:
    begun = room.heard("table")["begun"]
    room.ask(NewGameOrder("classic"), ms=1500)
    assert room.heard("table")["begun"] == begun + 1
    room.ask(NewGameOrder("chess"), ms=1500)
    room.ask(PowerOrder(on=False), ms=200)
    room.ask(PowerOrder(on=True), ms=1500)
    assert room.heard("table")["begun"] == begun + 1


def test_a_page_that_does_not_know_the_newest_game_begins_none_in_its_place(room: Room) -> None:
    begun = room.heard("table")["begun"]
    for _ in range(2):
        room.ask(NewGameOrder("classic", begun=begun), ms=1500)
    assert room.refusal() == "The table asks for something else by now"
    assert room.heard("table")["begun"] == begun + 1


def test_when_the_power_is_back_the_table_goes_on_from_its_journal(room: Room) -> None:
    for pawn, station in room.simulated.public.pawns.items():
        room.put(pawn, station)
    room.wait(1500)
    table = room.simulated.table
    room.ask(PowerOrder(on=False), ms=200)
    room.ask(PowerOrder(on=False))
    assert room.refusal() == "the power is off already"
    room.ask(PowerOrder(on=True), ms=1000)
    assert room.refused == []
    assert room.heard("table")["power"] is True
    assert room.simulated.table is not table
    assert room.simulated.public.rules == "classic"
    assert len(room.heard("lamps")) == 3 * (199 + 24)
    assert room.heard("handset", private=True)["pixels"] is not None


# --- when nothing happens ----------------------------------------------------------------------------------


def test_while_nothing_happens_pages_are_told_nothing(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    for pawn, station in room.simulated.public.pawns.items():
        room.put(pawn, station)
    room.wait(6000)
    room.ask(PowerOrder(on=False), ms=100)
    put: list[str] = []
    monkeypatch.setattr(Feed, "put", lambda _self, kind, _make: put.append(kind))
    room.wait(2000)
    assert put == []


def test_a_screen_is_sent_to_pages_only_when_it_shows_something_else(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.wait(3000)
    shows = [
        panel.shows for panel in (room.simulated.hardware.handset, room.simulated.hardware.display) if panel is not None
    ]
    put: list[str] = []
    monkeypatch.setattr(Feed, "put", lambda _self, kind, _make: put.append(kind))
    room.wait(3000)
    again = [
        panel.shows for panel in (room.simulated.hardware.handset, room.simulated.hardware.display) if panel is not None
    ]
    assert all(after >= before + 2 for before, after in zip(shows, again, strict=True))
    assert not {"handset", "display"} & set(put)
