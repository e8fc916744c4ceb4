"""Define and pack the entries of a tape: everything between a program and its devices, in order.

A *pass* is one turn of the program's loop. In it the program reads the clock, the contacts and the keys, and shows
frames and pictures; each of these is an entry. Most passes are like the one before: only the time differs, by a few
microseconds. So three columns are stored separately, which a compressor then shrinks to almost nothing: the types of
the entries, a byte each; the deviation of each time; and every other change. Frames and pictures are stored as the
bytes that differ from the last one.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hardware.ports import HardwareError

TRACKS = ("switches", "keys", "lamps", "handset", "display", "power", "store")
SWITCHES, KEYS, LAMPS, HANDSET, DISPLAY, POWER, STORE = TRACKS
"""The tracks: a table's devices and the store of entries, of which only "not yet" is recorded.

Add a new one at the end, or older tapes cannot be read.
"""

PERIOD = 5000
"""Microseconds expected between two passes: 200 a second. Other intervals take more bytes."""

LONGEST = 1 << 24
"""The most bytes of a frame, picture, text or block on a tape."""


class TapeError(HardwareError):
    """An error that keeps a tape from being written or read."""


class BadTape(TapeError, ValueError):
    """The file is not a tape, is damaged, or is of a newer version. The message says which."""


@dataclass(frozen=True, slots=True)
class Note:
    """A named text about the whole session, before its first pass, or about a pass, at its beginning."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class LoopPass:
    """The start of a pass."""


@dataclass(frozen=True, slots=True)
class Now:
    """A reading of the clock, in microseconds."""

    microseconds: int


@dataclass(frozen=True, slots=True)
class Wall:
    """A reading of the wall clock, in seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Drawn:
    """A request for random bits, and the number returned."""

    bits: int
    number: int


@dataclass(frozen=True, slots=True)
class Written:
    """An attempt to write durably, and the reason if it failed, or ""."""

    trouble: str


@dataclass(frozen=True, slots=True)
class Sample:
    """A reading of contacts or keys: bit *i* for input *i*."""

    track: str
    mask: int


@dataclass(frozen=True, slots=True)
class Shown:
    """The bytes of a frame or picture that was sent to a device, or None for dark."""

    track: str
    content: bytes | None


@dataclass(frozen=True, slots=True)
class ReadyAnswer:
    """A device's answer whether it is ready, or which trouble it has."""

    track: str
    yes: bool


@dataclass(frozen=True, slots=True)
class Lost:
    """The message of a device's loss or trouble."""

    track: str
    words: str


@dataclass(frozen=True, slots=True)
class End:
    """The end of a recording that was stopped, not interrupted."""


Entry = Note | LoopPass | Now | Wall | Drawn | Written | Sample | Shown | ReadyAnswer | Lost | End
"""Any entry on a tape."""

_NOTE, _PASS, _NOW, _WALL, _DRAWN, _WRITTEN, _END = range(7)
_SAME, _NEW, _DARK, _READY, _BUSY, _LOST = range(6)
_FIRST = 8  # the types of the first track begin here, eight per track
_BASE = {track: _FIRST + 8 * place for place, track in enumerate(TRACKS)}
_DIFFERENT = re.compile(rb"[^\0]+")


class Packer:
    """A packer of entries. `block` returns the entries so far."""

    def __init__(self) -> None:
        self._kinds, self._times, self._rest = bytearray(), bytearray(), bytearray()
        self._expected = self._time = 0
        self._masks = dict.fromkeys(TRACKS, 0)
        self._contents: dict[str, bytes | None] = dict.fromkeys(TRACKS)

    def block(self) -> bytes:
        """Return all entries since the last block as one block. Unpacking it needs all blocks before it."""
        parts = (_varint(len(self._kinds)), _varint(len(self._times)), self._kinds, self._times, self._rest)
        block = b"".join(parts)
        self._kinds, self._times, self._rest = bytearray(), bytearray(), bytearray()
        return block

    def put(self, entry: Entry) -> None:
        """Pack any entry."""
        match entry:
            case Note(name, text):
                self._add(_NOTE, _text(name) + _text(text))
            case LoopPass():
                self.begin_pass()
            case Now(microseconds):
                self.now(microseconds)
            case Wall(seconds):
                self._add(_WALL, struct.pack("<d", seconds))
            case Drawn(bits, number):
                self._add(_DRAWN, _varint(bits) + _varint(number))
            case Written(trouble):
                self._add(_WRITTEN, _text(trouble))
            case Sample(track, mask):
                self.sample(track, mask)
            case Shown(track, content):
                self.shown(track, content)
            case ReadyAnswer(track, yes):
                self._kinds.append(_BASE[track] + (_READY if yes else _BUSY))
            case Lost(track, words):
                self._add(_BASE[track] + _LOST, _text(words))
            case End():
                self._kinds.append(_END)

    # ---- entries of every pass ----

    def begin_pass(self) -> None:
        """Pack a `LoopPass`."""
        self._kinds.append(_PASS)
        self._expected = self._time + PERIOD

    def now(self, microseconds: int) -> None:
        """Pack a `Now`."""
        late = microseconds - self._expected
        if 0 <= late < 64:
            self._times.append(late << 1)
        else:
            self._times += _varint(late << 1 if late >= 0 else (-late << 1) - 1)
        self._time = self._expected = microseconds
        self._kinds.append(_NOW)

    def sample(self, track: str, mask: int) -> None:
        """Pack a `Sample`."""
        changed = mask ^ self._masks[track]
        if not changed:
            self._kinds.append(_BASE[track])
            return
        self._masks[track] = mask
        self._add(_BASE[track] + _NEW, _varint(changed))

    def shown(self, track: str, content: bytes | None) -> None:
        """Pack a `Shown`."""
        if content is None:
            self._kinds.append(_BASE[track] + _DARK)
            return
        before = self._contents[track]
        if content == before:
            self._kinds.append(_BASE[track])
            return
        self._contents[track] = content
        self._add(_BASE[track] + _NEW, _patches(before, content))

    def _add(self, kind: int, rest: bytes) -> None:
        """Append the value and then the type.

        In this order, everywhere, an interruption leaves no entry without its value.
        """
        self._rest += rest
        self._kinds.append(kind)


class Unpacker:
    """An unpacker of entries, block after block."""

    def __init__(self) -> None:
        self._expected = self._time = 0
        self._samples = {track: Sample(track, 0) for track in TRACKS}
        self._showns: dict[str, Shown] = {}
        self._known = {kind: self._of_track(track, kind - base) for track, base in _BASE.items()
                       for kind in range(base, base + 6)}  # fmt: skip

    def entries(self, block: bytes) -> Iterator[Entry]:
        """Yield the entries of a block, of a bad block those before the error.

        Raises:
            BadTape: no `Packer` of this version creates such a block.
        """
        try:
            yield from self._entries(_Bytes(block))
        except (IndexError, UnicodeError, OverflowError, MemoryError, struct.error):
            raise BadTape("an entry is malformed") from None

    def _entries(self, rest: _Bytes) -> Iterator[Entry]:
        kinds, times = rest.varint(), rest.varint()
        kinds_column, self._times = rest.take(kinds), _Bytes(rest.take(times))
        for kind in kinds_column:
            if kind == _PASS:
                self._expected = self._time + PERIOD
                yield _A_PASS
            elif kind == _NOW:
                yield self._now()
            elif kind in self._known:
                yield self._known[kind](rest)
            else:
                yield _other(kind, rest)

    def _now(self) -> Now:
        code = self._times.varint()
        self._time = self._expected = self._expected + (-(code + 1 >> 1) if code & 1 else code >> 1)
        return Now(self._time)

    def _of_track(self, track: str, what: int) -> Callable[[_Bytes], Entry]:
        """Return the function that reads an entry of a track from the bytes that follow."""
        is_input = track in (SWITCHES, KEYS)
        dark, ready, busy = Shown(track, None), ReadyAnswer(track, yes=True), ReadyAnswer(track, yes=False)
        match what:
            case 0:
                return (lambda _: self._samples[track]) if is_input else lambda _: self._showns.get(track, dark)
            case 1:
                return (lambda rest: self._sample(track, rest)) if is_input else lambda rest: self._shown(track, rest)
            case 2:
                return lambda _: dark
            case 3:
                return lambda _: ready
            case 4:
                return lambda _: busy
            case _:
                return lambda rest: Lost(track, rest.text())

    def _sample(self, track: str, rest: _Bytes) -> Sample:
        self._samples[track] = sample = Sample(track, self._samples[track].mask ^ rest.varint())
        return sample

    def _shown(self, track: str, rest: _Bytes) -> Shown:
        before = self._showns.get(track)
        self._showns[track] = shown = Shown(track, rest.patched(None if before is None else before.content))
        return shown


_A_PASS = LoopPass()


def _other(kind: int, rest: _Bytes) -> Entry:
    """Read an entry of a rare type."""
    match kind:
        case 0:
            return Note(rest.text(), rest.text())
        case 3:
            return Wall(struct.unpack("<d", rest.take(8))[0])
        case 4:
            return Drawn(rest.varint(), rest.varint())
        case 5:
            return Written(rest.text())
        case 6:
            return End()
    raise BadTape(f"an entry is of the unknown kind {kind}; a newer yardboard may read it")


class _Bytes:
    def __init__(self, content: bytes) -> None:
        self._content = content
        self._at = 0

    def take(self, count: int) -> bytes:
        self._at += count
        if self._at > len(self._content):
            raise IndexError
        return self._content[self._at - count : self._at]

    def varint(self) -> int:
        content, at = self._content, self._at
        number = shift = 0
        while (byte := content[at]) & 0x80:
            number |= (byte & 0x7F) << shift
            shift, at = shift + 7, at + 1
        self._at = at + 1
        return number | byte << shift

    def text(self) -> str:
        return self.take(self.varint()).decode("utf-8", "surrogatepass")

    def patched(self, before: bytes | None) -> bytes:
        length, count = self.varint(), self.varint()
        if length > LONGEST:
            raise IndexError
        content = bytearray(_like(before, length))
        at = 0
        for _ in range(count):
            at += self.varint()
            run = self.take(self.varint())
            if at + len(run) > length:
                raise IndexError
            content[at : at + len(run)] = run
            at += len(run)
        return bytes(content)


def _like(before: bytes | None, length: int) -> bytes:
    """Return the content to compare a new one with: the last one if it has that length, else zeros."""
    return before if before is not None and len(before) == length else bytes(length)


def _patches(before: bytes | None, after: bytes) -> bytes:
    """Pack the places where `after` differs from `before`, and its bytes there."""
    old = _like(before, len(after))
    differing = (int.from_bytes(old, "big") ^ int.from_bytes(after, "big")).to_bytes(len(after), "big")
    runs, at, out = 0, 0, bytearray()
    for run in _DIFFERENT.finditer(differing):
        start, end = run.span()
        out += _varint(start - at) + _varint(end - start) + after[start:end]
        runs, at = runs + 1, end
    return _varint(len(after)) + _varint(runs) + bytes(out)


def _text(text: str) -> bytes:
    coded = text.encode("utf-8", "surrogatepass")
    return _varint(len(coded)) + coded


def _varint(number: int) -> bytes:
    """Pack a whole number, at least 0: seven bits a byte, the lowest first, the eighth set if more follow."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)
