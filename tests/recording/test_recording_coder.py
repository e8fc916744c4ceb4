"""Whatever happens to a table comes off the tape as it went on."""

from __future__ import annotations

import io

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.recording.tape import (
    TRACKS,
    BadTape,
    Drawn,
    End,
    Entry,
    LoopPass,
    Lost,
    Note,
    Now,
    Packer,
    ReadyAnswer,
    Sample,
    Shown,
    Unpacker,
    Wall,
    Written,
)
from firmware_host.recording.tape_file import Tape, write_copy
from tests.amount import amount

TEXTS = st.text(st.characters(), max_size=20)
MASKS = st.integers(0, 2**210 - 1) | st.integers(0, 3)
ENTRIES: st.SearchStrategy[Entry] = st.one_of(
    st.builds(LoopPass),
    st.builds(Now, st.integers(-(2**61), 2**61) | st.integers(0, 20_000)),
    st.builds(Wall, st.floats(allow_nan=False)),
    st.builds(Drawn, st.integers(0, 70), st.integers(0, 2**70)),
    st.builds(Written, TEXTS),
    st.builds(Sample, st.sampled_from(("switches", "keys")), MASKS),
    st.builds(Shown, st.sampled_from(("lamps", "handset", "display")), st.none() | st.binary(max_size=30)),
    st.builds(ReadyAnswer, st.sampled_from(TRACKS), st.booleans()),
    st.builds(Lost, st.sampled_from(TRACKS), TEXTS),
    st.builds(Note, TEXTS, TEXTS),
    st.builds(End),
)


@given(st.lists(st.lists(ENTRIES, max_size=30), max_size=4))
@settings(max_examples=amount(26, 80), deadline=None)
def test_entries_come_back_as_they_were_put_block_by_block(blocks: list[list[Entry]]) -> None:
    packer, unpacker = Packer(), Unpacker()
    for block in blocks:
        for entry in block:
            packer.put(entry)
        assert list(unpacker.entries(packer.block())) == block


@given(st.lists(ENTRIES, min_size=1, max_size=40), st.integers(1, 7))
@settings(max_examples=amount(13, 40), deadline=None)
def test_so_they_do_off_a_file(entries: list[Entry], most: int) -> None:
    file = io.BytesIO()
    write_copy(entries, file, most=most)
    tape = Tape(io.BytesIO(file.getvalue()), "some tape")
    notes = next((n for n, entry in enumerate(entries) if not isinstance(entry, Note)), len(entries))
    assert tape.notes == {note.name: note.text for note in entries[:notes] if isinstance(note, Note)}
    assert list(tape.entries) == entries[notes:]
    assert (tape.broken == "") is isinstance(entries[-1], End)


@given(st.binary(max_size=200))
@settings(max_examples=amount(33, 100), deadline=None)
def test_a_block_of_anything_gives_entries_or_is_refused(block: bytes) -> None:
    try:
        for entry in Unpacker().entries(block):
            assert isinstance(entry, Entry)
    except BadTape:
        pass


def test_an_entry_of_a_kind_that_is_not_known_yet_is_refused_by_its_number() -> None:
    with pytest.raises(BadTape, match="unknown kind 77; a newer yardboard may read it"):
        list(Unpacker().entries(msgspec.msgpack.encode((b"\x4d", [], []))))


def test_a_frame_of_a_size_that_no_board_has_is_refused_before_it_is_made() -> None:
    packer = Packer()
    packer.put(Shown("lamps", b"abc"))
    block = packer.block()
    assert list(Unpacker().entries(block)) == [Shown("lamps", b"abc")]
    kinds, times, (length, patches) = msgspec.msgpack.decode(block)
    assert length == 3
    for spoiled in ((2**40, patches), (2, patches), (3, [1, b"abc"]), (3, [-1, b"a"]), (3, b"abc"), (3,), (-1, [])):
        with pytest.raises(BadTape, match="an entry is not valid MessagePack"):
            list(Unpacker().entries(msgspec.msgpack.encode((kinds, times, spoiled))))


def test_an_hour_in_which_nothing_changes_takes_next_to_nothing() -> None:
    packer, file = Packer(), io.BytesIO()
    quiet = [LoopPass(), Now(0), Sample("switches", 5), Sample("keys", 0)]
    write_copy((Now(5000 * (n // 4)) if n % 4 == 1 else quiet[n % 4] for n in range(4 * 60 * 200)), file, most=800)
    assert len(file.getvalue()) * 60 < 200_000
    packer.now(3)
    assert len(packer.block()) == 7
