"""All boards as they are drawn. What is no printed map has a file in this folder, and a line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from firmware_host.rules.dice.tiles import Tiling
from firmware_host.rules.network import Network
from firmware_host.ui.drawing.board_style import BoardStyle
from firmware_host.ui.games.tiles_board_style import TilesStyle

_BOARDS: Mapping[type[Network], BoardStyle[Any]] = {Network: BoardStyle(), Tiling: TilesStyle()}


def board_style(network: Network) -> BoardStyle[Any]:
    """Return how a map, or what is laid instead of one, is drawn.

    Raises:
        KeyError: no such network is registered.
    """
    return _BOARDS[type(network)]
