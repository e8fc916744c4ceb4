"""Run slow file tasks on a background thread so that the scan loop never blocks."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread

Task = Callable[[], object]
"""A task to run."""


def at_once(task: Task) -> None:
    """Run a task immediately, for callers that may block."""
    task()


class Background:
    """A thread that runs tasks one after the other, so that the scan loop never waits for a disk.

    Args:
        name: the thread's name.
    """

    def __init__(self, name: str) -> None:
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._failures: SimpleQueue[Exception] = SimpleQueue()
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def __call__(self, task: Task) -> None:
        """Run a task soon. Its failure goes to `check`, never to the caller of another task."""
        self._tasks.put(task)

    def check(self) -> None:
        """Raise the failures of tasks since the last check, if there are any.

        Raises:
            Exception: the failure of a task; an `ExceptionGroup` if several failed.
        """
        failures = list[Exception]()
        while not self._failures.empty():
            failures.append(self._failures.get())
        if len(failures) > 1:
            raise ExceptionGroup(f"{len(failures)} tasks of the thread {self._thread.name!r} failed", failures)
        if failures:
            raise failures[0]

    def close(self) -> None:
        """Wait for all tasks, end the thread, and check."""
        self._tasks.put(None)
        self._thread.join()
        self.check()

    def _run(self) -> None:
        while (task := self._tasks.get()) is not None:
            try:
                task()
            except Exception as error:  # noqa: BLE001 - any error goes to the owner
                self._failures.put(error)
