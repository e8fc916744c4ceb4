"""Describe the handset's pages as data, from which other code draws pictures or writes text.

A page is a few short texts in their places. `firmware_host.ui.drawing.handset_screen` draws it and `lines` converts it
to text, so the two always agree. The `repr` of a page that may hold Mister X's stations has no content.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware_host.rules.actions import BLACK, BOAT, HELICOPTER, MR_X, SIDES, START, TICKETS, Commit
from firmware_host.rules.setup import Option
from firmware_host.rules.views import MrXView, Outcome, PublicView
from firmware_host.system.language import gettext, gettext_noop, ngettext, pgettext
from firmware_host.ui import handset_menu as menus
from firmware_host.ui import new_game_menu
from firmware_host.ui.games.game_registry import game_ui
from firmware_host.ui.handset_menu import Menu
from firmware_host.ui.handset_page_kinds import ChoicePage, Columns, Ending, Listing, Notice, Page, ScanPage
from firmware_host.ui.new_game_menu import NewGameMenu, Offer
from firmware_host.ui.vocabulary import (
    label,
    pawn_name,
    plain_word,
    player_word,
    rules_name,
    side_name,
    ticket_letter,
    winner,
)

_OPTIONS = {
    "x_fares": gettext_noop("Fares"),
    "last_chance": gettext_noop("Last chance"),
    "log_windows": gettext_noop("Log length"),
    "voluntary_surfacing": gettext_noop("Surface at will"),
    "cut_off": gettext_noop("Cut off"),
    "uncover_half": gettext_noop("Show hidden half"),
    "experts": gettext_noop("Experts"),
    "dice": gettext_noop("Dice"),
    "reveal_route": gettext_noop("Reveal route"),
    "x_colour": gettext_noop("Mister X is"),
    "layout": gettext_noop("Tiles"),
}


def option_name(option: str) -> str:
    """Return the name of an option or a seat, without a colon."""
    if option in SIDES:
        return side_name(option)
    return gettext(_OPTIONS[option]) if option in _OPTIONS else plain_word(option).capitalize()


def value_word(option: str, value: Option) -> str:
    """Return a short word for an option's value, or for the player of a seat."""
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if option in SIDES:
        return plain_word(player_word(str(value)))
    return _word(option, str(value)) or plain_word(str(value))


def _word(option: str, value: str) -> str:
    """Return the word for a value if there is one, else ""."""
    match option, value:
        case "x_fares", "unlimited":
            return pgettext("Fares", "unlimited")
        case "x_fares", "counted":
            return pgettext("Fares", "counted")
        case "dice", "rolled":
            return pgettext("Dice", "rolled")
        case "dice", "entered":
            return pgettext("Dice", "entered")
        case "x_colour", "black":
            return pgettext("Mister X is", "black")
        case "x_colour", "blue":
            return pgettext("Mister X is", "blue")
    return ""


def page(menu: Menu, view: MrXView, code: tuple[str, ...] = ()) -> Page:
    """Return the page that Mister X sees in this state of the menu.

    Args:
        menu: the menu's state.
        view: what Mister X may know.
        code: the QR code that makes a phone his handset, for the page that shows the code; see `ScanPage`.
    """
    menu, game = menus.settle(menu, view), game_ui(view.public)
    match menu.page:
        case menus.DESTINATIONS:
            return _destinations(menu, view)
        case menus.LOG:
            return _log(menu, view)
        case menus.DETECTIVES:
            return _detectives(menu, view.public)
        case menus.SUPPLY:
            return _supply(view)
        case menus.PHONE:
            return ScanPage(code, label(menus.PHONE), gettext("Scan this for your map"))
        case own if own in game.pages(view.public):
            return game.page(own, view.public, menu.cursor)
    if view.public.outcome is not None:
        return _ending(menu, view, view.public.outcome)
    return _home(menu, view)


def lines(described: Page) -> list[str]:
    """Return a page as lines of text. ">" marks the row under the cursor."""
    match described:
        case ChoicePage(header, number, note, hint, _, status, rows, cursor):
            above = [f"{header} {number}", note, hint, status]
            return [line for line in above if line] + _list_lines(rows, cursor)
        case Columns(_, title, heads, rows, cursor):
            return [" ".join(word for word in (title, *heads) if word), *_list_lines(rows, cursor)]
        case Ending(title, text, rows, cursor):
            return [title, text, *_list_lines(rows, cursor)]
        case Listing(title, text, rows, cursor):
            return [line for line in (title, text) if line] + _list_lines(rows, cursor)
        case Notice(title, text) | ScanPage(_, title, text):
            return [line for line in (title, *text.split("\n")) if line]


def _list_lines(rows: tuple[tuple[str, ...], ...], cursor: int | None) -> list[str]:
    texts = [" ".join(cell for cell in row if cell) for row in rows]
    if cursor is None:
        return texts
    return [("> " if place == cursor else "  ") + text for place, text in enumerate(texts)]


def _home(menu: Menu, view: MrXView) -> ChoicePage:
    giver = menus.giver(view)
    if giver is not None:
        held = view.public.tickets[giver]
        rows = tuple((label(item), *([str(held[item])] if item in held else [])) for item in menus.items(menu, view))
        taking, what = pgettext("above a pawn's name", "Take from"), pgettext("below a pawn's name", "a ticket")
        return ChoicePage(taking, pawn_name(giver), what, "", False, "", rows, menu.cursor)
    hint, warned = _hint(view)
    return ChoicePage(
        header=_station_header(view),
        number=_station_text(view),
        note=_progress(view),
        hint=hint,
        warned=warned,
        status=_status(view),
        rows=tuple(_home_rows(menu, view)),
        cursor=menu.cursor,
    )


def _destinations(menu: Menu, view: MrXView) -> ChoicePage:
    ticket = str(menu.ticket)
    stations = menus.destinations(view, ticket)
    chosen = stations[menu.cursor]
    hint, warned = _hint(view, ticket)
    way = pgettext("by helicopter", "Fly") if ticket == HELICOPTER else label(ticket)
    return ChoicePage(
        header=f"{way} →",
        number=str(chosen),
        note=game_ui(view.public).station_note(view.public, chosen)
        or gettext("from {station}", station=_station_text(view)),
        hint=hint if warned else "",
        warned=warned,
        status="",
        rows=tuple((str(station),) for station in stations),
        cursor=menu.cursor,
    )


def _supply(view: MrXView) -> ChoicePage:
    held = view.public.tickets.get(MR_X, {})
    kinds = [kind for kind in (*TICKETS, BOAT, HELICOPTER, menus.DOUBLE) if kind in held]
    return ChoicePage(
        header=_station_header(view),
        number=_station_text(view),
        note=_progress(view),
        hint="",
        warned=False,
        status="",
        rows=tuple((label(kind), str(held[kind])) for kind in kinds) or ((gettext("No tickets"),),),
        cursor=None,
    )


def _log(menu: Menu, view: MrXView) -> Columns:
    public, route = view.public, view.route.value
    rows = [("", pgettext("of the game", "Start"), str(route[0] or "") if route else "", "")]
    mark = pgettext("in the log", "hid") if public.in_sight else pgettext("in the log", "seen")
    for window in range(1, max(public.windows, len(public.log)) + 1):
        entry = public.log[window - 1] if window <= len(public.log) else None
        ticket = label(entry.ticket) if entry else "–"
        station = str(route[window]) if entry and window < len(route) else ""
        rows.append((str(window), ticket, station, mark if window in public.marked else ""))
    title = gettext("Log {filled}/{windows}", filled=len(public.log), windows=public.windows)
    return Columns(menus.LOG, title, ("",) * 4, tuple(rows), menu.cursor)


def _detectives(menu: Menu, public: PublicView) -> Columns:
    kinds = ("taxi", "bus", "underground")
    announced = game_ui(public).announces_hands
    hands = [public.tickets.get(pawn, {}) if announced else {} for pawn in public.order]
    rows = []
    for pawn, held in zip(public.order, hands, strict=True):
        counts = (str(held[kind]) if kind in held else "" for kind in kinds)
        rows.append((pawn_name(pawn), str(public.pawns.get(pawn, "")), *counts))
    letters = (ticket_letter(kind) if any(kind in held for held in hands) else "" for kind in kinds)
    return Columns(menus.DETECTIVES, "", ("", pgettext("above stations", "at"), *letters), tuple(rows), menu.cursor)


def _ending(menu: Menu, view: MrXView, outcome: Outcome) -> Ending:
    tabs = {menus.SUPPLY: pgettext("short for My tickets", "Tickets")}
    rows = tuple((tabs.get(item) or label(item),) for item in menus.items(menu, view))
    return Ending(winner(outcome), game_ui(view.public).reason(outcome, view.public), rows, menu.cursor)


def _home_rows(menu: Menu, view: MrXView) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the home page: each ticket with its count (in the junior game: its destination)."""
    held = view.public.tickets.get(MR_X, {})
    leads = _commit_destinations(view)
    for item in menus.items(menu, view):
        if item in leads:
            name = pgettext("short for underground", "Under") if item == "underground" else label(item)
            yield name, f"→{leads[item]}"
        elif item in held and item != HELICOPTER:  # there is only one, and its name is long
            yield label(item), str(held[item])
        else:
            yield (label(item),)


def _commit_destinations(view: MrXView) -> dict[str, int]:
    """Return the one station to which each ticket leads, if Mister X may pick a ticket now (JU-03)."""
    if not any(isinstance(action, Commit) for action in view.choices.value):
        return {}
    around = view.public.network.around(view.at.value)
    return {ticket: to for to, tickets in around.items() for ticket in tickets}


def _station_text(view: MrXView) -> str:
    """Return Mister X's station as text, or "–" before he has one (DI-10)."""
    return str(view.at.value or "–")


def _station_header(view: MrXView) -> str:
    """Return the words above Mister X's station: which half of a double move, which pawn, or whether he is seen."""
    public = view.public
    if public.double:
        return gettext("1st of 2") if public.double == 1 else gettext("2nd of 2")
    if len(public.fugitives) > 1:
        return gettext("{pawn} at", pawn=pawn_name(view.actor))
    if not view.at.value:
        return gettext("Not placed")
    return gettext("In sight at") if MR_X in public.pawns and public.windows else gettext("You are at")


def _status(view: MrXView) -> str:
    """Return who has to move while Mister X waits, a remark about an unusual choice of his own, or ""."""
    first = menus.steps(view)
    if not first:
        return game_ui(view.public).waiting(view.public)
    if first == (START,):
        return gettext("Choose your start")
    return gettext("No die fits") if first == (menus.PASS,) else ""


def _progress(view: MrXView) -> str:
    """Return the number of the window that the next move fills, or of the round in games without a log."""
    public = view.public
    following = len(public.log) + 1
    if not view.at.value:
        return ""
    if not public.windows:
        return gettext("Round {round}", round=public.round)
    return gettext("Move {window}", window=following) if following <= public.windows else gettext("Log full")


def _hint(view: MrXView, ticket: str = "") -> tuple[str, bool]:
    """Return a text about when Mister X surfaces next, and whether he surfaces with the chosen move.

    In games where he is visible, both are about when he hides instead.
    """
    public, first = view.public, menus.steps(view)
    following = len(public.log) + 1
    if public.in_sight:
        now = following in public.marked or ticket == BLACK
    else:
        now = view.shows or following in public.surfacing
    if first and now and START not in first:
        return gettext("HIDDEN") if public.in_sight else gettext("SURFACE"), True
    ahead = [window for window in public.marked if following <= window <= public.last_window]
    if not ahead:
        return "", False
    if public.in_sight:
        return gettext("Hide at {window}", window=min(ahead)), False
    return gettext("Seen at {window}", window=min(ahead)), False


def new_game_page(menu: NewGameMenu, offers: Sequence[Offer]) -> Listing:
    """Return the page to choose a new game. It contains no secret."""
    cursor = menu.cursor
    match menu.page:
        case new_game_menu.GIVE_UP:
            return _asking(gettext("Give up this game?"), cursor)
        case new_game_menu.SURE:
            return _asking(gettext("Sure? Nobody wins"), cursor)
        case new_game_menu.RULES:
            titles = tuple((rules_name(offer.rules),) for offer in offers)
            text = gettext(offers[cursor].title) if offers else gettext("Nothing to choose from")
            return Listing(gettext("New game"), text, titles, cursor)
    offer = offers[menu.offer]
    name = rules_name(offer.rules)
    if menu.page == new_game_menu.PLAYERS:
        return Listing(name, "", tuple((_players(players),) for players in offer.players), cursor)
    if menu.page == new_game_menu.OPTIONS:
        title = gettext("{rules}, {players}", rules=name, players=_players(menu.players))
        return Listing(title, "", tuple(_option_rows(menu, offers)), cursor)
    letters = new_game_menu.tiles_left(menu, offers)
    row, tile = divmod(len(menu.tiles), new_game_menu.ACROSS)
    rows = tuple((letter,) for letter in letters)
    title = gettext("Row {row}, tile {tile}", row=row + 1, tile=tile + 1)
    return Listing(title, _laid_tiles(menu), rows, cursor, across=len(letters) // 2)


def _asking(question: str, cursor: int) -> Listing:
    rows = (gettext("No, go on"),), (gettext("Yes, give it up"),)
    return Listing(gettext("New game"), question, rows, cursor)


def _players(count: int) -> str:
    return ngettext("{count} player", "{count} players", count)


def _option_rows(menu: NewGameMenu, offers: Sequence[Offer]) -> Iterator[tuple[str, ...]]:
    for option in new_game_menu.option_rows(menu, offers):
        if option == new_game_menu.START:
            yield (pgettext("begin the game", "Start"),)
            continue
        if option == new_game_menu.LAYOUT:
            text = pgettext("Tiles", "own") if menu.tiles else pgettext("Tiles", "drawn")
        else:
            text = value_word(option, new_game_menu.chosen_value(menu, offers, option))
        yield gettext("{option}:", option=option_name(option)), text


def _laid_tiles(menu: NewGameMenu) -> str:
    """Return the tiles laid so far, with a dot for each one that is missing."""
    every = menu.tiles.ljust(new_game_menu.tile_count(menu), "·")
    return "  ".join(
        every[first : first + new_game_menu.ACROSS] for first in range(0, len(every), new_game_menu.ACROSS)
    )
