"""A whole game for people to watch: simulated players at the simulated table, with a running commentary."""

from __future__ import annotations

import logging
import random
import time
from collections import deque
from collections.abc import Callable, Mapping
from functools import cache

from firmware_host.config import Config
from firmware_host.parlour.player import Players
from firmware_host.parlour.room import Parlour
from firmware_host.rules.actions import BLACK, MR_X, Action, Double, MrXMove, PawnMove
from firmware_host.rules.network import Network
from firmware_host.rules.views import MrXView, PublicView


class Pace:
    """Makes table time go by like real time, `speed` times as fast."""

    def __init__(self, speed: float = 1.0) -> None:
        self._speed = speed
        self._due = time.monotonic()

    def __call__(self, seconds: float) -> None:
        """Wait until real time has caught up with table time; time lost elsewhere is not made up for."""
        self._due = max(self._due + seconds / self._speed, time.monotonic() - 0.1)
        wait = self._due - time.monotonic()
        if wait > 0:
            time.sleep(wait)


@cache
def distances(network: Network, start: int) -> Mapping[int, int]:
    """How many moves each station is away from one."""
    away, edge = {start: 0}, deque([start])
    while edge:
        here = edge.popleft()
        for there in network.around(here):
            if there not in away:
                away[there] = away[here] + 1
                edge.append(there)
    return away


def pursue(view: PublicView, chance: random.Random) -> PawnMove:
    """A detective's move towards where Mister X was last seen, by what everyone knows."""
    seen = next((entry.station for entry in reversed(view.log) if entry.station is not None), None)
    if seen is None:
        return chance.choice(view.moves)
    away = distances(view.network, seen)
    # Around his last station he may be anywhere by now: the nearest few are as good as the nearest.
    moves = sorted(view.moves, key=lambda move: (away[move.to], chance.random()))
    return moves[min(int(chance.expovariate(1.5)), len(moves) - 1)]


def flee(view: MrXView, chance: random.Random) -> Action:
    """A move of Mister X's away from the detectives; black tickets and double moves when they are close."""
    stand = [view.public.pawns[pawn] for pawn in view.public.order]
    near = {to: min(distances(view.public.network, to)[s] for s in stand) for to in view.public.network.stations}
    choices = view.choices.value
    if Double() in choices and near[view.at.value] <= 1 and chance.random() < 0.4:
        return Double()
    moves = [action for action in choices if isinstance(action, MrXMove)]
    after_showing = len(view.public.log) in view.public.surfacing
    plain = [move for move in moves if move.ticket != BLACK]
    usable = moves if after_showing or not plain else plain
    return max(usable, key=lambda move: (min(near[move.to.value], 3), move.ticket == BLACK, chance.random()))


def watch(config: Config, *, seed: int, rough: bool, speed: float | None, say: Callable[[str], None]) -> Parlour:
    """Play one game to its end, telling what happens; nothing told is secret.

    Args:
        config: the table's configuration.
        seed: of everything in the game.
        rough: whether hands and reeds are of the rough kind.
        speed: how many times as fast as at a table; None for as fast as it goes.
        say: takes each line of the commentary.

    Raises:
        PlayerError: the table did not do what the hands meant.
    """
    parlour = Parlour(config, seed=seed, rough=rough, pace=None if speed is None else Pace(speed))
    teller = _Teller(parlour, say)
    log = logging.getLogger("yardboard")
    log.addHandler(teller)
    level = log.level
    log.setLevel(logging.INFO)
    try:
        _play(parlour, random.Random(seed), rough=rough, say=say)  # noqa: S311 - a demo repeats itself
    finally:
        log.removeHandler(teller)
        log.setLevel(level)
    return parlour


def _play(parlour: Parlour, chance: random.Random, *, rough: bool, say: Callable[[str], None]) -> None:
    parlour.new_game()
    players = Players(parlour, chance, rough=rough, think=(0.8, 2.0))
    say(f"        {parlour.daemon.scene().prompt.text}.")
    players.set_up()
    while parlour.public.outcome is None:
        his = parlour.public.turn == (MR_X,)
        players.play(flee(parlour.private, chance) if his else pursue(parlour.public, chance))
    parlour.advance(3000)


class _Teller(logging.Handler):
    """Passes the daemon's own public log on, with the time at the table."""

    def __init__(self, parlour: Parlour, say: Callable[[str], None]) -> None:
        super().__init__()
        self._parlour, self._say = parlour, say

    def emit(self, record: logging.LogRecord) -> None:
        minutes, seconds = divmod(int(self._parlour.table.clock.now()), 60)
        self._say(f"[{minutes:02d}:{seconds:02d}] {record.getMessage()}")
