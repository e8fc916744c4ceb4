"""The way into the owner's page: codes, passwords and sessions, and those who have none."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from firmware_host.system.secret_texts import hash_password, hide_secrets, is_password_hash, is_right_password
from firmware_host.web.feeds.page_orders import AT_REAL_BOARD, OF_OWNER, OrderRouter, PageOrderQueue
from firmware_host.web.feeds.websocket_session import NOT_ALLOWED
from firmware_host.web.seats.handset_token import FROM_ALL, TRIES, WITHIN, TooManyTries, WrongTokenLimit
from firmware_host.web.seats.owner_access import AT_ONCE, CODE_LASTS, SESSION_LASTS, SESSIONS, OwnerAccess
from firmware_host.web.seats.owner_routes import OwnerAnswer
from firmware_host.web.server import Server
from tests.web.served import Clock, Served, farewell, hear

HASH = hash_password("correct horse")
PHONE = "192.168.1.20"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def access(clock: Clock) -> OwnerAccess:
    return OwnerAccess(clock, HASH)


def other_than(code: str) -> str:
    """A code that is certainly another."""
    return f"{(int(code) + 1) % 10**6:06}"


# ---- codes ----


def test_a_code_of_six_digits_opens_the_page_once(access: OwnerAccess) -> None:
    code = access.new_code()
    assert len(code) == 6
    assert code.isdecimal()
    session = access.exchange(code, PHONE)
    assert access.is_owner(session)
    assert access.exchange(code, PHONE) is None, "a replayed code"


def test_without_a_code_nothing_opens_the_page(access: OwnerAccess) -> None:
    for guess in ("", "000000", "\ud800"):
        assert access.exchange(guess, PHONE) is None
        assert not access.is_owner(guess)
    assert not access.is_owner(None)


def test_a_code_is_void_after_five_minutes_and_when_a_newer_one_is_shown(access: OwnerAccess, clock: Clock) -> None:
    old = access.new_code()
    clock.now += CODE_LASTS
    assert access.exchange(old, PHONE) is None
    old = access.new_code()
    while (new := access.new_code()) == old:
        pass
    assert access.exchange(old, PHONE) is None
    assert access.exchange(new, PHONE) is not None


def test_nobody_finds_a_code_by_trying(access: OwnerAccess) -> None:
    code = access.new_code()
    for _ in range(TRIES):
        assert access.exchange(other_than(code), PHONE) is None
    assert access.exchange(code, PHONE) is None, "this phone has tried too often"
    assert access.exchange(access.new_code(), PHONE) is not None, "a new one is shown at the table"


def test_nobody_in_the_house_voids_a_code_for_another(access: OwnerAccess) -> None:
    code = access.new_code()
    for _ in range(2 * FROM_ALL):
        assert access.exchange(other_than(code), "192.168.1.66") is None
    assert access.exchange(code, PHONE) is not None


def test_a_code_that_many_addresses_have_tried_is_void(access: OwnerAccess) -> None:
    code = access.new_code()
    for number in range(FROM_ALL):
        assert access.exchange(other_than(code), f"fe80::{number:x}") is None
    assert access.exchange(code, PHONE) is None


# ---- passwords ----


def test_a_password_is_known_by_its_hash_alone() -> None:
    assert is_password_hash(HASH)
    assert is_right_password("correct horse", HASH)
    assert not is_right_password("correct hors", HASH)
    assert hash_password("correct horse") != HASH, "each has a salt of its own"
    assert not is_password_hash("hunter2")
    assert not is_password_hash(HASH + "\n")


def test_the_password_opens_the_page_and_few_wrong_ones_may_be_tried_a_minute(
    access: OwnerAccess, clock: Clock
) -> None:
    assert access.is_owner(access.log_in("correct horse", PHONE))
    for _ in range(TRIES - 1):
        assert access.log_in("wrong", PHONE) is None
    with pytest.raises(TooManyTries):
        access.log_in("correct horse", PHONE)
    clock.now += WITHIN
    assert access.log_in("correct horse", PHONE) is not None


def test_nobody_in_the_house_uses_up_the_tries_of_another(access: OwnerAccess) -> None:
    for _ in range(TRIES):
        assert access.log_in("wrong", "192.168.1.66") is None
    with pytest.raises(TooManyTries):
        access.log_in("wrong", "192.168.1.66")
    assert access.log_in("correct horse", PHONE) is not None


def test_tries_from_ever_new_addresses_have_a_limit_and_leave_nothing_behind(clock: Clock) -> None:
    limit, tried = WrongTokenLimit(clock), 0
    for number in range(2 * FROM_ALL):
        with suppress(TooManyTries):
            limit.count(f"fe80::{number:x}")
            tried += 1
    assert tried == FROM_ALL
    with pytest.raises(TooManyTries) as refused:
        limit.count(PHONE)
    assert refused.value.wait == WITHIN
    clock.now += WITHIN
    limit.count(PHONE)
    assert len(limit._recent) == 1


def test_few_passwords_are_checked_at_once_and_the_others_are_refused_uncounted(access: OwnerAccess) -> None:
    with ThreadPoolExecutor(AT_ONCE) as pages:
        with access._hashing:  # none of them is done yet
            tried = [pages.submit(access.log_in, "wrong", f"192.168.1.{number}") for number in range(AT_ONCE)]
            while len(access._passwords._recent) < AT_ONCE:
                time.sleep(0.001)
            for _ in range(2 * TRIES):
                with pytest.raises(TooManyTries) as refused:
                    access.log_in("correct horse", PHONE)
                assert refused.value.wait == 1
        assert [each.result() for each in tried] == [None] * AT_ONCE
    assert access.log_in("correct horse", PHONE) is not None, "none of them was counted"


GROWTH = f"""
import resource
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from firmware_host.web.seats.owner_access import AT_ONCE, OwnerAccess

def resident():
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * resource.getpagesize() / 1e6

access = OwnerAccess(lambda: 0.0, {HASH!r})
before = resident()
with ThreadPoolExecutor(AT_ONCE) as pages:
    assert [*pages.map(access.log_in, ["wrong"] * AT_ONCE, map(str, range(AT_ONCE)))] == [None] * AT_ONCE
print(resident() - before)
"""
"""Prints by how many megabytes a process has grown that tried passwords: a process of its own, as the table's is."""


def test_passwords_tried_at_once_leave_no_memory_behind() -> None:
    grown = subprocess.run([sys.executable, "-c", GROWTH], capture_output=True, text=True, check=True).stdout
    assert float(grown) < 12  # one takes 16 MiB


def test_without_a_password_none_is_right(clock: Clock) -> None:
    bare = OwnerAccess(clock)
    assert not bare.has_password
    assert bare.log_in("", PHONE) is None
    assert bare.log_in("x", PHONE) is None


def test_secrets_are_hidden_however_a_file_writes_them() -> None:
    text = f'web = {{ owner_password = "{HASH}" }}\nurl = "mqtt://ada:horse@broker:1883"\nnames = ["table"]\n'
    hidden = hide_secrets(text)
    assert "scrypt" not in hidden
    assert "horse" not in hidden
    assert 'url = "mqtt://…@broker:1883"' in hidden
    assert 'names = ["table"]' in hidden


def test_passwords_are_hidden_in_keys_and_the_rest_can_still_be_read() -> None:
    keys = "password = 'horse'\nmy_password='horse'\n# password = horse\n"
    keys += "[players.bot]\ncommand = ['x', '--password=horse 2']\n"
    for text in (keys, keys.replace("'", '"'), keys.replace("'", '"').replace('"horse"', r'"a\"horse"')):
        assert "horse" not in hide_secrets(text)
        assert tomllib.loads(hide_secrets(text))["players"]["bot"]["command"] == ["x", "--password=…"]
    file = 'password_file = "horse"\nowner_password = ""\n'
    assert hide_secrets(file) == file


# ---- sessions ----


def test_a_session_ends_by_logging_out_and_after_half_a_day(access: OwnerAccess, clock: Clock) -> None:
    phone, computer = (access.exchange(access.new_code(), PHONE) for _ in range(2))
    assert phone is not None
    access.log_out(phone)
    assert not access.is_owner(phone)
    assert access.is_owner(computer), "another owner stays"
    clock.now += SESSION_LASTS
    assert not access.is_owner(computer)


def test_the_oldest_session_ends_when_there_are_too_many(access: OwnerAccess) -> None:
    sessions = [access.exchange(access.new_code(), PHONE) for _ in range(SESSIONS + 1)]
    assert [access.is_owner(one) for one in sessions] == [False] + SESSIONS * [True]


def test_the_owner_logs_in_even_if_the_sessions_can_neither_be_saved_nor_removed(
    clock: Clock, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    in_the_way = tmp_path / "owner-sessions.json"
    in_the_way.mkdir()
    access = OwnerAccess(clock, file=in_the_way)
    assert access.is_owner(access.exchange(access.new_code(), PHONE))
    assert f"{in_the_way}: is a folder; the owner has to log in again after a restart" in caplog.text


# ---- over the network ----


class Desk:
    """The owner's desk of a table at which nothing happens. Implements `OwnerDesk`."""

    def __init__(self) -> None:
        self.now = Clock()
        self.access = OwnerAccess(self.now, HASH)

    def answers(self) -> list[OwnerAnswer]:
        return []


class Owned(Served):
    """A server with an owner's page."""

    table: Any
    desk: Desk

    def log_in(self, body: dict[str, Any], **headers: str | None) -> tuple[int, Any]:
        """The answer to a login."""
        status, _, said = self.fetch("/owner/session", "POST", json.dumps(body), **{"origin": self.home, **headers})
        return status, json.loads(said)

    def owner(self) -> str:
        """A session that was opened just now."""
        status, said = self.log_in({"code": self.desk.access.new_code()})
        assert status == 200, said
        return str(said["session"])


@pytest.fixture
def owned() -> Iterator[Owned]:
    desk, orders = Desk(), PageOrderQueue(OF_OWNER)
    server = Server("127.0.0.1", 0, OrderRouter(PageOrderQueue(AT_REAL_BOARD), orders), owner=desk)
    server.start()
    try:
        it = Owned(server, orders)
        it.desk = desk
        yield it
    finally:
        server.stop()


def test_a_code_may_be_written_with_a_space(owned: Owned) -> None:
    code = owned.desk.access.new_code()
    assert owned.log_in({"code": f" {code[:3]} {code[3:]} "})[0] == 200


def test_the_address_that_a_page_comes_from_has_its_own_tries(owned: Owned) -> None:
    body = json.dumps({"password": "wrong"})
    for _ in range(TRIES + 1):
        with closing(http.client.HTTPConnection("127.0.0.1", owned.port, 60, source_address=("127.0.0.2", 0))) as line:
            line.request("POST", "/owner/session", body, {"origin": owned.home})
            status = line.getresponse().status
    assert status == 429
    assert owned.log_in({"password": "correct horse"})[0] == 200


def test_a_foreign_page_cannot_log_in_even_with_the_right_code(owned: Owned) -> None:
    code = owned.desk.access.new_code()
    for origin in ("http://evil.example", "null", None, f"https://{owned.host}"):
        assert owned.log_in({"code": code}, origin=origin)[0] == 403
    assert owned.log_in({"code": code})[0] == 200, "none of them was counted"


def test_wrong_logins_are_refused_in_words(owned: Owned) -> None:
    code = owned.desk.access.new_code()
    status, said = owned.log_in({"code": other_than(code)})
    assert (status, "the table's menu shows a new one" in said["error"]) == (403, True)
    assert owned.log_in({"password": "wrong"}) == (403, {"error": "This password is wrong"})
    for _ in range(TRIES - 1):
        owned.log_in({"password": "wrong"})
    status, said = owned.log_in({"password": "correct horse"})
    assert (status, said["error"][:30]) == (429, "Too many passwords were tried;")


@pytest.mark.parametrize(
    "body", ["", "[]", "{", '{"code": 5}', '{"code": "1", "more": 1}', '{"password": "' + 201 * "x" + '"}']
)
def test_a_login_of_another_form_is_refused(owned: Owned, body: str) -> None:
    status, _, said = owned.fetch("/owner/session", "POST", body, origin=owned.home)
    assert status in (400, 403), said
    status, _, _ = owned.fetch("/owner/session", "POST", 2000 * "x", origin=owned.home)
    assert status == 413


def test_the_page_gets_the_public_messages_with_a_session_and_nothing_without(owned: Owned) -> None:
    owned.server.public.put("scene", lambda: '{"kind": "scene"}')
    for session in (None, "", "made up", 64 * "x"):
        with owned.page("owner", session) as line:
            assert farewell(line) == (NOT_ALLOWED, "This page is logged out; log in again")
    with owned.page("owner", owned.owner()) as line:
        assert hear(line, "scene") == {"kind": "scene"}


def test_logging_out_closes_the_page_and_no_other_owners(owned: Owned) -> None:
    mine, other = owned.owner(), owned.owner()
    with owned.page("owner", mine) as line, owned.page("owner", other) as stays:
        hear(line, "beat")
        answer = owned.fetch("/owner/leave", "POST", origin=owned.home, authorization=f"Bearer {mine}")
        assert answer[0] == 200
        assert farewell(line)[0] == NOT_ALLOWED
        hear(stays, "beat")
    assert owned.fetch("/owner/leave", "POST", origin=owned.home, authorization=f"Bearer {mine}")[0] == 401


def test_the_session_of_an_owner_opens_no_other_page(owned: Owned) -> None:
    with owned.page("handset", owned.owner()) as line:
        assert farewell(line)[0] == NOT_ALLOWED


def test_a_spectators_page_may_not_give_the_owners_orders(owned: Owned) -> None:
    with owned.page("spectator", owned.owner()) as line:
        line.send(json.dumps({"do": "give_up"}))
        assert hear(line, "refused")["text"] == "a spectator looks on"


def test_a_page_whose_session_has_ended_gives_no_more_orders(owned: Owned) -> None:
    with owned.page("owner", owned.owner()) as line:
        hear(line, "beat")
        owned.desk.now.now += SESSION_LASTS
        line.send(json.dumps({"do": "give_up"}))
        assert farewell(line)[0] == NOT_ALLOWED
    assert list(owned.table.orders()) == []


def test_a_table_without_an_owners_page_has_none_of_its_addresses() -> None:
    server = Server("127.0.0.1", 0, PageOrderQueue(AT_REAL_BOARD))
    server.start()
    try:
        bare = Served(server, None)
        assert bare.fetch("/owner")[0] == 307
        assert bare.fetch("/owner/session", "POST", "{}", origin=bare.home)[0] == 404
    finally:
        server.stop()
