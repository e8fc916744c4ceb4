"""The drawings of the boards that pages show, each made once and kept under a name that says what is in it."""

from __future__ import annotations

import hashlib

from firmware_host.ui.drawing.board_map import BoardMap, svg
from firmware_host.web.feeds.board_outline import artwork_file, laid_artwork

KEPT = 16
"""How many drawings are kept: a dice game has another board each time, wired and illustrated."""


class BoardCache:
    """The newest drawings, by name."""

    def __init__(self) -> None:
        self._drawn: dict[str, str] = {}

    def keep(self, board: BoardMap) -> str:
        """Draw a board, unless that is done; gives the name of its drawing."""
        return self._keep(svg(board))

    def artwork(self, board: BoardMap) -> str | None:
        """Return the address of a board's artwork; None if none was made of this very map or of these tiles."""
        laid = laid_artwork(board)
        return artwork_file(board) if laid is None else f"/boards/{self._keep(laid)}.svg"

    def _keep(self, document: str) -> str:
        name = hashlib.sha256(document.encode()).hexdigest()[:16]
        self._drawn.pop(name, None)
        self._drawn[name] = document
        while len(self._drawn) > KEPT:
            del self._drawn[next(iter(self._drawn))]
        return name

    def get(self, name: str) -> str | None:
        """Return the SVG document of that name, or None if there is none."""
        return self._drawn.get(name)
