"""Make Mister X's choices by pressing the simulated handset's keys and reading its screen."""

from __future__ import annotations

from typing import Protocol

from firmware_host.referee.referee import NotNow
from firmware_host.rules.actions import Action
from firmware_host.rules.views import MrXView
from firmware_host.table.table import Table
from firmware_host.ui.handset_menu import keys_for, press, settle
from hardware.sim import SimulatedHardware

TRIES = 20
"""The most keys pressed to get to the handset's menu."""


class WithHandset(Protocol):
    """The simulated table; its power may fail and come back while a key is down."""

    hardware: SimulatedHardware
    table: Table

    @property
    def private(self) -> MrXView:
        """Mister X's view."""


class HandsetKeys:
    """The handset's keys of a simulated table.

    Args:
        simulated: the table.
        ms: milliseconds that a key is down, and between two keys.
    """

    def __init__(self, simulated: WithHandset, ms: float) -> None:
        self._simulated, self._ms = simulated, ms

    def choose(self, action: Action) -> None:
        """Press the keys for a choice, holding PEEK while the screen is covered.

        Raises:
            NotNow: the table waits for something else, or the handset ignored a key.
            MenuError: he has no such choice.
        """
        simulated = self._simulated
        simulated.table.referee.check(action)
        if simulated.table.handset.hold:
            simulated.hardware.hold("handset.peek")
        try:
            self._press_through(action)
        finally:
            if simulated.table.handset.hold:
                simulated.hardware.release("handset.peek")
                simulated.hardware.advance(self._ms)

    def _press_through(self, action: Action) -> None:
        """Wake the screen, dismiss a notice, and press the keys for an action, checking the screen each time."""
        self._simulated.hardware.advance(self._ms)
        self._open_menu()
        view = self._simulated.private
        menu = settle(self._simulated.table.handset.menu, view)
        for key in keys_for(menu, view, action):
            self._press(key)
            menu, made = press(menu, key, view)
            if made is None and self._simulated.table.handset.menu != menu:
                raise NotNow("the handset ignored a key; look at its screen and try again")

    def _open_menu(self) -> None:
        for _ in range(TRIES):
            if self._simulated.table.handset.look(self._simulated.hardware.clock.now()).kind == "menu":
                return
            self._press("back")
        raise NotNow("the handset accepts no key; look at its screen and try again")

    def _press(self, key: str) -> None:
        self._simulated.hardware.press(f"handset.{key}", self._ms)
        self._simulated.hardware.advance(self._ms)
