"""The code that a phone reads off the terminal, and what stands beside it."""

from __future__ import annotations

import os
import pty
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import pytest
import segno

from firmware_host.web.printed_link import LinkPrompt, qr_code, width_of
from firmware_host.web.seats.qr_modules import QUIET
from firmware_host.web.server import Server
from firmware_host.web.transport import host_names
from tests.waiting import until
from tests.web.served import Idle

LINK = "http://192.168.178.123:8199/seat#q3SL9yN0bJk7d-2_aXw4Zg"
ANYWHERE = host_names.EVERYWHERE[0]
RUN = re.compile(r"\x1b\[38;5;(16|231);48;5;(16|231)m(▀+)")
DARK = {"16": 1, "231": 0}


def modules(lines: list[str]) -> list[list[int]]:
    """What an eye sees: 1 for each dark half of a character, 0 for each light one."""
    rows: list[list[int]] = []
    for line in lines:
        runs = RUN.findall(line)
        assert line == "".join(f"\x1b[38;5;{u};48;5;{v}m{halves}" for u, v, halves in runs) + "\x1b[0m"
        rows += [[DARK[run[half]] for run in runs for _ in run[2]] for half in (0, 1)]
    return rows


@pytest.mark.parametrize("link", [LINK, "http://[2001:db8::1]:65535/seat#" + "x" * 22, "HTTP://A"])
def test_the_printed_code_has_the_modules_of_the_link(link: str) -> None:
    wanted = [list(row) for row in segno.make(link, error="l", micro=False).matrix]
    seen, size = modules(qr_code(link)), len(wanted)
    inner = [row[QUIET : QUIET + size] for row in seen[QUIET : QUIET + size]]
    assert inner == wanted
    assert sum(map(sum, seen)) == sum(map(sum, wanted)), "all around it is light"
    assert {len(row) for row in seen} == {size + 2 * QUIET}
    assert len(seen) >= size + 2 * QUIET


def test_it_fits_an_ordinary_terminal() -> None:
    lines = qr_code(LINK)
    assert width_of(lines) == len(modules(lines)[0]) <= 80
    assert len(lines) <= 22


# ---- the invitation ----


@contextmanager
def terminal() -> Iterator[tuple[int, TextIO]]:
    """The two ends of a terminal: where a person sits, and where a program is."""
    outside, inside = pty.openpty()
    try:
        with os.fdopen(inside, "r+b", buffering=0) as raw:
            yield outside, raw  # type: ignore[misc]
    finally:
        os.close(outside)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server that phones of the house can reach."""
    monkeypatch.setattr(host_names, "reachable", lambda _: "192.168.178.23")
    server = Server(ANYWHERE, 0, Idle())
    yield server
    server.stop()


@pytest.fixture
def alone() -> Iterator[Server]:
    """A server that only this machine can reach."""
    server = Server("127.0.0.1", 0, Idle())
    yield server
    server.stop()


def link(text: str) -> str:
    found = re.search(r"^Mister X's handset: (\S+)$", text, re.MULTILINE)
    assert found, text
    return found[1]


def test_a_terminal_shows_the_link_and_its_code(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    with terminal() as (_, here):
        text = LinkPrompt(server, here, here).text()
    shown = link(text)
    assert shown.startswith(f"http://192.168.178.23:{server.port}/seat#")
    assert "\n".join(qr_code(shown)) in text
    assert "Press Enter" in text
    assert server.handset_token.exchange(shown.partition("#")[2], "")


@pytest.mark.parametrize(("name", "value"), [("TERM", "dumb"), ("COLUMNS", "30")])
def test_where_a_code_cannot_be_drawn_the_link_alone_is_shown(
    server: Server, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv(name, value)
    with terminal() as (_, here):
        text = LinkPrompt(server, here, here).text()
    assert link(text)
    assert "\x1b" not in text


def test_into_a_file_goes_the_link_alone_and_nothing_is_read(server: Server, tmp_path: Path) -> None:
    (tmp_path / "keys").write_text("\n\n")
    with (tmp_path / "keys").open() as keys, (tmp_path / "told").open("w") as told:
        invitation = LinkPrompt(server, keys, told)
        text = invitation.text()
        assert not invitation.wanted()
    assert link(text)
    assert "\x1b" not in text
    assert "Enter" not in text


def test_enter_asks_for_another_and_nothing_else_does(server: Server) -> None:
    with terminal() as (outside, here):
        invitation = LinkPrompt(server, here, here)
        first = link(invitation.text())
        assert not invitation.wanted()
        os.write(outside, b"\n")
        until(invitation.wanted, "Enter to be felt")
        assert not invitation.wanted()
        second = link(invitation.text())
    assert first != second
    assert server.handset_token.exchange(first.partition("#")[2], "") is None
    assert server.handset_token.exchange(second.partition("#")[2], "")


def test_a_terminal_that_goes_away_is_asked_no_more(server: Server) -> None:
    outside, inside = pty.openpty()
    with os.fdopen(inside, "r+b", buffering=0) as here:
        invitation = LinkPrompt(server, here, here)  # type: ignore[arg-type]
        os.close(outside)
        assert not invitation.wanted()
        assert not invitation.wanted()


def test_while_only_this_machine_can_open_it_there_is_no_link_and_a_code_in_use_stays_good(alone: Server) -> None:
    token = alone.handset_token.new_token()
    with terminal() as (_, here):
        text = LinkPrompt(alone, here, here).text()
    assert "seat#" not in text
    assert "\n" not in text
    assert "--host 0.0.0.0" in text
    assert alone.handset_token.exchange(token, "")


def test_where_phones_can_reach_it_the_link_is_said_without_a_word_of_the_host(server: Server, tmp_path: Path) -> None:
    with (tmp_path / "told").open("w+") as told:
        text = LinkPrompt(server, told, told).text()
    assert link(text).startswith(f"http://192.168.178.23:{server.port}/seat#")
    assert "--host" not in text


# ---- addresses ----


def test_that_address_is_found_without_a_word_to_anybody() -> None:
    for everywhere, here in ((ANYWHERE, "127.0.0.1"), ("::", "::1")):
        found = host_names.reachable(everywhere)
        assert found not in host_names.EVERYWHERE
        assert (":" in found) == (":" in everywhere)
        assert host_names.here(everywhere) == here


def test_a_server_that_listens_at_one_address_is_found_there_and_its_url_has_brackets_where_they_belong() -> None:
    for host in ("127.0.0.1", "192.168.1.7", "::1", "table.local"):
        assert host_names.reachable(host) == host_names.here(host) == host
        assert host_names.url(host, 8199) == f"http://{f'[{host}]' if ':' in host else host}:8199/"
    loopback = {host: host_names.is_loopback(host) for host in ("127.0.0.1", "127.8.8.8", "::1", "localhost")}
    assert all(loopback.values()), loopback
    assert not host_names.is_loopback("192.168.1.7")
    assert not host_names.is_loopback("attic.local")


@pytest.fixture
def no_gateway(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A network without a route out of it; returns the folder of the machine's interfaces."""
    nobody_may_go_there = dict.fromkeys(host_names._ELSEWHERE, "255.255.255.255")
    monkeypatch.setattr(host_names, "_ELSEWHERE", nobody_may_go_there)
    monkeypatch.setattr(host_names, "INTERFACES", tmp_path)
    return tmp_path


def test_without_any_network_this_machine_still_finds_itself(no_gateway: Path) -> None:
    (no_gateway / "lo").touch()
    assert host_names.reachable(ANYWHERE) == "127.0.0.1"
    assert host_names.reachable("::") == "::1"


def test_in_a_network_without_a_gateway_its_own_address_there_is_found(
    no_gateway: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert host_names._address_of("lo") == "127.0.0.1"
    assert host_names._address_of("no-such-interface") == ""
    for interface in ("eth0", "lo", "wlan0"):
        (no_gateway / interface).touch()
    addresses = {"eth0": "", "lo": "127.0.0.1", "wlan0": "192.168.50.1"}
    monkeypatch.setattr(host_names, "_address_of", lambda interface: addresses[interface])
    assert host_names.reachable(ANYWHERE) == "192.168.50.1"


def test_addresses_of_the_house_are_told_from_those_of_the_wide_internet() -> None:
    at_home = [
        "127.0.0.1",
        "192.168.178.7",
        "10.1.2.3",
        "172.20.0.1",
        "169.254.9.9",
        "::1",
        "fe80::1%eth0",
        "fd00::7",
        "::ffff:192.168.1.7",
    ]
    outside = [
        "8.8.8.8",
        "2a00:1450::1",
        "::ffff:8.8.8.8",
        "attic.local",
        "100.64.0.1",
        "198.18.0.1",
        "240.0.0.1",
        "172.32.0.1",
    ]
    for here in ("192.168.178.5", "::1", "fd00::5", "2003:e5:1:2::5"):
        assert [host for host in at_home if not host_names.is_at_home(host, here)] == []
        assert [host for host in ("", *outside) if host_names.is_at_home(host, here)] == []


def test_who_has_an_address_of_the_wide_internet_on_the_tables_own_link_is_of_the_house() -> None:
    here = "2003:e5:1:2::5"
    assert host_names.is_at_home("2003:e5:1:2:a:b:c:d", here)
    assert not host_names.is_at_home("2003:e5:1:3:a:b:c:d", here)
    assert not host_names.is_at_home("2003:e5:1:2::5", "192.168.178.5")
