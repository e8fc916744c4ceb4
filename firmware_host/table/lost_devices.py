"""Know how the devices are, try lost ones again, and tell for which of them the game waits.

A device is ok, degraded or lost, for a reason and since a moment. A lost one is tried again by and by.

What is told of a device is steadier than the device. One that has been told ill `OFTEN` times in a `WHILE` and falls
ill again *comes and goes*: it is told as degraded, once, until it has been the same for a `WHILE`. What the game has to
know, whether a device is there at this moment, is `away`.
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
    from firmware_host.ui.handset_peek_and_sleep import Handset

log = logging.getLogger("yardboard")

RETRY = 0.5
"""Seconds between two tries to reach a lost device."""

OFTEN = 3
"""How many times a device is told ill, or ill for another reason, within a `WHILE`."""

WHILE = 30.0
"""Seconds after which what a device did is past; so long one that comes and goes has to be the same to be told anew."""

CALM = 5.0
"""Seconds for which a device that comes and goes has to be there before the game goes on with it; and after which one
that has often been told degraded is told to be so for another reason."""


@dataclass(slots=True)
class _Device:
    """One device: what is told of it, and how it is at this moment."""

    told: Health
    state: str = "ok"
    turned: float = 0.0  # when it came to that state
    seen_lost: float = float("-inf")  # when it was lost last
    next_try: float = 0.0
    restless: bool = False  # it comes and goes
    away: bool = False
    told_at: deque[float] = field(default_factory=lambda: deque(maxlen=OFTEN))  # when it was told ill

    def often(self, now: float) -> bool:
        """Whether it has been told ill as often as may be."""
        return len(self.told_at) == OFTEN and now - self.told_at[0] < WHILE

    def heard(self, state: str, reason: str, now: float) -> tuple[str, str] | None:
        """It was found in a state; gives the state and the reason that are to be told from now on, if others."""
        turns = state != self.state
        if turns:
            self.state, self.turned = state, now
        if state == "lost":
            self.seen_lost = now
        if self.restless and now - self.turned < WHILE:
            return None
        self.restless = False
        if (state, reason) == (self.told.state, self.told.reason):
            return None
        if state != "ok" and self.often(now):
            if state == self.told.state:  # only the reason is another
                more = state == "degraded" and now - self.told_at[-1] >= CALM  # such as one more switch
                return (state, reason) if more else None
            self.restless = True
            return "degraded", translatable(gettext_noop("comes and goes: {why}"), why=reason)
        return state, reason


class Devices:
    """The health of all devices, by name. `changed` is set by every change; whoever acts on it clears it.

    Args:
        names: the devices.
        now: clock seconds.
        wall: the wall clock, for people.

    Attributes:
        all_ok: whether all of them do what they should and nothing else is told of any.
    """

    def __init__(self, names: Iterable[str], now: float, wall: Callable[[], float] = time.time) -> None:
        self._wall = wall
        self._devices = {name: _Device(Health(since=now, at=wall()), next_try=now) for name in names}
        self._told: dict[str, str] = {}
        self.changed = False
        self.all_ok = True

    def usable(self, name: str, now: float) -> bool:
        """Whether the device is to be used now: it is not lost, or it is time to try again."""
        device = self._devices[name]
        return device.state != "lost" or now >= device.next_try

    def lost(self, name: str, reason: object, now: float) -> None:
        """The device did not answer."""
        self._devices[name].next_try = now + RETRY
        why = reason if isinstance(reason, TranslatableText) else str(reason).removeprefix(f"{name}: ")
        self._turn(name, "lost", why, now)

    def degraded(self, name: str, reason: str, now: float) -> None:
        """The device answers, but not as it should."""
        self._turn(name, "degraded", reason, now)

    def ok(self, name: str, now: float) -> None:
        """The device does what it should."""
        device = self._devices[name]
        if device.state != "ok" or device.told.state != "ok":
            self._turn(name, "ok", "", now)

    def away(self, name: str) -> bool:
        """Whether the game has to do without the device now: it is lost, or comes and goes and was just lost."""
        return self._devices[name].away

    def _turn(self, name: str, state: str, reason: str, now: float) -> None:
        device = self._devices[name]
        told = device.heard(state, reason, now)
        if told is not None:
            old = device.told
            same = told[0] == old.state
            device.told = Health(*told, old.since if same else now, old.at if same else self._wall())
            if told[0] != "ok":
                device.told_at.append(now)
        away = state == "lost" or (device.restless and now - device.seen_lost < CALM)
        if told is not None or away != device.away:
            device.away, self.changed = away, True
        self.all_ok = all(one.state == one.told.state == "ok" for one in self._devices.values())

    def __getitem__(self, name: str) -> Health:
        return self._devices[name].told

    @property
    def ailing(self) -> dict[str, Health]:
        """The devices that are not ok, each with its health."""
        return {name: device.told for name, device in self._devices.items() if device.told.state != "ok"}

    def news(self) -> list[tuple[str, Health]]:
        """Each device that has fallen ill, changed or got well since this was last asked, and how it is now."""
        told, self._told = self._told, {name: str(health) for name, health in self.ailing.items()}
        return [(name, device.told) for name, device in self._devices.items() if told.get(name) != self._told.get(name)]

    def all(self) -> Mapping[str, Health]:
        """Every device's health, by name."""
        return {name: device.told for name, device in self._devices.items()}

    def report(self) -> Mapping[str, dict[str, str | float]]:
        """Every device as plain JSON values."""
        return {n: {"state": h.state, "reason": h.reason, "since": round(h.since, 3)} for n, h in self.all().items()}


_GONE = {
    "switches": (gettext_noop("the switches are lost"), gettext_noop("the switches come and go")),
    "handset": (gettext_noop("the handset is lost"), gettext_noop("the handset comes and goes")),
    "keys": (gettext_noop("the keys are lost"), gettext_noop("the keys come and go")),
}


def why_paused(devices: Devices, for_mr_x: PublicView | None) -> str:
    """Why the game cannot go on now, in English, to be said later; or "".

    Without switches nothing is felt. In his turn Mister X needs his screen, and keys unless his own pawn can move.

    Args:
        devices: how the devices are.
        for_mr_x: the game, if it waits for a person who is Mister X and has nothing but the handset; else None.
    """
    needed = ["switches"]
    if for_mr_x is not None:
        needed += ["handset"] if for_mr_x.open_moves else ["handset", "keys"]
    for device in needed:
        if devices.away(device):
            lost, comes_and_goes = _GONE[device]
            return lost if devices[device].state == "lost" else comes_and_goes
    return ""


class DeviceNews:
    """Tell how the devices of one table are, and light Mister X's handset when it is his turn.

    Args:
        devices: how they are.
        handset: told whether it is away, and woken when it is Mister X's turn.
        phone: whether Mister X may play on a phone: no game waits for the handset then, and its screen stays dark until
            a key is pressed, for it may lie about unwatched.
    """

    def __init__(self, devices: Devices, handset: Handset, *, phone: bool = False) -> None:
        self._devices, self._handset, self._phone = devices, handset, phone
        self._paused = ""
        self._on_turn = False

    def look(self, state: State, now: float) -> DevicesChanged | None:
        """Return what is news to the referee of ailing devices and of pauses; None for nothing."""
        view = state.board.view if state.phase is Phase.PLAY and MR_X not in state.board.seats else None
        his_turn = view is not None and view.his_turn
        paused = why_paused(self._devices, view if his_turn and not self._phone else None)
        ailing = None
        if self._devices.changed or paused != self._paused:
            self._paused, self._devices.changed = paused, False
            self._log_news()
            self._handset.screen(away=self._devices.away("handset"))
            ailing = DevicesChanged(self._devices.ailing, paused)
        if his_turn and not self._on_turn:
            self.wake_handset(now)
        self._on_turn = his_turn
        return ailing

    def wake_handset(self, now: float) -> None:
        """Light his screen, or have it wait for a key where he may play on a phone."""
        if self._phone:
            self._handset.clear_notice()
        else:
            self._handset.wake(now)

    def _log_news(self) -> None:
        for device, health in self._devices.news():
            level = logging.INFO if health.state == "ok" else logging.WARNING
            log.log(level, "%s: %s", device, health, extra=log_fields("device", device=device, state=health.state))
