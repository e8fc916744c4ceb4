"""A tape's file: whose it is, and what is left of it after a power cut."""

from __future__ import annotations

import errno
import io
import stat
import threading
import zlib
from pathlib import Path

import pytest

from firmware_host.recording.tape import BadTape, End, Entry, LoopPass, Note, Now, Shown, TapeError
from firmware_host.recording.tape_file import MAGIC, Tape, TapeWriter, create, write_copy
from firmware_host.recording.tape_recorder import Recorder

HEAD = len(MAGIC) + 2
ENTRIES: list[Entry] = [
    Note("session", "something"),
    *(entry for n in range(40) for entry in (LoopPass(), Now(5000 * n), Shown("lamps", bytes([n]) * 9))),
    End(),
]


def written() -> bytes:
    file = io.BytesIO()
    write_copy(ENTRIES, file, most=30)
    return file.getvalue()


def read(content: bytes) -> tuple[Tape, list[Entry]]:
    tape = Tape(io.BytesIO(content), "a.tape")
    return tape, list(tape.entries)


def block_ends(content: bytes) -> list[int]:
    at, ends = HEAD, []
    while at < len(content):
        at += 8 + int.from_bytes(content[at : at + 4], "big")
        ends.append(at)
    return ends


def test_a_tape_is_its_owners_alone_and_so_are_the_folders_made_for_it(tmp_path: Path) -> None:
    path = tmp_path / "state" / "tapes" / "a.tape"
    create(path).close()
    modes = [stat.S_IMODE(each.stat().st_mode) for each in (path, path.parent, path.parent.parent)]
    assert modes == [0o600, 0o700, 0o700]


def test_what_is_there_is_never_written_over_and_no_link_followed(tmp_path: Path) -> None:
    path, link = tmp_path / "a.tape", tmp_path / "b.tape"
    path.write_bytes(b"something else")
    link.symlink_to(tmp_path / "not there yet")
    for taken in (path, link):
        with pytest.raises(TapeError, match="exists already and is not overwritten"):
            create(taken)
    assert path.read_bytes() == b"something else"
    assert not (tmp_path / "not there yet").exists()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(TapeError, match="file is a file, not a folder; name another file"):
        create(tmp_path / "file" / "a.tape")


def test_a_tape_that_is_cut_off_anywhere_is_read_up_to_its_last_whole_block() -> None:
    content = written()
    ends = block_ends(content)
    assert len(ends) == 5
    for length in range(len(content)):
        whole = sum(end <= length for end in ends)
        if not whole:
            with pytest.raises(BadTape, match=r"a.tape: is incomplete"):
                read(content[:length])
            continue
        tape, entries = read(content[:length])
        assert [*tape.notes] == ["session"]
        assert entries == ENTRIES[1 : 30 * whole], length
        at_an_end = length in ends
        broken = "the recording was interrupted" if at_an_end else f"it breaks off within block {whole + 1}"
        assert tape.broken == broken
    assert read(content)[0].broken == ""


def test_a_wrong_byte_anywhere_is_found() -> None:
    content = written()
    for at in range(len(content)):
        wrong = bytearray(content)
        wrong[at] ^= 0x21
        try:
            tape, entries = read(bytes(wrong))
        except BadTape:
            assert at < block_ends(content)[0]
        else:
            assert tape.broken, at
            assert entries == ENTRIES[1 : 1 + len(entries)]
            assert len(entries) < len(ENTRIES) - 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is incomplete: the file is empty"),
        (b"YARD", "is incomplete: it ends after 4 bytes"),
        (MAGIC + b"\0", "is incomplete: it ends after 9 bytes"),
        (MAGIC + b"\0\2", "is incomplete: the recording was interrupted"),
        (b"PK\3\4 and so on", "is not a tape; name a file"),
        (MAGIC + b"\0\3" + bytes(40), "has the newer version 3; this yardboard reads 2: replay it with"),
        (MAGIC + b"\0\1" + bytes(40), "has the older version 1; this yardboard reads 2: replay it with"),
        (MAGIC + b"\0\2\xff\xff\xff\xff\0\0\0\0", "is incomplete: it breaks off within block 1"),
        (
            MAGIC + b"\0\2\0\0\0\4" + zlib.crc32(b"aaaa").to_bytes(4, "big") + b"aaaa",
            "block 1 cannot be unpacked",
        ),
    ],
)
def test_a_file_that_is_none_is_told_what_is_wrong(content: bytes, said: str) -> None:
    with pytest.raises(BadTape, match=said):
        read(content)


def test_a_block_that_swells_beyond_all_measure_is_refused() -> None:
    file = io.BytesIO()
    TapeWriter(file).write(bytes(20_000_000))
    with pytest.raises(BadTape, match="block 1 is too long; yardboard never writes such a block"):
        read(file.getvalue())


class Grudging(io.BytesIO):
    """A file that takes three bytes at a time."""

    def write(self, content: bytes) -> int:  # type: ignore[override]
        return super().write(content[:3])


def test_a_file_that_takes_a_part_only_gets_the_rest() -> None:
    file = Grudging()
    write_copy(ENTRIES, file, most=30)
    assert file.getvalue() == written()


class FullDisk(io.FileIO):
    """A disk on which there is room for so many bytes."""

    room = 200

    def write(self, content: bytes) -> int:  # type: ignore[override]
        left = self.room - self.tell()
        if left <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(content[:left])


def test_a_full_disk_ends_the_recording_and_nothing_else(tmp_path: Path) -> None:
    complaints: list[str] = []
    path = tmp_path / "a.tape"
    recorder = Recorder(TapeWriter(FullDisk(path, "w")), complaints.append)  # type: ignore[arg-type]
    recorder.note("session", "something")
    clock, passes = 0, 0

    def one_pass() -> None:
        nonlocal clock, passes
        clock, passes = clock + 999_999, passes + 1
        recorder.now(clock)
        recorder.shown("lamps", passes.to_bytes(9, "big") * 9)

    step = recorder.step(one_pass)
    for _ in range(100):
        step()
    recorder.stop()
    assert passes == 100
    assert complaints == ["the recording has ended: No space left on device; the table continues"]
    assert [thread for thread in threading.enumerate() if thread.name == "tape"] == []
    assert path.stat().st_size == FullDisk.room
    tape, entries = read(path.read_bytes())
    assert tape.broken.startswith("it breaks off within block ")
    assert tape.notes == {"session": "something"}
    assert 0 < len(entries) < 100


class SyncedWriter(TapeWriter):
    """A tape's writer that remembers how much of the file is on the disk."""

    on_disk = 0

    def sync(self) -> None:
        super().sync()
        self.on_disk = self._file.tell()


def test_all_of_a_tape_is_on_the_disk_once_its_recording_has_stopped(tmp_path: Path) -> None:
    path = tmp_path / "a.tape"
    for _ in range(20):
        writer = SyncedWriter(create(path))
        recorder = Recorder(writer, print)
        with recorder.one_pass():
            recorder.now(1_000_000)
        recorder.stop()
        assert writer.on_disk == path.stat().st_size
        path.unlink()
