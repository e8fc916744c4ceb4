"""Carry out the tasks of the table menu: show the pages' address, create the owner's code, power off.

The table's thread takes the menu's tasks and sends it the results. A background thread does everything that may wait:
it finds the network's address, and writes the request that root's program carries out
(`firmware_host.system.owner_requests`).
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from typing import Protocol
from urllib.parse import urlsplit

from firmware_host.config.loader import Config, state_folder
from firmware_host.config.toml_file import ConfigError
from firmware_host.system.boot_clock import boot_seconds
from firmware_host.system.event_log import log_fields
from firmware_host.system.files import Task
from firmware_host.system.owner_requests import (
    FOLDER,
    PowerOff,
    RequestError,
    RequestState,
    forget_power_off,
    is_root_busy,
    post_request,
    read_outcome,
    withdraw_request,
)
from firmware_host.table.commands import SayPowerOffFailed, ShowAddress, ShowOwnerCode
from firmware_host.table.table import Table
from firmware_host.table.table_menu import MenuWish
from firmware_host.ui.drawing.table_menu_screen import TableAddress

log = logging.getLogger("yardboard")

LOOK_SECONDS = 2.0
"""Seconds between two looks at the network and at the outcome of a request."""

UNSEEN_SECONDS = 15.0
"""Seconds after which a request is withdrawn if root's program has not seen it, although that program is idle."""

STUCK_SECONDS = 120.0
"""Seconds after which a power-off that root's program has begun is given up, because the machine still runs."""


class TablePages(Protocol):
    """The interface of the table's pages for the table menu."""

    @property
    def address(self) -> str:
        """The pages' address for other machines, or "" if no other machine can reach the pages."""

    def new_owner_code(self) -> str | None:
        """Return a new code for the owner's page, or None if there is no such page."""


class Caretaker:
    """A helper of one table, which carries out the tasks of the table menu.

    Args:
        config: the table's configuration.
        pages: the table's pages, if they are served.
        writing: runs slow tasks.
        now: seconds of a clock that never runs backwards.
    """

    def __init__(
        self,
        config: Config,
        pages: TablePages | None,
        writing: Callable[[Task], None],
        *,
        now: Callable[[], float] = boot_seconds,
    ) -> None:
        self._config, self._pages, self._writing, self._now = config, pages, writing, now
        self._look_at = 0.0
        self._address: TableAddress | None = None
        self._shown: TableAddress | None = None
        self._request = ""
        self._waits_since = 0.0
        self._failed = False
        writing(_forget_power_off)  # of an earlier run of this program

    def attend(self, table: Table) -> None:
        """Carry out the menu's tasks and send it the results.

        Call this on the table's thread after each pass.
        """
        match table.take_wish():
            case MenuWish.OWNER_CODE:
                code = None if self._pages is None else self._pages.new_owner_code()
                table.do(ShowOwnerCode(code or ""))
            case MenuWish.POWER_OFF:
                self._writing(self._power_off)
        now = self._now()
        if now >= self._look_at:
            self._look_at = now + LOOK_SECONDS
            if self._pages is not None or self._request:
                self._writing(self._look)
        if self._address is not self._shown:
            self._shown = self._address
            table.do(ShowAddress(self._shown))
        if self._failed:
            self._failed = False
            table.do(SayPowerOffFailed())

    # ---- on the background thread ----

    def _look(self) -> None:
        if self._pages is not None:
            self._look_at_pages(self._pages)
        if self._request:
            self._look_at_outcome()

    def _look_at_pages(self, pages: TablePages) -> None:
        """Update the pages' address for the menu, because the network may come up later than the table."""
        url = pages.address
        if url == ("" if self._address is None else self._address.url):
            return
        if not url:
            self._address = None
            return
        from firmware_host.web.seats.qr_modules import small_qr_modules  # noqa: PLC0415 - its package is of [web]
        from firmware_host.web.transport.host_names import url as url_of  # noqa: PLC0415 - the same

        name = url_of(f"{socket.gethostname()}.local", urlsplit(url).port or 80)
        self._address = TableAddress(url, name, small_qr_modules(url), has_owner=self._config.web.owner)

    def _power_off(self) -> None:
        try:
            self._request = post_request(state_folder() / FOLDER, PowerOff())
        except (OSError, ConfigError, RequestError) as error:
            self._give_up(str(error))
        else:
            self._waits_since = self._now()

    def _look_at_outcome(self) -> None:
        folder = state_folder() / FOLDER
        try:
            outcome = read_outcome(folder, self._request)
            if outcome is not None and outcome.state is RequestState.REFUSED:
                self._give_up(outcome.text)
            elif outcome is None and is_root_busy(folder):
                self._waits_since = self._now()
            elif outcome is None and self._now() - self._waits_since >= UNSEEN_SECONDS:
                withdraw_request(folder, self._request)
                self._give_up("nothing carries out requests here; is yardboard-requests.path enabled?")
            elif self._now() - self._waits_since >= STUCK_SECONDS:
                self._give_up("it still runs; `journalctl -u yardboard-requests` may say why")
        except (OSError, RequestError) as error:
            self._give_up(str(error))

    def _give_up(self, why: str) -> None:
        log.warning("The machine is not switched off: %s", why, extra=log_fields("request"))
        self._request = ""
        self._failed = True
        _forget_power_off()


def _forget_power_off() -> None:
    """Remove the record of an earlier request to power off.

    Otherwise `yardboard dark` would leave the message about power-off on the public display.
    """
    try:
        forget_power_off(state_folder() / FOLDER)
    except (OSError, ConfigError) as error:
        log.warning("An earlier request to power off cannot be removed: %s", error, extra=log_fields("request"))
