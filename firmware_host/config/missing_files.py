"""Find files that a valid configuration names, but that are missing or are folders on this machine."""

from __future__ import annotations

import os
import re
from pathlib import Path

from firmware_host.config.loader import Config

_FILES = {
    "password_file": "create it with the password alone, or correct the path",
    "ca_file": "copy the broker's certificate there, or correct the path",
}
"""Keys of [mqtt] that name a file, each with what to do if it is missing."""

_INTERPRETER = re.compile(r"(python|pypy|node)[0-9.]*")
_PLAIN_OPTION = re.compile(r"-[^-cmWX]+")
"""Options of an interpreter that take no value, so that the script may follow."""


def missing_files(config: Config) -> list[str]:
    """Return a line for each file that the configuration names and that is missing or a folder on this machine.

    The journal may be missing, because the table creates it. A file that this user may not look for counts as present.
    """
    lines = []
    for key, right in _FILES.items():
        name = getattr(config.mqtt, key)
        if name and (what := _fault(config.folder.absolute() / name, right)):
            lines.append(f"[mqtt] {key}: {what}")
    for player, section in config.players.items():
        script = _script(section.command)
        right = "put the program there, or correct the path"
        if script and (what := _fault(config.folder.absolute() / script, right)):
            lines.append(f"[players.{player}] command: {what}")
    journal = config.folder.absolute() / config.journal.path
    if config.journal.path and os.path.isdir(journal):  # noqa: PTH112 - Path.is_dir raises PermissionError
        lines.append(f"[journal] path: {journal} is a folder; name a file in it, such as {journal / 'journal.sqlite'}")
    return [f"{config.source}: {line}" for line in lines]


def _script(command: tuple[str, ...]) -> str:
    """Return the script that a command runs with Python or Node, or "" if the command names none."""
    program, *arguments = command
    if not _INTERPRETER.fullmatch(Path(program).name):
        return ""
    first = next((word for word in arguments if not _PLAIN_OPTION.fullmatch(word)), "")
    return first if first.endswith((".py", ".js")) else ""


def _fault(path: Path, right: str) -> str:
    """Return what is wrong with the path of a file, or "". `right` says what to do if the file is missing."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return f"there is no file {path}; {right}"
    except (OSError, ValueError):
        return ""
    return f"{path} is a folder; name a file" if path.is_dir() else ""
