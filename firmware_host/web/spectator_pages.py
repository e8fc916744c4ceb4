"""The pages of a table that is played by hand: its spectators', and Mister X's where his phone is his handset."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.web.feeds.latest_feed import message
from firmware_host.web.feeds.page_order_queue import PageOrderQueue
from firmware_host.web.feeds.page_orders import AT_REAL_BOARD
from firmware_host.web.feeds.websocket_session import ServedTable
from firmware_host.web.pages.game_pages import ArchivedGames
from firmware_host.web.seats.handset_token import HandsetToken
from firmware_host.web.server import Server
from firmware_host.web.transport.listening_sockets import CannotServe


def serve_spectators(
    host: str,
    port: int,
    devices: Sequence[str],
    games: ArchivedGames | None = None,
    table: ServedTable | None = None,
    token: HandsetToken | None = None,
    *,
    names: Sequence[str] = (),
) -> Server:
    """Serve to spectators the pages of a table with those devices, and of its finished games if they are kept.

    Args:
        host: the address to listen on.
        port: the port.
        devices: the table's devices.
        games: its finished games, if they are kept.
        table: takes the orders of Mister X's page, if there is one.
        token: opens that page.
        names: names by which the pages are opened besides this machine's own.

    Raises:
        CannotServe: it cannot be done there.
    """
    server = Server(host, port, table or PageOrderQueue(AT_REAL_BOARD), games, token, names=names)
    said = message("table", simulated=False, devices=list(devices))
    server.public.put("table", lambda: said)
    try:
        server.start()
    except CannotServe:
        server.stop()
        raise
    return server
