"""The service can do what it needs, and nothing else; nobody else can read what it keeps."""

from __future__ import annotations

import grp
import json
import pwd
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.proofs.kernel.service import probe, unit

PYTHON = "/opt/yardboard/bin/python"
PROBE = str(Path(__file__).with_name("probe.py"))


@pytest.fixture
def _opened() -> Iterator[None]:
    """Folders and devices that any user may write to, unless something else is in the way."""
    devices = {path: path.stat().st_mode for path in map(Path, ("/dev/wire-spi0", "/dev/mem"))}
    folders = [Path(folder) for folder in probe.OPEN]
    closed = {folder.parent: folder.parent.stat().st_mode for folder in folders}
    for folder in folders:
        folder.parent.chmod(0o755)
        folder.mkdir()
        folder.chmod(0o777)
    for device in devices:
        device.chmod(0o666)
    yield
    for path, mode in (devices | closed).items():
        path.chmod(mode)
    for folder in folders:
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()


@pytest.mark.usefixtures("board", "_opened")
def test_it_can_do_what_it_needs_and_nothing_else() -> None:
    with unit.drop_in(f"ExecStartPre={PYTHON} {PROBE}"):
        log = unit.cursor()
        unit.run("systemctl", "restart", unit.UNIT)
    inside = next(json.loads(line) for line in unit.said(log) if line.startswith("{"))
    assert {name for name, end in inside.items() if end == "done"} == set(probe.NEEDED)
    # The same user can do all of it where nothing shuts them in.
    user = pwd.getpwnam("yardboard")
    groups = [group.gr_gid for group in grp.getgrall() if user.pw_name in group.gr_mem]
    folders = {"STATE_DIRECTORY": str(unit.STATE), "RUNTIME_DIRECTORY": str(unit.RUNTIME)}
    outside = subprocess.run(
        [PYTHON, PROBE],
        check=True,
        capture_output=True,
        env=folders,
        user=user.pw_uid,
        group=user.pw_gid,
        extra_groups=groups,
    )
    ends = json.loads(outside.stdout)
    assert {name: end for name, end in ends.items() if end != "done"} == {"open the memory": "EPERM"}


@pytest.mark.usefixtures("board")
def test_it_has_no_privileges_and_gets_none() -> None:
    lines = Path(f"/proc/{unit.pid()}/status").read_text().splitlines()
    status = dict(line.split(":\t", 1) for line in lines)
    capabilities = {status[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")}
    assert capabilities == {"0" * 16}
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")
    limits = Path(f"/proc/{unit.pid()}/limits").read_text()
    assert [line.split()[-3:-1] for line in limits.splitlines() if "core" in line] == [["0", "0"]]


@pytest.mark.usefixtures("board")
def test_nobody_else_can_read_the_games() -> None:
    owner = pwd.getpwnam("yardboard").pw_uid
    kept = [unit.STATE, *unit.STATE.rglob("*")]
    assert unit.STATE / "journal.sqlite" in kept
    for path in kept:
        status = path.stat()
        assert (status.st_uid, status.st_mode & 0o077) == (owner, 0), path
    nobody = pwd.getpwnam("nobody")
    for path in kept:
        tried = subprocess.run(
            ["/bin/cat", path],
            check=False,
            capture_output=True,
            user=nobody.pw_uid,
            group=nobody.pw_gid,
            extra_groups=[],
        )
        assert b"Permission denied" in tried.stderr, path
        assert not tried.stdout
