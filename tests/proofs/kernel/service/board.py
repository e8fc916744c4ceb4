"""The board of config/london-spi.toml from its far side: what is visible on it, and hands that touch it."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from threading import Event, Lock, Thread

from firmware_host.config import shipped_files
from firmware_host.config.loader import load
from hardware.drivers.neopixels import LOW, encode
from tests.hardware.drivers.oled_model import Ssd1309
from tests.proofs.kernel.guest.machine import LONG, Bus, Panel, chain, ground, supply, wait_for

_LAYOUT = load(shipped_files.folder() / "london-spi.toml").layout

LAMPS = 199 + 24
STATIONS = frozenset(_LAYOUT.station_lamps)
"""The lamps of the stations."""

DARK = bytes(128 * 64 // 8)

_INPUTS = dict(zip(_LAYOUT.station_lamps, _LAYOUT.switch_inputs, strict=True))

SELECT, PEEK = 25, 6
"""Two of Mister X's keys."""

SETTLED = 0.2
"""Seconds after which his screen shows all that a key changed. No finger is back sooner either."""

_CODE = 12
_OUT = encode(bytes(3))[len(LOW) : len(LOW) + _CODE]


class Board:
    """Everything visible on the board, from its creation on. Create it before the daemon starts.

    A thread observes it, because the far ends of the buses remember only a limited amount.
    """

    def __init__(self) -> None:
        self._strip = Bus("spi0")
        self._handset = Panel(Bus("i2c1"))
        self._display = Panel(Bus("i2c3"), Ssd1309(seed=2))
        self._lit: frozenset[int] | None = None
        self._lock = Lock()
        self._closed = Event()
        self._eyes = Thread(target=self._watch)
        self._eyes.start()

    @property
    def lit(self) -> frozenset[int] | None:
        """Return the lit lamps, numbered from 0; None before the first frame."""
        with self._lock:
            for message in self._strip.heard():
                codes = (message.data[len(LOW) + _CODE * lamp :][:_CODE] for lamp in range(LAMPS))
                self._lit = frozenset(lamp for lamp, code in enumerate(codes) if code != _OUT)
            return self._lit

    @property
    def handset(self) -> bytes:
        """Return Mister X's picture."""
        with self._lock:
            return self._handset.look()

    @property
    def display(self) -> bytes:
        """Return the public picture."""
        with self._lock:
            return self._display.look()

    def shone(self, seconds: float) -> frozenset[int]:
        """Return the lamps that are lit at any time within `seconds`."""
        lit: frozenset[int] = frozenset()
        for _ in range(int(seconds / 0.02)):
            lit |= self.lit or frozenset()
            time.sleep(0.02)
        return lit

    def goes_dark(self, seconds: float = LONG) -> dict[str, float]:
        """Wait until lamps, handset and display have been dark. Return how many seconds each took."""
        begun = time.monotonic()
        with self._lock:
            self._strip.heard()
            self._lit = None
        left = {
            "lamps": lambda: self.lit == frozenset(),
            "handset": lambda: self.handset == DARK,
            "display": lambda: self.display == DARK,
        }
        took: dict[str, float] = {}

        def look() -> bool:
            for name in [name for name, dark in left.items() if dark()]:
                took[name] = time.monotonic() - begun
                del left[name]
            return not left

        wait_for(look, "everything has been dark", seconds, every=0.02)
        return took

    @contextmanager
    def held(self, key: int) -> Iterator[None]:
        """Hold one of Mister X's keys down. His screen shows what follows before this yields, and after it ends."""
        before = self.handset
        ground(key)
        try:
            wait_for(lambda: self.handset != before, f"the handset has taken the key on GPIO {key}")
            time.sleep(SETTLED)
            yield
        finally:
            supply(key)
            time.sleep(SETTLED)

    def close(self) -> None:
        """Stop observing."""
        self._closed.set()
        self._eyes.join()

    def _watch(self) -> None:
        while not self._closed.wait(1.0):
            _ = self.lit, self.handset, self.display


def stand(lamps: Collection[int]) -> None:
    """Put pawns at these lamps and no others."""
    with closing(Bus("spi6")) as wire:
        wire.lay_out(chain({_INPUTS[lamp] for lamp in lamps}))
