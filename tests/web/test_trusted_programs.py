"""Where seats are chosen a program that nothing shuts in is said to be trusted with everything."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from firmware_host.config.loader import Config, parse
from firmware_host.players.protocol.program_sandbox import SERVICE_SOCKET, sandbox_here
from tests.web.chromium import Visit
from tests.web.open_table import Lay
from tests.web.page_table import Room


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A machine on which nothing shuts programs in."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(SERVICE_SOCKET, raising=False)
    sandbox_here.cache_clear()
    yield monkeypatch
    sandbox_here.cache_clear()


def with_programs(folder: Path) -> Config:
    """A table with two programs."""
    command = f"command = {json.dumps([sys.executable])}"
    return parse(f"[players.deep]\n{command}\n[players.quick]\n{command}\n", "table.toml", folder=folder)


def test_pages_are_sent_each_program_and_whether_it_is_trusted(tmp_path: Path, bare: pytest.MonkeyPatch) -> None:
    config = with_programs(tmp_path)
    assert Room(config).heard("table")["programs"] == [
        {"name": "deep", "trusted": True},
        {"name": "quick", "trusted": True},
    ]
    bare.setenv(SERVICE_SOCKET, "/run/socket")
    sandbox_here.cache_clear()
    assert [one["trusted"] for one in Room(config).heard("table")["programs"]] == [False, False]
    assert Room().heard("table")["programs"] == []


GERMAN = "deep kann lesen, wo Mister X ist: Nichts auf dem Rechner des Tisches schließt dieses Programm ein."


@pytest.mark.usefixtures("bare")
def test_who_chooses_a_trusted_program_reads_what_it_can_do(lay: Lay, visit: Visit, tmp_path: Path) -> None:
    page = visit(lay(with_programs(tmp_path), begin=lambda _: None, helped=True).url, locale="de-DE")
    for button in ("An diesem Tisch", "Alle Optionen"):
        page.click(button)
    for seat in ("#new-seat-mr_x", "#new-seat-detectives"):
        for program, told in (("deep", GERMAN), ("hard", "")):
            page.page.locator(seat).select_option(program)
            expect(page.page.locator("#newgame .trusted")).to_have_text(told)
