"""Define the command `player`: our own players behind the player protocol (docs/players.md)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import BinaryIO

import click

from firmware_host.players.levels.levels import INSTALL, LEVELS, can_search
from firmware_host.players.protocol.player_session import PlayerSession
from firmware_host.players.protocol.protocol_messages import LONGEST_QUESTION, line
from firmware_host.system.private_memory import keep_memory_to_itself


@click.command()
@click.option("--level", type=click.Choice(tuple(LEVELS)), help="How well it plays; by default as the table says.")
@click.option("--compile", "compiles", is_flag=True, help="Only compile what searching levels run, for later.")
def player(level: str | None, compiles: bool) -> None:
    """Play for another program.

    One of our players, behind the player protocol on standard input and output: see docs/players.md.
    """
    keep_memory_to_itself()
    if compiles:
        _compile()
        return
    serve(PlayerSession(level or ""), sys.stdin.buffer, sys.stdout.buffer)


COMMANDS = (player,)


def _compile() -> None:
    if not can_search():
        raise click.ClickException(
            f"player --compile needs the search; install it with: {sys.executable} -m {INSTALL} in yardboard's folder; "
            "where memory that was written may not be run, see systemd/players.conf"
        )
    try:
        from firmware_host.players.search.compile_search import compile_search  # noqa: PLC0415 - an optional extra

        compile_search()
    except (RuntimeError, OSError) as error:  # numba raises RuntimeError if it finds no writable folder
        where = "$NUMBA_CACHE_DIR names one; the service's belongs to its own user"
        raise click.ClickException(f"player --compile: no folder to keep it in can be written: {where}") from error


def serve(session: PlayerSession, lines: BinaryIO, out: BinaryIO) -> None:
    """Answer every non-blank line until there are no more, or the table ends the session."""
    for said in _read(lines):
        if not said.strip():
            continue
        answer = session.answer(said)
        if session.ended:
            return
        if answer is not None:
            out.write(line(answer))
            out.flush()


def _read(lines: BinaryIO) -> Iterator[bytes]:
    """Yield each line without its end; of an overlong line only enough to detect that."""
    while said := lines.readline(LONGEST_QUESTION + 2):
        end = said
        while len(end) > LONGEST_QUESTION and not end.endswith(b"\n"):
            end = lines.readline(LONGEST_QUESTION + 2)
        yield said.rstrip(b"\r\n")
