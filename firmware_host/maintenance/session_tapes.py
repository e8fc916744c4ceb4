"""Record sessions: one tape for a running table, one per start of a simulated one."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware_host.config.loader import Config, state_folder
from firmware_host.maintenance.recorded_session import SESSION, Session, session_of
from firmware_host.system.event_log import log_fields
from firmware_host.table.recording_port import Recording
from firmware_host.table.tape_recording import TapeRecording
from hardware.recording.tape import TapeError
from hardware.recording.tape_file import TapeWriter, create
from hardware.recording.tape_recorder import Recorder

_SECRET = "Recording to {}. It holds Mister X's secrets: pass on the file of `yardboard report`, not this one."  # noqa: S105

log = logging.getLogger("yardboard")


@contextmanager
def recording(
    config: Config, path: Path | None, *, resume: bool, stamp: str, say: Callable[[str], None]
) -> Iterator[Recording]:
    """Record a running table within the context. If it makes no pass, no tape remains.

    If the default tape cannot be created, the log says so and the table runs without: the game matters more than its
    recording.

    Args:
        config: the table's configuration, from a file.
        path: the tape; by default named by `stamp`, in the folder tapes beside the other persistent files.
        resume: whether a game in the journal is resumed.
        stamp: the day and time.
        say: called with a line that names the tape.

    Raises:
        ConfigError: a file of the configuration can no longer be read, or there is no folder for the tape.
        TapeError: the requested tape exists already or cannot be created.
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
    """The tapes of a simulated table: one for each program start, power-on and new table.

    Args:
        path: the first tape; by default named by `stamp`, in the folder tapes beside the other persistent files. Later
            ones have a number in their names.
        stamp: the day and time.
        say: called with a line that names each tape.
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
            TapeError: the first tape was requested by name and exists already or cannot be created.
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
