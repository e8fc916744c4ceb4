"""Devices of a real board that go away in the middle of a game, and come back."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import pytest

from firmware_host.referee.referee import NotNow
from firmware_host.rules.actions import MR_X, MrXMove, PawnMove
from firmware_host.rules.secret import Secret
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.ui import prompt_wording
from tests.hardware.drivers.panel_bench import DARK
from tests.wired.wired_tables import Wired, build, seated

FIRST, SECOND = MrXMove(Secret(101), "taxi"), MrXMove(Secret(114), "taxi")
START = {MR_X: 100, "red": 13, "yellow": 26, "green": 50, "blue": 53}
WAYS = {"red": 23, "yellow": 15, "green": 37, "blue": 69}


def at_london() -> AbstractContextManager[tuple[Any, SimulatedPeople]]:
    return seated(Wired, build("london-spi"), start=START)


def state(simulated: Wired, device: str) -> str:
    return str(simulated.table.health()[device]["state"])


def prompt(simulated: Wired) -> str:
    return prompt_wording.prompt(simulated.table.scene()).text


def walk(simulated: Wired, pawn: str) -> None:
    """A detective goes by taxi."""
    simulated.hardware.pick_up(pawn)
    simulated.advance(400)
    simulated.hardware.put(WAYS[pawn], pawn)
    simulated.advance(900)
    if len(simulated.table.scene().asked) > 1:
        simulated.hardware.press("table.taxi")
    simulated.advance(200)


def test_a_handset_pulled_at_the_detectives_turn_stops_the_game_when_mister_x_is_to_move() -> None:
    with at_london() as (simulated, players):
        players.set_up()
        players.play(FIRST)
        screen = simulated.board.screens["handset"]
        screen.unplug()
        simulated.advance(2500)
        assert state(simulated, "handset") == "lost"
        for pawn in WAYS:
            assert not prompt(simulated).startswith("Paused")
            walk(simulated, pawn)
        assert simulated.public.mr_x_to_move
        assert prompt(simulated) == "Paused: the handset is lost"
        with pytest.raises(NotNow, match="paused"):
            simulated.choose(simulated.private.choices.value[0])
        assert screen.pixels() == DARK.tobytes()

        screen.replug()
        simulated.advance(2000)
        assert state(simulated, "handset") == "ok"
        assert not prompt(simulated).startswith("Paused")
        assert screen.pixels() == DARK.tobytes()  # until somebody presses a key
        simulated.hardware.hold("handset.peek")
        simulated.advance(200)
        assert simulated.shows_as_meant("handset")
        assert screen.pixels() != DARK.tobytes()
        simulated.hardware.release("handset.peek")
        players.meant = list(simulated.table.game.actions)
        players.play(SECOND)
        assert len(simulated.table.game.actions) == 6


def test_a_chain_without_its_sentinel_stops_the_game_and_what_was_moved_meanwhile_counts_afterwards() -> None:
    with at_london() as (simulated, players):
        players.set_up()
        players.play(FIRST)
        last = simulated.board.chain.chips[-1]
        last.powered = False
        simulated.advance(200)
        assert state(simulated, "switches") == "lost"
        assert "chip" in str(simulated.table.health()["switches"]["reason"])
        assert prompt(simulated) == "Paused: the switches are lost"
        walk(simulated, "red")
        simulated.advance(2000)
        assert len(simulated.table.game.actions) == 1
        assert prompt(simulated) == "Paused: the switches are lost"

        last.powered = True
        simulated.advance(1500)
        assert state(simulated, "switches") == "ok"
        if len(simulated.table.scene().asked) > 1:
            simulated.hardware.press("table.taxi")
            simulated.advance(200)
        assert simulated.table.game.actions[1:] == [PawnMove("red", 23, "taxi")]


@pytest.mark.long
def test_a_chain_that_comes_and_goes_pauses_the_game_steadily_and_changes_nothing() -> None:
    with at_london() as (simulated, players):
        players.set_up()
        players.play(FIRST)
        last, says = simulated.board.chain.chips[-1], []
        for ms in (10, 45, 20, 130, 15, 60, 35) * 40:
            last.powered = not last.powered
            simulated.advance(ms)
            says.append(prompt(simulated))
        assert {*says[140:]} == {"Paused: the switches come and go"}
        assert "comes and goes" in str(simulated.table.health()["switches"]["reason"])
        last.powered = True
        simulated.advance(6000)
        assert not prompt(simulated).startswith("Paused")
        assert len(simulated.table.game.actions) == 1
        walk(simulated, "red")
        assert simulated.table.game.actions[1:] == [PawnMove("red", 23, "taxi")]


@pytest.mark.long
def test_lamps_and_screens_whose_wires_come_and_go_are_told_a_few_times_and_the_game_goes_on() -> None:
    with at_london() as (simulated, players):
        players.set_up()
        players.play(FIRST)
        lamps, screen = simulated.board.lamps, simulated.board.screens["display"]
        seen = set()
        for ms in (310, 450, 220, 1300, 150, 600, 350) * 8:
            lamps.plugged = not lamps.plugged
            (screen.unplug if screen.wire.plugged else screen.replug)()
            simulated.advance(ms)
            seen.add((state(simulated, "lamps"), state(simulated, "display")))
        assert ("degraded", "degraded") in seen
        walk(simulated, "red")
        assert simulated.table.game.actions[1:] == [PawnMove("red", 23, "taxi")]
        lamps.plugged = True
        screen.replug()
        simulated.advance(32_000)
        assert state(simulated, "lamps") == state(simulated, "display") == "ok"
        assert simulated.shines_as_meant()
        assert simulated.board.screens["display"].pixels() != DARK.tobytes()


def test_lamps_whose_bus_vanishes_and_returns_are_sent_the_whole_frame_anew() -> None:
    with at_london() as (simulated, players):
        players.set_up()
        simulated.advance(500)
        lamps = simulated.board.lamps
        lamps.plugged = False
        simulated.advance(2100)  # a still board is sent anew every second, and the frame after that tells how it went
        assert state(simulated, "lamps") == "lost"
        assert "spidev0.0" in str(simulated.table.health()["lamps"]["reason"])
        before = len(lamps.frames)
        simulated.advance(2000)
        assert state(simulated, "lamps") == "lost"

        lamps.plugged = True
        simulated.advance(1500)
        assert state(simulated, "lamps") == "ok"
        assert 1 <= len(lamps.frames) - before <= 4  # the call that tells of the loss has brought one; one a second
        assert simulated.shines_as_meant()
        assert any(lamps.frames[-1][1])


def test_the_game_goes_on_without_lamps_and_they_catch_up_when_they_are_back() -> None:
    with at_london() as (simulated, players):
        players.set_up()
        lamps = simulated.board.lamps
        lamps.plugged = False
        before = len(lamps.frames)
        players.play(FIRST)
        walk(simulated, "red")
        assert len(simulated.table.game.actions) == 2
        assert state(simulated, "lamps") == "lost"
        assert len(lamps.frames) == before

        lamps.plugged = True
        simulated.advance(1500)
        assert state(simulated, "lamps") == "ok"
        assert len(lamps.frames) > before
        assert simulated.shines_as_meant()


def test_a_board_that_is_put_away_is_dark_and_holds_nothing() -> None:
    with at_london() as (simulated, players):
        players.set_up()
    lamps, screens = simulated.board.lamps, simulated.board.screens
    assert not any(lamps.frames[-1][1])
    assert lamps.opened == 0
    for screen in screens.values():
        assert screen.pixels() == DARK.tobytes()
        assert not any(screen.glass.memory)
        assert screen.wire.open == 0
    assert {pin.function for pin in simulated.board.factory.pins.values()} == {"input"}
