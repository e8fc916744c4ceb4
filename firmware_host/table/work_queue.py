"""Do one thing after another: while an entry is being written, whatever is done at the table waits for its turn.

A journal may take its time. Until an entry is durable or refused the referee is told nothing. What hands do meanwhile
is kept with its times and read afterwards, as if the disk had taken no time. What is shown stays as it was.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from firmware_host.journal.store_port import JournalError
from firmware_host.referee.events import Begin, CancelMove, Entry, SwitchesChanged, Tick
from firmware_host.rules.views import Outcome
from firmware_host.table.handset_choices import Choice
from firmware_host.table.journal_writer import JournalWriter, PendingEntry
from firmware_host.table.lost_devices import Devices
from hardware.ports import Clock

Deed = SwitchesChanged | str | Choice | CancelMove | Tick
"""What is done at a table: pawns are moved, a key is pressed, something is chosen or cancelled; or time goes by."""


@dataclass(frozen=True, slots=True)
class Worker:
    """What carries out the work of a queue. Each takes the time at which its work counts.

    Attributes:
        accept: takes an entry that is durable.
        do: takes what was done at the table.
        changed: told that the devices or the journal may have changed.
        not_saved: told that what was chosen on the handset could not be written.
    """

    accept: Callable[[Entry, float], None]
    do: Callable[[Deed, float], None]
    changed: Callable[[float], None]
    not_saved: Callable[[], None]


class WorkQueue:
    """The entries and deeds of one table, in order.

    Args:
        writer: writes entries.
        devices: told whether the journal can be written.
        clock: the table's clock.
        worker: carries out the work.
        now: what the clock says at first.

    Attributes:
        tick_at: when the referee is to be told the time.
        renewed_at: when an entry that took a while became true last, and so what is shown.
    """

    def __init__(self, writer: JournalWriter, devices: Devices, clock: Clock, worker: Worker, now: float) -> None:
        self._writer, self._devices, self._clock, self._worker = writer, devices, clock, worker
        self._kept: deque[tuple[float, Deed]] = deque()
        self._read_at: float | None = None  # the time of that which is read now
        self.tick_at = self.renewed_at = now

    @property
    def waits(self) -> bool:
        """Return whether an entry is being written."""
        return self._writer.writing is not None

    def now(self) -> float:
        """Return clock seconds, or the time of what is read now."""
        return self._clock.now() if self._read_at is None else self._read_at

    def write(self, entry: Entry, over: Outcome | None, now: float) -> None:
        """Begin to make an entry durable; once it is, and not before, it is true.

        Raises:
            JournalError: it is refused at once; nothing has changed.
        """
        if self._writer.write(entry, now, over):
            self._worker.accept(entry, now)

    def take(self, deed: Deed, now: float) -> None:
        """Have something done now, or keep it until its turn comes."""
        if self.waits:
            self._kept.append((now, deed))
        else:
            self._worker.do(deed, now)

    def note_chosen(self) -> None:
        """Note that the entry which is being written, if any, was chosen on the handset."""
        if self._writer.writing is not None:
            self._writer.writing.chosen = self._writer.writing.entry is not None

    def look(self, now: float) -> None:
        """See whether what is being written is durable or refused; if so, go on."""
        writing = self._writer.writing
        if writing is None:
            return
        try:
            if self._writer.done() is None:
                return
        except JournalError as error:
            self._devices.lost("journal", error, now)
            self._worker.changed(writing.since)
            if writing.chosen:
                self._worker.not_saved()
        else:
            self._written(writing, now)
        self._catch_up(now)

    def wait(self) -> None:
        """Wait until nothing is being written; then go on.

        Raises:
            JournalError: an entry cannot be written down; nothing has changed.
        """
        writing = self._writer.writing
        if writing is None:
            return
        now = self._clock.now()
        try:
            self._writer.done(wait=True)
        except JournalError as error:
            if writing.entry is not None:
                raise
            self._devices.lost("journal", error, now)
        else:
            self._written(writing, now)
        self._catch_up(now)

    def _written(self, writing: PendingEntry, now: float) -> None:
        """Accept what took a while, as of when it was decided."""
        match writing.entry:
            case None:
                self._devices.ok("journal", now)
                self._worker.changed(writing.since)
                return
            case Begin():  # what was done before was meant for another game; how the board is now is told anew
                self._kept.clear()
                self._worker.accept(writing.entry, now)
            case entry:
                self._worker.accept(entry, writing.since)
        self.renewed_at = now

    def _catch_up(self, now: float) -> None:
        """Read what was kept, at its own time, and what has come due meanwhile, until something is written again."""
        while not self.waits:
            at = self._kept[0][0] if self._kept else now
            if self.tick_at <= at:
                self._read_at = self.tick_at
                self._worker.do(Tick(), self.tick_at)
            elif self._kept:
                self._read_at, deed = self._kept.popleft()
                self._worker.do(deed, at)
            else:
                break
        self._read_at = None
