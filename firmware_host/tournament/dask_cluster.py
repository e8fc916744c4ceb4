"""Play the games of a tournament on a Dask cluster. Only this module imports the package `distributed`.

If a worker dies, the scheduler moves its games to others. This module chooses the workers: those on which the same
yardboard is installed.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Generic

import dask
from distributed import CancelledError, Client, Future, KilledWorker, wait
from distributed.client import ClosedClientError

from firmware_host.system.process import control_c
from firmware_host.tournament.one_game import Outcome, RunnerLost, Work, software_version

_LOOK = 1.0
"""Seconds between two checks for new and lost workers, if no game ends before."""

_PAUSE = 0.1
"""Seconds between two checks for the first worker."""

_FETCH = 5.0
"""Seconds to wait for a worker's result before it is asked again later."""

_AHEAD = 2
"""Games sent to each thread of a worker: one to play, and the next."""


class DaskCluster:
    """A Dask cluster that runs already. Implements `GameRunner`.

    Args:
        address: its scheduler, such as "tcp://192.168.1.5:8786".
        patience: seconds to wait for the scheduler, also if it is lost later, and for a worker.
        say: called with a line for the user, such as that a worker is refused.
    """

    def __init__(self, address: str, *, patience: float, say: Callable[[str], object]) -> None:
        self._address, self._patience, self._say = address, patience, say

    def play(self, play: Callable[[Work], Outcome], games: Sequence[Work]) -> Generator[Outcome]:
        """Play these games on the cluster. Yield each result once, as soon as it arrives.

        Raises:
            RunnerLost: the scheduler is missing or does not come back, no worker may play, or a game has failed or
                killed several workers.
        """
        if not games:
            return
        with self._connected() as client:
            try:
                yield from _Dispatch(client, self._address, play, games, self._patience, self._say).results()
            except (OSError, ClosedClientError):
                lost = f"{self._address}: the scheduler is lost and did not come back {self._in_time}"
                raise RunnerLost(lost) from None

    @property
    def _in_time(self) -> str:
        return f"within {self._patience:g} s"

    @contextmanager
    def _connected(self) -> Iterator[Client]:
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # failures are reported once, by the command
        for name in ("distributed.client", "distributed.core", "tornado.application"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        with dask.config.set({"distributed.comm.timeouts.connect": self._patience}):
            try:
                client = Client(self._address, timeout=self._patience, set_as_default=False)
            except (OSError, ValueError):
                remedy = "start one with: dask scheduler"
                raise RunnerLost(f"{self._address}: no scheduler answers {self._in_time}; {remedy}") from None
            except TypeError as error:  # tls:// without certificates
                raise RunnerLost(f"{self._address}: {error}; set them in Dask's configuration") from None
            try:
                yield client
            finally:
                client.close(timeout=self._patience)


class _Dispatch(Generic[Work, Outcome]):
    """A distributor that gives games to the cluster's workers, a few at a time."""

    def __init__(
        self,
        client: Client,
        address: str,
        play: Callable[[Work], Outcome],
        games: Sequence[Work],
        patience: float,
        say: Callable[[str], object],
    ) -> None:
        self._client, self._address, self._play = client, address, play
        self._patience, self._say = patience, say
        self._left = deque(games)
        self._sent = dict[Future[Outcome], tuple[Work, frozenset[str]]]()  # each with the workers that may play it
        self._may_play = dict[str, bool]()

    def results(self) -> Iterator[Outcome]:
        while self._left or self._sent:
            workers = self._workers()
            for sent, (_, chosen) in list(self._sent.items()):
                if not chosen & workers.keys():  # all are lost: the scheduler would wait for them
                    self._take_back(sent)
            while self._left and len(self._sent) < _AHEAD * sum(workers.values()):
                game = self._left.popleft()
                sent = self._client.submit(self._play, game, pure=False, workers=[*workers], allow_other_workers=False)
                self._sent[sent] = game, frozenset(workers)
            yield from self._ended()

    def _take_back(self, game: Future[Outcome]) -> None:
        self._left.appendleft(self._sent.pop(game)[0])
        with suppress(OSError):  # a lost scheduler has forgotten it
            game.cancel()

    def _workers(self) -> dict[str, int]:
        """Return the number of threads of each worker that may play. Wait until there is such a worker."""
        end = time.monotonic() + self._patience
        while True:
            control_c.raise_if_pressed()  # a KeyboardInterrupt is lost if it occurs while a future is deleted
            try:
                if found := self._present():
                    return found
            except OSError:  # the scheduler is lost; the client reconnects automatically
                if time.monotonic() > end:
                    raise
            else:
                if time.monotonic() > end:
                    raise RunnerLost(
                        f"{self._address}: no worker with yardboard {software_version()} appeared within "
                        f"{self._patience:g} s; start one with: dask worker {self._address}"
                    )
            time.sleep(_PAUSE)

    def _present(self) -> dict[str, int]:
        threads: dict[str, int] = self._client.nthreads()
        if new := [worker for worker in threads if worker not in self._may_play]:
            versions = self._client.run(software_version, workers=new, on_error="return")
            for worker, version in versions.items():
                self._judge(worker, version)
        return {worker: count for worker, count in threads.items() if self._may_play.get(worker)}

    def _judge(self, worker: str, version: str | Exception) -> None:
        if isinstance(version, OSError):
            return  # it is lost already, or will be asked again
        self._may_play[worker] = version == software_version()
        if not self._may_play[worker]:
            has = f"cannot report its yardboard: {version}" if isinstance(version, Exception) else f"has {version}"
            self._say(f"worker {worker} is refused: it {has}; here is yardboard {software_version()}")

    def _ended(self) -> Iterator[Outcome]:
        """Yield the results of games that have ended, after waiting for the first for a short time at most."""
        try:
            with self._client.as_current():
                ended = wait([*self._sent], timeout=_LOOK, return_when="FIRST_COMPLETED").done
        except OSError:  # none in this time; the check for workers detects a lost scheduler
            return
        except CancelledError:  # the scheduler was lost; once back, it knows nothing of them
            ended = {game for game in self._sent if game.cancelled()}
        for game in ended:
            control_c.raise_if_pressed()
            try:
                self._check(game)
                result = game.result(timeout=_FETCH)
            except CancelledError:
                self._take_back(game)
                continue
            except OSError:  # its worker hangs or died, or the scheduler did: others must not wait
                continue
            del self._sent[game]
            yield result

    def _check(self, game: Future[Outcome]) -> None:
        """Raise an error if it was the game itself that failed, because it would fail again.

        Raises:
            RunnerLost: the game has failed, or has killed several workers.
        """
        if game.status != "error":
            return
        error = game.exception(timeout=_FETCH)
        why = (
            "several workers died of this game" if isinstance(error, KilledWorker) else "the game failed on its worker"
        )
        what = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else error
        raise RunnerLost(f"{self._sent[game][0]}: {why}: {what}; the worker's log says more")
