"""Play a tape back: devices, clock and random source answer as they did in the recording.

The program's output is compared with the recorded output. The program can differ from the tape in two ways: other
output, or another question; after the latter nothing on the tape fits any more.
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
    """The point where the program and the tape differ.

    Attributes:
        number: number of the pass, from 1; 0 before the first.
        seconds: seconds since the tape began.
        recorded: the entry on the tape.
        asked: the program's action: an entry with its output, or without an answer yet; None if its pass was over.
    """

    number: int
    seconds: float
    recorded: Entry
    asked: Entry | None


class Diverged(TapeError):
    """The error for a program that differs from the tape. See `difference`."""

    def __init__(self, difference: Difference) -> None:
        super().__init__("the program differs from the tape")
        self.difference = difference


class TapeEnded(TapeError):
    """The tape has ended."""


E = TypeVar("E", Now, Wall, Drawn, Written)
A = TypeVar("A", Sample, ReadyAnswer)


class TapePlayer:
    """A player of one tape.

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
        """The seconds since the tape began."""
        return 0.0 if self._began is None else (self._now - self._began) / 1_000_000

    def begin_pass(self) -> bool:
        """Begin the next pass, and return whether there is one.

        Raises:
            Diverged: there is an entry first that the program has not asked for.
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
        """Return the text of a note at the beginning of the pass, or None if the next entry is another."""
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
        """Return the recorded answer to a question of the same type. The values in `asked` do not matter.

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
        """Return the clock, in seconds."""
        self._now = self.answer(_NOW).microseconds
        if self._began is None:
            self._began = self._now
        return self._now / 1_000_000

    def wall_clock(self) -> float:
        """Return the wall clock, in seconds."""
        return self.answer(_WALL).seconds

    def written(self) -> str | None:
        """Return why a write failed, or "" if it is durable, None if it is in progress."""
        if self._peek() == _NOT_YET:
            self._next = None
            return None
        return self.answer(_WRITTEN).trouble

    def drawn(self, bits: int) -> int:
        """Return a recorded random number of `bits` bits."""
        asked = Drawn(bits, 0)
        entry = self.answer(asked)
        if entry.bits != bits:
            raise self._divergence(entry, asked)
        return entry.number

    def sample(self, track: str) -> int:
        """Return a sample of contacts or keys.

        Raises:
            DeviceLost: the contacts or keys were lost at this moment of the recording.
        """
        entry = self._answer_of(Sample(track, 0))
        if isinstance(entry, Lost):
            raise DeviceLost(entry.words)
        self.counts["samples"] += 1
        return entry.mask

    def ready(self, track: str) -> bool:
        """Return whether a device was ready."""
        entry = self._peek()
        if not isinstance(entry, ReadyAnswer) or entry.track != track:
            raise self._divergence(entry, ReadyAnswer(track, yes=True))
        self._next = None
        return entry.yes

    def trouble(self, track: str) -> str:
        """Return a device's recorded trouble, or "" for none."""
        entry = self._answer_of(ReadyAnswer(track, yes=True))
        return entry.words if isinstance(entry, Lost) else ""

    def _answer_of(self, asked: A) -> A | Lost:
        """Return a device's recorded answer, or its loss."""
        entry = self._peek()
        if not isinstance(entry, (type(asked), Lost)) or entry.track != asked.track:
            raise self._divergence(entry, asked)
        self._next = None
        return entry

    def show(self, track: str, content: bytes | None) -> None:
        """Compare output with the tape.

        Raises:
            DeviceLost: the device was lost at this output on the tape.
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
    """Return a session's devices as recorded on its tape. `limited` adds the lamps' current limit."""
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
    """A device that behaves as on the tape. Implements all the ports."""

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
    """The random source of a session, as recorded on its tape."""

    def __init__(self, player: TapePlayer) -> None:
        super().__init__()
        self._player = player

    def getrandbits(self, k: int, /) -> int:
        """Return `k` random bits, as recorded."""
        return self._player.drawn(k)

    def random(self) -> float:
        """Return a number from 0 to below 1, as recorded."""
        return self._player.drawn(FRACTION) / (1 << FRACTION)
