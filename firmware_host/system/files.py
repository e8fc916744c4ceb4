"""Read and replace files safely, and run slow file tasks on a thread of their own."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import BinaryIO

_MOST = 1_000_000


def read_small_file(file: Path) -> bytes:
    """Return the content of a regular file, up to a million bytes. Return b"" for a pipe or device.

    This never waits.

    Raises:
        OSError: the file is a folder or socket, or cannot be read.
    """
    with open(file, "rb", opener=_open_at_once) as source:
        return source.read(_MOST) if stat.S_ISREG(os.fstat(source.fileno()).st_mode) else b""


def _open_at_once(path: str, flags: int) -> int:
    """Open a file without waiting for a writer if it is a pipe."""
    return os.open(path, flags | os.O_NONBLOCK)


def replace_file(
    path: Path, content: bytes, *, finish: Callable[[int], object] | None = None, durable: bool = True
) -> None:
    """Replace or create a file atomically: write a new file beside it, and rename the new file.

    Args:
        path: the file's path; a link there is replaced, not followed.
        content: the new content.
        finish: called with the new file's descriptor before it is renamed; until then only its owner may read it.
        durable: whether to wait until the file is on the disk.

    Raises:
        OSError: the file cannot be written and is unchanged, or is replaced but perhaps not durable.
    """
    new = path.with_name(f".{path.name}.new")
    new.unlink(missing_ok=True)  # of any file type: reading nothing, following no link
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            if finish is not None:
                finish(handle)
            if durable:
                os.fsync(handle)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    if durable:
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Write the names of a folder's files to the disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def bounded_lines(file: BinaryIO, longest: int) -> Iterator[bytes]:
    """Yield each line of a file without its end. An overlong line is cut just beyond the limit.

    Args:
        file: the input.
        longest: most bytes in a line, without its end.
    """
    while line := file.readline(longest + 2):
        end = line
        while len(end) > longest and not end.endswith(b"\n"):
            end = file.readline(longest + 2)
        yield line.rstrip(b"\r\n")


Task = Callable[[], object]
"""A task to run."""


def at_once(task: Task) -> None:
    """Run a task now, in the calling thread. For callers that may wait for the disk."""
    task()


class Background:
    """A thread that runs tasks one after another, so that the table's loop never waits for a disk.

    Args:
        name: the thread's name.
    """

    def __init__(self, name: str) -> None:
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._failures: SimpleQueue[Exception] = SimpleQueue()
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def __call__(self, task: Task) -> None:
        """Run a task soon on the thread. If the task fails, `check` raises its error."""
        self._tasks.put(task)

    def check(self) -> None:
        """Raise the errors of the tasks that have failed since the last check, if any.

        Raises:
            Exception: the error of a task; an `ExceptionGroup` if several failed.
        """
        failures = list[Exception]()
        while not self._failures.empty():
            failures.append(self._failures.get())
        if len(failures) > 1:
            raise ExceptionGroup(f"{len(failures)} tasks of the thread {self._thread.name!r} failed", failures)
        if failures:
            raise failures[0]

    def close(self) -> None:
        """Wait for all tasks, end the thread, and raise errors like `check`."""
        self._tasks.put(None)
        self._thread.join()
        self.check()

    def _run(self) -> None:
        while (task := self._tasks.get()) is not None:
            try:
                task()
            except Exception as error:  # noqa: BLE001 - any error goes to the owner
                self._failures.put(error)
