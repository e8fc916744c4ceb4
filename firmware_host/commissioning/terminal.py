"""Read lines typed at the terminal without blocking."""

from __future__ import annotations

import os
import select
import time

END = "q"
"""The line that represents the end of the input."""


class Terminal:
    """A reader of lines from a file descriptor that never blocks.

    Args:
        handle: the file descriptor; standard input by default.
    """

    def __init__(self, handle: int = 0) -> None:
        self._handle = handle
        self._begun = b""
        self._open = True

    def lines(self, seconds: float) -> list[str]:
        """Return the lines typed, waiting up to `seconds` for the first one.

        The end of the input gives `END` once.
        """
        if not self._open:
            time.sleep(seconds)
            return []
        try:
            if not select.select([self._handle], [], [], seconds)[0]:
                return []
            read = os.read(self._handle, 4096)
        except OSError:  # no terminal any more, or never one
            read = b""
        *whole, self._begun = (self._begun + read).split(b"\n")
        lines = [line.decode(errors="replace") for line in whole]
        if not read:
            self._open = False
            lines.append(END)
        return lines
