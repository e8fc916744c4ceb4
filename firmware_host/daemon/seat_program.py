"""The command `seat-program`: run one program of the service's configuration for the table that has connected.

It is what a unit of yardboard-player@.service runs, with the connection on its standard input. The table sends a name
and nothing else of what to run: the command is that of the configuration, which is root's. The unit shuts all of it in,
this command too, and ends what is left when this command ends.
"""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
from pathlib import Path

import click

from firmware_host.config.loader import load
from firmware_host.config.player_programs import full_command
from firmware_host.config.toml_file import ConfigError, complaint
from firmware_host.players.protocol.limited_process import PASSED_ON
from firmware_host.system.printable import printable

LONGEST_NAME = 64
"""Bytes that a program's name may have."""


@click.command("seat-program")
@click.option(
    "--config", "path", required=True, type=click.Path(path_type=Path, dir_okay=False), help="Of the service."
)
def seat_program(path: Path) -> None:
    """Run a program for the service.

    For the unit yardboard-player@.service: the table connects to its socket and sends the name of a program of
    [players.NAME]. The program then has the connection as its standard input and output, until either ends.
    """
    try:
        config = load(path)
    except ConfigError as error:
        raise click.ClickException(complaint(error)) from None
    try:
        connection = socket.socket(fileno=os.dup(sys.stdin.fileno()))
    except OSError:
        raise click.ClickException(
            "seat-program: its standard input is no connection; only its unit starts it"
        ) from None
    with connection:
        name = _read_name(connection)
        section = config.players.get(name)
        if section is None:
            raise click.ClickException(printable(f"{path}: has no [players.{name}]"))
        folder = config.folder.absolute()
        limited = ("prlimit", f"--data={section.memory_mb << 20}", "--", *full_command(section, folder))
        plain = {name: value for name, value in os.environ.items() if name in (*PASSED_ON, "LANG", "TMPDIR")}
        both = connection.fileno()
        with subprocess.Popen(limited, stdin=both, stdout=both, cwd=folder, env=plain) as program:  # noqa: S603 - root's
            _wait_for_either(program, connection)
            program.kill()


COMMANDS = (seat_program,)
"""This module's commands."""


def _read_name(connection: socket.socket) -> str:
    """Read the line with the program's name, and not a byte of what follows: that is for the program."""
    name = b""
    while len(name) <= LONGEST_NAME and (byte := connection.recv(1)) not in (b"", b"\n"):
        name += byte
    return name.decode(errors="replace")


def _wait_for_either(program: subprocess.Popen[bytes], connection: socket.socket) -> None:
    """Wait until the program has ended, or the table has closed the connection."""
    ended = os.pidfd_open(program.pid)
    try:
        poll = select.poll()
        poll.register(ended, select.POLLIN)
        poll.register(connection, select.POLLRDHUP)
        poll.poll()
    finally:
        os.close(ended)
