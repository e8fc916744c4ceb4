"""Let the owner run a real table from a page: start and end games, and press the table's keys.

Two threads meet here, as for Mister X's phone. The orders of the owner's pages arrive on the server's thread and are
queued. The table's thread takes one after each pass and carries it out like a key at the table. So the journal is the
same either way. The pages show no more than spectators' pages, because the owner may be one of the detectives.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from firmware_host.config.drivers.buttons_driver import KEYS
from firmware_host.config.loader import Config
from firmware_host.config.player_programs import trusted_programs
from firmware_host.system.language import in_language
from firmware_host.table.commands import Command, GiveUpGame, PressKey, StartGame, UndoMove
from firmware_host.table.playable_games import offer_values, offers, program_values
from firmware_host.table.table import Table
from firmware_host.ui.prompt_wording import prompt
from firmware_host.web.feeds.latest_feed import message
from firmware_host.web.feeds.page_orders import (
    OF_OWNER,
    OUTDATED,
    GiveUpOrder,
    KeyOrder,
    NewGameOrder,
    PageOrder,
    PageOrderQueue,
    UndoOrder,
)
from firmware_host.web.server import Server

WAITING = 8
"""How many orders of one page may wait; further ones are refused."""


class OwnerSeat:
    """The owner's access to one real table, which carries out the orders of the owner's pages.

    Args:
        config: the table's configuration.
        devices: the names of its devices.

    Attributes:
        in_play: whether a game is in play; True before the first pass. Any thread may read it.
        begun: the number of the newest game; -1 before the first pass. Any thread may read it.
    """

    def __init__(self, config: Config, devices: Sequence[str]) -> None:
        self.orders = PageOrderQueue(OF_OWNER, WAITING)
        self._config, self._devices = config, devices
        self._server: Server | None = None
        self._published: int | None = None
        self.in_play, self.begun = True, -1

    def serve(self, server: Server) -> None:
        """Serve the owner's pages with this server from now on."""
        self._server, self._published = server, None

    def attend(self, table: Table) -> None:
        """Carry out the oldest order from the owner's pages. Call this after each pass, on the table's thread."""
        self.begun, self.in_play = table.journal.newest_begun, table.journal.in_play
        if self._server is not None and self.begun != self._published:
            self._published = self.begun
            self._publish(self._server, self.begun)
        if not table.journal.writing:  # what is being written may be another game, or change what the table asks
            for asked in self.orders.orders(1):
                self._carry_out(table, asked)
        self.orders.take_disconnected()

    def _publish(self, server: Server, begun: int) -> None:
        """Send all pages the devices, the games and programs on offer, and the newest game's number."""
        config = self._config
        said = partial(message, "table", simulated=False, devices=list(self._devices), begun=begun)
        games, programs = offers(config), program_values(config, trusted_programs(config))
        server.public.put("table", lambda: said(boxes=[offer_values(game) for game in games], programs=programs))

    def _carry_out(self, table: Table, asked: PageOrder) -> None:
        with in_language(asked.language):
            current = prompt(table.scene()).text
        match asked.order:
            case KeyOrder(_, down=False):
                return
            case KeyOrder(key, prompt=answered) if key in KEYS and answered == current:
                command: Command = PressKey(key)
            case UndoOrder(prompt=answered) if answered == current:
                command = UndoMove()
            case KeyOrder() | UndoOrder():
                asked.refuse(OUTDATED)
                return
            case GiveUpOrder(begun) | NewGameOrder(begun=begun) if begun not in (None, self.begun):
                asked.refuse(OUTDATED)
                return
            case GiveUpOrder():
                command = GiveUpGame()
            case NewGameOrder(rules, players, options, seats, names):
                command = StartGame(rules=rules, players=players, options=options, seats=seats, names=names)
            case _:
                return
        table.do(command).on_refusal(lambda refusal: asked.refuse(refusal.words))
