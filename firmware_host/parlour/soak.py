"""Many seeded games through the whole stack, each compared move by move with what the hands meant."""

from __future__ import annotations

import multiprocessing
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

from firmware_host.config import Config, playing, simulator
from firmware_host.parlour.player import Players
from firmware_host.parlour.room import Parlour


@dataclass(frozen=True, slots=True)
class Soaked:
    """One game played to its end, or to a fault.

    Attributes:
        seed: of everything in the game.
        moves: actions accepted.
        seconds: table time.
        reason: the outcome's reason, or "" after a fault.
        fault: what went wrong, or "".
        gestures: how often each gesture was made.
    """

    seed: int
    moves: int
    seconds: float
    reason: str
    fault: str = ""
    gestures: Counter[str] = field(default_factory=Counter)


def play(seed: int, *, rules: str = "classic", rough: bool = False, config: Config | None = None) -> Soaked:
    """Play one seeded game, sensors to lamps, and compare it with what the hands meant."""
    chance = random.Random(seed)  # noqa: S311 - a soak repeats itself for its seed
    parlour = Parlour(config or _config(rules), seed=seed, rough=rough)
    parlour.new_game(players=chance.choice(tuple(parlour.config.edition.seats)))
    players = Players(parlour, chance, rough=rough)
    fault = ""
    try:
        players.set_up()
        while parlour.public.outcome is None:
            players.play()
    except Exception as error:  # noqa: BLE001 - whatever goes wrong in a game is that seed's fault, and is told
        fault = f"{type(error).__name__}: {error}"
    outcome = parlour.public.outcome
    reason = "" if outcome is None else outcome.reason
    seconds = parlour.table.clock.now()
    parlour.close()
    return Soaked(seed, len(players.meant), seconds, reason, fault, players.gestures)


@cache
def _config(rules: str) -> Config:
    """The simulator's table for some rules, read once a process."""
    return playing(simulator(), rules)


def _one(task: tuple[int, str, bool]) -> Soaked:
    seed, rules, rough = task
    return play(seed, rules=rules, rough=rough)


def soak(seeds: range, *, rules: str = "classic", rough: bool = False, jobs: int = 1) -> Iterator[Soaked]:
    """Play a game for each seed, in order, over some processes.

    Raises:
        BadSetup: there is no such rule system.
    """
    tasks = [(seed, rules, rough) for seed in seeds]
    if jobs == 1:
        yield from map(_one, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(_one, tasks)


def soak_and_tell(seeds: range, *, rules: str, rough: bool, jobs: int, say: Callable[[str], None]) -> int:
    """Play the games, tell how they went, and give the number of faults. A failing seed is named, to replay alone."""
    ends: Counter[str] = Counter()
    gestures: Counter[str] = Counter()
    moves = faults = 0
    seconds = 0.0
    for game in soak(seeds, rules=rules, rough=rough, jobs=jobs):
        moves, seconds = moves + game.moves, seconds + game.seconds
        gestures += game.gestures
        if game.fault:
            faults += 1
            say(f"seed {game.seed}: {game.fault}")
            say(f"  again: yardboard soak --rules {rules} --games 1 --seed {game.seed}{' --rough' if rough else ''}")
        else:
            ends[game.reason] += 1
    kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(gestures.items()))
    say(f"{len(seeds)} games of {rules}, {moves} moves, {seconds / 3600:.1f} h at the table; {kinds}")
    say(f"ended: {', '.join(f'{end} {count}' for end, count in sorted(ends.items())) or 'none'}; faults: {faults}")
    return faults
