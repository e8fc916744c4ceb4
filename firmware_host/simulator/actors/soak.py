"""Play many seeded games through the whole stack and compare each move with the intended one."""

from __future__ import annotations

import logging
import multiprocessing
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

from firmware_host.config.loader import Config, load, simulator, with_rules
from firmware_host.config.shipped_files import edition_names
from firmware_host.rules.actions import MR_X
from firmware_host.rules.engines import player_counts
from firmware_host.simulator.actors.fault_injection import FaultInjection
from firmware_host.simulator.actors.restless_hands import Onlooker, RestlessHands
from firmware_host.simulator.actors.simulated_people import SimulatedPeople, Stuck
from firmware_host.simulator.actors.unreliable_players import OFTEN, UnreliablePlayers
from firmware_host.simulator.simulated_table import SimulatedTable

ALL = "all"
"""The name for all rule systems in turn: each seed has its own."""

LONGEST = 4 * 3600.0
"""Seconds of table time after which an unfinished game counts as stuck."""

_DISCARD = logging.NullHandler()
"""Discards the table's log: the failures are intended."""

_AGAIN = 32
"""Games per process and batch: single games would cost more to hand out than they gain."""


@dataclass(frozen=True, slots=True)
class Task:
    """A game to play.

    Attributes:
        seed: the seed of everything in the game.
        rules: the rule system.
        rough: whether board and hands are imperfect.
        faults: whether devices fail during the game.
        restless: whether hands fidget between moves; then no switch may be blamed.
        computer: whether computers play on some seats; with `faults` their players sometimes fail.
        path: the table's configuration file; None for the shipped simulator's. Its rules are `rules` == "".
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
        return f"yardboard soak{which} --games 1 --seed {self.seed}{words}"


@dataclass(frozen=True, slots=True)
class Soaked:
    """A game played to its end, or to a fault.

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
    """Play one seeded game from sensors to lamps, and compare it with the intended moves."""
    logging.getLogger("yardboard").addHandler(_DISCARD)
    chance = random.Random(task.seed)  # noqa: S311 - repeatable by seed
    pace = (lambda _: onlooker.look()) if task.restless else (lambda _: mishaps.pass_time())
    failed = Counter[str]()
    failing = UnreliablePlayers(random.Random(f"{task.seed}/players"), failed, often=OFTEN * task.faults)  # noqa: S311
    simulated = SimulatedTable(
        config or _config(task.path, task.rules),
        seed=task.seed,
        rough=task.rough,
        pace=pace,
        players=failing,
        patient=False,
    )
    onlooker: Onlooker = Onlooker(simulated)
    mishaps: FaultInjection = FaultInjection(simulated, random.Random(f"{task.seed}/mishaps"))  # noqa: S311 - the same
    box = simulated.config.edition
    count = chance.choice(player_counts(box, simulated.config.ground))
    seats = _computers([*box.owners(count).values()], chance) if task.computer else None
    simulated.new_game(players=count, seats=seats)
    players = SimulatedPeople(simulated, chance, rough=task.rough, mishaps=mishaps)
    fault = ""
    try:
        if task.faults:
            mishaps.strike()
        restless = RestlessHands(simulated, chance, players.gestures) if task.restless else None
        _to_the_end(simulated, players, restless)
    except Exception as error:  # noqa: BLE001 - any error in a game is reported as that seed's fault
        fault = f"{type(error).__name__}: {error}"
    outcome = simulated.public.outcome
    reason = "" if outcome is None else outcome.reason
    seconds = simulated.hardware.clock.now()
    simulated.close()
    return Soaked(task, len(players.meant), seconds, reason, fault, players.gestures, mishaps.happened + failed)


def _computers(owners: list[int], chance: random.Random) -> dict[str, str]:
    """Choose computers for one seat or more, perhaps for all."""
    seats = [MR_X, *map(str, sorted({*owners}))]
    return dict.fromkeys(chance.sample(seats, chance.randint(1, len(seats))), "medium")


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
    """Return the games for these seeds; in all rule systems in turn if `rules` is `ALL`."""
    names = edition_names() if rules == ALL else [rules]
    return [Task(seed, names[seed % len(names)], rough, faults, restless, computer, path) for seed in seeds]


def soak(games: list[Task], jobs: int = 1) -> Iterator[Soaked]:
    """Play games on several processes, and yield the results in order.

    Raises:
        BadSetup: there is no such rule system.
    """
    if jobs == 1:
        yield from map(play, games)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(play, games, chunksize=max(1, min(_AGAIN, len(games) // (4 * jobs))))


def soak_and_report(games: list[Task], jobs: int, say: Callable[[str], None]) -> int:
    """Play games, print results and return the number of faults. A failing seed can be replayed alone."""
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
