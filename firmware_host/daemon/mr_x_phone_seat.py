"""Let Mister X play on a phone at a real table.

Two threads meet here. Orders from Mister X's page arrive on the server's thread and are queued. The table's thread
takes one after each pass and carries it out like the handset's keys; his page receives its data through the private
feed.

The seat is for one game. Only the table's own user can read the file with its link. With the next game both link and
seat are void.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from firmware_host.config.loader import Config
from firmware_host.daemon import health_file
from firmware_host.referee.referee import RefereeError
from firmware_host.rules.actions import MR_X, from_record
from firmware_host.rules.errors import RulesError
from firmware_host.system.boot_clock import boot_seconds
from firmware_host.system.files import Task
from firmware_host.system.language import reason_of
from firmware_host.table.commands import Choose, InvitePhone
from firmware_host.table.table import Table
from firmware_host.web.feeds.page_orders import WITH_MR_X_PHONE, ChooseOrder, PageOrderQueue
from firmware_host.web.feeds.seat_feed import SeatFeed
from firmware_host.web.seats import handset_link_file
from firmware_host.web.seats.handset_link_file import HandsetLinkFile
from firmware_host.web.seats.handset_token import AT_BOARD, BY_COMMAND, HandsetToken
from firmware_host.web.seats.kept_seat import KeptSeat
from firmware_host.web.seats.qr_modules import small_qr_modules
from firmware_host.web.seats.sessions import NO_SEAT
from firmware_host.web.server import Server

WAITING = 8
"""How many choices of one page may wait; further ones are refused."""

SEAT_TICK = 1.0
"""Seconds between two updates of the files of link and seat. A clock decides when, whatever Mister X does."""


class PhoneSeat:
    """Mister X's seat at a real table, which a phone can take.

    Args:
        config: the table's configuration.
        writing: runs slow file tasks.
        now: seconds of a clock that never runs backwards.

    Raises:
        ConfigError: there is no folder for its files.
    """

    def __init__(
        self,
        config: Config,
        *,
        writing: Callable[[Task], None],
        now: Callable[[], float] = boot_seconds,
    ) -> None:
        self._for_all_to_see = config.devices["handset"].driver.absent
        self.orders = PageOrderQueue(WITH_MR_X_PHONE, WAITING)
        self.token = HandsetToken(now, BY_COMMAND if self._for_all_to_see else AT_BOARD)
        self._handset, self._writing, self._now = config.handset, writing, now
        file = health_file.place(config).with_name(handset_link_file.NAME)
        self._link_file = HandsetLinkFile(file, str(Path(config.source).absolute()))
        self._kept = KeptSeat(self.token, config.journal_file(), writing)
        self._server: Server | None = None
        self._feed: SeatFeed | None = None
        self._link: str | None = None  # an earlier run's link, if any, is unknown
        self._code: tuple[str, ...] = ()
        self._look_at = 0.0

    def serve(self, server: Server) -> None:
        """Serve Mister X's page with this server from now on."""
        hold, quiet_s = self._handset.privacy == "hold", self._handset.blank_after_s
        self._feed = SeatFeed(server.private, server.spectators, hold=hold, quiet_s=quiet_s, small=False)
        self._server = server

    def attend(self, table: Table) -> None:
        """Carry out the phone's next choice, and send the phone the table's state.

        Call this on the table's thread after each pass.
        """
        if not self._kept.follow_game(table.journal.newest_begun, table.journal.begun_at):
            self._end()
        if not table.journal.writing:  # what is being written may be what he has just chosen, or another game
            self._choose(table)
        if self._feed is not None:
            self._feed.show(table.referee.public, table.referee.secrets)
        now = self._now()
        if now >= self._look_at:
            self._look_at = now + SEAT_TICK
            self.orders.take_disconnected()
            self._kept.keep()
            self._invite(table)

    def close(self) -> None:
        """Remove the invitation because the table ends. The phone keeps the seat.

        Call this once the server has stopped: until then another phone may take the seat.
        """
        self._kept.keep()
        self._writing(partial(self._link_file.write, ""))

    def _end(self) -> None:
        """End invitation and seat, because another game has begun. Drop all queued choices."""
        self.token.end()
        self.orders.drop()
        if self._feed is not None:
            self._feed.drop()
        self._look_at = 0.0

    def _choose(self, table: Table) -> None:
        """Carry out the oldest choice from the phone, unless the phone has lost the seat since it made the choice."""
        asked = next(self.orders.orders(1), None)
        if asked is None or not isinstance(asked.order, ChooseOrder):
            return
        if self._server is None or not self._server.sessions.has_seat(asked.visitor):
            asked.refuse(NO_SEAT)
            return
        try:
            action = from_record(asked.order.action)
            table.referee.check_choice(action)
        except (RefereeError, RulesError) as error:
            asked.refuse(reason_of(error))
        else:
            table.do(Choose(action)).on_refusal(lambda refusal: asked.refuse(refusal.words))

    def _invite(self, table: Table) -> None:
        """Show the link to the seat on the handset and in a file if a person plays Mister X, else remove it.

        Without a handset, the public display can show its QR code until the seat is taken.
        """
        link = ""
        if self._server is not None and table.referee.public is not None and MR_X not in table.referee.seats:
            link = f"{self._server.address}seat#{self.token.waiting or self.token.new_token()}"
        if link != self._link:
            self._link, self._code = link, ()
            self._writing(partial(self._publish, link))
        # On the public display the code disappears once his seat is taken, so that nobody takes it from him.
        code = () if self._for_all_to_see and self.token.session is not None else self._code
        if code != table.handset.code:
            table.do(InvitePhone(code))

    def _publish(self, link: str) -> None:
        """Draw the link's QR code and write the link's file. This runs on a background thread, as it is slow."""
        self._code = small_qr_modules(link) if link else ()
        self._link_file.write(link)
