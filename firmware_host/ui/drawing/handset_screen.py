"""Draw the pages of Mister X's handset as one-bit pictures of 128 by 64 pixels. Pure.

`handset_pages.lines` converts the same pages to text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PIL import Image

from firmware_host.system.language import gettext_noop
from firmware_host.ui import handset_menu as menus
from firmware_host.ui.drawing import screen_text
from firmware_host.ui.drawing.screen_text import (
    BAR_HEIGHT,
    DIGITS,
    HEIGHT,
    SMALL,
    TEXT,
    TITLE_HEIGHT,
    WIDTH,
    Font,
    Mark,
    Rectangle,
    Word,
    centred,
    centred_text,
    fit_line,
    fits,
    left_aligned,
    paint,
    right_aligned,
    small_bar,
    title_bar,
    truncate,
)
from firmware_host.ui.handset_page_kinds import ChoicePage, Columns, Ending, Listing, Notice, Page, ScanPage

_NUMBER_WIDTH = 3 * 16 + 2 * 2  # three huge figures
_LIST_X = 56
_LIST_WIDTH = WIDTH - _LIST_X
_TRACK = 4  # a scroll bar's width with its margin
_LIST_ROWS = 5
_STATUS_HEIGHT = 24
_TALL_STATUS_HEIGHT = 27  # three lines; the list below needs less room
_TEXT_HEIGHT = 18  # above a full-width list
_GRID = 18  # the height of a grid's cells
_CELLS = 6  # cells in a line; fewer grow no wider

COVER = Notice(gettext_noop("Mister X"), gettext_noop("Hold PEEK\nto look"))
"""The page shown while nobody holds PEEK, in English. It contains nothing secret."""


def draw(page: Page) -> Image.Image:
    """Draw a page as a picture, which is as secret as the page."""
    return paint(layout(page))


def blank() -> Image.Image:
    """Return the picture of a dark screen."""
    return paint(())


def layout(page: Page) -> list[Mark]:
    """Return the words and rectangles that make up a page."""
    match page:
        case ChoicePage():
            return [*_draw_number(page), *_draw_choices(page)]
        case Columns():
            return list(_table(page))
        case Ending():
            return list(_ending(page))
        case Listing():
            return list(_listing(page))
        case Notice(title, text):
            return [*(title_bar(title, 0, WIDTH) if title else ()), *_text_below(title, text, HEIGHT)]
        case ScanPage(code, title, text):
            return list(screen_text.code_marks(code, title, text))


def _draw_number(page: ChoicePage) -> Iterator[Mark]:
    """Yield the left half of a page: a station in digits readable at arm's length, and a few words."""
    width = _NUMBER_WIDTH
    yield centred(width // 2, 1, truncate(page.header, SMALL, width), SMALL)
    if DIGITS.covers(page.number) and DIGITS.width(page.number) <= width:
        yield centred(width // 2, 13, page.number, DIGITS)
    else:
        font, number = fit_line(page.number, width)
        yield centred(width // 2, 20, number, font)
    yield centred(width // 2, 43, truncate(page.note, SMALL, width), SMALL)
    if page.warned:
        yield Rectangle(0, 53, width, 11)
    yield centred(width // 2, 55, truncate(page.hint, SMALL, width), SMALL, ink=0 if page.warned else 1)


@dataclass(frozen=True, slots=True)
class _Place:
    """The place of a row of a list on the screen."""

    row: int
    x: int
    y: int
    width: int
    height: int


def _draw_choices(page: ChoicePage) -> Iterator[Mark]:
    """Yield the right half of a page: who moves, and a list with a cursor."""
    top, per_column = 0, _LIST_ROWS
    if page.status:
        width, height = _LIST_WIDTH - 2, _STATUS_HEIGHT
        if not fits(page.status, SMALL, width, height):
            height = _TALL_STATUS_HEIGHT
        top, per_column = height + 1, 3
        yield from centred_text(page.status, _LIST_X, 0, width, height)
    in_columns = bool(page.rows) and len(page.rows[0]) == 1 and page.rows[0][0].isdecimal()
    places, bar = _places(len(page.rows), page.cursor or 0, top, per_column, in_columns=in_columns)
    yield from bar
    for place in places:
        yield from _draw_choice(page.rows[place.row], place, at_cursor=place.row == page.cursor)


def _draw_choice(row: tuple[str, ...], place: _Place, *, at_cursor: bool) -> Iterator[Mark]:
    ink = 1
    if at_cursor:
        yield Rectangle(place.x, place.y, place.width, place.height)
        ink = 0
    if len(row) == 1 and row[0].isdecimal():
        font, number = fit_line(row[0], place.width - 2)
        middle = place.x + place.width // 2
        yield right_aligned(middle + TEXT.width("000") // 2, place.y + 2, number, font, ink)
        return
    font, count = fit_line(row[1] if len(row) > 1 else "", place.width // 2)
    yield right_aligned(place.x + place.width - 1, place.y + 1, count, font, ink)
    font, name = fit_line(row[0], place.width - 3 - (font.width(count) + 2 if count else 0))
    yield left_aligned(place.x + 2, place.y + 1, name, font, ink)


def _places(count: int, cursor: int, top: int, per_column: int, *, in_columns: bool) -> tuple[list[_Place], list[Mark]]:
    """Return the places of the visible rows, and a scroll bar if there are more rows.

    A list in two columns runs down the first, then down the second, and scrolls by whole columns.
    """
    columns = 2 if in_columns and count > per_column else 1
    visible = per_column * columns
    scrolls = count > visible
    step = per_column if columns == 2 else 1
    first = _first_visible(-(-count // step), cursor // step, visible // step) * step
    width = (_LIST_WIDTH - (_TRACK if scrolls else 0)) // columns
    ys = _row_tops(top, HEIGHT, per_column)
    places = [
        _Place(row, _LIST_X + place // per_column * width, ys[place % per_column], width, _high(ys, place % per_column))
        for place, row in enumerate(range(first, min(first + visible, count)))
    ]
    return places, _scroll_bar(top, first, visible, count) if scrolls else []


def _first_visible(count: int, cursor: int, visible: int) -> int:
    """Return the number of the first visible row, chosen to keep the cursor near the middle."""
    return max(0, min(cursor - visible // 2, count - visible))


def _row_tops(top: int, bottom: int, rows: int) -> list[int]:
    """Divide a height into equal rows. Return the top of each row, and the end of the last."""
    return [top + -(-row * (bottom - top) // rows) for row in range(rows + 1)]


def _high(tops: Sequence[int], row: int) -> int:
    return tops[row + 1] - tops[row]


def _scroll_bar(top: int, first: int, visible: int, count: int) -> list[Mark]:
    """Return a scroll bar at the right edge: a thin line that is thick beside the visible rows."""
    height = HEIGHT - top
    thumb = max(4, min(visible, count - first) * height // count)
    begin = min(top + first * height // count, HEIGHT - thumb)
    return [Rectangle(WIDTH - 2, top, 1, height), Rectangle(WIDTH - 3, begin, 3, thumb)]


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of a table, `width` pixels wide. Its text begins at `x`, or ends there if `to_the_right`."""

    font: Font
    x: int
    width: int
    to_the_right: bool = False

    def mark(self, y: int, text: str, ink: int, font: Font | None = None) -> Word:
        if font is None:
            font = self.font if self.font.width(text) <= self.width else SMALL
        text = truncate(text, font, self.width)
        return (right_aligned if self.to_the_right else left_aligned)(self.x, y, text, font, ink)


_TABLES = {
    menus.LOG: (
        11,
        4,
        (
            _Column(TEXT, 16, 16, to_the_right=True),
            _Column(TEXT, 20, 50),
            _Column(TEXT, 95, 24, to_the_right=True),
            _Column(SMALL, 98, 24),
        ),
    ),
    menus.DETECTIVES: (
        BAR_HEIGHT,
        5,
        (
            _Column(SMALL, 2, 36),
            _Column(TEXT, 60, 24, to_the_right=True),
            _Column(TEXT, 81, 16, to_the_right=True),
            _Column(TEXT, 102, 16, to_the_right=True),
            _Column(TEXT, 123, 16, to_the_right=True),
        ),
    ),
}
"""Table -> the height of its title, the number of visible rows, and its columns."""

_TWO_COLUMNS = BAR_HEIGHT, 5, (_Column(SMALL, 2, 58), _Column(TEXT, 62, 60))
"""The same for tables that only one game has: a column of names, and one of words."""


def _table(page: Columns) -> Iterator[Mark]:
    title_height, visible, columns = _TABLES.get(page.name, _TWO_COLUMNS)
    yield Rectangle(0, 0, WIDTH, title_height)
    title_y = (title_height - 7) // 2
    yield left_aligned(2, title_y, page.title, SMALL, ink=0)
    for column, head in zip(columns, page.heads, strict=True):
        yield column.mark(title_y, head, 0, SMALL)
    first = _first_visible(len(page.rows), page.cursor, visible)
    scrolls = len(page.rows) > visible
    if scrolls:
        yield from _scroll_bar(title_height + 1, first, visible, len(page.rows))
    tops = _row_tops(title_height, HEIGHT, visible)
    for place, row in enumerate(range(first, min(first + visible, len(page.rows)))):
        at_cursor = scrolls and row == page.cursor
        if at_cursor:
            yield Rectangle(0, tops[place], WIDTH - _TRACK, _high(tops, place))
        for column, cell in zip(columns, page.rows[row], strict=True):
            y = tops[place] + (2 if column.font is SMALL or visible < 5 else 1)
            yield column.mark(y, cell, 0 if at_cursor else 1)


def _ending(page: Ending) -> Iterator[Mark]:
    """Yield the words and rectangles of the page about the end: who won, why, and tabs at the bottom."""
    tabs = list(_tabs(page))
    foot = HEIGHT - _TAB * (1 + max(line for line, *_ in tabs))
    if page.title:
        yield from title_bar(page.title, 0, WIDTH)
    yield from _text_below(page.title, page.text, foot)
    for place, (line, x, width) in enumerate(tabs):
        y = foot + line * _TAB
        if place == page.cursor:
            yield Rectangle(x, y, width, _TAB)
        yield left_aligned(x + 2, y + 2, page.rows[place][0], SMALL, ink=0 if place == page.cursor else 1)


_TAB = 11  # the height of a tab


def _tabs(page: Ending) -> Iterator[tuple[int, int, int]]:
    """Yield the line, left edge and width of each tab. Tabs continue on further lines."""
    line = x = 0
    for row in page.rows:
        width = SMALL.width(row[0]) + 4
        if x + width > WIDTH:
            line, x = line + 1, 0
        yield line, x, width
        x += width + 2


def _listing(page: Listing) -> Iterator[Mark]:
    """Yield the words and rectangles of a page with a title bar, perhaps a text, and rows or a grid."""
    yield from small_bar(page.title)
    top = BAR_HEIGHT + 1
    if page.text:
        top += _TEXT_HEIGHT
        yield from centred_text(page.text, 1, BAR_HEIGHT + 1, WIDTH - 2, _TEXT_HEIGHT)
    if page.across:
        yield from _grid(page)
        return
    visible = 3 if page.text else 4
    first = _first_visible(len(page.rows), page.cursor, visible)
    scrolls = len(page.rows) > visible
    if scrolls:
        yield from _scroll_bar(top, first, visible, len(page.rows))
    width = WIDTH - (_TRACK if scrolls else 0)
    tops = _row_tops(top, HEIGHT, visible)
    for n, row in enumerate(range(first, min(first + visible, len(page.rows)))):
        place = _Place(row, 0, tops[n], width, _high(tops, n))
        yield from _draw_choice(page.rows[row], place, at_cursor=row == page.cursor)


def _grid(page: Listing) -> Iterator[Mark]:
    """Yield a page's rows as cells of a few letters side by side, at the bottom of the screen."""
    width = WIDTH // max(page.across, _CELLS)
    begin = (WIDTH - width * page.across) // 2
    top = HEIGHT - _GRID * -(-len(page.rows) // page.across)
    for place, row in enumerate(page.rows):
        line, column = divmod(place, page.across)
        x, y = begin + column * width, top + line * _GRID
        if place == page.cursor:
            yield Rectangle(x, y, width, _GRID)
        font, text = fit_line(row[0], width - 2)
        yield centred(x + width // 2, y + 4, text, font, ink=0 if place == page.cursor else 1)


def _text_below(title: str, text: str, bottom: int) -> list[Mark]:
    """Return the words of a text, centred between the title (or the top of the screen) and a lower edge."""
    top = TITLE_HEIGHT + 1 if title else 0
    return centred_text(text, 1, top, WIDTH - 2, bottom - top)
