"""What may wait for a disk, carried out beside the loop that scans."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread

Task = Callable[[], object]
"""Something to be done."""


def at_once(task: Task) -> None:
    """Carry out a task here and now, where nothing has to keep a beat."""
    task()


class Background:
    """Carries out tasks on a thread of its own, one after the other.

    Args:
        name: the thread's.
    """

    def __init__(self, name: str) -> None:
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._failure: Exception | None = None
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def __call__(self, task: Task) -> None:
        """Carry out a task soon. Raises what one before ended in."""
        self._tasks.put(task)
        self._raise()

    def close(self) -> None:
        """Wait for all tasks, and end the thread. Raises what one ended in."""
        self._tasks.put(None)
        self._thread.join()
        self._raise()

    def _raise(self) -> None:
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    def _run(self) -> None:
        while (task := self._tasks.get()) is not None:
            try:
                task()
            except Exception as error:  # noqa: BLE001 - whatever it is, the next caller gets it
                self._failure = error
