"""Record a program's devices, clock, chance and loop on a tape.

Each is wrapped in one that does the same and records what went in and out. A recorded program uses a clock of whole
microseconds, which can be stored and restored to the last bit. What is asked between passes is no part of the session,
and is not recorded.

A thread writes what has accumulated, once a second: the loop never waits for a disk. A disk that refuses ends the
recording, not the program.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from queue import SimpleQueue
from threading import Thread

from PIL import Image

from hardware.backend import Backend
from hardware.ports import Clock, DeviceLost, Keys, Lamps, Panel, Supply, Switches
from hardware.recording.tape import (
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
    Ready,
    Wall,
    Written,
)
from hardware.recording.tape_file import Reel

FLUSH = 1_000_000
"""Microseconds between two writes: the most that a power cut can cost."""


class Recorder:
    """Records one session.

    Args:
        reel: takes the blocks; `stop` closes it.
        complain: called once, on a thread, with the reason if the disk ends the recording.

    Attributes:
        begun: whether a pass has begun, recorded or after the end of the tape.
    """

    def __init__(self, reel: Reel, complain: Callable[[str], None]) -> None:
        self._packer = Packer()
        self.rolling = True
        self.begun = False
        self._writer = _Writer(reel, complain)
        self._written_at = self._now = 0

    def note(self, name: str, text: str) -> None:
        """Record a fact about the whole session; call this before anything else is recorded."""
        self._packer.put(Note(name, text))

    def backend(self, backend: Backend) -> Backend:
        """Return the same devices, recorded."""
        display = backend.display
        return replace(
            backend,
            switches=_Switches(backend.switches, self),
            lamps=backend.lamps.by_way_of(lambda lamps: _Lamps(lamps, self)),
            handset=_Panel(backend.handset, self, HANDSET),
            display=None if display is None else _Panel(display, self, DISPLAY),
            keys=_Keys(backend.keys, self),
            clock=_Clock(backend.clock, self),
            power=None if backend.power is None else _Supply(backend.power, self),
        )

    def chance(self, chance: random.Random) -> random.Random:
        """Return the same chance, recorded."""
        return _Chance(chance, self)

    def wall(self, wall: Callable[[], float]) -> Callable[[], float]:
        """Return the same wall clock, recorded."""

        def recorded() -> float:
            seconds = wall()
            self.put(Wall(seconds))
            return seconds

        return recorded

    def written(self, trouble: str | None) -> None:
        """Record an attempt to make something durable: the reason if it failed, "" if not, None while it goes on."""
        self.put(Ready(STORE, yes=False) if trouble is None else Written(trouble))

    def step(self, step: Callable[[], None]) -> Callable[[], None]:
        """Return the same pass of the loop, recorded."""

        def recorded() -> None:
            self.rolling = self.begun = True
            self._packer.begin_pass()
            try:
                step()
            finally:
                self.rolling = False
            if not 0 <= self._now - self._written_at < FLUSH:
                self._written_at = self._now
                self._writer.put(self._packer.block())

        return recorded

    def stop(self) -> None:
        """End the recording and wait until it is on the disk. Later calls of the devices are not recorded."""
        self.rolling = False
        self._packer.put(End())
        self._writer.put(self._packer.block())
        self._writer.end()

    # ---- what passes ----

    def put(self, entry: Entry) -> None:
        """Record any entry."""
        if self.rolling:
            self._packer.put(entry)

    def now(self, microseconds: int) -> None:
        """Record a reading of the clock."""
        if self.rolling:
            self._now = microseconds
            self._packer.now(microseconds)

    def sample(self, track: str, mask: int) -> None:
        """Record a sample of contacts or keys."""
        if self.rolling:
            self._packer.sample(track, mask)

    def shown(self, track: str, content: bytes | None) -> None:
        """Record what a device is handed."""
        if self.rolling:
            self._packer.shown(track, content)


class _Writer:
    """Writes blocks to the disk on a thread."""

    def __init__(self, reel: Reel, complain: Callable[[str], None]) -> None:
        self._reel, self._complain = reel, complain
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
                self._reel.write(block)
                if self._blocks.empty():
                    self._reel.sync()
        except OSError as error:
            self._complain(f"the recording has ended: {error.strerror or error}; the table goes on")
            while self._blocks.get() is not None:
                pass
        finally:
            self._reel.close()


class _Clock:
    def __init__(self, clock: Clock, recorder: Recorder) -> None:
        self._clock, self._recorder = clock, recorder

    def now(self) -> float:
        microseconds = round(self._clock.now() * 1_000_000)
        self._recorder.now(microseconds)
        return microseconds / 1_000_000


class _Switches:
    def __init__(self, switches: Switches, recorder: Recorder) -> None:
        self._switches, self._recorder = switches, recorder

    @property
    def count(self) -> int:
        return self._switches.count

    def read(self) -> int:
        try:
            mask = self._switches.read()
        except DeviceLost as error:
            self._recorder.put(Lost(SWITCHES, str(error)))
            raise
        self._recorder.sample(SWITCHES, mask)
        return mask

    def place(self, number: int) -> str:
        return self._switches.place(number)

    def close(self) -> None:
        self._switches.close()


class _Keys:
    def __init__(self, keys: Keys, recorder: Recorder) -> None:
        self._keys, self._recorder = keys, recorder

    @property
    def names(self) -> tuple[str, ...]:
        return self._keys.names

    def read(self) -> int:
        try:
            mask = self._keys.read()
        except DeviceLost as error:
            self._recorder.put(Lost(KEYS, str(error)))
            raise
        self._recorder.sample(KEYS, mask)
        return mask

    def close(self) -> None:
        self._keys.close()


class _Lamps:
    def __init__(self, lamps: Lamps, recorder: Recorder) -> None:
        self._lamps, self._recorder = lamps, recorder

    @property
    def count(self) -> int:
        return self._lamps.count

    def ready(self) -> bool:
        yes = self._lamps.ready()
        self._recorder.put(Ready(LAMPS, yes))
        return yes

    def show(self, frame: bytes) -> None:
        self._recorder.shown(LAMPS, frame)
        try:
            self._lamps.show(frame)
        except DeviceLost as error:
            self._recorder.put(Lost(LAMPS, str(error)))
            raise

    def close(self) -> None:
        self._lamps.close()


class _Panel:
    def __init__(self, panel: Panel, recorder: Recorder, track: str) -> None:
        self._panel, self._recorder, self._track = panel, recorder, track

    @property
    def size(self) -> tuple[int, int]:
        return self._panel.size

    def ready(self) -> bool:
        yes = self._panel.ready()
        self._recorder.put(Ready(self._track, yes))
        return yes

    def show(self, picture: Image.Image | None) -> None:
        self._recorder.shown(self._track, None if picture is None else picture.tobytes())
        try:
            self._panel.show(picture)
        except DeviceLost as error:
            self._recorder.put(Lost(self._track, str(error)))
            raise

    def close(self) -> None:
        self._panel.close()


class _Supply:
    def __init__(self, supply: Supply, recorder: Recorder) -> None:
        self._supply, self._recorder = supply, recorder

    def trouble(self) -> str:
        trouble = self._supply.trouble()
        self._recorder.put(Lost(POWER, trouble) if trouble else Ready(POWER, yes=True))
        return trouble

    def close(self) -> None:
        self._supply.close()


class _Chance(random.Random):
    """Records both basic methods, from which `random.Random` derives all others."""

    def __init__(self, chance: random.Random, recorder: Recorder) -> None:
        super().__init__()
        self._chance, self._recorder = chance, recorder

    def getrandbits(self, k: int, /) -> int:
        number = self._chance.getrandbits(k)
        self._recorder.put(Drawn(k, number))
        return number

    def random(self) -> float:
        number = self._chance.random()
        self._recorder.put(Drawn(FRACTION, int(number * (1 << FRACTION))))
        return number


FRACTION = 53
"""Bits of a number from 0 to 1 as `random.Random.random` returns it."""
