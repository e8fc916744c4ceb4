"""A table that is started again after the end of a game."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from firmware_host.config.loader import parse
from firmware_host.journal.store_port import UnplayableGame
from firmware_host.referee.scene import Phase
from firmware_host.rules.actions import MR_X
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from tests.table.played_table import confirm, hunted, press, put, text


def test_the_end_of_a_game_on_another_map_does_not_keep_the_table_from_starting(tmp_path: Path) -> None:
    path = tmp_path / "yard" / "journal.sqlite"
    p = SimulatedTable(seed=7, journal=path)
    p.new_game(detectives=3)
    players = SimulatedPeople(p, random.Random(7))
    players.set_up()
    while p.public.outcome is None:
        players.play()
    p.close()
    other = SimulatedTable(parse('[map]\nadd = ["taxi 13-14"]', "other.toml"), journal=path)
    assert other.table.scene().phase is Phase.NO_GAME
    other.new_game(detectives=3)
    other.close()
    with pytest.raises(UnplayableGame, match="or begin another game"):
        SimulatedTable(journal=path)


def test_pb_05_what_is_felt_after_a_restart_may_be_mister_xs_own_pawn_and_is_asked_for() -> None:
    p = hunted((74, 75), (51, 67), seen=True)
    put(p, 67, MR_X, 1000)
    move = next(m for m in p.public.moves if m.to not in {67, *p.public.pawns.values()} and m.ticket == "taxi")
    before = p.public.pawns[move.pawn]
    p.cut_power()
    p.hardware.lift(before, move.pawn)
    p.hardware.put(move.to, move.pawn)
    p.restart()
    p.advance(10_000)
    assert p.public.pawns[move.pawn] == before
    asked = p.table.scene().asked
    assert {(m.pawn, m.to) for m in asked} == {(move.pawn, move.to)}
    if len(asked) > 1:
        press(p, f"table.{move.ticket}", 500)
    else:
        assert "CONFIRM. No: BACK" in text(p)
        confirm(p)
    assert p.public.pawns[move.pawn] == move.to
