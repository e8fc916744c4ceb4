"""Tell Mister X's own page how the table stands, and what is his to know."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from firmware_host.config.schema import HandsetSection
from firmware_host.referee.scene import Scene
from firmware_host.rules.actions import MR_X
from firmware_host.table.table import Table
from firmware_host.ui import json_views
from firmware_host.web.feed import Feed, message
from firmware_host.web.spectator_feed import SpectatorFeed, scene_values

EVEN = 32_768
"""Bytes to multiples of which messages are filled up: their length tells nothing of how many moves he has."""


class SeatFeed:
    """Fills the private feed of one table, after the beat that told everyone.

    With nothing but the scene that all have seen does it change: what he does on his page makes no message.

    Args:
        feed: takes the messages; only his page listens to it.
        audience: what everyone was told last.
        handset: how his secrets are covered.
        small: whether his small handset is a page as well.
    """

    def __init__(self, feed: Feed, audience: SpectatorFeed, handset: HandsetSection, *, small: bool) -> None:
        self._feed, self._audience, self._handset, self._small = feed, audience, handset, small
        self._told: Scene | None = None

    def show(self, table: Table) -> None:
        """Tell what is new since the last time. Costs nothing while everyone has been told nothing new."""
        scene, referee = self._audience.scene, table.referee
        if scene is None or scene is self._told or scene.view is not referee.public:
            return
        self._told = scene
        view = None if MR_X in scene.seats else referee.private
        game = table.game
        doubles = {} if view is None or game is None else game.double_moves.value
        his = None if view is None else partial(json_views.seat, view, doubles)
        self._feed.put("seat", partial(_seat, scene, his, self._handset, self._small))

    def drop(self) -> None:
        """Take away what was told: it is of another game."""
        self._feed.drop("seat")


def _seat(scene: Scene, his: Callable[[], dict[str, object]] | None, handset: HandsetSection, small: bool) -> str:
    said = message(
        "seat",
        scene=scene_values(scene),
        mr_x=None if his is None else his(),
        hold=handset.privacy == "hold",
        quiet_s=handset.blank_after_s,
        small=small,
    )
    return said + " " * (-len(said.encode()) % EVEN)
