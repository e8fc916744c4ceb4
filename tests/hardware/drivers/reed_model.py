"""Model contacts and diodes between mock pins: a matrix solved as a circuit, and single contacts to ground."""

from __future__ import annotations

from typing import Any, Literal

from gpiozero.pins.mock import MockFactory, MockPin

from tests.hardware.drivers.loose_pins import LooseFactory, LoosePin

Diodes = Literal["none", "right", "wrong"]
"""The diodes: none, with their cathodes to the rows (right), or with their cathodes to the columns (wrong)."""


class _RowPin(LoosePin):
    """A pin that counts conflicts with other outputs each time it is driven."""

    def __init__(self, factory: LooseFactory, info: Any, *, matrix: Matrix) -> None:
        self.matrix = matrix
        super().__init__(factory, info)

    def _set_state(self, value: float) -> None:
        super()._set_state(value)
        self.matrix.look_for_fights()


class _ColumnPin(LoosePin):
    """A pin that reads the level that the circuit gives it."""

    def __init__(self, factory: LooseFactory, info: Any, *, matrix: Matrix) -> None:
        self.matrix = matrix
        super().__init__(factory, info)

    def _get_state(self) -> bool:
        super()._get_state()
        return self.matrix.column_is_high(self)


class Matrix:
    """A matrix soldered to mock pins.

    Attributes:
        closed: the crossings (row, column), from 0, whose contacts are closed.
        fights: how often a row that is driven low was connected to one that is driven high.
    """

    def __init__(self, rows: list[int], columns: list[int], diodes: Diodes) -> None:
        self.closed: set[tuple[int, int]] = set()
        self.fights = 0
        self.diodes = diodes
        self.factory = LooseFactory()
        self.rows = [self.factory.pin(row, pin_class=_RowPin, matrix=self) for row in rows]
        self.columns = [self.factory.pin(column, pin_class=_ColumnPin, matrix=self) for column in columns]

    def column_is_high(self, pin: MockPin) -> bool:
        """Return the level of a column: high by its pull-up, unless current can flow from it into a low row.

        If outputs are in conflict, the low one wins here, which is the worst case.
        """
        assert pin.pull == "up", "a column floats without its pull-up"
        reached = self._reached_from(("column", self.columns.index(pin)))
        return not any(kind == "row" and self._driven(n) is False for kind, n in reached)

    def look_for_fights(self) -> None:
        """Count a conflict if current can flow from a high row into a low one."""
        for n in range(len(self.rows)):
            if self._driven(n):
                reached = self._reached_from(("row", n))
                self.fights += any(kind == "row" and self._driven(m) is False for kind, m in reached)

    def _driven(self, row: int) -> bool | None:
        pin = self.rows[row]
        return pin._state if pin.function == "output" else None

    def _reached_from(self, start: tuple[str, int]) -> set[tuple[str, int]]:
        """Return the wires into which current can flow from `start`."""
        reached, edge = {start}, [start]
        while edge:
            kind, n = edge.pop()
            if kind == "column" and self.diodes != "wrong":
                further = {("row", row) for row, column in self.closed if column == n}
            elif kind == "row" and self.diodes != "right":
                further = {("column", column) for row, column in self.closed if row == n}
            else:
                further = set()
            edge += further - reached
            reached |= further
        return reached


class GroundedContacts:
    """Single contacts between mock pins and ground.

    Attributes:
        closed: BCM GPIO numbers whose contact is closed.
    """

    def __init__(self) -> None:
        self.closed: set[int] = set()
        contacts = self

        class Pin(MockPin):
            def _get_state(self) -> bool:
                assert self.pull == "up", "a contact to ground needs a pull-up"
                return self._number not in contacts.closed

        self.factory = MockFactory(pin_class=Pin)
