"""The pages in Firefox: a stranger's first move, and each page without a complaint in the console."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.table.cases import shipped
from tests.web.firefox import PATIENCE, Firefox, connected, firefox
from tests.web.open_table import Lay
from tests.web.programs import Program


@pytest.fixture(scope="module")
def fox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with firefox(tmp_path_factory.mktemp("firefox")) as running:
        running.size(1440, 900)
        yield running


def scene(url: str, so: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """How the table stands for spectators, as soon as it stands so."""
    with connected(f"{url.replace('http', 'ws', 1)}ws", origin=url.rstrip("/")) as line:
        line.send(json.dumps({"do": "hello", "page": "spectator", "session": None}))
        while True:
            said = line.recv(timeout=PATIENCE)
            told = json.loads(said) if isinstance(said, str) else {"kind": "lamps"}
            if told["kind"] == "beat":
                line.send(json.dumps({"do": "heard", "at": told["at"]}))
            if told["kind"] == "scene" and so(told):
                found: dict[str, Any] = told
                return found


@pytest.mark.long
def test_three_actions_after_the_page_has_opened_a_detective_has_moved_in_firefox(fox: Firefox, tmp_path: Path) -> None:
    with Program("sim", "--port", "0", "--seed", "3", home=tmp_path) as table:
        url = table.url()
        fox.open(url)
        fox.click("button", "Chase Mister X")
        fox.click("button", "Classic")
        first = scene(url, lambda told: told.get("turn") == ["red"])
        to = next(move["to"] for move in first["moves"] if move["pawn"] == "red" and len(move["tickets"]) == 1)
        fox.drag('[data-pawn="red"]', f'[data-station="{to}"]')
        moved = scene(url, lambda told: told.get("turn") == ["yellow"])
        assert moved["pawns"]["red"] == to
        fox.see(f'[data-pawn="red"][data-at="{to}"]')
        fox.open("about:blank")
    assert fox.complaints == []


@pytest.mark.parametrize(
    ("path", "seen"),
    [
        ("", '[data-station="74"]'),
        ("spectate", '[data-station="74"]'),
        ("handset", "canvas"),
        ("seat", "#cover"),
        ("install", "#kept"),
        ("tutorial", "#lesson p"),
        ("tutorial_mr_x", "#lesson p"),
    ],
)
@pytest.mark.long
def test_every_page_opens_in_firefox_and_its_console_stays_empty(fox: Firefox, lay: Lay, path: str, seen: str) -> None:
    table = lay(shipped("classic"))
    fox.open(f"{table.url}{path}")
    fox.see(seen)
    fox.open("about:blank")
    assert fox.complaints == []


@pytest.mark.long
def test_the_first_page_fits_a_narrow_window_of_firefox_where_bars_to_scroll_take_room(fox: Firefox, lay: Lay) -> None:
    table = lay(shipped("classic"), begin=lambda _: None, helped=True)
    for width in (390, 1100):
        fox.size(width, 844)
        fox.open(table.url)
        fox.see("#welcome[open] .way")
        assert fox.evaluate("() => document.querySelector('#welcome').clientHeight") == 844, "no bar is below it"
    fox.open("about:blank")
