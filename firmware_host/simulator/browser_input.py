"""Apply the key presses and pawn moves of many pages to one simulated table."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection

from firmware_host.simulator.simulated_table import SimulatedTable, SimulatedTableError
from firmware_host.system.language import ENGLISH, gettext, language
from firmware_host.ui.vocabulary import pawn_name
from hardware.sim import SimulatedHardware

SAMPLES = 6
"""The shortest press in samples: keys bounce, and debouncing needs three equal samples."""

AHEAD = 16
"""The number of queued presses and releases, of the table or of the handset, from which presses are refused."""


class KeyInput:
    """The keys that pages hold down. Only the page that pressed a key can release it.

    A click may press and release a key within a moment. Over a slow line, presses and releases of several keys may
    arrive at once. So key events are played in order, and each press and each pause lasts at least `SAMPLES` scans, as
    with a real finger. The handset's keys have a queue of their own.

    Args:
        hardware: the simulated hardware with the keys.
        hz: scans of the switches and keys per second.
    """

    def __init__(self, hardware: SimulatedHardware, hz: float) -> None:
        self._hardware, self._shortest = hardware, round(SAMPLES * 1_000_000 / hz)
        self._on: dict[str, int] = {}
        self._waiting: dict[str, deque[tuple[str, bool]]] = {}  # "table" or "handset" -> keys, each down or up
        self._due: dict[str, int] = {}

    def press(self, page: int, key: str) -> None:
        """Press a key for a page.

        Raises:
            SimulatedTableError: there is no such key, the key is held already, or too many events are queued.
        """
        if key not in self._hardware.keys.names:
            raise SimulatedTableError(f"there is no key {key!r}; keys are {', '.join(self._hardware.keys.names)}")
        if key in self._on:
            raise SimulatedTableError(gettext("{key} is held down already", key=key))
        if len(self._waiting.get(_place(key), ())) >= AHEAD:
            raise SimulatedTableError(gettext("{key}: more presses than a finger can make; slow down", key=key))
        self._on[key] = page
        self._waiting.setdefault(_place(key), deque()).append((key, True))

    def release(self, page: int, key: str) -> None:
        """Release a key that a page holds.

        Raises:
            SimulatedTableError: this page does not hold the key.
        """
        if self._on.get(key) != page:
            raise SimulatedTableError(gettext("{key} is not held down by this page", key=key))
        del self._on[key]
        self._waiting.setdefault(_place(key), deque()).append((key, False))

    def leave(self, page: int) -> None:
        """Release all keys that a page holds, because the page has closed."""
        for key in [key for key, holder in self._on.items() if holder == page]:
            self.release(page, key)

    def move(self) -> None:
        """Play the queued presses and releases of keys that are due now."""
        now = self._hardware.clock.microseconds  # whole numbers: equal presses at any time
        for place, waiting in list(self._waiting.items()):
            if now < self._due.get(place, now):
                continue
            key, down = waiting.popleft()
            (self._hardware.hold if down else self._hardware.release)(key)
            self._due[place] = now + self._shortest
            if not waiting:
                del self._waiting[place]


def _place(key: str) -> str:
    return key.partition(".")[0]


NEAR = 16.0
"""Millimetres within which a released pawn stands on a station: London's closest are 14 mm apart."""

FASTEST = 3.0
"""The fastest speed of a hand, in mm per millisecond: a pawn that jumps on a page slides on the board at this speed."""

DRAG_MS, DROP_MS = 20.0, 15.0
"""The fewest milliseconds that a pawn takes to the place of a drag, and to the place of its release."""


class PawnInput:
    """The pawns that pages move over the board. Only the page that holds a pawn can move it.

    Places are fractions of the board's width and height, as pages know them.

    Args:
        simulated: the table.
    """

    def __init__(self, simulated: SimulatedTable) -> None:
        self._simulated = simulated
        self._hardware: SimulatedHardware = simulated.hardware
        width = simulated.config.board.width_mm
        self._size = width, width / simulated.config.network.aspect
        self._on: dict[str, int] = {}

    @property
    def held(self) -> Collection[str]:
        """The pawns that pages hold at present."""
        return self._on.keys()

    def box(self) -> list[str]:
        """Return the pawns of the game that are not on the board."""
        on_board = self._hardware.points()
        return [pawn for pawn in self._of_game() if pawn not in on_board]

    def pawns(self) -> dict[str, dict[str, object]]:
        """Return the place x, y of every pawn on the board, its station `at`, and whether a page holds it."""
        stations, (width, height) = self._hardware.where(), self._size
        return {
            pawn: {
                "x": round(x / width, 4),
                "y": round(y / height, 4),
                "at": stations[pawn],
                "held": pawn in self._on,
            }
            for pawn, (x, y) in self._hardware.points().items()
        }

    def drag(self, page: int, pawn: str, x: float, y: float) -> None:
        """Slide a held pawn to a place on the board, or set it down there first. The page keeps holding it.

        Raises:
            SimulatedTableError: there is no such pawn in this game, or another page holds it.
        """
        self._take(page, pawn)
        self._slide(pawn, (x * self._size[0], y * self._size[1]))

    def put(self, page: int, pawn: str, x: float, y: float) -> None:
        """Release a pawn at a place: on the station there, on the bare board, or beside the board.

        A pawn that stands elsewhere and was not dragged is lifted first.

        Raises:
            SimulatedTableError: there is no such pawn in this game, or another page holds it.
        """
        hardware, place = self._hardware, (x * self._size[0], y * self._size[1])
        slid = pawn in self._on
        self._take(page, pawn)
        del self._on[pawn]
        on_board = pawn in hardware.points()
        if on_board and not (slid and 0 <= x <= 1 and 0 <= y <= 1):
            self._simulated.lift(pawn)
            on_board = False
        if not (0 <= x <= 1 and 0 <= y <= 1):
            return
        places = hardware.places
        nearest = min(places, key=lambda number: math.dist(places[number], place))
        if math.dist(places[nearest], place) > NEAR or nearest not in self._simulated.table.layout.network.stations:
            self._slide(pawn, place)
            hardware.let_go(pawn)
        elif on_board:
            hardware.let_go(pawn, nearest, max(DROP_MS, self._ms(pawn, places[nearest])))
        else:
            hardware.put(nearest, pawn)

    def lift(self, page: int, pawn: str) -> None:
        """Take a pawn off the board for a page.

        Raises:
            SimulatedTableError: there is no such pawn in this game, or another page holds it.
            SimError: the pawn is not on the board.
        """
        self._take(page, pawn)
        del self._on[pawn]
        self._hardware.pick_up(pawn)

    def leave(self, page: int) -> None:
        """Release all pawns that a page holds, because the page has closed."""
        for pawn in [pawn for pawn, holder in self._on.items() if holder == page]:
            del self._on[pawn]
            self._hardware.let_go(pawn)

    def _take(self, page: int, pawn: str) -> None:
        if self._on.setdefault(pawn, page) != page:
            name = pawn if language() == ENGLISH else pawn_name(pawn)  # English names it as the games' files do
            raise SimulatedTableError(gettext("another player holds {pawn}", pawn=name))
        if pawn not in self._of_game() and pawn not in self._hardware.points():
            del self._on[pawn]
            raise SimulatedTableError(
                f"{pawn!r} is not a pawn of this game; pawns are {', '.join(self._of_game()) or 'none'}"
            )

    def _of_game(self) -> Collection[str]:
        view = self._simulated.table.referee.public
        return () if view is None else (*view.order, *view.fugitives)

    def _slide(self, pawn: str, to: tuple[float, float]) -> None:
        self._hardware.pull(pawn, to, max(DRAG_MS, self._ms(pawn, to)))

    def _ms(self, pawn: str, to: tuple[float, float]) -> float:
        """Return how many milliseconds the fastest hand needs to move a pawn to a place."""
        return math.dist(self._hardware.points().get(pawn, to), to) / FASTEST
