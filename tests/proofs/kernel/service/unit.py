"""The service as its manager sees it, and the journal of its games."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from firmware_host.config.loader import load
from firmware_host.journal.journal import Journal
from firmware_host.rules.actions import to_record
from tests.proofs.kernel.guest.machine import LONG, wait_for

UNIT = "yardboard.service"
CONFIG = Path("/etc/yardboard/table.toml")
STATE = Path("/var/lib/yardboard")
RUNTIME = Path("/run/yardboard")

_DROP_IN = Path(f"/etc/systemd/system/{UNIT}.d/test.conf")


def run(*command: str) -> str:
    """Run a command, which must succeed, and return its output."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def told(name: str) -> str:
    """Return a property of the unit."""
    return run("systemctl", "show", "--value", f"--property={name}", UNIT).rstrip("\n")


def pid() -> int:
    """Return the process that runs the table; 0 for none."""
    return int(told("MainPID"))


def wait_until(state: str, status: str = "", seconds: float = LONG) -> float:
    """Wait until the service has a state, such as "active", and a status. Return how long that took."""

    def so() -> bool:
        lines = run("systemctl", "show", "--property=ActiveState,StatusText", UNIT).splitlines()
        now = dict(line.split("=", 1) for line in lines)
        return now["ActiveState"] == state and status in now["StatusText"]

    return wait_for(so, f"the service is {state} {status}", seconds, every=0.5)


def said(cursor: str) -> list[str]:
    """Return the service's log lines since a cursor."""
    run("journalctl", "--sync")
    return run("journalctl", f"--unit={UNIT}", "--output=cat", f"--after-cursor={cursor}").splitlines()


def cursor() -> str:
    """Return the end of the service's log, as a cursor for later."""
    run("journalctl", "--sync")
    return run("journalctl", f"--unit={UNIT}", "--lines=1", "--show-cursor").rpartition("cursor: ")[2].strip()


@contextmanager
def drop_in(*lines: str) -> Iterator[None]:
    """Add lines to the unit's section `[Service]`, from the next start on."""
    _DROP_IN.parent.mkdir(exist_ok=True)
    _DROP_IN.write_text("\n".join(["[Service]", *lines, ""]))
    run("systemctl", "daemon-reload")
    try:
        yield
    finally:
        _DROP_IN.unlink()
        run("systemctl", "daemon-reload")


def game() -> list[object]:
    """Return the game in the journal: its setup and its actions. Nobody may write to the journal meanwhile."""
    config = load(CONFIG)
    with TemporaryDirectory() as folder:
        shutil.copytree(STATE, folder, dirs_exist_ok=True)
        with closing(Journal.open(Path(folder, "journal.sqlite"))) as journal:
            game = journal.newest(config.boxes, config.ground)
    assert game is not None
    return [game.setup.to_record(), *map(to_record, game.actions)]
