"""Whatever pages ask for, and however much of it: no file is read for them, and the game at the table goes on."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_host.config import shipped_files
from firmware_host.config.loader import parse
from firmware_host.simulator.browser_session import RESTART_PAUSE, TURN
from firmware_host.system.orders import FaultOrder
from firmware_host.web.feeds.page_orders import (
    AT_ONCE,
    WAITING,
    DragOrder,
    KeyOrder,
    LiftOrder,
    NewGameOrder,
    PowerOrder,
    PutOrder,
    ShakeOrder,
    UserOrder,
)
from tests.web.page_table import ONE, OTHER, Room

BURST = 480
"""So many orders may come from a page at once."""

FLOODS: dict[str, Callable[[int], UserOrder]] = {
    "drags": lambda n: DragOrder(("red", "blue")[n % 2], n % 7 / 7, 0.5),
    "puts": lambda n: PutOrder(("red", "blue")[n % 2], n % 7 / 7, 0.5),
    "lifts": lambda _: LiftOrder("purple"),
    "keys": lambda n: KeyOrder("table.taxi", down=n % 2 == 0),
    "faults": lambda n: FaultOrder("lamps", ("unplug", "replug")[n % 2]),
    "shakes": lambda _: ShakeOrder(),
    "power": lambda n: PowerOrder(on=n % 2 == 1),
    "games": lambda _: NewGameOrder("classic"),
    "boards": lambda n: NewGameOrder(("junior", "classic")[n % 2]),
    "no games": lambda _: NewGameOrder("chess"),
}


@pytest.fixture
def room() -> Room:
    return Room()


def done(room: Room, monkeypatch: pytest.MonkeyPatch) -> list[UserOrder]:
    """All orders that are looked at from now on."""
    orders: list[UserOrder] = []
    do = room.browser._do

    def noted(page: str, visitor: int, order: UserOrder) -> None:
        orders.append(order)
        do(page, visitor, order)

    monkeypatch.setattr(room.browser, "_do", noted)
    return orders


def begun(room: Room, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All games and tables that are begun from now on."""
    names: list[str] = []
    for name in ("new_game", "restart"):
        begin = getattr(room.simulated, name)

        def noted(*given: object, name: str = name, begin: Callable[..., None] = begin, **named: object) -> None:
            names.append(name)
            begin(*given, **named)

        monkeypatch.setattr(room.simulated, name, noted)
    return names


# ---- floods ----


@pytest.mark.parametrize("gone", [False, True], ids=["stays", "leaves"])
@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_is_done_bit_by_bit_while_the_game_goes_on(
    flood: str, gone: bool, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders, beginnings = done(room, monkeypatch), begun(room, monkeypatch)
    for n in range(BURST):
        room.requests.ask("table", ONE, FLOODS[flood](n), room.refused.append)
    if gone:
        room.requests.disconnect(ONE)
    for turns in range(1, BURST // AT_ONCE + 2):
        room.wait(TURN)
        assert len(orders) <= AT_ONCE * turns
    assert len(orders) == BURST, "also those of a page that is gone"
    assert len(beginnings) <= 1
    assert room.simulated.hardware.clock.now() > 0


def test_a_page_need_not_wait_for_what_another_has_piled_up(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(BURST):
        room.requests.ask("table", ONE, LiftOrder("purple"), room.refused.append)
    orders = done(room, monkeypatch)
    room.ask(PutOrder("red", *room.share(58)), by=OTHER)
    assert PutOrder("red", *room.share(58)) in orders
    assert len(orders) == AT_ONCE


def test_more_than_may_wait_is_refused_to_the_page_that_asks_for_it_and_to_no_other(room: Room) -> None:
    for _ in range(WAITING):
        room.requests.ask("table", ONE, LiftOrder("purple"), room.refused.append)
    assert room.refused == []
    room.requests.ask("table", ONE, LiftOrder("purple"), room.refused.append)
    assert room.refusal() == "the table cannot keep up; slow down"
    room.requests.ask("table", OTHER, LiftOrder("purple"), room.refused.append)
    assert room.refused == []


def test_pages_that_leave_pile_up_no_more_than_one_page_may(room: Room, caplog: pytest.LogCaptureFixture) -> None:
    for visitor in range(100):
        for _ in range(BURST):
            room.requests.ask("table", visitor, LiftOrder("purple"), room.refused.append)
        room.requests.disconnect(visitor)
    waiting = sum(len(one) for one in room.requests._waiting.values())
    assert WAITING - BURST < waiting <= WAITING
    dropped = 100 - waiting // BURST
    assert [one.getMessage() for one in caplog.records] == [
        f"Dropped {BURST} orders of a closed page: the table cannot keep up"
    ] * dropped
    assert room.requests.take_disconnected() == list(range(waiting // BURST, 100)), "the others have orders to be done"


def test_what_a_page_has_asked_for_is_done_though_it_has_closed_since(room: Room) -> None:
    for n in range(AT_ONCE + 1):
        room.requests.ask("table", ONE, PutOrder("red", *room.share(58 if n == AT_ONCE else 46)), room.refused.append)
    room.requests.ask("table", ONE, KeyOrder("table.confirm", down=True), room.refused.append)
    room.requests.disconnect(ONE)
    room.wait(TURN)
    assert room.requests.take_disconnected() == [], "there is more to do first"
    room.wait(300)
    assert room.where["red"] == 58
    assert room.simulated.hardware.keys.held == set(), "its finger is off the key"
    assert room.refused == []


def test_games_and_power_begin_anew_once_a_second_at_the_most(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    beginnings = begun(room, monkeypatch)
    for n in range(round(3 * RESTART_PAUSE / TURN)):
        room.ask(NewGameOrder(("junior", "classic")[n % 2]), by=n)
        room.ask(PowerOrder(on=False), PowerOrder(on=True), by=n, ms=0)
    assert len(beginnings) <= 6
    assert "the table has only just restarted; wait a second" in room.refused
    room.refused.clear()
    room.wait(RESTART_PAUSE)
    room.ask(PowerOrder(on=True))
    room.wait(RESTART_PAUSE)
    room.refused.clear()
    room.ask(NewGameOrder("us"))
    assert room.refused == []
    assert room.simulated.public.rules == "us"


def test_a_game_that_is_refused_lets_the_next_one_begin_at_once(room: Room) -> None:
    room.wait(RESTART_PAUSE)
    for _ in range(3):
        room.ask(NewGameOrder("classic", options={"no such": True}))
        assert "no such" in room.refusal()
    begun = room.simulated.table.journal.newest_begun
    room.ask(NewGameOrder("classic", players=5))
    assert room.refused == []
    assert room.simulated.table.journal.newest_begun == begun + 1
    room.ask(NewGameOrder("classic", players=4))
    assert room.refusal() == "the table has only just restarted; wait a second"


# ---- files ----


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files of rules and maps that are opened from now on. What is in them is not read: that might never end."""
    files: list[Path] = []
    monkeypatch.setattr("firmware_host.config.shipped_files.contents", lambda path: files.append(path) or "")
    return files


def test_no_file_is_read_because_a_page_names_it(room: Room, tmp_path: Path, read: list[Path]) -> None:
    (tmp_path / "mine.toml").write_text('secret = "hidden"')
    os.mkfifo(tmp_path / "pipe.toml")  # whoever opens it waits for ever
    before = room.simulated.table.game
    for named in ("{}/mine.toml", "../{}/mine.toml", "{}/pipe.toml", "{}/none.toml", "mine.toml"):
        rules = named.format(tmp_path)
        room.ask(NewGameOrder(rules))
        known = "classic, beginners, current, dice, junior, us"
        assert room.refusal() == f"there is no game {rules!r}; games are {known}"
    for option in ("layout", "dice", "x_fares", "map", "rules"):
        room.ask(NewGameOrder("classic", None, {option: str(tmp_path / "pipe.toml")}))
        assert option in room.refusal()
    assert read == []
    assert room.simulated.table.game is before


def test_rules_of_a_tables_own_can_be_begun_from_pages_after_a_game_on_another_board(tmp_path: Path) -> None:
    shutil.copy(shipped_files.folder() / "editions" / "classic.toml", tmp_path / "mine.toml")
    config = parse('[game]\nrules = "mine.toml"\noptions = { last_chance = true }\n', "table", folder=tmp_path)
    room = Room(config)
    for rules in ("mine", "dice", "mine"):
        room.ask(NewGameOrder(rules), ms=RESTART_PAUSE)
        assert room.refused == []
        assert room.simulated.public.rules == rules
    assert room.simulated.config is config
