"""Devices of a real board that go away in the middle of a game, and come back."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import pytest

from firmware_host.referee.referee import NotNow
from firmware_host.rules.actions import MR_X, MrXMove, PawnMove
from firmware_host.rules.secret import Secret
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.ui import prompts
from tests.hardware.drivers.panel_bench import DARK
from tests.wired.wired_tables import Wired, build, seated

FIRST, SECOND = MrXMove(Secret(101), "taxi"), MrXMove(Secret(114), "taxi")
START = {MR_X: 100, "red": 13, "yellow": 26, "green": 50, "blue": 53}
WAYS = {"red": 23, "yellow": 15, "green": 37, "blue": 69}


def at_london() -> AbstractContextManager[tuple[Any, SimulatedPeople]]:
    return seated(Wired, build("london-spi"), start=START)


def state(table: Wired, device: str) -> str:
    return str(table.daemon.health()[device]["state"])


def prompt(table: Wired) -> str:
    return prompts.prompt(table.daemon.scene()).text


def walk(table: Wired, pawn: str) -> None:
    """A detective goes by taxi."""
    table.table.pick_up(pawn)
    table.advance(400)
    table.table.put(WAYS[pawn], pawn)
    table.advance(900)
    if len(table.daemon.scene().asked) > 1:
        table.table.press("table.taxi")
    table.advance(200)


def test_a_handset_pulled_at_the_detectives_turn_stops_the_game_when_mister_x_is_to_move() -> None:
    with at_london() as (table, players):
        players.set_up()
        players.play(FIRST)
        screen = table.board.screens["handset"]
        screen.unplug()
        table.advance(2500)
        assert state(table, "handset") == "lost"
        for pawn in WAYS:
            assert not prompt(table).startswith("Paused")
            walk(table, pawn)
        assert table.public.his_turn
        assert prompt(table) == "Paused: the handset is lost"
        with pytest.raises(NotNow, match="paused"):
            table.choose(table.private.choices.value[0])
        assert screen.pixels() == DARK.tobytes()

        screen.replug()
        table.advance(2000)
        assert state(table, "handset") == "ok"
        assert not prompt(table).startswith("Paused")
        assert screen.pixels() == DARK.tobytes()  # until somebody presses a key
        table.table.hold("handset.peek")
        table.advance(200)
        assert table.shows_as_meant("handset")
        assert screen.pixels() != DARK.tobytes()
        table.table.release("handset.peek")
        players.meant = list(table.daemon.game.actions)
        players.play(SECOND)
        assert len(table.daemon.game.actions) == 6


def test_a_chain_without_its_sentinel_stops_the_game_and_what_was_moved_meanwhile_counts_afterwards() -> None:
    with at_london() as (table, players):
        players.set_up()
        players.play(FIRST)
        last = table.board.chain.chips[-1]
        last.powered = False
        table.advance(200)
        assert state(table, "switches") == "lost"
        assert "chip" in str(table.daemon.health()["switches"]["reason"])
        assert prompt(table) == "Paused: the switches are lost"
        walk(table, "red")
        table.advance(2000)
        assert len(table.daemon.game.actions) == 1
        assert prompt(table) == "Paused: the switches are lost"

        last.powered = True
        table.advance(1500)
        assert state(table, "switches") == "ok"
        if len(table.daemon.scene().asked) > 1:
            table.table.press("table.taxi")
            table.advance(200)
        assert table.daemon.game.actions[1:] == [PawnMove("red", 23, "taxi")]


def test_a_chain_that_comes_and_goes_pauses_the_game_steadily_and_changes_nothing() -> None:
    with at_london() as (table, players):
        players.set_up()
        players.play(FIRST)
        last, says = table.board.chain.chips[-1], []
        for ms in (10, 45, 20, 130, 15, 60, 35) * 40:
            last.powered = not last.powered
            table.advance(ms)
            says.append(prompt(table))
        assert {*says[140:]} == {"Paused: the switches come and go"}
        assert "comes and goes" in str(table.daemon.health()["switches"]["reason"])
        last.powered = True
        table.advance(6000)
        assert not prompt(table).startswith("Paused")
        assert len(table.daemon.game.actions) == 1
        walk(table, "red")
        assert table.daemon.game.actions[1:] == [PawnMove("red", 23, "taxi")]


def test_lamps_and_screens_whose_wires_come_and_go_are_told_a_few_times_and_the_game_goes_on() -> None:
    with at_london() as (table, players):
        players.set_up()
        players.play(FIRST)
        lamps, screen = table.board.lamps, table.board.screens["display"]
        seen = set()
        for ms in (310, 450, 220, 1300, 150, 600, 350) * 8:
            lamps.plugged = not lamps.plugged
            (screen.unplug if screen.wire.plugged else screen.replug)()
            table.advance(ms)
            seen.add((state(table, "lamps"), state(table, "display")))
        assert ("degraded", "degraded") in seen
        walk(table, "red")
        assert table.daemon.game.actions[1:] == [PawnMove("red", 23, "taxi")]
        lamps.plugged = True
        screen.replug()
        table.advance(32_000)
        assert state(table, "lamps") == state(table, "display") == "ok"
        assert table.shines_as_meant()
        assert table.board.screens["display"].pixels() != DARK.tobytes()


def test_lamps_whose_bus_vanishes_and_returns_are_sent_the_whole_frame_anew() -> None:
    with at_london() as (table, players):
        players.set_up()
        table.advance(500)
        lamps = table.board.lamps
        lamps.plugged = False
        table.advance(2100)  # a still board is sent anew every second, and the frame after that tells how it went
        assert state(table, "lamps") == "lost"
        assert "spidev0.0" in str(table.daemon.health()["lamps"]["reason"])
        before = len(lamps.frames)
        table.advance(2000)
        assert state(table, "lamps") == "lost"

        lamps.plugged = True
        table.advance(1500)
        assert state(table, "lamps") == "ok"
        assert 1 <= len(lamps.frames) - before <= 4  # the call that tells of the loss has brought one; one a second
        assert table.shines_as_meant()
        assert any(lamps.frames[-1][1])


def test_the_game_goes_on_without_lamps_and_they_catch_up_when_they_are_back() -> None:
    with at_london() as (table, players):
        players.set_up()
        lamps = table.board.lamps
        lamps.plugged = False
        before = len(lamps.frames)
        players.play(FIRST)
        walk(table, "red")
        assert len(table.daemon.game.actions) == 2
        assert state(table, "lamps") == "lost"
        assert len(lamps.frames) == before

        lamps.plugged = True
        table.advance(1500)
        assert state(table, "lamps") == "ok"
        assert len(lamps.frames) > before
        assert table.shines_as_meant()


def test_a_board_that_is_put_away_is_dark_and_holds_nothing() -> None:
    with at_london() as (table, players):
        players.set_up()
    lamps, screens = table.board.lamps, table.board.screens
    assert not any(lamps.frames[-1][1])
    assert lamps.opened == 0
    for screen in screens.values():
        assert screen.pixels() == DARK.tobytes()
        assert not any(screen.glass.memory)
        assert screen.wire.open == 0
    assert {pin.function for pin in table.board.factory.pins.values()} == {"input"}
