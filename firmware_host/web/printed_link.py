"""Print a simulated table's address, and the link for Mister X's phone, as text and as a QR code."""

from __future__ import annotations

import os
import select
import shutil
from itertools import groupby
from typing import TYPE_CHECKING, TextIO

from firmware_host.web.seats.handset_token import LASTS
from firmware_host.web.seats.qr_modules import qr_modules

if TYPE_CHECKING:
    from firmware_host.web.server import Server


def greeting(server: Server) -> str:
    """Return the line that says where the pages are and how to stop the table."""
    return f"The table: {server.address} (press Ctrl-C to stop; the next start resumes the game)"


class LinkPrompt:
    """A prompt in the terminal: Enter prints a link for Mister X's phone, or how to let phones connect.

    Args:
        server: the server of the pages, with the handset's token.
        keyboard: the input on which Enter asks for a new link, if it is a terminal.
        screen: the output for the text; the QR code is drawn on a terminal only.
    """

    def __init__(self, server: Server, keyboard: TextIO, screen: TextIO) -> None:
        self._server = server
        self._keyboard: int | None = keyboard.fileno() if keyboard.isatty() else None
        self._screen = screen

    def text(self) -> str:
        """Return the link with a new token in place of the previous one, and how to use it.

        While only this machine can open the pages, return how to let phones in and keep the token.
        """
        server = self._server
        if server.is_alone:
            return (
                "Only this machine can open the table. For phones: let them in on the table's page, or start with "
                "--host 0.0.0.0, on a network that you trust."
            )
        link = f"{server.address}seat#{server.handset_token.new_token()}"
        lines = [f"Mister X's handset: {link}"]
        code = drawn_code(link, self._screen)
        lines += code
        how = "Scan the code or open the link" if code else "Open the link"
        lines.append(f"{how}; it works once, within {LASTS / 60:.0f} minutes.")
        if self._keyboard is not None:
            lines.append("Press Enter for a new one: for another phone, or after the page was closed.")
        return "\n".join(lines)

    def wanted(self) -> bool:
        """Return whether Enter was pressed since the last call. Costs almost nothing."""
        keyboard = self._keyboard
        if keyboard is None or not select.select([keyboard], [], [], 0)[0] or _is_for_others(keyboard):
            return False
        try:
            typed = os.read(keyboard, 1024)
        except OSError:  # the terminal is gone
            typed = b""
        if not typed:
            self._keyboard = None
        return b"\n" in typed


def _is_for_others(keyboard: int) -> bool:
    """Return whether another program has the keyboard now. Reading it would then suspend our program."""
    try:
        return os.tcgetpgrp(keyboard) != os.getpgrp()
    except OSError:  # a terminal without a foreground program
        return False


_HALF = "▀"
"""The upper half of a character. The lower half is its background. Each half is a square."""

_COLOURS = (231, 16)
"""White for a light module and black for a dark one, whatever the terminal's colours are.

Not every reader accepts a code that is light on dark.
"""


def drawn_code(link: str, screen: TextIO) -> list[str]:
    """Return the lines of a link's QR code for the terminal.

    Return no lines if the output is not a terminal or a dumb one, and only a note if the terminal is too narrow.
    """
    if not screen.isatty() or os.environ.get("TERM") == "dumb":
        return []
    code = qr_code(link)
    if shutil.get_terminal_size().columns < width_of(code):
        return [f"(The code for a phone needs {width_of(code)} columns.)"]
    return code


def qr_code(link: str) -> list[str]:
    """Return a link's QR code as lines of terminal text. Each line shows two rows of modules.

    The upper module is drawn in the colour of the text, the lower one in that of the background. The background also
    fills the gap between two lines, so no gap cuts the code.
    """
    rows = [[int(module) for module in row] for row in qr_modules(link)]
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    return [_line(list(zip(upper, lower, strict=True))) for upper, lower in zip(rows[::2], rows[1::2], strict=True)]


def width_of(lines: list[str]) -> int:
    """Return the width of a printed QR code in columns."""
    return lines[0].count(_HALF)


def _line(pairs: list[tuple[int, int]]) -> str:
    runs = [(pair, len(list(run))) for pair, run in groupby(pairs)]
    return "".join(f"\x1b[38;5;{_COLOURS[u]};48;5;{_COLOURS[v]}m{_HALF * n}" for (u, v), n in runs) + "\x1b[0m"
