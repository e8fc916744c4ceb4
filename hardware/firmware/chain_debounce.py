"""Debounce the chain of 74HC165 chips as a whole."""


class ChainDebounce:
    """A debouncer: a contact has settled once three samples in a row say the same of it.

    Works on the whole chain held in one int, and not even that while nothing moves: a board on which nothing
    happens costs one comparison of bytes a sample, however many contacts it has.

    Args:
        length: bytes of a sample, at least 1.

    Attributes:
        sample: put the newest sample here before each `settle`.
    """

    def __init__(self, length: int) -> None:
        self.sample = bytearray(length)
        self._settled = b""
        self._stable = 0
        self._calm = False
        self._older = 0
        self._old = 0

    def settle(self) -> bytes:
        """Take `sample` into account, and return the settled contacts. The first sample is taken as it is."""
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
