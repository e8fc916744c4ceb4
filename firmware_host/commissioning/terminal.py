"""The terminal of whoever stands at the table: lines that are typed, without ever waiting for one."""

from __future__ import annotations

import os
import select
import time

END = "q"
"""What the end of the input counts as."""


class Terminal:
    """Lines from a file descriptor as they come.

    Args:
        handle: the descriptor; standard input by default.
    """

    def __init__(self, handle: int = 0) -> None:
        self._handle = handle
        self._begun = b""
        self._open = True

    def lines(self, seconds: float) -> list[str]:
        """The lines that were typed; waits for so long at the most, and for no longer than until there is one.

        At the end of the input, once, `END`.
        """
        if not self._open:
            time.sleep(seconds)
            return []
        try:
            if not select.select([self._handle], [], [], seconds)[0]:
                return []
            read = os.read(self._handle, 4096)
        except OSError:  # the terminal has gone, or there never was one
            read = b""
        *whole, self._begun = (self._begun + read).split(b"\n")
        lines = [line.decode(errors="replace") for line in whole]
        if not read:
            self._open = False
            lines.append(END)
        return lines
