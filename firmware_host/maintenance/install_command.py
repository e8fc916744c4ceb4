"""Define the commands `install` and `uninstall`: set up a table's service on a Pi, or remove it."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click

import firmware_host
import hardware
from firmware_host.config.loader import Config, load, parse
from firmware_host.config.toml_file import ConfigError, complaint, contents
from firmware_host.maintenance.install_plan import (
    GAMES,
    PROGRAM,
    TABLE,
    ForeignFile,
    InstallError,
    Step,
    files_left,
    service_files,
    to_install,
    to_uninstall,
)
from firmware_host.maintenance.install_target import CommandFailed, Machine
from firmware_host.system.printable import printable, printable_lines
from firmware_host.system.terminal import FILE, echo

HIDDEN = ("/home", "/root", "/run/user", "/tmp", "/var/tmp")  # noqa: S108 - where the service's files must not be
"""What the unit hides from the service: ProtectHome= and PrivateTmp=, systemd.exec(5)."""


class CannotInstall(InstallError, OSError):
    """This machine or this user cannot install the service."""


class NoBoard(InstallError, ValueError):
    """The service could not run this configuration."""


def program(machine: Machine) -> str:
    """Return the command `yardboard` for the service: the running one, or the image's.

    Raises:
        CannotInstall: the service cannot see or read it, a unit cannot name it, or there is none, as in a checkout that
            is not installed.
    """
    into = f"install yardboard into {PROGRAM.parents[1]}: see README.md"
    command = Path(sys.executable).with_name("yardboard") if machine.live else machine.at(str(PROGRAM))
    if not command.is_file():
        raise CannotInstall(f"{command}: there is no such file; {into}")
    if not machine.live:
        command = PROGRAM
    elif bad := re.search(r"""[\s%$"'\\]""", str(command)):
        raise CannotInstall(f"{command}: a unit cannot start a program with {bad[0]!r} in its path; {into}")
    for path in (command, *((Path(sys.base_prefix), Path(firmware_host.__file__)) if machine.live else ())):
        _check_visible(machine, path, into)
    return str(command)


def files_read(config: Config) -> list[Path]:
    """Return the files that the service reads: this program, and the user's own map and edition files."""
    packages = [Path(package.__file__).parent for package in (firmware_host, hardware) if package.__file__]
    return packages + [Path(TABLE).parent / name for name in _named_files(config).values()]


def _named_files(config: Config) -> dict[str, str]:
    names = {"[game] rules": config.game.rules, "[map] name": config.map.name}
    return {where: name for where, name in names.items() if name.endswith(".toml")}


def load_for_service(path: Path, machine: Machine) -> Config:
    """Load a configuration that the machine's service can run from `TABLE`.

    Raises:
        ConfigError: it cannot be read or used; every mistake is listed.
        NoBoard: it is not for a real board, or names files that the service would not find.
        CannotInstall: the service could not see or read a file.
    """
    try:
        config = parse(contents(path), str(path), folder=machine.at(TABLE).parent)
    except ConfigError as error:
        load(path)  # an invalid configuration fails with its own message
        raise ConfigError(
            f"As {TABLE} it would be invalid; put its map and its edition in the same folder:", *error.mistakes
        ) from None
    if config.simulated:
        raise NoBoard(f"{path}: its board is simulated: play on it with yardboard sim")
    _check_visible(machine, Path(TABLE), "put a file there, and no link")
    for where, name in _named_files(config).items():
        _check_visible(machine, Path(TABLE).parent / name, f"put it beside {TABLE}; it is named in {path}, {where}")
        if not machine.live and Path(name).is_absolute():
            raise NoBoard(f"{path}: {where}: for an image put it beside {TABLE}, and write its path from there on")
    journal = Path(TABLE).parent / config.journal.path
    if config.journal.path and not journal.is_relative_to(GAMES[0]):
        raise NoBoard(f"{path}: [journal] path: the service can only write below {GAMES[0]}, not to {journal}")
    return config


def _check_visible(machine: Machine, path: Path, otherwise: str) -> None:
    """Check that the service can see and read a path of the machine, if it exists."""
    for each in (path, *((path.resolve(),) if machine.live else ())):
        if any(each.is_relative_to(folder) for folder in HIDDEN):
            raise CannotInstall(f"{each}: the service cannot see it; {otherwise}")
    if part := machine.unreadable_part(str(path)):
        whole = "-R " if part.is_relative_to(sys.prefix) else ""
        raise CannotInstall(f"{path}: the service's user cannot read it; run: sudo chmod {whole}a+rX {part}")


FOLDER = click.Path(path_type=Path, file_okay=False, exists=True)


@click.command()
@click.option(
    "--config",
    "path",
    metavar="FILE",
    type=FILE,
    help=f"The table's configuration; by default {TABLE}, if it is there already.",
)
@click.option("--dry-run", is_flag=True, help="Only show what would be done.")
@click.option("--replace", is_flag=True, help="Rename files of others instead of giving up.")
@click.option("--root", metavar="DIR", type=FOLDER, default=Path("/"), help="Work on an image that is mounted there.")
def install(path: Path | None, dry_run: bool, replace: bool, root: Path) -> None:
    """Set the table up as a service.

    It starts with the machine, under a user of its own, and restarts after a failure. Only missing parts are installed:
    repeat the command after a change of the configuration, or with a newer yardboard.
    """
    machine = Machine(root)
    try:
        machine.check(only_look=dry_run)
        source = path or machine.at(TABLE)
        if path is None and not source.is_file():
            raise CannotInstall(f"{source}: there is no such file; use --config FILE")
        config = load_for_service(source, machine)
        wanted = service_files(config, program(machine))
        table = None if path is None else contents(source)
        state, stamp = machine.state(files_read(config)), time.strftime("%Y%m%d-%H%M%S")
        steps = to_install(state, wanted, table, stamp=stamp, replace=replace)
        _carry_out_all(steps, machine, dry_run=dry_run)
    except (InstallError, ConfigError, OSError) as error:
        raise click.ClickException(_error_line(error)) from None
    if not dry_run:
        _print_line("The table is a service: systemctl status yardboard" if machine.live else "The image is ready.")


@click.command()
@click.option("--purge", is_flag=True, help="Remove the configuration, all games and the service's user as well.")
@click.option("--dry-run", is_flag=True, help="Only show what would be done.")
@click.option("--root", metavar="DIR", type=FOLDER, default=Path("/"), help="Work on an image that is mounted there.")
def uninstall(purge: bool, dry_run: bool, root: Path) -> None:
    """Remove the service.

    The configuration, the games and their user stay. The program itself is not touched.
    """
    machine = Machine(root)
    try:
        machine.check(only_look=dry_run)
        state = machine.state()
        _carry_out_all(to_uninstall(state, purge=purge), machine, dry_run=dry_run)
    except (InstallError, ConfigError, OSError) as error:
        raise click.ClickException(_error_line(error)) from None
    for stays in files_left(state):
        _print_line(f"{stays} stays: another author wrote or changed it")
    if not purge and TABLE in state.files:
        _print_line(f"The configuration ({TABLE}) stays; --purge removes it.")
    if not purge and any(folder in state.folders for folder in GAMES):
        _print_line(f"The games ({GAMES[0]}) stay; --purge removes them.")


def _carry_out_all(steps: Sequence[Step], machine: Machine, *, dry_run: bool) -> None:
    for step in steps:
        _print_line(str(step))
        if not dry_run:
            machine.carry_out(step)
    if not steps:
        _print_line("Nothing needs to be done.")
    elif dry_run:
        _print_line("Nothing of this has been done.")


def _print_line(line: str) -> None:
    """Print a line. If the reader has gone, as behind `head`, continue without printing."""
    try:
        echo(line)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _error_line(error: Exception) -> str:
    """Word an error for people: the system's own errors name the file at the end."""
    if isinstance(error, OSError) and error.filename is not None:
        return printable(f"{error.filename}: {error.strerror}")
    if isinstance(error, (ForeignFile, CommandFailed)):  # these have several lines and name the service's files
        return printable_lines(str(error))
    return complaint(error)


COMMANDS = (install, uninstall)
"""This module's commands."""
