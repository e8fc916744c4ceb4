"""Play the games of a tournament on this machine, one game per process at a time."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

from firmware_host.tournament.one_game import Outcome, RunnerLost, Work


class LocalProcesses:
    """Local processes that play games. Implements `GameRunner`.

    Args:
        jobs: how many games at a time; with 1 this process plays them in order.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs

    def play(self, play: Callable[[Work], Outcome], games: Sequence[Work]) -> Generator[Outcome]:
        """Play games, and yield each result once, as it arrives.

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
            raise RunnerLost("a playing process was killed, perhaps for lack of memory; try fewer jobs") from None
        finally:
            pool.shutdown(wait=done, cancel_futures=True)  # else threads complain as Python ends
            for process in multiprocessing.active_children():  # their unfinished games are abandoned
                process.kill()


def _live_with_the_parent() -> None:
    """Leave Ctrl-C to the parent process, and end when the parent ends for any reason."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
