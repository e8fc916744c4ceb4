"""The table's server ends, as by a crash, and comes back: the pages come back by themselves, to the same game."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from firmware_host.referee.scene import Phase
from firmware_host.web.feeds.websocket_session import LATE
from firmware_host.web.transport.host_names import EVERYWHERE
from tests.table.cases import Case, shipped
from tests.waiting import until
from tests.web.chromium import GONE, Visit, Visitor
from tests.web.open_table import OpenTable, Seated, begins
from tests.web.played_evening import Evening, actions
from tests.web.programs import Program
from tests.web.scripts import script, walks

DOWN = "() => document.querySelector('#line').textContent !== ''"
DRAWING = "document.querySelector('.sheet > img')"
UP = "() => document.querySelector('#line').textContent === ''"


@pytest.fixture
def port() -> int:
    """A free port, of those that no system gives to whoever wants any: nobody takes it between two starts."""
    for number in range(20_000 + os.getpid() % 5_000, 30_000):
        try:
            socket.create_server(("127.0.0.1", number)).close()
        except OSError:
            continue
        return number
    pytest.fail("there is no free port")


@contextmanager
def simulator(port: int, state: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`yardboard sim` in a process of its own, and where its handset is, token and all."""
    words = ("sim", "--host", EVERYWHERE[0], "--port", str(port), "--seed", "3", "--rules", "classic")
    with Program(*words, home=state) as program:
        token = program.line(r"seat#(\S+)")[1]
        yield program.process, f"handset#{token}"


def last_scene(page: Visitor) -> dict[str, Any]:
    """The newest scene that a page was sent."""
    for frame in reversed(page.frames):
        if isinstance(frame, str) and (said := json.loads(frame))["kind"] == "scene":
            return dict(said)
    raise AssertionError("no scene has come yet")


def news(page: Visitor) -> list[str]:
    """The lines of what happened, as a page shows them."""
    return list(page.page.locator("#news li").all_text_contents())


@pytest.mark.long
def test_a_page_comes_back_after_the_process_was_killed_and_shows_the_same_game(
    visit: Visit, port: int, tmp_path: Path
) -> None:
    home = f"http://127.0.0.1:{port}/"
    with simulator(port, tmp_path) as (process, door):
        board, spectator, handset = visit(home), visit(home, "spectate"), visit(home, door)
        for page in (board, spectator, handset):
            page.excuse(GONE)
        board.see('body[data-phase="play"]')  # set up by simulated hands
        taxi = "document.querySelector('#words').textContent.includes('> Taxi')"
        handset.wait(f"() => {taxi}")
        handset.press("handset.select")  # the first ticket
        handset.wait(f"() => !{taxi}")
        handset.press("handset.select")  # and the first station that it leads to
        board.wait("() => document.querySelector('#log [data-window=\"1\"] [data-ticket]')")
        shown = last_scene(board)
        assert len(shown["log"]) == 1
        process.send_signal(signal.SIGKILL)
        for page in (board, spectator, handset):
            page.wait(DOWN)
    with simulator(port, tmp_path):
        for page in (board, spectator):
            page.wait(UP)
            page.see('body[data-phase="play"]')  # the pawns stand where they stood
            again = last_scene(page)
            for what in ("rules", "log", "pawns", "tickets", "round", "turn", "owners"):
                assert again[what] == shown[what], what
        for pawn, at in shown["pawns"].items():
            board.see(f'[data-pawn="{pawn}"][data-at="{at}"]')
        new = visit(home, "spectate")
        new.excuse(GONE)
        new.see('body[data-phase="play"]')
        until(lambda: news(board) == news(new), "the old window to have the news of the new one")


@pytest.mark.long
def test_a_table_that_stands_still_is_noticed_and_no_key_comes_late(visit: Visit, port: int, tmp_path: Path) -> None:
    home = f"http://127.0.0.1:{port}/"
    with simulator(port, tmp_path) as (process, door):
        board, handset = visit(home), visit(home, door)
        for page in (board, handset):
            page.excuse(GONE)
        handset.says("#words", "> ")
        before = handset.read("#words")
        process.send_signal(signal.SIGSTOP)  # as when the network is gone: nobody hangs up
        gone = time.monotonic()
        handset.page.keyboard.press("ArrowDown")
        for page in (board, handset):
            page.wait(DOWN)
        assert handset.read("#words") == ""
        # On a busy machine a page notices sooner, and until then an order would be in time.
        until(lambda: time.monotonic() > gone + LATE, "the key to be late", every=0.05)
        process.send_signal(signal.SIGCONT)
        for page in (board, handset):
            page.wait(UP)
        until(lambda: handset.read("#words") == before, f"the words {before!r}", every=0.05)
        handset.press("handset.select")
        until(lambda: handset.read("#words") != before, "other words", every=0.05)
        handset.press("handset.back")
        until(lambda: handset.read("#words") == before, f"the words {before!r}", every=0.05)


def test_a_page_comes_back_to_a_table_that_opens_again_on_its_port_and_journal(
    visit: Visit, port: int, tmp_path: Path
) -> None:
    game = script(Case("classic", 4), walks, most=10)
    told: dict[str, Any] = {
        "port": port, "journal": tmp_path / "journal", "seed": game.seed, "begin": begins(game.case),
    }  # fmt: skip
    with OpenTable(shipped("classic"), **told) as table:
        board, handset = visit(table.url), visit(table.url, f"handset#{table.token()}")
        board.excuse(GONE)
        handset.excuse(GONE)
        board.see('body[data-phase="set_up"]')
        board.settle()  # else a pawn may be dragged while the page is still being laid out
        people = Evening(Seated(table, board, handset))
        people.set_up()
        people.do_all(game.steps[:-1])
    board.wait(DOWN)
    with OpenTable(shipped("classic"), **told) as table:
        board.wait(UP)
        board.see('body[data-phase="resume"]')
        for pawn in table.look(lambda p: p.public.order):
            board.see(f'[data-pawn="{pawn}"][data-at=""]')  # in the box; a moment ago still where it stood before
        people = Evening(Seated(table, board, handset))
        people.set_up()
        people.do(game.steps[-1])
        assert table.look(actions) == list(game.steps)
        assert table.look(lambda p: p.table.scene().phase) is Phase.PLAY


@pytest.mark.long
def test_a_drawing_that_was_lost_with_the_table_is_fetched_when_it_is_back(visit: Visit, port: int) -> None:
    with OpenTable(shipped("classic"), port=port) as table:
        page = visit(table.url, "spectate")
        page.see("#paper [data-station]")
        page.excuse(f"{GONE}|ERR_FAILED")
        drawings = re.compile(r"/static/maps/|/boards/")
        page.page.route(drawings, lambda route: route.abort())
        page.page.reload()
        page.see("#paper [data-station]")
        page.wait(f"() => {{ const it = {DRAWING}; return it.complete && !it.naturalWidth; }}")
    page.wait(DOWN)
    page.page.unroute(drawings)
    with OpenTable(shipped("classic"), port=port):
        page.wait(UP)
        page.wait(f"() => {DRAWING}.naturalWidth > 0 && {DRAWING}.src.endsWith('#day')")
