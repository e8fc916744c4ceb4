"""Look for better numbers for the search: each trial plays games against the present numbers.

A trial's value is the share of games that it wins, on both sides of the same deals. Each answer takes the same number
of iterations, so the value does not depend on a machine's speed or load. The same seed gives the same study, also if
the study is interrupted and continued, on one machine or on many.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import optuna
from optuna.distributions import BaseDistribution, FloatDistribution
from optuna.samplers import TPESampler
from optuna.storages import RDBStorage
from optuna.trial import FrozenTrial, TrialState, create_trial

from firmware_host.players.levels.levels import LEVELS
from firmware_host.players.search_settings import DEFAULT, SearchSettings
from firmware_host.tournament.entrants import Entrant, Terms, TournamentError, pairings
from firmware_host.tournament.one_game import GameRunner, play, software_version

SPACE: Mapping[str, BaseDistribution] = {
    "explore": FloatDistribution(0.05, 2.0, log=True),
    "random_share": FloatDistribution(0.0, 0.6),
    "coalition": FloatDistribution(0.0, 0.8),
    "announcing_share": FloatDistribution(0.1, 0.9),
    "rest_share": FloatDistribution(0.05, 0.8),
    "urgency": FloatDistribution(0.3, 1.5),
    "pull": FloatDistribution(0.0, 0.6),
    "history": FloatDistribution(0.0, 1.5),
    "value_share": FloatDistribution(0.0, 1.0),
    "noise": FloatDistribution(0.0, 3.0),
    "trust": FloatDistribution(0.0, 1.5),
    "his_explore": FloatDistribution(0.05, 1.0, log=True),
    "his_urgency": FloatDistribution(0.3, 1.5),
    "his_pull": FloatDistribution(0.0, 1.0),
    "plain_share": FloatDistribution(0.0, 1.0),
    "reply_noise": FloatDistribution(0.0, 1.0),
}
"""Number of the search -> the values that trials may try."""

_PLENTY = 600_000
"""More milliseconds than any answer takes, so that only the iterations limit it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The settings of a study, which say how each trial is played.

    Attributes:
        rules: the box's name.
        games: how many games, an even number.
        iterations: how many iterations each answer takes.
        seed: the seed of all deals and random choices, including the sampler's.
    """

    rules: str
    games: int
    iterations: int
    seed: int


def numbers(settings: SearchSettings) -> dict[str, float]:
    """Return settings as a point of `SPACE`."""
    return asdict(settings)


def settings(point: Mapping[str, float]) -> SearchSettings:
    """Return the settings at a point of `SPACE`."""
    return SearchSettings(**point)


@contextmanager
def opened(path: Path, plan: Plan) -> Iterator[optuna.Study]:
    """Open a study, or create one in which the present numbers count as having won half their games.

    Raises:
        TournamentError: the file is a study with another plan.
    """
    storage = RDBStorage(f"sqlite:///{path}")
    try:
        yield _study(path, plan, storage)
    finally:
        storage.remove_session()
        storage.engine.dispose()


def _study(path: Path, plan: Plan, storage: RDBStorage) -> optuna.Study:
    study = optuna.create_study(storage=storage, study_name="search", direction="maximize", load_if_exists=True)
    if study.user_attrs.setdefault("plan", asdict(plan)) != asdict(plan):
        raise TournamentError(f"{path}: is a study of {study.user_attrs['plan']}; name another file for {asdict(plan)}")
    study.set_user_attr("plan", asdict(plan))
    if not study.trials:
        study.add_trial(create_trial(params=numbers(DEFAULT), distributions=dict(SPACE), value=0.5))
    for trial in study.get_trials(states=(TrialState.RUNNING,)):
        study.tell(trial.number, state=TrialState.FAIL)  # it was stopped before its end
    return study


def go_on(study: optuna.Study, plan: Plan, runner: GameRunner) -> float:
    """Play one more trial and return its value."""
    done = len(study.get_trials(states=(TrialState.COMPLETE,)))
    study.sampler = TPESampler(seed=plan.seed * 100_000 + done)
    trial = study.ask(dict(SPACE))
    trial.set_user_attr("yardboard", software_version())
    value = _share_won(settings(trial.params), plan, runner)
    study.tell(trial, value)
    return value


def counting(name: str, settings: SearchSettings, iterations: int) -> Entrant:
    """Return an entrant with these numbers that takes the same number of iterations for each answer."""
    return Entrant(name, replace(LEVELS["expert"], ms=_PLENTY, iterations=iterations, settings=settings))


def timed(name: str, settings: SearchSettings, ms: int) -> Entrant:
    """Return an entrant with these numbers that may take `ms` milliseconds of processor time for an answer."""
    return Entrant(name, replace(LEVELS["expert"], ms=ms, settings=settings))


def _share_won(tried: SearchSettings, plan: Plan, runner: GameRunner) -> float:
    new, old = counting("tried", tried, plan.iterations), counting("in use", DEFAULT, plan.iterations)
    won = 0
    with closing(runner.play(play, pairings(Terms(plan.rules, 0, (), plan.seed), [new, old], plan.games))) as playing:
        for result in playing:
            won += (result.winner == "mr_x") == (result.pairing.mr_x == new)
    return won / plan.games


def record(study: optuna.Study) -> dict[str, Any]:
    """Return the result of a study as JSON values."""
    best, plan = study.best_trial, study.user_attrs["plan"]
    trials = study.get_trials(states=(TrialState.COMPLETE,))
    return {
        "command": _command(Plan(**plan), len(trials) - 1),
        "plan": plan,
        "optuna": optuna.__version__,
        "best": {"number": best.number, "value": best.value, "settings": asdict(settings(best.params))},
        "trials": [_trial(trial) for trial in trials],
    }


def _command(plan: Plan, trials: int) -> str:
    """Return the command that runs the same study again."""
    words = (f"--{name} {value}" for name, value in asdict(plan).items())
    return f"python -m tools.tune study.db --trials {trials} {' '.join(words)}"


def best_of(path: Path) -> SearchSettings:
    """Return the best numbers of a recorded study.

    Raises:
        ValueError: the file is not a study's record.
    """
    try:
        return SearchSettings(**json.loads(path.read_text(encoding="utf-8"))["best"]["settings"])
    except (OSError, KeyError, TypeError, ValueError):
        raise ValueError(f"{path}: is not a study's record; name a readable file that --record has written") from None


def _trial(trial: FrozenTrial) -> dict[str, Any]:
    return {"number": trial.number, "value": trial.value, **trial.user_attrs, "numbers": trial.params}
