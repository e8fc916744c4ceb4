"""List the presentations of all games: the object `GAME` of each game's file in this folder."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from firmware_host.rules.views import PublicView
from firmware_host.ui.games import dice_ui, junior_ui, pursuit_ui
from firmware_host.ui.games.game_ui import GameUi

_OWN = (dice_ui, junior_ui, pursuit_ui)

_GAMES: Mapping[type[PublicView], GameUi[Any]] = {
    game.view: game for game in (GameUi[PublicView](), *(file.GAME for file in _OWN))
}


def game_ui(view: PublicView) -> GameUi[Any]:
    """Return the presentation of the game in a view.

    Raises:
        KeyError: no game is registered for such views.
    """
    return _GAMES[type(view)]
