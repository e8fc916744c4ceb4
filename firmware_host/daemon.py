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

from firmware_host.config import Config
from firmware_host.events import Ailing, Begin, Board, Entry, Play, Pressed, TakeBack, Tick
from firmware_host.handset import Handset
from firmware_host.health import Devices
from firmware_host.journal import Journal, JournalError, UnplayableGame
from firmware_host.news import news
from firmware_host.outputs import Outputs
from firmware_host.referee import NotNow, Patience, Referee
from firmware_host.rules.actions import MR_X, Action
from firmware_host.rules.edition import Option, Setup, deal, owners_of
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.game import Game
from firmware_host.rules.secret import Secret
from firmware_host.scene import Phase, Scene
from hardware.backend import Backend
from hardware.debounce import Chatter, Debounce
from hardware.ports import DeviceLost
from hardware.wiring import Wiring

KEYS = (
    *(f"table.{key}" for key in ("taxi", "bus", "underground", "confirm", "back")),
    *(f"handset.{key}" for key in ("up", "down", "select", "back", "peek")),
)
"""The keys of a table, in the order of their bits."""

GLITCH = 12
"""More switches than this do not change from one sample to the next: such a sample is noise on the line."""

AGAIN = 1.0
"""Seconds after which the board is asked again what could not be written down."""

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
    ) -> None:
        self.config = config
        self.journal = journal
        self._backend = backend
        self._chance = chance
        self._wall = wall
        self._clock = backend.clock
        now = self._clock.now()
        self.devices = Devices(("switches", "keys", "lamps", "handset", "display", "journal"), now)
        timing = config.timing
        patience = Patience(
            settle=timing.settle_ms / 1000,
            slide=timing.slide_ms / 1000,
            wrong=timing.wrong_ms / 1000,
            insist=timing.insist_ms / 1000,
        )
        near = config.sheet.near(config.board.width_mm, config.switches.pick_up_mm)
        self.referee = Referee(patience, take_back=config.game.take_back, near=near)
        self.handset = Handset(hold=config.handset.privacy == "hold", blank_after=config.handset.blank_after_s)
        self._outputs = Outputs(config, backend, self.devices)
        self._wiring = Wiring(
            len(config.sheet.stations), dict(enumerate(config.sheet.switch_inputs)), width=config.sheet.inputs
        )
        self._debounce = Debounce(backend.switches.count, config.switches.samples)
        self._chatter = Chatter(backend.switches.count)
        self._keys = Debounce(len(backend.keys.names))
        self._last_raw = self._stable = self._unwell = self._held = 0
        self._tick_at = now
        self._paused = ""
        self._on_turn = False
        self._told: dict[str, str] = {}
        self.handset.wake(now)
        if resume:
            self._resume(now)

    def _resume(self, now: float) -> None:
        try:
            game = self.journal.newest(self.config.edition, self.config.network)
        except UnplayableGame as error:
            if self.journal.in_play:
                raise
            log.warning("The end of the last game cannot be shown: %s", error)
            return
        if game is None:
            return
        self.referee.resume(game, now)
        going_on = "Going on with" if game.public.outcome is None else "Still showing the end of"
        log.info("%s a game of %s, round %d.", going_on, game.system.name, game.public.round)
        self._finish_if_over(now)

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
        detectives: int | None = None,
        players: int | None = None,
        owners: Sequence[int] = (),
        start: Mapping[str, int] | None = None,
        options: Mapping[str, Option] | None = None,
        chance: random.Random | None = None,
    ) -> None:
        """Begin a game by the configuration's rules, whatever was played before.

        Args:
            detectives: how many detective pawns; by the number of players if not given.
            players: how many play, Mister X included; the configuration's by default.
            owners: for each pawn the player who moves it; the rule system's table by default.
            start: stations for some or all pawns, Mister X's under "mr_x"; the others draw their cards.
            options: what differs from the configuration's options.
            chance: where the cards come from, if not from the daemon's own.

        Raises:
            BadSetup: the rules do not allow it; nothing has changed.
            JournalError: it cannot be written down; nothing has changed.
        """
        edition, wanted = self.config.edition, self.config.game
        if detectives is None and players is None:
            players, owners = wanted.players, owners or wanted.owners
        pawns = owners_of(edition, players=players, detectives=detectives, owners=owners)
        stations = self._cards(pawns, start or {}, chance or self._chance)
        mr_x = Secret(stations.pop(MR_X))
        setup = Setup(edition, self.config.network, pawns, stations, mr_x, {**wanted.options, **(options or {})})
        Game(setup)  # refuses what the rules do not allow, before anything is written down
        self._write_and_accept(Begin(setup), self._clock.now())

    def _cards(self, pawns: Mapping[str, int], start: Mapping[str, int], chance: random.Random) -> dict[str, int]:
        """A station for every pawn and for Mister X: as told, or by a start card."""
        names = (*pawns, MR_X)
        for name in start:
            if name not in names:
                raise BadSetup(f"deal: there is no pawn {name!r} in this game; there are {', '.join(names)}")
        missing = [name for name in names if name not in start]
        cards = deal(self.config.edition, self.config.network, missing, chance, taken=start.values())
        return {name: start[name] if name in start else cards[name] for name in names}

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
                self.journal.begin(setup, at)
                old = None
            case Play(action):
                self.journal.play(action, at)
            case TakeBack():
                self.journal.take_back(at)
        self.referee.accept(entry, now)
        self.devices.ok("journal", now)
        view = self.referee.public
        for line in news(old, view) if view is not None else []:
            log.info(line)
        self._finish_if_over(now)
        self._after(now)

    def _finish_if_over(self, now: float) -> None:
        """Note the end of a game. If that fails the game is over all the same: the next start will note it."""
        view = self.referee.public
        if view is None or view.outcome is None or not self.journal.in_play:
            return
        try:
            self.journal.finish(view.outcome, self._wall())
        except JournalError as error:
            self.devices.lost("journal", error, now)

    # ---- one pass ----

    def step(self) -> None:
        """One pass of the loop; to be called at `switches.scan_hz`."""
        now = self._clock.now()
        if self.devices.usable("switches", now):
            self._read_switches(now)
        if self.devices.usable("keys", now):
            self._read_keys(now)
        if self.devices.changed:
            self._after(now)
        if now >= self._tick_at:
            self._handle(Tick(), now)
        self._outputs.show(self.referee, self.handset, now)

    def _read_switches(self, now: float) -> None:
        try:
            raw = self._backend.switches.read()
        except DeviceLost as error:
            self.devices.lost("switches", error, now)
            return
        last, self._last_raw = self._last_raw, raw
        if raw != last and (raw ^ last).bit_count() > GLITCH:
            self.devices.degraded("switches", "noise on the line", now)
            return
        stable, unwell = self._debounce.update(raw), self._chatter.update(raw, now)
        if stable != self._stable or unwell != self._unwell:
            self._stable, self._unwell = stable, unwell
            self._felt(now)
        elif self.devices["switches"].state != "ok":
            self._answering(now)

    def _answering(self, now: float) -> frozenset[int]:
        """The switches can be read; gives the stations under which they chatter."""
        unwell = self.config.sheet.stations_in(self._wiring.to_spots(self._unwell))
        if unwell:
            self.devices.degraded("switches", f"chatter under {', '.join(map(str, sorted(unwell)))}", now)
        else:
            self.devices.ok("switches", now)
        return unwell

    def _felt(self, now: float) -> None:
        """The debounced switches have changed."""
        occupied = self.config.sheet.stations_in(self._wiring.to_spots(self._stable & ~self._unwell))
        self._handle(Board(occupied, self._answering(now)), now)

    def _read_keys(self, now: float) -> None:
        try:
            held = self._keys.update(self._backend.keys.read())
        except DeviceLost as error:
            self.devices.lost("keys", error, now)
            self._keys = Debounce(len(self._backend.keys.names))  # a key held now counts as let go: no peeking on
            held = 0
        else:
            self.devices.ok("keys", now)
        if held == self._held:
            return
        changed, self._held = held ^ self._held, held
        for down in (False, True):  # whatever was let go in this pass was let go before anything was pressed
            for bit, name in enumerate(self._backend.keys.names):
                if changed >> bit & 1 and bool(held >> bit & 1) is down:
                    self._key(name, down=down, now=now)

    def _key(self, name: str, *, down: bool, now: float) -> None:
        side, _, key = name.partition(".")
        if side == "table":
            if down:
                self._handle(Pressed(name), now)
            return
        action = self.handset.key(key, down=down, view=self.referee.private, now=now)
        if action is not None:
            try:
                self.play(action)
            except NotNow as error:
                self.handset.notice("Not now", str(error))
            except JournalError as error:
                self.devices.lost("journal", error, now)
                self.handset.notice("Not saved", "The journal cannot be written: try again")
        self._outputs.handset_changed()

    def _handle(self, event: Ailing | Board | Pressed | Tick, now: float) -> None:
        """Put an event to the referee and do what comes of it."""
        entry = self.referee.handle(event, now)
        if entry is None:
            self._after(now)
            return
        try:
            if isinstance(entry, Begin | Play | TakeBack):
                self._write_and_accept(entry, now)
            else:
                self.new_game()
        except JournalError as error:
            self.devices.lost("journal", error, now)
            self._after(now)

    def _after(self, now: float) -> None:
        """Something may have changed: tell the referee of ailing devices, and draw afresh."""
        view, paused = self.referee.public, self._why_paused()
        if self.devices.changed or paused != self._paused:
            self._paused, self.devices.changed = paused, False
            self._tell_ailments()
            self.referee.handle(Ailing(self.devices.ailing, paused), now)
        on_turn = self.referee.phase is Phase.PLAY and view is not None and view.turn == (MR_X,)
        if on_turn and not self._on_turn:
            self.handset.wake(now)
        self._on_turn = on_turn
        self._tick_at = self.referee.next_due(now)
        if self.devices["journal"].state == "lost":  # what was not accepted still stands on the board: ask again
            self._tick_at = min(self._tick_at, now + AGAIN)
        self._outputs.scene_changed()

    def _tell_ailments(self) -> None:
        """One line in the log for each device whose state has changed."""
        for device, why in self.devices.ailing.items():
            if self._told.get(device) != why:
                log.warning("%s: %s", device, why)
        for device in self._told.keys() - self.devices.ailing.keys():
            log.warning("%s: ok", device)
        self._told = self.devices.ailing

    def _why_paused(self) -> str:
        if self.devices["switches"].state == "lost":
            return "the switches are lost"
        view = self.referee.public
        if self.devices["handset"].state == "lost" and view is not None and view.turn == (MR_X,):
            return "the handset is lost"
        return ""

    def health(self) -> Mapping[str, dict[str, str | float]]:
        """Every device's state, reason and since when."""
        return self.devices.report()

    def close(self) -> None:
        """Lamps dark, screens dark, journal closed."""
        self._outputs.dark()
        self.journal.close()
