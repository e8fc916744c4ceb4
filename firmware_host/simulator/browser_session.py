"""Play a simulated table in the browser in real time: simulated hands carry out the orders of pages.

Two threads meet here. The pages run on the server's thread, the table and its clock on the thread that calls
`BrowserSession.turn`. Orders pass through a queue, and output returns through feeds that hold only the newest messages.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from functools import partial
from typing import Protocol

from firmware_host.config.loader import Config
from firmware_host.config.player_programs import trusted_programs
from firmware_host.config.shipped_files import edition_names, load_edition, load_ground
from firmware_host.config.toml_file import ConfigError
from firmware_host.journal.store_port import JournalError
from firmware_host.referee.referee import RefereeError
from firmware_host.referee.scene import BACK, CoachMode, Phase
from firmware_host.rules.actions import MR_X, PawnMove, from_record
from firmware_host.rules.errors import RulesError
from firmware_host.rules.game import Game
from firmware_host.simulator.browser_input import KeyInput, PawnInput
from firmware_host.simulator.helping_hands import HelpingHands, last_move
from firmware_host.simulator.simulated_table import SimulatedTable, SimulatedTableError
from firmware_host.system.language import gettext, in_language, reason_of
from firmware_host.system.orders import FaultOrder
from firmware_host.table.playable_games import offer, offer_values, offers, program_values
from firmware_host.ui.new_game_menu import Offer
from firmware_host.web.feeds.latest_feed import Feed, message
from firmware_host.web.feeds.page_orders import (
    OUTDATED,
    AgainOrder,
    ChooseOrder,
    CoachOrder,
    DragOrder,
    HandsOrder,
    KeyOrder,
    LiftOrder,
    NewGameOrder,
    NotYours,
    PaceOrder,
    PageOrderQueue,
    PowerOrder,
    PutOrder,
    ShakeOrder,
    StepOrder,
    UndoOrder,
    UserOrder,
    check_player,
)
from firmware_host.web.feeds.seat_feed import SeatFeed
from firmware_host.web.feeds.spectator_feed import SpectatorFeed
from firmware_host.web.seats.detective_seats import PAGE as PHONE
from firmware_host.web.seats.sessions import NO_SEAT
from hardware.ports import HardwareError
from hardware.sim.devices import SimPanel

TURN = 5.0
"""Milliseconds of table time between two reads of the pages' orders."""

RESTART_PAUSE = 1000.0
"""Milliseconds of table time between two slow orders: to start a game or the table, or to set the coach."""

PACE = "usual"
"""The pace of computers' pawns until a page changes it."""

FRAME = 0.015
"""Seconds between two updates of moving pawns: a screen shows no more, and the line stays free."""

REFUSALS = (ConfigError, HardwareError, JournalError, NotYours, SimulatedTableError, RefereeError, RulesError)
"""The errors with which an order may be refused. None of their messages reveals a secret."""


class Pages(Protocol):
    """The interface of an object that receives all output for pages, such as `web.server.Server`.

    Attributes:
        public: the messages for all pages.
        private: the messages for the handset.
        spectators: receives what the table publishes to everyone.
    """

    public: Feed
    private: Feed
    spectators: SpectatorFeed


class OfferSeat(Protocol):
    """The interface of a function that offers Mister X's seat, such as `HandsetToken.offer_seat`."""

    def __call__(self, *, free: bool, alone: bool = False, ends: bool = False) -> None:
        """Set whether Mister X's seat is `free`. See `web.seats.handset_token.HandsetToken.offer_seat`."""


class BrowserSession:
    """The connection between a simulated table and its pages.

    Args:
        simulated: the table.
        requests: the orders of the pages.
        pages: receives all output for the pages.
        real_hands: whether people move all pawns themselves, as at a real board; else simulated hands help them.
        offer_seat: called for each new game, to set whether a page may take Mister X's seat.
        seat_kept: whether a page still has the seat from the newest game, which may be over or given up.
        player_of: returns the number of the detectives' player who uses a page; see `web.seats.detective_seats`.
        has_seat: returns whether a page still has Mister X's seat; see `web.seats.sessions`.
    """

    def __init__(
        self,
        simulated: SimulatedTable,
        requests: PageOrderQueue,
        pages: Pages,
        *,
        real_hands: bool = True,
        offer_seat: OfferSeat | None = None,
        seat_kept: bool = False,
        player_of: Callable[[int], int | None] = lambda _: None,
        has_seat: Callable[[int], bool] = lambda _: True,
    ) -> None:
        self.simulated, self._requests = simulated, requests
        self._real_hands, self._offer_seat = real_hands, offer_seat
        self._player_of, self._has_seat = player_of, has_seat
        self._game: Game | None = simulated.table.game if seat_kept else None
        self._seat_is_of_game = seat_kept  # Mister X's seat belongs to one game
        self._public, self._private, self._audience = pages.public, pages.private, pages.spectators
        self._boxes = {box.rules: box for box in _offers(simulated.own)}
        self._trusted = trusted_programs(simulated.config)
        self._power = True
        self._pace = PACE
        self._rest = 0.0
        self._taken: dict[str, bytes | None] = {}
        self._shown: dict[str, object] = {}
        handset = simulated.config.handset
        hold, quiet_s = handset.privacy == "hold", handset.blank_after_s
        self._seat = SeatFeed(pages.private, pages.spectators, hold=hold, quiet_s=quiet_s, small=True)
        self._take_table()
        if seat_kept:
            self._offer_mr_x(ends=False)

    def _take_table(self) -> None:
        """Connect the pages to a new table."""
        self._hardware = self.simulated.hardware
        self._look_at = self._hardware.clock.now()
        self._keys = KeyInput(self._hardware, self.simulated.config.switches.scan_hz)
        self._pawns = PawnInput(self.simulated)
        self._helping = HelpingHands(self.simulated, lambda: self._pawns.held, pace=self._pace)
        self._publish_table()

    def turn(self) -> None:
        """Carry out the pages' orders, let some of the table's time pass, and send the result to the pages."""
        for asked in self._requests.orders():
            try:
                with in_language(asked.language):
                    self._do(asked.page, asked.visitor, asked.order)
            except REFUSALS as error:
                asked.refuse(reason_of(error))
            self._follow_game()
        for visitor in self._requests.take_disconnected():
            self._keys.leave(visitor)
            self._pawns.leave(visitor)
        self._keys.move()
        if self._power and not self._real_hands:
            self._helping.turn()
        self.simulated.trust_switches(trusted=not self._real_hands and self._helping.sense_all())
        self.simulated.advance(TURN)
        self._follow_game()
        self._rest -= TURN
        self._show()

    def _do(self, page: str, visitor: int, order: UserOrder) -> None:
        if page == PHONE:
            last = last_move(self.simulated) if isinstance(order, UndoOrder) else None
            view = self.simulated.table.referee.public
            check_player(order, self._player_of(visitor), view, None if last is None else last[0])
        if page == "handset" and not self._has_seat(visitor):
            raise SimulatedTableError(gettext(NO_SEAT))
        if page in (PHONE, "table") and self._power and not isinstance(order, KeyOrder):  # the table senses its keys
            self.simulated.touch()
        match order:
            case KeyOrder(key, down):
                if down and key == BACK:
                    self._helping.see_back()
                (self._keys.press if down else self._keys.release)(visitor, key)
            case ChooseOrder():
                self._choose(page, order)
            case UndoOrder():
                self._undo()
            case AgainOrder():
                self._play_again()
            case _:
                self._do_order(visitor, order)

    def _do_order(self, visitor: int, order: UserOrder) -> None:
        match order:
            case DragOrder(pawn, x, y):
                self._pawns.drag(visitor, pawn, x, y)
            case PutOrder(pawn, x, y):
                self._pawns.put(visitor, pawn, x, y)
                self._helping.see_put(pawn)
            case LiftOrder(pawn):
                self._pawns.lift(visitor, pawn)
            case NewGameOrder():
                self._begin(order)
            case CoachOrder(mode):
                self._coach(mode)
            case PaceOrder(pace):
                self._set_pace(pace)
            case StepOrder():
                self._helping.step()
            case HandsOrder() | FaultOrder() | ShakeOrder() | PowerOrder():
                self._do_to_table(order)

    def _undo(self) -> None:
        if not self._power:
            raise SimulatedTableError(gettext("the power is off; switch it on, then take the move back"))
        self._helping.undo()

    def _coach(self, mode: CoachMode) -> None:
        if not self._power:
            raise SimulatedTableError(gettext("the power is off; switch it on, then ask the coach"))
        self._limit_restarts()
        self.simulated.coach(mode)

    def _set_pace(self, pace: str) -> None:
        """Set how fast simulated hands move the computers' pawns."""
        self._pace = self._helping.pace = pace
        self._publish_table()

    def _choose(self, page: str, order: ChooseOrder) -> None:
        if not self._power:
            raise SimulatedTableError(gettext("the power is off; switch it on, then choose"))
        action = from_record(order.action)
        if page == "handset":
            self.simulated.choose_from_page(action)
        elif self._real_hands:
            raise SimulatedTableError(gettext("players move their pawns on the board now; move yours there"))
        elif isinstance(action, PawnMove):
            self._helping.move(action)

    def _do_to_table(self, order: HandsOrder | FaultOrder | ShakeOrder | PowerOrder) -> None:
        match order:
            case HandsOrder(real):
                self._real_hands = real
                self._publish_table()
            case FaultOrder(device, kind):
                self._hardware.fault(device, kind)
                self._publish_table()
            case ShakeOrder():
                self._hardware.jolt(self._pawns.held)
            case PowerOrder(on):
                self._switch_power(on=on)

    def _begin(self, order: NewGameOrder) -> None:
        rules = order.rules
        if order.begun not in (None, self.simulated.table.journal.newest_begun):
            raise SimulatedTableError(gettext(OUTDATED))
        if rules not in self._boxes:  # pages may not use the other names of a configuration, such as files
            games = ", ".join(self._boxes)
            raise SimulatedTableError(
                gettext("there is no game {game}; games are {games}", game=repr(rules), games=games)
            )
        if not self._power:
            raise SimulatedTableError(gettext("the power is off; switch it on, then begin a game"))
        self._limit_restarts()
        try:
            self.simulated.new_game(
                rules, players=order.players, options=order.options, seats=order.seats, names=order.names
            )
        except REFUSALS:
            # otherwise a board is built before the refusal
            if self.simulated.config_for(rules) is self.simulated.config:
                self._rest = 0.0
            raise
        if self.simulated.hardware is not self._hardware:
            self._take_table()

    def _play_again(self) -> None:
        """Start a game like the last one: the same box, options and seats."""
        if not self._power:
            raise SimulatedTableError(gettext("the power is off; switch it on, then begin a game"))
        if self.simulated.scene.phase is not Phase.OVER:
            raise SimulatedTableError(gettext("another game begins when this one is over"))
        self._limit_restarts()
        setup, scene = self.simulated.setup, self.simulated.scene
        self.simulated.new_game(
            setup.edition.name,
            players=1 + len(set(setup.owners.values())),
            owners=[*setup.owners.values()],
            options=setup.options,
            seats=scene.seats,
            names=scene.names,
            same_mr_x=True,
        )

    def _switch_power(self, *, on: bool) -> None:
        if on is self._power:
            why = gettext("the power is on already") if on else gettext("the power is off already")
            raise SimulatedTableError(why)
        if on:
            self._limit_restarts()
            self.simulated.restart()
            self._game = self.simulated.table.game  # the same game, so Mister X's seat does not become free
        else:
            self.simulated.cut_power()
            self._audience.dark()
        self._power = on
        self._publish_table()

    def _limit_restarts(self) -> None:
        """Limit how often a game or the table is started or the coach is set.

        Each of these takes as long as many turns.

        Raises:
            SimulatedTableError: the last of these was less than `RESTART_PAUSE` ago.
        """
        if self._rest > 0:
            raise SimulatedTableError(gettext("the table has only just restarted; wait a second"))
        self._rest = RESTART_PAUSE

    def _follow_game(self) -> None:
        """Offer Mister X's seat if another game has begun. A page keeps the seat only for the same player.

        Call this before anything of a new game is shown, so that the page of the last Mister X receives none of it.
        """
        table = self.simulated.table
        if table.game is self._game:
            return
        self._game = table.game
        if self._pace == "paused":  # by the viewers of the last game
            self._set_pace(PACE)
        begun = table.game is not None
        ends = begun and self._seat_is_of_game and not table.same_mr_x
        self._seat_is_of_game |= begun
        self._offer_mr_x(ends=ends)
        if ends:
            self._seat.drop()
            self._cover_handset()
        self._publish_table()

    def _offer_mr_x(self, *, ends: bool) -> None:
        """Offer Mister X's seat in the game in play, if a person plays him."""
        if self._offer_seat is None:
            return
        seats = self.simulated.scene.seats
        free = self.simulated.table.game is not None and MR_X not in seats
        alone = free and {str(one) for one in self.simulated.setup.owners.values()} <= seats.keys()
        self._offer_seat(free=free, alone=alone, ends=ends)

    # ---- output ----

    def _publish_table(self) -> None:
        outputs = ("lamps", "handset", *(() if self._hardware.display is None else ("display",)))
        said = partial(
            message,
            "table",
            simulated=True,
            power=self._power,
            begun=self.simulated.table.journal.newest_begun,
            real_hands=self._real_hands,
            pace=self._pace,
            programs=program_values(self.simulated.config, self._trusted),
            devices=["switches", *outputs, "power"],
            broken=self._hardware.broken(),
        )
        self._public.put("table", lambda: said(boxes=[offer_values(box) for box in self._boxes.values()]))

    def _show(self) -> None:
        self._screen("handset", self._private, self._hardware.handset, self.simulated.handset_lines)
        referee = self.simulated.table.referee
        self._seat.show(referee.public, referee.secrets)
        if self._hardware.display is not None:
            menu = self.simulated.table.menu is not None
            self._screen("display", self._public, self._hardware.display, self.simulated.display_lines, menu=menu)
        now = self._hardware.clock.now()
        if now >= self._look_at:
            self._look_at = now + FRAME
            self._show_pawns()

    def _show_pawns(self) -> None:
        pawns, box, last = self._pawns.pawns(), self._pawns.box(), last_move(self.simulated)
        undo = None if last is None else {"pawn": last[0], "to": last[1]}
        if self._shown.get("pawns") != (pawns, box, undo):
            self._shown["pawns"] = pawns, box, undo
            self._public.put("pawns", partial(message, "pawns", pawns=pawns, box=box, undo=undo))

    def _screen(self, name: str, feed: Feed, panel: SimPanel, lines: Callable[[], list[str]], **more: bool) -> None:
        pixels = panel.pixels
        if name in self._taken and self._taken[name] is pixels:
            return
        self._taken[name] = pixels  # panels get the same picture repeatedly; pages do not
        packed = None if pixels is None else base64.b64encode(pixels).decode("ascii")
        self._put_screen(name, feed, packed, [] if pixels is None else lines(), **more)

    def _cover_handset(self) -> None:
        """Show a dark handset on pages until it draws again, because its picture is of the last game."""
        self._taken["handset"] = self._hardware.handset.pixels
        self._put_screen("handset", self._private, None, [])

    def _put_screen(self, name: str, feed: Feed, pixels: str | None, lines: list[str], **more: bool) -> None:
        if self._shown.get(name) != (pixels, lines):
            self._shown[name] = pixels, lines
            language = self.simulated.config.board.language
            feed.put(name, partial(message, name, pixels=pixels, lines=lines, language=language, **more))


def _offers(config: Config) -> list[Offer]:
    """Return the games that can be started here, those for the configured board first."""
    own = offers(config)
    names = {one.rules for one in own}
    others = [load_edition(name) for name in edition_names() if name not in names]
    return [*own, *(offer(box, load_ground(box.map), seats={}) for box in others)]
