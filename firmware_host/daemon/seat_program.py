"""Define the command `seat-program`, which runs a computer player's program for a table.

A unit of yardboard-player@.service runs it, with the connection on its standard input. The table sends only a name, and
the command line comes from root's configuration. The unit confines all its processes, and ends those that remain when
this command ends.
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
from firmware_host.players.protocol.limited_process import PASSED_ON
from firmware_host.system.printable import printable
from firmware_host.system.terminal import FILE

LONGEST_NAME = 64
"""The most bytes in a program's name."""


@click.command("seat-program")
@click.option("--config", "path", required=True, type=FILE, help="Of the service.")
def seat_program(path: Path) -> None:
    """Run the program of a computer player for the service.

    The unit yardboard-player@.service runs this command. The table connects to the unit's socket and sends the name of
    a program of [players.NAME]. The program then has the connection as its standard input and output, until either
    ends.
    """
    config = load(path)
    try:
        connection = socket.socket(fileno=os.dup(sys.stdin.fileno()))
    except OSError:
        raise click.ClickException(
            "seat-program: its standard input must be a connection; let yardboard-player@.service start it"
        ) from None
    with connection:
        name = _read_name(connection)
        section = config.players.get(name)
        if section is None:
            raise click.ClickException(printable(f"{path}: has no [players.{name}]; add it, or name another program"))
        folder = config.folder.absolute()
        limited = ("prlimit", f"--data={section.memory_mb << 20}", "--", *full_command(section, folder))
        plain = {name: value for name, value in os.environ.items() if name in (*PASSED_ON, "LANG", "TMPDIR")}
        both = connection.fileno()
        with subprocess.Popen(limited, stdin=both, stdout=both, cwd=folder, env=plain) as program:  # noqa: S603 - configured by root
            _wait_for_either(program, connection)
            program.kill()


COMMANDS = (seat_program,)
"""This module's commands."""


def _read_name(connection: socket.socket) -> str:
    """Read the line with the program's name, but no byte after it, because the rest is for the program."""
    name = b""
    while len(name) <= LONGEST_NAME and (byte := connection.recv(1)) not in (b"", b"\n"):
        name += byte
    return name.decode(errors="replace")


def _wait_for_either(program: subprocess.Popen[bytes], connection: socket.socket) -> None:
    """Wait until the program ends or the table closes the connection."""
    ended = os.pidfd_open(program.pid)
    try:
        poll = select.poll()
        poll.register(ended, select.POLLIN)
        poll.register(connection, select.POLLRDHUP)
        poll.poll()
    finally:
        os.close(ended)
