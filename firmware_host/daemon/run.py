"""Run the daemon, which runs one table until it is asked to stop."""

from __future__ import annotations

import logging
import random
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from firmware_host.config.loader import Config
from firmware_host.config.missing_files import missing_files
from firmware_host.config.player_programs import warnings_of_trust
from firmware_host.daemon.caretaker import Caretaker
from firmware_host.daemon.health_file import HealthFile
from firmware_host.daemon.page_server import PageServer
from firmware_host.daemon.watchdog import Watchdog
from firmware_host.journal.journal import Journal, prepare_journal
from firmware_host.journal.sqlite_store import BackgroundStore
from firmware_host.system.event_log import catch_up, describe_error, log_fields
from firmware_host.system.files import Background, Task
from firmware_host.system.language import in_language
from firmware_host.system.process import whole_pass
from firmware_host.system.systemd_notify import ServiceManager
from firmware_host.table.commands import StartGame
from firmware_host.table.compose import RecordingHooks, compose
from firmware_host.table.device_factory import OUTPUTS, make_devices, show_last_picture, turn_off_output
from firmware_host.table.outputs import Audience
from firmware_host.table.player_maker import ProcessMaker
from firmware_host.table.table import Table
from firmware_host.ui.drawing import table_menu_screen
from firmware_host.ui.drawing.table_menu_screen import OFF, TableMenuScreen
from firmware_host.ui.prompt_wording import prompt
from hardware.clock import SystemClock, keep_pace
from hardware.ports import HardwareError

if TYPE_CHECKING:
    from firmware_host.home.mqtt_publisher import TablePublisher

log = logging.getLogger("yardboard")


DARK = 5.0
"""Seconds that lamps and screens may take to go dark after the daemon has ended: half the unit's TimeoutStopSec."""


def run_table(
    config: Config, *, rng: random.Random, new: bool, stamp: str, taping: RecordingHooks | None = None
) -> None:
    """Run a table with its journal until the process is asked to stop. Then turn lamps and screens off.

    A journal that is damaged, foreign or of another version is renamed with `stamp`, never overwritten. If pages cannot
    be served, this is logged and the table runs without them. If `taping` is given, it records the table.

    Raises:
        ConfigError: there is no folder for the table's files.
        JournalError: the journal cannot be opened or written, or its game does not replay here.
        HardwareError: a package is missing, or a device can never work as it is configured.
    """
    path = config.journal_file()
    for warning in warnings_of_trust(config):
        log.warning(warning, extra=log_fields("programs"))
    for line in missing_files(config):
        log.warning("%s", line, extra=log_fields("files"))
    prepare_journal(path, stamp)
    taping = taping or RecordingHooks()
    writing = Background("files")
    manager = ServiceManager.of()
    watchdog = Watchdog(manager, SystemClock())
    health_file = HealthFile(config, SystemClock(), writing=writing)
    pages = PageServer(config, writing, health_file) if config.web.serve else None
    publisher = _new_publisher(config) if config.mqtt.url else None
    attendants: list[Attendant] = [lambda _: catch_up(), watchdog.attend, health_file.attend, lambda _: writing.check()]
    attendants.append(Caretaker(config, pages, writing).attend)
    if pages is not None:
        attendants.append(pages.follow)
        watchdog.watch({"pages": pages.late})
    if publisher is not None:
        attendants.append(lambda table: publisher.attend(table.scene))
    service = _Service(config, path, rng, attendants, taping, pages, not new, writing)
    try:
        service.run_simulated() if config.simulated else service.run_real()
    finally:
        manager.stopping()
        try:
            if pages is not None:
                pages.stop()  # before `writing`, which saves who has a seat and which owner has logged out
            writing.close()
        finally:
            health_file.remove()
            if publisher is not None:
                publisher.stop()


def _new_publisher(config: Config) -> TablePublisher | None:
    """Return the publisher to the configured broker, or None if its package is missing.

    The table then runs without it.
    """
    try:
        from firmware_host.home.mqtt_publisher import BrokerLink, BrokerSettings, TablePublisher  # noqa: PLC0415 - only with a broker
    except ModuleNotFoundError as error:
        what = "Nothing is published: mqtt: needs %s; install with: %s -m pip install '.[mqtt]' in yardboard's folder"
        log.error(what, error.name, sys.executable, extra=log_fields("mqtt"))  # noqa: TRY400 - no traceback
        return None
    mqtt, language = config.mqtt, config.board.language
    password, authority = (config.folder / name if name else None for name in (mqtt.password_file, mqtt.ca_file))
    settings = BrokerSettings(mqtt.url, mqtt.user, password, authority, mqtt.topic, mqtt.discovery, language)
    return TablePublisher(BrokerLink(settings), SystemClock().now, language)


def go_dark(config: Config, *, powers_off: bool = False, within: float = DARK) -> list[str]:
    """Turn off a real board's screens and lamps, the handset first, after its daemon has ended.

    Each device has its own thread, so that a stuck one does not keep others lit.

    Args:
        config: the board's configuration.
        powers_off: whether the machine is being shut down. Then the public display says when to pull the plug.
        within: seconds after which devices that are still lit are given up.

    Returns:
        A line for each device that could not be turned off, with the reason.
    """
    complaints = {output: f"{output}: has not gone dark within {within:g} s" for output in OUTPUTS}

    def put(output: str) -> None:
        try:
            if powers_off and output == "display":
                show_last_picture(_farewell(config), config, SystemClock())
            else:
                turn_off_output(output, config, SystemClock())
        except HardwareError as error:
            complaints[output] = str(error)
        except Exception as error:  # noqa: BLE001 - any error is reported
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


def _farewell(config: Config) -> Image.Image:
    with in_language(config.board.language):
        return table_menu_screen.draw(TableMenuScreen(OFF, (), 0, False, None, ""))


Attendant = Callable[[Table], None]
"""A task after every pass of the daemon's table. It must return at once, and may not depend on secrets."""


@dataclass(frozen=True, slots=True)
class _Service:
    """The service with the parts that every board needs, simulated or real.

    Attributes:
        config: the table's configuration.
        journal: the journal's file.
        rng: the random number generator of start cards.
        attendants: the tasks to do after every pass of the table.
        taping: records the table, or does nothing.
        audience: the remote spectators, if any.
        resume: whether to continue the journal's unfinished game.
        writing: runs tasks that may wait for the disk.
    """

    config: Config
    journal: Path
    rng: random.Random
    attendants: Sequence[Attendant]
    taping: RecordingHooks
    audience: Audience | None
    resume: bool
    writing: Callable[[Task], None]

    def run_simulated(self) -> None:
        """Run the table on a simulated board until the process ends.

        The simulated clock stops while the journal is written.
        """
        from firmware_host.simulator import SimulatedTable  # noqa: PLC0415 - a real board does not need it
        from firmware_host.simulator.demo import Pace  # noqa: PLC0415 - the same

        simulated = SimulatedTable(
            self.config, journal=self.journal, pace=Pace(), rng=self.rng, resume=self.resume, wall_clock=time.time,
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
        """Run the table on a real board until the process ends."""
        config = self.config
        if config.pi.pin_factory == "mock":
            warning = "the pins are in memory, and no wire to them is read"
            log.warning('[pi] pin_factory is "mock": %s.', warning, extra=log_fields("pins"))
        clock, keep = SystemClock(), config.journal.keep_games
        with closing(make_devices(config, clock)) as backend, Journal.open(self.journal, keep_games=keep) as journal:
            journal.store = BackgroundStore(journal.store)
            table = compose(
                config, backend, journal, rng=self.rng, resume=self.resume, audience=self.audience,
                taping=self.taping, writing=self.writing, players=ProcessMaker(config),
            )  # fmt: skip
            try:
                self.taping.step(partial(begin, table))()
                keep_pace(self._attended(table), config.switches.scan_hz, clock)
            finally:
                table.close()

    def _attended(self, table: Table) -> Callable[[], None]:
        """Return a function that makes one pass of the table, and then does the tasks of `attendants`."""
        one_pass = self.taping.step(table.step)

        def step() -> None:
            with whole_pass:
                one_pass()
                for attend in self.attendants:
                    attend(table)

        return step


def begin(table: Table) -> None:
    """Start a new game unless the table has resumed one. Then log what the table asks first."""
    if table.game is None:
        result = table.do(StartGame())
        table.wait()
        result.check()
    log.info("Ready: %s.", prompt(table.scene()).text, extra=log_fields("ready"))
