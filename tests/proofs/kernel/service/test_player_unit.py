"""A program of [players.NAME] runs in a unit of its own, and sees nothing of the table."""

from __future__ import annotations

import json
import pwd
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.proofs.kernel.guest.machine import wait_for
from tests.proofs.kernel.service import unit

PYTHON, YARDBOARD = "/opt/yardboard/bin/python", "/opt/yardboard/bin/yardboard"
SPY = "/opt/checkout/tests/secrecy/spying_player.py"
SOCKET = "/run/yardboard-player.socket"
CANARY = "SQLite format"

HELLO = b'{"cmd": "hello", "protocol": 1}\n'

Report = dict[str, Any]


@pytest.fixture
def _programs() -> Iterator[None]:
    """The service with a program in its configuration, and afterwards without."""
    before = unit.CONFIG.read_text()
    unit.CONFIG.write_text(before + spy({}, harm=False))
    unit.run(YARDBOARD, "setup")
    unit.wait_until("active", ": round 1")
    yield
    unit.CONFIG.write_text(before)
    unit.run(YARDBOARD, "setup")
    unit.wait_until("active", ": round 1")
    assert not Path(SOCKET).exists()


def spy(told: Report, *, harm: bool) -> str:
    """What a configuration says of the spy."""
    told = told | {"canary": CANARY, "harm": harm, "memory_mb": 128, "scratch": 32 << 20}
    words = json.dumps([PYTHON, "-I", SPY, json.dumps(told).encode().hex()])
    return f"\n[players.spy]\nmemory_mb = 128\ncommand = {words}\n"


@contextmanager
def listening() -> Iterator[Report]:
    """What a spy may look for: the table, and sockets that everyone may connect to."""
    path = Path("/run/open-socket")
    pages, one, two = (
        socket.create_server(("127.0.0.1", 0)),
        socket.socket(socket.AF_UNIX),
        socket.socket(socket.AF_UNIX),
    )
    with pages, one, two:
        for place, address in ((one, str(path)), (two, "\0spied")):
            place.bind(address)
            place.listen()
        path.chmod(0o777)
        yield {
            "table": unit.pid(),
            "folders": [str(unit.STATE), str(unit.RUNTIME)],
            "port": pages.getsockname()[1],
            "socket": str(path),
            "abstract": "spied",
        }
    path.unlink()


def processes() -> list[dict[str, list[str]]]:
    """The spies that run, as /proc has them."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if SPY.encode() in (path / "cmdline").read_bytes():
                lines = (path / "status").read_text().splitlines()
                found.append({name: value.split() for name, _, value in (each.partition(":") for each in lines)})
        except OSError:
            continue
    return found


@pytest.mark.usefixtures("board", "_programs")
def test_it_sees_nothing_of_the_table_and_ends_with_its_connection(measured: Callable[[str, float], None]) -> None:
    before = unit.game()
    with listening() as known, socket.socket(socket.AF_UNIX) as connection:
        config = unit.CONFIG.read_text().partition("\n[players.spy]")[0]
        unit.CONFIG.write_text(config + spy(known, harm=True))
        connection.connect(SOCKET)
        connection.sendall(b"spy\n" + HELLO)
        with connection.makefile("rb") as lines:
            assert json.loads(lines.readline())["report"] == {}
        runs = processes()
        owner = pwd.getpwnam("yardboard").pw_uid
        users = {int(one["Uid"][0]) for one in runs}
        assert runs
        assert not users & {0, owner}
        assert {one["NoNewPrivs"][0] for one in runs} == {"1"}
        # The table's user can do all of this where nothing shuts it in.
        words = [PYTHON, "-I", SPY, json.dumps(known | {"canary": CANARY, "harm": False}).encode().hex()]
        outside = subprocess.run(
            words,
            check=True,
            capture_output=True,
            input=HELLO,
            user=owner,
            group=pwd.getpwuid(owner).pw_gid,
            extra_groups=[],
        )
        done = json.loads(outside.stdout)["report"]
        assert done["read the table's files"] == [CANARY]
        assert {"list other processes", "open its pages", "reach a socket", "reach an abstract socket"} <= done.keys()
        connection.close()
        measured("a program on a seat: until it has ended", wait_for(lambda: not processes(), "it has ended"))
    assert unit.told("ActiveState") == "active"
    assert unit.game() == before


@pytest.mark.usefixtures("board", "_programs")
def test_the_table_alone_can_have_a_program_run() -> None:
    table = dict(each.partition("=")[::2] for each in unit.told("Environment").split())
    assert table["YARDBOARD_PLAYERS"] == SOCKET
    nobody = pwd.getpwnam("nobody")
    words = f"import socket; socket.socket(socket.AF_UNIX).connect({SOCKET!r})"
    tried = subprocess.run(
        [PYTHON, "-c", words],
        check=False,
        capture_output=True,
        user=nobody.pw_uid,
        group=nobody.pw_gid,
        extra_groups=[],
    )
    assert b"PermissionError" in tried.stderr
