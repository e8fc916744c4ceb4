"""Convert samples of the switches from the order of inputs to the order of spots."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.config.board_layout import BoardLayout, BoardLayoutError


class InputMapping:
    """The order of the spots for samples of switches.

    Args:
        inputs: each spot's input, `BoardLayout.switch_inputs`.
        count: how many inputs the device has; inputs without a spot are ignored.

    Raises:
        BoardLayoutError: a spot's input does not exist on the device.
    """

    def __init__(self, inputs: Sequence[int], count: int) -> None:
        for spot, number in enumerate(inputs):
            if number >= count:
                raise BoardLayoutError(f"spot {spot} is on input {number}; the switches' inputs are 0 to {count - 1}")
        self._count = count
        self._in_order = list(inputs) == list(range(len(inputs)))
        self._spots = (1 << len(inputs)) - 1
        self._tables = () if self._in_order else _byte_tables(inputs, count)
        self._seen = self._seen_spots = 0

    def to_spots(self, mask: int) -> int:
        """Return the mask of spots for a mask of inputs.

        Costs nothing if every spot has the input of its number, and little if `mask` equals the last call's.

        Raises:
            BoardLayoutError: `mask` is negative or has bits beyond the device's inputs.
        """
        if mask == self._seen:
            return self._seen_spots
        if mask >> self._count:
            raise BoardLayoutError(f"sample {mask:#x} has bits beyond the {self._count} inputs of the switches")
        spots = mask & self._spots
        if not self._in_order:
            spots = 0
            for table, byte in zip(self._tables, mask.to_bytes(len(self._tables), "little"), strict=True):
                spots |= table[byte]
        self._seen, self._seen_spots = mask, spots
        return spots

    def stations(self, layout: BoardLayout, mask: int) -> frozenset[int]:
        """Return the stations on a mask of inputs.

        Raises:
            BoardLayoutError: as `to_spots`.
        """
        return layout.stations_in(self.to_spots(mask)) if mask else frozenset()


def _byte_tables(inputs: Sequence[int], count: int) -> tuple[list[int], ...]:
    """Return for each byte of a mask of inputs: byte -> the mask of its spots."""
    spot_bit = {number: 1 << spot for spot, number in enumerate(inputs)}
    tables = []
    for first in range(0, count, 8):
        table = [0]
        for number in range(first, first + 8):
            table += [spots | spot_bit.get(number, 0) for spots in table]
        tables.append(table)
    return tuple(tables)
