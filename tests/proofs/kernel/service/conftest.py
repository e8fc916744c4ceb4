"""A machine with the service on it, and a game in play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from firmware_host.config import shipped_files
from tests.proofs.kernel.guest.machine import wait_for
from tests.proofs.kernel.service import unit
from tests.proofs.kernel.service.board import PEEK, SELECT, STATIONS, Board, stand

YARDBOARD = "/opt/yardboard/bin/yardboard"

_measured: list[str] = []


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.section("measured")
    for line in _measured:
        terminalreporter.line(line)


@pytest.fixture
def measured() -> Callable[[str, float], None]:
    """Return a function that records how many seconds something took, to print at the end."""
    return lambda what, seconds: _measured.append(f"{seconds:6.2f} s  {what}")


@pytest.fixture(scope="session")
def installed() -> None:
    """Install the service with a shipped configuration."""
    shipped = (shipped_files.folder() / "london-spi.toml").read_text()
    stand(())
    # What a pass asks of the kernel takes this one as long as a Pi's takes for ten passes.
    table = Path("/root/table.toml")
    slow = shipped.replace("[switches]\n", "[switches]\nscan_hz = 50\n")
    table.write_text(slow.replace("[lamps]\n", "[lamps]\nframes_per_second = 10\n"))
    _put_in_place(shipped_files.service_folder())
    unit.run(YARDBOARD, "setup", "--config", str(table))


def _put_in_place(shipped: Path) -> None:
    """Do what the Debian package does, with the program in /opt."""
    places = {"70-yardboard.rules": "udev/rules.d/70-yardboard.rules",
              "yardboard.sysusers.conf": "sysusers.d/yardboard.conf",
              **{file.name: f"systemd/system/{file.name}" for file in shipped.glob("yardboard*.s[eo]*")}}  # fmt: skip
    for name, place in places.items():
        file = Path("/etc", place)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text((shipped / name).read_text().replace("/usr/bin/yardboard", YARDBOARD))
    unit.run("systemd-sysusers", "yardboard.conf")
    unit.run("udevadm", "control", "--reload")
    unit.run("udevadm", "trigger", "--settle")


@pytest.fixture(scope="session")
def the_board() -> Iterator[Board]:
    """Yield the board, observed all the time."""
    with closing(Board()) as board:
        yield board


@pytest.fixture(scope="session")
def pawns(the_board: Board, request: pytest.FixtureRequest) -> frozenset[int]:
    """Start a game: the pawns are at these lamps, where the table wanted them, and Mister X has moved."""
    request.getfixturevalue("installed")  # only now: the board has to be looked at from the first frame on
    asked = the_board.shone(2.0) & STATIONS
    stand(asked)
    unit.wait_until("active", ": round 1")
    with the_board.held(PEEK):
        for _ in ("a ticket", "a station"):
            with the_board.held(SELECT):
                pass
    wait_for(lambda: (the_board.lit or STATIONS) & STATIONS, "the lamps show whose turn it is")
    return asked


@pytest.fixture
def board(the_board: Board, pawns: frozenset[int]) -> Board:
    """Return the board while that game is in play."""
    stand(pawns)
    unit.run("systemctl", "start", unit.UNIT)
    unit.wait_until("active", ": round 1")
    return the_board
