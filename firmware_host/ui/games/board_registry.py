"""List the drawing styles of all boards. Each kind of board other than a printed map has a file here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from firmware_host.rules.dice.tiles import Tiling
from firmware_host.rules.network import Network
from firmware_host.ui.drawing.board_style import BoardStyle
from firmware_host.ui.games.tile_board import TilesStyle

_BOARDS: Mapping[type[Network], BoardStyle[Any]] = {Network: BoardStyle(), Tiling: TilesStyle()}


def board_style(network: Network) -> BoardStyle[Any]:
    """Return how to draw a network: as a printed map or as tiles.

    Raises:
        KeyError: no such network is registered.
    """
    return _BOARDS[type(network)]
