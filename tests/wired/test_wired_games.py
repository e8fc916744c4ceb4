"""Whole games on real drivers: magnets, reeds, chips and pins at one end, lamps and screens at the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from firmware_host.config.loader import Config
from firmware_host.players.heuristic.heuristic import flee, pursue
from firmware_host.rules.actions import Double, RollAgain
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from hardware.drivers import pins
from tests.hardware.drivers.blinka_lamps import blinka, writer
from tests.hardware.drivers.lamp_line import WS2812B, WS2812B_V5, levels
from tests.hardware.drivers.lamp_line import LampChain as LampLine
from tests.wired.wired_boards import colours_on_spi
from tests.wired.wired_tables import AtBoard, Plain, Wired, build, changes, milliamps, seated, shining

__all__ = ["blinka", "writer"]  # fixtures


def play(players: SimulatedPeople, each: Callable[[], None] = lambda: None) -> None:
    """A game to its end, by people who want to win; `each` is called whenever something has been done."""
    chance, simulated = Random(1), players.simulated
    players.set_up()
    each()
    while (view := simulated.public).outcome is None:
        rolling = view.to_roll is not None
        players.play(
            None if rolling else flee(simulated.private, chance) if view.mr_x_to_move else pursue(view, chance)
        )
        each()
    simulated.advance(3000)
    each()


def played(kind: type[AtBoard], config: Config, seed: int, *, rough: bool) -> tuple[Any, SimulatedPeople]:
    """A game at one of the two tables, and who played it."""
    with seated(kind, config, seed, rough=rough) as (simulated, players):
        play(players)
    assert simulated.table.game.actions == players.meant
    return simulated, players


def both(config: Config, seed: int, *, rough: bool) -> tuple[Wired, SimulatedPeople]:
    """The same game at a plain table and at a wired one, which must shine and show the same at every moment."""
    plain, meant = played(Plain, config, seed, rough=rough)
    wired, players = played(Wired, config, seed, rough=rough)
    assert players.meant == meant.meant
    assert wired.public.outcome == plain.public.outcome
    frames = wired.board.lamps.frames
    assert changes(frames) == changes([(at, shining(frame, config.lamps)) for at, frame in plain.frames])
    assert max(milliamps(frame) for _, frame in frames) <= config.lamps.max_milliamps
    for name, screen in wired.board.screens.items():
        assert screen.seen == plain.pictures[name]
        assert len(changes(screen.seen)) > 20
    return wired, players


def ending(table: AtBoard) -> str:
    """Why the game ended."""
    outcome = table.public.outcome
    return outcome.reason if outcome else "not yet"


@pytest.mark.long
def test_london_on_chips_spi_lamps_and_i2c_screens() -> None:
    wired, players = both(build("london-spi"), 20, rough=True)
    assert ending(wired) == "captured"
    assert Double() in players.meant
    assert len(players.meant) > 35
    assert len(changes(wired.board.lamps.frames)) > 1000
    assert wired.board.chain is not None
    assert wired.board.chain.loads > 60 * 200


@pytest.mark.usefixtures("writer")
@pytest.mark.long
def test_dice_on_a_matrix_pwm_lamps_and_a_knob(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pins, "SETTLE", 0.0)  # these columns rise at once
    wired, players = both(build("dice-matrix"), 21, rough=False)
    assert ending(wired) == "captured"
    assert RollAgain() in players.meant
    assert players.gestures["handset"] == 5
    assert wired.board.matrix is not None
    assert wired.board.matrix.fights == 0


@pytest.mark.usefixtures("writer")
def test_a_knob_with_a_button_walks_through_the_handset_s_menu() -> None:
    with seated(Wired, build("dice-matrix"), 3) as (wired, players):
        players.set_up()
        pages = []
        for key in ("select", "back", "down", "select", "back", "up", "select"):
            wired.hardware.press(f"handset.{key}")
            wired.advance(100)
            pages.append(wired.table.handset.menu.page)
    assert pages == ["log", "home", "home", "detectives", "home", "home", "log"]


def test_junior_on_a_pin_a_station() -> None:
    _, players = both(build("junior-gpio"), 10, rough=True)
    assert players.gestures["handset"] > 10


def test_the_pulses_on_the_data_line_give_the_same_colours() -> None:
    with seated(Wired, build("london-spi"), 3) as (wired, players):
        players.set_up()
        players.play()
        wired.advance(1000)
    some = list(dict.fromkeys(wired.board.lamps.transfers))[::2]
    assert len(some) > 10
    for sheet in (WS2812B, WS2812B_V5):
        line = LampLine(223, sheet)
        for transfer in some:
            line.take("1" + levels(transfer) + "1")
        assert line.shown == [colours_on_spi(transfer) for transfer in some]


def test_a_low_limit_dims_every_frame_that_would_draw_more() -> None:
    most, config = 240, build("london-spi")
    config = replace(config, lamps=replace(config.lamps, max_milliamps=most))
    histories = []
    for kind in (Plain, Wired):
        with seated(kind, config, 3) as (simulated, players):
            players.set_up()
            players.play()
            simulated.advance(1000)
        histories.append(simulated.frames if kind is Plain else simulated.board.lamps.frames)
    wanted = dict(changes([(at, shining(frame, config.lamps)) for at, frame in histories[0]]))
    dimmed = 0
    assert max(milliamps(frame) for _, frame in histories[1]) <= most
    # Where old and new light together would be too much, what both have in common goes out just before the new.
    for at, frame in dict(changes(histories[1])).items():
        full, idle = milliamps(wanted[at]), len(frame) / 3
        if full <= most:
            assert frame == wanted[at]
        else:
            dimmed += 1
            share = (most - idle) / (full - idle)
            assert milliamps(frame) <= most
            assert all(share * byte - 2 < out <= share * byte for byte, out in zip(wanted[at], frame, strict=True))
    assert dimmed > 10
