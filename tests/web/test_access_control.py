"""Who is let in: names and origins, tokens and sessions, and those who try too often."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.web.access_control import AGAIN, LASTS, AccessControl
from firmware_host.web.host_names import own_names
from firmware_host.web.limits import TRIES, WITHIN, TooManyTries

NOWHERE = Path("/nowhere/resolv.conf")

HERE, THERE = "made up here", "made up there"


class Clock:
    """Time that goes by when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def door(clock: Clock) -> AccessControl:
    return AccessControl({"localhost", "Table"}, 8199, clock)


# ---- names ----


@pytest.mark.parametrize(
    "host",
    [
        "localhost:8199",
        "LOCALHOST:8199",
        "127.0.0.1:8199",
        "192.168.1.7:8199",
        "[::1]:8199",
        "[FE80::1]:8199",
        "table:8199",
    ],
)
def test_the_table_answers_to_its_names_and_to_addresses(door: AccessControl, host: str) -> None:
    assert door.knows_host(host)


@pytest.mark.parametrize(
    "host",
    [
        None, "", ":8199", "localhost", "localhost:8198", "localhost:", "localhost:8199x", "localhost:-8199",
        "localhost:٨١٩٩", "localhost:8199:8199", "evil.example:8199", "127.0.0.1.evil.example:8199", "127.1:8199",
        "localhost.:8199", "::1:8199", "[::1]", "[::1:8199", "::1]:8199", "[localhost]:8199", "[127.0.0.1]:8199",
        "user@localhost:8199", "localhost:8199/", " localhost:8199", "8199",
    ],
)  # fmt: skip
def test_it_answers_to_no_other_name(door: AccessControl, host: str | None) -> None:
    assert not door.knows_host(host)


def test_without_a_port_a_host_means_that_of_http(clock: Clock) -> None:
    assert AccessControl({"localhost"}, 80, clock).knows_host("localhost")
    assert AccessControl({"localhost"}, 80, clock).knows_host("[::1]")
    assert AccessControl({"localhost"}, 80, clock).knows_origin("http://localhost", "localhost:80")


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://localhost:8199", "localhost:8199"),
        ("http://LocalHost:8199", "localhost:8199"),
        ("http://[::1]:8199", "[::1]:8199"),
        ("http://192.168.1.7:8199", "192.168.1.7:8199"),
    ],
)
def test_a_page_of_its_own_has_the_origin_of_its_host(door: AccessControl, origin: str, host: str) -> None:
    assert door.knows_origin(origin, host)


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        (None, "localhost:8199"),
        ("", "localhost:8199"),
        ("null", "localhost:8199"),
        ("http://localhost:8199", None),
        ("http://localhost:9000", "localhost:8199"),
        ("http://localhost", "localhost:8199"),
        ("https://localhost:8199", "localhost:8199"),
        ("file://localhost:8199", "localhost:8199"),
        ("http://127.0.0.1:8199", "localhost:8199"),
        ("http://evil.example:8199", "localhost:8199"),
        ("http://evil.example:8199", "evil.example:8199"),
        ("http://localhost:8199/", "localhost:8199"),
        ("http://localhost:8199@evil.example", "localhost:8199"),
        ("localhost:8199", "localhost:8199"),
    ],
)
def test_no_other_page_has_it(door: AccessControl, origin: str | None, host: str | None) -> None:
    assert not door.knows_origin(origin, host)


@pytest.fixture
def resolver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What this machine has been told about names; it is called attic.example.org."""
    monkeypatch.setattr("socket.gethostname", lambda: "Attic.example.org")
    return tmp_path / "resolv.conf"


def test_a_machine_is_known_by_its_own_names(resolver: Path) -> None:
    names = own_names("127.0.0.1", resolver)
    ends = {"local", "lan", "home", "home.arpa", "internal", "intranet", "private", "localdomain"}
    ends |= {"fritz.box", "speedport.ip"}
    assert names == {"127.0.0.1", "localhost", "attic.example.org", "attic", *(f"attic.{end}" for end in ends)}


def test_a_machine_is_known_by_its_name_in_the_domains_of_its_network(resolver: Path) -> None:
    resolver.write_text(
        "# search no.such\nnameserver 192.168.1.1\ndomain Upstairs.Example.\nsearch a.example b.example .\n"
    )
    names = own_names("127.0.0.1", resolver)
    assert {"attic.upstairs.example", "attic.a.example", "attic.b.example"} <= names
    assert names - {"attic.upstairs.example", "attic.a.example", "attic.b.example"} == own_names("127.0.0.1", NOWHERE)


@pytest.mark.parametrize("told", ["search com", "search de.", "search .", "search", "domain box", "search *.a", "\xff"])
def test_a_domain_in_which_anybody_could_have_a_name_is_no_domain_of_its_own(resolver: Path, told: str) -> None:
    resolver.write_bytes(told.encode("latin-1"))
    assert own_names("127.0.0.1", resolver) == own_names("127.0.0.1", NOWHERE)


@pytest.mark.parametrize(
    "name",
    [
        "attic.fritz.box",
        "ATTIC.lan",
        "attic.home.arpa",
        "attic.local",
        "attic.home",
        "attic.internal",
        "attic.a.example",
    ],
)
def test_the_names_that_routers_give_this_machine_open_the_pages(resolver: Path, clock: Clock, name: str) -> None:
    resolver.write_text("search a.example\n")
    door = AccessControl(own_names("192.168.1.7", resolver), 8199, clock)
    assert door.knows_host(f"{name}:8199")
    assert door.knows_origin(f"http://{name}:8199", f"{name}:8199")


@pytest.mark.parametrize(
    "name",
    [
        "attic.example", "attic.com", "attic.box", "attic.evil.lan", "evil.fritz.box", "evil.lan", "attic.lan.evil.ex",
        "attic.b.example", "x.attic.a.example", "atticlan", "fritz.box", "lan", "a.example", ".lan", "attic.",
    ],
)  # fmt: skip
def test_a_name_that_somebody_else_may_have_stays_outside(resolver: Path, clock: Clock, name: str) -> None:
    resolver.write_text("search a.example\n")
    assert not AccessControl(own_names("192.168.1.7", resolver), 8199, clock).knows_host(f"{name}:8199")


# ---- tokens ----


def test_a_token_opens_the_handset_once(door: AccessControl) -> None:
    token = door.new_token()
    session = door.exchange(token, HERE)
    assert door.holds_handset(session)
    assert door.exchange(token, THERE) is None
    assert door.holds_handset(session)


def test_a_page_that_has_lost_the_answer_is_given_it_again_for_a_while(door: AccessControl, clock: Clock) -> None:
    token = door.new_token()
    session = door.exchange(token, HERE)
    door.new_token()
    clock.now += AGAIN - 1
    assert door.exchange(token, HERE) == session
    for nonce in (THERE, "", HERE[:-1], "\ud800"):
        assert door.exchange(token, nonce) is None
    clock.now += 1
    assert door.exchange(token, HERE) is None


def test_no_answer_is_given_again_once_another_has_taken_over(door: AccessControl) -> None:
    token = door.new_token()
    door.exchange(token, HERE)
    session = door.exchange(door.new_token(), THERE)
    assert door.exchange(token, HERE) is None
    assert door.holds_handset(session)


@pytest.mark.parametrize("wrong", ["", " ", "x", "é", "\ud800", "ab" * 100])
def test_nothing_else_opens_it(door: AccessControl, wrong: str) -> None:
    assert door.exchange(wrong, HERE) is None, "no token was made yet"
    token = door.new_token()
    assert door.exchange(wrong, THERE) is None
    assert door.exchange(token + wrong, THERE) is None or wrong == ""
    assert not door.holds_handset(wrong)
    assert not door.holds_handset(None)


def test_tokens_and_sessions_are_long_and_all_different(door: AccessControl) -> None:
    made = [door.new_token() for _ in range(50)] + [door.exchange(door.new_token(), HERE) or "" for _ in range(50)]
    assert len(set(made)) == 100
    assert min(map(len, made)) >= 22, "128 bits"


def test_a_new_token_takes_the_place_of_the_one_before(door: AccessControl) -> None:
    old, new = door.new_token(), door.new_token()
    assert door.exchange(old, HERE) is None
    assert door.exchange(new, HERE)


def test_the_open_handset_stays_open_until_the_new_token_is_used(door: AccessControl) -> None:
    first = door.exchange(door.new_token(), HERE)
    token = door.new_token()
    assert door.holds_handset(first)
    second = door.exchange(token, HERE)
    assert door.holds_handset(second)
    assert not door.holds_handset(first)


def test_a_token_waits_a_quarter_of_an_hour_for_its_scan(door: AccessControl, clock: Clock) -> None:
    assert LASTS == 15 * 60
    token = door.new_token()
    clock.now += LASTS
    assert door.exchange(token, HERE) is None
    token = door.new_token()
    clock.now += LASTS - 1
    session = door.exchange(token, HERE)
    clock.now += 100 * LASTS
    assert door.holds_handset(session), "a session lasts as long as the table"


# ---- those who try too often ----


def test_after_some_wrong_tokens_a_wrong_one_has_to_wait(door: AccessControl, clock: Clock) -> None:
    for _ in range(TRIES):
        assert door.exchange("wrong", HERE) is None
    with pytest.raises(TooManyTries) as refused:
        door.exchange("wrong", THERE)
    assert refused.value.wait == WITHIN
    clock.now += WITHIN - 1
    with pytest.raises(TooManyTries) as refused:
        door.exchange("wrong", HERE)
    assert refused.value.wait == 1
    clock.now += 1
    assert door.exchange("wrong", HERE) is None


def test_the_right_one_always_opens(door: AccessControl) -> None:
    token = door.new_token()
    for _ in range(TRIES):
        door.exchange("wrong", HERE)
    with pytest.raises(TooManyTries):
        door.exchange("wrong", HERE)
    session = door.exchange(token, HERE)
    assert door.holds_handset(session)
    assert door.exchange(token, HERE) == session, "also if it has to ask again"
    with pytest.raises(TooManyTries):
        door.exchange(token, THERE)


def test_whoever_goes_on_trying_while_waiting_does_not_wait_longer(door: AccessControl, clock: Clock) -> None:
    for _ in range(TRIES):
        door.exchange("wrong", HERE)
    for _ in range(59):
        clock.now += 1
        with pytest.raises(TooManyTries):
            door.exchange("wrong", HERE)
    clock.now += 1
    assert door.exchange("wrong", HERE) is None


def test_few_of_them_are_remembered_however_many_come(door: AccessControl, clock: Clock) -> None:
    for _ in range(1000):
        clock.now += WITHIN / TRIES
        door.exchange("wrong", HERE)
    assert len(door._wrong_tokens._wrong) == TRIES
