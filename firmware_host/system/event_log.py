"""Write the log: one line per event, without secrets, and never more lines than the limits allow.

Code that logs uses the standard `logging` and adds the event with `log_fields`:

    log.warning("lamps: lost: unplugged", extra=log_fields("device", device="lamps", state="lost"))

A line has text for people and, after a tab, values for programs:

    WARNING lamps: lost: unplugged	event=device device=lamps state=lost

With `form = "json"` in the section [log] a line is JSON alone.

In the system's journal a line begins with its priority in journald's form, `<4>`. Line breaks and tabs in messages are
escaped. The text of an unexpected exception is written only if this program or the operating system wrote it.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import select
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TextIO

from firmware_host.system.printable import printable
from firmware_host.system.rate_limit import RateLimit

log = logging.getLogger("yardboard")


LONGEST = 600
"""The most bytes in a line's text, and in each of its values; the rest is cut off."""

PLACES = 8
"""The most stack frames logged for an unexpected exception, the innermost first."""

log.addHandler(logging.NullHandler())  # without a configured log nothing is written

_PRIORITIES = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3, logging.CRITICAL: 2}
_WORD = re.compile(r"[\w.:/+-]+", re.ASCII)
_OURS = ("firmware_host", "hardware")


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit on the lines of one kind of event: `at_once` lines, then one more every `every` seconds."""

    at_once: int = 10
    every: float = 60.0


LIMITS: Mapping[str, Limit] = {"game": Limit(200, 10.0)}
"""The kinds of events with a higher limit: a game, as fast as hands can play it."""


def log_fields(event: str, **values: str | int) -> dict[str, object]:
    """Return an event's name and values for the argument `extra` of `logging`. They must not be secret."""
    return {"about": {"event": event, **values}}


def describe_error(error: BaseException) -> str:
    """Return one line about an unexpected exception: its type, and where it was raised.

    The exception's message is included only if this program or the operating system wrote it. Messages of other
    packages may quote secrets.
    """
    said = error.strerror if isinstance(error, OSError) else ""
    if type(error).__module__.partition(".")[0] in _OURS:
        said = str(error)
    steps = list(traceback.walk_tb(error.__traceback__))[-PLACES:]
    places = [f"{os.path.basename(f.f_code.co_filename)}:{line} {f.f_code.co_name}" for f, line in reversed(steps)]  # noqa: PTH119 - a name, not a file
    return f"{type(error).__name__}{f': {said}' if said else ''} ({' < '.join(places)})"


# ---- a line ----


def line(record: logging.LogRecord, *, form: str = "text", journal: bool = False, left_out: int = 0) -> str:
    """Format an event as a line of the log, without the line end.

    Args:
        record: the event.
        form: "text" or "json".
        journal: whether the line goes to the system's journal, which needs a priority and has its own clock.
        left_out: how many earlier events of the same kind were omitted.
    """
    said = _said(record)
    if left_out:
        said += f" ({left_out} more of this kind left out)"
    values = {name: v if isinstance(v, int) else _short(str(v)) for name, v in _about(record).items()}
    values |= {"left_out": left_out} if left_out else {}
    level = max(record.levelno, logging.DEBUG)
    priority = f"<{min(number for least, number in _PRIORITIES.items() if least <= level)}>" if journal else ""
    if form == "json":
        at = {} if journal else {"time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")}
        return priority + json.dumps({**at, "level": record.levelname.lower(), "text": said, **values})
    fields = " ".join(f"{name}={_word(str(value))}" for name, value in values.items())
    return f"{priority or record.levelname + ' '}{said}\t{fields}"


def _about(record: logging.LogRecord) -> Mapping[str, object]:
    """Return an event's name and values. A record of another package has its logger's name as the name."""
    values: Mapping[str, object] = getattr(record, "about", None) or {"event": record.name}
    return values


def _said(record: logging.LogRecord) -> str:
    try:
        said = record.getMessage().strip()
    except (TypeError, ValueError):  # a library's faulty log call must not end the game
        said = str(record.msg)
    if record.exc_info and record.exc_info[1] is not None:
        said = f"{said}: {describe_error(record.exc_info[1])}"
    return _short(said)


def _short(text: str) -> str:
    text = printable(text)
    cut = text.encode()
    return text if len(cut) <= LONGEST else cut[:LONGEST].decode(errors="ignore") + "…"


def _word(value: str) -> str:
    return value if _WORD.fullmatch(value) else json.dumps(value)


# ---- all lines ----


class _Allowance:
    """The remaining allowance of lines for one kind of event of one device, and the omitted events."""

    def __init__(self, limit: Limit, now: float) -> None:
        self.take = RateLimit(limit.at_once, limit.every, now).take
        self.left_out = 0
        self.last: logging.LogRecord | None = None  # the newest omitted record


class LineHandler(logging.Handler):
    """A log handler that writes a line for each event, within the `LIMITS` of the event's kind and device.

    Omitted events are counted, and the newest of them is written as soon as the limit allows. So the last line about a
    device that keeps failing gives its current state. A line is also omitted if the reader of the output is too slow
    for it.

    Args:
        stream: the output.
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
        """Write an event now, or hold it back if its limit is reached or the output is full."""
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
        """Write each kind's newest held-back event if its limit allows it now. Costs almost nothing without any."""
        if self._held:
            self._write_held(lambda allowed: self._has_room() and allowed.take(self._now()))

    def close(self) -> None:
        """Write each kind's newest held-back event, because no more will come."""
        self._write_held(lambda _: self._has_room())
        super().close()

    def _write_held(self, may: Callable[[_Allowance], bool]) -> None:
        with self._locked():
            kinds = [*self._kinds.values()]  # a signal's handler may log a new kind meanwhile
            for allowed in kinds:
                if allowed.last is not None and may(allowed):
                    self._write(allowed, allowed.last, allowed.left_out - 1)
            self._held = any(allowed.last is not None for allowed in kinds)

    def _has_room(self) -> bool:
        """Return whether a line can be written without waiting for someone to read the output.

        If so, a whole line fits: no line is longer than a pipe accepts at once.
        """
        asked = select.poll()
        try:
            asked.register(self._stream, select.POLLOUT)
            return bool(asked.poll(0))
        except (OSError, ValueError):  # no file, or a closed one: no reader to wait for
            return True

    def _write(self, allowed: _Allowance, record: logging.LogRecord, left_out: int) -> None:
        allowed.left_out, allowed.last = 0, None
        try:
            self._stream.write(line(record, form=self._form, journal=self._journal, left_out=left_out) + "\n")
            self._stream.flush()
        except OSError:
            pass  # a full disk, or no reader any more: the game continues without its log

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self.acquire()
        try:
            yield
        finally:
            self.release()


class RecentLines(logging.Handler):
    """A log handler that keeps the newest lines in memory, each with its time to the second.

    Args:
        most: how many lines are kept.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._lines: deque[str] = deque(maxlen=most)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the line of an event, and drop the oldest line if there are too many."""
        at = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(record.created))
        self._lines.append(f"{at} {line(record).partition(chr(9))[0]}")

    def lines(self) -> list[str]:
        """Return the kept lines, the oldest first. Any thread may call it."""
        with self.lock or contextlib.nullcontext():
            return list(self._lines)


def catch_up() -> None:
    """Write the log's held-back events that are due. Call this now and then while a table runs."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, LineHandler):
            handler.catch_up()


# ---- setup ----


@contextmanager
def log_to_stderr(level: str, form: str) -> Iterator[None]:
    """Log to standard error within the `with`: our events, and other packages' warnings and errors.

    Other packages' lines below a warning are never logged: a library's debugging lines may contain Mister X's screen.
    Unexpected exceptions are logged as events, too.

    Args:
        level: the lowest level that is logged.
        form: "text" or "json".
    """
    lines = LineHandler(sys.stderr, form=form, journal=leads_to_journal(sys.stderr, os.environ))
    root, before = logging.getLogger(), (log.level, threading.excepthook, sys.unraisablehook)
    root.addHandler(lines)
    log.setLevel(level.upper())
    logging.captureWarnings(capture=True)
    sys.excepthook = lambda _, error, __: _log_crash(lines, error)  # stays set for the final error
    threading.excepthook = lambda args: _log_error(f"in the thread {args.thread and args.thread.name}", args.exc_value)
    sys.unraisablehook = lambda args: _log_error("on the way out", args.exc_value)
    try:
        yield
    finally:
        log.setLevel(before[0])
        threading.excepthook, sys.unraisablehook = before[1:]
        logging.captureWarnings(capture=False)
        root.removeHandler(lines)
        lines.close()


def complain(text: str) -> None:
    """Print to standard error why a command cannot continue. In the system's journal the line is an error."""
    priority = f"<{_PRIORITIES[logging.ERROR]}>" if leads_to_journal(sys.stderr, os.environ) else ""
    sys.stderr.write("".join(f"{priority}{each}\n" for each in text.splitlines()))


def leads_to_journal(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Return whether a stream leads to the system's journal, as systemd's environment says."""
    try:
        file = os.fstat(stream.fileno())
    except (OSError, ValueError):  # no file, or a closed one
        return False
    return environ.get("JOURNAL_STREAM") == f"{file.st_dev}:{file.st_ino}"


def _log_crash(lines: LineHandler, error: BaseException) -> None:
    said = "A mistake of this program's own ends it: %s"
    values = log_fields("crash")
    lines.handle(log.makeRecord(log.name, logging.CRITICAL, "", 0, said, (describe_error(error),), None, extra=values))


def _log_error(where: str, error: BaseException | None) -> None:
    if error is not None:
        log.error("A mistake %s: %s", where, describe_error(error), extra=log_fields("mistake"))
