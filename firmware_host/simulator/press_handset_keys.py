"""Make one of Mister X's choices as he does: by pressing the simulated handset's keys and looking at its screen."""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.referee.referee import NotNow
from firmware_host.rules.actions import Action
from firmware_host.rules.views import MrXView
from firmware_host.table.table import Table
from firmware_host.ui.handset_menu import keys_for, press, settle
from hardware.sim import SimulatedHardware

TRIES = 20
"""Keys that are pressed, at most, to see the handset's menu."""


class HandsetKeys:
    """Presses the keys of one table's handset.

    Args:
        table: whose handset it is.
        hardware: the devices it plays on.
        private: gives what Mister X sees at the moment.
        ms: milliseconds that a key is down, and between two keys.
    """

    def __init__(self, table: Table, hardware: SimulatedHardware, private: Callable[[], MrXView], ms: float) -> None:
        self._table, self._hardware, self._private, self._ms = table, hardware, private, ms

    def choose(self, action: Action) -> None:
        """Press what leads to a choice, peek held where the screen is covered.

        Raises:
            NotNow: the table waits for something else, or the handset did not take a key.
            MenuError: it is none of his choices.
        """
        self._table.referee.check(action)
        if self._table.handset.hold:
            self._hardware.hold("handset.peek")
        try:
            self._press_through(action)
        finally:
            if self._table.handset.hold:
                self._hardware.release("handset.peek")
                self._hardware.advance(self._ms)

    def _press_through(self, action: Action) -> None:
        """Wake the screen, put a notice away, and press the keys that lead to an action, looking at each step."""
        self._hardware.advance(self._ms)
        self._open_menu()
        view = self._private()
        menu = settle(self._table.handset.menu, view)
        for key in keys_for(menu, view, action):
            self._press(key)
            menu, made = press(menu, key, view)
            if made is None and self._table.handset.menu != menu:
                raise NotNow("the handset did not take a key; look at its screen and try again")

    def _open_menu(self) -> None:
        for _ in range(TRIES):
            if self._table.handset.look(self._hardware.clock.now()).kind == "menu":
                return
            self._press("back")
        raise NotNow("the handset takes no key; look at its screen and try again")

    def _press(self, key: str) -> None:
        self._hardware.press(f"handset.{key}", self._ms)
        self._hardware.advance(self._ms)
