"""Define the command `replay`: run a recorded session again, or list its events."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import click

from firmware_host import __version__
from firmware_host.config.toml_file import ConfigError, complaint
from firmware_host.recording.recorded_session import device_facts, read_session
from firmware_host.recording.recording_wording import TABLE, Timeline, describe, public_part, save_pictures
from firmware_host.recording.replay_recording import ReplayResult, replay
from firmware_host.recording.tape import TapeError
from firmware_host.recording.tape_file import Tape
from firmware_host.system.printable import printable
from firmware_host.system.private_memory import keep_memory_to_itself

ALIKE, DIFFERENT, UNREADABLE = 0, 1, 2
"""The exit statuses of a replay."""

log = logging.getLogger("yardboard")


@click.command("replay")
@click.argument("file", metavar="TAPE", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--from",
    "since",
    type=click.FloatRange(0),
    default=0.0,
    help="Ignore differing pictures before this many seconds.",
)
@click.option("--until", type=click.FloatRange(0), default=float("inf"), help="End the replay after this many seconds.")
@click.option(
    "--pictures", metavar="FOLDER", type=click.Path(path_type=Path), help="Save two differing pictures there."
)
@click.option("--show", is_flag=True, help="List what happened at the table instead.")
@click.option("--secret", is_flag=True, help="Include Mister X's secrets.")
def replay_command(file: Path, since: float, until: float, pictures: Path | None, show: bool, secret: bool) -> int:
    """Run a recorded session again.

    The current software gets the recorded inputs; its output is compared with the recorded output.
    The status is 0 if there is no difference, 1 if there is one, 2 if the tape cannot be played.
    """
    keep_memory_to_itself()
    try:
        with file.open("rb") as opened:
            tape = Tape(opened, str(file))
            if show:
                _print_timeline(tape, str(file), secret=secret)
                return ALIKE
            return _replay(tape, str(file), since, until, pictures, secret=secret)
    except (TapeError, ConfigError) as error:
        click.echo(complaint(error), err=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        click.echo(printable(f"{error.filename or file}: {error.strerror}"), err=True)
    return UNREADABLE


def _replay(tape: Tape, name: str, since: float, until: float, pictures: Path | None, *, secret: bool) -> int:
    session, devices = read_session(tape, name), device_facts(tape, name)
    _print_line(f"Recorded {session.began} by yardboard {session.software}; this is {__version__}.")
    level = log.level
    log.setLevel(logging.CRITICAL + 1)  # the recording has already logged these messages
    try:
        went = replay(tape, name, since=since, until=until)
    finally:
        log.setLevel(level)
    for line in _describe_result(went, secret=secret):
        _print_line(line)
    if went.difference is not None:
        for line in describe(went.difference, went.layout, devices, secret=secret):
            _print_line(line)
        for path in [] if pictures is None else save_pictures(went.difference, devices, pictures, secret=secret):
            _print_line(f"Written: {path}")
    return DIFFERENT if went.difference or went.failure else ALIKE


def _describe_result(went: ReplayResult, *, secret: bool) -> Iterator[str]:
    """Describe how far a replay got. An error's text may quote secrets, so only `secret` shows it."""
    counts = ", ".join(f"{went.counts[what]:,} {what}" for what in ("samples", "frames", "pictures"))
    yield f"Alike: {went.passes:,} passes in {went.seconds:,.1f} s at the table; {counts}."
    yield (
        "  A pass is one look at switches and keys; samples are what they said, frames went to the lamps, pictures to "
        "the screens."
    )
    if went.passed_over:
        yield f"Passed over before --from: {went.passed_over:,} that differ."
    if went.broken:
        yield f"The tape is incomplete: {went.broken}."
    if went.failure:
        then = "; there the tape ends: it seems to have failed then, too" if went.ends_there else ""
        yield f"In pass {went.passes:,} the software failed with {went.failure}{then}."
        yield f"  {went.words}" if secret else "  --secret shows its message, which may contain Mister X's station."


def _print_timeline(tape: Tape, name: str, *, secret: bool) -> None:
    session, keys = read_session(tape, name), device_facts(tape, name).keys
    _print_line(f"Recorded {session.began} by yardboard {session.software}.")
    entries = tape.entries if session.public else public_part(tape.entries, keys, "" if secret else TABLE)
    for line in Timeline(session.config().layout, keys).lines(entries):
        _print_line(line)
    if tape.broken:
        _print_line(f"The tape is incomplete: {tape.broken}.")


def _print_line(line: str) -> None:
    """Print a line safely: a tape may come from a stranger."""
    click.echo(printable(line))


COMMANDS: tuple[click.Command, ...] = (replay_command,)
"""The command, for the command line."""
