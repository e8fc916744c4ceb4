"""The devices of a table on the workbench: read and debounced for an exercise, and showing what it wants shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from PIL import Image

from firmware_host.health import Devices
from firmware_host.inputs import GLITCH
from hardware.backend import Backend
from hardware.debounce import Chatter, Debounce
from hardware.ports import DeviceLost, Panel, Switches

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255 each."""

QUIET = 0.1
"""Seconds for which the switches are read before an exercise begins: what is closed then is closed from the start."""

REFRESH = 1.0
"""Seconds after which everything is sent again: a device that had lost its power comes back."""


class Exercise(Protocol):
    """Something done with the devices step by step, with no input or output of its own.

    Each method that is told of something gives the lines to be said to the person; what it noted down meanwhile is to
    be kept before they are said.

    Attributes:
        done: whether it is over.
    """

    done: bool

    def begin(self, closed: int, now: float) -> list[str]:
        """It begins, with these inputs closed."""

    def felt(self, closed: int, now: float) -> list[str]:
        """Other inputs are closed from now on."""

    def key(self, name: str, down: bool, now: float) -> list[str]:
        """A key went down or up."""

    def typed(self, line: str, now: float) -> list[str]:
        """A line was typed at the terminal."""

    def tick(self, now: float) -> list[str]:
        """Time goes by."""

    def shining(self, now: float) -> Mapping[int, Colour]:
        """The lamps that are lit, and their colours."""

    def pictures(self, now: float) -> tuple[Image.Image | None, Image.Image | None]:
        """What the handset and the public display show; None: dark."""


def bits(mask: int) -> list[int]:
    """The numbers of the bits that are set. Pure."""
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def namer(switches: Switches) -> Callable[[int], str]:
    """What names an input together with its place on the electronics: "input 12 (chip 2, pin E)"."""

    def name(number: int) -> str:
        place = switches.place(number)
        return place if place == f"input {number}" else f"input {number} ({place})"

    return name


def held_closed(mask: int, name: Callable[[int], str]) -> list[str]:
    """A line for each of these inputs, which are not listened to."""
    return [f"  {name(number)} stays closed; it is not listened to until it opens" for number in bits(mask)]


class Workbench:
    """The devices of one table in the service of one exercise. It moves no time: `step` is one pass of a loop.

    Args:
        backend: the devices.
        exercise: what is done with them.
        tell: says lines to the person, once what was noted is kept.
        samples: equal readings in a row that make a change of a switch count.
    """

    def __init__(
        self, backend: Backend, exercise: Exercise, tell: Callable[[Sequence[str]], None], *, samples: int = 3
    ) -> None:
        now = backend.clock.now()
        self._backend = backend
        self._exercise = exercise
        self._tell = tell
        self._name = namer(backend.switches)
        self._devices = Devices(("switches", "keys", "lamps", "handset", "display"), now)
        self._debounce = Debounce(backend.switches.count, samples)
        self._chatter = Chatter(backend.switches.count)
        self._buttons = Debounce(len(backend.keys.names))
        self._raw = self._closed = self._unwell = self._held = 0
        self._begins_at: float | None = now + QUIET
        self._refresh_at = now
        self._shown: dict[str, bytes] = {}

    @property
    def done(self) -> bool:
        """Whether the exercise is over."""
        return self._exercise.done

    def typed(self, line: str) -> None:
        """The person has typed a line."""
        if self._begins_at is None:
            self._say(self._exercise.typed(line, self._backend.clock.now()))

    def step(self) -> None:
        """One pass: read the devices, tell the exercise, show what it wants shown."""
        now = self._backend.clock.now()
        closed = self._read_switches(now)
        if self._begins_at is not None:
            if now < self._begins_at:
                return
            self._begins_at, self._closed = None, closed
            self._say(self._exercise.begin(closed, now))
        if closed != self._closed:
            self._closed = closed
            self._say(self._exercise.felt(closed, now))
        for name, down in self._read_keys(now):
            self._say(self._exercise.key(name, down, now))
        self._say(self._exercise.tick(now))
        if now >= self._refresh_at:
            self._refresh_at = now + REFRESH
            self._shown.clear()
            self._backend.lamps.forget()
        self._show(now)
        self._say(self._devices.news())

    def dark(self) -> None:
        """All lamps and screens off, as far as they can be reached."""
        now, backend = self._backend.clock.now(), self._backend
        backend.lamps.forget()
        try:
            backend.lamps.show(bytes(3 * backend.lamps.count))
        except DeviceLost as error:
            self._devices.lost("lamps", error, now)
        for name, panel in (("handset", backend.handset), ("display", backend.display)):
            if panel is not None:
                self._picture(name, panel, None, now)

    def _say(self, lines: Sequence[str]) -> None:
        if lines:
            self._tell(lines)

    def _read_switches(self, now: float) -> int:
        """The inputs that are closed, without those that chatter; those of the last time if they cannot be read."""
        if not self._devices.usable("switches", now):
            return self._closed
        try:
            raw = self._backend.switches.read()
        except DeviceLost as error:
            self._devices.lost("switches", error, now)
            return self._closed
        last, self._raw = self._raw, raw
        if (raw ^ last).bit_count() > GLITCH:
            return self._closed
        self._devices.ok("switches", now)
        stable, unwell = self._debounce.update(raw), self._chatter.update(raw, now)
        for number in bits(unwell & ~self._unwell):
            self._say([f"  {self._name(number)} chatters; it is not listened to until it is quiet"])
        self._unwell = unwell
        return stable & ~unwell

    def _read_keys(self, now: float) -> list[tuple[str, bool]]:
        """The keys that went down (true) or up since they were last read."""
        if not self._devices.usable("keys", now):
            return []
        try:
            held = self._buttons.update(self._backend.keys.read())
        except DeviceLost as error:
            self._devices.lost("keys", error, now)
            return []
        self._devices.ok("keys", now)
        changed, self._held = held ^ self._held, held
        names = self._backend.keys.names
        return [(names[bit], bool(held >> bit & 1)) for bit in bits(changed)]

    def _show(self, now: float) -> None:
        backend = self._backend
        self._shine(now)
        handset, display = self._exercise.pictures(now)
        screens = (("handset", backend.handset, handset), ("display", backend.display, display))
        for name, panel, picture in screens:
            if panel is None or self._shown.get(name) == _pixels(picture):
                continue
            if panel.ready() and self._devices.usable(name, now):
                self._picture(name, panel, picture, now)

    def _shine(self, now: float) -> None:
        lamps = self._backend.lamps
        if not lamps.ready() or not self._devices.usable("lamps", now):
            return
        frame = bytearray(3 * lamps.count)
        for lamp, colour in self._exercise.shining(now).items():
            frame[3 * lamp : 3 * lamp + 3] = bytes(colour)
        try:
            lamps.show(bytes(frame))
        except DeviceLost as error:
            self._devices.lost("lamps", error, now)
        else:
            self._devices.ok("lamps", now)

    def _picture(self, name: str, panel: Panel, picture: Image.Image | None, now: float) -> None:
        try:
            panel.show(picture)
        except DeviceLost as error:
            self._shown.pop(name, None)
            self._devices.lost(name, error, now)
        else:
            self._shown[name] = _pixels(picture)
            self._devices.ok(name, now)


def _pixels(picture: Image.Image | None) -> bytes:
    return b"" if picture is None else picture.tobytes()
