"""Look for better numbers for the search, by games against the present numbers. A study can be continued.

python -m tools.tune STUDY.db [--trials N] [--games N] [--iterations N] [--rules NAME] [--seed N] [--record FILE]
"""

from __future__ import annotations

import json
from pathlib import Path

import click
import optuna

from firmware_host.config.shipped_files import edition_names
from firmware_host.system.files import replace_file
from firmware_host.system.terminal import FILE
from firmware_host.tournament.entrants import TournamentError
from firmware_host.tournament.tournament_command import runner_of
from tools.tune.study import Plan, go_on, opened, record


@click.command()
@click.argument("storage", metavar="STUDY.db", type=FILE)
@click.option("--trials", type=click.IntRange(1), default=100, show_default=True, help="Those played before included.")
@click.option("--games", type=click.IntRange(2), default=200, show_default=True, help="Of each trial; an even number.")
@click.option("--iterations", type=click.IntRange(1), default=2000, show_default=True, help="Of each answer.")
@click.option("--rules", type=click.Choice(edition_names()), default="classic", show_default=True)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of the sampler, deals and chance.")
@click.option("--record", "record_path", type=FILE, help="Write what came of it there, as JSON, after each trial.")
@click.option("--jobs", type=click.IntRange(1), help="Processes on this machine; by default one per core.")
@click.option("--cluster", metavar="tcp://HOST:PORT", help="Play on the Dask cluster of this scheduler instead.")
@click.option("--wait", type=click.FloatRange(0.1), default=60.0, show_default=True, help="Seconds, for the cluster.")
def main(
    storage: Path, trials: int, games: int, iterations: int, rules: str, seed: int, record_path: Path | None,
    jobs: int | None, cluster: str | None, wait: float,
) -> None:  # fmt: skip
    """Play trials until the study has the wanted number of them."""
    if games % 2:
        raise click.UsageError(f"--games: {games} is odd; write an even number: each deal is played on both sides")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    plan, runner = Plan(rules, games, iterations, seed), runner_of(jobs, cluster, wait)
    try:
        with opened(storage, plan) as study:
            while (known := record(study)) and len(known["trials"]) <= trials:
                value = go_on(study, plan, runner)
                so_far = f"the best so far {study.best_value:.1%}"
                click.echo(f"trial {len(known['trials'])} of {trials}: {value:.1%}, {so_far}")
                _write(record_path, record(study))
            _write(record_path, known)
            click.echo(json.dumps(known["best"], indent=1))
    except TournamentError as error:
        raise click.ClickException(str(error)) from None


def _write(path: Path | None, known: dict[str, object]) -> None:
    if path is not None:
        replace_file(path, f"{json.dumps(known, indent=1)}\n".encode(), durable=False)


if __name__ == "__main__":
    main()
