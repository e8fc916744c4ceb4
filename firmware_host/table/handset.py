"""Run Mister X's handset: turn keys into actions, and light, cover or darken the screen.

The menus are pure reducers (`handset_menu`, `new_game_menu`); this module adds what depends on time and held keys:
peeking, going dark, notices, and opening the new-game menu.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from PIL import Image

from firmware_host.rules.actions import Action
from firmware_host.rules.views import MrXView
from firmware_host.system.language import gettext_noop, say
from firmware_host.ui import handset_pages, new_game_menu
from firmware_host.ui.drawing import handset_screen
from firmware_host.ui.handset_menu import HOME, PHONE, Menu, press, wants_new_game
from firmware_host.ui.handset_page_kinds import Notice, Page
from firmware_host.ui.new_game_menu import GiveUp, NewGameChoice, NewGameMenu, Offer

COMPUTER = (gettext_noop("Mister X"), gettext_noop("A computer plays him"))
"""The message if no person is Mister X."""

JUST_PRESSED = 2.0
"""Seconds after a key in which Mister X is taken to look at the item that he chose with it."""

NO_GAME = (gettext_noop("No game"), gettext_noop("Press CONFIRM on the table"))
NO_GAME_YET = (gettext_noop("No game"), gettext_noop("Press CONFIRM on the table or SELECT here"))
"""The message without a game, if the handset offers games."""


@dataclass(frozen=True, slots=True)
class Look:
    """The look of the screen: "dark", "cover", "notice", "new_game" or "menu", with a notice's title and text.

    `code` is the QR code that makes a phone Mister X's handset.
    """

    kind: str
    menu: Menu
    title: str = ""
    text: str = ""
    new_game: NewGameMenu | None = None
    offers: tuple[Offer, ...] = ()
    computer: bool = False
    code: tuple[str, ...] = field(default=(), repr=False)


class Handset:
    """Mister X's handset: a private screen and its keys.

    Args:
        hold: whether secrets show only while peek is held.
        blank_after: seconds without a key until the screen goes dark.
        offers: the games that can be begun on the handset.

    Attributes:
        code: the QR code that makes a phone Mister X's handset, or empty if none is offered. Read only.
    """

    def __init__(self, *, hold: bool, blank_after: float, offers: tuple[Offer, ...] = ()) -> None:
        self.hold = hold
        self.blank_after = blank_after
        self.offers = offers
        self.menu = Menu()
        self.new_game: NewGameMenu | None = None
        self._peeking = self._away = self._computer = False
        self._touched = float("-inf")
        self._notice: tuple[str, str] | None = None
        self.code: tuple[str, ...] = ()
        self._before: tuple[Menu, NewGameMenu | None] = (self.menu, None)  # at the last choice

    def key(self, key: str, *, down: bool, view: MrXView | None, now: float) -> Action | NewGameChoice | GiveUp | None:
        """Handle a key and return what was chosen with it, or None. On a dark screen, a key only lights the screen.

        Args:
            key: "up", "down", "select", "back" or "peek".
            down: whether it was pressed or released.
            view: what Mister X may know, or None while there is no game or a computer plays Mister X.
            now: the clock, in seconds.
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
        before = (self.menu, self.new_game)
        chosen = self._menu_key(key, view) if self.new_game is None else self._new_game_key(self.new_game, key, view)
        if chosen is not None:
            self._before = before
        return chosen

    def _menu_key(self, key: str, view: MrXView | None) -> Action | None:
        """Handle a key outside the new-game menu. If no game is shown, any key opens that menu."""
        if view is None:
            self.new_game = new_game_menu.open_menu(self.offers, playing=self._computer) if self.offers else None
            return None
        if wants_new_game(self.menu, key, view):
            self.new_game = new_game_menu.open_menu(self.offers, playing=_is_in_play(view))
            return None
        self.menu, action = press(self.menu, key, view)
        return action

    def _new_game_key(self, menu: NewGameMenu, key: str, view: MrXView | None) -> NewGameChoice | GiveUp | None:
        """Handle a key in the new-game menu. If the menu asks about a game that has ended, drop its question."""
        if menu.page in new_game_menu.ASKING and not (self._computer if view is None else _is_in_play(view)):
            self.new_game = new_game_menu.open_menu(self.offers, playing=False)
            return None
        self.new_game, wanted = new_game_menu.press(menu, key, self.offers)
        return wanted

    def sit_down(self, *, computer: bool) -> None:
        """Set whether a computer plays Mister X from now on. If so, the handset says that while it has no view."""
        self._computer = computer

    def close_new_game(self) -> None:
        """Close the new-game menu, and any page of the last game, because a game begins."""
        self.new_game = None
        self.menu = self.menu.to(HOME)
        self._before = (self.menu, None)

    def invite_phone(self, code: tuple[str, ...]) -> None:
        """Offer the QR code that makes a phone Mister X's handset. An empty code ends the offer.

        If another code replaces the one on the screen, the page closes, because a phone has used the old code.
        """
        if code == self.code:
            return
        self.code = code
        page = self.menu.to(HOME) if self.menu.page == PHONE else self.menu
        self.menu = replace(page, phone=bool(code))
        self._before = (replace(self._before[0], phone=bool(code)), self._before[1])

    def wake(self, now: float) -> None:
        """Light the screen as a key would, because Mister X's turn begins or the table starts. Remove an old notice.

        The home page's cursor goes to his first choice. If he pressed a key just now, it stays where it is, because his
        next key is meant for that item.
        """
        if self.menu.page == HOME and now - self._touched >= JUST_PRESSED:
            self.menu = self.menu.to(HOME)
        if not self._away:
            self._touched = now
        self._notice = None

    def screen(self, *, away: bool) -> None:
        """Set whether the screen is lost. Keys do nothing then, because nobody can see their effect.

        A screen that is back stays dark until a key wakes it, so that nobody who repairs its cable can read it.
        """
        self._away = away
        if away:
            self._peeking, self._touched = False, float("-inf")

    def notice(self, title: str, text: str) -> None:
        """Show why the last choice failed. The next key leads back to the choice.

        Both texts are in English; they are translated for their reader.
        """
        self._notice = (title, text)
        self.menu, self.new_game = self._before

    def clear_notice(self) -> None:
        """Remove the notice, if there is one, because it is out of date."""
        self._notice = None

    def asleep(self, now: float) -> bool:
        """Return whether the screen is dark because no key has been pressed for long."""
        return not self._peeking and now - self._touched >= self.blank_after

    def current_look(self, now: float) -> Look:
        """Return what the screen shows now, without the game's content."""
        if self.asleep(now):
            return Look("dark", self.menu)
        if self.hold and not self._peeking:
            return Look("cover", self.menu)
        if self._notice is not None:
            return Look("notice", self.menu, *self._notice)
        kind = "menu" if self.new_game is None else "new_game"
        code = self.code if self.menu.page == PHONE else ()
        return Look(kind, self.menu, new_game=self.new_game, offers=self.offers, computer=self._computer, code=code)


def picture(look: Look, view: MrXView | None) -> Image.Image | None:
    """Draw the screen as a black-and-white picture (mode "1"). Return None for a dark screen."""
    page = _page(look, view)
    return None if page is None else handset_screen.draw(page)


def lines(look: Look, view: MrXView | None) -> list[str]:
    """Return the lines of text on the screen, or an empty list for a dark screen."""
    page = _page(look, view)
    return [] if page is None else handset_pages.lines(page)


def _page(look: Look, view: MrXView | None) -> Page | None:
    """Return the description of the screen's page, or None for a dark screen."""
    match look.kind:
        case "dark":
            return None
        case "cover":
            return _message(handset_screen.COVER.title, handset_screen.COVER.text)
        case "notice":
            return _message(look.title, look.text)
        case "new_game" if look.new_game is not None:
            return handset_pages.new_game_page(look.new_game, look.offers)
    return _message(*_no_game(look)) if view is None else handset_pages.page(look.menu, view, look.code)


def _message(title: str, text: str) -> Notice:
    return Notice(say(title), say(text))


def _no_game(look: Look) -> tuple[str, str]:
    if look.computer:
        return COMPUTER
    return NO_GAME_YET if look.offers else NO_GAME


def _is_in_play(view: MrXView | None) -> bool:
    return view is not None and view.public.outcome is None
