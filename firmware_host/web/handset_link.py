"""The invitation to Mister X's phone: the token as the terminal shows it, and a new one whenever somebody asks."""

from __future__ import annotations

import os
import select
import shutil
from typing import TextIO

from firmware_host.web import host_names, qr_code
from firmware_host.web.access_control import LASTS
from firmware_host.web.server import Server


class Invitation:
    """What the terminal says of the handset.

    Args:
        server: the pages; its door makes the tokens.
        keyboard: where Enter asks for a new token, if it is a terminal's.
        screen: where the text goes; the code is drawn for a terminal only.
    """

    def __init__(self, server: Server, keyboard: TextIO, screen: TextIO) -> None:
        self._server = server
        self._keyboard: int | None = keyboard.fileno() if keyboard.isatty() else None
        self._draws = screen.isatty() and os.environ.get("TERM") != "dumb"

    def text(self) -> str:
        """The invitation with a new token, which takes the place of the one before."""
        server = self._server
        link = f"{server.address}handset#{server.door.new_token()}"
        lines = [f"Mister X's handset: {link}"]
        if self._draws:
            lines += self._code(link)
        how = "Scan the code or open the link" if self._draws else "Open the link"
        lines.append(f"{how}; it works once, within {LASTS / 60:.0f} minutes.")
        if self._keyboard is not None:
            lines.append("Press Enter for a new one: for another phone, or after the page was closed.")
        if host_names.is_loopback(host_names.reachable(server.host)):
            lines.append("This machine alone can open it. For a phone: --host 0.0.0.0, on a network that you trust.")
        return "\n".join(lines)

    def wanted(self) -> bool:
        """Whether somebody has pressed Enter since this was asked last. Costs nearly nothing."""
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

    def _code(self, link: str) -> list[str]:
        code = qr_code.printed(link)
        if shutil.get_terminal_size().columns < qr_code.width(code):
            return [f"(The code for a phone needs {qr_code.width(code)} columns.)"]
        return code


def _is_for_others(keyboard: int) -> bool:
    """Whether another program is in front at that terminal: to read what is typed would stop this one."""
    try:
        return os.tcgetpgrp(keyboard) != os.getpgrp()
    except OSError:  # a terminal at which nothing is in front
        return False
