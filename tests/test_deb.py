"""The Debian packages: what is in them, and that each is for one architecture. .ci/debian-package installs one."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from firmware_host.config import shipped_files
from tools import debian_package
from tools.debian_package import PARTS, SUITES, foreign_files

ROOT = Path(__file__).parents[1]


@pytest.fixture
def plan(tmp_path: Path) -> dict[str, object]:
    (tmp_path / "tree").mkdir()
    return debian_package._plan(SUITES["trixie"], "arm64", tmp_path / "tree")


def test_a_library_for_another_machine_is_found(tmp_path: Path) -> None:
    ours, theirs, small = (tmp_path / name for name in ("ours.so", "theirs.so", "small.so"))
    ours.write_bytes(b"\x7fELF\x02\x01" + bytes(12) + b"\xb7\x00" + bytes(40))
    theirs.write_bytes(b"\x7fELF\x02\x01" + bytes(12) + b"\x3e\x00" + bytes(40))
    small.write_bytes(b"\x7fELF\x01\x01" + bytes(12) + b"\x28\x00" + bytes(40))
    (tmp_path / "text.py").write_text("import os\n")
    (tmp_path / "empty").touch()
    assert foreign_files(tmp_path, "arm64") == [small, theirs]
    assert foreign_files(tmp_path, "amd64") == [ours, small]


def test_every_unit_is_in_the_package_and_all_its_files_exist(plan: dict[str, object]) -> None:
    contents = plan["contents"]
    assert isinstance(contents, list)
    places = {entry["dst"]: entry for entry in contents}
    units = {f"/usr/lib/systemd/system/{file.name}" for file in (ROOT / "systemd").glob("yardboard*.*")}
    units -= {"/usr/lib/systemd/system/yardboard.sysusers.conf"}
    assert units <= set(places)
    files = [entry["src"] for entry in contents if entry.get("type") not in ("symlink", "dir")]
    assert [file for file in files if not Path(file).exists()] == []
    assert places["/etc/yardboard/table.toml"]["type"] == "config"


def test_a_newer_debian_has_a_higher_version(plan: dict[str, object]) -> None:
    twelve, thirteen = (debian_package._version(SUITES[suite]) for suite in ("bookworm", "trixie"))
    assert plan["version"] == thirteen
    assert re.fullmatch(r"[0-9.]+\+deb12", twelve)  # dpkg compares the numbers in them
    assert twelve.replace("12", "13") == thirteen


@pytest.mark.parametrize("script", ["postinst", "prerm", "postrm"])
def test_the_package_s_scripts_are_sound_and_know_every_unit_that_is_enabled(script: str) -> None:
    subprocess.run(["/bin/sh", "-n", str(PARTS / script)], check=True)
    enabled = {
        unit.name for unit in shipped_files.service_folder().glob("yardboard*.*") if "[Install]" in unit.read_text()
    }
    assert enabled <= set(re.findall(r"yardboard[\w@-]*\.\w+", (PARTS / script).read_text()))


def test_purging_ends_the_processes_of_our_user_and_none_of_another_system_s(tmp_path: Path) -> None:
    (tmp_path / "container").mkdir()
    for process, user, root in ((11, 990, "/"), (12, 990, "../container"), (13, 991, "/")):
        (tmp_path / str(process)).mkdir()
        (tmp_path / str(process) / "root").symlink_to(root)
        (tmp_path / str(process) / "status").write_text(f"Name:\tsh\nUid:\t{user}\t{user}\t{user}\t{user}\n")
    text = (PARTS / "postrm").read_text()
    ends = text[text.index("end_processes() {") : text.index("\n}\n") + 3].replace("/proc/", f"{tmp_path}/")
    script = f'set -e; user=990; kill() {{ echo "$2"; rm -r "{tmp_path}/$2"; }}\n{ends}\nend_processes'
    ended = subprocess.run(["/bin/sh", "-c", script], check=True, capture_output=True, text=True)
    assert ended.stdout.split() == ["11"]
