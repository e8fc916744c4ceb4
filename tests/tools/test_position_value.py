"""How likely Mister X is to win is learned from games, and what was learned says from which."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from firmware_host.players.search.position_value import FEATURES
from tests.tournament.dask_processes import dask_processes
from tools.tune.position_value import HIDDEN, learn, loss, main, setup_of

pytestmark = pytest.mark.long


def test_what_decides_is_learned_and_what_does_not_is_no_guess() -> None:
    chance = np.random.default_rng(2)
    inputs = chance.random((20_000, len(FEATURES))).astype(np.float32)
    won = (inputs[:, 3] > inputs[:, 5]).astype(np.float32)
    weights, badly = learn(inputs[500:], won[500:], inputs[:500], won[:500], seed=1)
    assert badly == loss(weights, inputs[:500], won[:500])
    assert badly < 0.2 < np.log(2)


def test_all_pursuit_games_are_played_with_more_and_fewer_detectives() -> None:
    setups = [setup_of(deal, 1) for deal in range(60)]
    assert {setup.edition.name for setup in setups} == {"classic", "us", "current", "beginners"}
    assert len({len(setup.start) for setup in setups}) > 1


def test_weights_are_written_with_their_recipe_and_the_same_recipe_makes_the_same(tmp_path: Path) -> None:
    words, told = ["--deals", "1-3", "--deals", "9", "--iterations", "5", "--jobs", "1"], []
    for name in ("one.json", "two.json"):
        done = CliRunner().invoke(main, [str(tmp_path / name), *words])
        assert done.exit_code == 0, done.output
        told.append(json.loads((tmp_path / name).read_text(encoding="utf-8")))
    assert told[0] == told[1]
    assert told[0]["features"] == list(FEATURES)
    assert np.array(told[0]["first"]).shape == (HIDDEN, len(FEATURES))
    assert told[0] | {"deals": ["1-3", "9"], "seed": 777, "iterations": 5, "games": 4} == told[0]


@pytest.mark.long
def test_a_cluster_learns_the_same(tmp_path: Path) -> None:
    words, told = ["--deals", "1-4", "--iterations", "5"], []
    with dask_processes(tmp_path) as dask:
        dask.start_worker("one")
        dask.start_worker("other")
        for name, where in (("here.json", ["--jobs", "1"]), ("there.json", ["--cluster", dask.address])):
            done = CliRunner().invoke(main, [str(tmp_path / name), *words, *where])
            assert done.exit_code == 0, done.output
            told.append((tmp_path / name).read_bytes())
    assert told[0] == told[1]


def test_deals_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, [str(tmp_path / "weights.json"), "--deals", "some"])
    assert done.exit_code == 2
    assert "write two numbers" in done.output
