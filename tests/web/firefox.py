"""Debian's Firefox, headless, driven by WebDriver BiDi: it does what a test wants, and reports errors of its pages.

Source: https://www.w3.org/TR/webdriver-bidi/
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.sync.client import ClientConnection, connect

PATIENCE = 60.0
"""Real seconds that any step may take."""

CENTRE = """(selector, words) => {
  const found = [...document.querySelectorAll(selector)].find(one =>
    one.textContent.startsWith(words) && one.getClientRects().length && !one.disabled);
  if (!found) return "";
  found.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  const { x, y, width, height } = found.getBoundingClientRect();
  return JSON.stringify([Math.round(x + width / 2), Math.round(y + height / 2)]);
}"""

_READY = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
_PREFERENCES = {
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "ui.prefersReducedMotion": 1,
}


class Firefox:
    """One window of a Firefox.

    Attributes:
        complaints: errors and warnings of its console.
    """

    def __init__(self, line: ClientConnection) -> None:
        self._line, self._number = line, 0
        self.complaints: list[str] = []
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self._window = self.ask("browsingContext.getTree")["contexts"][0]["context"]

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command, and return its result."""
        self._number += 1
        self._line.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            said = json.loads(self._line.recv(timeout=PATIENCE))
            if said.get("method") == "log.entryAdded" and said["params"]["level"] in ("error", "warn"):
                self.complaints.append(str(said["params"]["text"]))
            if said.get("id") == self._number:
                assert said["type"] == "success", said
                result: dict[str, Any] = said["result"]
                return result

    def open(self, url: str) -> None:
        """Open a page, and wait until all its files are loaded."""
        self.ask("browsingContext.navigate", context=self._window, url=url, wait="complete")

    def size(self, width: int, height: int) -> None:
        """Give the window another size."""
        self.ask("browsingContext.setViewport", context=self._window, viewport={"width": width, "height": height})

    def evaluate(self, function: str, *arguments: str) -> Any:
        """Return the result of a function in the page: text, a number, a truth value or nothing."""
        said = self.ask(
            "script.callFunction",
            functionDeclaration=function,
            arguments=[{"type": "string", "value": one} for one in arguments],
            target={"context": self._window},
            awaitPromise=True,
        )
        assert said["type"] == "success", said
        return said["result"].get("value")

    def until(self, function: str, *arguments: str) -> Any:
        """Return the result of a function in the page as soon as it is not nothing."""
        end = time.monotonic() + PATIENCE
        while not (said := self.evaluate(function, *arguments)):
            assert time.monotonic() < end, f"waited for {function}{arguments}; the page says: {self.read('#prompt')}"
            time.sleep(0.05)
        return said

    def read(self, selector: str) -> str:
        """Return the text of an element."""
        return str(self.evaluate("s => document.querySelector(s)?.textContent ?? ''", selector))

    def see(self, selector: str) -> None:
        """Wait until an element is on the page."""
        self.until("s => document.querySelector(s) !== null", selector)

    def click(self, selector: str, words: str = "") -> None:
        """Click a visible element, or the first of several whose text begins with `words`."""
        self._point([("pointerMove", self._centre(selector, words)), ("pointerDown", None), ("pointerUp", None)])

    def drag(self, selector: str, to: str) -> None:
        """Drag an element to another one."""
        start, (x, y) = self._centre(selector), self._centre(to)
        near = (x - 4, y)
        moves = [("pointerMove", start), ("pointerDown", None), ("pointerMove", near), ("pointerMove", (x, y))]
        self._point([*moves, ("pointerUp", None)])

    def picture(self, path: Path) -> None:
        """Save a picture of the window."""
        path.write_bytes(base64.b64decode(self.ask("browsingContext.captureScreenshot", context=self._window)["data"]))

    def _centre(self, selector: str, words: str = "") -> tuple[int, int]:
        x, y = json.loads(self.until(CENTRE, selector, words))
        return x, y

    def _point(self, doing: list[tuple[str, tuple[int, int] | None]]) -> None:
        steps: list[dict[str, Any]] = [
            {"type": kind, "button": 0} if at is None else {"type": kind, "x": at[0], "y": at[1], "duration": 50}
            for kind, at in doing
        ]
        hand = {"type": "pointer", "id": "hand", "actions": steps}
        self.ask("input.performActions", context=self._window, actions=[hand])


@contextmanager
def firefox(home: Path) -> Iterator[Firefox]:
    """Yield a new Firefox, found on the path or under the name in FIREFOX. Its profile is in a folder."""
    program = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        pytest.fail("there is no Firefox; on Debian: apt install firefox-esr; elsewhere set FIREFOX to its path")
    profile = home / "profile"
    profile.mkdir()
    lines = [f'user_pref("{name}", {json.dumps(value)});' for name, value in _PREFERENCES.items()]
    (profile / "user.js").write_text("\n".join(lines))
    words = [
        program,
        "--headless",
        "--no-remote",
        "--profile",
        str(profile),
        "--remote-debugging-port=0",
        "about:blank",
    ]
    said = home / "said.txt"
    with said.open("wb") as out, subprocess.Popen(words, stdout=out, stderr=out, env=_own(home)) as running:
        try:
            with connected(f"{_address(said)}/session", max_size=None) as line:
                yield Firefox(line)
        finally:
            running.terminate()


def connected(url: str, **told: Any) -> ClientConnection:
    """Open a WebSocket to this machine, ignoring any proxy."""
    parts = urlsplit(url)
    way = socket.create_connection((parts.hostname, parts.port), PATIENCE)
    return connect(url, sock=way, open_timeout=PATIENCE, **told)


def _own(home: Path) -> dict[str, str]:
    return {**os.environ, "HOME": str(home), "MOZ_HEADLESS": "1"}


def _address(said: Path) -> str:
    """Return Firefox's address, as soon as Firefox has printed it."""
    end = time.monotonic() + PATIENCE
    while (found := _READY.search(said.read_text(errors="replace"))) is None:
        assert time.monotonic() < end, f"Firefox does not come up; it says: {said.read_text(errors='replace')}"
        time.sleep(0.05)
    return found[1]
