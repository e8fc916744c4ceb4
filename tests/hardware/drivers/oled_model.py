"""Model OLED panels by their data sheets, from commands and data to visible dots. Knows nothing of luma.

Sources: Solomon Systech SSD1306 rev. 1.1 and SSD1309 rev. 1.0 (chapters 8 "functional block", 9 "command table", 10
"command descriptions"); Sino Wealth SH1106 V2.3 ("commands"). A command that lacks its arguments keeps waiting for
them whatever happens on the bus, the worst that the sheets allow (SH1106, "set contrast control register": no other
command can be used until the data has come).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, ClassVar

from PIL import Image

WIDTH, HEIGHT, PAGES = 128, 64, 8


class Glass(ABC):
    """One panel: a controller, its memory, and 128 by 64 dots.

    The glass is mounted as on all common modules: its top line is the highest COM, its left column the highest SEG,
    and its lines are wired alternately to both halves of the COMs (COM pins 0x12).

    Attributes:
        memory: the display memory, page by page.
        strangers: first bytes that are not commands of this chip.
        drawn: how many bytes have gone into the memory.
        on_byte: called after every byte.
    """

    arguments: ClassVar[Mapping[int, int]]
    columns: ClassVar[int]
    margin: ClassVar[int]  # SEGs on either side that no dot is wired to

    def __init__(self, seed: int = 0) -> None:
        self.memory = bytearray(PAGES * self.columns)
        self.strangers: set[int] = set()
        self.drawn = 0
        self.on_byte: Callable[[], None] = lambda: None
        self.power_up(seed)

    def power_up(self, seed: int) -> None:
        """Restore the power after a while: noise in the memory, all else as after a reset."""
        self.memory[:] = Random(seed).randbytes(len(self.memory))
        self.reset()

    def reset(self) -> None:
        """Reset by the RES line or by power. The memory stays as it is."""
        self.on = self.inverse = self.all_lit = False
        self.remapped = self.downwards = False
        self.start_line = self.offset = 0
        self.lines = HEIGHT
        self.com_pins = 0x12
        self.contrast = 0x7F
        self.column = self.page = 0
        self._waiting: tuple[int, ...] = ()

    def command(self, byte: int) -> None:
        self._waiting += (byte,)
        first, *arguments = self._waiting
        if len(arguments) == self.arguments.get(first, 0):
            self._waiting = ()
            if not self._obey(first, arguments):
                self.strangers.add(first)
        self.on_byte()

    def data(self, byte: int) -> None:
        self.memory[self.page * self.columns + self.column] = byte
        self.drawn += 1
        self._advance()
        self.on_byte()

    def seen(self) -> Image.Image:
        """Return the visible picture."""
        return self.latent() if self.on and self._has_light() else Image.new("1", (WIDTH, HEIGHT))

    def latent(self) -> Image.Image:
        picture = Image.new("1", (WIDTH, HEIGHT))
        dots = picture.load()
        assert dots is not None
        for y in range(HEIGHT):
            line = y if self.com_pins == 0x12 else y // 2 + y % 2 * 32
            com = HEIGHT - 1 - line
            row = self.lines - 1 - com if self.downwards else com
            if not 0 <= row < self.lines:
                continue
            page, bit = divmod((row + self.start_line + self.offset) % HEIGHT, 8)
            for x in range(WIDTH):
                seg = WIDTH - 1 - x + self.margin
                column = self.columns - 1 - seg if self.remapped else seg
                stored = self.memory[page * self.columns + column] >> bit & 1
                dots[x, y] = self.all_lit or bool(stored) != self.inverse
        return picture

    def registers(self) -> dict[str, Any]:
        """Return the whole state except the memory and the place of the next byte."""
        held = {"memory", "strangers", "drawn", "on_byte", "column", "page", "columns_used", "pages_used"}
        return {name: value for name, value in vars(self).items() if name not in held}

    def _has_light(self) -> bool:
        return True

    @abstractmethod
    def _advance(self) -> None:
        """Move on to the place of the next byte of the picture."""

    def _obey(self, first: int, arguments: list[int]) -> bool:
        """Carry out a command that all three chips have. Return False for an unknown one."""
        if 0x40 <= first <= 0x7F:
            self.start_line = first & 0x3F
        elif first in {0xA0, 0xA1}:
            self.remapped = first == 0xA1
        elif first in {0xA4, 0xA5}:
            self.all_lit = first == 0xA5
        elif first in {0xA6, 0xA7}:
            self.inverse = first == 0xA7
        elif first in {0xAE, 0xAF}:
            self.on = first == 0xAF
        elif first & 0xF0 == 0xC0:
            self.downwards = bool(first & 0x08)
        elif first == 0x81:
            self.contrast = arguments[0]
        elif first == 0xA8:
            self.lines = (arguments[0] & 0x3F) + 1
        elif first == 0xD3:
            self.offset = arguments[0] & 0x3F
        elif first == 0xDA:
            self.com_pins = arguments[0]
        else:
            return first in {0xD5, 0xD9, 0xDB, 0xE3}  # oscillator, pre-charge, VCOMH, no operation
        return True


class Ssd1306(Glass):
    """SSD1306: it has three modes of addressing, and a charge pump that must be switched on."""

    columns = 128
    margin = 0
    arguments: ClassVar[Mapping[int, int]] = {
        **dict.fromkeys((0x20, 0x81, 0x8D, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1),
        **dict.fromkeys((0x21, 0x22, 0xA3), 2),
        **dict.fromkeys((0x29, 0x2A), 5),
        **dict.fromkeys((0x26, 0x27), 6),
    }

    def reset(self) -> None:
        super().reset()
        self.addressing = 2
        self.columns_used = (0, self.columns - 1)
        self.pages_used = (0, PAGES - 1)
        self.pump = False
        self.scrolling = False

    def _has_light(self) -> bool:
        return self.pump

    def _advance(self) -> None:
        if self.addressing == 1:
            if self._next_page():
                self._next_column()
        elif self._next_column() and self.addressing == 0:
            self._next_page()

    def _next_column(self) -> bool:
        """Go to the next column. Return True at the end of the range."""
        left, right = self.columns_used if self.addressing != 2 else (0, self.columns - 1)
        end = self.column == right
        self.column = left if end else (self.column + 1) % self.columns
        return end

    def _next_page(self) -> bool:
        """Go to the next page. Return True at the end of the range."""
        top, bottom = self.pages_used
        end = self.page == bottom
        self.page = top if end else (self.page + 1) % PAGES
        return end

    def _obey(self, first: int, arguments: list[int]) -> bool:
        if first <= 0x1F or 0xB0 <= first <= 0xB7:
            if self.addressing == 2:
                self._go_to(first)
        elif first == 0x20:
            self.addressing = arguments[0] & 3
        elif first == 0x21:
            self.columns_used = (arguments[0] & 0x7F, arguments[1] & 0x7F)
            self.column = self.columns_used[0]
        elif first == 0x22:
            self.pages_used = (arguments[0] & 7, arguments[1] & 7)
            self.page = self.pages_used[0]
        elif first == 0x8D:
            self.pump = bool(arguments[0] & 0x04)
        elif first in {0x2E, 0x2F}:
            self.scrolling = first == 0x2F
        else:
            # 0x26 to 0x2A and 0xA3 say how it would scroll.
            return first in {0x26, 0x27, 0x29, 0x2A, 0xA3} or super()._obey(first, arguments)
        return True

    def _go_to(self, first: int) -> None:
        """Carry out the commands of page addressing: low and high half of the column, and page."""
        if first <= 0x0F:
            self.column = self.column & 0x70 | first
        elif first <= 0x1F:
            self.column = (first & 7) << 4 | self.column & 0x0F
        else:
            self.page = first & 7


class Ssd1309(Ssd1306):
    """SSD1309: like an SSD1306, but its voltage comes from outside, and it can be locked."""

    arguments: ClassVar[Mapping[int, int]] = {
        **{byte: n for byte, n in Ssd1306.arguments.items() if byte != 0x8D},
        0xFD: 1,
    }

    def reset(self) -> None:
        super().reset()
        self.locked = False

    def _has_light(self) -> bool:
        return True

    def _obey(self, first: int, arguments: list[int]) -> bool:
        if first == 0xFD:
            self.locked = arguments[0] == 0x16
            return True
        if self.locked:
            return True
        return first != 0x8D and super()._obey(first, arguments)


class Sh1106(Glass):
    """SH1106: 132 columns, of which the middle 128 are visible. A page is written only from left to right."""

    columns = 132
    margin = 2
    arguments = dict.fromkeys((0x81, 0xA8, 0xAD, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1)

    def reset(self) -> None:
        super().reset()
        self.converter = True

    def _has_light(self) -> bool:
        return self.converter

    def _advance(self) -> None:
        self.column = min(self.column + 1, self.columns - 1)

    def _obey(self, first: int, arguments: list[int]) -> bool:
        if first <= 0x0F:
            self.column = min(self.column & 0xF0 | first, self.columns - 1)
        elif first <= 0x1F:
            self.column = min((first & 0x0F) << 4 | self.column & 0x0F, self.columns - 1)
        elif 0xB0 <= first <= 0xB7:
            self.page = first & 7
        elif first == 0xAD:
            self.converter = arguments[0] & 1 == 1
        elif first in {0xE0, 0xEE} or 0x30 <= first <= 0x33:
            pass  # read-modify-write and its end, which concern reading; the pump's voltage
        else:
            return super()._obey(first, arguments)
        return True
