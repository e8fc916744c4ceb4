"""Connect a table's devices and the terminal to an exercise, such as a test or a lesson."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable, Collection, Mapping, Sequence

from PIL import Image

from firmware_host.table.device_health import Devices
from hardware.backend import Backend
from hardware.contacts.chatter import Chatter
from hardware.contacts.debounce import Debounce
from hardware.contacts.plausibility import GLITCH
from hardware.ports import DeviceLost, Panel, Switches

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255 each."""

Lost = Mapping[str, str]
"""The lost devices, each with the reason."""

QUIET = 0.1
"""Seconds of reading the switches before an exercise begins, and after they come back.

Inputs that are closed after this time count as closed from the start.
"""

REFRESH = 1.0
"""Seconds after which everything is sent again, for a device that lost its power."""


_DEVICES = ("switches", "keys", "lamps", "handset", "display")


class Exercise:
    """The base of an exercise: a task with the devices, step by step. By default it ignores every event.

    Each method that handles an event returns lines to print. The caller saves the notes of the exercise before it
    prints these lines.

    Attributes:
        done: whether the exercise is over.
    """

    done = False

    @property
    def lacks_device(self) -> bool:
        """Whether the device that the exercise is about is lost."""
        return False

    @property
    def waiting(self) -> bool:
        """Whether the exercise waits for its lost device. Its clock stops meanwhile."""
        return self.lacks_device

    def begin(self, closed: int, lost: Lost, now: float) -> list[str]:  # noqa: ARG002
        """Start the exercise with these closed inputs and lost devices."""
        return []

    def devices_changed(self, closed: int, lost: Lost, now: float) -> list[str]:  # noqa: ARG002
        """React to a change of the lost devices, or of the reason for a loss."""
        return []

    def contacts_changed(self, closed: int, now: float) -> list[str]:  # noqa: ARG002
        """React to a change of the closed inputs."""
        return []

    def samples_changed(self, raw: int, chattering: int, now: float) -> list[str]:  # noqa: ARG002
        """React to a change of the raw samples or of the set of chattering inputs.

        In the other methods chattering inputs count as open.
        """
        return []

    def key_changed(self, name: str, down: bool, now: float) -> list[str]:  # noqa: ARG002
        """React to a key that was pressed (`down`) or released."""
        return []

    def line_typed(self, line: str, now: float) -> list[str]:  # noqa: ARG002
        """React to a line typed at the terminal."""
        return []

    def tick(self, now: float) -> list[str]:  # noqa: ARG002
        """React to the passing of time."""
        return []

    def lit_lamps(self, now: float) -> Mapping[int, Colour]:  # noqa: ARG002
        """Return the lamps to light, each with its colour."""
        return {}

    def pictures(self, now: float) -> tuple[Image.Image | None, Image.Image | None]:  # noqa: ARG002
        """Return the pictures for the handset's and the public screen, or None for a dark one."""
        return None, None


LOW = 64
"""Brightness of a colour while the lamps are tested one by one: about 5 mA a lamp."""

NEXT = "table.confirm"
"""The key that counts as Enter; in the test of the keys, only while the knob is turned."""

UNSEEN = "all was sent; only you saw whether it was right"
"""The result of a part that only people can judge."""


class Part(Exercise):
    """The base of a part of the self-test. By default it ends with Enter or the confirm key.

    Attributes:
        tries: the devices that it tests.
        needs: the devices without which it waits.
        done: whether the part is over.
    """

    tries: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    def resume(self, closed: int) -> list[str]:  # noqa: ARG002
        """Continue, with these inputs closed, after the devices that the part needs came back."""
        return []

    def key_changed(self, name: str, down: bool, now: float) -> list[str]:  # noqa: ARG002
        """React to a key that was pressed (`down`) or released."""
        return self.enter() if down and name == NEXT else []

    def enter(self) -> list[str]:
        """React to Enter: end this part."""
        self.done = True
        return []

    def stop(self) -> None:
        """React to q or the end of the input: end this part without confirmation."""
        self.done = True

    def answer(self, word: str) -> list[str] | None:  # noqa: ARG002
        """React to a typed word. Return None if the word is not an answer."""
        return None

    def fault(self, device: str) -> str:  # noqa: ARG002
        """Return a device's fault, or that it was not tested, or "" if it has no fault."""
        return ""

    def good_result(self) -> str:
        """Return the result to print for a device without a fault."""
        return "good"


def health_changes(before: Lost, after: Lost, names: Collection[str]) -> list[str]:
    """Return a line for each named device that was lost, is lost for a new reason, or came back. Pure."""
    lines = [f"{name}: lost: {after[name]}" for name in names if name in after and before.get(name) != after[name]]
    return lines + [f"{name}: ok" for name in names if name in before and name not in after]


def abbreviate(numbers: Sequence[int]) -> str:
    """Return numbers as a list with commas. Of 16 or more numbers, list only the first twelve. Pure."""
    shown = numbers if len(numbers) < 16 else numbers[:12]
    more = f" and {len(numbers) - len(shown)} more" if len(shown) < len(numbers) else ""
    return ", ".join(map(str, shown)) + more


def set_bits(mask: int) -> list[int]:
    """Return the numbers of the bits that are set in a mask. Pure."""
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def namer(switches: Switches) -> Callable[[int], str]:
    """Return a function that names an input with its place: "input 12 (chip 2, pin E)"."""

    def name(number: int) -> str:
        place = switches.place(number)
        return place if place == f"input {number}" else f"input {number} ({place})"

    return name


def held_closed(mask: int, name: Callable[[int], str]) -> list[str]:
    """Return a line for each of these closed inputs, which says that it is ignored until it opens."""
    return [f"  {name(number)} stays closed; it is ignored until it opens" for number in set_bits(mask)]


class Workbench:
    """The connection between a table's devices and an exercise. `step` is one pass of the loop.

    Args:
        backend: the devices.
        exercise: the exercise to run.
        say: prints lines, after saving the notes.
        samples: equal readings in a row after which a change of a switch counts.
    """

    def __init__(
        self, backend: Backend, exercise: Exercise, say: Callable[[Sequence[str]], None], *, samples: int = 3
    ) -> None:
        now = backend.clock.now()
        self._backend = backend
        self._exercise = exercise
        self._print = say
        self._name = namer(backend.switches)
        self._devices = Devices(_DEVICES, now)
        self._debounce = Debounce(backend.switches.count, samples)
        self._chatter = Chatter(backend.switches.count)
        self._buttons = Debounce(len(backend.keys.names))
        self._raw = self._closed = self._unwell = self._held = 0
        self._begins_at: float | None = now + QUIET
        self._early: list[str] = []  # lines typed before the exercise began
        self._lost: Lost = {}
        self._quiet_until = now  # until then the switches, though back, are not reported
        self._last = self._time = now  # clock time, and exercise time, which stops while it waits
        self._refresh_at = now
        self._shown: dict[str, bytes] = {}

    @property
    def done(self) -> bool:
        """Whether the exercise is over."""
        return self._exercise.done

    def line_typed(self, line: str) -> None:
        """Pass a typed line to the exercise. If the exercise has not begun yet, keep the line until then."""
        if self._begins_at is None:
            self._report(self._exercise.line_typed(line, self._time))
        else:
            self._early.append(line)

    def step(self) -> None:
        """Run one pass: read the devices, pass changes to the exercise, and show its output."""
        now = self._backend.clock.now()
        closed, keys, lost = self._read_switches(now), self._read_keys(now), self._lost_devices(now)
        if self._begins_at is None:
            self._continue(closed, keys, lost, now)
        elif now >= self._begins_at:
            self._begin(closed, lost, now)
        if self._begins_at is not None or now >= self._refresh_at:  # only the next frame reveals a loss
            self._refresh_at = now + REFRESH
            self._shown.clear()
            self._backend.lamps.forget()
        self._show(now)

    def _begin(self, closed: int, lost: Lost, now: float) -> None:
        self._begins_at, self._closed, self._lost, self._last = None, closed, lost, now
        self._report(self._exercise.begin(closed, lost, self._time))
        for line in self._early:
            self.line_typed(line)

    def _continue(self, closed: int, keys: Sequence[tuple[str, bool]], lost: Lost, now: float) -> None:
        passed, self._last = now - self._last, now
        if not self._exercise.waiting:
            self._time += passed
        if lost != self._lost:
            self._lost, self._closed = lost, closed
            self._report(self._exercise.devices_changed(closed, lost, self._time))
        if closed != self._closed:
            self._closed = closed
            self._report(self._exercise.contacts_changed(closed, self._time))
        for name, down in keys:
            self._report(self._exercise.key_changed(name, down, self._time))
        if not self._exercise.waiting:
            self._report(self._exercise.tick(self._time))

    def _lost_devices(self, now: float) -> Lost:
        """Return the lost devices. Switches count as lost until they have been readable for `QUIET` seconds."""
        gone = {name: self._devices[name].reason for name in _DEVICES if self._devices.away(name)}
        if "switches" in self._lost and now < self._quiet_until:
            gone["switches"] = self._lost["switches"]
        return gone

    def turn_off(self) -> None:
        """Turn off all lamps and screens that can be reached."""
        now, backend = self._backend.clock.now(), self._backend
        backend.lamps.forget()
        try:
            backend.lamps.show(bytes(3 * backend.lamps.count))
        except DeviceLost as error:
            self._devices.lost("lamps", error, now)
        for name, panel in (("handset", backend.handset), ("display", backend.display)):
            if panel is not None:
                self._show_picture(name, panel, None, now)

    def _report(self, lines: Sequence[str]) -> None:
        if lines:
            self._print(lines)

    def _read_switches(self, now: float) -> int:
        """Return the closed inputs that do not chatter.

        If reading fails or too many inputs change at once, return the last known ones.
        """
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
        if self._devices.away("switches"):
            self._quiet_until = now + QUIET
        self._devices.ok("switches", now)
        stable, unwell = self._debounce.update(raw), self._chatter.update(raw, now)
        for number in set_bits(unwell & ~self._unwell):
            self._report([f"  {self._name(number)} chatters; it is ignored until it is quiet"])
        if self._begins_at is None and (raw, unwell) != (last, self._unwell):
            self._report(self._exercise.samples_changed(raw, unwell, self._time))
        self._unwell = unwell
        return stable & ~unwell

    def _read_keys(self, now: float) -> list[tuple[str, bool]]:
        """Return the keys that were pressed (True) or released since the last call."""
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
        return [(names[bit], bool(held >> bit & 1)) for bit in set_bits(changed)]

    def _show(self, now: float) -> None:
        backend = self._backend
        self._show_lamps(now)
        handset, display = self._exercise.pictures(self._time) if self._begins_at is None else (None, None)
        screens = (("handset", backend.handset, handset), ("display", backend.display, display))
        for name, panel, picture in screens:
            if panel is None or self._shown.get(name) == _pixels(picture):
                continue
            if panel.ready() and self._devices.usable(name, now):
                self._show_picture(name, panel, picture, now)

    def _show_lamps(self, now: float) -> None:
        lamps = self._backend.lamps
        if not lamps.ready() or not self._devices.usable("lamps", now):
            return
        frame = bytearray(3 * lamps.count)
        shining = self._exercise.lit_lamps(self._time) if self._begins_at is None else {}
        for lamp, colour in shining.items():
            frame[3 * lamp : 3 * lamp + 3] = bytes(colour)
        try:
            lamps.show(bytes(frame))
        except DeviceLost as error:
            self._devices.lost("lamps", error, now)
        else:
            self._devices.ok("lamps", now)

    def _show_picture(self, name: str, panel: Panel, picture: Image.Image | None, now: float) -> None:
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


END = "q"
"""The line that represents the end of the input."""


class Terminal:
    """A reader of typed lines that waits only for a limited time.

    Args:
        handle: the file descriptor; standard input by default.
    """

    def __init__(self, handle: int = 0) -> None:
        self._handle = handle
        self._begun = b""
        self._open = True

    def lines(self, seconds: float) -> list[str]:
        """Return the lines typed since the last call. Wait up to `seconds` if there are none.

        At the end of the input, the line `END` is added once.
        """
        if not self._open:
            time.sleep(seconds)
            return []
        try:
            if not select.select([self._handle], [], [], seconds)[0]:
                return []
            read = os.read(self._handle, 4096)
        except OSError:  # no terminal any more, or never one
            read = b""
        *whole, self._begun = (self._begun + read).split(b"\n")
        lines = [line.decode(errors="replace") for line in whole]
        if not read:
            self._open = False
            lines.append(END)
        return lines
