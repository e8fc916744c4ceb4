"""Define the command `tournament`, which plays many games between players."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path

import click

from firmware_host.config.loader import load
from firmware_host.config.shipped_files import edition_names
from firmware_host.config.toml_file import ConfigError
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Option
from firmware_host.system.plain_faults import writing_fault
from firmware_host.system.printable import printable
from firmware_host.system.process import control_c
from firmware_host.system.terminal import FILE, echo
from firmware_host.tournament.entrants import Entrant, Pairing, Terms, TournamentError, entrant, pairings, programs
from firmware_host.tournament.one_game import GameRunner, LocalProcesses, Result, RunnerLost, play
from firmware_host.tournament.results_file import ResultsFile
from firmware_host.tournament.standings import Played, check_writable, print_standings, write
from hardware.ports import install_extra

_LIBRARIES = ("choix", "scipy")
_SCHEDULER = re.compile(r"(?!.*[^\D0-9])(tcp|tls)://(?P<host>[^/:\s\[\]]+|\[[0-9a-fA-F:.]+\]):(?P<port>\d{1,5})")
"""A scheduler's address: a host name or IP address (IPv6 in brackets), and a port in ASCII digits."""

_PORTS = range(1, 65_536)
_DIGITS = 18
"""The most digits of an option's value."""


@click.command()
@click.argument("names", metavar="A B …", nargs=-1, required=True)
@click.option("--games", type=click.IntRange(2), default=100, show_default=True, help="Games per pair; an even number.")
@click.option("--seed", type=int, default=1, show_default=True, help="The seed of all deals and random choices.")
@click.option(
    "--rules", type=click.Choice(edition_names()), default="classic", show_default=True, help="The rule system."
)
@click.option(
    "--players", type=click.IntRange(2), help="How many play, Mister X included; by default the usual number."
)
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game; as often as needed."
)
@click.option(
    "--ms", type=click.IntRange(1, 600_000), help="Processor time of an answer, in ms; by default the level's."
)
@click.option("--csv", "csv_path", type=FILE, help="Store each game there; games in the file are not played again.")
@click.option("--json", "json_path", type=FILE, help="Write the standings there.")
@click.option("--config", type=FILE, help="A table's configuration: its programs [players.NAME] may play, too.")
@click.option("--jobs", type=click.IntRange(1), help="Processes on this machine; by default one per core.")
@click.option("--cluster", metavar="tcp://HOST:PORT", help="Play on the Dask cluster of this scheduler instead.")
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
    """Play a tournament between players, and print the standings.

    A, B and so on are levels: easy, medium, skilled, hard or expert; expert@100 has 100 ms of processor time an
    answer. With --config they may be programs, too: NAME, or NAME/LEVEL. Every two meet on the same deals, each once as
    Mister X and once as the detectives.
    """
    missing = [name for name in (*_LIBRARIES, *["distributed"] * bool(cluster)) if find_spec(name) is None]
    if missing:
        raise click.ClickException(f"tournament needs {missing[0]}; install with: {install_extra('tournament')}")
    if games % 2:
        raise click.UsageError(f"--games: {games} is odd; write an even number: each deal is played on both sides")
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
    except BadSetup as error:
        place, _, what = str(error).partition(": ")
        option = {"options": "--option", "players": "--players"}.get(place, place)
        if place.partition(" ")[0] == "layout":
            option = f"--option: {place}"
        raise click.UsageError(printable(f"{option}: {what}")) from None
    except (TournamentError, ConfigError) as error:
        raise click.UsageError(printable(str(error))) from None
    played = Played(terms, entrants, results)
    print_standings(played)
    if json_path is not None:
        try:
            write(played, json_path)
        except OSError as error:
            why = f"--json: {writing_fault(json_path, error)}"
            raise click.ClickException(printable(why)) from None


def runner_of(jobs: int | None, cluster: str | None, wait: float) -> GameRunner:
    """Return the runner of the games: this machine's processes, or a cluster.

    Args:
        jobs: processes on this machine; None: one per core.
        cluster: the address of a cluster's scheduler, or None.
        wait: seconds to wait for the cluster's scheduler and workers.

    Raises:
        click.UsageError: both `jobs` and `cluster` are given, or the address is invalid.
    """
    if cluster is None:
        return LocalProcesses(jobs or os.cpu_count() or 1)
    if jobs is not None:
        raise click.UsageError(
            "--jobs and --cluster: give only one of them; on a cluster, its workers' threads set the number of games"
        )
    if not _is_scheduler(cluster):
        example = "write it as tcp://HOST:PORT, such as tcp://10.0.0.5:8786 or tcp://[::1]:8786, the port at most 65535"
        raise click.UsageError(printable(f"--cluster: {cluster}: {example}"))
    from firmware_host.tournament.dask_cluster import DaskCluster  # noqa: PLC0415 - heavy, and optional

    return DaskCluster(cluster, patience=wait, say=lambda line: echo(line, err=True))


def _is_scheduler(address: str) -> bool:
    """Return whether the text is a valid address of a Dask scheduler."""
    found = _SCHEDULER.fullmatch(address)
    try:
        return found is not None and int(found["port"]) in _PORTS and bool(found["host"].encode("idna"))
    except UnicodeError:  # no host has such a name
        return False


def _options(texts: Iterable[str]) -> dict[str, Option]:
    """Return the options in these texts by name. Each may be given once."""
    options: dict[str, Option] = {}
    for name, value in map(_option, texts):
        if name in options:
            raise TournamentError(f"--option: {name}: is named more than once; give it one value")
        options[name] = value
    return options


def _option(text: str) -> tuple[str, Option]:
    """Split one option into name and value."""
    name, equals, value = text.partition("=")
    if not equals:
        raise TournamentError(f"--option: {text}: write it as NAME=VALUE, such as last_chance=true")
    words: dict[str, Option] = {"true": True, "false": False}
    if value in words or not (value.isascii() and value.isdigit()):
        return name, words.get(value, value)
    if len(value) > _DIGITS:
        raise TournamentError(f"--option: {name}: a number of {len(value)} digits; at most {_DIGITS} are allowed")
    return name, int(value)


def _check(terms: Terms, entrants: list[Entrant]) -> None:
    """Check, before the first game, that there are two or more different entrants, and that these games can begin."""
    names = [who.name for who in entrants]
    if len({*names}) != len(names) or len(names) < 2:
        raise TournamentError(f"{' '.join(names)}: name at least two players, each once")
    Game(terms.deal(0))


def _played(games: list[Pairing], path: Path | None, runner: GameRunner) -> list[Result]:
    """Return the results of all games: those from the file, and those of games played now."""
    kept = None if path is None else _results_file(path, games)
    results = [] if kept is None else list(kept.results)
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
                    with _file_in_use(kept.path):
                        kept.add(result)
                results.append(result)
    except (KeyboardInterrupt, RunnerLost):
        if results:
            click.echo(f"\n{_left_off(path)}", err=True)
        raise
    return results


def _results_file(path: Path, games: list[Pairing]) -> ResultsFile:
    with _file_in_use(path):
        return ResultsFile(path, games)


@contextmanager
def _file_in_use(path: Path) -> Iterator[None]:
    """Report an `OSError` of this block as one of the file of results."""
    try:
        yield
    except OSError as error:
        raise click.ClickException(printable(f"--csv: {writing_fault(path, error)}")) from None


def _left_off(path: Path | None) -> str:
    if path is None:
        return "the played games are lost; --csv would have stored them"
    return f"the played games are in {printable(str(path))}; the same command plays the rest"


COMMANDS = (tournament,)
