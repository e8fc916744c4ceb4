"""Check the configured programs of players, and find them on this machine."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.config.allowed_values import as_toml
from firmware_host.config.schema import PlayerSection
from firmware_host.config.section_reader import Draft
from firmware_host.players.protocol.program_sandbox import Sandbox, sandbox_here
from firmware_host.players.seats import OWN_LEVELS, PERSON
from firmware_host.rules.actions import DETECTIVES, MR_X
from firmware_host.system.files import read_small_file

if TYPE_CHECKING:  # loader imports this module
    from firmware_host.config.loader import Config

TAKEN = (PERSON, MR_X, DETECTIVES, *OWN_LEVELS)
"""Names that a program cannot have, because they mean something else in a list of seats."""


def check_programs(draft: Draft, folder: Path | None) -> None:
    """Check that each program exists, and that its name is not that of a built-in player.

    Args:
        draft: the configuration, as far as it could be read.
        folder: the folder from which relative paths start; None: do not look for the programs.
    """
    for name, section in draft.sections["players"].items():
        if name in TAKEN:
            draft.complain("players", name, f"is a reserved name; choose one other than {', '.join(TAKEN)}")
        elif folder is not None and draft.sound("players", name):
            why = _fault(section, folder)
            if why:
                draft.complain(f"players.{name}", "command", why)


def full_command(section: PlayerSection, folder: Path) -> tuple[str, ...]:
    """Return a program's absolute path and its arguments."""
    program = section.command[0]
    return (_find(program, folder) or program, *section.command[1:])


def trusted_programs(config: Config) -> tuple[str, ...]:
    """Return the programs that are not confined on this machine, and so have all rights of the user."""
    return tuple(config.players) if config.players and sandbox_here() is Sandbox.NONE else ()


def trust_lines(config: Config) -> list[str]:
    """Return a line for each program, which says whether the program is confined on this machine."""
    confined = [
        f"[players.{name}]: is confined by {sandbox_here().value}: it cannot read the games" for name in config.players
    ]
    return warnings_of_trust(config) or confined


def warnings_of_trust(config: Config) -> list[str]:
    """Return a warning for each program that is not confined on this machine.

    In a service this means that the program was added after the last `yardboard setup`.
    """
    return [
        f"[players.{name}]: is trusted with everything: nothing confines it here, so it can read where Mister X is; "
        "install bubblewrap, or for the service run `sudo yardboard setup` (docs/players.md)"
        for name in trusted_programs(config)
    ]


def _fault(section: PlayerSection, folder: Path) -> str:
    """Return the fault in a program's command, or ""."""
    right = 'write the program and its arguments, such as ["python3", "bot.py"]'
    if not section.command:
        return f"is missing; {right}"
    program = section.command[0]
    if _find(program, folder) is None:
        path = folder.absolute() / program
        if os.sep not in program:
            return (
                f"{as_toml(program)}: there is no such program on this machine ($PATH); install it, or correct its name"
            )
        if path.is_file():
            return f"{path} may not be run; allow it with: chmod +x {path}"
        if path.is_dir():
            return f"{path} is a folder; name the program in it"
        return f"there is no program {path}; put it there, or correct the path"
    return _fault_of_interpreter(Path(full_command(section, folder)[0]))


def _fault_of_interpreter(program: Path) -> str:
    """Return what is wrong with the interpreter that a script's first line names, or ""."""
    try:
        first = read_small_file(program).partition(b"\n")[0].decode("utf-8", "replace")
    except OSError:  # a program that may be run, but not read
        return ""
    words = first.removeprefix("#!").split()
    if not first.startswith("#!") or not words:
        return ""
    if Path(words[0]).name == "env" and Path(words[0]).exists():
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word] or words
    if shutil.which(words[0]) is not None:
        return ""
    return f"{program}: its first line names {words[0]}, which is not on this machine; install it, or correct the line"


def _find(program: str, folder: Path) -> str | None:
    """Return the path of a program, given by name or relative to the configuration's folder, or None."""
    return shutil.which(str(folder.absolute() / program) if os.sep in program else program)
