"""Read and write the file of a tape, which consists of blocks with a length and a checksum each.

So a torn end costs at most one block. The file begins with eight letters and the version of the format. The blocks are
compressed as one stream, which is flushed after each block. So a block can be read as soon as it is whole, and the tape
is hardly larger than without blocks. The content of a tape is secret: only its owner can read the file.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from firmware_host.recording.tape import LONGEST, BadTape, End, Entry, Note, Packer, TapeError, Unpacker
from firmware_host.system.plain_faults import writing_fault

MAGIC = b"YARDTAPE"
VERSION = 2
"""Version of the format; each tape stores its own."""

_HEAD = len(MAGIC) + 2
_FRAME = 8  # the length of the packed block, and its CRC-32


def create(path: Path) -> BinaryIO:
    """Create a file that only its owner can read, with any missing folders.

    Raises:
        TapeError: the file exists already, or cannot be created.
    """
    try:
        for folder in reversed([folder for folder in path.parents if not folder.exists()]):
            folder.mkdir(mode=0o700, exist_ok=True)
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        raise TapeError(f"{path}: exists already and is not overwritten; name another file") from None
    except OSError as error:
        raise TapeError(writing_fault(path, error)) from None
    except ValueError:
        raise TapeError(f"{path}: the name has a zero byte; name another file") from None
    return os.fdopen(number, "wb", buffering=0)


class TapeWriter:
    """A writer of a tape's file, block by block.

    Args:
        file: an empty file; `close` closes it.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._press = zlib.compressobj(9)
        self._head = MAGIC + VERSION.to_bytes(2, "big")

    def write(self, block: bytes) -> None:
        """Append a block to the file.

        Raises:
            OSError: the disk refuses; the tape so far is readable.
        """
        packed = self._press.compress(block) + self._press.flush(zlib.Z_SYNC_FLUSH)
        frame = len(packed).to_bytes(4, "big") + zlib.crc32(packed).to_bytes(4, "big")
        left = memoryview(self._head + frame + packed)
        while left:  # an unbuffered file may take only a part when the disk is almost full
            left = left[self._file.write(left) :]
        self._head = b""

    def sync(self) -> None:
        """Wait until everything written is on the disk.

        Raises:
            OSError: the disk refuses.
        """
        os.fdatasync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def write_copy(entries: Iterable[Entry], file: BinaryIO, *, most: int = 5000) -> None:
    """Write a tape with these entries, in blocks of at most `most` entries.

    Raises:
        OSError: the disk refuses.
    """
    writer, packer, count = TapeWriter(file), Packer(), 0
    for count, entry in enumerate(entries, 1):
        packer.put(entry)
        if count % most == 0:
            writer.write(packer.block())
    if count % most or not count:
        writer.write(packer.block())


class Tape:
    """A reader of a tape's file, up to its end or its first damaged block.

    Args:
        file: the file, at its beginning; the caller closes it.
        name: its name, for messages.

    Attributes:
        notes: name -> text of the notes about the whole session.
        entries: the entries after the notes; reading one may raise `BadTape`.
        broken: once all entries are read: why the tape ends early; "" if the recording was closed properly.

    Raises:
        BadTape: the file is not a tape, is of another version, or is torn or damaged at its beginning.
    """

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._file, self._name = file, name
        self.notes: dict[str, str] = {}
        self.broken = ""
        self._check_head()
        read = self._read()
        first: list[Entry] = []
        for entry in read:
            if not isinstance(entry, Note):
                first = [entry]
                break
            self.notes[entry.name] = entry.text
        if not self.notes and not first:
            raise BadTape(f"{name}: is incomplete: {self.broken or 'nothing is on it'}; use another tape")
        self.entries: Iterator[Entry] = chain(first, read)

    def _check_head(self) -> None:
        head = self._file.read(_HEAD)
        if not head:
            raise BadTape(f"{self._name}: is incomplete: the file is empty; use another tape")
        if head[: len(MAGIC)] != MAGIC[: len(head)]:
            raise BadTape(f"{self._name}: is not a tape; name a file that `yardboard record` has written")
        if len(head) < _HEAD:
            raise BadTape(f"{self._name}: is incomplete: it ends after {len(head)} bytes; use another tape")
        version = int.from_bytes(head[len(MAGIC) :], "big")
        if version != VERSION:
            age = "newer" if version > VERSION else "older"
            what = f"has the {age} version {version}; this yardboard reads {VERSION}"
            raise BadTape(f"{self._name}: {what}: replay it with the yardboard that recorded it")

    def _read(self) -> Iterator[Entry]:
        unpacker, ended = Unpacker(), False
        for number, block in enumerate(self._blocks(), 1):
            try:
                for entry in unpacker.entries(block):
                    ended = isinstance(entry, End)
                    yield entry
            except BadTape as error:
                raise BadTape(f"{self._name}: block {number}: {error}") from None
        if not ended and not self.broken:
            self.broken = "the recording was interrupted"

    def _blocks(self) -> Iterator[bytes]:
        """Yield the undamaged blocks.

        Afterwards, `broken` says whether the next block is incomplete or damaged; it is "" at the end of the file.

        Raises:
            BadTape: a block has the right checksum, but cannot be unpacked or is too long.
        """
        unpress, number = zlib.decompressobj(), 0
        while frame := self._file.read(_FRAME):
            number += 1
            length = int.from_bytes(frame[:4], "big")
            packed = self._file.read(length) if length <= LONGEST else b""
            if len(frame) < _FRAME or length > LONGEST or len(packed) < length:
                self.broken = f"it breaks off within block {number}"
                return
            if zlib.crc32(packed) != int.from_bytes(frame[4:], "big"):
                self.broken = f"it is damaged in block {number}, and unreadable from there on"
                return
            try:
                block = unpress.decompress(packed, LONGEST)
            except zlib.error:
                raise BadTape(f"{self._name}: block {number} cannot be unpacked; copy the tape again") from None
            if unpress.unconsumed_tail:
                raise BadTape(
                    f"{self._name}: block {number} is too long; yardboard never writes such a block; use another tape"
                )
            yield block
