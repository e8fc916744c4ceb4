"""The menu of Mister X's handset, as a pure function: a key moves the cursor, opens a page or acts.

Four keys control the menu:

- up and down move the cursor, and wrap around at both ends of the list
- select chooses the item under the cursor
- back returns to the home page

The view lists the actions that Mister X may choose. An action is chosen in one or two steps: a ticket and a station, or
one word such as `DOUBLE`. A `Menu` holds no station, and its `repr` shows only the open page.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace

from firmware_host.rules.actions import (
    BOAT,
    FREE,
    HELICOPTER,
    MR_X,
    START,
    STAY,
    TICKETS,
    Action,
    Commit,
    Double,
    MrXMove,
    Pass,
    Surface,
    Take,
)
from firmware_host.rules.views import MrXView
from firmware_host.ui.games.game_registry import game_ui

UP, DOWN, SELECT, BACK = KEYS = ("up", "down", "select", "back")
"""The handset's keys, without the prefix "handset.". Peek is handled outside the menu."""

PAGES = ("home", "destinations", "log", "detectives", "supply")
HOME, DESTINATIONS, LOG, DETECTIVES, SUPPLY = PAGES
"""The pages that games share; some games have no `LOG` or no `SUPPLY`, which lists Mister X's remaining tickets."""

DOUBLE, SURFACE, PASS = ("double", "surface", "pass")
"""The double move, voluntary surfacing, and passing without a die; they are listed among the tickets."""

PHONE = "phone"
"""The page with the code that makes a phone Mister X's handset, if phones can be invited."""

NEW = "new"
"""The home page's last item: a new game. The menu ignores it; the handset opens its new-game menu."""

_STEPS = (FREE, *TICKETS, BOAT, START, HELICOPTER, STAY, PASS, DOUBLE, SURFACE)
"""The first steps, in the order of the home page."""


class MenuError(ValueError):
    """The error that the handset has no such key, or no key leads to this action. It names no station."""


@dataclass(frozen=True, slots=True)
class Menu:
    """The state of the menu: open page, cursor, and the ticket that Mister X chose before a destination.

    `item` is the item of the home page on which a key has put the cursor: the cursor stays on it when others appear
    before it. If `phone` is True, the home page has an item for inviting a phone until the game is
    over.
    """

    page: str = HOME
    cursor: int = field(default=0, repr=False)
    ticket: str | None = field(default=None, repr=False)
    phone: bool = field(default=False, repr=False)
    item: str | None = field(default=None, repr=False, compare=False)

    def to(self, page: str = HOME, cursor: int = 0, ticket: str | None = None) -> Menu:
        """Return the same menu with another page open."""
        return replace(self, page=page, cursor=cursor, ticket=ticket, item=None)


def steps(view: MrXView) -> tuple[str, ...]:
    """Return the possible first steps of Mister X's choice: tickets, or announcements such as `DOUBLE`."""
    first = {path[0] for path in map(_path, view.choices.value) if path}
    return tuple(step for step in _STEPS if step in first)


def giver(view: MrXView) -> str | None:
    """Return the pawn from which Mister X has to take a ticket now, or None (US-10)."""
    return next((action.pawn for action in view.choices.value if isinstance(action, Take)), None)


def destinations(view: MrXView, ticket: str | None) -> tuple[int, ...]:
    """Return the sorted stations to which Mister X can go with a ticket. They are secret.

    Show them only on the handset's screen.
    """
    choices = view.choices.value
    return tuple(sorted({a.to.value for a in choices if isinstance(a, MrXMove) and a.ticket == ticket}))


def home_items(view: MrXView, *, phone: bool = False) -> tuple[str, ...]:
    """Return the items of the home page: Mister X's choices, the pages to read, and a new game.

    Args:
        view: what Mister X may know.
        phone: whether to add the item for inviting a phone.
    """
    return (*steps(view), *_readable_pages(view, phone=phone), NEW)


def items(menu: Menu, view: MrXView) -> tuple[str, ...]:
    """Return the items of the home page for the menu's state."""
    return home_items(view, phone=menu.phone)


def wants_new_game(menu: Menu, key: str, view: MrXView) -> bool:
    """Return whether this key, in this state of the menu, opens the new-game menu."""
    menu = settle(menu, view)
    return key == SELECT and menu.page == HOME and items(menu, view)[menu.cursor] == NEW


def settle(menu: Menu, view: MrXView) -> Menu:
    """Return the menu adapted to a changed view: close an empty page, and keep the cursor on an item."""
    if menu.page == DESTINATIONS:
        known = bool(destinations(view, menu.ticket))
    else:
        known = menu.page == HOME or menu.page in _readable_pages(view, phone=menu.phone)
    if not known:
        return menu.to(HOME)
    cursor = min(max(menu.cursor, 0), _cursor_positions(menu, view) - 1)
    ticket = menu.ticket if menu.page == DESTINATIONS else None
    if menu.page == HOME and menu.item in (shown := items(menu, view)):
        cursor = shown.index(menu.item)
    return replace(menu, cursor=cursor, ticket=ticket)


def press(menu: Menu, key: str, view: MrXView) -> tuple[Menu, Action | None]:
    """Return the menu after a key press, and the action that the key causes.

    The action is None if the key causes none.

    Raises:
        MenuError: the handset has no such key.
    """
    menu = settle(menu, view)
    if key in (UP, DOWN):
        cursor = (menu.cursor + (1 if key == DOWN else -1)) % _cursor_positions(menu, view)
        item = items(menu, view)[cursor] if menu.page == HOME else None
        return replace(menu, cursor=cursor, item=item), None
    if key == SELECT:
        return _select(menu, view)
    if key == BACK:
        return _home(menu, view), None
    raise MenuError(f"the handset has no key {key!r}; it has {', '.join(KEYS)}")


def keys_for(menu: Menu, view: MrXView, action: Action) -> tuple[str, ...]:
    """Return the shortest sequence of keys that causes an action from this state of the menu.

    Raises:
        MenuError: the action is not one of Mister X's choices now. The message does not reveal it.
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
    raise MenuError(f"no keys lead to this {type(action).__name__}: it is not one of Mister X's choices now")


def _path(action: Action) -> tuple[str | int, ...]:
    """Return the items that a player chooses for an action.

    Empty if the handset does not offer the action.
    """
    match action:
        case MrXMove(to, ticket):
            return ticket, to.value
        case Take(_, ticket):
            return (ticket,)
        case Commit(_, chosen):
            return (chosen.value,)
        case Double():
            return (DOUBLE,)
        case Surface():
            return (SURFACE,)
        case Pass():
            return (PASS,)
    return ()


def _readable_pages(view: MrXView, *, phone: bool) -> tuple[str, ...]:
    """Return the names of the pages that have content now."""
    public, game = view.public, game_ui(view.public)
    there = {
        LOG: public.windows > 0,
        DETECTIVES: True,
        SUPPLY: bool(public.tickets.get(MR_X)) and game.announces_hands,
    }
    own = (PHONE,) if phone and public.outcome is None else ()
    return (*(page for page, filled in there.items() if filled), *game.pages(public), *own)


def _cursor_positions(menu: Menu, view: MrXView) -> int:
    """Return how many positions the cursor has on a page."""
    public = view.public
    if menu.page == HOME:
        return len(items(menu, view))
    if menu.page == DESTINATIONS:
        return len(destinations(view, menu.ticket))
    lengths = {
        LOG: 1 + max(public.windows, len(public.log)),  # the start is above window 1
        DETECTIVES: len(public.order),
        **game_ui(public).pages(public),
    }
    return max(1, lengths.get(menu.page, 1))


def _select(menu: Menu, view: MrXView) -> tuple[Menu, Action | None]:
    if menu.page == DESTINATIONS:
        path = (menu.ticket, destinations(view, menu.ticket)[menu.cursor])
        return menu.to(HOME), _action_at(view, path)
    if menu.page == HOME:
        return _open(menu, view)
    return menu, None


def _action_at(view: MrXView, path: tuple[str | int | None, ...]) -> Action | None:
    """Return the action for a complete list of chosen items, or None if another item has to follow."""
    return next((action for action in view.choices.value if _path(action) == path), None)


def _open(menu: Menu, view: MrXView) -> tuple[Menu, Action | None]:
    """Open the home page's item under the cursor. Return the menu, and the chosen action, if any."""
    item = items(menu, view)[menu.cursor]
    if item == NEW:
        return menu, None
    if item == LOG:
        return menu.to(LOG, len(view.public.log)), None  # start at the newest entry
    if item in _readable_pages(view, phone=menu.phone):
        return menu.to(item), None
    action = _action_at(view, (item,))
    return (menu.to(DESTINATIONS, 0, item), None) if action is None else (menu.to(HOME), action)


def _home(menu: Menu, view: MrXView) -> Menu:
    """Return the home page with the cursor on the page that was just closed."""
    shown = items(menu, view)
    opened = menu.ticket if menu.page == DESTINATIONS else menu.page
    return replace(menu.to(HOME, shown.index(opened)), item=opened) if opened in shown else menu.to(HOME)
