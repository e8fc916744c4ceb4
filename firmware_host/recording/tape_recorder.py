"""Record on a tape what a program's devices, clock and rng return, pass by pass.

Each of them is wrapped in an object that does the same and records inputs and outputs. A recorded program uses a clock
of whole microseconds, which can be stored and restored to the last bit. Calls between passes do not belong to the
session and are not recorded.

A thread writes the entries once a second: the loop never waits for a disk. A disk error ends the recording, not the
program.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any

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
    Lost,
    Note,
    Packer,
    ReadyAnswer,
    Wall,
    Written,
)
from firmware_host.recording.tape_file import TapeWriter
from hardware.backend import Backend
from hardware.ports import BadDevice, Clock, DeviceLost


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceFacts:
    """The facts about a session's devices that never change, such as the number of lamps.

    Attributes:
        inputs: number of inputs of the switches.
        places: for each connected input, the text that shows people where it is.
        lamps: number of lamps.
        keys: the names of the keys.
        handset: width and height of the private panel.
        display: width and height of the public panel; None without one.
        power: whether the power supply was reported.
    """

    inputs: int
    places: Mapping[int, str]
    lamps: int
    keys: tuple[str, ...]
    handset: tuple[int, int]
    display: tuple[int, int] | None
    power: bool = False

    @staticmethod
    def of(backend: Backend) -> DeviceFacts:
        """Return the constant properties of these devices."""
        places = {}
        for number in range(backend.switches.count):
            with suppress(BadDevice):  # not every GPIO number is an input
                places[number] = backend.switches.place(number)
        return DeviceFacts(
            inputs=backend.switches.count,
            places=places,
            lamps=backend.lamps.count,
            keys=backend.keys.names,
            handset=backend.handset.size,
            display=None if backend.display is None else backend.display.size,
            power=backend.power is not None,
        )


class TapedDevice:
    """Base class of recorded and replayed devices, with their constant properties.

    Args:
        track: the device, one of `firmware_host.recording.tape.TRACKS`.
        facts: the constant properties of the session's devices.
    """

    def __init__(self, track: str, facts: DeviceFacts) -> None:
        self._track = track
        self._places = facts.places
        self.count = facts.inputs if track == SWITCHES else facts.lamps
        self.names = facts.keys
        self.size = (track == DISPLAY and facts.display) or facts.handset

    def place(self, number: int) -> str:
        """Return where a person finds an input. See `Switches.place`."""
        try:
            return self._places[number]
        except KeyError:
            raise BadDevice(f"switches: there is no input {number}; inputs are 0 to {len(self._places) - 1}") from None


def content_of(shown: bytes | Image.Image | None) -> bytes | None:
    """Return a frame or picture as bytes. None stands for dark."""
    return shown.tobytes() if isinstance(shown, Image.Image) else shown


FLUSH = 1_000_000
"""Microseconds between two writes: the most that a power cut can cost."""

FRACTION = 53
"""Bits of a number from 0 to below 1, as in `random.Random.random`."""


class Recorder:
    """A recorder of one session on one tape.

    Args:
        writer: takes the blocks; `stop` closes it.
        complain: called once, on a thread, with the reason if the disk ends the recording.

    Attributes:
        rolling: whether entries are recorded now: before the first pass, and during each pass.
        begun: whether any pass has begun.
        in_pass: whether a pass is going on.
    """

    def __init__(self, writer: TapeWriter, complain: Callable[[str], None]) -> None:
        self._packer = Packer()
        self.rolling = True
        self.begun = self.in_pass = False
        self._writer = _WriterThread(writer, complain)
        self._written_at = self._now = 0

    def note(self, name: str, text: str) -> None:
        """Record a fact about the whole session. Call this before recording anything else."""
        self._packer.put(Note(name, text))

    def backend(self, backend: Backend) -> Backend:
        """Wrap devices so that everything they do is recorded."""
        facts = DeviceFacts.of(backend)

        def recorded(track: str, device: Any) -> Any:
            return None if device is None else _RecordedDevice(track, facts, device, self)

        return replace(
            backend,
            switches=recorded(SWITCHES, backend.switches),
            lamps=backend.lamps.with_device(partial(recorded, LAMPS)),
            handset=recorded(HANDSET, backend.handset),
            display=recorded(DISPLAY, backend.display),
            keys=recorded(KEYS, backend.keys),
            clock=_RecordedClock(backend.clock, self),
            power=recorded(POWER, backend.power),
        )

    def rng(self, rng: random.Random) -> random.Random:
        """Wrap an rng so that its numbers are recorded."""
        return _RecordedRng(rng, self)

    def wall_clock(self, wall_clock: Callable[[], float]) -> Callable[[], float]:
        """Wrap a wall clock so that its times are recorded."""

        def recorded() -> float:
            seconds = wall_clock()
            self.put(Wall(seconds))
            return seconds

        return recorded

    def written(self, trouble: str | None) -> None:
        """Record the result of saving something: "" if it was saved, the reason if not, None while in progress."""
        self.put(ReadyAnswer(STORE, yes=False) if trouble is None else Written(trouble))

    def step(self, step: Callable[[], None]) -> Callable[[], None]:
        """Wrap the function for one pass of the loop so that each pass is recorded."""

        def recorded() -> None:
            with self.one_pass():
                step()

        return recorded

    @contextmanager
    def one_pass(self) -> Iterator[None]:
        """Record one pass of the loop during the `with` block."""
        self.rolling = self.begun = self.in_pass = True
        self._packer.begin_pass()
        try:
            yield
        finally:
            self.rolling = self.in_pass = False
        if not 0 <= self._now - self._written_at < FLUSH:
            self._written_at = self._now
            self._writer.put(self._packer.block())

    def stop(self) -> None:
        """End the recording, and wait until its file is closed. What devices do later is not recorded."""
        self.rolling = False
        self._packer.put(End())
        self._writer.put(self._packer.block())
        self._writer.end()

    # ---- entries ----

    def put(self, entry: Entry) -> None:
        """Record an entry of any type."""
        if self.rolling:
            self._packer.put(entry)

    def now(self, microseconds: int) -> None:
        """Record a reading of the clock."""
        if self.rolling:
            self._now = microseconds
            self._packer.now(microseconds)

    def sample(self, track: str, mask: int) -> None:
        """Record a reading of contacts or keys."""
        if self.rolling:
            self._packer.sample(track, mask)

    def shown(self, track: str, content: bytes | None) -> None:
        """Record what was sent to a device."""
        if self.rolling:
            self._packer.shown(track, content)


class _WriterThread:
    def __init__(self, writer: TapeWriter, complain: Callable[[str], None]) -> None:
        self._writer, self._complain = writer, complain
        self._blocks: SimpleQueue[bytes | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="tape", daemon=True)
        self._thread.start()

    def put(self, block: bytes) -> None:
        self._blocks.put(block)

    def end(self) -> None:
        self._blocks.put(None)
        self._thread.join()

    def _run(self) -> None:
        try:
            while (block := self._blocks.get()) is not None:
                self._writer.write(block)
                if self._blocks.empty():
                    self._writer.sync()
            self._writer.sync()
        except OSError as error:
            self._complain(f"the recording has ended: {error.strerror or error}; the table continues")
            while self._blocks.get() is not None:
                pass
        finally:
            self._writer.close()


class _RecordedClock:
    def __init__(self, clock: Clock, recorder: Recorder) -> None:
        self._clock, self._recorder = clock, recorder

    def now(self) -> float:
        microseconds = round(self._clock.now() * 1_000_000)
        self._recorder.now(microseconds)
        return microseconds / 1_000_000


class _RecordedDevice(TapedDevice):
    """A device that records every call to it. Implements the ports of the device."""

    def __init__(self, track: str, facts: DeviceFacts, device: Any, recorder: Recorder) -> None:
        super().__init__(track, facts)
        self._device, self._recorder = device, recorder

    def read(self) -> int:
        with self._recording_a_loss():
            mask: int = self._device.read()
        self._recorder.sample(self._track, mask)
        return mask

    def ready(self) -> bool:
        yes: bool = self._device.ready()
        self._recorder.put(ReadyAnswer(self._track, yes))
        return yes

    def show(self, content: bytes | Image.Image | None) -> None:
        self._recorder.shown(self._track, content_of(content))
        with self._recording_a_loss():
            self._device.show(content)

    def trouble(self) -> str:
        trouble: str = self._device.trouble()
        self._recorder.put(Lost(self._track, trouble) if trouble else ReadyAnswer(self._track, yes=True))
        return trouble

    def close(self) -> None:
        self._device.close()

    @contextmanager
    def _recording_a_loss(self) -> Iterator[None]:
        try:
            yield
        except DeviceLost as error:
            self._recorder.put(Lost(self._track, str(error)))
            raise


class _RecordedRng(random.Random):
    """An rng that records its two basic methods, from which `random.Random` derives all others."""

    def __init__(self, rng: random.Random, recorder: Recorder) -> None:
        super().__init__()
        self._rng, self._recorder = rng, recorder

    def getrandbits(self, k: int, /) -> int:
        number = self._rng.getrandbits(k)
        self._recorder.put(Drawn(k, number))
        return number

    def random(self) -> float:
        number = self._rng.random()
        self._recorder.put(Drawn(FRACTION, int(number * (1 << FRACTION))))
        return number
