"""Let the search play against itself, with other numbers on each side.

python -m tools.tune.compare [NAME=NUMBER ...] [--study FILE] [--other NAME=NUMBER ...] [--games N] [--iterations N]
[--ms N] [--rules NAME]
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import click

from firmware_host.config.shipped_files import edition_names
from firmware_host.players.search_settings import DEFAULT, SearchSettings
from firmware_host.system.terminal import FILE
from firmware_host.tournament.entrants import Terms, TournamentError, pairings
from firmware_host.tournament.one_game import play
from firmware_host.tournament.standings import meetings
from firmware_host.tournament.tournament_command import runner_of
from tools.tune.study import SPACE, best_of, counting, numbers, settings, timed


def changed(words: Sequence[str], study: Path | None = None) -> SearchSettings:
    """Return the search's present settings, or the best of a study, changed by texts such as "pull=0"."""
    try:
        base = DEFAULT if study is None else best_of(study)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    point = dict[str, float]()
    for word in words:
        name, _, number = word.partition("=")
        try:
            point[name] = float(number)
        except ValueError:
            raise click.UsageError(f"{word}: write it as NAME=NUMBER, such as pull=0") from None
        if name not in SPACE:
            raise click.UsageError(f"{word}: the numbers are {', '.join(SPACE)}")
    return settings(numbers(base) | point)


@click.command()
@click.argument("one", nargs=-1, metavar="[NAME=NUMBER]...")
@click.option("--study", type=FILE, help="A recorded study, whose best numbers play first.")
@click.option("--other", multiple=True, metavar="NAME=NUMBER", help="What is different for the other; more than once.")
@click.option("--games", type=click.IntRange(2), default=400, show_default=True, help="An even number.")
@click.option("--iterations", type=click.IntRange(1), default=2000, show_default=True, help="Of each answer.")
@click.option("--ms", type=click.IntRange(1), help="Of processor time for each answer, instead of iterations.")
@click.option("--rules", type=click.Choice(edition_names()), default="classic", show_default=True)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of all deals and chance.")
@click.option("--jobs", type=click.IntRange(1), help="Processes on this machine; by default one per core.")
@click.option("--cluster", metavar="tcp://HOST:PORT", help="Play on the Dask cluster of this scheduler instead.")
@click.option("--wait", type=click.FloatRange(0.1), default=60.0, show_default=True, help="Seconds, for the cluster.")
def main(
    one: tuple[str, ...], study: Path | None, other: tuple[str, ...], games: int, iterations: int, ms: int | None,
    rules: str, seed: int, jobs: int | None, cluster: str | None, wait: float,
) -> None:  # fmt: skip
    """Print the share of games that the first numbers have won."""
    if games % 2:
        raise click.UsageError(f"--games: {games} is odd; write an even number: each deal is played on both sides")
    both = {"one": changed(one, study), "other": changed(other)}
    entrants = [timed(name, by, ms) if ms is not None else counting(name, by, iterations) for name, by in both.items()]
    runner = runner_of(jobs, cluster, wait)
    try:
        with closing(runner.play(play, pairings(Terms(rules, 0, (), seed), entrants, games))) as playing:
            (meeting,) = meetings(["one", "other"], playing)
    except TournamentError as error:
        raise click.ClickException(str(error)) from None
    for where, share in meeting.shares.items():
        click.echo(f"{where:14} {share}")


if __name__ == "__main__":
    main()
