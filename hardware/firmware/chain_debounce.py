"""Debounce all contacts of the chain of 74HC165 chips at once."""


class ChainDebounce:
    """A debouncer: a contact has settled after three equal samples in a row.

    It works on the whole chain as one int, and only while something changes. An idle board costs one comparison of
    bytes a sample, however many contacts it has.

    Args:
        length: bytes of a sample, at least 1.

    Attributes:
        sample: the buffer for the newest sample, filled before each `settle`.
    """

    def __init__(self, length: int) -> None:
        self.sample = bytearray(length)
        self._settled = b""
        self._stable = 0
        self._calm = False
        self._older = 0
        self._old = 0

    def settle(self) -> bytes:
        """Process `sample`, and return the settled contacts. The first sample counts as settled."""
        if self._calm and self.sample == self._settled:
            return self._settled
        new = int.from_bytes(self.sample, "big")
        if not self._settled:
            self._older = self._old = self._stable = new
        moving = (self._older ^ self._old) | (self._old ^ new)
        self._stable = new ^ ((new ^ self._stable) & moving)
        self._older, self._old = self._old, new
        self._calm = not moving
        self._settled = self._stable.to_bytes(len(self.sample), "big")
        return self._settled
