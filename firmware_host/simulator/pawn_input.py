"""Turn the dragging of many pages into moves of pawns at one simulated table."""

from __future__ import annotations

import math
from collections.abc import Collection

from firmware_host.simulator.simulated_table import Parlour, ParlourError
from hardware.sim import SimTable

NEAR = 16.0
"""How near to a station, in mm, a released pawn stands on it: London's closest stations are 14 mm apart."""

FASTEST = 3.0
"""The greatest speed of a hand in mm a millisecond: a pawn sent elsewhere still slides there."""

DRAG_MS, DROP_MS = 20.0, 15.0
"""Milliseconds that a pawn takes to where a page dragged it, and to where it is released, if that is near."""


class Grips:
    """Holds which page slides which pawn over the board, and carries out the slides. Only that page can continue one.

    Places are shares of the board's width and height, as pages know them.

    Args:
        parlour: the simulator with the table; another table in it needs another instance.
    """

    def __init__(self, parlour: Parlour) -> None:
        self._parlour = parlour
        self._table: SimTable = parlour.table
        width = parlour.config.board.width_mm
        self._size = width, width / parlour.config.network.aspect
        self._on: dict[str, int] = {}

    @property
    def held(self) -> Collection[str]:
        """Return the pawns that pages slide over the board now."""
        return self._on.keys()

    def box(self) -> list[str]:
        """Return the pawns of the game that are not on the board."""
        on_board = self._table.points()
        return [pawn for pawn in self._of_game() if pawn not in on_board]

    def pawns(self) -> dict[str, dict[str, object]]:
        """Return every pawn on the board.

        Each has its place x, y, the station `at` which it stands or None, and whether it is held.
        """
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
        """Slide a pawn to a place, or set it on the board there, and keep hold of it.

        Raises:
            ParlourError: there is no such pawn in this game, or another page has hold of it.
        """
        self._take(page, pawn)
        self._slide(pawn, (x * self._size[0], y * self._size[1]))

    def put(self, page: int, pawn: str, x: float, y: float) -> None:
        """Release a pawn at a place: on the station near it, on the bare board, or beside the board.

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
        if math.dist(places[nearest], place) > NEAR or nearest not in self._parlour.daemon.sheet.network.stations:
            self._slide(pawn, place)
            table.let_go(pawn)
        elif on_board:
            table.let_go(pawn, nearest, max(DROP_MS, self._ms(pawn, places[nearest])))
        else:
            table.put(nearest, pawn)

    def lift(self, page: int, pawn: str) -> None:
        """Take a pawn off the board.

        Raises:
            ParlourError: there is no such pawn in this game, or another page has hold of it.
            SimError: the pawn is not on the board.
        """
        self._take(page, pawn)
        del self._on[pawn]
        self._table.pick_up(pawn)

    def leave(self, page: int) -> None:
        """Release all pawns that a page slides: they rest where they are."""
        for pawn in [pawn for pawn, holder in self._on.items() if holder == page]:
            del self._on[pawn]
            self._table.let_go(pawn)

    def _take(self, page: int, pawn: str) -> None:
        if self._on.setdefault(pawn, page) != page:
            raise ParlourError(f"{pawn} is in another hand")
        if pawn not in self._of_game() and pawn not in self._table.points():
            del self._on[pawn]
            raise ParlourError(f"{pawn!r} is no pawn of this game; it has {', '.join(self._of_game()) or 'none'}")

    def _of_game(self) -> Collection[str]:
        view = self._parlour.daemon.referee.public
        return () if view is None else (*view.order, *view.fugitives)

    def _slide(self, pawn: str, to: tuple[float, float]) -> None:
        self._table.pull(pawn, to, max(DRAG_MS, self._ms(pawn, to)))

    def _ms(self, pawn: str, to: tuple[float, float]) -> float:
        """Return the milliseconds that the fastest hand needs to bring a pawn to a place."""
        return math.dist(self._table.points().get(pawn, to), to) / FASTEST
