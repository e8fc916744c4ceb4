"""The daemon as a service: one table, run until it is told to stop."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from firmware_host.archive import Archive
from firmware_host.assembly import DEVICES, OUTPUTS, assembled, put_out
from firmware_host.config import Config
from firmware_host.daemon import Daemon
from firmware_host.journal import Journal, look_over
from firmware_host.outputs import Audience
from firmware_host.parlour import Parlour
from firmware_host.parlour.demo import Pace
from firmware_host.web import lacking
from hardware.clock import SystemClock, keep_pace
from hardware.ports import HardwareError

if TYPE_CHECKING:
    from firmware_host.web.server import Server

_PLAYED = "The table is played without its pages: %s"

log = logging.getLogger("yardboard")


def run_table(config: Config, *, chance: random.Random, new: bool, stamp: str) -> None:
    """Run a table on its journal until the process is told to stop; then lamps and screens go dark.

    A journal that is torn, foreign or of another version is set aside under a name with `stamp`, never overwritten.
    Pages that cannot be served are complained of and done without: a game at the table is more than its pages.

    Raises:
        JournalError: the journal cannot be opened or written, or its game does not replay here.
        HardwareError: a package is missing, or a device can never work as it is configured.
    """
    path = config.journal_file()
    look_over(path, stamp)
    run = _run_simulated if config.switches.driver == "sim" else _run_real
    pages = _pages(config)
    attendants: list[Attendant] = [] if pages is None else [pages.follow]
    try:
        run(config, path, chance, attendants, audience=None if pages is None else pages.audience, resume=not new)
    finally:
        if pages is not None:
            pages.server.stop()


def go_dark(config: Config) -> list[str]:
    """Screens and lamps of a real board off, the handset first: after a daemon that could not do it itself.

    Returns:
        What could not be put out, and why, a line each.
    """
    clock = SystemClock()
    complaints = []
    for output in OUTPUTS:
        try:
            put_out(output, config, clock)
        except HardwareError as error:
            complaints.append(str(error))
    return complaints


Attendant = Callable[[Daemon], None]
"""Something done after every pass of a table that is run. It must return at once; nothing of it may be secret."""


@dataclass(frozen=True, slots=True)
class _Pages:
    """The pages of a table that is run: its spectators', and those of its finished games."""

    server: Server
    games: Archive

    @property
    def audience(self) -> Audience:
        return self.server.onlookers

    def follow(self, daemon: Daemon) -> None:
        """See whether a game is over. Costs next to nothing while none is."""
        if self.games.follow(daemon.journal):
            self.server.tell_of_games()


def _pages(config: Config) -> _Pages | None:
    """The table's pages, if it is to have some; where they cannot be served it is played without."""
    if not config.web.serve:
        return None
    try:
        from firmware_host.web.gallery import gallery  # noqa: PLC0415 - a board without pages starts faster
    except ModuleNotFoundError as error:
        log.error(_PLAYED, f"web: {lacking(error)}")  # noqa: TRY400 - no traceback
        return None
    devices = [name for name in DEVICES if name != "display" or config.display.driver != "none"]
    games = Archive(config)
    try:
        server = gallery(config.web.host, config.web.port, devices, games)
    except OSError as error:
        log.error(_PLAYED, error)  # noqa: TRY400 - no traceback
        return None
    log.info("The table is shown at %s", server.address)
    return _Pages(server, games)


def _run_simulated(
    config: Config,
    path: Path,
    chance: random.Random,
    attendants: Sequence[Attendant],
    *,
    audience: Audience | None,
    resume: bool,
) -> None:
    parlour = Parlour(
        config, journal=path, pace=Pace(), chance=chance, resume=resume, wall=time.time, audience=audience
    )
    step = _attended(parlour.daemon, attendants)
    parlour.table.drive(step, hz=config.switches.scan_hz)
    try:
        _begin(parlour.daemon)
        while True:
            parlour.advance(1000)
    finally:
        parlour.close()


def _run_real(
    config: Config,
    path: Path,
    chance: random.Random,
    attendants: Sequence[Attendant],
    *,
    audience: Audience | None,
    resume: bool,
) -> None:
    if config.pi.pin_factory == "mock":
        log.warning('[pi] pin_factory is "mock": the pins are in memory, and nothing that is wired to them is felt.')
    clock = SystemClock()
    with closing(assembled(config, clock)) as backend, closing(Journal.open(path)) as journal:
        daemon = Daemon(config, backend, journal, chance=chance, resume=resume, audience=audience)
        try:
            _begin(daemon)
            keep_pace(_attended(daemon, attendants), config.switches.scan_hz, clock)
        finally:
            daemon.close()


def _attended(daemon: Daemon, attendants: Sequence[Attendant]) -> Callable[[], None]:
    """One pass of the table, and then everything that attends to it."""

    def step() -> None:
        daemon.step()
        for attend in attendants:
            attend(daemon)

    return step


def _begin(daemon: Daemon) -> None:
    if daemon.game is None:
        daemon.new_game()
    log.info("Ready: %s.", daemon.scene().prompt.text)
