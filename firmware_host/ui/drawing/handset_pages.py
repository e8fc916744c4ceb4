"""Describe what the handset says, before anything is drawn: one description a page, for picture and text alike.

A page is a few short texts in their places. `firmware_host.ui.handset_screen` draws it and `lines` writes it as text,
so the two always agree. Pages hold Mister X's stations, therefore none of them prints its content.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from firmware_host.rules.actions import BLACK, BOAT, HELICOPTER, MR_X, START, TICKETS, Commit
from firmware_host.rules.setup import Option
from firmware_host.rules.views import MrXView, Outcome, PublicView
from firmware_host.ui import handset_menu as menus
from firmware_host.ui import new_game_menu
from firmware_host.ui.games.game_registry import game_ui
from firmware_host.ui.handset_menu import Menu
from firmware_host.ui.new_game_menu import NewGameMenu, Offer
from firmware_host.ui.page_kinds import Chooser, Columns, Ending, Listing, Notice, Page
from firmware_host.ui.vocabulary import label, pawn_name, rules_name, winner

_TABS = {"supply": "Tickets"}  # tabs side by side after the end, where room is short
_WAYS = {HELICOPTER: "Fly"}  # above the huge number, where room is short too
_SHORT = {"underground": "Under"}  # before the station it leads to

_OPTIONS = {
    "x_fares": "Fares",
    "voluntary_surfacing": "Surface at will",
    "uncover_half": "Tell hidden half",
    "x_colour": "Mister X is",
    new_game_menu.LAYOUT: "Tiles",
    MR_X: "Mister X",
}
_VALUES: Mapping[Option, str] = {True: "yes", False: "no"}


def page(menu: Menu, view: MrXView) -> Page:
    """Return the page that Mister X sees at this menu."""
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
        case own if own in game.pages(view.public):
            return game.page(own, view.public, menu.cursor)
    if view.public.outcome is not None:
        return _ending(menu, view, view.public.outcome)
    return _home(menu, view)


def lines(described: Page) -> list[str]:
    """Write a page as text, a row a line; ">" stands at the cursor."""
    match described:
        case Chooser(header, number, note, hint, warned, status, rows, cursor):
            above = [f"{header} {number}", note, hint.upper() if warned else hint, status]
            return [line for line in above if line] + _list_lines(rows, cursor)
        case Columns(_, title, heads, rows, cursor):
            return [" ".join(word for word in (title, *heads) if word), *_list_lines(rows, cursor)]
        case Ending(title, text, rows, cursor):
            return [title, text, *_list_lines(rows, cursor)]
        case Listing(title, text, rows, cursor):
            return [line for line in (title, text) if line] + _list_lines(rows, cursor)
        case Notice(title, text):
            return [line for line in (title, *text.split("\n")) if line]


def _list_lines(rows: tuple[tuple[str, ...], ...], cursor: int | None) -> list[str]:
    texts = [" ".join(cell for cell in row if cell) for row in rows]
    if cursor is None:
        return texts
    return [("> " if place == cursor else "  ") + text for place, text in enumerate(texts)]


def _home(menu: Menu, view: MrXView) -> Chooser:
    giver = menus.giver(view)
    if giver is not None:
        held = view.public.tickets[giver]
        rows = tuple((label(item), *([str(held[item])] if item in held else [])) for item in menus.home_items(view))
        return Chooser("Take from", pawn_name(giver), "a ticket", "", False, "", rows, menu.cursor)
    hint, warned = _hint(view)
    return Chooser(
        header=_station_header(view),
        number=_station_text(view),
        note=_progress(view),
        hint=hint,
        warned=warned,
        status=_status(view),
        rows=tuple(_home_rows(view)),
        cursor=menu.cursor,
    )


def _destinations(menu: Menu, view: MrXView) -> Chooser:
    ticket = str(menu.ticket)
    stations = menus.destinations(view, ticket)
    chosen = stations[menu.cursor]
    hint, warned = _hint(view, ticket)
    return Chooser(
        header=f"{_WAYS.get(ticket, label(ticket))} →",
        number=str(chosen),
        note=game_ui(view.public).station_note(view.public, chosen) or f"from {_station_text(view)}",
        hint=hint if warned else "",
        warned=warned,
        status="",
        rows=tuple((str(station),) for station in stations),
        cursor=menu.cursor,
    )


def _supply(view: MrXView) -> Chooser:
    held = view.public.tickets.get(MR_X, {})
    kinds = [kind for kind in (*TICKETS, BOAT, HELICOPTER, menus.DOUBLE) if kind in held]
    return Chooser(
        header=_station_header(view),
        number=_station_text(view),
        note=_progress(view),
        hint="",
        warned=False,
        status="",
        rows=tuple((label(kind), str(held[kind])) for kind in kinds) or (("No tickets",),),
        cursor=None,
    )


def _log(menu: Menu, view: MrXView) -> Columns:
    public, route = view.public, view.route.value
    rows = [("", "Start", str(route[0] or "") if route else "", "")]
    mark = "hid" if public.in_sight else "seen"
    for window in range(1, max(public.windows, len(public.log)) + 1):
        entry = public.log[window - 1] if window <= len(public.log) else None
        ticket = label(entry.ticket) if entry else "–"
        station = str(route[window]) if entry and window < len(route) else ""
        rows.append((str(window), ticket, station, mark if window in public.marked else ""))
    return Columns(menus.LOG, f"Log {len(public.log)}/{public.windows}", ("",) * 4, tuple(rows), menu.cursor)


def _detectives(menu: Menu, public: PublicView) -> Columns:
    kinds = ("taxi", "bus", "underground")
    told = game_ui(public).tells_hands
    hands = [public.tickets.get(pawn, {}) if told else {} for pawn in public.order]
    rows = []
    for pawn, held in zip(public.order, hands, strict=True):
        counts = (str(held[kind]) if kind in held else "" for kind in kinds)
        rows.append((pawn_name(pawn), str(public.pawns.get(pawn, "")), *counts))
    letters = (kind[0].upper() if any(kind in held for held in hands) else "" for kind in kinds)
    return Columns(menus.DETECTIVES, "", ("", "at", *letters), tuple(rows), menu.cursor)


def _ending(menu: Menu, view: MrXView, outcome: Outcome) -> Ending:
    rows = tuple((_TABS.get(item, label(item)),) for item in menus.home_items(view))
    return Ending(winner(outcome), game_ui(view.public).reason(outcome, view.public), rows, menu.cursor)


def _home_rows(view: MrXView) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the home page: tickets with a count, or in the junior game with their destination."""
    held = view.public.tickets.get(MR_X, {})
    leads = _commit_destinations(view)
    for item in menus.home_items(view):
        if item in leads:
            yield _SHORT.get(item, label(item)), f"→{leads[item]}"
        elif item in held and item != HELICOPTER:  # there is only one, and its name is long
            yield label(item), str(held[item])
        else:
            yield (label(item),)


def _commit_destinations(view: MrXView) -> dict[str, int]:
    """Return each ticket's destination where he may commit himself: a ticket names one station there (JU-03)."""
    if not any(isinstance(action, Commit) for action in view.choices.value):
        return {}
    around = view.public.network.around(view.at.value)
    return {ticket: to for to, tickets in around.items() for ticket in tickets}


def _station_text(view: MrXView) -> str:
    """Return his station as text; "–" before he has one (DI-10)."""
    return str(view.at.value or "–")


def _station_header(view: MrXView) -> str:
    """Return the words above his station; without a log he is always in sight, and nothing is said of it."""
    public = view.public
    if public.double:
        return {1: "1st of 2", 2: "2nd of 2"}[public.double]
    if len(public.fugitives) > 1:
        return f"{pawn_name(view.actor)} at"
    if not view.at.value:
        return "Not placed"
    return "In sight at" if MR_X in public.pawns and public.windows else "You are at"


def _status(view: MrXView) -> str:
    """Say who moves while he waits, and what is unusual about his own choice."""
    first = menus.steps(view)
    if not first:
        return game_ui(view.public).waiting(view.public)
    unusual: Mapping[tuple[str, ...], str] = {(START,): "Choose your start", (menus.PASS,): "No die fits"}
    return unusual.get(first, "")


def _progress(view: MrXView) -> str:
    """Name the window that the next move fills, or without a log the round; nothing before he has a place."""
    public = view.public
    following = len(public.log) + 1
    if not view.at.value:
        return ""
    if not public.windows:
        return f"Round {public.round}"
    return f"Move {following}" if following <= public.windows else "Log full"


def _hint(view: MrXView, ticket: str = "") -> tuple[str, bool]:
    """Say when he shows himself next, or hides if he is in sight; and whether the move being chosen is that one."""
    public, first = view.public, menus.steps(view)
    following = len(public.log) + 1
    if public.in_sight:
        now, warning, word = following in public.marked or ticket == BLACK, "HIDDEN", "Hide at"
    else:
        now, warning, word = view.shows or following in public.surfacing, "SURFACE", "Seen at"
    if first and now and START not in first:
        return warning, True
    ahead = [window for window in public.marked if window >= following]
    return (f"{word} {min(ahead)}" if ahead else ""), False


def new_game_page(menu: NewGameMenu, offers: Sequence[Offer]) -> Listing:
    """Return the page on which a new game is chosen. Nothing in it is secret."""
    cursor = menu.cursor
    match menu.page:
        case new_game_menu.GIVE_UP:
            return Listing("New game", "Give up this game?", (("No, go on",), ("Yes, give it up",)), cursor)
        case new_game_menu.SURE:
            return Listing("New game", "Sure? Nobody wins", (("No, go on",), ("Yes, give it up",)), cursor)
        case new_game_menu.RULES:
            titles = tuple((rules_name(offer.rules),) for offer in offers)
            return Listing("New game", offers[cursor].title if offers else "Nothing to choose from", titles, cursor)
    offer = offers[menu.offer]
    name = rules_name(offer.rules)
    if menu.page == new_game_menu.PLAYERS:
        return Listing(name, "", tuple((f"{players} players",) for players in offer.players), cursor)
    if menu.page == new_game_menu.OPTIONS:
        return Listing(f"{name}, {menu.players} players", "", tuple(_option_rows(menu, offers)), cursor)
    letters = new_game_menu.tiles_left(menu, offers)
    row, tile = divmod(len(menu.tiles), new_game_menu.ACROSS)
    rows = tuple((letter,) for letter in letters)
    return Listing(f"Row {row + 1}, tile {tile + 1}", _laid_tiles(menu), rows, cursor, across=len(letters) // 2)


def _option_rows(menu: NewGameMenu, offers: Sequence[Offer]) -> Iterator[tuple[str, ...]]:
    for option in new_game_menu.option_rows(menu, offers):
        if option == new_game_menu.START:
            yield ("Start",)
        elif option == new_game_menu.LAYOUT:
            yield f"{_OPTIONS[option]}:", "own" if menu.tiles else "drawn"
        else:
            value = new_game_menu.chosen_value(menu, offers, option)
            text = _VALUES[value] if isinstance(value, bool) else str(value).replace("_", " ")
            yield f"{_OPTIONS.get(option) or option.replace('_', ' ').capitalize()}:", text


def _laid_tiles(menu: NewGameMenu) -> str:
    """Return the tiles laid so far, with a dot for each still to come."""
    every = menu.tiles.ljust(new_game_menu.tile_count(menu), "·")
    return "  ".join(
        every[first : first + new_game_menu.ACROSS] for first in range(0, len(every), new_game_menu.ACROSS)
    )
