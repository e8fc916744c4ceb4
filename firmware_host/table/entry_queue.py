"""Queue the entries and inputs of one table, so that nothing is true before the journal has it.

An entry may take its time to become durable. Until it is durable or refused the referee is not told of it, and all
inputs wait. Then the table reads them, each at its own time, as if the disk had taken no time. What is shown stays as
it was meanwhile.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import JournalError
from firmware_host.referee.events import Abandon, Begin, Entry, Play, SwitchesChanged, TakeBack, Tick
from firmware_host.rules.views import Outcome, PublicView
from firmware_host.table.commands import CommandResult, GameCommand
from firmware_host.table.lost_devices import Devices
from hardware.ports import Clock

AGAIN = 1.0
"""Seconds after which an entry that was refused is tried again: a move on the board, or the end of a game."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A command that somebody has given, the public view of that moment, and what comes of it."""

    command: GameCommand
    view: PublicView | None
    result: CommandResult


@dataclass(frozen=True, slots=True)
class JournalChanged:
    """The journal could be written, or could not: draw again, and find out what is due."""


Input = SwitchesChanged | str | Asked | Tick
"""What happens at a table: switches change, a key is pressed, a command is given, or time goes on."""

Work = Entry | Input | JournalChanged
"""What the queue yields: an accepted entry, an input, or news of the journal."""


@dataclass(slots=True)
class _Writing:
    """What is being written.

    Attributes:
        entry: accepted once it is durable; None for the end of a game, or for nothing at all.
        since: clock seconds at which it was decided.
        result: what comes of the command that asked for it, if one did.
    """

    entry: Entry | None
    since: float
    result: CommandResult | None = None


class EntryQueue:
    """The entries of one table on their way into its journal, and the inputs that wait for them.

    Args:
        journal: the journal.
        devices: the devices, for the health of the journal.
        clock: the table's clock.
        wall: the wall clock, for the journal's times.
        now: clock seconds.

    Attributes:
        tick_at: when the referee gets its next `Tick`.
        renewed_at: when an entry that took a while was accepted last, and so what is shown changed.
    """

    def __init__(self, journal: Journal, devices: Devices, clock: Clock, wall: Callable[[], float], now: float) -> None:
        self._journal, self._devices, self._clock, self._wall = journal, devices, clock, wall
        self._writing: _Writing | None = None
        self._inputs: deque[tuple[float, Input]] = deque()
        self._read_at: float | None = None  # the time of the input that is read now
        self._again_at = 0.0
        self.tick_at = self.renewed_at = now

    @property
    def waits(self) -> bool:
        """Return whether something is being written."""
        return self._writing is not None

    def now(self) -> float:
        """Return clock seconds, or the time of the input that is read now."""
        return self._clock.now() if self._read_at is None else self._read_at

    def late(self, now: float) -> float:
        """Return for how many seconds something has been being written."""
        return 0.0 if self._writing is None else now - self._writing.since

    def keep(self, read: Input, now: float) -> None:
        """Keep an input until nothing is being written any more."""
        self._inputs.append((now, read))

    def answer(self, result: CommandResult) -> None:
        """Refuse the command that has just asked for an entry, if that is being written and is refused in the end."""
        if self._writing is not None and self._writing.entry is not None:
            self._writing.result = result

    # ---- in ----

    def write(self, entry: Entry, now: float, over: Outcome | None) -> bool:
        """Begin to make an entry durable; return whether it is already. If not, `finished` yields it.

        Args:
            entry: the entry.
            now: clock seconds.
            over: how the game in play has ended, if it has: a new one may begin before that is noted.

        Raises:
            JournalError: it is refused at once; nothing has changed.
        """
        at, journal = self._wall(), self._journal
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

    def try_again(self, view: PublicView | None, now: float) -> None:
        """Settle a journal that refused something, unless that was tried just now."""
        if now >= self._again_at and self._devices.away("journal"):
            self._again_at = now + AGAIN
            self.settle(view, now)

    def settle(self, view: PublicView | None, now: float) -> None:
        """Note the end of a game, which is over even if that fails; or check whether a journal can be written again."""
        over = None if view is None or not self._journal.in_play else view.outcome
        away = self._devices.away("journal")
        if over is None and not away:
            return
        try:
            durable = self._journal.probe() if over is None else self._journal.finish(over, self._wall())
        except JournalError as error:
            self._devices.lost("journal", error, now)
        else:
            if not durable:
                self._writing = _Writing(None, now)
            elif away:
                self._devices.ok("journal", now)

    # ---- out ----

    def finished(self, now: float, *, wait: bool = False) -> Iterator[tuple[Work, float]]:
        """Yield what can be done now that the entry being written is durable or refused, each with its time.

        That is the entry first, and then the inputs kept meanwhile and the ticks that were due, until something is
        written again. Nothing is yielded while it is still being written.

        Args:
            now: clock seconds.
            wait: whether to wait until it is durable or refused.
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
                self._inputs.clear()
                return writing.entry, now
            case entry:
                return entry, writing.since

    def _catch_up(self, now: float) -> Iterator[tuple[Work, float]]:
        """Yield inputs that were kept, at their own times, and ticks that have come due meanwhile."""
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
