"""A study of the search's numbers repeats itself, and goes on where it was stopped."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from firmware_host.players.search_settings import DEFAULT
from firmware_host.tournament.one_game import LocalProcesses
from tools.tune import compare
from tools.tune.__main__ import main
from tools.tune.compare import changed
from tools.tune.study import SPACE, Plan, best_of, go_on, numbers, opened, settings

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


def test_the_study_that_is_kept_can_be_made_and_played_again() -> None:
    path = Path(compare.__file__).with_name("study.json")
    kept = json.loads(path.read_text(encoding="utf-8"))
    words = " ".join(f"--{name} {value}" for name, value in kept["plan"].items())
    assert kept["command"] == f"python -m tools.tune study.db --trials {len(kept['trials']) - 1} {words}"
    assert kept["best"]["value"] == max(trial["value"] for trial in kept["trials"])
    assert numbers(best_of(path)).items() >= kept["best"]["settings"].items()


def test_the_numbers_in_use_are_a_point_of_what_is_searched() -> None:
    assert settings(numbers(DEFAULT)) == DEFAULT
    assert all(SPACE[name]._contains(value) for name, value in numbers(DEFAULT).items())


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


class _Stopped:
    """Plays one game, and is stopped."""

    def play(self, play, games):  # type: ignore[no-untyped-def]
        yield from LocalProcesses(1).play(play, games[:1])
        raise KeyboardInterrupt


def test_a_trial_that_was_stopped_in_its_midst_is_played_again(tmp_path: Path) -> None:
    plan = Plan("beginners", 2, 50, 3)
    with pytest.raises(KeyboardInterrupt), opened(tmp_path / "stopped.db", plan) as study:
        go_on(study, plan, _Stopped())
    (_, one), (_, again) = (studied(tmp_path, 1, name=name)["trials"] for name in ("stopped", "other"))
    assert (one["numbers"], one["value"]) == (again["numbers"], again["value"])


def test_a_study_of_something_else_is_not_gone_on_with(tmp_path: Path) -> None:
    studied(tmp_path, 1)
    done = CliRunner().invoke(main, [str(tmp_path / "study.db"), *WORDS, "--iterations", "60"])
    assert done.exit_code == 1
    assert "name another file" in done.output


def compared(*words: str) -> Result:
    return CliRunner().invoke(compare.main, ["--rules", "beginners", "--iterations", "50", "--jobs", "1", *words])


def test_the_same_numbers_win_half_against_themselves() -> None:
    done = compared("--games", "6", "pull=0.4", "--other", "pull=0.4")
    assert done.exit_code == 0, done.output
    assert done.output.split()[:2] == ["together", "50.0%"]


def test_numbers_are_compared_by_processor_time_too() -> None:
    done = compared("--games", "2", "--ms", "2", "--other", "trust=0")
    assert done.exit_code == 0, done.output
    assert done.output.split()[0] == "together"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--games", "3"), "3 is odd"),
        (("pull",), "pull: write it as NAME=NUMBER"),
        (("--other", "push=1"), "push=1: the numbers are explore, "),
        (("--study", __file__), "is no record of a study"),
    ],
)
def test_what_cannot_be_compared_is_refused(words: tuple[str, ...], why: str) -> None:
    done = compared(*words)
    assert done.exit_code == 2
    assert why in done.output
