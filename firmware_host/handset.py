"""Mister X's handset: what its keys mean and when its screen is lit, covered or dark.

The menu is a pure reducer (`menu`); this adds what goes with time and with fingers: peeking, going dark, notices.
"""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from firmware_host import screens
from firmware_host.menu import Menu, press
from firmware_host.rules.actions import Action
from firmware_host.rules.views import MrXView

NO_GAME = ("No game", "Press CONFIRM on the table")


@dataclass(frozen=True, slots=True)
class Look:
    """What the screen shows: "dark", "cover", "notice" or "menu", with a notice's title and text."""

    kind: str
    menu: Menu
    title: str = ""
    text: str = ""


class Handset:
    """The private screen and its keys.

    Args:
        hold: whether secrets show only while peek is held.
        blank_after: seconds without a key after which the screen goes dark.
    """

    def __init__(self, *, hold: bool, blank_after: float) -> None:
        self.hold = hold
        self.blank_after = blank_after
        self.menu = Menu()
        self._peeking = False
        self._touched = float("-inf")
        self._notice: tuple[str, str] | None = None
        self._before = self.menu

    def key(self, key: str, *, down: bool, view: MrXView | None, now: float) -> Action | None:
        """What a key means: an action to be tried, or None. The key that wakes a dark screen does no more.

        Args:
            key: "up", "down", "select", "back" or "peek".
            down: whether it went down or up.
            view: what Mister X may know, or None while there is no game.
            now: clock seconds.
        """
        asleep = self.asleep(now)
        self._touched = now
        if key == "peek":
            self._peeking = down
            return None
        if not down or asleep or view is None or (self.hold and not self._peeking):
            return None
        if self._notice is not None:
            self._notice = None
            return None
        self._before = self.menu
        self.menu, action = press(self.menu, key, view)
        return action

    def wake(self, now: float) -> None:
        """Light the screen, as if a key had been touched: his turn begins, and what he was told before is over."""
        self._touched = now
        self._notice = None

    def notice(self, title: str, text: str) -> None:
        """The last choice could not be carried out: show why until the next key, and then the choice again."""
        self._notice, self.menu = (title, text), self._before

    def asleep(self, now: float) -> bool:
        """Whether the screen is dark for want of keys."""
        return not self._peeking and now - self._touched >= self.blank_after

    def look(self, now: float) -> Look:
        """What the screen shows at this moment, apart from the game itself."""
        if self.asleep(now):
            return Look("dark", self.menu)
        if self.hold and not self._peeking:
            return Look("cover", self.menu)
        if self._notice is not None:
            return Look("notice", self.menu, *self._notice)
        return Look("menu", self.menu)


def picture(look: Look, view: MrXView | None) -> Image.Image | None:
    """The screen as a picture of mode "1", or None for a dark one."""
    match look.kind:
        case "dark":
            return None
        case "cover":
            return screens.cover()
        case "notice":
            return screens.message(look.title, look.text)
    return screens.message(*NO_GAME) if view is None else screens.draw(look.menu, view)


def lines(look: Look, view: MrXView | None) -> list[str]:
    """The same as text, a line each."""
    match look.kind:
        case "dark":
            return []
        case "cover":
            return screens.cover_lines()
        case "notice":
            return screens.message_lines(look.title, look.text)
    return screens.message_lines(*NO_GAME) if view is None else screens.lines(look.menu, view)
