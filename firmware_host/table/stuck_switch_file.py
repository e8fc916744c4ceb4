"""Save which switches are out of order, so that after a restart nobody is asked about them again.

The file is beside the journal. It contains no secret, and nothing depends on it: if it is missing or unreadable, such a
switch is found as it was the first time.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path

from firmware_host.referee.switch_register import SwitchRegister
from firmware_host.system import safe_read
from firmware_host.system.atomic_write import replace_file
from firmware_host.system.background_task import Task, at_once
from firmware_host.system.event_log import log_fields

log = logging.getLogger("yardboard")

NAME = "switches.json"
"""The file's name, in the journal's folder."""

_LEVELS = {"closed": True, "open": False}


class StuckSwitchFile:
    """The file that stores one board's stuck switches.

    Args:
        path: the file's path; None to save nothing.
        board: identifies this board's wiring, as another board may have left a file here.
        writing: runs slow file tasks.
    """

    def __init__(self, path: Path | None, board: str, writing: Callable[[Task], None] = at_once) -> None:
        self._path = path
        self._writing = writing
        self._board = board

    def read(self, count: int) -> SwitchRegister:
        """Return the saved register of `count` switches, or an empty one if this board has no file."""
        if self._path is None:
            return SwitchRegister()
        try:
            kept = json.loads(safe_read.read_small_file(self._path).decode())
            if kept["board"] != self._board:
                return SwitchRegister()
            stuck = {int(number): _LEVELS[level] for number, level in kept["stuck"].items()}
            times = {int(number): _many(often) for number, often in kept.get("times", {}).items()}
        except FileNotFoundError:
            return SwitchRegister()
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            why, said = type(error).__name__, log_fields("masks")
            log.warning("Switches out of order are not known any more: %s: %s", self._path, why, extra=said)
            return SwitchRegister()
        inputs = range(count)
        known = {n: closed for n, closed in stuck.items() if n in inputs}
        return SwitchRegister.of(known, {n: often for n, often in times.items() if n in inputs})

    def write(self, register: SwitchRegister) -> None:
        """Save the register. If that fails, the next start will not know it, and the table goes on."""
        if self._path is None:
            return
        levels = {str(number): "closed" if closed else "open" for number, closed in sorted(register.levels.items())}
        often = {str(number): many for number, many in sorted(register.times.items())}
        text = json.dumps({"board": self._board, "stuck": levels, "times": often}) + "\n"
        self._writing(partial(_put, self._path, text))


def _put(path: Path, text: str) -> None:
    try:
        replace_file(path, text.encode())
    except OSError as error:
        why, said = error.strerror, log_fields("masks")
        log.warning("Switches out of order are not kept: %s: %s", path, why, extra=said)


def _many(often: object) -> int:
    """Return how many times a switch was out of order, as the file says.

    Raises:
        ValueError: the value is not a number of times.
    """
    if not isinstance(often, int) or isinstance(often, bool) or often < 1:
        raise ValueError(f"a switch was out of order {often!r} times; a whole number from 1 would be right")
    return often
