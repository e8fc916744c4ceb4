"""Mister X plays on his phone at a table that is run: whole moves in a real browser, over lost lines and restarts."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import zipfile
from pathlib import Path

import pytest

from firmware_host.config.loader import load
from firmware_host.journal.journal import Journal
from firmware_host.rules.actions import MR_X, Double, MrXMove
from tests.amount import amount
from tests.waiting import until
from tests.web.board_with_hands import ROOT, START, board
from tests.web.chromium import GONE, Visit, Visitor
from tests.web.programs import COMMAND

pytestmark = pytest.mark.long

SHOWN = r"INFO The table is shown at (\S+)"
OPEN_OR_COVERED = """() => document.querySelector("#look[aria-disabled=false]")?.checkVisibility()
  || /You are on \\d+/.test(document.querySelector("#prompt").textContent)"""


def link(home: Path, but: str = "") -> str:
    """The link that invites a phone, as soon as there is another than the one before."""
    file = home / "handset-link"
    until(lambda: file.exists() and file.read_text().partition("\n")[0] not in ("", but), "a link")
    return file.read_text().splitlines()[0]


def phone(visit: Visit, at: str) -> Visitor:
    """His page on a phone, by a link."""
    home, _, path = at.partition("seat")
    page = visit(home, f"seat{path}", touch=True, size=(390, 844))
    page.excuse(GONE)  # the table may end before its page
    return page


def look(page: Visitor) -> int:
    """Take the cover off when it is his turn, unless computers alone hunt him; tells where he is."""
    page.wait(OPEN_OR_COVERED)
    if page.page.locator("#look").is_visible():
        page.page.click("#look")
    page.wait("() => /You are on \\d+/.test(document.querySelector('#prompt').textContent)")
    found = re.search(r"You are on (\d+)", page.read("#prompt"))
    assert found
    return int(found[1])


def go(page: Visitor) -> None:
    """Make the first move of the list."""
    page.page.locator("#choose .end").first.click()
    page.click("Go", exact=True)


def played(home: Path) -> list[object]:
    """What stands in the journal of the newest game."""
    config = load(home / "table.toml")
    with Journal.open(home / "journal.sqlite") as journal:
        game = journal.newest(config.boxes, config.ground)
    assert game is not None
    return list(game.actions)


HANDSETS = {"beside a screen": "", "instead of one": 'driver = "none"'}
ENDS = {"in good order": signal.SIGTERM, "by a power cut": signal.SIGKILL}


@pytest.mark.parametrize("handset", amount(["instead of one"], [*HANDSETS]))
def test_he_moves_on_his_phone_and_the_table_writes_it_down(tmp_path: Path, visit: Visit, handset: str) -> None:
    with board(tmp_path, handset=HANDSETS[handset]) as table:
        page = phone(visit, link(tmp_path))
        assert look(page) == START[MR_X]
        go(page)
        page.says("#prompt", "Red")
        page.wait("() => /You are on \\d+/.test(document.querySelector('#prompt').textContent)")
        assert {len(said) for said in page.sent} == {256}, "nor does the length of what he says tell a station"
        assert page.page.locator("#small").is_hidden()
        assert table.end(signal.SIGTERM) == 0
    (moved, *others) = played(tmp_path)
    assert isinstance(moved, MrXMove)
    assert len(others) >= 2


def test_both_steps_of_a_double_move_are_written_down_in_order(tmp_path: Path, visit: Visit) -> None:
    with board(tmp_path) as table:
        page = phone(visit, link(tmp_path))
        look(page)
        page.click("Double move", exact=True)
        for _ in range(2):
            page.page.locator("#choose .end").first.click()
        page.click("Make both moves")
        page.wait("() => !document.querySelector('#prompt').textContent.includes('Where to')")
        page.wait("() => /^You are on/.test(document.querySelector('#prompt').textContent)")
        assert table.end(signal.SIGTERM) == 0
    assert [type(action) for action in played(tmp_path)[:3]] == [Double, MrXMove, MrXMove]


@pytest.mark.parametrize("how", amount(["by a power cut"], [*ENDS]))
def test_after_a_restart_the_same_phone_plays_on_by_itself(tmp_path: Path, visit: Visit, how: str) -> None:
    with board(tmp_path) as table:
        port = int(table.url(SHOWN).rstrip("/").rpartition(":")[2])
        page = phone(visit, link(tmp_path))
        start = look(page)
        until((tmp_path / "seat-session.json").exists, "the seat to be written down")
        table.end(ENDS[how])
    page.says("#line", "does not answer")
    assert str(start) not in page.read("body")
    with board(tmp_path, port=port) as table:
        page.connected()
        assert look(page) == start
        go(page)
        page.says("#prompt", "Red")
        page.page.reload()
        page.connected()
        look(page)
        page.wait("() => document.querySelectorAll('#board [data-pawn=mr_x]').length === 1")
        table.end(signal.SIGTERM)
    assert isinstance(played(tmp_path)[0], MrXMove)


def test_a_phone_that_has_lost_the_table_is_covered_and_plays_on_when_it_is_back(tmp_path: Path, visit: Visit) -> None:
    with board(tmp_path) as table:
        page = phone(visit, link(tmp_path))
        look(page)
        table.process.send_signal(signal.SIGSTOP)
        page.says("#line", "does not answer")
        assert page.page.locator("#secret").evaluate("secret => secret.inert")
        table.process.send_signal(signal.SIGCONT)
        page.connected()
        assert look(page) == START[MR_X]
        go(page)
        page.says("#prompt", "Red")
        table.end(signal.SIGTERM)
    assert isinstance(played(tmp_path)[0], MrXMove)


def test_a_second_phone_with_the_same_link_is_told_so_and_the_first_keeps_the_seat(
    tmp_path: Path, visit: Visit
) -> None:
    with board(tmp_path) as table:
        invited = link(tmp_path)
        first = phone(visit, invited)
        look(first)
        second = phone(visit, invited)
        second.excuse("status of 403")
        second.wait(
            "() => document.querySelector('#line').textContent.startsWith('This code is wrong, was used already')"
        )
        assert "yardboard handset-link" in second.read("#line")
        go(first)
        first.wait("() => !document.querySelector('#prompt').textContent.includes('Where to')")
        third = phone(visit, link(tmp_path, but=invited))
        third.connected()
        first.says("#line", "handset-link")
        table.end(signal.SIGTERM)


def test_another_game_ends_the_seat_and_the_page_says_what_to_do(tmp_path: Path, visit: Visit) -> None:
    with board(tmp_path) as table:
        port = int(table.url(SHOWN).rstrip("/").rpartition(":")[2])
        page = phone(visit, link(tmp_path))
        look(page)
        assert table.end(signal.SIGTERM) == 0
    with board(tmp_path, "--new", port=port) as table:
        page.wait("() => document.querySelector('#line').textContent.startsWith('Scan a new code')")
        assert not re.search(r"\d", page.read("#line"))
        table.end(signal.SIGTERM)


def test_the_token_and_the_session_are_told_nowhere_else(tmp_path: Path, visit: Visit) -> None:
    with board(tmp_path) as table:
        invited = link(tmp_path)
        page = phone(visit, invited)
        look(page)
        go(page)
        until((tmp_path / "seat-session.json").exists, "the seat to be written down")
        kept = json.loads((tmp_path / "seat-session.json").read_text())
        secret = {invited.partition("#")[2], link(tmp_path, but=invited).partition("#")[2], kept["session"]}
        assert page.page.url.endswith("/seat")
        said = [Path(f"/proc/{table.process.pid}/{name}").read_text() for name in ("cmdline", "comm", "status")]
        told = [(tmp_path / name).read_text() for name in ("health.json", "table.toml")]
        packed = tmp_path / "report.zip"
        command = [*COMMAND, "report", "--config", "table.toml", str(packed)]
        environ = {**os.environ, "HOME": str(tmp_path), "STATE_DIRECTORY": str(tmp_path), "PYTHONPATH": str(ROOT)}
        subprocess.run(command, cwd=tmp_path, env=environ, check=True, capture_output=True, timeout=120)
        with zipfile.ZipFile(packed) as report:
            told += [report.read(name).decode("utf-8", "replace") for name in report.namelist()]
        stranger = visit(table_url(invited), "spectate")
        stranger.excuse(GONE)
        stranger.see("[data-station='94']")
        told.append(stranger.received())
        table.end(signal.SIGTERM)
        told += table.told
    for text in (*said, *told):
        assert not any(one in text for one in secret)
    assert stat.S_IMODE((tmp_path / "seat-session.json").stat().st_mode) == 0o600
    assert not (tmp_path / "handset-link").exists()


def table_url(at: str) -> str:
    return at.partition("seat")[0]
