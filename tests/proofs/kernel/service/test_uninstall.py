"""Installing twice does no more than once, uninstalling leaves nothing. The last file: after it the service is gone."""

from __future__ import annotations

import pwd
from pathlib import Path

import pytest

from tests.proofs.kernel.service import unit

YARDBOARD = "/opt/yardboard/bin/yardboard"


@pytest.mark.usefixtures("board")
def test_installing_once_more_does_nothing() -> None:
    unit.run("systemctl", "restart", unit.UNIT)  # a configuration newer than the start would have to be read again
    unit.wait_until("active", ": round 1")
    before = unit.pid()
    assert unit.run(YARDBOARD, "install", "--dry-run") == "Nothing needs to be done.\n"
    unit.run(YARDBOARD, "install")
    assert unit.pid() == before


@pytest.mark.usefixtures("board")
def test_uninstalling_leaves_nothing() -> None:
    unit.run(YARDBOARD, "uninstall", "--purge")
    left = [path for folder in ("/etc", "/run", "/var") for path in Path(folder).rglob("*yardboard*")]
    assert [path for path in left if not path.is_relative_to("/run/systemd")] == []
    with pytest.raises(KeyError):
        pwd.getpwnam("yardboard")
    assert unit.told("LoadState") == "not-found"
