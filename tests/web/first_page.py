"""Measure how long the first page takes until it can be used: `python -m tests.web.first_page [VISITS]`.

A real Chromium visits it, each time with an empty cache. The page measures the time from the request to the first
frame in which the buttons can be pressed, and to the frame in which the city behind them is
drawn as well.
"""

from __future__ import annotations

import sys

from playwright.sync_api import Browser

from firmware_host.bench.measurements import percentile
from firmware_host.bench.report import machine
from tests.web.chromium import chromium
from tests.web.frame_time import fresh
from tests.web.pictures import SIZES, served

VISITS = 20
GOAL_MS = 1000

USABLE = """() => new Promise(resolve => {
  const after = (holds, told) => {
    if (!holds()) return requestAnimationFrame(() => after(holds, told));
    requestAnimationFrame(() => setTimeout(() => told(performance.now())));
  };
  const way = () => document.querySelector("#welcome[open] .way") !== null;
  const city = () => {
    const drawing = document.querySelector("#welcome .city img");
    return drawing !== null && drawing.complete && drawing.naturalWidth > 0;
  };
  after(way, usable => after(city, drawn => resolve([usable, drawn])));
})"""


def visit(chrome: Browser, url: str) -> tuple[float, float]:
    """Return the milliseconds until the page can be used, and until all of it is drawn."""
    width, height = SIZES["desktop"]
    context = chrome.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.goto(url, wait_until="commit")
    usable, drawn = page.evaluate(USABLE)
    context.close()
    return float(usable), float(drawn)


def main() -> None:
    """Measure, and print the figures."""
    visits = int(sys.argv[1]) if len(sys.argv) > 1 else VISITS
    with chromium() as chrome, served(fresh) as server:
        usable, drawn = zip(*(visit(chrome, server.url) for _ in range(visits)), strict=True)
    verdict = "met" if max(usable) <= GOAL_MS else "missed"
    sys.stdout.write(f"{machine()}\n")
    sys.stdout.write(f"first page usable, {len(usable)} first visits: p50 {percentile(usable, 50):.0f} ms, ")
    sys.stdout.write(f"most {max(usable):.0f} ms; goal ≤ {GOAL_MS} ms: {verdict}\n")
    sys.stdout.write(f"all of it drawn: p50 {percentile(drawn, 50):.0f} ms, most {max(drawn):.0f} ms\n")


if __name__ == "__main__":
    main()
