"""The session with a Pico, on a clock of the test's own."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.drivers.pico import ASK, Counters, PicoSession
from hardware.firmware.frames import ACK, HELLO, PROTOCOL, REPORT, TROUBLE, WELCOME, encode
from hardware.firmware.host_link import HostLink
from tests.hardware.drivers.pico_bench import Spoiler

IDENTITY = bytes(8)


def welcome(protocol: int = PROTOCOL, length: int = 4) -> bytes:
    return encode(WELCOME, 0, bytes([protocol, 1, 2, 3]) + (8 * length).to_bytes(2, "big") + IDENTITY)


def test_a_hello_is_said_at_once_and_again_while_nothing_comes() -> None:
    session = PicoSession(4, 10.0, Counters())
    hello = encode(HELLO, 0, bytes([PROTOCOL, 4]))
    assert [session.hello_if_due(10.0), session.hello_if_due(10.0 + ASK - 0.01), session.hello_if_due(10.0 + ASK)] == [
        hello,
        b"",
        hello,
    ]


def test_a_hello_has_number_0_until_a_report_arrives_and_then_1() -> None:
    session = PicoSession(4, 0.0, Counters())
    assert session.hello_if_due(0.0) == encode(HELLO, 0, bytes([PROTOCOL, 4]))
    session.receive(welcome(), 0.1)
    assert session.hello_if_due(2 * ASK) == encode(HELLO, 0, bytes([PROTOCOL, 4]))
    session.receive(welcome() + encode(REPORT, 1, b"abcd"), 0.6)
    assert session.hello_if_due(1.0 + ASK) == encode(HELLO, 1, bytes([PROTOCOL, 4]))


def test_every_report_is_acknowledged_and_counted_for_what_it_is() -> None:
    session = PicoSession(4, 0.0, Counters(frames=5))
    session.hello_if_due(0.0)
    assert session.receive(welcome(), 0.1) == b""
    for number in (1, 1, 4):
        assert session.receive(encode(REPORT, number, b"abc" + bytes([number])), 0.2) == encode(ACK, number, b"")
    assert session.receive(b"\0noise\0", 0.3) == b""
    assert session.report == b"abc\x04"
    assert session.reported_at == 0.2
    assert session.counters == Counters(frames=9, crc_errors=1, resends=1, missed=2, connects=1)
    assert session.hello_if_due(0.2 + ASK) != b""
    assert session.hello_if_due(0.2 + ASK + 0.1) == b""


def test_reports_count_only_after_a_welcome_and_at_their_right_length() -> None:
    session = PicoSession(4, 0.0, Counters())
    session.hello_if_due(0.0)
    assert session.receive(encode(REPORT, 1, b"abcd"), 0.1) == b""
    session.receive(welcome(), 0.1)
    assert session.receive(encode(REPORT, 1, b"abc"), 0.1) == b""
    assert session.report == b""


def test_a_pico_that_begins_anew_is_not_heard_before_it_has_said_so() -> None:
    session = PicoSession(4, 0.0, Counters())
    session.hello_if_due(0.0)
    session.receive(welcome() + encode(REPORT, 1, b"abcd") + encode(REPORT, 2, b"abcd"), 0.1)
    assert session.hello_if_due(0.5) != b""
    # The welcome was lost; by its number this report would be the 65536th.
    assert session.receive(encode(REPORT, 1, b"efgh"), 0.6) == b""
    assert session.receive(welcome() + encode(REPORT, 1, b"efgh"), 0.9) == encode(ACK, 1, b"")
    assert (session.counters.missed, session.counters.resends, session.report) == (0, 0, b"efgh")


@pytest.mark.parametrize("answer", [welcome(protocol=2), welcome(length=3), encode(WELCOME, 0, b"")])
def test_reports_of_a_pico_that_does_not_fit_are_not_taken(answer: bytes) -> None:
    session = PicoSession(4, 0.0, Counters())
    session.hello_if_due(0.0)
    assert session.receive(answer + encode(REPORT, 1, b"abcd"), 0.1) == b""
    assert session.report == b""
    assert "yardboard firmware install" in session.problem


def test_trouble_is_forgotten_when_reports_come_again() -> None:
    session = PicoSession(4, 0.0, Counters())
    session.hello_if_due(0.0)
    session.receive(welcome() + encode(REPORT, 1, b"abcd") + encode(TROUBLE, 0, "kaputt \xe4".encode()), 0.1)
    assert session.report == b""
    assert "kaputt \xe4" in session.problem
    session.receive(welcome() + encode(REPORT, 1, b"abcd"), 0.2)
    assert "kaputt" not in session.problem


@settings(deadline=None)
@given(st.integers(0, 2**32), st.integers(5, 60), st.lists(st.integers(0, 255), min_size=1, max_size=5))
def test_once_the_line_is_sound_again_the_host_knows_what_the_pico_sees(
    seed: int, often: int, contacts: list[int]
) -> None:
    spoiler = Spoiler(seed, often)
    session, link = PicoSession(4, 0.0, Counters()), HostLink(IDENTITY)
    seen = {bytes([byte]) * 4 for byte in contacts}
    milliseconds = 0

    def pass_on(spoil: Callable[[bytes], bytes], chain: bytes) -> None:
        nonlocal milliseconds
        milliseconds += 1
        now = milliseconds / 1000
        link.receive(spoil(session.hello_if_due(now)), milliseconds)
        answer = session.receive(spoil(link.send(chain, milliseconds)), now)
        if answer:
            link.receive(spoil(answer), milliseconds)
        assert session.report in {b"", *seen}

    for byte in contacts:
        for _ in range(150):
            pass_on(spoiler, bytes([byte]) * 4)
    for _ in range(400):
        pass_on(bytes, bytes([contacts[-1]]) * 4)
    assert session.report == bytes([contacts[-1]]) * 4
    assert milliseconds / 1000 - session.reported_at <= 0.1
