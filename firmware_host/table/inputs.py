"""The inputs of a table: switches as stations, debounced keys, and the power supply.

Which switches are out of order is saved beside the journal, so that after a restart nobody is asked about them again.
The file contains no secret, and nothing depends on it: if it is missing or unreadable, the table detects such a switch
again, as it did the first time.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial, reduce
from operator import itemgetter
from pathlib import Path

from firmware_host.config.board_layout import BoardLayout, InputMapping
from firmware_host.config.loader import Config
from firmware_host.journal.store_port import MEMORY
from firmware_host.referee.events import SwitchesChanged
from firmware_host.referee.switch_register import SwitchRegister
from firmware_host.system.event_log import log_fields
from firmware_host.system.files import Task, at_once, read_small_file, replace_file
from firmware_host.system.language import gettext_noop, translatable
from firmware_host.system.plain_faults import writing_fault
from firmware_host.table.device_health import Devices
from hardware.backend import Backend
from hardware.contacts.debounce import Debounce
from hardware.contacts.plausibility import PlausibilityFilter
from hardware.ports import DeviceLost, Switches

log = logging.getLogger("yardboard")


Worked = dict[str, str | int | float | None]
"""How one switch has worked, as JSON values."""

_CHATTER = gettext_noop("chatter under {stations}")
_BROKEN = gettext_noop("broken under {stations}")
_WEAK = gettext_noop("weak under {stations}")
_AT = gettext_noop("{station} ({place})")
_LISTED = gettext_noop("{first}, {second}")
_TWO = gettext_noop("{first}; {second}")


class SwitchReport:
    """A reporter of the condition of one table's switches.

    Args:
        switches: the device; knows the place of each input.
        contacts: know the wear of each input's contact.
        order: the input of each spot.
    """

    def __init__(self, switches: Switches, contacts: PlausibilityFilter, order: InputMapping) -> None:
        self._switches, self._contacts, self._order = switches, contacts, order

    def place(self, layout: BoardLayout, station: int) -> str:
        """Return where a person finds the switch under a station: "chip 8, pin F"."""
        return self._switches.place(_input(layout, station))

    def trouble(self, layout: BoardLayout, register: SwitchRegister) -> str:
        """Return the faults of the switch line and of single switches, with their places, or "" if there are none."""
        contacts = self._contacts
        chatter, stuck = contacts.unreliable, mask_of(register.trials)
        weak = contacts.wear.weak & ~chatter & ~stuck
        found = [contacts.trouble] if contacts.trouble else []
        for what, mask in ((_CHATTER, chatter & ~stuck), (_BROKEN, stuck), (_WEAK, weak)):
            if stations := sorted(self._order.stations(layout, mask)):
                places = [translatable(_AT, station=station, place=self.place(layout, station)) for station in stations]
                found.append(translatable(what, stations=_joined(_LISTED, places)))
        return _joined(_TWO, found) if found else ""

    def worked(self, layout: BoardLayout, register: SwitchRegister, now: float) -> dict[str, Worked]:
        """Return how each station's switch has worked, except switches that have never changed.

        A state is "ok", "weak", "chattering" or "masked" (ignored). The last closing is in clock seconds, or None.
        """
        wear = self._contacts.wear
        found: dict[str, Worked] = {}
        for station in sorted(filter(None, layout.stations)):
            number = _input(layout, station)
            state, ignored_s = self._state(register, number), wear.seconds_ignored(number, now)
            closed = wear.closed[number]
            if state == "ok" and not (wear.closures[number] or wear.bounces[number] or ignored_s):
                continue
            found[str(station)] = {
                "station": station,
                "input": number,
                "place": self._switches.place(number),
                "state": state,
                "closures": wear.closures[number],
                "bounces": wear.bounces[number],
                "longest_ms": round(1000 * wear.longest[number], 1),
                "last_closed": None if closed is None else round(closed, 1),
                "masked_s": round(ignored_s, 1),
            }
        return found

    def _state(self, register: SwitchRegister, number: int) -> str:
        if number in register.trials:
            return "masked"
        if self._contacts.unreliable >> number & 1:
            return "chattering"
        return "weak" if self._contacts.wear.weak >> number & 1 else "ok"


def mask_of(numbers: Iterable[int]) -> int:
    """Return a bit mask of these input numbers."""
    return sum(1 << number for number in numbers)


def _input(layout: BoardLayout, station: int) -> int:
    return layout.input_of(layout.spot(station))


def _joined(text: str, parts: Sequence[str]) -> str:
    """Join parts with a text that has two placeholders, so that each part can still be translated."""
    return reduce(lambda first, second: translatable(text, first=first, second=second), parts)


STUCK_SWITCHES_FILE = "switches.json"
"""The name of the file of stuck switches, in the journal's folder."""

_LEVELS = {"closed": True, "open": False}


class StuckSwitchFile:
    """The file that stores which switches of a board are out of order, and how often each was, for the next start.

    Args:
        path: the file's path; None to save nothing.
        board: identifies this board's wiring, as another board may have left a file here.
        writing: runs slow file tasks.
    """

    def __init__(self, path: Path | None, board: str, writing: Callable[[Task], None] = at_once) -> None:
        self._path = path
        self._writing = writing
        self._board = board

    def read(self, count: int) -> SwitchRegister:
        """Return the saved register of `count` switches, or an empty one if this board has no readable file."""
        if self._path is None:
            return SwitchRegister()
        try:
            kept = json.loads(read_small_file(self._path).decode())
            if kept["board"] != self._board:
                return SwitchRegister()
            stuck = {int(number): _LEVELS[level] for number, level in kept["stuck"].items()}
            times = {int(number): _many(often) for number, often in kept.get("times", {}).items()}
        except FileNotFoundError:
            return SwitchRegister()
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            why, said = type(error).__name__, log_fields("masks")
            log.warning("Switches out of order are not known any more: %s: %s", self._path, why, extra=said)
            return SwitchRegister()
        inputs = range(count)
        known = {n: closed for n, closed in stuck.items() if n in inputs}
        return SwitchRegister.of(known, {n: often for n, often in times.items() if n in inputs})

    def write(self, register: SwitchRegister) -> None:
        """Save the register. A failure is only logged: the table goes on, and the next start lacks the data."""
        if self._path is None:
            return
        levels = {str(number): "closed" if closed else "open" for number, closed in sorted(register.levels.items())}
        often = {str(number): many for number, many in sorted(register.times.items())}
        text = json.dumps({"board": self._board, "stuck": levels, "times": often}) + "\n"
        self._writing(partial(_put, self._path, text))


def _put(path: Path, text: str) -> None:
    try:
        replace_file(path, text.encode())
    except OSError as error:
        why, said = writing_fault(path, error, ""), log_fields("masks")
        log.warning("Switches out of order are not kept: %s", why, extra=said)


def _many(often: object) -> int:
    """Return how many times a switch was out of order, from the file's value.

    Raises:
        ValueError: the value is not a number of times.
    """
    if not isinstance(often, int) or isinstance(often, bool) or often < 1:
        raise ValueError(f"how often a switch was out of order must be a whole number from 1, not {often!r}")
    return often


POWER_EVERY = 5.0
"""Seconds between two checks of the power, on a fixed schedule that no input affects."""

POWER_CALM = 60.0
"""Seconds of good power before it is reported as good: a weak supply fails again and again."""


class Inputs:
    """The inputs of one table: its switches, its keys and its power.

    Args:
        config: the table's configuration.
        backend: its devices.
        devices: the health of the devices; updated here.
        journal: the journal's path; the list of stuck switches is stored beside it.
        writing: runs slow file tasks.

    Attributes:
        layout: the station of each spot; it changes when tiles are laid.
        register: the ignored switches, as last set; at first those that were saved.
        power_at: clock seconds at which the next check of the power is due.
    """

    def __init__(
        self,
        config: Config,
        backend: Backend,
        devices: Devices,
        journal: str = MEMORY,
        writing: Callable[[Task], None] = at_once,
    ) -> None:
        self.layout: BoardLayout = config.layout
        self._switches, self._buttons = backend.switches, backend.keys
        self._devices = devices
        inputs, count = config.layout.switch_inputs, self._switches.count
        self._contacts = PlausibilityFilter(count, config.switches.samples, config.switches.scan_hz)
        self._order = InputMapping(inputs, count)
        self._report = SwitchReport(self._switches, self._contacts, self._order)
        board = f"{config.network.name}, {config.switches.driver}, {count} inputs"
        path = None if journal == MEMORY else Path(journal).with_name(STUCK_SWITCHES_FILE)
        self._file = StuckSwitchFile(path, board, writing)
        self.register = self._file.read(count)
        self._contacts.ignored = mask_of(self.register.trials)
        self._reason = ""
        self._keys = Debounce(len(self._buttons.names))
        self._held = self._stuck = 0
        self._supply = backend.power
        self._power_calm_at = -math.inf
        self.power_at = math.inf if self._supply is None else -math.inf

    def current_switches(self) -> SwitchesChanged:
        """Return the event with the state of all switches at the last sample."""
        contacts = self._contacts
        reliable = self._order.stations(self.layout, contacts.stable & ~contacts.unreliable)
        unreliable = self._order.stations(self.layout, contacts.unreliable)
        return SwitchesChanged(reliable, unreliable, contacts.implausible, contacts.unsettled)

    def changed_switches(self, now: float) -> SwitchesChanged | None:
        """Read the switches. Return the event with their state if it has changed, else None."""
        contacts = self._contacts
        if not (contacts.lost or self._devices.usable("switches", now)):
            return None
        try:
            raw = self._switches.read()
        except DeviceLost as error:
            contacts.note_gap()
            self._devices.lost("switches", error, now)
            return None
        changed = contacts.take_sample(raw, now)
        if changed:
            self._reason = self._report.trouble(self.layout, self.register)
        if self._reason or not self._devices.all_ok:
            self._report_health(now)
        return self.current_switches() if changed and not contacts.lost else None

    def _report_health(self, now: float) -> None:
        """Report the switches as ok, degraded or lost, depending on how well they can be read."""
        if self._contacts.lost:
            self._devices.lost("switches", self._reason, now)
        elif self._reason:
            self._devices.degraded("switches", self._reason, now)
        else:
            self._devices.ok("switches", now)

    # ---- switches that are out of order ----

    def ignore_switches(self, register: SwitchRegister, now: float) -> None:
        """Ignore exactly the switches that a register ignores. If they are others than before, save the register."""
        if register is self.register:
            return
        same, self.register = register.levels == self.register.levels, register
        if same:
            return
        self._contacts.ignored = mask_of(register.trials)
        self._contacts.wear.set_ignored(self._contacts.unreliable | self._contacts.ignored, now)
        self._file.write(register)
        self._reason = self._report.trouble(self.layout, self.register)

    def place(self, station: int) -> str:
        """Return where a person finds the switch under a station: "chip 8, pin F"."""
        return self._report.place(self.layout, station)

    def report(self, now: float) -> dict[str, Worked]:
        """Return how each station's switch has worked, as JSON values. See `SwitchReport.worked`."""
        return self._report.worked(self.layout, self.register, now)

    # ---- keys ----

    def keys(self, now: float) -> Sequence[tuple[str, bool]]:
        """Return the keys that changed since the last call: first those released (False), then those pressed (True).

        Releases in one pass count as earlier than presses. A key that was held when the keys were lost counts as
        released. A key that is closed when the keys are back counts only once it was released.
        """
        if not self._devices.usable("keys", now):
            return ()
        try:
            raw = self._buttons.read()
        except DeviceLost as error:
            self._devices.lost("keys", error, now)
            self._stuck, held = mask_of(range(len(self._buttons.names))), 0  # those that are closed at the next sample
        else:
            if not self._devices.all_ok:
                self._devices.ok("keys", now)
            down = self._keys.update(raw)
            self._stuck &= down | raw
            held = down & ~self._stuck
        if held == self._held:
            return ()
        changed, self._held = held ^ self._held, held
        moved = [(name, bool(held >> bit & 1)) for bit, name in enumerate(self._buttons.names) if changed >> bit & 1]
        return sorted(moved, key=itemgetter(1))

    # ---- power ----

    def power(self, now: float) -> None:
        """Check whether the power supply is sufficient. Call it from `power_at` on."""
        if self._supply is None:
            return
        self.power_at = now + POWER_EVERY
        trouble = self._supply.trouble()
        if trouble:
            self._power_calm_at = now + POWER_CALM
            self._devices.degraded("power", trouble, now)
        elif now >= self._power_calm_at:
            self._devices.ok("power", now)
