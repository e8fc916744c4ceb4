"""The pages of a table that nobody plays from afar: its spectators' alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from firmware_host.web.feed import message
from firmware_host.web.game_pages import ArchivedGames
from firmware_host.web.page_orders import ByHand
from firmware_host.web.server import CannotServe, Server


class SpectatorPages:
    """Those who may look on and nothing else. Implements `ServedTable`."""

    pages = frozenset(("spectator",))

    def ask(self, page: str, visitor: int, order: ByHand, refuse: Callable[[str], None]) -> None:  # noqa: ARG002
        """Refuse whatever it is."""
        refuse("this table is played by hand, at the table")

    def left(self, visitor: int) -> None:
        """Do nothing: a spectator's page holds nothing."""


def serve_spectators(host: str, port: int, devices: Sequence[str], games: ArchivedGames | None = None) -> Server:
    """Serve to spectators the pages of a table with those devices, and of its finished games if they are kept.

    Raises:
        CannotServe: it cannot be done there.
    """
    server = Server(host, port, SpectatorPages(), games)
    said = message("table", simulated=False, devices=list(devices))
    server.public.put("table", lambda: said)
    try:
        server.start()
    except CannotServe:
        server.stop()
        raise
    return server
