"""The daemon as a service: one table, run until it is told to stop."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.config.drivers.registry import DEVICES
from firmware_host.config.loader import Config
from firmware_host.daemon.health_file import HealthFile
from firmware_host.daemon.watchdog import Watchdog
from firmware_host.journal.background_store import BackgroundStore
from firmware_host.journal.damaged_journal import prepare_journal
from firmware_host.journal.finished_games import Archive
from firmware_host.journal.journal import Journal
from firmware_host.system.background_task import Background, Task
from firmware_host.system.language import Lines
from firmware_host.system.logging_setup import catch_up, describe_error, log_fields
from firmware_host.system.systemd_notify import ServiceManager
from firmware_host.table.compose import compose
from firmware_host.table.device_factory import OUTPUTS, make_devices, turn_off_output
from firmware_host.table.outputs import Audience
from firmware_host.table.process_player_maker import ProcessMaker
from firmware_host.table.recording import Recording
from firmware_host.table.table import Table
from firmware_host.ui.prompt_wording import prompt
from firmware_host.web import missing_package
from hardware.clock import SystemClock, keep_pace
from hardware.ports import HardwareError

if TYPE_CHECKING:
    from firmware_host.config.board_layout import BoardLayout
    from firmware_host.daemon.phone_seat import PhoneSeat
    from firmware_host.referee.scene import Scene
    from firmware_host.web.server import Server

_PLAYED = "The table is played without its pages: %s"

DARK = 5.0
"""Seconds in which lamps and screens go dark after the daemon: half of what the unit's TimeoutStopSec allows."""

AGAIN = 5.0
"""Seconds after which pages that could not be served are tried again."""

log = logging.getLogger("yardboard")


def run_table(config: Config, *, chance: random.Random, new: bool, stamp: str, taping: Recording | None = None) -> None:
    """Run a table on its journal until the process is told to stop; then lamps and screens go dark.

    A journal that is torn, foreign or of another version is set aside under a name with `stamp`, never overwritten.
    Pages that cannot be served are complained of and done without: a game at the table is more than its pages.
    With `taping` the table is recorded.

    Raises:
        JournalError: the journal cannot be opened or written, or its game does not replay here.
        HardwareError: a package is missing, or a device can never work as it is configured.
    """
    path = config.journal_file()
    prepare_journal(path, stamp)
    taping = taping or Recording()
    writing = Background("files")
    pages = _Pages(config, writing, taping) if config.web.serve else None
    manager = ServiceManager.of()
    watchdog = Watchdog(manager, SystemClock())
    health_file = HealthFile(config, SystemClock(), writing=writing)
    attendants: list[Attendant] = [_log_catches_up, watchdog.attend, health_file.attend]
    if pages is not None:
        attendants.append(pages.follow)
        watchdog.watch({"pages": pages.late})
    service = _Service(config, path, chance, attendants, taping, pages, not new, writing)
    try:
        service.run_simulated() if config.simulated else service.run_real()
    finally:
        manager.stopping()
        try:
            writing.close()
        finally:
            health_file.remove()
            if pages is not None:
                pages.stop()


def go_dark(config: Config, *, within: float = DARK) -> list[str]:
    """Turn off screens and lamps of a real board, the handset first, where a daemon could not do it itself.

    Each on a thread of its own: one that is stuck keeps no other lit.

    Args:
        config: the board's configuration.
        within: seconds after which whatever is not dark by then is given up.

    Returns:
        What could not be put out, and why, a line each.
    """
    complaints = {output: f"{output}: has not gone dark within {within:g} s" for output in OUTPUTS}

    def put(output: str) -> None:
        try:
            turn_off_output(output, config, SystemClock())
        except HardwareError as error:
            complaints[output] = str(error)
        except Exception as error:  # noqa: BLE001 - whatever it is, it must not end this without a word
            complaints[output] = f"{output}: {describe_error(error)}"
        else:
            del complaints[output]

    threads = [threading.Thread(target=put, args=(output,), daemon=True) for output in OUTPUTS]
    for thread in threads:
        thread.start()
    ends = time.monotonic() + within
    for thread in threads:
        thread.join(max(0.0, ends - time.monotonic()))
    return list(complaints.values())


Attendant = Callable[[Table], None]
"""Something done after every pass of a table that is run. It must return at once; nothing of it may be secret."""


class _Pages:
    """Serve the pages of a running table: its spectators', Mister X's, finished games'. Implements `outputs.Audience`.

    Where they cannot be served the table is played without, and they are tried again on a thread of their own: the
    network may come later than the table.
    """

    def __init__(self, config: Config, writing: Callable[[Task], None], taping: Recording) -> None:
        self._config, self._games = config, Archive(config)
        self._writing, self._taping = writing, taping
        self._server: Server | None = None
        self._phone: PhoneSeat | None = None
        self._ends = threading.Event()
        self._again = threading.Thread(target=self._try_again, name="pages", daemon=True)
        try:
            self._serve()
        except ModuleNotFoundError as error:
            log.error(_PLAYED, f"web: {missing_package(error)}", extra=log_fields("pages"))  # noqa: TRY400 - no traceback
        except OSError as error:
            log.error(_PLAYED, error, extra=log_fields("pages"))  # noqa: TRY400 - no traceback
            self._again.start()

    def see(self, scene: Scene, layout: BoardLayout, frame: bytes | None) -> None:
        if self._server is not None:
            self._server.spectators.see(scene, layout, frame)

    def hear(self, lines: Lines) -> None:
        if self._server is not None:
            self._server.spectators.hear(lines)

    def late(self) -> float:
        """Return for how many seconds the server has not gone on; 0.0 while it does not serve."""
        return 0.0 if self._server is None else self._server.late()

    def follow(self, table: Table) -> None:
        """Announce a game that is over, and do what Mister X wants on his phone. Costs next to nothing without both."""
        if self._games.follow(table.journal) and self._server is not None:
            self._server.announce_games()
        if self._phone is not None:
            self._phone.attend(table)

    def stop(self) -> None:
        """Stop serving, for good."""
        self._ends.set()
        if self._again.is_alive():
            self._again.join()
        if self._phone is not None:
            self._phone.close()
        if self._server is not None:
            self._server.stop()

    def _serve(self) -> None:
        from firmware_host.web.spectator_pages import serve_spectators  # noqa: PLC0415 - a board without pages starts faster

        web = self._config.web
        devices = [name for name in DEVICES if not self._config.devices[name].driver.absent]
        if self._config.handset.phone and self._phone is None:
            from firmware_host.daemon.phone_seat import PhoneSeat  # noqa: PLC0415 - only where he has a phone

            self._phone = PhoneSeat(self._config, writing=self._writing, taping=self._taping)
        phone = self._phone
        seat = (None, None) if phone is None else (phone.orders, phone.token)
        server = serve_spectators(web.host, web.port, devices, self._games, *seat)
        if phone is not None:
            phone.serve(server)
        self._server = server
        server.announce_games()  # of those, too, that were finished while there was none
        log.info("The table is shown at %s", server.address, extra=log_fields("pages", url=server.address))

    def _try_again(self) -> None:
        while self._server is None and not self._ends.wait(AGAIN):
            with suppress(OSError):
                self._serve()


@dataclass(frozen=True, slots=True)
class _Service:
    """What a table that is run is given, whatever board it runs on.

    Attributes:
        config: the table's configuration.
        journal: the journal's file.
        chance: where start cards come from.
        attendants: what is done after every pass.
        taping: records the table, if anything does.
        audience: who looks on from afar, if anybody does.
        resume: whether to go on with the journal's unfinished game.
        writing: carries out what may wait for the disk.
    """

    config: Config
    journal: Path
    chance: random.Random
    attendants: Sequence[Attendant]
    taping: Recording
    audience: Audience | None
    resume: bool
    writing: Callable[[Task], None]

    def run_simulated(self) -> None:
        """Run the table on a simulated board, for ever; its time stands still while files are written."""
        from firmware_host.simulator import SimulatedTable  # noqa: PLC0415 - a real board loads no simulator
        from firmware_host.simulator.demo import Pace  # noqa: PLC0415 - nor simulated people

        simulated = SimulatedTable(
            self.config, journal=self.journal, pace=Pace(), chance=self.chance, resume=self.resume, wall=time.time,
            audience=self.audience, taping=self.taping, players=ProcessMaker(self.config), patient=False,
        )  # fmt: skip
        simulated.hardware.drive(self._attended(simulated.table), hz=self.config.switches.scan_hz)
        try:
            self.taping.step(partial(begin, simulated.table))()
            while True:
                simulated.advance(1000)
        finally:
            simulated.close()

    def run_real(self) -> None:
        """Run the table on a real board, for ever."""
        config = self.config
        if config.pi.pin_factory == "mock":
            unfelt = "the pins are in memory, and nothing that is wired to them is felt"
            log.warning('[pi] pin_factory is "mock": %s.', unfelt, extra=log_fields("pins"))
        clock, keep = SystemClock(), config.journal.keep_games
        with closing(make_devices(config, clock)) as backend, Journal.open(self.journal, keep_games=keep) as journal:
            journal.store = BackgroundStore(journal.store)
            table = compose(
                config, backend, journal, chance=self.chance, resume=self.resume, audience=self.audience,
                taping=self.taping, writing=self.writing, players=ProcessMaker(config),
            )  # fmt: skip
            try:
                self.taping.step(partial(begin, table))()
                keep_pace(self._attended(table), config.switches.scan_hz, clock)
            finally:
                table.close()

    def _attended(self, table: Table) -> Callable[[], None]:
        """Return one pass of the table, followed by everything that attends to it."""
        one_pass = self.taping.step(table.step)

        def step() -> None:
            one_pass()
            for attend in self.attendants:
                attend(table)

        return step


def _log_catches_up(_: Table) -> None:
    catch_up()


def begin(table: Table) -> None:
    """Go on with the game that the daemon has found in its journal, or begin one."""
    if table.game is None:
        table.new_game()
    table.wait()
    log.info("Ready: %s.", prompt(table.scene()).text, extra=log_fields("ready"))
