"""One table, run: the only place where game and devices, time and chance come together.

`step` is one pass of the loop: switches and keys are read and debounced, stations found, the referee asked; what it
wants done is made durable in the journal and only then accepted; lamps and screens are drawn from the new views. A
pass in which nothing changed costs nearly nothing.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Mapping, Sequence

from firmware_host.config.board_layout import Sheet
from firmware_host.config.loader import Config
from firmware_host.journal.journal import Journal
from firmware_host.journal.sqlite_store import JournalError, UnplayableGame
from firmware_host.referee.board_reading import TOUCHING
from firmware_host.referee.commentary import news
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
    TakeBack,
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
from firmware_host.rules.game import Game, system
from firmware_host.rules.network import Network
from firmware_host.rules.setup import Box, Option, Wish
from firmware_host.system.logging_setup import about
from firmware_host.table.inputs import Inputs
from firmware_host.table.outputs import Audience, Outputs
from firmware_host.ui.game_choices import offer
from firmware_host.ui.handset import Handset
from firmware_host.ui.new_game_menu import GiveUp, NewGame, Offer
from hardware.backend import Backend

AGAIN = 1.0
"""Seconds after which what could not be written down is tried again: what stands on the board, or an end."""

log = logging.getLogger("yardboard")


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
    ) -> None:
        self.config = config
        self.journal = journal
        self._backend = backend
        self._chance = chance
        self._audience = audience
        self._wall = wall
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
            offers=self._offers(),
        )
        self._outputs = Outputs(config, backend, self.devices, audience)
        self._inputs = Inputs(config, backend, self.devices, journal.name)
        self.referee.place = self._inputs.place
        self._lay(self._inputs.register, now)
        self._tick_at = self._again_at = now
        self._paused = ""
        self._on_turn = False
        self._chosen: NewGame | None = None  # what was chosen on the handset last: the next game is like it
        self.handset.wake(now)
        if resume:
            self._resume(now)

    def _offers(self) -> tuple[Offer, ...]:
        """The games that the handset offers: all that can be played on this board."""
        config, own = self.config, self.config.edition
        return tuple(offer(box, config.ground, config.game.options if box is own else None) for box in config.boxes)

    def _resume(self, now: float) -> None:
        try:
            game = self.journal.newest(self.config.boxes, self.config.ground)
        except UnplayableGame as error:
            if self.journal.in_play:
                raise
            log.warning("The end of the last game cannot be shown: %s", error, extra=about("resume"))
            return
        if game is None:
            return
        self._lay_out(game.setup.network, now)
        self.referee.resume(game, now)
        going_on = "Going on with" if game.public.outcome is None else "Still showing the end of"
        rules, round_ = game.system.name, game.public.round
        said = about("resume", rules=rules, round=round_)
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
        """Begin a game, whatever was played before.

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
        box = self._box(rules)
        if box is self.config.edition:
            wanted = self.config.game
            options = {**wanted.options, **(options or {})}
            if detectives is None and players is None:
                players, owners = wanted.players or None, owners or wanted.owners
        wish = Wish(players, detectives, owners, start or {}, options or {})
        chance = chance or self._chance
        setup = system(box).deal(self.config.ground, wish, chance)
        Game(setup)  # refuses what the rules do not allow, before anything is written down
        now = self._clock.now()
        self._write_and_accept(Begin(setup), now)
        self._chance = chance
        self.handset.close_lobby()
        self._handle(self._inputs.board(), now)  # what is felt may be other stations now

    def _box(self, rules: str) -> Box:
        """The box of that name that can be played on this board; the configuration's own for ""."""
        for box in self.config.boxes:
            if rules in ("", box.name):
                return box
        known = ", ".join(box.name for box in self.config.boxes)
        raise BadSetup(f"rules: {rules!r} cannot be played on this board; there are {known}")

    @property
    def sheet(self) -> Sheet:
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
        self._write_and_accept(Abandon(), self._clock.now())

    def roll(self) -> None:
        """Roll the dice that are to be rolled now, if there are any.

        Raises:
            JournalError: it cannot be written down; nothing has changed.
        """
        roll = None if self.game is None else self.game.roll(self._chance)
        if roll is not None:
            self._write_and_accept(Play(roll), self._clock.now())

    def play(self, action: Action) -> None:
        """Do what Mister X has chosen, if the table is ready for it.

        Raises:
            NotNow: it is not; the message says what the table waits for.
            RulesError: the rules do not allow it.
            JournalError: it cannot be written down; nothing has changed.
        """
        self.referee.check(action)
        self._write_and_accept(Play(action), self._clock.now())

    def _write_and_accept(self, entry: Entry, now: float) -> None:
        """Make an entry durable, and only then true."""
        at, old = self._wall(), self.referee.public
        match entry:
            case Begin(setup):
                self.journal.begin(setup, at, None if old is None else old.outcome)
                self._lay_out(setup.network, now)
                old = None
            case Play(action):
                self.journal.play(action, at)
            case TakeBack():
                self.journal.take_back(at)
            case Abandon():
                self.journal.abandon(at)
                self._tell("The game is given up.")
        self.referee.accept(entry, now)
        self.devices.ok("journal", now)
        view = self.referee.public
        for line in news(old, view) if view is not None else []:
            self._tell(line)
        self._settle_journal(now)
        self._after(now)
        self._tick_at = now  # what stands on the board may mean something now that it did not before

    def _tell(self, line: str) -> None:
        """Something public has happened."""
        log.info(line, extra=about("game"))
        if self._audience is not None:
            self._audience.hear(line)

    def _settle_journal(self, now: float) -> None:
        """Note the end of a game, which is over even if that fails; or see whether a refused journal can be written."""
        view, away = self.referee.public, self.devices.away("journal")
        over = None if view is None or not self.journal.in_play else view.outcome
        try:
            if over is not None:
                self.journal.finish(over, self._wall())
            elif away:
                self.journal.probe()
        except JournalError as error:
            self.devices.lost("journal", error, now)
        else:
            if away:
                self.devices.ok("journal", now)

    # ---- one pass ----

    def step(self) -> None:
        """One pass of the loop; to be called at `switches.scan_hz`."""
        now = self._clock.now()
        board = self._inputs.felt(now)
        if board is not None:
            self._handle(board, now)
        for name, down in self._inputs.keys(now):
            self._key(name, down=down, now=now)
        self._inputs.power(now)
        if self.devices.changed:
            self._after(now)
        if now >= self._tick_at:
            self._handle(Tick(), now)
        self._outputs.show(self.referee, self.handset, now)

    def _key(self, name: str, *, down: bool, now: float) -> None:
        side, _, key = name.partition(".")
        if side == "table":
            if down:
                self._handle(Pressed(name), now)
            return
        chosen = self.handset.key(key, down=down, view=self.referee.private, now=now)
        if chosen is not None:
            try:
                self._do(chosen)
            except BadSetup as error:
                self.handset.notice("No game", str(error))
            except NotNow as error:
                self.handset.notice("Not now", str(error))
            except JournalError as error:
                self.devices.lost("journal", error, now)
                self.handset.notice("Not saved", "The journal cannot be written: try again")

    def _another_game(self) -> None:
        """The table asks for a new game: one like that chosen on the handset last, or the configuration's."""
        if self._chosen is None:
            self.new_game()
        else:
            self._do(self._chosen)

    def _do(self, chosen: Action | NewGame | GiveUp) -> None:
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
                    self._write_and_accept(entry, now)
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
                log.log(level, "%s: %s", device, health, extra=about("device", device=device, state=health.state))
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
        return {"frames": self._outputs.late(self._clock.now()), **threads}

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
