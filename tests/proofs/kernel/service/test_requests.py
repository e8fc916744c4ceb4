"""Root's unit carries out what the daemon asks for, confined as it is: restart, a new configuration, power off."""

from __future__ import annotations

import os
import pwd
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.config import shipped_files
from firmware_host.config.loader import load
from firmware_host.config.toml_file import digest
from firmware_host.system.language import in_language
from firmware_host.system.owner_requests import (
    AnyRequest,
    ApplyConfiguration,
    RequestOutcome,
    RequestState,
    Restart,
    post_request,
    read_outcome,
)
from firmware_host.ui.drawing import table_menu_screen
from firmware_host.ui.drawing.table_menu_screen import OFF, TableMenuScreen
from tests.proofs.kernel.guest.machine import LONG, ground, supply, wait_for
from tests.proofs.kernel.service import unit
from tests.proofs.kernel.service.board import DARK, Board

PATH_UNIT = "yardboard-requests.path"
FOLDER = unit.STATE / "requests"
BACK = 24
PATIENCE = 90.0

# This machine has nothing that would switch it off; the table ends as it would then. And with one configuration, which
# the check finds sound, the table does not start.
_SYSTEMCTL = f"""#!/bin/sh
if [ "$1" = poweroff ]; then exec /bin/systemctl stop --no-block yardboard.service; fi
while read -r line; do
  case "$1 $line" in "restart scan_hz = 52"*) /bin/systemctl stop yardboard.service; exit 1 ;; esac
done < {unit.CONFIG}
exec /bin/systemctl "$@"
"""


@pytest.fixture(autouse=True)
def watched(board: Board) -> Iterator[Board]:
    """The table is played, and the path unit watches."""
    places = Path("/etc/systemd/system")
    unit_file = places / PATH_UNIT
    unit_file.write_text((shipped_files.service_folder() / PATH_UNIT).read_text())
    tools = Path("/opt/tools")
    tools.mkdir(exist_ok=True)
    (tools / "systemctl").write_text(_SYSTEMCTL)
    (tools / "systemctl").chmod(0o755)
    drop_in = places / "yardboard-requests.service.d" / "test.conf"
    drop_in.parent.mkdir(exist_ok=True)
    drop_in.write_text(f"[Service]\nEnvironment=PATH={tools}:/usr/bin:/bin\n")
    unit.run("systemctl", "daemon-reload")
    unit.run("systemctl", "start", PATH_UNIT)
    yield board
    unit.run("systemctl", "stop", PATH_UNIT)


def asked(request: AnyRequest) -> RequestOutcome:
    """What became of a request of the table's user.

    That user writes it: root's program may look at it at once, and refuses what belongs to somebody else.
    """
    user = pwd.getpwnam("yardboard")
    os.setegid(user.pw_gid)
    os.seteuid(user.pw_uid)
    try:
        name = post_request(FOLDER, request)
    finally:
        os.seteuid(0)
        os.setegid(0)
    found: list[RequestOutcome] = []

    def is_done() -> bool:
        outcome = read_outcome(FOLDER, name)
        if outcome is None or outcome.state is RequestState.BEGUN:
            return False
        found.append(outcome)
        return True

    wait_for(is_done, "the request is carried out", PATIENCE, every=0.5)
    return found[0]


def applied(text: str) -> RequestOutcome:
    """What became of a new configuration that was made from the file as it is."""
    return asked(ApplyConfiguration(text, digest(unit.CONFIG.read_text())))


def test_a_restart_is_carried_out_and_the_game_goes_on() -> None:
    before, running = unit.game(), unit.pid()
    assert asked(Restart()) == RequestOutcome(RequestState.DONE, "The table was restarted.")
    assert unit.pid() not in (0, running)
    assert unit.game() == before


def test_a_configuration_is_applied_and_one_that_does_not_start_is_taken_back() -> None:
    former = unit.CONFIG.read_text()
    slower = former.replace("scan_hz = 50", "scan_hz = 51")
    assert applied(slower).state is RequestState.DONE
    assert (unit.CONFIG.read_text(), Path(f"{unit.CONFIG}.1").read_text()) == (slower, former)
    refused = applied(slower.replace("scan_hz = 51", "scan_hz = 52"))
    assert refused.state is RequestState.REFUSED
    assert "The former configuration is in place again, and the table runs with it" in refused.text
    assert unit.CONFIG.read_text() == slower
    assert "scan_hz" in applied(slower.replace("scan_hz = 51", "scan_hz = -1")).text
    assert applied(former).state is RequestState.DONE
    unit.wait_until("active", ": round 1")


def test_a_very_long_press_ends_dark_with_a_sentence_on_the_display(board: Board) -> None:
    log = unit.cursor()
    ground(BACK)
    try:
        wait_for(lambda: unit.told("ActiveState") == "inactive", "the table is switched off", PATIENCE, every=0.5)
    finally:
        supply(BACK)
    language = load(unit.CONFIG).board.language
    with in_language(language):
        farewell = table_menu_screen.draw(TableMenuScreen(OFF, (), 0, False, None, ""))
    wait_for(lambda: board.display == farewell.tobytes(), "the display says when to pull the plug", LONG)
    assert board.handset == DARK
    assert board.shone(0.5) == frozenset()
    assert not [line for line in unit.said(log) if "not switched off" in line]
    assert not unit.RUNTIME.exists()
