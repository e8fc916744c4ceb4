"""Track the health of all devices: retry lost ones, pause the game for those it needs, and light the handset.

A device is ok, degraded or lost, with a reason and a time. A lost one is tried again at intervals.

The reported health is steadier than the device. After `OFTEN` reported failures within `WHILE` seconds, a device that
fails again *comes and goes*: it is reported once as degraded, until it has not changed for `WHILE` seconds. The game
uses `away`: whether it must do without the device at this moment.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from firmware_host.referee.events import DevicesChanged
from firmware_host.referee.scene import Health, Phase
from firmware_host.rules.actions import MR_X
from firmware_host.system.event_log import log_fields
from firmware_host.system.language import TranslatableText, gettext_noop, translatable

if TYPE_CHECKING:
    from firmware_host.referee.state import State
    from firmware_host.rules.views import PublicView
    from firmware_host.table.handset import Handset

log = logging.getLogger("yardboard")

RETRY = 0.5
"""Seconds between two tries to reach a lost device."""

OFTEN = 3
"""How many failures, or new reasons, of one device are reported within `WHILE` seconds."""

WHILE = 30.0
"""Seconds for which a failure counts. A device *comes and goes* until it has not changed for as many seconds."""

CALM = 5.0
"""Seconds that a device which comes and goes must be available before the game resumes.

New reasons for a device that has often been reported as degraded are reported at this interval, too.
"""


@dataclass(slots=True)
class _Device:
    """The health of one device: the reported state, which is steady, and the state at this moment."""

    reported: Health
    state: str = "ok"
    turned: float = 0.0  # when it came to that state
    seen_lost: float = float("-inf")  # when it was last lost
    next_try: float = 0.0
    restless: bool = False  # it comes and goes
    away: bool = False
    reported_at: deque[float] = field(default_factory=lambda: deque(maxlen=OFTEN))  # when its failures were reported

    def fails_often(self, now: float) -> bool:
        """Return whether the device has had `OFTEN` failures reported within `WHILE` seconds."""
        return len(self.reported_at) == OFTEN and now - self.reported_at[0] < WHILE

    def update(self, state: str, reason: str, now: float) -> tuple[str, str] | None:
        """Set the device's current state. Return the state and reason to report if they are new, else None."""
        turns = state != self.state
        if turns:
            self.state, self.turned = state, now
        if state == "lost":
            self.seen_lost = now
        if self.restless and now - self.turned < WHILE:
            return None
        self.restless = False
        if (state, reason) == (self.reported.state, self.reported.reason):
            return None
        if state != "ok" and self.fails_often(now):
            if state == self.reported.state:  # only the reason differs
                more = state == "degraded" and now - self.reported_at[-1] >= CALM  # such as one more switch
                return (state, reason) if more else None
            self.restless = True
            return "degraded", translatable(gettext_noop("comes and goes: {why}"), why=reason)
        return state, reason


class Devices:
    """The health of all devices, by name. Every change sets `changed`, which the reader of the news clears.

    Args:
        names: the names of the devices.
        now: clock seconds.
        wall_clock: the wall clock, for times that people read.

    Attributes:
        all_ok: whether every device works and is reported as ok.
    """

    def __init__(self, names: Iterable[str], now: float, wall_clock: Callable[[], float] = time.time) -> None:
        self._wall_clock = wall_clock
        self._devices = {name: _Device(Health(since=now, at=wall_clock()), next_try=now) for name in names}
        self._logged: dict[str, str] = {}
        self.changed = False
        self.all_ok = True

    def usable(self, name: str, now: float) -> bool:
        """Return whether to use the device now: it works, or it is lost and a retry is due."""
        device = self._devices[name]
        return device.state != "lost" or now >= device.next_try

    def lost(self, name: str, reason: object, now: float) -> None:
        """Record that the device did not answer, for this reason."""
        self._devices[name].next_try = now + RETRY
        why = reason if isinstance(reason, TranslatableText) else str(reason).removeprefix(f"{name}: ")
        self._turn(name, "lost", why, now)

    def degraded(self, name: str, reason: str, now: float) -> None:
        """Record that the device answers but does not work properly, for this reason."""
        self._turn(name, "degraded", reason, now)

    def ok(self, name: str, now: float) -> None:
        """Record that the device works."""
        device = self._devices[name]
        if device.state != "ok" or device.reported.state != "ok":
            self._turn(name, "ok", "", now)

    def away(self, name: str) -> bool:
        """Return whether the game must do without the device now: it is lost, or was just lost and comes and goes."""
        return self._devices[name].away

    def _turn(self, name: str, state: str, reason: str, now: float) -> None:
        device = self._devices[name]
        new = device.update(state, reason, now)
        if new is not None:
            old = device.reported
            same = new[0] == old.state
            device.reported = Health(*new, old.since if same else now, old.at if same else self._wall_clock())
            if new[0] != "ok":
                device.reported_at.append(now)
        away = state == "lost" or (device.restless and now - device.seen_lost < CALM)
        if new is not None or away != device.away:
            device.away, self.changed = away, True
        self.all_ok = all(one.state == one.reported.state == "ok" for one in self._devices.values())

    def __getitem__(self, name: str) -> Health:
        return self._devices[name].reported

    @property
    def ailing(self) -> dict[str, Health]:
        """The health of each device that is not ok, by name."""
        return {name: device.reported for name, device in self._devices.items() if device.reported.state != "ok"}

    def news(self) -> list[tuple[str, Health]]:
        """Return the devices whose reported health has changed since the last call, with that health."""
        old, self._logged = self._logged, {name: str(health) for name, health in self.ailing.items()}
        return [
            (name, device.reported) for name, device in self._devices.items() if old.get(name) != self._logged.get(name)
        ]

    def all(self) -> Mapping[str, Health]:
        """Return every device's health, by name."""
        return {name: device.reported for name, device in self._devices.items()}

    def report(self) -> Mapping[str, dict[str, str | float]]:
        """Return every device's health as values for JSON."""
        return {n: {"state": h.state, "reason": h.reason, "since": round(h.since, 3)} for n, h in self.all().items()}


_GONE = {
    "switches": (gettext_noop("the switches are lost"), gettext_noop("the switches come and go")),
    "handset": (gettext_noop("the handset is lost"), gettext_noop("the handset comes and goes")),
    "keys": (gettext_noop("the keys are lost"), gettext_noop("the keys come and go")),
}


def why_paused(devices: Devices, for_mr_x: PublicView | None) -> str:
    """Return in English why the game cannot go on now, for later translation, or "" if it can.

    No pawn can be sensed without switches. Mister X's turn needs his screen, and his keys unless his pawn can move.

    Args:
        devices: the health of the devices.
        for_mr_x: the game's public view if it waits for a person who plays Mister X on the handset alone; else None.
    """
    needed = ["switches"]
    if for_mr_x is not None:
        needed += ["handset"] if for_mr_x.open_moves else ["handset", "keys"]
    for device in needed:
        if devices.away(device):
            lost, comes_and_goes = _GONE[device]
            return lost if devices[device].state == "lost" else comes_and_goes
    return ""


def mr_x_on_turn(state: State) -> PublicView | None:
    """Return the game's public view if it is the turn of a person who plays Mister X, else None."""
    view = state.board.view if state.phase is Phase.PLAY and MR_X not in state.board.seats else None
    return view if view is not None and view.mr_x_to_move else None


class DeviceNews:
    """A reporter of device failures and the game's pauses to the log, the handset and the referee.

    Args:
        devices: the health of the devices.
        handset: is informed when its screen is lost or back.
        phone: whether Mister X may play on a phone. Then no game waits for the handset.
    """

    def __init__(self, devices: Devices, handset: Handset, *, phone: bool = False) -> None:
        self._devices, self._handset, self._phone = devices, handset, phone
        self._paused = ""

    def find_news(self, state: State) -> DevicesChanged | None:
        """Return the event for the referee if a device's health or a pause has changed, else None."""
        paused = why_paused(self._devices, None if self._phone else mr_x_on_turn(state))
        if not self._devices.changed and paused == self._paused:
            return None
        self._paused, self._devices.changed = paused, False
        for device, health in self._devices.news():
            level = logging.INFO if health.state == "ok" else logging.WARNING
            log.log(level, "%s: %s", device, health, extra=log_fields("device", device=device, state=health.state))
        self._handset.screen(away=self._devices.away("handset"))
        return DevicesChanged(self._devices.ailing, paused)


class HandsetLight:
    """An observer of the game that lights the handset's screen when Mister X's turn begins.

    Args:
        handset: the handset.
        phone: whether Mister X may play on a phone. Then the screen stays dark until a key is pressed, because
            perhaps nobody is looking at it.
    """

    def __init__(self, handset: Handset, *, phone: bool = False) -> None:
        self._handset, self._phone = handset, phone
        self._on_turn = False

    def follow(self, state: State, now: float) -> None:
        """Light the screen if Mister X's turn has begun since the last call."""
        on_turn = mr_x_on_turn(state) is not None
        if on_turn and not self._on_turn:
            self.wake(now)
        self._on_turn = on_turn

    def wake(self, now: float) -> None:
        """Light the screen. If Mister X may play on a phone, only remove the screen's notice."""
        if self._phone:
            self._handset.clear_notice()
        else:
            self._handset.wake(now)
