"""The command `tournament`: let players play each other."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import click

from firmware_host.config.loader import load
from firmware_host.config.shipped_files import edition_names
from firmware_host.config.toml_file import ConfigError
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Option
from firmware_host.system.end_signals import control_c
from firmware_host.system.printable import printable
from firmware_host.tournament.entrants import Entrant, TournamentError, entrant, programs
from firmware_host.tournament.game_runner import GameRunner, RunnerLost
from firmware_host.tournament.local_processes import LocalProcesses
from firmware_host.tournament.one_game import Result, play
from firmware_host.tournament.pairings import Pairing, Terms, pairings
from firmware_host.tournament.results_file import ResultsFile
from firmware_host.tournament.standings_output import Played, check_writable, tell, write
from hardware.ports import install_extra

_FILE = click.Path(path_type=Path, dir_okay=False)
_LIBRARIES = ("choix", "scipy")
_SCHEDULER = re.compile(r"(?!.*[^\D0-9])(tcp|tls)://(?P<host>[^/:\s\[\]]+|\[[0-9a-fA-F:.]+\]):(?P<port>\d{1,5})")
"""A host by name or address, one of IPv6 in brackets, and a port; no digits but 0 to 9."""

_PORTS = range(1, 65_536)
_DIGITS = 18
"""Digits that the value of an option may have."""


@click.command()
@click.argument("names", metavar="A B …", nargs=-1, required=True)
@click.option("--games", type=click.IntRange(2), default=100, show_default=True, help="Of every two; an even number.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of all deals and all chance.")
@click.option(
    "--rules", type=click.Choice(edition_names()), default="classic", show_default=True, help="What is played."
)
@click.option(
    "--players", type=click.IntRange(2), help="How many play, Mister X included; by default as many as usual."
)
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game; as often as needed."
)
@click.option("--ms", type=click.IntRange(1, 600_000), help="Processor time of an answer; by default the level's own.")
@click.option("--csv", "csv_path", type=_FILE, help="Keep each game there; those that it has are not played again.")
@click.option("--json", "json_path", type=_FILE, help="Write the standings there.")
@click.option("--config", type=_FILE, help="A table's configuration: programs of its [players.NAME] may be named, too.")
@click.option("--jobs", type=click.IntRange(1), help="Processes on this machine; by default one a core.")
@click.option("--cluster", metavar="tcp://HOST:PORT", help="Play on a Dask cluster instead: where its scheduler is.")
@click.option(
    "--wait",
    type=click.FloatRange(0.1),
    default=60.0,
    show_default=True,
    help="Seconds to wait for the cluster's scheduler and workers.",
)
def tournament(
    names: tuple[str, ...], games: int, seed: int, rules: str, players: int | None, options: tuple[str, ...],
    ms: int | None, csv_path: Path | None, json_path: Path | None, config: Path | None, jobs: int | None,
    cluster: str | None, wait: float,
) -> None:  # fmt: skip
    """Let players play each other.

    A, B and so on are levels: easy, medium, hard or expert; expert@100 has 100 ms of processor time an answer. With
    --config they may be programs, too: NAME, or NAME/LEVEL. Every two meet on the same deals, each once as Mister X and
    once as the detectives.
    """
    missing = [name for name in (*_LIBRARIES, *["distributed"] * bool(cluster)) if find_spec(name) is None]
    if missing:
        raise click.ClickException(f"tournament needs {missing[0]}; install with: {install_extra('tournament')}")
    if games % 2:
        raise click.UsageError(f"--games: {games} is odd; each deal is played twice, once on either side")
    runner = runner_of(jobs, cluster, wait)
    try:
        terms = Terms.of(rules, players or 0, _options(options), seed)
        others = programs(load(config)) if config is not None else {}
        entrants = [entrant(name, terms.box, ms, others) for name in names]
        _check(terms, entrants)
        if json_path is not None:
            check_writable(json_path, {"--csv": csv_path, "--config": config})
        results = _played(pairings(terms, entrants, games), csv_path, runner)
    except RunnerLost as error:
        raise click.ClickException(printable(str(error))) from None
    except (TournamentError, BadSetup, ConfigError) as error:
        raise click.UsageError(printable(str(error))) from None
    except OSError as error:
        raise click.ClickException(printable(f"{csv_path}: cannot be used: {error.strerror}")) from None
    played = Played(terms, entrants, results)
    tell(played)
    if json_path is not None:
        try:
            write(played, json_path)
        except OSError as error:
            raise click.ClickException(printable(f"{json_path}: cannot be written: {error.strerror}")) from None


def runner_of(jobs: int | None, cluster: str | None, wait: float) -> GameRunner:
    """Return what plays the games: this machine, or a cluster.

    Args:
        jobs: processes on this machine; None: one a core.
        cluster: the address of a cluster's scheduler, or None.
        wait: seconds to wait for the cluster's scheduler and workers.

    Raises:
        click.UsageError: both are named, or what is named is no address.
    """
    if cluster is None:
        return LocalProcesses(jobs or os.cpu_count() or 1)
    if jobs is not None:
        raise click.UsageError("--jobs: is for this machine; a cluster plays as many games as its workers have threads")
    if not _is_scheduler(cluster):
        example = "write it as tcp://HOST:PORT, such as tcp://10.0.0.5:8786 or tcp://[::1]:8786, the port at most 65535"
        raise click.UsageError(printable(f"--cluster: {cluster}: {example}"))
    from firmware_host.tournament.dask_cluster import DaskCluster  # noqa: PLC0415 - heavy, and not everyone's

    return DaskCluster(cluster, patience=wait, say=lambda line: click.echo(printable(line), err=True))


def _is_scheduler(address: str) -> bool:
    """Tell whether the address of a scheduler is written like this."""
    found = _SCHEDULER.fullmatch(address)
    try:
        return found is not None and int(found["port"]) in _PORTS and bool(found["host"].encode("idna"))
    except UnicodeError:  # no host has such a name
        return False


def _options(texts: Iterable[str]) -> dict[str, Option]:
    """Return options by their names, each of which is named once."""
    options: dict[str, Option] = {}
    for name, value in map(_option, texts):
        if name in options:
            raise TournamentError(f"--option: {name}: is named more than once; give it one value")
        options[name] = value
    return options


def _option(text: str) -> tuple[str, Option]:
    """Return the name and value of an option as it is written."""
    name, equals, value = text.partition("=")
    if not equals:
        raise TournamentError(f"--option: {text}: write it as NAME=VALUE, such as last_chance=true")
    words: dict[str, Option] = {"true": True, "false": False}
    if value in words or not (value.isascii() and value.isdigit()):
        return name, words.get(value, value)
    if len(value) > _DIGITS:
        raise TournamentError(f"--option: {name}: a number of {len(value)} digits; it may have {_DIGITS}")
    return name, int(value)


def _check(terms: Terms, entrants: list[Entrant]) -> None:
    """Find out before anything is played whether it can be."""
    names = [who.name for who in entrants]
    if len({*names}) != len(names) or len(names) < 2:
        raise TournamentError(f"{' '.join(names)}: name two players or more, each once")
    Game(terms.deal(0))


def _played(games: list[Pairing], path: Path | None, runner: GameRunner) -> list[Result]:
    """Return the results of all games: those in the file, and those of the games that are played now."""
    kept = ResultsFile(path, games) if path is not None else None
    results = list(kept.results) if kept is not None else []
    known = {result.pairing for result in results}
    left = [pairing for pairing in games if pairing not in known]
    if results:
        click.echo(f"{len(results)} of {len(games)} games were played before", err=True)
    try:
        with (
            control_c,
            closing(runner.play(play, left)) as playing,
            click.progressbar(playing, len(left), "games", show_pos=True, file=sys.stderr) as played,
        ):
            for result in played:
                if kept is not None:
                    kept.add(result)
                results.append(result)
    except (KeyboardInterrupt, RunnerLost):
        if results:
            click.echo(f"\n{_left_off(path)}", err=True)
        raise
    return results


def _left_off(path: Path | None) -> str:
    if path is None:
        return "what was played is lost; with --csv it would have been kept"
    return f"what was played is in {printable(str(path))}; the same command goes on with the rest"


COMMANDS = (tournament,)
