"""Define and pack the entries of a tape: everything that passes between a program and its devices.

A *pass* is one turn of the program's loop. In it the program reads the clock, the contacts and the keys, and shows
frames and pictures; each of these is an entry. Most passes are like the one before: only the time differs, by a few
microseconds. So three columns are stored separately, which a compressor then shrinks to almost nothing: the types of
the entries, a byte each; the deviation of each time from the expected one; and every other value. Frames and pictures
are stored as the bytes that differ from the last one. A block is these three columns in MessagePack.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from hardware.ports import HardwareError

TRACKS = ("switches", "keys", "lamps", "handset", "display", "power", "store")
SWITCHES, KEYS, LAMPS, HANDSET, DISPLAY, POWER, STORE = TRACKS
"""The tracks: a table's devices, and the store of entries, whose only recorded answer is "not yet".

Add a new track at the end, or older tapes cannot be read.
"""

PUBLIC_KEYS = "table."
"""The prefix of the names of public keys."""

PERIOD = 5000
"""Microseconds expected between two passes: 200 a second. Other intervals take more bytes."""

LONGEST = 1 << 24
"""The most bytes of a frame, picture or block on a tape."""


class TapeError(HardwareError):
    """Base class of the errors that keep a tape from being written, read or replayed."""


class BadTape(TapeError, ValueError):
    """The error that a file is not a tape, is damaged, or is of another version. The message says which."""


@dataclass(frozen=True, slots=True)
class Note:
    """A named text at the start of the tape, about the session, or at the start of a pass, about that pass."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class LoopPass:
    """The entry for the start of a pass."""


@dataclass(frozen=True, slots=True)
class Now:
    """The entry for a reading of the clock, in microseconds."""

    microseconds: int


@dataclass(frozen=True, slots=True)
class Wall:
    """The entry for a reading of the wall clock, in seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Drawn:
    """The entry for a request of random bits, with the number that was returned."""

    bits: int
    number: int


@dataclass(frozen=True, slots=True)
class Written:
    """The entry for an attempt to save something, with the reason if it failed, else ""."""

    trouble: str


@dataclass(frozen=True, slots=True)
class Sample:
    """The entry for a reading of contacts or keys. Bit *i* is input *i*."""

    track: str
    mask: int


@dataclass(frozen=True, slots=True)
class Shown:
    """The entry for a frame or picture that was sent to a device, as bytes. None turns it dark."""

    track: str
    content: bytes | None


@dataclass(frozen=True, slots=True)
class ReadyAnswer:
    """The entry for a device's answer: whether it is ready, or that it has no trouble."""

    track: str
    yes: bool


@dataclass(frozen=True, slots=True)
class Lost:
    """The entry for a device's loss or trouble, with its message."""

    track: str
    words: str


@dataclass(frozen=True, slots=True)
class End:
    """The entry for the end of a recording that was stopped on purpose."""


Entry = Note | LoopPass | Now | Wall | Drawn | Written | Sample | Shown | ReadyAnswer | Lost | End
"""Any entry on a tape."""

_NOTE, _PASS, _NOW, _WALL, _DRAWN, _WRITTEN, _END = range(7)
_SAME, _NEW, _DARK, _READY, _BUSY, _LOST = range(6)
_DAMAGED = "an entry is not valid MessagePack: the tape is damaged; copy it again, or use another tape"
_FIRST = 8  # the types of the first track begin here, eight per track
_BASE = {track: _FIRST + 8 * place for place, track in enumerate(TRACKS)}
_DIFFERENT = re.compile(rb"[^\0]+")

_Value = int | float | bytes | list[int | bytes]
_V = TypeVar("_V", int, float, bytes, list[int | bytes])
_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(tuple[bytes, list[int], list[_Value]])


class Packer:
    """A packer of entries into blocks of bytes."""

    def __init__(self) -> None:
        self._kinds, self._times, self._values = bytearray(), list[int](), list[_Value]()
        self._expected = self._time = 0
        self._masks = dict.fromkeys(TRACKS, 0)
        self._contents: dict[str, bytes | None] = dict.fromkeys(TRACKS)

    def block(self) -> bytes:
        """Return all entries since the last block as one block. To unpack it, all earlier blocks are needed."""
        block = _ENCODER.encode((self._kinds, self._times, self._values))
        self._kinds, self._times, self._values = bytearray(), [], []
        return block

    def put(self, entry: Entry) -> None:
        """Pack an entry of any type."""
        match entry:
            case Note(name, text):
                self._add(_NOTE, _encode(name), _encode(text))
            case LoopPass():
                self.begin_pass()
            case Now(microseconds):
                self.now(microseconds)
            case Wall(seconds):
                self._add(_WALL, float(seconds))
            case Drawn(bits, number):
                self._add(_DRAWN, bits, _to_bytes(number))
            case Written(trouble):
                self._add(_WRITTEN, _encode(trouble))
            case Sample(track, mask):
                self.sample(track, mask)
            case Shown(track, content):
                self.shown(track, content)
            case ReadyAnswer(track, yes):
                self._kinds.append(_BASE[track] + (_READY if yes else _BUSY))
            case Lost(track, words):
                self._add(_BASE[track] + _LOST, _encode(words))
            case End():
                self._kinds.append(_END)

    # ---- entries of every pass ----

    def begin_pass(self) -> None:
        """Pack the entry `LoopPass`."""
        self._kinds.append(_PASS)
        self._expected = self._time + PERIOD

    def now(self, microseconds: int) -> None:
        """Pack the entry `Now`."""
        self._times.append(microseconds - self._expected)
        self._time = self._expected = microseconds
        self._kinds.append(_NOW)

    def sample(self, track: str, mask: int) -> None:
        """Pack the entry `Sample`."""
        changed = mask ^ self._masks[track]
        if not changed:
            self._kinds.append(_BASE[track])
            return
        self._masks[track] = mask
        self._add(_BASE[track] + _NEW, _to_bytes(changed))

    def shown(self, track: str, content: bytes | None) -> None:
        """Pack the entry `Shown`."""
        if content is None:
            self._kinds.append(_BASE[track] + _DARK)
            return
        before = self._contents[track]
        if content == before:
            self._kinds.append(_BASE[track])
            return
        self._contents[track] = content
        self._add(_BASE[track] + _NEW, len(content), _patches(before, content))

    def _add(self, kind: int, *values: _Value) -> None:
        """Add an entry's values, followed by its type.

        Because the values come first everywhere, an interruption leaves no entry without its values.
        """
        self._values += values
        self._kinds.append(kind)


class Unpacker:
    """An unpacker of the entries in a tape's blocks, one block after another."""

    def __init__(self) -> None:
        self._expected = self._time = 0
        self._samples = {track: Sample(track, 0) for track in TRACKS}
        self._showns: dict[str, Shown] = {}
        self._readers = _READERS | {
            _BASE[track] + kind: read for track in TRACKS for kind, read in self._readers_of(track).items()
        }

    def entries(self, block: bytes) -> Iterator[Entry]:
        """Yield the entries of a block. Of a damaged block, yield those before the damage.

        Raises:
            BadTape: no `Packer` of this version creates such a block.
        """
        try:
            kinds, times, values = _DECODER.decode(block)
            yield from self._entries(kinds, iter(times), _Values(values))
        except (msgspec.DecodeError, UnicodeError, OverflowError, MemoryError):
            raise BadTape(_DAMAGED) from None

    def _entries(self, kinds: bytes, times: Iterator[int], values: _Values) -> Iterator[Entry]:
        for kind in kinds:
            if kind == _PASS:
                self._expected = self._time + PERIOD
                yield _A_PASS
            elif kind == _NOW:
                late = next(times, None)
                if late is None:
                    raise BadTape(_DAMAGED)
                self._time = self._expected = self._expected + late
                yield Now(self._time)
            elif kind in self._readers:
                yield self._readers[kind](values)
            else:
                raise BadTape(f"an entry is of the unknown kind {kind}; a newer yardboard may read it")

    def _readers_of(self, track: str) -> dict[int, _Reader]:
        """Return the function that reads each kind of entry of one device."""
        is_input = track in (SWITCHES, KEYS)
        dark, ready, busy = Shown(track, None), ReadyAnswer(track, yes=True), ReadyAnswer(track, yes=False)
        return {
            _SAME: (lambda _: self._samples[track]) if is_input else lambda _: self._showns.get(track, dark),
            _NEW: (lambda rest: self._sample(track, rest)) if is_input else lambda rest: self._shown(track, rest),
            _DARK: lambda _: dark,
            _READY: lambda _: ready,
            _BUSY: lambda _: busy,
            _LOST: lambda rest: Lost(track, rest.text()),
        }

    def _sample(self, track: str, rest: _Values) -> Sample:
        self._samples[track] = sample = Sample(track, self._samples[track].mask ^ rest.number())
        return sample

    def _shown(self, track: str, rest: _Values) -> Shown:
        before = self._showns.get(track)
        self._showns[track] = shown = Shown(track, rest.patched(None if before is None else before.content))
        return shown


_A_PASS = LoopPass()


class _Values:
    """The values of a block, which are read in order."""

    def __init__(self, values: list[_Value]) -> None:
        self._left = iter(values)

    def take(self, kind: type[_V]) -> _V:
        value = next(self._left, None)
        if not isinstance(value, kind):
            raise BadTape(_DAMAGED)
        return value

    def number(self) -> int:
        return int.from_bytes(self.take(bytes), "little")

    def text(self) -> str:
        return self.take(bytes).decode("utf-8", "surrogatepass")

    def patched(self, before: bytes | None) -> bytes:
        """Return the next frame or picture, stored as changes to `before`, the previous one. See `_patches`."""
        length, patches = self.take(int), self.take(list)
        if not 0 <= length <= LONGEST:
            raise BadTape(_DAMAGED)
        content = bytearray(_like(before, length))
        at = 0
        for patch in patches:
            if isinstance(patch, int):
                at += patch
            elif 0 <= at <= length - len(patch):
                content[at : at + len(patch)] = patch
                at += len(patch)
            else:
                raise BadTape(_DAMAGED)
        return bytes(content)


_Reader = Callable[[_Values], Entry]

_READERS: dict[int, _Reader] = {
    _NOTE: lambda rest: Note(rest.text(), rest.text()),
    _WALL: lambda rest: Wall(rest.take(float)),
    _DRAWN: lambda rest: Drawn(rest.take(int), rest.number()),
    _WRITTEN: lambda rest: Written(rest.text()),
    _END: lambda _: End(),
}
"""The functions that read rare kinds of entries from the values that follow."""


def _like(before: bytes | None, length: int) -> bytes:
    """Return the bytes with which new ones are compared: `before` if it has this length, else zeros."""
    return before if before is not None and len(before) == length else bytes(length)


def _patches(before: bytes | None, after: bytes) -> list[int | bytes]:
    """Return how `after` differs from `before`: alternately the number of equal bytes, and new bytes."""
    old = _like(before, len(after))
    differing = (int.from_bytes(old, "big") ^ int.from_bytes(after, "big")).to_bytes(len(after), "big")
    at, patches = 0, list[int | bytes]()
    for run in _DIFFERENT.finditer(differing):
        start, end = run.span()
        patches += (start - at, after[start:end])
        at = end
    return patches


def _to_bytes(number: int) -> bytes:
    """Encode a whole number that is not negative, however large."""
    return number.to_bytes((number.bit_length() + 7) // 8, "little")


def _encode(text: str) -> bytes:
    """Encode any Python text, even half a surrogate pair, which MessagePack could not encode."""
    return text.encode("utf-8", "surrogatepass")
