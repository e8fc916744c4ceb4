"""How Mister X chooses is learned from games, and what was learned says from which."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from firmware_host.players.search import belief
from firmware_host.players.search.belief import FEATURES
from tools.tune.choice import Choice, learn, main

pytestmark = pytest.mark.long


def chosen_by(weights: dict[str, float], count: int) -> list[Choice]:
    """Choices among four ways, by chance and these weights."""
    chance, plain = np.random.default_rng(3), np.array([weights.get(name, 0.0) for name in FEATURES])
    found = []
    for _ in range(count):
        features = chance.normal(size=(4, len(FEATURES)))
        likely = np.exp(features @ plain)
        found.append((features, int(chance.choice(4, p=likely / likely.sum()))))
    return found


def test_the_weights_that_choices_were_made_by_are_learned_from_them() -> None:
    learned = dict(zip(FEATURES, learn(chosen_by({"ways_on": 1.0, "bus": -0.5}, 4000)), strict=True))
    assert learned == pytest.approx(dict.fromkeys(FEATURES, 0.0) | {"ways_on": 1.0, "bus": -0.5}, abs=0.15)


def test_weights_are_written_with_their_recipe_and_the_same_recipe_makes_the_same(tmp_path: Path) -> None:
    words = ["pull=0.3", "--deals", "2-2", "--deals", "4", "--iterations", "20", "--seed", "5"]
    told = []
    for name in ("one.json", "two.json"):
        done = CliRunner().invoke(main, [str(tmp_path / name), *words])
        assert done.exit_code == 0, done.output
        told.append(json.loads((tmp_path / name).read_text(encoding="utf-8")))
    assert told[0] == told[1]
    assert told[0]["weights"].keys() == set(FEATURES)
    assert told[0]["both"] == ["trust=0"]
    assert told[0] | {"seed": 5, "deals": ["2-2", "4"], "iterations": 20, "changed": ["pull=0.3"]} == told[0]


def test_what_is_learned_does_not_depend_on_what_was_learned_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = []
    for name, weights in (("in-use.json", belief.learned()), ("others.json", np.ones(len(FEATURES)))):
        monkeypatch.setattr(belief, "learned", lambda weights=weights: weights)
        done = CliRunner().invoke(main, [str(tmp_path / name), "--deals", "4", "--iterations", "20", "--seed", "5"])
        assert done.exit_code == 0, done.output
        told.append((tmp_path / name).read_bytes())
    assert told[0] == told[1]
