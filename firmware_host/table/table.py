"""Run one table: the only place where game and devices, time and chance come together.

`step` is one pass of the loop: switches and keys are read and debounced, stations found, the referee asked; what it
wants done is made durable in the journal and only then accepted; lamps and screens are drawn from the new views. A
pass in which nothing changed costs nearly nothing.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from firmware_host.config.board_layout import BoardLayout
from firmware_host.config.loader import Config
from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import JournalError
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
from firmware_host.referee.scene import BACK, CONFIRM, CoachMode, Scene
from firmware_host.rules.actions import Action
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Option, Wish
from firmware_host.system.background_task import Task, at_once
from firmware_host.system.language import gettext
from firmware_host.table.entry_queue import AGAIN, EntryQueue, Input, Recheck, Work
from firmware_host.table.handset_choices import Choice, HandsetChoices
from firmware_host.table.inputs import Inputs
from firmware_host.table.lost_devices import DeviceNews, Devices
from firmware_host.table.outputs import Audience, Outputs
from firmware_host.table.playable_games import deal, offers
from firmware_host.table.player_maker import LevelMaker, PlayerMaker
from firmware_host.table.resuming import game_to_resume
from firmware_host.table.seating import Seating
from firmware_host.table.stations_on_switches import StationsOnSwitches
from firmware_host.ui.announcement_wording import not_taken_back
from firmware_host.ui.handset_peek_and_sleep import Handset
from firmware_host.ui.live_commentary import public_events
from hardware.backend import Backend


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

    Attributes:
        same_mr_x: whether Mister X of the game before plays him in this one, too. Read only.

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
        self._clock = backend.clock
        now = self._clock.now()
        some = [name for name in ("display", "power") if getattr(backend, name) is not None]
        self.devices = Devices(("switches", "keys", "lamps", "handset", *some, "journal"), now, wall)
        ms = config.timing
        patience = Patience(ms.settle_ms / 1000, ms.slide_ms / 1000, ms.wrong_ms / 1000, ms.insist_ms / 1000)
        self.referee = Referee(patience, take_back=config.game.take_back)
        hold = config.handset.privacy == "hold"
        self.handset = Handset(hold=hold, blank_after=config.handset.blank_after_s, offers=offers(config))
        self._outputs = Outputs(config, backend, self.devices, audience)
        self._inputs = Inputs(config, backend, self.devices, journal.name, writing)
        self._stations = StationsOnSwitches(config, self._inputs, self._outputs, self.referee, now)
        self._choices = HandsetChoices(self, self.handset, self.devices)
        self._queue = EntryQueue(journal, self.devices, self._clock, wall, now)
        self._occupied = self._inputs.switches().occupied
        self._begin_another: Callable[[], None] = self.new_game
        self.same_mr_x = False
        make, tell = players or LevelMaker(), self._outputs.tell
        self._seating = Seating(config, make, self.referee, self.handset, tell, patient=patient)
        self._device_news = DeviceNews(self.devices, self.handset, phone=config.handset.phone)
        self._device_news.wake_handset(now)
        if resume:
            self._resume(now)

    def _resume(self, now: float) -> None:
        game = game_to_resume(self.journal, self.config)
        if game is None:
            return
        self._stations.lay(game.setup.network, now)
        seats = self._seating.resume(game, self.journal.seats, self._chance)
        self.referee.resume(game, now, seats, self.journal.names, home=self.journal.taken_home)
        self._queue.settle(self.referee.public, now)

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
        names: Mapping[str, str] | None = None,
        chance: random.Random | None = None,
        same_mr_x: bool = False,
    ) -> None:
        """Begin a game, whatever was played before. CONFIRM begins another like it once it is over.

        That is so on return where the journal's store writes at once; else see `wait`.

        Args:
            rules: one of the configuration's boxes; by default its own.
            detectives: how many detective pawns; by the number of players if not given.
            players: how many play, Mister X included; the configuration's by default.
            owners: for each pawn the player who moves it; the rule system's table by default.
            start: stations for some or all pawns, Mister X's under "mr_x"; the others draw their cards.
            options: what differs from the configuration's options.
            seats: who sits where, as `firmware_host.players.seats` reads it; the configuration's wish by default.
            names: what people are called, as `firmware_host.players.person_names` reads it; by default likewise.
            chance: where the cards come from, and the dice from then on, if not from the table's own.
            same_mr_x: whether Mister X of the game before plays him again.

        Raises:
            BadSetup: the rules do not allow it, or are none of this table's; nothing has changed.
            JournalError: it cannot be written down; nothing has changed.
        """
        wish = Wish(players, detectives, owners, start or {}, options or {})
        before, chance = self._chance, chance or self._chance
        setup = deal(self.config, rules, wish, chance)
        computers, people = self._seating.assign(setup, seats, names)
        self._chance = chance  # computers that sit down take theirs from it
        try:
            self._write(Begin(setup, computers, people, same_mr_x), self._queue.now())
        except JournalError:
            self._chance = before
            raise
        self._begin_another = partial(
            self.new_game, rules=rules, detectives=detectives, players=players, owners=owners, options=options,
            seats=seats, names=names,
        )  # fmt: skip

    @property
    def now(self) -> float:
        """Return the seconds of the table's clock."""
        return self._clock.now()

    @property
    def layout(self) -> BoardLayout:
        """Return which station lies on which spot of the board now."""
        return self._inputs.layout

    def give_up(self) -> None:
        """End the game in play; nobody wins. That is written down, and cannot be undone.

        Raises:
            NotNow: there is no game in play.
            JournalError: it cannot be written down; nothing has changed.
        """
        if not self.journal.in_play:
            raise NotNow("there is no game in play")
        self._write(Abandon(), self._queue.now())

    def roll(self) -> None:
        """Roll the dice that are to be rolled now, if there are any.

        Raises:
            JournalError: it cannot be written down; nothing has changed.
        """
        roll = None if self.game is None else self.game.roll(self._chance)
        if roll is not None:
            self._write(Play(roll), self._queue.now())

    def coach(self, tells: CoachMode) -> None:
        """Have the coach tell so much from now on."""
        self._seating.choose_coach(tells, self.referee.game)
        self._outputs.scene_changed()

    def trust_switches(self, *, sure: bool) -> None:
        """Offer no key that contradicts the switches while simulated hands are `sure` of what these should report."""
        self.referee.trust_switches(sure=sure)
        self._outputs.scene_changed()

    def touch(self) -> None:
        """Note that somebody does something for all to see that no device senses, such as on the table's page.

        Lamps and public screen sleep later for it, or wake. Never call it for what Mister X does on a page of his own.
        """
        self._outputs.rouse(self._clock.now())

    def play(self, action: Action) -> None:
        """Do what Mister X has chosen, if the table is ready for it.

        Raises:
            NotNow: it is not; the message says what the table waits for.
            RulesError: the rules do not allow it.
            JournalError: it cannot be written down; nothing has changed.
        """
        self.referee.check(action)
        self._write(Play(action), self._queue.now())

    def choose(self, action: Action) -> None:
        """Take a choice that Mister X has made elsewhere than on the handset, as if he had made it there.

        The handset's menu offers what he may do and nothing else; so here, too, everything else is refused. What
        becomes of a choice is told on the handset: `Handset.notice_shown`.

        Raises:
            NotNow: it is none of his choices at this moment. The message tells nothing of it.
        """
        self.referee.check_choice(action)
        self.handset.clear_notice()
        self._take(Choice(action, self.referee.public), self._clock.now())

    def take_back(self) -> None:
        """Do what Undo means now: see `Referee.check_undo`.

        It drops the move that the table asks about, and the table asks for its pawn back. Otherwise it takes the last
        person's move back, and what computers have done since; the pawns are guided home then.

        Raises:
            NotNow: the table waits for something else, or the move stands; the message says why.
            JournalError: it cannot be written down; nothing has changed.
        """
        undo = self.referee.check_undo()
        if undo.cancels:
            self._take(CancelMove(), self._queue.now())
            return
        if undo.why is not None:
            raise NotNow(not_taken_back(undo.why))
        self._write(TakeBack(undo.count, by_hand=False), self._queue.now())

    def wait(self) -> None:
        """Wait until nothing is being written any more, and what was is true.

        Raises:
            JournalError: it cannot be written down; nothing has changed.
        """
        if self._queue.waits:
            for work, at in self._queue.finished(self._clock.now(), wait=True):
                self._do(work, at)

    # ---- durable before true ----

    def _write(self, entry: Entry, now: float) -> None:
        """Begin to make an entry durable; once it is, and not before, it is true."""
        view = self.referee.public
        if self._queue.write(entry, now, None if view is None else view.outcome):
            self._accept(entry, now)

    def _accept(self, entry: Entry, now: float) -> None:
        old = self.referee.public
        match entry:
            case Begin(setup):
                self._stations.lay(setup.network, now)
                self.same_mr_x = entry.same_mr_x
                self._outputs.forget()
                old = None
            case Abandon():
                self._outputs.tell(lambda: [gettext("The game is given up.")])
        self.referee.accept(entry, now)
        self.devices.ok("journal", now)
        view = self.referee.public
        self._seating.follow(entry, self.referee.game, self._chance)
        if view is not None:
            self._outputs.tell(partial(public_events, old, view))
        self._queue.settle(view, now)
        self._renew(now)
        self._queue.tick_at = now  # what stands on the board may mean something now that it did not before
        if isinstance(entry, Begin):
            self.handset.close_new_game()
            self._handle(self._inputs.switches(), now)  # what is felt may be other stations now

    # ---- one pass ----

    def step(self) -> None:
        """Make one pass of the loop; to be called at `switches.scan_hz`."""
        now = self._clock.now()
        for work, at in self._queue.finished(now):
            self._do(work, at)
        if (switches := self._inputs.felt(now)) is not None:
            if switches.occupied != self._occupied:
                self._occupied = switches.occupied
                self._outputs.rouse(now)
            self._take(switches, now)
        for name, down in self._inputs.keys(now):
            self._key(name, down=down, now=now)
        if now >= self._inputs.power_at:
            self._inputs.power(now)
        if self.devices.changed:
            if self._queue.waits:
                self.handset.screen(away=self.devices.away("handset"))
            else:
                self._after(now)
        if now >= self._queue.tick_at and not self._queue.waits:
            self._handle(Tick(), now)
        if self._seating.computers is not None and not self._queue.waits:
            request = self._seating.wants(self.referee.game, now)
            if request is not None:
                self._begin_to_do(request, now)
        if self._seating.coach is not None and self._seating.hear_coach(now):
            self._outputs.scene_changed()
        self._outputs.show(self.referee, self.handset, now)

    def _key(self, name: str, *, down: bool, now: float) -> None:
        """Take a key. The handset's own screen follows at once; what is chosen on it comes in turn."""
        side, _, key = name.partition(".")
        if side == "table":
            if down and not self._outputs.rouse(now):  # at a sleeping table nobody could read what it would answer
                self._take(name, now)
            return
        if (chosen := self.handset.key(key, down=down, view=self.referee.private, now=now)) is not None:
            self._take(Choice(chosen, self.referee.public), now)

    def _take(self, read: Input, now: float) -> None:
        """Act on an input now, or when it is its turn."""
        if self._queue.waits:
            self._queue.keep(read, now)
        else:
            self._do(read, now)

    def _do(self, work: Work, at: float) -> None:
        match work:
            case Begin() | Play() | TakeBack() | Abandon():
                self._accept(work, at)
            case Recheck(unsaved):
                self._after(at)
                if unsaved:
                    self._choices.not_saved()
            case str():
                if at >= self._queue.renewed_at or work not in (CONFIRM, BACK):  # an answer to what nobody had read yet
                    self._handle(Pressed(work), at)
            case Choice():
                self._choices.choose(work, self.referee.public, at)
                self._queue.note_chosen()
            case _:
                self._handle(work, at)

    def _handle(self, event: Event, now: float) -> None:
        request = self.referee.handle(event, now)
        if request is None:
            if isinstance(event, Tick):
                self._queue.try_again(self.referee.public, now)
            self._after(now)
            return
        self._begin_to_do(request, now)

    def _begin_to_do(self, request: Request, now: float) -> None:
        """Do what should be done; where that has to be written down first, it is true once it is durable."""
        try:
            match request:
                case WantGame():
                    self._begin_another()
                case WantRoll():
                    self.roll()
                case _:
                    self._write(request, now)
        except JournalError as error:
            self.devices.lost("journal", error, now)
            self._after(now)

    def _after(self, now: float) -> None:
        """Draw afresh, as something may have changed, and note when something is due next."""
        due = now if self._renew(now) else self.referee.next_due(now)
        if self.devices.away("journal"):  # what was not accepted still stands on the board: ask again
            due = min(due, now + AGAIN)
        self._queue.tick_at = due

    def _renew(self, now: float) -> bool:
        """Draw afresh, and tell the referee of ailing devices; return whether there was news of them."""
        state = self.referee.state
        self._inputs.know(state.board.register, now)
        self._outputs.scene_changed()
        ailing = self._device_news.look(state, now)
        if ailing is not None:
            self.referee.handle(ailing, now)
        return ailing is not None

    def late(self) -> dict[str, float]:
        """Return for how many seconds a frame has been due, and each device's own thread has not gone on."""
        threads = {device: seconds() for device, seconds in self._backend.threads.items()}
        now = self._clock.now()
        return {"frames": self._outputs.late(now), "journal": self._queue.late(now), **threads}

    def health(self) -> Mapping[str, dict[str, str | float]]:
        """Return every device's state, reason and since when."""
        return self.devices.report()

    def switches(self) -> dict[str, dict[str, str | int | float | None]]:
        """Return how the switches under the stations have worked so far; see `Inputs.report`."""
        return self._inputs.report(self._clock.now())

    def let_players_go(self) -> None:
        """End the computer players and the coach, as the end of the program would; nothing else changes."""
        self._seating.close()

    def close(self) -> None:
        """Turn off lamps and screens, and close the journal."""
        try:
            self._seating.close()
            self._outputs.dark()
        finally:
            self.journal.close()
