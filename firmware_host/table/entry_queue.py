"""Queue a table's entries and inputs so that nothing takes effect before the journal has saved it.

Saving an entry may take time. Until it is saved or refused, the referee does not get it, all inputs wait, and the lamps
and screens stay as they are. Then the table reads the inputs, each with its own time, as if the disk had taken no time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import JournalError
from firmware_host.referee.events import Abandon, Begin, Entry, Play, SwitchesChanged, TakeBack, Tick
from firmware_host.rules.views import Outcome, PublicView
from firmware_host.table.commands import CommandResult, GameCommand
from firmware_host.table.device_health import Devices
from hardware.ports import Clock

AGAIN = 1.0
"""Seconds after which a refused entry is tried again: a move on the board, or the end of a game."""


@dataclass(frozen=True, slots=True)
class PendingCommand:
    """A command that is not carried out yet, with its result and with the public view when the command was given."""

    command: GameCommand
    view: PublicView | None
    result: CommandResult


@dataclass(frozen=True, slots=True)
class JournalChanged:
    """The news that the journal has failed, or works again, so that the table has to be redrawn."""


Input = SwitchesChanged | str | PendingCommand | Tick
"""An input of a table: changed switches, a pressed key, a command or a tick."""

Work = Entry | Input | JournalChanged
"""What the queue yields: an accepted entry, an input, or news of the journal."""


@dataclass(slots=True)
class _Writing:
    """A write to the journal that is still going on.

    Attributes:
        entry: the entry to accept once it is saved; None for the end of a game or a check of the disk.
        since: clock seconds at which the write was decided.
        result: the result of the command that caused the write, if any.
    """

    entry: Entry | None
    since: float
    result: CommandResult | None = None


class EntryQueue:
    """The queue of entries that one table is saving to its journal, and of inputs that wait until they are saved.

    Args:
        journal: the journal.
        devices: the devices, to report the journal's health.
        clock: the table's clock.
        wall_clock: the wall clock, for the journal's times.
        now: clock seconds.

    Attributes:
        tick_at: clock seconds at which the referee gets its next `Tick`.
        renewed_at: clock seconds at which a slow entry was last accepted, and so changed the screens.
    """

    def __init__(
        self, journal: Journal, devices: Devices, clock: Clock, wall_clock: Callable[[], float], now: float
    ) -> None:
        self._journal, self._devices, self._clock, self._wall_clock = journal, devices, clock, wall_clock
        self._writing: _Writing | None = None
        self._inputs: deque[tuple[float, Input]] = deque()
        self._read_at: float | None = None  # the time of the input that is being read
        self._again_at = 0.0
        self.tick_at = self.renewed_at = now

    @property
    def waits(self) -> bool:
        """Whether an entry is still being saved."""
        return self._writing is not None

    def now(self) -> float:
        """Return the clock's seconds or, while a waiting input is handled, the time at which that input came."""
        return self._clock.now() if self._read_at is None else self._read_at

    def late(self, now: float) -> float:
        """Return how many seconds the current write has taken so far."""
        return 0.0 if self._writing is None else now - self._writing.since

    def keep(self, read: Input, now: float) -> None:
        """Keep an input until the current write to the journal is finished."""
        self._inputs.append((now, read))

    def attach_result(self, result: CommandResult) -> None:
        """Connect a command's result with the entry that it causes: if the entry is refused, so is the command."""
        if self._writing is not None and self._writing.entry is not None:
            self._writing.result = result

    # ---- in ----

    def write(self, entry: Entry, now: float, over: Outcome | None) -> bool:
        """Start to save an entry. Return whether it is already saved. If not, `finished` yields it later.

        Args:
            entry: the entry.
            now: clock seconds.
            over: how the game in play has ended, if it has; a new game may start before that is saved.

        Raises:
            JournalError: the entry is refused at once; nothing has changed.
        """
        at, journal = self._wall_clock(), self._journal
        match entry:
            case Begin(setup, seats, names):
                durable = journal.begin(setup, at, over, seats, names)
            case Play(action):
                durable = journal.play(action, at)
            case TakeBack(count, by_hand):
                durable = journal.take_back(at, count, home=not by_hand)
            case Abandon():
                durable = journal.abandon(at)
        if not durable:
            self._writing = _Writing(entry, now)
        return durable

    def save_end(self, view: PublicView | None, now: float) -> None:
        """Save the end of the game in play to the journal if the game is over."""
        over = self._unsaved_end(view)
        if over is not None:
            self._save(partial(self._journal.finish, over, self._wall_clock()), now)

    def _unsaved_end(self, view: PublicView | None) -> Outcome | None:
        """Return how the game has ended if the journal does not have its end yet."""
        return None if view is None or not self._journal.in_play else view.outcome

    def try_again(self, view: PublicView | None, now: float) -> None:
        """Retry a failed journal, at most once in `AGAIN` seconds: save the end of a game, or else only test it."""
        if now < self._again_at or not self._devices.away("journal"):
            return
        self._again_at = now + AGAIN
        if self._unsaved_end(view) is None:
            self._save(self._journal.probe, now)
        else:
            self.save_end(view, now)

    def _save(self, write: Callable[[], bool], now: float) -> None:
        """Start a write that contains no entry, and report whether the journal works."""
        try:
            durable = write()
        except JournalError as error:
            self._devices.lost("journal", error, now)
        else:
            if not durable:
                self._writing = _Writing(None, now)
            elif self._devices.away("journal"):
                self._devices.ok("journal", now)

    # ---- out ----

    def finished(self, now: float, *, wait: bool = False) -> Iterator[tuple[Work, float]]:
        """Yield the entry that was just saved, then the inputs and ticks that waited for it, each with its time.

        It stops when another entry is being written. It yields nothing while the first is still being written.

        Args:
            now: clock seconds.
            wait: whether to wait until the entry is saved or refused.
        """
        writing = self._writing
        if writing is None:
            return
        try:
            if not (self._journal.wait() if wait else self._journal.poll()):
                return
        except JournalError as error:
            self._writing = None
            self._devices.lost("journal", error, now)
            yield JournalChanged(), writing.since
            if writing.result is not None:
                writing.result.refuse(error)
        else:
            self._writing = None
            yield self._durable(writing, now)
            if writing.entry is not None:
                self.renewed_at = now
        yield from self._catch_up(now)

    def _durable(self, writing: _Writing, now: float) -> tuple[Work, float]:
        match writing.entry:
            case None:
                self._devices.ok("journal", now)
                return JournalChanged(), writing.since
            case Begin():  # earlier inputs were meant for another game; the table reads the switches again
                commands = [(at, read) for at, read in self._inputs if isinstance(read, PendingCommand)]
                self._inputs = deque(commands)  # the table refuses these
                return writing.entry, now
            case entry:
                return entry, writing.since

    def _catch_up(self, now: float) -> Iterator[tuple[Work, float]]:
        """Yield the inputs that waited, each with its own time, and the ticks that became due meanwhile."""
        try:
            while not self.waits:
                at = self._inputs[0][0] if self._inputs else now
                if self.tick_at <= at:
                    self._read_at = self.tick_at
                    yield Tick(), self.tick_at
                elif self._inputs:
                    self._read_at, read = self._inputs.popleft()
                    yield read, at
                else:
                    return
        finally:
            self._read_at = None
