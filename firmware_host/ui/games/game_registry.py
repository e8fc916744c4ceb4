"""All games as they are told and drawn. A new one is a file in this folder that holds its `GAME`, and a line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from firmware_host.rules.network import Network
from firmware_host.rules.views import PublicView
from firmware_host.ui.drawing.board_style import BoardStyle
from firmware_host.ui.games import dice_ui, junior_ui, pursuit_ui
from firmware_host.ui.games.game_ui import GameUi

_OWN = (dice_ui, junior_ui, pursuit_ui)

_GAMES: Mapping[type[PublicView], GameUi[Any]] = {
    game.view: game for game in (GameUi[PublicView](), *(file.GAME for file in _OWN))
}
_BOARDS: Mapping[type[Network], BoardStyle[Any]] = {
    Network: BoardStyle(),
    **{game.network: game.board for game in _GAMES.values() if game.network is not Network},
}


def game_ui(view: PublicView) -> GameUi[Any]:
    """Return how the game of a view is told and drawn.

    Raises:
        KeyError: no game is registered for such views.
    """
    return _GAMES[type(view)]


def board_style(network: Network) -> BoardStyle[Any]:
    """Return how a map, or what is laid instead of one, is drawn.

    Raises:
        KeyError: no game is registered that is played on such networks.
    """
    return _BOARDS[type(network)]
