"""Serve the pages of a real table: the spectators', and Mister X's if his phone is his handset."""

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
    """Start a server for the spectators' pages of a real table, and for its finished games.

    Args:
        host: the address to listen on.
        port: the port.
        devices: the table's devices.
        games: the table's finished games, if they are saved.
        table: takes the orders from Mister X's page, if there is one.
        token: opens Mister X's page.
        names: further names by which browsers open the pages, besides this machine's own.

    Raises:
        CannotServe: the server cannot start at this address.
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
