"""Pack messages for the serial line so that noise can destroy but never change them.

The Pi and the Pico both use this file. docs/serial.md describes every byte.
"""

from binascii import crc32

PROTOCOL = 1
"""Version of the protocol. Two ends with different versions do not understand each other."""

HELLO = ord("H")
"""From the host: protocol (1 byte), bytes of the chain to read (1 byte). Asks the Pico to begin."""

ACK = ord("A")
"""From either end, numbered like the report or write that has arrived. Payload: a failed write's error, else none."""

WELCOME = ord("W")
"""From the Pico: protocol (1 byte), version (3), inputs (2), its id (8), its program (1; if missing, `SWITCHES`)."""

REPORT = ord("R")
"""From the Pico, numbered: the settled chain, in the order in which it comes off the wire."""

TROUBLE = ord("T")
"""From the Pico: a fault of its own, in UTF-8."""

WRITE = ord("I")
"""From the host, numbered: an I2C address (1 byte) and the bytes to write there. Number 0 restarts the screen's bus."""

KINDS = b"HAWRTI"
"""All kinds of message. None is 3, which distinguishes a frame from a Ctrl-C."""

SWITCHES, HANDSET = b"S", b"H"
"""The programs for a Pico: one reads the switches, the other serves Mister X's handset."""

LIMIT = 300
"""The most bytes between two delimiters; more are noise."""

_BLOCK = 254
_HEAD = 3
_CHECK = 4


def stuff(data: bytes) -> bytes:
    """Return `data` without zero bytes, by consistent overhead byte stuffing (COBS).

    Every zero is replaced by the distance to the next one; the first distance comes first.
    """
    out = bytearray()
    parts = data.split(b"\0")
    last = len(parts) - 1
    for place, part in enumerate(parts):
        full = False
        while len(part) >= _BLOCK:
            out.append(_BLOCK + 1)
            out.extend(part[:_BLOCK])
            part = part[_BLOCK:]  # noqa: PLW2901 - eaten block by block
            full = True
        # A full block does not stand for a zero, so the data may end with one.
        if part or not full or place < last:
            out.append(len(part) + 1)
            out.extend(part)
    return bytes(out)


def unstuff(stuffed: bytes) -> bytes | None:
    """Return the data that `stuff` has encoded, or None if `stuffed` is noise."""
    out = bytearray()
    place = 0
    end = len(stuffed)
    while place < end:
        block = stuffed[place]
        if block == 0 or place + block > end:
            return None
        out.extend(stuffed[place + 1 : place + block])
        place += block
        if block <= _BLOCK and place < end:
            out.append(0)
    return bytes(out)


def encode(kind: int, number: int, payload: bytes) -> bytes:
    """Return a message packed as a frame for the line.

    It has a delimiter at both ends: then a corrupted byte, even a delimiter, never costs more than one frame.

    Args:
        kind: one of `KINDS`.
        number: 0 to 65535.
        payload: depends on the kind.
    """
    body = bytes((kind, number >> 8, number & 255)) + payload
    return b"\0" + stuff(body + crc32(body).to_bytes(_CHECK, "big")) + b"\0"


class FrameReader:
    """A parser that finds frames in a stream of bytes and skips noise.

    Attributes:
        spoiled: how many pieces between two delimiters were not frames.
        pending: the bytes since the last delimiter.
    """

    def __init__(self) -> None:
        self.spoiled = 0
        self.pending = bytearray()

    def take(self, data: bytes) -> list[tuple[int, int, bytes]]:
        """Process bytes. Return kind, number and payload of each frame that they complete."""
        found = []
        pieces = data.split(b"\0")
        for piece in pieces[:-1]:
            self.pending.extend(piece)
            if self.pending:
                frame = _decode(bytes(self.pending))
                if frame is None:
                    self.spoiled += 1
                else:
                    found.append(frame)
                self.pending = bytearray()
        self.pending.extend(pieces[-1])
        if len(self.pending) > LIMIT:
            self.forget()
        return found

    def forget(self) -> None:
        """Drop the bytes of an unfinished frame, because the rest of it will not come."""
        if self.pending:
            self.spoiled += 1
            self.pending = bytearray()


def _decode(stuffed: bytes) -> tuple[int, int, bytes] | None:
    """Return kind, number and payload of a frame, or None if it is noise."""
    body = unstuff(stuffed)
    if body is None or len(body) < _HEAD + _CHECK:
        return None
    if crc32(body[:-_CHECK]) != int.from_bytes(body[-_CHECK:], "big") or body[0] not in KINDS:
        return None
    return body[0], body[1] << 8 | body[2], body[_HEAD:-_CHECK]
