"""One table, run: the only place where game and devices, time and chance come together.

`step` is one pass of the loop: switches and keys are read and debounced, stations found, the referee asked; what it
wants done is made durable in the journal and only then accepted; lamps and screens are drawn from the new views. A
pass in which nothing changed costs nearly nothing.

A journal may take its time. Until an entry is durable or refused the referee is told nothing; what hands do meanwhile
is kept with its times and read afterwards, as if the disk had taken no time. What is shown stays as it was.
"""

from __future__ import annotations

import logging
import random
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from firmware_host.config.board_layout import BoardLayout
from firmware_host.config.loader import Config
from firmware_host.journal.journal import Journal
from firmware_host.journal.store import JournalError, UnplayableGame
from firmware_host.referee.asks import BACK, CONFIRM
from firmware_host.referee.board_reading import TOUCHING
from firmware_host.referee.device_health import Devices
from firmware_host.referee.device_pauses import why_paused
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
from firmware_host.rules.actions import Action
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.game import Game
from firmware_host.rules.network import Network
from firmware_host.rules.setup import Option, Wish
from firmware_host.rules.views import PublicView
from firmware_host.system.background import Task, at_once
from firmware_host.system.logging_setup import log_fields
from firmware_host.table.deal import deal, offers
from firmware_host.table.inputs import Inputs
from firmware_host.table.journal_writer import JournalWriter, Writing
from firmware_host.table.outputs import Audience, Outputs
from firmware_host.ui.commentary import public_events
from firmware_host.ui.handset import Handset
from firmware_host.ui.new_game_menu import GiveUp, NewGame
from hardware.backend import Backend

NOT_SAVED = "Not saved", "The journal cannot be written: try again"
"""What Mister X is told where his choice could not be written down: title and text."""

AGAIN = 1.0
"""Seconds after which what could not be written down is tried again: what stands on the board, or an end."""

log = logging.getLogger("yardboard")


@dataclass(frozen=True, slots=True)
class _Choice:
    """What was chosen on the handset, and the view that everyone had of the game then."""

    wanted: Action | NewGame | GiveUp
    view: PublicView | None


class Daemon:
    """Runs one table.

    Args:
        config: the table's configuration.
        backend: its devices.
        journal: where every accepted action goes before anything shows it.
        chance: where start cards come from; `random.SystemRandom()` at a real table.
        wall: the wall clock, for the journal's times.
        resume: whether to go on with the journal's unfinished game.
        audience: who looks on from afar, if anybody does.
        writing: carries out what else may wait for a disk; at once where nothing has to keep a beat.

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
        self._tick_at = self._again_at = now
        self._writer = JournalWriter(journal, self.devices, wall)
        self._kept: deque[tuple[float, Board | str | _Choice]] = deque()  # what hands have done meanwhile, and when
        self._read_at: float | None = None  # the time of that which is read now
        self._renewed_at = now  # when an entry became true last, and so what is shown
        self._paused = ""
        self._on_turn = False
        self._chosen: NewGame | None = None  # what was chosen on the handset last: the next game is like it
        self.handset.wake(now)
        if resume:
            self._resume(now)

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
        self.referee.resume(game, now)
        going_on = "Going on with" if game.public.outcome is None else "Still showing the end of"
        rules, round_ = game.system.name, game.public.round
        said = log_fields("resume", rules=rules, round=round_)
        log.info("%s a game of %s, round %d.", going_on, rules, round_, extra=said)
        self._settle_journal(now)

    # ---- the game ----

    @property
    def game(self) -> Game | None:
        """The game in play: a whole state, for tests and the journal; nothing public may be built on it."""
        return self.referee.game

    def scene(self) -> Scene:
        """What the table shows at this moment; nothing in it is secret."""
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
        chance: random.Random | None = None,
    ) -> None:
        """Begin a game, whatever was played before; as everything that is written down it is true once it is durable.

        That is so on return where the journal's store writes at once; else see `wait`.

        Args:
            rules: one of the configuration's boxes; by default its own.
            detectives: how many detective pawns; by the number of players if not given.
            players: how many play, Mister X included; the configuration's by default.
            owners: for each pawn the player who moves it; the rule system's table by default.
            start: stations for some or all pawns, Mister X's under "mr_x"; the others draw their cards.
            options: what differs from the configuration's options.
            chance: where the cards come from, and the dice from then on, if not from the daemon's own.

        Raises:
            BadSetup: the rules do not allow it, or are none of this table's; nothing has changed.
            JournalError: it cannot be written down; nothing has changed.
        """
        wish = Wish(players, detectives, owners, start or {}, options or {})
        chance = chance or self._chance
        setup = deal(self.config, rules, wish, chance)
        self._write(Begin(setup), self._now())
        self._chance = chance

    @property
    def sheet(self) -> BoardLayout:
        """Which station lies on which spot of the board now."""
        return self._inputs.sheet

    def _lay_out(self, network: Network, now: float) -> None:
        """Other stations may lie on the board from now on: tiles were laid (DI-01)."""
        sheet = self._inputs.sheet = self.config.sheet.on(network)
        self._outputs.lay_out(sheet)
        self._lay(self.referee.register, now)

    def _lay(self, register: SwitchRegister, now: float) -> None:
        """Tell the referee which station lies on which switch, and what is known of these."""
        sheet, width, pick_up = self._inputs.sheet, self.config.board.width_mm, self.config.switches.pick_up_mm
        near, touching = sheet.near(width, pick_up), sheet.near(width, TOUCHING * pick_up)
        self.referee.lay(register.laid(sheet.switches), near, touching, now)

    def give_up(self) -> None:
        """End the game in play; nobody wins. That is written down, and cannot be undone.

        Raises:
            NotNow: there is no game in play.
            JournalError: it cannot be written down; nothing has changed.
        """
        if not self.journal.in_play:
            raise NotNow("there is no game in play")
        self._write(Abandon(), self._now())

    def roll(self) -> None:
        """Roll the dice that are to be rolled now, if there are any.

        Raises:
            JournalError: it cannot be written down; nothing has changed.
        """
        roll = None if self.game is None else self.game.roll(self._chance)
        if roll is not None:
            self._write(Play(roll), self._now())

    def play(self, action: Action) -> None:
        """Do what Mister X has chosen, if the table is ready for it.

        Raises:
            NotNow: it is not; the message says what the table waits for.
            RulesError: the rules do not allow it.
            JournalError: it cannot be written down; nothing has changed.
        """
        self.referee.check(action)
        self._write(Play(action), self._now())

    def wait(self) -> None:
        """Return when nothing is being written any more, and what was is true.

        Raises:
            JournalError: it cannot be written down; nothing has changed.
        """
        writing = self._writer.writing
        if writing is None:
            return
        now = self._clock.now()
        try:
            self._writer.done(wait=True)
        except JournalError as error:
            if writing.entry is not None:
                raise
            self.devices.lost("journal", error, now)
        else:
            self._written(writing, now)
        self._catch_up(now)

    def _now(self) -> float:
        """Clock seconds, or the time of what is read now."""
        return self._clock.now() if self._read_at is None else self._read_at

    # ---- durable before true ----

    def _write(self, entry: Entry, now: float) -> None:
        """Begin to make an entry durable; once it is, and not before, it is true."""
        view = self.referee.public
        if self._writer.write(entry, now, None if view is None else view.outcome):
            self._accept(entry, now)

    def _accept(self, entry: Entry, now: float) -> None:
        """An entry is durable: from now on it is true."""
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
        for line in public_events(old, view) if view is not None else []:
            self._tell(line)
        self._settle_journal(now)
        self._after(now)
        self._tick_at = now  # what stands on the board may mean something now that it did not before
        if isinstance(entry, Begin):
            self.handset.close_lobby()
            self._handle(self._inputs.board(), now)  # what is felt may be other stations now

    def _settle_journal(self, now: float) -> None:
        """Note the end of a game, which is over even if that fails; or see whether a refused journal can be written."""
        view = self.referee.public
        self._writer.settle(None if view is None or not self.journal.in_play else view.outcome, now)

    def _look_at_journal(self, writing: Writing, now: float) -> None:
        """See whether what is being written is durable or refused; if so, read what hands have done meanwhile."""
        try:
            if self._writer.done() is None:
                return
        except JournalError as error:
            self.devices.lost("journal", error, now)
            self._after(writing.since)
            if writing.chosen:
                self.handset.notice(*NOT_SAVED)
        else:
            self._written(writing, now)
        self._catch_up(now)

    def _written(self, writing: Writing, now: float) -> None:
        """Something that took a while is durable: it counts as of when it was decided."""
        match writing.entry:
            case None:
                self.devices.ok("journal", now)
                self._after(writing.since)
                return
            case Begin():  # what was done before was meant for another game; how the board is now is told anew
                self._kept.clear()
                self._accept(writing.entry, now)
            case entry:
                self._accept(entry, writing.since)
        self._renewed_at = now

    def _catch_up(self, now: float) -> None:
        """Read what was kept, at its own time, and what has come due meanwhile, until something is written again."""
        while self._writer.writing is None:
            at = self._kept[0][0] if self._kept else now
            if self._tick_at <= at:
                self._read_at = self._tick_at
                self._handle(Tick(), self._tick_at)
            elif self._kept:
                self._read_at, doing = self._kept.popleft()
                self._do(doing, at)
            else:
                break
        self._read_at = None

    def _tell(self, line: str) -> None:
        """Something public has happened."""
        log.info(line, extra=log_fields("game"))
        if self._audience is not None:
            self._audience.hear(line)

    # ---- one pass ----

    def step(self) -> None:
        """One pass of the loop; to be called at `switches.scan_hz`."""
        now = self._clock.now()
        if self._writer.writing is not None:
            self._look_at_journal(self._writer.writing, now)
        board = self._inputs.felt(now)
        if board is not None:
            self._take(board, now)
        for name, down in self._inputs.keys(now):
            self._key(name, down=down, now=now)
        self._inputs.power(now)
        if self._writer.writing is not None:
            if self.devices.changed:
                self.handset.screen(away=self.devices.away("handset"))
        elif self.devices.changed:
            self._after(now)
        if now >= self._tick_at and self._writer.writing is None:
            self._handle(Tick(), now)
        self._outputs.show(self.referee, self.handset, now)

    def _key(self, name: str, *, down: bool, now: float) -> None:
        """A key. The handset's own screen follows at once; what is chosen on it comes in turn."""
        side, _, key = name.partition(".")
        if side == "table":
            if down:
                self._take(name, now)
            return
        chosen = self.handset.key(key, down=down, view=self.referee.private, now=now)
        if chosen is not None:
            self._take(_Choice(chosen, self.referee.public), now)

    def _take(self, doing: Board | str | _Choice, now: float) -> None:
        """Hands have done something: it is read now, or kept for later."""
        if self._writer.writing is None:
            self._do(doing, now)
        else:
            self._kept.append((now, doing))

    def _do(self, doing: Board | str | _Choice, at: float) -> None:
        """What hands did at a time."""
        match doing:
            case Board():
                self._handle(doing, at)
            case str():
                if at >= self._renewed_at or doing not in (CONFIRM, BACK):  # an answer to what nobody had read yet
                    self._handle(Pressed(doing), at)
            case _Choice(wanted, view):
                if view is self.referee.public:
                    self._choose(wanted, at)
                else:
                    self.handset.notice("Not now", "What was chosen before was still being saved")

    def _choose(self, wanted: Action | NewGame | GiveUp, now: float) -> None:
        """What was chosen on the handset, and what he is told if it cannot be done."""
        try:
            self._carry_out(wanted)
        except BadSetup as error:
            self.handset.notice("No game", str(error))
        except NotNow as error:
            self.handset.notice("Not now", str(error))
        except JournalError as error:
            self.devices.lost("journal", error, now)
            self.handset.notice(*NOT_SAVED)
        if self._writer.writing is not None:
            self._writer.writing.chosen = self._writer.writing.entry is not None

    def _another_game(self) -> None:
        """The table asks for a new game: one like that chosen on the handset last, or the configuration's."""
        if self._chosen is None:
            self.new_game()
        else:
            self._carry_out(self._chosen)

    def _carry_out(self, chosen: Action | NewGame | GiveUp) -> None:
        """What was chosen on the handset."""
        match chosen:
            case NewGame(rules, players, options):
                self.new_game(rules=rules, players=players, options=options)
                self._chosen = chosen
            case GiveUp():
                self.give_up()
            case _:
                self.play(chosen)

    def _handle(self, event: Ailing | Board | Pressed | Tick, now: float) -> None:
        """Put an event to the referee and do what comes of it."""
        entry = self.referee.handle(event, now)
        if entry is None:
            if isinstance(event, Tick) and now >= self._again_at and self.devices.away("journal"):
                self._again_at = now + AGAIN
                self._settle_journal(now)
            self._after(now)
            return
        try:
            match entry:
                case WantGame():
                    self._another_game()
                case WantRoll():
                    self.roll()
                case _:
                    self._write(entry, now)
        except JournalError as error:
            self.devices.lost("journal", error, now)
            self._after(now)

    def _after(self, now: float) -> None:
        """Something may have changed: tell the referee of ailing devices, and draw afresh."""
        self._inputs.know(self.referee.register, now)
        view = self.referee.public if self.referee.phase is Phase.PLAY else None
        paused = why_paused(self.devices, view)
        ailing = self.devices.changed or paused != self._paused
        if ailing:
            self._paused, self.devices.changed = paused, False
            for device, health in self.devices.news():
                level = logging.INFO if health.state == "ok" else logging.WARNING
                log.log(level, "%s: %s", device, health, extra=log_fields("device", device=device, state=health.state))
            self.handset.screen(away=self.devices.away("handset"))
            self.referee.handle(Ailing(self.devices.ailing, paused), now)
        on_turn = view is not None and view.his_turn
        if on_turn and not self._on_turn:
            self.handset.wake(now)
        self._on_turn = on_turn
        self._tick_at = now if ailing else self.referee.next_due(now)
        if self.devices.away("journal"):  # what was not accepted still stands on the board: ask again
            self._tick_at = min(self._tick_at, now + AGAIN)
        self._outputs.scene_changed()

    def late(self) -> dict[str, float]:
        """For how many seconds a frame has been due, and each device's own thread has not gone on."""
        threads = {device: seconds() for device, seconds in self._backend.threads.items()}
        now = self._clock.now()
        return {"frames": self._outputs.late(now), "journal": self._writer.late(now), **threads}

    def health(self) -> Mapping[str, dict[str, str | float]]:
        """Every device's state, reason and since when."""
        return self.devices.report()

    def switches(self) -> dict[str, dict[str, str | int | float | None]]:
        """How the switches under the stations have worked so far; see `Inputs.report`."""
        return self._inputs.report(self._clock.now())

    def close(self) -> None:
        """Lamps dark, screens dark, journal closed."""
        try:
            self._outputs.dark()
        finally:
            self.journal.close()
