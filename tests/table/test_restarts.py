"""A table that is started again after the end of a game."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from firmware_host.config import parse
from firmware_host.journal_file import UnplayableGame
from firmware_host.parlour import Parlour
from firmware_host.parlour.player import Players
from firmware_host.scene import Phase


def test_the_end_of_a_game_on_another_map_does_not_keep_the_table_from_starting(tmp_path: Path) -> None:
    path = tmp_path / "yard" / "journal.sqlite"
    p = Parlour(seed=7, journal=path)
    p.new_game(detectives=3)
    players = Players(p, random.Random(7))
    players.set_up()
    while p.public.outcome is None:
        players.play()
    p.close()
    other = Parlour(parse('[map]\nadd = ["taxi 13-14"]', "other.toml"), journal=path)
    assert other.daemon.scene().phase is Phase.NO_GAME
    other.new_game(detectives=3)
    other.close()
    with pytest.raises(UnplayableGame, match="or begin another game"):
        Parlour(journal=path)
