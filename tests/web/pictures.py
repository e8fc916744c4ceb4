"""`python -m tests.web.pictures FOLDER` takes pictures of the pages in a real Chromium: look at them.

Without a folder those that the docs show are taken anew. Every Chromium draws a little differently, so no test compares
them: they are to be looked at.
"""

from __future__ import annotations

import io
import random
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page

from firmware_host.config.loader import simulator, with_rules
from firmware_host.past_games.finished_games import Archive
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.simulator.browser_session import BrowserSession
from firmware_host.simulator.demo import Pace
from firmware_host.simulator.tutorial_tables import TutorialTables
from firmware_host.web.feeds.page_orders import PageOrderQueue
from firmware_host.web.server import Server
from tests.docs import evenings
from tests.docs.pages import DOCS
from tests.web.chromium import chromium

SIZES = {"desktop": (1440, 900), "phone": (390, 844)}
ONE_EVENING = 1_795_203_000.0
"""The end of the finished games: 20 November 2026, 19:30 UTC."""

QUALITY = 72
"""The quality of the pictures, from 0 to 100: letters are sharp, and a whole page takes a third of a megabyte."""

SETTLED = 2.5
"""Seconds that a page and the table need until everything is drawn and every pawn is sensed."""


def some_moves(rules: str, seed: int, moves: int) -> Callable[[Path], SimulatedTable]:
    """Return a function that returns a table after some moves of a seeded game, which goes on."""

    def play(journal: Path) -> SimulatedTable:
        simulated = SimulatedTable(with_rules(simulator(), rules), seed=seed, journal=journal)
        simulated.new_game()
        players = SimulatedPeople(simulated, random.Random(seed))
        players.set_up()
        for _ in range(moves):
            players.play()
        while simulated.public.mr_x_to_move or simulated.table.scene().set_down:
            players.play()
        assert simulated.public.outcome is None, f"{rules}, seed {seed}: the game was over before {moves} moves"
        return simulated

    return play


def a_whole_game(rules: str, seed: int) -> Callable[[Path], SimulatedTable]:
    """Return a function that returns a table after a whole seeded game."""

    def play(journal: Path) -> SimulatedTable:
        simulated = SimulatedTable(
            with_rules(simulator(), rules), seed=seed, journal=journal, wall_clock=lambda: ONE_EVENING
        )
        simulated.new_game()
        players = SimulatedPeople(simulated, random.Random(seed))
        players.set_up()
        while simulated.public.outcome is None:
            players.play()
        return simulated

    return play


IN_PLAY: dict[str, Callable[[Path], SimulatedTable]] = {
    "classic": lambda _: evenings.classic(),
    "current": some_moves("current", 3, 34),
    "us": some_moves("us", 1, 33),
    "beginners": some_moves("beginners", 2, 27),
    "dice": lambda _: evenings.dice(),
    "junior": lambda _: evenings.junior(),
}
"""A table in the middle of a game, for each system."""


ENDED = {"classic": 4, "dice": 4, "junior": 3}
"""Games of which replays are shown, and the seeds of their players."""


@contextmanager
def served(played: Callable[[Path], SimulatedTable]) -> Iterator[Server]:
    """Serve a table to pages, at table pace."""
    requests, ends = PageOrderQueue(), threading.Event()
    with tempfile.TemporaryDirectory() as folder:
        simulated = played(Path(folder) / "journal.sqlite")
        archive = Archive(simulated.config)
        server = Server("127.0.0.1", 0, requests, archive, practice=TutorialTables())
        journal = simulated.table.journal
        archive.follow(journal)
        simulated._audience = server.spectators
        simulated.hardware._pace = Pace()
        simulated.restart()
        offer = server.handset_token.offer_seat
        browser = BrowserSession(simulated, requests, server, real_hands=False, offer_seat=offer)

        def run() -> None:
            while not ends.is_set():
                browser.turn()

        table = threading.Thread(target=run)
        server.start()
        server.announce_games()
        table.start()
        try:
            yield server
        finally:
            ends.set()
            table.join()
            server.stop()
            simulated.close()


def take(
    chrome: Chromium,
    url: str,
    size: tuple[int, int],
    then: Callable[[Page], None] = lambda _: None,
    *,
    night: bool = False,
) -> bytes:
    """Take a picture of a page in a window of this size, as PNG with twice as many pixels, by day or by night."""
    context = chrome.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if night else "light",
        device_scale_factor=2,
    )
    page = context.new_page()
    page.goto(url)
    time.sleep(SETTLED)
    then(page)
    shot = page.screenshot()
    context.close()
    return shot


def keep(shot: bytes, path: Path) -> None:
    """Save a picture."""
    Image.open(io.BytesIO(shot)).convert("RGB").save(path, "WEBP", quality=QUALITY, method=6)


def take_first_pages(chrome: Chromium, folder: Path) -> None:
    """Take pictures of the first page, the board by night, and Mister X's map on a phone."""
    with served(lambda journal: SimulatedTable(simulator(), seed=1, journal=journal)) as server:
        keep(take(chrome, server.url, SIZES["desktop"]), folder / "first-desktop.webp")
    with served(some_moves("classic", 2, 34)) as server:
        keep(take(chrome, server.url, SIZES["desktop"], night=True), folder / "classic-night.webp")
    with served(lambda _: evenings.classic(shown=False)) as server:
        seat = f"{server.url}seat#{server.handset_token.new_token()}"
        keep(take(chrome, seat, SIZES["phone"], uncover), folder / "seat-phone.webp")


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with chromium() as chrome:
        take_first_pages(chrome, folder)
        for name, played in IN_PLAY.items():
            with served(played) as server:
                for size, window in SIZES.items():
                    keep(take(chrome, server.url, window), folder / f"{name}-{size}.webp")
                if name == "classic":
                    handset = f"{server.url}handset#{server.handset_token.new_token()}"
                    keep(take(chrome, handset, SIZES["phone"]), folder / "handset.webp")
        for name, seed in ENDED.items():
            with served(a_whole_game(name, seed)) as server:
                for size, window in SIZES.items():
                    keep(take(chrome, server.url, window, night=True), folder / f"{name}-end-{size}.webp")
                    keep(take(chrome, f"{server.url}games/1", window, half_way), folder / f"{name}-replay-{size}.webp")


SHOWN = {
    "table": "classic-desktop",
    "dice": "dice-desktop",
    "phone": "junior-phone",
    "handset": "handset",
    "replay": "classic-replay-desktop",
    "end": "classic-end-desktop",
    "first": "first-desktop",
    "night": "classic-night",
    "seat": "seat-phone",
}
"""The pictures in `docs/pictures` -> their names among all pictures."""


def show(folder: Path) -> None:
    """Take all pictures and save those that the docs show."""
    with tempfile.TemporaryDirectory() as taken:
        main(Path(taken))
        for name, picture in SHOWN.items():
            (folder / f"{name}.webp").write_bytes((Path(taken) / f"{picture}.webp").read_bytes())


def uncover(page: Page) -> None:
    """Uncover Mister X's map."""
    page.locator("#look").click()
    time.sleep(SETTLED)


def half_way(page: Page) -> None:
    """Go to a step of the replay at which all its parts have content."""
    page.keyboard.press("End")
    time.sleep(SETTLED)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        show(DOCS / "pictures")
