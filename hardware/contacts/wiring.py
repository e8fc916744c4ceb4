"""Map the inputs or lamps of a device to the spots of the board.

Boards are soldered by hand, and two swapped wires are easier to mend in a file than under the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter

from hardware.ports import BadDevice


class Wiring:
    """The wires of one device, spot by spot: the inputs of switches, or lamps.

    Args:
        count: number of spots, at least 1.
        wires: spot -> wire, both from 0; a spot that is not named has the wire of its own number.
        width: number of wires of the device; by default the number of spots.
        what: the device's name for a wire ("input", "lamp"), for messages.

    Raises:
        BadDevice: a spot or wire does not exist, or two spots share a wire; the message names them.
    """

    def __init__(
        self, count: int, wires: Mapping[int, int] | None = None, *, width: int | None = None, what: str = "input"
    ) -> None:
        self._count = count
        self._width = count if width is None else width
        self._what = what
        self._wires = self._laid(wires or {})
        self._identity = all(spot == wire for spot, wire in enumerate(self._wires))
        self._same_length = self._identity and self._width == count
        self._tables = () if self._identity else self._byte_tables()
        self._mask_of_spots = (1 << count) - 1
        self._seen = 0
        self._seen_spots = 0
        # Wires that serve no spot take the three dark bytes appended to the frame.
        spots = {wire: spot for spot, wire in enumerate(self._wires)}
        self._pick = itemgetter(
            *(3 * spots.get(wire, count) + colour for wire in range(self._width) for colour in range(3))
        )

    @property
    def count(self) -> int:
        """Return the number of spots."""
        return self._count

    @property
    def width(self) -> int:
        """Return the number of wires of the device."""
        return self._width

    @property
    def wires(self) -> tuple[int, ...]:
        """Return the wire of every spot, spot 0 first."""
        return self._wires

    def to_spots(self, mask: int) -> int:
        """Return the mask of spots for a mask of the device's inputs; inputs that serve no spot are left out.

        The result depends on `mask` alone. It costs nothing where every spot has its own input, and almost nothing when
        `mask` is that of the last call.

        Raises:
            BadDevice: `mask` is negative or has bits beyond the device's inputs.
        """
        if mask == self._seen:
            return self._seen_spots
        if mask >> self._width:
            raise BadDevice(f"wiring: sample {mask:#x} has bits beyond the {self._width} {self._what}s")
        if self._identity:
            spots = mask & self._mask_of_spots
        else:
            spots = 0
            for table, byte in zip(self._tables, mask.to_bytes(len(self._tables), "little"), strict=True):
                spots |= table[byte]
        self._seen, self._seen_spots = mask, spots
        return spots

    def frame_for_chain(self, frame: bytes) -> bytes:
        """Convert a frame from the order of the spots to the order of the device's chain. Pure.

        Args:
            frame: three bytes a spot.

        Returns:
            Three bytes a lamp of the device; lamps that serve no spot are dark.

        Raises:
            BadDevice: the frame has another length.
        """
        if len(frame) != 3 * self._count:
            raise BadDevice(
                f"wiring: a frame of {len(frame)} bytes; {self._count} spots take {3 * self._count}, three each"
            )
        if self._same_length:
            return frame
        return bytes(self._pick(frame + b"\0\0\0"))

    def _laid(self, wires: Mapping[int, int]) -> tuple[int, ...]:
        """Check the wires and return the wire of every spot."""
        if self._count < 1 or self._width < 1:
            raise BadDevice(f"wiring: {self._count} spots on {self._width} {self._what}s; both must be at least 1")
        for spot in wires:
            if not 0 <= spot < self._count:
                raise BadDevice(f"wiring: there is no spot {spot}; spots are 0 to {self._count - 1}")
        owner: dict[int, int] = {}
        for spot in range(self._count):
            wire = wires.get(spot, spot)
            if not 0 <= wire < self._width:
                raise BadDevice(
                    f"wiring: spot {spot} is on {self._what} {wire}; {self._what}s are 0 to {self._width - 1}"
                )
            if wire in owner:
                raise BadDevice(
                    f"wiring: spots {owner[wire]} and {spot} are both on {self._what} {wire}; "
                    f"give each spot {self._article()} {self._what} of its own"
                )
            owner[wire] = spot
        return tuple(owner)

    def _article(self) -> str:
        return "an" if self._what[:1] in "aeiou" else "a"

    def _byte_tables(self) -> tuple[list[int], ...]:
        """Return for each byte of a mask of inputs a table: byte -> the mask of spots that it closes."""
        spot_bit = {wire: 1 << spot for spot, wire in enumerate(self._wires)}
        tables = []
        for first in range(0, self._width, 8):
            table = [0]
            for wire in range(first, first + 8):
                table += [spots | spot_bit.get(wire, 0) for spots in table]
            tables.append(table)
        return tuple(tables)
