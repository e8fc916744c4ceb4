"""Mister X's handset: what its keys mean and when its screen is lit, covered or dark.

Menu and lobby are pure reducers (`menu`, `lobby`); this adds what goes with time and with fingers: peeking, going
dark, notices, and when the lobby opens.
"""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from firmware_host.rules.actions import Action
from firmware_host.rules.views import MrXView
from firmware_host.ui import handset_screen
from firmware_host.ui import new_game_menu as lobbies
from firmware_host.ui.handset_menu import Menu, press, wants_new_game
from firmware_host.ui.new_game_menu import GiveUp, Lobby, NewGame, Offer

NO_GAME = ("No game", "Press CONFIRM on the table")
NO_GAME_YET = ("No game", "Press CONFIRM on the table or SELECT here")
"""The same where games are offered on the handset."""


@dataclass(frozen=True, slots=True)
class Look:
    """What the screen shows: "dark", "cover", "notice", "lobby" or "menu", with a notice's title and text."""

    kind: str
    menu: Menu
    title: str = ""
    text: str = ""
    lobby: Lobby | None = None
    offers: tuple[Offer, ...] = ()


class Handset:
    """The private screen and its keys.

    Args:
        hold: whether secrets show only while peek is held.
        blank_after: seconds without a key after which the screen goes dark.
        offers: the games that can be begun from here.
    """

    def __init__(self, *, hold: bool, blank_after: float, offers: tuple[Offer, ...] = ()) -> None:
        self.hold = hold
        self.blank_after = blank_after
        self.offers = offers
        self.menu = Menu()
        self.lobby: Lobby | None = None
        self._peeking = self._away = False
        self._touched = float("-inf")
        self._notice: tuple[str, str] | None = None
        self._before: tuple[Menu, Lobby | None] = (self.menu, None)

    def key(self, key: str, *, down: bool, view: MrXView | None, now: float) -> Action | NewGame | GiveUp | None:
        """What a key means: something to be tried, or None. The key that wakes a dark screen does no more.

        Args:
            key: "up", "down", "select", "back" or "peek".
            down: whether it went down or up.
            view: what Mister X may know, or None while there is no game.
            now: clock seconds.
        """
        if self._away:
            return None
        asleep = self.asleep(now)
        if down or not asleep:
            self._touched = now
        if key == "peek":
            self._peeking = down
            return None
        if not down or asleep or (self.hold and not self._peeking):
            return None
        if self._notice is not None:
            self._notice = None
            return None
        self._before = (self.menu, self.lobby)
        if self.lobby is not None:
            return self._in_lobby(self.lobby, key, view)
        return self._at_home(key, view)

    def _at_home(self, key: str, view: MrXView | None) -> Action | None:
        """A key while the lobby is closed: without a game any key opens it, if there is anything to choose."""
        if view is None:
            self.lobby = lobbies.opened(self.offers, playing=False) if self.offers else None
            return None
        if wants_new_game(self.menu, key, view):
            self.lobby = lobbies.opened(self.offers, playing=_in_play(view))
            return None
        self.menu, action = press(self.menu, key, view)
        return action

    def _in_lobby(self, lobby: Lobby, key: str, view: MrXView | None) -> NewGame | GiveUp | None:
        """A key in the lobby. What it asks is no question any more if the game has ended: then the key does no more."""
        if lobby.page in lobbies.ASKING and not _in_play(view):
            self.lobby = lobbies.opened(self.offers, playing=False)
            return None
        self.lobby, wanted = lobbies.press(lobby, key, self.offers)
        return wanted

    def close_lobby(self) -> None:
        """A game begins: the lobby is over, and so is whatever page of the last game was open."""
        self.lobby = None
        self.menu = Menu()
        self._before = (self.menu, None)

    def wake(self, now: float) -> None:
        """Light the screen, as if a key had been touched: his turn begins, and what he was told before is over."""
        if not self._away:
            self._touched = now
        self._notice = None

    def screen(self, *, away: bool) -> None:
        """The screen is lost, or is not: while it is, nobody sees what keys do, and they do nothing.

        When it is back it is dark until a key wakes it: whoever mends its cable is not to read it.
        """
        self._away = away
        if away:
            self._peeking, self._touched = False, float("-inf")

    def notice(self, title: str, text: str) -> None:
        """The last choice could not be carried out: show why until the next key, and then the choice again."""
        self._notice = (title, text)
        self.menu, self.lobby = self._before

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
        kind = "menu" if self.lobby is None else "lobby"
        return Look(kind, self.menu, lobby=self.lobby, offers=self.offers)


def picture(look: Look, view: MrXView | None) -> Image.Image | None:
    """The screen as a picture of mode "1", or None for a dark one."""
    match look.kind:
        case "dark":
            return None
        case "cover":
            return handset_screen.cover()
        case "notice":
            return handset_screen.message(look.title, look.text)
        case "lobby" if look.lobby is not None:
            return handset_screen.draw_lobby(look.lobby, look.offers)
    return handset_screen.message(*_no_game(look)) if view is None else handset_screen.draw(look.menu, view)


def lines(look: Look, view: MrXView | None) -> list[str]:
    """The same as text, a line each."""
    match look.kind:
        case "dark":
            return []
        case "cover":
            return handset_screen.cover_lines()
        case "notice":
            return handset_screen.message_lines(look.title, look.text)
        case "lobby" if look.lobby is not None:
            return handset_screen.lobby_lines(look.lobby, look.offers)
    return handset_screen.message_lines(*_no_game(look)) if view is None else handset_screen.lines(look.menu, view)


def _no_game(look: Look) -> tuple[str, str]:
    return NO_GAME_YET if look.offers else NO_GAME


def _in_play(view: MrXView | None) -> bool:
    return view is not None and view.public.outcome is None
