"""The Pico's end of the talk, on a clock of the test's own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.firmware.frames import (
    ACK,
    HANDSET,
    HELLO,
    PROTOCOL,
    REPORT,
    SWITCHES,
    TROUBLE,
    WELCOME,
    WRITE,
    FrameReader,
    encode,
)
from hardware.firmware.host_link import LONGEST, PERIOD, RESEND, SILENCE, VERSION, HostLink, Screen

IDENTITY = b"\xe6\x61\0\x03\x0d\x03\0\x01"
CONTACTS = b"\xff\xfe\x96"
OTHER = b"\xff\xff\x96"
LATE = 2**30 - 50
"""Shortly before the Pico's milliseconds start anew."""


class HostEnd:
    """Speaks and listens to a link, at a time that only moves on when told to."""

    def __init__(self, now: int = 1000) -> None:
        self.link = HostLink(IDENTITY)
        self.now = now

    def say(self, kind: int, number: int = 0, payload: bytes = b"") -> None:
        self.link.receive(encode(kind, number, payload), self.now)

    def hello(self, length: int = 3, protocol: int = PROTOCOL, number: int = 0) -> None:
        self.say(HELLO, number, bytes([protocol, length]))

    def hear(self, contacts: bytes = CONTACTS) -> list[tuple[int, int, bytes]]:
        return FrameReader().take(self.link.send(contacts, self.now))

    def after(self, milliseconds: int, contacts: bytes = CONTACTS) -> list[tuple[int, int, bytes]]:
        """What comes within so many milliseconds, looked at every one of them."""
        heard = []
        for _ in range(milliseconds):
            self.now = (self.now + 1) % 2**30
            heard += self.hear(contacts)
        return heard


@pytest.fixture(params=[1000, LATE], ids=["", "clock starts anew"])
def host(request: pytest.FixtureRequest) -> HostEnd:
    host = HostEnd(request.param)
    host.hello()
    kinds = [message[0] for message in host.hear()]
    assert kinds == [WELCOME, REPORT]
    return host


def test_nothing_is_said_before_the_host_says_hello() -> None:
    assert HostEnd().after(500) == []


def test_the_answer_to_a_hello_says_who_is_there() -> None:
    host = HostEnd()
    host.hello(length=28)
    welcome, report = host.hear(bytes(28))
    assert welcome == (WELCOME, 0, bytes([PROTOCOL, *VERSION, 0, 224]) + IDENTITY + SWITCHES)
    assert report == (REPORT, 1, bytes(28))


def test_hellos_that_have_queued_up_are_answered_once() -> None:
    host = HostEnd()
    host.hello()
    host.hello()
    assert [kind for kind, _, _ in host.hear()] == [WELCOME, REPORT]


def test_a_change_is_reported_at_once(host: HostEnd) -> None:
    host.say(ACK, 1)
    assert host.after(1, OTHER) == [(REPORT, 2, OTHER)]


def test_contacts_at_rest_are_reported_every_100_ms(host: HostEnd) -> None:
    host.say(ACK, 1)
    assert host.after(PERIOD - 1) == []
    assert host.after(1) == [(REPORT, 2, CONTACTS)]


def test_a_report_is_sent_until_it_is_acknowledged(host: HostEnd) -> None:
    assert host.after(2 * RESEND) == [(REPORT, 1, CONTACTS)] * 2
    host.say(ACK, 1)
    assert host.after(2 * RESEND) == []


def test_a_newer_report_takes_the_place_of_one_not_acknowledged(host: HostEnd) -> None:
    assert host.after(1, OTHER) == [(REPORT, 2, OTHER)]
    assert host.after(RESEND, OTHER) == [(REPORT, 2, OTHER)]


def test_an_old_acknowledgement_is_none(host: HostEnd) -> None:
    host.after(1, OTHER)
    host.say(ACK, 1)
    assert host.after(RESEND, OTHER) == [(REPORT, 2, OTHER)]


def test_numbers_start_anew_after_65535(host: HostEnd) -> None:
    for number in range(2, 2**16):
        host.hear(OTHER if number % 2 == 0 else CONTACTS)
    assert host.after(1, OTHER) == [(REPORT, 0, OTHER)]
    assert host.after(1, CONTACTS) == [(REPORT, 1, CONTACTS)]


def test_a_second_hello_begins_anew(host: HostEnd) -> None:
    host.after(250)
    host.hello(2)
    assert host.hear(b"\0\0")[1:] == [(REPORT, 1, b"\0\0")]


@pytest.mark.parametrize(("length", "protocol"), [(3, PROTOCOL + 1), (0, PROTOCOL), (LONGEST + 1, PROTOCOL)])
def test_a_host_that_asks_for_the_impossible_is_answered_but_gets_no_reports(length: int, protocol: int) -> None:
    host = HostEnd()
    host.hello(length, protocol)
    ((kind, _, payload),) = host.after(500, bytes(length))
    assert kind == WELCOME
    assert payload[0] == PROTOCOL
    assert int.from_bytes(payload[4:6], "big") == 8 * min(length, LONGEST)


def test_a_host_that_has_gone_silent_is_missed_after_three_seconds(host: HostEnd) -> None:
    host.after(2000)
    host.say(ACK, 1)
    host.after(SILENCE)
    assert not host.link.deserted(host.now)
    host.after(1)
    assert host.link.deserted(host.now)


def test_nobody_is_missed_before_the_first_hello() -> None:
    host = HostEnd()
    host.after(2 * SILENCE)
    assert not host.link.deserted(host.now)


@pytest.mark.parametrize("keys", [b"\r\x03", b"\x03\x03"])
def test_ctrl_c_is_heeded_while_no_host_is_there(keys: bytes) -> None:
    link = HostLink(IDENTITY)
    link.receive(b"half a frame", 1000)
    link.receive(keys[:1], 1200)
    assert not link.interrupted
    link.receive(keys[1:], 1200)
    assert link.interrupted


def test_ctrl_c_is_noise_while_a_host_is_there(host: HostEnd) -> None:
    host.now += 200
    host.link.receive(b"\r\x03", host.now)
    assert not host.link.interrupted


@given(st.lists(st.tuples(st.sampled_from([HELLO, ACK]), st.integers(0, 0xFFFF), st.integers(65, 255)), max_size=20))
def test_no_frame_is_ever_taken_for_ctrl_c(sent: list[tuple[int, int, int]]) -> None:
    link = HostLink(IDENTITY)
    for kind, number, length in sent:
        # A length beyond the longest is refused, so that no host is there at any time.
        for byte in encode(kind, number, bytes([PROTOCOL, length])):
            link.receive(bytes([byte]), 1000)
            assert not link.interrupted


def test_half_a_frame_from_long_ago_does_not_spoil_the_next() -> None:
    host = HostEnd()
    host.link.receive(b"\0" + b"\xff" * 20, 1000)
    host.now = 1200
    hello = encode(HELLO, 0, bytes([PROTOCOL, 3]))
    host.link.receive(hello[1:], host.now)
    assert [kind for kind, _, _ in host.hear()] == [WELCOME, REPORT]


def test_noise_does_not_keep_a_host(host: HostEnd) -> None:
    for _ in range(SILENCE // 100 + 1):
        host.after(100)
        host.link.receive(b"\0AT+GCAP\r\n\0", host.now)
    assert host.link.deserted(host.now)


# ---- writes to a screen ----------------------------------------------------------------------------------------------


class RecordingScreen(Screen):
    """A screen that writes down what is asked of it, and fails if told to."""

    def __init__(self) -> None:
        self.asked: list[object] = []
        self.error: OSError | None = None

    def restart(self) -> None:
        self.asked.append("restart")

    def write(self, address: int, data: bytes) -> None:
        self.asked.append((address, data))
        if self.error:
            raise self.error

    def blank(self) -> None:
        self.asked.append("blank")


@pytest.fixture
def drawn() -> tuple[HostEnd, RecordingScreen]:
    """A host that a handset's link has answered, and the screen."""
    host, screen = HostEnd(), RecordingScreen()
    host.link = HostLink(IDENTITY, HANDSET, 1, screen)
    host.hello(length=1)
    welcome, _ = host.hear(b"\0")
    assert welcome == (WELCOME, 0, bytes([PROTOCOL, *VERSION, 0, 8]) + IDENTITY + HANDSET)
    return host, screen


def answers(host: HostEnd, number: int, data: bytes = b"\x3c\x00\xae") -> list[tuple[int, bytes]]:
    """Say a write, and return the answers to it."""
    host.say(WRITE, number, data)
    return [(number, payload) for kind, number, payload in host.hear(b"\0") if kind == ACK]


def test_a_write_is_carried_out_once_and_answered_as_often_as_it_comes(drawn: tuple[HostEnd, RecordingScreen]) -> None:
    host, screen = drawn
    for number in (0, 1, 1, 1, 2):
        assert answers(host, number) == [(number, b"")]
    assert screen.asked == ["restart", (0x3C, b"\x00\xae"), (0x3C, b"\x00\xae")]


def test_a_write_out_of_order_is_refused_until_the_numbers_restart(drawn: tuple[HostEnd, RecordingScreen]) -> None:
    host, screen = drawn
    refused = b"a write before it is missing"
    assert answers(host, 1) == [(1, refused)]
    assert answers(host, 0) == [(0, b"")]
    assert answers(host, 2) == [(2, refused)]
    assert answers(host, 1) == [(1, b"")]
    assert answers(host, 0) == [(0, b"")]
    assert answers(host, 1) == [(1, b"")]
    assert screen.asked == ["restart", (0x3C, b"\x00\xae"), "restart", (0x3C, b"\x00\xae")]


def test_a_failed_write_is_answered_with_its_error_and_the_next_one_goes_on(
    drawn: tuple[HostEnd, RecordingScreen],
) -> None:
    host, screen = drawn
    answers(host, 0)
    screen.error = OSError(5)
    assert answers(host, 1) == [(1, b"OSError(5)")]
    screen.error = None
    assert answers(host, 1) == [(1, b"OSError(5)")]
    assert answers(host, 2) == [(2, b"")]
    assert answers(host, 3, b"") == [(3, b"IndexError('index out of range')")]


def test_write_65535_is_followed_by_write_1(drawn: tuple[HostEnd, RecordingScreen]) -> None:
    host, screen = drawn
    assert host.link._writes
    host.link._writes._next = 0xFFFF
    for number in (0xFFFF, 1, 2):
        assert answers(host, number) == [(number, b"")]
    assert len(screen.asked) == 3


def test_writes_count_only_at_a_handset_and_after_a_hello(host: HostEnd) -> None:
    assert answers(host, 0) == []
    silent, screen = HostEnd(), RecordingScreen()
    silent.link = HostLink(IDENTITY, HANDSET, 1, screen)
    assert answers(silent, 0) == []
    assert screen.asked == []


# ---- whose picture is on the screen ----------------------------------------------------------------------------------


def lasts(host: HostEnd, kind: int, number: int, payload: bytes) -> bool:
    """Return whether the connection outlasts the silence if the host says this every 100 ms."""
    for _ in range(SILENCE // PERIOD + 1):
        host.after(PERIOD, b"\0")
        host.say(kind, number, payload)
    return not host.link.deserted(host.now)


@pytest.mark.parametrize(
    ("kind", "number", "payload"),
    [
        (REPORT, 7, b"\0"),
        (WELCOME, 0, bytes(15)),
        (TROUBLE, 0, b"OSError(5)"),
        (HELLO, 0, b""),
        (HELLO, 0, bytes([PROTOCOL + 8, 1])),
        (HELLO, 0, bytes([PROTOCOL, 28])),
        (HELLO, 1, bytes([PROTOCOL, 1])),
        (ACK, 0xFFFF, b""),
        (WRITE, 77, b"\x3c\x00\xaf"),
    ],
)
def test_a_frame_that_shows_no_living_host_keeps_no_picture(
    drawn: tuple[HostEnd, RecordingScreen], kind: int, number: int, payload: bytes
) -> None:
    host, _ = drawn
    answers(host, 0)
    assert not lasts(host, kind, number, payload)


def test_a_picture_stays_while_writes_are_carried_out_or_repeated(drawn: tuple[HostEnd, RecordingScreen]) -> None:
    host, screen = drawn
    answers(host, 0)
    assert lasts(host, WRITE, 1, b"\x3c\x00\xaf")
    assert screen.asked == ["restart", (0x3C, b"\x00\xaf")]


def test_a_picture_stays_while_the_newest_reports_are_acknowledged(drawn: tuple[HostEnd, RecordingScreen]) -> None:
    host, _ = drawn
    for _ in range(SILENCE // PERIOD + 1):
        for kind, number, _ in host.after(PERIOD, b"\0"):
            assert kind == REPORT
            host.say(ACK, number)
    assert not host.link.deserted(host.now)


def test_a_picture_ends_with_the_connection_that_drew_it(drawn: tuple[HostEnd, RecordingScreen]) -> None:
    host, screen = drawn
    answers(host, 0)
    screen.asked.clear()
    host.hello(length=1, number=1)
    assert answers(host, 1) == [(1, b"")]
    host.hello(length=28)
    host.hello(length=1, protocol=PROTOCOL + 8)
    assert screen.asked == [(0x3C, b"\x00\xae")]
    host.hello(length=1)
    host.hello(length=1)
    assert screen.asked[1:] == ["blank"]
    assert answers(host, 2) == [(2, b"a write before it is missing")]


def test_a_link_without_a_screen_lasts_with_any_frame(host: HostEnd) -> None:
    assert lasts(host, TROUBLE, 0, b"")
