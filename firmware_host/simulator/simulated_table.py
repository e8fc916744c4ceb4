"""Run a table on simulated hardware with a virtual clock, for scripts, demos and tests."""

from __future__ import annotations

import json
import random
import reprlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from firmware_host.config.allowed_values import as_toml
from firmware_host.config.drivers.buttons_driver import KEYS
from firmware_host.config.loader import Config, simulator, with_rules
from firmware_host.config.toml_file import ConfigError
from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import MEMORY, JournalError
from firmware_host.referee.referee import NotNow
from firmware_host.referee.scene import CoachMode, Kind, Phase, Scene
from firmware_host.rules.actions import FUGITIVES, Action, Commit, MrXMove
from firmware_host.rules.errors import BadSetup, IllegalAction
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Option, Setup
from firmware_host.rules.views import MrXView, PublicView
from firmware_host.system.language import gettext, in_language
from firmware_host.table.commands import Choose, Command, SetCoach, StartGame, Touch, TrustSwitches, UndoMove
from firmware_host.table.compose import RecordingHooks, compose
from firmware_host.table.handset import lines
from firmware_host.table.outputs import Audience, limit_lamps
from firmware_host.table.player_maker import PlayerMaker
from firmware_host.table.table import Table
from firmware_host.ui.drawing import table_menu_screen
from firmware_host.ui.drawing.public_display import display_lines
from firmware_host.ui.handset_menu import MenuError, keys_for, press, settle
from firmware_host.ui.lamp_plan import Colour
from firmware_host.ui.prompt_wording import prompt
from hardware.backend import Backend, NoPanel
from hardware.sim import SimulatedHardware

TRIES = 20
"""The most keys pressed to get to the handset's menu."""


class WithHandset(Protocol):
    """The interface of a simulated table with a handset. Its power may fail while a key is down."""

    hardware: SimulatedHardware
    table: Table

    @property
    def private(self) -> MrXView:
        """Mister X's view."""


class HandsetKeys:
    """The keys of a simulated table's handset.

    Args:
        simulated: the table.
        ms: milliseconds for which a key is down, and between two keys.
    """

    def __init__(self, simulated: WithHandset, ms: float) -> None:
        self._simulated, self._ms = simulated, ms

    def choose(self, action: Action) -> None:
        """Press the keys for one of Mister X's choices. With `privacy = "hold"`, hold PEEK meanwhile.

        Raises:
            IllegalAction: the rules do not allow the choice now.
            NotNow: the table waits for something else, or the handset ignored a key.
            MenuError: no keys of the handset lead to the choice.
        """
        simulated = self._simulated
        simulated.table.referee.check(action)
        if simulated.table.handset.hold:
            simulated.hardware.hold("handset.peek")
        try:
            self._press_through(action)
        finally:
            if simulated.table.handset.hold:
                simulated.hardware.release("handset.peek")
                simulated.hardware.advance(self._ms)

    def _press_through(self, action: Action) -> None:
        """Wake the screen, close a notice, and press the keys for an action. Check the menu after each key."""
        self._simulated.hardware.advance(self._ms)
        self._open_menu()
        view = self._simulated.private
        menu = settle(self._simulated.table.handset.menu, view)
        for key in keys_for(menu, view, action):
            self._press(key)
            menu, made = press(menu, key, view)
            if made is None and self._simulated.table.handset.menu != menu:
                raise NotNow("the handset ignored a key; look at its screen and try again")

    def _open_menu(self) -> None:
        for _ in range(TRIES):
            if self._simulated.table.handset.current_look(self._simulated.hardware.clock.now()).kind == "menu":
                return
            self._press("back")
        raise NotNow("the handset accepts no key; look at its screen and try again")

    def _press(self, key: str) -> None:
        self._simulated.hardware.press(f"handset.{key}", self._ms)
        self._simulated.hardware.advance(self._ms)


IN_MEMORY = MEMORY
"""A journal in memory, which ends with the simulated table."""

LIFT_MS = 20.0
"""Milliseconds after each lift: no hand opens all switches at once."""

TOUCH = 1.0
"""Seconds within which several inputs from pages count as one touch of the table."""

Begun = TypeVar("Begun")


class SimulatedTableError(Exception):
    """The error that the simulated table cannot do what was asked now."""


class NoGame(SimulatedTableError, RuntimeError):
    """The error that no game has begun yet, or that no person plays Mister X."""


class NoAction(SimulatedTableError, TypeError):
    """The error that a value is not an action of a game, or holds a plain value where a `Secret` belongs."""


HIS_CHOICES = "simulated.private.choices.value lists his choices"
"""Where Mister X's choices are, in errors of `SimulatedTable.choose`."""


def _can_simulate(config: Config) -> bool:
    """Return whether a configuration's wiring is one that a simulated board can have."""
    inputs = config.layout.switch_inputs
    return sorted(inputs) == list(range(len(inputs)))


def _places(config: Config) -> dict[int, tuple[float, float]]:
    """Return the position of each reed switch on the board in mm, in the order of the wired inputs.

    Raises:
        ConfigError: the wiring is a real board's.
    """
    layout = config.layout
    inputs = layout.switch_inputs
    if not _can_simulate(config):
        raise ConfigError(
            f"{config.source}: [switches.wiring]: this is a real board's wiring, and a simulated one has a switch a "
            f"station, on the inputs 0 to {len(inputs) - 1}; leave --config out, and name the game: "
            f"--rules {config.edition.name}"
        )
    places = layout.positions_mm(config.board.width_mm)
    return {station: places[station] for _, station in sorted(zip(inputs, layout.stations, strict=True))}


def _check_numbers(**wishes: object) -> None:
    """Check that each of a game's wishes is a whole number or None. Raise `BadSetup` if one is not."""
    for name, wish in wishes.items():
        if wish is not None and type(wish) is not int:
            raise BadSetup(f"{name}: {reprlib.repr(wish)} is not a whole number; pass a number such as 3")


def _check_mappings(**wishes: object) -> None:
    """Check that each of a game's wishes is a mapping or None. Raise `BadSetup` if one is not; it shows no station."""
    such = {"start": {"red": 74}, "options": {"log_windows": 22}, "seats": {"mr_x": "hard"}, "names": {"mr_x": "Ada"}}
    for name, wish in wishes.items():
        if wish is not None and not isinstance(wish, Mapping):
            raise BadSetup(f"{name}: a {type(wish).__name__} is not a dict; pass one such as {json.dumps(such[name])}")


def _check_pawns(owners: object, start: Mapping[str, object] | None) -> None:
    """Check that owners are a list, and the detectives' starts numbers. Raise `BadSetup` if not.

    Mister X's starts are checked with the rules, whose message does not show them.
    """
    if isinstance(owners, str) or not isinstance(owners, Sequence):
        raise BadSetup(f"owners: {reprlib.repr(owners)} is not a list; pass a player for each pawn, such as [1, 1, 2]")
    for pawn, station in (start or {}).items():
        if pawn not in FUGITIVES and type(station) is not int:
            raise BadSetup(f"start: {pawn}: must be a whole number such as 74, not {reprlib.repr(station)}")


def _check_kind(action: object) -> None:
    """Check that a value is an action whose secrets are wrapped.

    Raises:
        NoAction: it is not; the message says what to pass.
    """
    if not isinstance(action, Action):
        shown = as_toml(action) if isinstance(action, str) else reprlib.repr(action)
        raise NoAction(f"choose: {shown} is not an action; pass one of simulated.private.choices.value")
    match action:
        case MrXMove(to=secret):
            name = "to"
        case Commit(ticket=secret):
            name = "ticket"
        case _:
            return
    if not isinstance(secret, Secret):
        shown = reprlib.repr(secret)
        raise NoAction(f"choose: {type(action).__name__}.{name} must be Secret({shown}), not {shown}")


def _begun(game: Begun | None) -> Begun:
    """Return the given game or view, or raise `NoGame` if it is None.

    Raises:
        NoGame: no game has begun yet.
    """
    if game is None:
        raise NoGame(gettext("there is no game; begin one first"))
    return game


class SimulatedTable:
    """A table on simulated hardware. Its clock advances only in `advance` and while hands move.

    Args:
        config: the table's configuration; the shipped simulator's by default.
        seed: the seed of all random events: start cards, bounces, unsteady hands.
        rough: whether reed switches and hands are imperfect.
        journal: the path of the journal, or `IN_MEMORY`.
        pace: called with the seconds of each time step; a demo sleeps in this function.
        rng: the random number generator for start cards; by default one with `seed`.
        resume: whether to continue the journal's unfinished game.
        wall_clock: the wall clock for the journal's times; by default the virtual clock of the table.
        audience: the remote spectators, if any.
        taping: records the table, if given.
        players: creates computer players; by default built-in ones in this process.
        patient: whether to wait for computer players in real time, so that a game is repeatable.
        own: the configuration of the file, if `config` is for other rules than the file's.

    Attributes:
        own: the configuration of the file, unless its wiring is a real board's. Games by its rules have its map and
            options.

    Raises:
        TypeError: `config` is not a configuration.
        ConfigError: the wiring is a real board's.
        JournalError: the journal cannot be used, or its game cannot be continued here.
    """

    def __init__(
        self,
        config: Config | None = None,
        *,
        seed: int = 0,
        rough: bool = False,
        journal: Path | str = IN_MEMORY,
        pace: Callable[[float], None] | None = None,
        rng: random.Random | None = None,
        resume: bool = True,
        wall_clock: Callable[[], float] | None = None,
        audience: Audience | None = None,
        taping: RecordingHooks | None = None,
        players: PlayerMaker | None = None,
        patient: bool = True,
        own: Config | None = None,
    ) -> None:
        if not isinstance(config, Config | None):
            raise TypeError(f"config: {config!r} is not a configuration; pass one, such as load('table.toml')")
        self._players, self._patient = players, patient
        self._coaching: CoachMode | None = None
        self._touched_at = -TOUCH
        self.config = config or simulator()
        self.own = own if own is not None and _can_simulate(own) else self.config
        self.seed = seed
        self._tapes = taping or RecordingHooks()
        self._taping = self._tapes.begin(self.config, resume=resume)
        self._rough, self._pace = rough, pace
        self.hardware = self._create_hardware()
        self._path = journal
        self._journal = self._opened()
        self._rng = rng or random.Random(seed)  # noqa: S311 - repeatable by seed
        self._resume = resume
        self._audience = audience
        self._wall_clock = wall_clock or self.hardware.clock.now
        with ExitStack() as unless_begun:
            unless_begun.callback(self._journal.close)
            self.table = self._start()
            unless_begun.pop_all()

    def _opened(self) -> Journal:
        return Journal.open(self._path, keep_games=self.own.journal.keep_games)

    def _create_hardware(self) -> SimulatedHardware:
        """Create the hardware of the configuration's board, with nothing on it."""
        return SimulatedHardware(
            _places(self.config),
            lamps=self.config.layout.lamps,
            keys=KEYS,
            seed=self.seed,
            rough=self._rough,
            display=not self.config.devices["display"].driver.absent,
            pace=self._pace,
        )

    @property
    def backend(self) -> Backend:
        """The devices for the table, with the limit on lamp current and without absent devices."""
        lamps = limit_lamps(self.config, self.hardware.lamps)
        backend = replace(self.hardware.backend, lamps=lamps)
        return replace(backend, handset=NoPanel()) if self.config.devices["handset"].driver.absent else backend

    def _start(self) -> Table:
        table = compose(
            self.config,
            self.backend,
            self._journal,
            rng=self._rng,
            wall_clock=self._wall_clock,
            resume=self._resume,
            audience=self._audience,
            taping=self._taping,
            players=self._players,
            patient=self._patient,
        )
        self.hardware.drive(partial(self._step, table, self._taping.step(table.step)), hz=self.config.switches.scan_hz)
        self._lay_tiles(table)
        if self._coaching is not None:
            table.do(SetCoach(self._coaching))
        return table

    def _step(self, table: Table, step: Callable[[], None]) -> None:
        """Make one pass of the table. If a game with other tiles begins in it, lay them."""
        step()
        if table.layout is not self._laid:
            self._lay_tiles(table)

    def _lay_tiles(self, table: Table) -> None:
        """Renumber the board's stations for the tiles that the table lays."""
        self._laid = table.layout
        by_input = dict(zip(table.layout.switch_inputs, table.layout.stations, strict=True))
        bare = 1 + max(by_input.values())  # spots without a tile
        self.hardware.rename([number or bare + spot for spot, number in sorted(by_input.items())])

    def restart(self) -> None:
        """Stop the table as in a power cut and start it again with its journal. All pawns stay in place."""
        self._resume = True
        self._taping.stop()
        self.table.let_players_go()
        self._taping = self._tapes.begin(self.config, resume=True)
        if self._path != IN_MEMORY:
            self._journal.close()
            self._journal = self._opened()
        self.table = self._start()

    def cut_power(self) -> None:
        """Cut the power: everything is dark until `restart`. All pawns stay in place."""
        self.hardware.cut_power()

    def close(self) -> None:
        """Close the table and its journal."""
        self._taping.stop()
        self.table.close()

    def new_game(
        self,
        rules: str | None = None,
        *,
        detectives: int | None = None,
        players: int | None = None,
        owners: Sequence[int] = (),
        start: Mapping[str, int] | None = None,
        options: Mapping[str, Option] | None = None,
        seats: Mapping[str, str] | None = None,
        names: Mapping[str, str] | None = None,
        seed: int | None = None,
        same_mr_x: bool = False,
    ) -> None:
        """Start a game. See `StartGame`. With the same seed, the same start cards are drawn.

        If the rules need another configuration, a new table with a suitable board replaces this one.

        Raises:
            BadSetup: the rules do not allow this setup; nothing has changed.
            ConfigError: there are no such rules, or the tape cannot have its configuration; nothing has changed.
            JournalError: the journal cannot be written; nothing has changed.
        """
        _check_numbers(detectives=detectives, players=players)
        _check_mappings(start=start, options=options, seats=seats, names=names)
        _check_pawns(owners, start)
        rng = self._rng if seed is None else random.Random(seed)  # noqa: S311 - repeatable
        before = self.config, self.hardware, self.table, self._resume, self._taping
        try:
            if rules is not None and (config := self.config_for(rules)) is not self.config:
                self._change_table(config)
            self.do(
                StartGame(
                    rules=rules or "",
                    detectives=detectives,
                    players=players,
                    owners=owners,
                    start=start,
                    options=options,
                    seats=seats,
                    names=names,
                    same_mr_x=same_mr_x,
                    rng=rng,
                )
            )
        except (BadSetup, ConfigError, JournalError):
            if self._taping is not before[-1]:
                self._taping.discard()
            if self.table is not before[2]:
                self.table.let_players_go()
            self.config, self.hardware, self.table, self._resume, self._taping = before
            self._taping.take_over_journal(self._journal)
            raise
        if self.table is not before[2]:
            before[-1].stop()
            before[2].let_players_go()
        self._lay_tiles(self.table)

    def do(self, command: Command) -> None:
        """Let the table carry out a command. See `Table.do`.

        Raises:
            RefereeError, RulesError, JournalError: the command is refused; nothing has changed.
        """
        self.table.do(command).check()

    def config_for(self, rules: str) -> Config:
        """Return the configuration for a game by these rules: the present one if it fits.

        Raises:
            ConfigError: there are no such rules.
        """
        if rules == self.own.edition.name:
            return self.own
        return self.config if rules in [box.name for box in self.config.boxes] else with_rules(self.own, rules)

    def _change_table(self, config: Config) -> None:
        self.config, self._resume = config, False
        self._taping = self._tapes.begin(config, resume=False)
        self.hardware = self._create_hardware()
        self.table = self._start()

    def coach(self, mode: CoachMode) -> None:
        """Set how much the coach shows. See `SetCoach`. The choice survives restarts and other boards."""
        if not isinstance(mode, CoachMode):
            raise SimulatedTableError(f"coach: {mode!r} is not a mode; pass one of CoachMode, such as CoachMode.OFF")
        self._coaching = mode
        self.do(SetCoach(mode))

    def trust_switches(self, *, trusted: bool) -> None:
        """Set whether all switches are known to be right. See `TrustSwitches`. A restart resets this."""
        if trusted is not self.table.referee.state.trusted:
            self.do(TrustSwitches(trusted))

    def touch(self) -> None:
        """Keep the table awake because a person uses a page. See `Touch`.

        Calls count at most once a second, and only if the table can sleep.
        """
        now = self.hardware.clock.now()
        if self.config.display.blank_after_s and not 0 <= now - self._touched_at < TOUCH:
            self._touched_at = now
            self.do(Touch())

    # ---- time and hands ----

    def advance(self, ms: float) -> None:
        """Let `ms` milliseconds of the virtual clock pass."""
        self.hardware.advance(ms)

    def set_up(self) -> None:
        """Put every visible pawn on its start station, and confirm laid tiles.

        After each, let a second pass, so that the table can accept the setup.
        """
        self.set_out(lambda pawn, station: self.hardware.put(station, pawn))
        self.advance(1000)
        if self.table.scene().ask.kind is Kind.LAY_TILES:
            self.hardware.press("table.confirm")
            self.advance(1000)

    def lift(self, pawn: str) -> None:
        """Take a pawn off the board, if it is there, at the speed of a quick hand."""
        if pawn in self.hardware.points():
            self.hardware.pick_up(pawn)
            self.hardware.advance(LIFT_MS)

    def carry(self, pawn: str, station: int) -> None:
        """Carry a pawn to a station from where it is."""
        self.lift(pawn)
        self.hardware.put(station, pawn)

    def set_out(self, place: Callable[[str, int], None]) -> None:
        """Lift each misplaced pawn, then call `place` with each missing pawn and its station."""
        view = self.public
        for pawn, station in self.hardware.where().items():
            if station is not None and station != view.pawns.get(pawn):
                self.lift(pawn)
        for pawn in view.order:
            if pawn in view.pawns and self.hardware.where().get(pawn) is None:
                place(pawn, view.pawns[pawn])

    def choose(self, action: Action, ms: float = 60) -> None:
        """Make one of Mister X's choices by pressing the handset's keys.

        Args:
            action: one of `private.choices.value`. A station or ticket in it that is secret must be a `Secret`.
            ms: milliseconds for which a key is down, and between two keys.

        Raises:
            NoAction: this is not an action; nothing has changed.
            NotNow: the table waits for something else, or the handset ignored the keys.
            IllegalAction: the rules do not allow it; the message reveals nothing about Mister X.
            MenuError: Mister X does not have this choice.
        """
        _check_kind(action)
        before = len(self.actions)
        try:
            HandsetKeys(self, ms).choose(action)
        except (IllegalAction, MenuError) as error:
            said, known = str(error), "his choices are on the handset"
            if set(FUGITIVES).intersection(self.public.turn):  # the same words wherever Mister X is
                said = said.replace(known, HIS_CHOICES) if known in said else f"{said}; {HIS_CHOICES}"
            raise type(error)(f"choose: {said}") from None
        if self.actions[before:][:1] != [action]:
            raise NotNow("the handset ignored the keys; look at its screen and try again")

    def choose_from_page(self, action: Action) -> None:
        """Make one of Mister X's choices without the handset's keys. See `Choose`.

        Raises:
            NotNow: Mister X has no such choice now, or the table refuses it, for example because the journal cannot be
                written.
        """
        self.table.referee.check_choice(action)
        refusal = self.table.do(Choose(action)).refusal
        if refusal is not None:
            raise NotNow(refusal.words)

    def take_back(self) -> None:
        """Undo the last move by a person, and the computers' actions since.

        If computers have done nothing since, hands put the pawn back on the board. Otherwise the table carries out
        `UndoMove`.

        Raises:
            NotNow: the table waits for something else, or does not undo the move; the message says why.
            JournalError: the journal cannot be written; nothing has changed.
        """
        undo, before = self.table.referee.check_undo(), len(self.actions)
        if undo.count != 1 or self.table.scene().phase is not Phase.PLAY:
            self.do(UndoMove())
            return
        if undo.to is not None:
            self.carry(undo.pawn, undo.to)
        else:
            self.lift(undo.pawn)
        self.advance(1000)
        if len(self.actions) >= before:
            raise NotNow(gettext("the table did not accept it; see what it asks and try again"))

    # ---- output ----

    @property
    def actions(self) -> list[Action]:
        """All accepted actions of the game."""
        game = self.table.game
        return [] if game is None else game.actions

    @property
    def prompt_text(self) -> str:
        """The table's current prompt in words."""
        return prompt(self.table.scene()).text

    @property
    def setup(self) -> Setup:
        """The setup before the first move.

        Raises:
            NoGame: no game has begun yet.
        """
        return _begun(self.table.game).setup

    @property
    def scene(self) -> Scene:
        """The table's current scene. This does not read the table's clock, because a tape would record that."""
        return self.table.referee.scene(self.hardware.clock.now())

    @property
    def public(self) -> PublicView:
        """The public view.

        Raises:
            NoGame: no game has begun yet.
        """
        return _begun(self.table.referee.public)

    @property
    def private(self) -> MrXView:
        """Mister X's view.

        Raises:
            NoGame: no game has begun yet, or no person plays Mister X.
        """
        if self.table.game is not None and self.table.referee.private is None:
            raise NoGame("a computer plays Mister X; its view is secret until the end")
        return _begun(self.table.referee.private)

    def station_leds(self) -> Mapping[int, Colour]:
        """Return the stations whose lamps are lit, with their colours."""
        lit, layout = self.hardware.lamps.lit(), self.table.layout
        return {n: lit[lamp] for n in layout.stations if n and (lamp := layout.lamp(n)) in lit}

    def log_leds(self) -> Mapping[int, Colour]:
        """Return the windows of the log whose lamps are lit, with their colours."""
        lit = self.hardware.lamps.lit()
        return {w: lit[lamp] for w, lamp in enumerate(self.config.layout.log_lamps, 1) if lamp in lit}

    def handset_lines(self) -> list[str]:
        """Return the lines of text on the handset's screen, or no lines while it is dark."""
        if self.hardware.handset.picture is None:
            return []
        with in_language(self.config.board.language):
            return lines(self.table.handset.current_look(self.hardware.clock.now()), self.table.referee.private)

    def display_lines(self) -> list[str]:
        """Return the text on the public display: the game's, or the table menu's."""
        menu = self.table.menu
        with in_language(self.config.board.language):
            return display_lines(self.scene) if menu is None else table_menu_screen.lines(menu)
