"""Switches that are out of order, kept beside the journal: after a restart nobody is asked for them again.

Nothing in it is secret, and nothing depends on it: without the file, or with one that cannot be read, such a switch is
found as it was found the first time.
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
    """The file of one board.

    Args:
        path: where it lies; None keeps nothing.
        board: what tells this board's wires from those of others that may have left a file here.
        writing: carries out what may wait for the disk.
    """

    def __init__(self, path: Path | None, board: str, writing: Callable[[Task], None] = at_once) -> None:
        self._path = path
        self._writing = writing
        self._board = board

    def read(self, count: int) -> SwitchRegister:
        """Return what is known of `count` switches; nothing if there is no file of this board's."""
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
        """Keep the register; if that fails, the next start will not know it, and the table goes on."""
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
    """Return how many times a switch was out of order, as the file has it.

    Raises:
        ValueError: it is no number of times.
    """
    if not isinstance(often, int) or isinstance(often, bool) or often < 1:
        raise ValueError(f"a switch was out of order {often!r} times; a whole number from 1 would be right")
    return often
