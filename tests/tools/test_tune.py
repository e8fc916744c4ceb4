"""A study of the search's numbers repeats itself, and goes on where it was stopped."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from firmware_host.players.search_settings import DEFAULT
from tools.tune import compare
from tools.tune.__main__ import main
from tools.tune.compare import changed
from tools.tune.study import best_of, numbers

pytestmark = pytest.mark.long

WORDS = ("--rules", "beginners", "--games", "2", "--iterations", "50", "--seed", "3", "--jobs", "1")


def studied(folder: Path, trials: int, *words: str, name: str = "study") -> dict[str, Any]:
    """What is recorded of a study with so many trials."""
    record = folder / f"{name}.json"
    done = CliRunner().invoke(
        main, [str(folder / f"{name}.db"), "--trials", str(trials), "--record", str(record), *WORDS, *words]
    )
    assert done.exit_code == 0, done.output
    told: dict[str, Any] = json.loads(record.read_text(encoding="utf-8"))
    return told


def test_a_study_of_three_trials_is_recorded_and_is_the_same_when_it_is_stopped_in_between(tmp_path: Path) -> None:
    whole = studied(tmp_path, 3, name="whole")
    studied(tmp_path, 1)
    assert studied(tmp_path, 3) == whole
    in_use, *tried = whole["trials"]
    assert in_use == {"number": 0, "value": 0.5, "numbers": numbers(DEFAULT)}
    assert len({json.dumps(trial["numbers"]) for trial in tried}) == 3
    assert all(trial["value"] in (0.0, 0.5, 1.0) for trial in tried)
    assert all("code" in trial["yardboard"] for trial in tried)
    assert whole["best"]["value"] == max(trial["value"] for trial in whole["trials"])
    assert whole["best"]["settings"].keys() == asdict(DEFAULT).keys()
    assert len(json.dumps(whole)) < 5000
    words = "--trials 3 --rules beginners --games 2 --iterations 50 --seed 3"
    assert whole["command"] == f"python -m tools.tune study.db {words}"
    assert asdict(best_of(tmp_path / "whole.json")) == whole["best"]["settings"]
    assert changed(["pull=0.3"], tmp_path / "whole.json") == replace(best_of(tmp_path / "whole.json"), pull=0.3)


def compared(*words: str) -> Result:
    return CliRunner().invoke(compare.main, ["--rules", "beginners", "--iterations", "50", "--jobs", "1", *words])


def test_the_same_numbers_win_half_against_themselves() -> None:
    done = compared("--games", "6", "pull=0.4", "--other", "pull=0.4")
    assert done.exit_code == 0, done.output
    assert done.output.split()[:2] == ["together", "50.0%"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--games", "3"), "3 is odd"),
        (("pull",), "pull: write it as NAME=NUMBER"),
        (("--other", "push=1"), "push=1: the numbers are explore, "),
        (("--study", __file__), "is not a study's record"),
    ],
)
def test_what_cannot_be_compared_is_refused(words: tuple[str, ...], why: str) -> None:
    done = compared(*words)
    assert done.exit_code == 2
    assert why in done.output
