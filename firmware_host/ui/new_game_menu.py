"""The handset's menu for a new game: rules, players and options. Pure functions.

As in `handset_menu` there are four keys. Up and down move the cursor, and wrap around at both ends of the list. Select
chooses the item under the cursor. Back returns to the previous page, and from the first page it closes the menu. On the
page of tiles, it first removes the tiles one by one. Nothing here is secret. During a game the menu first asks twice
whether to give it up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from firmware_host.rules.setup import Option
from firmware_host.ui.handset_menu import BACK, DOWN, KEYS, SELECT, UP, MenuError

NEW_GAME_PAGES = ("give_up", "sure", "rules", "players", "options", "tiles")
GIVE_UP, SURE, RULES, PLAYERS, OPTIONS, TILES = NEW_GAME_PAGES
"""The pages, in order."""

ASKING = (GIVE_UP, SURE)
"""The pages that ask whether to give up the game in play."""

LAYOUT, START = ("layout", "start")
"""The option for the layout of tiles, which has pages of its own, and the last row of the options."""

ACROSS = 3
"""Tiles per row (DI-02)."""

_NO, _YES = range(2)  # the rows of the `ASKING` pages


@dataclass(frozen=True, slots=True)
class Offer:
    """A game that can be played at this table, with its choices.

    Attributes:
        rules: the name of its rules in the configuration.
        title: the name of the box, as shown to people.
        players: the possible numbers of players, Mister X included; the cursor starts on the first.
        options: option -> its possible values, the default first.
        tiles: the letters of the tiles, if players may lay them as they like; `options` then has a "layout".
        seats: a seat, or "detectives" for all detectives together -> its possible players, the usual one first.
    """

    rules: str
    title: str
    players: tuple[int, ...]
    options: Mapping[str, tuple[Option, ...]] = field(default_factory=dict)
    tiles: str = ""
    seats: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def choices(self) -> Mapping[str, tuple[Option, ...]]:
        """The choices on the page of options, seats first: name -> possible values."""
        return {**self.seats, **self.options}


@dataclass(frozen=True, slots=True)
class NewGameChoice:
    """The result of the menu: a new game with these settings.

    Attributes:
        rules: the rule system.
        players: the number of players.
        options: the options that differ from the default.
        seats: who plays in each seat; None for the configured players.
    """

    rules: str
    players: int
    options: Mapping[str, Option] = field(default_factory=dict)
    seats: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The result of the menu: give up the game in play. Nobody wins."""


@dataclass(frozen=True, slots=True)
class NewGameMenu:
    """The state of the menu, with the choices so far.

    Attributes:
        page: one of `NEW_GAME_PAGES`.
        cursor: the row under the cursor.
        offer: the index of the chosen offer.
        players: the chosen number of players, or 0.
        values: for each of the offer's `choices` the index of its value.
        tiles: the letters of the tiles laid so far, row by row; small letters lie with their light side up.
    """

    page: str
    cursor: int = 0
    offer: int = 0
    players: int = 0
    values: tuple[int, ...] = ()
    tiles: str = ""


def open_menu(offers: Sequence[Offer], *, playing: bool) -> NewGameMenu:
    """Return the newly opened menu. While a game is `playing`, the menu first asks whether to give it up."""
    if playing:
        return NewGameMenu(GIVE_UP)
    return _choose_offer(NewGameMenu(PLAYERS), offers, 0) if len(offers) == 1 else NewGameMenu(RULES)


def option_rows(menu: NewGameMenu, offers: Sequence[Offer]) -> tuple[str, ...]:
    """Return the rows of the page of options: those with several values, then `START`."""
    offer = offers[menu.offer]
    return (*(name for name in offer.choices if _leaves_choice(menu, offer, name)), START)


def chosen_value(menu: NewGameMenu, offers: Sequence[Offer], name: str) -> Option:
    """Return the chosen value of an option or a seat."""
    offer = offers[menu.offer]
    if name == LAYOUT and menu.tiles:
        return layout(menu)
    return offer.choices[name][menu.values[list(offer.choices).index(name)]]


def layout(menu: NewGameMenu) -> str:
    """Return the tiles laid so far as rows of letters: "ABC dEF G"."""
    return " ".join(menu.tiles[first : first + ACROSS] for first in range(0, len(menu.tiles), ACROSS))


def tile_count(menu: NewGameMenu) -> int:
    """Return how many tiles have to be laid: nine, or six for one or two detective players (DI-02)."""
    return ACROSS * (3 if menu.players > 3 else 2)


def tiles_left(menu: NewGameMenu, offers: Sequence[Offer]) -> str:
    """Return the letters of the remaining tiles, first those of their dark sides, then of their light sides."""
    offer = offers[menu.offer]
    laid = menu.tiles.upper()
    left = "".join(letter for letter in offer.tiles if letter not in laid)
    return left + left.lower()


def cursor_positions(menu: NewGameMenu, offers: Sequence[Offer]) -> int:
    """Return how many positions the cursor has on the current page."""
    if menu.page in ASKING:
        return 2
    if menu.page == RULES:
        return max(1, len(offers))
    rows = {
        PLAYERS: len(offers[menu.offer].players),
        OPTIONS: len(option_rows(menu, offers)),
        TILES: len(tiles_left(menu, offers)),
    }
    return rows[menu.page]


def press(
    menu: NewGameMenu, key: str, offers: Sequence[Offer]
) -> tuple[NewGameMenu | None, NewGameChoice | GiveUp | None]:
    """Return the menu after a key press, and the result of the menu.

    The menu is None once it has closed, and the result is None until the players have chosen one.

    Raises:
        MenuError: the handset has no such key.
    """
    if key in (UP, DOWN):
        step = 1 if key == DOWN else -1
        return replace(menu, cursor=(menu.cursor + step) % cursor_positions(menu, offers)), None
    if key == BACK:
        return _back(menu, offers), None
    if key == SELECT:
        return _select(menu, offers)
    raise MenuError(f"the handset has no key {key!r}; it has {', '.join(KEYS)}")


def _back(menu: NewGameMenu, offers: Sequence[Offer]) -> NewGameMenu | None:
    """Return the menu after the key BACK: the previous page, or None if the first page was open."""
    if menu.page == SURE:
        return NewGameMenu(GIVE_UP)
    if menu.page == PLAYERS and len(offers) > 1:
        return NewGameMenu(RULES, menu.offer)
    if menu.page == OPTIONS:
        return replace(menu, page=PLAYERS, cursor=offers[menu.offer].players.index(menu.players))
    if menu.page == TILES and menu.tiles:
        return replace(menu, cursor=0, tiles=menu.tiles[:-1])
    if menu.page == TILES:
        return replace(menu, page=OPTIONS, cursor=option_rows(menu, offers).index(LAYOUT))
    return None


def _select(menu: NewGameMenu, offers: Sequence[Offer]) -> tuple[NewGameMenu | None, NewGameChoice | GiveUp | None]:
    if menu.page == OPTIONS and option_rows(menu, offers)[menu.cursor] == START:
        return menu, _new_game(menu, offers)
    if menu.page in ASKING:
        return _answer(menu, offers)
    if menu.page == RULES:
        return (_choose_offer(NewGameMenu(PLAYERS), offers, menu.cursor) if offers else menu), None
    if menu.page == PLAYERS:
        return _choose_players(menu, offers, offers[menu.offer].players[menu.cursor]), None
    if menu.page == OPTIONS:
        return _next_value(menu, offers, option_rows(menu, offers)[menu.cursor]), None
    return _lay_tile(menu, offers, tiles_left(menu, offers)[menu.cursor]), None


def _answer(menu: NewGameMenu, offers: Sequence[Offer]) -> tuple[NewGameMenu | None, GiveUp | None]:
    """Process an answer to the question whether to give up. Giving up takes two answers "yes".

    The cursor always starts on "no".
    """
    if menu.cursor == _NO:
        return None, None
    if menu.page == GIVE_UP:
        return NewGameMenu(SURE), None
    return open_menu(offers, playing=False), GiveUp()


def _choose_offer(menu: NewGameMenu, offers: Sequence[Offer], offer: int) -> NewGameMenu:
    """Return the menu after the players chose a game. All options have their defaults."""
    return replace(menu, offer=offer, values=(0,) * len(offers[offer].choices))


def _choose_players(menu: NewGameMenu, offers: Sequence[Offer], players: int) -> NewGameMenu:
    """Return the menu after the players chose their number. The number of tiles depends on it."""
    now = replace(menu, page=OPTIONS, players=players)
    if tile_count(now) != tile_count(menu):
        now = replace(now, tiles="")
    return replace(now, cursor=cursor_positions(now, offers) - 1)  # select starts at once


def _next_value(menu: NewGameMenu, offers: Sequence[Offer], name: str) -> NewGameMenu:
    """Return the menu after the option under the cursor was changed to its next value.

    The layout of tiles changes between tiles drawn at random and tiles that players choose one by one.
    """
    if name == LAYOUT:
        return replace(menu, tiles="") if menu.tiles else replace(menu, page=TILES, cursor=0)
    options = offers[menu.offer].choices
    place = list(options).index(name)
    value = (menu.values[place] + 1) % len(options[name])
    return replace(menu, values=(*menu.values[:place], value, *menu.values[place + 1 :]))


def _lay_tile(menu: NewGameMenu, offers: Sequence[Offer], letter: str) -> NewGameMenu:
    menu = replace(menu, cursor=0, tiles=menu.tiles + letter)
    if len(menu.tiles) < tile_count(menu):
        return menu
    return replace(menu, page=OPTIONS, cursor=option_rows(menu, offers).index(START))


def _leaves_choice(menu: NewGameMenu, offer: Offer, name: str) -> bool:
    if name == LAYOUT:
        return len(offer.tiles) >= tile_count(menu)
    return len(offer.choices[name]) > 1


def _new_game(menu: NewGameMenu, offers: Sequence[Offer]) -> NewGameChoice:
    offer = offers[menu.offer]
    values = {name: chosen_value(menu, offers, name) for name in offer.options}
    seats = {name: str(chosen_value(menu, offers, name)) for name in offer.seats}
    usual = all(player == offer.seats[seat][0] for seat, player in seats.items())
    options = {n: v for n, v in values.items() if v != offer.options[n][0]}
    return NewGameChoice(offer.rules, menu.players, options, None if usual else seats)
