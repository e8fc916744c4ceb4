"""Play a whole game for people to watch, with simulated players and a commentary."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable

from firmware_host.config.loader import Config
from firmware_host.players.heuristic import heuristic
from firmware_host.players.levels.levels import Strategy
from firmware_host.rules.actions import Action
from firmware_host.rules.setup import Setup
from firmware_host.rules.views import MrXView, PublicView
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.simulator.simulated_table import SimulatedTable

ThinkerOf = Callable[[Setup, random.Random], Strategy]
"""Creates a thinker for a game; the second argument is its only random source."""

ITERATIONS = 5000
"""Games that an expert simulates before a move: a tenth of a second or less."""


def expert(setup: Setup, rng: random.Random) -> Strategy:
    """Return a strong computer player that chooses the moves of the simulated people.

    Raises:
        ImportError: a package of the extra `players` is missing.
        CannotPlay: the game is not a pursuit game, or its map or number of pawns is too large for the search.
    """
    from firmware_host.players.search.search_player import SearchPlayer  # noqa: PLC0415 - an extra that others lack

    return SearchPlayer(setup, rng=rng, enough=lambda played, _: played >= ITERATIONS)


class _Heuristics:
    def __init__(self, _: Setup, rng: random.Random) -> None:
        self._rng = rng

    def see(self, view: PublicView) -> None:
        pass

    def pursue(self, view: PublicView) -> Action:
        return heuristic.pursue(view, self._rng)

    def flee(self, view: MrXView) -> Action:
        return heuristic.flee(view, self._rng)


class Pace:
    """A pacer for a table: the table's clock runs `speed` times as fast as real time."""

    def __init__(self, speed: float = 1.0) -> None:
        self._speed = speed
        self._due = time.monotonic()

    def __call__(self, seconds: float) -> None:
        """Let `seconds` of the table's time pass: wait until real time has caught up.

        After a delay, the table catches up by at most 0.1 s.
        """
        self._due = max(self._due + seconds / self._speed, time.monotonic() - 0.1)
        wait = self._due - time.monotonic()
        if wait > 0:
            time.sleep(wait)


def watch(
    config: Config,
    *,
    seed: int,
    rough: bool,
    speed: float | None,
    say: Callable[[str], None],
    thinker: ThinkerOf | None = None,
) -> SimulatedTable:
    """Play one game to its end and comment on it. No line contains a secret.

    Args:
        config: the table's configuration.
        seed: the seed of all random choices.
        rough: whether hands and reeds are imperfect.
        speed: the table's time divided by real time; None for as fast as possible.
        say: takes each line of the commentary.
        thinker: creates the strategy that chooses moves; None for the common heuristics.

    Raises:
        SimulatedPersonError: the table did not do what the hands intended.
    """
    simulated = SimulatedTable(config, seed=seed, rough=rough, pace=None if speed is None else Pace(speed))
    perform(simulated, random.Random(seed), rough=rough, say=say, thinker=thinker)  # noqa: S311 - a demo repeats itself
    return simulated


def perform(
    simulated: SimulatedTable,
    rng: random.Random,
    *,
    rough: bool,
    say: Callable[[str], None],
    thinker: ThinkerOf | None = None,
) -> None:
    """Play one game at a given table to its end and comment on it. No line contains a secret.

    Args:
        simulated: the table.
        rng: the random number generator of the players.
        rough: whether the players' hands are imperfect.
        say: takes each line of the commentary.
        thinker: creates the strategy that chooses moves; None for the common heuristics.

    Raises:
        SimulatedPersonError: the table did not do what the hands intended.
    """
    handler = _CommentaryHandler(simulated, say)
    log = logging.getLogger("yardboard")
    log.addHandler(handler)
    level = log.level
    log.setLevel(logging.INFO)
    try:
        _play(simulated, rng, thinker or _Heuristics, rough=rough, say=say)
    finally:
        log.removeHandler(handler)
        log.setLevel(level)


def _play(
    simulated: SimulatedTable,
    rng: random.Random,
    thinker: ThinkerOf,
    *,
    rough: bool,
    say: Callable[[str], None],
) -> None:
    simulated.new_game()
    thinks = thinker(simulated.setup, rng)
    players = SimulatedPeople(simulated, rng, rough=rough, think=(0.8, 2.0))
    say(f"        {simulated.prompt_text}.")
    players.set_up()
    while simulated.public.outcome is None:
        view = simulated.public
        thinks.see(view)
        if view.to_roll is not None:
            players.play()
        else:
            players.play(thinks.flee(simulated.private) if view.mr_x_to_move else thinks.pursue(view))
    simulated.advance(3000)


class _CommentaryHandler(logging.Handler):
    """A log handler that passes on the log lines of the thread that created it, with the table's time."""

    def __init__(self, simulated: SimulatedTable, say: Callable[[str], None]) -> None:
        super().__init__()
        self._simulated, self._say = simulated, say
        self._thread = threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        if record.thread != self._thread:
            return
        minutes, seconds = divmod(int(self._simulated.hardware.clock.now()), 60)
        self._say(f"[{minutes:02d}:{seconds:02d}] {record.getMessage()}")
