"""Play the games of a tournament on this machine, a game a process at a time."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

from firmware_host.tournament.game_runner import Game, Outcome, RunnerLost


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
            for process in multiprocessing.active_children():  # whatever they still play is not waited for
                process.kill()


def _live_with_the_parent() -> None:
    """Leave Control-C to the process that started this one, and end when it ends, however that is."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
