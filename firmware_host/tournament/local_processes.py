"""Play the games of a tournament on this machine, a game a process at a time."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.process import BaseProcess

from firmware_host.tournament.game_runner import GIVEN_UP, Game, Outcome, RunnerLost

GRACE = 3.0
"""Seconds that a process has to give its game up and end the programs that play, before it is killed."""


class LocalProcesses:
    """Plays in processes of its own. Implements `GameRunner`.

    Args:
        jobs: how many games at a time; with 1 they are played in this process, in order.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs

    def play(self, play: Callable[[Game], Outcome], games: Sequence[Game]) -> Generator[Outcome]:
        """Play games, and give what comes of each once, as it comes.

        Raises:
            RunnerLost: one of the processes was killed.
        """
        if self._jobs == 1 or not games:
            yield from map(play, games)
            return
        spawn = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(min(self._jobs, len(games)), spawn, initializer=_live_with_the_parent)
        done = False
        try:
            for played in as_completed([pool.submit(play, game) for game in games]):
                yield played.result()
            done = True
        except BrokenProcessPool:
            raise RunnerLost("a process that played was killed, perhaps for want of memory; try fewer jobs") from None
        finally:
            pool.shutdown(wait=done, cancel_futures=True)  # unwaited, its threads complain now and then as Python ends
            _end(multiprocessing.active_children())  # whatever they still play is not waited for


def _end(processes: Iterable[BaseProcess]) -> None:
    """Have processes give up what they play, and with that the programs that play for them."""
    latest = time.monotonic() + GRACE
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(max(0.0, latest - time.monotonic()))
        process.kill()


def _live_with_the_parent() -> None:
    """Leave Control-C to the process that started this one, and end when it ends, however that is."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: GIVEN_UP.set())
    threading.Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        GIVEN_UP.set()
        time.sleep(GRACE)
        os._exit(1)
