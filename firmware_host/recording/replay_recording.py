"""Replay a recorded session with the current software, on a table that gets all its input from the tape.

The command `replay` does this, or lists a session's events.
"""

from __future__ import annotations

import errno
import logging
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from firmware_host import __version__
from firmware_host.config.board_layout import BoardLayout
from firmware_host.config.drivers.neopixel_drivers import dark_milliamps
from firmware_host.config.loader import Config
from firmware_host.config.toml_file import ConfigError, complaint
from firmware_host.daemon.run import begin
from firmware_host.journal.journal import Journal
from firmware_host.recording.recorded_session import Session, device_facts, in_time_zone, journal_for, read_session
from firmware_host.recording.recording_wording import Timeline, describe, public_part, save_pictures
from firmware_host.recording.tape import PUBLIC_KEYS, BadTape, TapeError
from firmware_host.recording.tape_file import Tape
from firmware_host.recording.tape_player import Difference, Diverged, PlayedRng, TapeEnded, TapePlayer, playback_devices
from firmware_host.recording.tape_recorder import DeviceFacts
from firmware_host.recording.tape_recording import read_command
from firmware_host.recording.taped_players import PLAYERS, PlayedPlayers
from firmware_host.system.plain_faults import reading_fault, writing_fault
from firmware_host.system.process import keep_memory_to_itself
from firmware_host.system.terminal import FILE, echo
from firmware_host.table.compose import compose
from firmware_host.table.outputs import limit_lamps
from firmware_host.table.player_maker import PlayerMaker, ProcessMaker

log = logging.getLogger("yardboard")


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """The result of a replay: how far it came, and what differed.

    Attributes:
        number: the number of the last pass, from 1; 0 before the first.
        seconds: how much of the session was replayed.
        counts: the numbers of samples, frames and pictures without a difference.
        passed_over: the number of differences before the time `since`.
        difference: the first difference from `since` on, if any.
        failure: the exception's name and place, if the software failed.
        words: the exception's text; it may hold secrets of Mister X's.
        ends_there: whether the software failed where the tape ends, because the recorded session failed there, too.
        layout: the board layout at the end.
        broken: how the tape is cut off, if it is.
    """

    number: int
    seconds: float
    counts: Counter[str]
    passed_over: int
    difference: Difference | None
    failure: str
    words: str
    ends_there: bool
    layout: BoardLayout
    broken: str

    @property
    def passes(self) -> int:
        """The number of passes without a difference and without a failure."""
        return max(0, self.number - 1) if self.difference or self.failure else self.number


def replay(tape: Tape, name: str, *, since: float = 0.0, until: float = float("inf")) -> ReplayResult:
    """Replay a session with the current software until something differs from the tape, or the tape ends.

    Args:
        tape: the whole tape, from its beginning.
        name: the tape's file name, for messages.
        since: seconds before which differing frames and pictures are ignored.
        until: seconds after which the replay ends.

    Raises:
        BadTape: the tape cannot be played.
        ConfigError: the current software cannot use the session's configuration.
    """
    session = read_session(tape, name)
    if session.public:
        raise BadTape(f"{name}: holds only the public part, which cannot be replayed; list what happened with --show")
    config, devices, player = session.config(), device_facts(tape, name), TapePlayer(tape.entries, since)
    players = None  # older tapes hold no answers: our own players answer again
    if PLAYERS in tape.notes:
        players = PlayedPlayers(ProcessMaker(config), player.read_note)
    difference, failure, words, layout = None, "", "", config.layout
    with journal_for(tape, name, player) as journal, in_time_zone(session.zone):
        try:
            for layout in _run_passes(session, config, player, devices, journal, players):  # noqa: B007 - needed after the loop
                if player.seconds > until:
                    break
        except TapeEnded:
            pass
        except Diverged as parted:
            difference = parted.difference
        except TapeError:
            raise
        except Exception as error:  # noqa: BLE001 - any failure is a finding
            failure, words = _error_place(error), str(error)
    return ReplayResult(
        number=player.number,
        seconds=player.seconds,
        counts=player.counts,
        passed_over=player.passed_over,
        difference=difference,
        failure=failure,
        words=words,
        ends_there=bool(failure) and player.finished(),
        layout=layout,
        broken=tape.broken,
    )


def _run_passes(
    session: Session,
    config: Config,
    player: TapePlayer,
    devices: DeviceFacts,
    journal: Journal,
    players: PlayerMaker | None,
) -> Iterator[BoardLayout]:
    """Run each pass of the loop as `run.run_table` does. Yield the board's layout after each."""
    table = compose(
        config,
        playback_devices(
            player, devices, partial(limit_lamps, config, spare=dark_milliamps(config.sections["lamps"], config.layout))
        ),
        journal,
        rng=PlayedRng(player),
        wall_clock=player.wall_clock,
        resume=session.resume,
        players=players,
    )
    step: Callable[[], None] = table.step if session.by_page else partial(begin, table)
    while player.begin_pass():
        command = read_command(player.read_note)
        if command is None:
            step()
        else:
            table.do(command)  # one that was refused then is refused again
        step = table.step
        yield table.layout


def _error_place(error: Exception) -> str:
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {Path(where.filename).name}, line {where.lineno}"


ALIKE, DIFFERENT, UNREADABLE = 0, 1, 2
"""The exit statuses of a replay."""


@click.command("replay")
@click.argument("file", metavar="TAPE", type=FILE)
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
        writing = error.errno in (errno.ENOSPC, errno.EROFS)
        echo((writing_fault if writing else reading_fault)(error.filename or file, error), err=True)
    return UNREADABLE


def _replay(tape: Tape, name: str, since: float, until: float, pictures: Path | None, *, secret: bool) -> int:
    session, devices = read_session(tape, name), device_facts(tape, name)
    echo(f"Recorded {session.began} by yardboard {session.software}; this is {__version__}.")
    level = log.level
    log.setLevel(logging.CRITICAL + 1)  # the recording has already logged these messages
    try:
        went = replay(tape, name, since=since, until=until)
    finally:
        log.setLevel(level)
    for line in _describe_result(went, secret=secret):
        echo(line)
    if went.difference is not None:
        for line in describe(went.difference, went.layout, devices, secret=secret):
            echo(line)
        for path in [] if pictures is None else save_pictures(went.difference, devices, pictures, secret=secret):
            echo(f"Written: {path}")
    return DIFFERENT if went.difference or went.failure else ALIKE


def _describe_result(went: ReplayResult, *, secret: bool) -> Iterator[str]:
    """Yield lines about how far a replay came. Only `secret` shows an error's text, which may quote secrets."""
    counts = ", ".join(f"{went.counts[what]:,} {what}" for what in ("samples", "frames", "pictures"))
    yield f"Alike: {went.passes:,} passes in {went.seconds:,.1f} s at the table; {counts}."
    yield (
        "  A pass reads switches and keys once; samples are their readings, frames went to the lamps, pictures to the "
        "screens."
    )
    if went.passed_over:
        yield f"Passed over before --from: {went.passed_over:,} that differ."
    if went.broken:
        yield f"The tape is incomplete: {went.broken}."
    if went.failure:
        then = "; there the tape ends: it seems to have failed then, too" if went.ends_there else ""
        yield f"In pass {went.number:,} the software failed with {went.failure}{then}."
        yield f"  {went.words}" if secret else "  --secret shows its message, which may contain Mister X's station."


def _print_timeline(tape: Tape, name: str, *, secret: bool) -> None:
    session, keys = read_session(tape, name), device_facts(tape, name).keys
    echo(f"Recorded {session.began} by yardboard {session.software}.")
    entries = tape.entries if session.public else public_part(tape.entries, keys, "" if secret else PUBLIC_KEYS)
    for line in Timeline(session.config().layout, keys).lines(entries):
        echo(line)
    if tape.broken:
        echo(f"The tape is incomplete: {tape.broken}.")


COMMANDS: tuple[click.Command, ...] = (replay_command,)
"""The command, for the command line."""
