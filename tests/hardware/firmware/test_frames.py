"""The frames of the serial line: that they are COBS as others know it, and what noise does to them."""

from __future__ import annotations

import subprocess
import zlib
from pathlib import Path

from cobs import cobs
from hypothesis import given
from hypothesis import strategies as st

from hardware.firmware import frames
from hardware.firmware.frames import (
    ACK,
    HELLO,
    KINDS,
    LIMIT,
    REPORT,
    SWITCHES,
    WELCOME,
    WRITE,
    FrameReader,
    encode,
    stuff,
    unstuff,
)
from hardware.firmware.host_link import VERSION
from tests.hardware.firmware.rig import flash, micropython

FULL = [
    bytes([1]) * count + end
    for count in (0, 1, 253, 254, 255, 507, 508, 509, 762)
    for end in (b"", b"\0", b"\0\0", b"\0\x01", b"\0" + b"\x02" * 254)
]
messages = st.lists(
    st.tuples(st.sampled_from(sorted(KINDS)), st.integers(0, 0xFFFF), st.binary(max_size=40)), min_size=1, max_size=6
)


@given(st.binary(max_size=800))
def test_stuffing_is_the_one_that_others_know(data: bytes) -> None:
    assert stuff(data) == cobs.encode(data)
    assert unstuff(stuff(data)) == data


@given(st.binary(max_size=600))
def test_bytes_that_no_stuffing_makes_are_refused_where_others_refuse_them(noise: bytes) -> None:
    try:
        expected: bytes | None = cobs.decode(noise)
    except cobs.DecodeError:
        expected = None
    if 0 not in noise:
        assert unstuff(noise) == expected


def test_a_frame_is_laid_out_as_documented() -> None:
    body = bytes([REPORT, 0x12, 0x00, 0xAA, 0x00])
    assert encode(REPORT, 0x1200, b"\xaa\0") == b"\0" + cobs.encode(body + zlib.crc32(body).to_bytes(4, "big")) + b"\0"


def test_the_examples_of_the_document_are_what_the_program_sends() -> None:
    text = (Path(frames.__file__).parents[2] / "docs" / "serial.md").read_text()
    version, serial_number = bytes(VERSION), bytes.fromhex("E66104030D030601")
    for frame in (
        encode(HELLO, 0, bytes([1, 28])),
        encode(WELCOME, 0, bytes([1]) + version + (224).to_bytes(2, "big") + serial_number + SWITCHES),
        encode(REPORT, 1, bytes([0xFF] * 3)),
        encode(ACK, 1, b""),
        encode(WRITE, 1, b"\x3c\x00\xae"),
    ):
        assert frame.hex(" ").upper() in text


@given(messages, st.lists(st.integers(0, 400), max_size=6))
def test_it_does_not_matter_in_which_pieces_frames_arrive(sent: list[tuple[int, int, bytes]], cuts: list[int]) -> None:
    line = b"".join(encode(*message) for message in sent)
    reader = FrameReader()
    got = []
    for start, end in zip([0, *sorted(cuts)], [*sorted(cuts), len(line)], strict=True):
        got += reader.take(line[start:end])
    assert got == sent
    assert reader.spoiled == 0


@given(messages, st.data())
def test_a_garbage_byte_costs_one_frame_at_the_most(sent: list[tuple[int, int, bytes]], data: st.DataObject) -> None:
    line = b"".join(encode(*message) for message in sent)
    place = data.draw(st.integers(0, len(line) - 1))
    garbage = bytes([data.draw(st.integers(0, 255))])
    what = data.draw(st.sampled_from(["inserted", "changed", "dropped"]))
    if what == "inserted":
        spoiled = line[:place] + garbage + line[place:]
    else:
        spoiled = line[:place] + (garbage if what == "changed" else b"") + line[place + 1 :]
    got = FrameReader().take(spoiled)
    assert got == sent or any(got == sent[:lost] + sent[lost + 1 :] for lost in range(len(sent)))


@given(messages, st.data())
def test_garbage_in_one_place_costs_one_frame_however_long_it_is(
    sent: list[tuple[int, int, bytes]], data: st.DataObject
) -> None:
    line = b"".join(encode(*message) for message in sent)
    place = data.draw(st.integers(0, len(line)))
    got = FrameReader().take(line[:place] + data.draw(st.binary(max_size=1000)) + line[place:])
    assert got == sent or any(got == sent[:lost] + sent[lost + 1 :] for lost in range(len(sent)))


def test_what_was_spoiled_is_counted() -> None:
    frame = encode(ACK, 7, b"")
    reader = FrameReader()
    assert reader.take(b"noise" + frame + frame[:4] + frame + frame[:-2] + b"\xee\0" + frame) == [(ACK, 7, b"")] * 3
    assert reader.spoiled == 3


def test_a_sound_frame_of_an_unknown_kind_is_not_taken() -> None:
    reader = FrameReader()
    assert reader.take(encode(ord("z"), 1, b"")) == []
    assert reader.spoiled == 1


def test_endless_noise_takes_no_endless_memory() -> None:
    reader = FrameReader()
    for _ in range(100):
        reader.take(b"\xff" * 99)
        assert len(reader.pending) <= LIMIT
    assert reader.take(b"\0" + encode(ACK, 1, b"")) == [(ACK, 1, b"")]


def test_the_longest_report_is_no_noise() -> None:
    assert FrameReader().take(encode(REPORT, 1, bytes(range(1, 201)))) != []


@given(st.sampled_from(sorted(KINDS)), st.integers(0, 0xFFFF), st.binary(max_size=300))
def test_no_frame_looks_like_a_key_pressed(kind: int, number: int, payload: bytes) -> None:
    assert encode(kind, number, payload)[2] == kind
    assert kind > 31


SCRIPT = """
import sys
sys.path.insert(0, {flash!r})
from binascii import hexlify, unhexlify
from hardware.firmware.frames import FrameReader, encode, stuff, unstuff
for line in sys.stdin:
    data = unhexlify(line.strip())
    assert unstuff(stuff(data)) == data
    frame = encode(65, len(data), data)
    assert FrameReader().take(frame + frame[3:] + frame) == [(65, len(data), data)] * 2
    print(hexlify(stuff(data)).decode(), hexlify(frame).decode())
"""


def test_micropython_makes_the_very_same_frames(tmp_path: Path) -> None:
    flash(tmp_path)
    short = [data for data in FULL if len(data) < 250]
    done = subprocess.run(
        [str(micropython()), "-c", SCRIPT.format(flash=str(tmp_path))],
        input="".join(f"{data.hex()}\n" for data in short),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        f"{cobs.encode(data).hex()} {encode(ACK, len(data), data).hex()}" for data in short
    ]
