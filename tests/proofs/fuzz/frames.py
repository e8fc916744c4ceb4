"""Bytes on the Pico's serial line, to both of its ends: noise costs one frame at most, and never counts as one.

Another implementation of COBS and Python's own CRC decide what a frame is.
"""

from __future__ import annotations

import binascii
from collections.abc import Iterator
from contextlib import contextmanager

from cobs import cobs

from hardware.drivers.pico import Counters, PicoSession
from hardware.drivers.shift_register import SENTINEL, ShiftRegisterSwitches
from hardware.firmware.frames import ACK, HELLO, KINDS, LIMIT, PROTOCOL, REPORT, TROUBLE, WELCOME, encode
from hardware.firmware.host_link import HostLink
from hardware.ports import DeviceLost
from tests.proofs.fuzz.target import BrokenPromise, Target, Try

CHIPS = 4
LENGTH = CHIPS + 2
"""Bytes that the host asks for: the chain, and some beyond its end."""

_WELCOME = encode(WELCOME, 0, bytes((PROTOCOL, 1, 0, 0)) + (8 * LENGTH).to_bytes(2, "big") + b"pico")
_OPEN = b"\xff" * (CHIPS - 1) + bytes((SENTINEL,)) + b"\0\0"
_HELLO = encode(HELLO, 0, bytes((PROTOCOL, LENGTH)))


def _truly(stream: bytes) -> list[tuple[int, int, bytes]]:
    """Return the true frames in a stream that ends with a delimiter."""
    found = []
    for piece in stream.split(b"\0"):
        try:
            body = cobs.decode(piece)
        except cobs.DecodeError:
            continue
        sound = len(body) >= 7 and binascii.crc32(body[:-4]) == int.from_bytes(body[-4:], "big")
        if sound and body[0] in KINDS and len(piece) <= LIMIT:
            found.append((body[0], int.from_bytes(body[1:3], "big"), body[3:-4]))
    return found


class _Host:
    """The host's end, and a Pico that has just received its hello."""

    def __call__(self, data: bytes) -> bool:
        session = PicoSession(LENGTH, 0.0, Counters())
        session.receive(_WELCOME, 0.0)
        for place in range(0, len(data), 64):  # as it comes: in pieces
            session.receive(data[place : place + 64], 0.1)
        session.receive(b"\0", 0.1)
        frames = _truly(data + b"\0")
        if not session.report and not any(kind in (REPORT, TROUBLE, WELCOME) for kind, _, _ in frames):
            self._still_hears(session)
            return False
        if session.report and (session.report not in {payload for kind, _, payload in frames if kind == REPORT}):
            raise BrokenPromise(f"noise was taken for the report {session.report!r}")
        self._read(session)
        session.receive(_WELCOME, 0.2)
        self._still_hears(session)
        return True

    def _still_hears(self, session: PicoSession) -> None:
        answer = session.receive(encode(REPORT, 7, _OPEN), 0.2)
        if session.report != _OPEN or answer != encode(ACK, 7, b""):
            raise BrokenPromise("after the noise a sound report is not heard")

    def _read(self, session: PicoSession) -> None:
        """Run the chain's driver on the reports: it must be lost, or read a chain that ends in its sentinel."""
        chain = ShiftRegisterSwitches(
            8 * (CHIPS - 1), spi=_Chain(session.report), load=_Chain(b""), chips=CHIPS, sentinel=SENTINEL, mode=2
        )
        try:
            closed = chain.read()
        except DeviceLost:
            return
        bits = "".join(f"{byte:08b}" for byte in session.report)
        wanted = sum(1 << place for place, bit in enumerate(bits[: 8 * (CHIPS - 1)]) if bit == "0")
        if closed != wanted or bits[8 * (CHIPS - 1) : 8 * CHIPS] != f"{SENTINEL:08b}":
            raise BrokenPromise(f"{session.report!r} was read as {closed:#x}")


class _Chain:
    """A bus and its load, which give the same bytes every time."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def transfer(self, data: bytes) -> bytes:
        return self._data[: len(data)]

    def write(self, data: bytes) -> None:
        del data

    def pulse(self) -> None:
        pass

    def close(self) -> None:
        pass


def _pico(data: bytes) -> bool:
    """Try an input at the Pico's end."""
    link = HostLink(b"pico")
    for place in range(0, len(data), 64):
        link.receive(data[place : place + 64], 10)
        link.send(bytes(link.length), 10)
    greeted = [frame for frame in _truly(data + b"\0") if frame[0] == HELLO]
    if link.length and not greeted:
        raise BrokenPromise("noise was taken for a hello")
    link.receive(b"\0" + _HELLO, 20)
    if not link.send(_OPEN, 20).startswith(_WELCOME[:4]) or link.length != LENGTH:
        raise BrokenPromise("after the noise a hello is not heard")
    return bool(greeted)


@contextmanager
def _opened() -> Iterator[Try]:
    host = _Host()

    def both(data: bytes) -> bool:
        return host(data) | _pico(data)

    yield both


TARGET = Target(
    "frames",
    seeds=[
        encode(REPORT, 1, _OPEN),
        encode(REPORT, 2, b"\xfe" + _OPEN[1:]) + encode(REPORT, 3, _OPEN),
        _WELCOME,
        encode(TROUBLE, 0, "OSError: ä".encode()),
        _HELLO + encode(ACK, 1, b""),
        _HELLO[:5] + encode(HELLO, 0, bytes((PROTOCOL, 255))),
        b"\0" * 20 + b"x" * 400,
    ],
    words=[bytes((kind,)) for kind in KINDS] + [b"\0", b"\x03", b"\0\0", _HELLO, _WELCOME],
    open=_opened,
)
