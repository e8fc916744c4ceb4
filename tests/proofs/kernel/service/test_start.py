"""The service runs as a user of its own, is ready when its table can be played, and reaches the machine's devices."""

from __future__ import annotations

import grp
import pwd
from pathlib import Path

import pytest

from tests.proofs.kernel.guest.machine import held_up, wait_for
from tests.proofs.kernel.service import unit
from tests.proofs.kernel.service.board import DARK, PEEK, Board, stand

GROUPS = {"gpiochip0": "gpio", "spidev0.0": "spi", "spidev6.0": "spi", "i2c-1": "i2c", "i2c-3": "i2c"}


@pytest.mark.usefixtures("board")
def test_it_runs_as_its_own_user_in_the_groups_of_its_devices() -> None:
    lines = Path(f"/proc/{unit.pid()}/status").read_text().splitlines()
    status = {name: value.split() for name, _, value in (line.partition(":") for line in lines)}
    user = pwd.getpwnam("yardboard")
    assert user.pw_uid > 0
    assert status["Uid"] == [str(user.pw_uid)] * 4
    groups = {grp.getgrgid(int(number)).gr_name for number in status["Groups"]}
    assert groups == {"yardboard", "gpio", "spi", "i2c", "dialout"}
    for name, group in GROUPS.items():
        node = Path("/dev", name).stat()
        assert (grp.getgrgid(node.st_gid).gr_name, oct(node.st_mode & 0o777)) == (group, "0o660"), name


def test_it_is_active_only_when_the_table_can_be_played(board: Board) -> None:
    unit.run("systemctl", "stop", unit.UNIT)
    with held_up("spi6", ms=2000):  # the first reading of the board takes its time
        unit.run("systemctl", "start", unit.UNIT)
    begun, active = (int(unit.told(f"{name}TimestampMonotonic")) / 1e6 for name in ("InactiveExit", "ActiveEnter"))
    assert active - begun >= 1.9
    assert board.shone(1.0)


def test_a_pawn_that_is_missing_is_asked_for_by_light(board: Board, pawns: frozenset[int]) -> None:
    gone = max(pawns - (board.lit or pawns))
    stand(pawns - {gone})
    wait_for(lambda: gone in (board.lit or ()), "its station shines")


def test_a_start_leaves_mister_x_screen_dark_until_he_touches_a_key(board: Board) -> None:
    unit.run("systemctl", "restart", unit.UNIT)
    unit.wait_until("active", ": round 1")
    assert board.shone(1.0)
    assert board.handset == DARK
    with board.held(PEEK):
        pass
    assert board.handset != DARK


def test_what_mister_x_alone_may_see_is_seen_while_he_holds_a_key(board: Board) -> None:
    with board.held(PEEK):  # if the screen was dark, this wakes it
        pass
    covered = board.handset
    with board.held(PEEK):
        assert board.handset not in (covered, DARK)
    wait_for(lambda: board.handset == covered, "the handset is covered again")
