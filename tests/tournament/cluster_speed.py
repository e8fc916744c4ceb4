"""Measure how many games a second a Dask cluster on this machine plays with 1, 2 and 4 workers.

python -m tests.tournament.cluster_speed [A B ...] [--games N] [--workers N ...] [--rules NAME] [--seed N]

The scheduler and the workers are processes of this machine with one thread each; the games are the same every time.
For people: no test uses the figures.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from firmware_host.config.shipped_files import edition_names
from firmware_host.tournament.entrants import Pairing, Terms, entrant, pairings
from firmware_host.tournament.one_game import GameRunner, play
from tests.tournament.dask_processes import PATIENCE, cluster_at, dask_processes


def speeds(games: Sequence[Pairing], counts: Sequence[int]) -> Iterator[tuple[int, float]]:
    """Yield each count of workers, and the games a second that they play.

    Each worker has played a game before, so loading and compiling are not measured.
    """
    with tempfile.TemporaryDirectory() as folder, dask_processes(Path(folder)) as processes:
        cluster = cluster_at(processes.address, patience=PATIENCE, say=lambda line: click.echo(line, err=True))
        started = 0
        for count in sorted(set(counts)):
            for number in range(started, count):
                processes.start_worker(f"worker-{number}")
            started = count
            _play(cluster, games[: 2 * count])
            began = time.monotonic()
            _play(cluster, games)
            yield count, len(games) / (time.monotonic() - began)


def _play(cluster: GameRunner, games: Sequence[Pairing]) -> None:
    for _ in cluster.play(play, games):
        pass


@click.command()
@click.argument("names", nargs=-1, metavar="[A B]...")
@click.option("--games", type=click.IntRange(2), default=100, show_default=True, help="Games per pair; an even number.")
@click.option("--workers", multiple=True, type=click.IntRange(1), default=(1, 2, 4), show_default=True)
@click.option("--rules", type=click.Choice(edition_names()), default="classic", show_default=True)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of all deals and chance.")
def main(names: tuple[str, ...], games: int, workers: tuple[int, ...], rules: str, seed: int) -> None:
    """Print games a second for each count of workers."""
    terms = Terms(rules, 0, (), seed)
    entrants = [entrant(name, terms.box) for name in names or ("medium", "hard")]
    first = 0.0
    for count, speed in speeds(pairings(terms, entrants, games), workers):
        first = first or speed
        click.echo(f"{count} workers: {speed:.2f} games/s, {speed / first:.2f} times the first")


if __name__ == "__main__":
    main()
