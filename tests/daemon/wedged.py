"""The daemon of a real board on devices that get stuck when a test says so: a program of its own, run by `watched.py`.

    python -m tests.daemon.wedged FOLDER HUNG

FOLDER has the configuration, board.toml. A device reads there what ails it: while there is a DEVICE.lost it does not
answer, and of a pipe DEVICE.stuck it waits for the other end. What is lit says so by a file DEVICE.lit.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import signal
import sys
import termios
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PIL import Image

from firmware_host.cli import main
from firmware_host.config.drivers import registry
from firmware_host.config.drivers.driver import ConfiguredDevice
from firmware_host.config.drivers.registry import input_count
from firmware_host.daemon import run
from firmware_host.daemon.watchdog import Watchdog
from firmware_host.system import process
from firmware_host.web.feeds.latest_feed import Feed
from firmware_host.web.feeds.spectator_feed import SpectatorFeed
from hardware import background_output
from hardware.ports import DeviceLost

FOLDER = Path(sys.argv[1])
NEVER = 3600.0


def suffer(device: str) -> None:
    """Apply the fault that a test has given a device."""
    if (FOLDER / f"{device}.lost").exists():
        raise DeviceLost(f"{device}: unplugged")
    if (FOLDER / f"{device}.stuck").exists():
        # As in a driver that goes on waiting whatever signal comes: the handler waits for its return.
        signal.pthread_sigmask(signal.SIG_BLOCK, set(process.STATUSES))
        (FOLDER / f"{device}.reached").touch()
        with contextlib.suppress(FileNotFoundError):
            os.close(os.open(FOLDER / f"{device}.stuck", os.O_RDONLY))  # until somebody opens it to write
        (FOLDER / f"{device}.reached").unlink()


def lit(device: str, *, shines: bool) -> None:
    """Note whether anything is visible on a device."""
    path = FOLDER / f"{device}.lit"
    if shines:
        path.touch()
    else:
        path.unlink(missing_ok=True)


class OpenSwitches:
    """Contacts that are never closed."""

    def __init__(self, count: int) -> None:
        self.count = count

    def read(self) -> int:
        suffer("switches")
        return 0

    def place(self, number: int) -> str:
        return f"input {number}"

    def close(self) -> None:
        pass


class WedgeableLamps:
    """A chain of lamps."""

    def __init__(self, count: int) -> None:
        self.count = count

    def ready(self) -> bool:
        return True

    def show(self, frame: bytes) -> None:
        suffer("lamps")
        lit("lamps", shines=any(frame))

    def close(self) -> None:
        pass


class WedgeablePanel:
    """A screen."""

    size = (128, 64)

    def __init__(self, what: str) -> None:
        self.what = what

    def ready(self) -> bool:
        return True

    def show(self, picture: Image.Image | None) -> None:
        suffer(self.what)
        lit(self.what, shines=picture is not None)

    def close(self) -> None:
        pass


def solder() -> None:
    """Make the board's devices those of this module."""

    def switches(device: ConfiguredDevice, *_: object) -> OpenSwitches:
        suffer("start")
        return OpenSwitches(input_count(device))

    made = {
        "switches": switches,
        "lamps": lambda device, *_: WedgeableLamps(device.layout.lamps),
        "handset": lambda device, *_: WedgeablePanel(device.name),
        "display": lambda device, *_: WedgeablePanel(device.name),
    }
    registry.DRIVERS = tuple(
        replace(driver, make=made.get(driver.of[0], driver.make)) if driver.real else driver
        for driver in registry.DRIVERS
    )


def loosen() -> None:
    """Let the pages' server and its feed of the table get stuck, too."""
    attach, see = Feed.attach, SpectatorFeed.see

    async def ail() -> None:
        while True:
            suffer("pages")
            await asyncio.sleep(0.01)

    def attached(feed: Feed, loop: asyncio.AbstractEventLoop) -> None:
        attach(feed, loop)
        feed.ailing = loop.create_task(ail())  # type: ignore[attr-defined]

    def seen(onlookers: SpectatorFeed, *what: Any) -> None:
        suffer("audience")
        see(onlookers, *what)

    pages: Any = Feed
    pages.attach = attached
    audience: Any = SpectatorFeed
    audience.see = seen


def sit_down() -> None:
    """If this program leads a session at a terminal, make this its controlling terminal, as a shell does."""
    if os.isatty(0) and os.getsid(0) == os.getpid():
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)


if __name__ == "__main__":
    sit_down()
    solder()
    loosen()
    background_output.BackgroundLamps.__init__.__kwdefaults__["stuck"] = (
        NEVER  # closing waits for stuck devices, and waits
    )
    background_output.STUCK = NEVER  # for panels, which are not given it
    service: Any = run
    service.Watchdog = partial(Watchdog, hung=float(sys.argv[2]))
    main(["run", "--config", str(FOLDER / "board.toml")])
