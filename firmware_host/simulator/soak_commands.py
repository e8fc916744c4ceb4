"""Define the command `soak`: play many simulated games, and check each."""

from __future__ import annotations

import logging
import os
import tempfile
from pathlib import Path

import click

from firmware_host.config.loader import Config, load, simulator, with_rules
from firmware_host.config.shipped_files import edition_names
from firmware_host.config.toml_file import ConfigError, complaint
from firmware_host.simulator.actors.long_soak import PLAY, days_of, run_and_report
from firmware_host.simulator.actors.soak import ALL, soak_and_report, tasks
from firmware_host.system.end_signals import end_in_order

RULES = click.Choice([*edition_names(), ALL])


@click.command()
@click.option("--config", "path", type=click.Path(path_type=Path, dir_okay=False),
              help="A configuration; the shipped simulator's by default.")  # fmt: skip
@click.option("--rules", type=RULES, help="The rule system, or all in turn; by default the configuration's.")
@click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="How many games.")
@click.option("--seed", type=int, default=1, show_default=True, help="The first game's seed; each further game adds 1.")
@click.option("--rough", is_flag=True, help="Simulate a cheap board and careless hands.")
@click.option("--faults", is_flag=True, help="Let devices fail: cables, switches, the line, the power.")
@click.option("--restless", is_flag=True, help="Simulate fidgety hands and sound switches: none may be blamed.")
@click.option("--computer", is_flag=True, help="Let computers play on some seats; with --faults they fail, too.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default=True, help="Processes.")
@click.option("--days", type=click.FloatRange(0.01), help="Instead: one table that runs for this many days.")
@click.option("--play", type=click.FloatRange(0, 24), default=PLAY / 3600, show_default=True,
              help="With --days: hours of each day on which people play.")  # fmt: skip
def soak(
    path: Path | None,
    rules: str | None,
    games: int,
    seed: int,
    rough: bool,
    faults: bool,
    restless: bool,
    computer: bool,
    jobs: int,
    days: float | None,
    play: float,
) -> None:
    """Play many games and check them.

    Each is played through the whole stack, and each move compared with what the hands meant. With --days one table goes
    on and on, and its memory, its journal and its clocks are watched.
    """
    try:
        config = simulator() if path is None else load(path)
    except ConfigError as error:
        raise click.ClickException(complaint(error)) from None
    if days is not None:
        if rules == ALL:
            raise click.UsageError("--days: --rules names the board of one table; all that fit it are played anyway")
        _go_on(config if rules is None else with_rules(config, rules), seed, days, play)
        return
    if restless and (rough or faults or computer):
        raise click.UsageError("--restless: its switches are sound; without --rough, --faults and --computer")
    file, rules = (None, rules or "classic") if path is None else (str(path), rules or "")
    more = {"rough": rough, "faults": faults, "restless": restless, "computer": computer}
    those = tasks(range(seed, seed + games), rules=rules, path=file, **more)
    if soak_and_report(those, jobs, click.echo):
        raise click.ClickException("not every game went as the hands intended")


def _go_on(config: Config, seed: int, days: float, play: float) -> None:
    end_in_order()  # it removes the temporary folder
    logging.getLogger("yardboard").setLevel(logging.CRITICAL)  # the failures are intended
    with tempfile.TemporaryDirectory(prefix="yardboard-") as folder:
        journal = Path(folder) / "journal.sqlite"
        measured = days_of(config, journal, days=days, play=3600 * play, seed=seed)
        if run_and_report(measured, click.echo):
            raise click.ClickException("the table's memory, files or times have changed; see above")


COMMANDS = (soak,)
