"""Choose a new game on the handset: rules, number of players, options. A pure reducer, like `handset_menu`.

The same four keys: up and down move the cursor round in a ring, select takes the item under it, back goes a step back
and from the first page out of the menu. Nothing here is secret. During a game the menu first asks twice whether to give
it up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from firmware_host.rules.setup import Option
from firmware_host.ui.handset_menu import BACK, DOWN, KEYS, SELECT, UP, MenuError

LOBBY_PAGES = ("give_up", "sure", "rules", "players", "options", "tiles")
GIVE_UP, SURE, RULES, PLAYERS, OPTIONS, TILES = LOBBY_PAGES
"""The pages, in order."""

ASKING = (GIVE_UP, SURE)
"""The pages that ask whether to give up the game in play."""

LAYOUT, START = ("layout", "start")
"""The option for how tiles lie, which has pages of its own; and the last row of the options."""

ACROSS = 3
"""How many tiles lie in a row (DI-02)."""

_NO, _YES = range(2)  # the rows of the `ASKING` pages


@dataclass(frozen=True, slots=True)
class TileOffer:
    """The tiles to choose from; `letters` are their names, such as "ABCDEFGHI"."""

    letters: str


@dataclass(frozen=True, slots=True)
class Offer:
    """Rules that can be played at this table.

    Attributes:
        rules: their name in the configuration.
        title: the box, for people.
        players: the possible numbers of players, Mister X included; the cursor starts on the first.
        options: option -> its possible values, the default first.
        tiles: the tiles, if players may lay them as they like; `options` then has a "layout".
    """

    rules: str
    title: str
    players: tuple[int, ...]
    options: Mapping[str, tuple[Option, ...]] = field(default_factory=dict)
    tiles: TileOffer | None = None


@dataclass(frozen=True, slots=True)
class NewGame:
    """Asks for a new game; `options` are those that differ from the default."""

    rules: str
    players: int
    options: Mapping[str, Option] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GiveUp:
    """Asks to give up the game in play; nobody wins."""


@dataclass(frozen=True, slots=True)
class NewGameMenu:
    """The menu's state, and what has been chosen so far.

    Attributes:
        page: one of `LOBBY_PAGES`.
        cursor: the row under the cursor.
        offer: the index of the chosen offer.
        players: the chosen number of players, or 0.
        values: for each of the offer's options the index of its value.
        tiles: the letters of the tiles laid so far, row by row; small letters lie with their light side up.
    """

    page: str
    cursor: int = 0
    offer: int = 0
    players: int = 0
    values: tuple[int, ...] = ()
    tiles: str = ""


def open_menu(offers: Sequence[Offer], *, playing: bool) -> NewGameMenu:
    """Return the menu's first state; `playing` means that there is a game to give up first."""
    if playing:
        return NewGameMenu(GIVE_UP)
    return _choose_offer(NewGameMenu(PLAYERS), offers, 0) if len(offers) == 1 else NewGameMenu(RULES)


def option_rows(lobby: NewGameMenu, offers: Sequence[Offer]) -> tuple[str, ...]:
    """Return the rows of the options page: the options that leave a choice, then `START`."""
    offer = offers[lobby.offer]
    return (*(name for name in offer.options if _leaves_choice(lobby, offer, name)), START)


def chosen_value(lobby: NewGameMenu, offers: Sequence[Offer], name: str) -> Option:
    """Return the chosen value of an option."""
    offer = offers[lobby.offer]
    if name == LAYOUT and lobby.tiles:
        return layout(lobby)
    return offer.options[name][lobby.values[list(offer.options).index(name)]]


def layout(lobby: NewGameMenu) -> str:
    """Return the tiles laid so far, in rows: "ABC dEF G"."""
    return " ".join(lobby.tiles[first : first + ACROSS] for first in range(0, len(lobby.tiles), ACROSS))


def tile_count(lobby: NewGameMenu) -> int:
    """Return how many tiles are to be laid: nine, or six with one or two detective players (DI-02)."""
    return ACROSS * (3 if lobby.players > 3 else 2)


def tiles_left(lobby: NewGameMenu, offers: Sequence[Offer]) -> str:
    """Return the letters to choose from: the tiles left, dark sides up, then light sides up."""
    offer = offers[lobby.offer]
    laid = lobby.tiles.upper()
    left = "".join(letter for letter in (offer.tiles.letters if offer.tiles else "") if letter not in laid)
    return left + left.lower()


def cursor_positions(lobby: NewGameMenu, offers: Sequence[Offer]) -> int:
    """Return the number of cursor positions on the page."""
    if lobby.page in ASKING:
        return 2
    if lobby.page == RULES:
        return max(1, len(offers))
    rows = {
        PLAYERS: len(offers[lobby.offer].players),
        OPTIONS: len(option_rows(lobby, offers)),
        TILES: len(tiles_left(lobby, offers)),
    }
    return rows[lobby.page]


def press(lobby: NewGameMenu, key: str, offers: Sequence[Offer]) -> tuple[NewGameMenu | None, NewGame | GiveUp | None]:
    """Return the menu after a key, or None if it was left; and what the key asks for, if anything.

    Raises:
        MenuError: the handset has no such key.
    """
    if key in (UP, DOWN):
        step = 1 if key == DOWN else -1
        return replace(lobby, cursor=(lobby.cursor + step) % cursor_positions(lobby, offers)), None
    if key == BACK:
        return _back(lobby, offers), None
    if key == SELECT:
        return _select(lobby, offers)
    raise MenuError(f"the handset has no key {key!r}; it has {', '.join(KEYS)}")


def _back(lobby: NewGameMenu, offers: Sequence[Offer]) -> NewGameMenu | None:
    """Go a step back; from the first page, leave the menu."""
    if lobby.page == SURE:
        return NewGameMenu(GIVE_UP)
    if lobby.page == PLAYERS and len(offers) > 1:
        return NewGameMenu(RULES, lobby.offer)
    if lobby.page == OPTIONS:
        return replace(lobby, page=PLAYERS, cursor=offers[lobby.offer].players.index(lobby.players))
    if lobby.page == TILES and lobby.tiles:
        return replace(lobby, cursor=0, tiles=lobby.tiles[:-1])
    if lobby.page == TILES:
        return replace(lobby, page=OPTIONS, cursor=option_rows(lobby, offers).index(LAYOUT))
    return None


def _select(lobby: NewGameMenu, offers: Sequence[Offer]) -> tuple[NewGameMenu | None, NewGame | GiveUp | None]:
    if lobby.page == OPTIONS and option_rows(lobby, offers)[lobby.cursor] == START:
        return lobby, _new_game(lobby, offers)
    if lobby.page in ASKING:
        return _answer(lobby, offers)
    if lobby.page == RULES:
        return (_choose_offer(NewGameMenu(PLAYERS), offers, lobby.cursor) if offers else lobby), None
    if lobby.page == PLAYERS:
        return _choose_players(lobby, offers, offers[lobby.offer].players[lobby.cursor]), None
    if lobby.page == OPTIONS:
        return _next_value(lobby, offers, option_rows(lobby, offers)[lobby.cursor]), None
    return _lay_tile(lobby, offers, tiles_left(lobby, offers)[lobby.cursor]), None


def _answer(lobby: NewGameMenu, offers: Sequence[Offer]) -> tuple[NewGameMenu | None, GiveUp | None]:
    """Answer a give-up question; it takes two yeses, and the cursor starts on "no" each time."""
    if lobby.cursor == _NO:
        return None, None
    if lobby.page == GIVE_UP:
        return NewGameMenu(SURE), None
    return open_menu(offers, playing=False), GiveUp()


def _choose_offer(lobby: NewGameMenu, offers: Sequence[Offer], offer: int) -> NewGameMenu:
    """Choose an offer, all its options at their defaults."""
    return replace(lobby, offer=offer, values=(0,) * len(offers[offer].options))


def _choose_players(lobby: NewGameMenu, offers: Sequence[Offer], players: int) -> NewGameMenu:
    """Choose the number of players; the number of tiles changes with it."""
    now = replace(lobby, page=OPTIONS, players=players)
    if tile_count(now) != tile_count(lobby):
        now = replace(now, tiles="")
    return replace(now, cursor=cursor_positions(now, offers) - 1)  # so that one can start at once


def _next_value(lobby: NewGameMenu, offers: Sequence[Offer], name: str) -> NewGameMenu:
    """Set the option to the next of its values. Tiles are drawn, or laid one by one."""
    if name == LAYOUT:
        return replace(lobby, tiles="") if lobby.tiles else replace(lobby, page=TILES, cursor=0)
    options = offers[lobby.offer].options
    place = list(options).index(name)
    value = (lobby.values[place] + 1) % len(options[name])
    return replace(lobby, values=(*lobby.values[:place], value, *lobby.values[place + 1 :]))


def _lay_tile(lobby: NewGameMenu, offers: Sequence[Offer], letter: str) -> NewGameMenu:
    lobby = replace(lobby, cursor=0, tiles=lobby.tiles + letter)
    if len(lobby.tiles) < tile_count(lobby):
        return lobby
    return replace(lobby, page=OPTIONS, cursor=option_rows(lobby, offers).index(START))


def _leaves_choice(lobby: NewGameMenu, offer: Offer, name: str) -> bool:
    if name == LAYOUT:
        return offer.tiles is not None and len(offer.tiles.letters) >= tile_count(lobby)
    return len(offer.options[name]) > 1


def _new_game(lobby: NewGameMenu, offers: Sequence[Offer]) -> NewGame:
    offer = offers[lobby.offer]
    values = {name: chosen_value(lobby, offers, name) for name in offer.options}
    return NewGame(offer.rules, lobby.players, {n: v for n, v in values.items() if v != offer.options[n][0]})
