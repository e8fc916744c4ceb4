"""An idle table sleeps, its lamps and its public screen, and wakes at the first touch; Mister X's keys are none."""

from __future__ import annotations

import random

import pytest

from firmware_host.referee.scene import CoachMode
from firmware_host.rules.actions import MR_X
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.browser_session import BrowserSession
from firmware_host.table.commands import StartGame
from firmware_host.web.feeds.page_orders import (
    ChooseOrder,
    CoachOrder,
    DragOrder,
    KeyOrder,
    LiftOrder,
    UndoOrder,
    UserOrder,
)
from tests.secrecy.perceived import Seats
from tests.table.onlooker import WatchedOften
from tests.table.played_table import FIVE, carry, config, go, press, red_to_move, take
from tests.web.page_table import ONE, Room

AFTER = 20
"""Seconds after which the tables here go to sleep."""

SLEEPY = {"blank_after_s": AFTER}


def shines(p: SimulatedTable) -> bool:
    """Whether the lamps and the public screen show anything; never one without the other."""
    assert p.hardware.display is not None
    lamps, screen = bool(p.hardware.lamps.lit()), p.hardware.display.picture is not None
    assert lamps == screen
    return lamps


def asleep() -> SimulatedTable:
    """A table that has fallen asleep while red is to move."""
    p: SimulatedTable = red_to_move(config(display=SLEEPY))
    p.advance(1000 * (AFTER - 2))
    assert shines(p)
    p.advance(4000)
    assert not shines(p)
    return p


def test_a_table_that_nobody_touches_sleeps_and_goes_on_sleeping() -> None:
    p = asleep()
    p.advance(1000 * 10 * AFTER)
    assert not shines(p)
    p.close()


def test_without_a_time_it_never_sleeps() -> None:
    p: SimulatedTable = red_to_move()
    p.advance(100_000)
    assert shines(p)
    p.close()


def test_a_pawn_that_is_lifted_wakes_it_and_its_move_counts() -> None:
    p = asleep()
    take(p, FIVE["red"], 200)
    assert shines(p)
    to = next(move.to for move in p.public.moves if move.pawn == "red" and move.ticket == "taxi")
    carry(p, "red", to)
    if p.table.scene().asked:
        press(p, "table.taxi")
    assert p.public.pawns["red"] == to
    p.close()


def test_a_key_of_the_table_wakes_it_and_does_only_that() -> None:
    p: SimulatedTable = red_to_move(config(display=SLEEPY))
    tickets: dict[int, set[str]] = {}
    for move in p.public.moves:
        if move.pawn == "red":
            tickets.setdefault(move.to, set()).add(move.ticket)
    to = next(station for station, several in tickets.items() if len(several) > 1)
    carry(p, "red", to)
    asked = p.table.scene().asked
    assert len(asked) > 1
    p.advance(1000 * (AFTER + 5))
    assert not shines(p)
    key = f"table.{asked[0].ticket}"
    press(p, key, 200)
    assert shines(p)
    assert p.table.scene().asked == asked
    press(p, key, 200)
    assert p.public.pawns["red"] == to
    p.close()


def test_letting_go_of_a_key_that_was_held_while_it_fell_asleep_does_not_wake_it() -> None:
    p: SimulatedTable = red_to_move(config(display=SLEEPY))
    p.hardware.hold("table.taxi")
    p.advance(1000 * (AFTER + 2))
    assert not shines(p)
    p.hardware.release("table.taxi")
    p.advance(1000)
    assert not shines(p)
    p.close()


def test_a_contact_that_chatters_for_weeks_does_not_keep_it_awake() -> None:
    p = asleep()
    p.hardware.fault("switch:100", "chatter")
    p.advance(20_000)
    p.advance(1000 * (AFTER + 2))
    assert not shines(p)
    p.close()


def room() -> Room:
    """A table in the browser, its pawns set up by simulated hands, that has fallen asleep."""
    room = Room(config(display=SLEEPY))
    room.browser = BrowserSession(room.simulated, room.requests, room.pages, real_hands=False, player_of={ONE: 1}.get)
    room.simulated.set_up()
    room.wait(1000 * (AFTER + 2))
    assert not shines(room.simulated)
    return room


@pytest.mark.parametrize("order", [DragOrder("red", 0.5, 0.5), UndoOrder(), CoachOrder(CoachMode.OFF)])
def test_whatever_is_done_on_the_table_s_page_wakes_it_though_no_switch_senses_it(order: UserOrder) -> None:
    table = room()
    table.ask(order, ms=200)
    assert shines(table.simulated)
    table.wait(1000 * (AFTER - 5))
    table.ask(order)
    table.wait(10_000)
    assert shines(table.simulated)


def test_a_detective_s_phone_wakes_it_and_mister_x_s_page_does_not() -> None:
    table = room()
    for order in (
        ChooseOrder({"action": "mr_x_move", "to": 999, "ticket": "taxi"}),
        KeyOrder("handset.peek", down=True),
        KeyOrder("handset.peek", down=False),
        UndoOrder(),
        LiftOrder("red"),
    ):
        table.ask(order, page="handset", by=2, ms=200)
        table.ask(order, page="spectator", by=3, ms=200)
    assert not shines(table.simulated)
    table.ask(UndoOrder(), page="detective", ms=200)
    assert shines(table.simulated)


@pytest.mark.parametrize("seed", range(3))
def test_pb_07_what_mister_x_presses_neither_wakes_it_nor_keeps_it_awake(seed: int) -> None:
    """Two tables alike but for Mister X's keys: in one of them he presses one after another, before and in its sleep.

    His move wakes it, as everything does that the table shows.
    """
    seen = []
    for restless in (False, True):
        rng, seats = random.Random(seed), Seats()
        p = WatchedOften(config(display=SLEEPY), audience=seats)
        seats.now = p.hardware.clock.now
        p.do(StartGame(detectives=5, start={MR_X: 197, **FIVE}))
        p.set_up()
        for _ in range(40):
            wait, key = rng.randrange(500, 6000), rng.choice(("up", "down", "back", "peek"))
            if restless:
                p.hardware.press(f"handset.{key}", 60)
            p.advance(wait if not restless else wait - 60)
        assert not shines(p)
        go(p, 184)
        p.advance(1000)
        assert shines(p)
        seen.append((list(p.frames), list(p.pictures), seats.seen, seats.heard, list(p.looks)))
        p.close()
    for one, two in zip(*seen, strict=True):
        assert one == two
    assert any(picture is None for _, picture in seen[0][1])
