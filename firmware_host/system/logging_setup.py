"""The log: one line an event, nothing secret in it, and never a flood.

Whoever has something to tell uses the standard `logging` and says with `about` what it is about:

    log.warning("lamps: lost: unplugged", extra=about("device", device="lamps", state="lost"))

That is written for people first, and after a tab for programs, or as JSON alone (`[log] form`):

    WARNING lamps: lost: unplugged	event=device device=lamps state=lost

In the system's journal a line begins with its priority as journald takes it, `<4>`. Neither a line break nor a tab can
be smuggled in, whatever a driver or a file says. What an unexpected exception quotes is not written.
"""

from __future__ import annotations

import json
import logging
import os
import re
import select
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TextIO

from firmware_host.system.printable import printable

LONGEST = 600
"""Bytes of a line's text, and of each of its values; what is longer is cut."""

PLACES = 8
"""How many calls are told of an unexpected exception, the innermost first."""

log = logging.getLogger("yardboard")
log.addHandler(logging.NullHandler())  # where no log is kept nothing is told

_PRIORITIES = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3, logging.CRITICAL: 2}
_WORD = re.compile(r"[\w.:/+-]+", re.ASCII)
_OURS = ("firmware_host", "hardware")


@dataclass(frozen=True, slots=True)
class Limit:
    """How much is told of one kind of event: so many lines at once, and one more every so many seconds."""

    at_once: int = 10
    every: float = 60.0


LIMITS: Mapping[str, Limit] = {"game": Limit(200, 10.0)}
"""The kinds of events that may tell more than others: a game, as fast as hands can play it."""


def about(event: str, **values: str | int) -> dict[str, object]:
    """What a line is about, as `logging` takes it: the event's name and its values. None of it may be secret."""
    return {"about": {"event": event, **values}}


def mistake(error: BaseException) -> str:
    """An exception that nobody expected, in one line: its kind, and where it was made.

    What it says is told only where this program or the system has put it: of others nobody knows what they quote.
    """
    said = error.strerror if isinstance(error, OSError) else ""
    if type(error).__module__.partition(".")[0] in _OURS:
        said = str(error)
    steps = list(traceback.walk_tb(error.__traceback__))[-PLACES:]
    places = [f"{os.path.basename(f.f_code.co_filename)}:{line} {f.f_code.co_name}" for f, line in reversed(steps)]  # noqa: PTH119 - a name, not a file
    return f"{type(error).__name__}{f': {said}' if said else ''} ({' < '.join(places)})"


# ---- a line ----


def line(record: logging.LogRecord, *, form: str = "text", journal: bool = False, left_out: int = 0) -> str:
    """An event as it is written, without the line's end.

    Args:
        record: the event.
        form: "text" or "json".
        journal: whether the system's journal gets it: it wants a priority, and has its own clock.
        left_out: how many events of its kind were left out before.
    """
    said = _said(record)
    if left_out:
        said += f" ({left_out} more of this kind left out)"
    values = {name: v if isinstance(v, int) else _short(str(v)) for name, v in _about(record).items()}
    values |= {"left_out": left_out} if left_out else {}
    priority = f"<{_priority(record)}>" if journal else ""
    if form == "json":
        at = {} if journal else {"time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")}
        return priority + json.dumps({**at, "level": record.levelname.lower(), "text": said, **values})
    fields = " ".join(f"{name}={_word(str(value))}" for name, value in values.items())
    return f"{priority or record.levelname + ' '}{said}\t{fields}"


def _about(record: logging.LogRecord) -> Mapping[str, object]:
    """The event's name and its values; whoever else logs is an event by the name of his logger."""
    values: Mapping[str, object] = getattr(record, "about", None) or {"event": record.name}
    return values


def _said(record: logging.LogRecord) -> str:
    try:
        said = record.getMessage().strip()
    except (TypeError, ValueError):  # a library's slip in its own log call must not end the game
        said = str(record.msg)
    if record.exc_info and record.exc_info[1] is not None:
        said = f"{said}: {mistake(record.exc_info[1])}"
    return _short(said)


def _priority(record: logging.LogRecord) -> int:
    return min(number for level, number in _PRIORITIES.items() if level <= max(record.levelno, logging.DEBUG))


def _short(text: str) -> str:
    """A text that is printable and not too long."""
    text = printable(text)
    cut = text.encode()
    return text if len(cut) <= LONGEST else cut[:LONGEST].decode(errors="ignore") + "…"


def _word(value: str) -> str:
    return value if _WORD.fullmatch(value) else json.dumps(value)


# ---- all lines ----


class _Allowance:
    """What one kind of event may still tell."""

    def __init__(self, limit: Limit, now: float) -> None:
        self._limit, self._at = limit, now
        self._lines = float(limit.at_once)
        self.left_out = 0
        self.last: logging.LogRecord | None = None  # the newest of those that were left out

    def take(self, now: float) -> bool:
        """Whether a line may be written now; if so it counts as written."""
        self._lines = min(self._limit.at_once, self._lines + (now - self._at) / self._limit.every)
        self._at = now
        if self._lines < 1:
            return False
        self._lines -= 1
        return True


class Lines(logging.Handler):
    """Writes a line for each event, as many as the `LIMITS` let through of its kind and its device.

    What is left out is counted, and the newest of it told as soon as it may be: so the last line of a device that
    comes and goes says how it is. So is what a reader who does not read has no room for.

    Args:
        stream: where they go.
        form: "text" or "json".
        journal: whether the stream leads to the system's journal.
        now: a clock, in seconds.
    """

    def __init__(
        self, stream: TextIO, *, form: str = "text", journal: bool = False, now: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__()
        self._stream, self._form, self._journal, self._now = stream, form, journal, now
        self._kinds: dict[tuple[object, object], _Allowance] = {}
        self._held = False

    def emit(self, record: logging.LogRecord) -> None:
        """Write an event, or keep it back."""
        values, now = _about(record), self._now()
        kind = values["event"], values.get("device")
        if kind not in self._kinds:
            self._kinds[kind] = _Allowance(LIMITS.get(str(kind[0]), Limit()), now)
        allowed = self._kinds[kind]
        if self._has_room() and allowed.take(now):
            self._write(allowed, record, allowed.left_out)
        else:
            allowed.left_out, allowed.last = allowed.left_out + 1, record
            self._held = True

    def catch_up(self) -> None:
        """Write what was kept back and may be told by now. Costs next to nothing while there is nothing."""
        if self._held:
            self._tell_held(lambda allowed: self._has_room() and allowed.take(self._now()))

    def close(self) -> None:
        """Write what was kept back: there will be no more."""
        self._tell_held(lambda _: self._has_room())
        super().close()

    def _tell_held(self, may: Callable[[_Allowance], bool]) -> None:
        with self._locked():
            held = [allowed for allowed in self._kinds.values() if allowed.last is not None]
            for allowed in held:
                if allowed.last is not None and may(allowed):
                    self._write(allowed, allowed.last, allowed.left_out - 1)
            self._held = any(allowed.last is not None for allowed in held)

    def _has_room(self) -> bool:
        """Whether a line can be written without waiting for a reader; none is longer than a pipe takes at once."""
        asked = select.poll()
        try:
            asked.register(self._stream, select.POLLOUT)
            return bool(asked.poll(0))
        except (OSError, ValueError):  # no file at all, or none that is open: nobody to wait for
            return True

    def _write(self, allowed: _Allowance, record: logging.LogRecord, left_out: int) -> None:
        allowed.left_out, allowed.last = 0, None
        try:
            self._stream.write(line(record, form=self._form, journal=self._journal, left_out=left_out) + "\n")
            self._stream.flush()
        except OSError:
            pass  # a full disk, a reader who is gone: the game goes on without its log

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self.acquire()
        try:
            yield
        finally:
            self.release()


def catch_up() -> None:
    """Write what the log has kept back and may tell by now; to be called now and then while a table is run."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, Lines):
            handler.catch_up()


# ---- keeping it ----


@contextmanager
def kept(level: str, form: str) -> Iterator[None]:
    """The log is kept on standard error until the end of the `with`: all of this program's, of others' what is wrong.

    Whatever others would tell below a warning stays untold at any level: a library that is asked for its debugging
    lines tells what it sends, Mister X's screen among it. Mistakes that nobody expected are told as events, too.

    Args:
        level: the least important that is kept.
        form: "text" or "json".
    """
    lines = Lines(sys.stderr, form=form, journal=leads_to_journal(sys.stderr, os.environ))
    root, before = logging.getLogger(), (log.level, threading.excepthook, sys.unraisablehook)
    root.addHandler(lines)
    log.setLevel(level.upper())
    logging.captureWarnings(capture=True)
    sys.excepthook = lambda _, error, __: _crashed(lines, error)  # for good: what ends the program comes after this
    threading.excepthook = lambda told: _erred(f"in the thread {told.thread and told.thread.name}", told.exc_value)
    sys.unraisablehook = lambda told: _erred("on the way out", told.exc_value)
    try:
        yield
    finally:
        log.setLevel(before[0])
        threading.excepthook, sys.unraisablehook = before[1:]
        logging.captureWarnings(capture=False)
        root.removeHandler(lines)
        lines.close()


def complain(text: str) -> None:
    """Tell on standard error why a word cannot go on, for people; the system's journal gets it as an error."""
    priority = f"<{_PRIORITIES[logging.ERROR]}>" if leads_to_journal(sys.stderr, os.environ) else ""
    sys.stderr.write("".join(f"{priority}{each}\n" for each in text.splitlines()))


def leads_to_journal(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether what is written there goes straight to the system's journal; systemd says which file does."""
    try:
        file = os.fstat(stream.fileno())
    except (OSError, ValueError):  # no file at all, or none that is open
        return False
    return environ.get("JOURNAL_STREAM") == f"{file.st_dev}:{file.st_ino}"


def _crashed(lines: Lines, error: BaseException) -> None:
    said = "A mistake of this program's own ends it: %s"
    values = about("crash")
    lines.handle(log.makeRecord(log.name, logging.CRITICAL, "", 0, said, (mistake(error),), None, extra=values))


def _erred(where: str, error: BaseException | None) -> None:
    if error is not None:
        log.error("A mistake %s: %s", where, mistake(error), extra=about("mistake"))
