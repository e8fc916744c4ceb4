"""The table menu, which a long press of the table's BACK key shows on the public display.

It changes nothing in the game: while it is open, the table's keys move through it and do not count for the game.
Nothing in it depends on Mister X. It knows only public facts, such as the clock, the table's own keys, and whether a
pawn is moved.

BACK counts for the game when it is released, because a press may become a long one.
"""

from __future__ import annotations

from enum import Enum

from firmware_host.referee.scene import BACK, CONFIRM
from firmware_host.ui.drawing.table_menu_screen import (
    ADDRESS,
    ASK_OFF,
    CLOSE,
    FAILED,
    LIST,
    OFF,
    OWNER,
    SIMULATED,
    TableAddress,
    TableMenuScreen,
)

LONG_PRESS = 5.0
"""Seconds that BACK must be held to open the menu."""

POWER_OFF_PRESS = 10.0
"""Seconds that BACK must be held to power off."""

OPEN_SECONDS = 60.0
"""Seconds without a key after which the menu closes."""

OWNER_SECONDS = 300.0
"""Seconds that a code for the owner's page is shown: as long as it is valid."""

GREETING_SECONDS = 15.0
"""Seconds that the table's address is shown when the pages are first served."""

_SETTLES = 0.1  # seconds after the start within which a closed key is a stuck one, which must not power off

_UP = "table.taxi"


class MenuWish(Enum):
    """A request of the menu that only the program which runs the table can carry out."""

    OWNER_CODE = "owner_code"
    POWER_OFF = "power_off"


class TableMenu:
    """The menu of one table.

    Args:
        now: clock seconds.
        simulated: whether the table is simulated: then there is nothing to power off.

    Attributes:
        address: where the table's pages are, if they are served. Read only.
    """

    def __init__(self, now: float, *, simulated: bool) -> None:
        self.address: TableAddress | None = None
        self._simulated = simulated
        self._started = now
        self._page = ""  # closed
        self._cursor = 0
        self._owner_code = ""
        self._has_greeted = False
        self._closes_at = 0.0
        self._pressed_at: float | None = None
        self._counts = self._opens = False  # whether the press of BACK counts for the game, and may open the menu
        self._wish: MenuWish | None = None

    @property
    def screen(self) -> TableMenuScreen | None:
        """What the display shows of the menu, or None while the menu is closed."""
        if not self._page:
            return None
        held = self._pressed_at is not None
        return TableMenuScreen(self._page, self._rows(), self._cursor, held, self.address, self._owner_code)

    def take_wish(self) -> MenuWish | None:
        """Return the menu's request to the program that runs the table, and forget it. None if there is none."""
        wish, self._wish = self._wish, None
        return wish

    # ---- keys and time ----

    def key(self, key: str, *, down: bool, now: float, asleep: bool, lost: bool) -> bool:
        """Handle a key of the table, and return whether it counts for the game.

        Args:
            key: its name, such as "table.back".
            down: whether it was pressed or released.
            now: clock seconds.
            asleep: whether the table sleeps: then the key only wakes it.
            lost: whether the key counts as released only because the keys no longer answer.
        """
        if key == BACK and not down:
            pressed, self._pressed_at = self._pressed_at, None
            return pressed is not None and self._counts and not lost
        if not down:
            return False
        if key == BACK and now - self._started >= _SETTLES:
            self._pressed_at, self._counts, self._opens = now, not asleep and not self._page, True
        if self._page:
            self._press(key, now)
            return False
        return not asleep and key != BACK

    def follow(self, now: float, *, visible: bool) -> TableMenuScreen | None:
        """Open or close the menu, or power off, if the time for that has come. Return what the display shows.

        Call this in every pass.

        Args:
            now: clock seconds.
            visible: whether the table has a public display that can be reached.
        """
        if self._page and self._page != OFF and (now >= self._closes_at or not visible):
            self._page = ""
        if self._pressed_at is not None and self._page != OFF:
            held = now - self._pressed_at
            if held >= LONG_PRESS:
                self._counts = False
                if self._opens and visible:
                    self._opens = False  # once: a pawn that is moved closes the menu although BACK is still held
                    if not self._page:
                        self._open(LIST, now)
            if held >= POWER_OFF_PRESS:
                self._pressed_at = None
                self._power_off(now)
        return self.screen

    def close(self) -> None:
        """Close the menu because a pawn was lifted or put down, so players go on with the game."""
        if self._page != OFF:
            self._page = ""

    # ---- from the program that runs the table ----

    def set_address(self, address: TableAddress | None, now: float) -> None:
        """Set the address of the table's pages. When the pages are first served, the display shows the address."""
        self.address = address
        self._cursor = 0  # the rows may be others
        if address is not None and not self._has_greeted:
            self._has_greeted = True
            if not self._page:
                self._open(ADDRESS, now, GREETING_SECONDS)
        elif self._page in (ADDRESS, OWNER) and address is None:
            self._page = ""

    def show_owner_code(self, code: str) -> None:
        """Show the code that lets a browser into the owner's page."""
        self._owner_code = code

    def say_power_off_failed(self, now: float) -> None:
        """Show that the machine is not shutting down."""
        self._open(FAILED, now)

    # ---- the menu ----

    def _rows(self) -> tuple[str, ...]:
        if self.address is None:
            return ASK_OFF, CLOSE
        return (ADDRESS, *([OWNER] if self.address.has_owner else []), ASK_OFF, CLOSE)

    def _open(self, page: str, now: float, seconds: float = OPEN_SECONDS) -> None:
        self._page, self._closes_at = page, now + seconds
        if page == LIST:
            self._cursor = 0

    def _power_off(self, now: float) -> None:
        """Ask for the machine to be shut down, and say when to pull the plug."""
        if self._simulated:
            self._open(SIMULATED, now)
        elif self._page != OFF:
            self._open(OFF, now)
            self._wish = MenuWish.POWER_OFF

    def _press(self, key: str, now: float) -> None:
        match self._page:
            case "list":
                self._press_in_list(key, now)
            case "ask_off" if key == CONFIRM:
                self._power_off(now)
            case "off":
                pass  # nothing stops it
            case "ask_off" if key != BACK:
                self._open(ASK_OFF, now)
            case _:
                self._page = ""

    def _press_in_list(self, key: str, now: float) -> None:
        rows = self._rows()
        self._closes_at = now + OPEN_SECONDS
        if key != CONFIRM:
            self._cursor = (self._cursor + (-1 if key == _UP else 1)) % len(rows)
            return
        chosen = rows[self._cursor]
        if chosen == CLOSE:
            self._page = ""
        elif chosen == OWNER:
            self._owner_code, self._wish = "", MenuWish.OWNER_CODE
            self._open(OWNER, now, OWNER_SECONDS)
        else:
            self._open(chosen, now)
