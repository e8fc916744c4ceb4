"""Join several devices of keys into one."""

from __future__ import annotations

from hardware.ports import BadDevice, Keys


class JoinedKeys:
    """Several devices of keys as one. Implements the `Keys` port.

    Args:
        parts: the devices; their names follow each other, and a shared name is one key, held down while it is held down
            on either.

    Raises:
        BadDevice: there is no part.
    """

    def __init__(self, *parts: Keys) -> None:
        if not parts:
            raise BadDevice("keys: there is nothing to join; give at least one device of keys")
        self._parts = parts
        self.names = tuple(dict.fromkeys(name for part in parts for name in part.names))
        self._bits = tuple(tuple(1 << self.names.index(name) for name in part.names) for part in parts)

    def read(self) -> int:
        """Return one raw sample, as `Keys.read`. If one of the devices is lost, all are."""
        held = 0
        for part, bits in zip(self._parts, self._bits, strict=True):
            sample = part.read()
            if sample:
                for key, bit in enumerate(bits):
                    if sample >> key & 1:
                        held |= bit
        return held

    def close(self) -> None:
        """Close every device. May be called twice."""
        for part in self._parts:
            part.close()
