"""The hosts and origins that are answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.web.transport.host_names import AllowedHosts, own_names

NOWHERE = Path("/nowhere/resolv.conf")


@pytest.fixture
def hosts() -> AllowedHosts:
    return AllowedHosts({"localhost", "Table"}, {"Table.Example"})


KNOWN = (
    "localhost:8199 LOCALHOST:8199 127.0.0.1:8199 192.168.1.7:8199 [::1]:8199 [FE80::1]:8199 table:8199 table "
    "TABLE.:8199 localhost:9000 localhost. table.localhost:8199 127.0.0.1 127.0.0.1:9000 [::1] [fe80::1%eth0]:8199 "
    "[fe80::1%25eth0]:8199 table.example table.example:443"
)
UNKNOWN = (
    ". :8199 localhost: localhost:8199x localhost:-8199 localhost.. .localhost.example localhost:٨١٩٩ "
    "localhost:8199:8199 evil.example:8199 127.0.0.1.evil.example:8199 127.1:8199 evil.table table.example.evil "
    "localhost.evil.example ::1:8199 [::1:8199 ::1]:8199 [localhost]:8199 [127.0.0.1]:8199 user@localhost:8199 "
    "localhost:8199/ 8199"
)


def test_the_table_answers_to_its_names_and_to_addresses_and_to_no_other_name(hosts: AllowedHosts) -> None:
    assert [host for host in KNOWN.split() if not hosts.knows_host(host)] == []
    assert [host for host in (None, "", " localhost:8199", *UNKNOWN.split()) if hosts.knows_host(host)] == []


OWN = [
    ("http://localhost:8199", "localhost:8199"), ("http://LocalHost:8199", "localhost:8199"),
    ("http://[::1]:8199", "[::1]:8199"), ("http://192.168.1.7:8199", "192.168.1.7:8199"), ("http://table", "table"),
    ("http://localhost:9000", "localhost:9000"), ("http://table.:8199", "table:8199"),
    ("http://table.example", "table.example"), ("https://table.example", "table.example"),
    ("https://table.example:8443", "table.example:8443"),
    ("http://localhost", "localhost:80"), ("https://table.example", "table.example:443"),  # the port of the scheme
]  # fmt: skip
FOREIGN = [
    (None, "localhost:8199"), ("", "localhost:8199"), ("null", "localhost:8199"), ("http://localhost:8199", None),
    ("http://localhost:9000", "localhost:8199"), ("http://localhost", "localhost:8199"),
    ("https://localhost:8199", "localhost:8199"), ("https://table", "table"),
    ("http://table.example:9000", "table.example"), ("https://table.example:9000", "table.example"),
    ("ftp://table.example:80", "table.example:80"), ("file://localhost:8199", "localhost:8199"),
    ("http://127.0.0.1:8199", "localhost:8199"), ("http://evil.example:8199", "localhost:8199"),
    ("http://evil.example:8199", "evil.example:8199"), ("http://localhost:8199/", "localhost:8199"),
    ("http://localhost:8199@evil.example", "localhost:8199"), ("localhost:8199", "localhost:8199"),
    ("https://table.example", "table.example:80"),
]  # fmt: skip
"""Origins and hosts."""


def test_a_page_of_its_own_and_no_other_has_the_origin_of_its_host(hosts: AllowedHosts) -> None:
    assert [pair for pair in OWN if not hosts.knows_origin(*pair)] == []
    assert [pair for pair in FOREIGN if hosts.knows_origin(*pair)] == []


@pytest.fixture
def resolver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What this machine has been told about names; it is called attic.example.org."""
    monkeypatch.setattr("socket.gethostname", lambda: "Attic.example.org")
    return tmp_path / "resolv.conf"


def test_a_machine_is_known_by_its_own_names(resolver: Path) -> None:
    names = own_names("127.0.0.1", resolver)
    ends = {"local", "lan", "home", "home.arpa", "internal", "intranet", "private", "localdomain"}
    ends |= {"fritz.box", "speedport.ip"}
    numbered = {f"attic-{n}.local" for n in range(2, 101)}  # where another machine of the name is in the network
    usual = {"127.0.0.1", "localhost", "attic.example.org", "attic", *(f"attic.{end}" for end in ends)}
    assert names == usual | numbered


def test_a_machine_is_known_by_its_name_in_the_domains_of_its_network(resolver: Path) -> None:
    resolver.write_text(
        "# search no.such\nnameserver 192.168.1.1\ndomain Upstairs.Example.\nsearch a.example b.example .\n"
    )
    names = own_names("127.0.0.1", resolver)
    assert {"attic.upstairs.example", "attic.a.example", "attic.b.example"} <= names
    assert names - {"attic.upstairs.example", "attic.a.example", "attic.b.example"} == own_names("127.0.0.1", NOWHERE)


def test_a_domain_in_which_anybody_could_have_a_name_is_no_domain_of_its_own(resolver: Path) -> None:
    for told in ("search com", "search de.", "search .", "search", "domain box", "search *.a", "\xff"):
        resolver.write_bytes(told.encode("latin-1"))
        assert own_names("127.0.0.1", resolver) == own_names("127.0.0.1", NOWHERE), told


GIVEN = (
    "attic.fritz.box ATTIC.lan attic.home.arpa attic.local attic.home attic.internal attic.a.example attic-2.local "
    "Attic-17.local."
)
OTHERS = (
    "attic.example attic.com attic.box attic.evil.lan evil.fritz.box evil.lan attic.lan.evil.ex attic.b.example "
    "x.attic.a.example atticlan fritz.box lan a.example .lan attic-2.lan attic-x.local attic-1.local "
    "attic-2.local.evil.ex attic2.local xattic-2.local"
)


def test_the_names_that_routers_give_this_machine_open_the_pages_and_nobody_elses_do(resolver: Path) -> None:
    resolver.write_text("search a.example\n")
    hosts = AllowedHosts(own_names("192.168.1.7", resolver))
    for name in GIVEN.split():
        for port in (":8199", ":9000", ""):
            assert hosts.knows_host(f"{name}{port}")
            assert hosts.knows_origin(f"http://{name}{port}", f"{name}{port}")
    assert [name for name in OTHERS.split() if hosts.knows_host(f"{name}:8199")] == []
