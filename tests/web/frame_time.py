"""Measure the frames while pawns glide on a phone: `python -m tests.web.frame_time [SECONDS]`.

A real Chromium with a phone's window looks on while computers play the classic game at real pace. What is counted is
the processor's time that the page's thread takes from the end of one frame to the end of the next, so that other
programs do not count, times four: a phone of the middle range is as slow. (Chromium's own brake goes by the clock, and
brakes harder the more other programs there are.) The frames are those in which a pawn is on its way, and the one
before: what the table tells comes with that.
"""

from __future__ import annotations

import json
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from firmware_host.bench.measurements import percentile
from firmware_host.bench.report import machine
from firmware_host.config.loader import simulator
from firmware_host.simulator import SimulatedTable
from tests.web.chromium import chromium
from tests.web.pictures import SIZES, served

SECONDS = 30
GOAL_MS = 50
SLOWER = 4
"""How many times slower a middle-range phone is than this machine."""

MARK = """() => {
  const inPawn = (element, mark) => element.closest?.(".pawn") && performance.mark(mark);
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    const animation = animate.apply(this, how);
    inPawn(this, "starts");
    for (const end of ["finish", "cancel"]) animation.addEventListener(end, () => inPawn(this, "ends"));
    return animation;
  };
  addEventListener("transitionrun", ({ target }) => inPawn(target, "starts"));
  for (const end of ["transitionend", "transitioncancel"]) {
    addEventListener(end, ({ target }) => inPawn(target, "ends"));
  }
}"""
THREAD = "CrRendererMain"


def fresh(journal: Path) -> SimulatedTable:
    """Return a table at which nobody has chosen a game yet."""
    return SimulatedTable(simulator(), seed=1, journal=journal)


def watch(page: Page) -> None:
    """Let computers play the classic game among themselves."""
    page.locator("button", has_text="Watch").first.tap()
    page.locator("button", has_text="Classic").first.tap()
    page.wait_for_selector("body[data-phase='play']")


def traced(seconds: float) -> list[dict[str, Any]]:
    """Return the events that Chromium has recorded for some seconds."""
    width, height = SIZES["phone"]
    with chromium() as chrome, served(fresh) as server:
        context = chrome.new_context(
            viewport={"width": width, "height": height}, device_scale_factor=2, has_touch=True, is_mobile=True
        )
        page = context.new_page()
        page.goto(server.url)
        watch(page)
        page.evaluate(MARK)
        chrome.start_tracing(page=page, categories=["toplevel", "cc", "benchmark", "blink.user_timing"])
        time.sleep(seconds)
        return list(json.loads(chrome.stop_tracing())["traceEvents"])


def frames(events: list[dict[str, Any]]) -> list[float]:
    """Return the milliseconds of each frame with a moving pawn, and of each frame before such a one."""
    named = [one for one in events if one["name"] == "thread_name" and one["args"]["name"] == THREAD]
    threads = {(one["pid"], one["tid"]) for one in named}
    (thread,) = threads & {(one["pid"], one["tid"]) for one in events if one["name"] == "starts"}
    own = [one for one in events if (one.get("pid"), one.get("tid")) == thread]
    ends = [one["ts"] + one["dur"] for one in own if one["name"] == "ProxyMain::BeginMainFrame" and "dur" in one]
    tasks = [
        (one["ts"], one["tdur"]) for one in own if one["name"] == "ThreadControllerImpl::RunTask" and "tdur" in one
    ]
    moves = glides(own)
    spans = list(pairwise(sorted(ends)))
    moving = [any(start < until and since <= end for since, until in moves) for start, end in spans]
    counted = [span for span, now, after in zip(spans, moving, [*moving[1:], False], strict=True) if now or after]
    taken = [sum(took for at, took in tasks if start < at <= end) for start, end in counted]
    return [SLOWER * microseconds / 1000 for microseconds in taken]


def glides(events: list[dict[str, Any]]) -> list[tuple[float, float]]:
    """Return the start and end of each movement of a pawn, in the time of the trace."""
    found, since, moving = list[tuple[float, float]](), 0.0, 0
    for one in sorted(events, key=lambda one: float(one["ts"])):
        if one["name"] == "starts":
            since = since if moving else one["ts"]
            moving += 1
        elif one["name"] == "ends" and moving:
            moving -= 1
            if not moving:
                found.append((since, one["ts"]))
    return found


def main() -> None:
    """Measure, and print the figures."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    found = frames(traced(seconds))
    verdict = "met" if max(found) <= GOAL_MS else "missed"
    sys.stdout.write(f"{machine()}\n")
    sys.stdout.write(f"{len(found)} frames with a pawn on its way, times {SLOWER}: ")
    sys.stdout.write(f"p50 {percentile(found, 50):.1f} ms, p99 {percentile(found, 99):.1f} ms, ")
    sys.stdout.write(f"most {max(found):.1f} ms; goal most ≤ {GOAL_MS} ms: {verdict}\n")


if __name__ == "__main__":
    main()
