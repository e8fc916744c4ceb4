"""Turn the key presses and pawn moves of many pages into those at one simulated table."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection

from firmware_host.simulator.simulated_table import SimulatedTable, SimulatedTableError
from hardware.sim import SimulatedHardware

SAMPLES = 6
"""The shortest press in samples: keys bounce, and three equal samples must follow each other."""

AHEAD = 8
"""How many presses and releases of one key may wait for earlier ones."""


class KeyInput:
    """Holds which page presses which key. Only that page can release it.

    A click may press and release within a moment, or both may arrive at once over a slow line, with a second one right
    behind. So each press lasts at least `SAMPLES` scans, and so does each pause, as with a real finger.

    Args:
        table: the table with the keys.
        hz: scans a second.
    """

    def __init__(self, table: SimulatedHardware, hz: float) -> None:
        self._table, self._shortest = table, round(SAMPLES * 1_000_000 / hz)
        self._on: dict[str, int] = {}
        self._waiting: dict[str, deque[bool]] = {}
        self._due: dict[str, int] = {}

    def press(self, page: int, key: str) -> None:
        """Press a key.

        Raises:
            ParlourError: there is no such key, it is held already, or too much is waiting.
        """
        if key not in self._table.keys.names:
            raise SimulatedTableError(f"there is no key {key!r}; keys are {', '.join(self._table.keys.names)}")
        if key in self._on:
            raise SimulatedTableError(f"{key} is held down already")
        if len(self._waiting.get(key, ())) >= AHEAD:
            raise SimulatedTableError(f"{key}: more presses than a finger can make; slow down")
        self._on[key] = page
        self._waiting.setdefault(key, deque()).append(True)

    def release(self, page: int, key: str) -> None:
        """Release a key.

        Raises:
            ParlourError: this page does not hold it.
        """
        if self._on.get(key) != page:
            raise SimulatedTableError(f"{key} is not held down by this page")
        del self._on[key]
        self._waiting.setdefault(key, deque()).append(False)

    def leave(self, page: int) -> None:
        """Release all keys that a page holds."""
        for key in [key for key, holder in self._on.items() if holder == page]:
            self.release(page, key)

    def move(self) -> None:
        """Carry out what is due now."""
        now = self._table.clock.microseconds  # whole numbers: a press lasts as long at any hour
        for key, waiting in list(self._waiting.items()):
            if now < self._due.get(key, now):
                continue
            (self._table.hold if waiting.popleft() else self._table.release)(key)
            self._due[key] = now + self._shortest
            if not waiting:
                del self._waiting[key]


NEAR = 16.0
"""A pawn that is let go so near to a station, in mm, stands on it: London's closest stations lie 14 mm apart."""

FASTEST = 3.0
"""How fast a hand can be, in mm a millisecond: a pawn that is told to be elsewhere still slides there."""

DRAG_MS, DROP_MS = 20.0, 15.0
"""Milliseconds that a pawn takes to where a page has dragged it, and to where it is let go, if that is near."""


class PawnInput:
    """Which page slides which pawn over the board, and what becomes of it. Only that page can go on with it.

    Places are shares of the board's width and height, as pages know them.

    Args:
        simulated: the room in which the table stands; another table there needs other grips.
    """

    def __init__(self, simulated: SimulatedTable) -> None:
        self._simulated = simulated
        self._table: SimulatedHardware = simulated.table
        width = simulated.config.board.width_mm
        self._size = width, width / simulated.config.network.aspect
        self._on: dict[str, int] = {}

    @property
    def held(self) -> Collection[str]:
        """The pawns that pages slide over the board now."""
        return self._on.keys()

    def box(self) -> list[str]:
        """The pawns of the game that are not on the board."""
        on_board = self._table.points()
        return [pawn for pawn in self._of_game() if pawn not in on_board]

    def pawns(self) -> dict[str, dict[str, object]]:
        """Every pawn on the board: its place x, y, the station `at` which it stands or None, and whether it is held."""
        stations, (width, height) = self._table.where(), self._size
        return {
            pawn: {
                "x": round(x / width, 4),
                "y": round(y / height, 4),
                "at": stations[pawn],
                "held": pawn in self._on,
            }
            for pawn, (x, y) in self._table.points().items()
        }

    def drag(self, page: int, pawn: str, x: float, y: float) -> None:
        """A hand slides a pawn to a place, or sets it on the board there and keeps hold of it.

        Raises:
            ParlourError: there is no such pawn in this game, or another page has hold of it.
        """
        self._take(page, pawn)
        self._slide(pawn, (x * self._size[0], y * self._size[1]))

    def put(self, page: int, pawn: str, x: float, y: float) -> None:
        """A hand lets go of a pawn at a place: on the station near it, on the bare board, or beside the board.

        A pawn that stood elsewhere and was not slid is lifted there first.

        Raises:
            ParlourError: there is no such pawn in this game, or another page has hold of it.
        """
        table, place = self._table, (x * self._size[0], y * self._size[1])
        slid = pawn in self._on
        self._take(page, pawn)
        del self._on[pawn]
        on_board = pawn in table.points()
        if on_board and not (slid and 0 <= x <= 1 and 0 <= y <= 1):
            table.pick_up(pawn)
            on_board = False
        if not (0 <= x <= 1 and 0 <= y <= 1):
            return
        places = table.places
        nearest = min(places, key=lambda number: math.dist(places[number], place))
        if math.dist(places[nearest], place) > NEAR or nearest not in self._simulated.daemon.sheet.network.stations:
            self._slide(pawn, place)
            table.let_go(pawn)
        elif on_board:
            table.let_go(pawn, nearest, max(DROP_MS, self._ms(pawn, places[nearest])))
        else:
            table.put(nearest, pawn)

    def lift(self, page: int, pawn: str) -> None:
        """A hand takes a pawn off the board.

        Raises:
            ParlourError: there is no such pawn in this game, or another page has hold of it.
            SimError: it is not on the board.
        """
        self._take(page, pawn)
        del self._on[pawn]
        self._table.pick_up(pawn)

    def leave(self, page: int) -> None:
        """Lets go of all pawns that a page slides: they rest where they are."""
        for pawn in [pawn for pawn, holder in self._on.items() if holder == page]:
            del self._on[pawn]
            self._table.let_go(pawn)

    def _take(self, page: int, pawn: str) -> None:
        if self._on.setdefault(pawn, page) != page:
            raise SimulatedTableError(f"{pawn} is in another hand")
        if pawn not in self._of_game() and pawn not in self._table.points():
            del self._on[pawn]
            raise SimulatedTableError(
                f"{pawn!r} is no pawn of this game; it has {', '.join(self._of_game()) or 'none'}"
            )

    def _of_game(self) -> Collection[str]:
        view = self._simulated.daemon.referee.public
        return () if view is None else (*view.order, *view.fugitives)

    def _slide(self, pawn: str, to: tuple[float, float]) -> None:
        self._table.pull(pawn, to, max(DRAG_MS, self._ms(pawn, to)))

    def _ms(self, pawn: str, to: tuple[float, float]) -> float:
        """How long the fastest hand takes to bring a pawn to a place."""
        return math.dist(self._table.points().get(pawn, to), to) / FASTEST
