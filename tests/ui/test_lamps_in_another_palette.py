"""Whoever wants other colours sees the lamps as a table would show them that is set to those."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from firmware_host.config.board_layout import BoardLayout
from firmware_host.config.loader import Config
from firmware_host.referee.scene import Scene
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.system.language import Lines
from firmware_host.ui.lamp_plan import PALETTES
from firmware_host.ui.lamp_rhythms import LampFrame
from tests.table.cases import shipped


class Onlooker:
    """Keeps what the lamps show at each beat."""

    def __init__(self) -> None:
        self.frames: list[LampFrame] = []

    def see(self, scene: Scene, layout: BoardLayout, frame: LampFrame) -> None:  # noqa: ARG002 - an audience's
        self.frames.append(frame)

    def receive(self, lines: Lines) -> None:
        pass

    def forget(self) -> None:
        pass


def coloured(rules: str, palette: str) -> Config:
    config = shipped(rules)
    return replace(config, lamps=replace(config.lamps, palette=palette))


def evening(config: Config) -> list[LampFrame]:
    """The lamps of a game that begins, is played for a while, and loses its lamps for a moment."""
    onlooker = Onlooker()
    table = SimulatedTable(config, seed=3, audience=onlooker)
    table.new_game()
    people = SimulatedPeople(table, random.Random(3))
    people.set_up()
    for _ in range(8):
        people.play()
    table.hardware.lamps.unplug()
    table.advance(1000)
    table.close()
    return onlooker.frames


@pytest.mark.parametrize("rules", ["classic", "us", "junior"])
def test_a_frame_in_other_colours_is_that_of_a_table_set_to_them(rules: str) -> None:
    usual, blind = (evening(coloured(rules, palette)) for palette in PALETTES)
    assert [one.in_palette("colour-blind") for one in usual] == [one.shining for one in blind]
    assert [one.in_palette("standard") for one in blind] == [one.shining for one in usual]
    assert [one.in_palette("standard") for one in usual] == [one.shining for one in usual]
    assert len({one.shining for one in usual}) > 20
    assert usual[-1].shining is None
