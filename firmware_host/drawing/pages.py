"""What the handset says, before anything is drawn: one description a page, for picture and text alike.

A page is a few short texts in their places. `firmware_host.screens` makes pixels of it and `lines` makes text, so
the two cannot disagree. Pages hold Mister X's stations, therefore none of them prints its content.
"""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host import menu as menus
from firmware_host.menu import Menu
from firmware_host.rules.actions import MR_X, TICKETS
from firmware_host.rules.views import MrXView, Outcome, PublicView
from firmware_host.words import moving, pawn_name, reason, winner

LABELS = {
    "taxi": "Taxi",
    "bus": "Bus",
    "underground": "Undergr",  # as much of it as stands beside a huge station number
    "black": "Black",
    "double": "2× move",
    "surface": "Surface",
    "log": "Log",
    "detectives": "Detectives",
    "supply": "My tickets",
}
"""What tickets and pages are called on the handset."""

_TABS = {"supply": "Tickets"}  # at the end the pages stand side by side, and room is short


@dataclass(frozen=True, slots=True, repr=False)
class Chooser:
    """A huge number at the left, things to choose from at the right.

    Attributes:
        header: a few words above the number.
        number: the station.
        note: a few words below the number.
        hint: still fewer below that.
        warned: whether the hint is a warning.
        status: a sentence above the rows, or "".
        rows: what stands in the list: a name, or a name and a count.
        cursor: the row under the cursor, or None in a list to read.
    """

    header: str
    number: str
    note: str
    hint: str
    warned: bool
    status: str
    rows: tuple[tuple[str, ...], ...]
    cursor: int | None


@dataclass(frozen=True, slots=True, repr=False)
class Table:
    """Rows of cells under a title; `name` is the page it belongs to, `heads` name the columns."""

    name: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    cursor: int


@dataclass(frozen=True, slots=True, repr=False)
class Ending:
    """Who won and why, and what can be read now."""

    title: str
    text: str
    rows: tuple[tuple[str, ...], ...]
    cursor: int


@dataclass(frozen=True, slots=True, repr=False)
class Notice:
    """A title, or "", and a text: nothing to choose."""

    title: str
    text: str


Page = Chooser | Table | Ending | Notice


def page(menu: Menu, view: MrXView) -> Page:
    """What the handset shows Mister X at this menu."""
    menu = menus.settle(menu, view)
    match menu.page:
        case menus.DESTINATIONS:
            return _destinations(menu, view)
        case menus.LOG:
            return _log(menu, view)
        case menus.DETECTIVES:
            return _detectives(menu, view.public)
        case menus.SUPPLY:
            return _supply(view)
    if view.public.outcome is not None:
        return _ending(menu, view, view.public.outcome)
    return _home(menu, view)


def lines(described: Page) -> list[str]:
    """A page as text, a row a line; ">" stands at the cursor."""
    match described:
        case Chooser(header, number, note, hint, warned, status, rows, cursor):
            above = [f"{header} {number}", note, hint.upper() if warned else hint, status]
            return [line for line in above if line] + _listed(rows, cursor)
        case Table(_, title, heads, rows, cursor):
            return [" ".join(word for word in (title, *heads) if word), *_listed(rows, cursor)]
        case Ending(title, text, rows, cursor):
            return [title, text, *_listed(rows, cursor)]
        case Notice(title, text):
            return [line for line in (title, *text.split("\n")) if line]


def _listed(rows: tuple[tuple[str, ...], ...], cursor: int | None) -> list[str]:
    texts = [" ".join(cell for cell in row if cell) for row in rows]
    if cursor is None:
        return texts
    return [("> " if place == cursor else "  ") + text for place, text in enumerate(texts)]


def _home(menu: Menu, view: MrXView) -> Chooser:
    public = view.public
    his_turn = bool(menus.tickets(view))
    hint, warned = _surfacing(view, his_turn)
    giver = menus.giver(view)
    if giver is not None:
        held = public.tickets[giver]
        rows = tuple((LABELS[item], *([str(held[item])] if item in held else [])) for item in menus.home_items(view))
        return Chooser("Take from", pawn_name(giver), "a ticket", "", False, "", rows, menu.cursor)
    return Chooser(
        header=_half(public) or ("In sight at" if MR_X in public.pawns else "You are at"),
        number=str(view.at.value),
        note=_progress(public),
        hint=hint,
        warned=warned,
        status="" if his_turn else moving(public),
        rows=tuple(_item(item, public) for item in menus.home_items(view)),
        cursor=menu.cursor,
    )


def _destinations(menu: Menu, view: MrXView) -> Chooser:
    stations = menus.destinations(view, menu.ticket)
    hint, warned = _surfacing(view, his_turn=True)
    return Chooser(
        header=f"{LABELS[str(menu.ticket)]} →",
        number=str(stations[menu.cursor]),
        note=f"from {view.at.value}",
        hint=hint if warned else "",
        warned=warned,
        status="",
        rows=tuple((str(station),) for station in stations),
        cursor=menu.cursor,
    )


def _supply(view: MrXView) -> Chooser:
    held = view.public.tickets.get(MR_X, {})
    kinds = [kind for kind in (*TICKETS, menus.DOUBLE) if kind in held]
    return Chooser(
        header="You are at",
        number=str(view.at.value),
        note=_progress(view.public),
        hint="",
        warned=False,
        status="",
        rows=tuple((LABELS[kind], str(held[kind])) for kind in kinds) or (("No tickets",),),
        cursor=None,
    )


def _log(menu: Menu, view: MrXView) -> Table:
    public, route = view.public, view.route.value
    rows = [("", "Start", str(route[0]) if route else "", "")]
    for window in range(1, max(public.windows, len(public.log)) + 1):
        entry = public.log[window - 1] if window <= len(public.log) else None
        ticket = LABELS.get(entry.ticket, entry.ticket.capitalize()) if entry else "–"
        station = str(route[window]) if entry and window < len(route) else ""
        rows.append((str(window), ticket, station, "seen" if window in public.surfacing else ""))
    return Table(menus.LOG, f"Log {len(public.log)}/{public.windows}", ("",) * 4, tuple(rows), menu.cursor)


def _detectives(menu: Menu, public: PublicView) -> Table:
    rows = []
    for pawn in public.order:
        held = public.tickets.get(pawn, {})
        counts = (str(held[kind]) if kind in held else "" for kind in ("taxi", "bus", "underground"))
        rows.append((pawn_name(pawn), str(public.pawns.get(pawn, "")), *counts))
    return Table(menus.DETECTIVES, "", ("", "at", "T", "B", "U"), tuple(rows), menu.cursor)


def _ending(menu: Menu, view: MrXView, outcome: Outcome) -> Ending:
    rows = tuple((_TABS.get(item, LABELS[item]),) for item in menus.home_items(view))
    return Ending(winner(outcome), reason(outcome, view.public), rows, menu.cursor)


def _item(item: str, public: PublicView) -> tuple[str, ...]:
    """A row of the home page: tickets have a count behind them."""
    held = public.tickets.get(MR_X, {})
    return (LABELS[item], str(held[item])) if item in held else (LABELS[item],)


def _half(public: PublicView) -> str:
    return {1: "1st of 2", 2: "2nd of 2"}.get(public.double, "")


def _progress(public: PublicView) -> str:
    """Which window the next move fills."""
    following = len(public.log) + 1
    return f"Move {following}" if following <= public.windows else "Log full"


def _surfacing(view: MrXView, his_turn: bool) -> tuple[str, bool]:
    """When he has to show himself next, and whether the move he is choosing now is that one."""
    public = view.public
    following = len(public.log) + 1
    if his_turn and (view.shows or following in public.surfacing):
        return "SURFACE", True
    ahead = [window for window in public.surfacing if window >= following]
    return (f"Seen at {min(ahead)}" if ahead else ""), False
