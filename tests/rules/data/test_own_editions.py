"""Editions as data files (ED-01, ED-02): one of one's own, and any edition with links added and removed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from firmware_host.config import shipped_files
from firmware_host.config.loader import ConfigError, load, simulator, with_rules
from firmware_host.rules.actions import MR_X
from firmware_host.rules.game import Game
from firmware_host.simulator import SimulatedTable
from tests.rules.data.boxes import NAMES, london, setup_of

SHORT = """
title = "A short evening"
map = "london"
windows = 6
surfacing = [2, 4, 6]
order = "player"
[seats]
2 = [["green"]]
3 = [["green", "purple"], ["red"]]
[detective]
taxi = 5
bus = 5
underground = 5
cards = [13, 26, 29]
[mr_x]
black = 2
double = 1
cards = [197, 198]
[options]
cut_off = true
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    (tmp_path / "mine.toml").write_text(SHORT, encoding="utf-8")
    (tmp_path / "yard.toml").write_text('[game]\nrules = "mine.toml"\nplayers = 3\n', encoding="utf-8")
    return tmp_path / "yard.toml"


def _play_out(simulated: SimulatedTable) -> None:
    simulated.new_game(players=3, seed=1)
    assert simulated.public.rules == "mine"
    assert simulated.public.order == ("green", "purple", "red")
    assert set(simulated.public.pawns.values()) <= {13, 26, 29}
    assert simulated.private.at.value in (197, 198)
    assert (simulated.public.windows, simulated.public.surfacing) == (6, {2, 4, 6})
    simulated.close()


def test_ed_01_an_own_edition_is_played_by_a_configuration_that_names_its_file(mine: Path) -> None:
    config = load(mine)
    assert (config.edition.name, config.edition.windows, len(config.layout.log_lamps)) == ("mine", 6, 6)
    _play_out(SimulatedTable(config))


def test_ed_01_an_own_edition_is_played_by_playing_it_on_another_configuration(mine: Path) -> None:
    config = with_rules(simulator(), str(mine.with_name("mine.toml")))
    assert (config.edition.name, len(config.layout.log_lamps)) == ("mine", 6)
    _play_out(SimulatedTable(config))


def test_ed_01_an_own_edition_of_a_shipped_ones_name_is_not_taken_for_it(tmp_path: Path) -> None:
    (tmp_path / "classic.toml").write_text(SHORT, encoding="utf-8")
    config = with_rules(simulator(), str(tmp_path / "classic.toml"))
    assert config.edition.windows == 6
    assert with_rules(simulator(), "classic") == simulator()


def test_ed_01_a_whole_game_of_an_own_edition_ends_by_its_own_windows(mine: Path) -> None:
    edition = shipped_files.load_edition("mine.toml", mine.parent)
    for seed in range(30):
        chance = random.Random(seed)
        table = Game(setup_of(edition, london(), 197, 13, 26, 29, players=3))
        while table.legal:
            table.play(chance.choice(table.legal))
        assert table.public.outcome is not None
        assert len(table.public.log) <= 6


def test_ed_01_what_is_wrong_with_an_own_edition_is_told_by_the_configuration(mine: Path) -> None:
    mine.with_name("mine.toml").write_text(SHORT.replace("[2, 4, 6]", "[2, 7]"), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"(?s)\[game\] rules: .*mine\.toml: surfacing: \[2, 7\]"):
        load(mine)


@pytest.mark.parametrize("name", NAMES)
def test_ed_02_links_are_added_and_removed_with_any_edition(name: str, tmp_path: Path) -> None:
    yard = tmp_path / "yard.toml"
    text = f'[game]\nrules = "{name}"\n[map]\nadd = ["taxi 13-52"]\nremove = ["taxi 13-23"]\n'
    yard.write_text(text, encoding="utf-8")
    config = load(yard)
    links = {(link.a, link.b, link.transport) for link in config.network.links}
    assert (13, 52, "taxi") in links
    assert (13, 23, "taxi") not in links
    start = (13, 29, 34, 50, 91)
    owners = config.edition.owners(5)
    simulated = SimulatedTable(config)
    simulated.new_game(players=5, start={MR_X: 155, **dict(zip(owners, start, strict=False))})
    simulated.set_up()
    simulated.choose(simulated.private.choices.value[0])
    first = simulated.public.turn[0]
    assert {move.to for move in simulated.public.moves if move.pawn == first and move.ticket == "taxi"} == {
        "us": {4, 14, 24, 52}
    }.get(name, {4, 24, 52})
    simulated.close()
