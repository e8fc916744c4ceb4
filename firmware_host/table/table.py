"""Run one table. Only this module combines the game, the devices, the clock and the rng.

`step` is one pass of the loop. It reads and debounces switches and keys, finds the stations and asks the referee. The
journal saves each action before the referee accepts it. Then lamps and screens are drawn from the new views. A pass in
which nothing changed costs nearly nothing.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from firmware_host.config.board_layout import BoardLayout
from firmware_host.config.loader import Config
from firmware_host.config.shipped_files import former_editions
from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import JournalError, UnplayableGame
from firmware_host.referee.board_reading import TOUCHING
from firmware_host.referee.events import (
    Abandon,
    Begin,
    CancelMove,
    Entry,
    Event,
    Play,
    Pressed,
    Request,
    TakeBack,
    Tick,
    WantGame,
    WantRoll,
)
from firmware_host.referee.readings import Patience
from firmware_host.referee.referee import NotNow, Referee
from firmware_host.referee.scene import BACK, CONFIRM, NEW_GAME, Scene
from firmware_host.referee.switch_register import SwitchRegister
from firmware_host.rules.actions import Action
from firmware_host.rules.game import Game
from firmware_host.rules.network import Network
from firmware_host.rules.setup import Wish
from firmware_host.system.event_log import log_fields
from firmware_host.system.files import Task, at_once
from firmware_host.system.language import gettext
from firmware_host.table.commands import (
    REFUSED,
    TOO_LATE,
    Choose,
    Command,
    CommandResult,
    Do,
    GameCommand,
    GiveUpGame,
    InvitePhone,
    PressKey,
    RollDice,
    SayPowerOffFailed,
    SetCoach,
    ShowAddress,
    ShowOwnerCode,
    StartGame,
    Touch,
    TrustSwitches,
    UndoMove,
)
from firmware_host.table.device_health import DeviceNews, Devices, HandsetLight
from firmware_host.table.entry_queue import AGAIN, EntryQueue, Input, JournalChanged, PendingCommand, Work
from firmware_host.table.handset import Handset
from firmware_host.table.inputs import Inputs
from firmware_host.table.outputs import Audience, Outputs
from firmware_host.table.playable_games import deal, offers
from firmware_host.table.player_maker import PlayerMaker
from firmware_host.table.seating import Seating
from firmware_host.table.table_menu import MenuWish, TableMenu
from firmware_host.ui.drawing.table_menu_screen import TableMenuScreen
from firmware_host.ui.live_commentary import public_events
from firmware_host.ui.new_game_menu import GiveUp, NewGameChoice
from firmware_host.ui.prompt_wording import not_taken_back
from hardware.backend import Backend

log = logging.getLogger("yardboard")


class Table:
    """A table that runs: it reads the devices, advances the game, and shows it.

    Args:
        config: the table's configuration.
        backend: its devices.
        journal: saves every accepted action before anything shows it.
        rng: the rng for start cards; `random.SystemRandom()` at a real table.
        wall_clock: the wall clock, for the journal's times.
        resume: whether to resume the journal's unfinished game.
        audience: the remote viewers, if any.
        writing: runs other slow file tasks; by default at once, which suits tables without real time.
        players: creates the computer players.
        patient: whether to wait for a computer player; see `ComputerSeats`.
        wrap_do: wraps `do`, for example to record commands.

    Attributes:
        same_mr_x: whether the previous game's Mister X plays Mister X in this one, too. Read only.

    Raises:
        JournalError: the journal cannot be read, or its game does not replay on this configuration's map.
    """

    def __init__(
        self,
        config: Config,
        backend: Backend,
        journal: Journal,
        *,
        rng: random.Random,
        wall_clock: Callable[[], float],
        resume: bool = True,
        audience: Audience | None,
        writing: Callable[[Task], None] = at_once,
        players: PlayerMaker,
        patient: bool,
        wrap_do: Callable[[Do], Do] = lambda do: do,
    ) -> None:
        self.config = config
        self.journal = journal
        self._backend = backend
        self._rng = rng
        self._clock = backend.clock
        now = self._clock.now()
        some = [name for name in ("display", "power") if getattr(backend, name) is not None]
        self.devices = Devices(("switches", "keys", "lamps", "handset", *some, "journal"), now, wall_clock)
        ms = config.timing
        patience = Patience(ms.settle_ms / 1000, ms.slide_ms / 1000, ms.wrong_ms / 1000, ms.insist_ms / 1000)
        self.referee = Referee(patience, take_back=config.game.take_back)
        hold = config.handset.privacy == "hold"
        self.handset = Handset(hold=hold, blank_after=config.handset.blank_after_s, offers=offers(config))
        self._outputs = Outputs(config, backend, self.devices, audience)
        self._menu = TableMenu(now, simulated=config.simulated)
        self._inputs = Inputs(config, backend, self.devices, journal.name, writing)
        self.referee.place = self._inputs.place
        self._assign_switches(self._inputs.register, now)
        self._queue = EntryQueue(journal, self.devices, self._clock, wall_clock, now)
        self._occupied = self._inputs.current_switches().occupied
        self._asked_at_back = NEW_GAME  # what the table asked when BACK was last pressed
        self._next_game = StartGame()
        self._beginning = self._next_game, rng  # both count from when the game that begins is saved
        self._wrapped_receive = wrap_do(self._receive)
        self.same_mr_x = False
        publish = self._outputs.publish
        self._seating = Seating(config, players, self.referee, self.handset, publish, patient=patient)
        self._device_news = DeviceNews(self.devices, self.handset, phone=config.handset.phone)
        self._handset_light = HandsetLight(self.handset, phone=config.handset.phone)
        if resume:
            self._resume(now)
        if self.game is None:
            self._handset_light.wake(now)  # the secrets of a resumed game stay dark until Mister X presses a key

    def _resume(self, now: float) -> None:
        """Resume the newest game in the journal, or show its end. See `Table`."""
        boxes = (*self.config.boxes, *former_editions())
        try:
            game = self.journal.newest(boxes, self.config.ground)
        except UnplayableGame as error:
            if self.journal.in_play:
                raise
            log.warning("The end of the last game cannot be shown: %s", error, extra=log_fields("resume"))
            return
        if game is None:
            return
        going_on = "Going on with" if game.public.outcome is None else "Still showing the end of"
        rules, round_ = game.system.name, game.public.round
        said = log_fields("resume", rules=rules, round=round_)
        log.info("%s a game of %s, round %d.", going_on, rules, round_, extra=said)
        self._lay_board(game.setup.network, now)
        seats = self._seating.resume(game, self.journal.seats, self._rng)
        names = {seat: name for seat, name in self.journal.names.items() if seat not in seats}
        self.referee.resume(game, now, seats, names, home=self.journal.taken_home)
        self._queue.save_end(self.referee.public, now)

    # ---- the game ----

    @property
    def game(self) -> Game | None:
        """The game in play, secrets included, for tests and the journal. Publish nothing that is built on it."""
        return self.referee.game

    def scene(self) -> Scene:
        """Return what the table shows now. It contains no secret."""
        return self.referee.scene(self._clock.now())

    @property
    def now(self) -> float:
        """The time on the table's clock, in seconds."""
        return self._clock.now()

    @property
    def layout(self) -> BoardLayout:
        """The station on each spot of the board."""
        return self._inputs.layout

    # ---- commands ----

    def do(self, command: Command) -> CommandResult:
        """Carry out a command or refuse it. Only this method and the devices can change the table.

        While an entry is being written, commands about the game wait; if the entry changes the game, they are refused.
        A command may also be refused later if the journal writes on a background thread; see `CommandResult` and
        `wait`.
        """
        return self._wrapped_receive(command)

    def _receive(self, command: Command) -> CommandResult:
        result = CommandResult()
        match command:
            case SetCoach(mode):
                self._seating.choose_coach(mode, self.referee.game)
                self._outputs.is_stale = True
            case TrustSwitches(trusted):
                self.referee.trust_switches(trusted=trusted)
                self._outputs.is_stale = True
            case Touch():
                self._outputs.note_touch(self._clock.now())
            case PressKey(key):
                self._press(key, self._clock.now())
            case InvitePhone(code):
                self.handset.invite_phone(code)
            case ShowAddress(address):
                self._menu.set_address(address, self._clock.now())
            case ShowOwnerCode(code):
                self._menu.show_owner_code(code)
            case SayPowerOffFailed():
                self._menu.say_power_off_failed(self._clock.now())
            case _:
                pending = PendingCommand(command, self.referee.public, result)
                if self._queue.waits:
                    self._queue.keep(pending, self._clock.now())
                else:
                    self._answer(pending)
        return result

    def _answer(self, pending: PendingCommand) -> None:
        """Carry out a command about the game. Refuse it if the game has changed since the command was given."""
        if pending.view is not self.referee.public:
            pending.result.refuse(NotNow(TOO_LATE))
            return
        try:
            self._carry_out(pending.command)
        except REFUSED as error:
            if isinstance(error, JournalError):
                self.devices.lost("journal", error, self._queue.now())
            pending.result.refuse(error)
        else:
            self._queue.attach_result(pending.result)

    def _carry_out(self, command: GameCommand) -> None:
        """Decide which entry a command means now, and start to save that entry.

        Raises:
            RefereeError, RulesError: the command is refused; nothing has changed.
            JournalError: the entry cannot be saved; nothing has changed.
        """
        match command:
            case StartGame():
                self._begin_game(command)
            case Choose(action):
                self.referee.check(action)
                self._write(Play(action), self._queue.now())
                self.handset.clear_notice()  # a notice about an earlier choice
            case UndoMove():
                undo = self.referee.check_undo()
                if undo.cancels:
                    self._handle_event(CancelMove(), self._queue.now())
                elif undo.why is not None:
                    raise NotNow(not_taken_back(undo.why))
                else:
                    self._write(TakeBack(undo.count, by_hand=False), self._queue.now())
            case RollDice():
                roll = None if self.game is None else self.game.roll(self._rng)
                if roll is not None:
                    self._write(Play(roll), self._queue.now())
            case GiveUpGame():
                view = self.referee.public
                if view is None or view.outcome is not None:  # the journal may not have the end yet
                    raise NotNow("there is no game in play")
                self._write(Abandon(), self._queue.now())

    def _begin_game(self, wanted: StartGame) -> None:
        wish = Wish(wanted.players, wanted.detectives, wanted.owners, wanted.start or {}, wanted.options or {})
        rng = wanted.rng or self._rng
        setup = deal(self.config, wanted.rules, wish, rng)
        computers, people = self._seating.assign(setup, wanted.seats, wanted.names)
        self._beginning = replace(wanted, start=None, same_mr_x=False, rng=None), rng
        self._write(Begin(setup, computers, people, wanted.same_mr_x), self._queue.now())

    def wait(self) -> None:
        """Wait until the journal has saved or refused the current entry, and handle what waited for that.

        Another write may have begun then, such as that of the end of the game.
        """
        if self._queue.waits:
            for work, at in self._queue.finished(self._clock.now(), wait=True):
                self._handle_work(work, at)

    def _lay_board(self, network: Network, now: float) -> None:
        """Assign switches and lamps to the stations of newly laid tiles (DI-01)."""
        self._inputs.layout = self.config.layout.on(network)
        self._outputs.set_layout(self._inputs.layout)
        self._assign_switches(self.referee.state.board.register, now)

    def _assign_switches(self, register: SwitchRegister, now: float) -> None:
        """Report to the referee which station each switch senses, and which stations are close together."""
        layout, width, pick_up = self._inputs.layout, self.config.board.width_mm, self.config.switches.pick_up_mm
        near, touching = layout.near(width, pick_up), layout.near(width, TOUCHING * pick_up)
        self.referee.assign_stations(register.laid(layout.switches), near, touching, now)

    # ---- saved before it takes effect ----

    def _write(self, entry: Entry, now: float) -> None:
        """Start to save an entry. It takes effect once it is saved."""
        view = self.referee.public
        if self._queue.write(entry, now, None if view is None else view.outcome):
            self._accept(entry, now)

    def _accept(self, entry: Entry, now: float) -> None:
        old = self.referee.public
        match entry:
            case Begin(setup):
                self._lay_board(setup.network, now)
                self._next_game, self._rng = self._beginning  # computers that sit down use this rng, too
                self.same_mr_x = entry.same_mr_x
                self._outputs.forget()
                old = None
            case Abandon():
                self._outputs.publish(lambda: [gettext("The game is given up.")])
        self.referee.accept(entry, now)
        self.devices.ok("journal", now)
        view = self.referee.public
        self._seating.follow(entry, self.referee.game, self._rng)
        if view is not None:
            self._outputs.publish(partial(public_events, old, view))
        self._queue.save_end(view, now)
        self._refresh(now)
        self._report_devices(now)
        self._queue.tick_at = now  # the pawns on the board may have a new meaning now
        if isinstance(entry, Begin):
            self.handset.close_new_game()
            self._handle_event(
                self._inputs.current_switches(), now
            )  # the closed switches may belong to other stations now

    # ---- one pass ----

    def step(self) -> None:
        """Make one pass of the table's loop. Call it `switches.scan_hz` times a second."""
        now = self._clock.now()
        for work, at in self._queue.finished(now):
            self._handle_work(work, at)
        if (switches := self._inputs.changed_switches(now)) is not None:
            if switches.occupied != self._occupied:
                self._occupied = switches.occupied
                self._outputs.note_touch(now)
                self._menu.close()
            self._handle_or_keep(switches, now)
        for name, down in self._inputs.keys(now):
            self._key(name, down=down, now=now)
        visible = self._backend.display is not None and not self.devices.away("display")
        menu = self._menu.follow(now, visible=visible)
        if now >= self._inputs.power_at:
            self._inputs.power(now)
        if self.devices.changed:
            if self._queue.waits:
                self.handset.screen(away=self.devices.away("handset"))
            else:
                self._after(now)
        if now >= self._queue.tick_at and not self._queue.waits:
            self._handle_event(Tick(), now)
        if self._seating.computers is not None and not self._queue.waits:
            request = self._seating.wants(self.referee.game, now)
            if request is not None:
                self._carry_out_request(request, now)
        if self._seating.coach is not None and self._seating.read_coach(now):
            self._outputs.is_stale = True
        self._outputs.show(self.referee, self.handset, now, menu)

    def _key(self, name: str, *, down: bool, now: float) -> None:
        """Handle a key of the table or handset. The handset's screen is drawn in the pass after a frame."""
        side, _, key = name.partition(".")
        if side == "table":
            if down:
                self._outputs.note_touch(now)
            # Nobody can read the screens of a sleeping table: a key only wakes it.
            asleep, lost = self._outputs.is_asleep, not self.devices.usable("keys", now)
            counts = self._menu.key(name, down=down, now=now, asleep=asleep, lost=lost)
            if name == BACK:  # it counts when released, but answers only what was asked when it was pressed
                ask = self.referee.scene(now).ask
                self._asked_at_back = ask if down else self._asked_at_back
                counts &= ask == self._asked_at_back
            if counts:
                self._handle_or_keep(name, now)
            return
        if (chosen := self.handset.key(key, down=down, view=self.referee.private, now=now)) is not None:
            result = CommandResult()
            result.on_refusal(lambda refusal: self.handset.notice(refusal.title, refusal.text))
            self._handle_or_keep(PendingCommand(_command_of(chosen), self.referee.public, result), now)

    def _press(self, key: str, now: float) -> None:
        """Handle a key of the table. A key only wakes a sleeping table, because nobody can read its dark screens."""
        self._outputs.note_touch(now)
        if not self._outputs.is_asleep:
            self._handle_or_keep(key, now)

    def _handle_or_keep(self, read: Input, now: float) -> None:
        """Handle an input now, or queue it until the current write to the journal is finished."""
        if self._queue.waits:
            self._queue.keep(read, now)
        else:
            self._handle_work(read, now)

    def _handle_work(self, work: Work, at: float) -> None:
        match work:
            case Begin() | Play() | TakeBack() | Abandon():
                self._accept(work, at)
            case JournalChanged():
                self._after(at)
            case str():
                # An answer to a question that nobody has read yet does not count.
                if at >= self._queue.renewed_at or work not in (CONFIRM, BACK):
                    self._handle_event(Pressed(work), at)
            case PendingCommand():
                self._answer(work)
            case _:
                self._handle_event(work, at)

    def _handle_event(self, event: Event, now: float) -> None:
        request = self.referee.handle(event, now)
        if request is None:
            if isinstance(event, Tick):
                self._queue.try_again(self.referee.public, now)
            self._after(now)
            return
        self._carry_out_request(request, now)

    def _carry_out_request(self, request: Request, now: float) -> None:
        """Start to carry out a request of the referee or a computer. An entry takes effect once it is saved."""
        try:
            match request:
                case WantGame():
                    self._carry_out(self._next_game)
                case WantRoll():
                    self._carry_out(RollDice())
                case _:
                    self._write(request, now)
        except JournalError as error:
            self.devices.lost("journal", error, now)
            self._after(now)

    def _after(self, now: float) -> None:
        """Redraw after a possible change, and schedule the next tick."""
        self._refresh(now)
        due = now if self._report_devices(now) else self.referee.state.next_due(now)
        if self.devices.away("journal"):  # a refused move is still on the board: ask again
            due = min(due, now + AGAIN)
        self._queue.tick_at = due

    def _refresh(self, now: float) -> None:
        """Have lamps and screens redrawn, and ignore the switches that the referee now ignores."""
        self._inputs.ignore_switches(self.referee.state.board.register, now)
        self._outputs.is_stale = True

    def _report_devices(self, now: float) -> bool:
        """Report failing devices and pauses to the handset and the referee. Return whether anything has changed."""
        state = self.referee.state
        news = self._device_news.find_news(state)
        self._handset_light.follow(state, now)
        if news is not None:
            self.referee.handle(news, now)
        return news is not None

    @property
    def menu(self) -> TableMenuScreen | None:
        """What the table menu shows on the public display, or None while it is closed."""
        return self._menu.screen

    def take_wish(self) -> MenuWish | None:
        """Return the table menu's request to the program that runs the table, and forget it. None if there is none."""
        return self._menu.take_wish()

    def late(self) -> dict[str, float]:
        """Return how many seconds the lamps' frame, the journal and each device's thread are overdue."""
        threads = {device: seconds() for device, seconds in self._backend.threads.items()}
        now = self._clock.now()
        return {"frames": self._outputs.late(now), "journal": self._queue.late(now), **threads}

    def health(self) -> Mapping[str, dict[str, str | float]]:
        """Return every device's state, reason and time of the last change."""
        return self.devices.report()

    def switches(self) -> dict[str, dict[str, str | int | float | None]]:
        """Return how the switches under the stations have worked so far. See `Inputs.report`."""
        return self._inputs.report(self._clock.now())

    def let_players_go(self) -> None:
        """Close the computer players and the coach, because the program ends. Nothing else changes."""
        self._seating.close()

    def close(self) -> None:
        """Close the players and the coach, turn off lamps and screens, and close the journal."""
        try:
            self._seating.close()
            self._outputs.dark()
        finally:
            self.journal.close()


def _command_of(chosen: Action | NewGameChoice | GiveUp) -> GameCommand:
    """Return the command for a choice made on the handset."""
    match chosen:
        case NewGameChoice(rules, players, options, seats):
            return StartGame(rules=rules, players=players, options=options, seats=seats, same_mr_x=True)
        case GiveUp():
            return GiveUpGame()
        case action:
            return Choose(action)
