"""Tell the log and Mister X's handset how a table's devices are, and for which of them the game waits."""

from __future__ import annotations

import logging

from firmware_host.referee.device_health import Devices, why_paused
from firmware_host.referee.events import Ailing
from firmware_host.referee.scene import Phase
from firmware_host.referee.state import State
from firmware_host.rules.actions import MR_X
from firmware_host.system.event_log import log_fields
from firmware_host.ui.handset_peek_and_sleep import Handset

log = logging.getLogger("yardboard")


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

    def look(self, state: State, now: float) -> Ailing | None:
        """Return what is news to the referee of ailing devices and of pauses; None for nothing."""
        view = state.board.view if state.phase is Phase.PLAY and MR_X not in state.board.seats else None
        his_turn = view is not None and view.his_turn
        paused = why_paused(self._devices, view if his_turn and not self._phone else None)
        ailing = None
        if self._devices.changed or paused != self._paused:
            self._paused, self._devices.changed = paused, False
            self._log_news()
            self._handset.screen(away=self._devices.away("handset"))
            ailing = Ailing(self._devices.ailing, paused)
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
