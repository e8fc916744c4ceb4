"""Mister X's handset as a pure reducer: a key moves the cursor, opens a page or makes an action.

Four keys: up and down move the cursor round in a ring, select takes what is under it, back goes home. What may
be played comes from the view's choices alone. Each choice is a path of one step or two: a ticket and a station, or
one word such as `DOUBLE`. A menu itself holds no station, and nothing of it prints but the page that is open.
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

UP, DOWN, SELECT, BACK = KEYS = ("up", "down", "select", "back")
"""The handset's keys, without the "handset." before their names. Peek is no key of the menu's."""

PAGES = ("home", "destinations", "log", "detectives", "supply", "dice", "chips")
HOME, DESTINATIONS, LOG, DETECTIVES, SUPPLY, DICE, CHIPS = PAGES
"""The pages. `SUPPLY` is what Mister X has left, `DICE` those on the table, `CHIPS` the success chips won."""

DOUBLE, SURFACE, PASS = ("double", "surface", "pass")
"""The double move, showing himself of his own will, and going without a die: they stand among the tickets."""

NEW = "new"
"""The home page's last item: a new game. The menu does nothing with it; the handset opens its lobby."""

DICE_ROWS = 2
"""How many rows `DICE` has below those of the dice used: dice left, and dice on the log."""

_STEPS = (FREE, *TICKETS, BOAT, START, HELICOPTER, STAY, PASS, DOUBLE, SURFACE)
"""The first steps in the order in which the home page lists them."""


class MenuError(ValueError):
    """A key that the handset has not got, or an action that no key leads to. Never tells a station."""


@dataclass(frozen=True, slots=True)
class Menu:
    """Where the handset is: the page, the cursor on it, and the ticket chosen on the way to the destinations."""

    page: str = HOME
    cursor: int = field(default=0, repr=False)
    ticket: str | None = field(default=None, repr=False)


def steps(view: MrXView) -> tuple[str, ...]:
    """What Mister X can choose first now: what he pays with, takes or commits to, and what he may announce."""
    first = {path[0] for path in map(_path, view.choices.value) if path}
    return tuple(step for step in _STEPS if step in first)


def giver(view: MrXView) -> str | None:
    """The pawn from which Mister X has to take a ticket now (US-10), or None."""
    return next((action.pawn for action in view.choices.value if isinstance(action, Take)), None)


def destinations(view: MrXView, ticket: str | None) -> tuple[int, ...]:
    """Where a ticket can take him now, sorted. Secret: for the handset's screen alone."""
    choices = view.choices.value
    return tuple(sorted({a.to.value for a in choices if isinstance(a, MrXMove) and a.ticket == ticket}))


def home_items(view: MrXView) -> tuple[str, ...]:
    """What the home page lists: what he can choose now, then the pages to read, then a new game."""
    return (*steps(view), *_to_read(view), NEW)


def wants_new_game(menu: Menu, key: str, view: MrXView) -> bool:
    """Whether this key, at this menu, asks for a new game."""
    menu = settle(menu, view)
    return key == SELECT and menu.page == HOME and home_items(view)[menu.cursor] == NEW


def settle(menu: Menu, view: MrXView) -> Menu:
    """The menu, mended where the view has changed under it: no page without content, no cursor past the end."""
    if menu.page == DESTINATIONS:
        known = bool(destinations(view, menu.ticket))
    else:
        known = menu.page == HOME or menu.page in _to_read(view)
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


def _path(action: Action) -> tuple[str | int, ...]:
    """The steps that lead to one of Mister X's choices; of what is nobody's choice on the handset, none."""
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


def _to_read(view: MrXView) -> tuple[str, ...]:
    """The pages to read that have something on them."""
    public = view.public
    there = {
        LOG: public.windows > 0,
        DETECTIVES: True,
        SUPPLY: bool(public.tickets.get(MR_X)) and not public.chips,  # in the junior game all come back every round
        DICE: public.dice is not None,
        CHIPS: bool(public.chips),
    }
    return tuple(page for page, filled in there.items() if filled)


def _length(menu: Menu, view: MrXView) -> int:
    """How many places the cursor has on a page."""
    public = view.public
    if menu.page == HOME:
        return len(home_items(view))
    if menu.page == DESTINATIONS:
        return len(destinations(view, menu.ticket))
    lengths = {
        LOG: 1 + max(public.windows, len(public.log)),  # the start stands above window 1
        DETECTIVES: len(public.order),
        DICE: DICE_ROWS + (len(public.dice.used) if public.dice else 0),
    }
    return max(1, lengths.get(menu.page, 1))


def _select(menu: Menu, view: MrXView) -> tuple[Menu, Action | None]:
    if menu.page == DESTINATIONS:
        path = (menu.ticket, destinations(view, menu.ticket)[menu.cursor])
        return Menu(), _choice(view, path)
    if menu.page == HOME:
        return _open(menu, view)
    return menu, None


def _choice(view: MrXView, path: tuple[str | int | None, ...]) -> Action | None:
    """What a whole path makes; None where it goes on."""
    return next((action for action in view.choices.value if _path(action) == path), None)


def _open(menu: Menu, view: MrXView) -> tuple[Menu, Action | None]:
    """What happens when an item of the home page is selected."""
    item = home_items(view)[menu.cursor]
    if item == NEW:
        return menu, None
    if item == LOG:
        return Menu(LOG, len(view.public.log)), None  # the newest entry is what is looked for
    if item in _to_read(view):
        return Menu(item), None
    action = _choice(view, (item,))
    return (Menu(DESTINATIONS, 0, item), None) if action is None else (Menu(), action)


def _home(menu: Menu, view: MrXView) -> Menu:
    """The home page, the cursor on what had been opened."""
    items = home_items(view)
    opened = menu.ticket if menu.page == DESTINATIONS else menu.page
    return Menu(HOME, items.index(opened) if opened in items else 0)
