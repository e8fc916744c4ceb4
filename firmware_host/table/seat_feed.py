"""Tell Mister X's own page how the table stands, and what is his to know."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache, partial

from firmware_host.config.schema import HandsetSection
from firmware_host.referee.scene import Scene
from firmware_host.rules.actions import MR_X
from firmware_host.table.table import Table
from firmware_host.ui import json_views
from firmware_host.web.feeds.latest_feed import Feed, message
from firmware_host.web.feeds.spectator_feed import SpectatorFeed, scene_values

PADDED_TO = 32_768
"""Bytes to multiples of which messages are filled up: their length tells nothing of how many moves he has."""


class SeatFeed:
    """Fills the private feed of one table, after the beat that told everyone.

    With nothing but the scene that all have seen does it change: what he does on his page makes no message. What is his
    alone is worked out once after each move, and not when a pawn is lifted: how long it takes tells where he is.

    Args:
        feed: takes the messages; only his page listens to it.
        audience: what everyone was told last.
        handset: how his secrets are covered.
        small: whether his small handset is a page as well.
    """

    def __init__(self, feed: Feed, audience: SpectatorFeed, handset: HandsetSection, *, small: bool) -> None:
        self._feed, self._audience, self._handset, self._small = feed, audience, handset, small
        self._told: Scene | None = None
        self._his: Callable[[], str] = _nothing

    def show(self, table: Table) -> None:
        """Tell what is new since the last time. Costs nothing while everyone has been told nothing new."""
        scene, referee = self._audience.scene, table.referee
        if scene is None or scene is self._told or scene.view is not referee.public:
            return
        if self._told is None or scene.view is not self._told.view or scene.seats != self._told.seats:
            self._his = _his_part(table, scene)
        self._told = scene
        self._feed.put("seat", partial(_seat, scene, self._his, self._handset, self._small))

    def drop(self) -> None:
        """Take away what was told: it is of another game."""
        self._feed.drop("seat")


def _his_part(table: Table, scene: Scene) -> Callable[[], str]:
    """Return what makes the part that is Mister X's alone, as JSON, when somebody asks for it first."""
    view, game = table.referee.private, table.game
    if view is None or MR_X in scene.seats:
        return _nothing
    doubles = {} if game is None else game.double_moves.value
    return cache(lambda: json.dumps(json_views.seat(view, doubles), ensure_ascii=False, separators=(",", ":")))


def _nothing() -> str:
    return "null"


def _seat(scene: Scene, his: Callable[[], str], handset: HandsetSection, small: bool) -> str:
    public = message(
        "seat", scene=scene_values(scene), hold=handset.privacy == "hold", quiet_s=handset.blank_after_s, small=small
    )
    said = f'{public[:-1]},"mr_x":{his()}}}'
    return said + " " * (-len(said.encode()) % PADDED_TO)
