"""Describe and draw the table menu, which covers the public display.

A picture is mode "1", 128 by 64; `lines` returns the same page as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from PIL import Image

from firmware_host.system.language import gettext, gettext_noop
from firmware_host.ui.drawing.screen_text import (
    BAR_HEIGHT,
    DIGITS,
    HEIGHT,
    SMALL,
    WIDTH,
    Mark,
    Rectangle,
    centred,
    centred_text,
    code_marks,
    left_aligned,
    paint,
    small_bar,
    truncate,
)

TABLE_MENU_PAGES = ("list", "address", "owner", "ask_off", "off", "simulated", "failed")
LIST, ADDRESS, OWNER, ASK_OFF, OFF, SIMULATED, FAILED = TABLE_MENU_PAGES
"""The pages: the rows, the address of the table's pages, the code for the owner's page, and the way to power off."""

CLOSE = "close"
"""The last row of the list; the other rows are pages."""

_ROWS = {
    ADDRESS: gettext_noop("Address of the table"),
    OWNER: gettext_noop("Code for the owner"),
    ASK_OFF: gettext_noop("Power off"),
    CLOSE: gettext_noop("Close"),
}
_TEXTS = {
    ASK_OFF: gettext_noop("Switch the table off? The game is kept.\nCONFIRM: yes\nBACK: no"),
    OFF: gettext_noop("Wait until the green light of the Raspberry Pi has gone out. Then pull the plug."),
    SIMULATED: gettext_noop("This table is simulated: nothing is switched off."),
    FAILED: gettext_noop("The table cannot be switched off here. The log says why."),
}
_WIDE = WIDTH - 2
_CODE_WIDTH = WIDTH - HEIGHT - 4  # beside a code


@dataclass(frozen=True, slots=True)
class TableAddress:
    """The address at which browsers find the table's pages.

    Attributes:
        url: the address, such as "http://192.168.178.34:8199/".
        name: the address with the machine's network name, such as "http://yardboard.local:8199/".
        code: the rows of a QR code with the address, see `screen_text.code_marks`; empty if the address is too long.
        has_owner: whether there is a page for the owner.
    """

    url: str
    name: str
    code: tuple[str, ...]
    has_owner: bool


@dataclass(frozen=True, slots=True)
class TableMenuScreen:
    """The content of the display while it shows the table menu.

    Attributes:
        page: one of `TABLE_MENU_PAGES`.
        rows: the rows of the list.
        cursor: the row under the cursor.
        is_held: whether BACK is still held; after some time this powers the machine off.
        address: the address of the table's pages, if they are served.
        owner_code: the code that lets a browser into the owner's page, or "" until there is one.
    """

    page: str
    rows: tuple[str, ...]
    cursor: int
    is_held: bool
    address: TableAddress | None
    owner_code: str = field(repr=False)


def draw(screen: TableMenuScreen) -> Image.Image:
    """Draw the menu's page as a picture of mode "1"."""
    return paint(layout(screen))


def layout(screen: TableMenuScreen) -> list[Mark]:
    """Return the words and rectangles that make up the menu's page."""
    if screen.page == ADDRESS and screen.address is not None:
        return [*_address(screen.address)]
    if screen.page == LIST:
        return [*_list(screen)]
    if screen.page == OWNER:
        return [*_owner(screen)]
    text = gettext(_TEXTS[screen.page])
    return [*small_bar(gettext(_ROWS[ASK_OFF])), *centred_text(text, 1, BAR_HEIGHT + 1, _WIDE, HEIGHT - BAR_HEIGHT - 1)]


def lines(screen: TableMenuScreen) -> list[str]:
    """Return the menu's page as lines of text, none of them shortened."""
    if screen.page == ADDRESS and screen.address is not None:
        return [screen.address.url, screen.address.name]
    if screen.page == LIST:
        rows = [f"{'>' if row == screen.cursor else ' '} {_row(name)}" for row, name in enumerate(screen.rows)]
        return [gettext("Table menu"), *rows, *_hint(screen).split("\n")]
    if screen.page == OWNER:
        return [gettext(_ROWS[OWNER]), screen.owner_code, _owner_page(screen), _validity()]
    return [gettext(_ROWS[ASK_OFF]), *gettext(_TEXTS[screen.page]).split("\n")]


def break_address(text: str, width: int) -> str:
    """Break an address before dots, colons, slashes and hyphens, if possible into lines no wider than `width`."""
    done = [""]
    for part in re.split(r"(?=[.:/-])", text):
        if done[-1] and SMALL.width(done[-1] + part) > width:
            done.append("")
        done[-1] += part
    return "\n".join(done)


def _row(name: str) -> str:
    return gettext(_ROWS[name])


def _hint(screen: TableMenuScreen) -> str:
    return gettext("Keep holding to power off") if screen.is_held else gettext("BACK: next row\nCONFIRM: choose")


def _list(screen: TableMenuScreen) -> Iterator[Mark]:
    yield from small_bar(gettext("Table menu"))
    y = BAR_HEIGHT + 1
    for row, name in enumerate(screen.rows):
        chosen = row == screen.cursor
        if chosen:
            yield Rectangle(0, y, WIDTH, BAR_HEIGHT)
        yield left_aligned(4, y + 1, truncate(_row(name), SMALL, WIDTH - 6), SMALL, ink=0 if chosen else 1)
        y += BAR_HEIGHT
    yield from centred_text(_hint(screen), 1, y + 1, _WIDE, HEIGHT - y - 1)


def _address(address: TableAddress) -> Iterator[Mark]:
    shown = [one.removeprefix("http://").rstrip("/") for one in (address.url, address.name)]
    if not address.code:
        yield from small_bar("Yardboard")
        text = "\n".join(break_address(one, _WIDE) for one in shown)
        yield from centred_text(text, 1, BAR_HEIGHT + 1, _WIDE, HEIGHT - BAR_HEIGHT - 1)
        return
    yield from code_marks(address.code, "Yardboard", "\n".join(break_address(one, _CODE_WIDTH) for one in shown))


def _owner_page(screen: TableMenuScreen) -> str:
    return "" if screen.address is None else f"{screen.address.url}owner"


def _owner(screen: TableMenuScreen) -> Iterator[Mark]:
    yield from small_bar(gettext(_ROWS[OWNER]))
    yield centred(WIDTH // 2, BAR_HEIGHT + 2, screen.owner_code, DIGITS)
    y = BAR_HEIGHT + DIGITS.height + 3
    page = break_address(_owner_page(screen).removeprefix("http://"), _WIDE)
    yield from centred_text(f"{page}\n{_validity()}", 1, y, _WIDE, HEIGHT - y)


def _validity() -> str:
    return gettext("Valid for 5 minutes")
