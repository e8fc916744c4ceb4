"""Send the state of the table, with Mister X's secrets, to Mister X's own page."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache, partial

from firmware_host.referee.scene import Scene
from firmware_host.rules.views import DoubleMoves, MrXView, PublicView
from firmware_host.ui import json_views
from firmware_host.web.feeds.latest_feed import Feed, message
from firmware_host.web.feeds.spectator_feed import SpectatorFeed, scene_values

PADDED_TO = 32_768
"""Messages are padded to multiples of this size in bytes, to hide how many moves Mister X has."""

Secrets = tuple[MrXView, DoubleMoves]
"""Mister X's view, and the double moves that he may announce now."""


class SeatFeed:
    """The messages for Mister X's own page at one table.

    A message is sent only when the public scene changes, so nothing hidden that Mister X does causes one. The secret
    part of a message is computed once after each move, not when a pawn is lifted, because the time it takes depends on
    his station.

    Args:
        feed: takes the messages; only Mister X's page reads it.
        audience: holds what was last published to everyone.
        hold: whether his secrets are covered except while he holds PEEK.
        quiet_s: seconds without a key press after which his secrets are covered; 0 for never.
        small: whether his page also shows the small handset.
    """

    def __init__(self, feed: Feed, audience: SpectatorFeed, *, hold: bool, quiet_s: float, small: bool) -> None:
        self._feed, self._audience = feed, audience
        self._page = {"hold": hold, "quiet_s": quiet_s, "small": small}
        self._sent: Scene | None = None
        self._secret_part: Callable[[], str] = partial(_secret_json, None)

    def show(self, public: PublicView | None, secrets: Callable[[], Secrets | None]) -> None:
        """Send a new message if the scene has changed since the last call.

        Args:
            public: the game now, for everyone.
            secrets: returns what Mister X may know now, or None if a computer plays him.
        """
        scene = self._audience.scene
        if scene is None or scene is self._sent or scene.view is not public:
            return
        if self._sent is None or scene.view is not self._sent.view or scene.seats != self._sent.seats:
            self._secret_part = cache(partial(_secret_json, secrets()))
        self._sent = scene
        self._feed.put("seat", partial(_seat, scene, self._secret_part, self._page))

    def drop(self) -> None:
        """Remove the messages of a finished game."""
        self._feed.drop("seat")


def _secret_json(secrets: Secrets | None) -> str:
    said = None if secrets is None else json_views.seat(*secrets)
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))


def _seat(scene: Scene, secret_part: Callable[[], str], page: Mapping[str, object]) -> str:
    public = message("seat", scene=scene_values(scene), **page)
    said = f'{public[:-1]},"mr_x":{secret_part()}}}'
    return said + " " * (-len(said.encode()) % PADDED_TO)
