"""Find stations that Mister X has hidden during a game in the messages to pages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable

from firmware_host.simulator import SimulatedTable
from tests.table.onlooker import hidden_stations
from tests.web.chromium import Visitor

_STAMPS = re.compile(r"'(date|etag|last-modified|content-length)': '[^']*'")
"""Numbers in headers about a file or the clock, which are not stations."""


class Watch:
    """A searcher that looks after each step for hidden stations in everything that pages have received.

    Args:
        look: reads the table; see `evening.Room`.
        pages: the pages that everyone may see.
        handset: Mister X's own page.

    Attributes:
        searched: how many stations were looked for so far.
    """

    def __init__(
        self, look: Callable[[Callable[[SimulatedTable], set[int]]], set[int]], handset: Visitor, *pages: Visitor
    ):
        self._look, self._handset, self._pages = look, handset, pages
        self._met: set[int] = set()
        self._ever: set[int] = set()
        self._read = dict.fromkeys(pages, 0)
        self.searched = 0

    def __call__(self) -> None:
        hidden = self._look(lambda p: hidden_stations(p, self._met))
        self._ever |= hidden
        self.searched += len(hidden)
        for page in self._pages:
            page.hear()
            frames = page.frames[self._read[page] :]
            self._read[page] += len(frames)
            for message in told(frames):
                assert not hidden & numbers(message), f"{page.page.url} was sent {message}"

    def assert_kept(self, least: int = 20) -> None:
        """Check that the search was large enough, that pages loaded no hidden station, and that the handset did."""
        assert self.searched > least
        for page in self._pages:
            assert self._read[page] > 20
            for body in page.bodies(but=r"/boards/|/static/"):
                assert not self._ever & numbers(_STAMPS.sub("", body)), f"{page.page.url} has loaded {body}"
        assert any(self._ever & numbers(message) for message in told(self._handset.frames))


def told(messages: Iterable[str | bytes]) -> list[str]:
    """Return the text messages about the game, without that of the board, which names all stations."""
    return [said for said in messages if isinstance(said, str) and json.loads(said)["kind"] != "board"]


def numbers(message: str) -> set[int]:
    """Return the whole numbers in a message."""
    return {int(number) for number in re.findall(r"(?<![\d.])\d+(?![\d.]*\d)", message)}
