"""Record sessions while a table runs, and the command `replay`."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from firmware_host import __version__
from firmware_host.config.loader import Config, state_folder
from firmware_host.config.toml_file import ConfigError, complaint
from firmware_host.maintenance.public_recording import TABLE, public_part
from firmware_host.maintenance.recorded_session import SESSION, Session, device_facts, read_session, session_of
from firmware_host.maintenance.recording_differences import describe, save_pictures
from firmware_host.maintenance.recording_timeline import Timeline
from firmware_host.maintenance.replay_recording import ReplayResult, replay
from firmware_host.system.event_log import log_fields
from firmware_host.system.printable import printable
from firmware_host.system.private_memory import keep_memory_to_itself
from firmware_host.table.recording import Recording
from firmware_host.table.tape_recording import TapeRecording
from hardware.recording.tape import TapeError
from hardware.recording.tape_file import Tape, TapeWriter, create
from hardware.recording.tape_recorder import Recorder

ALIKE, DIFFERENT, UNREADABLE = 0, 1, 2
"""Exit statuses of a replay."""

_SECRET = "Recording to {}. Mister X's secrets are on it: give away what `yardboard report` makes of it, not this."  # noqa: S105

log = logging.getLogger("yardboard")


@contextmanager
def recording(
    config: Config, path: Path | None, *, resume: bool, stamp: str, say: Callable[[str], None]
) -> Iterator[Recording]:
    """Record a running table within the context. If no pass was made, no tape is left.

    Where there can be no tape at its usual place, the log says so and the table runs without: the game matters more
    than its recording.

    Args:
        config: the table's configuration, from a file.
        path: the tape; by default named by `stamp`, in the folder tapes beside the other persistent files.
        resume: whether a game in the journal is resumed.
        stamp: the day and time.
        say: called with a line that says where the tape is.

    Raises:
        ConfigError: a file of the configuration can no longer be read, or there is no folder for the tape.
        TapeError: the tape asked for exists already or cannot be made.
    """
    place = path or state_folder() / "tapes" / f"{stamp}.tape"
    session = session_of(config, resume=resume, now=time.time())
    writer = _open_tape(place, asked_for=path is not None)
    if writer is None:
        yield Recording()
        return
    recorder = _recorder(place, writer, session)
    say(_SECRET.format(place))
    try:
        yield TapeRecording(recorder)
    finally:
        recorder.stop()
        if not recorder.begun:
            place.unlink(missing_ok=True)


class Tapes(Recording):
    """Make a tape for each start of a simulated table: at the program's start, at power-on, with each new table.

    Args:
        path: the first tape; by default named by `stamp`, in the folder tapes beside the other persistent files.
            Later ones have a number in their names.
        stamp: the day and time.
        say: called with a line that says where each tape is.
    """

    def __init__(self, path: Path | None, stamp: str, say: Callable[[str], None]) -> None:
        self._first = path or state_folder() / "tapes" / f"{stamp}.tape"
        self._asked_for = path is not None
        self._say = say
        self._count = 0

    def begin(self, config: Config, *, resume: bool) -> Recording:
        """Begin a tape at this start.

        Raises:
            ConfigError: there is no folder for the tape.
            TapeError: the first tape was asked for by name and exists already or cannot be made.
        """
        self._count += 1
        number = "" if self._count == 1 else f"-{self._count}"
        place = self._first.with_stem(f"{self._first.stem}{number}")
        session = session_of(config, resume=resume, now=time.time(), by_page=True)
        writer = _open_tape(place, asked_for=self._asked_for and self._count == 1)
        if writer is None:
            return Recording()
        self._say(_SECRET.format(place))
        return _OneTape(_recorder(place, writer, session), place)


class _OneTape(TapeRecording):
    """One of a table's tapes; it ends when its start ends."""

    def __init__(self, recorder: Recorder, place: Path) -> None:
        super().__init__(recorder)
        self._own, self._place = recorder, place

    def stop(self) -> None:
        self._own.stop()
        if not self._own.begun:
            self._place.unlink(missing_ok=True)

    def discard(self) -> None:
        self._own.stop()
        self._place.unlink(missing_ok=True)


def _recorder(place: Path, writer: TapeWriter, session: Session) -> Recorder:
    recorder = Recorder(writer, lambda why: log.error("%s: %s", place, why, extra=log_fields("tape")))
    recorder.note(SESSION, session.note())
    return recorder


def _open_tape(place: Path, *, asked_for: bool) -> TapeWriter | None:
    """Open a new tape; return None if that fails and no name was asked for."""
    try:
        return TapeWriter(create(place))
    except TapeError as error:
        if asked_for:
            raise
        log.warning("The table is not recorded: %s", error, extra=log_fields("tape"))
        return None


@click.command("replay")
@click.argument("file", metavar="TAPE", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--from",
    "since",
    type=click.FloatRange(0),
    default=0.0,
    help="Seconds before which other pictures are passed over.",
)
@click.option("--until", type=click.FloatRange(0), default=float("inf"), help="Seconds after which it ends.")
@click.option("--pictures", metavar="FOLDER", type=click.Path(path_type=Path), help="Keep both pictures that differ.")
@click.option("--show", is_flag=True, help="Tell what happened at the table instead.")
@click.option("--secret", is_flag=True, help="Tell what was Mister X's, too.")
def replay_command(file: Path, since: float, until: float, pictures: Path | None, show: bool, secret: bool) -> int:
    """Run a recorded session again.

    The present software gets what was felt, pressed and drawn then; what it shows is held against what was shown.
    The status is 0 if all is alike, 1 if not, 2 if the tape cannot be played.
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
    log.setLevel(logging.CRITICAL + 1)  # these messages were logged when it was recorded
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
    """Describe how far a replay came. An error's text may quote anything, so it is secret."""
    counts = ", ".join(f"{went.counts[what]:,} {what}" for what in ("samples", "frames", "pictures"))
    yield f"Alike: {went.passes:,} passes in {went.seconds:,.1f} s at the table; {counts}."
    yield (
        "  A pass is one look at switches and keys; samples are what they said, frames went to the lamps, pictures to "
        "the screens."
    )
    if went.passed_over:
        yield f"Passed over before --from: {went.passed_over:,} that differ."
    if went.broken:
        yield f"The tape is not whole: {went.broken}."
    if went.failure:
        then = "; there the tape ends: it seems to have failed then, too" if went.ends_there else ""
        yield f"In pass {went.passes:,} the software failed with {went.failure}{then}."
        yield f"  {went.words}" if secret else "  --secret tells what it said; Mister X's station may stand in that."


def _print_timeline(tape: Tape, name: str, *, secret: bool) -> None:
    session, keys = read_session(tape, name), device_facts(tape, name).keys
    _print_line(f"Recorded {session.began} by yardboard {session.software}.")
    entries = tape.entries if session.public else public_part(tape.entries, keys, "" if secret else TABLE)
    for line in Timeline(session.config().layout, keys).lines(entries):
        _print_line(line)
    if tape.broken:
        _print_line(f"The tape is not whole: {tape.broken}.")


def _print_line(line: str) -> None:
    """Print a line safely: a tape may come from a stranger."""
    click.echo(printable(line))


COMMANDS: tuple[click.Command, ...] = (replay_command,)
"""The command, for the command line."""
