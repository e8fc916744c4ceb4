"""Measure a first visit to each page on a slow line: `python -m tests.web.slow_line`.

Chromium delays every answer by 400 ms and lets 50 kB through in a second, the line to the table included. The time runs
from the request to the first frame in which the page shows its content, and to the end of the last download.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser

from firmware_host.bench.report import machine
from firmware_host.simulator import SimulatedTable
from tests.web.chromium import LIMIT, chromium
from tests.web.frame_time import fresh
from tests.web.pictures import a_whole_game, served, some_moves

LATENCY_MS, BYTES_A_SECOND = 400, 50_000
GOAL_S = 5.0
PAGES: list[tuple[Callable[[Path], SimulatedTable], dict[str, str]]] = [
    (fresh, {"": "#welcome[open] .way"}),
    (
        some_moves("classic", 2, 34),
        {
            "": "#log .window",
            "spectate": "#log .window",
            "detective": "#seats .button",
            "seat": "#line:empty",
            "tutorial": "#lesson .words:not(:empty)",
        },
    ),
    (a_whole_game("classic", 4), {"games": "#games > li", "games/1": "#timeline button"}),
]
"""The visited tables, and each page with the element that it shows once it can be used."""


def visit(chrome: Browser, url: str, shown: str) -> tuple[float, float, int]:
    """Return the seconds until the page can be used and until all is loaded, and how many files it requested."""
    context = chrome.new_context(viewport={"width": 1280, "height": 720}, service_workers="block")
    page = context.new_page()
    asked, answered = list[str](), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.on("requestfinished", lambda request: answered.append(request.url))
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    slow = {"downloadThroughput": BYTES_A_SECOND, "uploadThroughput": BYTES_A_SECOND, "latency": LATENCY_MS}
    line.send("Network.emulateNetworkConditions", {"offline": False, **slow})
    begun = time.monotonic()
    page.goto(url, wait_until="commit", timeout=LIMIT)
    page.wait_for_selector(shown, state="attached", timeout=LIMIT)
    usable = time.monotonic() - begun
    while len(answered) < len(asked):
        page.wait_for_timeout(50)
    whole = time.monotonic() - begun
    context.close()
    return usable, whole, len(asked)


def main() -> None:
    """Measure, and print the figures."""
    sys.stdout.write(f"{machine()}\n")
    with chromium() as chrome:
        for played, pages in PAGES:
            with served(played) as server:
                for path, shown in pages.items():
                    token = f"#{server.handset_token.new_token()}" if path == "seat" else ""
                    usable, whole, files = visit(chrome, f"{server.url}{path}{token}", shown)
                    verdict = "met" if usable <= GOAL_S else "missed"
                    sys.stdout.write(f"/{path:10} usable after {usable:4.1f} s (goal ≤ {GOAL_S:.0f} s: {verdict}), ")
                    sys.stdout.write(f"all there after {whole:4.1f} s, {files} files\n")


if __name__ == "__main__":
    main()
