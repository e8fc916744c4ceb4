"""How likely Mister X is to win is learned from games, and what was learned says from which."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from firmware_host.players.search.position_value import FEATURES
from tools.tune.position_value import HIDDEN, learn, loss, main

pytestmark = pytest.mark.long


def test_what_decides_is_learned_and_what_does_not_is_no_guess() -> None:
    chance = np.random.default_rng(2)
    inputs = chance.random((20_000, len(FEATURES))).astype(np.float32)
    won = (inputs[:, 3] > inputs[:, 5]).astype(np.float32)
    weights, badly = learn(inputs[500:], won[500:], inputs[:500], won[:500], seed=1)
    assert badly == loss(weights, inputs[:500], won[:500])
    assert badly < 0.2 < np.log(2)


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
