"""Mister X's handset as a pure reducer: a key moves the cursor, opens a page or makes an action.

Four keys: up and down move the cursor round in a ring, select takes what is under it, back goes home. What may
be played comes from the view's choices alone. A menu itself holds no station, and nothing of it prints but the
page that is open.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from firmware_host.rules.actions import TICKETS, Action, Double, MrXMove, Surface, Take
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import MrXView

UP, DOWN, SELECT, BACK = KEYS = ("up", "down", "select", "back")
"""The handset's keys, without the "handset." before their names. Peek is no key of the menu's."""

HOME, DESTINATIONS, LOG, DETECTIVES, SUPPLY = PAGES = ("home", "destinations", "log", "detectives", "supply")
"""The pages. `SUPPLY` is what Mister X has left."""

DOUBLE = "double"
"""The double move, which stands among the tickets of the home page."""

SURFACE = "surface"
"""Showing himself of his own will, which stands there too where the rules allow it."""

_ANNOUNCED: Mapping[str, Action] = {DOUBLE: Double(), SURFACE: Surface()}
_TO_READ = (LOG, DETECTIVES, SUPPLY)


class MenuError(ValueError):
    """A key that the handset has not got, or an action that no key leads to. Never tells a station."""


@dataclass(frozen=True, slots=True)
class Menu:
    """Where the handset is: the page, the cursor on it, and the ticket chosen on the way to the destinations."""

    page: str = HOME
    cursor: int = field(default=0, repr=False)
    ticket: str | None = field(default=None, repr=False)


def tickets(view: MrXView) -> tuple[str, ...]:
    """What Mister X can pay with, or take, now, commonest first; at the end what else he may announce."""
    choices = view.choices.value
    named = {action.ticket for action in choices if isinstance(action, MrXMove | Take)}
    rare = [item for item, action in _ANNOUNCED.items() if action in choices]
    return (*(ticket for ticket in TICKETS if ticket in named), *rare)


def giver(view: MrXView) -> str | None:
    """The pawn from which Mister X has to take a ticket now (US-10), or None."""
    return next((action.pawn for action in view.choices.value if isinstance(action, Take)), None)


def destinations(view: MrXView, ticket: str | None) -> tuple[int, ...]:
    """Where a ticket can take him now, sorted. Secret: for the handset's screen alone."""
    choices = view.choices.value
    return tuple(sorted({a.to.value for a in choices if isinstance(a, MrXMove) and a.ticket == ticket}))


def home_items(view: MrXView) -> tuple[str, ...]:
    """What the home page lists: tickets he can use now, then the pages to read."""
    return tickets(view) + _TO_READ


def settle(menu: Menu, view: MrXView) -> Menu:
    """The menu, mended where the view has changed under it: no page without content, no cursor past the end."""
    known = menu.page in PAGES and (menu.page != DESTINATIONS or destinations(view, menu.ticket))
    if not known:
        return Menu()
    cursor = min(max(menu.cursor, 0), _length(menu, view) - 1)
    ticket = menu.ticket if menu.page == DESTINATIONS else None
    return replace(menu, cursor=cursor, ticket=ticket)


def press(menu: Menu, key: str, view: MrXView) -> tuple[Menu, Action | None]:
    """The menu after a key, and the action that the key made, if it did.

    Raises:
        MenuError: there is no such key.
    """
    menu = settle(menu, view)
    if key in (UP, DOWN):
        step = 1 if key == DOWN else -1
        return replace(menu, cursor=(menu.cursor + step) % _length(menu, view)), None
    if key == SELECT:
        return _select(menu, view)
    if key == BACK:
        return _home(menu, view), None
    raise MenuError(f"the handset has no key {key!r}; it has {', '.join(KEYS)}")


def keys_for(menu: Menu, view: MrXView, action: Action) -> tuple[str, ...]:
    """The fewest keys that lead from this menu to an action; the last of them makes it.

    Raises:
        MenuError: the action is not one of Mister X's choices now. The message does not tell which it was.
    """
    start = settle(menu, view)
    seen = {start}
    edge: deque[tuple[Menu, tuple[str, ...]]] = deque([(start, ())])
    while edge:
        here, keys = edge.popleft()
        for key in KEYS:
            there, made = press(here, key, view)
            if made == action:
                return (*keys, key)
            if made is None and there not in seen:
                seen.add(there)
                edge.append((there, (*keys, key)))
    raise MenuError(f"no keys lead to this {type(action).__name__}: it is none of his choices now")


def _length(menu: Menu, view: MrXView) -> int:
    """How many places the cursor has on a page."""
    public = view.public
    lengths = {
        HOME: len(home_items(view)),
        DESTINATIONS: len(destinations(view, menu.ticket)),
        LOG: 1 + max(public.windows, len(public.log)),  # the start stands above window 1
        DETECTIVES: len(public.order),
        SUPPLY: 1,
    }
    return max(1, lengths[menu.page])


def _select(menu: Menu, view: MrXView) -> tuple[Menu, Action | None]:
    if menu.page == DESTINATIONS:
        to = destinations(view, menu.ticket)[menu.cursor]
        return Menu(), MrXMove(Secret(to), str(menu.ticket))
    if menu.page == HOME:
        return _open(home_items(view)[menu.cursor], view)
    return menu, None


def _open(item: str, view: MrXView) -> tuple[Menu, Action | None]:
    """What happens when an item of the home page is selected."""
    if item in _ANNOUNCED:
        return Menu(), _ANNOUNCED[item]
    if item == LOG:
        return Menu(LOG, len(view.public.log)), None  # the newest entry is what is looked for
    if item in _TO_READ:
        return Menu(item), None
    pawn = giver(view)
    return (Menu(DESTINATIONS, 0, item), None) if pawn is None else (Menu(), Take(pawn, item))


def _home(menu: Menu, view: MrXView) -> Menu:
    """The home page, the cursor on what had been opened."""
    items = home_items(view)
    opened = menu.ticket if menu.page == DESTINATIONS else menu.page
    return Menu(HOME, items.index(opened) if opened in items else 0)
