"""A simulated table with the daemon running on it, on one virtual clock: what scripts, demos and tests play on."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from firmware_host.config.loader import Config, simulator, with_rules
from firmware_host.config.table_keys import KEYS
from firmware_host.config.toml_reader import ConfigError
from firmware_host.journal.journal import Journal
from firmware_host.journal.store import MEMORY, JournalError
from firmware_host.referee.referee import NotNow
from firmware_host.referee.scene import Phase
from firmware_host.rules.actions import Action
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.setup import Option
from firmware_host.rules.views import MrXView, PublicView
from firmware_host.table.compose import compose
from firmware_host.table.outputs import Audience, limit_lamps
from firmware_host.table.recording import Unrecorded
from firmware_host.table.table import Daemon
from firmware_host.ui.handset import lines
from firmware_host.ui.handset_menu import keys_for, press, settle
from firmware_host.ui.lamp_plan import Colour
from firmware_host.ui.prompts import prompt
from hardware.backend import Backend
from hardware.sim import SimulatedHardware

IN_MEMORY = MEMORY
"""A journal that lasts as long as the parlour does."""

TRIES = 20
"""Keys that are pressed, at most, to see the handset's menu."""


class SimulatedTableError(Exception):
    """Something was asked of a parlour that cannot be done now."""


class NoGame(SimulatedTableError, RuntimeError):
    """There is no game yet."""


def _places(config: Config) -> dict[int, tuple[float, float]]:
    """Where each station's reed lies, in mm, in the order of the inputs they are wired to."""
    sheet = config.sheet
    inputs = sheet.switch_inputs
    if sorted(inputs) != list(range(len(inputs))):
        raise ConfigError(
            f"{config.source}: [switches.wiring]: a simulated board uses the inputs 0 to {len(inputs) - 1}"
        )
    places = sheet.positions_mm(config.board.width_mm)
    return {station: places[station] for _, station in sorted(zip(inputs, sheet.stations, strict=True))}


class SimulatedTable:
    """A simulated table and its daemon. Time stands still but in `advance` and in what hands do.

    Args:
        config: the table's configuration; the shipped simulator's by default.
        seed: of all chance: start cards, bounces, how steady hands are.
        rough: whether reeds and hands are of the rough kind.
        journal: its file, or `IN_MEMORY`.
        pace: called with the seconds of each step of time; a demo sleeps in it.
        chance: where start cards come from; grows from the seed by default.
        resume: whether to go on with the journal's unfinished game.
        wall: the wall clock, for the journal's times; the table's own by default.
        audience: who looks on from afar, if anybody does.
        taping: what records the table, if anything does.
    """

    def __init__(
        self,
        config: Config | None = None,
        *,
        seed: int = 0,
        rough: bool = False,
        journal: Path | str = IN_MEMORY,
        pace: Callable[[float], None] | None = None,
        chance: random.Random | None = None,
        resume: bool = True,
        wall: Callable[[], float] | None = None,
        audience: Audience | None = None,
        taping: Unrecorded | None = None,
    ) -> None:
        self.config = self._own = config or simulator()
        self.seed = seed
        self._tapes = taping or Unrecorded()
        self._taping = self._tapes.begin(self.config, resume=resume)
        self._rough, self._pace = rough, pace
        self.table = self._lay()
        self._path = journal
        self._journal = self._opened()
        self._chance = chance or random.Random(seed)  # noqa: S311 - a simulated table repeats itself for its seed
        self._resume = resume
        self._audience = audience
        self._wall = wall or self.table.clock.now
        with ExitStack() as unless_begun:
            unless_begun.callback(self._journal.close)
            self.daemon = self._start()
            unless_begun.pop_all()

    def _opened(self) -> Journal:
        return Journal.open(self._path, keep_games=self._own.journal.keep_games)

    def _lay(self) -> SimulatedHardware:
        """A table for the configuration's board, with nothing on it."""
        return SimulatedHardware(
            _places(self.config),
            lamps=self.config.sheet.lamps,
            keys=KEYS,
            seed=self.seed,
            rough=self._rough,
            display=not self.config.devices["display"].driver.absent,
            pace=self._pace,
        )

    @property
    def backend(self) -> Backend:
        """The table's devices, as the daemon gets them."""
        return replace(self.table.backend, lamps=limit_lamps(self.config, self.table.lamps))

    def _start(self) -> Daemon:
        daemon = compose(
            self.config,
            self.backend,
            self._journal,
            chance=self._chance,
            wall=self._wall,
            resume=self._resume,
            audience=self._audience,
            taping=self._taping,
        )
        self.table.drive(self._taping.step(daemon.step), hz=self.config.switches.scan_hz)
        self._lay_tiles(daemon)
        return daemon

    def _lay_tiles(self, daemon: Daemon) -> None:
        """Somebody lays the tiles as the table says: other numbers are on the board from now on."""
        by_input = dict(zip(daemon.sheet.switch_inputs, daemon.sheet.stations, strict=True))
        bare = 1 + max(by_input.values())  # spots on which no tile lies
        self.table.rename([number or bare + spot for spot, number in sorted(by_input.items())])

    def restart(self) -> None:
        """The daemon is killed as by a power cut and started again on its journal. The board stays as it is."""
        self._resume = True
        self._taping.stop()
        self._taping = self._tapes.begin(self.config, resume=True)
        if self._path != IN_MEMORY:
            self._journal.close()
            self._journal = self._opened()
        self.daemon = self._start()

    def cut_power(self) -> None:
        """The power fails: the daemon is gone and all is dark, until `restart`. The board stays as it is."""
        self.table.cut_power()

    def close(self) -> None:
        """End the daemon in good order."""
        self._taping.stop()
        self.daemon.close()

    def new_game(
        self,
        rules: str | None = None,
        *,
        detectives: int | None = None,
        players: int | None = None,
        owners: Sequence[int] = (),
        start: Mapping[str, int] | None = None,
        options: Mapping[str, Option] | None = None,
        seed: int | None = None,
    ) -> None:
        """Begin a game; see `Daemon.new_game`. A seed makes the cards repeat themselves.

        Rules that are not played on the configuration's board get a new table, with the board of those rules.

        Raises:
            BadSetup: the rules do not allow it; nothing has changed.
            ConfigError: there are no such rules; nothing has changed.
            JournalError: it cannot be written down; nothing has changed.
        """
        chance = self._chance if seed is None else random.Random(seed)  # noqa: S311 - repeats itself for its seed
        before = self.config, self.table, self.daemon, self._resume, self._taping
        if rules is not None and rules not in [box.name for box in self.config.boxes]:
            self._change_table(with_rules(self._own, rules))
        try:
            self._taping.new_game(self.daemon.new_game)(
                rules=rules or "",
                detectives=detectives,
                players=players,
                owners=owners,
                start=start,
                options=options,
                chance=self._taping.chance(chance),
            )
        except (BadSetup, JournalError):
            if self._taping is not before[-1]:
                self._taping.discard()
            self.config, self.table, self.daemon, self._resume, self._taping = before
            self._taping.listen(self._journal)
            raise
        if self._taping is not before[-1]:
            before[-1].stop()
        self._lay_tiles(self.daemon)

    def _change_table(self, config: Config) -> None:
        """Another table is brought, with nothing on it."""
        self.config, self._resume = config, False
        self._taping = self._tapes.begin(config, resume=False)
        self.table = self._lay()
        self.daemon = self._start()

    # ---- time and hands ----

    def advance(self, ms: float) -> None:
        """Let time go by."""
        self.table.advance(ms)

    def set_up(self) -> None:
        """Put every pawn on the station it has to stand on, and wait until the table is content."""
        view, where = self.public, self.table.where()
        for pawn, station in where.items():
            if station is not None and station != view.pawns.get(pawn):
                self.table.lift(station, pawn)
        for pawn in view.order:
            if pawn in view.pawns and self.table.where().get(pawn) is None:
                self.table.put(view.pawns[pawn], pawn)
        self.advance(1000)
        if self.daemon.scene().phase is Phase.SET_UP and view.layout:
            self.table.press("table.confirm")
            self.advance(1000)

    def choose(self, action: Action, ms: float = 60) -> None:
        """Make one of Mister X's choices by pressing the handset's keys.

        Raises:
            NotNow: the table waits for something else, or the handset did not take it.
            MenuError: it is none of his choices.
        """
        self.daemon.referee.check(action)
        before = len(self._the_actions())
        if self.daemon.handset.hold:
            self.table.hold("handset.peek")
        try:
            self._press_through(action, ms)
        finally:
            if self.daemon.handset.hold:
                self.table.release("handset.peek")
                self.advance(ms)
        if self._the_actions()[before:][:1] != [action]:
            raise NotNow("the handset did not take the keys; look at its screen and try again")

    def _press_through(self, action: Action, ms: float) -> None:
        """Wake the screen, put a notice away, and press the keys that lead to an action, looking at each step."""
        self.advance(ms)
        self._open_menu(ms)
        view = self.private
        menu = settle(self.daemon.handset.menu, view)
        for key in keys_for(menu, view, action):
            self.table.press(f"handset.{key}", ms)
            self.advance(ms)
            menu, made = press(menu, key, view)
            if made is None and self.daemon.handset.menu != menu:
                raise NotNow("the handset did not take a key; look at its screen and try again")

    def _open_menu(self, ms: float) -> None:
        """Press keys until the screen shows the menu."""
        for _ in range(TRIES):
            if self.daemon.handset.look(self.table.clock.now()).kind == "menu":
                return
            self.table.press("handset.back", ms)
            self.advance(ms)
        raise NotNow("the handset takes no key; look at its screen and try again")

    def _the_actions(self) -> list[Action]:
        game = self.daemon.game
        return [] if game is None else game.actions

    # ---- what is to be seen ----

    @property
    def prompt_text(self) -> str:
        """What the table asks now, in words."""
        return prompt(self.daemon.scene()).text

    @property
    def public(self) -> PublicView:
        """What everyone may know.

        Raises:
            NoGame: there is none yet.
        """
        view = self.daemon.referee.public
        if view is None:
            raise NoGame("there is no game; begin one first")
        return view

    @property
    def private(self) -> MrXView:
        """What Mister X may know.

        Raises:
            NoGame: there is none yet.
        """
        view = self.daemon.referee.private
        if view is None:
            raise NoGame("there is no game; begin one first")
        return view

    def station_leds(self) -> Mapping[int, Colour]:
        """The lit stations and their colours, as the lamps shine."""
        lit, sheet = self.table.lamps.lit(), self.daemon.sheet
        return {n: lit[lamp] for n in sheet.stations if n and (lamp := sheet.lamp(n)) in lit}

    def log_leds(self) -> Mapping[int, Colour]:
        """The lit windows of the public log and their colours."""
        lit = self.table.lamps.lit()
        return {w: lit[lamp] for w, lamp in enumerate(self.config.sheet.log_lamps, 1) if lamp in lit}

    def handset_lines(self) -> list[str]:
        """What the handset's screen says; nothing while it is dark."""
        if self.table.handset.picture is None:
            return []
        return lines(self.daemon.handset.look(self.table.clock.now()), self.daemon.referee.private)
