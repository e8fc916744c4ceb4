"""Play many random games through the whole program, and compare each move with the intended one."""

from __future__ import annotations

import logging
import multiprocessing
import os
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import click

from firmware_host.config.loader import Config, load, simulator, with_rules
from firmware_host.config.shipped_files import edition_names
from firmware_host.config.toml_file import ConfigError, complaint
from firmware_host.players.coach.coach import OwnCoach
from firmware_host.players.coach.coach_port import Coach
from firmware_host.players.heuristic.heuristic import HeuristicPlayer
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import NewGame, Position
from firmware_host.players.seats import PlayerName
from firmware_host.rules.actions import MR_X, Action, MrXMove, PawnMove
from firmware_host.rules.engines import player_counts
from firmware_host.rules.secret import Secret
from firmware_host.simulator.actors.fault_injection import FaultInjection
from firmware_host.simulator.actors.simulated_people import SimulatedPeople, Stuck
from firmware_host.simulator.simulated_table import SimulatedTable
from firmware_host.system.process import end_in_order
from firmware_host.system.terminal import FILE
from firmware_host.table.player_maker import ThinkingTime
from tools.long_soak import PLAY, days_of, run_and_report
from tools.restless_hands import Onlooker, RestlessHands

OFTEN = 0.02
"""The probability that a player fails at its start or at a move."""

NOWHERE = 10_000
"""A station that no map has."""


class UnreliablePlayers:
    """A source of heuristic players that fail now and then. Implements `PlayerMaker`.

    Args:
        rng: the random number generator of the failures.
        happened: a counter of the failures of each kind.
        often: the probability of a failure at a player's start or at a move; 0: never.
    """

    programs: Collection[str] = ()

    def __init__(self, rng: random.Random, happened: Counter[str], *, often: float = OFTEN) -> None:
        self._rng, self._happened, self._often = rng, happened, often

    def pace(self, name: PlayerName) -> ThinkingTime:  # noqa: ARG002 - equal for all
        """Return how long a player thinks."""
        return ThinkingTime(ms=1, think_s=1.5, first_s=15.0, late_s=10.0)

    def make(self, name: PlayerName) -> _Unreliable:  # noqa: ARG002 - equal for all
        """Create a player.

        Raises:
            PlayerFailed: the player cannot be created.
        """
        if self._rng.random() < self._often:
            self._happened["player cannot start"] += 1
            raise PlayerFailed("it cannot be started")
        return _Unreliable(self._fault)

    def coach(self) -> Coach:
        """Return a coach that never fails."""
        return OwnCoach()

    def _fault(self) -> str:
        """Return the kind of failure to cause now, or ""."""
        if self._rng.random() >= self._often:
            return ""
        kind = self._rng.choice(("dies at once", "dies", "hangs", "answers nothing", "answers nonsense", "cheats"))
        self._happened[f"player {kind}"] += 1
        return kind


class _Unreliable:
    """A heuristic player that fails now and then. Implements `Player`."""

    def __init__(self, fault: Callable[[], str]) -> None:
        self._fault, self._now = fault, ""
        self._player = HeuristicPlayer()
        self._pawns: tuple[str, ...] = ()

    def begin(self, game: NewGame) -> None:
        self._pawns = game.pawns
        self._player.begin(game)

    def ask(self, position: Position) -> None:
        self._now = self._fault()
        if self._now == "dies at once":
            raise PlayerFailed("it has died")
        self._player.ask(position)

    def answer(self) -> tuple[Action, ...] | None:
        match self._now:
            case "dies":
                raise PlayerFailed("it has died")
            case "hangs":
                return None
            case "answers nothing":
                return ()
            case "answers nonsense":
                return (MrXMove(Secret(NOWHERE), "taxi"),)
            case "cheats":
                return (PawnMove(MR_X if MR_X not in self._pawns else "red", 1, "taxi"),)
        return self._player.answer()

    def over(self, winner: str, reason: str) -> None:
        self._player.over(winner, reason)

    def close(self) -> None:
        self._player.close()


ALL = "all"
"""The name for all rule systems in turn: each seed has its own."""

LONGEST = 4 * 3600.0
"""Seconds of table time after which an unfinished game counts as stuck."""

_DISCARD = logging.NullHandler()
"""Discards the table's log: the failures are intended."""

_AGAIN = 32
"""The most games that a process plays per batch: handing out single games would cost more than it gains."""


@dataclass(frozen=True, slots=True)
class Task:
    """One game to play, with all its settings.

    Attributes:
        seed: the seed of everything in the game.
        rules: the rule system.
        rough: whether board and hands are imperfect.
        faults: whether devices fail during the game.
        restless: whether hands fidget between moves; then no switch may be blamed.
        computer: whether computers play on some seats; with `faults` their players sometimes fail.
        path: the table's configuration file; None for the shipped simulator's. Its own rules are played if `rules` is
            "".
    """

    seed: int
    rules: str = "classic"
    rough: bool = False
    faults: bool = False
    restless: bool = False
    computer: bool = False
    path: str | None = None

    @property
    def again(self) -> str:
        """The command that plays this game alone."""
        words = " --rough" * self.rough + " --faults" * self.faults + " --restless" * self.restless
        words += " --computer" * self.computer
        which = "" if self.path is None else f" --config {self.path}"
        which += f" --rules {self.rules}" if self.rules else ""
        return f"python -m tools.soak{which} --games 1 --seed {self.seed}{words}"


@dataclass(frozen=True, slots=True)
class Soaked:
    """One game that was played to its end or to a fault.

    Attributes:
        task: the task.
        moves: actions accepted.
        seconds: table time.
        reason: the outcome's reason, or "" after a fault.
        fault: what went wrong, or "".
        gestures: how often each gesture was made.
        mishaps: how often each kind of mishap happened.
    """

    task: Task
    moves: int
    seconds: float
    reason: str
    fault: str = ""
    gestures: Counter[str] = field(default_factory=Counter)
    mishaps: Counter[str] = field(default_factory=Counter)


def play(task: Task, config: Config | None = None) -> Soaked:
    """Play one random game from sensors to lamps, and compare it with the intended moves."""
    logging.getLogger("yardboard").addHandler(_DISCARD)
    rng = random.Random(task.seed)
    pace = (lambda _: onlooker.look()) if task.restless else (lambda _: mishaps.pass_time())
    failed = Counter[str]()
    failing = UnreliablePlayers(random.Random(f"{task.seed}/players"), failed, often=OFTEN * task.faults)
    simulated = SimulatedTable(
        config or _config(task.path, task.rules),
        seed=task.seed,
        rough=task.rough,
        pace=pace,
        players=failing,
        patient=False,
    )
    onlooker: Onlooker = Onlooker(simulated)
    mishaps: FaultInjection = FaultInjection(simulated, random.Random(f"{task.seed}/mishaps"))
    box = simulated.config.edition
    count = rng.choice(player_counts(box, simulated.config.ground))
    seats = _computers([*box.owners(count).values()], rng) if task.computer else None
    simulated.new_game(players=count, seats=seats)
    players = SimulatedPeople(simulated, rng, rough=task.rough, mishaps=mishaps)
    fault = ""
    try:
        if task.faults:
            mishaps.strike()
        restless = RestlessHands(simulated, rng, players.gestures) if task.restless else None
        _to_the_end(simulated, players, restless)
    except Exception as error:  # noqa: BLE001 - any error in a game is reported as that seed's fault
        fault = f"{type(error).__name__}: {error}"
    outcome = simulated.public.outcome
    reason = "" if outcome is None else outcome.reason
    seconds = simulated.hardware.clock.now()
    simulated.close()
    return Soaked(task, len(players.meant), seconds, reason, fault, players.gestures, mishaps.happened + failed)


def _computers(owners: list[int], rng: random.Random) -> dict[str, str]:
    """Return computers for one or more seats, perhaps for all, at random."""
    seats = [MR_X, *map(str, sorted({*owners}))]
    return dict.fromkeys(rng.sample(seats, rng.randint(1, len(seats))), "medium")


def _to_the_end(simulated: SimulatedTable, players: SimulatedPeople, restless: RestlessHands | None) -> None:
    players.set_up()
    while simulated.public.outcome is None:
        if restless is not None:
            restless.fidget()
            players.adopt(restless.placed)
            if simulated.public.outcome is not None:
                return
        players.play()
        if simulated.hardware.clock.now() > LONGEST:
            raise Stuck(f"no end after {len(players.meant)} moves: {simulated.prompt_text}")


@cache
def _config(path: str | None, rules: str) -> Config:
    config = simulator() if path is None else load(path)
    return with_rules(config, rules) if rules else config


def tasks(
    seeds: range,
    *,
    rules: str = "classic",
    rough: bool = False,
    faults: bool = False,
    restless: bool = False,
    computer: bool = False,
    path: str | None = None,
) -> list[Task]:
    """Return the games for these seeds. If `rules` is `ALL`, their rules change in turn."""
    names = edition_names() if rules == ALL else [rules]
    return [Task(seed, names[seed % len(names)], rough, faults, restless, computer, path) for seed in seeds]


def soak(games: list[Task], jobs: int = 1) -> Iterator[Soaked]:
    """Play games in several processes, and yield their results in order.

    Raises:
        ConfigError: a configuration cannot be used, or there is no such rule system.
    """
    if jobs == 1:
        yield from map(play, games)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(play, games, chunksize=max(1, min(_AGAIN, len(games) // (4 * jobs))))


def soak_and_report(games: list[Task], jobs: int, say: Callable[[str], None]) -> int:
    """Play games, print their results, and return how many faults there were."""
    ends: dict[str, Counter[str]] = {}
    gestures: Counter[str] = Counter()
    mishaps: Counter[str] = Counter()
    moves = faults = 0
    seconds = longest = 0.0
    for game in soak(games, jobs):
        moves, seconds, longest = moves + game.moves, seconds + game.seconds, max(longest, game.seconds)
        gestures += game.gestures
        mishaps += game.mishaps
        if game.fault:
            faults += 1
            say(f"seed {game.task.seed}: {game.fault}")
            say(f"  again: {game.task.again}")
        else:
            ends.setdefault(game.task.rules or str(game.task.path), Counter())[game.reason] += 1
    what = ", ".join(sorted({task.rules or str(task.path) for task in games}))
    say(
        f"{len(games)} games of {what}: {moves} moves in {seconds / 3600:.1f} h at the table, "
        f"the longest game {longest:.0f} s"
    )
    say(f"gestures of the hands, times each: {_listed(gestures)}")
    if mishaps:
        say(f"mishaps, times each: {_listed(mishaps)}")
    for rules, reasons in sorted(ends.items()):
        say(f"how {rules} ended, games each: {_listed(reasons)}")
    say(f"faults: {faults} games; a fault is a move that the hands did not intend, or a game that cannot go on")
    return faults


def _listed(counted: Counter[str]) -> str:
    return ", ".join(f"{what} {count}" for what, count in sorted(counted.items())) or "none"


RULES = click.Choice([*edition_names(), ALL])


@click.command()
@click.option("--config", "path", type=FILE,
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
def command(
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
    """Play many random games and check every move.

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


if __name__ == "__main__":
    command(prog_name="python -m tools.soak")
