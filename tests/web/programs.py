"""`yardboard` in its own process, and pages that open a line to it."""

from __future__ import annotations

import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Self

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.web.message_types import not_as_told

PATIENCE = 60.0
"""Real seconds that any step may take."""

COMMAND = (sys.executable, "-m", "firmware_host")


class Program:
    """A command that runs until a test ends it. Use it in a `with` statement: it always ends there.

    Args:
        words: the words after `yardboard`.
        home: the folder of its lasting files.
        command: the command that runs yardboard.
        environ: more variables of its environment.
    """

    def __init__(
        self, *words: str, home: Path, command: tuple[str, ...] = COMMAND, environ: dict[str, str] | None = None
    ) -> None:
        places = {**os.environ, "HOME": str(home), "STATE_DIRECTORY": str(home), **(environ or {})}
        self.told: list[str] = []
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.process = subprocess.Popen(
            [*command, *words],
            cwd=home,
            env=places,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            process_group=0,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)  # with whatever the command has started
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def line(self, pattern: str, patience: float = PATIENCE) -> re.Match[str]:
        """Return the next printed line that matches a pattern."""
        until = time.monotonic() + patience
        while (line := self._lines.get(timeout=max(0.0, until - time.monotonic()))) is not None:
            self.told.append(line)
            if found := re.search(pattern, line):
                return found
        raise AssertionError(f"it ended without a line such as {pattern!r}: {self.told}")

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End the program, and return its status. Afterwards its output is in `told`."""
        self.process.send_signal(how)
        status = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        while (line := self._lines.get(timeout=PATIENCE)) is not None:
            self.told.append(line)
        return status

    def url(self, told: str = r"The table: (\S+)", patience: float = PATIENCE) -> str:
        """Return the address that it prints."""
        return self.line(told, patience)[1]


class Page:
    """A page's line to a table. Use it in a `with` statement.

    Args:
        url: the table's address.
        page: the kind of page that it claims to be.
        session: the session that it got for a token, if any.
    """

    def __init__(self, url: str, page: str, session: str | None = None) -> None:
        self._origin, self._page, self._session = url.rstrip("/"), page, session
        self._held = ExitStack()
        self._kept: deque[Any] = deque()

    def __enter__(self) -> Self:
        address = f"{self._origin.replace('http', 'ws', 1)}/ws"
        opened = connect(address, origin=self._origin, max_size=None, open_timeout=PATIENCE)  # type: ignore[arg-type]
        self._line = self._held.enter_context(opened)
        self.ask("hello", page=self._page, session=self._session)
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def ask(self, do: str, **what: Any) -> None:
        """Send an order, after answering all received ticks, because a late page would be refused."""
        with suppress(TimeoutError):
            while True:
                self._kept.append(self._hear(0))
        self._line.send(json.dumps({"do": do, **what}))

    def message(self, kind: str, so: Callable[[Any], object] = lambda _: True) -> Any:
        """Return the next message of a kind that meets a condition."""
        until = time.monotonic() + PATIENCE
        while True:
            message = self._kept.popleft() if self._kept else self._hear(max(0.0, until - time.monotonic()))
            if message["kind"] == kind and so(message):
                return message

    def _hear(self, patience: float) -> Any:
        """Return the next message that is not a frame of lamps. Answer ticks, as pages do."""
        while not isinstance(said := self._line.recv(timeout=patience), str):
            pass
        message = json.loads(said)
        assert not_as_told(message) == [], said
        if message["kind"] == "beat":
            with suppress(ConnectionClosed):  # the table may have gone since
                self._line.send(json.dumps({"do": "heard", "at": message["at"]}))
        return message
