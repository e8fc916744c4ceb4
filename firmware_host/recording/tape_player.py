"""Play a tape: its devices, clock and rng answer the program as they did in the recording.

The program's output is compared with the recorded output. The program can differ from the tape in two ways: by other
output, or by another question. After another question, nothing on the tape fits any more.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from PIL import Image

from firmware_host.recording.tape import (
    DISPLAY,
    HANDSET,
    KEYS,
    LAMPS,
    POWER,
    STORE,
    SWITCHES,
    Drawn,
    End,
    Entry,
    LoopPass,
    Lost,
    Note,
    Now,
    ReadyAnswer,
    Sample,
    Shown,
    TapeError,
    Wall,
    Written,
)
from firmware_host.recording.tape_recorder import FRACTION, DeviceFacts, TapedDevice, content_of
from hardware.backend import Backend
from hardware.current_limit import LimitedLamps
from hardware.ports import DeviceLost, Lamps


@dataclass(frozen=True, slots=True)
class Difference:
    """The point at which the program differed from the tape.

    Attributes:
        number: number of the pass, from 1; 0 before the first.
        seconds: seconds since the tape began.
        recorded: the entry on the tape.
        asked: what the program did, as an entry with its output, or with its question; None if its pass was over.
    """

    number: int
    seconds: float
    recorded: Entry
    asked: Entry | None


class Diverged(TapeError):
    """The program has done something that differs from the tape. See `difference`."""

    def __init__(self, difference: Difference) -> None:
        super().__init__("the program differs from the tape")
        self.difference = difference


class TapeEnded(TapeError):
    """The tape has no more entries."""


E = TypeVar("E", Now, Wall, Drawn, Written)
A = TypeVar("A", Sample, ReadyAnswer)


class TapePlayer:
    """A player of one tape, which answers everything that a program asks.

    Args:
        entries: the entries of the tape.
        since: seconds before which differences in the output are skipped.

    Attributes:
        number: number of the current pass.
        counts: how many things were equal: "samples", "frames", "pictures".
        passed_over: how many differences were skipped before `since`.
    """

    def __init__(self, entries: Iterator[Entry], since: float = 0.0) -> None:
        self._entries = entries
        self._next: Entry | None = None
        self._since = since
        self._began: int | None = None
        self._now = 0
        self.number = 0
        self.counts: Counter[str] = Counter()
        self.passed_over = 0

    @property
    def seconds(self) -> float:
        """The seconds from the first reading of the clock on the tape to the latest one."""
        return 0.0 if self._began is None else (self._now - self._began) / 1_000_000

    def begin_pass(self) -> bool:
        """Start the next pass. Return False if the tape has no more.

        Raises:
            Diverged: the tape has another entry first, for which the program has not asked.
        """
        entry = self._upcoming()
        if entry is None:
            return False
        if not isinstance(entry, LoopPass):
            raise self._divergence(entry, None)
        self._next = None
        self.number += 1
        return True

    def read_note(self, name: str) -> str | None:
        """Return the text of the next entry of the pass if it is a note with this name, else None."""
        entry = self._upcoming()
        if not isinstance(entry, Note) or entry.name != name:
            return None
        self._next = None
        return entry.text

    def finished(self) -> bool:
        """Return whether the tape has ended."""
        return self._upcoming() is None

    def _upcoming(self) -> Entry | None:
        if self._next is None:
            self._next = next(self._entries, None)
        return None if isinstance(self._next, End) else self._next

    def _peek(self) -> Entry:
        entry = self._upcoming()
        if entry is None:
            raise TapeEnded("the tape has ended")
        return entry

    def _divergence(self, recorded: Entry, asked: Entry | None) -> Diverged:
        return Diverged(Difference(self.number, self.seconds, recorded, asked))

    # ---- answers ----

    def answer(self, asked: E) -> E:
        """Return the tape's next entry if it has the type of `asked`. The values of `asked` do not matter.

        Raises:
            TapeEnded: the tape has ended.
            Diverged: the program did not ask this in the recording.
        """
        entry = self._peek()
        if not isinstance(entry, type(asked)):
            raise self._divergence(entry, asked)
        self._next = None
        return entry

    def now(self) -> float:
        """Return the recorded time of the clock, in seconds."""
        self._now = self.answer(_NOW).microseconds
        if self._began is None:
            self._began = self._now
        return self._now / 1_000_000

    def wall_clock(self) -> float:
        """Return the recorded time of the wall clock, in seconds."""
        return self.answer(_WALL).seconds

    def written(self) -> str | None:
        """Return why a recorded write failed, "" if it succeeded, or None while it was in progress."""
        if self._peek() == _NOT_YET:
            self._next = None
            return None
        return self.answer(_WRITTEN).trouble

    def drawn(self, bits: int) -> int:
        """Return a recorded random number of this many bits."""
        asked = Drawn(bits, 0)
        entry = self.answer(asked)
        if entry.bits != bits:
            raise self._divergence(entry, asked)
        return entry.number

    def sample(self, track: str) -> int:
        """Return a recorded reading of contacts or keys.

        Raises:
            DeviceLost: the contacts or keys were lost at this moment of the recording.
            TapeEnded, Diverged: as for `answer`.
        """
        entry = self._answer_of(Sample(track, 0))
        if isinstance(entry, Lost):
            raise DeviceLost(entry.words)
        self.counts["samples"] += 1
        return entry.mask

    def ready(self, track: str) -> bool:
        """Return whether a device was ready in the recording."""
        entry = self._peek()
        if not isinstance(entry, ReadyAnswer) or entry.track != track:
            raise self._divergence(entry, ReadyAnswer(track, yes=True))
        self._next = None
        return entry.yes

    def trouble(self, track: str) -> str:
        """Return a device's trouble in the recording, or ""."""
        entry = self._answer_of(ReadyAnswer(track, yes=True))
        return entry.words if isinstance(entry, Lost) else ""

    def _answer_of(self, asked: A) -> A | Lost:
        """Return a device's recorded answer, or the entry for its recorded loss or trouble."""
        entry = self._peek()
        if not isinstance(entry, (type(asked), Lost)) or entry.track != asked.track:
            raise self._divergence(entry, asked)
        self._next = None
        return entry

    def show(self, track: str, content: bytes | None) -> None:
        """Compare what the program sends to a device with the tape.

        Raises:
            DeviceLost: the device was lost at this output on the tape.
            TapeEnded: the tape has ended.
            Diverged: the output differs from the tape, and not only before `since`.
        """
        entry = self._peek()
        if not isinstance(entry, Shown) or entry.track != track:
            raise self._divergence(entry, Shown(track, content))
        if entry.content == content:
            self.counts["frames" if track == LAMPS else "pictures"] += 1
        elif self.seconds >= self._since:
            raise self._divergence(entry, Shown(track, content))
        else:
            self.passed_over += 1
        self._next = next(self._entries, None)
        if isinstance(self._next, Lost) and self._next.track == track:
            words, self._next = self._next.words, None
            raise DeviceLost(words)


_NOW, _WALL, _WRITTEN, _NOT_YET = Now(0), Wall(0.0), Written(""), ReadyAnswer(STORE, yes=False)


def playback_devices(player: TapePlayer, facts: DeviceFacts, limited: Callable[[Lamps], LimitedLamps]) -> Backend:
    """Return devices that behave as on a tape. `limited` wraps the lamps in their current limit."""
    return Backend(
        switches=_PlayedDevice(SWITCHES, facts, player),
        lamps=limited(_PlayedDevice(LAMPS, facts, player)),
        handset=_PlayedDevice(HANDSET, facts, player),
        display=_PlayedDevice(DISPLAY, facts, player) if facts.display else None,
        keys=_PlayedDevice(KEYS, facts, player),
        clock=player,
        power=_PlayedDevice(POWER, facts, player) if facts.power else None,
    )


class _PlayedDevice(TapedDevice):
    """A device that behaves as on the tape. Implements the ports of all devices."""

    def __init__(self, track: str, facts: DeviceFacts, player: TapePlayer) -> None:
        super().__init__(track, facts)
        self._player = player

    def read(self) -> int:
        return self._player.sample(self._track)

    def ready(self) -> bool:
        return self._player.ready(self._track)

    def show(self, content: bytes | Image.Image | None) -> None:
        self._player.show(self._track, content_of(content))

    def trouble(self) -> str:
        return self._player.trouble(self._track)

    def close(self) -> None:
        pass


class PlayedRng(random.Random):
    """An rng that returns the numbers on the tape."""

    def __init__(self, player: TapePlayer) -> None:
        super().__init__()
        self._player = player

    def getrandbits(self, k: int, /) -> int:
        """Return `k` random bits from the tape."""
        return self._player.drawn(k)

    def random(self) -> float:
        """Return a number from 0 to below 1 from the tape."""
        return self._player.drawn(FRACTION) / (1 << FRACTION)
