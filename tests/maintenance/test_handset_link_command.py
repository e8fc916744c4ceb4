"""The command `handset-link`: whoever runs the table is shown the link for Mister X's phone, and nobody else is."""

from __future__ import annotations

import os
import pty
from pathlib import Path

import pytest

from firmware_host.cli import main
from firmware_host.web.printed_link import qr_code
from firmware_host.web.seats import handset_link_file
from firmware_host.web.seats.handset_link_file import HandsetLinkFile, read

LINK = "http://192.168.178.123:8199/seat#q3SL9yN0bJk7d-2_aXw4Zg"


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The configuration of a table with a phone, whose files lie in a folder of their own."""
    for name in ("RUNTIME_DIRECTORY", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    (tmp_path / "table.toml").write_text("[handset]\nphone = true\n[web]\nserve = true\n")
    return tmp_path / "table.toml"


def link_file(config: Path, folder: Path | None = None) -> HandsetLinkFile:
    return HandsetLinkFile((folder or config.parent) / "handset-link", str(config))


def asked(config: Path) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["handset-link", "--config", str(config)])
    return int(ended.value.code or 0)


def test_the_link_is_told_and_how_often_it_works(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    link_file(table).write(LINK)
    assert asked(table) == 0
    first, second, third = capsys.readouterr().out.splitlines()
    assert first == f"Mister X's handset: {LINK}"
    assert second.startswith("It works once, in this game,")
    assert third.endswith(" http://192.168.178.123:8199/detective"), "it opens no seat of his, and is no secret"


def test_a_terminal_is_shown_the_code_as_well(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link_file(table).write(LINK)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    outside, inside = pty.openpty()
    with os.fdopen(inside, "w", encoding="utf-8") as terminal:
        monkeypatch.setattr("sys.stdout", terminal)
        assert asked(table) == 0
    said = b""
    while b"It works once" not in said:
        said += os.read(outside, 65536)
    os.close(outside)
    assert "\r\n".join(qr_code(LINK)) in said.decode()


def test_a_link_for_this_machine_alone_says_how_a_phone_is_let_in(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link_file(table).write("http://127.0.0.1:8199/seat#q3SL9yN0bJk7d-2_aXw4Zg")
    assert asked(table) == 0
    assert 'host = "0.0.0.0" in [web]' in capsys.readouterr().out


def test_of_two_links_the_newest_is_told_for_one_may_be_left_from_a_power_cut(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    running = tmp_path / "run"
    running.mkdir()
    monkeypatch.setattr("firmware_host.daemon.health_file.RUNTIME", str(running))
    for old, new in ((running, tmp_path), (tmp_path, running)):
        link_file(table, old).write(LINK.replace("q3", "OLD"))
        link_file(table, new).write(LINK)
        for date in (1, 1e10):  # the clock had not been set yet, or ran ahead
            os.utime(old / "handset-link", (date, date))
            assert asked(table) == 0
            assert capsys.readouterr().out.splitlines()[0] == f"Mister X's handset: {LINK}"


def test_a_link_from_before_the_machine_was_started_is_not_told(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    running = tmp_path / "run"
    running.mkdir()
    monkeypatch.setattr("firmware_host.daemon.health_file.RUNTIME", str(running))
    with monkeypatch.context() as before:
        before.setattr(handset_link_file, "boot_id", lambda: "the-start-before")
        before.setattr(handset_link_file, "boot_seconds", lambda: 1e9)
        link_file(table).write(LINK.replace("q3", "OLD"))
    assert asked(table) == 1
    told = capsys.readouterr()
    assert "was written before this machine was started" in told.err
    assert "OLD" not in told.out + told.err
    link_file(table, running).write(LINK)
    assert asked(table) == 0
    assert capsys.readouterr().out.splitlines()[0] == f"Mister X's handset: {LINK}"


def test_the_link_of_another_table_is_not_told(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    link_file(table.with_name("other.toml"), table.parent).write(LINK)
    assert asked(table) == 1
    said = capsys.readouterr()
    assert f"the table that runs here is that of {table.with_name('other.toml')}" in said.err
    assert LINK not in said.out + said.err


def test_where_nobody_is_invited_it_says_where_it_looked_and_what_may_be(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert asked(table) == 1
    told = capsys.readouterr().err
    assert str(table.with_name("handset-link")) in told
    assert "Start the table with this configuration" in told


def test_a_table_without_a_phone_is_told_what_to_write(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table.write_text("[web]\nserve = true\n")
    link_file(table).write(LINK)
    assert asked(table) == 1
    told = capsys.readouterr()
    assert "write phone = true in [handset]" in told.err
    assert LINK not in told.out


@pytest.mark.parametrize("content", [b"", b"nonsense", b"http://x/seat#a\x1b[2J", b"\xff\xfe"])
def test_what_is_no_link_is_not_shown(table: Path, content: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    table.with_name("handset-link").write_bytes(content)
    assert asked(table) == 1
    told = capsys.readouterr()
    assert "contains no link" in told.err
    assert told.out == ""


def test_the_file_is_its_owners_alone_whatever_the_mask_and_goes_away(tmp_path: Path) -> None:
    file, before = HandsetLinkFile(tmp_path / "handset-link", "/etc/table.toml"), os.umask(0)
    try:
        file.write(LINK)
    finally:
        os.umask(before)
    assert (tmp_path / "handset-link").stat().st_mode & 0o777 == 0o600
    kept = read(tmp_path / "handset-link")
    assert (kept.link, kept.config) == (LINK, "/etc/table.toml")
    file.write("")
    file.write("")
    assert list(tmp_path.iterdir()) == []
