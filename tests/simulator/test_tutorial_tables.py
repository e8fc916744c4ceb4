"""The tables of lessons: few, none old, each on its own; whatever a learner does, the other side plays its part."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from firmware_host.simulator.tutorial_tables import LESSONS, MOST, OLDEST, TutorialTable, TutorialTables
from firmware_host.system.orders import FaultOrder
from firmware_host.web.feeds.board_outline import BoardCache
from firmware_host.web.feeds.latest_feed import Feed
from firmware_host.web.feeds.page_orders import (
    ChooseOrder,
    CoachOrder,
    HandsOrder,
    NewGameOrder,
    PowerOrder,
    PutOrder,
    ShakeOrder,
    UserOrder,
)
from tests.amount import amount
from tests.table.cases import shipped
from tests.waiting import until


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Learner:
    """Somebody at a practice table, whose time goes by at once."""

    def __init__(self, lesson: str) -> None:
        self.table = TutorialTable(LESSONS[lesson], BoardCache(), Clock())
        self.page = LESSONS[lesson].page
        self.refused: list[str] = []
        self.wait(50)

    def wait(self, ms: float) -> None:
        for _ in range(round(ms / 5)):
            self.table.turn()

    def until(self, turn: str, log: int) -> dict[str, Any]:
        """The scene as soon as it is somebody's turn, with so much in the log, or the game is over."""
        for _ in range(400):
            scene = told(self.table.feed)
            if (
                scene["rules"]
                and scene["phase"] in ("play", "over")
                and (scene["outcome"] or (scene["turn"] == [turn] and len(scene["log"]) >= log))
            ):
                return scene
            self.wait(50)
        raise AssertionError(f"waited for {turn}; the table says {scene['prompt']['text']}")

    def ask(self, order: UserOrder) -> None:
        self.table.ask(self.page, 1, order, self.refused.append)
        self.wait(5)

    def go(self, station: int) -> None:
        """Move red."""
        place = shipped("classic").layout.network.stations[station]
        self.ask(PutOrder("red", place.x, place.y))


def told(feed: Feed) -> dict[str, Any]:
    """The newest scene that a feed has."""
    seen: dict[str, int] = {}
    while (due := feed.next(seen)) is not None:
        kind, seen[kind], said = due
        if kind in ("scene", "seat"):
            scene: dict[str, Any] = json.loads(said)
            return scene["scene"] if kind == "seat" else scene
    return {"rules": None}


@pytest.fixture
def tables() -> Iterator[TutorialTables]:
    opened = TutorialTables()
    yield opened
    until(lambda: not len(opened), "all practice tables to be put away")


def test_no_more_than_a_few_learn_at_once_and_a_page_that_leaves_makes_room(tables: TutorialTables) -> None:
    boards = BoardCache()
    opened = [tables.open("detective", boards) for _ in range(MOST)]
    assert None not in opened
    assert tables.open("mr_x", boards) is None
    for table in opened:
        assert table is not None
        table.disconnect(1)
    until(lambda: not len(tables), "the tables to be put away")
    again = tables.open("mr_x", boards)
    assert again is not None
    again.disconnect(1)


def test_a_lesson_ends_when_it_is_old() -> None:
    clock = Clock()
    table = TutorialTable(LESSONS["detective"], BoardCache(), clock)
    clock.now = OLDEST
    assert not table.over
    clock.now += 1
    assert table.over


def test_what_is_the_tables_is_refused() -> None:
    learner = Learner("detective")
    learner.until("red", 1)
    orders: tuple[UserOrder, ...] = (
        NewGameOrder("current"), PowerOrder(on=False), HandsOrder(real=True), ShakeOrder(), CoachOrder("advice"),
        FaultOrder("lamps", "cut"), ChooseOrder({"kind": "double"}),
    )  # fmt: skip
    for order in orders:
        learner.ask(order)
    assert learner.refused == ["this is not done in a lesson"] * len(orders)
    learner.table.close()


FIRST = (23, 51, 52, 65, 66, 68, 82, 84, 102)
"""Where red may go first; by underground it has no ticket."""


@pytest.mark.parametrize("first", amount((23, 82, 102), FIRST))
def test_wherever_the_detective_goes_mister_x_pays_taxi_then_black_and_is_seen_near(first: int) -> None:
    learner = Learner("detective")
    scene = learner.until("red", 1)
    assert {move["to"] for move in scene["moves"]} == set(FIRST)
    learner.go(first)
    scene = learner.until("red", 2)
    assert scene["outcome"] is None
    assert [entry["ticket"] for entry in scene["log"]] == ["taxi", "black"]
    learner.go(max(move["to"] for move in scene["moves"] if len(move["tickets"]) == 1))
    scene = learner.until("red", 3)
    assert scene["outcome"] is not None or "mr_x" in scene["pawns"]
    learner.table.close()


def test_once_the_game_is_over_no_key_begins_another() -> None:
    learner = Learner("detective")
    learner.until("red", 1)
    learner.go(82)
    scene = learner.until("red", 2)
    learner.go(101)
    scene = learner.until("red", 3)
    learner.go(scene["pawns"]["mr_x"])
    learner.wait(2000)
    assert learner.until("red", 3)["outcome"] == {"winner": "detectives", "reason": "captured"}
    learner.ask(PutOrder("red", 0.5, 0.5))
    assert learner.refused == ["the lesson is over; load the page again to restart it"]
    learner.table.close()


def test_detectives_walk_to_and_fro_far_from_mister_x() -> None:
    learner = Learner("mr_x")
    scene = learner.until("mr_x", 0)
    begun = scene["pawns"]
    for n, to in enumerate((66, 67, 66), 1):
        learner.ask(ChooseOrder({"kind": "move", "to": to, "ticket": "taxi"}))
        assert learner.refused == []
        scene = learner.until("mr_x", n)
        assert (scene["pawns"]["red"] == begun["red"]) == (n % 2 == 0)
    assert scene["pawns"]["mr_x"] == 66
    learner.table.close()


@pytest.mark.parametrize("where", ["turn", "close"])
def test_a_lesson_that_fails_or_cannot_even_be_put_away_ends_alone(monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    tables = TutorialTables()
    failing, other = tables.open("detective", BoardCache()), tables.open("mr_x", BoardCache())
    assert failing is not None
    assert other is not None
    does = getattr(TutorialTable, where)

    def fails(table: TutorialTable) -> None:
        if table is failing:
            raise ValueError("a mistake of ours")
        does(table)

    monkeypatch.setattr(TutorialTable, where, fails)
    if where == "close":
        failing.disconnect(1)
    until(lambda: len(tables) == 1, "the lesson to be put away")
    until(lambda: told(other.feed).get("phase") == "play", "the other to go on")
    assert tables.open("detective", BoardCache()) is not None


def test_without_a_thread_no_lesson_begins_and_the_next_one_may(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = TutorialTables()

    def start(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", start)
        assert tables.open("detective", BoardCache()) is None
    table = tables.open("detective", BoardCache())
    assert table is not None
    until(lambda: told(table.feed).get("phase") == "play", "the lesson to begin")
