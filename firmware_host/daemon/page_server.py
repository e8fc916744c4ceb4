"""Serve the pages of the daemon's table. If the web server cannot start, try again."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from firmware_host.config.drivers.registry import DEVICES
from firmware_host.config.loader import Config
from firmware_host.daemon.health_file import HealthFile
from firmware_host.past_games.finished_games import Archive
from firmware_host.past_games.game_analysis import FOLDER, AnalysisFiles
from firmware_host.system.event_log import log_fields
from firmware_host.system.files import Task
from firmware_host.system.language import Lines
from firmware_host.table.table import Table
from firmware_host.web import missing_package

if TYPE_CHECKING:
    from firmware_host.config.board_layout import BoardLayout
    from firmware_host.daemon.mr_x_phone_seat import PhoneSeat
    from firmware_host.daemon.owner_desk import TableDesk
    from firmware_host.daemon.owner_seat import OwnerSeat
    from firmware_host.home.metrics import TableMetrics
    from firmware_host.referee.scene import Scene
    from firmware_host.ui.lamp_rhythms import LampFrame
    from firmware_host.web.server import Server

log = logging.getLogger("yardboard")


_PLAYED = "The table is played without its pages: %s"
_RIGHT = "it is tried again; [web] host and port choose another address"

AGAIN = 5.0
"""Seconds until a failed start of the pages is retried."""


class PageServer:
    """The server of a running table's pages. Implements `outputs.Audience`.

    If the server cannot start, the table runs without pages. A thread retries, because the network may come up later
    than the table. If a Python package is missing, there is no retry.
    """

    def __init__(self, config: Config, writing: Callable[[Task], None], health_file: HealthFile) -> None:
        self._config = config
        self._games = Archive(config, files=AnalysisFiles(config.journal_file().with_name(FOLDER)))
        self._writing = writing
        self._server: Server | None = None
        self._phone: PhoneSeat | None = None
        self._owner: OwnerSeat | None = None
        self._metrics: TableMetrics | None = None
        self._health_file, self._sampled = health_file, health_file.values
        self._desk: TableDesk | None = None
        self._ends = threading.Event()
        self._again = threading.Thread(target=self._try_again, name="pages", daemon=True)
        try:
            self._serve()
        except ModuleNotFoundError as error:
            log.error(_PLAYED, f"web: {missing_package(error)}", extra=log_fields("pages"))  # noqa: TRY400 - no traceback
        except OSError as error:
            log.error(_PLAYED, f"{error}; {_RIGHT}", extra=log_fields("pages"))  # noqa: TRY400 - no traceback
            self._again.start()

    def see(self, scene: Scene, layout: BoardLayout, frame: LampFrame) -> None:
        """Pass the public scene, the layout and the lamps' colours on to the web server, if one is running."""
        if self._server is not None:
            self._server.spectators.see(scene, layout, frame)

    def receive(self, lines: Lines) -> None:
        """Pass public lines of news on to the web server, if one is running."""
        if self._server is not None:
            self._server.spectators.receive(lines)

    def forget(self) -> None:
        """Remove the news of the last game from the pages, because another game starts."""
        if self._server is not None:
            self._server.spectators.forget()

    def late(self) -> float:
        """Return for how many seconds the web server has been stuck. 0.0 while it does not run."""
        return 0.0 if self._server is None else self._server.late()

    @property
    def address(self) -> str:
        """The pages' address for other machines, or "" while no other machine can reach them."""
        if self._server is None:
            return ""
        from firmware_host.web.transport.host_names import is_loopback  # noqa: PLC0415 - only boards with pages

        address = self._server.address
        return "" if is_loopback(urlsplit(address).hostname or "") else address

    def new_owner_code(self) -> str | None:
        """Return a new code for the owner's page, or None if there is no such page.

        Show it only to people at the table.
        """
        return None if self._desk is None else self._desk.access.new_code()

    def follow(self, table: Table) -> None:
        """Announce finished games, carry out orders of phones and the owner's pages, and update the metrics.

        Call this after each pass of the table.
        """
        if self._games.follow(table.journal) and self._server is not None:
            self._server.announce_games()
        if self._phone is not None:
            self._phone.attend(table)
        if self._owner is not None:
            self._owner.attend(table)
        if self._desk is not None:
            self._desk.attend()
        if self._metrics is not None:
            self._metrics.follow_game(table.referee.public, table.journal.newest_begun)
            if self._health_file.values is not self._sampled:
                self._sampled = self._health_file.values
                self._metrics.add(self._sampled, table.scene(), table.late(), entries=table.journal.entry_count)

    def stop(self) -> None:
        """Stop the server for good, and queue the last changes of the files of seats."""
        self._ends.set()
        if self._again.is_alive():
            self._again.join()
        if self._server is not None:
            self._server.stop()
        if self._phone is not None:
            self._phone.close()
        if self._desk is not None:
            self._desk.close()

    def _serve(self) -> None:
        from firmware_host.web.feeds.page_orders import (  # noqa: PLC0415 - only boards with pages
            AT_REAL_BOARD,
            OrderRouter,
            PageOrderQueue,
        )
        from firmware_host.web.server import serve_spectators  # noqa: PLC0415 - the same

        web = self._config.web
        devices = [name for name in DEVICES if not self._config.devices[name].driver.absent]
        if self._config.handset.phone and self._phone is None:
            from firmware_host.daemon.mr_x_phone_seat import PhoneSeat  # noqa: PLC0415 - only with a phone

            self._phone = PhoneSeat(self._config, writing=self._writing)
        if web.owner and self._owner is None:
            from firmware_host.daemon.owner_desk import TableDesk  # noqa: PLC0415 - only with an owner's page
            from firmware_host.daemon.owner_seat import OwnerSeat  # noqa: PLC0415 - the same

            seat = OwnerSeat(self._config, devices)
            self._desk = TableDesk(self._config, seat, writing=self._writing)
            self._owner = seat  # last: if the desk fails, the next try makes both
        phone, owner = self._phone, self._owner
        orders = PageOrderQueue(AT_REAL_BOARD) if phone is None else phone.orders
        if web.metrics and self._metrics is None:
            from firmware_host.home.metrics import TableMetrics  # noqa: PLC0415 - only with metrics

            self._metrics = TableMetrics()
        metrics = None if self._metrics is None else self._metrics.text
        server = serve_spectators(
            web.host, web.port, devices, self._games, orders if owner is None else OrderRouter(orders, owner.orders),
            None if phone is None else phone.token, names=web.names, owner=self._desk,
            metrics=metrics,
        )  # fmt: skip
        if phone is not None:
            phone.serve(server)
        if owner is not None:
            owner.serve(server)
        self._server = server
        server.announce_games()  # also those finished while there was no server
        log.info("The table is shown at %s", server.address, extra=log_fields("pages", url=server.address))

    def _try_again(self) -> None:
        while self._server is None and not self._ends.wait(AGAIN):
            with suppress(OSError):
                self._serve()
