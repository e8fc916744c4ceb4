"""A game given up on the handset, in the middle of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.journal.entries import ABANDON
from firmware_host.referee.scene import Phase
from firmware_host.rules.actions import MR_X
from firmware_host.simulator import IN_MEMORY, SimulatedTable
from firmware_host.table.commands import StartGame
from tests.table.any_table import CLASSIC, carried, handset, kinds
from tests.table.cases import shipped
from tests.table.played_table import Watched, begun, config, go, hold, release, text


def menu_in_play(tmp_path: Path) -> tuple[SimulatedTable, Path]:
    """Mister X asks for a new game in the middle of one."""
    path = tmp_path / "journal.sqlite"
    p = SimulatedTable(shipped("classic"), journal=path)
    p.new_game(detectives=3, start={MR_X: 45, "red": 75, "yellow": 13, "green": 26})
    p.set_up()
    go(p, 58)
    handset(p, "bus")
    assert p.handset_lines() == ["New game", "Give up this game?", "> No, go on", "  Yes, give it up"]
    return p, path


def test_during_a_game_two_deliberate_yeses_give_it_up_and_that_is_written_down(tmp_path: Path) -> None:
    p, path = menu_in_play(tmp_path)
    handset(p, "ds")
    assert p.handset_lines() == ["New game", "Sure? Nobody wins", "> No, go on", "  Yes, give it up"]
    assert p.table.game is not None
    assert kinds(path) == ["begin", "play"]
    handset(p, "ds")
    assert p.table.game is None
    assert kinds(path) == ["begin", "play", "abandon"]
    assert p.table.scene().phase is Phase.NO_GAME
    assert text(p) == "The game was given up. Press CONFIRM for a new game"
    assert p.station_leds() == {}
    assert p.handset_lines()[2:] == CLASSIC
    handset(p, "sss")
    assert kinds(path) == ["begin", "play", "abandon", "begin"]
    assert p.table.scene().phase is Phase.SET_UP
    p.close()


def test_a_game_that_was_given_up_is_not_taken_up_again(tmp_path: Path) -> None:
    p, path = menu_in_play(tmp_path)
    handset(p, "dsds")
    p.restart()
    p.advance(500)
    assert p.table.game is None
    assert p.table.scene().phase is Phase.NO_GAME
    assert p.handset_lines()[0] == "No game"
    assert kinds(path) == ["begin", "play", "abandon"]
    p.close()


@pytest.mark.parametrize("keys", ["s", "b", "dss", "dsb" + "s", "ds" + "uu" + "s", "dds"])
def test_every_other_way_through_goes_on_with_the_game(tmp_path: Path, keys: str) -> None:
    p, path = menu_in_play(tmp_path)
    handset(p, keys)
    assert p.handset_lines()[0].startswith("You are at ")
    assert kinds(path) == ["begin", "play"]
    carried(p, "red", 74)
    assert p.public.pawns["red"] == 74 or p.table.scene().asked
    p.close()


def test_the_board_is_played_on_while_the_handset_asks(tmp_path: Path) -> None:
    p, path = menu_in_play(tmp_path)
    handset(p, "ds")
    carried(p, "red", 58)  # red catches him meanwhile
    assert p.public.outcome is not None
    handset(p, "d")  # nothing is to be given up any more
    assert p.handset_lines()[2:] == CLASSIC
    handset(p, "s")
    assert "abandon" not in kinds(path)
    assert kinds(path)[-1] == "finish"
    assert p.public.outcome is not None
    p.close()


def test_a_game_cannot_be_given_up_while_the_journal_cannot_be_written() -> None:
    p = Watched(shipped("classic"), journal=IN_MEMORY)
    p.do(StartGame(detectives=3, start={MR_X: 45, "red": 75, "yellow": 13, "green": 26}))
    p.set_up()
    go(p, 58)
    before = p.public
    handset(p, "bus" + "ds" + "d")
    p.store.refused = frozenset({ABANDON})
    handset(p, "s")
    assert p.handset_lines()[0] == "Not saved"
    assert p.public == before
    handset(p, "s")
    assert p.handset_lines() == ["New game", "Sure? Nobody wins", "  No, go on", "> Yes, give it up"]


def test_behind_the_cover_no_game_is_given_up_without_peek() -> None:
    p = begun(45, config(handset={"privacy": "hold"}), red=75, yellow=13, green=26)
    handset(p, "bus" + "ds" + "ds")
    assert p.table.game is not None
    hold(p, "handset.peek")
    handset(p, "bus" + "ds" + "d")
    release(p, "handset.peek")
    handset(p, "s")
    assert p.table.game is not None
    hold(p, "handset.peek")
    handset(p, "s")
    assert p.table.game is None
