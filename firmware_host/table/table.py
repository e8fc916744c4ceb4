"""Run one table: the only place where game and devices, time and chance come together.

`step` is one pass of the loop: switches and keys are read and debounced, stations found, the referee asked; what it
wants done is made durable in the journal and only then accepted; lamps and screens are drawn from the new views. A
pass in which nothing changed costs nearly nothing.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Mapping, Sequence

from firmware_host.config.board_layout import BoardLayout
from firmware_host.config.loader import Config
from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import JournalError, UnplayableGame
from firmware_host.players.seats import BadSeats, PlayerName, Seated, read_seats, to_record
from firmware_host.referee.ask import BACK, CONFIRM
from firmware_host.referee.board_reading import TOUCHING
from firmware_host.referee.coach_hints import OFF
from firmware_host.referee.device_health import Devices, why_paused
from firmware_host.referee.events import (
    Abandon,
    Ailing,
    Begin,
    Board,
    Entry,
    Play,
    Pressed,
    Tick,
    WantGame,
    WantRoll,
)
from firmware_host.referee.referee import NotNow, Referee
from firmware_host.referee.scene import Phase, Scene
from firmware_host.referee.state import Patience
from firmware_host.referee.switch_register import SwitchRegister
from firmware_host.rules.actions import MR_X, Action
from firmware_host.rules.game import Game
from firmware_host.rules.network import Network
from firmware_host.rules.setup import Option, Wish
from firmware_host.system.background_task import Task, at_once
from firmware_host.system.logging_setup import log_fields
from firmware_host.table.coaching import Coaching
from firmware_host.table.computer_seats import ComputerSeats
from firmware_host.table.deal import INSTEAD, deal, offers, seat
from firmware_host.table.handset_choices import Choice, HandsetChoices
from firmware_host.table.inputs import Inputs
from firmware_host.table.outputs import Audience, Outputs
from firmware_host.table.pending_entries import JournalWriter
from firmware_host.table.player_maker import LevelMaker, PlayerMaker
from firmware_host.table.work_queue import Deed, Worker, WorkQueue
from firmware_host.ui.handset_device import Handset
from firmware_host.ui.live_commentary import public_events, seat_lines
from hardware.backend import Backend

AGAIN = 1.0
"""Seconds after which what could not be written down is tried again: what stands on the board, or an end."""

log = logging.getLogger("yardboard")


class Table:
    """Run one table.

    Args:
        config: the table's configuration.
        backend: its devices.
        journal: where every accepted action goes before anything shows it.
        chance: where start cards come from; `random.SystemRandom()` at a real table.
        wall: the wall clock, for the journal's times.
        resume: whether to go on with the journal's unfinished game.
        audience: who looks on from afar, if anybody does.
        writing: carries out what else may wait for a disk; at once where nothing has to keep a beat.
        players: where computer players come from; by default our own, in this process.
        patient: whether a computer player is waited for; see `ComputerSeats`.

    Raises:
        JournalError: the journal cannot be read, or its game does not replay on this configuration's map.
    """

    def __init__(
        self,
        config: Config,
        backend: Backend,
        journal: Journal,
        *,
        chance: random.Random,
        wall: Callable[[], float] = time.time,
        resume: bool = True,
        audience: Audience | None = None,
        writing: Callable[[Task], None] = at_once,
        players: PlayerMaker | None = None,
        patient: bool = False,
    ) -> None:
        self.config = config
        self.journal = journal
        self._backend = backend
        self._chance = chance
        self._audience = audience
        self._clock = backend.clock
        now = self._clock.now()
        some = [name for name in ("display", "power") if getattr(backend, name) is not None]
        self.devices = Devices(("switches", "keys", "lamps", "handset", *some, "journal"), now, wall)
        timing = config.timing
        patience = Patience(
            settle=timing.settle_ms / 1000,
            slide=timing.slide_ms / 1000,
            wrong=timing.wrong_ms / 1000,
            insist=timing.insist_ms / 1000,
        )
        self.referee = Referee(patience, take_back=config.game.take_back)
        self.handset = Handset(
            hold=config.handset.privacy == "hold",
            blank_after=config.handset.blank_after_s,
            offers=offers(config),
        )
        self._outputs = Outputs(config, backend, self.devices, audience)
        self._inputs = Inputs(config, backend, self.devices, journal.name, writing)
        self.referee.place = self._inputs.place
        self._lay(self._inputs.register, now)
        self._again_at = now
        self._choices = HandsetChoices(self, self.handset, self.devices)
        self._writer = JournalWriter(journal, self.devices, wall)
        worker = Worker(self._accept, self._do, self._after, self._choices.not_saved)
        self._work = WorkQueue(self._writer, self.devices, self._clock, worker, now)
        self._players = players or LevelMaker()
        self._computers = ComputerSeats(self._players, self._tell, patient=patient)
        self._coaching = Coaching(self._players.coach, config.game.coach)
        self._paused = ""
        self._on_turn = False
        self.handset.wake(now)
        if resume:
            self._resume(now)
        self._show_hints()

    def _resume(self, now: float) -> None:
        try:
            game = self.journal.newest(self.config.boxes, self.config.ground)
        except UnplayableGame as error:
            if self.journal.in_play:
                raise
            log.warning("The end of the last game cannot be shown: %s", error, extra=log_fields("resume"))
            return
        if game is None:
            return
        self._lay_out(game.setup.network, now)
        seated = self._seated_before(game)
        self.referee.resume(game, now, to_record(seated))
        self._computers.begin(game, seated, self._chance)
        self._coaching.begin(game)
        self.handset.sit_down(computer=MR_X in seated)
        going_on = "Going on with" if game.public.outcome is None else "Still showing the end of"
        rules, round_ = game.system.name, game.public.round
        said = log_fields("resume", rules=rules, round=round_)
        log.info("%s a game of %s, round %d.", going_on, rules, round_, extra=said)
        self._settle_journal(now)

    def _seated_before(self, game: Game) -> Seated:
        """Return who sat where when the game was begun; a player who is not known any more is played by the table."""
        owners, programs = game.setup.owners, self._players.programs
        seated: dict[str, PlayerName] = {}
        for place, player in self.journal.seats.items():
            try:
                seated |= read_seats({place: player}, owners, programs)
            except BadSeats as error:
                log.warning("%s: %s plays there instead", error, INSTEAD, extra=log_fields("player", seat=place))
                seated |= read_seats({place: INSTEAD}, owners)
        return seated

    # ---- the game ----

    @property
    def game(self) -> Game | None:
        """Return the game in play: a whole state, for tests and the journal; nothing public may be built on it."""
        return self.referee.game

    def scene(self) -> Scene:
        """Return what the table shows at this moment; nothing in it is secret."""
        return self.referee.scene(self._clock.now())

    def new_game(
        self,
        *,
        rules: str = "",
        detectives: int | None = None,
        players: int | None = None,
        owners: Sequence[int] = (),
        start: Mapping[str, int] | None = None,
        options: Mapping[str, Option] | None = None,
        seats: Mapping[str, str] | None = None,
        chance: random.Random | None = None,
    ) -> None:
        """Begin a game, whatever was played before.

        That is so on return where the journal's store writes at once; else see `wait`.

        Args:
            rules: one of the configuration's boxes; by default its own.
            detectives: how many detective pawns; by the number of players if not given.
            players: how many play, Mister X included; the configuration's by default.
            owners: for each pawn the player who moves it; the rule system's table by default.
            start: stations for some or all pawns, Mister X's under "mr_x"; the others draw their cards.
            options: what differs from the configuration's options.
            seats: who sits where, as `firmware_host.players.seats` reads it; the configuration's wish by default.
            chance: where the cards come from, and the dice from then on, if not from the daemon's own.

        Raises:
            BadSetup: the rules do not allow it, or are none of this table's; nothing has changed.
            JournalError: it cannot be written down; nothing has changed.
        """
        wish = Wish(players, detectives, owners, start or {}, options or {})
        chance = chance or self._chance
        setup = deal(self.config, rules, wish, chance)
        seated = seat(self.config, setup, seats, self._players.programs)
        self._write(Begin(setup, to_record(seated)), self._work.now())
        self._chance = chance

    @property
    def layout(self) -> BoardLayout:
        """Return which station lies on which spot of the board now."""
        return self._inputs.layout

    def _lay_out(self, network: Network, now: float) -> None:
        """Lay other stations on the board: tiles were laid (DI-01)."""
        layout = self._inputs.layout = self.config.layout.on(network)
        self._outputs.lay_out(layout)
        self._lay(self.referee.register, now)

    def _lay(self, register: SwitchRegister, now: float) -> None:
        """Tell the referee which station lies on which switch, and what is known of these."""
        layout, width, pick_up = self._inputs.layout, self.config.board.width_mm, self.config.switches.pick_up_mm
        near, touching = layout.near(width, pick_up), layout.near(width, TOUCHING * pick_up)
        self.referee.lay(register.laid(layout.switches), near, touching, now)

    def give_up(self) -> None:
        """End the game in play; nobody wins. That is written down, and cannot be undone.

        Raises:
            NotNow: there is no game in play.
            JournalError: it cannot be written down; nothing has changed.
        """
        if not self.journal.in_play:
            raise NotNow("there is no game in play")
        self._write(Abandon(), self._work.now())

    def roll(self) -> None:
        """Roll the dice that are to be rolled now, if there are any.

        Raises:
            JournalError: it cannot be written down; nothing has changed.
        """
        roll = None if self.game is None else self.game.roll(self._chance)
        if roll is not None:
            self._write(Play(roll), self._work.now())

    def coach(self, tells: str) -> None:
        """Have the coach tell so much from now on, one of `firmware_host.referee.coach_hints.COACHING`."""
        self._coaching.choose(tells, self.referee.game)
        self._show_hints()

    def play(self, action: Action) -> None:
        """Do what Mister X has chosen, if the table is ready for it.

        Raises:
            NotNow: it is not; the message says what the table waits for.
            RulesError: the rules do not allow it.
            JournalError: it cannot be written down; nothing has changed.
        """
        self.referee.check(action)
        self._write(Play(action), self._work.now())

    def choose(self, action: Action) -> None:
        """Take a choice that Mister X has made elsewhere than on the handset, as if he had made it there.

        The handset's menu offers what he may do and nothing else; so here, too, everything else is refused. What
        becomes of a choice is told on the handset: `Handset.notice_shown`.

        Raises:
            NotNow: it is none of his choices at this moment. The message tells nothing of it.
        """
        view = self.referee.private
        if view is None or MR_X in self.referee.seats or action not in view.choices.value:
            raise NotNow("this is not to be chosen now")
        self.handset.clear_notice()
        self._work.take(Choice(action, self.referee.public), self._clock.now())

    def wait(self) -> None:
        """Wait until nothing is being written any more, and what was is true.

        Raises:
            JournalError: it cannot be written down; nothing has changed.
        """
        self._work.wait()

    # ---- durable before true ----

    def _write(self, entry: Entry, now: float) -> None:
        """Begin to make an entry durable; once it is, and not before, it is true."""
        view = self.referee.public
        self._work.write(entry, None if view is None else view.outcome, now)

    def _accept(self, entry: Entry, now: float) -> None:
        old = self.referee.public
        match entry:
            case Begin(setup):
                self._lay_out(setup.network, now)
                old = None
            case Abandon():
                self._tell("The game is given up.")
        self.referee.accept(entry, now)
        self.devices.ok("journal", now)
        view = self.referee.public
        self._follow(entry)
        for line in public_events(old, view) if view is not None else []:
            self._tell(line)
        self._settle_journal(now)
        self._after(now)
        self._work.tick_at = now  # what stands on the board may mean something now that it did not before
        if isinstance(entry, Begin):
            self.handset.close_new_game()
            self._handle(self._inputs.board(), now)  # what is felt may be other stations now

    def _follow(self, entry: Entry) -> None:
        """Tell the computer players and the coach what is true now."""
        game = self.referee.game
        if isinstance(entry, Begin) or game is None:
            self._coaching.begin(game)
        else:
            self._coaching.go_on(game)
        self._show_hints()
        if isinstance(entry, Begin) and game is not None:
            seated = read_seats(entry.seats, entry.setup.owners, self._players.programs)
            self._computers.begin(game, seated, self._chance)
            self.handset.sit_down(computer=MR_X in seated)
            for line in seat_lines(game.public, entry.seats):
                self._tell(line)
        elif game is None:
            self._computers.close()
            self.handset.sit_down(computer=False)
        else:
            self._computers.go_on(game)

    def _settle_journal(self, now: float) -> None:
        """Note the end of a game, which is over even if that fails; or see whether a refused journal can be written."""
        view = self.referee.public
        self._writer.settle(None if view is None or not self.journal.in_play else view.outcome, now)

    def _tell(self, line: str) -> None:
        log.info(line, extra=log_fields("game"))
        if self._audience is not None:
            self._audience.hear(line)

    # ---- one pass ----

    def step(self) -> None:
        """Make one pass of the loop; to be called at `switches.scan_hz`."""
        now = self._clock.now()
        self._work.look(now)
        board = self._inputs.felt(now)
        if board is not None:
            self._work.take(board, now)
        for name, down in self._inputs.keys(now):
            self._key(name, down=down, now=now)
        self._inputs.power(now)
        if self.devices.changed:
            if self._work.waits:
                self.handset.screen(away=self.devices.away("handset"))
            else:
                self._after(now)
        if now >= self._work.tick_at and not self._work.waits:
            self._handle(Tick(), now)
        if self._computers.seats and not self._work.waits:
            self._play_for_computers(now)
        if self._coaching.hints.tells != OFF and self._coaching.look(now):
            self._show_hints()
        self._outputs.show(self.referee, self.handset, now)

    def _play_for_computers(self, now: float) -> None:
        """Do what a computer player does at this moment, as soon as the board is ready for it."""
        game = self.referee.game
        if game is None or not self.referee.idle(now):
            return
        entry = self._computers.wants(game, now)
        if entry is not None:
            self._begin_to_do(entry, now)

    def _show_hints(self) -> None:
        self.referee.hints = self._coaching.hints
        self._outputs.scene_changed()

    def _key(self, name: str, *, down: bool, now: float) -> None:
        """Take a key. The handset's own screen follows at once; what is chosen on it comes in turn."""
        side, _, key = name.partition(".")
        if side == "table":
            if down:
                self._work.take(name, now)
            return
        chosen = self.handset.key(key, down=down, view=self.referee.private, now=now)
        if chosen is not None:
            self._work.take(Choice(chosen, self.referee.public), now)

    def _do(self, deed: Deed, at: float) -> None:
        match deed:
            case str():
                if at >= self._work.renewed_at or deed not in (CONFIRM, BACK):  # an answer to what nobody had read yet
                    self._handle(Pressed(deed), at)
            case Choice():
                self._choices.choose(deed, self.referee.public, at)
                self._work.note_chosen()
            case _:
                self._handle(deed, at)

    def _handle(self, event: Ailing | Board | Pressed | Tick, now: float) -> None:
        entry = self.referee.handle(event, now)
        if entry is None:
            if isinstance(event, Tick) and now >= self._again_at and self.devices.away("journal"):
                self._again_at = now + AGAIN
                self._settle_journal(now)
            self._after(now)
            return
        self._begin_to_do(entry, now)

    def _begin_to_do(self, entry: Entry, now: float) -> None:
        """Do what should be done; where that has to be written down first, it is true once it is durable."""
        try:
            match entry:
                case WantGame():
                    self._choices.another_game()
                case WantRoll():
                    self.roll()
                case _:
                    self._write(entry, now)
        except JournalError as error:
            self.devices.lost("journal", error, now)
            self._after(now)

    def _after(self, now: float) -> None:
        """Tell the referee of ailing devices, and draw afresh: something may have changed."""
        state = self.referee.state
        self._inputs.know(state.board.register, now)
        view = state.board.view if state.phase is Phase.PLAY else None
        paused = why_paused(self.devices, view, by_computer=MR_X in self.referee.seats)
        ailing = self.devices.changed or paused != self._paused
        if ailing:
            self._paused, self.devices.changed = paused, False
            for device, health in self.devices.news():
                level = logging.INFO if health.state == "ok" else logging.WARNING
                log.log(level, "%s: %s", device, health, extra=log_fields("device", device=device, state=health.state))
            self.handset.screen(away=self.devices.away("handset"))
            self.referee.handle(Ailing(self.devices.ailing, paused), now)
        on_turn = view is not None and view.his_turn and MR_X not in self.referee.seats
        if on_turn and not self._on_turn:
            self.handset.wake(now)
        self._on_turn = on_turn
        self._work.tick_at = now if ailing else self.referee.next_due(now)
        if self.devices.away("journal"):  # what was not accepted still stands on the board: ask again
            self._work.tick_at = min(self._work.tick_at, now + AGAIN)
        self._outputs.scene_changed()

    def late(self) -> dict[str, float]:
        """Return for how many seconds a frame has been due, and each device's own thread has not gone on."""
        threads = {device: seconds() for device, seconds in self._backend.threads.items()}
        now = self._clock.now()
        return {"frames": self._outputs.late(now), "journal": self._writer.late(now), **threads}

    def health(self) -> Mapping[str, dict[str, str | float]]:
        """Return every device's state, reason and since when."""
        return self.devices.report()

    def switches(self) -> dict[str, dict[str, str | int | float | None]]:
        """Return how the switches under the stations have worked so far; see `Inputs.report`."""
        return self._inputs.report(self._clock.now())

    def close(self) -> None:
        """Turn off lamps and screens, and close the journal."""
        try:
            self._computers.close()
            self._coaching.close()
            self._outputs.dark()
        finally:
            self.journal.close()
